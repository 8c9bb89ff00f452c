//! The tree under every order of events that the memory model allows: `.ci/loom` runs these, and nothing else.
//!
//! Trees are tiny, since the number of orders grows with every access to memory.

use jigo_board::{Move, Point};
use loom::sync::Arc;
use loom::thread;

use crate::node::Node;
use crate::pool::Pool;
use crate::tree::Tree;

fn play(index: usize) -> Move {
    Move::Play(Point::new(index, 0))
}

/// As a search grows a leaf: whoever may, plants children and publishes them.
fn grow(pool: &Pool, node: &Node, count: usize) -> bool {
    if !node.claim_growth() {
        return false;
    }
    let Some(first) = pool.take(count) else {
        node.give_up_growth();
        return false;
    };
    for offset in 0..count {
        let child = pool.node(first + offset);
        child.reset(play(offset));
        child.policy.set(0.5);
    }
    node.finish_growth(first as u32, count);
    true
}

#[test]
fn a_leaf_grows_once_and_its_children_are_complete_when_they_are_seen() {
    loom::model(|| {
        let tree = Arc::new(Tree::with_nodes(5).unwrap());
        let grower = |tree: Arc<Tree>| move || grow(tree.pool(), tree.root(), 2);
        let other = thread::spawn(grower(tree.clone()));
        let grown_here = grow(tree.pool(), tree.root(), 2);
        let seen = tree.pool().children(tree.root());
        for (offset, child) in seen.iter().enumerate() {
            assert_eq!((child.mv(), child.policy.get()), (play(offset), 0.5));
        }
        assert!(seen.is_empty() || seen.len() == 2);
        assert!(grown_here ^ other.join().unwrap(), "exactly one of both");
        assert_eq!(tree.pool().used(), 3);
    });
}

#[test]
fn no_simulation_is_lost() {
    loom::model(|| {
        let tree = Arc::new(Tree::with_nodes(3).unwrap());
        assert!(grow(tree.pool(), tree.root(), 2));
        let simulate = |tree: Arc<Tree>, chosen: usize| {
            move || {
                let child = &tree.pool().children(tree.root())[chosen];
                child.enter();
                child.add_simulation(1.0, -2.0);
                tree.root().add_simulation(0.0, -2.0);
                child.leave();
            }
        };
        let other = thread::spawn(simulate(tree.clone(), 0));
        simulate(tree.clone(), 0)();
        other.join().unwrap();
        let child = &tree.pool().children(tree.root())[0];
        assert_eq!((child.visits(), child.wins(), child.in_flight()), (2, 2.0, 0));
        assert_eq!((tree.root().visits(), tree.root().mean_black_score()), (2, Some(-2.0)));
    });
}

#[test]
fn no_node_is_given_to_two_threads_however_full_the_pool_is() {
    loom::model(|| {
        let pool = Arc::new(Pool::new(4).unwrap());
        let take = |pool: Arc<Pool>, counts: &'static [usize]| {
            move || counts.iter().filter_map(|&count| Some((pool.take(count)?, count))).collect::<Vec<_>>()
        };
        assert_eq!(pool.take(2), Some(0));
        let other = thread::spawn(take(pool.clone(), &[3, 1, 1]));
        let mut given = take(pool.clone(), &[1])();
        given.extend(other.join().unwrap());
        let mut nodes: Vec<usize> = given.iter().flat_map(|&(first, count)| first..first + count).collect();
        nodes.sort();
        assert_eq!(nodes, [2, 3], "{given:?}");
    });
}

#[test]
fn a_full_pool_is_pruned_and_grows_again() {
    loom::model(|| {
        let mut tree = Arc::new(Tree::with_nodes(6).unwrap());
        let visit = |tree: Arc<Tree>, chosen: usize| {
            move || {
                let child = &tree.pool().children(tree.root())[chosen];
                child.add_simulation(1.0, 0.0);
                tree.root().add_simulation(0.0, 0.0);
                grow(tree.pool(), child, 3)
            }
        };
        assert!(grow(tree.pool(), tree.root(), 2));
        let other = thread::spawn(visit(tree.clone(), 1));
        let grown = [visit(tree.clone(), 0)(), other.join().unwrap()];
        assert_eq!(grown.iter().filter(|&&is_grown| is_grown).count(), 1, "there is room for one");
        let only = Arc::get_mut(&mut tree).expect("the other thread has ended");
        only.prune();
        // Both children had one visit, which is too few to keep what is below them.
        let children = only.pool().children(only.root());
        assert_eq!(children.iter().map(Node::visits).collect::<Vec<_>>(), [1, 1]);
        assert!(children.iter().all(|child| child.children().is_none()));
        assert_eq!(only.root().visits(), 2);
        assert!(grow(only.pool(), &children[0], 3));
    });
}
