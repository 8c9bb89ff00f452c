//! The claims, paper by paper. Where a paper draws a curve without numbers, the effect is what one reads in its figure.

use super::Claim;
use super::Expected::{Alike, Less, More};

/// Five games in a hundred: what a paper calls "hardly" or "does not help" must lie within it.
const HARDLY: f64 = 0.05;

const fn claim(
    source: &'static str,
    says: &'static str,
    paper: &'static str,
    experiment: &'static str,
    row: &'static str,
    than: &'static str,
    expected: super::Expected,
) -> Claim {
    Claim { says, source, paper, experiment, size: None, row, than: Some(than), against: "", expected }
}

/// A match of its own: the row against a named opponent.
const fn duel(
    source: &'static str,
    says: &'static str,
    paper: &'static str,
    experiment: &'static str,
    row: &'static str,
    against: &'static str,
    expected: super::Expected,
) -> Claim {
    Claim { says, source, paper, experiment, size: None, row, than: None, against, expected }
}

const fn on(size: usize, claim: Claim) -> Claim {
    Claim { size: Some(size), ..claim }
}

const fn against(against: &'static str, claim: Claim) -> Claim {
    Claim { against, ..claim }
}

#[rustfmt::skip]
pub const CLAIMS: &[Claim] = &[
    duel("Dynamic komi table 1", "value-based komi beats none in even games", "54.2 ± 3.4 %", "komi-even", "value", "none", More(0.042)),
    duel("Dynamic komi table 1", "score-based komi loses to none in even games", "46 ± 2 %", "komi-even", "score", "none", Less(0.04)),
    duel("Dynamic komi table 1", "score-based komi loses to value-based komi", "43.4 ± 1.8 %", "komi-even", "score", "value", Less(0.066)),
    against("GNU Go", claim("Dynamic komi table 1", "against GNU Go value-based komi gains a little", "29.0 against 27.3 %", "komi-even", "value", "none", More(0.017))),
    against("GNU Go", claim("Dynamic komi table 1", "against GNU Go score-based komi changes hardly anything", "26.3 against 27.3 %", "komi-even", "score", "none", Alike(HARDLY))),
    claim("Dynamic komi fig. 1b", "a handicap stone counted as 7 points is better than as 1", "a curve", "komi-stone", "h = 7", "h = 1", More(0.05)),
    claim("Dynamic komi fig. 1b", "little difference between 4 and 14 points a stone", "a curve", "komi-stone", "h = 4", "h = 14", Alike(HARDLY)),
    claim("Dynamic komi fig. 2a", "taking stones, linear komi wins more than none", "curves", "komi-taking", "linear", "none", More(0.10)),
    claim("Dynamic komi fig. 2a", "taking stones, value-based komi wins more than none", "curves", "komi-taking", "value", "none", More(0.10)),
    claim("Dynamic komi fig. 2b", "giving stones, linear komi does not help", "curves", "komi-giving", "linear", "none", Alike(HARDLY)),
    claim("Dynamic komi fig. 2b", "giving stones, value-based komi helps", "curves", "komi-giving", "value", "none", More(0.10)),
    claim("Dynamic komi 5.2", "komi changed during the search is better than from move to move", "significantly better", "komi-online", "during the search", "from move to move", More(0.05)),
    claim("Dynamic komi 5.1.2", "keeping the game slightly lost is better than slightly won", "red 0.45, green 0.5", "komi-zones", "0.45 to 0.5", "0.55 to 0.6", More(0.05)),
    claim("Dynamic komi 5.1.2", "a komi that lost the game is best never tried again", "never", "komi-ratchet", "never again", "after 4 moves", More(0.05)),

    claim("Pachi table 1", "the malus for eyes hardly matters", "-31 ± 32, -3 ± 16, +1 ± 16 Elo", "priors", "everything", "w/o eye malus", Alike(HARDLY)),
    claim("Pachi table 1", "the ko prior hardly matters", "-15 ± 32, -3 ± 16, +10 ± 16 Elo", "priors", "everything", "w/o ko prior", Alike(HARDLY)),
    on(19, claim("Pachi table 1", "the prior for lines hardly matters", "-15 ± 33, -4 ± 16, -6 ± 16 Elo", "priors", "everything", "w/o lines", Alike(HARDLY))),
    claim("Pachi table 1", "nearness by common fate matters", "-66 ± 32, -66 ± 16, -121 ± 16 Elo", "priors", "everything", "w/o CFG distance", More(0.09)),
    claim("Pachi table 1", "the playout policy as prior matters most", "-234 ± 42, -196 ± 16, -228 ± 16 Elo", "priors", "everything", "w/o playout policy", More(0.28)),
    claim("Pachi table 3", "playouts without captures collapse", "-563 ± 106 Elo", "playouts", "everything", "w/o capture", More(0.46)),
    claim("Pachi table 3", "moves at two liberties matter", "-86 ± 34 Elo", "playouts", "everything", "w/o two liberties", More(0.12)),
    claim("Pachi table 3", "3x3 patterns matter", "-324 ± 37 Elo", "playouts", "everything", "w/o 3x3 patterns", More(0.36)),
    claim("Pachi table 3", "the self-atari filter matters a little", "-34 ± 33 Elo", "playouts", "everything", "w/o self-atari filter", More(0.05)),
    claim("Pachi table 3", "captures are worth more than patterns", "-563 against -324 Elo", "playouts", "w/o 3x3 patterns", "w/o capture", More(0.1)),
    claim("Pachi fig. 2", "more time where the best reply disagrees", "up to 80 Elo", "time-reply", "at 0.02", "never more time", More(0.11)),
    claim("Pachi fig. 3", "more time where two moves are close", "up to 80 Elo", "time-second", "at 2.5", "never more time", More(0.11)),
    claim("Pachi 4.3", "criticality from 192 visits, short searches", "+69 ± 32 Elo", "criticality", "c = 1.1 after 192 visits", "no criticality", More(0.10)),
    claim("Pachi 4.3", "criticality from 2,000 visits, long searches", "about +10 Elo", "criticality", "c = 1.1 after 2000 visits", "no criticality", More(0.014)),
    claim("Pachi fig. 4", "twice the playouts are worth about 100 Elo", "about 100 Elo", "scaling", "playouts x 2", "playouts x 1", More(0.14)),
    claim("Pachi fig. 4", "no plateau: 8 times the playouts beat 4 times", "50 Elo and more", "scaling", "playouts x 8", "playouts x 4", More(0.07)),
    duel("Pachi fig. 8", "twice the playouts win clearly in self-play", "380 Elo from 1 to 2 cores", "scaling-self", "playouts x 2", "", More(0.25)),
    claim("Pachi fig. 9", "two threads are as good as one with as many simulations", "a speedup of 21.7 with 22 cores", "threads", "1 threads", "2 threads", Alike(HARDLY)),
    claim("Pachi fig. 9", "eight threads are as good as one with as many simulations", "a speedup of 21.7 with 22 cores", "threads", "1 threads", "8 threads", Alike(HARDLY)),
    claim("Pachi fig. 7", "two cores are clearly stronger in the same time", "380 Elo against itself, 150 against Fuego", "threads-time", "2 threads", "1 threads", More(0.20)),
    duel("Pachi fig. 10", "two machines beat one that plays as many simulations as each of them", "a curve", "machines", "2 machines", "", More(0.10)),
    claim("Pachi 5.2", "several virtual losses are better than one", "slightly", "virtual-loss", "6 lost", "1 lost", More(0.03)),
    claim("Pachi fig. 5", "giving one stone more costs about 70 Elo", "70 Elo", "handicap-elo", "1 stones", "2 stones", More(0.10)),

    on(19, claim("Go Intellect fig. 1", "randomised parameters win more on 19x19", "8 percentage points", "random-parameters", "randomised", "fixed", More(0.08))),
    on(9, claim("Go Intellect fig. 1", "randomised parameters hardly matter on 9x9", "hardly an effect", "random-parameters", "randomised", "fixed", Alike(HARDLY))),
    claim("Go Intellect fig. 2", "shuffled generators win more in long searches", "over 7 percentage points at 80K", "random-generators", "and order, every move, x8", "parameters only, x8", More(0.07)),
    claim("Go Intellect fig. 2", "shuffled once a playout is hardly worse than every move", "slightly less at 80K", "random-generators", "and order, every move, x8", "and order, every playout, x8", Alike(HARDLY)),
    claim("Go Intellect V", "parameters drawn once a simulation are not quite as good", "not quite as good", "random-once", "once a simulation", "before every step", Less(0.03)),

    duel("CGI table 3", "labels for every komi beat a single value", "60.4 ± 4.3 %", "net-cross", "ML-VN", "VN", More(0.104)),
    duel("CGI table 3", "board evaluation beats a single value", "60.6 ± 4.3 %", "net-cross", "BV-VN", "VN", More(0.106)),
    duel("CGI table 3", "both together beat a single value", "67.6 ± 4.1 %", "net-cross", "BV-ML-VN", "VN", More(0.176)),
    duel("CGI table 3", "board evaluation and labels are worth about the same", "50.8 ± 4.4 %", "net-cross", "BV-VN", "ML-VN", Alike(HARDLY)),
    duel("CGI table 3", "both together beat labels alone", "52.8 ± 4.4 %", "net-cross", "BV-ML-VN", "ML-VN", More(0.028)),
    duel("CGI table 3", "both together beat board evaluation alone", "52.8 ± 4.4 %", "net-cross", "BV-ML-VN", "BV-VN", More(0.028)),
    claim("CGI table 4", "in even games ml-dk is better than none", "83.2 against 80.8 %", "net-komi-even", "ml-dk", "none", More(0.024)),
    claim("CGI table 4", "in even games ss-r is like none", "80.0 against 80.8 %", "net-komi-even", "ss-r", "none", Alike(HARDLY)),
    claim("CGI table 5", "giving stones, ss-r wins more than none", "48.5 against 41.3 % over four handicaps", "net-komi-handicap", "ss-r", "none", More(0.072)),
    claim("CGI table 5", "giving stones, ml-dk wins more than none", "49.3 against 41.3 % over four handicaps", "net-komi-handicap", "ml-dk", "none", More(0.08)),
    claim("CGI table 5", "giving stones, vs-m does not help", "39.5 against 41.3 % over four handicaps", "net-komi-handicap", "vs-m", "none", Alike(HARDLY)),
    duel("CGI IV.E", "the right komi wins slightly more than one point beside it", "51.5 ± 1.2 %", "net-komi-label", "asked about 6.5", "asked", More(0.015)),

    claim("Evaluation value table 1", "not connecting in too many places wins more", "39.4 against 36.9 %", "connections", "with the rule", "without the rule", More(0.025)),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conditions, experiments};

    /// A claim whose rows nobody can play would be undecided for ever.
    #[test]
    fn every_claim_is_about_rows_that_its_experiment_plays() {
        for claim in CLAIMS {
            let experiment = experiments::by_name(claim.experiment)
                .unwrap_or_else(|| panic!("{}: there is no experiment {}", claim.says, claim.experiment));
            let conditions = Conditions::of(experiment, true);
            let variants = (experiment.variants)(claim.size.unwrap_or(experiment.defaults.size));
            for wanted in [Some(claim.row), claim.than].into_iter().flatten() {
                let found = variants.iter().any(|variant| {
                    Claim::is_meant(wanted, &variant.label)
                        && conditions.opponent_name(variant).starts_with(claim.against)
                });
                assert!(found, "{}: no row {wanted} against {:?} in {}", claim.says, claim.against, claim.experiment);
            }
        }
        assert!(CLAIMS.len() >= 30);
    }
}
