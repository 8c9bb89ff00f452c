//! How far a net's answer is from its teacher's, and which way is nearer.

use jigo_board::{Color, Point, Rng, Symmetry};
use jigo_katago::inputs::{Course, InputOptions, write};
use jigo_katago::model::Multipliers;
use jigo_katago::{Inputs, RawOutput, Turn};
use jigo_tactics::Reader;

use crate::teach::Lesson;

/// What each part of an answer counts. Points are mean over the board.
const VALUE: f32 = 1.2;
const OWNERSHIP: f32 = 1.5;
/// Per point of the lead, up to a distance where it no longer grows faster than the distance itself.
const LEAD: f32 = 0.006;
const LEAD_TURNS: f32 = 8.0;
const SPREAD: f32 = 0.001;
const SPREAD_TURNS: f32 = 10.0;

/// A lesson as the net sees it, from one side of the board and at one komi.
pub struct SeenLesson {
    inputs: Inputs,
    answer: TeacherAnswer,
}

/// What the teacher said.
pub struct TeacherAnswer {
    /// Places where a move is legal.
    legal: Vec<usize>,
    /// Chances by place, a pass behind the last one; empty if the teacher spoke of moves at another komi.
    policy: Vec<f32>,
    /// All for the side to move.
    win: f32,
    lead: f32,
    spread: f32,
    ownership: Vec<f32>,
}

impl SeenLesson {
    /// From a side and at a komi at random.
    pub fn of(lesson: &Lesson, rng: &mut Rng, reader: &mut Reader) -> Option<SeenLesson> {
        let mut game = lesson.exercise.game()?;
        let label = &lesson.label;
        let rates: Vec<(f32, f32)> = label.win_rates().collect();
        let at = rng.below(rates.len());
        let (komi, black_rate) = *rates.get(at)?;
        game.set_komi(komi);
        let (board, size, area) = (game.board(), game.size(), game.board().area());
        let turn = Turn::from(Symmetry::from_index(rng.below(8)));
        let seen = |place: usize| {
            let (x, y) = turn.place(place % size, place / size, size, size);
            if place == area { area } else { y * size + x }
        };
        let mut policy = Vec::new();
        // Moves are those of the last komi asked.
        if at + 1 == rates.len() {
            policy.resize(area + 1, 0.0);
            label.policy().for_each(|(place, chance)| policy[seen(place)] = chance);
        }
        let mine = if game.to_move() == Color::Black { 1.0 } else { -1.0 };
        let mut ownership = Vec::new();
        for (point, owned) in board.points().zip(label.black_ownership()) {
            ownership.resize(area, 0.0);
            ownership[seen(at_point(point, size))] = mine * owned;
        }
        let is_legal = |point: &Point| board.is_legal(game.to_move(), *point);
        Some(SeenLesson {
            inputs: write(&Course::of_game(&game), &InputOptions::default(), None, reader).turned(turn),
            answer: TeacherAnswer {
                legal: board.points().filter(is_legal).map(|point| seen(at_point(point, size))).collect(),
                policy,
                win: if mine > 0.0 { black_rate } else { 1.0 - black_rate },
                lead: mine * (label.even_komi - komi),
                spread: label.spread,
                ownership,
            },
        })
    }

    pub fn split(self) -> (Inputs, TeacherAnswer) {
        (self.inputs, self.answer)
    }
}

fn at_point(point: Point, size: usize) -> usize {
    point.row() * size + point.col()
}

/// Sums over examples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    pub examples: f64,
    pub moved: f64,
    pub policy: f64,
    pub value: f64,
    pub ownership: f64,
    pub lead: f64,
    /// All of them as they count.
    pub total: f64,
}

impl Losses {
    pub fn add(&mut self, other: &Losses) {
        let Losses { examples, moved, policy, value, ownership, lead, total } = other;
        self.examples += examples;
        self.moved += moved;
        self.policy += policy;
        self.value += value;
        self.ownership += ownership;
        self.lead += lead;
        self.total += total;
    }
}

/// Replaces an answer by the gradient of its loss, times `share`.
pub fn gradient(example: &TeacherAnswer, scale: &Multipliers, output: &mut RawOutput, share: f32) -> Losses {
    let mut losses = Losses { examples: 1.0, ..Losses::default() };
    policy(example, output, share, &mut losses);
    value(example, output, share, &mut losses);
    score(example, scale, output, share, &mut losses);
    ownership(example, output, share, &mut losses);
    losses
}

fn policy(example: &TeacherAnswer, output: &mut RawOutput, share: f32, losses: &mut Losses) {
    let silent = vec![0.0; output.policy.len()];
    let logits = std::mem::replace(&mut output.policy, silent);
    let pass = std::mem::take(&mut output.pass[0]);
    if example.policy.is_empty() {
        return;
    }
    let area = logits.len();
    let open = || example.legal.iter().copied().chain([area]);
    let logit = |place: usize| if place == area { pass } else { logits[place] };
    let most = open().map(logit).fold(f32::MIN, f32::max);
    let total: f32 = open().map(|place| (logit(place) - most).exp()).sum();
    for place in open() {
        let chance = (logit(place) - most).exp() / total;
        let wanted = example.policy[place];
        if wanted > 0.0 {
            let nats = wanted * (wanted / chance.max(1e-9)).ln();
            losses.policy += f64::from(nats);
            losses.total += f64::from(nats);
        }
        let to = if place == area { &mut output.pass[0] } else { &mut output.policy[place] };
        *to = share * (chance - wanted);
    }
    losses.moved += 1.0;
}

/// Winning, losing, and no result, which a teacher that is asked for a win rate does not speak of.
fn value(example: &TeacherAnswer, output: &mut RawOutput, share: f32, losses: &mut Losses) {
    let most = output.value.iter().copied().fold(f32::MIN, f32::max);
    let weights = output.value.map(|logit| (logit - most).exp());
    let total: f32 = weights.iter().sum();
    let wanted = [example.win, 1.0 - example.win, 0.0];
    for at in 0..3 {
        let chance = weights[at] / total;
        if wanted[at] > 0.0 {
            let nats = wanted[at] * (wanted[at] / chance.max(1e-9)).ln();
            losses.value += f64::from(nats);
            losses.total += f64::from(VALUE * nats);
        }
        output.value[at] = share * VALUE * (chance - wanted[at]);
    }
}

/// The mean of the score follows the lead, which is all that the teacher was asked for.
fn score(example: &TeacherAnswer, scale: &Multipliers, output: &mut RawOutput, share: f32, losses: &mut Losses) {
    let mut gradients = vec![0.0; output.score.len()];
    for (at, multiplier) in [(0, scale.score_mean), (2, scale.lead)] {
        let off = output.score[at] * multiplier - example.lead;
        losses.total += f64::from(LEAD * huber(off, LEAD_TURNS));
        gradients[at] = share * LEAD * multiplier * off.clamp(-LEAD_TURNS, LEAD_TURNS);
        losses.lead += f64::from(off.abs()) / 2.0;
    }
    // A softplus of the output is the spread.
    let raw = output.score[1];
    let off = softplus(raw) * scale.score_stdev - example.spread;
    losses.total += f64::from(SPREAD * huber(off, SPREAD_TURNS));
    let slope = 1.0 / (1.0 + (-raw).exp());
    gradients[1] = share * SPREAD * scale.score_stdev * slope * off.clamp(-SPREAD_TURNS, SPREAD_TURNS);
    output.score = gradients;
}

fn huber(off: f32, turns: f32) -> f32 {
    if off.abs() < turns { off * off / 2.0 } else { turns * (off.abs() - turns / 2.0) }
}

fn softplus(x: f32) -> f32 {
    if x > 20.0 { x } else { x.exp().ln_1p() }
}

/// The hyperbolic tangent of an output is the owner: a chance of twice that output.
fn ownership(example: &TeacherAnswer, output: &mut RawOutput, share: f32, losses: &mut Losses) {
    if example.ownership.is_empty() {
        output.ownership.fill(0.0);
        return;
    }
    let each = 1.0 / example.ownership.len() as f32;
    for (logit, owned) in output.ownership.iter_mut().zip(&example.ownership) {
        let (chance, wanted) = (1.0 / (1.0 + (-2.0 * *logit).exp()), (1.0 + owned) / 2.0);
        let nats =
            |wanted: f32, chance: f32| if wanted > 0.0 { wanted * (wanted / chance.max(1e-9)).ln() } else { 0.0 };
        let distance = each * (nats(wanted, chance) + nats(1.0 - wanted, 1.0 - chance));
        losses.ownership += f64::from(distance);
        losses.total += f64::from(OWNERSHIP * distance);
        *logit = share * OWNERSHIP * each * 2.0 * (chance - wanted);
    }
}
