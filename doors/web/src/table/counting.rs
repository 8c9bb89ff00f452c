//! Counting: which stones are dead is the engine's proposal and the player's decision.

use std::time::Instant;

use jigo_board::{Color, Count, Point, PointSet, Scoring};
use jigo_sgf::GameResult;

use super::contest::Phase;
use super::{Contest, Table};
use crate::messages::{Both, CountPart, CountingView};
use crate::refusal::Refusal;

const NOT_COUNTING: Refusal = Refusal::not_now("not_counting", "the game is not being counted");

impl Table {
    fn counted(&mut self) -> Result<&mut Contest, Refusal> {
        let contest = self.contest.as_mut().ok_or(NOT_COUNTING)?;
        if matches!(contest.phase, Phase::Counting { .. }) { Ok(contest) } else { Err(NOT_COUNTING) }
    }

    /// The engine holds these stones to be dead. Nobody changes the count of a game between engines.
    pub fn propose_dead(&mut self, stones: PointSet) {
        let Ok(contest) = self.counted() else { return };
        contest.phase = Phase::Counting { proposed: Some(stones), dead: stones };
        let nobody_is_asked = Color::BOTH.into_iter().all(|color| contest.is_engine(color));
        self.changes.counting = true;
        if nobody_is_asked {
            self.settle(stones);
        }
    }

    pub(super) fn toggle(&mut self, vertex: &str) -> Result<(), Refusal> {
        let lines = self.lines();
        let point = Point::parse(vertex, lines)
            .ok_or_else(|| Refusal::BadMessage(format!("{vertex:?} is no point of this board")))?;
        let contest = self.counted()?;
        if !contest.game.rules().friendly_pass_ok {
            return Err(Refusal::not_now("every_stone_lives", "under these rules every stone on the board is alive"));
        }
        let board = contest.game.board();
        if board.color_at(point).is_none() {
            return Err(Refusal::BadMessage(format!("there is no stone at {vertex}")));
        }
        let chain: PointSet = board.stones(point).collect();
        if let Phase::Counting { dead, .. } = &mut contest.phase {
            *dead = if dead.contains(point) { dead.difference(&chain) } else { dead.union(&chain) };
        }
        self.changes.counting = true;
        Ok(())
    }

    pub(super) fn accept(&mut self) -> Result<(), Refusal> {
        match self.counted()?.phase {
            Phase::Counting { proposed: Some(_), dead } => {
                self.settle(dead);
                Ok(())
            }
            _ => Err(Refusal::not_now("still_counting", "the engine is still looking for dead stones")),
        }
    }

    fn settle(&mut self, dead: PointSet) {
        let Some(contest) = &self.contest else { return };
        let score = contest.game.score(&dead);
        self.end(GameResult::counted(score), Some(dead));
        self.changes.counting = true;
    }

    /// Play goes on as if nobody had passed.
    pub(super) fn resume(&mut self, now: Instant) -> Result<(), Refusal> {
        let live = self.counted()?.live;
        let before = |node| self.tree.parent(node).unwrap_or(node);
        self.take_back_to(before(before(live)), now)
    }

    pub fn counting_view(&self) -> Option<CountingView> {
        let contest = self.contest.as_ref()?;
        let (proposed, dead) = match &contest.phase {
            Phase::Counting { proposed, dead } => (proposed.as_ref(), dead),
            // A count that was agreed on stays to be looked at.
            Phase::Over { dead: Some(dead), .. } => (Some(dead), dead),
            _ => return None,
        };
        let game = &contest.game;
        let count = Count::new(game.board(), dead);
        let lost = Color::BOTH.map(|color| game.board().stones_lost(color));
        let points = |color| count.points(game.rules(), color, lost);
        let vertices = |set: &PointSet| set.iter().map(|point| point.vertex(game.size())).collect::<Vec<_>>();
        let of_color = |stones: &PointSet, color: Color| {
            stones.iter().filter(|&point| game.board().color_at(point) == Some(color)).count()
        };
        let part = |color: Color| {
            let enemy = color.opponent();
            let beside = match game.rules().scoring {
                Scoring::Area => count.stones[color.index()].len(),
                Scoring::Territory => of_color(dead, enemy) + game.board().stones_lost(enemy) as usize,
            };
            // What the rules tax is not counted as territory.
            CountPart { territory: points(color) - beside as f32, beside }
        };
        Some(CountingView {
            scoring: if game.rules().scoring == Scoring::Area { "area" } else { "territory" },
            parts: Both::of(part),
            dead: vertices(dead),
            proposed: proposed.map(vertices),
            black_territory: vertices(&count.territory[Color::Black.index()]),
            white_territory: vertices(&count.territory[Color::White.index()]),
            neutral: vertices(&count.neutral),
            black_points: points(Color::Black),
            white_points: points(Color::White),
            komi: game.effective_komi(),
            result: game.score(dead).to_string(),
        })
    }
}
