//! One number for everything a search does, with one thread and one seed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jigo_board::Move;
use jigo_net::kernel::Isa;
use jigo_net::{Backend, EMBEDDED_WEIGHTS, Net, Weights};
use jigo_playout::{Fingerprint, bench_positions};

use crate::parameters::Parameters;
use crate::searcher::{SearchRequest, Searcher};
use crate::stop::Limits;
use crate::tree_searcher::TreeSearcher;

/// Without a net: a number that changes with the visits of any root move, with the size of the tree and with the variations
/// found.
pub fn fingerprint() -> u64 {
    of_searches(None, 400)
}

/// The same of the program as it is shipped, with its net, on the kernel that every machine has.
pub fn shipped_fingerprint() -> u64 {
    let weights = Weights::from_bytes(EMBEDDED_WEIGHTS).expect("the net that comes with Jigo can be read");
    of_searches(Some(Arc::new(Net::new(&weights, Isa::Portable))), 40)
}

fn of_searches(net: Option<Arc<dyn Backend>>, playouts: u64) -> u64 {
    let mut fingerprint = Fingerprint::default();
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 32;
    let limits = Limits { playouts: Some(playouts), visits: None, time: None };
    for position in bench_positions() {
        let game = position.game();
        let mut searcher = TreeSearcher::new(parameters.clone(), net.clone(), 1, 1);
        let stop = AtomicBool::new(false);
        let request = SearchRequest::new(&game, game.to_move(), limits, &stop);
        let report = searcher.search(&request, None);
        fingerprint.add(report.nodes as u64);
        let code = |mv: Move| mv.point().map_or(0, |point| point.index() as u64);
        for found in &report.moves {
            fingerprint.add(code(found.mv) << 32 | u64::from(found.visits));
            found.variation.iter().for_each(|&mv| fingerprint.add(code(mv)));
        }
    }
    fingerprint.number()
}
