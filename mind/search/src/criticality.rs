//! Criticality: how much owning a point and winning the game go together (Pachi 4.3).
//!
//! Crit(x) = P(the winner owns x) - (P(b owns x) P(b wins) + P(w owns x) P(w wins)). In the paper's form the bracket is
//! 2 b(x) b - b(x) - b + 1. A critical move has its AMAF statistics scaled by 1 + c * Crit.
//!
//! All its shares are of the same simulations. In a cluster a node's visits are those of all machines and owners are known
//! of our own simulations only; nobody owns a pass, so the child that passes counts these.

use jigo_board::{Color, Move};

use crate::node::Node;
use crate::selection::Choice;

/// How to scale the AMAF statistics of one node's children.
pub struct Scale {
    strength: f32,
    sample: Sample,
}

/// None while the node has too few visits, or criticality is off.
#[inline]
pub(crate) fn scale(choice: &Choice<'_>) -> Option<Scale> {
    let parameters = choice.parameters;
    if parameters.criticality == 0.0 || choice.node.visits() < parameters.criticality_visits {
        return None;
    }
    let sample = match choice.rank {
        Some(_) => Sample::of_children(choice.children)?,
        None => {
            Sample { simulations: choice.node.visits() as f32, black_wins: choice.win_rate()?.share_of(Color::Black) }
        }
    };
    let is_enough = sample.simulations >= parameters.criticality_visits as f32;
    is_enough.then_some(Scale { strength: parameters.criticality, sample })
}

impl Scale {
    #[inline(always)]
    pub fn of(&self, child: &Node) -> f32 {
        (1.0 + self.strength * self.sample.criticality_of(child)).max(0.0)
    }
}

/// The simulations of which children know owners.
pub struct Sample {
    simulations: f32,
    black_wins: f32,
}

impl Sample {
    /// One more of them, in which Black won so much.
    #[inline(always)]
    pub fn count(pass: &Node, black_won: f32) {
        pass.winner_owned.add(1.0);
        pass.black_owned.add(black_won);
    }

    /// Those of this machine; none before the first. A pass is rarely trusted, so it is looked for from the end.
    #[inline]
    pub fn of_children(children: &[Node]) -> Option<Sample> {
        let pass = children.iter().rfind(|child| child.mv() == Move::Pass)?;
        let simulations = pass.winner_owned.get();
        (simulations > 0.0).then(|| Sample { simulations, black_wins: pass.black_owned.get() / simulations })
    }

    #[inline(always)]
    pub fn criticality_of(&self, child: &Node) -> f32 {
        let share = 1.0 / self.simulations;
        criticality(child.winner_owned.get() * share, child.black_owned.get() * share, self.black_wins)
    }
}

/// The paper's formula; the first term is the share of simulations in which the owner of the point won.
#[inline(always)]
fn criticality(winner_owns: f32, black_owns: f32, black_wins: f32) -> f32 {
    winner_owns - (2.0 * black_owns * black_wins - black_owns - black_wins + 1.0)
}

#[cfg(test)]
mod tests {
    use super::criticality;

    #[test]
    fn a_point_that_decides_the_game_is_critical_and_a_settled_one_is_not() {
        // Whoever owns it wins; both happen half of the time.
        assert_eq!(criticality(1.0, 0.5, 0.5), 0.5);
        // Black owns it always and wins half of the games.
        assert_eq!(criticality(0.5, 1.0, 0.5), 0.0);
        // Whoever owns it loses.
        assert_eq!(criticality(0.0, 0.5, 0.5), -0.5);
    }
}
