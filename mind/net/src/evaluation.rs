//! What the net thinks of a position, in the board's own terms.

use jigo_board::{Color, Move, Point};

use crate::architecture::{OWNERSHIP_COLUMN, POLICY_STEPS};
use crate::network::{Net, RawOutput};
use crate::planes::Position;
use crate::value::{Value, sigmoid};
use jigo_board::Symmetry;

/// Move probabilities, win rates per komi and ownership. Nothing here depends on who is to move but the policy.
#[derive(Clone, Debug)]
pub struct Evaluation {
    size: usize,
    /// Probabilities of all points, row by row, then of passing. Illegal points have none.
    policy: Vec<f32>,
    pub value: Value,
    /// Who will own each point, row by row: 1 is Black for certain, -1 White. Empty if the net does not say.
    black_ownership: Vec<f32>,
}

impl Evaluation {
    pub(crate) fn new(net: &Net, position: &Position<'_>, symmetry: Symmetry, raw: &RawOutput<'_>) -> Evaluation {
        let (board, me) = (position.board, position.to_move);
        let size = board.size();
        let seen_at = |point: Point| symmetry.apply(point, size);
        let mut policy: Vec<f32> = board
            .points()
            .map(|point| {
                let seen = seen_at(point);
                if board.is_legal(me, point) { raw.at(seen.row(), seen.col(), 0) } else { f32::NEG_INFINITY }
            })
            .collect();
        policy.push(raw.pooled[0]);
        softmax(&mut policy);
        let my_ownership: Vec<f32> = if net.architecture().ownership {
            let logit = |point: Point| raw.at(seen_at(point).row(), seen_at(point).col(), OWNERSHIP_COLUMN);
            board.points().map(|point| 2.0 * sigmoid(logit(point)) - 1.0).collect()
        } else {
            Vec::new()
        };
        let (form, outputs) = (net.architecture().value, &raw.pooled[POLICY_STEPS..]);
        let value = Value::from_outputs(form, outputs, my_ownership.iter().sum(), me, size);
        let mine_is_black = if me == Color::Black { 1.0 } else { -1.0 };
        let black_ownership = my_ownership.iter().map(|mine| mine_is_black * mine).collect();
        Evaluation { size, policy, value, black_ownership }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Memory that this takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Evaluation>() + size_of_val(&self.policy[..]) + size_of_val(&self.black_ownership[..])
    }

    /// The probability that the side to move plays here; zero where it may not.
    pub fn probability(&self, mv: Move) -> f32 {
        match mv {
            Move::Play(point) => self.policy[point.row() * self.size + point.col()],
            Move::Pass => self.policy[self.size * self.size],
        }
    }

    /// All moves with their probabilities, row by row, passing last.
    pub fn moves(&self) -> impl Iterator<Item = (Move, f32)> + '_ {
        let size = self.size;
        self.policy.iter().enumerate().map(move |(at, &probability)| {
            let mv = if at == size * size { Move::Pass } else { Move::Play(Point::new(at % size, at / size)) };
            (mv, probability)
        })
    }

    /// Ownership from 1 (Black's) to -1 (White's), if the net tells.
    pub fn black_ownership(&self, point: Point) -> Option<f32> {
        self.black_ownership.get(point.row() * self.size + point.col()).copied()
    }

    /// The sum of ownership over the board, which estimates the score as well (CGI IV.F).
    pub fn black_territory(&self) -> Option<f32> {
        (!self.black_ownership.is_empty()).then(|| self.black_ownership.iter().sum())
    }
}

/// Turns logits into probabilities in place. At least one must be finite.
pub fn softmax(logits: &mut [f32]) {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - top).exp();
        total += *logit;
    }
    logits.iter_mut().for_each(|value| *value /= total);
}
