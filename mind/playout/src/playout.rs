//! The loop: ask the generators in the policy's order until one moves, until nobody can.

use jigo_board::{Board, Color, Move, Point, Rng, Trail};
use jigo_patterns::three_by_three::ThreeByThree;
use jigo_tactics::{MoveList, is_bad_self_atari};

use crate::generator::{Generator, random};
use crate::go_intellect::GoIntellect;
use crate::outcome::Outcome;
use crate::parameters::PlayoutParameters;
use crate::policy::{Step, go_intellect, steps};
use crate::simulation::Simulation;

/// What generators may use besides the position. One per thread.
pub struct Tools {
    pub rng: Rng,
    pub trail: Trail,
    pub shapes: &'static ThreeByThree,
    pub parameters: PlayoutParameters,
    /// Only if its policy plays.
    pub go_intellect: Option<GoIntellect>,
}

/// Plays simulations to their end. One per thread; a seed fixes every playout.
pub struct Playout {
    steps: Vec<Step>,
    tools: Tools,
}

impl Playout {
    pub fn new(parameters: &PlayoutParameters, size: usize, seed: u64) -> Playout {
        Playout {
            steps: steps(parameters, size),
            tools: Tools {
                rng: Rng::new(seed),
                trail: Trail::new(),
                shapes: ThreeByThree::get(),
                parameters: parameters.clone(),
                go_intellect: go_intellect(parameters.policy),
            },
        }
    }

    pub fn rng(&mut self) -> &mut Rng {
        &mut self.tools.rng
    }

    /// Plays until both sides pass, and counts. `komi` only tells Go Intellect's playouts who won.
    pub fn run(&mut self, simulation: &mut Simulation, komi: f32, outcome: &mut Outcome) {
        if let Some(own) = &self.tools.go_intellect {
            own.before_playout(&mut self.steps, &mut self.tools.rng);
        }
        // Longer games are kos and sekis going round: their present score is as good as any.
        let limit = 3 * simulation.board.area() + simulation.moves().len();
        while !simulation.two_passes() && simulation.moves().len() < limit {
            match self.choose(simulation) {
                Some((point, by)) => simulation.play(Move::Play(point), by),
                None => simulation.play(Move::Pass, Generator::Pass),
            }
        }
        outcome.count(&simulation.board);
        if let Some(own) = &mut self.tools.go_intellect {
            own.after_playout(simulation, outcome, komi);
        }
    }

    /// The next move of a playout and the generator that made it, or none for a pass. The simulation is the same
    /// afterwards.
    #[inline]
    pub fn choose(&mut self, simulation: &mut Simulation) -> Option<(Point, Generator)> {
        if let Some(own) = &self.tools.go_intellect {
            own.before_move(&mut self.steps, &mut self.tools.rng);
        }
        let mut moves = MoveList::new();
        for step in &self.steps {
            if step.rate < 1.0 && !self.tools.rng.chance(step.rate) {
                continue;
            }
            for &generator in step.generators {
                generator.propose(simulation, &mut self.tools, &mut moves);
            }
            if moves.is_empty() {
                continue;
            }
            let by = *step.generators.last()?;
            if by.checks_for_itself() {
                return moves.as_slice().first().map(|&point| (point, by));
            }
            // Of generators asked together the first stands for all: they put their moves on one list.
            if let Some(point) = pick_sound(&simulation.board, simulation.to_move, &mut moves, &mut self.tools.rng) {
                return Some((point, step.generators[0]));
            }
        }
        None
    }
}

/// A random one of the suggestions that is legal and no bad self-atari (Pachi 3.2); empties the list.
#[inline]
fn pick_sound(board: &Board, color: Color, moves: &mut MoveList, rng: &mut Rng) -> Option<Point> {
    while let Some(point) = rng.pick(moves.as_slice()) {
        if random::is_playable(board, color, point) && !is_bad_self_atari(board, color, point) {
            return Some(point);
        }
        moves.retain(|other| other != point);
    }
    None
}
