//! A report as KataGo writes it: one long line of floating point numbers.

use std::fmt::{Display, Write};

use jigo_engine::MoveReport;

use super::{AnalyzeArguments, View};

pub fn render(view: &View<'_>, arguments: &AnalyzeArguments) -> String {
    write(view, arguments, Line::default())
}

/// The same, with a point in every floating point number, whole or not.
pub fn render_with_points(view: &View<'_>, arguments: &AnalyzeArguments) -> String {
    write(view, arguments, Line { always_points: true, ..Line::default() })
}

fn write(view: &View<'_>, arguments: &AnalyzeArguments, mut line: Line) -> String {
    for (order, told) in view.moves(arguments.min_moves, arguments.max_moves).enumerate() {
        tell_move(&mut line, view, arguments, order, told);
    }
    if arguments.root_info {
        tell_root(&mut line, view);
    }
    if arguments.ownership {
        line.numbers("ownership", view.ownership());
    }
    if arguments.ownership_stdev {
        line.numbers("ownershipStdev", view.ownership_stdev());
    }
    line.text
}

/// `pv` ends the pairs of name and value: some clients read whatever follows it as moves or lists.
fn tell_move(line: &mut Line, view: &View<'_>, arguments: &AnalyzeArguments, order: usize, told: &MoveReport) {
    let (win_rate, lcb) = (view.win_rate_after(told), view.win_rate_lcb_after(told));
    line.word("info");
    line.pair("move", view.vertex(told.mv));
    line.pair("visits", told.visits);
    line.pair("edgeVisits", told.visits);
    line.number("utility", utility(win_rate));
    line.number("winrate", win_rate);
    line.score(view.lead_after(told), told.black_score_stdev);
    line.number("prior", told.policy);
    line.number("lcb", lcb);
    line.number("utilityLcb", utility(lcb));
    if arguments.no_result_value {
        line.number("noResultValue", NO_RESULT);
    }
    line.pair("weight", told.visits);
    if let Some(searched) = told.image_of {
        line.pair("isSymmetryOf", view.vertex(searched));
    }
    line.pair("order", order);
    line.pair("pv", view.vertices(&told.variation));
    if arguments.pv_visits {
        line.list("pvVisits", told.variation_visits.iter());
    }
    if arguments.pv_edge_visits {
        line.list("pvEdgeVisits", told.variation_visits.iter());
    }
    if arguments.moves_ownership {
        line.numbers("movesOwnership", view.ownership_after(told));
    }
    if arguments.moves_ownership_stdev {
        line.numbers("movesOwnershipStdev", view.ownership_stdev_after(told));
    }
}

fn tell_root(line: &mut Line, view: &View<'_>) {
    let report = view.report;
    line.word("rootInfo");
    line.pair("visits", report.visits);
    line.number("utility", utility(view.win_rate()));
    line.number("winrate", view.win_rate());
    line.score(view.lead(), report.black_score_stdev());
    line.pair("weight", report.visits);
    // How sure it is, some of KataGo's nets know and ours does not.
    if let Some(later) = report.raw_net().and_then(|net| net.forecast(report.komi).later) {
        line.number("rawStWrError", later.value_error / 2.0);
        line.number("rawStScoreError", later.score_error);
        line.number("rawVarTimeLeft", later.variance_time);
    }
}

/// Games here always end with a winner or a tie.
const NO_RESULT: f32 = 0.0;

/// Winning is worth 1 and losing -1; what the search gives for points besides is not told.
fn utility(win_rate: f32) -> f32 {
    2.0 * win_rate - 1.0
}

/// Words with single spaces between them.
#[derive(Default)]
struct Line {
    text: String,
    always_points: bool,
}

impl Line {
    fn word(&mut self, word: impl Display) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        write!(self.text, "{word}").expect("a string takes every word");
    }

    fn pair(&mut self, name: &str, value: impl Display) {
        self.word(name);
        self.word(value);
    }

    fn number(&mut self, name: &str, value: f32) {
        self.pair(name, rounded(value, self.always_points));
    }

    fn numbers(&mut self, name: &str, values: impl Iterator<Item = f32>) {
        self.word(name);
        values.for_each(|value| self.word(rounded(value, self.always_points)));
    }

    /// The lead, under the names it has had in the course of time.
    fn score(&mut self, lead: f32, stdev: f32) {
        self.number("scoreMean", lead);
        self.number("scoreStdev", stdev);
        self.number("scoreLead", lead);
        self.number("scoreSelfplay", lead);
    }

    fn list(&mut self, name: &str, values: impl Iterator<Item = impl Display>) {
        self.word(name);
        values.for_each(|value| self.word(value));
    }
}

/// Six digits after the point, as many as anybody reads, and no minus zero.
fn rounded(value: f32, always_point: bool) -> String {
    let rounded = (f64::from(value) * 1e6).round() / 1e6 + 0.0;
    if always_point { format!("{rounded:?}") } else { rounded.to_string() }
}
