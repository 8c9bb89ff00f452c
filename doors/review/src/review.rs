//! A review as plain data: what was thought of every position, and what follows about every move.

use jigo_board::{Color, Move, WinRate};
use jigo_engine::{Assessment, BestMove, JudgedPosition, Mistake, Performance};
use serde::{Deserialize, Serialize};

use crate::move_codes;
use crate::subject::Subject;

/// What the engine thinks of one position. Everything is Black's: perspective is the reader's business.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opinion {
    pub visits: u32,
    pub black_win_rate: f32,
    /// Komi counted.
    pub black_lead: f32,
    /// The moves looked at, best first.
    pub candidates: Vec<Candidate>,
    /// Row by row from the upper left corner, 1 is Black's and -1 White's.
    pub black_ownership: Vec<f32>,
    /// Row by row, passing last; -1 is illegal.
    pub policy: Vec<f32>,
}

/// A move that was considered in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub visits: u32,
    pub black_win_rate: f32,
    pub black_lead: f32,
    pub policy: f32,
    /// The move and what is expected to follow it; never empty.
    #[serde(with = "move_codes")]
    pub variation: Vec<Move>,
}

impl Candidate {
    pub fn mv(&self) -> Move {
        self.variation.first().copied().unwrap_or(Move::Pass)
    }
}

impl Opinion {
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }

    fn judged(&self) -> JudgedPosition {
        JudgedPosition {
            black_lead: self.black_lead,
            win_rate: WinRate::black(self.black_win_rate),
            best: self.best().map(|best| BestMove { mv: best.mv(), black_lead: best.black_lead }),
        }
    }
}

/// A whole game: its moves, and an opinion before each of them and at the end.
#[derive(Clone, Debug)]
pub struct Review {
    pub size: usize,
    pub moves: Vec<(Color, Move)>,
    /// One more than there are moves; entry `n` is about the position after `n` moves.
    pub opinions: Vec<Opinion>,
}

/// How one player did, passes left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerSummary {
    pub performance: Performance,
    /// Of each class, in the order of [`Mistake::ALL`].
    pub mistakes: [usize; Mistake::ALL.len()],
}

impl PlayerSummary {
    /// Moves that are no mistake of any class.
    pub fn good_moves(&self) -> usize {
        self.performance.moves - self.mistakes.iter().sum::<usize>()
    }
}

impl Review {
    /// The review, once there is an opinion on every position of the subject.
    pub fn new(subject: &Subject, opinions: Vec<Opinion>) -> Option<Review> {
        let moves: Vec<(Color, Move)> = subject.moves.iter().map(|&(color, mv, _)| (color, mv)).collect();
        let size = subject.games.first()?.size();
        (opinions.len() == moves.len() + 1).then_some(Review { size, moves, opinions })
    }

    /// What move `number`, counted from one, lost.
    pub fn points_lost(&self, number: usize) -> f32 {
        let (color, mv) = self.moves[number - 1];
        let (before, after) = (self.opinions[number - 1].judged(), self.opinions[number].judged());
        before.lost_by(color, mv, &after)
    }

    pub fn mistake(&self, number: usize) -> Option<Mistake> {
        Mistake::of(self.points_lost(number))
    }

    /// The moves that lost most, `most` of them and at least mistakes, in the order they were played.
    pub fn turning_points(&self, most: usize) -> Vec<usize> {
        let is_bad = |&number: &usize| self.mistake(number) >= Some(Mistake::Mistake);
        let mut numbers: Vec<usize> = (1..=self.moves.len()).filter(is_bad).collect();
        numbers.sort_by(|&a, &b| self.points_lost(b).total_cmp(&self.points_lost(a)));
        numbers.truncate(most);
        numbers.sort_unstable();
        numbers
    }

    pub fn summary(&self, color: Color) -> PlayerSummary {
        let positions = self.opinions.iter().map(|opinion| Some(opinion.judged())).collect();
        let assessment = Assessment { size: self.size, moves: self.moves.clone(), positions };
        let mut mistakes = [0; Mistake::ALL.len()];
        for (number, &(mover, mv)) in (1..).zip(&self.moves) {
            if let Some(mistake) = self.mistake(number).filter(|_| mover == color && mv != Move::Pass) {
                mistakes[mistake as usize] += 1;
            }
        }
        PlayerSummary { performance: assessment.performance(color, None), mistakes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Point;

    fn opinion(black_lead: f32, best: Move) -> Opinion {
        let candidate = Candidate { visits: 10, black_win_rate: 0.5, black_lead, policy: 0.5, variation: vec![best] };
        Opinion {
            visits: 10,
            black_win_rate: 0.5,
            black_lead,
            candidates: vec![candidate],
            black_ownership: Vec::new(),
            policy: Vec::new(),
        }
    }

    fn review(leads: &[f32]) -> Review {
        let corner = Move::Play(Point::new(0, 0));
        let moves = (0..leads.len() - 1).map(|n| (Color::BOTH[n % 2], Move::Play(Point::new(1, n)))).collect();
        Review { size: 9, moves, opinions: leads.iter().map(|&lead| opinion(lead, corner)).collect() }
    }

    #[test]
    fn a_move_loses_what_its_own_players_lead_falls() {
        let review = review(&[0.0, -2.0, 5.0, 6.0, 6.0]);
        let lost: Vec<f32> = (1..=4).map(|number| review.points_lost(number)).collect();
        assert_eq!(lost, [2.0, 7.0, 0.0, 0.0], "a gain is no loss");
        assert_eq!(review.mistake(1), Some(Mistake::Inaccuracy));
        assert_eq!(review.mistake(2), Some(Mistake::Blunder));
        assert_eq!(review.mistake(3), None);
    }

    #[test]
    fn the_engines_own_choice_loses_nothing() {
        let mut review = review(&[0.0, -9.0]);
        review.opinions[0].candidates[0].variation = vec![review.moves[0].1];
        assert_eq!(review.points_lost(1), 0.0);
        assert_eq!(review.summary(Color::Black).performance.best_moves, 1);
    }

    #[test]
    fn a_pass_is_no_part_of_what_a_player_did() {
        let mut review = review(&[0.0, -2.0, -2.0, -9.0]);
        review.moves[2].1 = Move::Pass;
        let black = review.summary(Color::Black);
        assert_eq!((black.performance.moves, black.good_moves(), black.mistakes), (1, 0, [1, 0, 0]));
    }

    #[test]
    fn turning_points_are_the_worst_moves_in_order() {
        let review = review(&[0.0, -4.0, 10.0, 1.0, 1.0, 0.5]);
        assert_eq!(review.turning_points(2), [2, 3]);
        assert_eq!(review.turning_points(9), [1, 2, 3]);
        let black = review.summary(Color::Black);
        assert_eq!((black.performance.moves, black.good_moves(), black.mistakes), (3, 1, [0, 1, 1]));
        assert!((black.performance.points_lost - 13.5).abs() < 1e-4);
    }
}
