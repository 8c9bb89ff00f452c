//! What the table would like thought about next. Who thinks asks, thinks, and asks again; whatever the wish no longer is, nobody waits for.

use std::time::Instant;

use jigo_board::{Clock, Game};
use jigo_sgf::NodeId;

use super::contest::Phase;
use super::{NodeEvaluation, Table};
use crate::messages::Pace;
use crate::refusal::Refusal;

/// Something to think about. Two wishes are the same if a running thought serves both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A move for the player to move there.
    Reply { node: NodeId, level: u64 },
    /// Which stones are dead.
    Judge { node: NodeId },
    /// What a position is worth, for the teacher and for exercises.
    Teach { node: NodeId },
    /// Live analysis up to so many visits.
    Analyse { node: NodeId, until: u32 },
    /// One position of a whole-game analysis.
    Review { node: NodeId, visits: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Analysing {
    /// Visits wanted for every position looked at, and for the one where more were asked for.
    visits: u32,
    deeper: Option<(NodeId, u32)>,
    /// Where the analysis has come to rest, and with how many visits.
    rested: Option<(NodeId, u32)>,
}

#[derive(Clone, Debug)]
pub struct Reviewing {
    pub(super) is_running: bool,
    pub(super) visits: u32,
    began: Instant,
    done_before: usize,
    /// Positions that are left as they are: over, not playable, or with fewer visits than wanted after all.
    skipped: Vec<NodeId>,
}

const DEFAULT_VISITS: u32 = 2000;
const DEFAULT_REVIEW_VISITS: u32 = 200;
/// The tree has room for a few million nodes; more visits tell nothing new.
const MOST_VISITS: u32 = 2_000_000;
const DEEPER: u32 = 4;

impl Table {
    /// What to think about now. `attending` are the viewers who are there to see an analysis.
    pub fn wish(&self, attending: &[u64]) -> Option<Wish> {
        self.wish_for_game().or_else(|| if attending.is_empty() { None } else { self.wish_for_study(attending) })
    }

    fn wish_for_game(&self) -> Option<Wish> {
        let asked = self.viewers().find_map(|viewer| {
            let trial = viewer.trial.filter(|trial| trial.is_asked)?;
            Some(Wish::Reply { node: viewer.cursor, level: trial.level })
        });
        if asked.is_some() {
            return asked;
        }
        if let Some(node) = self.exercise_to_judge() {
            return Some(Wish::Teach { node });
        }
        let contest = self.contest.as_ref()?;
        let node = contest.live;
        if self.fresh_move_waits() {
            return self.position_to_teach().map(|node| Wish::Teach { node });
        }
        match contest.phase {
            Phase::Playing if contest.is_engine(contest.game.to_move()) => {
                Some(Wish::Reply { node, level: self.settings.level })
            }
            Phase::Counting { proposed: None, .. } => Some(Wish::Judge { node }),
            _ => None,
        }
    }

    fn wish_for_study(&self, attending: &[u64]) -> Option<Wish> {
        let attentive = self.viewers().filter(|viewer| attending.contains(&viewer.number) && !viewer.here.is_over());
        let hint = self.position_to_teach().map(|node| Wish::Teach { node });
        let live = attentive.filter_map(|viewer| {
            let analysing = viewer.analysing?;
            let (node, until) = (viewer.cursor, analysing.until(viewer.cursor));
            (analysing.rested != Some((node, until))).then_some(Wish::Analyse { node, until })
        });
        hint.or_else(|| live.into_iter().next()).or_else(|| {
            let reviewing = self.reviewing.as_ref().filter(|reviewing| reviewing.is_running)?;
            let node = self.tree.main_line().find(|&node| !reviewing.is_done(self, node))?;
            Some(Wish::Review { node, visits: reviewing.visits })
        })
    }

    /// The game a wish is about, for the thinker to keep.
    pub fn game_for(&self, wish: Wish) -> Option<Game> {
        let (Wish::Reply { node, .. }
        | Wish::Judge { node }
        | Wish::Teach { node }
        | Wish::Analyse { node, .. }
        | Wish::Review { node, .. }) = wish;
        if node == self.viewer.cursor {
            return Some(self.viewer.here.clone());
        }
        match self.contest.as_ref().filter(|contest| contest.live == node) {
            Some(contest) => Some(contest.game.clone()),
            None => self.game_at(node).ok(),
        }
    }

    /// The clock the engine plays under; trials have none.
    pub fn clock_for(&self, wish: Wish) -> Clock {
        match (&self.contest, wish) {
            (Some(contest), Wish::Reply { node, .. }) if contest.live == node && contest.is_playing() => {
                contest.clock().clone()
            }
            _ => Clock::default(),
        }
    }

    pub fn is_paced(&self) -> bool {
        self.settings.pace == Pace::Human
    }

    pub(super) fn analyse(&mut self, on: bool, visits: Option<u32>) -> Result<(), Refusal> {
        let visits = visits.unwrap_or(DEFAULT_VISITS).clamp(1, MOST_VISITS);
        self.viewer.analysing = on.then_some(Analysing { visits, deeper: None, rested: None });
        (self.viewer.moved, self.viewer.analysis_off) = (true, !on);
        Ok(())
    }

    pub(super) fn deeper(&mut self) -> Result<(), Refusal> {
        let cursor = self.viewer.cursor;
        let analysing =
            self.viewer.analysing.as_mut().ok_or(Refusal::not_now("no_analysis", "no analysis is running"))?;
        let until = analysing.until(cursor).saturating_mul(DEEPER).min(MOST_VISITS);
        analysing.deeper = Some((cursor, until));
        Ok(())
    }

    /// A position is no longer what it was: whoever thinks about this game's positions stops, until it is asked again.
    pub(super) fn end_study(&mut self) {
        for viewer in self.viewers_mut() {
            viewer.analysis_off |= viewer.analysing.take().is_some();
        }
        if let Some(reviewing) = &mut self.reviewing {
            reviewing.is_running = false;
        }
        (self.changes.status, self.changes.review) = (true, true);
    }

    /// The live analysis of a position is as deep as was asked for.
    pub fn rest(&mut self, node: NodeId, until: u32) {
        for viewer in self.viewers_mut().filter(|viewer| viewer.cursor == node) {
            if let Some(analysing) = &mut viewer.analysing {
                analysing.rested = Some((node, until));
            }
        }
    }

    pub(super) fn review(&mut self, on: bool, visits: Option<u32>, now: Instant) -> Result<(), Refusal> {
        match (on, &mut self.reviewing) {
            (false, Some(reviewing)) => reviewing.is_running = false,
            (false, None) => {}
            (true, _) => {
                let visits = visits.unwrap_or(DEFAULT_REVIEW_VISITS).clamp(1, MOST_VISITS);
                let mut reviewing =
                    Reviewing { is_running: true, visits, began: now, done_before: 0, skipped: Vec::new() };
                let (done, total) = reviewing.progress(self);
                reviewing.done_before = done;
                reviewing.is_running = done < total;
                self.reviewing = Some(reviewing);
            }
        }
        (self.changes.status, self.changes.review) = (true, true);
        Ok(())
    }

    /// A position of the whole-game analysis is judged, or cannot be.
    pub fn reviewed(&mut self, node: NodeId, evaluation: Option<&NodeEvaluation>) {
        if let (Some(evaluation), Some(visits)) = (evaluation, self.reviewing.as_ref().map(|review| review.visits)) {
            self.learn_in_review(node, evaluation, visits);
        }
        let Some(reviewing) = &mut self.reviewing else { return };
        if evaluation.is_none_or(|evaluation| evaluation.visits < reviewing.visits) {
            reviewing.skipped.push(node);
        }
        let reviewing = reviewing.clone();
        let (done, total) = reviewing.progress(self);
        if done == total {
            self.reviewing = Some(Reviewing { is_running: false, ..reviewing });
            (self.changes.status, self.changes.save) = (true, true);
        }
        self.changes.review = true;
    }

    pub fn is_analysing(&self) -> bool {
        self.viewer.analysing.is_some()
    }

    pub fn is_reviewing(&self) -> bool {
        self.reviewing.as_ref().is_some_and(|reviewing| reviewing.is_running)
    }
}

impl Analysing {
    fn until(&self, node: NodeId) -> u32 {
        self.deeper.filter(|&(at, _)| at == node).map_or(self.visits, |(_, until)| until)
    }
}

impl Reviewing {
    fn is_done(&self, table: &Table, node: NodeId) -> bool {
        self.skipped.contains(&node) || table.reviewed_with(node).is_some_and(|visits| visits >= self.visits)
    }

    pub(super) fn progress(&self, table: &Table) -> (usize, usize) {
        let line: Vec<NodeId> = table.tree.main_line().collect();
        (line.iter().filter(|&&node| self.is_done(table, node)).count(), line.len())
    }

    pub(super) fn seconds_left(&self, done: usize, total: usize) -> Option<f32> {
        let fresh = done.saturating_sub(self.done_before);
        let each = self.began.elapsed().as_secs_f32() / fresh as f32;
        (self.is_running && fresh > 0).then(|| each * (total - done) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{Persons, Settings, TableRequest};
    use crate::table::PROGRAMS;

    fn table(color: Persons) -> Table {
        let settings = Settings { color, ..Settings::default() };
        Table::begin("a".to_owned(), settings, true, Instant::now()).unwrap()
    }

    #[test]
    fn nobody_thinks_about_a_study_that_nobody_looks_at() {
        let mut table = table(Persons::Both);
        assert_eq!(table.wish(&[PROGRAMS]), None);
        table.analyse(true, Some(50)).unwrap();
        table.review(true, None, Instant::now()).unwrap();
        let Some(Wish::Analyse { node, until: 50 }) = table.wish(&[PROGRAMS]) else {
            panic!("{:?}", table.wish(&[PROGRAMS]))
        };
        assert_eq!(table.wish(&[]), None);
        // Once the live analysis rests, the review has its turn.
        table.rest(node, 50);
        assert_eq!(table.wish(&[PROGRAMS]), Some(Wish::Review { node, visits: DEFAULT_REVIEW_VISITS }));
        table.reviewed(node, None);
        assert_eq!(table.wish(&[PROGRAMS]), None);
    }

    #[test]
    fn the_engine_owes_its_reply_whether_anybody_looks_or_not() {
        let mut table = table(Persons::White);
        let Some(Wish::Reply { node, .. }) = table.wish(&[]) else { panic!("no reply is wished for") };
        table.engine_decides(node, jigo_engine::Decision::Resign, Instant::now());
        assert_eq!(table.wish(&[]), None);
    }

    #[test]
    fn going_elsewhere_is_another_wish() {
        let mut table = table(Persons::Both);
        table.analyse(true, None).unwrap();
        let before = table.wish(&[PROGRAMS]);
        table.grant(TableRequest::Play { mv: "E5".to_owned() }, Instant::now()).unwrap();
        assert!(table.wish(&[PROGRAMS]).is_some() && table.wish(&[PROGRAMS]) != before);
        table.grant(TableRequest::Comment { node: 0, text: "hm".to_owned() }, Instant::now()).unwrap();
        assert_ne!(table.wish(&[PROGRAMS]), before);
    }
}
