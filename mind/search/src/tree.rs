//! The tree between searches: keeping the part that still matters, and pruning when memory runs out.

use jigo_board::Move;

use crate::node::Node;
use crate::pool::Pool;
use crate::resources::{Unavailable, ask_for_memory};

pub struct Tree {
    pool: Pool,
    /// The other half of the memory: what is kept is copied there, then the halves change places.
    spare: Pool,
    root: usize,
}

impl Tree {
    pub fn new(megabytes: usize) -> Result<Tree, Unavailable> {
        ask_for_memory(megabytes)?;
        Tree::with_nodes((megabytes << 20) / size_of::<Node>() / 2).ok_or(Unavailable::Memory(megabytes))
    }

    /// Twice the memory of so many nodes, if there is as much.
    pub fn with_nodes(capacity: usize) -> Option<Tree> {
        let mut tree = Tree { pool: Pool::new(capacity)?, spare: Pool::new(capacity)?, root: 0 };
        tree.clear();
        Some(tree)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.pool.clear();
        self.root = self.pool.take(1).unwrap_or(0);
        self.pool.node(self.root).reset(Move::Pass);
    }

    pub fn root(&self) -> &Node {
        self.pool.node(self.root)
    }

    /// Where the root is in the pool.
    pub fn root_index(&self) -> usize {
        self.root
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Makes the position after this move the new root; what was learnt about it is kept.
    pub fn advance(&mut self, mv: Move) {
        let Some(children) = self.root().children() else { return self.clear() };
        match children.clone().find(|&index| self.pool.node(index).mv() == mv) {
            Some(index) => self.keep(index, 0),
            None => self.clear(),
        }
    }

    /// Drops the children of nodes with few visits until at most half of the memory is used.
    pub fn prune(&mut self) {
        let mut thin = 2;
        while self.pool.used() * 2 > self.pool.capacity() {
            let root = self.root;
            self.keep(root, thin);
            if self.root().children().is_none() {
                break;
            }
            thin *= 2;
        }
    }

    /// Copies the subtree below `index` to the other half, leaving out children of nodes with fewer than `thin` visits.
    fn keep(&mut self, index: usize, thin: u32) {
        self.spare.clear();
        let (from, to) = (&self.pool, &self.spare);
        let Some(root) = to.take(1) else { return self.clear() };
        to.node(root).copy_from(from.node(index));
        // Breadth first: the nodes near the root, which matter most, are copied first.
        let mut waiting = std::collections::VecDeque::from([(index, root)]);
        while let Some((old, new)) = waiting.pop_front() {
            let old_node = from.node(old);
            let Some(children) = old_node.children() else { continue };
            if old_node.visits() < thin {
                continue;
            }
            let count = children.len();
            let Some(first) = to.take(count) else { continue };
            for (offset, child) in children.enumerate() {
                to.node(first + offset).copy_from(from.node(child));
                if from.node(child).children().is_some() {
                    waiting.push_back((child, first + offset));
                }
            }
            to.node(new).finish_growth(first as u32, count);
        }
        self.root = root;
        std::mem::swap(&mut self.pool, &mut self.spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Point;

    fn grow(tree: &Tree, node: &Node, moves: &[(usize, usize)]) {
        assert!(node.claim_growth() && !node.claim_growth());
        let first = tree.pool().take(moves.len()).unwrap();
        for (i, &(col, row)) in moves.iter().enumerate() {
            tree.pool().node(first + i).reset(Move::Play(Point::new(col, row)));
        }
        node.finish_growth(first as u32, moves.len());
    }

    fn root_child(tree: &Tree, mv: Move) -> Option<&Node> {
        tree.pool().children(tree.root()).iter().find(|child| child.mv() == mv)
    }

    fn play(col: usize, row: usize) -> Move {
        Move::Play(Point::new(col, row))
    }

    #[test]
    fn advancing_keeps_what_was_learnt_below_the_move() {
        let mut tree = Tree::new(1).unwrap();
        grow(&tree, tree.root(), &[(0, 0), (1, 1)]);
        let child = root_child(&tree, play(1, 1)).unwrap();
        child.add_simulation(1.0, -3.5);
        grow(&tree, child, &[(2, 2)]);
        tree.advance(play(1, 1));
        assert_eq!(tree.root().visits(), 1);
        assert_eq!(tree.root().mean_black_score(), Some(-3.5));
        assert!(root_child(&tree, play(2, 2)).is_some());
        tree.advance(play(5, 5));
        assert_eq!(tree.root().visits(), 0);
    }

    #[test]
    fn pruning_drops_thin_branches_and_keeps_thick_ones() {
        let mut tree = Tree::new(1).unwrap();
        grow(&tree, tree.root(), &[(0, 0), (1, 1)]);
        let many: Vec<(usize, usize)> = (0..19 * 19).map(|i| (i % 19, i / 19)).collect();
        let [thin, thick] = tree.pool().children(tree.root()) else { panic!("two children") };
        for _ in 0..1000 {
            tree.root().add_simulation(1.0, 0.0);
            thick.add_simulation(1.0, 0.0);
        }
        thin.add_simulation(0.0, 0.0);
        for node in [thin, thick] {
            grow(&tree, node, &many);
        }
        // Fill the memory with children of children that were never visited.
        for child in tree.pool().children(thick).iter().chain(tree.pool().children(thin)) {
            if tree.pool().used() + many.len() <= tree.pool().capacity() {
                grow(&tree, child, &many);
            }
        }
        tree.prune();
        assert!(tree.pool().used() * 2 <= tree.pool().capacity());
        let [thin, thick] = tree.pool().children(tree.root()) else { panic!("two children") };
        assert!(thin.children().is_none());
        assert_eq!(thick.visits(), 1000);
        assert_eq!(tree.pool().children(thick).len(), many.len());
    }
}
