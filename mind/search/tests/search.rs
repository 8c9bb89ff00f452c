//! What a search must do whatever its parameters: find plain tactics, keep the rules, be reproducible, and end.

use std::sync::atomic::AtomicBool;

use jigo_board::{Color, Diagram, Game, KoRule, Move, Point, Rules, Symmetry, WinRate};
use jigo_search::{
    KomiMethod, Limits, Parameters, Restriction, RestrictionKind, SearchReport, SearchRequest, Searcher, Selection,
    TreeSearcher,
};

static NEVER: AtomicBool = AtomicBool::new(false);

fn request<'a>(game: &'a Game, playouts: u64) -> SearchRequest<'a> {
    let limits = Limits { playouts: Some(playouts), visits: None, time: None };
    SearchRequest::new(game, game.to_move(), limits, &NEVER)
}

fn with(change: impl FnOnce(&mut Parameters)) -> TreeSearcher {
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 64;
    change(&mut parameters);
    TreeSearcher::new(parameters, None, 1, 1)
}

fn game(diagram: &str, to_move: Color) -> (Game, Diagram) {
    let diagram = Diagram::parse(diagram).unwrap();
    (Game::from_position(diagram.board.clone(), to_move, Rules::default()), diagram)
}

fn best(report: &SearchReport) -> Move {
    report.best().unwrap().mv
}

/// White's large chain is in atari: Black takes it at `a`, White saves it by taking eight stones at `b`.
const BIG_ATARI: &str = "
    . . . . . . . . .
    . . X X X X X . .
    . X O O O O O X .
    . X O X X X O X .
    . X O X b X O X .
    . X O X X X O X .
    . X O O O O O X .
    . . X X X a X . .
    . . . . . . . . .";

#[test]
fn every_selection_takes_what_decides_the_game() {
    let (game, diagram) = game(BIG_ATARI, Color::Black);
    for selection in [Selection::Rave, Selection::UctRave, Selection::Puct, Selection::Evaluated] {
        let report = with(|p| p.search.selection = selection).search(&request(&game, 400), None);
        assert_eq!(best(&report), Move::Play(diagram.point('a')), "{selection:?}");
        let share = report.win_rate.share_of(report.to_move);
        assert!(share > 0.8, "{selection:?}: {share}");
    }
}

#[test]
fn the_other_side_saves_it() {
    let (game, diagram) = game(BIG_ATARI, Color::White);
    let report = with(|_| ()).search(&request(&game, 400), None);
    assert_eq!(best(&report), Move::Play(diagram.point('b')));
}

#[test]
fn one_seed_and_one_thread_give_one_answer() {
    let (game, _) = game(BIG_ATARI, Color::White);
    let run = || {
        let report = with(|_| ()).search(&request(&game, 500), None);
        report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn another_board_size_is_searched_as_if_it_were_the_first() {
    let (small, large) = (Game::new(9, Rules::default()), Game::new(19, Rules::default()));
    let visits = |mut searcher: TreeSearcher| {
        let report = searcher.search(&request(&large, 200), None);
        report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>()
    };
    let mut searcher = with(|_| ());
    searcher.search(&request(&small, 50), None);
    assert_eq!(visits(searcher), visits(with(|_| ())));
}

#[test]
fn playouts_alone_go_down_a_large_tree_by_rave_and_a_small_one_by_puct() {
    for (size, chosen) in [(9, Selection::Puct), (13, Selection::Rave), (19, Selection::Rave)] {
        let game = Game::new(size, Rules::default());
        let search = |selection| {
            let report = with(|p| p.search.selection = selection).search(&request(&game, 200), None);
            report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>()
        };
        assert_eq!(search(Selection::Auto), search(chosen), "{size}");
    }
    assert_eq!(Selection::Auto.fitting(19, true), Selection::Evaluated);
}

#[test]
fn fixed_playouts_are_counted_exactly_and_all_reach_the_root() {
    let (game, _) = game(BIG_ATARI, Color::Black);
    let report = with(|p| p.search.stop_when_settled = false).search(&request(&game, 321), None);
    assert_eq!((report.playouts, report.visits), (321, 321));
    let children: u32 = report.moves.iter().map(|m| m.visits).sum();
    assert_eq!(children, 321);
}

#[test]
fn several_threads_share_one_tree_and_lose_no_simulation() {
    let (game, diagram) = game(BIG_ATARI, Color::Black);
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 64;
    parameters.search.stop_when_settled = false;
    let report = TreeSearcher::new(parameters, None, 4, 1).search(&request(&game, 2000), None);
    assert!((2000..2004).contains(&report.playouts), "{}", report.playouts);
    assert_eq!(u64::from(report.visits), report.playouts);
    assert_eq!(report.moves.iter().map(|m| u64::from(m.visits)).sum::<u64>(), report.playouts);
    assert_eq!(best(&report), Move::Play(diagram.point('a')));
}

/// Small enough for Miri, which runs it by name.
#[test]
fn a_small_search_of_two_threads_is_whole() {
    let game = Game::new(3, Rules::default());
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = 1;
    parameters.search.stop_when_settled = false;
    if cfg!(miri) {
        // Miri would make tables of shapes for longer than it searches.
        parameters.prior.patterns = 0.0;
        parameters.playout.policy = jigo_playout::PolicyName::Random;
    }
    let report = TreeSearcher::new(parameters, None, 2, 1).search(&request(&game, 12), None);
    assert!((12..14).contains(&report.playouts), "{}", report.playouts);
    assert_eq!(report.moves.iter().map(|m| u64::from(m.visits)).sum::<u64>(), report.playouts);
}

#[test]
fn a_full_tree_is_pruned_and_the_search_goes_on() {
    let game = Game::new(9, Rules::default());
    let mut searcher = with(|p| {
        p.search.tree_megabytes = 8;
        p.search.expand_at = 1;
        p.search.stop_when_settled = false;
    });
    let report = searcher.search(&request(&game, 6000), None);
    assert_eq!(report.playouts, 6000);
    assert!(report.nodes <= (8 << 20) / 64 / 2);
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let mut game = Game::new(9, Rules::default());
    let mut searcher = with(|p| p.search.stop_when_settled = false);
    let report = searcher.search(&request(&game, 1000), None);
    let first = best(&report);
    let reply = report.best().unwrap().variation[1];
    game.play(Color::Black, first).unwrap();
    game.play(Color::White, reply).unwrap();
    let report = searcher.search(&request(&game, 100), None);
    assert!(report.visits > 100, "nothing was kept: {}", report.visits);
    assert_eq!(report.playouts, 100, "what was kept does not count as a playout");
    let visits = u64::from(report.visits) + 30;
    let limits = Limits { playouts: None, visits: Some(visits), time: None };
    let report = searcher.search(&SearchRequest::new(&game, game.to_move(), limits, &NEVER), None);
    assert_eq!((u64::from(report.visits), report.playouts), (visits, 30), "what was kept counts as visits");
    // Another game is another tree.
    let other = Game::new(9, Rules::default());
    let report = searcher.search(&request(&other, 100), None);
    assert_eq!(report.visits, 100);
}

#[test]
fn a_fresh_search_has_visits_of_its_own_only() {
    let game = Game::new(9, Rules::default());
    let mut searcher = with(|p| p.search.stop_when_settled = false);
    let up_to = |visits| Limits { playouts: None, visits: Some(visits), time: None };
    let mut visits = |visits, fresh| {
        let request = SearchRequest { fresh, ..SearchRequest::new(&game, game.to_move(), up_to(visits), &NEVER) };
        let report = searcher.search(&request, None);
        let of_moves: u32 = report.moves.iter().map(|m| m.visits).sum();
        (report.visits, of_moves, report.playouts)
    };
    assert_eq!(visits(200, false), (200, 200, 200));
    assert_eq!(
        visits(40, true),
        (40, 40, 40),
        "what is known already is not counted, neither at the root nor of a move"
    );
    assert_eq!(visits(60, false), (60, 60, 20), "the next search goes on from the fresh one");
}

#[test]
fn a_fresh_search_does_not_depend_on_earlier_ones() {
    let game = Game::new(9, Rules::default());
    let opinion = |searcher: &mut TreeSearcher| {
        let request = SearchRequest { fresh: true, ..request(&game, 100) };
        let report = searcher.search(&request, None);
        report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>()
    };
    let mut searcher = with(|_| ());
    let first = opinion(&mut searcher);
    let (elsewhere, _) = self::game(BIG_ATARI, Color::Black);
    searcher.search(&request(&elsewhere, 50), None);
    assert_eq!(opinion(&mut searcher), first);
}

#[test]
fn moves_that_the_rules_or_the_request_forbid_are_never_reported() {
    let (game, diagram) = game(BIG_ATARI, Color::Black);
    let avoided = Move::Play(diagram.point('a'));
    let mut request = request(&game, 200);
    let restriction = |kind| [Restriction { color: Color::Black, moves: vec![avoided], until_depth: 1, kind }];
    let avoid = restriction(RestrictionKind::Avoid);
    request.restrictions = &avoid;
    let mut searcher = with(|_| ());
    let report = searcher.search(&request, None);
    assert!(report.moves.iter().all(|m| m.mv != avoided));
    assert!(report.moves.iter().all(|m| game.check(Color::Black, m.mv).is_ok()));
    let allow = restriction(RestrictionKind::Allow);
    request.restrictions = &allow;
    let report = searcher.search(&request, None);
    assert_eq!(report.moves.iter().map(|m| m.mv).collect::<Vec<_>>(), [avoided]);
}

#[test]
fn a_report_tells_how_sure_it_is() {
    let (game, diagram) = game(BIG_ATARI, Color::Black);
    let mut request = request(&game, 300);
    request.move_ownership = true;
    request.may_settle = false;
    let report = with(|_| ()).search(&request, None);
    let best = report.best().unwrap();
    let share = |rate: WinRate| rate.share_of(report.to_move);
    assert!(share(best.win_rate_lcb) < share(best.win_rate));
    assert!(best.black_score_stdev <= report.black_score_stdev());
    assert_eq!(best.variation.len(), best.variation_visits.len());
    assert_eq!((best.variation[0], best.variation_visits[0]), (best.mv, best.visits));
    let point = diagram.point('a');
    assert!(best.ownership(point).unwrap() > 0.8, "who captures owns the point");
    assert!((0.0..=1.0).contains(&report.ownership_stdev(point)));
    assert!(report.moves.iter().all(|m| m.ownership(point).is_some() == (m.visits > 0)));
    let fair = report.fair_komi().unwrap();
    let black = |komi| report.win_rate_at(komi).unwrap().share_of(Color::Black);
    assert!(black(fair - 1.0) >= 0.5 && black(fair + 1.0) <= 0.5);
}

#[test]
fn a_repeated_position_is_refused_inside_the_tree_too() {
    // White takes the ko at b; Black may take back at a only after another move.
    let (mut game, diagram) = game(
        ". . X O .
         . X a X O
         . . X O .
         . . . . .
         . . . . .",
        Color::White,
    );
    game.set_rules(Rules { ko: KoRule::Positional, ..Rules::default() });
    game.play(Color::White, Move::Play(diagram.point('a'))).unwrap();
    let back = Move::Play(Point::new(3, 1));
    let report = with(|_| ()).search(&request(&game, 300), None);
    assert!(report.moves.iter().all(|m| m.mv != back));
}

#[test]
fn a_raised_flag_ends_the_search_at_once() {
    let game = Game::new(19, Rules::default());
    let stop = AtomicBool::new(true);
    let limits = Limits::default();
    let request = SearchRequest::new(&game, Color::Black, limits, &stop);
    let report = with(|_| ()).search(&request, None);
    assert!(report.playouts <= 1);
}

#[test]
fn dynamic_komi_shows_in_the_report_and_bounds_the_score() {
    let mut game = Game::new(9, Rules::default());
    game.place_handicap(&jigo_board::handicap::fixed_handicap(9, 4).unwrap()).unwrap();
    let mut searcher = with(|p| {
        p.search.komi_method = KomiMethod::Linear;
        p.dynamic_komi.in_leaf = false;
    });
    let report = searcher.search(&request(&game, 50), None);
    assert_eq!(report.extra_komi, 28.0, "four stones of seven points each (Dynamic komi Algorithm 1)");
    let none = with(|p| p.search.komi_method = KomiMethod::None).search(&request(&game, 50), None);
    assert_eq!(none.extra_komi, 0.0);
}

#[test]
fn a_search_shorter_than_the_komi_interval_learns_once() {
    let mut game = Game::new(9, Rules::default());
    for place in [(4, 4), (2, 2), (6, 6)] {
        game.play(Color::Black, Move::Play(Point::new(place.0, place.1))).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
    }
    for online in [true, false] {
        let mut searcher = with(|p| {
            p.search.komi_method = KomiMethod::Score;
            p.search.komi_online = online;
        });
        let first = searcher.search(&request(&game, 60), None);
        assert_eq!(first.extra_komi, 0.0);
        let second = searcher.search(&request(&game, 60), None);
        assert!(second.extra_komi > 5.0, "Black is far ahead and imagines to give {}", second.extra_komi);
    }
}

#[test]
fn slices_let_a_short_search_adjust_komi_while_it_runs() {
    let mut game = Game::new(9, Rules::default());
    for place in [(4, 4), (2, 2), (6, 6)] {
        game.play(Color::Black, Move::Play(Point::new(place.0, place.1))).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
    }
    for (slices, is_adjusted) in [(0, false), (6, true)] {
        let mut searcher = with(|p| {
            p.search.komi_method = KomiMethod::Score;
            p.search.komi_slices = slices;
        });
        let report = searcher.search(&request(&game, 60), None);
        assert_eq!(report.extra_komi != 0.0, is_adjusted, "{slices}: {}", report.extra_komi);
    }
}

#[test]
fn ownership_and_win_rate_by_komi_come_from_the_same_simulations() {
    let (game, diagram) = game(BIG_ATARI, Color::Black);
    let report = with(|_| ()).search(&request(&game, 300), None);
    let owner = report.ownership(diagram.point('a'));
    assert!(owner > 0.7, "most simulations capture, and the chain is Black's: {owner}");
    let at = |komi| report.win_rate_at(komi).unwrap().share_of(Color::Black);
    assert!(at(-81.5) == 1.0 && at(81.5) == 0.0 && at(0.0) >= at(20.0));
}

#[test]
fn an_analysis_searches_moves_once_that_are_images_of_each_other() {
    let game = Game::new(7, Rules::default());
    let analysis = SearchRequest { join_images: true, move_ownership: true, ..request(&game, 300) };
    let mut searcher = with(|p| p.search.join_images = true);
    let report = searcher.search(&analysis, None);
    let found = |mv: Move| report.moves.iter().find(|found| found.mv == mv).unwrap();
    assert_eq!(report.moves.len(), game.size() * game.size() + 1, "every move is told");
    let searched: Vec<_> = report.moves.iter().filter(|found| found.image_of.is_none()).collect();
    assert_eq!(searched.len(), 11, "ten points of an eighth of the board, and the pass");
    assert_eq!(searched.iter().map(|found| found.visits).sum::<u32>(), report.visits);
    for found in report.moves.iter().filter_map(|image| Some((image, found(image.image_of?)))) {
        let (image, original) = found;
        assert_eq!((image.visits, image.win_rate, image.policy), (original.visits, original.win_rate, original.policy));
        let leads = |symmetry: &Symmetry| {
            let turned: Vec<Move> = original.variation.iter().map(|&mv| symmetry.apply_move(mv, 7)).collect();
            let owns_alike = |p: Point| original.ownership(p) == image.ownership(symmetry.apply(p, 7));
            turned == image.variation && game.board().points().all(owns_alike)
        };
        assert!(Symmetry::all().any(|symmetry| leads(&symmetry)), "{:?}", image.mv);
    }
    // The board as a whole belongs to nobody's corner.
    let corners = Symmetry::all().map(|symmetry| report.ownership(symmetry.apply(Point::new(1, 2), 7)));
    let corners: Vec<f32> = corners.collect();
    assert!(corners.iter().all(|owned| (owned - corners[0]).abs() < 1e-4), "{corners:?}");

    // Asked again with the tree kept, and then about one move of four.
    assert_eq!(searcher.search(&analysis, None).moves.len(), 50);
    let only = Restriction {
        color: Color::Black,
        moves: vec![Move::Play(Point::new(5, 4))],
        until_depth: 1,
        kind: RestrictionKind::Allow,
    };
    let one = searcher.search(&SearchRequest { restrictions: &[only], ..analysis }, None);
    assert!(one.moves.len() == 1 && one.moves[0].visits > 0 && one.moves[0].image_of.is_none());
}

#[test]
fn who_chooses_a_move_searches_all_of_them() {
    let game = Game::new(7, Rules::default());
    let report = with(|p| p.search.join_images = true).search(&request(&game, 100), None);
    assert!(report.moves.iter().all(|found| found.image_of.is_none()) && report.moves.len() == 50);
    let report = with(|p| p.search.join_images = false)
        .search(&SearchRequest { join_images: true, ..request(&game, 100) }, None);
    assert!(report.moves.iter().all(|found| found.image_of.is_none()) && report.moves.len() == 50);
}
