//! The compact set: stones and liberties, the last five moves, and what each legal move would do.

use jigo_board::{Color, Move};
use jigo_tactics::{Reader, liberties_after};

use super::Position;
use super::canvas::{Canvas, mark_count};
use super::consequence::stones_captured;
use super::ladders::{Ladder, ladders};

// Where each plane, or the first of a run of planes, lies.
const MINE: usize = 0;
const THEIRS: usize = 1;
const BOARD: usize = 2;
/// Chains with 1, 2, 3, 4 or more liberties.
const LIBERTIES: usize = 3;
const KO: usize = 7;
const LAST_MOVES: usize = 8;
/// Legal moves that leave 1, 2, 3, 4 or more liberties.
const LIBERTIES_AFTER: usize = 13;
/// Legal moves that take 1, 2, 3 or more stones.
const CAPTURES: usize = 17;
/// Moves that catch a chain in a ladder, and moves that save one from it.
const LADDER_CATCH: usize = 20;
const LADDER_ESCAPE: usize = 21;
const BLACK_TO_MOVE: usize = 22;
const SENSIBLE: usize = 23;
const LEGAL: usize = 24;
const LAST_MOVE_PASS: usize = 25;
const MOVE_BEFORE_PASS: usize = 26;
const SIDE: usize = 27;
/// Stones a ladder takes whatever its owner does, and stones the opponent could take by one.
const LADDER_LOST: usize = 28;
const LADDER_THREATENED: usize = 29;

const LOOK_BACK: usize = 5;

pub fn draw(position: &Position<'_>, reader: &mut Reader, canvas: &mut Canvas<'_>) {
    let (board, me) = (position.board, position.to_move);
    let passed = |age: usize| f32::from(u8::from(position.recent[age] == Some(Move::Pass)));
    // Centred between the two sizes played most.
    let side = (board.size() as f32 - 14.0) / 5.0;
    for point in board.points() {
        let planes = canvas.at(point);
        planes[BOARD] = 1.0;
        planes[BLACK_TO_MOVE] = f32::from(u8::from(me == Color::Black));
        planes[LAST_MOVE_PASS] = passed(0);
        planes[MOVE_BEFORE_PASS] = passed(1);
        planes[SIDE] = side;
        match board.color_at(point) {
            Some(color) => {
                planes[if color == me { MINE } else { THEIRS }] = 1.0;
                mark_count(&mut planes[LIBERTIES..LIBERTIES + 4], board.liberty_count(point));
            }
            None if board.is_legal(me, point) => {
                planes[LEGAL] = 1.0;
                planes[SENSIBLE] = f32::from(u8::from(!board.around(point).is_eye_of(me)));
                mark_count(&mut planes[LIBERTIES_AFTER..LIBERTIES_AFTER + 4], liberties_after(board, me, point).len());
                mark_count(&mut planes[CAPTURES..CAPTURES + 3], stones_captured(board, me, point));
            }
            None => {}
        }
    }
    if let Some(point) = board.ko_point(me) {
        canvas.at(point)[KO] = 1.0;
    }
    for (age, mv) in position.recent.iter().take(LOOK_BACK).enumerate() {
        if let Some(Move::Play(point)) = mv {
            canvas.at(*point)[LAST_MOVES + age] = 1.0;
        }
    }
    ladders(board, me, reader, |chain, ladder| {
        let plane = match ladder {
            Ladder::Catches(point) => {
                canvas.at(point)[LADDER_CATCH] = 1.0;
                LADDER_LOST
            }
            Ladder::Escapes(point) => {
                canvas.at(point)[LADDER_ESCAPE] = 1.0;
                return;
            }
            Ladder::Lost => LADDER_LOST,
            Ladder::Threatened => LADDER_THREATENED,
        };
        for stone in board.stones(chain) {
            canvas.at(stone)[plane] = 1.0;
        }
    });
}
