//! Policies are data: which generators are asked, in which order, how often.

use crate::generator::Generator;
use crate::go_intellect::{self, GeneratorOrder, GoIntellect};
use crate::parameters::{PlayoutParameters, PolicyName};

/// One attempt at a move: these generators are asked together with this chance.
#[derive(Clone, Debug)]
pub struct Step {
    pub generators: &'static [Generator],
    pub rate: f32,
}

pub(crate) fn step(generators: &'static [Generator], rate: f32) -> Step {
    Step { generators, rate }
}

/// The steps of a policy in their order.
pub fn steps(parameters: &PlayoutParameters, size: usize) -> Vec<Step> {
    match parameters.policy {
        PolicyName::Pachi => pachi(parameters, size),
        PolicyName::Random => vec![step(&[Generator::Random], 1.0)],
        PolicyName::GoIntellect | PolicyName::GoIntellectFixed | PolicyName::GoIntellectByPlayout => {
            go_intellect::steps()
        }
    }
}

/// The rules of Pachi 3.2 in their order.
fn pachi(parameters: &PlayoutParameters, size: usize) -> Vec<Step> {
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
    steps
}

/// What Go Intellect's policies need beside their steps.
pub(crate) fn go_intellect(policy: PolicyName) -> Option<GoIntellect> {
    let order = match policy {
        PolicyName::Pachi | PolicyName::Random => return None,
        PolicyName::GoIntellect => GeneratorOrder::ShuffledEveryMove,
        PolicyName::GoIntellectFixed => GeneratorOrder::Fixed,
        PolicyName::GoIntellectByPlayout => GeneratorOrder::ShuffledEveryPlayout,
    };
    Some(GoIntellect::new(order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_of_zero_switches_a_heuristic_off() {
        let parameters = PlayoutParameters { patterns: 0.0, ..Default::default() };
        assert!(steps(&parameters, 9).iter().all(|step| step.generators[0] != Generator::PatternAroundLast));
    }
}
