//! A search from start to report: threads over one tree, kept from move to move.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::Builder;
use std::time::{Duration, Instant};

use jigo_board::{Color, Game, Move, Rules, Symmetry, WinRate};
use jigo_net::{Backend, Cache, Evaluation, Manner, Service};
use jigo_playout::StartPosition;

use crate::counting::Counting;
use crate::exchange::{Advice, Peers};
use crate::feedback::Slice;
use crate::images::Images;
use crate::komi::{DynamicKomi, Situation};
use crate::node::Node;
use crate::parameters::{KomiMethod, Parameters, SearchParameters};
use crate::peer_search::PeerSearch;
use crate::progress::{Progress, Teller};
use crate::report::SearchReport;
use crate::reporting::make_report;
use crate::resources::{Unavailable, ask_for_memory, ask_for_threads};
use crate::restriction::Restriction;
use crate::searcher::{SearchRequest, Searcher};
use crate::selection::{RootWidth, ScoreUtility};
use crate::shared::{Shared, Signals};
use crate::simulator::Simulator;
use crate::stop::{Limits, is_enough};
use crate::tally::Tally;
use crate::tree::Tree;

/// How often the first thread looks whether the search has seen enough.
const LOOK_EVERY: u64 = 32;
/// Moves before the position that generators may want to know.
const RECENT_MOVES: usize = 8;

pub struct TreeSearcher {
    parameters: Parameters,
    net: Option<Arc<dyn Backend>>,
    /// The net as the threads share it.
    service: Option<Service>,
    /// What nets said, if we share that with other searchers.
    shared_cache: Option<Arc<Cache>>,
    threads: usize,
    seed: u64,
    tree: Tree,
    simulators: Vec<Simulator>,
    komi: DynamicKomi,
    known: Option<Known>,
}

/// The game as of the last search, to see what can be kept of the tree.
struct Known {
    start: u64,
    size: usize,
    komi: f32,
    rules: Rules,
    moves: Vec<(Color, Move)>,
    to_move: Color,
    restrictions: Vec<Restriction>,
    plain_komi: bool,
}

impl TreeSearcher {
    /// Without a net, playouts alone judge positions. A machine that has less memory or fewer threads than asked for gives
    /// what it has, a half or a quarter; [`TreeSearcher::parameters`] and [`Searcher::threads`] tell.
    pub fn new(
        mut parameters: Parameters,
        net: Option<Arc<dyn Backend>>,
        mut threads: usize,
        seed: u64,
    ) -> TreeSearcher {
        let tree = loop {
            let SearchParameters { tree_megabytes, net_cache, .. } = &mut parameters.search;
            match tree_beside_cache(*tree_megabytes, *net_cache) {
                Ok(tree) => break tree,
                Err(nothing) if *tree_megabytes < 2 => panic!("{nothing}"),
                Err(_) => (*tree_megabytes, *net_cache) = (*tree_megabytes / 2, *net_cache / 2),
            }
        };
        while ask_for_threads(threads).is_err() {
            threads /= 2;
        }
        let service = serve(&parameters, net.as_ref(), None, seed);
        let komi = DynamicKomi::new(&parameters);
        TreeSearcher {
            parameters,
            net,
            service,
            shared_cache: None,
            threads: threads.max(1),
            seed,
            tree,
            simulators: Vec::new(),
            komi,
            known: None,
        }
    }

    /// Remembers what the net says together with all who have this cache, whatever `search.net_cache` is.
    pub fn with_shared_cache(mut self, cache: Arc<Cache>) -> TreeSearcher {
        self.shared_cache = Some(cache);
        self.forget();
        self
    }

    /// Keeps the part of the tree that belongs to this position, or starts a new one.
    fn follow(&mut self, request: &SearchRequest<'_>) {
        let game = request.game;
        let known = Known {
            start: game.start_board().hash(),
            size: game.size(),
            komi: game.effective_komi(),
            rules: *game.rules(),
            moves: game.moves().to_vec(),
            to_move: request.to_move,
            restrictions: request.restrictions.to_vec(),
            plain_komi: request.plain_komi,
        };
        let old = self.known.replace(known);
        let new_moves = old.as_ref().filter(|_| !request.fresh).and_then(|old| self.moves_since(old));
        match new_moves {
            Some(moves) => moves.into_iter().for_each(|mv| self.tree.advance(mv)),
            None => {
                self.tree.clear();
                if old.is_none_or(|old| old.moves.len() > game.moves().len() || old.size != game.size()) {
                    self.komi = DynamicKomi::new(&self.parameters);
                }
            }
        }
        self.make_simulators(game.size());
        if request.fresh {
            for (number, simulator) in self.simulators.iter_mut().enumerate() {
                simulator.begin_again(&self.parameters, thread_seed(self.seed, number));
            }
        }
        let view_seed = if request.steady_views { 0 } else { self.seed };
        self.simulators.iter_mut().for_each(|simulator| simulator.see_by(view_seed));
    }

    /// One simulator for every thread, made for this board size.
    fn make_simulators(&mut self, size: usize) {
        let are_made =
            self.simulators.len() == self.threads && self.simulators.iter().all(|simulator| simulator.size == size);
        if !are_made {
            let net = || self.service.as_ref().map(Service::connect);
            let simulator = |i| Simulator::new(&self.parameters, net(), size, thread_seed(self.seed, i));
            self.simulators = (0..self.threads).map(simulator).collect();
        }
    }

    /// The moves made since the last search, if the game went on from there with the players alternating.
    fn moves_since(&self, old: &Known) -> Option<Vec<Move>> {
        let new = self.known.as_ref()?;
        let of = |known: &Known| (known.start, known.size, known.komi, known.rules, known.plain_komi);
        let same_game = of(old) == of(new) && old.restrictions == new.restrictions;
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

    /// Points are worth most around what is expected: by the tree kept, or by the net's first look.
    fn score_utility(&self, game: &Game, root_look: Option<&Evaluation>) -> ScoreUtility {
        let komi = game.effective_komi();
        let expected = self.tree.root().mean_black_score().or(root_look.and_then(|look| look.value.black_score()));
        ScoreUtility { komi, centre: expected.map_or(0.0, |score| score - komi), side: game.size() as f32 }
    }

    /// Root moves that the rules of the game forbid are never tried.
    fn ban_at_root(&self, request: &SearchRequest<'_>) {
        for child in self.tree.pool().children(self.tree.root()) {
            let mv = child.mv();
            if request.game.check(request.to_move, mv).is_err() {
                child.ban();
            }
        }
    }
}

impl Searcher for TreeSearcher {
    fn search(&mut self, request: &SearchRequest<'_>, progress: Option<Progress<'_>>) -> SearchReport {
        self.search_with_peers(request, progress, None)
    }

    fn raw_net(&mut self, game: &Game, to_move: Color, symmetry: Symmetry, manner: Manner) -> Option<Evaluation> {
        self.make_simulators(game.size());
        let (position, game) = (position_of(game, to_move), Arc::new(game.clone()));
        self.simulators[0].net_opinion(&game, &position, Some(symmetry), manner).map(Arc::unwrap_or_clone)
    }

    fn set_parameters(&mut self, parameters: &Parameters) -> Result<(), Unavailable> {
        let memory = |of: &Parameters| (of.search.tree_megabytes, of.search.net_cache);
        if memory(parameters) != memory(&self.parameters) {
            self.tree = tree_beside_cache(parameters.search.tree_megabytes, parameters.search.net_cache)?;
        }
        let shares_net = |of: &Parameters| (of.search.net_cache, of.search.net_batch);
        if shares_net(parameters) != shares_net(&self.parameters) {
            self.service = serve(parameters, self.net.as_ref(), self.shared_cache.as_ref(), self.seed);
        }
        self.parameters = parameters.clone();
        self.clear();
        Ok(())
    }

    fn set_net(&mut self, net: Option<Arc<dyn Backend>>) -> bool {
        self.net = net;
        self.forget();
        true
    }

    fn forget(&mut self) {
        self.service = serve(&self.parameters, self.net.as_ref(), self.shared_cache.as_ref(), self.seed);
        self.clear();
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), Unavailable> {
        ask_for_threads(threads)?;
        self.threads = threads.max(1);
        self.clear();
        Ok(())
    }
}

impl TreeSearcher {
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn net_judges_alone(&self) -> bool {
        self.net.as_ref().is_some_and(|net| net.judges_alone())
    }

    /// How much the net's word counts: one that judges alone is not blurred by playouts.
    fn net_share(&self) -> f32 {
        if self.net_judges_alone() { 1.0 } else { self.parameters.search.net_share }
    }

    /// A net that is told the komi, and counts points beside winning, needs none of the komi that playouts are helped with.
    fn is_best_at_real_komi(&self) -> bool {
        self.net_judges_alone() && self.parameters.search.komi_method == KomiMethod::Adaptive
    }

    /// Forgets the tree and everything learnt; what the net said before is still known.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.known = None;
        self.simulators.clear();
        self.komi = DynamicKomi::new(&self.parameters);
    }

    /// As `search`; peers who search the same position elsewhere are told of this search and decide with it when to stop.
    /// The limits of time and playouts remain its own.
    pub fn search_with_peers(
        &mut self,
        request: &SearchRequest<'_>,
        progress: Option<Progress<'_>>,
        peers: Option<&mut dyn Peers>,
    ) -> SearchReport {
        let began = Instant::now();
        let game = Arc::new(request.game.clone());
        self.follow(request);
        let position = position_of(&game, request.to_move);
        let history: HashSet<u64> = game.position_hashes().collect();
        let situation = Situation::of(&game, request.to_move);
        self.komi.begin_move(&self.parameters.search, &situation);
        let simulator = &mut self.simulators[0];
        // Who wants the raw net's word hears what the search begins with: a slow net is not asked twice.
        let symmetry = request.raw_net.then_some(Symmetry::IDENTITY);
        let root_look = simulator.net_opinion(&game, &position, symmetry, Manner::ROOT);
        simulator.grow_root(self.tree.pool(), self.tree.root_index(), &position, root_look.as_deref());
        let raw_net = root_look.as_deref().filter(|_| request.raw_net);
        self.ban_at_root(request);
        let joins_images = request.join_images && self.parameters.search.join_images;
        let images = match joins_images && request.restrictions.is_empty() && peers.is_none() {
            true => Images::of(&game, request.to_move),
            false => Images::none(game.size()),
        };
        images.join(self.tree.pool().children(self.tree.root()));
        for simulator in &self.simulators {
            simulator.tally.clear();
        }

        let counting = Counting::of(&game);
        let score_utility = self.score_utility(&game, root_look.as_deref());
        let mut peers = peers.map(|peers| PeerSearch::new(peers, &self.tree));
        let mut teller = progress.map(Teller::new);
        let mut done = 0;
        loop {
            let root_moves = self.tree.pool().children(self.tree.root());
            let shared = Shared {
                parameters: &self.parameters.search,
                expand_at: self.parameters.search.visits_to_expand(game.size(), self.net.is_some()),
                pool: self.tree.pool(),
                root: self.tree.root_index(),
                position: &position,
                game: Arc::clone(&game),
                history: &history,
                situation,
                limits: request.limits,
                restrictions: request.restrictions,
                images: &images,
                move_ownership: request.move_ownership,
                may_settle: request.may_settle,
                plain_komi: request.plain_komi || self.is_best_at_real_komi(),
                net_komi: self.parameters.cgi.net_komi,
                net_share: self.net_share(),
                began,
                real_komi: game.effective_komi(),
                counting,
                root_look: root_look.clone(),
                score_utility,
                root_width: RootWidth::new(&self.parameters.search, root_moves, request.is_analysis()),
                stop: request.stop,
                signals: Signals::new(done),
            };
            shared.publish_komi(&self.komi);
            let tallies: Vec<_> = self.simulators.iter().map(|simulator| simulator.tally.clone()).collect();
            let report = |shared: &Shared<'_>| make_report(shared, &tallies, raw_net.cloned());
            let (leader, others) = self.simulators.split_first_mut().expect("there is at least one thread");
            let komi = &mut self.komi;
            std::thread::scope(|scope| {
                for simulator in others {
                    let started = Builder::new().spawn_scoped(scope, || follow_leader(simulator, &shared));
                    if started.is_err() {
                        // The system had room for them when it was asked. The others search on.
                        break;
                    }
                }
                lead(leader, &shared, &tallies, komi, &mut teller, &mut peers, &report);
            });
            if let Some(peers) = &mut peers {
                peers.look(&shared, true);
            }
            done = shared.signals.done.load(Relaxed);
            if !shared.is_full() || request.stop.load(Relaxed) || is_over_limits(&shared, done) {
                let report = report(&shared);
                if let Some(peers) = &mut peers {
                    peers.take_back(&shared);
                }
                return report;
            }
            self.tree.prune();
        }
    }
}

fn thread_seed(seed: u64, number: usize) -> u64 {
    seed.wrapping_add(number as u64 * 0x9E37_79B9)
}

/// A tree, if there is memory for it and for what the net will say.
fn tree_beside_cache(tree_megabytes: u32, net_cache: u32) -> Result<Tree, Unavailable> {
    ask_for_memory(tree_megabytes as usize + net_cache as usize)?;
    Tree::new(tree_megabytes as usize)
}

fn serve(
    parameters: &Parameters,
    net: Option<&Arc<dyn Backend>>,
    shared_cache: Option<&Arc<Cache>>,
    seed: u64,
) -> Option<Service> {
    let SearchParameters { net_cache, net_batch, .. } = parameters.search;
    let cache = || shared_cache.cloned().unwrap_or_else(|| Arc::new(Cache::new(net_cache as usize)));
    net.map(|net| Service::new(Arc::clone(net), cache(), net_batch as usize, seed))
}

fn position_of(game: &Game, to_move: Color) -> StartPosition {
    let recent = game.moves().iter().rev().take(RECENT_MOVES).rev().map(|&(_, mv)| mv).collect();
    StartPosition::new(game.board().clone(), to_move, recent)
}

fn is_over_limits(shared: &Shared<'_>, done: u64) -> bool {
    are_enough(shared, done) || shared.limits.time.is_some_and(|budget| shared.elapsed() >= budget.maximum)
}

/// Runs one simulation, halts the search if that was the last one allowed, and returns how many there were.
fn simulate_and_count(simulator: &mut Simulator, shared: &Shared<'_>) -> u64 {
    let counted = u64::from(simulator.simulate(shared));
    let done = shared.signals.done.fetch_add(counted, Relaxed) + counted;
    if are_enough(shared, done) {
        shared.halt();
    }
    done
}

/// Is a limit of simulations reached?
fn are_enough(shared: &Shared<'_>, done: u64) -> bool {
    let Limits { playouts, visits, .. } = shared.limits;
    let all = || u64::from(shared.pool.node(shared.root).visits());
    playouts.is_some_and(|limit| done >= limit) || visits.is_some_and(|limit| all() >= limit)
}

fn follow_leader(simulator: &mut Simulator, shared: &Shared<'_>) {
    while !shared.is_halted() {
        simulate_and_count(simulator, shared);
    }
}

/// The first thread simulates like the others, and now and then looks at the clock, the komi and the tree.
fn lead(
    simulator: &mut Simulator,
    shared: &Shared<'_>,
    tallies: &[Arc<Tally>],
    komi: &mut DynamicKomi,
    teller: &mut Option<Teller<'_>>,
    peers: &mut Option<PeerSearch<'_>>,
    report: &dyn Fn(&Shared<'_>) -> SearchReport,
) {
    let mut slice = Slice::now(shared, tallies);
    let interval = komi_interval(shared.parameters, &shared.limits);
    let already = shared.signals.done.load(Relaxed);
    let (mut next_komi, mut next_look) = (already + interval, already + LOOK_EVERY);
    // A search that goes on after pruning its tree has learnt already.
    let mut has_learnt = shared.parameters.komi_online && already > 0;
    let learns = komi.learns() && !shared.plain_komi;
    while !shared.is_halted() {
        let done = simulate_and_count(simulator, shared);
        let elapsed = shared.elapsed();
        if shared.limits.time.is_some_and(|budget| elapsed >= budget.maximum) {
            shared.halt();
        }
        if done >= next_komi && shared.parameters.komi_online && learns {
            next_komi = done + interval;
            has_learnt = true;
            let now = Slice::now(shared, tallies);
            slice.teach(&now, shared, tallies, komi);
            shared.publish_komi(komi);
            slice = now;
        }
        if done >= next_look && shared.may_settle {
            next_look = done + LOOK_EVERY;
            match peers {
                Some(peers) => peers.consider(shared, done, elapsed),
                None if looks_enough(shared, &shared.limits, done, elapsed) => shared.halt(),
                None => {}
            }
        }
        if let Some(peers) = peers
            && peers.look(shared, false) == Advice::Stop
        {
            shared.halt();
        }
        // The first visit is the root's own: it names no move.
        if let Some(teller) = teller
            && shared.pool.node(shared.root).visits() > 1
        {
            teller.tell_in_time(elapsed, || report(shared));
        }
    }
    // Once a move at least: a search shorter than the interval would never learn, and keep the komi of the opening for ever.
    if !has_learnt && learns {
        slice.teach(&Slice::now(shared, tallies), shared, tallies, komi);
    }
}

/// Simulations between two adjustments of komi: fewer in a search that would otherwise end before the first.
fn komi_interval(parameters: &SearchParameters, limits: &Limits) -> u64 {
    let slices = u64::from(parameters.komi_slices);
    let most = u64::from(parameters.komi_interval);
    match limits.playouts.or(limits.visits) {
        Some(playouts) if slices > 0 => (playouts / slices).clamp(1, most),
        _ => most,
    }
}

/// Do the stop rules say that the tree has seen enough?
pub(crate) fn looks_enough(shared: &Shared<'_>, limits: &Limits, playouts: u64, elapsed: Duration) -> bool {
    let children = shared.pool.children(shared.pool.node(shared.root));
    let mover = shared.position.to_move;
    is_enough(limits, shared.parameters, mover, children, |best| best_reply(shared, best), playouts, elapsed)
}

/// The win rate after the opponent's most simulated answer.
fn best_reply(shared: &Shared<'_>, best: &Node) -> Option<WinRate> {
    let reply = shared.pool.children(best).iter().max_by_key(|reply| reply.visits())?;
    reply.win_rate(shared.position.to_move.opponent())
}
