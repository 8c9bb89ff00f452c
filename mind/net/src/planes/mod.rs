//! Input planes: what the net is told about a position, always seen by the side to move.

mod alphago;
mod canvas;
mod compact;
mod consequence;
mod ladders;

use std::fmt;
use std::str::FromStr;

use jigo_board::{Board, Color, Game, MAX_SIZE, Move, Point, Rng, Symmetry};
use jigo_tactics::Reader;

use crate::Grid;
use canvas::Canvas;

/// How many past moves a position carries; the most any plane set looks back.
pub const HISTORY: usize = 8;

/// A position as the net sees it: stones, who moves, and how we got here.
#[derive(Clone, Copy)]
pub struct Position<'a> {
    pub board: &'a Board,
    pub to_move: Color,
    /// The last moves, newest first.
    pub recent: [Option<Move>; HISTORY],
}

impl<'a> Position<'a> {
    pub fn of_game(game: &'a Game) -> Position<'a> {
        let mut recent = [None; HISTORY];
        for (slot, (_, mv)) in recent.iter_mut().zip(game.moves().iter().rev()) {
            *slot = Some(*mv);
        }
        Position { board: game.board(), to_move: game.to_move(), recent }
    }

    /// One number for all that planes are drawn from. Two positions with one number are one position, for all we will ever see.
    pub fn fingerprint(&self) -> u64 {
        let place = |point: Option<Point>| point.map_or(0, |point| 1 + point.row() * MAX_SIZE + point.col());
        let moves = self.recent.iter().map(|mv| match mv {
            None => 0,
            Some(Move::Pass) => 1,
            Some(Move::Play(point)) => 1 + place(Some(*point)),
        });
        let ko = place(self.board.ko_point(self.to_move));
        let turn = 2 * self.board.size() + usize::from(self.to_move == Color::Black);
        moves.chain([ko, turn]).fold(self.board.hash(), |hash, part| Rng::new(hash ^ part as u64).next_u64())
    }

    /// The history after one more move, for tests: programs ask games.
    #[cfg(test)]
    pub fn recent_after(recent: [Option<Move>; HISTORY], mv: Move) -> [Option<Move>; HISTORY] {
        std::array::from_fn(|i| if i == 0 { Some(mv) } else { recent[i - 1] })
    }
}

/// Which planes a net reads. The number in a name changes when the meaning of a plane does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneSet {
    /// 30 planes in 32 channels: cheap, and the default.
    Compact,
    /// The 48 planes of AlphaGo, ko and colour (CGI III.A), in 64 channels.
    AlphaGo,
}

impl PlaneSet {
    /// Channels of the input, a multiple of 32 so that every kernel can take it.
    pub fn channels(self) -> usize {
        match self {
            PlaneSet::Compact => 32,
            PlaneSet::AlphaGo => 64,
        }
    }
}

/// Draws planes; keeps the memory that reading ladders needs.
pub struct PlaneWriter {
    set: PlaneSet,
    reader: Reader,
}

impl PlaneWriter {
    pub fn new(set: PlaneSet) -> PlaneWriter {
        PlaneWriter { set, reader: Reader::new() }
    }

    /// Writes the planes of `position`, laid over the board by `symmetry`, into one image of a batch.
    pub fn write(&mut self, position: &Position<'_>, symmetry: Symmetry, image: &mut [f32]) {
        let grid = Grid::new(position.board.size());
        let channels = self.set.channels();
        assert_eq!(image.len(), grid.cells() * channels);
        image.fill(0.0);
        let mut canvas = Canvas::new(grid, symmetry, channels, image);
        match self.set {
            PlaneSet::Compact => compact::draw(position, &mut self.reader, &mut canvas),
            PlaneSet::AlphaGo => alphago::draw(position, &mut self.reader, &mut canvas),
        }
    }
}

impl fmt::Display for PlaneSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlaneSet::Compact => "compact-1",
            PlaneSet::AlphaGo => "alphago-1",
        })
    }
}

impl FromStr for PlaneSet {
    type Err = ();

    fn from_str(text: &str) -> Result<PlaneSet, ()> {
        [PlaneSet::Compact, PlaneSet::AlphaGo].into_iter().find(|set| set.to_string() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// Black to play, in atari and with a stone to take.
    const POSITION: &str = "
        . . . . .
        . X O . .
        . O X O .
        . . . . .
        . . . . .";

    fn planes(set: PlaneSet, symmetry: Symmetry) -> (Grid, Vec<f32>) {
        let board = Diagram::parse(POSITION).unwrap().board;
        let grid = Grid::new(board.size());
        let mut image = vec![7.0; grid.cells() * set.channels()];
        let position = Position {
            board: &board,
            to_move: Color::Black,
            recent: Position::recent_after([None; HISTORY], Move::Play(Point::new(2, 1))),
        };
        PlaneWriter::new(set).write(&position, symmetry, &mut image);
        (grid, image)
    }

    #[test]
    fn a_symmetry_moves_every_plane_alike() {
        for set in [PlaneSet::Compact, PlaneSet::AlphaGo] {
            let (grid, plain) = planes(set, Symmetry::IDENTITY);
            for symmetry in Symmetry::all() {
                let (_, turned) = planes(set, symmetry);
                for row in 0..5 {
                    for column in 0..5 {
                        let to = symmetry.apply(Point::new(column, row), 5);
                        let at = |cell: usize| cell * set.channels()..(cell + 1) * set.channels();
                        assert_eq!(
                            plain[at(grid.cell(row, column))],
                            turned[at(grid.cell(to.row(), to.col()))],
                            "{set} {symmetry:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_border_stays_zero() {
        for set in [PlaneSet::Compact, PlaneSet::AlphaGo] {
            let (grid, image) = planes(set, Symmetry::IDENTITY);
            let on_board: Vec<usize> = grid.point_cells().collect();
            for cell in (0..grid.cells()).filter(|cell| !on_board.contains(cell)) {
                assert!(image[cell * set.channels()..][..set.channels()].iter().all(|&v| v == 0.0));
            }
        }
    }
}
