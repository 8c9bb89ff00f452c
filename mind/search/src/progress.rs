//! Telling about a search while it runs.

use std::time::Duration;

use crate::report::SearchReport;

/// Told about a running search every now and then.
pub struct Progress<'a> {
    pub every: Duration,
    pub tell: &'a mut dyn FnMut(&SearchReport),
}

/// Keeps the time between two reports, however often the search pauses to prune its tree.
pub(crate) struct Teller<'a> {
    progress: Progress<'a>,
    next: Duration,
}

impl<'a> Teller<'a> {
    pub fn new(progress: Progress<'a>) -> Teller<'a> {
        Teller { next: progress.every, progress }
    }

    /// Tells if it is time. The next report comes a whole interval later: a slow listener misses some.
    pub fn tell_in_time(&mut self, elapsed: Duration, report: impl FnOnce() -> SearchReport) {
        if elapsed >= self.next {
            self.next = elapsed.saturating_add(self.progress.every);
            (self.progress.tell)(&report());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Color;

    #[test]
    fn reports_come_an_interval_apart() {
        let told_at = |every: Duration, looks: &[u64]| {
            let mut told = 0;
            let tell = &mut |_: &SearchReport| told += 1;
            let mut teller = Teller::new(Progress { every, tell });
            for &look in looks {
                teller.tell_in_time(Duration::from_millis(look), || SearchReport::new(Color::Black, 7.5));
            }
            told
        };
        assert_eq!(told_at(Duration::from_millis(100), &[60, 90]), 0);
        assert_eq!(told_at(Duration::from_millis(100), &[60, 90, 110, 190, 205]), 1);
        assert_eq!(told_at(Duration::from_millis(100), &[110, 190, 210, 310]), 3);
        assert_eq!(told_at(Duration::MAX, &[110, u64::MAX]), 0);
    }
}
