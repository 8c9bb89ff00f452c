//! Pachi's selection: the mean of real and AMAF win rates, no exploration term (Pachi Algorithm 1, Dynamic komi 2.1).

use jigo_board::Rng;

use super::{Choice, best_of};
use crate::criticality;

#[inline]
pub fn select(choice: &Choice<'_>, rng: &mut Rng) -> Option<usize> {
    let parameters = choice.parameters;
    let virtual_loss = parameters.virtual_loss as f32;
    let equivalent_share = 1.0 / parameters.rave_equivalence;
    let criticality = criticality::scale(choice);
    best_of(choice, choice.children, rng, |child| {
        let losses = child.in_flight() as f32 * virtual_loss;
        let virtual_wins = choice.virtual_wins(child);
        let sims = child.visits() as f32 + child.prior_visits.get() + virtual_wins + losses;
        let wins = child.wins() + child.prior_wins.get() + virtual_wins;
        let mut sims_rave = child.amaf_visits.get();
        let mut wins_rave = child.amaf_wins.get();
        if let Some(criticality) = &criticality {
            let scale = criticality.of(child);
            sims_rave *= scale;
            wins_rave *= scale;
        }
        mean(sims, wins, sims_rave, wins_rave, equivalent_share)
    })
}

/// beta * wins_AMAF / sims_AMAF + (1 - beta) * wins / sims, where the formula's misprint is settled in Dynamic komi 2.1:
/// beta = sims_AMAF / (sims_AMAF + sims + sims_AMAF * sims / 3000). Multiplied out, one division is left, and it is made for
/// every child on every way down.
#[inline(always)]
fn mean(sims: f32, wins: f32, sims_rave: f32, wins_rave: f32, equivalent_share: f32) -> f32 {
    let real = 1.0 + sims_rave * equivalent_share;
    let all = sims_rave + sims * real;
    if all > 0.0 { (wins_rave + wins * real) / all } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn amaf_rules_while_real_simulations_are_few() {
        assert!(mean(1.0, 0.0, 1000.0, 900.0, 1.0 / 3000.0) > 0.8);
        assert!(mean(100_000.0, 40_000.0, 1000.0, 900.0, 1.0 / 3000.0) < 0.42);
    }

    #[test]
    fn it_is_the_mean_of_the_paper() {
        let (sims, wins, sims_rave, wins_rave) = (70.0, 40.0, 500.0, 210.0);
        let beta = sims_rave / (sims_rave + sims + sims_rave * sims / 3000.0);
        let paper = beta * wins_rave / sims_rave + (1.0 - beta) * wins / sims;
        assert!((mean(sims, wins, sims_rave, wins_rave, 1.0 / 3000.0) - paper).abs() < 1e-6);
    }

    #[test]
    fn with_one_kind_of_knowledge_that_kind_decides() {
        assert_eq!(mean(0.0, 0.0, 10.0, 7.0, 1.0 / 3000.0), 0.7);
        assert_eq!(mean(10.0, 7.0, 0.0, 0.0, 1.0 / 3000.0), 0.7);
        assert_eq!(mean(0.0, 0.0, 0.0, 0.0, 1.0 / 3000.0), 0.5);
    }
}
