//! Criticality: how much owning a point and winning the game go together (Pachi 4.3).
//!
//! Crit(x) = P(the winner owns x) - (P(b owns x) P(b wins) + P(w owns x) P(w wins)). In the paper's form the bracket is
//! 2 b(x) b - b(x) - b + 1. A critical move has its AMAF statistics scaled by 1 + c * Crit.

use jigo_board::Color;

use crate::node::Node;
use crate::selection::Choice;

/// How to scale the AMAF statistics of one node's children.
pub struct Scale {
    strength: f32,
    simulations: f32,
    black_win_rate: f32,
}

/// None while the node has too few visits, or criticality is off.
#[inline]
pub(crate) fn scale(choice: &Choice<'_>) -> Option<Scale> {
    let parameters = choice.parameters;
    if parameters.criticality == 0.0 || choice.node.visits() < parameters.criticality_visits {
        return None;
    }
    Some(Scale {
        strength: parameters.criticality,
        simulations: choice.node.visits() as f32,
        black_win_rate: choice.win_rate()?.share_of(Color::Black),
    })
}

impl Scale {
    #[inline(always)]
    pub fn of(&self, child: &Node) -> f32 {
        let share = 1.0 / self.simulations;
        let critical =
            criticality(child.winner_owned.get() * share, child.black_owned.get() * share, self.black_win_rate);
        (1.0 + self.strength * critical).max(0.0)
    }
}

/// The paper's formula; the first term is the share of simulations in which the owner of the point won.
#[inline(always)]
pub fn criticality(winner_owns: f32, black_owns: f32, black_wins: f32) -> f32 {
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
