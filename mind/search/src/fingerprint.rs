//! One number for everything a search does, with one thread and one seed.

use std::sync::atomic::AtomicBool;

use jigo_board::Move;
use jigo_playout::{Fingerprint, bench_positions};

use crate::parameters::Parameters;
use crate::searcher::{SearchRequest, Searcher, TreeSearcher};
use crate::stop::Limits;

/// A number that changes with the visits of any root move, with the size of the tree and with what the search expects.
pub fn fingerprint() -> u64 {
    let mut fingerprint = Fingerprint::default();
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 32;
    let limits = Limits { playouts: Some(400), time: None };
    for position in bench_positions() {
        let game = position.game();
        let mut searcher = TreeSearcher::new(parameters.clone(), None, 1, 1);
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
