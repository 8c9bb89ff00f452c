//! Does "70 %" win seven games of ten? And is a spread of ten points one of ten points?

use jigo_arena::CommandLine;
use jigo_board::Color;

use super::analyst::{Analyst, AnalystOpinion};
use super::positions::{GamePosition, Source};
use super::statistics::RunningMean;
use crate::run::LabError;

pub struct Calibration {
    pub source: Source,
    pub positions: usize,
    pub analyst: CommandLine,
    pub visits: Vec<u64>,
}

const BINS: usize = 10;

/// Said and seen, for one part of the scale.
#[derive(Clone, Copy, Default)]
struct Bin {
    count: f64,
    said: f64,
    won: f64,
    variance: f64,
}

/// A curve: win rates that were said beside games that were won.
struct Curve {
    bins: [Bin; BINS],
}

impl Curve {
    fn of(cases: impl Iterator<Item = (f32, bool)>) -> Curve {
        let mut bins = [Bin::default(); BINS];
        for (said, won) in cases {
            let said = f64::from(said).clamp(0.0, 1.0);
            let bin = &mut bins[((said * BINS as f64) as usize).min(BINS - 1)];
            bin.count += 1.0;
            bin.said += said;
            bin.won += f64::from(u8::from(won));
            bin.variance += said * (1.0 - said);
        }
        Curve { bins }
    }

    fn count(&self) -> f64 {
        self.bins.iter().map(|bin| bin.count).sum::<f64>().max(1.0)
    }

    /// The mean distance of said and won over the bins, by their sizes.
    fn error(&self) -> f64 {
        self.bins.iter().map(|bin| (bin.said - bin.won).abs()).sum::<f64>() / self.count()
    }

    /// What a perfectly calibrated program would get by chance with so few games: a binomial's mean deviation.
    fn chance(&self) -> f64 {
        let mean_deviation = (2.0 / std::f64::consts::PI).sqrt();
        self.bins.iter().map(|bin| mean_deviation * bin.variance.sqrt()).sum::<f64>() / self.count()
    }
}

/// Log-odds that are said nearer to even than they are would be true if they were so many times as far from it: what makes the
/// results likeliest.
fn truer_by(cases: &[(f32, bool)]) -> f64 {
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

pub fn calibrate(measurement: &Calibration, tell: &mut dyn FnMut(usize)) -> Result<String, LabError> {
    let positions = measurement.source.draw(measurement.positions)?;
    let mut text = String::new();
    let mut done = 0;
    for &visits in &measurement.visits {
        let mut analyst = Analyst::start(&measurement.analyst, 1)?;
        let mut heard = Vec::new();
        for position in &positions {
            heard.push(analyst.ask(position, visits)?);
            done += 1;
            tell(done);
        }
        text.push_str(&report(visits, &positions, &heard));
    }
    Ok(text)
}

fn report(visits: u64, positions: &[GamePosition], heard: &[AnalystOpinion]) -> String {
    let mut text = format!(
        "\n{visits} visits | positions | calibration error | by chance alone | log-odds true times | brier | lead off by | lead's stated spread | lead's real spread\n---|---|---|---|---|---|---|---|---\n"
    );
    let pairs = || positions.iter().zip(heard);
    for stage in [None, Some(0), Some(1), Some(2)] {
        let part = || pairs().filter(move |(position, _)| stage.is_none_or(|stage| position.stage() == stage));
        let won = |position: &GamePosition| position.winner == Some(Color::Black);
        let cases: Vec<(f32, bool)> = part().map(|(position, said)| (said.black_win_rate, won(position))).collect();
        let curve = Curve::of(cases.iter().copied());
        let brier: RunningMean =
            part().map(|(position, said)| (said.black_win_rate - f32::from(u8::from(won(position)))).powi(2)).collect();
        let off: RunningMean = part().filter_map(|(p, said)| Some(p.black_score? - said.black_lead)).collect();
        let distance: RunningMean =
            part().filter_map(|(p, said)| Some((p.black_score? - said.black_lead).abs())).collect();
        let stated: RunningMean = part().map(|(_, said)| said.black_lead_stdev).collect();
        text.push_str(&format!(
            "{} | {} | {:.1} % | {:.1} % | {:.2} | {:.3} | {:.1} | {:.1} | {:.1}\n",
            stage.map_or("all", GamePosition::stage_name),
            curve.count(),
            100.0 * curve.error(),
            100.0 * curve.chance(),
            truer_by(&cases),
            brier.mean(),
            distance.mean(),
            stated.mean(),
            off.stdev()
        ));
        if stage.is_none() {
            let points = curve.bins.iter().filter(|bin| bin.count > 0.0);
            let shown: Vec<String> = points
                .map(|bin| {
                    format!("{:.0}→{:.0} ({})", 100.0 * bin.said / bin.count, 100.0 * bin.won / bin.count, bin.count)
                })
                .collect();
            text = format!("\nsaid → won in per cent (positions): {}\n{text}", shown.join(", "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seventy_per_cent_that_win_seven_of_ten_are_calibrated() {
        let curve = Curve::of((0..1000).map(|game| (0.7, game % 10 < 7)));
        assert!(curve.error() < 1e-6);
        let boasting = Curve::of((0..1000).map(|game| (0.9, game % 10 < 7)));
        assert!((boasting.error() - 0.2).abs() < 1e-6);
        assert!(boasting.chance() < 0.01);
    }

    #[test]
    fn the_modest_are_told_how_much_surer_they_may_be() {
        let seen = |said: f32| (0..1000).map(move |game| (said, game % 10 < 8));
        let log_odds = |share: f32| (share / (1.0 - share)).ln();
        let times = truer_by(&seen(0.6).collect::<Vec<_>>());
        assert!((times - f64::from(log_odds(0.8) / log_odds(0.6))).abs() < 0.01, "{times}");
        assert!((truer_by(&seen(0.8).collect::<Vec<_>>()) - 1.0).abs() < 0.01);
    }
}
