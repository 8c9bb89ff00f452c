//! `jigo net add` and `jigo net list`: the nets a person keeps.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use cpu_time::ThreadTime;
use jigo_board::{Board, Color, Symmetry};
use jigo_katago::{EMBEDDED_NET, KataNet};
use jigo_net::planes::HISTORY;
use jigo_net::{Backend, EMBEDDED_WEIGHTS, Net, Position, View};

use crate::engine_options::{EMBEDDED, FAST};
use crate::nets::{self, AnyNet};

#[derive(clap::Args)]
pub struct AddArgs {
    /// A net file: ours (.safetensors) or KataGo's (.bin.gz, .txt.gz)
    file: PathBuf,
    /// What to call it; by default its file's name
    #[arg(long)]
    name: Option<String>,
}

/// Copies a net into the folder, if it is one.
pub fn add(args: &AddArgs) -> Result<()> {
    let net = AnyNet::read(&args.file)?;
    let folder = nets::folder().context("there is no folder for your files: no home is set")?;
    let file = args.file.file_name().context("a net is a file")?.to_string_lossy().into_owned();
    let own = nets::name(Path::new(&file));
    let name = args.name.as_deref().unwrap_or(&own);
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) || name.starts_with('.')
    {
        bail!("a net's name is made of letters, digits, - and _, not {name:?}");
    }
    if [EMBEDDED, FAST, "none"].contains(&name) {
        bail!("{name} already means something else; give the net another name with --name");
    }
    fs::create_dir_all(&folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    let kept = folder.join(format!("{name}{}", &file[own.len()..]));
    if kept.exists() {
        bail!("there is a net {name} already: {}", kept.display());
    }
    // Under another name first, so that a copy cut short is never taken for a net.
    let unfinished = folder.join(format!(".{name}.unfinished"));
    fs::copy(&args.file, &unfinished)
        .and_then(|_| fs::rename(&unfinished, &kept))
        .with_context(|| format!("the net cannot be copied to {}", kept.display()))?;
    println!("{} is now yours as {name}: try jigo gtp --net {name}", net.backend().description());
    Ok(())
}

pub fn list() -> Result<()> {
    println!("{:<40} {:>8} {:>9}  good for", "name", "size", "looks/s");
    let strong = AnyNet::KataGo(KataNet::embedded());
    let fast = AnyNet::Ours(Net::embedded());
    for (name, file, net) in [(EMBEDDED, EMBEDDED_NET, strong), (FAST, EMBEDDED_WEIGHTS, fast)] {
        let good_for = good_for(&net);
        line(name, file.len() as u64, &format!("{:.0}", looks_per_second(net.backend())), good_for);
    }
    for file in nets::kept() {
        let size = fs::metadata(&file).map_or(0, |about| about.len());
        match AnyNet::read(&file) {
            Ok(net) => {
                let good_for = good_for(&net);
                let speed = looks_per_second(net.backend());
                line(&nets::name(&file), size, &format!("{speed:.1}"), good_for);
            }
            Err(error) => line(&nets::name(&file), size, "-", &format!("nothing: {error:#}")),
        }
    }
    Ok(())
}

fn line(name: &str, bytes: u64, speed: &str, good_for: &str) {
    let size = format!("{:.1} MB", bytes as f64 / 1e6);
    println!("{name:<40} {size:>8} {speed:>9}  {good_for}");
}

fn good_for(net: &AnyNet) -> &'static str {
    match net {
        AnyNet::Ours(_) => "slow machines; the win rate at every komi in one look",
        AnyNet::KataGo(net) if net.profile().is_some() => "an opponent who plays like a person of any rank",
        AnyNet::KataGo(_) => "strong play, analysis and reviews under any rules and komi",
    }
}

/// How long a net is timed.
const TIMED: Duration = Duration::from_millis(500);

/// Evaluations of an empty 19x19 board in a second of one thread's processor time, which a busy machine does not change.
pub fn looks_per_second(net: Arc<dyn Backend>) -> f64 {
    let mut evaluator = net.evaluator();
    let board = Board::new(19);
    let position = Position { board: &board, to_move: Color::Black, recent: [None; HISTORY] };
    let views = [View::of(position, Symmetry::IDENTITY)];
    // The first look also takes its memory.
    evaluator.evaluate_batch(&views);
    let (began, mut looks) = (ThreadTime::now(), 0);
    while looks == 0 || began.elapsed() < TIMED {
        evaluator.evaluate_batch(&views);
        looks += 1;
    }
    f64::from(looks) / began.elapsed().as_secs_f64()
}
