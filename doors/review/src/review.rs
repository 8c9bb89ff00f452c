//! A review as plain data: what was thought of every position, and what follows about every move.

use jigo_board::{Color, Move, WinRate};
use jigo_engine::{BestMove, JudgedPosition};
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

/// How bad a move is. The limits are KaTrain's, so that both programs speak of the same mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Good,
    Slack,
    Inaccuracy,
    Mistake,
    BigMistake,
    Blunder,
}

impl Grade {
    pub const ALL: [Grade; 6] =
        [Grade::Good, Grade::Slack, Grade::Inaccuracy, Grade::Mistake, Grade::BigMistake, Grade::Blunder];

    /// Points lost from which on a move gets this grade.
    pub fn least_loss(self) -> f32 {
        match self {
            Grade::Good => 0.0,
            Grade::Slack => 0.5,
            Grade::Inaccuracy => 1.5,
            Grade::Mistake => 3.0,
            Grade::BigMistake => 6.0,
            Grade::Blunder => 12.0,
        }
    }

    pub fn of(points_lost: f32) -> Grade {
        Grade::ALL.into_iter().rev().find(|grade| points_lost >= grade.least_loss()).unwrap_or(Grade::Good)
    }

    pub fn name(self) -> &'static str {
        match self {
            Grade::Good => "good",
            Grade::Slack => "slack",
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::BigMistake => "big mistake",
            Grade::Blunder => "blunder",
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

/// How one player did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    pub moves: usize,
    pub points_lost: f32,
    /// Moves that were the engine's first choice.
    pub first_choices: usize,
    /// Moves of each grade, in the order of [`Grade::ALL`].
    pub grades: [usize; 6],
}

impl PlayerSummary {
    pub fn mean_loss(&self) -> f32 {
        self.points_lost / self.moves.max(1) as f32
    }

    pub fn agreement(&self) -> f32 {
        self.first_choices as f32 / self.moves.max(1) as f32
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

    pub fn grade(&self, number: usize) -> Grade {
        Grade::of(self.points_lost(number))
    }

    /// The moves that lost most, `most` of them and at least mistakes, in the order they were played.
    pub fn turning_points(&self, most: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (1..=self.moves.len()).filter(|&n| self.grade(n) >= Grade::Mistake).collect();
        numbers.sort_by(|&a, &b| self.points_lost(b).total_cmp(&self.points_lost(a)));
        numbers.truncate(most);
        numbers.sort_unstable();
        numbers
    }

    pub fn summary(&self, color: Color) -> PlayerSummary {
        let mut summary = PlayerSummary::default();
        for number in (1..=self.moves.len()).filter(|&number| self.moves[number - 1].0 == color) {
            let mv = self.moves[number - 1].1;
            summary.moves += 1;
            summary.points_lost += self.points_lost(number);
            summary.first_choices += usize::from(self.opinions[number - 1].best().is_some_and(|best| best.mv() == mv));
            summary.grades[self.grade(number) as usize] += 1;
        }
        summary
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
        assert_eq!(review.grade(1), Grade::Inaccuracy);
        assert_eq!(review.grade(2), Grade::BigMistake);
    }

    #[test]
    fn the_engines_own_choice_loses_nothing() {
        let mut review = review(&[0.0, -9.0]);
        review.opinions[0].candidates[0].variation = vec![review.moves[0].1];
        assert_eq!(review.points_lost(1), 0.0);
        assert_eq!(review.summary(Color::Black).first_choices, 1);
    }

    #[test]
    fn grades_have_katrains_limits() {
        let grades = [0.49, 0.5, 1.5, 3.0, 6.0, 12.0].map(Grade::of);
        assert_eq!(grades, Grade::ALL);
    }

    #[test]
    fn turning_points_are_the_worst_moves_in_order() {
        let review = review(&[0.0, -4.0, 10.0, 1.0, 1.0, 0.5]);
        assert_eq!(review.turning_points(2), [2, 3]);
        assert_eq!(review.turning_points(9), [1, 2, 3]);
        let black = review.summary(Color::Black);
        assert_eq!((black.moves, black.grades), (3, [0, 1, 0, 1, 1, 0]));
        assert!((black.points_lost - 13.5).abs() < 1e-4);
    }
}
