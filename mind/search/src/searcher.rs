//! A search from start to report: threads over one tree, kept from move to move.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use jigo_board::{Color, Game, Move};
use jigo_net::Net;
use jigo_playout::Position;

use crate::criticality::{black_win_rate, criticality};
use crate::dynamic_komi::{DynamicKomi, Situation};
use crate::node::Node;
use crate::parameters::{Parameters, Selection};
use crate::report::{MoveReport, SearchReport};
use crate::shared::{Shared, Signals, Slice};
use crate::stop::{Limits, is_enough};
use crate::tally;
use crate::tree::Tree;
use crate::worker::Worker;

/// What to think about, and for how long.
pub struct SearchRequest<'a> {
    pub game: &'a Game,
    pub to_move: Color,
    pub limits: Limits,
    /// Raise it from any thread to end the search.
    pub stop: &'a AtomicBool,
    /// Root moves not to be considered.
    pub avoid: &'a [Move],
}

/// Told about a running search every now and then.
pub struct Progress<'a> {
    pub every: Duration,
    pub tell: &'a mut dyn FnMut(&SearchReport),
}

/// Thinks about positions. The tree is one kind; a cluster or a bare policy are others.
pub trait Searcher: Send {
    fn search(&mut self, request: &SearchRequest<'_>, progress: Option<Progress<'_>>) -> SearchReport;
    fn parameters(&self) -> &Parameters;
    fn set_parameters(&mut self, parameters: Parameters);
    /// Forgets the tree and everything learnt: the next search starts afresh.
    fn clear(&mut self);
}

/// How often the first thread looks whether the search has seen enough.
const LOOK_EVERY: u64 = 32;
/// Moves before the position that generators may want to know.
const RECENT_MOVES: usize = 8;
/// Longer variations tell nothing.
const VARIATION_LENGTH: usize = 20;
/// A variation goes on while its moves were seen this often.
const VARIATION_VISITS: u32 = 2;

pub struct TreeSearcher {
    parameters: Parameters,
    net: Option<Arc<Net>>,
    threads: usize,
    seed: u64,
    tree: Tree,
    workers: Vec<Worker>,
    komi: DynamicKomi,
    known: Option<Known>,
}

/// The game as of the last search, to see what can be kept of the tree.
struct Known {
    start: u64,
    size: usize,
    komi: f32,
    moves: Vec<(Color, Move)>,
    to_move: Color,
}

impl TreeSearcher {
    /// Without a net, playouts alone judge positions.
    pub fn new(parameters: Parameters, net: Option<Arc<Net>>, threads: usize, seed: u64) -> TreeSearcher {
        let tree = Tree::new(parameters.search.tree_megabytes as usize);
        TreeSearcher {
            parameters,
            net,
            threads: threads.max(1),
            seed,
            tree,
            workers: Vec::new(),
            komi: DynamicKomi::default(),
            known: None,
        }
    }

    /// Keeps the part of the tree that belongs to this position, or starts a new one.
    fn follow(&mut self, game: &Game, to_move: Color) {
        let known = Known {
            start: game.start_board().hash(),
            size: game.size(),
            komi: game.effective_komi(),
            moves: game.moves().to_vec(),
            to_move,
        };
        let old = self.known.replace(known);
        let new_moves = old.as_ref().and_then(|old| self.moves_since(old));
        match new_moves {
            Some(moves) => moves.into_iter().for_each(|mv| self.tree.advance(mv)),
            None => {
                self.tree.clear();
                if old.is_none_or(|old| old.moves.len() > game.moves().len() || old.size != game.size()) {
                    self.komi = DynamicKomi::default();
                }
            }
        }
        if self.workers.len() != self.threads {
            let seed = |i: usize| self.seed.wrapping_add(i as u64 * 0x9E37_79B9);
            self.workers = (0..self.threads)
                .map(|i| {
                    let Parameters { playout, prior, .. } = &self.parameters;
                    Worker::new(playout, prior, self.net.clone(), game.size(), seed(i))
                })
                .collect();
        }
    }

    /// The moves made since the last search, if the game went on from there with the players alternating.
    fn moves_since(&self, old: &Known) -> Option<Vec<Move>> {
        let new = self.known.as_ref()?;
        let same_game = (old.start, old.size, old.komi) == (new.start, new.size, new.komi);
        let added = new.moves.strip_prefix(&old.moves[..])?;
        let mut color = old.to_move;
        for &(mover, _) in added {
            if mover != color {
                return None;
            }
            color = color.opponent();
        }
        (same_game && color == new.to_move).then(|| added.iter().map(|&(_, mv)| mv).collect())
    }

    /// Root moves that the rules of the game forbid, or the request does, are never tried.
    fn ban_at_root(&self, request: &SearchRequest<'_>) {
        for child in self.tree.pool().children(self.tree.root()) {
            let mv = child.mv();
            if request.game.check(request.to_move, mv).is_err() || request.avoid.contains(&mv) {
                child.ban();
            }
        }
    }
}

impl Searcher for TreeSearcher {
    fn search(&mut self, request: &SearchRequest<'_>, mut progress: Option<Progress<'_>>) -> SearchReport {
        let began = Instant::now();
        let game = request.game;
        self.follow(game, request.to_move);
        let recent = game.moves().iter().rev().take(RECENT_MOVES).rev().map(|&(_, mv)| mv).collect();
        let position = Position::new(game.board().clone(), request.to_move, recent);
        let history: HashSet<u64> = game.position_hashes().collect();
        let situation = Situation::new(game.board(), request.to_move, game.moves().len(), game.handicap().len());
        self.komi.begin_move(&self.parameters.search, &situation);
        self.workers[0].grow_root(self.tree.pool(), self.tree.root_index(), &position);
        self.ban_at_root(request);
        for worker in &self.workers {
            worker.tally.clear();
        }

        let mut done = 0;
        loop {
            let shared = Shared {
                parameters: &self.parameters.search,
                selection: match (self.parameters.search.selection, &self.net) {
                    (Selection::Auto, Some(_)) => Selection::Puct,
                    (Selection::Auto, None) => Selection::Rave,
                    (chosen, _) => chosen,
                },
                expand_at: if self.net.is_some() { 1 } else { self.parameters.search.expand_at },
                pool: self.tree.pool(),
                root: self.tree.root_index(),
                position: &position,
                history: &history,
                situation,
                limits: request.limits,
                began,
                real_komi: game.effective_komi(),
                dead_stones_are_agreed: game.rules().friendly_pass_ok,
                stop: request.stop,
                signals: Signals::new(done),
            };
            shared.publish_komi(&self.komi);
            let tallies: Vec<_> = self.workers.iter().map(|worker| worker.tally.clone()).collect();
            let (leader, others) = self.workers.split_first_mut().expect("there is at least one thread");
            let komi = &mut self.komi;
            std::thread::scope(|scope| {
                for worker in others {
                    scope.spawn(|| follow_leader(worker, &shared));
                }
                let report = |shared: &Shared<'_>| {
                    let mut report = make_report(shared);
                    let (ownership, scores) = tally::sum(tallies.iter().map(|tally| &**tally));
                    report.set_tallies(ownership, scores);
                    report
                };
                lead(leader, &shared, komi, &mut progress, &report);
            });
            done = shared.signals.done.load(Relaxed);
            if !shared.is_full() || request.stop.load(Relaxed) || is_over_limits(&shared, done) {
                let mut report = make_report(&shared);
                let (ownership, scores) = tally::sum(tallies.iter().map(|tally| &**tally));
                report.set_tallies(ownership, scores);
                return report;
            }
            self.tree.prune();
        }
    }

    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn set_parameters(&mut self, parameters: Parameters) {
        if parameters.search.tree_megabytes != self.parameters.search.tree_megabytes {
            self.tree = Tree::new(parameters.search.tree_megabytes as usize);
        }
        self.parameters = parameters;
        self.clear();
    }

    fn clear(&mut self) {
        self.tree.clear();
        self.known = None;
        self.workers.clear();
        self.komi = DynamicKomi::default();
    }
}

fn is_over_limits(shared: &Shared<'_>, done: u64) -> bool {
    shared.limits.playouts.is_some_and(|limit| done >= limit)
        || shared.limits.time.is_some_and(|budget| shared.elapsed() >= budget.maximum)
}

/// One simulation counted; true if the limit of playouts is reached by it.
fn simulate_and_count(worker: &mut Worker, shared: &Shared<'_>) -> u64 {
    let counted = u64::from(worker.simulate(shared));
    let done = shared.signals.done.fetch_add(counted, Relaxed) + counted;
    if shared.limits.playouts.is_some_and(|limit| done >= limit) {
        shared.halt();
    }
    done
}

fn follow_leader(worker: &mut Worker, shared: &Shared<'_>) {
    while !shared.is_halted() {
        simulate_and_count(worker, shared);
    }
}

/// The first thread simulates like the others, and now and then looks at the clock, the komi and the tree.
fn lead(
    worker: &mut Worker,
    shared: &Shared<'_>,
    komi: &mut DynamicKomi,
    progress: &mut Option<Progress<'_>>,
    report: &dyn Fn(&Shared<'_>) -> SearchReport,
) {
    let mut slice = Slice::now(shared);
    let interval = u64::from(shared.parameters.komi_interval);
    let already = shared.signals.done.load(Relaxed);
    let (mut next_komi, mut next_look) = (already + interval, already + LOOK_EVERY);
    let mut next_tell = progress.as_ref().map(|progress| shared.elapsed() + progress.every);
    while !shared.is_halted() {
        let done = simulate_and_count(worker, shared);
        let elapsed = shared.elapsed();
        if shared.limits.time.is_some_and(|budget| elapsed >= budget.maximum) {
            shared.halt();
        }
        if done >= next_komi && shared.adjusts_komi() {
            next_komi = done + interval;
            let now = Slice::now(shared);
            if let Some(feedback) = slice.feedback(&now, shared) {
                komi.adjust(shared.parameters, &shared.situation, feedback);
                shared.publish_komi(komi);
            }
            slice = now;
        }
        if done >= next_look {
            next_look = done + LOOK_EVERY;
            let children = shared.pool.children(shared.pool.node(shared.root));
            if is_enough(&shared.limits, shared.parameters, children, |best| best_reply(shared, best), done, elapsed) {
                shared.halt();
            }
        }
        if let (Some(progress), Some(at)) = (progress.as_mut(), next_tell)
            && elapsed >= at
        {
            (progress.tell)(&report(shared));
            next_tell = Some(elapsed + progress.every);
        }
    }
    if !shared.parameters.komi_online
        && let Some(feedback) = slice.feedback(&Slice::now(shared), shared)
    {
        komi.adjust(shared.parameters, &shared.situation, feedback);
    }
}

/// The win rate of the opponent's most simulated answer, for the opponent.
fn best_reply(shared: &Shared<'_>, best: &Node) -> Option<f32> {
    shared.pool.children(best).iter().max_by_key(|reply| reply.visits())?.win_rate()
}

fn make_report(shared: &Shared<'_>) -> SearchReport {
    let root = shared.pool.node(shared.root);
    let to_move = shared.position.to_move;
    let mut report = SearchReport::new(to_move, shared.real_komi);
    report.playouts = shared.signals.done.load(Relaxed);
    report.visits = root.visits();
    report.elapsed = shared.elapsed();
    report.win_rate = 1.0 - root.win_rate().unwrap_or(0.5);
    report.black_score = root.mean_black_score().unwrap_or(0.0);
    report.extra_komi = shared.komi_at(0) - shared.real_komi;
    report.nodes = shared.pool.used();
    let black_wins = black_win_rate(root, to_move).unwrap_or(0.5);
    let share = 1.0 / root.visits().max(1) as f32;
    let mut children: Vec<&Node> = shared.pool.children(root).iter().filter(|child| !child.is_banned()).collect();
    children.sort_by(|a, b| b.visits().cmp(&a.visits()).then(b.policy.get().total_cmp(&a.policy.get())));
    report.moves = children
        .into_iter()
        .map(|child| MoveReport {
            mv: child.mv(),
            visits: child.visits(),
            win_rate: child.win_rate().unwrap_or(report.win_rate),
            black_score: child.mean_black_score().unwrap_or(report.black_score),
            policy: child.policy.get(),
            amaf_win_rate: (child.amaf_visits.get() > 0.0).then(|| child.amaf_wins.get() / child.amaf_visits.get()),
            criticality: criticality(child.winner_owned.get() * share, child.black_owned.get() * share, black_wins),
            variation: variation(shared, child),
        })
        .collect();
    report
}

fn variation(shared: &Shared<'_>, from: &Node) -> Vec<Move> {
    let mut line = vec![from.mv()];
    let mut node = from;
    while let Some(best) = shared.pool.children(node).iter().max_by_key(|child| child.visits()) {
        if best.visits() < VARIATION_VISITS || line.len() >= VARIATION_LENGTH {
            break;
        }
        line.push(best.mv());
        node = best;
    }
    line
}
