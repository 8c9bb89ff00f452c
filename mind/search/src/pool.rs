//! The node pool: all nodes of a tree in one piece of memory, handed out without locks (Pachi 5.1).
#![allow(unsafe_code, reason = "nodes are shared by all threads without locks")]

#[cfg(loom)]
use loomed::Memory;
#[cfg(not(loom))]
use memmap2::{MmapMut, MmapRaw};

use crate::atomic::{AtomicUsize, Ordering::Relaxed};
use crate::node::Node;

pub struct Pool {
    memory: Memory,
    used: AtomicUsize,
}

impl Pool {
    /// Room for this many nodes, if there is any. The system hands out the memory when it is first touched, so a large pool costs nothing
    /// until the tree grows into it, and has all of it back when the pool ends.
    pub fn new(capacity: usize) -> Option<Pool> {
        Some(Pool { memory: Memory::new(capacity.max(1))?, used: AtomicUsize::new(0) })
    }

    /// The index of `count` fresh nodes in a row, or none if the pool is full.
    pub fn take(&self, count: usize) -> Option<usize> {
        // Never more than there is, not even for a moment: nodes taken back after an addition that went too far would be given to
        // two threads if another one's addition went through in between.
        let fits = |used: usize| Some(used + count).filter(|&after| after <= self.capacity());
        self.used.fetch_update(Relaxed, Relaxed, fits).ok()
    }

    #[inline(always)]
    pub fn node(&self, index: usize) -> &Node {
        &self.memory.nodes()[index]
    }

    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        match node.children() {
            Some(range) => &self.memory.nodes()[range],
            None => &[],
        }
    }

    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    pub fn capacity(&self) -> usize {
        self.memory.capacity
    }

    pub fn clear(&mut self) {
        self.used.store(0, Relaxed);
    }
}

/// Zeroed memory for nodes, from the system itself: an allocator keeps what it is given back, and writes the zeroes of what it hands out
/// again, so that a small tree which nobody has filled would take all of its memory.
#[cfg(not(loom))]
struct Memory {
    pages: MmapRaw,
    capacity: usize,
}

#[cfg(not(loom))]
impl Memory {
    fn new(capacity: usize) -> Option<Memory> {
        let pages = MmapMut::map_anon(capacity.checked_mul(size_of::<Node>())?).ok()?;
        assert!(pages.as_ptr().cast::<Node>().is_aligned(), "a page begins with a cache line");
        Some(Memory { pages: pages.into(), capacity })
    }

    #[inline(always)]
    fn nodes(&self) -> &[Node] {
        // SAFETY: the pages begin on a cache line, hold `capacity` nodes and live as long as `self`. A Node is made of atomics
        // only: zeroes are a valid Node, and sharing it between threads is sound. The pages are never seen as bytes, which would
        // forbid everybody else to write.
        unsafe { std::slice::from_raw_parts(self.pages.as_mut_ptr().cast(), self.capacity) }
    }
}

/// Loom's atomics know which execution they belong to, so they cannot be made of zeroes.
#[cfg(loom)]
mod loomed {
    use super::Node;

    pub struct Memory {
        nodes: Box<[Node]>,
        pub capacity: usize,
    }

    impl Memory {
        pub fn new(capacity: usize) -> Option<Memory> {
            Some(Memory { nodes: (0..capacity).map(|_| Node::default()).collect(), capacity })
        }

        pub fn nodes(&self) -> &[Node] {
            &self.nodes
        }
    }
}

#[cfg(all(test, not(loom), target_os = "linux"))]
mod tests {
    use super::*;

    fn resident_megabytes() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<usize>().unwrap() / 1024
    }

    /// Opponents come and go while a server runs, each game on a thread of its own. An allocator keeps the pools that were given back
    /// and hands them out again as heaps of written zeroes.
    #[test]
    fn pools_that_nobody_fills_take_no_memory_however_often_they_are_made() {
        const NODES: usize = (16 << 20) / size_of::<Node>();
        let make = || -> Vec<Pool> { (0..4).map(|_| Pool::new(NODES).unwrap()).collect() };
        let make_again = move || {
            (0..3).for_each(|_| drop(make()));
            make()
        };
        let before = resident_megabytes();
        let games: Vec<_> = (0..4).map(|_| std::thread::spawn(make_again)).collect();
        let pools: Vec<Pool> = games.into_iter().flat_map(|game| game.join().unwrap()).collect();
        assert!(pools.iter().all(|pool| pool.node(NODES / 2).visits() == 0));
        let taken = resident_megabytes().saturating_sub(before);
        assert!(taken < 64, "{taken} MB");
    }
}
