//! Plots of a match as SVG. Plotters is built without its font features: an SVG names its font and the viewer brings it,
//! so no font needs to be installed here.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::record::GameRecord;
use crate::run::MatchResult;
use crate::standings::{Estimate, Standings};
use crate::statistics::Trinomial;

const SIZE: (u32, u32) = (900, 480);
const FONT: (&str, u32) = ("sans-serif", 16);
/// Elo outside is drawn at the rim: early intervals reach to infinity.
const WIDEST_ELO: f64 = 800.0;

type Drawn = Result<(), Box<dyn Error>>;
type Sheet<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl MatchResult {
    /// Elo of the first player over the games played, with its 95 % band; for more than two players their ratings.
    pub fn elo_plot(&self) -> Result<String, Box<dyn Error>> {
        draw(|sheet| if self.spec.players.len() == 2 { self.draw_elo(sheet) } else { self.draw_ratings(sheet) })
    }

    /// How many games ended with which lead of the first player (of Black, for more than two players).
    pub fn score_plot(&self) -> Result<String, Box<dyn Error>> {
        draw(|sheet| self.draw_scores(sheet))
    }

    fn draw_elo(&self, sheet: &Sheet) -> Drawn {
        let [first, second] = [0, 1].map(|player| self.spec.players[player].name.as_str());
        let mut games = Trinomial::default();
        let mut curve: Vec<(f64, Estimate)> = Vec::new();
        for (number, record) in self.records.iter().enumerate() {
            match record.points_of(first) {
                Some(1.0) => games.wins += 1,
                Some(0.0) => games.losses += 1,
                _ => games.draws += 1,
            }
            curve.push(((number + 1) as f64, Estimate::of(&games)));
        }
        let shown = |elo: f64| elo.clamp(-WIDEST_ELO, WIDEST_ELO);
        // The first few games are all interval; the picture is scaled to what comes after them.
        let settled = &curve[curve.len().min(10).saturating_sub(1)..];
        let reach = settled.iter().flat_map(|(_, e)| [e.elo_interval.low, e.elo_interval.high]);
        let reach = reach.map(|elo| shown(elo).abs()).fold(50.0, f64::max) * 1.05;
        let mut chart = ChartBuilder::on(sheet)
            .caption(format!("Elo of {first} over {second}"), FONT)
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..curve.len().max(1) as f64, -reach..reach)?;
        chart.configure_mesh().x_desc("games").y_desc("Elo, 95 % interval by single games").draw()?;
        let highs = curve.iter().map(|(x, e)| (*x, shown(e.elo_interval.high)));
        let lows = curve.iter().rev().map(|(x, e)| (*x, shown(e.elo_interval.low)));
        chart.draw_series([Polygon::new(highs.chain(lows).collect::<Vec<_>>(), BLUE.mix(0.15))])?;
        chart.draw_series(LineSeries::new(curve.iter().map(|(x, e)| (*x, shown(e.elo))), BLUE.stroke_width(2)))?;
        chart.draw_series(LineSeries::new([(0.0, 0.0), (curve.len() as f64, 0.0)], BLACK))?;
        Ok(())
    }

    fn draw_ratings(&self, sheet: &Sheet) -> Drawn {
        let Standings { ratings, .. } = &self.standings;
        let ends = ratings.iter().flat_map(|rating| [rating.interval.low, rating.interval.high]);
        let reach = ends.map(|elo| elo.abs().min(WIDEST_ELO)).fold(50.0, f64::max) * 1.05;
        let names: Vec<&str> = self.spec.players.iter().map(|player| player.name.as_str()).collect();
        let mut chart = ChartBuilder::on(sheet)
            .caption("Ratings with 95 % intervals", FONT)
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(220)
            .build_cartesian_2d(-reach..reach, -0.5..names.len() as f64 - 0.5)?;
        let label = |y: &f64| {
            let whole = y.round();
            let name = names.get(whole as usize).filter(|_| (y - whole).abs() < 0.01 && whole >= 0.0);
            name.map_or(String::new(), |name| (*name).to_string())
        };
        chart.configure_mesh().x_desc("Elo").y_labels(2 * names.len() + 1).y_label_formatter(&label).draw()?;
        for (row, rating) in ratings.iter().enumerate() {
            let y = row as f64;
            let low = rating.interval.low.max(-reach);
            let high = rating.interval.high.min(reach);
            chart.draw_series(LineSeries::new([(low, y), (high, y)], BLUE.stroke_width(2)))?;
            chart.draw_series([Circle::new((rating.elo.clamp(-reach, reach), y), 5, BLUE.filled())])?;
        }
        Ok(())
    }

    fn draw_scores(&self, sheet: &Sheet) -> Drawn {
        let first = &self.spec.players[0].name;
        let duel = self.spec.players.len() == 2;
        let lead = |record: &GameRecord| {
            record.black_lead.map(|lead| if duel && record.white == *first { -lead } else { lead })
        };
        // Bars a fortieth of the board wide, so that every size gives a readable number of them.
        let width = (self.spec.size * self.spec.size) as f64 / 40.0;
        let mut bars: BTreeMap<i64, u32> = BTreeMap::new();
        for lead in self.records.iter().filter_map(lead) {
            *bars.entry((lead / width).floor() as i64).or_default() += 1;
        }
        let scored: u32 = bars.values().sum();
        let highest = bars.values().max().copied().unwrap_or(1);
        let reach = bars.keys().map(|bar| bar.abs() + 1).max().unwrap_or(10) as f64 * width;
        let whose = if duel { first.as_str() } else { "Black" };
        let caption =
            format!("Lead of {whose}: {scored} scored games, {} others", self.records.len() - scored as usize);
        let mut chart = ChartBuilder::on(sheet)
            .caption(caption, FONT)
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(-reach..reach, bar_axis(highest))?;
        chart.configure_mesh().x_desc("points").y_desc("games").draw()?;
        chart.draw_series(bars.iter().map(|(&bar, &count)| {
            let left = bar as f64 * width;
            Rectangle::new([(left, 0.0), (left + width, f64::from(count))], BLUE.mix(0.6).filled())
        }))?;
        Ok(())
    }
}

fn bar_axis(highest: u32) -> Range<f64> {
    0.0..f64::from(highest) * 1.1
}

fn draw(picture: impl Fn(&Sheet) -> Drawn) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let sheet = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        sheet.fill(&WHITE)?;
        picture(&sheet)?;
        sheet.present()?;
    }
    Ok(svg)
}
