//! Why a move is played, as far as stones alone can tell: what it takes, catches, saves, threatens, connects and cuts, which eye is at
//! stake, and how much changes hands. Keys and numbers only; the words are the page's. Where nothing certain can be said, nothing is.

use std::collections::BTreeSet;

use jigo_board::{Board, Color, Game, Move, Point, Score};
use jigo_tactics::{Reader, is_ladder};

use crate::messages::Reason;

/// Fewer points that change hands are nothing to speak of.
const LEAST_TERRITORY: f32 = 4.0;
/// While fewer stones than this share of the board are down, where a move is says most about it.
const OPENING_SHARE: usize = 5;
/// A move this near to a stone is about that stone, not about its place on the board.
const NEAR: usize = 2;
/// A chain with more liberties lives without anybody counting its eyes.
const SHORT_OF_LIBERTIES: usize = 6;

/// What a move does on the board, the most urgent first.
pub fn reasons(game: &Game, color: Color, mv: Move) -> Vec<Reason> {
    let Move::Play(point) = mv else { return Vec::new() };
    let before = game.board();
    if game.check(color, mv).is_err() {
        return Vec::new();
    }
    let mut after = before.clone();
    let taken = after.play(color, point);
    let chains = |board: &Board, of: Color| -> BTreeSet<usize> {
        board.stones_beside(point, of).map(|stone| board.chain(stone).index()).collect()
    };
    let beside = |of: Color| -> Vec<Point> {
        let mut seen = BTreeSet::new();
        before.stones_beside(point, of).filter(|&stone| seen.insert(before.chain(stone).index())).collect()
    };
    let size_of = |stones: &[Point]| stones.iter().map(|&stone| before.chain_size(stone)).sum::<usize>();

    let mut reasons = Vec::new();
    if taken > 0 {
        reasons.push(Reason::stones("captures", taken));
    }
    let mut reader = Reader::new();
    let own = beside(color);
    let saved: Vec<Point> = own.iter().copied().filter(|&stone| before.in_atari(stone)).collect();
    if !saved.is_empty() && !after.in_atari(point) && !is_ladder(&after, point, &mut reader) {
        reasons.push(Reason::stones("saves", size_of(&saved)));
    }
    let threatened = beside(color.opponent())
        .into_iter()
        .filter(|&stone| !before.in_atari(stone) && !after.is_empty(stone) && after.in_atari(stone));
    // Does running away help? Whoever gave the atari may be short of liberties himself; that is read out too.
    let (caught, running): (Vec<Point>, Vec<Point>) =
        threatened.partition(|&stone| is_ladder(&after, stone, &mut reader));
    if !caught.is_empty() {
        reasons.push(Reason::stones("ladder", size_of(&caught)));
    }
    if !running.is_empty() {
        reasons.push(Reason::stones("atari", size_of(&running)));
    }
    if taken == 0 && after.in_atari(point) {
        reasons.push(Reason::stones("self_atari", after.chain_size(point)));
    }
    if makes_eye(before, color, point) {
        reasons.push(Reason::stones("eye", 1));
    } else if makes_eye(before, color.opponent(), point) {
        reasons.push(Reason::stones("no_eye", 1));
    }
    if own.len() > 1 {
        reasons.push(Reason::stones("connects", own.len()));
    }
    if chains(before, color.opponent()).len() > 1 && own.len() < 2 {
        reasons.push(Reason::stones("cuts", chains(before, color.opponent()).len()));
    }
    let stones = before.area() - before.empties().len();
    if reasons.is_empty() && stones * OPENING_SHARE < before.area() && is_alone(before, point) {
        reasons.push(Reason::stones(place(point, before.size()), 0));
    }
    reasons
}

/// Would a stone of this colour here make an eye for stones that may need one? The hole that a captured stone leaves is none: that
/// the stone is captured says more.
fn makes_eye(before: &Board, color: Color, point: Point) -> bool {
    if before.is_suicide(color, point) {
        return false;
    }
    let mut after = before.clone();
    after.play(color, point);
    let is_eye = |board: &Board, at: Point| board.is_empty(at) && board.around(at).is_eye_of(color);
    after.liberty_count(point) < SHORT_OF_LIBERTIES
        && after.liberties(point).any(|at| before.is_empty(at) && is_eye(&after, at) && !is_eye(before, at))
}

/// Is no stone near?
fn is_alone(board: &Board, point: Point) -> bool {
    let is_near =
        |other: &Point| point.col().abs_diff(other.col()) <= NEAR && point.row().abs_diff(other.row()) <= NEAR;
    board.points().filter(is_near).all(|other| board.is_empty(other))
}

/// Points that change hands between two views of who owns what, as a reason.
pub fn territory(before: &[f32], after: &[f32], mover: Color) -> Option<Reason> {
    let [before, after] = [before, after].map(|ownership| Score::black_lead(ownership.iter().sum()));
    let lost = before.given_up(after, mover);
    (lost >= LEAST_TERRITORY).then(|| Reason::stones("territory", lost.round() as usize))
}

fn place(point: Point, size: usize) -> &'static str {
    let line = |n: usize| n.min(size - 1 - n) + 1;
    let near = if size < 13 { 3 } else { 4 };
    match (line(point.col()) <= near, line(point.row()) <= near) {
        (true, true) => "corner",
        (false, false) => "centre",
        _ => "side",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Diagram, Rules};

    fn keys(diagram: &str, color: Color, vertex: &str) -> Vec<(&'static str, usize)> {
        let board = Diagram::parse(diagram).unwrap().board;
        let size = board.size();
        let game = Game::from_position(board, color, Rules::default());
        reasons(&game, color, Move::parse(vertex, size).unwrap())
            .iter()
            .map(|reason| (reason.key, reason.count))
            .collect()
    }

    #[test]
    fn taking_saving_connecting_and_cutting_are_told() {
        let threatening = keys(". . . .\n. O . .\nX . . .\n. X . .", Color::Black, "A3");
        assert!(!threatening.iter().any(|(key, _)| *key == "atari"), "{threatening:?}");
        let atari = keys(". X . .\nX O . .\n. . . .\n. . . .", Color::Black, "B2");
        assert_eq!(atari[0], ("atari", 1));
        // What a capture leaves is told by the capture.
        let taking = keys(". . . . .\n. . X . .\n. X O . .\n. . X . .\n. . . . .", Color::Black, "D3");
        assert_eq!(taking, [("captures", 1)]);
        let saving = keys(". X . .\nX O . .\n. X . .\n. . . .", Color::White, "C3");
        assert_eq!(saving, [("saves", 1)]);
        let cutting = keys(". . . . .\n. O . . .\n. . . O .\n. . . . .\n. . . . .", Color::Black, "C3");
        assert!(!cutting.iter().any(|(key, _)| *key == "cuts"), "not between them yet: {cutting:?}");
        let between = keys(". . . . .\n. . O . .\n. O . . .\n. . . . .\n. . . . .", Color::Black, "C3");
        assert_eq!(between, [("cuts", 2)]);
    }

    #[test]
    fn a_ladder_catches_and_an_extension_into_one_saves_nothing() {
        let ladder = |breaker: char| {
            format!(
                ". . . . . . .\n. . X . . . .\n. X O . . . .\n. X . . . . .\n. . . . . . .\n. . . . . {breaker} .\n. . . . . . ."
            )
        };
        assert_eq!(keys(&ladder('.'), Color::Black, "D5"), [("ladder", 1)]);
        assert_eq!(keys(&ladder('O'), Color::Black, "D5"), [("atari", 1)], "a stone waits on the way");
        let running = |breaker: char| ladder(breaker).replace(". X O .", ". X O X");
        assert!(keys(&running('.'), Color::White, "C4").is_empty(), "caught all the same");
        assert_eq!(keys(&running('O'), Color::White, "C4"), [("saves", 1)]);
    }

    #[test]
    fn an_eye_is_made_or_taken_away() {
        // Black's corner stones want the point between their eyes.
        let corner = ". . . O .\nX X X O .\nO O O O .\n. . . . .\n. . . . .";
        assert_eq!(keys(corner, Color::Black, "B5"), [("eye", 1)]);
        assert!(keys(corner, Color::White, "B5").contains(&("no_eye", 1)));
    }

    #[test]
    fn an_opening_move_beside_a_stone_is_not_told_by_its_place() {
        let mut rows = vec![["."; 9].join(" "); 9];
        rows[2] = ". . X . . . . . .".to_owned();
        let board = rows.join("\n");
        assert!(keys(&board, Color::White, "E7").is_empty());
        assert_eq!(keys(&board, Color::White, "G3"), [("corner", 0)]);
    }

    #[test]
    fn an_opening_move_is_told_by_its_place() {
        let empty = &["."; 9].join(" ");
        let board = [empty.as_str(); 9].join("\n");
        assert_eq!(keys(&board, Color::Black, "C3"), [("corner", 0)]);
        assert_eq!(keys(&board, Color::Black, "E5"), [("centre", 0)]);
    }

    #[test]
    fn territory_counts_for_the_one_who_lost_it() {
        let (before, after) = ([1.0; 9], [0.0; 9]);
        assert_eq!(territory(&before, &after, Color::Black).map(|reason| reason.count), Some(9));
        assert_eq!(territory(&before, &after, Color::White), None);
    }
}
