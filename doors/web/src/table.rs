//! One game as everybody at it sees it: the tree, where we look, who plays whom, what is decided. No threads, no sockets:
//! requests change the table, and it remembers what changed until somebody tells.

mod contest;
mod counting;
mod edit;
mod evaluation;
mod marks;
mod navigate;
mod play;
mod reasons;
mod record;
mod review;
mod teacher;
mod view;
mod viewer;
mod wishes;

use std::collections::BTreeSet;
use std::time::Instant;

use jigo_board::{Color, Game, Move, Point, Rules};
use jigo_engine::Level;
use jigo_sgf::{BoardSize, GameRecord, GameTree, NodeId, Repetition};

pub use contest::Contest;
pub use evaluation::{NodeEvaluation, is_reviewed, worth};
pub use record::is_game;
pub use teacher::TEACHER_VISITS;
pub use viewer::PROGRAMS;
pub use wishes::{Reviewing, Wish};

use crate::messages::{KomiView, MarkKind, Settings, TableRequest};
use crate::minds::Opponent;
use crate::refusal::Refusal;
use teacher::TeacherMemory;
use viewer::Viewer;

/// A tree with more nodes is no game, and every tab has to be told of each.
const MOST_NODES: usize = 20_000;
const LONGEST_COMMENT: usize = 10_000;
const LONGEST_NAME: usize = 200;

pub struct Table {
    id: String,
    name: String,
    tree: GameTree,
    size: BoardSize,
    rules: Rules,
    /// The one whose request is being granted, or was last.
    viewer: Viewer,
    /// Everybody else.
    others: Vec<Viewer>,
    settings: Settings,
    /// The game in progress; a study has none.
    contest: Option<Contest>,
    komi: Option<KomiView>,
    reviewing: Option<Reviewing>,
    memory: TeacherMemory,
    changes: Changes,
}

/// What everybody at the table has to be told, and whether the record must be written.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    pub whole: bool,
    pub nodes: BTreeSet<u32>,
    pub position: bool,
    pub status: bool,
    pub clock: bool,
    pub counting: bool,
    pub komi: bool,
    pub review: bool,
    /// The record changed in a way that must not be lost.
    pub save: bool,
    /// The record learnt something that can be found out again.
    pub learnt: bool,
}

impl Table {
    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Who replies at this level.
    pub fn opponent(&self, level: u64) -> Opponent {
        Opponent { level, net: self.settings.net.clone(), like: self.settings.like.clone() }
    }

    pub fn contest(&self) -> Option<&Contest> {
        self.contest.as_ref()
    }

    /// What changed since this was asked last.
    pub fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// Grants a request about this game, or says why not and leaves everything as it was.
    pub fn grant(&mut self, request: TableRequest, now: Instant) -> Result<(), Refusal> {
        self.check_flag(now);
        match request {
            TableRequest::Play { mv } => self.play(&mv, now),
            TableRequest::Resign => self.resign(),
            TableRequest::Undo => self.undo(now),
            TableRequest::Accept => self.accept(),
            TableRequest::Toggle { point } => self.toggle(&point),
            TableRequest::Resume => self.resume(now),
            TableRequest::Go { node, to, by } => self.go(node, to, by),
            TableRequest::Comment { node, text } => self.comment(node, &text),
            TableRequest::Delete { node } => self.delete(node),
            TableRequest::Promote { node } => self.promote(node),
            TableRequest::Try { on, color, level } => self.try_it(on, color.map(Color::from), level),
            TableRequest::Analyse { on, visits } => self.analyse(on, visits),
            TableRequest::Deeper => self.deeper(),
            TableRequest::Review { on, visits } => self.review(on, visits, now),
            TableRequest::Mark { point, kind: MarkKind::Line, to, .. } => self.connect(&point, to.as_deref(), "LN"),
            TableRequest::Mark { point, kind: MarkKind::Arrow, to, .. } => self.connect(&point, to.as_deref(), "AR"),
            TableRequest::Mark { point, kind: MarkKind::Label, text, .. } => self.label(&point, text.as_deref()),
            TableRequest::Mark { point, kind, .. } => self.mark(&point, kind),
            TableRequest::Setup { point, stone } => self.set_up(&point, stone),
            TableRequest::Turn { color } => self.set_turn(color.into()),
            TableRequest::Tell { facts } => self.tell(&facts),
            TableRequest::Paste { sgf } => self.paste(&sgf),
            TableRequest::Teacher { points } => self.set_teacher(points),
            TableRequest::Keep => self.keep(),
            TableRequest::Hint => self.give_hint(),
            TableRequest::Train { number } => self.train(number),
            TableRequest::Level { level } => self.set_level(level),
            TableRequest::Pace { pace } => {
                self.settings.pace = pace;
                (self.changes.whole, self.changes.save) = (true, true);
                Ok(())
            }
        }
    }

    pub fn rename(&mut self, name: &str) {
        self.name = short_name(name, &self.name);
        (self.changes.whole, self.changes.save) = (true, true);
    }

    fn set_level(&mut self, level: u64) -> Result<(), Refusal> {
        self.settings.level = Level::numbered(level).number;
        self.name_players();
        (self.changes.whole, self.changes.save) = (true, true);
        Ok(())
    }

    fn find(&self, node: u32) -> Result<NodeId, Refusal> {
        self.tree.find(node).ok_or_else(|| Refusal::NotFound(format!("the game has no node {node}")))
    }

    /// The game up to a node. Repeated positions are let through: people played them, whatever the rules said.
    fn game_at(&self, node: NodeId) -> Result<Game, Refusal> {
        let record = GameRecord::line_to(&self.tree, node)?;
        Ok(record.replay(usize::MAX, self.rules, Repetition::Allow)?)
    }

    /// The move of a node.
    fn move_at(&self, node: NodeId) -> Option<(Color, Move)> {
        let (color, coord) = self.tree.played_at(node, self.size)?;
        let point = coord.map(|coord| Point::new(coord.col.into(), coord.row.into()));
        Some((color, point.map_or(Move::Pass, Move::Play)))
    }

    fn lines(&self) -> usize {
        self.size.columns.into()
    }

    fn live(&self) -> Option<NodeId> {
        self.contest.as_ref().map(|contest| contest.live)
    }

    fn is_live(&self) -> bool {
        self.live() == Some(self.viewer.cursor)
    }

    /// The child of `parent` with this move, told to everybody.
    fn child(&mut self, parent: NodeId, color: Color, mv: Move) -> NodeId {
        let child = self.tree.follow_or_add(parent, self.size, color, mv);
        self.changes.nodes.extend([parent.number(), child.number()]);
        self.changes.save = true;
        child
    }

    fn check_room(&self) -> Result<(), Refusal> {
        let too_many = || Refusal::too_many("nodes", MOST_NODES, "nodes are the most a game may have");
        if self.tree.node_count() >= MOST_NODES { Err(too_many()) } else { Ok(()) }
    }
}

/// A name without line breaks and of bearable length, or another one if nothing is left of it.
pub fn short_name(name: &str, otherwise: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_NAME).collect();
    if plain.trim().is_empty() { otherwise.to_owned() } else { plain.trim().to_owned() }
}
