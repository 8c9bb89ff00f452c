//! A game between a person and the engine, in text.

use std::fs::File;
use std::io::{BufRead, Read, Result, Write};
use std::path::Path;

use jigo_board::{Color, Move, Score};
use jigo_engine::{Decision, Engine, Status};
use jigo_sgf::{Collection, GameRecord, GameTree, Repetition};

const HELP: &str = "You can type:
  D4          play on this point: a column letter and a row number
  pass        give up this turn; two passes end the game
  undo        take back your last move and the answer to it
  hint        ask what Jigo would play in your place
  score       count the board as if play stopped here
  save FILE   write the game to a new file in SGF
  load FILE   go on with the game in an SGF file
  like 5k     let Jigo play like a person of this rank, or like itself again
  resign      give up the game
  quit        leave";

/// A longer line is taken as several; nobody types one.
const LONGEST_LINE: u64 = 4096;

pub struct TerminalGame {
    engine: Engine,
    human: Color,
    resigned: Option<Color>,
}

/// What the person wants.
#[derive(Debug, PartialEq)]
enum Wish<'a> {
    Move(Move),
    Undo,
    Hint,
    Score,
    Save(&'a str),
    Load(&'a str),
    Like(&'a str),
    Resign,
    Help,
    Quit,
    Nothing,
    Unclear,
}

impl TerminalGame {
    pub fn new(engine: Engine, human: Color) -> TerminalGame {
        TerminalGame { engine, human, resigned: None }
    }

    /// Plays until the person leaves or the input ends.
    pub fn play(&mut self, mut input: impl BufRead, output: &mut impl Write) -> Result<()> {
        let game = self.engine.game();
        let name = game.rules().name().unwrap_or("custom");
        writeln!(output, "You are {} ({}). Rules {name}, komi {}.", self.human, sign(self.human), game.komi())?;
        writeln!(output, "Type a point such as D4, or help.\n")?;
        write!(output, "{}", self.board())?;
        loop {
            if !self.is_over() && self.engine.game().to_move() != self.human {
                self.let_engine_move(output)?;
                continue;
            }
            write!(output, "\n{} > ", self.prompt())?;
            output.flush()?;
            let mut line = Vec::new();
            if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                return writeln!(output, "\nGoodbye.");
            }
            let line = String::from_utf8_lossy(&line).into_owned();
            let wish = read_wish(line.trim(), self.engine.game().size());
            if wish == Wish::Quit {
                return writeln!(output, "Goodbye.");
            }
            self.fulfil(wish, output)?;
        }
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.engine.game().is_over()
    }

    fn prompt(&self) -> String {
        match self.is_over() {
            true => "The game is over: undo, save FILE, load FILE or quit".to_owned(),
            false => format!("Move {}, {}", self.engine.game().moves().len() + 1, self.human),
        }
    }

    fn board(&self) -> String {
        let game = self.engine.game();
        let [black_lost, white_lost] = Color::BOTH.map(|color| game.board().stones_lost(color));
        let prisoners = match (black_lost, white_lost) {
            (0, 0) => String::new(),
            _ => format!("Prisoners: Black {white_lost}, White {black_lost}\n"),
        };
        format!("{}{prisoners}", game.board().render(game.last_move()))
    }

    fn let_engine_move(&mut self, output: &mut impl Write) -> Result<()> {
        write!(output, "\nJigo is thinking ...")?;
        output.flush()?;
        let color = self.human.opponent();
        match self.engine.genmove(color) {
            Decision::Move(Move::Pass) => writeln!(output, " and passes.")?,
            Decision::Move(mv) => {
                writeln!(output, " and plays {}.\n", mv.vertex(self.engine.game().size()))?;
                write!(output, "{}", self.board())?;
            }
            Decision::Resign => {
                self.resigned = Some(color);
                writeln!(output, " and resigns.")?;
            }
        }
        self.announce_end(output)
    }

    fn fulfil(&mut self, wish: Wish, output: &mut impl Write) -> Result<()> {
        let size = self.engine.game().size();
        match wish {
            Wish::Move(_) | Wish::Resign | Wish::Hint if self.is_over() => writeln!(output, "The game is over."),
            Wish::Move(mv) => match self.engine.play(self.human, mv) {
                Ok(()) => self.announce_end(output),
                Err(reason) => writeln!(output, "You cannot play {}: {reason}.", mv.vertex(size)),
            },
            Wish::Resign => {
                self.resigned = Some(self.human);
                self.announce_end(output)
            }
            Wish::Undo => self.undo(output),
            Wish::Hint => match self.engine.suggest(self.human) {
                Decision::Move(Move::Pass) => writeln!(output, "Jigo would pass."),
                Decision::Move(mv) => writeln!(output, "Jigo would play {}.", mv.vertex(size)),
                Decision::Resign => writeln!(output, "Jigo would resign."),
            },
            Wish::Score => self.count(output),
            Wish::Save(path) => match self.save(path) {
                Ok(()) => writeln!(output, "Saved."),
                Err(error) => writeln!(output, "The game was not saved: {error}."),
            },
            Wish::Load(path) => match self.load(Path::new(path)) {
                Ok(()) => write!(output, "{}", self.board()),
                Err(reason) => writeln!(output, "The game was not loaded: {reason}."),
            },
            Wish::Like(whom) => self.play_like(whom, output),
            Wish::Help => writeln!(output, "{HELP}"),
            Wish::Unclear => writeln!(output, "That is neither a point on this board nor a command; try help."),
            Wish::Nothing | Wish::Quit => Ok(()),
        }
    }

    /// Goes back to where the person was last to move.
    fn undo(&mut self, output: &mut impl Write) -> Result<()> {
        // A resignation is no move: taking back one's own leaves the board alone.
        if self.resigned.take_if(|color| *color == self.human).is_some() {
            return write!(output, "{}", self.board());
        }
        let moves = self.engine.game().moves();
        let Some(last) = moves.iter().rposition(|&(color, _)| color == self.human) else {
            return writeln!(output, "There is no move of yours to take back.");
        };
        if self.engine.undo(moves.len() - last).is_err() {
            return writeln!(output, "These moves cannot be taken back.");
        }
        self.resigned = None;
        write!(output, "{}", self.board())
    }

    /// People say 5k; KataGo's names say more, such as `proyear_1950`.
    fn play_like(&mut self, whom: &str, output: &mut impl Write) -> Result<()> {
        let name = match whom {
            "itself" => String::new(),
            rank if rank.starts_with(|first: char| first.is_ascii_digit()) => format!("rank_{rank}"),
            name => name.to_owned(),
        };
        match self.engine.play_like(&name) {
            Ok(()) => writeln!(output, "Jigo plays like {whom} from now on."),
            Err(error) => writeln!(output, "Jigo cannot play like {whom}: {error}."),
        }
    }

    fn announce_end(&mut self, output: &mut impl Write) -> Result<()> {
        match self.resigned {
            Some(color) => writeln!(output, "{} wins by resignation.", capitalised(color.opponent())),
            None if self.engine.game().is_over() => self.count(output),
            None => Ok(()),
        }
    }

    fn count(&mut self, output: &mut impl Write) -> Result<()> {
        let judgement = self.engine.judge();
        let game = self.engine.game();
        let dead = judgement.stones_with(Status::Dead);
        if !dead.is_empty() {
            let vertices: Vec<String> = dead.iter().map(|point| point.vertex(game.size())).collect();
            writeln!(output, "Dead stones: {}.", vertices.join(" "))?;
        }
        writeln!(output, "{}", in_words(game.score(judgement.dead()), game.is_over()))
    }

    /// Goes on with the first game of a file, where it ends.
    pub fn load(&mut self, path: &Path) -> std::result::Result<(), String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let collection = Collection::from_bytes(&bytes).map_err(|error| error.to_string())?;
        let tree = collection.games.first().ok_or("it holds no game")?;
        let record = GameRecord::main_line(tree).map_err(|error| error.to_string())?;
        let rules = record.known_rules().unwrap_or(*self.engine.game().rules());
        let game = record.replay(usize::MAX, rules, Repetition::Allow).map_err(|error| error.to_string())?;
        self.engine.continue_from(game);
        self.resigned = None;
        Ok(())
    }

    fn save(&mut self, path: &str) -> Result<()> {
        let mut tree = GameTree::from_game(self.engine.game());
        let names = match self.human {
            Color::Black => ["Human", "Jigo"],
            Color::White => ["Jigo", "Human"],
        };
        let root = tree.root_mut();
        root.set_text("PB", names[0]);
        root.set_text("PW", names[1]);
        match self.resigned {
            Some(color) => root.set_text("RE", &format!("{}+R", color.opponent().letter())),
            None if self.engine.game().is_over() => root.set_text("RE", &self.engine.final_score().to_string()),
            None => {}
        }
        File::create_new(path)?.write_all(Collection { games: vec![tree] }.to_text().as_bytes())
    }
}

fn read_wish(line: &str, size: usize) -> Wish<'_> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word.to_ascii_lowercase().as_str(), rest.trim()) {
        ("", _) => Wish::Nothing,
        ("undo", "") => Wish::Undo,
        ("hint", "") => Wish::Hint,
        ("score", "") => Wish::Score,
        ("resign", "") => Wish::Resign,
        ("help" | "?", "") => Wish::Help,
        ("quit" | "exit", "") => Wish::Quit,
        ("save", path) if !path.is_empty() => Wish::Save(path),
        ("load", path) if !path.is_empty() => Wish::Load(path),
        ("like", whom) if !whom.is_empty() => Wish::Like(whom),
        (_, "") => Move::parse(word, size).map_or(Wish::Unclear, Wish::Move),
        _ => Wish::Unclear,
    }
}

fn in_words(score: Score, is_over: bool) -> String {
    let verb = if is_over { "wins" } else { "is ahead" };
    match score.winner() {
        Some(color) => {
            let lead = score.lead_of(color);
            let unit = if lead == 1.0 { "point" } else { "points" };
            format!("{} {verb} by {lead} {unit}.", capitalised(color))
        }
        None => "The game is a draw.".to_owned(),
    }
}

fn capitalised(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// How the board is drawn.
fn sign(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use jigo_board::{Game, Rules};
    use jigo_engine::Human;
    use jigo_katago::{KataNet, Model};
    use jigo_net::kernel::Isa;
    use jigo_search::{MoveReport, Progress, SearchReport, SearchRequest, Searcher};

    /// Plays the first legal point and thinks this of its chances.
    struct FirstPoint {
        share: f32,
    }

    /// Enough to be believed.
    const VISITS: u32 = 100;

    impl Searcher for FirstPoint {
        fn search(&mut self, request: &SearchRequest<'_>, _: Option<Progress<'_>>) -> SearchReport {
            let (game, color) = (request.game, request.to_move);
            let best = game.legal_points(color).first().map_or(Move::Pass, |&point| Move::Play(point));
            let mut report = SearchReport::new(color, game.komi());
            report.moves.push(MoveReport::new(best, VISITS, color, self.share));
            report.visits = VISITS;
            report
        }
    }

    fn talk_with(share: f32, human: Color, input: &[u8]) -> (String, TerminalGame) {
        let engine = Engine::new(Game::new(3, Rules::default()), Box::new(FirstPoint { share }), 1);
        let mut game = TerminalGame::new(engine, human);
        let mut output = Vec::new();
        game.play(input, &mut output).unwrap();
        (String::from_utf8(output).unwrap(), game)
    }

    fn talk(input: &str) -> (String, TerminalGame) {
        talk_with(0.5, Color::Black, input.as_bytes())
    }

    #[test]
    fn a_move_is_answered_and_the_board_drawn() {
        let (said, game) = talk("b2\nquit\n");
        assert!(said.contains("and plays A3."), "{said}");
        assert!(said.contains(" 2 . X . 2"), "{said}");
        assert!(said.ends_with("Goodbye.\n"));
        assert_eq!(game.engine.game().moves().len(), 2);
    }

    #[test]
    fn white_waits_for_the_first_move() {
        let (_, game) = talk_with(0.5, Color::White, b"");
        assert_eq!(game.engine.game().moves().len(), 1);
    }

    #[test]
    fn the_end_of_the_input_is_a_goodbye() {
        let (said, _) = talk("B2");
        assert!(said.ends_with("Goodbye.\n"));
    }

    #[test]
    fn mistakes_are_explained_and_change_nothing() {
        let (said, game) = talk("B2\nB2\nD4\nB9 B8\nsave\nundo now\n\n");
        assert!(said.contains("You cannot play B2: the point is occupied."));
        assert_eq!(said.matches("try help").count(), 4, "{said}");
        assert_eq!(game.engine.game().moves().len(), 2);
        let (said, _) = talk_with(0.5, Color::Black, b"\xff\xfe\x00\n");
        assert!(said.contains("try help"));
    }

    #[test]
    fn undo_returns_to_the_persons_last_choice() {
        let (_, game) = talk("B2\nC1\nundo\n");
        assert_eq!(game.engine.game().moves().len(), 2);
        let (said, game) = talk("B2\nundo\nundo\n");
        assert!(game.engine.game().is_at_start());
        assert!(said.contains("There is no move of yours to take back."));
    }

    #[test]
    fn resignation_ends_the_game_and_can_be_taken_back() {
        let (said, game) = talk("B2\nresign\nC1\n");
        assert!(said.contains("White wins by resignation.") && said.contains("The game is over."));
        assert_eq!(game.engine.game().moves().len(), 2);
        let (_, game) = talk("B2\nresign\nundo\n");
        assert_eq!((game.resigned, game.engine.game().moves().len()), (None, 2));
        let (_, game) = talk("resign\nundo\n");
        assert_eq!(game.resigned, None, "even before the first move");
    }

    #[test]
    fn the_engine_may_resign() {
        let (said, game) = talk_with(0.0, Color::Black, b"B2\nC1\nA1\n");
        assert!(said.contains("and resigns.\nBlack wins by resignation."), "{said}");
        assert_eq!(game.resigned, Some(Color::White));
    }

    #[test]
    fn somebody_can_be_imitated_where_a_net_knows_people() {
        let (said, _) = talk("like 5k\n");
        assert!(said.contains("Jigo cannot play like 5k: there is no net for human play"), "{said}");
        let file = include_bytes!("../../mind/katago/tests/data/tiny-v15-meta.bin.gz");
        let net = Arc::new(KataNet::new(&Model::read(file).unwrap(), Isa::Portable.into()));
        let mut engine = Engine::new(Game::new(3, Rules::default()), Box::new(FirstPoint { share: 0.5 }), 1);
        engine.set_human(Some(Human::new(net, None).unwrap()));
        let (mut game, mut said) = (TerminalGame::new(engine, Color::Black), Vec::new());
        game.play(&b"like 5k\n"[..], &mut said).unwrap();
        assert_eq!(game.engine.plays_like().map(ToString::to_string), Some("rank_5k".to_owned()));
        game.play(&b"like 99k\nlike itself\n"[..], &mut said).unwrap();
        assert_eq!(game.engine.plays_like().map(ToString::to_string), None);
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("Jigo plays like 5k from now on.") && said.contains("cannot play like 99k: "), "{said}");
    }

    #[test]
    fn two_passes_are_counted() {
        let (said, _) = talk_with(0.5, Color::Black, b"score\npass\npass\npass\npass\npass\npass\npass\npass\nscore\n");
        assert!(said.contains("White is ahead by 7.5 points."), "{said}");
        assert!(said.contains(" wins by "), "{said}");
    }

    #[test]
    fn a_saved_game_names_players_and_result_and_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        let save =
            format!("B2\nresign\nsave {0}\nsave {0}\nundo\nundo\nload {0}\nload {1}\n", path.display(), "no/such.sgf");
        let (said, game) = talk(&save);
        assert_eq!(game.engine.game().moves().len(), 2, "the loaded game goes on where it was saved");
        assert!(said.contains("The game was not loaded: "), "{said}");
        let saved = std::fs::read_to_string(&path).unwrap();
        assert!(said.contains("Saved.") && said.contains("The game was not saved: "));
        for part in ["PB[Human]", "PW[Jigo]", "RE[W+R]", ";B[bb]", ";W[aa]"] {
            assert!(saved.contains(part), "{saved}");
        }
    }
}
