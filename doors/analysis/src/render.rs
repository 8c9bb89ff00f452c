//! A report as a line of the protocol.

use jigo_board::{Board, Color, Game, Move, Point, Symmetry, WinRate};
use jigo_engine::{Evaluation, Forecast, MoveReport, SearchReport};
use serde_json::{Map, Value, json};

use crate::query::Query;
use crate::queue::Job;
use crate::settings::seen_by;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    DuringSearch,
    Final,
}

/// Distinguishes hashes of equal stones with different players to move.
const WHITE_TO_MOVE: u64 = 0x9E37_79B9_7F4A_7C15;

/// The answer for a position nothing was found out about.
pub fn no_results(job: &Job) -> String {
    json!({ "id": job.asked.query.id, "turnNumber": job.turn, "isDuringSearch": false, "noResults": true }).to_string()
}

pub fn render(
    query: &Query,
    turn: usize,
    game: &Game,
    report: &SearchReport,
    human: Option<&Evaluation>,
    stage: Stage,
) -> String {
    let view = View { query, game, report, human, viewer: query.viewpoint.viewer(report.to_move) };
    let mut answer = Map::new();
    answer.insert("id".into(), query.id.as_str().into());
    answer.insert("turnNumber".into(), turn.into());
    answer.insert("isDuringSearch".into(), (stage == Stage::DuringSearch).into());
    answer.insert("moveInfos".into(), view.moves());
    answer.insert("rootInfo".into(), view.root());
    if query.wants.ownership {
        answer.insert("ownership".into(), view.per_point(|point| seen_by(view.viewer, report.ownership(point))));
    }
    if query.wants.ownership_stdev {
        answer.insert("ownershipStdev".into(), view.per_point(|point| report.ownership_stdev(point)));
    }
    if query.wants.policy {
        answer.insert("policy".into(), view.policy());
        if let Some(human) = human {
            answer.insert("humanPolicy".into(), view.by_move(|mv| human.probability(mv)));
        }
    }
    Value::Object(answer).to_string()
}

/// A report as one side sees it.
struct View<'a> {
    query: &'a Query,
    game: &'a Game,
    report: &'a SearchReport,
    /// What the player that the query names would do.
    human: Option<&'a Evaluation>,
    viewer: Color,
}

impl View<'_> {
    /// Moves that were simulated; before there are any, the one that looks best.
    fn moves(&self) -> Value {
        let simulated = self.report.moves.iter().filter(|info| info.visits > 0).count();
        let told = self.report.moves.iter().take(simulated.max(1));
        told.enumerate().map(|(order, info)| self.one_move(order, info)).collect()
    }

    fn one_move(&self, order: usize, info: &MoveReport) -> Value {
        let wants = &self.query.wants;
        // KataGo does not count the first move.
        let length = wants.variation_length.map_or(usize::MAX, |length| length + 1).min(info.variation.len());
        let variation = &info.variation[..length];
        let visits = &info.variation_visits[..length.min(info.variation_visits.len())];
        let mut told = self.outlook(info.visits, info.win_rate, info.black_score, info.black_score_stdev);
        let lcb = info.win_rate_lcb.share_of(self.viewer);
        told.insert("move".into(), self.vertex(info.mv).into());
        told.insert("order".into(), order.into());
        told.insert("edgeVisits".into(), info.visits.into());
        told.insert("edgeWeight".into(), info.visits.into());
        // The move that is played is the one most visited.
        told.insert("playSelectionValue".into(), info.visits.into());
        told.insert("prior".into(), number(info.policy));
        if let Some(human) = self.human {
            told.insert("humanPrior".into(), number(human.probability(info.mv)));
        }
        if let Some(searched) = info.image_of {
            told.insert("isSymmetryOf".into(), self.vertex(searched).into());
        }
        told.insert("lcb".into(), number(lcb));
        told.insert("utilityLcb".into(), number(2.0 * lcb - 1.0));
        told.insert("pv".into(), variation.iter().map(|&mv| self.vertex(mv)).collect());
        if wants.variation_visits {
            told.insert("pvVisits".into(), visits.into());
        }
        if wants.variation_edge_visits {
            told.insert("pvEdgeVisits".into(), visits.into());
        }
        if wants.moves_ownership {
            let owner = |point| seen_by(self.viewer, info.ownership(point).unwrap_or(self.report.ownership(point)));
            told.insert("ownership".into(), self.per_point(owner));
        }
        if wants.moves_ownership_stdev {
            let stdev = |point| info.ownership_stdev(point).unwrap_or_else(|| self.report.ownership_stdev(point));
            told.insert("ownershipStdev".into(), self.per_point(stdev));
        }
        Value::Object(told)
    }

    fn root(&self) -> Value {
        let report = self.report;
        let mut told = self.outlook(report.visits, report.win_rate, report.black_score, report.black_score_stdev());
        told.insert("currentPlayer".into(), report.to_move.letter().to_string().into());
        told.insert("lcb".into(), told["winrate"].clone());
        let board = self.game.board();
        let ko = board.ko_point(report.to_move);
        told.insert("thisHash".into(), format!("{:016X}", self.hash(board.hash(), ko)).into());
        told.insert("symHash".into(), format!("{:016X}", self.symmetric_hash(board)).into());
        if let Some(net) = report.raw_net() {
            told.extend(self.raw(net).map(|(name, value)| (name.to_owned(), number(value))));
        }
        if let Some(human) = self.human {
            told.extend(self.human(human).map(|(name, value)| (name.to_owned(), number(value))));
        }
        Value::Object(told)
    }

    /// What the net said before any search. How sure it is, some of KataGo's nets know and ours does not.
    fn raw(&self, net: &Evaluation) -> impl Iterator<Item = (&'static str, f32)> {
        let forecast = net.forecast(self.report.komi);
        let sure = forecast.later.map(|later| {
            [
                ("rawStWrError", later.value_error / 2.0),
                ("rawStScoreError", later.score_error),
                ("rawVarTimeLeft", later.variance_time),
            ]
        });
        let told = [
            ("rawWinrate", self.win_rate_of(net)),
            ("rawLead", seen_by(self.viewer, forecast.black_lead)),
            ("rawScoreSelfplay", seen_by(self.viewer, forecast.black_score)),
            ("rawScoreSelfplayStdev", spread(&forecast)),
            ("rawNoResultProb", forecast.no_result),
        ];
        told.into_iter().chain(sure.into_iter().flatten())
    }

    /// What the player whom the query names would expect.
    fn human(&self, human: &Evaluation) -> impl Iterator<Item = (&'static str, f32)> {
        let forecast = human.forecast(self.report.komi);
        let sure = forecast
            .later
            .map(|later| [("humanStWrError", later.value_error / 2.0), ("humanStScoreError", later.score_error)]);
        let told = [
            ("humanWinrate", self.win_rate_of(human)),
            ("humanScoreMean", seen_by(self.viewer, forecast.black_score)),
            ("humanScoreStdev", spread(&forecast)),
        ];
        told.into_iter().chain(sure.into_iter().flatten())
    }

    fn win_rate_of(&self, net: &Evaluation) -> f32 {
        net.value.win_rate(self.report.komi).share_of(self.viewer)
    }

    /// What is told about the position and about each move alike.
    fn outlook(&self, visits: u32, win_rate: WinRate, black_score: f32, stdev: f32) -> Map<String, Value> {
        let win_rate = win_rate.share_of(self.viewer);
        let lead = number(seen_by(self.viewer, black_score - self.report.komi));
        let mut told = Map::new();
        told.insert("visits".into(), visits.into());
        told.insert("weight".into(), visits.into());
        told.insert("winrate".into(), number(win_rate));
        told.insert("utility".into(), number(2.0 * win_rate - 1.0));
        told.insert("scoreLead".into(), lead.clone());
        told.insert("scoreMean".into(), lead.clone());
        told.insert("scoreSelfplay".into(), lead);
        told.insert("scoreStdev".into(), number(stdev));
        if self.query.wants.no_result_value {
            told.insert("noResultValue".into(), 0.into());
        }
        told
    }

    /// The net's opinion before any search, or what stands in for it without a net.
    fn policy(&self) -> Value {
        let report = self.report;
        let prior = |mv: Move| match report.raw_net() {
            Some(net) => net.probability(mv),
            None => report.moves.iter().find(|info| info.mv == mv).map_or(0.0, |info| info.policy),
        };
        self.by_move(prior)
    }

    /// A number for every point and the pass; illegal moves have -1.
    fn by_move(&self, value: impl Fn(Move) -> f32) -> Value {
        let moves = self.game.board().points().map(Move::Play).chain([Move::Pass]);
        let is_legal = |mv| self.game.check(self.report.to_move, mv).is_ok();
        moves.map(|mv| number(if is_legal(mv) { value(mv) } else { -1.0 })).collect()
    }

    fn per_point(&self, value: impl Fn(Point) -> f32) -> Value {
        self.game.board().points().map(|point| number(value(point))).collect()
    }

    fn vertex(&self, mv: Move) -> String {
        mv.vertex(self.query.start.size)
    }

    /// One number for the stones, the player to move and the ko.
    fn hash(&self, stones_hash: u64, ko: Option<Point>) -> u64 {
        let to_move = if self.report.to_move == Color::White { WHITE_TO_MOVE } else { 0 };
        let ko = ko.map_or(0, |point| point.index() as u64 + 1);
        stones_hash ^ to_move ^ ko.wrapping_mul(WHITE_TO_MOVE).rotate_left(17)
    }

    /// The same for positions that are turned or mirrored.
    fn symmetric_hash(&self, board: &Board) -> u64 {
        let size = board.size();
        let stones = || board.points().filter_map(|point| Some((board.color_at(point)?, point)));
        let ko = board.ko_point(self.report.to_move);
        let hash = |symmetry: Symmetry| {
            let turned = stones().map(|(color, point)| (color, symmetry.apply(point, size)));
            // A turned position is a position; for one that were not, its own hash would do.
            let stones_hash = Board::with_stones(size, turned).map_or(board.hash(), |turned| turned.hash());
            self.hash(stones_hash, ko.map(|point| symmetry.apply(point, size)))
        };
        Symmetry::all().map(hash).min().unwrap_or_default()
    }
}

/// How far the score may be from what is expected.
fn spread(forecast: &Forecast) -> f32 {
    (forecast.score_square - forecast.black_score.powi(2)).max(0.0).sqrt()
}

/// Six digits are plenty, and a line has hundreds of numbers.
fn number(value: f32) -> Value {
    let value = if value.is_finite() { f64::from(value) } else { 0.0 };
    ((value * 1e6).round() / 1e6).into()
}
