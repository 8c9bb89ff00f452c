//! Telling about a search while it runs.

use std::time::Duration;

use crate::report::SearchReport;

/// Told about a running search every now and then.
pub struct Progress<'a> {
    /// The first word comes after a tenth of it: who has just asked sees nothing yet.
    pub every: Duration,
    pub tell: &'a mut dyn FnMut(&SearchReport),
}

/// The part of the interval after which the first word comes.
const FIRST_WORD: u32 = 10;

/// Keeps the time between two reports, however often the search pauses to prune its tree.
pub(crate) struct Teller<'a> {
    progress: Progress<'a>,
    next: Duration,
}

impl<'a> Teller<'a> {
    pub fn new(progress: Progress<'a>) -> Teller<'a> {
        Teller { next: progress.every / FIRST_WORD, progress }
    }

    /// Tells if it is time. The next report comes a whole interval later: a slow listener misses some.
    pub fn tell_in_time(&mut self, elapsed: Duration, report: impl FnOnce() -> SearchReport) {
        let every = self.progress.every;
        if elapsed >= self.next {
            let was_first = self.next < every && elapsed < every;
            self.next = if was_first { every } else { elapsed.saturating_add(every) };
            (self.progress.tell)(&report());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Color;

    #[test]
    fn reports_come_an_interval_apart_but_for_an_early_first_word() {
        let told_at = |every: Duration, looks: &[u64]| {
            let mut told = 0;
            let tell = &mut |_: &SearchReport| told += 1;
            let mut teller = Teller::new(Progress { every, tell });
            for &look in looks {
                teller.tell_in_time(Duration::from_millis(look), || SearchReport::new(Color::Black, 7.5));
            }
            told
        };
        assert_eq!(told_at(Duration::from_millis(100), &[5, 9]), 0);
        assert_eq!(told_at(Duration::from_millis(100), &[60, 90]), 1);
        assert_eq!(told_at(Duration::from_millis(100), &[60, 90, 110, 190, 205]), 2);
        assert_eq!(told_at(Duration::from_millis(100), &[110, 190, 210, 310]), 3);
        assert_eq!(told_at(Duration::MAX, &[110, u64::MAX]), 0);
    }
}
