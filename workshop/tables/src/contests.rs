//! The contests that the weights are learned from: in each position the moves compete, and the one played won.

use std::ops::Range;

use jigo_board::{Point, Rng};
use jigo_patterns::{CLASSES, LEVELS, Levels, PHASES, ShapeId, ShapeTree, Situation, Surroundings};
use jigo_tactics::Reader;

use crate::corpus::{Corpus, CorpusError, Moment, for_each_moment};
use crate::progress::Progress;

/// Contests between teams that have one feature of each class.
pub trait Contests<const CLASSES: usize>: Sync {
    /// The number of features in each class.
    fn class_sizes(&self) -> [usize; CLASSES];
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The teams of a contest, numbered through all contests in order. The first is the winner.
    fn teams(&self, contest: usize) -> Range<usize>;
    /// The feature of this class that a team of this contest has.
    fn feature(&self, contest: usize, team: usize, class: usize) -> usize;
}

/// Which positions to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    pub games: usize,
    /// Every position is taken with the chance one in this many.
    pub one_in: usize,
    pub seed: u64,
}

/// The moves of many positions as teams. Each takes eight bytes: there are a hundred million of them.
pub struct TeamTable {
    shape_count: usize,
    shapes: Vec<ShapeId>,
    levels: Vec<PackedLevels>,
    /// Where each contest's teams begin; one more at the end.
    starts: Vec<usize>,
    phases: Vec<u8>,
}

/// Shape, then the classes of levels; a level in another phase is another feature.
pub const TEAM_CLASSES: usize = CLASSES + 1;

#[derive(Clone, Copy)]
struct PackedLevels(u32);

/// The bits below and within each class's field.
const FIELDS: [(u32, u32); CLASSES] = {
    let mut fields = [(0, 0); CLASSES];
    let mut below = 0;
    let mut class = 0;
    while class < CLASSES {
        let width = usize::BITS - (LEVELS[class].len() - 1).leading_zeros();
        fields[class] = (below, width);
        below += width;
        class += 1;
    }
    assert!(below <= u32::BITS);
    fields
};

impl PackedLevels {
    fn pack(levels: Levels) -> PackedLevels {
        let pack = |bits, (level, (below, _)): (u8, (u32, u32))| bits | u32::from(level) << below;
        PackedLevels(levels.0.into_iter().zip(FIELDS).fold(0, pack))
    }

    #[inline]
    fn level(self, class: usize) -> usize {
        let (below, width) = FIELDS[class];
        (self.0 >> below & ((1 << width) - 1)) as usize
    }
}

impl TeamTable {
    pub fn collect(
        corpus: &Corpus,
        tree: &ShapeTree,
        sampling: &Sampling,
        progress: &mut Progress,
    ) -> Result<TeamTable, CorpusError> {
        let mut table = TeamTable {
            shape_count: tree.shapes().len(),
            shapes: Vec::new(),
            levels: Vec::new(),
            starts: vec![0],
            phases: Vec::new(),
        };
        let mut rng = Rng::new(sampling.seed);
        let mut reader = Reader::new();
        let mut done = 0;
        corpus.for_each_game(sampling.games, |game| {
            for_each_moment(game, |moment| {
                if rng.below(sampling.one_in) == 0 {
                    table.add(tree, &moment, &mut reader);
                }
            });
            done += 1;
            progress.at("positions", done, sampling.games as u64);
        })?;
        Ok(table)
    }

    fn add(&mut self, tree: &ShapeTree, moment: &Moment, reader: &mut Reader) {
        let situation = Situation { board: moment.board, to_play: moment.to_play, recent: moment.recent };
        if !situation.is_candidate(moment.chosen) {
            return;
        }
        let surroundings = Surroundings::of(moment.board, moment.to_play);
        let mut push = |point: Point| {
            self.shapes.push(tree.walk(&surroundings, moment.board, moment.to_play, point).shape);
            self.levels.push(PackedLevels::pack(situation.levels(point, reader)));
        };
        push(moment.chosen);
        let others = moment.board.empties().iter().filter(|&&p| p != moment.chosen && situation.is_candidate(p));
        others.for_each(|&point| push(point));
        self.starts.push(self.shapes.len());
        self.phases.push(situation.phase() as u8);
    }

    /// Every shape replaced by another, for example by the 3x3 shape in its middle.
    pub fn map_shapes(&mut self, to: &[ShapeId], shape_count: usize) {
        self.shapes.iter_mut().for_each(|shape| *shape = to[*shape as usize]);
        self.shape_count = shape_count;
    }
}

impl Contests<TEAM_CLASSES> for TeamTable {
    fn class_sizes(&self) -> [usize; TEAM_CLASSES] {
        std::array::from_fn(|class| match class {
            0 => self.shape_count,
            class => LEVELS[class - 1].len() * PHASES,
        })
    }

    fn len(&self) -> usize {
        self.phases.len()
    }

    #[inline]
    fn teams(&self, contest: usize) -> Range<usize> {
        self.starts[contest]..self.starts[contest + 1]
    }

    #[inline]
    fn feature(&self, contest: usize, team: usize, class: usize) -> usize {
        match class {
            0 => self.shapes[team] as usize,
            class => {
                let phase = usize::from(self.phases[contest]);
                phase * LEVELS[class - 1].len() + self.levels[team].level(class - 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_levels_read_back() {
        let highest = Levels(std::array::from_fn(|class| LEVELS[class].len() as u8 - 1));
        let mixed = Levels(std::array::from_fn(|class| if class % 2 == 0 { 1 } else { 0 }));
        for levels in [highest, mixed, Levels::default()] {
            let packed = PackedLevels::pack(levels);
            assert_eq!(std::array::from_fn(|class| packed.level(class) as u8), levels.0);
        }
    }
}
