//! A search among companions: the threads' leader on one side, whoever searches elsewhere on the other.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::exchange::{Companions, Exchange, Ledger, Standing, Verdict};
use crate::searcher::looks_enough;
use crate::shared::Shared;
use crate::stop::Limits;
use crate::tree::Tree;

/// Companions with what this search has to remember of them.
pub(crate) struct Company<'a> {
    companions: &'a mut dyn Companions,
    ledger: Ledger,
    is_enough: bool,
}

impl<'a> Company<'a> {
    pub fn new(companions: &'a mut dyn Companions, tree: &Tree) -> Company<'a> {
        let ledger = Ledger::new(tree.pool(), tree.root_index(), companions.levels());
        Company { companions, ledger, is_enough: false }
    }

    /// Would we stop here, seeing what all have found?
    pub fn consider(&mut self, shared: &Shared<'_>, done: u64, elapsed: Duration) {
        let limits = Limits { playouts: self.companions.playouts_of_all(), ..shared.limits };
        self.is_enough = looks_enough(shared, &limits, done + self.ledger.playouts_of_others(), elapsed);
    }

    pub fn look(&mut self, shared: &Shared<'_>, is_still: bool) -> Verdict {
        let standing = Standing {
            playouts: shared.signals.done.load(Relaxed),
            elapsed: shared.elapsed(),
            is_enough: self.is_enough,
            is_still,
        };
        let levels = self.companions.levels();
        let mut exchange = Exchange { ledger: &mut self.ledger, pool: shared.pool, root: shared.root, levels };
        let verdict = self.companions.look(&mut exchange, standing);
        shared.set_place(self.companions.place());
        verdict
    }
}
