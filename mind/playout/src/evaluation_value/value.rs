//! The evaluation value (Evaluation value 2): how often each point ends as Black's, from -10 (never) to 10 (always).
//!
//! It shows at a glance what the playouts think of a position, and so what they get wrong.

use jigo_board::{Board, Color, GRID, Point, PointSet};

use super::status::{DECIDED, GroupStatus};
use crate::playouts::Playouts;
use crate::simulation::StartPosition;

/// What the playouts think of a position.
pub struct EvaluationValue {
    board: Board,
    to_move: Color,
    playouts: u32,
    /// Playouts that gave the point to Black minus those that gave it to White: a shared point counts half for each.
    black_lead: [i32; GRID],
    black_score: f64,
}

impl EvaluationValue {
    pub fn new(from: &StartPosition, playouts: &Playouts) -> EvaluationValue {
        let mut evaluation = EvaluationValue {
            board: from.board.clone(),
            to_move: from.to_move,
            playouts: playouts.count,
            black_lead: [0; GRID],
            black_score: 0.0,
        };
        playouts.play(from, |_, outcome| {
            for point in from.board.points() {
                evaluation.black_lead[point.index()] += outcome.owner(point) as i32;
            }
            evaluation.black_score += f64::from(outcome.black_score);
        });
        evaluation
    }

    /// 20 * black / n - 10, where a shared point counts half (Evaluation value 2).
    pub fn black_value(&self, point: Point) -> f32 {
        10.0 * self.black_lead[point.index()] as f32 / self.playouts.max(1) as f32
    }

    /// The same number for the whole string of a stone: the mean of its stones, which may end differently once they
    /// have been captured. An empty point stands for itself.
    pub fn black_string_value(&self, point: Point) -> f32 {
        if self.board.color_at(point).is_none() {
            return self.black_value(point);
        }
        let sum: f32 = self.board.stones(point).map(|stone| self.black_value(stone)).sum();
        sum / self.board.chain_size(point) as f32
    }

    /// Do the playouts agree that this holds?
    pub fn meets(&self, point: Point, status: GroupStatus) -> bool {
        status.is_met(self.board.color_at(point), self.to_move, self.black_string_value(point))
    }

    /// Black's mean lead, komi not counted.
    pub fn black_score(&self) -> f32 {
        (self.black_score / f64::from(self.playouts.max(1))) as f32
    }

    /// One stone of every string whose fate is near the middle, from the top left; with its value.
    pub fn unclear_strings(&self) -> impl Iterator<Item = (Point, f32)> + '_ {
        let mut seen = PointSet::EMPTY;
        self.board
            .points()
            .filter(move |&point| self.board.color_at(point).is_some() && seen.insert(self.board.chain(point)))
            .map(|stone| (stone, self.black_string_value(stone)))
            .filter(|(_, value)| value.abs() < DECIDED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{PlayoutParameters, PolicyName};
    use jigo_board::{Diagram, Move};

    fn evaluate(diagram: &Diagram, to_move: Color, policy: PolicyName) -> EvaluationValue {
        let position = StartPosition::new(diagram.board.clone(), to_move, Vec::new());
        let parameters = PlayoutParameters { policy, ..Default::default() };
        EvaluationValue::new(&position, &Playouts { parameters, count: 200, seed: 1 })
    }

    /// White lives with two eyes, Black with many, and there is nothing left to play.
    const SETTLED: &str = "
        a O b O X . X
        O O O O X X X
        X X X X X . X
        . X . X X X .
        X X X X . X X
        . X X X X X X
        X X . X X . X";

    #[test]
    fn what_cannot_change_has_the_extreme_values() {
        let diagram = Diagram::parse(SETTLED).unwrap();
        for policy in [PolicyName::Pachi, PolicyName::GoIntellect, PolicyName::Random] {
            let evaluation = evaluate(&diagram, Color::Black, policy);
            assert_eq!(evaluation.black_value(diagram.point('a')), -10.0);
            assert_eq!(evaluation.black_string_value(Point::new(1, 0)), -10.0);
            assert_eq!(evaluation.black_string_value(Point::new(6, 6)), 10.0);
            assert_eq!(evaluation.black_score(), 49.0 - 16.0);
            assert_eq!(evaluation.unclear_strings().count(), 0);
        }
    }

    #[test]
    fn a_point_between_the_colours_counts_half() {
        let diagram = Diagram::parse(
            ". X a O
             X X O .
             X X b O
             X X O .",
        )
        .unwrap();
        // After two passes a playout has nothing to add, and the position is counted as it stands.
        let over = StartPosition::new(diagram.board.clone(), Color::White, vec![Move::Pass, Move::Pass]);
        let playouts = Playouts { parameters: PlayoutParameters::default(), count: 3, seed: 1 };
        let evaluation = EvaluationValue::new(&over, &playouts);
        assert_eq!(evaluation.black_value(diagram.point('a')), 0.0);
        assert_eq!(evaluation.black_value(diagram.point('b')), 0.0);
        assert_eq!(evaluation.black_value(Point::new(0, 0)), 10.0);
        assert_eq!(evaluation.black_value(Point::new(3, 3)), -10.0);
        assert_eq!(evaluation.black_score(), 8.0 - 6.0);
    }

    #[test]
    fn the_same_request_gives_the_same_values() {
        let position = StartPosition::new(Board::new(7), Color::Black, Vec::new());
        let request = |seed| Playouts { parameters: PlayoutParameters::default(), count: 20, seed };
        let values = |seed| {
            let evaluation = EvaluationValue::new(&position, &request(seed));
            position.board.points().map(|point| evaluation.black_value(point)).collect::<Vec<_>>()
        };
        assert_eq!(values(1), values(1));
        assert_ne!(values(1), values(2));
    }
}
