//! Moves: of the game, and of variations beside it.

use std::time::Instant;

use jigo_board::{Color, Move};
use jigo_engine::Decision;
use jigo_sgf::{GameResult, Margin, NodeId};

use super::contest::Phase;
use super::record::note_time;
use super::viewer::Viewer;
use super::{Contest, Table};
use crate::refusal::Refusal;

const NOTHING_TO_UNDO: Refusal = Refusal::not_now("nothing_to_undo", "there is no move of yours to take back");

impl Table {
    pub(super) fn play(&mut self, vertex: &str, now: Instant) -> Result<(), Refusal> {
        let unknown = || Refusal::illegal(vertex, jigo_board::Illegal::OffBoard);
        let mv = Move::parse(vertex, self.lines()).ok_or_else(unknown)?;
        self.check_room()?;
        if self.is_live() && !self.is_over() {
            self.play_in_game(mv, vertex, now)
        } else if self.is_looking_back() {
            let text = "this is an earlier position of a game in progress".to_owned();
            Err(Refusal::Illegal { mv: vertex.to_owned(), reason: "looking_back", text })
        } else {
            self.play_beside(mv, vertex)
        }
    }

    /// While one plays with the engine, earlier positions are for looking, or for trying by express wish: a click there must not
    /// pass for a move.
    pub(super) fn is_looking_back(&self) -> bool {
        let is_serious =
            |contest: &Contest| !contest.is_over() && Color::BOTH.into_iter().any(|c| contest.is_engine(c));
        !self.is_live() && self.viewer.trial.is_none() && self.contest.as_ref().is_some_and(is_serious)
    }

    fn play_in_game(&mut self, mv: Move, vertex: &str, now: Instant) -> Result<(), Refusal> {
        let refuse = |reason: &'static str, text: &str| {
            Err(Refusal::Illegal { mv: vertex.to_owned(), reason, text: text.to_owned() })
        };
        let Some(contest) = &self.contest else { return self.play_beside(mv, vertex) };
        let color = contest.game.to_move();
        if !contest.is_playing() {
            return refuse("not_playing", "the game is being counted");
        }
        if contest.is_engine(color) {
            return refuse("not_your_turn", "it is the engine's turn");
        }
        contest.game.check(color, mv).map_err(|illegal| Refusal::illegal(vertex, illegal))?;
        self.append(color, mv, now);
        Ok(())
    }

    /// Adds a legal move to the game in progress.
    fn append(&mut self, color: Color, mv: Move, now: Instant) {
        let Some(live) = self.live() else { return };
        let child = self.child(live, color, mv);
        self.tree.make_main_line(child);
        let Some(contest) = &mut self.contest else { return };
        let made = contest.game.play(color, mv);
        debug_assert_eq!(made, Ok(()), "the move was checked");
        contest.clock.spend(color, contest.thinking_for(now));
        contest.live = child;
        note_time(self.tree.node_mut(child), color, contest.clock());
        let game = contest.game.clone();
        self.take_along(live, false, child, &game);
        self.go_on(now);
    }

    /// Follows or makes a variation, under the rules of the game.
    fn play_beside(&mut self, mv: Move, vertex: &str) -> Result<(), Refusal> {
        let color = self.viewer.here.to_move();
        if self.viewer.trial.is_some_and(|trial| trial.color != color) {
            let text = "it is the engine's turn".to_owned();
            return Err(Refusal::Illegal { mv: vertex.to_owned(), reason: "not_your_turn", text });
        }
        let mut here = self.viewer.here.clone();
        here.play(color, mv).map_err(|illegal| Refusal::illegal(vertex, illegal))?;
        let child = self.child(self.viewer.cursor, color, mv);
        let is_over = here.is_over();
        self.set_cursor(child, here);
        if let Some(trial) = &mut self.viewer.trial {
            // An answer to an exercise is judged first.
            trial.is_asked = !is_over && trial.exercise.is_none();
        }
        Ok(())
    }

    /// The engine has made up its mind about the live node, or about the cursor in a trial.
    pub fn engine_decides(&mut self, at: NodeId, decision: Decision, now: Instant) {
        let asks = |viewer: &&Viewer| viewer.cursor == at && viewer.trial.is_some_and(|trial| trial.is_asked);
        let asking = self.viewers().find(asks).map(|viewer| viewer.number);
        if let Some(asking) = asking {
            self.turn_to(asking);
            return self.answer_trial(at, decision);
        }
        self.check_flag(now);
        let Some(contest) = self.contest.as_ref().filter(|contest| contest.live == at && contest.is_playing()) else {
            return;
        };
        let color = contest.game.to_move();
        match decision {
            Decision::Resign => self.end(GameResult::Win { winner: color.opponent(), by: Margin::Resignation }, None),
            Decision::Move(mv) if contest.game.check(color, mv).is_ok() => self.append(color, mv, now),
            Decision::Move(_) => self.append(color, Move::Pass, now),
        }
    }

    fn answer_trial(&mut self, at: NodeId, decision: Decision) {
        if let Some(trial) = &mut self.viewer.trial {
            trial.is_asked = false;
        }
        self.viewer.moved = true;
        let color = self.viewer.here.to_move();
        let mut here = self.viewer.here.clone();
        if let Decision::Move(mv) = decision
            && here.play(color, mv).is_ok()
        {
            let child = self.child(at, color, mv);
            self.set_cursor(child, here);
        }
    }

    pub(super) fn resign(&mut self) -> Result<(), Refusal> {
        let over = Refusal::not_now("no_game", "there is no game to resign");
        let contest = self.contest.as_ref().filter(|contest| !contest.is_over()).ok_or(over)?;
        let to_move = contest.game.to_move();
        let people = [to_move, to_move.opponent()].into_iter().find(|&color| !contest.is_engine(color));
        let color = people.ok_or(Refusal::not_now("watching", "you are watching this game"))?;
        self.end(GameResult::Win { winner: color.opponent(), by: Margin::Resignation }, None);
        Ok(())
    }

    /// Where an undo leads: before the last move of a person.
    pub(super) fn undone(&self) -> Option<NodeId> {
        let contest = self.contest.as_ref()?;
        let mut node = contest.live;
        loop {
            let (color, _) = self.move_at(node)?;
            node = self.tree.parent(node)?;
            if !contest.is_engine(color) {
                return Some(node);
            }
        }
    }

    pub(super) fn undo(&mut self, now: Instant) -> Result<(), Refusal> {
        let node = self.undone().ok_or(NOTHING_TO_UNDO)?;
        self.take_back_to(node, now)
    }

    /// The game goes on from an earlier node; what came after it stays in the tree.
    pub(super) fn take_back_to(&mut self, node: NodeId, now: Instant) -> Result<(), Refusal> {
        let game = self.game_at(node)?;
        let Some(contest) = &mut self.contest else {
            return Err(Refusal::not_now("no_game", "no game is being played here"));
        };
        let before = std::mem::replace(&mut contest.live, node);
        (contest.game, contest.phase) = (game.clone(), Phase::Playing);
        self.changes.nodes.insert(node.number());
        self.viewer.trial = None;
        self.take_along(before, false, node, &game);
        self.set_cursor(node, game);
        self.go_on(now);
        Ok(())
    }
}
