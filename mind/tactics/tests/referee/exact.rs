//! What becomes of a chain if both sides read everything out? The referee for small, closed positions.
//!
//! A full search of all moves on given points, passes included, with a table of positions seen. Nothing here is fast:
//! it settles what the quick questions of this room and the positions of the status suite claim. Ko is searched twice,
//! once with all ko threats on either side, and where that matters the answer is a ko.

use std::collections::HashMap;

use jigo_board::{Board, Color, Point, PointSet, Trail};
use jigo_tactics::liberties_after_up_to;

/// The fate of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Lives though the attacker plays first.
    Alive,
    /// Is taken though its owner plays first.
    Dead,
    /// Whoever plays first decides.
    Unsettled,
    /// Depends on a ko.
    Ko,
}

/// The fate of the chain of `stone` with all moves on `points`; none if more than `max_nodes` positions would have to
/// be searched.
pub fn fate(board: &Board, stone: Point, points: &PointSet, max_nodes: u32) -> Option<Fate> {
    let attacker = board.color_at(stone)?.opponent();
    let taken = |first: Color, ko_master: Color| {
        let mut search = Search {
            target: stone,
            attacker,
            points,
            ko_master,
            nodes: max_nodes,
            board: board.clone(),
            trail: Trail::new(),
            known: HashMap::new(),
            path: Vec::new(),
            met_again: usize::MAX,
        };
        search.is_taken(first, false, false)
    };
    let defender = attacker.opponent();
    let if_attacked = [taken(attacker, attacker)?, taken(attacker, defender)?];
    let if_defended = [taken(defender, attacker)?, taken(defender, defender)?];
    Some(match (if_attacked, if_defended) {
        ([false, false], _) => Fate::Alive,
        (_, [true, true]) => Fate::Dead,
        ([true, true], [false, false]) => Fate::Unsettled,
        _ => Fate::Ko,
    })
}

struct Search<'a> {
    target: Point,
    attacker: Color,
    points: &'a PointSet,
    /// Has a threat for every ko and is never banned from taking back; but must end the ko, for threats run out:
    /// whatever only repeats itself counts against the master.
    ko_master: Color,
    nodes: u32,
    board: Board,
    trail: Trail,
    known: HashMap<State, bool>,
    path: Vec<State>,
    /// The earliest state on the path that an answer met again; such an answer holds on this path only.
    met_again: usize,
}

/// All that the future depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    stones: u64,
    to_move: Color,
    /// Where `to_move` may not take back now.
    banned: Option<Point>,
    /// One more pass ends the game.
    passed: bool,
}

impl Search<'_> {
    /// Is the target taken, with this side to move?
    fn is_taken(&mut self, to_move: Color, passed: bool, ban_lifted: bool) -> Option<bool> {
        if self.board.color_at(self.target) != Some(self.attacker.opponent()) {
            return Some(true);
        }
        let banned = if ban_lifted || to_move == self.ko_master { None } else { self.board.ko_point(to_move) };
        let here = State { stones: self.board.hash(), to_move, banned, passed };
        if let Some(&answer) = self.known.get(&here) {
            return Some(answer);
        }
        if let Some(index) = self.path.iter().position(|state| *state == here) {
            self.met_again = self.met_again.min(index);
            return Some(self.ko_master != self.attacker);
        }
        self.nodes = self.nodes.checked_sub(1)?;
        let depth = self.path.len();
        let outer = std::mem::replace(&mut self.met_again, usize::MAX);
        self.path.push(here);
        let answer = self.best(here)?;
        self.path.pop();
        if self.met_again >= depth {
            self.known.insert(here, answer);
            self.met_again = outer;
        } else {
            self.met_again = self.met_again.min(outer);
        }
        Some(answer)
    }

    fn best(&mut self, here: State) -> Option<bool> {
        let State { to_move, banned, passed, .. } = here;
        let wanted = to_move == self.attacker;
        let playable = |p: &Point| {
            self.board.is_empty(*p)
                && banned != Some(*p)
                && !self.board.is_suicide(to_move, *p)
                && !fills_true_eye(&self.board, to_move, *p)
        };
        let mut moves: Vec<Point> = self.points.iter().filter(playable).collect();
        // Self-ataris come last.
        moves.sort_by_key(|&p| liberties_after_up_to(&self.board, to_move, p, 2, None) < 2);
        for point in moves {
            let mark = self.trail.mark();
            self.board.play_recorded(to_move, point, &mut self.trail);
            let answer = self.is_taken(to_move.opponent(), false, false);
            self.board.undo_to(mark, &mut self.trail);
            if answer? == wanted {
                return Some(wanted);
            }
        }
        // A pass that only waits for a ko does not end the game.
        if passed { Some(false) } else { self.is_taken(to_move.opponent(), banned.is_none(), true) }
    }
}

/// Filling a point whose neighbours are one chain of ours never helps while the chain has another liberty.
fn fills_true_eye(board: &Board, color: Color, point: Point) -> bool {
    let mut stones = point.neighbours().into_iter().filter(|&n| board.color_at(n) == Some(color));
    board.around(point).is_surrounded_by(color)
        && stones.next().is_some_and(|first| {
            board.liberty_count(first) > 1 && stones.all(|other| board.chain(other) == board.chain(first))
        })
}
