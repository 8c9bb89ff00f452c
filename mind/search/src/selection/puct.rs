//! Policy-guided selection (CGI II.B): value plus the policy's trust, fading with visits.

use jigo_board::Rng;

use super::{Choice, best_of};

pub fn select(choice: &Choice<'_>, rng: &mut Rng) -> Option<usize> {
    let parameters = choice.parameters;
    let virtual_loss = parameters.virtual_loss as f32;
    let node = choice.node;
    let unvisited = choice.mover_share() - parameters.puct_reduction;
    let exploration = parameters.puct_exploration * (node.visits() as f32 + 1.0).sqrt();
    let most_trusted = choice.most_trusted();
    best_of(choice, choice.children, rng, |child| {
        let policy = choice.policy(child);
        // A cluster must not look at moves that the policy finds absurd.
        let virtual_wins = choice.virtual_wins(child) * (policy / most_trusted).min(1.0).sqrt();
        let sims = child.visits() as f32 + virtual_wins + child.in_flight() as f32 * virtual_loss;
        let rate = if sims > 0.0 { (child.wins() + virtual_wins) / sims } else { unvisited };
        rate + exploration * policy / (1.0 + sims)
    })
}
