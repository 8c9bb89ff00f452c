//! Moves that the one who asks does not want considered: `avoid` and `allow` of the analysis protocols.

use jigo_board::{Color, Move};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestrictionKind {
    /// None of these moves.
    Avoid,
    /// Only these moves.
    Allow,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Whose moves are restricted.
    pub color: Color,
    pub moves: Vec<Move>,
    /// How many plies deep it holds; 1 is the position itself only.
    pub until_depth: u32,
    pub kind: RestrictionKind,
}

impl Restriction {
    /// May `color` not make this move `depth` plies below the position?
    pub fn forbids(&self, color: Color, depth: usize, mv: Move) -> bool {
        let holds = self.color == color && depth < self.until_depth as usize;
        holds && self.moves.contains(&mv) == (self.kind == RestrictionKind::Avoid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Point;

    #[test]
    fn a_restriction_holds_for_its_color_down_to_its_depth() {
        let corner = Move::Play(Point::new(0, 0));
        let avoid = |kind| Restriction { color: Color::Black, moves: vec![corner], until_depth: 2, kind };
        let (avoid, allow) = (avoid(RestrictionKind::Avoid), avoid(RestrictionKind::Allow));
        assert!(avoid.forbids(Color::Black, 1, corner) && !allow.forbids(Color::Black, 1, corner));
        assert!(!avoid.forbids(Color::Black, 1, Move::Pass) && allow.forbids(Color::Black, 1, Move::Pass));
        for restriction in [&avoid, &allow] {
            assert!(!restriction.forbids(Color::White, 0, corner), "only its own color");
            assert!(!restriction.forbids(Color::Black, 2, corner), "no deeper than asked");
        }
    }
}
