//! `jigo play`: a game against the engine in the terminal.

use std::io::{stdin, stdout};
use std::path::PathBuf;

use anyhow::anyhow;
use clap::ValueEnum;
use jigo_board::{Color, HANDICAP_KOMI};

use crate::game_options::GameOptions;
use crate::terminal_game::TerminalGame;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameOptions,

    /// The colour you play
    #[arg(long, value_enum, default_value_t = Side::Black)]
    color: Side,

    /// Go on with the game in an SGF file
    #[arg(long, value_name = "FILE", conflicts_with = "handicap")]
    load: Option<PathBuf>,

    /// Handicap stones for Black; komi is then half a point unless you name one
    #[arg(long, value_name = "STONES")]
    handicap: Option<usize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Black,
    White,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    let mut engine = args.game.new_engine()?;
    if let Some(stones) = args.handicap {
        let refused = |_| anyhow!("a handicap of {stones} stones is not possible on this board");
        engine.place_free_handicap(stones).map_err(refused)?;
        if !args.game.names_komi() {
            engine.set_komi(HANDICAP_KOMI)?;
        }
    }
    let human = match args.color {
        Side::Black => Color::Black,
        Side::White => Color::White,
    };
    let mut game = TerminalGame::new(engine, human);
    if let Some(path) = &args.load {
        game.load(path).map_err(|reason| anyhow!("{} cannot be loaded: {reason}", path.display()))?;
    }
    Ok(game.play(stdin().lock(), &mut stdout().lock())?)
}
