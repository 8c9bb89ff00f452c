//! A number of playouts from one position.

use crate::outcome::Outcome;
use crate::parameters::PlayoutParameters;
use crate::playout::Playout;
use crate::simulation::{Simulation, StartPosition};

/// How a number of playouts from one position are to be played. The same request gives the same playouts.
#[derive(Clone, Debug)]
pub struct Playouts {
    pub parameters: PlayoutParameters,
    pub count: u32,
    pub seed: u64,
}

impl Playouts {
    /// Plays them all and shows each one when it is over.
    pub fn play(&self, from: &StartPosition, mut show: impl FnMut(&Simulation, &Outcome)) {
        let mut playout = Playout::new(&self.parameters, from.board.size(), self.seed);
        let mut simulation = Simulation::new();
        let mut outcome = Outcome::default();
        for _ in 0..self.count {
            simulation.restart(from);
            playout.run(&mut simulation, 0.0, &mut outcome);
            show(&simulation, &outcome);
        }
    }
}
