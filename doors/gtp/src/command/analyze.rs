//! Thinking aloud: analysis, and moves chosen with somebody watching.

use std::time::Duration;

use jigo_board::{Color, Move, Rules};
use jigo_engine::{AnalysisRequest, Decision, Limits, Progress, SearchReport, StopFlag, TimeBudget, Watcher};

use super::Run::{Once, Streaming};
use super::play::spell;
use super::{Command, DONE};
use crate::analysis::{AnalyzeArguments, View, cgos, kata, lz};
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;
use crate::stream::ReplyStream;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "lz-analyze",
        help: "[COLOR] [CENTISECONDS] [KEY VALUE]...: think aloud in Leela Zero's words until the next line",
        run: Streaming(|session, arguments, stream| analyze(session, arguments, stream, lz::render)),
    },
    Command {
        name: "lz-genmove_analyze",
        help: "[COLOR] [CENTISECONDS] [KEY VALUE]...: genmove, thinking aloud",
        run: Streaming(|session, arguments, stream| genmove_analyze(session, arguments, stream, lz::render)),
    },
    Command {
        name: "kata-analyze",
        help: "[COLOR] [CENTISECONDS] [KEY VALUE]...: think aloud in KataGo's words until the next line",
        run: Streaming(|session, arguments, stream| analyze(session, arguments, stream, kata::render)),
    },
    Command {
        name: "kata-genmove_analyze",
        help: "[COLOR] [CENTISECONDS] [KEY VALUE]...: genmove, thinking aloud",
        run: Streaming(|session, arguments, stream| genmove_analyze(session, arguments, stream, kata::render)),
    },
    Command { name: "kata-search", help: "[COLOR]: choose a move without making it", run: Once(search_once) },
    Command {
        name: "kata-search_cancellable",
        help: "[COLOR]: the same, given up when the next line comes",
        run: Streaming(search_cancellable),
    },
    Command {
        name: "kata-search_analyze",
        help: "[COLOR] [CENTISECONDS] [KEY VALUE]...: choose a move without making it, thinking aloud",
        run: Streaming(search_analyze),
    },
    Command {
        name: "kata-search_analyze_cancellable",
        help: "[COLOR] [CENTISECONDS] [KEY VALUE]...: the same, given up when the next line comes",
        run: Streaming(search_analyze_cancellable),
    },
    Command {
        name: "cgos-genmove_analyze",
        help: "COLOR: genmove, with the analysis the Computer Go Server stores",
        run: Streaming(cgos_genmove_analyze),
    },
    Command { name: "stop", help: "think no more until something is asked", run: Once(stop) },
    Command { name: "stop-ponder", help: "the same", run: Once(stop) },
];

/// KataGo's dialect for programs that tell floating point numbers by their points. Sabaki would prefer these to KataGo's own
/// and read their win rates in hundredths, so that nobody is told of them.
pub const UNLISTED: &[Command] = &[
    Command {
        name: "analyze",
        help: "[COLOR] [CENTISECONDS] [KEY VALUE]...: as kata-analyze, every number with a point",
        run: Streaming(|session, arguments, stream| analyze(session, arguments, stream, kata::render_with_points)),
    },
    Command {
        name: "genmove_analyze",
        help: "[COLOR] [CENTISECONDS] [KEY VALUE]...: as kata-genmove_analyze, every number with a point",
        run: Streaming(|session, arguments, stream| {
            genmove_analyze(session, arguments, stream, kata::render_with_points)
        }),
    },
];

/// One way to write a report.
type Render = fn(&View<'_>, &AnalyzeArguments) -> String;

/// For clients that name no interval.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);

/// What is found out for whoever has said something else before anything could be told: so many simulations, unless they take too
/// long, so that there always is something to say.
const GLANCE: Limits = Limits {
    playouts: Some(16),
    visits: None,
    time: Some(TimeBudget { desired: Duration::from_millis(100), maximum: Duration::from_millis(100) }),
};

fn analyze(
    session: &mut Session,
    arguments: &mut Arguments,
    stream: &mut ReplyStream,
    render: Render,
) -> Result<String, Failure> {
    let Asked { color, wishes, size } = read(session, arguments)?;
    let request = AnalysisRequest {
        color,
        limits: Limits::default(),
        restrictions: &wishes.restrictions,
        every: wishes.interval.unwrap_or(DEFAULT_INTERVAL),
        move_ownership: wishes.wants_move_ownership(),
        fresh: false,
    };
    stream.begin();
    let heard = stream.heard();
    let mut tell = |report: &SearchReport| stream.say(&render(&View::new(report, size), &wishes));
    session.engine.analyse(&request, heard, &mut tell);
    if stream.is_silent() {
        let glance = AnalysisRequest { limits: GLANCE, ..request };
        let report = session.engine.analyse(&glance, &StopFlag::default(), &mut |_| {});
        stream.say(&render(&View::new(&report, size), &wishes));
    }
    DONE
}

fn genmove_analyze(
    session: &mut Session,
    arguments: &mut Arguments,
    stream: &mut ReplyStream,
    render: Render,
) -> Result<String, Failure> {
    let asked = read(session, arguments)?;
    Ok(genmove_aloud(session, asked, stream, render))
}

/// The server counts dead stones as alive, and its client never tells the rules.
fn cgos_genmove_analyze(
    session: &mut Session,
    arguments: &mut Arguments,
    stream: &mut ReplyStream,
) -> Result<String, Failure> {
    let asked = read(session, arguments)?;
    if session.engine.game().rules().friendly_pass_ok {
        session.engine.set_rules(Rules::by_name("tromp-taylor").unwrap_or_default());
    }
    Ok(genmove_aloud(session, asked, stream, |view, _| cgos::render(view)))
}

fn genmove_aloud(session: &mut Session, asked: Asked, stream: &mut ReplyStream, render: Render) -> String {
    let Asked { color, wishes, size } = asked;
    stream.begin();
    let mut tell = |report: &SearchReport| stream.say(&render(&View::new(report, size), &wishes));
    let decision = session.engine.genmove_watched(color, watcher(&wishes, &mut tell));
    say_last(session, stream, &wishes, render);
    session.asides.comment(color, decision, session.engine.last_report(), size);
    format!("play {}", spell(decision, size))
}

fn search_once(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color_or(session.engine.game().to_move())?;
    let decision = session.engine.suggest(color);
    session.log_search();
    Ok(spell(decision, session.engine.game().size()))
}

fn search_cancellable(
    session: &mut Session,
    arguments: &mut Arguments,
    stream: &mut ReplyStream,
) -> Result<String, Failure> {
    let color = arguments.color_or(session.engine.game().to_move())?;
    let heard = stream.heard();
    let decision = session.engine.suggest_watched(color, heard, Watcher::new(Duration::MAX, &mut |_| {}));
    session.log_search();
    let size = session.engine.game().size();
    Ok(if heard.is_raised() { "cancelled".to_owned() } else { spell(decision, size) })
}

fn search_analyze(
    session: &mut Session,
    arguments: &mut Arguments,
    stream: &mut ReplyStream,
) -> Result<String, Failure> {
    let stop = session.engine.stop_flag();
    let (decision, size) = search(session, arguments, stream, &stop)?;
    Ok(format!("play {}", spell(decision, size)))
}

fn search_analyze_cancellable(
    session: &mut Session,
    arguments: &mut Arguments,
    stream: &mut ReplyStream,
) -> Result<String, Failure> {
    let heard = stream.heard();
    let (decision, size) = search(session, arguments, stream, heard)?;
    let choice = if heard.is_raised() { "cancelled".to_owned() } else { spell(decision, size) };
    Ok(format!("play {choice}"))
}

fn search(
    session: &mut Session,
    arguments: &mut Arguments,
    stream: &mut ReplyStream,
    stop: &StopFlag,
) -> Result<(Decision, usize), Failure> {
    let Asked { color, wishes, size } = read(session, arguments)?;
    stream.begin();
    let mut tell = |report: &SearchReport| stream.say(&kata::render(&View::new(report, size), &wishes));
    let decision = session.engine.suggest_watched(color, stop, watcher(&wishes, &mut tell));
    say_last(session, stream, &wishes, kata::render);
    Ok((decision, size))
}

/// What is to be analysed.
struct Asked {
    color: Color,
    wishes: AnalyzeArguments,
    size: usize,
}

fn read(session: &Session, arguments: &mut Arguments) -> Result<Asked, Failure> {
    let game = session.engine.game();
    let wishes = AnalyzeArguments::read(arguments, game.size())?;
    let color = wishes.color.unwrap_or(game.to_move());
    let is_left = |mv: Move| !wishes.restrictions.iter().any(|restriction| restriction.forbids(color, 0, mv));
    // The search looks at no suicide, even where the rules allow it.
    let mut points = game.legal_points(color).into_iter().filter(|&point| !game.board().is_suicide(color, point));
    if !is_left(Move::Pass) && !points.any(|point| is_left(Move::Play(point))) {
        return Err(Failure::NothingToAnalyse);
    }
    Ok(Asked { color, wishes, size: game.size() })
}

/// Without an interval only the end of the thought is told.
fn watcher<'a>(wishes: &'a AnalyzeArguments, tell: &'a mut dyn FnMut(&SearchReport)) -> Watcher<'a> {
    Watcher {
        progress: Progress { every: wishes.interval.unwrap_or(Duration::MAX), tell },
        restrictions: &wishes.restrictions,
        move_ownership: wishes.wants_move_ownership(),
    }
}

/// What the search came to in the end, which is what the move was chosen by.
fn say_last(session: &Session, stream: &mut ReplyStream, wishes: &AnalyzeArguments, render: Render) {
    session.log_search();
    if let Some(report) = session.engine.last_report().filter(|report| !report.moves.is_empty()) {
        stream.say(&render(&View::new(report, session.engine.game().size()), wishes));
    }
}

/// The line itself has ended any analysis; what is left to end is thinking on the opponent's time.
fn stop(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    session.engine.rest();
    DONE
}
