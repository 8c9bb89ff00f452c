//! Go Intellect's selection: UCB1 with prior knowledge, mixed with a RAVE UCB1, the five parameters fixed or drawn
//! anew before every step (Go Intellect II to IV).

use jigo_board::Rng;

use super::GoIntellectParameters;
use crate::selection::{Choice, best_of};

/// c, k, k0 or k1, and h.
struct Settings {
    exploration: f32,
    rave_weight: f32,
    prior_games: f32,
    rave_until: f32,
}

impl Settings {
    fn fixed(parameters: &GoIntellectParameters, is_root: bool) -> Settings {
        Settings {
            exploration: parameters.exploration,
            rave_weight: parameters.rave_weight,
            prior_games: if is_root { parameters.root_prior } else { parameters.prior },
            rave_until: parameters.rave_until,
        }
    }

    /// The ranges of Go Intellect IV.
    fn drawn(rng: &mut Rng, is_root: bool) -> Settings {
        let mut between = |low: f32, high: f32| low + (high - low) * rng.unit();
        Settings {
            exploration: between(4.0, 25.0),
            rave_weight: between(1000.0, 4000.0),
            prior_games: if is_root { between(8.0, 40.0) } else { between(5.0, 19.0) },
            rave_until: between(2000.0, 10000.0),
        }
    }
}

pub struct UctRave {
    parameters: GoIntellectParameters,
}

impl UctRave {
    pub fn new(parameters: &GoIntellectParameters) -> UctRave {
        UctRave { parameters: parameters.clone() }
    }

    pub fn select(&self, choice: &Choice<'_>, rng: &mut Rng) -> Option<usize> {
        let parameters = &self.parameters;
        let settings = if parameters.randomised {
            Settings::drawn(rng, choice.depth == 0)
        } else {
            Settings::fixed(parameters, choice.depth == 0)
        };
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
            let sims = played + virtual_wins + settings.prior_games;
            let rate = (child.wins() + virtual_wins + settings.prior_games * trust) / sims.max(1.0);
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
/// child n + 1 enters 40 * growth^n visits after child n.
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
        let drawn = |is_root: bool, rng: &mut Rng| -> Vec<Settings> {
            (0..2000).map(|_| Settings::drawn(rng, is_root)).collect()
        };
        let fills = |all: &[Settings], of: fn(&Settings) -> f32, low: f32, high: f32| {
            let edge = (high - low) / 50.0;
            all.iter().all(|settings| (low..=high).contains(&of(settings)))
                && all.iter().any(|settings| of(settings) < low + edge)
                && all.iter().any(|settings| of(settings) > high - edge)
        };
        let (root, below) = (drawn(true, &mut rng), drawn(false, &mut rng));
        assert!(fills(&root, |settings| settings.exploration, 4.0, 25.0));
        assert!(fills(&root, |settings| settings.rave_weight, 1000.0, 4000.0));
        assert!(fills(&root, |settings| settings.rave_until, 2000.0, 10000.0));
        assert!(fills(&root, |settings| settings.prior_games, 8.0, 40.0));
        assert!(fills(&below, |settings| settings.prior_games, 5.0, 19.0));
    }

    #[test]
    fn fixed_parameters_are_those_that_were_set() {
        let parameters = GoIntellectParameters { exploration: 7.0, ..Default::default() };
        let (root, below) = (Settings::fixed(&parameters, true), Settings::fixed(&parameters, false));
        assert_eq!((root.exploration, root.prior_games, below.prior_games), (7.0, 24.0, 12.0));
    }

    #[test]
    fn more_visits_consider_more_children() {
        assert_eq!(width(0.0, 1.4), 2);
        assert_eq!(width(40.0, 1.4), 3);
        assert_eq!(width(40.0 + 56.1, 1.4), 4);
        assert!(width(100_000.0, 1.4) < 30);
    }
}
