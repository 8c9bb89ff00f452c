//! One simulation on one page: select, expand, evaluate, back up.

use std::collections::HashMap;
use std::sync::Arc;

use jigo_board::{Game, Move, PointSet, Rng, Symmetry};
use jigo_net::planes::HISTORY;
use jigo_net::{Connection, Evaluation, Manner, Told, View};
use jigo_playout::{Generator, Outcome, Playout, Simulation};

use crate::backup::{FirstPlays, SimulationResult, back_up};
use crate::dead_stones::{DeadStones, OwnerTeller};
use crate::parameters::Parameters;
use crate::playout_owners::PlayoutOwners;
use crate::pool::Pool;
use crate::priors::Priors;
use crate::selection::{Choice, Selector};
use crate::shared::Shared;
use crate::tally::{Ending, Tally};

/// Playouts that say which stones are dead where games end in the tree, if no net does.
const END_PLAYOUTS: usize = 32;
/// Ends that are remembered before all are forgotten.
const MOST_ENDS: usize = 4096;

/// A thread's own memory, kept between searches.
pub struct Simulator {
    /// Playouts and priors are made for one board size.
    pub size: usize,
    selector: Selector,
    simulation: Simulation,
    playout: Playout,
    priors: Priors,
    net: Option<Connection>,
    /// What the net said of the leaf of this simulation, if it was asked.
    leaf: Option<Arc<Evaluation>>,
    /// The moves from the root to the leaf, for the net.
    line: Vec<Move>,
    outcome: Outcome,
    /// The dead stones of positions in which games ended, by hash.
    ends: HashMap<u64, PointSet>,
    first_plays: FirstPlays,
    rng: Rng,
    /// Pool indices of the root and of the node after each move of the tree.
    path: Vec<usize>,
    pub tally: Arc<Tally>,
}

impl Simulator {
    pub fn new(parameters: &Parameters, net: Option<Connection>, size: usize, seed: u64) -> Simulator {
        let selector = Selector::new(parameters, size, net.is_some());
        Simulator {
            size,
            simulation: Simulation::new(),
            playout: Playout::new(&parameters.playout, size, seed),
            priors: Priors::new(&parameters.prior, selector.counts_priors()),
            selector,
            net,
            leaf: None,
            line: Vec::new(),
            outcome: Outcome::default(),
            ends: HashMap::new(),
            first_plays: FirstPlays::new(),
            rng: Rng::new(seed ^ 0x7EE5),
            path: Vec::new(),
            tally: Arc::new(Tally::new()),
        }
    }

    /// Forgets what chance and earlier searches did to it.
    pub fn begin_again(&mut self, parameters: &Parameters, seed: u64) {
        *self = Simulator::new(parameters, self.net.take(), self.size, seed);
    }

    /// From which side the net sees each position follows from the position and this seed.
    pub fn see_by(&mut self, seed: u64) {
        if let Some(net) = &mut self.net {
            net.set_seed(seed);
        }
    }

    /// Runs one simulation. False if it had to be given up, because a position of the game repeated.
    pub fn simulate(&mut self, shared: &Shared<'_>) -> bool {
        let descended = self.descend(shared);
        if descended {
            let tree_moves = self.path.len() - 1;
            let komi = shared.komi_at(tree_moves);
            let has_ended = self.simulation.two_passes();
            let plays_out = !has_ended && self.needs_playout(shared, tree_moves);
            if has_ended {
                self.count_end(shared);
            } else if plays_out {
                self.playout.run(&mut self.simulation, komi, &mut self.outcome);
            }
            let leaf = self.leaf.as_deref().filter(|_| !has_ended);
            let ends_now = leaf.map_or(0.0, |leaf| leaf.probability(Move::Pass));
            let area_surplus = match has_ended {
                true => 0.0,
                false => shared.counting.area_surplus_at(&self.simulation, tree_moves, ends_now),
            };
            let ending = Ending {
                board: &self.simulation.board,
                outcome: (has_ended || plays_out).then_some(&self.outcome),
                net: leaf,
                net_share: if plays_out { shared.net_share } else { 1.0 },
                area_surplus,
                first: self.simulation.moves().first().filter(|_| tree_moves > 0).map(|played| played.mv),
            };
            self.tally.add(&ending, shared.move_ownership);
            let result = SimulationResult {
                moves: self.simulation.moves(),
                to_move: self.simulation.to_move,
                outcome: ending.outcome,
                value: ending.value(komi, shared.net_komi),
                black_score: ending.black_score(),
                weigh_by_distance: shared.parameters.amaf_distance,
                track_criticality: shared.parameters.criticality > 0.0,
                reaches_below_root: self.selector.reads_amaf(),
            };
            back_up(shared.pool, &self.path, &result, &mut self.first_plays);
        }
        for &index in &self.path[1..] {
            shared.pool.node(index).leave();
        }
        descended
    }

    /// Is the leaf worth a playout? The first look is the net's alone, and so are all if the net is to be trusted that far.
    fn needs_playout(&self, shared: &Shared<'_>, tree_moves: usize) -> bool {
        self.leaf.is_none() || (tree_moves > 0 && shared.net_share < 1.0)
    }

    /// Two passes end the game: it is counted as the rules say, with dead stones agreed on or all alive.
    fn count_end(&mut self, shared: &Shared<'_>) {
        let dead = if shared.counting.dead_stones_are_agreed() { self.dead_stones(shared) } else { PointSet::EMPTY };
        shared.counting.count(&self.simulation, &dead, &mut self.outcome);
    }

    /// The dead stones of the present position, by the net's word if it tells owners, else by playouts.
    fn dead_stones(&mut self, shared: &Shared<'_>) -> PointSet {
        let board = &self.simulation.board;
        if let Some(known) = self.ends.get(&board.hash()) {
            return *known;
        }
        // The net is asked about the position as it was before the passes, which it has usually seen already.
        let position = seen_by_net(&self.simulation, self.simulation.recent().skip_while(|&mv| mv == Move::Pass));
        let moves = self.simulation.moves().iter().map(|played| played.mv);
        self.line.clear();
        self.line.extend(moves);
        let played = self.line.iter().rposition(|&mv| mv != Move::Pass).map_or(0, |last| last + 1);
        let told = Told {
            game: &shared.game,
            moves: &self.line[..played],
            komi: shared.real_komi,
            manner: Manner { conservative_pass: true, ..Manner::PLAIN },
        };
        let looked = self.net.as_mut().map(|net| net.look(&position, Some(told)));
        let dead = match looked.filter(|look| look.black_territory().is_some()) {
            Some(look) => {
                let black_owns = |point| look.black_ownership(point).unwrap_or(0.0);
                DeadStones::new(board, OwnerTeller::Net, black_owns).dead
            }
            None => {
                let owners = PlayoutOwners::new(board, &mut self.playout, END_PLAYOUTS, || true);
                DeadStones::new(board, OwnerTeller::Playouts, |point| owners.black_owns(point)).dead
            }
        };
        if self.ends.len() >= MOST_ENDS {
            self.ends.clear();
        }
        self.ends.insert(board.hash(), dead);
        dead
    }

    /// Follows the tree to a leaf, growing it on the way.
    fn descend(&mut self, shared: &Shared<'_>) -> bool {
        self.simulation.restart(shared.position);
        self.leaf = None;
        self.path.clear();
        self.path.push(shared.root);
        if shared.root_look.is_some() && shared.pool.node(shared.root).visits() == 0 && shared.take_first_look() {
            self.leaf.clone_from(&shared.root_look);
            return true;
        }
        loop {
            let index = self.path[self.path.len() - 1];
            let node = shared.pool.node(index);
            if node.children().is_none() {
                let is_known = node.visits() > 0;
                if !self.grow(shared, index) {
                    // A leaf that another thread is growing is looked at all the same.
                    if self.leaf.is_none() {
                        let komi = shared.komi_at(self.path.len() - 1) + shared.net_komi;
                        self.leaf = self.ask_net(&shared.game, komi, Manner::TREE);
                    }
                    return true;
                }
                // A leaf that the net sees for the first time is evaluated where it is. What it has said before counts once: this
                // visit looks further.
                if self.leaf.is_some() && !is_known {
                    return true;
                }
                self.leaf = None;
            }
            let children = shared.pool.children(node);
            let depth = self.path.len() - 1;
            let choice = Choice {
                parameters: shared.parameters,
                node,
                children,
                depth,
                mover: self.simulation.to_move,
                restrictions: shared.restrictions,
                rank: shared.rank(),
                score_utility: &shared.score_utility,
                root_width: shared.root_width.as_ref().filter(|_| depth == 0),
            };
            let Some(chosen) = self.selector.select(&choice, &mut self.rng) else { return true };
            let child = &children[chosen];
            child.enter();
            self.path.push(node.children().map_or(0, |range| range.start) + chosen);
            if !self.make(shared, child.mv()) {
                child.ban();
                return false;
            }
            if self.simulation.two_passes() {
                return true;
            }
        }
    }

    /// Plays a move of the tree; false if it brings back a position of the game so far. Positions of this path are not
    /// remembered: the way down ends one node beyond the known tree, so that no cycle keeps it going.
    fn make(&mut self, shared: &Shared<'_>, mv: Move) -> bool {
        let before = self.simulation.board.empties().len();
        self.simulation.play(mv, Generator::Given);
        // Only a capture can bring back an earlier position; all others have fewer stones.
        let captured = self.simulation.board.empties().len() + 1 > before;
        mv == Move::Pass || !captured || !shared.history.contains(&self.simulation.board.hash())
    }

    /// Gives a leaf its children if it has been visited often enough. False if it stays a leaf for now.
    fn grow(&mut self, shared: &Shared<'_>, index: usize) -> bool {
        let node = shared.pool.node(index);
        if node.visits() < shared.expand_at || !node.claim_growth() {
            return false;
        }
        let komi = shared.komi_at(self.path.len() - 1) + shared.net_komi;
        self.leaf = self.ask_net(&shared.game, komi, Manner::TREE);
        match plant(shared.pool, self.priors.candidates(&self.simulation, self.leaf.as_deref())) {
            Some((first, count)) => {
                node.finish_growth(first as u32, count);
                true
            }
            None => {
                node.give_up_growth();
                shared.report_full();
                false
            }
        }
    }

    /// What the net thinks of the present position, which moves of this simulation led to from the game's.
    fn ask_net(&mut self, game: &Arc<Game>, komi: f32, manner: Manner) -> Option<Arc<Evaluation>> {
        self.line.clear();
        self.line.extend(self.simulation.moves().iter().map(|played| played.mv));
        let told = Told { game, moves: &self.line, komi, manner };
        let position = seen_by_net(&self.simulation, self.simulation.recent());
        self.net.as_mut().map(|net| net.look(&position, Some(told)))
    }

    /// What the net thinks of a position of the game, laid before it in a given way or in one that is drawn.
    pub fn net_opinion(
        &mut self,
        game: &Arc<Game>,
        position: &jigo_playout::StartPosition,
        symmetry: Option<Symmetry>,
        manner: Manner,
    ) -> Option<Arc<Evaluation>> {
        self.simulation.restart(position);
        let told = Some(Told { game, moves: &[], komi: game.effective_komi(), manner });
        let position = seen_by_net(&self.simulation, self.simulation.recent());
        self.net.as_mut().map(|net| match symmetry {
            Some(symmetry) => net.look_from(View { position, symmetry, told }),
            None => net.look(&position, told),
        })
    }

    /// Makes sure that the root has children before the threads start; `look` is what the net thinks of it.
    pub fn grow_root(
        &mut self,
        pool: &Pool,
        root: usize,
        position: &jigo_playout::StartPosition,
        look: Option<&Evaluation>,
    ) {
        let node = pool.node(root);
        if node.children().is_none() && node.claim_growth() {
            self.simulation.restart(position);
            match plant(pool, self.priors.candidates(&self.simulation, look)) {
                Some((first, count)) => node.finish_growth(first as u32, count),
                None => node.give_up_growth(),
            }
        }
    }
}

/// A position for the net, with the moves that led to it, newest first.
fn seen_by_net(simulation: &Simulation, moves: impl Iterator<Item = Move>) -> jigo_net::Position<'_> {
    let mut recent = [None; HISTORY];
    for (slot, mv) in recent.iter_mut().zip(moves) {
        *slot = Some(mv);
    }
    jigo_net::Position { board: &simulation.board, to_move: simulation.to_move, recent }
}

/// Puts the candidates into fresh nodes, which nobody else sees yet.
fn plant(pool: &Pool, candidates: &[crate::priors::Candidate]) -> Option<(usize, usize)> {
    let first = pool.take(candidates.len())?;
    for (offset, candidate) in candidates.iter().enumerate() {
        let child = pool.node(first + offset);
        child.reset(candidate.mv);
        child.prior_visits.set(candidate.prior_visits);
        child.prior_wins.set(candidate.prior_wins);
        child.policy.set(candidate.policy);
    }
    Some((first, candidates.len()))
}
