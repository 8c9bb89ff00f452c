//! `jigo evaluate`: what the playouts think of a position, and what misleads them (Evaluation value).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jigo_board::{Board, COLUMNS, Cell, Color, Game, Move, Point};
use jigo_lab::BoardPicture;
use jigo_parameters::ParameterValue;
use jigo_playout::evaluation_value::{Deed, EvaluationValue, GroupStatus, Misjudgement, expectation, misjudgements};
use jigo_playout::{Generator, Playouts, PolicyName, StartPosition};
use jigo_sgf::{Collection, GameRecord, Repetition};

use crate::playout_options::{PlayoutOptions, policy_names};

const EXAMPLES: &str = "\
Examples:
  jigo evaluate game.sgf --move 120
  jigo evaluate game.sgf --move 120 --svg picture.svg
  jigo evaluate corner.sgf --to-move w --expect 'C3=alive,F2=dead,K10=unsettled,A1=white'";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game or position
    #[arg(value_name = "POSITION.sgf")]
    file: PathBuf,

    /// Look at the position after this many moves; by default after the last one
    #[arg(long = "move", value_name = "N")]
    moves: Option<usize>,

    /// Who moves next, if not whom the file says
    #[arg(long, value_name = "b|w", value_parser = read_color)]
    to_move: Option<Color>,

    /// Which policy plays the playouts
    #[arg(long, value_name = "NAME", default_value = "pachi", value_parser = policy_names())]
    policy: PolicyName,

    /// What must hold: stones are alive, dead or unsettled, empty points black or white
    #[arg(long, value_name = "POINT=STATUS,...")]
    expect: Option<String>,

    /// Draw the board with its values into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    options: PlayoutOptions,
}

/// Moves before the position that generators may want to know.
const RECENT_MOVES: usize = 6;

pub fn run(args: Args) -> Result<()> {
    let game = read_game(&args.file, args.moves.unwrap_or(usize::MAX))?;
    let position = position_of(&game, args.to_move.unwrap_or(game.to_move()));
    let expected = read_expectations(&position.board, args.expect.as_deref().unwrap_or(""))?;
    let playouts = args.options.playouts(args.policy)?;
    let evaluation = EvaluationValue::new(&position, &playouts);

    let summary = format!(
        "{} to move after {} moves; {} playouts by {}: {}",
        position.to_move,
        game.moves().len(),
        playouts.count,
        playouts.parameters.policy.show(),
        lead(evaluation.black_score())
    );
    println!("{summary}, komi not counted\n");
    print_values(&position.board, &evaluation);
    print_unclear(&position.board, &evaluation);
    let wrong = misjudgements(&position, &playouts, &evaluation, &expected);
    if !expected.is_empty() {
        println!("\n{} of {} expectations are met", expected.len() - wrong.len(), expected.len());
    }
    for misjudgement in &wrong {
        println!();
        print_misjudgement(&position.board, &playouts, misjudgement);
    }
    if let Some(path) = &args.svg {
        let unclear = evaluation.unclear_strings().flat_map(|(stone, _)| position.board.stones(stone));
        let ringed: Vec<Point> = unclear.chain(wrong.iter().map(|wrong| wrong.point)).collect();
        let picture = BoardPicture {
            board: &position.board,
            title: &summary,
            last_move: game.last_move().and_then(Move::point),
            black_value: &|point| evaluation.black_value(point),
            ringed: &ringed,
        };
        std::fs::write(path, picture.to_svg()).with_context(|| format!("cannot write {}", path.display()))?;
        println!("\ndrawn into {}", path.display());
    }
    Ok(())
}

fn read_color(text: &str) -> Result<Color, String> {
    Color::parse(text).ok_or_else(|| "a player is b or w".to_string())
}

/// The first game of a file after this many moves.
fn read_game(path: &Path, moves: usize) -> Result<Game> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let in_file = || path.display().to_string();
    let collection = Collection::from_bytes(&bytes).with_context(in_file)?;
    let first = collection.games.first().with_context(|| format!("{} holds no game", path.display()))?;
    let record = GameRecord::main_line(first).with_context(in_file)?;
    let rules = record.known_rules().unwrap_or_default();
    record.replay(moves, rules, Repetition::Allow).with_context(in_file)
}

/// Generators look at the last moves. If the game is over, or the players do not alternate, those mean nothing here.
fn position_of(game: &Game, to_move: Color) -> StartPosition {
    let recent = game.moves().iter().rev().take(RECENT_MOVES);
    let alternates = recent.clone().zip(0..).all(|(&(color, _), back)| (color == to_move) == (back % 2 == 1));
    let recent = if alternates && !game.is_over() { recent.rev().map(|&(_, mv)| mv).collect() } else { Vec::new() };
    StartPosition::new(game.board().clone(), to_move, recent)
}

fn read_expectations(board: &Board, text: &str) -> Result<Vec<(Point, GroupStatus)>> {
    let claims = text.split(',').map(str::trim).filter(|claim| !claim.is_empty());
    claims
        .map(|claim| {
            let (vertex, word) = claim.split_once('=').unwrap_or((claim, ""));
            expectation(board, vertex, word).with_context(|| {
                format!("{claim:?} is no expectation; write STONE=alive, dead or unsettled, or EMPTY=black or white")
            })
        })
        .collect()
}

fn lead(black_score: f32) -> String {
    let leader = if black_score < 0.0 { "White" } else { "Black" };
    format!("{leader} leads by {:.1}", black_score.abs())
}

/// The board, each stone or point with its value.
fn print_values(board: &Board, evaluation: &EvaluationValue) {
    let size = board.size();
    let header: String = COLUMNS.chars().take(size).map(|letter| format!("    {letter}")).collect();
    println!("  {header}");
    for row in 0..size {
        let cell = |point: Point| {
            let sign = match board.cell(point) {
                Cell::Black => 'X',
                Cell::White => 'O',
                _ => '.',
            };
            // Adding zero turns a negative zero into a plain one.
            format!(" {sign}{:>3.0}", evaluation.black_value(point).round() + 0.0)
        };
        let cells: String = (0..size).map(|col| cell(Point::new(col, row))).collect();
        println!("{:>2}{cells}  {}", size - row, size - row);
    }
    println!("  {header}");
}

fn print_unclear(board: &Board, evaluation: &EvaluationValue) {
    let mut unclear: Vec<(Point, f32)> = evaluation.unclear_strings().collect();
    unclear.sort_by_key(|&(stone, _)| std::cmp::Reverse(board.chain_size(stone)));
    println!("\n{}", if unclear.is_empty() { "no string is unclear" } else { "unclear strings:" });
    for (stone, value) in unclear {
        println!("  {} {value:>5.1}", describe(board, stone));
    }
}

/// Such as `C3 (white, 5 stones)`.
fn describe(board: &Board, point: Point) -> String {
    let vertex = point.vertex(board.size());
    match (board.color_at(point), board.color_at(point).map_or(0, |_| board.chain_size(point))) {
        (None, _) => format!("{vertex} (empty)"),
        (Some(color), 1) => format!("{vertex} ({color}, 1 stone)"),
        (Some(color), stones) => format!("{vertex} ({color}, {stones} stones)"),
    }
}

/// What is wrong, who did it, and how it goes.
pub fn print_misjudgement(board: &Board, playouts: &Playouts, wrong: &Misjudgement) {
    println!(
        "{} is {}, but its value is {:.1}: {} gets it in {} of {} playouts",
        describe(board, wrong.point),
        wrong.status,
        wrong.black_value,
        wrong.too_often,
        wrong.playouts,
        playouts.count
    );
    let mut deeds: Vec<Deed> = wrong.deeds.iter().map(|&(_, deed, _)| deed).collect();
    deeds.sort();
    deeds.dedup();
    let mut generators: Vec<Generator> = Vec::new();
    for &(generator, _, _) in &wrong.deeds {
        if !generators.contains(&generator) {
            generators.push(generator);
        }
    }
    print!("  {:<28}", "");
    deeds.iter().for_each(|deed| print!("{:>17}", name(*deed)));
    println!();
    for generator in generators {
        print!("  {generator:<28}");
        for deed in &deeds {
            let times = wrong.deeds.iter().find(|(by, what, _)| (*by, what) == (generator, deed));
            print!("{:>17}", times.map_or(String::new(), |(_, _, times)| times.to_string()));
        }
        println!();
    }
    let moves = wrong.example.iter().map(|remark| {
        let played = remark.played;
        let deed = remark.deed.map_or(String::new(), |deed| format!(", {}", name(deed)));
        let vertex = played.mv.vertex(board.size());
        format!("{}. {} {vertex} ({}{deed})", remark.number, played.color.letter(), played.by)
    });
    println!("  for example: {}", moves.collect::<Vec<_>>().join(" "));
}

fn name(deed: Deed) -> &'static str {
    match deed {
        Deed::Atari => "gave atari",
        Deed::SelfAtari => "self-atari",
        Deed::LeftInAtari => "left in atari",
        Deed::OnLiberty => "on own liberty",
        Deed::Capture => "captured",
        Deed::Spared => "did not capture",
        Deed::Freed => "captured around",
        Deed::Entered => "came in",
    }
}
