//! Matches between imaginary players of known strength: sequential tests must stop with the right answer at
//! the promised error rates, and intervals must cover the truth as often as they say.

use jigo_arena::seed::random_part;
use jigo_arena::statistics::{Outcomes, Pentanomial, Sprt, SprtVerdict, Trinomial, score_of_elo};
use jigo_board::Rng;

/// A player `elo` stronger than the opponent; every opening favours one colour by up to `opening_elo`, and
/// `draws` of the games end drawn.
struct TruePlayer {
    elo: f64,
    opening_elo: f64,
    draws: f64,
}

impl TruePlayer {
    fn play_pair(&self, dice: &mut Rng) -> (f64, f64) {
        let bias = (2.0 * f64::from(dice.unit()) - 1.0) * self.opening_elo;
        (self.play(bias, dice), self.play(-bias, dice))
    }

    fn play(&self, bias: f64, dice: &mut Rng) -> f64 {
        if f64::from(dice.unit()) < self.draws {
            return 0.5;
        }
        f64::from(f64::from(dice.unit()) < score_of_elo(self.elo + bias))
    }
}

/// Runs one sequential test to its end and says what it accepted and after how many pairs.
fn run_sprt(player: &TruePlayer, sprt: &Sprt, dice: &mut Rng) -> (SprtVerdict, u64) {
    let mut pairs = Pentanomial::default();
    loop {
        let (first, second) = player.play_pair(dice);
        pairs.add(first, second);
        let verdict = sprt.verdict(&pairs);
        if verdict != SprtVerdict::Undecided {
            return (verdict, pairs.observations());
        }
        assert!(pairs.observations() < 1_000_000, "the test never stops");
    }
}

/// Share of `runs` tests that accept elo1, and the mean number of pairs they took.
fn acceptance(player: &TruePlayer, sprt: &Sprt, runs: u32, seed: u64) -> (f64, f64) {
    let mut dice = random_part(seed, "simulated match", 0);
    let mut accepted = 0;
    let mut pairs = 0;
    for _ in 0..runs {
        let (verdict, length) = run_sprt(player, sprt, &mut dice);
        accepted += u32::from(verdict == SprtVerdict::AcceptElo1);
        pairs += length;
    }
    (f64::from(accepted) / f64::from(runs), pairs as f64 / f64::from(runs))
}

/// With 1000 runs the standard deviation of a 5 % rate is 0.7 %; three of them are allowed above, and the rate
/// must not be far below either, or the test would be wasting games.
#[test]
fn error_rates_are_the_promised_ones() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap();
    for (opening_elo, draws, seed) in [(0.0, 0.0, 1), (300.0, 0.0, 2), (100.0, 0.3, 3)] {
        let equal = TruePlayer { elo: 0.0, opening_elo, draws };
        let (false_alarms, _) = acceptance(&equal, &sprt, 1000, seed);
        assert!((0.02..0.071).contains(&false_alarms), "{false_alarms}");

        // With draws the mean score of "50 Elo" over decisive games is smaller: ask for the true 50 Elo.
        let decisive_score = (score_of_elo(50.0) - draws / 2.0) / (1.0 - draws);
        let stronger = TruePlayer {
            elo: if opening_elo == 0.0 { 50.0 } else { elo_with_openings(decisive_score, opening_elo) },
            opening_elo,
            draws,
        };
        let (found, _) = acceptance(&stronger, &sprt, 1000, seed + 10);
        assert!((0.929..0.98).contains(&found), "{found}");
    }
}

/// The strength whose score, averaged over all opening biases, is `score`.
fn elo_with_openings(score: f64, opening_elo: f64) -> f64 {
    let mean_score = |elo: f64| {
        let steps = 1000;
        (0..steps)
            .map(|step| (2.0 * (f64::from(step) + 0.5) / f64::from(steps) - 1.0) * opening_elo)
            .map(|bias| score_of_elo(elo + bias))
            .sum::<f64>()
            / f64::from(steps)
    };
    let (mut low, mut high) = (0.0, 400.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if mean_score(middle) < score {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[test]
fn a_clear_difference_stops_early_and_the_middle_takes_longest() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap();
    let of = |elo: f64| TruePlayer { elo, opening_elo: 0.0, draws: 0.0 };
    let (accepted, quick) = acceptance(&of(150.0), &sprt, 200, 4);
    assert_eq!(accepted, 1.0);
    let (accepted, slow) = acceptance(&of(25.0), &sprt, 200, 5);
    assert!((0.35..0.65).contains(&accepted), "{accepted}");
    let (accepted, quick_too) = acceptance(&of(-100.0), &sprt, 200, 6);
    assert_eq!(accepted, 0.0);
    assert!(quick * 3.0 < slow && quick_too * 3.0 < slow);
}

#[test]
fn intervals_cover_the_truth_ninety_five_times_in_a_hundred() {
    let player = TruePlayer { elo: 80.0, opening_elo: 0.0, draws: 0.0 };
    let mut dice = random_part(7, "coverage", 0);
    let runs = 2000;
    let (mut by_pairs, mut by_games) = (0, 0);
    for _ in 0..runs {
        let mut pairs = Pentanomial::default();
        let mut games = Trinomial::default();
        for _ in 0..40 {
            let (first, second) = player.play_pair(&mut dice);
            pairs.add(first, second);
            games.wins += (first + second) as u64;
        }
        games.losses = 80 - games.wins;
        let covers = |(_, interval): (f64, jigo_arena::statistics::Interval)| {
            u32::from(interval.low < 80.0 && 80.0 < interval.high)
        };
        by_pairs += covers(pairs.elo());
        by_games += covers(games.elo());
    }
    for covered in [by_pairs, by_games] {
        let rate = f64::from(covered) / f64::from(runs);
        assert!((0.935..0.97).contains(&rate), "{rate}");
    }
}
