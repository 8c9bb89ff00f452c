//! One conversation: the engine, and whether the other side has said goodbye.

use jigo_engine::Engine;

use crate::arguments::Arguments;
use crate::command::find;
use crate::failure::Failure;
use crate::parse::{Request, parse};
use crate::reply::Reply;

pub struct Session {
    pub(crate) engine: Engine,
    pub(crate) is_over: bool,
}

impl Session {
    pub fn new(engine: Engine) -> Session {
        Session { engine, is_over: false }
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Has `quit` been answered?
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Answers one line, unless there is nothing on it to answer.
    pub fn respond(&mut self, line: &[u8]) -> Option<Reply> {
        let Request { id, command, arguments } = parse(line)?;
        let outcome = match find(&command) {
            Some(command) => (command.run)(self, &mut Arguments::new(&arguments)),
            None => Err(Failure::UnknownCommand),
        };
        Some(Reply { id, outcome })
    }
}
