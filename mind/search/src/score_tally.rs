//! Black's scores as one thread saw them: at the end of playouts, and as the net expects them at the leaves.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// Scores are added up in these parts of a point.
const UNIT: f32 = 256.0;

/// How much the net's mean expectation jumps from one position of a game to the next, in points. Its lasting errors do
/// not matter here: what a move lost is a difference.
const NET_ERROR: f32 = 2.0;

#[derive(Default)]
pub struct ScoreTally {
    playouts: AtomicU64,
    played: AtomicI64,
    /// In whole points squared.
    played_squares: AtomicU64,
    leaves: AtomicU64,
    expected: AtomicI64,
}

impl ScoreTally {
    /// Only one thread writes, so a plain load and store is enough.
    pub fn add(&self, played: f32, expected: Option<f32>) {
        self.playouts.store(self.playouts.load(Relaxed) + 1, Relaxed);
        self.played.store(self.played.load(Relaxed) + (played * UNIT) as i64, Relaxed);
        self.played_squares.store(self.played_squares.load(Relaxed) + (played * played) as u64, Relaxed);
        if let Some(expected) = expected {
            self.leaves.store(self.leaves.load(Relaxed) + 1, Relaxed);
            self.expected.store(self.expected.load(Relaxed) + (expected * UNIT) as i64, Relaxed);
        }
    }

    pub fn clear(&self) {
        self.playouts.store(0, Relaxed);
        self.played.store(0, Relaxed);
        self.played_squares.store(0, Relaxed);
        self.leaves.store(0, Relaxed);
        self.expected.store(0, Relaxed);
    }
}

/// All threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoreSummary {
    playouts: f32,
    played: Option<f32>,
    stdev: f32,
    expected: Option<f32>,
}

impl ScoreSummary {
    pub fn of<'a>(tallies: impl Iterator<Item = &'a ScoreTally>) -> ScoreSummary {
        let (mut playouts, mut played, mut squares, mut leaves, mut expected) = (0, 0, 0, 0, 0);
        for tally in tallies {
            playouts += tally.playouts.load(Relaxed);
            played += tally.played.load(Relaxed);
            squares += tally.played_squares.load(Relaxed);
            leaves += tally.leaves.load(Relaxed);
            expected += tally.expected.load(Relaxed);
        }
        let mean = |sum: i64, count: u64| (count > 0).then(|| (sum as f64 / count as f64) as f32 / UNIT);
        let played = mean(played, playouts);
        let variance = (squares as f64 / playouts.max(1) as f64) as f32 - played.unwrap_or(0.0).powi(2);
        ScoreSummary {
            playouts: playouts as f32,
            played,
            stdev: variance.max(0.0).sqrt(),
            expected: mean(expected, leaves),
        }
    }

    /// How far playouts spread, if there were any.
    pub fn stdev(&self) -> Option<f32> {
        self.played.map(|_| self.stdev)
    }

    /// The best guess: playouts and net, each weighed by how sure it is. In an opening playouts spread by 60 points and the
    /// mean of 200 jumps by 6 from position to position, so the net decides; in an endgame they agree and count it better
    /// than the net.
    pub fn guess(&self) -> Option<f32> {
        self.weighed(self.stdev, self.expected)
    }

    /// The best guess after a move, in a position of which all this is known. A move without a leaf that the net has seen
    /// is taken to change little.
    pub fn guess_after_move(&self, position: &ScoreSummary) -> Option<f32> {
        let expected = self.expected.or(position.expected.and(position.guess()));
        self.weighed(position.stdev, expected).or(expected)
    }

    fn weighed(&self, stdev: f32, expected: Option<f32>) -> Option<f32> {
        let played = self.played?;
        let Some(expected) = expected else { return Some(played) };
        // Below a point no spread is believed.
        let playouts_weight = self.playouts / stdev.max(1.0).powi(2);
        let net_weight = 1.0 / NET_ERROR.powi(2);
        Some((playouts_weight * played + net_weight * expected) / (playouts_weight + net_weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(played: &[f32], expected: Option<f32>) -> ScoreSummary {
        let [one, other] = [ScoreTally::default(), ScoreTally::default()];
        for (index, &score) in played.iter().enumerate() {
            if index % 2 == 0 { &one } else { &other }.add(score, expected);
        }
        ScoreSummary::of([&one, &other].into_iter())
    }

    #[test]
    fn wild_playouts_leave_the_word_to_the_net_and_steady_ones_take_it() {
        let wild = summary(&[60.0, -60.0, 60.0, -40.0], Some(10.0)).guess().unwrap();
        assert!((wild - 10.0).abs() < 0.2, "{wild}");
        let steady = summary(&[5.0; 100], Some(-18.0)).guess().unwrap();
        assert!((steady - 5.0).abs() < 0.2, "{steady}");
    }

    #[test]
    fn without_a_net_playouts_decide() {
        let alone = summary(&[60.0, -20.0], None);
        assert_eq!((alone.guess(), alone.stdev()), (Some(20.0), Some(40.0)));
        assert_eq!(summary(&[], None).guess(), None);
        assert_eq!(summary(&[7.0], None).guess_after_move(&alone), Some(7.0));
    }

    #[test]
    fn one_wild_playout_says_little_about_a_move() {
        let position = summary(&[50.0, -50.0, 50.0, -50.0], Some(3.0));
        let after = summary(&[80.0], None).guess_after_move(&position).unwrap();
        assert!((after - 3.0).abs() < 0.5, "{after}");
    }
}
