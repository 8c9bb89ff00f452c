//! The atomics of the tree: those of the standard library, or loom's, which try every order in which threads may see them.

#[cfg(loom)]
pub use loom::sync::atomic::*;
#[cfg(not(loom))]
pub use std::sync::atomic::*;
