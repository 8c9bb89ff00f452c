//! Walking about in the tree and tending it: cursor, comments, variations, trying it yourself.

use jigo_board::Color;
use jigo_engine::{Level, Mistake};
use jigo_sgf::NodeId;

use super::viewer::Trial;
use super::{LONGEST_COMMENT, Table};
use crate::messages::Landmark;
use crate::refusal::Refusal;

impl Table {
    pub(super) fn go(&mut self, node: Option<u32>, to: Option<Landmark>, by: Option<i32>) -> Result<(), Refusal> {
        let target = match (node, to, by) {
            (Some(node), None, None) => self.find(node)?,
            (None, Some(landmark), None) => self.landmark(landmark),
            (None, None, Some(moves)) => self.moves_away(moves),
            _ => return Err(Refusal::BadMessage("go takes one of node, to and by".to_owned())),
        };
        if target == self.viewer.cursor {
            return Ok(());
        }
        let here = self.game_at(target)?;
        self.set_cursor(target, here);
        if let Some(trial) = &mut self.viewer.trial {
            trial.is_asked = false;
            if !self.tree.is_within(target, trial.from) {
                self.viewer.trial = None;
            }
        }
        Ok(())
    }

    /// Where a landmark is, or the cursor if there is none.
    fn landmark(&self, landmark: Landmark) -> NodeId {
        let cursor = self.viewer.cursor;
        let sibling = |by: isize| {
            let siblings: Vec<NodeId> = self.tree.children(self.tree.parent(cursor)?).collect();
            let place = siblings.iter().position(|&node| node == cursor)?;
            siblings.get(place.checked_add_signed(by)?).copied()
        };
        let found = match landmark {
            Landmark::First => Some(self.tree.root_id()),
            Landmark::Last => Some(self.end_of_line()),
            Landmark::Live => self.live().or_else(|| self.tree.main_line().last()),
            Landmark::Previous => self.tree.parent(cursor),
            Landmark::Next => self.tree.first_child(cursor),
            Landmark::Up => sibling(-1),
            Landmark::Down => sibling(1),
            Landmark::PreviousMistake => self.mistake_beside(cursor, false),
            Landmark::NextMistake => self.mistake_beside(cursor, true),
        };
        found.unwrap_or(cursor)
    }

    /// The end of the line in view. A game in progress ends where it is played: what was taken back is no part of it.
    fn end_of_line(&self) -> NodeId {
        let playing = self.contest.as_ref().filter(|contest| !contest.is_over());
        let live = playing.map(|contest| contest.live).filter(|&live| self.tree.is_within(live, self.viewer.cursor));
        live.unwrap_or_else(|| self.moves_away(i32::MAX))
    }

    /// So many nodes back, or forth along the main variation, as far as the tree goes.
    fn moves_away(&self, moves: i32) -> NodeId {
        let step = |&node: &NodeId| if moves < 0 { self.tree.parent(node) } else { self.tree.first_child(node) };
        let path = std::iter::successors(Some(self.viewer.cursor), step);
        path.take(moves.unsigned_abs() as usize + 1).last().unwrap_or(self.viewer.cursor)
    }

    pub(super) fn comment(&mut self, node: u32, text: &str) -> Result<(), Refusal> {
        let id = self.find(node)?;
        if text.chars().count() > LONGEST_COMMENT {
            return Err(Refusal::BadMessage(format!("a comment has at most {LONGEST_COMMENT} characters")));
        }
        match text.trim() {
            "" => self.tree.node_mut(id).remove("C"),
            text => self.tree.node_mut(id).set_text("C", text),
        }
        self.changes.nodes.insert(node);
        self.changes.save = true;
        Ok(())
    }

    pub(super) fn delete(&mut self, node: u32) -> Result<(), Refusal> {
        let id = self.find(node)?;
        let Some(parent) = self.tree.parent(id) else {
            return Err(Refusal::not_now("beginning", "the beginning of the game cannot be deleted"));
        };
        if self.live().is_some_and(|live| self.tree.is_within(live, id)) {
            return Err(Refusal::not_now("part_of_game", "this is part of the game in progress"));
        }
        let here = self.game_at(parent)?;
        self.take_along(id, true, parent, &here);
        let tree = &self.tree;
        for viewer in std::iter::once(&mut self.viewer).chain(&mut self.others) {
            if viewer.trial.is_some_and(|trial| tree.is_within(trial.from, id) || trial.is_asked) {
                viewer.trial = None;
            }
        }
        self.tree.remove_branch(id);
        (self.changes.whole, self.changes.save) = (true, true);
        Ok(())
    }

    pub(super) fn promote(&mut self, node: u32) -> Result<(), Refusal> {
        if self.contest.is_some() {
            return Err(Refusal::not_now("main_line", "the game itself is the main line"));
        }
        let id = self.find(node)?;
        self.tree.make_main_line(id);
        (self.changes.whole, self.changes.save, self.changes.review) = (true, true, true);
        Ok(())
    }

    pub(super) fn try_it(&mut self, on: bool, color: Option<Color>, level: Option<u64>) -> Result<(), Refusal> {
        self.viewer.moved = true;
        if !on {
            self.viewer.trial = None;
            return Ok(());
        }
        if self.is_live() && self.contest.as_ref().is_some_and(|contest| contest.is_playing()) {
            let text = "this is the game itself; go to an earlier move to try another way";
            return Err(Refusal::not_now("game_itself", text));
        }
        // At a mistake one tries again from the position before it, in the place of the one who made it.
        if self.lost_at(self.viewer.cursor).is_some_and(|lost| Mistake::of(lost).is_some())
            && let Some(before) = self.tree.parent(self.viewer.cursor)
        {
            let here = self.game_at(before)?;
            self.set_cursor(before, here);
        }
        // Nobody is to be told the answer.
        if self.viewer.analysing.take().is_some() {
            self.viewer.analysis_off = true;
        }
        let to_move = self.viewer.here.to_move();
        let color = color.unwrap_or(to_move);
        let level = Level::numbered(level.unwrap_or(self.settings.level)).number;
        let is_asked = color != to_move && !self.viewer.here.is_over();
        self.viewer.trial = Some(Trial { from: self.viewer.cursor, color, level, is_asked, exercise: None });
        Ok(())
    }
}
