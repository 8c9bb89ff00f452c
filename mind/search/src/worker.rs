//! One simulation on one page: select, expand, evaluate, back up.

use std::sync::Arc;

use jigo_board::{Game, Move, Rng, Symmetry};
use jigo_net::planes::HISTORY;
use jigo_net::{Connection, Evaluation, Manner, Told, View};
use jigo_playout::{Generator, Outcome, Playout, Simulation};

use crate::backup::{FirstPlays, Lesson, back_up};
use crate::parameters::Parameters;
use crate::pool::Pool;
use crate::priors::Priors;
use crate::selection::{Choice, Selector};
use crate::shared::Shared;
use crate::tally::{Ending, Tally};

/// A thread's own memory, kept between searches.
pub struct Worker {
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
    first_plays: FirstPlays,
    rng: Rng,
    /// Pool indices of the root and of the node after each move of the tree.
    path: Vec<usize>,
    pub tally: Arc<Tally>,
}

impl Worker {
    pub fn new(parameters: &Parameters, net: Option<Connection>, size: usize, seed: u64) -> Worker {
        let selector = Selector::new(parameters, size, net.is_some());
        Worker {
            size,
            simulation: Simulation::new(),
            playout: Playout::new(&parameters.playout, size, seed),
            priors: Priors::new(&parameters.prior, selector.counts_priors()),
            selector,
            net,
            leaf: None,
            line: Vec::new(),
            outcome: Outcome::default(),
            first_plays: FirstPlays::new(),
            rng: Rng::new(seed ^ 0x7EE5),
            path: Vec::new(),
            tally: Arc::new(Tally::new()),
        }
    }

    /// Runs one simulation. False if it had to be given up, because a position of the game repeated.
    pub fn simulate(&mut self, shared: &Shared<'_>) -> bool {
        let descended = self.descend(shared);
        if descended {
            let tree_moves = self.path.len() - 1;
            let komi = shared.komi_at(tree_moves);
            let is_over = self.simulation.two_passes();
            if self.leaf.is_none() && shared.net_share == 1.0 && !is_over {
                // Another thread has the leaf in hand. Asking as well is better than playing on blindly.
                self.leaf = self.ask_net(&shared.game, komi + shared.net_komi, Manner::TREE);
            }
            match &self.leaf {
                _ if is_over && !shared.dead_stones_are_agreed => {
                    self.outcome.count_as_it_stands(&self.simulation.board);
                }
                Some(leaf) if shared.net_share == 1.0 => {
                    let owner = |point| leaf.black_ownership(point).unwrap_or_default();
                    let score = leaf.value.black_score().unwrap_or_default();
                    self.outcome.expect(&self.simulation.board, score, owner);
                }
                _ => self.playout.run(&mut self.simulation, komi, &mut self.outcome),
            }
            let share = shared.net_share;
            let net = self.leaf.as_deref().map(|leaf| (leaf, share, leaf.value.drawn_black_score(self.rng.unit())));
            let first = self.simulation.moves().first().filter(|_| tree_moves > 0).map(|played| played.mv);
            let ending = Ending { board: &self.simulation.board, outcome: &self.outcome, net, first };
            self.tally.add(&ending, shared.move_ownership);
            let played = self.outcome.black_value(komi);
            let black_value = match &self.leaf {
                Some(leaf) => {
                    let asked_komi = komi + shared.net_komi;
                    (1.0 - share) * played + share * leaf.value.black_win_rate(asked_komi)
                }
                None => played,
            };
            let lesson = Lesson {
                moves: self.simulation.moves(),
                outcome: &self.outcome,
                black_value,
                black_score: ending.black_score(),
                weigh_by_distance: shared.parameters.amaf_distance,
                track_criticality: shared.parameters.criticality > 0.0,
            };
            back_up(shared.pool, &self.path, &lesson, &mut self.first_plays);
        }
        for &index in &self.path[1..] {
            shared.pool.node(index).leave();
        }
        descended
    }

    /// Follows the tree to a leaf, growing it on the way.
    fn descend(&mut self, shared: &Shared<'_>) -> bool {
        self.simulation.restart(shared.position);
        self.leaf = None;
        self.path.clear();
        self.path.push(shared.root);
        loop {
            let index = self.path[self.path.len() - 1];
            let node = shared.pool.node(index);
            // A leaf that the net has just looked at is evaluated where it is.
            if node.children().is_none() && (!self.grow(shared, index) || self.leaf.is_some()) {
                return true;
            }
            let children = shared.pool.children(node);
            let choice = Choice {
                parameters: shared.parameters,
                node,
                children,
                depth: self.path.len() - 1,
                mover: self.simulation.to_move,
                restrictions: shared.restrictions,
                rank: shared.rank(),
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
    /// remembered: playouts end long cycles.
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
        let position = seen_by_net(&self.simulation);
        self.net.as_mut().map(|net| net.look(&position, Some(told)))
    }

    /// What the net thinks of a position of the game, laid before it in a given way.
    pub fn net_opinion(
        &mut self,
        game: &Arc<Game>,
        position: &jigo_playout::Position,
        symmetry: Symmetry,
        manner: Manner,
    ) -> Option<Arc<Evaluation>> {
        self.simulation.restart(position);
        let told = Told { game, moves: &[], komi: game.effective_komi(), manner };
        let view = View { position: seen_by_net(&self.simulation), symmetry, told: Some(told) };
        self.net.as_mut().map(|net| net.look_from(view))
    }

    /// Makes sure that the root has children before the threads start.
    pub fn grow_root(&mut self, pool: &Pool, root: usize, game: &Arc<Game>, position: &jigo_playout::Position) {
        let node = pool.node(root);
        if node.children().is_none() && node.claim_growth() {
            self.simulation.restart(position);
            let evaluation = self.ask_net(game, game.effective_komi(), Manner::ROOT);
            match plant(pool, self.priors.candidates(&self.simulation, evaluation.as_deref())) {
                Some((first, count)) => node.finish_growth(first as u32, count),
                None => node.give_up_growth(),
            }
        }
    }
}

fn seen_by_net(simulation: &Simulation) -> jigo_net::Position<'_> {
    let mut recent = [None; HISTORY];
    for (slot, mv) in recent.iter_mut().zip(simulation.recent()) {
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
