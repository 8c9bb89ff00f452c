//! Running averages and a running regression.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Average {
    sum: f64,
    count: f64,
}

impl Average {
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    pub fn add_truth(&mut self, truth: bool) {
        self.add(f64::from(u8::from(truth)));
    }

    pub fn merge(&mut self, other: &Average) {
        self.sum += other.sum;
        self.count += other.count;
    }

    /// None of nothing.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }

    pub fn count(&self) -> usize {
        self.count as usize
    }
}

/// Most pairs kept for a picture (CGI IV.F).
const MOST_PAIRS: usize = 2000;

/// Black's territory by summed ownership beside Black's win rate at one komi (CGI IV.F).
#[derive(Clone, Debug, Default)]
pub struct Correlation {
    pub komi: f32,
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
    /// Ahead by territory, behind by value; and the reverse.
    pub only_territory: Average,
    pub only_value: Average,
    /// Some of the pairs, for the plot.
    pub pairs: Vec<(f32, f32)>,
}

impl Correlation {
    pub fn at(komi: f32) -> Correlation {
        Correlation { komi, ..Correlation::default() }
    }

    pub fn add(&mut self, black_territory: f32, black_win_rate: f32) {
        let (x, y) = (f64::from(black_territory), f64::from(black_win_rate));
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
        self.only_territory.add_truth(black_territory > self.komi && black_win_rate < 0.5);
        self.only_value.add_truth(black_territory < self.komi && black_win_rate > 0.5);
        if self.pairs.len() < MOST_PAIRS {
            self.pairs.push((black_territory, black_win_rate));
        }
    }

    fn covariance(&self) -> f64 {
        self.count * self.xy - self.x * self.y
    }

    fn territory_spread(&self) -> f64 {
        self.count * self.xx - self.x * self.x
    }

    /// Pearson's correlation; none if either side never changes.
    pub fn coefficient(&self) -> Option<f64> {
        let spread = self.territory_spread() * (self.count * self.yy - self.y * self.y);
        (spread > 0.0).then(|| self.covariance() / spread.sqrt())
    }

    /// The win rate that regression expects at a territory.
    pub fn regressed(&self, black_territory: f64) -> Option<f64> {
        let slope = (self.territory_spread() > 0.0).then(|| self.covariance() / self.territory_spread())?;
        Some(self.y / self.count + slope * (black_territory - self.x / self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_merge_and_know_nothing_of_nothing() {
        let (mut a, mut b) = (Average::default(), Average::default());
        assert_eq!(a.value(), None);
        a.add(1.0);
        b.add(4.0);
        b.add_truth(true);
        a.merge(&b);
        assert_eq!((a.value(), a.count()), (Some(2.0), 3));
    }

    #[test]
    fn agreement_of_lines_and_of_nothing() {
        let [mut up, mut down, mut flat] = [7.5; 3].map(Correlation::at);
        for lead in -5..=5 {
            let lead = lead as f32;
            up.add(7.5 + lead, 0.5 + lead / 20.0);
            down.add(7.5 + lead, 0.5 - lead / 20.0);
            flat.add(7.5 + lead, 0.7);
        }
        assert!((up.coefficient().unwrap() - 1.0).abs() < 1e-6);
        assert!((up.regressed(17.5).unwrap() - 1.0).abs() < 1e-6);
        assert!((down.coefficient().unwrap() + 1.0).abs() < 1e-6);
        assert_eq!(flat.coefficient(), None);
        assert_eq!(up.only_territory.value(), Some(0.0));
        assert!((down.only_territory.value().unwrap() - 5.0 / 11.0).abs() < 1e-9);
        assert!((flat.only_value.value().unwrap() - 5.0 / 11.0).abs() < 1e-9);
        assert_eq!(up.pairs.len(), 11);
    }
}
