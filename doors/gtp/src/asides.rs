//! Remarks beside the protocol, on standard error: chat for gtp2ogs, pictures of a running search for GoGui.

use std::io::{Write, sink};
use std::time::Duration;

use jigo_board::Color;
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
    /// As KataGo writes it, which gtp2ogs turns into a variation on the board.
    Variation,
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
            Chat::Variation => return self.say(&variation(report, size)),
        };
        let choice = spell(decision, size);
        self.say(&format!("{audience}: {color} {choice}, {}\n", summary(report, size)));
    }

    /// The expected continuation and who owns what, for GoGui's live graphics.
    pub(crate) fn draw(&mut self, report: &SearchReport, size: usize) {
        let mut color = report.to_move;
        let mut variation = String::new();
        for mv in report.best().into_iter().flat_map(|best| best.variation.iter().take(EXPECTED_MOVES)) {
            variation += &format!(" {} {}", color.letter().to_ascii_lowercase(), mv.vertex(size));
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

/// What KataGo writes with `ogsChatToStderr`.
fn variation(report: &SearchReport, size: usize) -> String {
    let view = View::new(report, size);
    let moves = report.best().map(|best| view.vertices(&best.variation)).unwrap_or_default();
    format!(
        "CHAT:Visits {} Winrate {:.2}% ScoreLead {:.1} ScoreStdev {:.1} PV {moves}\n",
        report.visits,
        100.0 * view.win_rate(),
        view.lead() + 0.0,
        report.black_score_stdev(),
    )
}

/// One sentence about a search: chances, score, effort and what is expected.
pub(crate) fn summary(report: &SearchReport, size: usize) -> String {
    let view = View::new(report, size);
    let expected = report.best().map(|best| &best.variation[..best.variation.len().min(EXPECTED_MOVES)]);
    format!(
        "win rate {:.1} %, score {}, {} visits, expecting {}",
        100.0 * view.win_rate(),
        view.score(),
        report.visits,
        view.vertices(expected.unwrap_or_default()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Game, Move, Rules};
    use jigo_engine::{AnalysisRequest, Engine, Limits, StopFlag};
    use jigo_search::{Parameters, TreeSearcher};
    use std::sync::{Arc, Mutex};

    /// Keeps what is written, for whoever holds a clone.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Paper {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn report() -> SearchReport {
        let searcher = TreeSearcher::new(Parameters::default(), None, 1, 1);
        let mut engine = Engine::new(Game::new(5, Rules::default()), Box::new(searcher), 1);
        let limits = Limits { playouts: Some(64), visits: None, time: None };
        let request = AnalysisRequest {
            color: Color::White,
            limits,
            restrictions: &[],
            every: FRAME,
            move_ownership: false,
            fresh: false,
        };
        engine.analyse(&request, &StopFlag::default(), &mut |_| {})
    }

    #[test]
    fn a_chat_line_goes_to_its_audience_if_there_is_one() {
        let pass = Decision::Move(Move::Pass);
        for (chat, beginning) in [
            (None, ""),
            (Some(Chat::Malkovich), "MALKOVICH: white pass, win rate "),
            (Some(Chat::Discussion), "DISCUSSION: white pass, win rate "),
            (Some(Chat::Variation), "CHAT:Visits 64 Winrate "),
        ] {
            let paper = Paper::default();
            Asides::new(paper.clone(), chat, false).comment(Color::White, pass, Some(&report()), 5);
            let text = paper.text();
            assert!(text.starts_with(beginning), "{text}");
            assert_eq!(text.lines().count(), usize::from(chat.is_some()), "{text}");
        }
    }

    #[test]
    fn a_picture_is_a_block_of_drawing_commands_and_is_wiped_away() {
        let paper = Paper::default();
        let mut asides = Asides::new(paper.clone(), None, true);
        asides.draw(&report(), 5);
        asides.wipe();
        let text = paper.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines[4], lines[5]), ("gogui-gfx:", "", "gogui-gfx: CLEAR"));
        assert!(lines[1].starts_with("VAR w "), "{}", lines[1]);
        assert_eq!(lines[2].split(' ').count(), 1 + 2 * 25, "{}", lines[2]);
        assert!(lines[2].starts_with("INFLUENCE A5 ") && lines[3].starts_with("TEXT win rate "), "{text}");
    }
}
