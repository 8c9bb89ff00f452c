//! How far a long piece of work has come.

type Show<'a> = dyn FnMut(&str, u64, u64) + 'a;

/// Called now and then during long work.
pub struct Progress<'a>(Box<Show<'a>>);

impl<'a> Progress<'a> {
    /// `show` gets the name of the stage, how much is done and how much there is.
    pub fn new(show: impl FnMut(&str, u64, u64) + 'a) -> Progress<'a> {
        Progress(Box::new(show))
    }

    pub fn silent() -> Progress<'a> {
        Progress::new(|_, _, _| {})
    }

    pub fn at(&mut self, stage: &str, done: u64, total: u64) {
        (self.0)(stage, done, total);
    }
}
