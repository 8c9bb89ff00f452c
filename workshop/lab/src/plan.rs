//! What to play when nobody says what: every experiment, in the order of what its claims are worth.

use crate::experiment::Experiment;
use crate::experiments;

/// Rows of an experiment under conditions in which they can mean something within hours.
pub struct Errand {
    pub experiment: &'static Experiment,
    pub size: usize,
    pub playouts: u64,
    /// Of each row, when the errand is done.
    pub games: u64,
    /// Those that claims are about; all if none is named.
    pub rows: &'static [&'static str],
    /// In GNU Go's place; without one the experiment's baseline.
    pub opponent: Option<&'static str>,
}

/// Name, board, playouts a move, games of each row, rows.
type Planned = (&'static str, usize, u64, u64, &'static [&'static str]);

/// Against the experiment's own baseline. Searches are as short as what is tested allows: most claims that a hundred seconds or
/// ten minutes of a core decide come first, by what an effect of the paper's size needs.
const ORDER: &[Planned] = &[
    ("scaling", 9, 50, 800, &["playouts x 2", "playouts x 4", "playouts x 8"]),
    ("scaling-self", 9, 50, 400, &["playouts x 2"]),
    ("playouts", 9, 100, 400, &["w/o capture", "w/o two liberties", "w/o 3x3 patterns"]),
    ("priors", 9, 50, 400, &["w/o CFG distance", "w/o playout policy"]),
    ("komi-even", 9, 200, 450, &["score against none", "score against value", "value against none"]),
    ("handicap-elo", 9, 100, 400, &["1 stones", "2 stones"]),
    ("priors", 9, 50, 1000, &["w/o eye malus", "w/o ko prior"]),
    ("playouts", 9, 100, 800, &["w/o self-atari filter"]),
    ("criticality", 9, 500, 250, &["c = 1.1 after 192 visits"]),
    ("threads", 9, 100, 1000, &["2 threads", "8 threads"]),
    ("random-parameters", 9, 100, 1000, &["randomised, x1"]),
    ("connections", 9, 50, 3136, &["with the rule"]),
    ("komi-online", 9, 200, 800, &["during the search"]),
    ("komi-zones", 9, 200, 800, &["0.55 to 0.6"]),
    ("komi-ratchet", 9, 200, 800, &["after 4 moves"]),
    ("random-once", 9, 50, 2200, &["once a simulation, x1"]),
    ("virtual-loss", 9, 50, 2200, &["6 lost"]),
    ("machines", 9, 500, 200, &["2 machines"]),
    (
        "net-komi-handicap",
        9,
        16,
        500,
        &["none, 3", "none, 4", "ss-r, 3", "ss-r, 4", "vs-m, 3", "vs-m, 4", "ml-dk, 3", "ml-dk, 4"],
    ),
    ("random-parameters", 19, 100, 400, &["randomised, x1"]),
    ("random-generators", 9, 100, 400, &["and order, every move, x8", "and order, every playout, x8"]),
    ("priors", 19, 50, 1000, &["w/o lines"]),
    ("net-komi-even", 9, 50, 1000, &["none", "ss-r", "ml-dk"]),
    ("threads-time", 9, 400, 400, &["2 threads"]),
    ("time-reply", 9, 400, 1000, &["at 0.02"]),
    ("time-second", 9, 400, 1000, &["at 2.5"]),
    ("komi-even", 9, 400, 1000, &["none", "score", "value"]),
    ("net-cross", 9, 50, 1000, &[]),
    ("criticality", 9, 4000, 10000, &["c = 1.1 after 2000 visits"]),
];

/// Handicap games in which the row without dynamic komi wins about half: a stronger and a weaker program, which are quick beside
/// GNU Go.
const HANDICAP: &[(Planned, &str)] = &[
    (("komi-stone", 9, 100, 1200, &["h = 1", "h = 4", "h = 7", "h = 14"]), STRONGER),
    (("komi-taking", 9, 200, 300, &["none, 2", "none, 3", "linear, 2", "linear, 3", "value, 2", "value, 3"]), STRONGER),
    (("komi-giving", 9, 200, 300, &["none", "linear", "value"]), WEAKER),
];
const STRONGER: &str = "net4=jigo gtp --threads 1 --seed {seed} --playouts 4";
const WEAKER: &str =
    "weak25=jigo gtp --threads 1 --seed {seed} --preset baudis --net none --dynkomi none --playouts 25";
/// After so many of the others.
const HANDICAP_PLACE: usize = 9;

/// All of them, the worthiest first.
pub fn errands() -> Vec<Errand> {
    let errand = |&(name, size, playouts, games, rows): &Planned, opponent: Option<&'static str>| {
        Some(Errand { experiment: experiments::by_name(name)?, size, playouts, games, rows, opponent })
    };
    let (first, later) = ORDER.split_at(HANDICAP_PLACE);
    let first = first.iter().map(|planned| errand(planned, None));
    let handicap = HANDICAP.iter().map(|(planned, opponent)| errand(planned, Some(*opponent)));
    let later = later.iter().map(|planned| errand(planned, None));
    first.chain(handicap).chain(later).flatten().collect()
}

/// Games that each row gains before the next errand has its turn.
const ROUND: u64 = 100;

/// The errands in the order in which they are played, with the games that each row then has: a round of every errand, and again.
pub fn rounds(errands: &[Errand]) -> impl Iterator<Item = (&Errand, u64)> {
    let most = errands.iter().map(|errand| errand.games).max().unwrap_or(0);
    (1..=most.div_ceil(ROUND)).map(|round| round * ROUND).flat_map(move |games| {
        let unfinished = errands.iter().filter(move |errand| games < errand.games + ROUND);
        unfinished.map(move |errand| (errand, games.min(errand.games)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::idle::idle;
    use crate::{Conditions, Opponent, claims};

    impl Errand {
        fn conditions(&self) -> Conditions {
            let opponent = self.opponent.map_or(Opponent::Baseline, |text| Opponent::program(text).unwrap());
            let rows = self.rows.iter().map(|row| row.to_string()).collect();
            let (size, playouts) = (self.size, self.playouts);
            Conditions { size, playouts, rows, opponent, ..Conditions::of(self.experiment, true) }
        }

        /// Does it play a row of this label?
        fn plays(&self, label: &str) -> bool {
            let conditions = self.conditions();
            let variants = (self.experiment.variants)(self.size);
            variants.iter().any(|variant| claims::Claim::is_meant(label, &variant.label) && conditions.plays(variant))
        }
    }

    #[test]
    fn what_is_planned_exists_can_act_and_covers_nearly_every_claim() {
        let errands = errands();
        assert_eq!(errands.len(), ORDER.len() + HANDICAP.len());
        for errand in &errands {
            let conditions = errand.conditions();
            let variants = (errand.experiment.variants)(errand.size);
            for row in errand.rows {
                let found = variants.iter().any(|variant| conditions.is_called(variant, row));
                assert!(found, "{} has no row {row}", errand.experiment.name);
            }
            // A part of what is drawn and one of several handicaps may rest, the others act.
            let rests = |note: &String| note.contains("h never acts") || note.contains("one stone is the first move");
            let idle: Vec<String> =
                idle(errand.experiment, &conditions).into_iter().filter(|note| !rests(note)).collect();
            assert_eq!(idle, Vec::<String>::new(), "{}", errand.experiment.name);
        }
        let planned = |claim: &&claims::Claim| {
            errands.iter().any(|errand| {
                errand.experiment.name == claim.experiment
                    && claim.size.is_none_or(|size| size == errand.size)
                    && (errand.plays(claim.row) || claim.than.is_some_and(|than| errand.plays(than)))
            })
        };
        let left: Vec<&str> = claims::all().filter(|claim| !planned(claim)).map(|claim| claim.says).collect();
        assert_eq!(
            left,
            ["the right komi wins slightly more than one point beside it"],
            "this one needs recorded games"
        );
    }

    #[test]
    fn every_round_adds_games_until_each_errand_has_all_of_its_own() {
        let errands = errands();
        let mut rounds_of = vec![Vec::new(); errands.len()];
        for (errand, games) in rounds(&errands) {
            let place = errands.iter().position(|other| std::ptr::eq(other, errand)).unwrap();
            rounds_of[place].push(games);
        }
        for (errand, rounds) in errands.iter().zip(rounds_of) {
            assert!(rounds.is_sorted_by(|one, next| one < next), "{}: {rounds:?}", errand.experiment.name);
            assert_eq!(rounds.last(), Some(&errand.games), "{}", errand.experiment.name);
        }
        let first: Vec<_> = rounds(&errands).take(errands.len()).map(|(errand, _)| errand.experiment.name).collect();
        let all: Vec<_> = errands.iter().map(|errand| errand.experiment.name).collect();
        assert_eq!(first, all, "everything has a round before anything has two");
    }
}
