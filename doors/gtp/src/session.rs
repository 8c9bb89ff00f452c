//! One conversation: the engine, how it introduces itself, and whether the other side has said goodbye.

use std::sync::Arc;

use jigo_engine::{Engine, NetCard, NetCollection, StopFlag};
use tracing::debug;

use crate::asides::{Asides, summary};
use crate::introduction::Introduction;
use crate::parse::parse;
use crate::reply::Reply;
use crate::serve::carry_out;
use crate::stream::{Part, ReplyStream};

pub struct Session {
    pub(crate) engine: Engine,
    pub(crate) introduction: Introduction,
    pub(crate) asides: Asides,
    /// The net in use, if there is one.
    pub(crate) net: Option<NetCard>,
    /// Other nets to change to.
    pub(crate) nets: Option<Arc<dyn NetCollection>>,
    pub(crate) is_over: bool,
}

impl Session {
    pub fn new(engine: Engine) -> Session {
        Session {
            engine,
            introduction: Introduction::default(),
            asides: Asides::default(),
            net: None,
            nets: None,
            is_over: false,
        }
    }

    /// Under another name or version.
    pub fn introduced_as(self, introduction: Introduction) -> Session {
        Session { introduction, ..self }
    }

    /// With remarks beside the protocol.
    pub fn with_asides(self, asides: Asides) -> Session {
        Session { asides, ..self }
    }

    /// Thinking with this net, for clients that ask.
    pub fn with_net(self, net: Option<NetCard>) -> Session {
        Session { net, ..self }
    }

    /// With other nets to change to.
    pub fn with_nets(self, nets: Arc<dyn NetCollection>) -> Session {
        Session { nets: Some(nets), ..self }
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Has `quit` been answered?
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// What the last search came to, for the log.
    pub(crate) fn log_search(&self) {
        if let Some(report) = self.engine.last_report() {
            let seconds = report.elapsed.as_secs_f32();
            debug!(playouts = report.playouts, seconds, "{}", summary(report, self.engine.game().size()));
        }
    }

    /// Answers one line, unless there is nothing on it to answer. As the next line is taken to be waiting already, an
    /// analysis ends with its first row.
    pub fn respond(&mut self, line: &[u8]) -> Option<Reply> {
        let line = parse(line)?;
        let heard = StopFlag::default();
        heard.raise();
        let mut rows = String::new();
        let mut collect = |part: Part| match part {
            Part::Beginning => rows.push('\n'),
            Part::Row(row) => rows.extend([row, "\n"]),
        };
        let outcome = carry_out(self, &line, &mut ReplyStream::new(&mut collect, &heard)).map(|last| rows + &last);
        Some(Reply { id: line.id, outcome })
    }
}
