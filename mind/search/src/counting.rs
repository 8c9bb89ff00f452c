//! The rules in force, as simulations need them: what play to the end is worth, and what the board is worth once both pass.

use jigo_board::{Board, Color, Count, Game, Move, PointSet, Rules, Scoring};
use jigo_playout::{Outcome, Simulation};

/// How simulations of one game are counted.
#[derive(Clone, Copy)]
pub struct Counting {
    pub rules: Rules,
    /// Stones that Black has put on the board more than White, so far.
    stones_ahead: f32,
    /// Who passed first in the game: the button's owner where there is one.
    first_pass: Option<Color>,
}

impl Counting {
    pub fn of(game: &Game) -> Counting {
        let board = game.board();
        let played = |color: Color| {
            let on_board = board.points().filter(|&point| board.color_at(point) == Some(color)).count();
            on_board as f32 + board.stones_lost(color) as f32
        };
        Counting {
            rules: *game.rules(),
            stones_ahead: played(Color::Black) - played(Color::White),
            first_pass: game.moves().iter().find(|(_, mv)| *mv == Move::Pass).map(|&(color, _)| color),
        }
    }

    /// What Black's area score is above the score by these rules, for the game's own position in which both play on.
    ///
    /// Area is stones and territory; territory scoring counts territory and prisoners. Once nothing dead is left the two differ by
    /// the stones that each side has played: every stone costs its player a point. Who is to move will play one stone more, or
    /// not: half a point, unless there is nothing left to play, which `ends_now` tells from 0 to 1.
    pub fn area_surplus(&self, to_move: Color, ends_now: f32) -> f32 {
        match self.rules.scoring {
            Scoring::Area => 0.0,
            Scoring::Territory => self.stones_ahead + 0.5 * sign(to_move) * (1.0 - ends_now),
        }
    }

    /// The same after so many moves of a simulation.
    pub fn area_surplus_at(&self, simulation: &Simulation, tree_moves: usize, ends_now: f32) -> f32 {
        let in_tree = &simulation.moves()[..tree_moves];
        let stones = in_tree.iter().filter(|played| played.mv != Move::Pass).map(|played| sign(played.color));
        let to_move = in_tree.last().map_or(simulation.first_to_move(), |played| played.color.opponent());
        Counting { stones_ahead: self.stones_ahead + stones.sum::<f32>(), ..*self }.area_surplus(to_move, ends_now)
    }

    /// May dead stones be left on the board?
    pub fn dead_stones_are_agreed(&self) -> bool {
        self.rules.friendly_pass_ok
    }

    /// Counts a position after two passes, these stones being dead.
    pub fn count(&self, simulation: &Simulation, dead: &PointSet, outcome: &mut Outcome) {
        let board: &Board = &simulation.board;
        let count = Count::new(board, dead);
        let lost = Color::BOTH.map(|color| board.stones_lost(color));
        let points = |color| count.points(&self.rules, color, lost);
        let first = || simulation.moves().iter().find(|played| played.mv == Move::Pass).map(|played| played.color);
        let button = match self.first_pass.or_else(first).filter(|_| self.rules.has_button) {
            Some(color) => 0.5 * sign(color),
            None => 0.0,
        };
        outcome.take(board, &count, points(Color::Black) - points(Color::White) + button);
    }
}

fn sign(color: Color) -> f32 {
    match color {
        Color::Black => 1.0,
        Color::White => -1.0,
    }
}
