//! Tables out of settings and records, and records out of tables.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use jigo_board::{
    Clock, Color, Game, HANDICAP_KOMI, MAX_SIZE, MIN_SIZE, Move, Point, PointSet, Rules, TimeControl, acceptable_komi,
};
use jigo_engine::{Level, Mistake};
use jigo_sgf::{
    BoardSize, Collection, Coord, GameRecord, GameResult, GameTree, Margin, Node, NodeId, Property, Repetition, Value,
};

use super::contest::{Contest, Phase};
use super::teacher::TeacherMemory;
use super::viewer::Viewer;
use super::{Changes, MOST_NODES, Table, short_name};
use crate::messages::{LARGEST_HANDICAP, Persons, ResultView, Settings};
use crate::refusal::Refusal;

/// The settings of a game played here, as JSON in the root; only such games have it.
const SETTINGS: &str = "JGO";
/// Marks the last move of the game, where an undo left it behind the end of the main line.
const LIVE: &str = "JGL";

impl Table {
    /// A new game. `is_black` settles the person's colour if the settings leave it to chance.
    pub fn begin(id: String, mut settings: Settings, is_black: bool, now: Instant) -> Result<Table, Refusal> {
        let game = opening(&settings)?;
        let bad_clock = || Refusal::BadMessage("the clock makes no sense".to_owned());
        let control = settings.clock.control().ok_or_else(bad_clock)?;
        if settings.color == Persons::Random {
            settings.color = if is_black { Persons::Black } else { Persons::White };
        }
        settings.level = Level::numbered(settings.level).number;
        let mut tree = GameTree::from_game(&game);
        note_clock(tree.root_mut(), control);
        let root = tree.root_id();
        let contest = Contest::new(root, game.clone(), settings.color, Clock::new(control), now);
        let name = format!("{0}x{0}, {1}", game.size(), title(&settings));
        let mut table = Table {
            id,
            name: short_name(settings.name.as_deref().unwrap_or_default(), &name),
            size: BoardSize::square(game.size() as u8),
            rules: *game.rules(),
            viewer: Viewer::new(root, game),
            others: Vec::new(),
            contest: Some(contest),
            komi: None,
            reviewing: None,
            memory: TeacherMemory::default(),
            changes: Changes { save: true, ..Changes::default() },
            tree,
            settings,
        };
        table.name_players();
        Ok(table)
    }

    /// A study of a record.
    pub fn study(id: String, tree: GameTree, name: Option<&str>, now: Instant) -> Result<Table, Refusal> {
        let mut table = Table::of(id, tree, now)?;
        // Variations may hold whatever they like; a main line off the board is no game.
        GameRecord::main_line(&table.tree)?;
        if let Some(name) = name {
            table.name = short_name(name, &table.name);
        }
        // A game of ours that somebody loads is to be looked at, not to be played on.
        table.contest = None;
        table.tree.root_mut().remove(SETTINGS);
        table.go_first();
        table.changes.save = true;
        Ok(table)
    }

    /// A saved table: a game goes on where it was, a study is a study.
    pub fn read(id: String, sgf: &str, now: Instant) -> Result<Table, Refusal> {
        Table::of(id, Collection::from_text(sgf)?.games.swap_remove(0), now)
    }

    /// As [`Table::read`], from a tree.
    pub fn of(id: String, tree: GameTree, now: Instant) -> Result<Table, Refusal> {
        if tree.node_count() > MOST_NODES {
            return Err(Refusal::too_many("nodes", MOST_NODES, "nodes are the most a game may have"));
        }
        let record = GameRecord::line_to(&tree, tree.root_id())?;
        let rules = record.known_rules().unwrap_or_default();
        let here = record.replay(usize::MAX, rules, Repetition::Allow)?;
        let players = [&record.black, &record.white].map(|player| player.name.clone().unwrap_or_default());
        let otherwise = match players {
            [black, white] if !black.is_empty() || !white.is_empty() => format!("{black} - {white}"),
            _ => "a game".to_owned(),
        };
        let kept = tree.root().text(SETTINGS).and_then(|text| serde_json::from_str::<Settings>(&text).ok());
        let root = tree.root_id();
        let mut table = Table {
            id,
            name: short_name(&tree.root().simple_text("GN").unwrap_or_default(), &otherwise),
            size: record.size,
            rules,
            viewer: Viewer::new(root, here),
            others: Vec::new(),
            settings: Settings { size: record.size.columns.into(), color: Persons::Both, ..Settings::default() },
            contest: None,
            komi: None,
            reviewing: None,
            memory: TeacherMemory::default(),
            changes: Changes::default(),
            tree,
        };
        if let Some(settings) = kept {
            table.take_up(settings, now)?;
        } else {
            table.settings.rules = rules.name().unwrap_or("chinese").to_owned();
        }
        Ok(table)
    }

    /// Goes on with a game played here.
    fn take_up(&mut self, settings: Settings, now: Instant) -> Result<(), Refusal> {
        let marked = self.tree.walk().find(|&node| self.tree.node(node).property(LIVE).is_some());
        let live = marked.or_else(|| self.tree.main_line().last()).unwrap_or(self.tree.root_id());
        if marked.is_some() {
            self.tree.node_mut(live).remove(LIVE);
        }
        let game = self.game_at(live)?;
        let mut clock = Clock::new(settings.clock.control().unwrap_or_default());
        for color in Color::BOTH {
            let line = std::iter::successors(Some(live), |&node| self.tree.parent(node));
            if let Some((time, count)) = line.into_iter().find_map(|node| noted_time(self.tree.node(node), color)) {
                clock.set_remaining(color, time, count);
            }
        }
        let mut contest = Contest::new(live, game.clone(), settings.color, clock, now);
        if let Some(result) = self.tree.root().simple_text("RE").and_then(|text| GameResult::parse(&text)) {
            contest.phase = Phase::Over { result, dead: noted_dead(self.tree.node(live), contest.game.size()) };
        }
        self.contest = Some(contest);
        self.settings = settings;
        self.set_cursor(live, game);
        self.changes = Changes::default();
        Ok(())
    }

    fn go_first(&mut self) {
        let root = self.tree.root_id();
        if let Ok(here) = self.game_at(root) {
            self.set_cursor(root, here);
        }
    }

    /// The record as it is saved.
    pub fn to_sgf(&self) -> String {
        let mut tree = self.tree.clone();
        if let Some(contest) = &self.contest {
            let settings = serde_json::to_string(&self.settings).expect("settings are plain data");
            tree.root_mut().set_text(SETTINGS, &settings);
            if tree.first_child(contest.live).is_some() {
                tree.node_mut(contest.live).set_text(LIVE, "1");
            }
        }
        self.signed(tree)
    }

    /// The record with words and better lines at the mistakes.
    fn to_annotated_sgf(&self) -> String {
        let mut tree = self.tree.clone();
        for (node, lost, class) in self.mistakes() {
            let (Some((color, _)), Some(before)) = (self.move_at(node), self.tree.parent(node)) else { continue };
            let line = self.evaluation(before).map(|known| known.line).unwrap_or_default();
            let better = line.first().map(|best| format!(" {best} was better.")).unwrap_or_default();
            let known = self.tree.node(node).text("C").map(|text| format!("{text}\n\n")).unwrap_or_default();
            let words = format!("{known}Jigo: this {} lost {lost:.1} points.{better}", class.name());
            tree.node_mut(node).set_text("C", &words);
            let (mark, force) = match class {
                Mistake::Inaccuracy => ("DO", ""),
                Mistake::Mistake => ("BM", "1"),
                Mistake::Blunder => ("BM", "2"),
            };
            tree.node_mut(node).set_text(mark, force);
            let moves = line.iter().map_while(|vertex| Move::parse(vertex, self.lines()));
            let colors = [color, color.opponent()].into_iter().cycle();
            moves.zip(colors).fold(before, |at, (mv, color)| tree.follow_or_add(at, self.size, color, mv));
        }
        self.signed(tree)
    }

    /// The game's name, and its record for other programs.
    pub fn export(&self, annotated: bool) -> (String, String) {
        (self.name.clone(), if annotated { self.to_annotated_sgf() } else { self.to_sgf() })
    }

    fn signed(&self, mut tree: GameTree) -> String {
        tree.root_mut().set_text("GN", &self.name);
        tree.root_mut().set_text("AP", concat!("Jigo:", env!("CARGO_PKG_VERSION")));
        Collection { games: vec![tree] }.to_text()
    }

    /// Writes the players' names, and about how strong the engine is, into the record.
    pub(super) fn name_players(&mut self) {
        let Some(contest) = &self.contest else { return };
        let rank = match (&self.settings.like, &self.settings.net) {
            (Some(like), _) => like.strip_prefix("rank_").map(str::to_owned),
            // How strong a level is was measured with the usual net only.
            (None, Some(_)) => None,
            (None, None) => Some(format!("{}?", Level::numbered(self.settings.level).rank)),
        };
        for (color, name, strength) in [(Color::Black, "PB", "BR"), (Color::White, "PW", "WR")] {
            let is_engine = contest.is_engine(color);
            let root = self.tree.root_mut();
            root.set_text(name, if is_engine { "Jigo" } else { "You" });
            root.remove(strength);
            if let Some(rank) = rank.as_deref().filter(|_| is_engine) {
                root.set_text(strength, rank);
            }
        }
    }
}

/// Was the game of this root played here? Otherwise it is a study.
pub fn is_game(root: &Node) -> bool {
    root.property(SETTINGS).is_some()
}

/// The position a new game begins from.
fn opening(settings: &Settings) -> Result<Game, Refusal> {
    let bad = |text: String| Err(Refusal::BadMessage(text));
    let Settings { size, handicap, komi, .. } = *settings;
    if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
        return bad(format!("a board has {MIN_SIZE} to {MAX_SIZE} lines, not {size}"));
    }
    let Some(rules) = Rules::by_name(&settings.rules) else {
        return bad("there are no such rules".to_owned());
    };
    if handicap > LARGEST_HANDICAP {
        return bad(format!("a handicap has at most {LARGEST_HANDICAP} stones"));
    }
    let mut game = Game::new(size, rules);
    if handicap >= 2 && game.place_free_handicap(handicap).is_err() {
        return bad(format!("a handicap of {handicap} stones is not possible on this board"));
    }
    let usual = if handicap >= 1 { HANDICAP_KOMI } else { rules.default_komi };
    let Ok(komi) = acceptable_komi(komi.unwrap_or(usual)) else {
        return bad("komi is in whole or half points from -400 to 400".to_owned());
    };
    game.set_komi(komi);
    Ok(game)
}

fn title(settings: &Settings) -> &'static str {
    match settings.color {
        Persons::Both => "two players",
        Persons::None => "Jigo with itself",
        _ => "with Jigo",
    }
}

fn note_clock(root: &mut Node, control: TimeControl) {
    let (main, overtime) = match control {
        TimeControl::Unlimited => return,
        TimeControl::Overtime { main, period, moves: 1, periods } => {
            (main, Some(format!("{periods}x{} byo-yomi", period.as_secs_f32())))
        }
        TimeControl::Overtime { main, period, moves, periods } => {
            (main, (periods > 0).then(|| format!("{moves}/{} Canadian", period.as_secs_f32())))
        }
        TimeControl::Fischer { main, increment, .. } => (main, Some(format!("{} fischer", increment.as_secs_f32()))),
    };
    root.set_text("TM", &main.as_secs_f32().to_string());
    if let Some(overtime) = overtime {
        root.set_text("OT", &overtime);
    }
}

fn time_properties(color: Color) -> [&'static str; 2] {
    match color {
        Color::Black => ["BL", "OB"],
        Color::White => ["WL", "OW"],
    }
}

/// What the player has left after the move of this node: seconds, and in overtime the moves or periods left.
pub(super) fn note_time(node: &mut Node, color: Color, clock: &Clock) {
    let [time, count] = time_properties(color);
    let Some((left, in_overtime)) = clock.time_left(color) else { return };
    node.set_text(time, &format!("{:.3}", left.as_secs_f32()));
    node.remove(count);
    if in_overtime > 0 {
        node.set_text(count, &in_overtime.to_string());
    }
}

fn noted_time(node: &Node, color: Color) -> Option<(Duration, u32)> {
    let [time, count] = time_properties(color);
    let left: f32 = node.simple_text(time)?.parse().ok()?;
    let count = node.simple_text(count).and_then(|text| text.parse().ok()).unwrap_or(0);
    Some((Duration::try_from_secs_f32(left).ok()?, count))
}

/// The stones that were agreed to be dead, at the last move of the game.
const DEAD: &str = "JGD";

pub(super) fn note_dead(node: &mut Node, dead: Option<&PointSet>) {
    node.remove(DEAD);
    if let Some(dead) = dead {
        let letters = |point: Point| Coord { row: point.row() as u8, col: point.col() as u8 }.letters();
        node.set(Property::new(DEAD, dead.iter().map(|point| Value::from_text(&letters(point)))));
    }
}

/// None if the game was not counted; a count without dead stones has one empty value.
fn noted_dead(node: &Node, lines: usize) -> Option<PointSet> {
    let size = BoardSize::square(lines as u8);
    let values = node.property(DEAD)?.values().iter();
    let coords = values.filter_map(|value| size.read_move(value).flatten());
    Some(coords.map(|coord| Point::new(coord.col.into(), coord.row.into())).collect())
}

/// A result in words and pieces.
pub(super) fn result_view(result: GameResult) -> ResultView {
    let (winner, by, points) = match result {
        GameResult::Draw => (None, "draw", None),
        GameResult::Void => (None, "other", None),
        GameResult::Win { winner, by } => {
            let (by, points) = match by {
                Margin::Points(points) => ("points", Some(points)),
                Margin::Resignation => ("resignation", None),
                Margin::Time => ("time", None),
                Margin::Forfeit | Margin::Unstated => ("other", None),
            };
            (Some(winner.into()), by, points)
        }
    };
    ResultView { text: result.to_string(), winner, by, points }
}

/// A node's number on its line: how many moves led to it.
pub(super) fn count_moves(table: &Table, node: NodeId) -> usize {
    std::iter::successors(Some(node), |&node| table.tree.parent(node))
        .filter(|&node| table.tree.played_at(node, table.size).is_some())
        .count()
}

/// What a record says about its game beside the moves.
pub(super) fn about(root: &Node) -> BTreeMap<&'static str, String> {
    const TOLD: [(&str, &str); 11] = [
        ("EV", "event"),
        ("RO", "round"),
        ("DT", "date"),
        ("PC", "place"),
        ("RE", "result"),
        ("RU", "rules"),
        ("TM", "time"),
        ("OT", "overtime"),
        ("AN", "annotator"),
        ("SO", "source"),
        ("GC", "about"),
    ];
    let told = |(identifier, name): (&str, &'static str)| {
        let text = root.simple_text(identifier).filter(|text| !text.is_empty())?;
        Some((name, text.chars().take(LONGEST_TOLD).collect()))
    };
    TOLD.into_iter().filter_map(told).collect()
}

/// Enough for what is shown beside a board.
const LONGEST_TOLD: usize = 1000;
