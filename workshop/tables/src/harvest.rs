//! Which shapes recur often enough to be worth a weight of their own.

use std::collections::HashMap;

use jigo_board::Rng;
use jigo_patterns::{RINGS, ShapeId, ShapeTree, Situation, UNKNOWN, canonical_codes, canonical_core, core};

use crate::corpus::{Corpus, CorpusError, Moment, for_each_moment};
use crate::progress::Progress;

/// How much to look at and how much to keep.
#[derive(Clone, Copy, Debug)]
pub struct Harvest {
    pub games: usize,
    /// A 3x3 shape is kept if a move with it could have been played this often in the sampled positions.
    pub core_support: u32,
    /// A larger shape is kept if it was played this often.
    pub support: u32,
    pub seed: u64,
}

/// One position in this many is sampled for 3x3 shapes, since there every possible move is looked at.
const CORE_SAMPLE: usize = 16;

type Counts = HashMap<(ShapeId, u32), u32>;

/// Grows the tree ring by ring: only what is frequent can have frequent children.
pub fn harvest(corpus: &Corpus, plan: &Harvest, progress: &mut Progress) -> Result<ShapeTree, CorpusError> {
    let mut rng = Rng::new(plan.seed);
    let mut cores = Counts::new();
    // For each move played its codes from the middle outward, and the shape it has been found to be so far.
    let mut moves: Vec<(ShapeId, [u32; RINGS + 1])> = Vec::new();
    let mut done = 0;
    corpus.for_each_game(plan.games, |game| {
        for_each_moment(game, |moment| {
            moves.push((UNKNOWN, canonical_codes(moment.board, moment.to_play, moment.chosen)));
            if rng.below(CORE_SAMPLE) == 0 {
                count_cores(&moment, &mut cores);
            }
        });
        done += 1;
        progress.at("reading shapes", done, plan.games as u64);
    })?;

    let mut children = frequent(cores, plan.core_support);
    let mut grown = 0;
    for ring in 0..=RINGS {
        let ids: HashMap<_, _> = (grown..).zip(&children[grown..]).map(|(i, &key)| (key, i as ShapeId + 1)).collect();
        grown = children.len();
        moves.retain_mut(|(shape, codes)| {
            *shape = ids.get(&(*shape, codes[ring])).copied().unwrap_or(UNKNOWN);
            *shape != UNKNOWN
        });
        if ring < RINGS {
            let mut counts = Counts::new();
            moves.iter().for_each(|(shape, codes)| *counts.entry((*shape, codes[ring + 1])).or_default() += 1);
            children.extend(frequent(counts, plan.support));
        }
        progress.at("growing shapes", ring as u64, RINGS as u64);
    }
    Ok(ShapeTree::new(children).expect("parents stand before children, and keys of a map are distinct"))
}

fn count_cores(moment: &Moment, cores: &mut Counts) {
    let situation = Situation { board: moment.board, to_play: moment.to_play, recent: moment.recent };
    for &point in moment.board.empties().iter().filter(|&&point| situation.is_candidate(point)) {
        let (own, ataris) = core(moment.board, moment.to_play, point);
        *cores.entry((UNKNOWN, canonical_core(own, ataris).0)).or_default() += 1;
    }
}

/// Sorted, so that parents ascend and the same games give the same ids.
fn frequent(counts: Counts, support: u32) -> Vec<(ShapeId, u32)> {
    let mut kept: Vec<_> = counts.into_iter().filter(|&(_, count)| count >= support).map(|(key, _)| key).collect();
    kept.sort();
    kept
}
