//! The teacher at a game with the engine: while it is on, every move of a person is judged before the engine answers, and one that lost
//! more than agreed may be taken back. A hint comes in steps and only when it is asked for. And the judge of exercises: what a move in
//! training lost.

use jigo_board::{Color, Move};
use jigo_engine::{Mistake, SearchReport};
use jigo_sgf::NodeId;

use super::reasons::{reasons, territory};
use super::viewer::Trial;
use super::{NodeEvaluation, Table};
use crate::messages::{HintView, Reason, TeacherView, VerdictView, WarningView};
use crate::refusal::Refusal;

/// Visits of the teacher for each position: a second or so.
pub const TEACHER_VISITS: u32 = 100;
/// A move that loses no more is an answer to an exercise.
const PASSING_LOSS: f32 = 1.0;
const SMALLEST_THRESHOLD: f32 = 0.5;
const LARGEST_THRESHOLD: f32 = 50.0;

/// What the teacher remembers of the game in progress.
#[derive(Clone, Debug, Default)]
pub struct TeacherMemory {
    /// A move that lost too much, but is kept; or that cannot be judged.
    kept: Option<NodeId>,
    /// The best moves of a position, best first.
    ideas: Option<(NodeId, Vec<Move>)>,
    /// How much of a hint was given, and where.
    hint: Option<(NodeId, u8)>,
}

impl Table {
    pub(super) fn set_teacher(&mut self, points: Option<f32>) -> Result<(), Refusal> {
        let in_range = |points: &f32| (SMALLEST_THRESHOLD..=LARGEST_THRESHOLD).contains(points);
        if points.is_some_and(|points| !in_range(&points)) {
            return Err(Refusal::BadMessage("the teacher speaks up from half a point to fifty".to_owned()));
        }
        self.settings.teacher = points;
        (self.changes.status, self.changes.save) = (true, true);
        Ok(())
    }

    /// The last move of the game, if a person made it and the engine has not answered.
    fn fresh_move(&self) -> Option<(NodeId, Color, Move)> {
        let contest = self.contest.as_ref().filter(|contest| contest.is_playing())?;
        let (color, mv) = self.move_at(contest.live)?;
        let is_fresh = !contest.is_engine(color) && contest.is_engine(contest.game.to_move());
        (is_fresh && mv != Move::Pass).then_some((contest.live, color, mv))
    }

    /// A position the teacher has to judge before the game goes on, or would like to while a person thinks.
    pub(super) fn position_to_teach(&self) -> Option<NodeId> {
        let unjudged = |node: NodeId| self.reviewed_with(node).is_none().then_some(node);
        let contest = self.contest.as_ref().filter(|contest| contest.is_playing())?;
        if self.settings.teacher.is_some()
            && let Some((live, _, mv)) = self.fresh_move().filter(|&(live, _, _)| self.memory.kept != Some(live))
        {
            let before = self.tree.parent(live)?;
            let is_best = |known: NodeEvaluation| known.best().is_some_and(|best| *best == mv.vertex(self.lines()));
            return match unjudged(before) {
                Some(before) => Some(before),
                // The engine's own choice needs no second look.
                None if self.evaluation(before).is_some_and(is_best) => None,
                None => unjudged(live),
            };
        }
        let is_persons = !contest.is_engine(contest.game.to_move());
        let wants_hint = self.memory.hint.is_some_and(|(node, _)| node == contest.live) && self.ideas().is_none();
        let is_wanted = is_persons && (self.settings.teacher.is_some() || wants_hint);
        if wants_hint { Some(contest.live) } else { is_wanted.then_some(contest.live).and_then(unjudged) }
    }

    /// Does the engine's answer wait for the teacher, or for a word about its warning?
    pub(super) fn fresh_move_waits(&self) -> bool {
        let is_fresh = self.settings.teacher.is_some() && self.fresh_move().is_some();
        is_fresh && (self.warning().is_some() || self.position_to_teach().is_some())
    }

    /// The teacher has looked at a position, or cannot.
    pub fn taught(&mut self, node: NodeId, found: Option<(&SearchReport, NodeEvaluation)>) {
        match found {
            Some((report, evaluation)) => {
                self.memory.ideas = Some((node, report.moves.iter().take(3).map(|seen| seen.mv).collect()));
                self.learn_in_review(node, &evaluation, TEACHER_VISITS);
            }
            None => {
                self.memory.kept = self.live();
                for viewer in self.viewers_mut().filter(|viewer| viewer.cursor == node) {
                    if let Some(trial) = &mut viewer.trial {
                        trial.exercise = None;
                    }
                }
            }
        }
        (self.changes.status, self.changes.review) = (true, true);
    }

    /// The move that lost so much that the game waits for a word.
    pub(super) fn warning(&self) -> Option<(NodeId, f32)> {
        let (live, _, _) = self.fresh_move().filter(|&(live, _, _)| self.memory.kept != Some(live))?;
        let lost = self.lost_at(live)?;
        (lost >= self.settings.teacher?).then_some((live, lost))
    }

    /// The move stays, whatever it lost.
    pub(super) fn keep(&mut self) -> Result<(), Refusal> {
        let nothing = || Refusal::not_now("no_warning", "there is nothing to keep");
        self.memory.kept = Some(self.warning().ok_or_else(nothing)?.0);
        self.changes.status = true;
        Ok(())
    }

    pub(super) fn teacher_view(&self) -> Option<TeacherView> {
        let points = self.settings.teacher?;
        let warning =
            self.warning().map(|(node, lost)| WarningView { node: node.number(), lost, reasons: self.why_bad(node) });
        Some(TeacherView { points, warning })
    }

    /// What can be said against a move: what the opponent can do now, and what changed hands.
    pub(super) fn why_bad(&self, node: NodeId) -> Vec<Reason> {
        let Some((color, _)) = self.move_at(node) else { return Vec::new() };
        let Ok(game) = self.game_at(node) else { return Vec::new() };
        let answer = self.evaluation(node).and_then(|known| Move::parse(known.best()?, self.lines()));
        let mut found = answer.map(|mv| reasons(&game, color.opponent(), mv)).unwrap_or_default();
        found.retain(|reason| !matches!(reason.key, "self_atari" | "corner" | "side" | "centre"));
        let owners = |node: NodeId| self.evaluation(node).map(|known| known.owners()).unwrap_or_default();
        if let Some(before) = self.tree.parent(node) {
            found.extend(territory(&owners(before), &owners(node), color));
        }
        found
    }

    /// What speaks for the best move of a judged position.
    pub(super) fn why_best(&self, node: NodeId) -> Vec<Reason> {
        let best = self.evaluation(node).and_then(|known| Move::parse(known.best()?, self.lines()));
        match (self.game_at(node), best) {
            (Ok(game), Some(mv)) => reasons(&game, game.to_move(), mv),
            _ => Vec::new(),
        }
    }

    fn ideas(&self) -> Option<&[Move]> {
        let (node, moves) = self.memory.ideas.as_ref()?;
        (Some(*node) == self.live() && !moves.is_empty()).then_some(moves)
    }

    /// One step more of a hint: the part of the board, two moves, the move.
    pub(super) fn give_hint(&mut self) -> Result<(), Refusal> {
        let contest =
            self.contest.as_ref().filter(|contest| contest.is_playing() && !contest.is_engine(contest.game.to_move()));
        let live = contest.ok_or(Refusal::not_now("not_your_turn", "a hint is for the player to move"))?.live;
        let step = self.memory.hint.filter(|&(node, _)| node == live).map_or(1, |(_, step)| step + 1);
        self.memory.hint = Some((live, step.min(3)));
        self.changes.status = true;
        Ok(())
    }

    /// The hint as far as it was asked for; without moves while the engine still looks for them.
    pub(super) fn hint_view(&self) -> Option<HintView> {
        let is_now = |&(node, _): &(NodeId, u8)| {
            self.contest.as_ref().is_some_and(|contest| contest.is_playing() && contest.live == node)
        };
        let (node, step) = self.memory.hint.filter(is_now)?;
        let ideas = self.ideas();
        let lines = self.lines();
        let (mut area, mut moves, mut why) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(&[best, ..]) = ideas {
            match step {
                1 => area = self.part_around(best),
                2 => moves = ideas.unwrap_or_default().iter().take(2).map(|mv| mv.vertex(lines)).collect(),
                _ => {
                    moves = vec![best.vertex(lines)];
                    why = self.why_best(node);
                }
            }
            // The order would tell.
            moves.sort();
        }
        Some(HintView { node: node.number(), step, is_ready: ideas.is_some(), area, moves, reasons: why })
    }

    /// The third of the board, each way, that a move is in.
    fn part_around(&self, mv: Move) -> Vec<String> {
        let Some(centre) = mv.point() else { return Vec::new() };
        let third = |n: usize| n * 3 / self.lines();
        let same = |point: &jigo_board::Point| {
            third(point.col()) == third(centre.col()) && third(point.row()) == third(centre.row())
        };
        self.viewer.here.board().points().filter(same).map(|point| point.vertex(self.lines())).collect()
    }

    /// An exercise: the position before a move of the main line, to be played by whoever made it.
    pub(super) fn train(&mut self, number: usize) -> Result<(), Refusal> {
        let is_it = |&node: &NodeId| self.move_at(node).is_some() && self.number_of(node) == number;
        let node = self.tree.main_line().find(is_it);
        let missing = || Refusal::NotFound(format!("the game has no move {number}"));
        let node = node.ok_or_else(missing)?;
        let (color, _) = self.move_at(node).ok_or_else(missing)?;
        let before = self.tree.parent(node).ok_or_else(missing)?;
        let here = self.game_at(before)?;
        self.set_cursor(before, here);
        if self.viewer.analysing.take().is_some() {
            self.viewer.analysis_off = true;
        }
        let level = self.settings.level;
        self.viewer.trial = Some(Trial { from: before, color, level, is_asked: false, exercise: Some(number) });
        Ok(())
    }

    /// A move in an exercise that has to be judged.
    pub(super) fn exercise_to_judge(&self) -> Option<NodeId> {
        self.viewers().find_map(|viewer| {
            let trial = viewer.trial.filter(|trial| trial.exercise.is_some())?;
            let is_answer = self.tree.parent(viewer.cursor) == Some(trial.from);
            (is_answer && self.reviewed_with(viewer.cursor).is_none()).then_some(viewer.cursor)
        })
    }

    /// The verdict about an exercise of the viewer, once its move is judged; it is given once.
    pub fn take_verdict(&mut self) -> Option<VerdictView> {
        let trial = self.viewer.trial?;
        let number = trial.exercise?;
        let answer = self.viewer.cursor;
        if self.tree.parent(answer) != Some(trial.from) {
            return None;
        }
        let lost = self.lost_at(answer)?;
        let best = self.evaluation(trial.from).and_then(|known| known.best().cloned());
        if let Some(trial) = &mut self.viewer.trial {
            trial.exercise = None;
            trial.is_asked = true;
        }
        Some(VerdictView { number, lost, best, passed: lost <= PASSING_LOSS, why: self.why_best(trial.from) })
    }

    /// The mistakes of people in a reviewed game, as exercises: the number of each move, its colour, and what it lost.
    /// A game that is still being played is none: its last word may be taken back.
    pub fn exercises(&self) -> Vec<(usize, Color, f32)> {
        if self.contest.as_ref().is_some_and(|contest| !contest.is_over()) {
            return Vec::new();
        }
        let is_persons = |color| self.contest.as_ref().is_none_or(|contest| !contest.is_engine(color));
        let exercise = |(node, lost, class): (NodeId, f32, Mistake)| {
            let (color, _) = self.move_at(node)?;
            (class >= Mistake::Mistake && is_persons(color)).then(|| (self.number_of(node), color, lost))
        };
        self.mistakes().into_iter().filter_map(exercise).collect()
    }
}
