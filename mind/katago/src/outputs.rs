//! What the numbers of a net's last layers mean.

use jigo_net::Later;

use crate::model::{Model, Multipliers};

/// The last layers as they are, for the frame the net ran on. Everything is seen by the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct RawOutput {
    pub policy_channels: usize,
    /// `[row][column][channel]`; off the board they mean nothing.
    pub policy: Vec<f32>,
    /// One logit per channel.
    pub pass: Vec<f32>,
    /// Win, loss, no result.
    pub value: [f32; 3],
    /// Four numbers, or six.
    pub score: Vec<f32>,
    /// `[row][column]`
    pub ownership: Vec<f32>,
}

/// What is asked of raw outputs.
pub struct Asked<'a> {
    /// Points of the frame, by `row * width + column`, where the side to move may play.
    pub legal: &'a [usize],
    /// Can the game end without a result? Only under simple ko or territory rules.
    pub no_result_possible: bool,
    /// How much of the optimistic policy is mixed in, from 0 to 1; a net with one policy knows none.
    pub optimism: f32,
    /// Above 1 the policy is flatter, below 1 sharper.
    pub temperature: f32,
    /// The pass gets at most 95 % of the policy.
    pub limit_pass: bool,
}

/// What the net says, always about the side to move.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The probability of each legal point, in the order asked.
    pub policy: Vec<f32>,
    pub pass: f32,
    pub win: f32,
    pub loss: f32,
    pub no_result: f32,
    /// The expected final score, komi included, and the expectation of its square.
    pub score_mean: f32,
    pub score_square: f32,
    /// How many points would make the game even.
    pub lead: f32,
    /// Version 8 does not say.
    pub later: Option<Later>,
    /// Of every point of the frame, from 1 (the side to move's) to -1.
    pub ownership: Vec<f32>,
}

/// What turns outputs into points and probabilities.
#[derive(Clone, Copy)]
pub struct Scale<'a> {
    pub version: u32,
    pub multipliers: &'a Multipliers,
}

impl Model {
    pub fn scale(&self) -> Scale<'_> {
        Scale { version: self.version, multipliers: &self.multipliers }
    }
}

impl Answer {
    pub fn new(scale: Scale<'_>, raw: &RawOutput, asked: &Asked<'_>) -> Answer {
        let (policy, pass) = policy(raw, asked);
        let [win, loss, no_result] = value(raw, asked.no_result_possible);
        let times = scale.multipliers;
        let score = |at: usize| f64::from(raw.score[at]);
        let mean = score(0) * f64::from(times.score_mean);
        let stdev = softplus(score(1)) * f64::from(times.score_stdev);
        let lead = score(2) * f64::from(times.lead);
        let some_result = 1.0 - no_result;
        Answer {
            policy,
            pass,
            win: win as f32,
            loss: loss as f32,
            no_result: no_result as f32,
            score_mean: (mean * some_result) as f32,
            score_square: ((mean * mean + stdev * stdev) * some_result) as f32,
            lead: (lead * some_result) as f32,
            later: later(scale, raw),
            ownership: raw.ownership.iter().map(|&logit| f64::from(logit).tanh() as f32).collect(),
        }
    }

    /// The mean of answers to one question, from several sides of the board.
    pub fn mean(answers: &[Answer]) -> Option<Answer> {
        let (first, others) = answers.split_first()?;
        let mut mean = first.clone();
        for other in others {
            let both = |to: &mut f32, from: f32| *to += from;
            mean.numbers(other, both);
        }
        let scale = 1.0 / answers.len() as f32;
        let all = mean.clone();
        mean.numbers(&all, |to, _| *to *= scale);
        Some(mean)
    }

    /// Pairs every number with its fellow in another answer.
    fn numbers(&mut self, other: &Answer, mut each: impl FnMut(&mut f32, f32)) {
        self.policy.iter_mut().zip(&other.policy).for_each(|(to, from)| each(to, *from));
        self.ownership.iter_mut().zip(&other.ownership).for_each(|(to, from)| each(to, *from));
        each(&mut self.pass, other.pass);
        each(&mut self.win, other.win);
        each(&mut self.loss, other.loss);
        each(&mut self.no_result, other.no_result);
        each(&mut self.score_mean, other.score_mean);
        each(&mut self.score_square, other.score_square);
        each(&mut self.lead, other.lead);
        if let (Some(to), Some(from)) = (&mut self.later, &other.later) {
            each(&mut to.variance_time, from.variance_time);
            each(&mut to.value_error, from.value_error);
            each(&mut to.score_error, from.score_error);
        }
    }
}

/// The most a pass may outweigh all other moves together, when it is limited: 95 %.
const HEAVIEST_PASS: f64 = 19.0;

fn policy(raw: &RawOutput, asked: &Asked<'_>) -> (Vec<f32>, f32) {
    let channels = raw.policy_channels;
    let mixed = |logits: &[f32]| {
        let plain = f64::from(logits[0]);
        let optimistic = if channels > 1 { f64::from(logits[1]) } else { plain };
        (plain + f64::from(asked.optimism) * (optimistic - plain)) / f64::from(asked.temperature)
    };
    let points: Vec<f64> = asked.legal.iter().map(|&at| mixed(&raw.policy[at * channels..][..channels])).collect();
    let pass = mixed(&raw.pass);
    let top = points.iter().copied().fold(pass, f64::max);
    let points: Vec<f64> = points.iter().map(|logit| (logit - top).exp()).collect();
    let others: f64 = points.iter().sum();
    let pass = (pass - top).exp();
    let pass = if asked.limit_pass { pass.min(HEAVIEST_PASS * others).max(1e-20) } else { pass };
    let total = others + pass;
    (points.iter().map(|weight| (weight / total) as f32).collect(), (pass / total) as f32)
}

fn value(raw: &RawOutput, no_result_possible: bool) -> [f64; 3] {
    let logits = raw.value.map(f64::from);
    let top = logits[0].max(logits[1]).max(if no_result_possible { logits[2] } else { f64::NEG_INFINITY });
    let mut weights = logits.map(|logit| (logit - top).exp());
    if !no_result_possible {
        weights[2] = 0.0;
    }
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

fn later(scale: Scale<'_>, raw: &RawOutput) -> Option<Later> {
    let &[_, _, _, time, value, score] = &raw.score[..] else { return None };
    let (value, score) = (f64::from(value), f64::from(score));
    let times = scale.multipliers;
    let (value_times, score_times) = (f64::from(times.value_error), f64::from(times.score_error));
    let (value_error, score_error) = match scale.version {
        ..10 => (softplus(value), 10.0 * softplus(score)),
        10..14 => ((softplus(value) * value_times).sqrt(), (softplus(score) * score_times).sqrt()),
        _ => (softplus(value / 2.0) * value_times.sqrt(), softplus(score / 2.0) * score_times.sqrt()),
    };
    Some(Later {
        variance_time: (softplus(time.into()) * f64::from(times.variance_time)) as f32,
        value_error: value_error as f32,
        score_error: score_error as f32,
    })
}

fn softplus(x: f64) -> f64 {
    if x > 40.0 { x } else { x.exp().ln_1p() }
}
