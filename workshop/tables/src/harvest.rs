//! Which shapes recur often enough to be worth a weight of their own.

use std::collections::HashMap;

use jigo_board::Rng;
use jigo_patterns::{RINGS, ShapeId, ShapeTree, Situation, Surroundings, UNKNOWN, canonical_core, core};

use crate::corpus::{Corpus, CorpusError, for_each_moment};
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

/// Grows the tree ring by ring: only what is frequent can have frequent children (one reading of the
/// games for each size).
pub fn harvest(corpus: &Corpus, plan: &Harvest, progress: &mut Progress) -> Result<ShapeTree, CorpusError> {
    let mut children = harvest_cores(corpus, plan, progress)?;
    let mut tree = ShapeTree::new(children.iter().copied()).expect("codes counted in a map are distinct");
    for ring in 0..RINGS {
        let mut counts: HashMap<(ShapeId, u32), u32> = HashMap::new();
        let mut done = 0;
        corpus.for_each_game(plan.games, |game| {
            for_each_moment(game, |moment| {
                let surroundings = Surroundings::of(moment.board, moment.to_play);
                let walk = tree.walk(&surroundings, moment.board, moment.to_play, moment.chosen);
                if walk.shape != UNKNOWN
                    && walk.rings == ring
                    && let Some((code, _)) = walk.next_ring(&surroundings, moment.chosen)
                {
                    *counts.entry((walk.shape, code)).or_default() += 1;
                }
            });
            done += 1;
            progress.at(&format!("shapes with {} rings", ring + 1), done, plan.games as u64);
        })?;
        children.extend(frequent(counts, plan.support));
        tree = ShapeTree::new(children.iter().copied()).expect("codes counted in a map are distinct");
    }
    Ok(tree)
}

fn harvest_cores(corpus: &Corpus, plan: &Harvest, progress: &mut Progress) -> Result<Vec<(ShapeId, u32)>, CorpusError> {
    let mut rng = Rng::new(plan.seed);
    let mut counts: HashMap<(ShapeId, u32), u32> = HashMap::new();
    let mut done = 0;
    corpus.for_each_game(plan.games, |game| {
        for_each_moment(game, |moment| {
            if rng.below(CORE_SAMPLE) > 0 {
                return;
            }
            let situation = Situation { board: moment.board, to_play: moment.to_play, recent: moment.recent };
            for &point in moment.board.empties().iter().filter(|&&p| situation.is_candidate(p)) {
                let (own, ataris) = core(moment.board, moment.to_play, point);
                *counts.entry((UNKNOWN, canonical_core(own, ataris).0)).or_default() += 1;
            }
        });
        done += 1;
        progress.at("3x3 shapes", done, plan.games as u64);
    })?;
    Ok(frequent(counts, plan.core_support))
}

/// Sorted, so that parents ascend and the same games give the same ids.
fn frequent(counts: HashMap<(ShapeId, u32), u32>, support: u32) -> Vec<(ShapeId, u32)> {
    let mut kept: Vec<_> = counts.into_iter().filter(|&(_, count)| count >= support).map(|(key, _)| key).collect();
    kept.sort();
    kept
}
