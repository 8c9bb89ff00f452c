//! `jigo joseki`: build the table of corner positions from games, and look into it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use jigo_board::{Board, Color, MAX_SIZE, Move};
use jigo_patterns::{Joseki, Quadrant};
use jigo_tables::{Corpus, JosekiPlan, build_joseki};

use crate::progress::bar;

const EXAMPLES: &str = "\
Examples:
  jigo joseki build --data DIR --out joseki.bin
  jigo joseki show Q16 R14 O17";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    /// Collect the corner positions that recur in games, with the moves played in them
    Build(BuildArgs),
    /// Show the board after some moves, and what is usually played next in each corner
    Show(ShowArgs),
}

#[derive(clap::Args)]
struct BuildArgs {
    /// Folder with collections of games (.tsv.xz)
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Only collections whose names begin so
    #[arg(long, value_name = "PREFIX", default_value = "tygem-train")]
    collections: String,

    /// The table to write
    #[arg(long, value_name = "FILE", default_value = "mind/patterns/tables/joseki.bin")]
    out: PathBuf,

    /// Games to read
    #[arg(long, value_name = "N", default_value_t = 250_000)]
    games: usize,

    /// Moves of each game that count as opening
    #[arg(long, value_name = "N", default_value_t = 80)]
    moves: usize,

    /// Keep a position if moves were played in it this often
    #[arg(long, value_name = "N", default_value_t = 30)]
    support: u32,

    /// Keep a move if it was played this often in its position
    #[arg(long, value_name = "N", default_value_t = 8)]
    move_support: u32,

    /// Keep a move if it has this share of the moves in its position, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    share: f32,
}

#[derive(clap::Args)]
struct ShowArgs {
    /// Moves from the empty board, Black first, such as `Q16 D4 pass`
    moves: Vec<String>,

    /// Look into this table instead of the one in the program
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    match args.task {
        Task::Build(args) => run_build(&args),
        Task::Show(args) => run_show(&args),
    }
}

fn run_build(args: &BuildArgs) -> Result<()> {
    let corpus = Corpus::open(&args.data, &args.collections)?;
    let plan = JosekiPlan {
        games: args.games,
        moves: args.moves,
        support: args.support,
        move_support: args.move_support,
        share: args.share,
    };
    let joseki = build_joseki(&corpus, &plan, &mut bar())?;
    let bytes = joseki.to_bytes();
    std::fs::write(&args.out, &bytes).with_context(|| format!("cannot write {}", args.out.display()))?;
    println!("{} positions, {} bytes, written to {}", joseki.len(), bytes.len(), args.out.display());
    Ok(())
}

fn run_show(args: &ShowArgs) -> Result<()> {
    let from_file = args.table.as_deref().map(read_table).transpose()?;
    let joseki = from_file.as_ref().unwrap_or_else(|| Joseki::embedded());
    let mut board = Board::new(MAX_SIZE);
    let mut to_play = Color::Black;
    let mut last = None;
    for text in &args.moves {
        let mv = Move::parse(text, MAX_SIZE).with_context(|| format!("{text:?} is no move on a 19x19 board"))?;
        match mv {
            Move::Play(point) if !board.is_legal(to_play, point) => bail!("{to_play} cannot play {text}"),
            Move::Play(point) => {
                board.play(to_play, point);
            }
            Move::Pass => board.pass(),
        }
        last = Some(mv);
        to_play = to_play.opponent();
    }
    print!("{}", board.render(last));
    let corners = ["top left", "top right", "bottom right", "bottom left"];
    for (name, quadrant) in corners.into_iter().zip(Quadrant::ALL) {
        match joseki.follow_ups(&board, to_play, quadrant) {
            None => println!("{name}: unknown"),
            Some(follow_ups) => {
                let share = |(point, share): (jigo_board::Point, f32)| {
                    format!("{} {:.0} %", point.vertex(MAX_SIZE), 100.0 * share)
                };
                let moves: Vec<String> = follow_ups.iter().map(share).collect();
                println!("{name}: {}; answered at once {:.0} %", moves.join(", "), 100.0 * follow_ups.urgency);
            }
        }
    }
    Ok(())
}

fn read_table(path: &Path) -> Result<Joseki> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Joseki::from_bytes(&bytes).with_context(|| format!("{} is no joseki table", path.display()))
}
