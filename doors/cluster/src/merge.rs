//! Many machines' statistics of one search, summed. Of every node it speaks of, a machine sends all that it has found there since
//! the search began, so that a message replaces what was said before; totals change by the difference. Lost, repeated and reordered
//! messages are harmless.

use std::collections::HashMap;

use jigo_search::{Counts, Path};

use crate::wire::MOST_NODES;

/// Nodes of one member that are kept, and of all together: an honest one has a few hundred on each level, and a crowd of liars
/// gets no more memory than this. What comes on top is not counted.
const MOST_OF_ONE: usize = 4 * MOST_NODES;
const MOST_OF_ALL: usize = 1 << 20;

#[derive(Default)]
pub struct Merge {
    members: HashMap<u64, Contribution>,
    totals: HashMap<Path, Total>,
    /// Grows with every change of the totals.
    sequence: u64,
    /// Nodes of all members.
    kept: usize,
}

#[derive(Default)]
struct Contribution {
    /// Its owner has left: it is kept for its return, and counts for nothing.
    is_absent: bool,
    /// We know this member's statistics as they were in its message of this number.
    known: u64,
    nodes: HashMap<Path, Counts>,
}

#[derive(Clone, Copy, Default)]
struct Total {
    counts: Counts,
    changed: u64,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    New,
    /// Seen before, or overtaken by a later one.
    Old,
    /// It builds on one that never came; the sender will notice and say more.
    Gap,
}

impl Merge {
    /// Replaces what this member said of these nodes.
    pub fn accept(&mut self, member: u64, base: u64, sequence: u64, nodes: &[(Path, Counts)]) -> Accepted {
        let contribution = self.members.entry(member).or_default();
        if sequence <= contribution.known {
            return Accepted::Old;
        }
        if base > contribution.known {
            return Accepted::Gap;
        }
        contribution.known = sequence;
        self.sequence += 1;
        for &(path, counts) in nodes {
            let before = match contribution.nodes.get(&path) {
                Some(&before) => before,
                None if contribution.nodes.len() >= MOST_OF_ONE || self.kept >= MOST_OF_ALL => continue,
                None => {
                    self.kept += 1;
                    Counts::default()
                }
            };
            contribution.nodes.insert(path, counts);
            if contribution.is_absent {
                continue;
            }
            let total = self.totals.entry(path).or_default();
            total.counts = total.counts + (counts - before);
            total.changed = self.sequence;
        }
        Accepted::New
    }

    /// What a member says counts as long as it is one.
    pub fn set_present(&mut self, member: u64, is_present: bool) {
        let Some(contribution) = self.members.get_mut(&member).filter(|known| known.is_absent == is_present) else {
            return;
        };
        contribution.is_absent = !is_present;
        self.sequence += 1;
        for (&path, &counts) in &contribution.nodes {
            let total = self.totals.entry(path).or_default();
            total.counts = if is_present { total.counts + counts } else { total.counts - counts };
            total.changed = self.sequence;
        }
    }

    /// Up to which of its messages we know this member.
    pub fn known(&self, member: u64) -> u64 {
        self.members.get(&member).map_or(0, |contribution| contribution.known)
    }

    pub fn of(&self, member: u64, path: Path) -> Counts {
        self.members.get(&member).and_then(|member| member.nodes.get(&path)).copied().unwrap_or_default()
    }

    pub fn total(&self, path: Path) -> Counts {
        self.totals.get(&path).map_or(Counts::default(), |total| total.counts)
    }

    pub fn members(&self) -> impl Iterator<Item = u64> + '_ {
        self.members.keys().copied()
    }

    /// All nodes with their totals.
    pub fn totals(&self) -> impl Iterator<Item = (Path, Counts)> + '_ {
        self.totals.iter().map(|(&path, total)| (path, total.counts))
    }

    /// What one member has contributed, all of it.
    pub fn contribution(&self, member: u64) -> impl Iterator<Item = (Path, Counts)> + '_ {
        let nodes = self.members.get(&member).map(|member| &member.nodes);
        nodes.into_iter().flatten().map(|(&path, &counts)| (path, counts))
    }

    /// Totals of the nodes that changed after `base`, and up to which change they are complete. What does not fit into one
    /// message follows in the next.
    pub fn since(&self, base: u64) -> (Vec<(Path, Counts)>, u64) {
        let mut changed: Vec<(&Path, &Total)> = self.totals.iter().filter(|(_, total)| total.changed > base).collect();
        if changed.len() <= MOST_NODES {
            return (changed.into_iter().map(|(&path, total)| (path, total.counts)).collect(), self.sequence);
        }
        changed.sort_by_key(|(_, total)| total.changed);
        let first_left_out = changed[MOST_NODES].1.changed;
        // Hardly a change touches more nodes than a message holds, so this is some way on; if one does, all is said at once.
        let complete = first_left_out - 1;
        if complete <= base {
            return (changed.into_iter().map(|(&path, total)| (path, total.counts)).collect(), self.sequence);
        }
        changed.truncate(MOST_NODES);
        (changed.into_iter().map(|(&path, total)| (path, total.counts)).collect(), complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Move, Point};

    fn node(i: usize) -> Path {
        Path::ROOT.then(Move::Play(Point::new(i % 19, i / 19 % 19))).unwrap()
    }

    fn visits(visits: u64) -> Counts {
        Counts { visits, wins: visits * 100, black_score: -(visits as i64) }
    }

    #[test]
    fn what_a_member_said_counts_only_while_it_is_one() {
        let mut merge = Merge::default();
        merge.accept(1, 0, 1, &[(node(1), visits(5))]);
        merge.accept(2, 0, 1, &[(node(1), visits(7))]);
        let (_, known) = merge.since(0);
        merge.set_present(2, false);
        merge.set_present(2, false);
        assert_eq!(merge.total(node(1)), visits(5));
        assert_eq!(merge.since(known).0, [(node(1), visits(5))], "everybody hears of it");
        assert_eq!(merge.accept(2, 1, 2, &[(node(1), visits(9))]), Accepted::New);
        assert_eq!(merge.total(node(1)), visits(5));
        merge.set_present(2, true);
        assert_eq!(merge.total(node(1)), visits(14));
    }

    #[test]
    fn a_member_that_invents_nodes_is_not_given_all_memory() {
        let mut merge = Merge::default();
        let deep = |i: usize| node(i % 361).then(Move::Play(Point::new(i / 361 % 19, i / 361 / 19))).unwrap();
        for (i, nodes) in (0..20_000).collect::<Vec<_>>().chunks(MOST_NODES).enumerate() {
            let nodes: Vec<_> = nodes.iter().map(|&i| (deep(i), visits(1))).collect();
            assert_eq!(merge.accept(1, i as u64, i as u64 + 1, &nodes), Accepted::New);
        }
        assert_eq!((merge.contribution(1).count(), merge.totals().count()), (MOST_OF_ONE, MOST_OF_ONE));
        merge.accept(1, 5, 6, &[(deep(0), visits(3)), (deep(19_999), visits(3))]);
        assert_eq!((merge.total(deep(0)), merge.total(deep(19_999))), (visits(3), visits(0)), "known ones go on");
        merge.accept(2, 0, 1, &[(deep(19_999), visits(2))]);
        assert_eq!(merge.total(deep(19_999)), visits(2), "others are not concerned");
    }

    #[test]
    fn the_latest_of_each_member_counts_once() {
        let mut merge = Merge::default();
        assert_eq!(merge.accept(1, 0, 1, &[(node(1), visits(5))]), Accepted::New);
        assert_eq!(merge.accept(2, 0, 1, &[(node(1), visits(7))]), Accepted::New);
        assert_eq!(merge.accept(1, 0, 2, &[(node(1), visits(6)), (node(2), visits(1))]), Accepted::New);
        assert_eq!(merge.accept(1, 0, 1, &[(node(1), visits(5))]), Accepted::Old, "came late");
        assert_eq!(merge.accept(1, 0, 2, &[(node(1), visits(6))]), Accepted::Old, "came twice");
        assert_eq!(merge.accept(2, 2, 3, &[(node(1), visits(9))]), Accepted::Gap, "builds on a lost one");
        assert_eq!(merge.total(node(1)), visits(13));
        assert_eq!(merge.total(node(2)), visits(1));
        assert_eq!(merge.known(1), 2);
        assert_eq!(merge.known(2), 1);
    }

    #[test]
    fn changes_are_told_since_any_point_and_never_too_many_at_once() {
        let mut merge = Merge::default();
        merge.accept(1, 0, 1, &[(node(1), visits(5))]);
        merge.accept(1, 1, 2, &[(node(2), visits(5))]);
        assert_eq!(merge.since(1), (vec![(node(2), visits(5))], 2));
        assert_eq!(merge.since(2), (vec![], 2));

        // Enough nodes for two messages, each changed by a message of its own.
        let deep = |i: usize| node(i % 361).then(Move::Play(Point::new(i / 361, 0))).unwrap();
        let nodes = MOST_NODES + 100;
        for i in 0..nodes {
            merge.accept(2, i as u64, i as u64 + 1, &[(deep(i), visits(1))]);
        }
        let (first, complete) = merge.since(2);
        assert_eq!(first.len(), MOST_NODES);
        let (second, all) = merge.since(complete);
        assert_eq!((first.len() + second.len(), all), (nodes, nodes as u64 + 2));
    }
}
