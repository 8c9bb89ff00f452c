//! What a finished simulation teaches every node on its path.

use jigo_board::{Color, GRID, Move, Point, WinRate};
use jigo_playout::{Outcome, Owner, Played};

use crate::criticality::Sample;
use crate::node::Node;
use crate::pool::Pool;

/// Who played a point first in the rest of a simulation, and when.
#[derive(Clone, Copy)]
struct First {
    color: Color,
    ply: u16,
    /// Entries of earlier simulations have another number and do not count.
    simulation: u32,
}

/// Scratch memory for AMAF. One per thread.
pub struct FirstPlays {
    first: Box<[First; GRID]>,
    simulation: u32,
}

impl FirstPlays {
    pub fn new() -> FirstPlays {
        FirstPlays { first: Box::new([First { color: Color::Black, ply: 0, simulation: 0 }; GRID]), simulation: 0 }
    }

    fn begin(&mut self) {
        self.simulation = self.simulation.wrapping_add(1);
    }

    #[inline(always)]
    fn note(&mut self, point: Point, color: Color, ply: usize) {
        self.first[point.index()] = First { color, ply: ply as u16, simulation: self.simulation };
    }

    /// The ply at which `color` was the first of both players to play here, if it was.
    #[inline(always)]
    fn ply_of(&self, point: Point, color: Color) -> Option<u16> {
        let first = self.first[point.index()];
        (first.simulation == self.simulation && first.color == color).then_some(first.ply)
    }
}

/// The result of one simulation, ready to be learnt from.
pub struct SimulationResult<'a> {
    pub moves: &'a [Played],
    /// Who is to move after all of them.
    pub to_move: Color,
    /// How the playout or the game ended, if it did.
    pub outcome: Option<&'a Outcome>,
    /// Under the komi of this search.
    pub value: WinRate,
    /// Black's final score: the net's expectation if it has one.
    pub black_score: f32,
    pub weigh_by_distance: bool,
    pub track_criticality: bool,
    /// Does the way down read AMAF and criticality? If not, only reports do, and they tell of the root's moves alone.
    pub reaches_below_root: bool,
}

/// `path` holds the pool indices of the root and then of the node after each move of the tree.
pub fn back_up(pool: &Pool, path: &[usize], result: &SimulationResult<'_>, first_plays: &mut FirstPlays) {
    first_plays.begin();
    // From the end to the start, so that the earliest play on a point is written last and stays.
    let mut ply = result.moves.len();
    for depth in (0..path.len()).rev() {
        while ply > depth {
            ply -= 1;
            if let Move::Play(point) = result.moves[ply].mv {
                first_plays.note(point, result.moves[ply].color, ply);
            }
        }
        // The move that led here was made by the other player than the one to move now.
        let mover = result.moves.get(depth).map_or(result.to_move, |played| played.color);
        let node = pool.node(path[depth]);
        node.add_simulation(result.value.share_of(mover.opponent()), result.black_score);
        if depth < result.moves.len() && (depth == 0 || result.reaches_below_root) {
            teach_children(pool.children(node), mover, depth, result, first_plays);
        }
    }
}

#[inline]
fn teach_children(
    children: &[Node],
    mover: Color,
    depth: usize,
    result: &SimulationResult<'_>,
    first_plays: &FirstPlays,
) {
    let value = result.value.share_of(mover);
    // Moves closer to the node weigh more (Pachi footnote 7): from 1 at once down to a half at the end.
    let fading = if result.weigh_by_distance { 0.5 / (result.moves.len() - depth) as f32 } else { 0.0 };
    let winner = match result.value.share_of(Color::Black) {
        v if v > 0.5 => Owner::Black,
        v if v < 0.5 => Owner::White,
        _ => Owner::Both,
    };
    let outcome = result.outcome.filter(|_| result.track_criticality);
    for child in children {
        let Move::Play(point) = child.mv() else {
            if outcome.is_some() {
                Sample::count(child, result.value.share_of(Color::Black));
            }
            continue;
        };
        if let Some(ply) = first_plays.ply_of(point, mover) {
            let weight = 1.0 - fading * (f32::from(ply) - depth as f32);
            child.amaf_visits.add(weight);
            child.amaf_wins.add(weight * value);
        }
        if let Some(outcome) = outcome {
            let owner = outcome.owner(point);
            child.black_owned.add((owner as i8 + 1) as f32 * 0.5);
            child.winner_owned.add(match owner {
                Owner::Both => 0.5,
                owner if owner == winner => 1.0,
                _ => 0.0,
            });
        }
    }
}
