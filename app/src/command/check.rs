//! `jigo check`: is everything there that Jigo needs?

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use cpu_time::ProcessTime;
use jigo_arena::locate;
use jigo_board::{Color, Game, MAX_SIZE, Rules, Symmetry};
use jigo_engine::{Engine, Manner};
use jigo_katago::EMBEDDED_NET;
use jigo_net::kernel::Isa;
use jigo_net::kernel::points::{Kernel, Proof};
use jigo_net::{Backend, EMBEDDED_WEIGHTS};

use crate::command::net::kept::looks_per_second;
use crate::config::Config;
use crate::engine_options::{EMBEDDED, EngineOptions, FAST};
use crate::fingerprint::fingerprint;
use crate::nets::{self, AnyNet};
use crate::places;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    engine: EngineOptions,
}

/// Besides the tree: tables, the net, its workspaces.
const MEGABYTES_BESIDES_TREE: u64 = 200;
/// Evaluations that are timed.
const EVALUATIONS: u32 = 20;

pub fn run(args: Args) -> Result<()> {
    let mut findings = Findings::default();
    findings.good(format!("this is Jigo {}", env!("CARGO_PKG_VERSION")));
    check_config(&mut findings, args.engine.config_path());
    check_processor(&mut findings);
    let mut threads = 1;
    match args.engine.maker(&[]) {
        Ok(maker) => {
            threads = maker.threads;
            findings.good(format!("search uses {}", counted(maker.threads, "thread")));
            check_memory(&mut findings, maker.parameters.searching.search.tree_megabytes.into());
            maker.net_card().iter().for_each(|card| check_fingerprint(&mut findings, &card.name));
            check_net(&mut findings, maker.net.net.as_ref(), maker.make(Game::new(MAX_SIZE, Rules::default())));
        }
        Err(error) => findings.bad(format!("no engine can be made: {error:#}")),
    }
    check_kept_nets(&mut findings, threads);
    check_data_folder(&mut findings);
    check_gnugo(&mut findings);
    match findings.problems {
        0 => println!("\nEverything Jigo needs is there."),
        problems => bail!("{} found, see above", counted(problems, "problem")),
    }
    Ok(())
}

/// Prints what is found as it is found.
#[derive(Default)]
struct Findings {
    problems: usize,
}

impl Findings {
    fn good(&mut self, text: String) {
        println!("ok       {text}");
    }

    /// Nothing is lost without it.
    fn note(&mut self, text: String) {
        println!("note     {text}");
    }

    fn bad(&mut self, text: String) {
        println!("PROBLEM  {text}");
        self.problems += 1;
    }
}

fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn check_config(findings: &mut Findings, named: Option<&Path>) {
    match Config::find(named) {
        Ok(Some((path, text))) => match Config::read(&text) {
            Ok(_) => findings.good(format!("settings are read from {}", path.display())),
            Err(error) => findings.bad(format!("the settings in {} are wrong: {error:#}", path.display())),
        },
        Ok(None) => findings.note("there is no configuration file, so everything is as it is by default".into()),
        Err(error) => findings.bad(format!("{error:#}")),
    }
}

fn check_processor(findings: &mut Findings) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    findings.good(format!(
        "the processor has {}; nets run on its {} instructions",
        counted(cores, "core"),
        Isa::best()
    ));
    for kernel in &Proof::of_this_machine().refused {
        findings.note(format!(
            "the kernel {kernel} computes wrong numbers on this machine, so KataGo's nets run on {}; please tell us",
            Kernel::best()
        ));
    }
}

fn check_net(findings: &mut Findings, net: Option<&Arc<dyn Backend>>, mut engine: Engine) {
    let Some(net) = net else {
        return findings.note("no net is used, playouts alone judge positions".into());
    };
    let begun = ProcessTime::now();
    let opinions = (0..EVALUATIONS)
        .filter_map(|turn| engine.raw_net(Color::Black, Symmetry::from_index(turn as usize), Manner::PLAIN));
    let sums: Vec<f32> = opinions.map(|opinion| opinion.moves().map(|(_, probability)| probability).sum()).collect();
    let milliseconds = begun.elapsed().as_secs_f64() * 1000.0 / f64::from(EVALUATIONS);
    if sums.len() == EVALUATIONS as usize && sums.iter().all(|sum| (sum - 1.0).abs() < 1e-3) {
        findings.good(format!("the net works: {}, one look takes {milliseconds:.1} ms", net.description()));
    } else {
        findings.bad("the net loads but its answers make no sense".into());
    }
}

/// Visits per move in a review that deserves the name, and moves of a long game.
const REVIEW_VISITS: f64 = 50.0;
const REVIEW_MOVES: f64 = 250.0;
/// Longer than this nobody likes to wait for a review.
const PATIENCE_MINUTES: f64 = 20.0;

/// What each net that the person keeps would be like to work with, and which to take.
fn check_kept_nets(findings: &mut Findings, threads: usize) {
    let kept = nets::kept();
    if kept.is_empty() {
        return findings
            .note("no nets are kept; with a larger one of KataGo's Jigo is stronger: jigo net add FILE".into());
    }
    let mut strong = Vec::new();
    for file in kept {
        let name = nets::name(&file);
        match AnyNet::read(&file) {
            Ok(net) => {
                // More numbers have learnt more; a net that imitates people is not meant to be strong.
                let strength = match &net {
                    AnyNet::KataGo(net) if net.profile().is_none() => net.numbers(),
                    _ => 0,
                };
                let speed = looks_per_second(net.backend());
                let minutes = REVIEW_MOVES * REVIEW_VISITS / speed / threads as f64 / 60.0;
                findings.good(format!(
                    "{name}: {speed:.1} looks a second on a thread, a review of {REVIEW_MOVES} moves at {REVIEW_VISITS} visits takes \
                     {} on {}",
                    in_minutes(minutes),
                    counted(threads, "thread")
                ));
                strong.extend((strength > 0).then_some((strength, minutes, name)));
            }
            Err(error) => findings.bad(format!("{error:#}")),
        }
    }
    // The strongest that one can wait for, or else the one to wait for least.
    let bearable = strong.iter().filter(|(_, minutes, _)| *minutes <= PATIENCE_MINUTES);
    let best = bearable.max_by_key(|(strength, ..)| *strength);
    if let Some((_, _, name)) = best.or_else(|| strong.iter().min_by(|a, b| a.1.total_cmp(&b.1))) {
        findings.note(format!("for strong play and reviews take --net {name}"));
    }
}

fn in_minutes(minutes: f64) -> String {
    if minutes < 1.0 { "less than a minute".into() } else { counted(minutes.round() as usize, "minute") }
}

/// The file's bytes in short, to compare nets by.
fn check_fingerprint(findings: &mut Findings, net_name: &str) {
    let bytes = match net_name {
        EMBEDDED => Ok(EMBEDDED_NET.to_vec()),
        FAST => Ok(EMBEDDED_WEIGHTS.to_vec()),
        _ => nets::find(net_name).and_then(|file| Ok(fs::read(file)?)),
    };
    match bytes {
        Ok(bytes) => findings.good(format!("the net's fingerprint is {} ({net_name})", fingerprint(&bytes))),
        Err(error) => findings.bad(format!("the net {net_name} cannot be read: {error}")),
    }
}

fn check_memory(findings: &mut Findings, tree_megabytes: u64) {
    let wanted = tree_megabytes + MEGABYTES_BESIDES_TREE;
    match available_megabytes() {
        Some(free) if free < wanted => findings.bad(format!(
            "only {free} MB of memory are free and {wanted} MB may be wanted: make the tree smaller with \
             --set search.tree_megabytes={}",
            free.saturating_sub(MEGABYTES_BESIDES_TREE).max(8)
        )),
        Some(free) => findings.good(format!("{free} MB of memory are free, {wanted} MB may be wanted")),
        None => findings.note(format!("up to {wanted} MB of memory may be wanted")),
    }
}

/// Linux tells; other systems are not asked.
fn available_megabytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

fn check_data_folder(findings: &mut Findings) {
    let Some(folder) = places::data_folder() else {
        return findings.bad("there is no folder for data: your home folder is not known".into());
    };
    let probe = folder.join(format!(".jigo-check-{}", std::process::id()));
    match fs::create_dir_all(&folder).and_then(|()| fs::write(&probe, b"")).and_then(|()| fs::remove_file(&probe)) {
        Ok(()) => findings.good(format!("data can be kept in {}", folder.display())),
        Err(error) => findings.bad(format!("nothing can be kept in {}: {error}", folder.display())),
    }
}

fn check_gnugo(findings: &mut Findings) {
    let program = locate("gnugo");
    if program.is_file() {
        findings.good(format!("GNU Go is {}", program.display()));
    } else {
        findings.note("GNU Go is not installed; only matches against it need it".into());
    }
}
