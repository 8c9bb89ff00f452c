//! `jigo analysis`: many positions at once, for programs that speak KataGo's JSON analysis protocol.

use std::io::{BufReader, ErrorKind, stdin, stdout};

use jigo_analysis::{AnalysisService, AtEnd, Options, Viewpoint, serve};
use jigo_board::{Game, MAX_SIZE, Rules};

use crate::engine_options::EngineOptions;
use crate::version::{COMMIT, VERSION};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    engine: EngineOptions,

    /// Positions analysed at the same time; they share threads and memory. By default half as many as there are
    /// threads, but at least 2 and at most 8
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    workers: Option<u64>,

    /// Visits for queries that do not say how many they want
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    visits: u64,

    /// Whose win rates and scores are told, unless a query wants others: black, white or sidetomove
    #[arg(long, value_name = "WHO", default_value = "black", value_parser = viewpoint)]
    report_as: Viewpoint,

    /// When the input ends, drop what has not been answered yet
    #[arg(long)]
    quit_without_waiting: bool,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    let maker = args.engine.maker(&[])?;
    let workers = args.workers.map_or_else(|| (maker.threads / 2).clamp(2, 8), |workers| workers as usize);
    let maker = maker.shared_by(workers);
    let options = Options {
        workers,
        default_visits: args.visits,
        viewpoint: args.report_as,
        version: VERSION.into(),
        commit: (!COMMIT.is_empty()).then(|| COMMIT.into()),
        models: maker.net.in_use(),
        largest_batch: maker.parameters.searching.search.net_batch,
        nets: Some(maker.nets.clone()),
    };
    let service = AnalysisService::new(Box::new(move || maker.make(Game::new(MAX_SIZE, Rules::default()))), options);
    end_with_reader();
    let at_end = if args.quit_without_waiting { AtEnd::DropQueries } else { AtEnd::FinishQueries };
    match serve(&service, BufReader::new(stdin()), stdout(), at_end) {
        // Nobody is left to hear the rest, which is how many programs say goodbye.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Ends the program as soon as nobody can read its answers, even in the middle of a long thought: a client that is gone has
/// closed both streams, and the end of the input alone may mean that all answers are still wanted.
#[cfg(unix)]
fn end_with_reader() {
    use rustix::event::{PollFd, PollFlags, poll};
    let watch = || {
        let output = stdout();
        let mut reader = [PollFd::new(&output, PollFlags::empty())];
        while poll(&mut reader, None) == Err(rustix::io::Errno::INTR) {}
        if reader[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            std::process::exit(0);
        }
    };
    // Without it the next answer tells.
    std::thread::Builder::new().name("analysis-reader".into()).spawn(watch).ok();
}

/// Elsewhere the next answer tells.
#[cfg(not(unix))]
fn end_with_reader() {}

fn viewpoint(text: &str) -> Result<Viewpoint, String> {
    Viewpoint::parse(text).ok_or_else(|| "it is black, white or sidetomove".into())
}
