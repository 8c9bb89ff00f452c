//! `jigo review`: whole games examined, with an annotated record and a page to read for each.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use jigo_board::{Game, MAX_SIZE, Rules};
use jigo_engine::{Engine, StopFlag};
use jigo_net::Cache;
use jigo_review::{Review, ReviewJournal, Subject, Task, annotate, examine, page};
use jigo_sgf::{Collection, GameTree};

use crate::engine_options::EngineOptions;
use crate::fingerprint::fingerprint;
use crate::game_options::rules_by_name;

#[derive(clap::Args)]
pub struct Args {
    /// Game records, or folders of them
    #[arg(required = true, value_name = "SGF|FOLDER")]
    records: Vec<PathBuf>,

    /// Write reviews into this folder; by default next to each record
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Visits for each position: more take longer and are surer
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..))]
    visits: u64,

    /// Rules for records that name none
    #[arg(long, value_name = "NAME", default_value = "chinese")]
    rules: String,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Between the name of the record and the kind of file.
const MARK: &str = "review";

pub fn run(args: Args) -> Result<()> {
    let rules = rules_by_name(&args.rules)?;
    let records = find_records(&args.records)?;
    let mut maker = args.engine.maker(&[])?;
    let engines = maker.threads;
    let description = format!("{:?} {:?}", maker.parameters.searching, maker.net_card().map(|card| card.name));
    // A position's neighbours in the game lie with other engines, and what the net said of one is asked again for the next.
    maker.cache = Some(Arc::new(Cache::new(maker.parameters.searching.search.net_cache as usize)));
    let maker = maker.shared_by(engines);
    let engines = (0..engines).map(|_| maker.make(Game::new(MAX_SIZE, Rules::default()))).collect();
    let mut reviewer = Reviewer { engines, visits: args.visits, rules, engine: fingerprint(description.as_bytes()) };
    let mut failed = 0;
    for (index, record) in records.iter().enumerate() {
        let of_all = if records.len() > 1 { format!("{}/{} ", index + 1, records.len()) } else { String::new() };
        if let Err(error) = reviewer.review_file(record, args.out.as_deref(), &of_all) {
            eprintln!("jigo: {}: {error:#}", record.path.display());
            failed += 1;
        }
    }
    if failed > 0 {
        bail!("{failed} of {} records could not be reviewed", records.len());
    }
    Ok(())
}

/// A file, and what to call it in another folder.
struct Record {
    path: PathBuf,
    relative: PathBuf,
}

/// The files named, and all records in the folders named and below them.
fn find_records(paths: &[PathBuf]) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut folders = vec![path.clone()];
            while let Some(folder) = folders.pop() {
                let entries = fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))?;
                for entry in entries {
                    let found = entry?.path();
                    if found.is_dir() {
                        folders.push(found);
                    } else if is_unreviewed_record(&found) {
                        let relative = found.strip_prefix(path).unwrap_or(&found).to_path_buf();
                        records.push(Record { path: found, relative });
                    }
                }
            }
        } else {
            let name = path.file_name().with_context(|| format!("{} is no file", path.display()))?;
            records.push(Record { path: path.clone(), relative: name.into() });
        }
    }
    records.sort_by(|a, b| a.path.cmp(&b.path));
    if records.is_empty() {
        bail!("there are no game records (.sgf) there");
    }
    Ok(records)
}

fn is_unreviewed_record(path: &Path) -> bool {
    let is_sgf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"));
    is_sgf && !path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(&format!(".{MARK}")))
}

struct Reviewer {
    engines: Vec<Engine>,
    visits: u64,
    rules: Rules,
    /// What an opinion depends on besides the position and the visits.
    engine: String,
}

impl Reviewer {
    fn review_file(&mut self, record: &Record, out: Option<&Path>, of_all: &str) -> Result<()> {
        let bytes = fs::read(&record.path).context("the file cannot be read")?;
        let games = Collection::from_bytes(&bytes)?.games;
        let beside = record.path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let place = match out {
            Some(folder) => folder.join(&record.relative),
            None => beside.join(record.path.file_name().unwrap_or_default()),
        };
        if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        }
        let several = games.len() > 1;
        for (index, tree) in games.into_iter().enumerate() {
            let number = if several { format!("-{}", index + 1) } else { String::new() };
            let stem = place.file_stem().unwrap_or_default().to_string_lossy();
            let name = |kind: &str| place.with_file_name(format!("{stem}{number}.{MARK}.{kind}"));
            let title = format!("{of_all}{stem}{number}");
            self.review_game(tree, &name, &title).with_context(|| format!("game {}", index + 1))?;
        }
        Ok(())
    }

    fn review_game(&mut self, mut tree: GameTree, name: &dyn Fn(&str) -> PathBuf, title: &str) -> Result<()> {
        let subject = Subject::main_line(&tree, self.rules)?;
        let mut journal = ReviewJournal::new(&subject.games, self.visits, &self.engine);
        let mut file = open_journal(&mut journal, &name("jsonl"))?;
        let bar = progress_bar(title, subject.games.len(), journal.known());
        let known: Vec<bool> = (0..subject.games.len()).map(|position| journal.knows(position)).collect();
        let task = Task {
            games: &subject.games,
            is_known: &|position| known[position],
            visits: self.visits,
            stop: &StopFlag::default(),
        };
        examine(&task, &mut self.engines, &mut |position, opinion| -> std::io::Result<()> {
            file.write_all(journal.add(position, opinion).as_bytes())?;
            bar.inc(1);
            Ok(())
        })
        .context("the journal cannot be written")?;
        bar.finish();
        let opinions = journal.into_opinions().context("the engine did not tell about every position")?;
        let review = Review::new(&subject, opinions).context("the opinions do not fit the game")?;
        annotate(&mut tree, &subject, &review);
        let by = format!("Jigo {}, {} visits for each position", env!("CARGO_PKG_VERSION"), self.visits);
        let page = page(&subject, &review, &by);
        for (kind, text) in [("sgf", Collection { games: vec![tree] }.to_text()), ("html", page)] {
            let path = name(kind);
            fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
            println!("{}", path.display());
        }
        Ok(())
    }
}

/// Goes on with the journal that is there, if there is one; lines of no use stay in it and are told of.
fn open_journal(journal: &mut ReviewJournal, path: &Path) -> Result<fs::File> {
    let cannot = || format!("{} cannot be written", path.display());
    let known = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.with_context(|| format!("{} cannot be read", path.display()))?,
    };
    let Ok(dropped) = journal.resume(&known) else {
        bail!("{} is there already and is no journal of a review", path.display())
    };
    if !dropped.is_nothing() {
        eprintln!("{}: {dropped}", path.display());
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(cannot)?;
    // The last line may have been cut short.
    let first = if known.is_empty() { journal.heading_line() } else { "\n".into() };
    file.write_all(first.as_bytes()).with_context(cannot)?;
    Ok(file)
}

fn progress_bar(title: &str, positions: usize, known: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:<24} {wide_bar} {pos}/{len} {per_sec} {eta} left");
    let bar = ProgressBar::new(positions as u64).with_style(style.expect("the template is well-formed"));
    bar.set_message(title.to_string());
    bar.set_position(known as u64);
    bar.reset_eta();
    bar
}
