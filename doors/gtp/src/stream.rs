//! A reply that is written row by row while the engine still thinks.

use jigo_engine::StopFlag;

/// Where the rows of a growing reply go, and how it learns that somebody has said something else meanwhile.
pub(crate) struct ReplyStream<'a> {
    /// Called when the reply begins, and then with every row.
    write: &'a mut dyn FnMut(Part),
    heard: &'a StopFlag,
    is_silent: bool,
}

/// Of a growing reply.
pub(crate) enum Part<'a> {
    /// The request was understood.
    Beginning,
    Row(&'a str),
}

impl<'a> ReplyStream<'a> {
    /// `heard` is raised as soon as another line has come in.
    pub fn new(write: &'a mut dyn FnMut(Part), heard: &'a StopFlag) -> ReplyStream<'a> {
        ReplyStream { write, heard, is_silent: true }
    }

    /// To be called once, before the first row: some clients wait for the sign that they were understood.
    pub fn begin(&mut self) {
        (self.write)(Part::Beginning);
    }

    pub fn say(&mut self, row: &str) {
        self.is_silent = false;
        (self.write)(Part::Row(row));
    }

    /// Has no row been said yet?
    pub fn is_silent(&self) -> bool {
        self.is_silent
    }

    pub fn heard(&self) -> &'a StopFlag {
        self.heard
    }
}
