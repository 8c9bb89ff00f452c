//! The course of a training run: a table on disk and a plot of it.

use std::fmt;
use std::path::Path;

use jigo_charts::{COLORS, QUIET};
use plotters::prelude::*;

#[derive(Debug, thiserror::Error)]
#[error("cannot draw {path}: {reason}")]
pub struct PlotError {
    pub path: String,
    pub reason: String,
}

/// One look at the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub step: u64,
    pub learning_rate: f32,
    pub positions_per_second: f64,
    /// Running averages over the training positions.
    pub policy: f64,
    pub top1: f64,
    pub value: f64,
    pub ownership: f64,
    /// Board size, share of moves predicted and value error on games kept aside.
    pub validation: Vec<(usize, f64, f64)>,
    /// Board size and value error on games of self-play kept aside; told, but not written down.
    pub self_play: Vec<(usize, f64)>,
    /// On answers of a teacher kept aside: share of moves that both like best, mean difference of win rates.
    pub taught: Option<(f64, f64)>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}  policy {:.3}  top-1 {:.1} %", self.step, self.policy, 100.0 * self.top1)?;
        write!(f, "  value {:.3}  ownership {:.3}", self.value, self.ownership)?;
        for (size, top1, mse) in &self.validation {
            write!(f, "  | {size}x{size} top-1 {:.1} % mse {mse:.3}", 100.0 * top1)?;
        }
        for (size, mse) in &self.self_play {
            write!(f, "  | {size}x{size} self-play mse {mse:.3}")?;
        }
        if let Some((same, difference)) = self.taught {
            write!(f, "  | teacher: same move {:.1} %, win rate {:.1} % off", 100.0 * same, 100.0 * difference)?;
        }
        write!(f, "  | rate {:.4}  {:.0}/s", self.learning_rate, self.positions_per_second)
    }
}

/// The column of a teacher's answers is named; those of boards begin with their sizes.
const TAUGHT: &str = "taught";

#[derive(Default)]
pub struct History {
    rows: Vec<Row>,
}

impl History {
    /// The rows of an earlier part of the run, up to the step it resumes at. What cannot be read is left out.
    pub fn open(path: &Path, step: u64) -> History {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        History { rows: text.lines().filter_map(parse).filter(|row| row.step <= step).collect() }
    }

    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    pub fn to_tsv(&self) -> String {
        let mut text = String::from("step\trate\tper_second\tpolicy\ttop1\tvalue\townership\tsize:top1:mse\n");
        for row in &self.rows {
            let numbers = [
                f64::from(row.learning_rate),
                row.positions_per_second,
                row.policy,
                row.top1,
                row.value,
                row.ownership,
            ];
            text += &row.step.to_string();
            numbers.iter().for_each(|number| text += &format!("\t{number:.5}"));
            row.validation.iter().for_each(|(size, top1, mse)| text += &format!("\t{size}:{top1:.5}:{mse:.5}"));
            row.taught.iter().for_each(|(same, difference)| text += &format!("\t{TAUGHT}:{same:.5}:{difference:.5}"));
            text.push('\n');
        }
        text
    }

    /// Prediction rates and value error over the steps.
    pub fn plot(&self, path: &Path) -> Result<(), PlotError> {
        self.draw(path).map_err(|error| PlotError { path: path.display().to_string(), reason: error.to_string() })
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::new(path, (900, 500)).into_drawing_area();
        root.fill(&WHITE)?;
        let steps = self.rows.last().map_or(1, |row| row.step.max(1)) as f64;
        let mut chart = ChartBuilder::on(&root)
            .margin(16)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..steps, 0.0..0.7)?;
        chart.configure_mesh().x_desc("step").y_desc("prediction rate; value error").draw()?;
        let mut curve = |name: String, color: RGBColor, value: &dyn Fn(&Row) -> Option<f64>| {
            let points: Vec<(f64, f64)> =
                self.rows.iter().filter_map(|row| Some((row.step as f64, value(row)?))).collect();
            chart.draw_series(LineSeries::new(points, color.stroke_width(2))).map(|series| {
                series.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
            })
        };
        curve("top-1, training".into(), QUIET, &|row| Some(row.top1))?;
        if self.rows.iter().any(|row| row.taught.is_some()) {
            curve("the teacher's move".into(), COLORS[COLORS.len() - 2], &|row| row.taught.map(|(same, _)| same))?;
            curve("off its win rate".into(), COLORS[COLORS.len() - 1], &|row| row.taught.map(|(_, off)| off))?;
        }
        let sizes: Vec<usize> =
            self.rows.last().map_or(Vec::new(), |row| row.validation.iter().map(|(size, ..)| *size).collect());
        for (i, size) in sizes.iter().enumerate() {
            let find = move |row: &Row| row.validation.iter().find(|(s, ..)| s == size).copied();
            curve(format!("top-1, {size}x{size}"), COLORS[2 * i % 4], &|row| find(row).map(|(_, top1, _)| top1))?;
            curve(format!("value error, {size}x{size}"), COLORS[(2 * i + 1) % 4], &|row| {
                find(row).map(|(.., mse)| mse)
            })?;
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        root.present()?;
        Ok(())
    }
}

fn parse(line: &str) -> Option<Row> {
    let mut columns = line.split('\t');
    let mut next = || columns.next()?.parse::<f64>().ok();
    let row = Row {
        step: next()? as u64,
        learning_rate: next()? as f32,
        positions_per_second: next()?,
        policy: next()?,
        top1: next()?,
        value: next()?,
        ownership: next()?,
        validation: Vec::new(),
        self_play: Vec::new(),
        taught: None,
    };
    let columns: Vec<(&str, f64, f64)> = columns.filter_map(look).collect();
    let of_board = |(name, top1, mse): &(&str, f64, f64)| Some((name.parse().ok()?, *top1, *mse));
    let taught = columns.iter().find(|(name, ..)| *name == TAUGHT).map(|(_, same, off)| (*same, *off));
    Some(Row { validation: columns.iter().filter_map(of_board).collect(), taught, ..row })
}

/// A name and two numbers.
fn look(column: &str) -> Option<(&str, f64, f64)> {
    let mut parts = column.split(':');
    Some((parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_read_back_up_to_the_step_it_resumes_at() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.tsv");
        let row = |step| Row {
            step,
            learning_rate: 0.25,
            positions_per_second: 100.0,
            policy: 3.5,
            top1: 0.25,
            value: 0.5,
            ownership: 0.125,
            validation: vec![(9, 0.5, 0.375), (19, 0.25, 0.5)],
            self_play: Vec::new(),
            taught: Some((0.5, 0.0625)),
        };
        let history = History { rows: vec![row(100), row(200), row(300)] };
        std::fs::write(&path, history.to_tsv()).unwrap();
        assert_eq!(History::open(&path, 200).rows, vec![row(100), row(200)]);
        assert!(History::open(&folder.path().join("absent"), 200).rows.is_empty());
        let plot = folder.path().join("history.svg");
        history.plot(&plot).unwrap();
        assert!(std::fs::read_to_string(plot).unwrap().contains("top-1, 19x19"));
    }
}
