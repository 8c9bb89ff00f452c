//! The game in progress: who plays which colour, whose time runs, how far it is.

use std::time::{Duration, Instant};

use jigo_board::{Clock, Color, Game, PointSet};
use jigo_sgf::{GameResult, Margin, NodeId};

use super::Table;
use super::record::{note_dead, note_time};
use crate::messages::Persons;

pub struct Contest {
    /// The last move of the game.
    pub(super) live: NodeId,
    pub(super) game: Game,
    pub(super) phase: Phase,
    pub(super) clock: Clock,
    pub(super) turn_began: Instant,
    persons: Persons,
}

pub enum Phase {
    Playing,
    Counting {
        /// What the engine holds to be dead, once it knows.
        proposed: Option<PointSet>,
        dead: PointSet,
    },
    /// With the dead stones, if it was counted.
    Over {
        result: GameResult,
        dead: Option<PointSet>,
    },
}

impl Contest {
    /// A game goes on from here; `persons` is never random.
    pub fn new(live: NodeId, game: Game, persons: Persons, clock: Clock, now: Instant) -> Contest {
        let phase = if game.is_over() { Phase::counting() } else { Phase::Playing };
        Contest { live, game, phase, clock, turn_began: now, persons }
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    pub fn is_engine(&self, color: Color) -> bool {
        match self.persons {
            Persons::Black => color == Color::White,
            Persons::White => color == Color::Black,
            Persons::Both => false,
            Persons::None | Persons::Random => true,
        }
    }

    pub fn is_playing(&self) -> bool {
        matches!(self.phase, Phase::Playing)
    }

    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over { .. })
    }

    /// The clock as it stood when the present turn began.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        let is_limited = self.clock.until_flag(self.game.to_move()).is_some();
        (self.is_playing() && is_limited).then(|| self.game.to_move())
    }

    /// When the player to move loses on time, if nothing happens.
    pub fn flag_falls(&self) -> Option<Instant> {
        let color = self.running()?;
        self.turn_began.checked_add(self.clock.until_flag(color)?)
    }

    /// How long the player to move has been thinking.
    pub fn thinking_for(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.turn_began)
    }
}

impl Phase {
    pub fn counting() -> Phase {
        Phase::Counting { proposed: None, dead: PointSet::EMPTY }
    }
}

impl Table {
    /// The game is lost on time if the player to move has none left.
    pub fn check_flag(&mut self, now: Instant) {
        let Some(contest) = &mut self.contest else { return };
        if contest.flag_falls().is_some_and(|at| now >= at) {
            let loser = contest.game.to_move();
            contest.clock.set_remaining(loser, Duration::ZERO, 0);
            note_time(self.tree.node_mut(contest.live), loser, contest.clock());
            self.end(GameResult::Win { winner: loser.opponent(), by: Margin::Time }, None);
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.contest.as_ref().is_some_and(Contest::is_over)
    }

    pub(super) fn end(&mut self, result: GameResult, dead: Option<PointSet>) {
        let Some(contest) = &mut self.contest else { return };
        contest.phase = Phase::Over { result, dead };
        note_dead(self.tree.node_mut(contest.live), dead.as_ref());
        self.tree.root_mut().set_text("RE", &result.to_string());
        let root = self.tree.root_id().number();
        self.changes.nodes.insert(root);
        (self.changes.status, self.changes.clock, self.changes.position, self.changes.save) = (true, true, true, true);
    }

    /// The game goes on, or is counted if both have passed.
    pub(super) fn go_on(&mut self, now: Instant) {
        let Some(contest) = &mut self.contest else { return };
        contest.turn_began = now;
        contest.phase = if contest.game.is_over() { Phase::counting() } else { Phase::Playing };
        self.changes.counting |= contest.game.is_over();
        self.tree.root_mut().remove("RE");
        note_dead(self.tree.node_mut(contest.live), None);
        (self.changes.status, self.changes.clock, self.changes.position, self.changes.save) = (true, true, true, true);
    }
}
