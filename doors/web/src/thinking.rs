//! The thread that thinks for one session: it asks the table what it wishes, thinks, tells, and asks again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jigo_board::{Color, Game, Move};
use jigo_engine::{
    AnalysisRequest, Decision, Engine, ImaginedKomi, Level, Limits, Outlook, SearchReport, StopFlag, Strength,
    natural_pause,
};
use jigo_sgf::NodeId;
use tracing::debug;

use crate::analysis_view::found;
use crate::messages::{AnalysisView, Event, ThinkingView};
use crate::minds::{Minds, Opponent};
use crate::session::Session;
use crate::table::{NodeEvaluation, TEACHER_VISITS, Wish};

/// How often a running thought is told about.
const TELL_EVERY: Duration = Duration::from_millis(200);
/// Without anything to do for so long, the engines and their memory are given back.
const REST_AFTER: Duration = Duration::from_secs(120);
/// No natural pause takes more than this part of the time the engine has left.
const PART_OF_CLOCK: u32 = 30;
/// An opponent's glance at the position is not worth keeping.
const TRUSTED_VISITS: u32 = 100;

/// Thinks until the session is closed.
pub fn think(session: &Arc<Session>, minds: &Minds) {
    let mut bench = Bench { minds, player: None, analyst: None };
    while let Some(next) = next(session) {
        match next {
            Next::Rest => bench = Bench { minds, player: None, analyst: None },
            Next::Wish(wish, game) => {
                debug!(?wish, "thinks");
                match wish {
                    Wish::Reply { node, level } => {
                        let opponent = session.look(|table| table.opponent(level));
                        reply(session, bench.player(opponent), wish, node, level, *game);
                    }
                    Wish::Judge { .. } => judge(session, bench.analyst(), wish, *game),
                    Wish::Teach { node } => teach(session, bench.analyst(), wish, node, *game),
                    Wish::Analyse { node, until } => analyse(session, bench.analyst(), wish, node, until, *game),
                    Wish::Review { node, visits } => review(session, bench.analyst(), wish, node, visits, *game),
                }
                session.lock().set_running(None);
            }
        }
    }
}

/// The engines of one session, made when they are first needed.
struct Bench<'a> {
    minds: &'a Minds,
    player: Option<(Opponent, Engine)>,
    /// With the net it was asked to think with.
    analyst: Option<(Option<String>, Engine)>,
}

impl Bench<'_> {
    fn player(&mut self, wanted: Opponent) -> &mut Engine {
        let kept = self.player.take().filter(|(known, _)| *known == wanted);
        let make = || {
            let engine = self.minds.engine_of(&wanted);
            (wanted, engine)
        };
        &mut self.player.insert(kept.unwrap_or_else(make)).1
    }

    fn analyst(&mut self) -> &mut Engine {
        let net = self.minds.analyst_net();
        let kept = self.analyst.take().filter(|(known, _)| *known == net);
        let make = || {
            let engine = self.minds.analyst_with(net.as_deref());
            (net, engine)
        };
        &mut self.analyst.insert(kept.unwrap_or_else(make)).1
    }
}

enum Next {
    Wish(Wish, Box<Game>),
    Rest,
}

/// Waits for a wish; none once the session is closed.
fn next(session: &Session) -> Option<Next> {
    let mut state = session.lock();
    let idle_since = Instant::now();
    loop {
        if state.is_closed() {
            return None;
        }
        state.table.check_flag(Instant::now());
        // A game that cannot be saved has been told about; the thinker has nothing to add.
        let _ = session.tell_changes(&mut state);
        if let Some(wish) = state.wish() {
            match state.table.game_for(wish) {
                Some(game) => return Some(Next::Wish(wish, Box::new(game))),
                // Nothing can be thought about a position that cannot be reached.
                None => {
                    if let Wish::Review { node, .. } = wish {
                        state.table.reviewed(node, None);
                        continue;
                    }
                }
            }
        }
        session.save_learnt(&mut state);
        if idle_since.elapsed() >= REST_AFTER {
            return Some(Next::Rest);
        }
        let flag = state.table.contest().and_then(|contest| contest.flag_falls());
        let until_flag = flag.map_or(REST_AFTER, |at| at.saturating_duration_since(Instant::now()));
        state = session.wait(state, until_flag.min(REST_AFTER));
    }
}

/// Registers a thought that `stop` ends, unless it is no longer wished for.
fn begin(session: &Session, wish: Wish, stop: &StopFlag) -> bool {
    let mut state = session.lock();
    stop.lower();
    let is_wished = state.wish() == Some(wish);
    state.set_running(is_wished.then(|| (wish, stop.clone())));
    is_wished
}

fn reply(session: &Session, engine: &mut Engine, wish: Wish, node: NodeId, level: u64, game: Game) {
    let color = game.to_move();
    let clock = session.look(|table| table.clock_for(wish));
    let allowance = clock.until_flag(color);
    engine.continue_from(game.clone());
    *engine.clock_mut() = clock;
    if !begin(session, wish, &engine.stop_flag()) {
        return;
    }
    let began = Instant::now();
    let of = match Level::numbered(level).strength {
        Strength::Playouts(playouts) => Some(playouts.into()),
        Strength::Policy { .. } | Strength::Clock => None,
    };
    let decision = engine.genmove_told(color, TELL_EVERY, &mut |report| tell_thinking(session, wish, report, of));
    // A pass in answer to a pass is decided without a search: what is told of it is no more than a glance.
    let report = engine.last_report().filter(|_| decision != Decision::Move(Move::Pass));
    let imagined = report.map(|report| ImaginedKomi::of(&game, color, report, engine.parameters()));

    let mut state = session.lock();
    if state.table.is_paced() {
        let limit = allowance.map_or(Duration::MAX, |left| left / PART_OF_CLOCK);
        let pause = natural_pause(report).min(limit);
        while state.wish() == Some(wish) && began.elapsed() < pause {
            state = session.wait(state, pause.saturating_sub(began.elapsed()));
        }
    }
    if state.wish() != Some(wish) || engine.stop_flag().is_raised() {
        return;
    }
    if let Some(report) = report.filter(|report| report.visits >= TRUSTED_VISITS) {
        state.table.learn(node, &NodeEvaluation::of(report, game.size()));
    }
    if let (Some(report), Some(imagined)) = (report, imagined) {
        state.table.note_komi(node, &game, report, imagined);
    }
    state.table.engine_decides(node, decision, Instant::now());
    state.set_running(None);
    let _ = session.tell_changes(&mut state);
    let mv = match decision {
        Decision::Move(mv) => mv.vertex(game.size()),
        Decision::Resign => "resign".to_owned(),
    };
    state.broadcast(Event::Thought { color: color.into(), mv }.to_json().into());
}

fn tell_thinking(session: &Session, wish: Wish, report: &SearchReport, of: Option<u64>) {
    let outlook = Outlook(report);
    let view = ThinkingView {
        color: report.to_move.into(),
        visits: report.visits,
        of,
        seconds: report.elapsed.as_secs_f32(),
        black_win: outlook.win_rate().share_of(Color::Black),
        black_lead: outlook.black_lead(),
    };
    let mut state = session.lock();
    if state.wish() == Some(wish) {
        state.broadcast(Event::Thinking(view).to_json().into());
    }
}

fn judge(session: &Session, engine: &mut Engine, wish: Wish, game: Game) {
    engine.continue_from(game);
    if !begin(session, wish, &engine.stop_flag()) {
        return;
    }
    let judgement = engine.judge();
    let mut state = session.lock();
    if state.wish() == Some(wish) && !engine.stop_flag().is_raised() {
        state.table.propose_dead(*judgement.dead());
        let _ = session.tell_changes(&mut state);
    }
}

/// A thought was ended before its time: nobody waits for it.
struct Interrupted;

/// Runs an analysis of so many visits and tells about it. A live one goes on from what is known; what is kept in the record is
/// thought about afresh, so that all positions are judged alike.
fn search(
    session: &Session,
    engine: &mut Engine,
    wish: Wish,
    game: &Game,
    visits: u32,
    tell: &mut dyn FnMut(&SearchReport),
) -> Result<SearchReport, Interrupted> {
    engine.continue_from(game.clone());
    let stop = StopFlag::default();
    if !begin(session, wish, &stop) {
        return Err(Interrupted);
    }
    let request = AnalysisRequest {
        color: game.to_move(),
        limits: Limits { playouts: None, visits: Some(visits.into()), time: None },
        restrictions: &[],
        every: TELL_EVERY,
        move_ownership: false,
        fresh: !matches!(wish, Wish::Analyse { .. }),
    };
    let report = engine.analyse(&request, &stop, tell);
    if stop.is_raised() { Err(Interrupted) } else { Ok(report) }
}

fn analyse(session: &Session, engine: &mut Engine, wish: Wish, node: NodeId, until: u32, game: Game) {
    let show = |report: &SearchReport, is_running: bool| {
        let found = found(game.board(), report, until, is_running);
        let event = Event::Analysis(AnalysisView { node: Some(node.number()), found: Some(found) });
        let message = event.to_json().into();
        let mut state = session.lock();
        state.table.check_flag(Instant::now());
        if state.wish() != Some(wish) {
            return;
        }
        if !is_running {
            state.table.learn(node, &NodeEvaluation::of(report, game.size()));
            state.table.rest(node, until);
        }
        state.show_analysis(node, message);
        let _ = session.tell_changes(&mut state);
    };
    if let Ok(report) = search(session, engine, wish, &game, until, &mut |report| show(report, true)) {
        show(&report, false);
    }
}

fn teach(session: &Session, engine: &mut Engine, wish: Wish, node: NodeId, game: Game) {
    let mut report = None;
    if !game.is_over() {
        let Ok(found) = search(session, engine, wish, &game, TEACHER_VISITS, &mut |_| {}) else { return };
        report = Some(found);
    }
    let found = report.as_ref().map(|report| (report, judged(report, &game)));
    let mut state = session.lock();
    if state.wish() == Some(wish) {
        state.table.taught(node, found);
        let _ = session.tell_changes(&mut state);
    }
}

/// An evaluation that is kept for good, with who owns what.
fn judged(report: &SearchReport, game: &Game) -> NodeEvaluation {
    NodeEvaluation::of(report, game.size()).with_ownership(report, game.board().points())
}

fn review(session: &Session, engine: &mut Engine, wish: Wish, node: NodeId, visits: u32, game: Game) {
    let mut evaluation = None;
    if !game.is_over() {
        let Ok(report) = search(session, engine, wish, &game, visits, &mut |_| {}) else { return };
        evaluation = Some(judged(&report, &game));
    }
    let mut state = session.lock();
    if state.wish() == Some(wish) {
        state.table.reviewed(node, evaluation.as_ref());
        let _ = session.tell_changes(&mut state);
    }
}
