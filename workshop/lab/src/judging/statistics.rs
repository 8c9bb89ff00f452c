//! A mean and how far it can be trusted.

#[derive(Clone, Copy, Debug, Default)]
pub struct RunningMean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl RunningMean {
    pub fn add(&mut self, value: f32) {
        let value = f64::from(value);
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    pub fn count(&self) -> usize {
        self.count as usize
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    pub fn stdev(&self) -> f64 {
        (self.squares / self.count.max(1.0) - self.mean().powi(2)).max(0.0).sqrt()
    }

    pub fn standard_error(&self) -> f64 {
        self.stdev() / (self.count - 1.0).max(1.0).sqrt()
    }
}

impl FromIterator<f32> for RunningMean {
    fn from_iter<I: IntoIterator<Item = f32>>(values: I) -> RunningMean {
        let mut sample = RunningMean::default();
        values.into_iter().for_each(|value| sample.add(value));
        sample
    }
}

/// Mean and standard error.
impl std::fmt::Display for RunningMean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} ± {:.2}", self.mean(), self.standard_error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_values_have_a_mean_and_a_standard_error() {
        let sample: RunningMean = [1.0, 3.0, 5.0, 7.0].into_iter().collect();
        assert_eq!((sample.count(), sample.mean()), (4, 4.0));
        assert!((sample.standard_error() - (5.0f64 / 3.0).sqrt()).abs() < 1e-9);
    }
}
