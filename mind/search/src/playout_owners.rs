//! Who ends up with the points when playouts go on from a position in which nobody is to move.

use jigo_board::{Board, Color, GRID, Point};
use jigo_playout::{Outcome, Playout, Simulation, StartPosition};

pub struct PlayoutOwners {
    black: Box<[f32; GRID]>,
}

impl PlayoutOwners {
    /// Both players begin equally often. `go_on` is asked before each playout; without any, nobody owns anything.
    pub fn new(
        board: &Board,
        playout: &mut Playout,
        playouts: usize,
        mut go_on: impl FnMut() -> bool,
    ) -> PlayoutOwners {
        let mut black = Box::new([0.0; GRID]);
        let mut simulation = Simulation::new();
        let mut outcome = Outcome::default();
        let starts = Color::BOTH.map(|color| StartPosition::new(board.clone(), color, Vec::new()));
        let mut done = 0;
        while done < playouts && go_on() {
            simulation.restart(&starts[done % 2]);
            playout.run(&mut simulation, 0.0, &mut outcome);
            board.points().for_each(|point| black[point.index()] += outcome.owner(point) as i8 as f32);
            done += 1;
        }
        black.iter_mut().for_each(|sum| *sum /= done.max(1) as f32);
        PlayoutOwners { black }
    }

    /// From 1 (Black's after every playout) to -1 (White's).
    pub fn black_owns(&self, point: Point) -> f32 {
        self.black[point.index()]
    }
}
