//! Policies are data: which generators are asked, in which order, how often.

use jigo_board::Rng;

use crate::generator::Generator;
use crate::parameters::{GeneratorOrder, PlayoutParameters, PolicyName};

/// One attempt at a move: these generators are asked together with this chance.
#[derive(Clone, Debug)]
pub struct Step {
    pub generators: &'static [Generator],
    pub rate: f32,
}

#[derive(Clone, Debug)]
pub struct Policy {
    steps: Vec<Step>,
    /// Lengths of the priority classes, first class first; their sum is the number of steps.
    classes: Vec<usize>,
    order: GeneratorOrder,
}

impl Policy {
    pub fn new(parameters: &PlayoutParameters, size: usize) -> Policy {
        match parameters.policy {
            PolicyName::Pachi => pachi(parameters, size),
            PolicyName::GoIntellect => go_intellect(parameters),
            PolicyName::Random => fixed(vec![step(&[Generator::Random], 1.0)]),
        }
    }

    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    #[inline]
    pub fn before_playout(&mut self, rng: &mut Rng) {
        if self.order == GeneratorOrder::ShuffledEveryPlayout {
            self.shuffle(rng);
        }
    }

    #[inline]
    pub fn before_move(&mut self, rng: &mut Rng) {
        if self.order == GeneratorOrder::ShuffledEveryMove {
            self.shuffle(rng);
        }
    }

    /// Members change places within their class only (002 sec VI).
    fn shuffle(&mut self, rng: &mut Rng) {
        let mut rest = &mut self.steps[..];
        for &length in &self.classes {
            let (class, after) = rest.split_at_mut(length);
            rng.shuffle(class);
            rest = after;
        }
    }
}

fn step(generators: &'static [Generator], rate: f32) -> Step {
    Step { generators, rate }
}

fn fixed(steps: Vec<Step>) -> Policy {
    Policy { classes: Vec::new(), steps, order: GeneratorOrder::Fixed }
}

/// The rules of 001 sec 3.2 in their order.
fn pachi(parameters: &PlayoutParameters, size: usize) -> Policy {
    use Generator::*;
    let p = parameters;
    let common = if size > 11 { p.rate_large } else { p.rate_small };
    let mut steps = vec![
        step(&[RetakeKo], p.ko),
        step(&[Nakade], p.nakade),
        step(&[CaptureLastMove], p.capture),
        step(&[SaveFromAtari], p.escape * common),
        step(&[TwoLiberties], p.two_liberties * common),
        step(&[ManyLiberties], p.many_liberties),
        step(&[PatternAroundLast, PatternAroundSecondLast], p.patterns),
    ];
    if size == 19 {
        steps.push(step(&[Joseki], p.joseki * common));
    }
    steps.retain(|step| step.rate > 0.0);
    steps.push(step(&[Random], 1.0));
    fixed(steps)
}

/// The eleven generators of 002 sec VI in their five priority classes; the last, pass, is what happens when none moves.
fn go_intellect(parameters: &PlayoutParameters) -> Policy {
    use Generator::*;
    let classes: [&[&'static [Generator]]; 4] = [
        &[&[CaptureLastMove], &[SaveFromAtari], &[NakadeOfThree]],
        &[&[PatternAroundLast], &[CaptureAnything], &[LastGoodReply]],
        &[&[PatternAroundSecondLast], &[TwoLibertyBlock]],
        &[&[FillBoard], &[RandomWithReplacement]],
    ];
    Policy {
        steps: classes.iter().flat_map(|class| class.iter().map(|&generators| step(generators, 1.0))).collect(),
        classes: classes.iter().map(|class| class.len()).collect(),
        order: parameters.order,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(policy: &Policy) -> Vec<Generator> {
        policy.steps().iter().map(|step| step.generators[0]).collect()
    }

    #[test]
    fn shuffling_stays_within_the_classes() {
        let parameters = PlayoutParameters { policy: PolicyName::GoIntellect, ..Default::default() };
        let fixed = names(&Policy::new(&parameters, 19));
        let mut policy = Policy::new(&parameters, 19);
        let mut rng = Rng::new(1);
        let mut changed = [false; 10];
        for _ in 0..100 {
            policy.before_move(&mut rng);
            let shuffled = names(&policy);
            for class in [0..3, 3..6, 6..8, 8..10] {
                for &generator in &shuffled[class.clone()] {
                    assert!(fixed[class.clone()].contains(&generator));
                }
            }
            for (i, changed) in changed.iter_mut().enumerate() {
                *changed |= shuffled[i] != fixed[i];
            }
        }
        assert_eq!(changed, [true; 10]);
    }

    #[test]
    fn a_rate_of_zero_switches_a_heuristic_off() {
        let parameters = PlayoutParameters { patterns: 0.0, ..Default::default() };
        assert!(!names(&Policy::new(&parameters, 9)).contains(&Generator::PatternAroundLast));
    }
}
