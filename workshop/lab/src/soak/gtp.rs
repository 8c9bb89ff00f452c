//! A GTP visitor that plays, takes back, asks and talks nonsense, and knows at every moment what the position must be.

use std::time::{Duration, Instant};

use jigo_board::{Game, Move, Rng, Rules, random_game};
use jigo_sgf::{Collection, GameRecord, Repetition};

use super::account::Account;
use super::process::{End, Process, Silence, Talk};
use super::{Hours, PATIENCE};

/// The rules both sides go by; every repetition is told apart by them.
pub const RULES: &str = "tromp-taylor";
const SIZES: [usize; 4] = [5, 9, 13, 19];
/// The record is compared after so many questions.
const CHECK_EVERY: usize = 25;
/// Lines that no command is in.
const NONSENSE: [&[u8]; 6] =
    [b"play", b"genmove x", b"\xff\xfe\x00", b"boardsize 999999999999", b"komi nan", b"kata-set-rules {\"ko\":[[["];

/// What is particular to one visitor.
#[derive(Clone, Copy)]
pub struct VisitOptions<'a> {
    /// Said to every new life.
    pub preface: &'static [&'static str],
    /// What is looked at before the last goodbye.
    pub before_quit: &'a dyn Fn(&mut Account),
}

pub const ALONE: VisitOptions<'static> = VisitOptions { preface: &[], before_quit: &|_| {} };

/// A conversation over several lives of one program: whatever it was told before, the next life is told again.
pub struct GtpVisitor<'a, 'b> {
    process: &'a Process<'b>,
    options: VisitOptions<'a>,
    talk: Talk,
    questions: usize,
    game: Game,
    rng: Rng,
}

/// Why a life is over.
enum Broken {
    Silent(Silence, String),
    Wrong(String),
}

type Step = Result<(), Broken>;

pub fn visit(process: &Process, options: VisitOptions, rng: Rng, hours: &Hours, account: &mut Account) {
    let rules = Rules::by_name(RULES).unwrap_or_default();
    let mut game = Game::new(9, rules);
    let mut rng = rng;
    while !hours.are_over() && !account.is_full() {
        let talk = match process.start() {
            Ok(talk) => talk,
            Err(error) => return account.fault(error),
        };
        let mut visitor = GtpVisitor { process, options, talk, questions: 0, game, rng };
        let broken = visitor.live(hours, account);
        match broken {
            Ok(()) => return,
            Err(Broken::Wrong(what)) => account.fault(what),
            Err(Broken::Silent(silence, question)) => match (silence, visitor.process.end()) {
                (_, End::Planned) => {}
                (Silence::Late, _) => account.fault(format!("{question}: no answer within {} s", PATIENCE.as_secs())),
                (Silence::Ended, End::Unplanned(how)) => account.fault(format!("{question}: {how}")),
            },
        }
        (game, rng) = (visitor.game, visitor.rng);
    }
}

impl GtpVisitor<'_, '_> {
    /// Until the hours are over, or the program is gone.
    fn live(&mut self, hours: &Hours, account: &mut Account) -> Step {
        for line in self.options.preface {
            self.agreed(line, account)?;
        }
        self.tell_game(account)?;
        while !hours.are_over() {
            self.something(account)?;
            if self.questions.is_multiple_of(CHECK_EVERY) {
                self.compare(account)?;
            }
        }
        self.compare(account)?;
        (self.options.before_quit)(account);
        self.agreed("quit", account)?;
        self.process.leaves().map_err(|how| Broken::Wrong(format!("after quit {how}")))
    }

    fn tell_game(&mut self, account: &mut Account) -> Step {
        self.agreed(&format!("boardsize {}", self.game.size()), account)?;
        for (color, mv) in self.game.moves().to_vec() {
            self.agreed(&format!("play {} {}", color.letter(), mv.vertex(self.game.size())), account)?;
        }
        self.compare(account)
    }

    fn something(&mut self, account: &mut Account) -> Step {
        let (size, color) = (self.game.size(), self.game.to_move());
        if self.game.is_over() || self.game.moves().len() > 2 * size * size {
            return self.new_game(account);
        }
        match self.rng.below(100) {
            0..50 => {
                let mv =
                    random_game::random_point(self.game.board(), color, &mut self.rng).map_or(Move::Pass, Move::Play);
                if self.game.check(color, mv).is_err() {
                    return Ok(());
                }
                self.agreed(&format!("play {} {}", color.letter(), mv.vertex(size)), account)?;
                self.made(mv)
            }
            50..60 => {
                let stones: Vec<_> =
                    self.game.board().points().filter(|&point| !self.game.board().is_empty(point)).collect();
                let Some(point) = self.rng.pick(&stones) else { return Ok(()) };
                self.refused(&format!("play {} {}", color.letter(), point.vertex(size)), account)
            }
            60..72 => {
                let answer = self.agreed(&format!("genmove {}", color.letter()), account)?;
                if answer.eq_ignore_ascii_case("resign") {
                    return self.new_game(account);
                }
                let mv = Move::parse(&answer, size).filter(|&mv| self.game.check(color, mv).is_ok());
                self.made(mv.ok_or_else(|| Broken::Wrong(format!("genmove was answered by {answer:?}")))?)
            }
            72..78 => match self.game.undo() {
                Some(_) => self.agreed("undo", account).map(|_| ()),
                None => self.refused("undo", account),
            },
            78..82 => self.look(account),
            82..90 => self.nonsense(account),
            90..94 => self.agreed("showboard", account).map(|_| ()),
            94..96 => self.agreed("final_score", account).map(|_| ()),
            96..98 => self.agreed("clear_cache", account).map(|_| ()),
            98 => self.agreed(&format!("time_left {} 1 1", color.letter()), account).map(|_| ()),
            _ => self.new_game(account),
        }
    }

    fn made(&mut self, mv: Move) -> Step {
        let color = self.game.to_move();
        self.game.play(color, mv).map_err(|why| Broken::Wrong(format!("{mv:?} was made although {why}")))
    }

    fn new_game(&mut self, account: &mut Account) -> Step {
        let size = self.rng.pick(&SIZES).unwrap_or(9);
        self.agreed(&format!("boardsize {size}"), account)?;
        self.game = Game::new(size, *self.game.rules());
        Ok(())
    }

    /// Live analysis, ended by the next question.
    fn look(&mut self, account: &mut Account) -> Step {
        let question = format!("kata-analyze {} 10", self.game.to_move().letter());
        let number = self.send(&question)?;
        let silent = |silence| Broken::Silent(silence, question.clone());
        let first = self.talk.line(PATIENCE).map_err(silent)?;
        if first != format!("={number}") {
            return Err(Broken::Wrong(format!("{question} was answered by {first:?}")));
        }
        // At least one report, or the end of them.
        let mut line = self.talk.line(PATIENCE).map_err(silent)?;
        let asked = Instant::now();
        let next = self.send("name")?;
        while !line.is_empty() {
            line = self.talk.line(PATIENCE).map_err(silent)?;
        }
        self.reply("name", next, asked, account)?.map(|_| ()).map_err(Broken::Wrong)
    }

    /// Something that is no command, which may be answered or not, and a question after it, which must be.
    fn nonsense(&mut self, account: &mut Account) -> Step {
        let words = self.rng.pick(&NONSENSE).unwrap_or_default().to_vec();
        let ended = |silence| Broken::Silent(silence, "nonsense".to_owned());
        self.talk.say(&words).map_err(ended)?;
        let asked = Instant::now();
        let number = self.send("name")?;
        loop {
            let line = self.talk.line(PATIENCE).map_err(ended)?;
            if line == format!("={number} Jigo") {
                self.talk.line(PATIENCE).map_err(ended)?;
                account.answered("name", asked);
                return Ok(());
            }
            if line.starts_with('=') {
                return Err(Broken::Wrong(format!("{words:?} was answered by {line:?}")));
            }
        }
    }

    /// Is the game move for move what was acknowledged?
    fn compare(&mut self, account: &mut Account) -> Step {
        let record = self.agreed("printsgf", account)?;
        let replayed = Collection::from_text(&record).ok().and_then(|collection| {
            let main = GameRecord::main_line(collection.games.first()?).ok()?;
            main.replay(usize::MAX, *self.game.rules(), Repetition::Judge).ok()
        });
        let size = self.game.size();
        if replayed.as_ref().map(Game::moves) != Some(self.game.moves()) {
            let wanted: Vec<String> = self.game.moves().iter().map(|(_, mv)| mv.vertex(size)).collect();
            return Err(Broken::Wrong(format!(
                "{} moves were acknowledged, {wanted:?}, and the record is {record}",
                wanted.len()
            )));
        }
        account.checked += self.game.moves().len() as u64;
        Ok(())
    }

    fn agreed(&mut self, question: &str, account: &mut Account) -> Result<String, Broken> {
        let asked = Instant::now();
        let number = self.send(question)?;
        self.reply(question, number, asked, account)?
            .map_err(|why| Broken::Wrong(format!("{question} was refused: {why}")))
    }

    fn refused(&mut self, question: &str, account: &mut Account) -> Step {
        let asked = Instant::now();
        let number = self.send(question)?;
        match self.reply(question, number, asked, account)? {
            Ok(answer) => Err(Broken::Wrong(format!("{question} was not refused but answered by {answer:?}"))),
            Err(_) => Ok(()),
        }
    }

    fn send(&mut self, question: &str) -> Result<usize, Broken> {
        self.questions += 1;
        let line = format!("{} {question}", self.questions);
        self.talk.say(line.as_bytes()).map_err(|silence| Broken::Silent(silence, question.to_owned()))?;
        Ok(self.questions)
    }

    /// The answer to this very question, or why it was refused.
    fn reply(
        &mut self,
        question: &str,
        number: usize,
        asked: Instant,
        account: &mut Account,
    ) -> Result<Result<String, String>, Broken> {
        let mut answer = String::new();
        loop {
            let left = PATIENCE.saturating_sub(asked.elapsed()).max(Duration::from_millis(1));
            let line = self.talk.line(left).map_err(|silence| Broken::Silent(silence, question.to_owned()))?;
            if line.is_empty() && !answer.is_empty() {
                break;
            }
            answer = if answer.is_empty() { line } else { format!("{answer}\n{line}") };
        }
        account.answered(question, asked);
        let body = |mark: char| Some(answer.strip_prefix(mark)?.strip_prefix(&number.to_string())?.trim().to_owned());
        match (body('='), body('?')) {
            (Some(text), _) => Ok(Ok(text)),
            (_, Some(text)) => Ok(Err(text)),
            _ => Err(Broken::Wrong(format!("question {number}, {question}, was answered by {answer:?}"))),
        }
    }
}
