//! How often the weights put the move of a strong player first, among the first five, among the first ten.

use jigo_board::GRID;
use jigo_patterns::{Gammas, Situation};
use jigo_tactics::Reader;

use crate::corpus::{Corpus, CorpusError, Moment, for_each_moment};
use crate::progress::Progress;

/// What the weights foresaw in a set of positions.
#[derive(Clone, Debug)]
pub struct Prediction {
    pub games: usize,
    pub positions: usize,
    /// How often the move played stood at each place of the ranking; the last entry counts all later places
    /// and moves that the weights exclude.
    ranks: [usize; Prediction::PLACES + 1],
    log_likelihood: f64,
}

impl Prediction {
    pub const PLACES: usize = 50;
    const NONE: Prediction =
        Prediction { games: 0, positions: 0, ranks: [0; Prediction::PLACES + 1], log_likelihood: 0.0 };

    /// The share of moves that stood among the first `places`.
    pub fn within(&self, places: usize) -> f64 {
        self.ranks[..places.min(Self::PLACES)].iter().sum::<usize>() as f64 / self.positions.max(1) as f64
    }

    /// Mean logarithm of the probability given to the move played.
    pub fn log_likelihood(&self) -> f64 {
        self.log_likelihood / self.positions.max(1) as f64
    }

    fn note(&mut self, weights: &[f32; GRID], moment: &Moment) {
        let chosen = weights[moment.chosen.index()];
        // Equal weights count against us: a tie foresees nothing.
        let rank = moment.board.empties().iter().filter(|p| weights[p.index()] >= chosen).count();
        let all: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        let excluded = chosen <= 0.0;
        self.positions += 1;
        self.ranks[if excluded { Self::PLACES } else { (rank - 1).min(Self::PLACES) }] += 1;
        self.log_likelihood += (f64::from(chosen) / all).max(1e-9).ln();
    }
}

/// Asks the weights about every move of the first `games` games: the result of all positions, and of each phase of the game.
pub fn predict(
    corpus: &Corpus,
    gammas: &Gammas,
    games: usize,
    progress: &mut Progress,
) -> Result<(Prediction, Vec<Prediction>), CorpusError> {
    let mut all = Prediction::NONE;
    let mut by_phase = vec![Prediction::NONE; jigo_patterns::PHASES];
    let mut reader = Reader::new();
    let mut weights = [0.0; GRID];
    let mut done = 0;
    corpus.for_each_game(games, |game| {
        for_each_moment(game, |moment| {
            let Moment { board, to_play, recent, .. } = moment;
            gammas.weights(board, to_play, recent, &mut reader, &mut weights);
            all.note(&weights, &moment);
            by_phase[Situation { board, to_play, recent }.phase()].note(&weights, &moment);
        });
        done += 1;
        progress.at("predicting", done, games as u64);
    })?;
    all.games = done as usize;
    Ok((all, by_phase))
}
