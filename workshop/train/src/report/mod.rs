//! What a net has learnt, measured on whole games: move prediction, value error, score prediction, calibration, and
//! whether board evaluation and value agree (CGI IV).

mod measure;
mod plots;
mod text;

use std::sync::Arc;

use indicatif::ProgressBar;
use jigo_board::{Color, Game, Rules, Symmetry};
use jigo_net::{Backend, Evaluate, Manner, Position, Told, View};
use jigo_records::{Library, Record, Sample};

pub use measure::{Average, Correlation};
pub use plots::plot_all;

/// Move numbers are gathered in runs of this length; everything from the last run on is one (CGI IV.A).
const RUN: usize = 15;
const RUNS: usize = 20;
/// Prediction distances reported (CGI IV.C).
pub const DISTANCES: usize = 8;
/// Games whose final margin lies outside are not asked for their score (CGI IV.C).
const MARGINS: std::ops::RangeInclusive<f32> = -12.0..=28.0;
/// Komi at which counted games are judged besides their own.
pub const EXTRA_KOMI: [f32; 3] = [0.5, 7.5, 14.5];
const CALIBRATION_BINS: usize = 10;
/// Komi at which board evaluation and value are compared (CGI fig 9 and 10).
pub const AGREEMENT_KOMI: [f32; 2] = [7.5, 0.5];

/// Numbers of one stage of the game.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    pub top1: Average,
    pub top5: Average,
    /// Half the squared error of the value at the game's komi, and of a predictor that always says even.
    pub value_error: Average,
    pub constant_error: Average,
    /// The same at other komi, on counted games.
    pub extra_error: [Average; EXTRA_KOMI.len()],
    /// Share of games whose score is predicted within 0, 1, ... points.
    pub within: [Average; DISTANCES],
}

#[derive(Clone, Debug, Default)]
pub struct Bin {
    pub predicted: Average,
    pub won: Average,
}

/// All measurements on the games of one board size.
#[derive(Clone, Debug)]
pub struct Report {
    pub size: usize,
    pub games: usize,
    pub total: Stage,
    pub stages: Vec<Stage>,
    /// One for each game: positions of a game are no independent witnesses, games are.
    pub by_game: Vec<Stage>,
    pub calibration: Vec<Bin>,
    pub ownership_error: Average,
    /// Summed ownership against the value (CGI IV.F).
    pub agreement: [Correlation; AGREEMENT_KOMI.len()],
}

impl Report {
    /// Plays through `games` of the library, evaluating every `every`th position.
    pub fn measure(net: &Arc<dyn Backend>, library: &Library, games: usize, every: usize, bar: &ProgressBar) -> Report {
        let mut report = Report {
            size: library.games().first().map_or(0, |record| record.size),
            games: games.min(library.games().len()),
            total: Stage::default(),
            stages: vec![Stage::default(); RUNS],
            by_game: Vec::new(),
            calibration: vec![Bin::default(); CALIBRATION_BINS],
            ownership_error: Average::default(),
            agreement: AGREEMENT_KOMI.map(Correlation::at),
        };
        let mut evaluator = Arc::clone(net).evaluator();
        bar.set_length(report.games as u64);
        for (number, record) in library.games().iter().take(games).enumerate() {
            // Start at different moves, so that all move numbers are seen whatever the step.
            report.by_game.push(Stage::default());
            for ply in (number % every..record.len()).step_by(every) {
                report.add(&mut *evaluator, &game_before(record, ply), &Sample::of(record, ply));
            }
            bar.inc(1);
        }
        report
    }

    fn add(&mut self, evaluator: &mut dyn Evaluate, game: &Arc<Game>, sample: &Sample) {
        let position = Position { board: &sample.board, to_move: sample.to_move, recent: sample.recent };
        let told = Told { game, moves: &[], komi: sample.outcome.komi, manner: Manner::PLAIN };
        let view = View { position, symmetry: Symmetry::IDENTITY, told: Some(told) };
        let evaluation = evaluator.evaluate_batch(&[view]).pop().expect("one view, one evaluation");
        let mut seen = Stage::default();
        if let Some(played) = sample.next[0] {
            let chance = evaluation.probability(played);
            let better = evaluation.moves().filter(|(_, other)| *other > chance).count();
            seen.top1.add_truth(better < 1);
            seen.top5.add_truth(better < 5);
        }
        let komi = sample.outcome.komi;
        let value = |komi: f32| 2.0 * f64::from(evaluation.value.black_win_rate(komi)) - 1.0;
        let error = |black_won: bool, komi: f32| {
            let z = if black_won { 1.0 } else { -1.0 };
            0.5 * (z - value(komi)) * (z - value(komi))
        };
        if let Some(winner) = sample.outcome.winner {
            let black_won = winner == Color::Black;
            seen.value_error.add(error(black_won, komi));
            seen.constant_error.add(0.5);
            let rate = f64::from(evaluation.value.black_win_rate(komi));
            let bin = &mut self.calibration[((rate * CALIBRATION_BINS as f64) as usize).min(CALIBRATION_BINS - 1)];
            bin.predicted.add(rate);
            bin.won.add_truth(black_won);
        }
        if let Some(margin) = sample.outcome.black_margin {
            for (average, komi) in seen.extra_error.iter_mut().zip(EXTRA_KOMI) {
                average.add(error(margin > komi, komi));
            }
            if let Some(fair) = evaluation.value.fair_komi().filter(|_| MARGINS.contains(&margin)) {
                for (distance, average) in seen.within.iter_mut().enumerate() {
                    average.add_truth((fair.round() - margin).abs() <= distance as f32);
                }
            }
        }
        if let Some(owners) = &sample.outcome.ownership {
            for point in sample.board.points() {
                let owner = f64::from(u8::from(owners.black.contains(point)))
                    - f64::from(u8::from(owners.white.contains(point)));
                if let Some(expected) = evaluation.black_ownership(point) {
                    self.ownership_error.add((owner - f64::from(expected)).powi(2));
                }
            }
        }
        if let Some(territory) = evaluation.black_territory() {
            for agreement in &mut self.agreement {
                agreement.add(territory, evaluation.value.black_win_rate(agreement.komi));
            }
        }
        self.stages[(sample.ply / RUN).min(RUNS - 1)].merge(&seen);
        if let Some(game) = self.by_game.last_mut() {
            game.merge(&seen);
        }
        self.total.merge(&seen);
    }
}

/// The game up to a move, for nets that want to know how the stones came there. Records are counted by area here.
fn game_before(record: &Record, ply: usize) -> Arc<Game> {
    let mut game = Game::new(record.size, Rules::default());
    game.set_komi(record.komi);
    for mv in (0..ply).map(|ply| record.mv(ply)) {
        // Whatever was played was legal there; some servers let positions repeat.
        let _ = game.play_despite_superko(game.to_move(), mv);
    }
    Arc::new(game)
}

impl Stage {
    fn merge(&mut self, other: &Stage) {
        self.top1.merge(&other.top1);
        self.top5.merge(&other.top5);
        self.value_error.merge(&other.value_error);
        self.constant_error.merge(&other.constant_error);
        for (to, from) in self.extra_error.iter_mut().zip(&other.extra_error) {
            to.merge(from);
        }
        for (to, from) in self.within.iter_mut().zip(&other.within) {
            to.merge(from);
        }
    }
}

/// The first move number of a stage.
pub fn first_move(stage: usize) -> usize {
    stage * RUN
}
