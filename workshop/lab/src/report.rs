//! Our figures beside the paper's: a table for the terminal, the same in Markdown, and a plot.

use jigo_arena::statistics::{Outcomes, Trinomial, elo_of_score};
use jigo_arena::{Estimate, align, elo_text};
use jigo_charts::{Axes, ChartError, Curve, draw_curves, draw_intervals};

use crate::contest::{Conditions, Opponent};
use crate::experiment::{Experiment, Figure, Measure, Picture};
use crate::idle::idle;

/// Elo beyond is drawn at the rim.
const WIDEST_ELO: f64 = 1000.0;

/// An experiment as far as it has been played.
pub struct Report {
    pub experiment: &'static Experiment,
    pub conditions: Conditions,
    pub rows: Vec<Row>,
    /// Variants that were not played, for want of GNU Go, nets or endgames, or because the opponent is the same program.
    pub left_out: Vec<String>,
}

/// One match, seen from our player.
pub struct Row {
    pub label: String,
    pub opponent: String,
    pub games: Trinomial,
    pub estimate: Estimate,
    pub paper: Vec<Option<Figure>>,
    pub curve: Option<(String, f64)>,
    /// Games that a program lost by breaking down.
    pub failures: usize,
    /// An earlier row with the same opponent and, move for move, the same games: then what distinguishes the two did not act.
    pub same_as: Option<String>,
}

/// A number with its 95 % interval.
#[derive(Clone, Copy)]
struct Measured {
    low: f64,
    value: f64,
    high: f64,
}

impl Report {
    pub fn new(experiment: &'static Experiment, conditions: Conditions) -> Self {
        Self { experiment, conditions, rows: Vec::new(), left_out: Vec::new() }
    }

    /// For the terminal.
    pub fn text(&self) -> String {
        let heading = format!("{} ({})\n{}\n\n", self.experiment.about, self.experiment.source, self.circumstances());
        let remarks: String = self.remarks().iter().map(|remark| format!("{remark}\n")).collect();
        format!("{heading}{}\n{remarks}", align(&self.cells(), 0))
    }

    pub fn markdown(&self) -> String {
        let mut text =
            format!("# {} ({})\n\n{}\n\n", self.experiment.about, self.experiment.source, self.circumstances());
        for (line, row) in self.cells().iter().enumerate() {
            text.push_str(&format!("| {} |\n", row.join(" | ")));
            if line == 0 {
                text.push_str(&format!("|{}\n", "---|".repeat(row.len())));
            }
        }
        for remark in self.remarks() {
            text.push_str(&format!("\n{remark}\n"));
        }
        text
    }

    pub fn plot(&self) -> Result<String, ChartError> {
        match self.experiment.picture {
            Picture::Intervals => self.interval_plot(),
            Picture::Curves { x } => self.curve_plot(x),
        }
    }

    fn circumstances(&self) -> String {
        let conditions = &self.conditions;
        let (size, effort) = (conditions.size, conditions.effort());
        format!("{size}x{size}, {effort}, seed {}; 95 % intervals in brackets", conditions.seed)
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![format!("The paper: {}.", self.experiment.paper_says)];
        if !self.left_out.is_empty() {
            remarks.push(format!("Not played: {}.", self.left_out.join("; ")));
        }
        remarks.extend(self.rows.iter().filter_map(|row| {
            let other = row.same_as.as_ref()?;
            Some(format!("{} and {other} played the same games move for move: here they are one program.", row.label))
        }));
        remarks.extend(idle(self.experiment, &self.conditions));
        let failures: usize = self.rows.iter().map(|row| row.failures).sum();
        if failures > 0 {
            remarks.push(format!("{failures} games were lost by a program breaking down or losing on time."));
        }
        remarks
    }

    /// The table with its heading.
    fn cells(&self) -> Vec<Vec<String>> {
        let shows_change = self.experiment.measure == Measure::EloChange;
        let mut heading = vec!["variant", "against", "games", "won", "Elo"];
        if shows_change {
            heading.push("change");
        }
        heading.extend(self.experiment.paper_columns);
        let mut cells = vec![heading.into_iter().map(String::from).collect()];
        for row in &self.rows {
            let mut line = vec![
                row.label.clone(),
                row.opponent.clone(),
                row.games.games().to_string(),
                row.win_rate().text(|percent| format!("{percent:.1} %")),
                row.elo().text(elo_text),
            ];
            if shows_change {
                line.push(self.change(row).map_or_else(|| "-".to_string(), |change| change.text(elo_text)));
            }
            for place in 0..self.experiment.paper_columns.len() {
                let figure = row.paper.get(place).copied().flatten();
                line.push(figure.map_or_else(|| "-".to_string(), |figure| self.paper_text(figure)));
            }
            cells.push(line);
        }
        cells
    }

    fn paper_text(&self, figure: Figure) -> String {
        let spread = if figure.spread > 0.0 { format!(" ± {}", figure.spread) } else { String::new() };
        match self.experiment.measure {
            Measure::WinRate => format!("{}{spread} %", figure.value),
            Measure::Elo | Measure::EloChange => format!("{:+}{spread}", figure.value),
        }
    }

    /// Elo above the first variant; none for that one itself.
    fn change(&self, row: &Row) -> Option<Measured> {
        if self.conditions.opponent == Opponent::Baseline {
            return Some(row.elo());
        }
        let reference = self.rows.first().filter(|first| first.label != row.label)?.elo();
        let ours = row.elo();
        let value = ours.value - reference.value;
        // Two independent measurements: their errors add in squares.
        let below = (ours.value - ours.low).hypot(reference.high - reference.value);
        let above = (ours.high - ours.value).hypot(reference.value - reference.low);
        value.is_finite().then_some(Measured { low: value - below, value, high: value + above })
    }

    fn measured(&self, row: &Row) -> Option<Measured> {
        match self.experiment.measure {
            Measure::WinRate => Some(row.win_rate()),
            Measure::Elo => Some(row.elo()),
            Measure::EloChange => self.change(row),
        }
    }

    /// Win rates are drawn as Elo too, so that zero in the middle is an even match.
    fn interval_plot(&self) -> Result<String, ChartError> {
        let mut lines: Vec<(String, Measured)> = Vec::new();
        for row in &self.rows {
            let ours = if self.experiment.measure == Measure::EloChange { self.change(row) } else { Some(row.elo()) };
            let Some(ours) = ours else { continue };
            lines.push((format!("{}, {}", row.label, row.opponent), ours));
            for (title, figure) in self.experiment.paper_columns.iter().zip(&row.paper) {
                if let Some(figure) = figure {
                    lines.push((format!("    {title}"), self.paper_elo(*figure)));
                }
            }
        }
        let reach = lines.iter().flat_map(|(_, line)| [line.low, line.high]).map(|elo| elo.abs().min(WIDEST_ELO));
        // Room on the left for the names.
        let reach = reach.fold(50.0, f64::max) * 1.6;
        let drawn: Vec<_> = lines.iter().map(|(name, line)| (&**name, line.low, line.value, line.high)).collect();
        draw_intervals(&format!("{} ({})", self.experiment.about, self.experiment.source), "Elo", &drawn, reach)
    }

    fn paper_elo(&self, Figure { value, spread }: Figure) -> Measured {
        let elo = |value: f64| match self.experiment.measure {
            Measure::WinRate => elo_of_score(value / 100.0),
            Measure::Elo | Measure::EloChange => value,
        };
        Measured { low: elo(value - spread), value: elo(value), high: elo(value + spread) }
    }

    fn curve_plot(&self, x: &str) -> Result<String, ChartError> {
        let mut curves: Vec<Curve> = Vec::new();
        for row in &self.rows {
            let (Some((name, x)), Some(measured)) = (&row.curve, self.measured(row)) else { continue };
            let place = curves.iter().position(|curve| curve.name == *name).unwrap_or_else(|| {
                curves.push(Curve { name: name.clone(), ..Curve::default() });
                curves.len() - 1
            });
            curves[place].points.push((*x, measured.value));
            curves[place].band.push((measured.low, measured.high));
        }
        let all_x = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.0);
        let (left, right) = (all_x().fold(f64::INFINITY, f64::min), all_x().fold(f64::NEG_INFINITY, f64::max));
        let x_range = if left < right { left..right } else { -1.0..1.0 };
        let ends = curves.iter().flat_map(|curve| &curve.band).flat_map(|&(low, high)| [low.abs(), high.abs()]);
        let reach = ends.map(|elo| elo.min(WIDEST_ELO)).fold(50.0, f64::max);
        let (y, y_range) = match self.experiment.measure {
            Measure::WinRate => ("games won, %", 0.0..100.0),
            Measure::Elo => ("Elo above the opponent", -reach..reach),
            Measure::EloChange => ("Elo above the first variant", -reach..reach),
        };
        let title = &format!("{} ({})", self.experiment.about, self.experiment.source);
        draw_curves(&Axes { title, x, y, x_range, y_range }, &curves)
    }
}

impl Row {
    /// In percent.
    fn win_rate(&self) -> Measured {
        let Estimate { score, score_interval, .. } = self.estimate;
        Measured { low: 100.0 * score_interval.low, value: 100.0 * score, high: 100.0 * score_interval.high }
    }

    fn elo(&self) -> Measured {
        let Estimate { elo, elo_interval, .. } = self.estimate;
        Measured { low: elo_interval.low, value: elo, high: elo_interval.high }
    }
}

impl Measured {
    fn text(self, number: impl Fn(f64) -> String) -> String {
        format!("{} [{}, {}]", number(self.value), number(self.low), number(self.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments;

    fn row(label: &str, wins: u64, losses: u64, paper: &[Option<Figure>]) -> Row {
        let games = Trinomial { wins, losses, draws: 0 };
        let (opponent, curve) = ("somebody".to_string(), Some(("curve".to_string(), wins as f64)));
        let estimate = Estimate::of(&games);
        Row {
            label: label.to_string(),
            opponent,
            games,
            estimate,
            paper: paper.to_vec(),
            curve,
            failures: 0,
            same_as: None,
        }
    }

    fn report(name: &str, opponent: Opponent, rows: Vec<Row>) -> Report {
        let experiment = experiments::by_name(name).unwrap();
        let conditions = Conditions { opponent, ..Conditions::of(experiment, false) };
        Report { rows, ..Report::new(experiment, conditions) }
    }

    #[test]
    fn our_figures_stand_beside_the_papers() {
        let paper = [Some(Figure::new(-563.0, 106.0)), Some(Figure::new(-700.0, 0.0)), None];
        let mut report = report("playouts", Opponent::Baseline, vec![row("w/o capture", 25, 75, &paper)]);
        report.left_out.push("everything".to_string());
        let text = report.text();
        let line = text.lines().find(|line| line.starts_with("w/o capture")).unwrap();
        for part in ["somebody", "100", "25.0 % [", "-191 [", "-563 ± 106", "-700"] {
            assert!(line.contains(part), "{part} is missing in {line}");
        }
        assert!(line.ends_with('-'), "the paper has no third figure: {line}");
        assert!(text.contains("Not played: everything."));

        let markdown = report.markdown();
        let columns = |line: &str| line.matches('|').count();
        let table: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(table.len(), 3);
        assert!(table.iter().all(|line| columns(line) == columns(table[0])), "{markdown}");
    }

    #[test]
    fn change_is_counted_from_the_first_variant_unless_that_is_the_opponent() {
        let rows = || vec![row("everything", 75, 25, &[]), row("w/o eye malus", 50, 50, &[])];
        let against_another = report("priors", Opponent::GnuGo, rows());
        assert!(against_another.change(&against_another.rows[0]).is_none());
        let change = against_another.change(&against_another.rows[1]).unwrap();
        let alone = against_another.rows[1].elo();
        assert_eq!(change.value.round(), -191.0);
        assert!(change.high - change.low > alone.high - alone.low, "two measurements are less sure than one");

        let against_baseline = report("priors", Opponent::Baseline, rows());
        assert_eq!(against_baseline.change(&against_baseline.rows[1]).unwrap().value, 0.0);
    }

    #[test]
    fn every_kind_of_plot_is_drawn_even_from_lopsided_results() {
        for name in ["playouts", "connections", "scaling", "time-reply", "komi-taking"] {
            let rows = vec![row("first", 3, 7, &[Some(Figure::new(36.9, 1.5))]), row("second", 10, 0, &[])];
            for rows in [Vec::new(), rows] {
                let svg = report(name, Opponent::GnuGo, rows).plot().unwrap();
                assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
            }
        }
    }
}
