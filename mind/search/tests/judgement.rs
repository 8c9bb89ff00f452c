//! The end of the game in the tree, and the first look: what a search says must be what the rules and the net say.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jigo_board::{Color, Diagram, Game, Move, Point, Rules, Symmetry};
use jigo_net::kernel::Isa;
use jigo_net::{EMBEDDED_WEIGHTS, Net, Weights};
use jigo_search::{Limits, Manner, Parameters, SearchReport, SearchRequest, Searcher, TreeSearcher};

static NEVER: AtomicBool = AtomicBool::new(false);

fn searcher(with_net: bool) -> TreeSearcher {
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 16;
    let net = || Arc::new(Net::new(&Weights::from_bytes(EMBEDDED_WEIGHTS).unwrap(), Isa::best_f32())) as _;
    TreeSearcher::new(parameters, with_net.then(net), 1, 1)
}

fn analysed(searcher: &mut TreeSearcher, game: &Game, visits: u64) -> SearchReport {
    let limits = Limits { playouts: Some(visits), visits: None, time: None };
    let request = SearchRequest {
        plain_komi: true,
        may_settle: false,
        ..SearchRequest::new(game, game.to_move(), limits, &NEVER)
    };
    searcher.search(&request, None)
}

fn finished(diagram: &str, rules: &str, komi: f32) -> Game {
    let board = Diagram::parse(diagram).unwrap().board;
    let mut game = Game::from_position(board, Color::Black, Rules::by_name(rules).unwrap());
    game.set_komi(komi);
    game
}

/// Both sides are finished; White's stone at B6 is dead.
const INVADED: &str = "
    . . . X O . .
    . O . X O . .
    . . . X O O O
    X X X X O . .
    . . . X O O O
    . . . X O . .
    . . . X O . .";

#[test]
fn one_visit_is_what_the_net_says() {
    let mut game = Game::new(9, Rules::default());
    for (col, row) in [(2, 2), (6, 6), (6, 2), (2, 6), (4, 4)] {
        game.play(game.to_move(), Move::Play(Point::new(col, row))).unwrap();
    }
    let mut searcher = searcher(true);
    let report = analysed(&mut searcher, &game, 1);
    let says = |symmetry: usize| {
        let symmetry = Symmetry::from_index(symmetry);
        let look = searcher.raw_net(&game, game.to_move(), symmetry, Manner::PLAIN).unwrap();
        (look.value.black_win_rate(game.komi()), look.value.black_score().unwrap())
    };
    let looks: Vec<(f32, f32)> = (0..8).map(says).collect();
    let is_it = |&(rate, score): &(f32, f32)| {
        (rate - report.win_rate.share_of(Color::Black)).abs() < 1e-3 && (score - report.black_score).abs() < 0.1
    };
    assert_eq!(report.visits, 1);
    assert!(looks.iter().any(is_it), "{:?} {} {looks:?}", report.win_rate, report.black_score);
}

#[test]
fn a_dead_stone_is_dead_after_two_passes_where_it_may_be_agreed_on() {
    for with_net in [false, true] {
        let mut game = finished(INVADED, "chinese", 0.5);
        game.play(Color::Black, Move::Pass).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
        // 28 points for Black, 21 for White.
        let report = analysed(&mut searcher(with_net), &game, 1);
        if with_net {
            assert_eq!((report.black_score, report.win_rate.share_of(game.to_move())), (7.0, 1.0));
        }
        let again = analysed(&mut searcher(with_net), &game, 60);
        assert!(again.black_score > 4.0, "{with_net}: {}", again.black_score);
    }
}

#[test]
fn where_no_stone_is_agreed_to_be_dead_it_must_be_taken() {
    // As it stands the stone at B6 makes Black's upper side nobody's: 19 points against 22.
    let mut game = finished(INVADED, "tromp-taylor", 0.5);
    game.play(Color::Black, Move::Pass).unwrap();
    game.play(Color::White, Move::Pass).unwrap();
    let report = analysed(&mut searcher(true), &game, 1);
    assert_eq!((report.black_score, report.win_rate.share_of(game.to_move())), (-3.0, 0.0));
}

#[test]
fn territory_is_counted_where_the_rules_count_it() {
    // Areas are 28 and 21. Black has played 10 stones and White 12: territories and prisoners are 19 and 10.
    for (rules, expected) in [("chinese", 7.0), ("japanese", 9.0)] {
        let game = finished(INVADED, rules, 0.5);
        let report = analysed(&mut searcher(false), &game, 400);
        assert!((report.black_score - expected).abs() < 1.5, "{rules}: {}", report.black_score);
    }
}
