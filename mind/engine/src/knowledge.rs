//! What is known of a position without any search.

use jigo_board::{Color, Point};
use jigo_patterns::{Joseki, Quadrant};
use jigo_tactics::{Reader, is_ladder};

use crate::engine::Engine;

impl Engine {
    /// What strong players do in the corners of this position, with the share of games in which they do it there.
    pub fn joseki_moves(&self, color: Color) -> Vec<(Point, f32)> {
        let board = self.game().board();
        let in_quadrant = |at| Joseki::embedded().follow_ups(board, color, at);
        let follow_ups = Quadrant::ALL.into_iter().filter_map(in_quadrant);
        follow_ups.flat_map(|moves| moves.iter().collect::<Vec<_>>()).collect()
    }

    /// Stones that a ladder catches, whoever's turn the position says it is.
    pub fn stones_in_ladders(&self) -> Vec<Point> {
        let board = self.game().board();
        let mut reader = Reader::new();
        let caught = board.chain_heads().filter(|&head| is_ladder(board, head, &mut reader));
        caught.flat_map(|head| board.stones(head)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Board, Game, Rules};
    use jigo_search::RandomMover;

    fn engine(board: Board) -> Engine {
        let game = Game::from_position(board, Color::Black, Rules::default());
        Engine::new(game, Box::new(RandomMover::new(1)), 1)
    }

    #[test]
    fn joseki_are_known_in_all_corners_of_the_large_board_only() {
        let known = engine(Board::new(19)).joseki_moves(Color::Black);
        let in_corner = |right: bool, bottom: bool| {
            known.iter().any(|(point, _)| (point.col() > 9, point.row() > 9) == (right, bottom))
        };
        assert!(
            [(false, false), (false, true), (true, false), (true, true)].map(|(r, b)| in_corner(r, b)) == [true; 4]
        );
        assert!(engine(Board::new(9)).joseki_moves(Color::Black).is_empty());
    }

    #[test]
    fn a_stone_that_only_runs_into_the_edge_is_in_a_ladder() {
        let diagram = "
            . . . . .
            . X X . .
            X O . . .
            . X . . .
            . . . . .";
        let caught = |text: &str| {
            let engine = engine(Board::parse_diagram(text).unwrap());
            let stones = engine.stones_in_ladders();
            stones.into_iter().map(|stone| stone.vertex(5)).collect::<Vec<_>>()
        };
        assert_eq!(caught(diagram), ["B3"]);
        assert!(caught(&diagram.replace(". X . . .", ". X . O .")).is_empty(), "a friend breaks it");
    }
}
