//! Who looks at the game: every tab has a cursor of its own, tries its own way and has its own analysis. What is played in the game
//! itself takes everybody along who was looking at it.

use jigo_board::{Color, Game};
use jigo_sgf::NodeId;

use super::Table;
use super::wishes::Analysing;

/// The viewer of programs that have no tab.
pub const PROGRAMS: u64 = 0;

#[derive(Clone)]
pub struct Viewer {
    /// The tab's number.
    pub(super) number: u64,
    /// Is the tab still there?
    pub(super) is_here: bool,
    pub(super) cursor: NodeId,
    /// The game up to the cursor.
    pub(super) here: Game,
    pub(super) trial: Option<Trial>,
    pub(super) analysing: Option<Analysing>,
    /// Something changed that only this viewer has to be told: the cursor, the trial, the analysis.
    pub(super) moved: bool,
    pub(super) analysis_off: bool,
}

/// You try it yourself from some node, and the engine answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    pub(super) from: NodeId,
    pub(super) color: Color,
    pub(super) level: u64,
    /// Is the engine to answer at the cursor?
    pub(super) is_asked: bool,
    /// The number of the move that is to be found, until it is judged.
    pub(super) exercise: Option<usize>,
}

impl Viewer {
    pub(super) fn new(cursor: NodeId, here: Game) -> Viewer {
        let number = PROGRAMS;
        Viewer { number, is_here: false, cursor, here, trial: None, analysing: None, moved: false, analysis_off: false }
    }

    pub(super) fn look_at(&mut self, node: NodeId, here: Game) {
        (self.cursor, self.here, self.moved) = (node, here, true);
    }
}

impl Table {
    /// A tab comes: it takes the place of one that has gone (itself, before a reload), or looks where the last one looks.
    pub fn welcome(&mut self, number: u64) {
        let mut viewer = self.viewer.clone();
        if self.viewer.is_here {
            viewer.trial = None;
            let before = std::mem::replace(&mut self.viewer, viewer);
            self.others.push(before);
        }
        (self.viewer.number, self.viewer.is_here) = (number, true);
        (self.viewer.moved, self.viewer.analysis_off) = (false, false);
    }

    /// A tab goes; the last one leaves its view behind for whoever comes next.
    pub fn farewell(&mut self, number: u64) {
        self.others.retain(|viewer| viewer.number != number);
        if self.viewer.number == number {
            self.viewer.is_here = false;
            if let Some(next) = self.others.pop() {
                self.viewer = next;
            }
        }
    }

    /// From now on the table is seen through the eyes of this viewer.
    pub fn turn_to(&mut self, number: u64) {
        if self.viewer.number == number && self.viewer.is_here {
            return;
        }
        match self.others.iter().position(|viewer| viewer.number == number) {
            Some(index) => std::mem::swap(&mut self.viewer, &mut self.others[index]),
            None => self.welcome(number),
        }
    }

    /// What only this viewer has to be told since it was asked last: that its view moved, and that its analysis ended.
    pub fn take_moved(&mut self) -> (bool, bool) {
        (std::mem::take(&mut self.viewer.moved), std::mem::take(&mut self.viewer.analysis_off))
    }

    /// The one through whose eyes the table is seen, if it is still there.
    pub fn viewer(&self) -> Option<u64> {
        self.viewer.is_here.then_some(self.viewer.number)
    }

    /// The game up to where the viewer looks.
    pub fn here(&self) -> &Game {
        &self.viewer.here
    }

    /// Does the one who looks watch an analysis of this node?
    pub fn is_watched(&self, node: NodeId) -> bool {
        self.viewer.cursor == node && self.viewer.analysing.is_some()
    }

    /// Is this viewer watching an analysis of the node?
    pub fn watches(&self, number: u64, node: NodeId) -> bool {
        let mut watching = self.viewers().filter(|viewer| viewer.cursor == node && viewer.analysing.is_some());
        watching.any(|viewer| viewer.number == number)
    }

    /// Everybody, the one who asked last first.
    pub(super) fn viewers(&self) -> impl Iterator<Item = &Viewer> {
        std::iter::once(&self.viewer).chain(self.others.iter().rev())
    }

    pub(super) fn viewers_mut(&mut self) -> impl Iterator<Item = &mut Viewer> {
        std::iter::once(&mut self.viewer).chain(self.others.iter_mut().rev())
    }

    pub(super) fn set_cursor(&mut self, node: NodeId, here: Game) {
        self.viewer.look_at(node, here);
    }

    /// Everybody who looks at `from`, or below it if `within`, looks at `to` instead.
    pub(super) fn take_along(&mut self, from: NodeId, within: bool, to: NodeId, game: &Game) {
        let tree = &self.tree;
        for viewer in std::iter::once(&mut self.viewer).chain(&mut self.others) {
            if viewer.cursor == from || (within && tree.is_within(viewer.cursor, from)) {
                viewer.look_at(to, game.clone());
            }
        }
    }
}
