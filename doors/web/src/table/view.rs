//! The table as messages.

use std::time::Instant;

use jigo_board::{Color, Game, Move, Remaining};
use jigo_engine::{ImaginedKomi, KomiReason, Outlook, SearchReport};
use jigo_sgf::{GameResult, NodeId};

use super::Table;
use super::contest::Phase;
use super::marks::marks;
use super::record::{about, count_moves, result_view};
use crate::library::picture;
use crate::messages::*;
use crate::refusal::reason;

impl Table {
    pub fn game_view(&self) -> GameView {
        let root = self.tree.root();
        let player = |color: Color| {
            let [name, rank] = if color == Color::Black { ["PB", "BR"] } else { ["PW", "WR"] };
            PlayerView {
                name: root.simple_text(name).unwrap_or_default(),
                engine: self.contest.as_ref().is_some_and(|contest| contest.is_engine(color)),
                rank: root.simple_text(rank).map(|rank| rank.trim_end_matches('?').to_owned()),
            }
        };
        let mut numbers = std::collections::HashMap::new();
        let nodes = self.tree.walk().map(|node| {
            let before = self.tree.parent(node).and_then(|parent| numbers.get(&parent).copied()).unwrap_or(0);
            let number = before + usize::from(self.tree.played_at(node, self.size).is_some());
            numbers.insert(node, number);
            self.node_view(node, number)
        });
        GameView {
            id: self.id.clone(),
            name: self.name.clone(),
            mode: if self.contest.is_some() { "play" } else { "study" },
            size: self.lines(),
            komi: self.viewer.here.komi(),
            handicap: self.viewer.here.handicap().len(),
            rules: self.rules.name().unwrap_or("custom").to_owned(),
            black: player(Color::Black),
            white: player(Color::White),
            level: self.settings.level,
            pace: self.settings.pace,
            clock_setting: self.settings.clock,
            net: self.settings.net.clone(),
            like: self.settings.like.clone(),
            record: about(root),
            nodes: nodes.collect(),
            live: self.live().map(NodeId::number),
        }
    }

    pub fn nodes_event(&self, nodes: impl IntoIterator<Item = u32>) -> Event {
        let known = nodes.into_iter().filter_map(|number| self.tree.find(number));
        let nodes = known.map(|node| self.node_view(node, self.number_of(node))).collect();
        Event::Nodes { nodes, live: self.live().map(NodeId::number) }
    }

    pub(super) fn number_of(&self, node: NodeId) -> usize {
        count_moves(self, node)
    }

    fn node_view(&self, node: NodeId, number: usize) -> NodeView {
        let played = self.move_at(node);
        let lost = self.lost_at(node);
        let properties = self.tree.node(node);
        NodeView {
            id: node.number(),
            parent: self.tree.parent(node).map(NodeId::number),
            children: self.tree.children(node).map(NodeId::number).collect(),
            number,
            color: played.map(|(color, _)| color.into()),
            mv: played.map(|(_, mv)| mv.vertex(self.lines())),
            comment: properties.text("C"),
            setup: ["AB", "AW", "AE"].iter().any(|identifier| properties.property(identifier).is_some()),
            eval: self.evaluation(node).map(|evaluation| evaluation.view(self.reviewed_with(node).is_some())),
            extra_komi: self.extra_komi(node),
            lost,
            class: lost.and_then(jigo_engine::Mistake::of).map(|class| class.name()),
        }
    }

    pub fn position_view(&self) -> PositionView {
        let game = &self.viewer.here;
        let board = game.board();
        let to_move = game.to_move();
        let empty = board.points().filter(|&point| board.is_empty(point));
        let illegal = empty.filter_map(|point| {
            let why = game.check(to_move, Move::Play(point)).err()?;
            Some((point.vertex(game.size()), reason(why)))
        });
        PositionView {
            node: self.viewer.cursor.number(),
            is_live: self.is_live(),
            number: self.number_of(self.viewer.cursor),
            to_move: to_move.into(),
            stones: picture(board),
            last: self.move_at(self.viewer.cursor).map(|(_, mv)| mv.vertex(game.size())),
            captures: Both::of(|color| board.stones_lost(color.opponent())),
            illegal: illegal.collect(),
            marks: marks(self.tree.node(self.viewer.cursor), self.size),
            may_play: self.may_play(),
        }
    }

    fn may_play(&self) -> bool {
        let to_move = self.viewer.here.to_move();
        match &self.contest {
            Some(contest) if self.is_live() && !contest.is_over() => {
                contest.is_playing() && !contest.is_engine(to_move)
            }
            _ if self.is_looking_back() => false,
            _ => self.viewer.trial.is_none_or(|trial| trial.color == to_move),
        }
    }

    pub fn status_view(&self) -> StatusView {
        let (phase, turn, result) = match &self.contest {
            None => {
                let told = self.tree.root().simple_text("RE").and_then(|text| GameResult::parse(&text));
                ("study", None, told)
            }
            Some(contest) => match &contest.phase {
                Phase::Playing => {
                    let is_engine = contest.is_engine(contest.game.to_move());
                    ("playing", Some(if is_engine { "engine" } else { "human" }), None)
                }
                Phase::Counting { .. } => ("counting", None, None),
                Phase::Over { result, .. } => ("over", None, Some(*result)),
            },
        };
        let game = self.contest.as_ref().map_or(&self.viewer.here, |contest| contest.game());
        StatusView {
            phase,
            to_move: game.to_move().into(),
            turn,
            can_undo: self.undone().is_some(),
            result: result.map(result_view),
            trial: self.viewer.trial.map(|trial| TrialView {
                from: trial.from.number(),
                color: trial.color.into(),
                level: trial.level,
            }),
            teacher: self.teacher_view(),
            hint: self.hint_view(),
            analysing: self.is_analysing(),
            reviewing: self.is_reviewing(),
        }
    }

    pub fn clock_view(&self, now: Instant) -> Option<ClockView> {
        let contest = self.contest.as_ref().filter(|_| self.settings.clock != ClockSetting::None)?;
        let running = contest.running();
        let left = |color| {
            let clock = contest.clock();
            let remaining = match running {
                Some(runs) if runs == color => clock.while_thinking(color, contest.thinking_for(now)),
                _ => clock.remaining(color),
            };
            match remaining {
                None => TimeLeft::default(),
                Some(Remaining::Main { time }) => TimeLeft { main: Some(time.as_secs_f32()), ..TimeLeft::default() },
                Some(Remaining::Overtime { time, moves, periods }) => {
                    TimeLeft { main: None, time: Some(time.as_secs_f32()), moves: Some(moves), periods: Some(periods) }
                }
            }
        };
        Some(ClockView { running: running.map(Side::from), setting: self.settings.clock, left: Both::of(left) })
    }

    pub fn komi_view(&self) -> Option<&KomiView> {
        self.komi.as_ref()
    }

    /// Under which komi the engine chose its last move, and why.
    pub fn note_komi(&mut self, node: NodeId, before: &Game, report: &SearchReport, imagined: ImaginedKomi) {
        let (why, until) = match imagined.reason {
            KomiReason::None => ("none", None),
            KomiReason::HandicapFading { until, .. } => ("handicap_fading", Some(until)),
            KomiReason::SureWin => ("sure_win", None),
            KomiReason::Fighting => ("fighting", None),
        };
        self.learn_extra_komi(node, imagined.extra);
        self.komi = Some(KomiView {
            node: node.number(),
            // The komi that people know, without what the rules add for handicap stones.
            real: before.komi(),
            extra: imagined.extra,
            under: before.komi() + imagined.extra,
            why,
            numbers: KomiNumbers {
                stones: before.handicap().len(),
                mv: before.moves().len(),
                until,
                engine_win: Outlook(report).win_rate().share_of(report.to_move),
            },
        });
        self.changes.komi = true;
    }
}
