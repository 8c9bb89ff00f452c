//! The node pool: all nodes of a tree in one piece of memory, handed out by one atomic addition (001 sec 5.1).
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::node::Node;

pub struct Pool {
    nodes: Box<[Node]>,
    used: AtomicUsize,
}

impl Pool {
    /// Room for this many nodes. The system hands out the memory when it is first touched, so a large pool costs nothing
    /// until the tree grows into it.
    pub fn new(capacity: usize) -> Pool {
        let layout = Layout::array::<Node>(capacity.max(1)).expect("tree memory is limited to 64 GiB");
        // SAFETY: the layout is not empty, and a Node is made of atomic integers only, so zeroes are a valid Node. The
        // box takes over memory that came from the global allocator with exactly this layout.
        let nodes = unsafe {
            let memory = alloc_zeroed(layout).cast::<Node>();
            if memory.is_null() {
                handle_alloc_error(layout);
            }
            Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, capacity.max(1)))
        };
        Pool { nodes, used: AtomicUsize::new(0) }
    }

    /// The index of `count` fresh nodes in a row, or none if the pool is full.
    pub fn take(&self, count: usize) -> Option<usize> {
        let first = self.used.fetch_add(count, Relaxed);
        if first + count > self.nodes.len() {
            self.used.fetch_sub(count, Relaxed);
            return None;
        }
        Some(first)
    }

    #[inline(always)]
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        match node.children() {
            Some(range) => &self.nodes[range],
            None => &[],
        }
    }

    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    pub fn capacity(&self) -> usize {
        self.nodes.len()
    }

    pub fn clear(&mut self) {
        *self.used.get_mut() = 0;
    }
}
