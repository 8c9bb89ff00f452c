//! What is known of a chain or a point, and whether an evaluation value agrees.

use jigo_board::{Board, Color, Point};

/// From this evaluation value on (Evaluation value 2: -10 is White's for sure, 10 Black's) a simulation calls a point decided:
/// it then goes one way in about two playouts of three. Nearer to 0 it is unclear: who plays first may win it
/// (Evaluation value 3).
pub const DECIDED: f32 = 3.0;

/// Up to this evaluation value a simulation calls a point open: it goes the other way in at least one playout of four.
pub const OPEN: f32 = 5.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupStatus {
    Alive,
    Dead,
    Unsettled,
    Owned(Color),
}

impl GroupStatus {
    pub fn parse(word: &str) -> Option<GroupStatus> {
        Some(match word {
            "alive" => GroupStatus::Alive,
            "dead" => GroupStatus::Dead,
            "unsettled" => GroupStatus::Unsettled,
            "black" => GroupStatus::Owned(Color::Black),
            "white" => GroupStatus::Owned(Color::White),
            _ => return None,
        })
    }

    /// Who must own the point at the end, if anybody must. `stone` is the colour of the stone on it.
    pub fn owner(self, stone: Option<Color>) -> Option<Color> {
        match self {
            GroupStatus::Alive => stone,
            GroupStatus::Dead => stone.map(Color::opponent),
            GroupStatus::Unsettled => None,
            GroupStatus::Owned(owner) => Some(owner),
        }
    }

    /// Does an evaluation value, high for Black, judge this right? `stone` is the colour of the stone on the point. What
    /// is unsettled may lean to the side to move, for it plays first.
    pub fn is_met(self, stone: Option<Color>, to_move: Color, black_value: f32) -> bool {
        let owner = match self {
            GroupStatus::Unsettled if black_value.abs() <= OPEN => return true,
            GroupStatus::Unsettled => Some(to_move),
            settled => settled.owner(stone),
        };
        match owner {
            Some(Color::Black) => black_value >= DECIDED,
            Some(Color::White) => black_value <= -DECIDED,
            None => false,
        }
    }
}

impl std::fmt::Display for GroupStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GroupStatus::Alive => f.write_str("alive"),
            GroupStatus::Dead => f.write_str("dead"),
            GroupStatus::Unsettled => f.write_str("unsettled"),
            GroupStatus::Owned(owner) => owner.fmt(f),
        }
    }
}

/// Reads what must hold of a point: stones are alive, dead or unsettled, empty points are black or white.
pub fn expectation(board: &Board, vertex: &str, word: &str) -> Option<(Point, GroupStatus)> {
    let point = Point::parse(vertex.trim(), board.size())?;
    let status = GroupStatus::parse(word.trim())?;
    let speaks_of_stone = !matches!(status, GroupStatus::Owned(_));
    (speaks_of_stone == board.color_at(point).is_some()).then_some((point, status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_judged_by_sign_with_a_margin() {
        let met = |status: GroupStatus, stone: Option<Color>, value: f32| status.is_met(stone, Color::Black, value);
        let (black, white) = (Some(Color::Black), Some(Color::White));
        assert!(met(GroupStatus::Alive, black, 9.0) && !met(GroupStatus::Alive, black, 2.9));
        assert!(met(GroupStatus::Alive, white, -3.0) && !met(GroupStatus::Alive, white, 9.0));
        assert!(met(GroupStatus::Dead, black, -8.0) && !met(GroupStatus::Dead, black, 0.0));
        assert!(met(GroupStatus::Dead, white, 8.0) && !met(GroupStatus::Alive, None, 10.0));
        assert!(met(GroupStatus::Owned(Color::Black), None, 4.0) && !met(GroupStatus::Owned(Color::White), None, 4.0));
        // Black is to move: it may take what is unsettled, White may not.
        assert!(met(GroupStatus::Unsettled, black, -5.0) && !met(GroupStatus::Unsettled, black, -5.1));
        assert!(met(GroupStatus::Unsettled, white, 8.0) && !met(GroupStatus::Unsettled, white, -8.0));
    }
}
