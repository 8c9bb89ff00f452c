//! What to play when nobody says what: every experiment, in the order of what its claims are worth.

use crate::experiment::Experiment;
use crate::experiments;

/// An experiment under conditions in which its rows can mean something within a night.
pub struct Errand {
    pub experiment: &'static Experiment,
    pub size: usize,
    pub playouts: u64,
    /// Of each row, when the errand is done.
    pub games: u64,
}

/// Name, board, playouts a move, games a row. Searches are long enough for what is tested to act.
const ORDER: &[(&str, usize, u64, u64)] = &[
    ("criticality", 9, 2500, 1000),
    ("playouts", 9, 400, 1000),
    ("priors", 9, 400, 1000),
    ("connections", 9, 400, 1000),
    ("scaling-self", 9, 400, 1000),
    ("scaling", 9, 400, 1000),
    ("komi-even", 9, 2000, 1000),
    ("random-parameters", 9, 400, 1000),
    ("random-generators", 9, 400, 1000),
    ("net-komi-even", 9, 50, 1000),
    ("net-komi-handicap", 13, 50, 400),
    ("handicap-elo", 9, 400, 1000),
    ("komi-taking", 13, 2000, 400),
    ("komi-giving", 13, 2000, 400),
    ("komi-stone", 13, 2000, 400),
    ("time-reply", 9, 400, 1000),
    ("time-second", 9, 400, 1000),
    ("net-cross", 9, 50, 1000),
];

/// All of them, the worthiest first.
pub fn errands() -> Vec<Errand> {
    let errand = |&(name, size, playouts, games): &(&str, usize, u64, u64)| {
        Some(Errand { experiment: experiments::by_name(name)?, size, playouts, games })
    };
    ORDER.iter().filter_map(errand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idle::idle;
    use crate::{Conditions, claims};

    #[test]
    fn what_is_planned_exists_can_act_and_covers_nearly_every_claim() {
        let errands = errands();
        assert_eq!(errands.len(), ORDER.len());
        for Errand { experiment, size, playouts, .. } in &errands {
            let conditions = Conditions { size: *size, playouts: *playouts, ..Conditions::of(experiment, false) };
            assert_eq!(idle(experiment, &conditions), Vec::<String>::new(), "{}", experiment.name);
        }
        let planned = |claim: &&claims::Claim| errands.iter().any(|errand| errand.experiment.name == claim.experiment);
        let left: Vec<&str> = claims::all().filter(|claim| !planned(claim)).map(|claim| claim.says).collect();
        assert_eq!(
            left,
            ["the right komi wins slightly more than one point beside it"],
            "this one needs recorded games"
        );
    }
}
