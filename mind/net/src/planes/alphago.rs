//! The planes of AlphaGo (Silver et al. 2016, extended data table 2) with a ko plane and the colour added (CGI III.A).

use jigo_board::{Color, Move};
use jigo_tactics::{Reader, liberties_after};

use super::canvas::{Canvas, mark_count};
use super::consequence::{chain_size_after, stones_captured};
use super::ladders::{Ladder, ladders};
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
const LADDER_CATCH: usize = 44;
const LADDER_ESCAPE: usize = 45;
const SENSIBLE: usize = 46;
// Plane 47 is AlphaGo's plane of zeros.
const KO: usize = 48;
const BLACK_TO_MOVE: usize = 49;

pub fn draw(position: &Position<'_>, reader: &mut Reader, canvas: &mut Canvas<'_>) {
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
            let liberties = liberties_after(board, me, point).len();
            planes[SENSIBLE] = f32::from(u8::from(!board.around(point).is_eye_of(me)));
            mark_count(&mut planes[LIBERTIES_AFTER..LIBERTIES_AFTER + 8], liberties);
            mark_count(&mut planes[CAPTURES..CAPTURES + 8], stones_captured(board, me, point));
            if liberties == 1 {
                mark_count(&mut planes[SELF_ATARI..SELF_ATARI + 8], chain_size_after(board, me, point));
            }
        }
    }
    if let Some(point) = board.ko_point(me) {
        canvas.at(point)[KO] = 1.0;
    }
    ladders(board, me, reader, |_, ladder| match ladder {
        Ladder::Catches(point) => canvas.at(point)[LADDER_CATCH] = 1.0,
        Ladder::Escapes(point) => canvas.at(point)[LADDER_ESCAPE] = 1.0,
        Ladder::Lost | Ladder::Threatened => {}
    });
}
