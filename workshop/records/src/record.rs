//! One game, as small as it can be kept: hundreds of thousands fit in memory.

use jigo_board::{Board, Color, Move, Point};
use jigo_sgf::GameResult;

use crate::tsv::GameLine;

/// How the final score relates to the final position.
#[derive(Clone, Debug, PartialEq)]
pub enum Counting {
    /// Nothing but the result is known.
    ResultOnly,
    /// The result is an area score: its margin is exact, who owns which point is not known.
    AreaResult,
    /// Every stone left on the board is alive and the board is counted by area.
    AllAlive,
    /// These chains are dead, one stone each; the area margin (Black minus White, no komi) was rebuilt from that.
    Dead { black_margin: f32, stones: Box<[Point]> },
}

#[derive(Clone, Debug)]
pub struct Record {
    pub id: Box<str>,
    pub size: usize,
    /// Points White gets.
    pub komi: f32,
    pub result: GameResult,
    pub counting: Counting,
    /// Row times size plus column, or [`PASS`]; Black first, alternating.
    moves: Box<[u16]>,
}

const PASS: u16 = u16::MAX;

impl Record {
    /// Packs a game; `None` if a move cannot be played.
    pub fn new(game: &GameLine, counting: Counting) -> Option<Record> {
        let place = |mv: &Move| match mv {
            Move::Pass => PASS,
            Move::Play(point) => (point.row() * game.size + point.col()) as u16,
        };
        let record = Record {
            id: game.id.as_str().into(),
            size: game.size,
            komi: game.komi,
            result: game.result,
            counting,
            moves: game.moves.iter().map(place).collect(),
        };
        record.is_playable().then_some(record)
    }

    fn is_playable(&self) -> bool {
        let mut board = Board::new(self.size);
        (0..self.len()).all(|ply| match self.mv(ply) {
            Move::Pass => {
                board.pass();
                true
            }
            Move::Play(point) => {
                let fits = board.is_empty(point) && !board.is_suicide(mover(ply), point);
                if fits {
                    board.play(mover(ply), point);
                }
                fits
            }
        })
    }

    /// Moves in the game, passes included.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    pub fn mv(&self, ply: usize) -> Move {
        match self.moves[ply] {
            PASS => Move::Pass,
            place => Move::Play(Point::new(usize::from(place) % self.size, usize::from(place) / self.size)),
        }
    }

    /// The board after the first `ply` moves.
    pub fn board_at(&self, ply: usize) -> Board {
        let mut board = Board::new(self.size);
        self.play_on(&mut board, 0, ply);
        board
    }

    /// Plays moves `from..to` on a board that stands before move `from`.
    pub fn play_on(&self, board: &mut Board, from: usize, to: usize) {
        for ply in from..to {
            match self.mv(ply) {
                Move::Pass => board.pass(),
                Move::Play(point) => {
                    board.play(mover(ply), point);
                }
            }
        }
    }
}

/// Who plays move `ply`, counted from zero.
pub fn mover(ply: usize) -> Color {
    if ply.is_multiple_of(2) { Color::Black } else { Color::White }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unplayable_moves_are_refused() {
        let record = |moves: &str| {
            let line = format!("x\t2020-01-01\t7\tB+R\t{}\t{moves}", moves.len() / 2);
            Record::new(&GameLine::parse(&line, 9).unwrap(), Counting::ResultOnly)
        };
        let game = record("eecdtt").unwrap();
        assert_eq!((game.mv(1), game.mv(2)), (Move::Play(Point::new(2, 3)), Move::Pass));
        assert!(record("eeee").is_none(), "the point is taken");
        assert!(record("abttbattttttaattaa").is_none(), "suicide");
    }
}
