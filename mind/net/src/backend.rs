//! What every net offers, whoever trained it.

use std::sync::Arc;

use jigo_board::{Game, Move, Symmetry};

use crate::evaluation::Evaluation;
use crate::planes::Position;

/// A net ready to run, shared by all threads.
pub trait Backend: Send + Sync {
    /// One thread's way to it, with working memory of its own.
    fn evaluator(self: Arc<Self>) -> Box<dyn Evaluate>;

    /// Does it judge so well that a playout beside it would only blur its word?
    fn judges_alone(&self) -> bool;

    /// What it is, in a line for people.
    fn description(&self) -> String;

    /// A number that tells two nets apart.
    fn digest(&self) -> u64;
}

/// One thread's way to what a net thinks.
pub trait Evaluate: Send {
    /// Evaluates several positions, in order.
    fn evaluate_batch(&mut self, views: &[View<'_>]) -> Vec<Evaluation>;

    /// One number for all that an answer depends on, but for the symmetry: equal numbers mean equal answers.
    fn fingerprint(&mut self, view: &View<'_>) -> u64;
}

/// A position to evaluate, and how to lay it before the net.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub position: Position<'a>,
    pub symmetry: Symmetry,
    /// For nets that can hear more than what is on the board.
    pub told: Option<Told<'a>>,
}

impl<'a> View<'a> {
    /// For a net that sees stones only.
    pub fn of(position: Position<'a>, symmetry: Symmetry) -> View<'a> {
        View { position, symmetry, told: None }
    }
}

/// What some nets are told beside the stones.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// The game before the search, with its rules.
    pub game: &'a Arc<Game>,
    /// The moves since then, the colours in turn, which lead to the position.
    pub moves: &'a [Move],
    /// The komi that the answer is wanted for, bonuses included; it may be an imagined one.
    pub komi: f32,
    pub manner: Manner,
}

/// How to lay a question before a net that knows several ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// From 0 to 1: how much the policy looks for moves that may turn out better than they seem.
    pub optimism: f32,
    /// Hide the last moves where a pass would end the game, so that nobody passes only because the other did.
    pub conservative_pass: bool,
    /// The same where the side to move would then lose; and no position is all pass.
    pub wary_pass: bool,
}

impl Manner {
    /// The net as it is.
    pub const PLAIN: Manner = Manner { optimism: 0.0, conservative_pass: false, wary_pass: false };
    /// At the root of a search: the move that is played is chosen here.
    pub const ROOT: Manner = Manner { optimism: 0.2, conservative_pass: true, wary_pass: true };
    /// Inside the tree, where a surprise is what one looks for.
    pub const TREE: Manner = Manner { optimism: 1.0, conservative_pass: false, wary_pass: true };
}
