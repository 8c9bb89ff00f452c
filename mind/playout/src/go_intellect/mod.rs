//! Go Intellect's playouts (Go Intellect VI): eleven generators in five priority classes, whose members may change places.

mod capture_anything;
mod fill_board;
mod last_good_reply;
mod nakade_of_three;
mod random_with_replacement;
mod two_liberty_block;

use jigo_board::{Color, Rng};
use jigo_tactics::MoveList;

use crate::generator::Generator as AnyGenerator;
use crate::outcome::Outcome;
use crate::playout::Tools;
use crate::policy::{Step, step};
use crate::simulation::Simulation;
use last_good_reply::LastGoodReply;

/// The generators that Jigo's own policy does without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GoIntellectGenerator {
    NakadeOfThree,
    CaptureAnything,
    LastGoodReply,
    TwoLibertyBlock,
    FillBoard,
    RandomWithReplacement,
}

impl GoIntellectGenerator {
    #[inline]
    pub(crate) fn propose(self, simulation: &Simulation, tools: &mut Tools, moves: &mut MoveList) {
        match self {
            GoIntellectGenerator::NakadeOfThree => nakade_of_three::propose(simulation, moves),
            GoIntellectGenerator::CaptureAnything => capture_anything::propose(simulation, tools, moves),
            GoIntellectGenerator::LastGoodReply => {
                if let Some(own) = &tools.go_intellect {
                    own.replies.propose(simulation, moves);
                }
            }
            GoIntellectGenerator::TwoLibertyBlock => two_liberty_block::propose(simulation, tools, moves),
            GoIntellectGenerator::FillBoard => fill_board::propose(simulation, tools, moves),
            GoIntellectGenerator::RandomWithReplacement => random_with_replacement::propose(simulation, tools, moves),
        }
    }

    #[inline]
    pub(crate) fn checks_for_itself(self) -> bool {
        self == GoIntellectGenerator::RandomWithReplacement
    }
}

/// When generators change places within their priority class (Go Intellect VI, VII).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GeneratorOrder {
    Fixed,
    ShuffledEveryMove,
    ShuffledEveryPlayout,
}

/// Steps of the priority classes, first class first; the last class, pass, is what happens when none moves.
const CLASSES: [usize; 4] = [3, 3, 2, 2];

/// The generators in their classes.
pub(crate) fn steps() -> Vec<Step> {
    use AnyGenerator::*;
    let generators: [&'static [AnyGenerator]; 10] = [
        &[CaptureLastMove],
        &[SaveFromAtari],
        &[GoIntellect(GoIntellectGenerator::NakadeOfThree)],
        &[PatternAroundLast],
        &[GoIntellect(GoIntellectGenerator::CaptureAnything)],
        &[GoIntellect(GoIntellectGenerator::LastGoodReply)],
        &[PatternAroundSecondLast],
        &[GoIntellect(GoIntellectGenerator::TwoLibertyBlock)],
        &[GoIntellect(GoIntellectGenerator::FillBoard)],
        &[GoIntellect(GoIntellectGenerator::RandomWithReplacement)],
    ];
    generators.into_iter().map(|generators| step(generators, 1.0)).collect()
}

/// What its playouts remember and leave to chance beside the moves.
pub(crate) struct GoIntellect {
    order: GeneratorOrder,
    replies: LastGoodReply,
}

impl GoIntellect {
    pub fn new(order: GeneratorOrder) -> GoIntellect {
        GoIntellect { order, replies: LastGoodReply::new() }
    }

    pub fn before_playout(&self, steps: &mut [Step], rng: &mut Rng) {
        if self.order == GeneratorOrder::ShuffledEveryPlayout {
            shuffle(steps, rng);
        }
    }

    #[inline]
    pub fn before_move(&self, steps: &mut [Step], rng: &mut Rng) {
        if self.order == GeneratorOrder::ShuffledEveryMove {
            shuffle(steps, rng);
        }
    }

    /// Learns which replies won under this komi.
    pub fn after_playout(&mut self, simulation: &Simulation, outcome: &Outcome, komi: f32) {
        let winner = match outcome.black_score - komi {
            lead if lead > 0.0 => Some(Color::Black),
            lead if lead < 0.0 => Some(Color::White),
            _ => None,
        };
        self.replies.learn(simulation.moves(), winner);
    }
}

/// Members change places within their class only (Go Intellect VI).
fn shuffle(steps: &mut [Step], rng: &mut Rng) {
    let mut rest = steps;
    for length in CLASSES {
        let (class, after) = rest.split_at_mut(length);
        rng.shuffle(class);
        rest = after;
    }
}

#[cfg(test)]
mod tests;
