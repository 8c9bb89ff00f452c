//! The node pool: all nodes of a tree in one piece of memory, handed out without locks (Pachi 5.1).
#![allow(unsafe_code, reason = "nodes are shared by all threads without locks")]

#[cfg(loom)]
use loomed::Memory;
#[cfg(not(loom))]
use std::alloc::{Layout, alloc_zeroed, dealloc};

use crate::atomic::{AtomicUsize, Ordering::Relaxed};
use crate::node::Node;

pub struct Pool {
    memory: Memory,
    used: AtomicUsize,
}

impl Pool {
    /// Room for this many nodes, if there is any. The system hands out the memory when it is first touched, so a large pool costs nothing
    /// until the tree grows into it.
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

/// Zeroed memory for nodes, each on a cache line of its own.
#[cfg(not(loom))]
struct Memory {
    block: *mut u8,
    layout: Layout,
    first: *const Node,
    capacity: usize,
}

#[cfg(not(loom))]
impl Memory {
    fn new(capacity: usize) -> Option<Memory> {
        // Asked for cache-line alignment the allocator would write the zeroes itself, touching all of the memory. With
        // its natural alignment and one node more we find the first cache line ourselves.
        let layout = Layout::array::<u64>((capacity + 1) * size_of::<Node>() / size_of::<u64>()).ok()?;
        // SAFETY: the layout is not empty, since `capacity + 1` is at least 1.
        let block = unsafe { alloc_zeroed(layout) };
        if block.is_null() {
            return None;
        }
        let offset = block.align_offset(align_of::<Node>());
        assert!(offset < size_of::<Node>(), "a cache line begins within every 64 bytes");
        Some(Memory { block, layout, first: block.wrapping_add(offset).cast(), capacity })
    }

    #[inline(always)]
    fn nodes(&self) -> &[Node] {
        // SAFETY: `first` is aligned and followed by `capacity` nodes inside the block, which lives as long as `self`. A Node is
        // made of atomic integers only: zeroes are a valid Node, and sharing it between threads is sound.
        unsafe { std::slice::from_raw_parts(self.first, self.capacity) }
    }
}

#[cfg(not(loom))]
impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the block came from the global allocator with this layout, and nodes need no dropping.
        unsafe { dealloc(self.block, self.layout) }
    }
}

// SAFETY: the memory is owned, and all access to it goes through shared atomics.
#[cfg(not(loom))]
unsafe impl Send for Memory {}
// SAFETY: as above.
#[cfg(not(loom))]
unsafe impl Sync for Memory {}

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
