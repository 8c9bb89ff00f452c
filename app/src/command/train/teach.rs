//! `jigo train teach`: a stronger net's answers, and how near a net is to them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use jigo_board::Rules;
use jigo_katago::KataNet;
use jigo_net::kernel::Isa;
use jigo_net::{Net, Weights};
use jigo_train::checkpoint::read_weights;
use jigo_train::positions::{ask_by_rules, read_exercises};
use jigo_train::teach::{
    Demonstration, KatagoNet, Labelling, Lesson, OwnNet, SearchingNet, Teacher, agreement, demonstrate, label_all,
    read_lessons,
};

use crate::nets::AnyNet;

#[derive(clap::Args)]
pub struct TeachArgs {
    /// Positions to ask about: a file of `jigo train positions`
    positions: PathBuf,
    /// The journal of answers; one found there is continued
    journal: PathBuf,
    /// The teacher's net: a file of KataGo's, or one of ours (.safetensors)
    #[arg(long)]
    teacher: PathBuf,
    /// Visits of a search for each answer; without it, one look of the net
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    visits: Option<u64>,
    /// Put the questions by these rules, each as often as the others, instead of those in the file
    #[arg(long, value_delimiter = ',', value_parser = ruleset)]
    rules: Vec<&'static str>,
    /// Stop when the journal holds so many answers
    #[arg(long, default_value_t = usize::MAX)]
    most: usize,
    /// Positions asked about together on this machine
    #[arg(long, default_value_t = 8)]
    batch: usize,
    /// Decides the order of the questions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    elsewhere: crate::cluster_options::ElsewhereArgs,
}

#[derive(clap::Args)]
pub struct DemonstrateArgs {
    /// The journal of answers; one found there is continued
    journal: PathBuf,
    /// The teacher's net: a file of KataGo's, or one of ours (.safetensors)
    #[arg(long)]
    teacher: PathBuf,
    /// Visits of a search for each answer; without it, one look of the net
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    visits: Option<u64>,
    /// Answers it shall hold
    #[arg(long, default_value_t = 100_000)]
    count: usize,
    /// Boards of these sizes only, each as often as the others; all sizes, the usual ones more often, if none is named
    #[arg(long, value_delimiter = ',', value_parser = super::parse_size)]
    sizes: Vec<usize>,
    /// Ask for the win rate at these komi as well, whatever the komi of the game
    #[arg(long, value_name = "KOMI", value_delimiter = ',', value_parser = komi, allow_negative_numbers = true)]
    also_at: Vec<f32>,
    /// Decides the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
pub struct AgreementArgs {
    /// Journals of a teacher's answers; those that learning keeps aside count
    #[arg(required = true)]
    journals: Vec<PathBuf>,
    /// A net file, of ours or of KataGo's; the embedded net if none is given
    #[arg(long)]
    net: Option<PathBuf>,
    /// Count all answers: for a net that has not learnt from them
    #[arg(long)]
    all: bool,
}

pub fn run(args: TeachArgs) -> anyhow::Result<()> {
    if args.batch == 0 {
        bail!("at least one position must be asked about at a time");
    }
    let mut exercises = read_exercises(&args.positions)?;
    ask_by_rules(&mut exercises, &args.rules);
    let mut teacher = teacher(&args.teacher, args.visits)?;
    println!("{} positions, asked of {}", exercises.len(), teacher.name());
    let labelling = Labelling { journal: args.journal, most: args.most, batch: args.batch, seed: args.seed };
    #[cfg(feature = "cluster")]
    if let Some(link) = args.elsewhere.options()? {
        let net = std::fs::read(&args.teacher).with_context(|| format!("cannot read {}", args.teacher.display()))?;
        let labelling = Labelling { batch: crate::handed::MOST_QUESTIONS, ..labelling };
        let answers = jigo_train::teach::label_by(&exercises, &teacher.name(), &labelling, |batches, store| {
            crate::handed::ask_workers(&link, net, args.visits, batches, store)
        })?;
        return tell(&labelling, answers);
    }
    let answers = label_all(&exercises, &mut *teacher, &labelling)?;
    tell(&labelling, answers)
}

/// The name that positions give this ruleset.
fn ruleset(text: &str) -> Result<&'static str, String> {
    let rules = Rules::by_name(text).ok_or_else(|| format!("there are no rules called \"{text}\""))?;
    rules.name().ok_or_else(|| format!("the rules \"{text}\" have no name"))
}

fn komi(text: &str) -> Result<f32, String> {
    let komi = text.parse::<f32>().ok().filter(|komi| komi.abs() <= 361.0 && (2.0 * komi).fract() == 0.0);
    komi.ok_or_else(|| format!("\"{text}\" is not a komi in half points"))
}

fn tell(labelling: &Labelling, answers: usize) -> anyhow::Result<()> {
    println!("{} holds {answers} answers", labelling.journal.display());
    Ok(())
}

pub fn run_demonstrate(args: DemonstrateArgs) -> anyhow::Result<()> {
    let mut teacher = teacher(&args.teacher, args.visits)?;
    println!("{} plays with itself", teacher.name());
    let DemonstrateArgs { journal, count, sizes, also_at, seed, .. } = args;
    let wanted = Demonstration { journal, count, sizes, also_at, seed };
    let answers = demonstrate(&mut *teacher, &wanted)?;
    println!("{} holds {answers} answers", wanted.journal.display());
    Ok(())
}

/// A net of ours or of KataGo's, asked as it is or with a search.
pub fn teacher(path: &Path, visits: Option<u64>) -> anyhow::Result<Box<dyn Teacher>> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(visits) = visits {
        return Ok(Box::new(SearchingNet::new(&name, AnyNet::read(path)?.backend(), visits)));
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    if Weights::are_in(&bytes) {
        return Ok(Box::new(OwnNet::new(name, Arc::new(Net::from_bytes(&bytes)?))));
    }
    Ok(Box::new(KatagoNet::read(&bytes).with_context(|| path.display().to_string())?))
}

pub fn net(path: Option<&Path>) -> anyhow::Result<Arc<Net>> {
    Ok(match path {
        Some(path) => Arc::new(Net::new(&read_weights(path)?, Isa::best())),
        None => Net::embedded(),
    })
}

pub fn run_agreement(args: AgreementArgs) -> anyhow::Result<()> {
    let (lessons, teachers) = read_lessons(&args.journals)?;
    let counted: Vec<&Lesson> = lessons.iter().filter(|lesson| args.all || lesson.is_kept_aside()).collect();
    println!("{} answers of {}, {} counted", lessons.len(), teachers.join(", "), counted.len());
    let net = match args.net {
        Some(path) => AnyNet::read(&path)?.backend(),
        None => KataNet::embedded(),
    };
    println!("{}", agreement(net, &counted));
    Ok(())
}
