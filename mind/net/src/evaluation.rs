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
    /// What nets say that are told rules and komi.
    forecast: Option<Forecast>,
}

/// How the game will end under the rules and at the komi that the net was told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    pub black_win: f32,
    pub white_win: f32,
    /// The game ends without a result.
    pub no_result: f32,
    /// How many points Black could give to make the game even.
    pub black_lead: f32,
    /// The expected final score, komi included, and the expectation of its square.
    pub black_score: f32,
    pub score_square: f32,
    pub later: Option<Later>,
}

/// How sure a net is: what it expects of its own judgement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Later {
    /// Turns until the score is clear.
    pub variance_time: f32,
    /// How much the value, from -1 to 1, will change soon.
    pub value_error: f32,
    /// How much the score will change soon.
    pub score_error: f32,
}

impl Evaluation {
    pub(crate) fn new(net: &Net, position: &Position<'_>, symmetry: Symmetry, raw: &RawOutput<'_>) -> Evaluation {
        let (board, me) = (position.board, position.to_move);
        let size = board.size();
        let seen_at = |point: Point| symmetry.apply(point, size);
        // With room for passing: a vector that grows by one doubles, and a cache keeps that for long.
        let mut policy: Vec<f32> = Vec::with_capacity(size * size + 1);
        policy.extend(board.points().map(|point| {
            let seen = seen_at(point);
            if board.is_legal(me, point) { raw.at(seen.row(), seen.col(), 0) } else { f32::NEG_INFINITY }
        }));
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
        Evaluation { size, policy, value, black_ownership, forecast: None }
    }

    /// What another kind of net says: probabilities of all points and of passing, and ownership, both row by row.
    pub fn from_parts(
        size: usize,
        policy: Vec<f32>,
        value: Value,
        black_ownership: Vec<f32>,
        forecast: Forecast,
    ) -> Evaluation {
        assert_eq!((policy.len(), black_ownership.len()), (size * size + 1, size * size));
        Evaluation { size, policy, value, black_ownership, forecast: Some(forecast) }
    }

    /// How the game will end at this komi: in the net's own words at the komi it was told, otherwise by its win rates.
    pub fn forecast(&self, komi: f32) -> Forecast {
        let own = self.forecast.filter(|_| matches!(self.value, Value::AtKomi(told) if told.komi == komi));
        own.unwrap_or_else(|| {
            let win_rate = self.value.win_rate(komi);
            let black_lead = self.value.black_score().map_or(0.0, |score| score - komi);
            Forecast {
                black_win: win_rate.share_of(Color::Black),
                white_win: win_rate.share_of(Color::White),
                no_result: 0.0,
                black_lead,
                black_score: black_lead,
                score_square: black_lead * black_lead + self.value.spread().unwrap_or(0.0).powi(2),
                later: None,
            }
        })
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Was the net told the rules? One that was not speaks of areas.
    pub fn counts_by_rules(&self) -> bool {
        matches!(self.value, Value::AtKomi(_))
    }

    /// Policy and ownership, which are nearly all of its memory.
    pub(crate) fn numbers(&self) -> [&[f32]; 2] {
        [&self.policy, &self.black_ownership]
    }

    /// The rest, for [`Evaluation::with_numbers`].
    pub(crate) fn without_numbers(&self) -> Evaluation {
        let Evaluation { size, ref value, forecast, .. } = *self;
        Evaluation { size, policy: Vec::new(), value: value.clone(), black_ownership: Vec::new(), forecast }
    }

    pub(crate) fn with_numbers(&self, numbers: &[f32]) -> Evaluation {
        let (policy, black_ownership) = numbers.split_at(self.size * self.size + 1);
        let (policy, black_ownership) = (policy.to_vec(), black_ownership.to_vec());
        Evaluation { policy, black_ownership, ..self.without_numbers() }
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
