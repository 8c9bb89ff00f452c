//! Running averages and a running correlation.

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

/// Pearson's correlation of pairs, and how often their signs disagree either way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Correlation {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
    pub x_above_y_below: Average,
    pub x_below_y_above: Average,
}

impl Correlation {
    pub fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
        self.x_above_y_below.add_truth(x > 0.0 && y < 0.0);
        self.x_below_y_above.add_truth(x < 0.0 && y > 0.0);
    }

    pub fn value(&self) -> Option<f64> {
        let covariance = self.count * self.xy - self.x * self.y;
        let spread = (self.count * self.xx - self.x * self.x) * (self.count * self.yy - self.y * self.y);
        (spread > 0.0).then(|| covariance / spread.sqrt())
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
    fn correlation_of_lines_and_of_nothing() {
        let (mut up, mut down, mut flat) = (Correlation::default(), Correlation::default(), Correlation::default());
        for x in -5..=5 {
            up.add(f64::from(x), f64::from(3 * x));
            down.add(f64::from(x), f64::from(-x));
            flat.add(f64::from(x), 1.0);
        }
        assert!((up.value().unwrap() - 1.0).abs() < 1e-9);
        assert!((down.value().unwrap() + 1.0).abs() < 1e-9);
        assert_eq!(flat.value(), None);
        assert_eq!(up.x_above_y_below.value(), Some(0.0));
        assert!((down.x_above_y_below.value().unwrap() - 5.0 / 11.0).abs() < 1e-9);
    }
}
