//! How widely the root is looked at: its policy flattened, and a little luck for every move. Nothing below the root knows.

use jigo_board::Rng;

use crate::node::Node;
use crate::parameters::SearchParameters;

/// The luck of a move is on average this share of `search.analysis_noise`. KataGo's noise, whose numbers clients send, is of
/// utilities from -1 to 1 where ours are win rates, and comes to every second move.
const MEAN_LUCK: f32 = 0.25;

/// What the root's choice is widened by.
pub(crate) struct RootWidth {
    /// A policy is raised to this power, and then shared out again.
    power: f32,
    total: f32,
    mean_luck: f32,
}

impl RootWidth {
    /// For these moves at the root; none if they are to be looked at as any others. Luck is for analysis only, where nobody
    /// waits for one best move.
    pub fn new(parameters: &SearchParameters, children: &[Node], is_analysis: bool) -> Option<RootWidth> {
        let power = 1.0 / parameters.root_temperature;
        let mean_luck = if is_analysis { MEAN_LUCK * parameters.analysis_noise } else { 0.0 };
        let total: f32 = children.iter().map(|child| child.policy.get().powf(power)).sum();
        (power != 1.0 || mean_luck > 0.0).then_some(RootWidth { power, total: total.max(f32::MIN_POSITIVE), mean_luck })
    }

    pub fn flattened(&self, policy: f32) -> f32 {
        policy.powf(self.power) / self.total
    }

    pub fn brings_luck(&self) -> bool {
        self.mean_luck > 0.0
    }

    /// Something to add to a move's value, drawn anew each time: mostly little, seldom much.
    pub fn luck(&self, rng: &mut Rng) -> f32 {
        -self.mean_luck * (1.0 - rng.unit()).ln()
    }
}
