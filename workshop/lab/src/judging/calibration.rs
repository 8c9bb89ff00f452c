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
        "\n{visits} visits | positions | calibration error | by chance alone | brier | lead off by | lead's stated spread | lead's real spread\n---|---|---|---|---|---|---|---\n"
    );
    let pairs = || positions.iter().zip(heard);
    for stage in [None, Some(0), Some(1), Some(2)] {
        let part = || pairs().filter(move |(position, _)| stage.is_none_or(|stage| position.stage() == stage));
        let won = |position: &GamePosition| position.winner == Some(Color::Black);
        let curve = Curve::of(part().map(|(position, said)| (said.black_win_rate, won(position))));
        let brier: RunningMean =
            part().map(|(position, said)| (said.black_win_rate - f32::from(u8::from(won(position)))).powi(2)).collect();
        let off: RunningMean = part().filter_map(|(p, said)| Some(p.black_score? - said.black_lead)).collect();
        let distance: RunningMean =
            part().filter_map(|(p, said)| Some((p.black_score? - said.black_lead).abs())).collect();
        let stated: RunningMean = part().map(|(_, said)| said.black_lead_stdev).collect();
        text.push_str(&format!(
            "{} | {} | {:.1} % | {:.1} % | {:.3} | {:.1} | {:.1} | {:.1}\n",
            stage.map_or("all", GamePosition::stage_name),
            curve.count(),
            100.0 * curve.error(),
            100.0 * curve.chance(),
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
}
