//! The referee reads out what the status suite claims, wherever a position is closed enough to be read out.

#[path = "../../tactics/tests/referee/mod.rs"]
mod referee;

use jigo_board::{Board, Cell, Color, Point, PointSet};
use jigo_playout::evaluation_value::GroupStatus;
use jigo_playout::evaluation_value::suite::{self, StatusPosition};
use jigo_tactics::{Reader, Unconditional, UnconditionalLife, is_ladder};
use referee::bent_four::is_bent_four_in_the_corner;
use referee::exact::{Fate, fate};

/// Enough for every closed position of the suite.
const MAX_NODES: u32 = 400_000;

/// Where a larger chain was taken the fight is over; a smaller one leaves room to play in again.
const SMALL_CHAIN: usize = 6;

/// Is the point decided, so that a move there gains nothing for either side?
fn is_settled(board: &Board, life: &UnconditionalLife, point: Point) -> bool {
    life.at(board, point) != Unconditional::Undecided
}

/// The points around a chain up to the stones that live unconditionally, as far as it matters who plays there.
fn open_points(board: &Board, life: &UnconditionalLife, stone: Point) -> PointSet {
    let mut open = PointSet::EMPTY;
    let mut frontier = vec![stone];
    while let Some(point) = frontier.pop() {
        if board.cell(point) != Cell::Edge && !is_settled(board, life, point) && open.insert(point) {
            frontier.extend(point.neighbours());
        }
    }
    open.iter().filter(|&p| board.is_empty(p) || board.chain_size(p) <= SMALL_CHAIN).collect()
}

/// What the referee says: none if the position is too open for it.
fn confirms(position: &StatusPosition, point: Point, status: GroupStatus) -> Option<bool> {
    let board = &position.board;
    let life = UnconditionalLife::new(board);
    if let GroupStatus::Owned(owner) = status {
        return is_settled(board, &life, point).then(|| life.territory[owner.index()].contains(point));
    }
    let owner = board.color_at(point)?;
    if is_settled(board, &life, point) {
        return Some((status == GroupStatus::Alive) == life.alive[owner.index()].contains(point));
    }
    if position.category == "ladders" {
        return confirms_ladder(position, point, status);
    }
    let open = open_points(board, &life, point);
    let empty = open.iter().filter(|&p| board.is_empty(p)).count();
    if empty > 14 {
        return None;
    }
    if position.category == "bent four" && status == GroupStatus::Dead {
        return Some(open.iter().any(|p| {
            board.is_empty(p)
                && is_bent_four_in_the_corner(board, owner.opponent(), p)
                && fate(board, point, &open, MAX_NODES) == Some(Fate::Ko)
        }));
    }
    let fate = fate(board, point, &open, MAX_NODES)?;
    Some(match status {
        GroupStatus::Alive => fate == Fate::Alive,
        GroupStatus::Dead => fate == Fate::Dead,
        _ => matches!(fate, Fate::Unsettled | Fate::Ko),
    })
}

/// A chain that dies in a ladder, or gets out of one because its owner is to move.
fn confirms_ladder(position: &StatusPosition, stone: Point, status: GroupStatus) -> Option<bool> {
    let board = &position.board;
    let to_move_fits = match board.liberty_count(stone) {
        1 => Some(position.to_move) == board.color_at(stone),
        2 => Some(position.to_move) != board.color_at(stone),
        _ => false,
    };
    to_move_fits.then(|| is_ladder(board, stone, &mut Reader::new()) == (status == GroupStatus::Dead))
}

#[test]
fn the_referee_agrees_with_the_suite() {
    let positions = suite::load().unwrap();
    let mut wrong = Vec::new();
    let mut open = Vec::new();
    for position in &positions {
        for &(point, status) in &position.expected {
            let vertex = point.vertex(position.board.size());
            match confirms(position, point, status) {
                Some(true) => {}
                Some(false) => {
                    wrong.push(format!("{}: {vertex} is not {status:?}\n{}", position.title, position.board));
                }
                None => open.push(position.category),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong claims:\n{}", wrong.len(), wrong.join("\n"));
    // Territory on an open board is beyond the referee; for all else it has an answer.
    assert!(open.iter().all(|&category| category == "endgame territory"), "not read out: {open:?}");
}

#[test]
fn the_suite_is_large_and_varied() {
    let positions = suite::load().unwrap();
    assert!(positions.len() >= 150, "{} positions", positions.len());
    let mut titles: Vec<_> = positions.iter().map(|p| (p.category, p.title.clone())).collect();
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), positions.len(), "every position has a title of its own");
    for size in [7, 9, 11, 13, 19] {
        assert!(positions.iter().any(|p| p.board.size() == size), "no position of size {size}");
    }
    for color in Color::BOTH {
        assert!(positions.iter().filter(|p| p.to_move == color).count() >= positions.len() / 4);
    }
    let count = |wanted: GroupStatus| positions.iter().flat_map(|p| &p.expected).filter(|(_, s)| *s == wanted).count();
    for status in [GroupStatus::Alive, GroupStatus::Dead, GroupStatus::Unsettled] {
        assert!(count(status) >= 25, "{status:?}");
    }
}
