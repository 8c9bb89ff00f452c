//! Win rate and lead over the moves, with the mistakes on the curve.

use std::fmt::{Result, Write};

use jigo_engine::Mistake;

use crate::review::Review;
use crate::words;

const WIDTH: f32 = 1000.0;
const LEFT: f32 = 44.0;
const RIGHT: f32 = 12.0;
/// Upper and lower edge of both panels.
const WIN_RATE: (f32, f32) = (14.0, 184.0);
const LEAD: (f32, f32) = (216.0, 366.0);
const HEIGHT: f32 = 392.0;
/// The lead's panel reaches at least so far, so that an even game looks even, and no farther than this.
const LEAST_REACH: f32 = 10.0;
const MOST_REACH: f32 = 100.0;

pub fn write(svg: &mut String, review: &Review) -> Result {
    let graph = Graph::of(review);
    writeln!(
        svg,
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Win rate and lead over the moves\">"
    )?;
    graph.write_win_rate(svg)?;
    graph.write_lead(svg)?;
    graph.write_move_numbers(svg)?;
    graph.write_mistakes(svg)?;
    graph.write_hovers(svg)?;
    svg.push_str("</svg>\n");
    Ok(())
}

struct Graph<'a> {
    review: &'a Review,
    /// Points from the middle of the lead's panel to its edge.
    reach: f32,
}

impl Graph<'_> {
    fn of(review: &Review) -> Graph<'_> {
        let largest = review.opinions.iter().map(|opinion| opinion.black_lead.abs()).fold(0.0, f32::max);
        let reach = ((largest / 10.0).ceil() * 10.0).clamp(LEAST_REACH, MOST_REACH);
        Graph { review, reach }
    }

    fn x(&self, position: usize) -> f32 {
        let last = (self.review.opinions.len() - 1).max(1);
        LEFT + (WIDTH - LEFT - RIGHT) * position as f32 / last as f32
    }

    fn win_rate_y(&self, position: usize) -> f32 {
        let (top, bottom) = WIN_RATE;
        bottom - (bottom - top) * self.review.opinions[position].black_win_rate
    }

    fn lead_y(&self, black_lead: f32) -> f32 {
        let (top, bottom) = LEAD;
        let share = (black_lead / self.reach).clamp(-1.0, 1.0);
        (top + bottom) / 2.0 - share * (bottom - top) / 2.0
    }

    fn points(&self, y: impl Fn(usize) -> f32) -> String {
        let all = (0..self.review.opinions.len()).map(|at| format!("{:.1},{:.1}", self.x(at), y(at)));
        all.collect::<Vec<_>>().join(" ")
    }

    /// Black's share below the curve, White's above.
    fn write_win_rate(&self, svg: &mut String) -> Result {
        let (top, bottom) = WIN_RATE;
        let (right, curve) = (WIDTH - RIGHT, self.points(|at| self.win_rate_y(at)));
        writeln!(svg, "<polygon class=\"white-side\" points=\"{LEFT},{top} {curve} {right},{top}\"/>")?;
        writeln!(svg, "<polygon class=\"black-side\" points=\"{LEFT},{bottom} {curve} {right},{bottom}\"/>")?;
        let middle = (top + bottom) / 2.0;
        writeln!(svg, "<path class=\"middle\" d=\"M{LEFT} {middle}H{right}\"/>")?;
        writeln!(svg, "<polyline class=\"curve\" points=\"{curve}\"/>")?;
        for (text, y) in [("100 %", top), ("50 %", middle), ("0 %", bottom)] {
            writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{text}</text>", LEFT - 6.0, y + 4.0)?;
        }
        Ok(())
    }

    fn write_lead(&self, svg: &mut String) -> Result {
        let right = WIDTH - RIGHT;
        for (black_lead, style) in [(self.reach, "rule"), (0.0, "middle"), (-self.reach, "rule")] {
            let y = self.lead_y(black_lead);
            let text = if black_lead == 0.0 { "0".into() } else { words::lead(black_lead).replace(".0", "") };
            writeln!(svg, "<path class=\"{style}\" d=\"M{LEFT} {y}H{right}\"/>")?;
            writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{text}</text>", LEFT - 6.0, y + 4.0)?;
        }
        let curve = self.points(|at| self.lead_y(self.review.opinions[at].black_lead));
        writeln!(svg, "<polyline class=\"curve\" points=\"{curve}\"/>")
    }

    fn write_move_numbers(&self, svg: &mut String) -> Result {
        let moves = self.review.moves.len();
        let step = [10, 20, 50, 100, 200, 500].into_iter().find(|step| moves / step <= 10).unwrap_or(1000);
        for number in (0..=moves).step_by(step) {
            let (x, y) = (self.x(number), LEAD.1 + 20.0);
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{number}</text>")?;
        }
        Ok(())
    }

    fn write_mistakes(&self, svg: &mut String) -> Result {
        for number in 1..=self.review.moves.len() {
            if let Some(mistake @ (Mistake::Mistake | Mistake::Blunder)) = self.review.mistake(number) {
                let (x, y) = (self.x(number), self.win_rate_y(number));
                writeln!(svg, "<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\"/>", mistake.name())?;
            }
        }
        Ok(())
    }

    /// A strip for every move that tells about it when the pointer rests there.
    fn write_hovers(&self, svg: &mut String) -> Result {
        let width = (WIDTH - LEFT - RIGHT) / self.review.moves.len().max(1) as f32;
        for number in 1..=self.review.moves.len() {
            let (x, height) = (self.x(number) - width / 2.0, LEAD.1 - WIN_RATE.0);
            let about = words::about_move(self.review, number);
            let position = words::about_position(&self.review.opinions[number]);
            writeln!(
                svg,
                "<rect class=\"hover\" x=\"{x:.1}\" y=\"{}\" width=\"{width:.2}\" height=\"{height}\">\
                 <title>{about}\n{position}</title></rect>",
                WIN_RATE.0
            )?;
        }
        Ok(())
    }
}
