//! Searches with the net: what threads share must not change what they find.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use jigo_board::{Game, Move, Rules};
use jigo_net::kernel::Isa;
use jigo_net::{Backend, EMBEDDED_WEIGHTS, Evaluate, Evaluation, Net, View, Weights};
use jigo_search::{Limits, Parameters, SearchRequest, Searcher, TreeSearcher};

static NEVER: AtomicBool = AtomicBool::new(false);

fn searcher(cache: u32, batch: u32, threads: usize) -> TreeSearcher {
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 16;
    parameters.search.net_cache = cache;
    parameters.search.net_batch = batch;
    let net = Net::new(&Weights::from_bytes(EMBEDDED_WEIGHTS).unwrap(), Isa::best_f32());
    TreeSearcher::new(parameters, Some(Arc::new(net)), threads, 7)
}

fn visits(searcher: &mut TreeSearcher) -> Vec<(Move, u32)> {
    let game = Game::new(9, Rules::default());
    let limits = Limits { playouts: Some(150), visits: None, time: None };
    let report = searcher.search(&SearchRequest::new(&game, game.to_move(), limits, &NEVER), None);
    report.moves.iter().map(|m| (m.mv, m.visits)).collect()
}

#[test]
fn a_cache_changes_no_search() {
    let plain = visits(&mut searcher(0, 1, 1));
    let mut caching = searcher(32, 16, 1);
    assert_eq!(visits(&mut caching), plain);
    caching.clear();
    assert_eq!(visits(&mut caching), plain, "everything comes from the cache now");
}

#[test]
fn more_threads_than_cores_share_batches_and_come_to_an_end() {
    let threads = 3 + std::thread::available_parallelism().map_or(1, usize::from);
    let found = visits(&mut searcher(32, 4, threads));
    let total: u32 = found.iter().map(|(_, visits)| visits).sum();
    // The first look is the root's.
    assert!(total >= 149, "{total}");
}

/// How often each move of a position was looked at.
fn looked_at(change: impl Fn(&mut Parameters), is_analysis: bool) -> Vec<u32> {
    let game = Game::new(9, Rules::default());
    let mut searcher = searcher(32, 1, 1);
    let mut parameters = searcher.parameters().clone();
    change(&mut parameters);
    searcher.set_parameters(&parameters).unwrap();
    // Few: what is best is found in the end, however one begins.
    let limits = Limits { playouts: Some(30), visits: None, time: None };
    let request =
        SearchRequest { may_settle: !is_analysis, ..SearchRequest::new(&game, game.to_move(), limits, &NEVER) };
    searcher.search(&request, None).moves.iter().map(|found| found.visits).filter(|&visits| visits > 0).collect()
}

#[test]
fn a_flatter_policy_at_the_root_looks_at_more_moves() {
    let at = |temperature: f32| looked_at(|parameters| parameters.search.root_temperature = temperature, false).len();
    let (steep, plain, flat) = (at(0.3), at(1.0), at(4.0));
    assert!(steep < plain && plain < flat, "{steep}, {plain}, {flat}");
}

#[test]
fn noise_makes_an_analysis_wider_and_leaves_the_choice_of_a_move_alone() {
    let with = |noise: f32, is_analysis| looked_at(|parameters| parameters.search.analysis_noise = noise, is_analysis);
    assert!(with(1.0, true).len() > with(0.0, true).len());
    assert_eq!(with(1.0, false), with(0.0, false));
}

/// A net that counts how often it is asked.
struct Counting {
    net: Arc<dyn Backend>,
    looks: Arc<AtomicUsize>,
}

struct CountingEvaluator(Box<dyn Evaluate>, Arc<AtomicUsize>);

impl Backend for Counting {
    fn evaluator(self: Arc<Self>) -> Box<dyn Evaluate> {
        Box::new(CountingEvaluator(self.net.clone().evaluator(), self.looks.clone()))
    }

    fn judges_alone(&self) -> bool {
        self.net.judges_alone()
    }

    fn description(&self) -> String {
        self.net.description()
    }

    fn digest(&self) -> u64 {
        self.net.digest()
    }
}

impl Evaluate for CountingEvaluator {
    fn evaluate_batch(&mut self, views: &[View<'_>]) -> Vec<Evaluation> {
        self.1.fetch_add(views.len(), Ordering::Relaxed);
        self.0.evaluate_batch(views)
    }

    fn fingerprint(&mut self, view: &View<'_>) -> u64 {
        self.0.fingerprint(view)
    }
}

#[test]
fn every_visit_is_a_look_at_something_new() {
    let looks = Arc::new(AtomicUsize::new(0));
    let net: Arc<dyn Backend> = Arc::new(Net::new(&Weights::from_bytes(EMBEDDED_WEIGHTS).unwrap(), Isa::best_f32()));
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 16;
    let counting = Counting { net, looks: looks.clone() };
    visits(&mut TreeSearcher::new(parameters, Some(Arc::new(counting)), 1, 7));
    // Transpositions come from the cache.
    let looks = looks.load(Ordering::Relaxed);
    assert!((135..=150).contains(&looks), "150 visits took {looks} looks");
}
