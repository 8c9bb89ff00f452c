//! A wish to stop thinking, shared between the thread that thinks and the one that hears the wish.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Clones share one flag. Whoever thinks polls it and answers with the best found so far once it is raised.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the wish back, before the next thought.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// The flag itself, for a search that polls it after every simulation.
    pub fn as_atomic(&self) -> &AtomicBool {
        &self.0
    }

    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
