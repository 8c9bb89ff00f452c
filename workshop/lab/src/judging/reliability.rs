//! Win rates that were said beside games that were won, and how far they are truly apart: what chance does with few games is taken
//! off.

use jigo_arena::statistics::{Interval, Outcomes, Trinomial};

const BINS: usize = 10;
/// A normal distribution's 95 % lie within so many standard deviations.
const Z95: f64 = 1.96;

/// Said and seen, for one part of the scale.
#[derive(Clone, Copy, Default)]
struct Bin {
    games: Trinomial,
    said: f64,
    /// What games won were more than said, added up, and its squares.
    missed: f64,
    missed_squares: f64,
    variance: f64,
}

impl Bin {
    fn add(&mut self, said: f64, won: bool) {
        let result = f64::from(u8::from(won));
        self.games.add(result);
        self.said += said;
        self.missed += result - said;
        self.missed_squares += (result - said).powi(2);
        self.variance += said * (1.0 - said);
    }

    fn count(&self) -> f64 {
        self.games.games() as f64
    }

    /// The square of how far said and won are truly apart: what two different games miss, multiplied, on average over all pairs.
    /// A game's own square would be chance. None of a single game.
    fn squared_error(&self) -> Option<f64> {
        let pairs = self.count() * (self.count() - 1.0);
        (pairs > 0.0).then(|| (self.missed * self.missed - self.missed_squares) / pairs)
    }

    /// How far chance moves that square.
    fn squared_error_variance(&self) -> f64 {
        let of_mean = self.missed_squares / self.count().powi(2);
        let truth = self.squared_error().unwrap_or(0.0).max(0.0);
        2.0 * of_mean * of_mean + 4.0 * truth * of_mean
    }
}

/// A point of the curve.
#[derive(Clone, Copy, Debug)]
pub struct Reliability {
    pub said: f64,
    pub won: f64,
    pub interval: Interval,
    pub count: u64,
}

/// A curve: win rates that were said beside games that were won.
pub struct ReliabilityCurve {
    bins: [Bin; BINS],
}

impl ReliabilityCurve {
    pub fn of(cases: &[(f32, bool)]) -> ReliabilityCurve {
        let mut bins = [Bin::default(); BINS];
        for &(said, won) in cases {
            let said = f64::from(said).clamp(0.0, 1.0);
            bins[((said * BINS as f64) as usize).min(BINS - 1)].add(said, won);
        }
        ReliabilityCurve { bins }
    }

    pub fn points(&self) -> impl Iterator<Item = Reliability> {
        self.bins.iter().filter(|bin| bin.count() > 0.0).map(|bin| Reliability {
            said: bin.said / bin.count(),
            won: bin.games.score(),
            interval: bin.games.score_interval(),
            count: bin.games.games(),
        })
    }

    pub fn count(&self) -> f64 {
        self.bins.iter().map(Bin::count).sum()
    }

    /// The mean distance of said and won over the bins, by their sizes.
    pub fn error(&self) -> f64 {
        self.bins.iter().map(|bin| bin.missed.abs()).sum::<f64>() / self.count().max(1.0)
    }

    /// What a perfectly calibrated program would get by chance with so few games: a binomial's mean deviation.
    pub fn chance(&self) -> f64 {
        let mean_deviation = (2.0 / std::f64::consts::PI).sqrt();
        self.bins.iter().map(|bin| mean_deviation * bin.variance.sqrt()).sum::<f64>() / self.count().max(1.0)
    }

    /// The error without what chance adds to it, with its 95 % interval. It is a root mean square, so never below the mean distance
    /// that endlessly many games would show.
    pub fn true_error(&self) -> (f64, Interval) {
        let (square, variance) = self.squared_error();
        let root = |square: f64| square.max(0.0).sqrt();
        let reach = Z95 * variance.sqrt();
        (root(square), Interval { low: root(square - reach), high: root(square + reach) })
    }

    /// Its square, which chance may take below zero, and the variance of that.
    fn squared_error(&self) -> (f64, f64) {
        let measured = || self.bins.iter().filter_map(|bin| Some((bin.count(), bin.squared_error()?, bin)));
        let all = measured().map(|(count, ..)| count).sum::<f64>().max(1.0);
        let square = measured().map(|(count, square, _)| count / all * square).sum();
        let variance = measured().map(|(count, _, bin)| (count / all).powi(2) * bin.squared_error_variance()).sum();
        (square, variance)
    }
}

/// Log-odds that are said nearer to even than they are would be true if they were so many times as far from it: what makes the
/// results likeliest.
pub fn truer_by(cases: &[(f32, bool)]) -> f64 {
    let surprise = |times: f64| -> f64 {
        let of = |&(said, won): &(f32, bool)| {
            let said = f64::from(said).clamp(0.001, 0.999);
            let log_odds = times * (said / (1.0 - said)).ln();
            (1.0 + if won { -log_odds } else { log_odds }.exp()).ln()
        };
        cases.iter().map(of).sum()
    };
    // The surprise has one lowest place.
    let (mut low, mut high) = (0.2, 5.0);
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        if surprise(low + third) < surprise(high - third) { high -= third } else { low += third }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use jigo_arena::seed::random_part;

    use super::*;

    #[test]
    fn seventy_per_cent_that_win_seven_of_ten_are_calibrated() {
        let seen = |said: f32| (0..1000).map(|game| (said, game % 10 < 7)).collect::<Vec<_>>();
        let curve = ReliabilityCurve::of(&seen(0.7));
        assert!(curve.error() < 1e-6);
        assert_eq!(curve.true_error().0, 0.0);
        let boasting = ReliabilityCurve::of(&seen(0.9));
        assert!((boasting.error() - 0.2).abs() < 1e-6);
        assert!(boasting.chance() < 0.01);
        let (error, interval) = boasting.true_error();
        assert!((error - 0.2).abs() < 0.002, "{error}");
        assert!(interval.low > 0.15 && interval.high < 0.25, "{interval:?}");
    }

    /// Games of a program that says `said` where `truth` is the chance to win, many times over: the true square of its error, the
    /// mean of those that are measured, and how often their interval holds it.
    fn repeated(truth: fn(f64) -> f64, games: usize) -> (f64, f64, f64) {
        const TIMES: u64 = 4000;
        let (mut squares, mut held) = (0.0, 0.0);
        // Each in the middle of its bin.
        let sayings: Vec<f64> = (0..BINS).map(|bin| (bin as f64 + 0.5) / BINS as f64).collect();
        let true_square = sayings.iter().map(|&said| (truth(said) - said).powi(2)).sum::<f64>() / BINS as f64;
        for time in 0..TIMES {
            let mut rng = random_part(1, "reliability", time);
            let cases: Vec<(f32, bool)> = (0..games)
                .map(|game| sayings[game % BINS])
                .map(|said| (said as f32, rng.chance(truth(said) as f32)))
                .collect();
            let curve = ReliabilityCurve::of(&cases);
            squares += curve.squared_error().0;
            let (_, interval) = curve.true_error();
            let holds = interval.low <= true_square.sqrt() + 1e-9 && true_square.sqrt() <= interval.high;
            held += f64::from(u8::from(holds));
        }
        (true_square, squares / TIMES as f64, held / TIMES as f64)
    }

    #[test]
    fn the_true_error_is_seen_through_chance_with_few_games() {
        // By chance alone 300 games show a square of 0.0055 where a program is perfect. Of what is left when that is taken off, the
        // mean over so many repetitions has a standard error of 0.00004 or a little more.
        const CLOSE: f64 = 0.0002;
        let (_, square, held) = repeated(|said| said, 300);
        assert!(square.abs() < CLOSE && held > 0.93, "{square} {held}");
        // Too modest by nine per cent at the ends.
        let (truth, square, held) = repeated(|said| (0.5 + 1.2 * (said - 0.5)).clamp(0.0, 1.0), 300);
        assert!((square - truth).abs() < CLOSE && held > 0.93, "{truth} {square} {held}");
    }

    #[test]
    fn the_modest_are_told_how_much_surer_they_may_be() {
        let seen = |said: f32| (0..1000).map(|game| (said, game % 10 < 8)).collect::<Vec<_>>();
        let log_odds = |share: f32| (share / (1.0 - share)).ln();
        let times = truer_by(&seen(0.6));
        assert!((times - f64::from(log_odds(0.8) / log_odds(0.6))).abs() < 0.01, "{times}");
        assert!((truer_by(&seen(0.8)) - 1.0).abs() < 0.01);
    }
}
