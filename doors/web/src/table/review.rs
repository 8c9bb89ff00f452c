//! The review of the whole game: which moves were mistakes, how each player did, what a moment looked like before and after.

use jigo_board::Color;
use jigo_engine::{Assessment, GamePart, Mistake, Performance};
use jigo_sgf::NodeId;

use super::Table;
use crate::library::picture;
use crate::messages::{Both, MistakeView, MomentView, PerformanceView, ReviewView, SideOfMoment, SummaryView};
use crate::refusal::Refusal;

/// As many as one remembers of a game.
const DECIDING_MOVES: usize = 5;

impl Table {
    /// The mistakes of the main line, in order.
    pub(super) fn mistakes(&self) -> Vec<(NodeId, f32, Mistake)> {
        let judged = |node| {
            let lost = self.lost_at(node)?;
            Some((node, lost, Mistake::of(lost)?))
        };
        self.tree.main_line().filter_map(judged).collect()
    }

    /// The next or the previous mistake, seen from a node; after the last one comes the first.
    pub(super) fn mistake_beside(&self, cursor: NodeId, forward: bool) -> Option<NodeId> {
        let place = |node: NodeId| self.tree.main_line().position(|id| id == node);
        // Beside the main line one looks from where the variation left it.
        let on_line = std::iter::successors(Some(cursor), |&id| self.tree.parent(id)).find_map(place).unwrap_or(0);
        let mistakes: Vec<(usize, NodeId)> =
            self.mistakes().into_iter().filter_map(|(node, _, _)| Some((place(node)?, node))).collect();
        let beside = if forward {
            mistakes.iter().find(|&&(at, _)| at > on_line).or(mistakes.first())
        } else {
            mistakes.iter().rev().find(|&&(at, _)| at < on_line).or(mistakes.last())
        };
        beside.map(|&(_, node)| node)
    }

    /// What reviews have found so far, now or before a restart.
    pub fn review_view(&self) -> Option<ReviewView> {
        let wanted = self.tree.main_line().filter_map(|node| self.reviewed_with(node)).max();
        let visits = self.reviewing.as_ref().map(|reviewing| reviewing.visits).or(wanted)?;
        let (done, total) = match &self.reviewing {
            Some(reviewing) => reviewing.progress(self),
            None => self.known_by_review(),
        };
        let mistakes = self.mistakes().into_iter().filter_map(|(node, lost, class)| {
            let (color, mv) = self.move_at(node)?;
            let before = self.evaluation(self.tree.parent(node)?)?;
            Some(MistakeView {
                node: node.number(),
                number: self.number_of(node),
                color: color.into(),
                mv: mv.vertex(self.lines()),
                best: before.best().cloned(),
                lost,
                class: class.name(),
            })
        });
        let (assessment, nodes) = self.assessment();
        let deciding = assessment.deciding_moves(DECIDING_MOVES);
        Some(ReviewView {
            is_running: self.is_reviewing(),
            done,
            total,
            visits,
            seconds_left: self.reviewing.as_ref().and_then(|reviewing| reviewing.seconds_left(done, total)),
            mistakes: mistakes.collect(),
            deciding: deciding.into_iter().filter_map(|number| Some(nodes.get(number - 1)?.number())).collect(),
            summary: Both::of(|color| summary(&assessment, color)),
        })
    }

    fn known_by_review(&self) -> (usize, usize) {
        let line: Vec<NodeId> = self.tree.main_line().collect();
        (line.iter().filter(|&&node| self.reviewed_with(node).is_some()).count(), line.len())
    }

    /// What a move changed: the position before it with the better line, and the one after it with what followed or should have.
    pub fn moment(&self, node: u32) -> Result<MomentView, Refusal> {
        let unknown = || Refusal::not_now("not_reviewed", "this move has not been reviewed");
        let node = self.find(node)?;
        let before = self.tree.parent(node).ok_or_else(unknown)?;
        let (color, mv) = self.move_at(node).ok_or_else(unknown)?;
        let side = |node: NodeId| {
            let known = self.evaluation(node)?;
            Some(SideOfMoment {
                stones: self.game_at(node).map(|game| picture(game.board())).unwrap_or_default(),
                black_win: known.black_win,
                black_lead: known.black_lead,
                ownership: known.owners(),
                line: known.line,
            })
        };
        Ok(MomentView {
            node: node.number(),
            color: color.into(),
            mv: mv.vertex(self.lines()),
            lost: self.lost_at(node),
            before: side(before).ok_or_else(unknown)?,
            after: side(node).ok_or_else(unknown)?,
            why_best: self.why_best(before),
            why_bad: self.why_bad(node),
        })
    }
}

fn summary(assessment: &Assessment, color: Color) -> SummaryView {
    let view = |performance: Performance| PerformanceView {
        moves: performance.moves,
        lost_per_move: performance.mean_loss(),
        accuracy: performance.accuracy(),
        best_share: performance.best_share(),
    };
    let [opening, middle, endgame] = GamePart::ALL.map(|part| view(assessment.performance(color, Some(part))));
    SummaryView { whole: view(assessment.performance(color, None)), opening, middle, endgame }
}
