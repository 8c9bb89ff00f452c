//! Policy-guided selection where an evaluation, and not the luck of a playout, stands at every leaf: with a net.
//!
//! As in PUCT a child is worth its value and the policy's trust, fading with visits. What is added follows the public
//! documents of KataGo and lc0: points count beside winning; an unvisited child is the worse the more of the policy has been
//! tried; exploration grows with the logarithm of visits and with the spread of the values seen.

use jigo_board::{Color, Rng, Score};

use super::{Choice, best_of};
use crate::node::Node;

/// What points are worth beside winning, on the scale of win rates.
#[derive(Clone, Copy)]
pub(crate) struct ScoreUtility {
    /// The komi of the search.
    pub komi: f32,
    /// Black's lead that the search expected at its start.
    pub centre: f32,
    pub side: f32,
}

/// Leads of so many board sides are worth half of what the largest would be, in the whole game and around what is expected.
const WIDE: f32 = 2.0;
const NARROW: f32 = 0.75;
/// Values are taken to spread by this much until so many were seen that they speak for themselves.
const USUAL_SPREAD: f32 = 0.2;
const SPREAD_VISITS: f32 = 2.0;
/// How much of the spread's deviation from the usual one exploration follows.
const SPREAD_TRUST: f32 = 0.85;
/// Visits at which exploration begins to grow.
const GROWTH_VISITS: f32 = 500.0;

impl ScoreUtility {
    /// The mover's value of a score, from a little below zero to a little above.
    fn of(&self, parameters: &crate::SearchParameters, black_score: f32, mover: Color) -> f32 {
        let lead = black_score - self.komi;
        let flat = |points: f32, sides: f32| (points / (sides * self.side)).atan() * std::f32::consts::FRAC_2_PI;
        let black =
            parameters.score_share * flat(lead, WIDE) + parameters.score_share_near * flat(lead - self.centre, NARROW);
        Score::black_lead(black).lead_of(mover)
    }
}

pub fn select(choice: &Choice<'_>, points: &ScoreUtility, rng: &mut Rng) -> Option<usize> {
    let (parameters, node) = (choice.parameters, choice.node);
    let worth = |rate: f32, black_score: f32| rate + points.of(parameters, black_score, choice.mover);
    let parent_score = node.mean_black_score().unwrap_or(points.komi);
    let tried: f32 = choice.children.iter().filter(|child| child.visits() > 0).map(|child| choice.policy(child)).sum();
    // Nothing is worse than lost: where all that was tried loses, the rest is tried.
    let reduced = (choice.mover_share() - parameters.net_reduction * tried.min(1.0).sqrt()).max(0.0);
    let unvisited = worth(reduced, parent_score);
    let exploration = exploration(choice);
    let most_trusted = choice.most_trusted();
    best_of(choice, choice.children, rng, |child| {
        let policy = choice.policy(child);
        // A cluster must not look at moves that the policy finds absurd.
        let virtual_wins = choice.virtual_wins(child) * (policy / most_trusted).min(1.0).sqrt();
        let visits = child.visits() as f32 + virtual_wins;
        // Threads below a child count as visits and not as losses (Liu et al. 2020), which would drive the few visits of many threads
        // to moves that nobody believes in. But what the net is being asked is not asked again while anything else is left.
        let awaited = child.in_flight() as f32 * parameters.virtual_loss as f32;
        let value = if visits > 0.0 {
            worth((child.wins() + virtual_wins) / visits, child.mean_black_score().unwrap_or(parent_score))
        } else if awaited > 0.0 {
            worth(0.0, parent_score)
        } else {
            unvisited
        };
        value + exploration * policy / (1.0 + visits + awaited)
    })
}

fn exploration(choice: &Choice<'_>) -> f32 {
    let parameters = choice.parameters;
    let visits = choice.node.visits() as f32;
    let growth = 1.0 + parameters.net_exploration_growth * ((visits + GROWTH_VISITS) / GROWTH_VISITS).ln();
    let spread = spread(choice.node);
    let by_spread = 1.0 + SPREAD_TRUST * (spread / USUAL_SPREAD - 1.0);
    parameters.net_exploration * growth * by_spread * (visits + 0.01).sqrt()
}

/// How far the values seen below a node spread.
fn spread(node: &Node) -> f32 {
    let visits = node.visits() as f32;
    let squares = node.value_variance() * visits + SPREAD_VISITS * USUAL_SPREAD.powi(2);
    (squares / (visits + SPREAD_VISITS)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SearchParameters;

    #[test]
    fn points_count_for_the_one_who_has_them_and_less_and_less() {
        let points = ScoreUtility { komi: 7.5, centre: 0.0, side: 19.0 };
        let parameters = SearchParameters::default();
        let worth = |score: f32| points.of(&parameters, score, Color::Black);
        assert_eq!(worth(7.5), 0.0);
        assert!(worth(10.5) > 0.0 && points.of(&parameters, 10.5, Color::White) < 0.0);
        assert!(worth(12.5) - worth(7.5) > worth(62.5) - worth(57.5));
        assert!(worth(400.0) < parameters.score_share + parameters.score_share_near);
    }
}
