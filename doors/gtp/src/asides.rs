//! Remarks beside the protocol, on standard error: chat for gtp2ogs, pictures of a running search for GoGui.

use std::io::{Write, sink};
use std::time::Duration;

use jigo_board::{Color, Score};
use jigo_engine::{Decision, SearchReport};

use crate::analysis::View;
use crate::command::spell;

/// Who reads a chat line on the Online Go Server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chat {
    /// Everybody but the opponent, until the game is over.
    Malkovich,
    /// Everybody.
    Discussion,
}

/// How often a running search is drawn.
pub(crate) const FRAME: Duration = Duration::from_millis(500);

/// Moves of the expected continuation that are drawn or told.
const EXPECTED_MOVES: usize = 8;

/// Where remarks go, and which of them are wanted; by default none.
pub struct Asides {
    writer: Box<dyn Write + Send>,
    chat: Option<Chat>,
    pub(crate) live_graphics: bool,
}

impl Default for Asides {
    fn default() -> Asides {
        Asides { writer: Box::new(sink()), chat: None, live_graphics: false }
    }
}

impl Asides {
    pub fn new(writer: impl Write + Send + 'static, chat: Option<Chat>, live_graphics: bool) -> Asides {
        Asides { writer: Box::new(writer), chat, live_graphics }
    }

    /// A chat line about a move just chosen.
    pub(crate) fn comment(&mut self, color: Color, decision: Decision, report: Option<&SearchReport>, size: usize) {
        let (Some(chat), Some(report)) = (self.chat, report) else { return };
        let audience = match chat {
            Chat::Malkovich => "MALKOVICH",
            Chat::Discussion => "DISCUSSION",
        };
        let choice = spell(decision, size);
        self.say(&format!("{audience}: {color} {choice}, {}\n", summary(report, size)));
    }

    /// The expected continuation and who owns what, for GoGui's live graphics.
    pub(crate) fn draw(&mut self, report: &SearchReport, size: usize) {
        let mut color = report.to_move;
        let mut variation = String::new();
        for mv in report.best().into_iter().flat_map(|best| best.variation.iter().take(EXPECTED_MOVES)) {
            variation += &format!(" {} {}", color.letter(), mv.vertex(size));
            color = color.opponent();
        }
        let influence: String = View::points_of(size)
            .map(|point| format!(" {} {:.2}", point.vertex(size), report.ownership(point)))
            .collect();
        let text = summary(report, size);
        self.say(&format!("gogui-gfx:\nVAR{variation}\nINFLUENCE{influence}\nTEXT {text}\n\n"));
    }

    /// A picture left behind would be taken for part of the next command.
    pub(crate) fn wipe(&mut self) {
        self.say("gogui-gfx: CLEAR\n");
    }

    /// Remarks may get lost; the game goes on.
    fn say(&mut self, text: &str) {
        let _ = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush());
    }
}

/// One sentence about a search: chances, score, effort and what is expected.
pub(crate) fn summary(report: &SearchReport, size: usize) -> String {
    let expected = report.best().map(|best| &best.variation[..best.variation.len().min(EXPECTED_MOVES)]);
    format!(
        "win rate {:.1} %, score {}, {} visits, expecting {}",
        100.0 * report.win_rate,
        round_score(report),
        report.visits,
        View::new(report, size).vertices(expected.unwrap_or_default()),
    )
}

/// The expected result in tenths of points, as `B+3.5`.
fn round_score(report: &SearchReport) -> Score {
    Score::black_lead(((report.black_score - report.komi) * 10.0).round() / 10.0)
}
