//! CGI fig. 8: how closely win rates follow the komi, those of playouts and those of the net, on an empty board.

use std::path::Path;
use std::sync::Arc;

use jigo_arena::journal::{JournalError, write_whole};
use jigo_board::{Board, Color, Symmetry};
use jigo_charts::{Axes, Curve, draw_curves};
use jigo_net::kernel::Isa;
use jigo_net::planes::{HISTORY, Position};
use jigo_net::{EMBEDDED_WEIGHTS, Evaluator, Net, Value, Weights};
use jigo_playout::{PlayoutParameters, Playouts, StartPosition};

use crate::run::LabError;

/// As `jigo lab --list` shows it.
pub const NAME: &str = "komi-curve";
pub const SOURCE: &str = "CGI fig. 8";
pub const ABOUT: &str = "win rates of playouts and of the net at every komi, on an empty board";

/// Both curves.
pub struct KomiCurve {
    size: usize,
    /// Black's score in each playout, komi not counted.
    scores: Vec<f32>,
    net: Value,
}

impl KomiCurve {
    /// With the net that comes with Jigo.
    pub fn measure(size: usize, playouts: u32, seed: u64) -> KomiCurve {
        let board = Board::new(size);
        let playouts = Playouts { parameters: PlayoutParameters::default(), count: playouts, seed };
        let mut scores = Vec::new();
        let start = StartPosition::new(board.clone(), Color::Black, Vec::new());
        playouts.play(&start, |_, outcome| scores.push(outcome.black_score));
        let weights = Weights::from_bytes(EMBEDDED_WEIGHTS).expect("the net that comes with Jigo can be read");
        let mut evaluator = Evaluator::new(Arc::new(Net::new(&weights, Isa::best())));
        let position = Position { board: &board, to_move: Color::Black, recent: [None; HISTORY] };
        KomiCurve { size, scores, net: evaluator.evaluate(&position, Symmetry::IDENTITY).value }
    }

    /// The share of playouts that Black wins at this komi.
    fn playouts(&self, komi: f32) -> f32 {
        let won = |&score: &f32| if score == komi { 0.5 } else { f32::from(u8::from(score > komi)) };
        self.scores.iter().map(won).sum::<f32>() / self.scores.len().max(1) as f32
    }

    /// Points of komi between which Black's win rate falls from three quarters to one: the fewer, the closer it follows.
    fn points(&self, win_rate: impl Fn(f32) -> f32) -> f32 {
        let farthest = (self.size * self.size) as f32;
        let komi_at = |share: f32| {
            let (mut low, mut high) = (-farthest, farthest);
            while high - low > 0.05 {
                let middle = (low + high) / 2.0;
                if win_rate(middle) > share { low = middle } else { high = middle }
            }
            low
        };
        komi_at(0.25) - komi_at(0.75)
    }

    pub fn text(&self) -> String {
        format!(
            "Black's win rate on an empty {0}x{0} board falls from 75 to 25 % over\n{1:5.1} points of komi in {2} playouts, and over\n\
             {3:5.1} points for the net\n",
            self.size,
            self.points(|komi| self.playouts(komi)),
            self.scores.len(),
            self.points(|komi| self.net.black_win_rate(komi)),
        )
    }

    /// Writes `report.md` and `plot.svg`.
    pub fn keep(&self, folder: &Path) -> Result<(), LabError> {
        let failed = |error| JournalError::Io { path: folder.to_path_buf(), error };
        std::fs::create_dir_all(folder).map_err(failed)?;
        write_whole(&folder.join("report.md"), &format!("# {ABOUT} ({SOURCE})\n\n{}", self.text()))?;
        let reach = 2.0 * self.size as f32;
        let komis = || (0..=100).map(|step| reach * (step as f32 / 50.0 - 1.0));
        let curve = |name: &str, win_rate: &dyn Fn(f32) -> f32| Curve {
            name: name.to_string(),
            points: komis().map(|komi| (komi.into(), f64::from(100.0 * win_rate(komi)))).collect(),
            band: Vec::new(),
        };
        let curves =
            [curve("playouts", &|komi| self.playouts(komi)), curve("the net", &|komi| self.net.black_win_rate(komi))];
        let axes = Axes {
            title: "Win rates over komi on an empty board",
            x: "komi",
            y: "Black wins, %",
            x_range: f64::from(-reach)..f64::from(reach),
            y_range: 0.0..100.0,
        };
        Ok(write_whole(&folder.join("plot.svg"), &draw_curves(&axes, &curves)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_curves_fall_and_their_width_is_that_of_the_scores() {
        let scores: Vec<f32> = (-50..50).map(|score| score as f32).collect();
        let curve = KomiCurve { scores, ..KomiCurve::measure(9, 1, 1) };
        assert!((curve.points(|komi| curve.playouts(komi)) - 50.0).abs() < 1.5);
        assert_eq!((curve.playouts(-60.0), curve.playouts(60.0)), (1.0, 0.0));
        let net = |komi| curve.net.black_win_rate(komi);
        assert!(net(-20.0) > net(7.0) && net(7.0) > net(30.0));
        let folder = tempfile::tempdir().unwrap();
        curve.keep(folder.path()).unwrap();
        assert!(std::fs::read_to_string(folder.path().join("plot.svg")).unwrap().starts_with("<svg"));
    }
}
