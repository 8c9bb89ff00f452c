//! Minorisation-maximisation (Coulom 2007, sec 3): what is each feature worth, if teams of features
//! compete and a team is as strong as the product of its members?
//!
//! For a feature with W wins, each update sets its gamma to W divided by the sum over all contests of C/E: E is the
//! strength of all teams in the contest, C that of the feature's team mates. The likelihood never falls. Features
//! of one class never play in the same team, so a whole class is updated at once.

use crate::contests::Contests;

/// What a feature is believed to be worth before any contest, as strong as this many virtual wins.
#[derive(Clone, Copy, Debug)]
pub enum Prior<'a> {
    /// As much as any other.
    One { wins: f64 },
    /// As much as another feature of the class, which has a smaller number: 0 has none and is worth 1.
    Parent { parents: &'a [u32], wins: f64 },
}

/// The gammas of all features, by class and number.
#[derive(Clone, Debug, PartialEq)]
pub struct BradleyTerry {
    pub gammas: Vec<Vec<f32>>,
}

impl BradleyTerry {
    pub fn all_equal(sizes: &[usize]) -> BradleyTerry {
        BradleyTerry { gammas: sizes.iter().map(|&size| vec![1.0; size]).collect() }
    }
}

/// How long to fit.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    pub max_sweeps: usize,
    /// Stop when a sweep over all classes changes the mean log likelihood by less. (It may fall a little where
    /// priors hold against the data.)
    pub enough: f64,
    pub threads: usize,
}

/// The state after all classes have been updated once more.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    pub number: usize,
    /// Mean logarithm of the winners' probabilities, before this sweep's last update.
    pub log_likelihood: f64,
}

/// Updates the model class by class until it stops improving. `after_sweep` sees every state on the way.
pub fn fit<const CLASSES: usize>(
    contests: &impl Contests<CLASSES>,
    priors: [Prior; CLASSES],
    model: &mut BradleyTerry,
    plan: &Fit,
    mut after_sweep: impl FnMut(&BradleyTerry, Sweep),
) {
    let wins = count_wins(contests);
    let mut standings = Standings::new(contests, model);
    let mut previous = f64::NEG_INFINITY;
    for number in 1..=plan.max_sweeps {
        let mut log_likelihood = 0.0;
        for class in 0..CLASSES {
            let sums = standings.sum(class, &model.gammas[class], plan.threads);
            log_likelihood = sums.log_likelihood / contests.len().max(1) as f64;
            let before = model.gammas[class].clone();
            update(&mut model.gammas[class], &wins[class], &sums.mates_shares, priors[class]);
            let growth = std::iter::zip(&model.gammas[class], &before).map(|(new, old)| new / old);
            standings.pending = Some((class, growth.collect()));
        }
        after_sweep(model, Sweep { number, log_likelihood });
        if (log_likelihood - previous).abs() < plan.enough {
            break;
        }
        previous = log_likelihood;
    }
}

fn count_wins<const CLASSES: usize>(contests: &impl Contests<CLASSES>) -> Vec<Vec<u32>> {
    let mut wins: Vec<Vec<u32>> = contests.class_sizes().iter().map(|&size| vec![0; size]).collect();
    for contest in 0..contests.len() {
        let winner = contests.teams(contest).start;
        for (class, wins) in wins.iter_mut().enumerate() {
            wins[contests.feature(contest, winner, class)] += 1;
        }
    }
    wins
}

fn update(gammas: &mut [f32], wins: &[u32], mates_shares: &[f64], prior: Prior) {
    for feature in 0..gammas.len() {
        let (belief, weight) = match prior {
            Prior::One { wins } => (1.0, wins),
            Prior::Parent { wins, .. } if feature == 0 => (1.0, wins),
            Prior::Parent { parents, wins } => (f64::from(gammas[parents[feature] as usize]), wins),
        };
        gammas[feature] = ((f64::from(wins[feature]) + weight) / (mates_shares[feature] + weight / belief)) as f32;
    }
}

struct Sums {
    /// For each feature of the class, the sum of C/E.
    mates_shares: Vec<f64>,
    log_likelihood: f64,
}

/// The strength of every team, kept from one update to the next: an update changes one factor only, and the
/// next walk over the teams puts it in.
struct Standings<'a, C, const CLASSES: usize> {
    contests: &'a C,
    strengths: Vec<f32>,
    /// The class updated last and how much each of its features grew.
    pending: Option<(usize, Vec<f32>)>,
}

/// The contests are cut into this many parts whatever the number of threads, so that the sums, and with
/// them the table, do not depend on the machine.
const PARTS: usize = 16;

impl<'a, C: Contests<CLASSES>, const CLASSES: usize> Standings<'a, C, CLASSES> {
    fn new(contests: &'a C, model: &BradleyTerry) -> Standings<'a, C, CLASSES> {
        let strength = |contest, team| -> f32 {
            let gammas = model.gammas.iter().enumerate();
            gammas.map(|(class, gammas)| gammas[contests.feature(contest, team, class)]).product()
        };
        let all = (0..contests.len()).flat_map(|contest| contests.teams(contest).map(move |team| (contest, team)));
        let strengths = all.map(|(contest, team)| strength(contest, team)).collect();
        Standings { contests, strengths, pending: None }
    }

    fn sum(&mut self, class: usize, gammas: &[f32], threads: usize) -> Sums {
        let Standings { contests, strengths, pending } = self;
        let (contests, pending) = (*contests, pending.as_ref());
        let bounds: Vec<usize> = (0..=PARTS).map(|i| contests.len() * i / PARTS).collect();
        let mut rest = &mut strengths[..];
        let mut parts = Vec::new();
        for bound in bounds.windows(2) {
            let teams = (bound[0]..bound[1]).map(|contest| contests.teams(contest).len()).sum();
            let (part, behind) = rest.split_at_mut(teams);
            parts.push((bound[0]..bound[1], part));
            rest = behind;
        }
        let mut total = Sums { mates_shares: vec![0.0; gammas.len()], log_likelihood: 0.0 };
        let mut parts = parts.into_iter();
        loop {
            let batch: Vec<_> = parts.by_ref().take(threads.max(1)).collect();
            if batch.is_empty() {
                return total;
            }
            let sums: Vec<Sums> = std::thread::scope(|scope| {
                let start = |(range, strengths)| {
                    scope.spawn(move || sum_over_part(contests, range, strengths, pending, class, gammas))
                };
                let workers: Vec<_> = batch.into_iter().map(start).collect();
                workers.into_iter().map(|worker| worker.join().expect("summing does not panic")).collect()
            });
            for sum in sums {
                total.log_likelihood += sum.log_likelihood;
                total.mates_shares.iter_mut().zip(sum.mates_shares).for_each(|(to, from)| *to += from);
            }
        }
    }
}

/// `strengths` are those of the teams in these contests, one after the other.
fn sum_over_part<const CLASSES: usize>(
    contests: &impl Contests<CLASSES>,
    part: std::ops::Range<usize>,
    mut strengths: &mut [f32],
    pending: Option<&(usize, Vec<f32>)>,
    class: usize,
    gammas: &[f32],
) -> Sums {
    let mut sums = Sums { mates_shares: vec![0.0; gammas.len()], log_likelihood: 0.0 };
    for contest in part {
        let teams = contests.teams(contest);
        let (here, behind) = strengths.split_at_mut(teams.len());
        strengths = behind;
        if let Some((updated, growth)) = pending {
            for (strength, team) in here.iter_mut().zip(teams.clone()) {
                *strength *= growth[contests.feature(contest, team, *updated)];
            }
        }
        let all: f64 = here.iter().map(|&strength| f64::from(strength)).sum();
        sums.log_likelihood += (f64::from(here[0]) / all).ln();
        for (strength, team) in here.iter().zip(teams) {
            let feature = contests.feature(contest, team, class);
            sums.mates_shares[feature] += f64::from(strength / gammas[feature]) / all;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Rng;

    /// Teams of one feature from each of two classes, winner first.
    struct Pairs(Vec<[[u32; 2]; TEAMS]>);

    const TEAMS: usize = 6;

    const SIZES: [usize; 2] = [5, 3];

    impl Contests<2> for Pairs {
        fn class_sizes(&self) -> [usize; 2] {
            SIZES
        }
        fn len(&self) -> usize {
            self.0.len()
        }
        fn teams(&self, contest: usize) -> std::ops::Range<usize> {
            contest * TEAMS..(contest + 1) * TEAMS
        }
        fn feature(&self, contest: usize, team: usize, class: usize) -> usize {
            self.0[contest][team % TEAMS][class] as usize
        }
    }

    fn contests_won_by(truth: &[Vec<f32>], count: usize) -> Pairs {
        let mut rng = Rng::new(11);
        let contest = |_| {
            let mut teams = [[0; 2]; TEAMS].map(|_| SIZES.map(|size| rng.below(size) as u32));
            let strength = |team: &[u32; 2]| truth[0][team[0] as usize] * truth[1][team[1] as usize];
            let mut left = rng.unit() * teams.iter().map(strength).sum::<f32>();
            let winner = teams.iter().position(|team| {
                left -= strength(team);
                left < 0.0
            });
            teams.swap(0, winner.unwrap_or(0));
            teams
        };
        Pairs((0..count).map(contest).collect())
    }

    const PLAN: Fit = Fit { max_sweeps: 200, enough: 1e-9, threads: 2 };

    #[test]
    fn known_gammas_are_recovered() {
        let truth = vec![vec![1.0, 0.2, 3.0, 8.0, 0.05], vec![1.0, 4.0, 0.5]];
        let contests = contests_won_by(&truth, 60_000);
        let mut model = BradleyTerry::all_equal(&SIZES);
        let mut likelihoods = Vec::new();
        let prior = Prior::One { wins: 0.5 };
        fit(&contests, [prior, prior], &mut model, &PLAN, |_, sweep| likelihoods.push(sweep.log_likelihood));
        assert!(likelihoods.windows(2).all(|pair| pair[1] > pair[0] - 1e-6), "{likelihoods:?}");
        for (class, gammas) in truth.iter().enumerate() {
            for (feature, gamma) in gammas.iter().enumerate() {
                // Only ratios within a class mean anything.
                let found = model.gammas[class][feature] / model.gammas[class][0];
                assert!((found / gamma - 1.0).abs() < 0.1, "class {class} feature {feature}: {found} for {gamma}");
            }
        }
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let contests = contests_won_by(&[vec![1.0, 2.0, 3.0, 4.0, 5.0], vec![1.0, 1.0, 2.0]], 500);
        let fitted = |threads| {
            let mut model = BradleyTerry::all_equal(&SIZES);
            let prior = Prior::One { wins: 1.0 };
            fit(&contests, [prior, prior], &mut model, &Fit { max_sweeps: 5, threads, ..PLAN }, |_, _| {});
            model
        };
        assert_eq!(fitted(1), fitted(3));
    }

    #[test]
    fn a_feature_never_seen_is_worth_what_its_parent_is() {
        let mut contests = contests_won_by(&[vec![1.0, 6.0, 1.0, 1.0, 0.0], vec![1.0; 3]], 5000);
        contests.0.iter_mut().flatten().filter(|team| team[0] == 4).for_each(|team| team[0] = 3);
        let mut model = BradleyTerry::all_equal(&SIZES);
        let parents = [0, 0, 0, 0, 1];
        let priors = [Prior::Parent { parents: &parents, wins: 2.0 }, Prior::One { wins: 2.0 }];
        fit(&contests, priors, &mut model, &PLAN, |_, _| {});
        let shapes = &model.gammas[0];
        assert!(shapes[1] > 4.0 * shapes[0]);
        assert!((shapes[4] / shapes[1] - 1.0).abs() < 0.01, "{shapes:?}");
    }
}
