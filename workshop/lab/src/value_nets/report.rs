//! The four nets side by side: tables with the paper's figures, and the errors as plots.

use jigo_arena::align;
use jigo_charts::{Axes, ChartError, Curve, draw_curves};
use jigo_train::report::{Average, EXTRA_KOMI, Report as Measured, Stage, first_move};

use super::four::ValueNet;

/// Half width of a two-sided 95 % interval in standard deviations.
const Z95: f64 = 1.96;
/// The moves shown in the table of score predictions.
const SHOWN_MOVES: [usize; 5] = [0, 60, 120, 180, 240];
/// What CGI IV.C tells about `(distance, first moves, last moves)`, in percent.
const PAPER_PREDICTIONS: [(usize, &str, &str); 4] = [(0, "8", "32"), (1, "10", "40"), (2, "20", "75"), (6, "45", "92")];
/// CGI IV.F, in percent: ahead by territory only, by value only.
const PAPER_OPPOSITES: [(f64, f64); 2] = [(6.85, 5.3), (2.7, 7.8)];

/// All four nets on the same games, in the order of the paper.
pub struct ValueNetsReport {
    pub nets: Vec<(&'static ValueNet, Measured)>,
}

/// One of the errors measured: a title, its place in the paper, and where it is found in a stage.
struct Error {
    title: String,
    figure: &'static str,
    of: Box<dyn Fn(&Stage) -> Average>,
}

impl ValueNetsReport {
    pub fn text(&self) -> String {
        let sections = self.sections().into_iter();
        sections.map(|(title, table)| format!("{title}\n\n{}\n", align(&table, 0))).collect()
    }

    pub fn markdown(&self) -> String {
        let mut text = String::from("# Value networks (CGI IV)\n");
        for (title, table) in self.sections() {
            text.push_str(&format!("\n{title}\n\n"));
            for (line, row) in table.iter().enumerate() {
                text.push_str(&format!("| {} |\n", row.join(" | ")));
                if line == 0 {
                    text.push_str(&format!("|{}\n", "---|".repeat(row.len())));
                }
            }
        }
        text
    }

    /// File names and pictures of the errors by move number.
    pub fn error_plots(&self) -> Result<Vec<(String, String)>, ChartError> {
        let plot = |error: &Error| {
            let curve = |(net, measured): &(&ValueNet, Measured)| {
                let stages = measured.stages.iter().enumerate();
                let points = stages.filter_map(|(at, stage)| Some((first_move(at) as f64, (error.of)(stage).value()?)));
                Curve { name: net.name.to_string(), points: points.collect(), band: Vec::new() }
            };
            let curves: Vec<Curve> = self.nets.iter().map(curve).collect();
            let ends = curves.iter().flat_map(|curve| &curve.points);
            let (right, top) = ends.fold((15.0, 0.6), |(x, y): (f64, f64), point| (x.max(point.0), y.max(point.1)));
            let title = &format!("value error, {} ({})", error.title, error.figure);
            let axes = Axes { title, x: "move", y: "mean squared error", x_range: 0.0..right, y_range: 0.0..top };
            let figure = error.figure.replace("CGI fig. ", "figure-");
            Ok((format!("{figure}.svg"), draw_curves(&axes, &curves)?))
        };
        errors().iter().map(plot).collect()
    }

    fn sections(&self) -> Vec<(String, Vec<Vec<String>>)> {
        let (games, positions) =
            self.nets.first().map_or((0, 0), |(_, measured)| (measured.games, measured.total.top1.count()));
        let errors = format!(
            "Value error, half the squared difference from 1 or -1; {games} games, {positions} positions; 95 % intervals over games. \
             A net that knows one komi is asked about that one."
        );
        let mut sections = vec![(errors, self.error_table())];
        if let Some((net, measured)) = self.nets.last() {
            let predictions = format!("{}: share of games whose score is within d points, % (CGI fig. 7)", net.name);
            sections.push((predictions, prediction_table(measured)));
            let agreement = format!("{}: board evaluation and value (CGI fig. 9 and 10)", net.name);
            sections.push((agreement, agreement_table(measured)));
        }
        sections
    }

    fn error_table(&self) -> Vec<Vec<String>> {
        let errors = errors();
        let mut heading = vec!["net".to_string()];
        for error in &errors {
            heading.push(format!("{} ({})", error.title, error.figure));
            heading.push("less than VN".to_string());
        }
        heading.push("paper, 7.5 (CGI table 2)".to_string());
        let mut table = vec![heading];
        let first = self.nets.first().map(|(_, measured)| measured);
        for (net, measured) in &self.nets {
            let mut row = vec![net.name.to_string()];
            for error in &errors {
                let of_game = |measured: &Measured, game: usize| (error.of)(&measured.by_game[game]).value();
                let games = 0..measured.by_game.len();
                row.push(with_spread(games.clone().filter_map(|game| of_game(measured, game)), false));
                let gain = |game| Some(of_game(first?, game)? - of_game(measured, game)?);
                row.push(if std::ptr::eq(measured, first.unwrap_or(measured)) {
                    "-".to_string()
                } else {
                    with_spread(games.filter_map(gain), true)
                });
            }
            row.push(format!("{:.3}", net.paper_error));
            table.push(row);
        }
        table
    }
}

fn errors() -> Vec<Error> {
    let at = |komi: f32, figure: &'static str| {
        let place = EXTRA_KOMI.iter().position(|&known| known == komi);
        let of = move |stage: &Stage| place.map_or_else(Average::default, |place| stage.extra_error[place]);
        Error { title: format!("counted games at komi {komi}"), figure, of: Box::new(of) }
    };
    let own = Error {
        title: "all games at their own komi".to_string(),
        figure: "CGI fig. 5",
        of: Box::new(|stage| stage.value_error),
    };
    vec![at(7.5, "CGI fig. 4"), own, at(0.5, "CGI fig. 6")]
}

/// The mean over games, each game as heavy as the others, with its 95 % interval.
fn with_spread(games: impl Iterator<Item = f64>, signed: bool) -> String {
    let games: Vec<f64> = games.collect();
    let count = games.len() as f64;
    if count < 2.0 {
        return "-".to_string();
    }
    let mean = games.iter().sum::<f64>() / count;
    let variance = games.iter().map(|game| (game - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let spread = Z95 * (variance / count).sqrt();
    if signed { format!("{mean:+.3} ± {spread:.3}") } else { format!("{mean:.3} ± {spread:.3}") }
}

fn percent(average: &Average) -> String {
    average.value().map_or_else(|| "-".to_string(), |share| format!("{:.1}", 100.0 * share))
}

fn prediction_table(measured: &Measured) -> Vec<Vec<String>> {
    let stage = |first: usize| measured.stages.iter().enumerate().find(|(at, _)| first_move(*at) == first);
    let mut heading = vec!["d".to_string()];
    heading.extend(SHOWN_MOVES.iter().map(|first| format!("move {first}-")));
    heading.extend(["paper, opening", "paper, end"].map(String::from));
    let mut table = vec![heading];
    for (distance, opening, end) in PAPER_PREDICTIONS {
        let mut row = vec![distance.to_string()];
        let share =
            |first: &usize| stage(*first).map_or_else(|| "-".into(), |(_, stage)| percent(&stage.within[distance]));
        row.extend(SHOWN_MOVES.iter().map(share));
        row.extend([opening, end].map(String::from));
        table.push(row);
    }
    table
}

fn agreement_table(measured: &Measured) -> Vec<Vec<String>> {
    let heading = ["komi", "correlation", "ahead by territory only, %", "paper", "ahead by value only, %", "paper"];
    let mut table = vec![heading.map(String::from).to_vec()];
    for (agreement, (territory, value)) in measured.agreement.iter().zip(PAPER_OPPOSITES) {
        let correlation = agreement.coefficient().map_or_else(|| "-".to_string(), |value| format!("{value:.3}"));
        table.push(vec![
            agreement.komi.to_string(),
            correlation,
            percent(&agreement.only_territory),
            territory.to_string(),
            percent(&agreement.only_value),
            value.to_string(),
        ]);
    }
    table
}
