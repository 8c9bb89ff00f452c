//! A search among peers: the threads' leader on one side, whoever searches elsewhere on the other.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::exchange::{Advice, Exchange, Ledger, Peers, Standing};
use crate::shared::Shared;
use crate::stop::Limits;
use crate::tree::Tree;
use crate::tree_searcher::looks_enough;

/// Peers with what this search has to remember of them.
pub(crate) struct PeerSearch<'a> {
    peers: &'a mut dyn Peers,
    ledger: Ledger,
    is_enough: bool,
}

impl<'a> PeerSearch<'a> {
    pub fn new(peers: &'a mut dyn Peers, tree: &Tree) -> PeerSearch<'a> {
        let ledger = Ledger::new(tree.pool(), tree.root_index(), peers.levels());
        PeerSearch { peers, ledger, is_enough: false }
    }

    /// Would we stop here, seeing what all have found?
    pub fn consider(&mut self, shared: &Shared<'_>, done: u64, elapsed: Duration) {
        let limits = Limits { playouts: self.peers.playouts_of_all(), ..shared.limits };
        self.is_enough = looks_enough(shared, &limits, done + self.ledger.playouts_of_others(), elapsed);
    }

    pub fn look(&mut self, shared: &Shared<'_>, is_still: bool) -> Advice {
        let standing = Standing {
            playouts: shared.signals.done.load(Relaxed),
            elapsed: shared.elapsed(),
            is_enough: self.is_enough,
            is_still,
        };
        let levels = self.peers.levels();
        let mut exchange = Exchange { ledger: &mut self.ledger, pool: shared.pool, root: shared.root, levels };
        let verdict = self.peers.look(&mut exchange, standing);
        shared.set_rank(self.peers.rank());
        verdict
    }

    /// Nothing that peers said outlives the search.
    pub fn take_back(&mut self, shared: &Shared<'_>) {
        let levels = self.peers.levels();
        Exchange { ledger: &mut self.ledger, pool: shared.pool, root: shared.root, levels }.take_back();
    }
}
