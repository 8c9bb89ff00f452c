//! A record played out on our board.

use jigo_board::handicap::fixed_handicap;
use jigo_board::{Board, Color, Game, Illegal, MAX_SIZE, MIN_SIZE, Move, Point, Rules};
use thiserror::Error;

use crate::coord::{BoardSize, Coord};
use crate::record::{GameRecord, PlayedMove, Setup, Step};

/// What to do with a move that brings a former position back. People played such moves, whatever the rules said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// As the rules say.
    Judge,
    /// Superko is not applied; retaking a ko at once is still illegal.
    Allow,
}

/// No game has nearly as many moves. Superko compares each move with all before it, so a forged record of millions
/// would keep us busy for hours.
const MAX_MOVES: usize = 10_000;

/// Why a record cannot be played out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    #[error("a {0} board is not supported; boards are square, from 2x2 to 19x19")]
    Size(BoardSize),
    #[error("the record has more than {MAX_MOVES} moves")]
    TooLong,
    #[error("move {number}, {color} {vertex}, is illegal: {reason}")]
    Move { number: usize, color: Color, vertex: String, reason: Illegal },
    #[error("the stones set up before move {before_move} leave a chain without liberties")]
    Setup { before_move: usize },
}

impl GameRecord {
    /// The rules the record names, if we know them.
    pub fn known_rules(&self) -> Option<Rules> {
        let name = self.rules.as_deref()?;
        // SGF has a name of its own for one ruleset.
        Rules::by_name(if name.eq_ignore_ascii_case("NZ") { "new-zealand" } else { name })
    }

    /// The number of lines, if the board is one we can play on.
    pub fn playable_size(&self) -> Result<usize, ReplayError> {
        let lines = usize::from(self.size.columns);
        let is_square = self.size.columns == self.size.rows;
        if is_square && (MIN_SIZE..=MAX_SIZE).contains(&lines) { Ok(lines) } else { Err(ReplayError::Size(self.size)) }
    }

    /// The game after `moves` moves (all of them, if there are fewer) and whatever is set up before the next one.
    ///
    /// Komi is the record's or else that of the rules. Stones set up after a move start the game anew from the position
    /// they make, since a position that was not reached by play has no history.
    pub fn replay(&self, moves: usize, rules: Rules, repetition: Repetition) -> Result<Game, ReplayError> {
        let mut game = self.start(rules)?;
        let mut made = 0;
        for step in &self.steps {
            match step {
                Step::Setup(setup) => self.set_up(&mut game, setup, made + 1)?,
                Step::Move(played) => {
                    // Whoever moves next in the record is to move, even if that is the same player again.
                    game.set_to_move(played.color);
                    if made == moves {
                        break;
                    }
                    if made == MAX_MOVES {
                        return Err(ReplayError::TooLong);
                    }
                    made += 1;
                    make(&mut game, played, made, repetition)?;
                }
            }
        }
        Ok(game)
    }

    /// The empty board, or the fixed handicap where the file counts stones, sets none and lets White begin.
    fn start(&self, rules: Rules) -> Result<Game, ReplayError> {
        let size = self.playable_size()?;
        let mut game = Game::new(size, rules);
        game.set_komi(self.komi.unwrap_or(rules.default_komi));
        let sets_stones = self.setup().is_some_and(|setup| !setup.areas.is_empty());
        let white_begins = self.moves().next().is_some_and(|first| first.color == Color::White);
        if !sets_stones
            && white_begins
            && let Some(points) = fixed_handicap(size, self.handicap.into())
        {
            game.place_handicap(&points).map_err(|_| ReplayError::Setup { before_move: 1 })?;
        }
        Ok(game)
    }

    fn set_up(&self, game: &mut Game, setup: &Setup, before_move: usize) -> Result<(), ReplayError> {
        let size = game.size();
        let before: Vec<Option<Color>> = game.board().points().map(|point| game.board().color_at(point)).collect();
        let mut after = before.clone();
        for (coord, stone) in setup.points() {
            after[usize::from(coord.row) * size + usize::from(coord.col)] = stone;
        }
        // Editors repeat PL, and even stones, in the middle of a game; that is no reason to forget its history.
        if after != before {
            let points = game.board().points();
            let stones: Vec<(Color, Point)> =
                points.zip(after).filter_map(|(point, stone)| Some((stone?, point))).collect();
            self.start_from(game, &stones, before_move).ok_or(ReplayError::Setup { before_move })?;
        }
        if let Some(color) = setup.to_play {
            game.set_to_move(color);
        }
        Ok(())
    }

    /// Begins the game anew with these stones, or says that they are no position. Black's stones before the first move
    /// are the handicap if they are as many as the record counts.
    fn start_from(&self, game: &mut Game, stones: &[(Color, Point)], before_move: usize) -> Option<()> {
        let is_handicap = before_move == 1
            && stones.len() == usize::from(self.handicap)
            && stones.iter().all(|&(color, _)| color == Color::Black);
        if is_handicap {
            let points: Vec<Point> = stones.iter().map(|&(_, point)| point).collect();
            return game.place_handicap(&points).ok();
        }
        let board = Board::with_stones(game.size(), stones.iter().copied()).ok()?;
        let komi = game.komi();
        *game = Game::from_position(board, game.to_move(), *game.rules());
        game.set_komi(komi);
        Some(())
    }
}

fn make(game: &mut Game, played: &PlayedMove, number: usize, repetition: Repetition) -> Result<(), ReplayError> {
    let mv = played.coord.map_or(Move::Pass, |coord| Move::Play(point(coord)));
    let result = match repetition {
        Repetition::Judge => game.play(played.color, mv),
        Repetition::Allow => game.play_despite_superko(played.color, mv),
    };
    let vertex = || mv.vertex(game.size());
    result.map_err(|reason| ReplayError::Move { number, color: played.color, vertex: vertex(), reason })
}

/// The reader has checked coordinates against the size of the record, and that size is playable.
fn point(coord: Coord) -> Point {
    Point::new(coord.col.into(), coord.row.into())
}
