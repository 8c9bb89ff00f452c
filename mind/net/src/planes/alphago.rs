//! The planes of AlphaGo (Silver et al. 2016, extended data table 2) with a ko plane and the colour added (003 sec III.A).

use jigo_board::{Color, Move};

use super::canvas::{Canvas, mark_count};
use super::consequence::{Consequence, fills_own_eye};
use super::{HISTORY, Position};

const MINE: usize = 0;
const THEIRS: usize = 1;
const EMPTY: usize = 2;
const ONES: usize = 3;
// Eight planes each, for 1, 2, ... and "8 or more".
const TURNS_SINCE: usize = 4;
const LIBERTIES: usize = 12;
const CAPTURES: usize = 20;
const SELF_ATARI: usize = 28;
const LIBERTIES_AFTER: usize = 36;
const SENSIBLE: usize = 46;
// Plane 47 is AlphaGo's plane of zeros.
const KO: usize = 48;
const BLACK_TO_MOVE: usize = 49;

pub fn draw(position: &Position<'_>, canvas: &mut Canvas<'_>) {
    let (board, me) = (position.board, position.to_move);
    for point in board.points() {
        let planes = canvas.at(point);
        planes[ONES] = 1.0;
        planes[BLACK_TO_MOVE] = f32::from(u8::from(me == Color::Black));
        if let Some(color) = board.color_at(point) {
            planes[if color == me { MINE } else { THEIRS }] = 1.0;
            mark_count(&mut planes[LIBERTIES..LIBERTIES + 8], board.liberty_count(point));
            let age = position.recent.iter().position(|mv| *mv == Some(Move::Play(point)));
            mark_count(&mut planes[TURNS_SINCE..TURNS_SINCE + 8], age.unwrap_or(HISTORY) + 1);
            continue;
        }
        planes[EMPTY] = 1.0;
        if board.is_legal(me, point) {
            let consequence = Consequence::of(board, me, point);
            planes[SENSIBLE] = f32::from(u8::from(!fills_own_eye(board, me, point)));
            mark_count(&mut planes[LIBERTIES_AFTER..LIBERTIES_AFTER + 8], consequence.liberties);
            mark_count(&mut planes[CAPTURES..CAPTURES + 8], consequence.captured);
            if consequence.liberties == 1 {
                mark_count(&mut planes[SELF_ATARI..SELF_ATARI + 8], consequence.chain_size);
            }
        }
    }
    if let Some(point) = board.ko_point(me) {
        canvas.at(point)[KO] = 1.0;
    }
}
