//! Searches that share a position: what they tell is theirs alone and exact, and what they hear is used and not told again.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use jigo_board::{Game, Move, Rules};
use jigo_search::{
    Advice, Counts, Exchange, Limits, Parameters, Path, Peers, Rank, SearchReport, SearchRequest, Standing,
    TreeSearcher,
};

static NEVER: AtomicBool = AtomicBool::new(false);

/// Listens to everything, and tells one thing from the start.
struct Friend {
    levels: usize,
    rank: Rank,
    tells: Vec<(Path, Counts)>,
    heard: HashMap<Path, Counts>,
    stop_at: u64,
    last: Option<Standing>,
}

impl Friend {
    fn new(levels: usize) -> Friend {
        let rank = Rank { number: 0, of: 1 };
        Friend { levels, rank, tells: Vec::new(), heard: HashMap::new(), stop_at: u64::MAX, last: None }
    }

    fn root(&self) -> Counts {
        self.heard[&Path::ROOT]
    }

    /// The sum over all nodes so many moves deep.
    fn visits_at(&self, depth: usize) -> u64 {
        self.heard.iter().filter(|(path, _)| path.moves().len() == depth).map(|(_, counts)| counts.visits).sum()
    }
}

impl Peers for Friend {
    fn levels(&self) -> usize {
        self.levels
    }

    fn rank(&self) -> Rank {
        self.rank
    }

    fn playouts_of_all(&self) -> Option<u64> {
        None
    }

    fn look(&mut self, exchange: &mut Exchange<'_>, standing: Standing) -> Advice {
        self.heard.extend(exchange.own());
        exchange.set_others(&self.tells);
        self.last = Some(standing);
        if standing.playouts >= self.stop_at { Advice::Stop } else { Advice::GoOn }
    }
}

fn searcher(threads: usize, megabytes: u32) -> TreeSearcher {
    let mut parameters = Parameters::default();
    parameters.search.tree_megabytes = megabytes;
    TreeSearcher::new(parameters, None, threads, 1)
}

fn search(searcher: &mut TreeSearcher, game: &Game, playouts: u64, friend: &mut Friend) -> SearchReport {
    let limits = Limits { playouts: Some(playouts), visits: None, time: None };
    let request = SearchRequest::new(game, game.to_move(), limits, &NEVER);
    searcher.search_with_peers(&request, None, Some(friend))
}

#[test]
fn every_simulation_is_told_once_whatever_the_number_of_threads() {
    for threads in [1, 3] {
        let game = Game::new(7, Rules::default());
        let mut friend = Friend::new(2);
        let report = search(&mut searcher(threads, 64), &game, 600, &mut friend);
        assert_eq!(friend.root().visits, report.playouts);
        assert_eq!(friend.visits_at(1), report.playouts, "{threads} threads");
        assert!(friend.visits_at(2) > report.playouts / 2);
    }
}

#[test]
fn what_the_others_found_counts_but_is_not_told_again() {
    let game = Game::new(7, Rules::default());
    let mut first = Friend::new(2);
    let alone = search(&mut searcher(1, 64), &game, 500, &mut first);

    let mut second = Friend::new(2);
    second.tells = first.heard.iter().map(|(&path, &counts)| (path, counts)).collect();
    let mut together = searcher(1, 64);
    let report = search(&mut together, &game, 300, &mut second);
    assert_eq!(second.root().visits, report.playouts);
    assert_eq!(u64::from(report.visits), report.playouts + alone.playouts);
    for found in &report.moves {
        let path = Path::ROOT.then(found.mv).unwrap();
        let told = |friend: &Friend| friend.heard.get(&path).map_or(0, |counts| counts.visits);
        assert_eq!(u64::from(found.visits), told(&first) + told(&second), "{:?}", found.mv);
    }

    // Nothing that others said outlives the search: the next one begins with our own part, and tells none of it.
    let mut later = Friend::new(2);
    let again = search(&mut together, &game, 200, &mut later);
    assert_eq!(u64::from(again.visits), report.playouts + again.playouts);
    assert_eq!(later.root().visits, again.playouts);
    assert_eq!(later.visits_at(1), again.playouts);
}

/// Owners of points are known of our own simulations only; ten times as many of the others must not thin them out.
#[test]
fn criticality_is_of_our_own_simulations() {
    let game = Game::new(7, Rules::default());
    let mut first = Friend::new(1);
    let alone = search(&mut searcher(1, 64), &game, 2000, &mut first);
    let many = |counts: &Counts| Counts { visits: 10 * counts.visits, wins: 10 * counts.wins, ..*counts };
    let mut second = Friend::new(1);
    second.tells = first.heard.iter().map(|(&path, counts)| (path, many(counts))).collect();
    let together = search(&mut searcher(1, 64), &game, 2000, &mut second);

    let mean = |report: &SearchReport| {
        let points = || report.moves.iter().filter(|found| found.mv != Move::Pass);
        points().map(|found| found.criticality).sum::<f32>() / points().count() as f32
    };
    assert!(mean(&alone) > 0.0, "owning points and winning go together: {}", mean(&alone));
    assert!((mean(&together) - mean(&alone)).abs() < 0.05, "{} alone, {} together", mean(&alone), mean(&together));
}

#[test]
fn pruning_neither_loses_nor_doubles() {
    let game = Game::new(9, Rules::default());
    let mut friend = Friend::new(4);
    let corner = Path::ROOT.then(Move::parse("A1", 9).unwrap()).unwrap();
    friend.tells = vec![(Path::ROOT, Counts { visits: 50, ..Counts::default() }), (corner, Counts::default())];
    // The smallest tree fills up several times.
    let report = search(&mut searcher(1, 8), &game, 12_000, &mut friend);
    assert_eq!(friend.root().visits, report.playouts);
    assert_eq!(friend.visits_at(1), report.playouts);
    assert_eq!(u64::from(report.visits), report.playouts + 50);
}

#[test]
fn machines_look_at_different_moves() {
    let game = Game::new(9, Rules::default());
    let share_of_even_moves = |number: u32| {
        let mut friend = Friend::new(1);
        friend.rank = Rank { number, of: 2 };
        let report = search(&mut searcher(1, 64), &game, 1000, &mut friend);
        let is_even = |mv: Move| mv.point().map_or(0, |point| point.index()).is_multiple_of(2);
        let even: u32 = report.moves.iter().filter(|found| is_even(found.mv)).map(|found| found.visits).sum();
        f64::from(even) / f64::from(report.visits)
    };
    let (even, odd) = (share_of_even_moves(0), share_of_even_moves(1));
    assert!(even > odd + 0.1, "the first machine gives even points {even}, the second {odd}");
}

#[test]
fn peers_end_a_search() {
    let game = Game::new(7, Rules::default());
    let mut friend = Friend::new(1);
    friend.stop_at = 150;
    let report = search(&mut searcher(1, 64), &game, 100_000, &mut friend);
    assert_eq!(report.playouts, 150);
    assert_eq!(friend.last.map(|standing| standing.playouts), Some(150));
}
