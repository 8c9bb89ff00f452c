//! Last good reply with forgetting (Drake 2009; Go Intellect VI, generator 6): the answers that won their playout are tried
//! again; an answer that lost is forgotten.

use jigo_board::{Color, GRID, Move, Point};
use jigo_tactics::MoveList;

use crate::simulation::{Played, Simulation};

pub struct LastGoodReply {
    /// For each colour and previous enemy point, the reply that last won.
    replies: Box<[[Option<Point>; GRID]; 2]>,
}

impl LastGoodReply {
    pub fn new() -> LastGoodReply {
        LastGoodReply { replies: Box::new([[None; GRID]; 2]) }
    }

    #[inline]
    pub fn propose(&self, simulation: &Simulation, moves: &mut MoveList) {
        if let Some(last) = simulation.last_point(1)
            && let Some(reply) = self.replies[simulation.to_move.index()][last.index()]
        {
            moves.push(reply);
        }
    }

    /// Learns from a finished game.
    pub fn learn(&mut self, moves: &[Played], winner: Option<Color>) {
        for pair in moves.windows(2) {
            let (Move::Play(before), Move::Play(reply)) = (pair[0].mv, pair[1].mv) else { continue };
            let color = pair[1].color;
            let known = &mut self.replies[color.index()][before.index()];
            if winner == Some(color) {
                *known = Some(reply);
            } else if *known == Some(reply) {
                *known = None;
            }
        }
    }
}
