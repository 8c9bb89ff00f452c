//! Searches with a KataGo net: it is told rules and komi, and judges alone.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use jigo_board::{Color, Game, Move, Rules, Symmetry};
use jigo_katago::KataNet;
use jigo_search::{Limits, Manner, Parameters, Progress, SearchReport, SearchRequest, Searcher, TreeSearcher};

static NEVER: AtomicBool = AtomicBool::new(false);

fn searcher(threads: usize) -> TreeSearcher {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../katago/tests/data/tiny-v15-nbt-mish.bin.gz");
    let net = KataNet::read(&std::fs::read(file).unwrap()).unwrap();
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 16;
    TreeSearcher::new(parameters, Some(Arc::new(net)), threads, 7)
}

fn search(searcher: &mut TreeSearcher, game: &Game) -> SearchReport {
    let limits = Limits { playouts: Some(60), visits: None, time: None };
    searcher.search(&SearchRequest::new(game, game.to_move(), limits, &NEVER), None)
}

#[test]
fn threads_share_the_net_and_no_leaf_is_played_out_blindly() {
    let mut game = Game::new(7, Rules::by_name("japanese").unwrap());
    game.play(Color::Black, Move::parse("D4", 7).unwrap()).unwrap();
    for threads in [1, 4] {
        let report = search(&mut searcher(threads), &game);
        assert!(report.visits >= 60);
        // A tiny random net is never sure of anything; playouts would own most of the board by now.
        assert!(game.board().points().all(|point| report.ownership(point).abs() < 0.999));
    }
}

/// Threads that begin together must not all count what the net said of the position before them.
#[test]
fn the_position_counts_its_own_look_once() {
    let game = Game::new(7, Rules::default());
    for threads in [1, 8] {
        let report = search(&mut searcher(threads), &game);
        assert_eq!(report.visits, 1 + report.moves.iter().map(|told| told.visits).sum::<u32>(), "{threads} threads");
    }
}

#[test]
fn the_first_word_names_a_move_and_the_raw_net_is_what_the_search_began_with() {
    let game = Game::new(7, Rules::default());
    let (mut searcher, mut told) = (searcher(1), Vec::new());
    let limits = Limits { playouts: Some(3), visits: None, time: None };
    let request = SearchRequest { raw_net: true, ..SearchRequest::new(&game, game.to_move(), limits, &NEVER) };
    let mut tell = |report: &SearchReport| told.push(report.best().map_or(0, |best| best.visits));
    let report = searcher.search(&request, Some(Progress { every: Duration::ZERO, tell: &mut tell }));
    assert_eq!(told.len(), 2, "the first of three simulations names no move");
    assert!(told[0] > 0);
    let (raw, first) = (report.raw_net().unwrap(), &report.moves[0]);
    let share = first.policy / raw.probability(first.mv);
    assert!(report.moves.iter().all(|told| (told.policy - share * raw.probability(told.mv)).abs() < 1e-5));
}

#[test]
fn the_net_is_told_rules_and_komi() {
    let mut searcher = searcher(1);
    let mut opinion = |game: &Game| {
        let raw = searcher.raw_net(game, game.to_move(), Symmetry::IDENTITY, Manner::PLAIN).unwrap();
        raw.forecast(game.effective_komi())
    };
    let mut game = Game::new(9, Rules::by_name("chinese").unwrap());
    game.set_komi(7.0);
    let plain = opinion(&game);
    assert_eq!(opinion(&game), plain);
    game.set_komi(-20.0);
    assert_ne!(opinion(&game), plain);
    game.set_komi(7.0);
    game.set_rules(Rules::by_name("japanese").unwrap());
    assert_ne!(opinion(&game), plain);
}
