//! The pictures of a match: Elo over games, and how large the wins were.

use std::collections::BTreeMap;

use jigo_board::{Color, Score};
use jigo_charts::{Axes, ChartError, Curve, draw_bars, draw_curves, draw_intervals};

use crate::record::GameEntry;
use crate::run::MatchResult;
use crate::standings::Estimate;
use crate::statistics::Trinomial;

/// Elo outside is drawn at the rim: early intervals reach to infinity.
const WIDEST_ELO: f64 = 800.0;
/// The first games are all interval; the picture is scaled to what comes after this share of them.
const UNSETTLED: f64 = 0.2;

impl MatchResult {
    /// Elo of the first player over the games played, with its 95 % band; for more than two players their ratings.
    pub fn elo_plot(&self) -> Result<String, ChartError> {
        if self.spec.players.len() == 2 { self.elo_curve() } else { self.rating_rows() }
    }

    fn elo_curve(&self) -> Result<String, ChartError> {
        let [first, second] = [0, 1].map(|player| self.spec.players[player].name.as_str());
        let mut games = Trinomial::default();
        let mut curve = Curve::default();
        for (number, record) in self.records.iter().enumerate() {
            games.add(record.points_of(first).unwrap_or(0.5));
            let estimate = Estimate::of(&games);
            curve.points.push(((number + 1) as f64, estimate.elo));
            curve.band.push((estimate.elo_interval.low, estimate.elo_interval.high));
        }
        let settled = curve.band.iter().skip((UNSETTLED * curve.band.len() as f64) as usize);
        let reach = settled.map(|(low, high)| low.abs().max(high.abs()).min(WIDEST_ELO)).fold(50.0, f64::max);
        let axes = Axes {
            title: &format!("Elo of {first} over {second}"),
            x: "games",
            y: "Elo, 95 % interval by single games",
            x_range: 0.0..self.records.len().max(1) as f64,
            y_range: -1.05 * reach..1.05 * reach,
        };
        draw_curves(&axes, &[curve])
    }

    fn rating_rows(&self) -> Result<String, ChartError> {
        let named = self.spec.players.iter().zip(&self.standings.ratings);
        let rows: Vec<_> = named
            .map(|(player, rating)| (player.name.as_str(), rating.interval.low, rating.elo, rating.interval.high))
            .collect();
        let ends = rows.iter().flat_map(|&(_, low, _, high)| [low.abs(), high.abs()]);
        let reach = ends.map(|elo| elo.min(WIDEST_ELO)).fold(50.0, f64::max) * 1.3;
        draw_intervals("Ratings with 95 % intervals", "Elo", &rows, reach)
    }

    /// How many games ended with which lead of the first player (of Black, for more than two players).
    pub fn score_plot(&self) -> Result<String, ChartError> {
        let first = &self.spec.players[0].name;
        let duel = self.spec.players.len() == 2;
        let lead = |record: &GameEntry| {
            let color = if duel && record.white == *first { Color::White } else { Color::Black };
            record.black_lead.map(|lead| f64::from(Score::black_lead(lead as f32).lead_of(color)))
        };
        // Bars a fortieth of the board wide, so that every size gives a readable number of them.
        let width = (self.spec.size * self.spec.size) as f64 / 40.0;
        let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
        for lead in self.records.iter().filter_map(lead) {
            *counts.entry((lead / width).floor() as i64).or_default() += 1;
        }
        let scored: usize = counts.values().sum();
        let highest = counts.values().max().copied().unwrap_or(1) as f64;
        let reach = counts.keys().map(|bar| bar.abs() + 1).max().unwrap_or(10) as f64 * width;
        let whose = if duel { first.as_str() } else { "Black" };
        let axes = Axes {
            title: &format!("Lead of {whose}: {scored} scored games, {} others", self.records.len() - scored),
            x: "points",
            y: "games",
            x_range: -reach..reach,
            y_range: 0.0..1.1 * highest,
        };
        let bars: Vec<_> =
            counts.iter().map(|(&bar, &count)| (bar as f64 * width, (bar + 1) as f64 * width, count as f64)).collect();
        draw_bars(&axes, &bars)
    }
}
