//! A report as text tables.

use std::fmt;

use super::{Average, DISTANCES, EXTRA_KOMI, Report, Stage, first_move};

/// A share in percent, or a dash.
fn percent(average: &Average) -> String {
    average.value().map_or("-".into(), |value| format!("{:.1}", 100.0 * value))
}

fn number(average: &Average) -> String {
    average.value().map_or("-".into(), |value| format!("{value:.3}"))
}

fn columns(stage: &Stage) -> Vec<String> {
    let mut cells = vec![percent(&stage.top1), percent(&stage.top5), number(&stage.value_error)];
    cells.extend(stage.extra_error.iter().map(number));
    cells.extend([0, 2, 4, 6].map(|distance: usize| percent(&stage.within[distance.min(DISTANCES - 1)])));
    cells
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{0}x{0}: {1} games, {2} positions", self.size, self.games, self.total.top1.count())?;
        let mut heads = vec!["top-1 %".into(), "top-5 %".into(), "mse".to_string()];
        heads.extend(EXTRA_KOMI.iter().map(|komi| format!("mse {komi}")));
        heads.extend(["0-pred %", "2-pred %", "4-pred %", "6-pred %"].map(String::from));
        let line = |f: &mut fmt::Formatter<'_>, first: &str, cells: &[String]| {
            write!(f, "{first:>8}")?;
            cells.iter().try_for_each(|cell| write!(f, "{cell:>10}"))?;
            writeln!(f)
        };
        line(f, "move", &heads)?;
        for (number, stage) in self.stages.iter().enumerate().filter(|(_, stage)| stage.top1.count() > 0) {
            line(f, &format!("{}-", first_move(number)), &columns(stage))?;
        }
        line(f, "all", &columns(&self.total))?;
        writeln!(f, "a constant predictor's mse is {}", number(&self.total.constant_error))?;
        writeln!(f, "ownership: mean squared error {} of -1..1", number(&self.ownership_error))?;
        for agreement in &self.agreement {
            let Some(correlation) = agreement.coefficient() else { continue };
            writeln!(
                f,
                "board evaluation and value at komi {}: correlation {correlation:.3}, opposite in {} % and {} % of positions",
                agreement.komi,
                percent(&agreement.only_territory),
                percent(&agreement.only_value)
            )?;
        }
        writeln!(f, "calibration, Black's win rate predicted and seen:")?;
        for bin in self.calibration.iter().filter(|bin| bin.won.count() > 0) {
            let (predicted, won) = (percent(&bin.predicted), percent(&bin.won));
            writeln!(f, "{predicted:>8} {won:>8}   {} positions", bin.won.count())?;
        }
        Ok(())
    }
}
