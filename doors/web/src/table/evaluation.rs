//! What is known about the positions of the tree. It is kept in the record itself, in properties other programs know where there
//! are such: Sabaki's SBKV (Black's win rate in percent) and SBKS (Black's lead), ours for the rest.

use jigo_board::{Color, Move};
use jigo_engine::{Mistake, Outlook, SearchReport, points_lost};
use jigo_sgf::{Node, NodeId};

use super::Table;
use crate::messages::{Both, EvalView, MistakeView, ReviewView, SummaryView};

#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    pub visits: u32,
    pub black_win: f32,
    pub black_lead: f32,
    pub best: Option<String>,
    pub extra_komi: f32,
}

/// Ours: simulations, best move, points added to the real komi.
const VISITS: &str = "JGV";
const BEST: &str = "JGB";
const EXTRA_KOMI: &str = "JGK";

impl Evaluation {
    pub fn of(report: &SearchReport, lines: usize) -> Evaluation {
        let outlook = Outlook(report);
        Evaluation {
            visits: report.visits,
            black_win: outlook.black_win_rate(),
            black_lead: outlook.black_lead(),
            best: report.best().map(|best| best.mv.vertex(lines)),
            extra_komi: report.extra_komi,
        }
    }

    fn read(node: &Node) -> Option<Evaluation> {
        let number = |identifier| node.simple_text(identifier)?.parse::<f32>().ok().filter(|x: &f32| x.is_finite());
        Some(Evaluation {
            visits: node.simple_text(VISITS)?.parse().ok()?,
            black_win: (number("SBKV")? / 100.0).clamp(0.0, 1.0),
            black_lead: number("SBKS")?,
            best: node.simple_text(BEST).filter(|vertex| !vertex.is_empty() && vertex.len() <= 4),
            extra_komi: number(EXTRA_KOMI).unwrap_or(0.0),
        })
    }

    fn write(&self, node: &mut Node) {
        node.set_text(VISITS, &self.visits.to_string());
        node.set_text("SBKV", &format!("{:.2}", 100.0 * self.black_win));
        node.set_text("SBKS", &format!("{:.2}", self.black_lead));
        node.remove(EXTRA_KOMI);
        node.remove(BEST);
        if self.extra_komi != 0.0 {
            node.set_text(EXTRA_KOMI, &self.extra_komi.to_string());
        }
        if let Some(best) = &self.best {
            node.set_text(BEST, best);
        }
    }

    pub fn view(&self) -> EvalView {
        EvalView {
            visits: self.visits,
            black_win: self.black_win,
            black_lead: self.black_lead,
            best: self.best.clone(),
            extra_komi: self.extra_komi,
        }
    }
}

impl Table {
    pub fn evaluation(&self, node: NodeId) -> Option<Evaluation> {
        Evaluation::read(self.tree.node(node))
    }

    /// Keeps an evaluation, unless a better one is known.
    pub fn learn(&mut self, node: NodeId, evaluation: &Evaluation) {
        if self.evaluation(node).is_some_and(|known| known.visits > evaluation.visits) {
            return;
        }
        evaluation.write(self.tree.node_mut(node));
        self.changes.nodes.insert(node.number());
        self.changes.nodes.extend(self.tree.children(node).map(NodeId::number));
        self.changes.learnt = true;
    }

    /// What the move of a node lost, if both the position before it and the one after it are judged.
    pub fn lost_at(&self, node: NodeId) -> Option<f32> {
        let (mover, _) = self.move_at(node)?;
        let before = self.evaluation(self.tree.parent(node)?)?;
        let after = self.evaluation(node)?;
        Some(points_lost(mover, before.black_lead, after.black_lead))
    }

    /// The mistakes of the main line, in order.
    pub(super) fn mistakes(&self) -> Vec<(NodeId, f32, Mistake)> {
        let judged = |node| {
            let lost = self.lost_at(node)?;
            Some((node, lost, Mistake::of(lost)?))
        };
        self.tree.main_line().filter_map(judged).collect()
    }

    /// The last mistake before a node and the first after it.
    pub(super) fn mistakes_beside(&self, cursor: NodeId) -> (Option<NodeId>, Option<NodeId>) {
        let place = |node: NodeId| self.tree.main_line().position(|id| id == node);
        // Beside the main line one looks from where the variation left it.
        let on_line = std::iter::successors(Some(cursor), |&id| self.tree.parent(id)).find_map(place).unwrap_or(0);
        let mistakes: Vec<(usize, NodeId)> =
            self.mistakes().into_iter().filter_map(|(node, _, _)| Some((place(node)?, node))).collect();
        let before = mistakes.iter().rev().find(|&&(at, _)| at < on_line).map(|&(_, node)| node);
        let after = mistakes.iter().find(|&&(at, _)| at > on_line).map(|&(_, node)| node);
        (before, after)
    }

    pub fn review_view(&self) -> Option<ReviewView> {
        let reviewing = self.reviewing.as_ref()?;
        let (done, total) = reviewing.progress(self);
        let mistakes = self.mistakes().into_iter().filter_map(|(node, lost, class)| {
            let (color, mv) = self.move_at(node)?;
            Some(MistakeView {
                node: node.number(),
                number: self.number_of(node),
                color: color.into(),
                mv: mv.vertex(self.lines()),
                best: self.tree.parent(node).and_then(|before| self.evaluation(before)?.best),
                lost,
                class: class.name(),
            })
        });
        Some(ReviewView {
            is_running: reviewing.is_running,
            done,
            total,
            seconds_left: reviewing.seconds_left(done, total),
            mistakes: mistakes.collect(),
            summary: Both::of(|color| self.summary(color)),
        })
    }

    fn summary(&self, color: Color) -> SummaryView {
        let is_move = |&node: &NodeId| self.move_at(node).is_some_and(|(mover, mv)| mover == color && mv != Move::Pass);
        let lost: Vec<f32> = self.tree.main_line().filter(is_move).filter_map(|node| self.lost_at(node)).collect();
        let mean = (!lost.is_empty()).then(|| lost.iter().sum::<f32>() / lost.len() as f32);
        SummaryView { moves: lost.len(), lost_per_move: mean }
    }
}
