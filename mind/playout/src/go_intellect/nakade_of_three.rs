//! Play in the middle of an eyespace of three empty points (Go Intellect VI, generator 3).

use jigo_board::Board;
use jigo_board::{Cell, Color, Point};
use jigo_tactics::MoveList;

use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &Simulation, moves: &mut MoveList) {
    let Some(last) = simulation.last_point(1) else { return };
    let board = &simulation.board;
    let owner = simulation.to_move.opponent();
    for empty in last.around() {
        if board.is_empty(empty)
            && let Some(middle) = middle_of_three(board, owner, empty)
        {
            moves.push(middle);
        }
    }
}

/// The middle of exactly three empty points in a row or a bend that `owner` encloses.
fn middle_of_three(board: &Board, owner: Color, inside: Point) -> Option<Point> {
    let open = |p: Point| p.neighbours().into_iter().filter(|&n| board.is_empty(n));
    let middle = if open(inside).count() == 2 { inside } else { open(inside).next()? };
    let closed_but_for = |p: Point, gaps: usize| {
        let walls =
            p.neighbours().into_iter().filter(|&n| board.cell(n) == owner.cell() || board.cell(n) == Cell::Edge);
        open(p).count() == gaps && walls.count() == 4 - gaps
    };
    (closed_but_for(middle, 2) && open(middle).all(|end| closed_but_for(end, 1))).then_some(middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    #[test]
    fn only_exactly_three_points_have_such_a_middle() {
        let diagram = Diagram::parse(
            "O a b c O . X
             O O O O O X X
             d e O f O . .
             O g O h O . .
             O O O i k O .
             . . . O O O .
             . . . . . . .",
        )
        .unwrap();
        let middle = |name| middle_of_three(&diagram.board, Color::White, diagram.point(name));
        for name in ['a', 'b', 'c'] {
            assert_eq!(middle(name), Some(diagram.point('b')));
        }
        for name in ['d', 'e', 'g'] {
            assert_eq!(middle(name), Some(diagram.point('e')));
        }
        for name in ['f', 'h', 'i', 'k'] {
            assert_eq!(middle(name), None);
        }
    }
}
