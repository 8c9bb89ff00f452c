//! What is known about the positions of the tree. It is kept in the record itself, in properties other programs know where there
//! are such: Sabaki's SBKV (Black's win rate in percent) and SBKS (Black's lead), ours for the rest.

use jigo_board::{Color, Move, Point, WinRate};
use jigo_engine::{Assessment, BestMove, JudgedPosition, MoveReport, Outlook, SearchReport};
use jigo_sgf::{Node, NodeId};

use super::Table;
use crate::messages::EvalView;

#[derive(Clone, Debug, PartialEq)]
pub struct NodeEvaluation {
    pub visits: u32,
    /// If the best move is played, as is the lead.
    pub black_win: f32,
    pub black_lead: f32,
    /// The lead by all simulations, whichever move they began with.
    pub mean_black_lead: f32,
    /// The best move and what is expected to follow.
    pub line: Vec<String>,
    /// Who owns each point: a letter each, `a` is White's and `u` Black's. Only reviews and the teacher keep it.
    pub ownership: Option<String>,
}

/// Ours: simulations, the lead by all of them, best line, ownership, points added to the real komi, and how many visits the review
/// wanted that judged the position.
const VISITS: &str = "JGV";
const MEAN_LEAD: &str = "JGM";
const LINE: &str = "JGB";
const OWNERSHIP: &str = "JGW";
const EXTRA_KOMI: &str = "JGK";
const REVIEWED: &str = "JGR";

/// Was any position of this record judged by a review or a teacher? Told by its text, so that thousands of records that were not need
/// not be set up.
pub fn is_reviewed(sgf: &str) -> bool {
    sgf.contains(&format!("{REVIEWED}["))
}

/// As far as anybody plays a line out on the board.
const LONGEST_LINE: usize = 12;

/// Black's chance and lead if the best move is played. This, and not the mean of everything that was tried, is what the position is
/// worth, and what the table of moves shows in its first row.
pub fn worth(report: &SearchReport) -> (f32, f32) {
    let outlook = Outlook(report);
    match report.best().filter(|best| best.visits > 0) {
        Some(best) => (outlook.win_rate_after(best).share_of(Color::Black), outlook.black_lead_after(best)),
        None => (outlook.win_rate().share_of(Color::Black), outlook.black_lead()),
    }
}

impl NodeEvaluation {
    pub fn of(report: &SearchReport, lines: usize) -> NodeEvaluation {
        let (black_win, black_lead) = worth(report);
        let line = |best: &MoveReport| best.variation.iter().take(LONGEST_LINE).map(|mv| mv.vertex(lines)).collect();
        NodeEvaluation {
            visits: report.visits,
            black_win,
            black_lead,
            mean_black_lead: Outlook(report).black_lead(),
            line: report.best().map(line).unwrap_or_default(),
            ownership: None,
        }
    }

    pub fn with_ownership(mut self, report: &SearchReport, points: impl Iterator<Item = Point>) -> NodeEvaluation {
        self.ownership = Some(points.map(|point| ownership_letter(report.ownership(point))).collect());
        self
    }

    fn read(node: &Node) -> Option<NodeEvaluation> {
        let number = |identifier| node.simple_text(identifier)?.parse::<f32>().ok().filter(|x: &f32| x.is_finite());
        let line = node.simple_text(LINE).unwrap_or_default();
        let vertices = line.split_whitespace().filter(|vertex| vertex.len() <= 4).take(LONGEST_LINE);
        Some(NodeEvaluation {
            visits: node.simple_text(VISITS)?.parse().ok()?,
            black_win: (number("SBKV")? / 100.0).clamp(0.0, 1.0),
            black_lead: number("SBKS")?,
            mean_black_lead: number(MEAN_LEAD).or(number("SBKS"))?,
            line: vertices.map(str::to_owned).collect(),
            ownership: node.simple_text(OWNERSHIP).filter(|text| text.bytes().all(|byte| byte.is_ascii_lowercase())),
        })
    }

    fn write(&self, node: &mut Node) {
        node.set_text(VISITS, &self.visits.to_string());
        node.set_text("SBKV", &format!("{:.2}", 100.0 * self.black_win));
        node.set_text("SBKS", &format!("{:.2}", self.black_lead));
        node.set_text(MEAN_LEAD, &format!("{:.2}", self.mean_black_lead));
        node.remove(LINE);
        node.remove(OWNERSHIP);
        if !self.line.is_empty() {
            node.set_text(LINE, &self.line.join(" "));
        }
        if let Some(ownership) = &self.ownership {
            node.set_text(OWNERSHIP, ownership);
        }
    }

    /// Who owns each point, from -1 (White) to 1; empty if that was not kept.
    pub fn owners(&self) -> Vec<f32> {
        self.ownership.as_deref().unwrap_or_default().bytes().map(owned).collect()
    }

    pub fn best(&self) -> Option<&String> {
        self.line.first()
    }

    /// Of a reviewed position the lead that losses are counted from is told, so that graph, list and lines agree.
    pub fn view(&self, is_reviewed: bool) -> EvalView {
        EvalView {
            visits: self.visits,
            black_win: self.black_win,
            black_lead: if is_reviewed { self.mean_black_lead } else { self.black_lead },
            best: self.best().cloned(),
            line: self.line.clone(),
        }
    }

    fn judged(&self, lines: usize) -> JudgedPosition {
        let best = self.best().and_then(|best| Move::parse(best, lines));
        JudgedPosition {
            black_lead: self.mean_black_lead,
            win_rate: WinRate::black(self.black_win),
            best: best.map(|mv| BestMove { mv, black_lead: self.black_lead }),
        }
    }
}

/// -1 (White's) to 1 (Black's) as one of 21 letters.
fn ownership_letter(value: f32) -> char {
    char::from(b'a' + ((value.clamp(-1.0, 1.0) + 1.0) * 10.0).round() as u8)
}

/// A letter back as a number.
fn owned(letter: u8) -> f32 {
    (f32::from(letter.clamp(b'a', b'u') - b'a') - 10.0) / 10.0
}

impl Table {
    pub fn evaluation(&self, node: NodeId) -> Option<NodeEvaluation> {
        NodeEvaluation::read(self.tree.node(node))
    }

    /// How many visits the review or the teacher wanted that judged this node, if one did.
    pub(super) fn reviewed_with(&self, node: NodeId) -> Option<u32> {
        self.tree.node(node).simple_text(REVIEWED)?.parse().ok()
    }

    /// Keeps an evaluation, unless a better one is known. What a review found stays: a longer look at one position would move the losses
    /// of the moves beside it.
    pub fn learn(&mut self, node: NodeId, evaluation: &NodeEvaluation) {
        let is_better = |known: NodeEvaluation| known.visits > evaluation.visits;
        if self.reviewed_with(node).is_none() && !self.evaluation(node).is_some_and(is_better) {
            self.write_evaluation(node, evaluation);
        }
    }

    /// Keeps an evaluation of a review that wanted so many visits.
    pub(super) fn learn_in_review(&mut self, node: NodeId, evaluation: &NodeEvaluation, visits: u32) {
        self.tree.node_mut(node).set_text(REVIEWED, &visits.to_string());
        self.write_evaluation(node, evaluation);
    }

    fn write_evaluation(&mut self, node: NodeId, evaluation: &NodeEvaluation) {
        evaluation.write(self.tree.node_mut(node));
        self.changes.nodes.insert(node.number());
        self.changes.nodes.extend(self.tree.children(node).map(NodeId::number));
        self.changes.learnt = true;
    }

    /// Nothing is known any more of a node and all that follow it.
    pub(super) fn forget_evaluations(&mut self, node: NodeId) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            for identifier in [VISITS, "SBKV", "SBKS", MEAN_LEAD, LINE, OWNERSHIP, REVIEWED] {
                self.tree.node_mut(node).remove(identifier);
            }
            waiting.extend(self.tree.children(node));
        }
    }

    pub(super) fn learn_extra_komi(&mut self, node: NodeId, extra: f32) {
        self.tree.node_mut(node).set_text(EXTRA_KOMI, &extra.to_string());
        self.changes.nodes.insert(node.number());
        self.changes.learnt = true;
    }

    pub(super) fn extra_komi(&self, node: NodeId) -> Option<f32> {
        self.tree.node(node).simple_text(EXTRA_KOMI)?.parse().ok().filter(|extra: &f32| extra.is_finite())
    }

    fn judged(&self, node: NodeId) -> Option<JudgedPosition> {
        self.reviewed_with(node)?;
        Some(self.evaluation(node)?.judged(self.lines()))
    }

    /// What the move of a node lost, if a review judged both the position before it and the one after it.
    pub fn lost_at(&self, node: NodeId) -> Option<f32> {
        let (mover, mv) = self.move_at(node)?;
        Some(self.judged(self.tree.parent(node)?)?.lost_by(mover, mv, &self.judged(node)?))
    }

    /// The main line in numbers, and the node after each of its moves.
    pub(super) fn assessment(&self) -> (Assessment, Vec<NodeId>) {
        let line: Vec<NodeId> = self.tree.main_line().collect();
        let mut assessment = Assessment { size: self.lines(), ..Assessment::default() };
        let mut nodes: Vec<NodeId> = Vec::new();
        for &node in &line {
            let played: Option<(Color, Move)> = self.move_at(node);
            match played {
                Some(played) => {
                    assessment.moves.push(played);
                    assessment.positions.push(self.judged(node));
                    nodes.push(node);
                }
                // Set-up after the last move belongs to the position that follows it.
                None => match assessment.positions.last_mut() {
                    Some(last) => *last = self.judged(node).or(*last),
                    None => assessment.positions.push(self.judged(node)),
                },
            }
        }
        if assessment.positions.len() == assessment.moves.len() {
            assessment.positions.insert(0, None);
        }
        (assessment, nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ownership_survives_as_letters() {
        for value in [-1.0, -0.5, 0.0, 0.3, 1.0] {
            assert!((owned(ownership_letter(value) as u8) - value).abs() < 0.051, "{value}");
        }
        assert_eq!((ownership_letter(7.0), owned(b'z')), ('u', 1.0));
    }
}
