//! Editing a record: marks and labels, stones set up, facts about the game, branches copied and pasted.

use std::collections::BTreeMap;

use jigo_board::{Color, Point};
use jigo_sgf::{Collection, Coord, GameTree, NodeId, Property, Value};

use super::{LONGEST_NAME, MOST_NODES, Table};
use crate::messages::{MarkKind, Side};
use crate::refusal::Refusal;

const MARKS: [&str; 4] = ["TR", "SQ", "CR", "MA"];
const STONES: [&str; 3] = ["AB", "AW", "AE"];
const LONGEST_LABEL: usize = 4;

/// What may be told about a game, by the names of the protocol.
const FACTS: [(&str, &str); 12] = [
    ("black", "PB"),
    ("white", "PW"),
    ("black_rank", "BR"),
    ("white_rank", "WR"),
    ("event", "EV"),
    ("round", "RO"),
    ("date", "DT"),
    ("place", "PC"),
    ("result", "RE"),
    ("annotator", "AN"),
    ("source", "SO"),
    ("about", "GC"),
];

impl Table {
    /// Puts a mark on a point, in place of any other; the same mark again takes it away.
    pub(super) fn mark(&mut self, vertex: &str, kind: MarkKind) -> Result<(), Refusal> {
        let coord = self.coord(vertex)?;
        let had = self.take_marks(coord);
        if let Some(&identifier) = MARKS.get(kind as usize)
            && had.0 != Some(identifier)
        {
            self.add_value(self.viewer.cursor, identifier, Value::from_text(&coord.letters()));
        }
        self.edited(self.viewer.cursor);
        Ok(())
    }

    /// As [`Table::mark`], with a letter or a number.
    pub(super) fn label(&mut self, vertex: &str, text: Option<&str>) -> Result<(), Refusal> {
        let coord = self.coord(vertex)?;
        let text: String = text.unwrap_or("A").trim().chars().take(LONGEST_LABEL).collect();
        let had = self.take_marks(coord);
        if !text.is_empty() && had.1.as_deref() != Some(text.as_str()) {
            self.add_value(self.viewer.cursor, "LB", Value::composed(&coord.letters(), &text));
        }
        self.edited(self.viewer.cursor);
        Ok(())
    }

    /// Takes everything away that marks a point, and says which sign and which label that was.
    fn take_marks(&mut self, coord: Coord) -> (Option<&'static str>, Option<String>) {
        let cursor = self.viewer.cursor;
        let had = MARKS.into_iter().find(|mark| self.points_of(cursor, mark).contains(&coord));
        for mark in MARKS {
            self.remove_point(cursor, mark, coord);
        }
        (had, self.take_label(cursor, coord))
    }

    /// Draws a line or an arrow between two points, in place of any other between them; the same one again takes it away.
    pub(super) fn connect(&mut self, from: &str, to: Option<&str>, identifier: &str) -> Result<(), Refusal> {
        let ends = [self.coord(from)?.letters(), self.coord(to.unwrap_or(from))?.letters()];
        if ends[0] == ends[1] {
            return Err(Refusal::BadMessage("a line has two ends".to_owned()));
        }
        let cursor = self.viewer.cursor;
        let joins = |value: &Value| {
            let (a, b) = value.split().map(|(a, b)| (a.simple_text(), b.simple_text()))?;
            let is_turned = [&a, &b] == [&ends[1], &ends[0]];
            ([&a, &b] == [&ends[0], &ends[1]] || is_turned).then_some(is_turned)
        };
        let mut had = None;
        for known in ["LN", "AR"] {
            let Some(property) = self.tree.node(cursor).property(known) else { continue };
            let values = property.values().to_vec();
            had = had.or(values.iter().find_map(joins).map(|is_turned| (known, is_turned)));
            self.set_values(cursor, known, values.into_iter().filter(|value| joins(value).is_none()).collect());
        }
        // An arrow the other way is another arrow; a line has no direction.
        let is_same = had.is_some_and(|(known, is_turned)| known == identifier && !(is_turned && known == "AR"));
        if !is_same {
            self.add_value(cursor, identifier, Value::composed(&ends[0], &ends[1]));
        }
        self.edited(cursor);
        Ok(())
    }

    /// Sets a stone, or none, on a point of a study.
    pub(super) fn set_up(&mut self, vertex: &str, stone: Option<Side>) -> Result<(), Refusal> {
        let coord = self.coord(vertex)?;
        let identifier = match stone.map(Color::from) {
            Some(Color::Black) => "AB",
            Some(Color::White) => "AW",
            None => "AE",
        };
        self.change_setup(|table, node| {
            for identifier in STONES {
                table.remove_point(node, identifier, coord);
            }
            table.add_value(node, identifier, Value::from_text(&coord.letters()));
        })
    }

    /// In a study: who is to move.
    pub(super) fn set_turn(&mut self, color: Color) -> Result<(), Refusal> {
        self.change_setup(|table, node| table.tree.node_mut(node).set_text("PL", &color.letter().to_string()))
    }

    /// Changes what is set up at the cursor, or leaves all as it was where that makes no position. After a move this begins a new
    /// variation, since a move is no set-up.
    fn change_setup(&mut self, change: impl FnOnce(&mut Table, NodeId)) -> Result<(), Refusal> {
        if self.contest.is_some() {
            return Err(Refusal::not_now("game_itself", "stones are set up in a study, not in a game that is played"));
        }
        let here = self.viewer.cursor;
        let node = if self.move_at(here).is_some() {
            self.check_room()?;
            self.tree.add_child(here)
        } else {
            here
        };
        let kept = self.tree.node(node).properties.clone();
        change(self, node);
        match self.game_at(node) {
            Ok(game) => {
                // Everybody who looks at this position, or at one that follows, sees the new one; what was known of them is no longer true.
                self.take_along(node, true, node, &game);
                self.set_cursor(node, game);
                self.forget_evaluations(node);
                self.end_study();
                self.edited(node);
                self.changes.whole = true;
                Ok(())
            }
            Err(refusal) => {
                if node == here {
                    self.tree.node_mut(node).properties = kept;
                } else {
                    self.tree.remove_branch(node);
                }
                Err(refusal)
            }
        }
    }

    /// Facts about the game; an empty text takes one away. A game that is played knows its players and its result itself.
    pub(super) fn tell(&mut self, facts: &BTreeMap<String, String>) -> Result<(), Refusal> {
        let is_played = self.contest.is_some();
        for (name, text) in facts {
            let known = FACTS.iter().find(|(known, _)| known == name);
            let &(name, identifier) =
                known.ok_or_else(|| Refusal::BadMessage(format!("nothing is told under the name {name:?}")))?;
            if is_played && matches!(name, "black" | "white" | "black_rank" | "white_rank" | "result") {
                continue;
            }
            let text: String = text.chars().take(LONGEST_NAME * 5).collect();
            match text.trim() {
                "" => self.tree.root_mut().remove(identifier),
                text => self.tree.root_mut().set_text(identifier, text),
            }
        }
        (self.changes.whole, self.changes.save) = (true, true);
        Ok(())
    }

    /// A node and all that follows, as a record of its own.
    pub fn branch(&self, node: u32) -> Result<String, Refusal> {
        let from = self.find(node)?;
        let mut copy = GameTree::new();
        let root = copy.root_id();
        let child = copy.add_child(root);
        graft(&self.tree, from, &mut copy, child);
        Ok(Collection { games: vec![copy] }.to_text())
    }

    /// Puts a copied branch below the cursor.
    pub(super) fn paste(&mut self, sgf: &str) -> Result<(), Refusal> {
        let tree = Collection::from_text(sgf)?.games.swap_remove(0);
        if self.tree.node_count() + tree.node_count() > MOST_NODES {
            return Err(Refusal::too_many("nodes", MOST_NODES, "nodes are the most a game may have"));
        }
        for branch in tree.children(tree.root_id()) {
            let child = self.tree.add_child(self.viewer.cursor);
            graft(&tree, branch, &mut self.tree, child);
        }
        (self.changes.whole, self.changes.save) = (true, true);
        Ok(())
    }

    fn coord(&self, vertex: &str) -> Result<Coord, Refusal> {
        let bad = || Refusal::BadMessage(format!("{vertex:?} is no point of this board"));
        let point: Point = Point::parse(vertex, self.lines()).ok_or_else(bad)?;
        Ok(Coord { row: point.row() as u8, col: point.col() as u8 })
    }

    fn points_of(&self, node: NodeId, identifier: &str) -> Vec<Coord> {
        let values = self.tree.node(node).properties.iter().filter(|property| property.identifier() == identifier);
        let areas = values.flat_map(Property::values).filter_map(|value| self.size.read_area(value).flatten());
        areas.flat_map(|area| area.coords()).collect()
    }

    fn remove_point(&mut self, node: NodeId, identifier: &str, coord: Coord) {
        let mut left = self.points_of(node, identifier);
        if !left.contains(&coord) {
            return;
        }
        left.retain(|&other| other != coord);
        self.set_values(node, identifier, left.iter().map(|coord| Value::from_text(&coord.letters())).collect());
    }

    /// Takes the label of a point away, and says what it was.
    fn take_label(&mut self, node: NodeId, coord: Coord) -> Option<String> {
        let values = self.tree.node(node).property("LB")?.values().to_vec();
        let at = |value: &Value| value.split().is_some_and(|(point, _)| point.simple_text() == coord.letters());
        let found = values.iter().find(|value| at(value)).and_then(|value| Some(value.split()?.1.simple_text()));
        self.set_values(node, "LB", values.into_iter().filter(|value| !at(value)).collect());
        found
    }

    /// These values and no others; a property without any goes.
    fn set_values(&mut self, node: NodeId, identifier: &str, values: Vec<Value>) {
        let node = self.tree.node_mut(node);
        node.remove(identifier);
        if !values.is_empty() {
            node.set(Property::new(identifier, values));
        }
    }

    fn add_value(&mut self, node: NodeId, identifier: &str, value: Value) {
        let known = self.tree.node(node).property(identifier);
        let values: Vec<Value> = known.map(|known| known.values().to_vec()).unwrap_or_default();
        self.tree.node_mut(node).set(Property::new(identifier, values.into_iter().chain([value])));
    }

    fn edited(&mut self, node: NodeId) {
        self.changes.nodes.insert(node.number());
        (self.changes.position, self.changes.save) = (true, true);
    }
}

/// Copies a node and all that follows it into a node of another tree.
fn graft(from: &GameTree, node: NodeId, to: &mut GameTree, place: NodeId) {
    let mut waiting = vec![(node, place)];
    while let Some((node, place)) = waiting.pop() {
        to.node_mut(place).properties = from.node(node).properties.clone();
        for child in from.children(node) {
            waiting.push((child, to.add_child(place)));
        }
    }
}
