//! How bad a move was.

use jigo_board::{Color, Score};

/// The classes of moves worth a second look, with the points a move of that class loses at least; the steps players know from KaTrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mistake {
    pub const ALL: [Mistake; 3] = [Mistake::Inaccuracy, Mistake::Mistake, Mistake::Blunder];

    pub fn least_points(self) -> f32 {
        match self {
            Mistake::Inaccuracy => 1.5,
            Mistake::Mistake => 3.0,
            Mistake::Blunder => 6.0,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Mistake::Inaccuracy => "inaccuracy",
            Mistake::Mistake => "mistake",
            Mistake::Blunder => "blunder",
        }
    }

    /// The class of a move that lost so many points, if it is worth a second look.
    pub fn of(points: f32) -> Option<Mistake> {
        Mistake::ALL.into_iter().rev().find(|class| points >= class.least_points())
    }
}

/// Points that `mover` lost by a move between two judgements. A gain means that the first judgement was wrong, not
/// that the move was better than the best, and counts as nothing lost.
pub fn points_lost(mover: Color, black_lead_before: f32, black_lead_after: f32) -> f32 {
    Score::black_lead(black_lead_before).given_up(Score::black_lead(black_lead_after), mover).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_lost_by_the_one_who_moved() {
        assert_eq!(points_lost(Color::Black, 5.0, -2.0), 7.0);
        assert_eq!(points_lost(Color::White, 5.0, -2.0), 0.0);
        assert_eq!(points_lost(Color::White, -5.0, -2.0), 3.0);
    }

    #[test]
    fn classes_begin_where_they_say() {
        let classes = [1.4, 1.5, 3.0, 5.9, 6.0, 60.0].map(Mistake::of);
        let [none, inaccuracy, mistake, still, blunder, worse] = classes;
        assert_eq!((none, inaccuracy), (None, Some(Mistake::Inaccuracy)));
        assert_eq!((mistake, still), (Some(Mistake::Mistake), Some(Mistake::Mistake)));
        assert_eq!((blunder, worse), (Some(Mistake::Blunder), Some(Mistake::Blunder)));
    }
}
