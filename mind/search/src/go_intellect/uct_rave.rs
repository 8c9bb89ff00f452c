//! Go Intellect's selection: UCB1 with prior knowledge, mixed with a RAVE UCB1, the five parameters fixed or drawn
//! anew before every step or every simulation (Go Intellect II to V).

use std::cell::Cell;

use jigo_board::Rng;

use super::GoIntellectParameters;
use crate::selection::{Choice, best_of};

/// c, k, k0, k1 and h.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    exploration: f32,
    rave_weight: f32,
    root_prior: f32,
    prior: f32,
    rave_until: f32,
}

impl Settings {
    fn fixed(parameters: &GoIntellectParameters) -> Settings {
        Settings {
            exploration: parameters.exploration,
            rave_weight: parameters.rave_weight,
            root_prior: parameters.root_prior,
            prior: parameters.prior,
            rave_until: parameters.rave_until,
        }
    }

    /// The ranges of Go Intellect IV.
    fn drawn(rng: &mut Rng) -> Settings {
        let mut between = |low: f32, high: f32| low + (high - low) * rng.unit();
        Settings {
            exploration: between(4.0, 25.0),
            rave_weight: between(1000.0, 4000.0),
            root_prior: between(8.0, 40.0),
            prior: between(5.0, 19.0),
            rave_until: between(2000.0, 10000.0),
        }
    }
}

pub struct UctRave {
    parameters: GoIntellectParameters,
    /// What holds for this step: the settings, or what was drawn last.
    present: Cell<Settings>,
}

impl UctRave {
    pub fn new(parameters: &GoIntellectParameters) -> UctRave {
        UctRave { parameters: parameters.clone(), present: Cell::new(Settings::fixed(parameters)) }
    }

    /// The settings of a step at this depth; a simulation begins at the root.
    fn settings(&self, depth: usize, rng: &mut Rng) -> Settings {
        if self.parameters.randomised && (depth == 0 || !self.parameters.by_simulation) {
            self.present.set(Settings::drawn(rng));
        }
        self.present.get()
    }

    pub fn select(&self, choice: &Choice<'_>, rng: &mut Rng) -> Option<usize> {
        let parameters = &self.parameters;
        let settings = self.settings(choice.depth, rng);
        let prior_games = if choice.depth == 0 { settings.root_prior } else { settings.prior };
        // Virtual loss spoils randomised parameters (Go Intellect V).
        let virtual_loss = if parameters.randomised { 0.0 } else { choice.parameters.virtual_loss as f32 };
        let visits = choice.node.visits().max(1) as f32;
        let considered = &choice.children[..width(visits, parameters.widening).min(choice.children.len())];
        let most_trusted = choice.most_trusted();
        let log_visits = visits.ln();
        let total_rave: f32 = considered.iter().map(|child| child.amaf_visits.get()).sum();
        let log_rave = total_rave.max(1.0).ln();
        let rave_share = if visits > settings.rave_until {
            0.0
        } else {
            (settings.rave_weight / (3.0 * visits + settings.rave_weight)).sqrt()
        };

        let value = |child: &crate::node::Node| {
            let trust = choice.policy(child) / most_trusted;
            let virtual_wins = choice.virtual_wins(child);
            let played = child.visits() as f32 + child.in_flight() as f32 * virtual_loss;
            let sims = played + virtual_wins + prior_games;
            let rate = (child.wins() + virtual_wins + prior_games * trust) / sims.max(1.0);
            let score = rate + (log_visits / (settings.exploration * sims.max(1.0))).sqrt();
            let sims_rave = child.amaf_visits.get();
            if rave_share == 0.0 || sims_rave < 1.0 {
                return score;
            }
            let rave = child.amaf_wins.get() / sims_rave + (log_rave / (settings.exploration * sims_rave)).sqrt();
            rave_share * rave + (1.0 - rave_share) * score
        };
        best_of(choice, considered, rng, value).or_else(|| best_of(choice, choice.children, rng, value))
    }
}

/// How many children, the most trusted first, are considered after so many visits (progressive widening, Coulom 2007):
/// two from the beginning, and child n + 1 enters 40 * growth^(n - 2) visits after child n.
fn width(visits: f32, growth: f32) -> usize {
    // The sum of the first n waits is 40 * (growth^n - 1) / (growth - 1).
    let waits = (1.0 + visits * (growth - 1.0) / 40.0).ln() / growth.ln();
    2 + waits as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_parameters_fill_the_ranges_of_the_paper() {
        let mut rng = Rng::new(1);
        let all: Vec<Settings> = (0..2000).map(|_| Settings::drawn(&mut rng)).collect();
        let fills = |of: fn(&Settings) -> f32, low: f32, high: f32| {
            let edge = (high - low) / 50.0;
            all.iter().all(|settings| (low..=high).contains(&of(settings)))
                && all.iter().any(|settings| of(settings) < low + edge)
                && all.iter().any(|settings| of(settings) > high - edge)
        };
        assert!(fills(|settings| settings.exploration, 4.0, 25.0));
        assert!(fills(|settings| settings.rave_weight, 1000.0, 4000.0));
        assert!(fills(|settings| settings.rave_until, 2000.0, 10000.0));
        assert!(fills(|settings| settings.root_prior, 8.0, 40.0));
        assert!(fills(|settings| settings.prior, 5.0, 19.0));
    }

    /// How many different settings a simulation of four steps uses, three simulations in a row.
    fn different(parameters: GoIntellectParameters) -> Vec<usize> {
        let (rave, mut rng) = (UctRave::new(&parameters), Rng::new(7));
        let mut simulation = || {
            let mut steps: Vec<Settings> = (0..4).map(|depth| rave.settings(depth, &mut rng)).collect();
            steps.dedup();
            steps.len()
        };
        (0..3).map(|_| simulation()).collect()
    }

    #[test]
    fn parameters_are_fixed_or_drawn_at_every_step_or_once_a_simulation() {
        let fixed = GoIntellectParameters { exploration: 7.0, ..Default::default() };
        let rave = UctRave::new(&fixed);
        let (first, later) = (rave.settings(0, &mut Rng::new(1)), rave.settings(3, &mut Rng::new(2)));
        assert_eq!((first.exploration, first.root_prior, first.prior), (7.0, 24.0, 12.0));
        assert_eq!(first, later);

        let by_step = GoIntellectParameters { randomised: true, ..Default::default() };
        let by_simulation = GoIntellectParameters { by_simulation: true, ..by_step.clone() };
        assert_eq!(different(by_step), [4, 4, 4]);
        assert_eq!(different(by_simulation.clone()), [1, 1, 1]);
        let (rave, mut rng) = (UctRave::new(&by_simulation), Rng::new(7));
        assert_ne!(rave.settings(0, &mut rng), rave.settings(0, &mut rng), "the next simulation draws anew");
    }

    #[test]
    fn more_visits_consider_more_children() {
        assert_eq!(width(0.0, 1.4), 2);
        assert_eq!(width(40.0, 1.4), 3);
        assert_eq!(width(40.0 + 56.1, 1.4), 4);
        assert!(width(100_000.0, 1.4) < 30);
    }
}
