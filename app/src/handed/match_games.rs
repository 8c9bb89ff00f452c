//! Games of a match, handed to the workers of a cluster: each game is a job, its record and SGF are the result.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use jigo_arena::seed::program_seed;
use jigo_arena::{
    ArenaError, Colors, CommandLine, FinishedGame, Limits, MatchProgress, MatchResult, MatchSpec, OpeningBook,
    Pairings, PlayerSpec, RefereeSpec, Schedule, play_from, run_match_by,
};
use jigo_board::{Color, Move, TimeControlError};
use jigo_cluster::{ClusterLink, Fetch, JobServer, LinkOptions};
use serde::{Deserialize, Serialize};

use super::nets::Nets;
use super::player::{HandedNet, HandedPlayer};
use super::{Job, Lend};
use crate::command::gtp;

/// One game to be played elsewhere, with all that it needs: nothing is looked up on the worker.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameJob {
    pub game: u64,
    players: Vec<NamedPlayer>,
    pairings: Pairings,
    colors: Colors,
    size: usize,
    rules: String,
    komi: f32,
    handicap: usize,
    /// Whether Black moved, and where.
    opening: Vec<(bool, String)>,
    /// As on the command line.
    time: String,
    limits: Limits,
    referee: HandedReferee,
    seed: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedPlayer {
    name: String,
    /// What its owner wrote, for people to read in the record.
    shown: String,
    player: HandedPlayer,
}

#[derive(Serialize, Deserialize)]
enum HandedReferee {
    Players,
    AllAlive,
    Program(HandedPlayer),
}

/// More players than a match has.
const MOST_PLAYERS: usize = 64;
/// A game ends after so many moves, whoever wants it longer.
const MOST_MOVES: usize = 10_000;
/// Names and command lines as they are shown.
const LONGEST_TEXT: usize = 1000;

/// As `run_match`, with all games played by workers.
pub fn run_handed_match(
    spec: &MatchSpec,
    folder: &Path,
    link: &LinkOptions,
    watch: &mut dyn FnMut(&MatchProgress),
) -> Result<MatchResult> {
    spec.check()?;
    let book = OpeningBook::open(spec, spec.rules()?)?;
    let schedule = Schedule::new(spec);
    let elsewhere = |reason: String| ArenaError::Elsewhere(reason);
    // What cannot be handed out is said before anything is opened.
    GameJob::new(spec, &schedule, &book, 0, &mut |_| Ok([0; 32])).map_err(anyhow::Error::msg)?;
    let link = Arc::new(ClusterLink::open(link)?);
    let result = run_match_by(spec, folder, watch, |games, store| {
        let jobs = JobServer::open(link, env!("CARGO_PKG_VERSION")).map_err(|error| elsewhere(error.to_string()))?;
        for &game in games {
            let mut lend = |file: &Path| {
                let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
                Ok(jobs.lend(bytes))
            };
            let job = GameJob::new(spec, &schedule, &book, game, &mut lend).map_err(elsewhere)?;
            jobs.put(game, Job::Game(Box::new(job)).to_text().map_err(elsewhere)?);
        }
        while let Some((game, result)) = jobs.next() {
            let finished = result.and_then(|text| read_result(&text, spec, &schedule, game));
            if !store(finished.map_err(elsewhere)?)? {
                jobs.clear();
            }
        }
        Ok(())
    })?;
    Ok(result)
}

/// What a worker says came of a game, if it is that game.
fn read_result(text: &str, spec: &MatchSpec, schedule: &Schedule, game: u64) -> Result<FinishedGame, String> {
    let finished: FinishedGame = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let (record, fixture) = (&finished.record, schedule.fixture(game));
    let name = |player: usize| spec.players[player].name.as_str();
    let is_that_game = (record.game, record.opening) == (game, fixture.opening)
        && (record.black.as_str(), record.white.as_str()) == (name(fixture.black), name(fixture.white))
        && [0.0, 0.5, 1.0].contains(&record.black_points);
    if is_that_game { Ok(finished) } else { Err(format!("a worker's record of game {game} is of another game")) }
}

impl GameJob {
    fn new(
        spec: &MatchSpec,
        schedule: &Schedule,
        book: &OpeningBook,
        game: u64,
        lend: &mut Lend<'_>,
    ) -> Result<GameJob, String> {
        let mut player = |command: &CommandLine, place: usize| {
            let words = command.words_for(program_seed(spec.seed, game, place), game);
            let of_words = |error: anyhow::Error| {
                format!("workers play with jigo gtp and its settings only, not with {:?}: {error:#}", command.text())
            };
            gtp::Args::handed(&words, lend).map_err(of_words)
        };
        let mut players = Vec::new();
        for (place, PlayerSpec { name, command }) in spec.players.iter().enumerate() {
            let shown = command.text().chars().take(LONGEST_TEXT).collect();
            players.push(NamedPlayer { name: name.clone(), shown, player: player(command, place)? });
        }
        let referee = match &spec.referee {
            RefereeSpec::Players => HandedReferee::Players,
            RefereeSpec::AllAlive => HandedReferee::AllAlive,
            RefereeSpec::Program(command) => HandedReferee::Program(player(command, spec.players.len())?),
        };
        let opening = book.moves(schedule.fixture(game).opening);
        Ok(GameJob {
            game,
            players,
            pairings: spec.pairings,
            colors: spec.colors,
            size: spec.size,
            rules: spec.rules.clone(),
            komi: spec.komi,
            handicap: spec.handicap,
            opening: opening.iter().map(|(color, mv)| (*color == Color::Black, mv.vertex(spec.size))).collect(),
            time: spec.time.to_string(),
            limits: spec.limits,
            referee,
            seed: spec.seed,
        })
    }
}

/// Plays one game for somebody else, with players of at most so many megabytes each.
pub fn play_game(job: &GameJob, megabytes: u32, nets: &Nets, fetch: &Fetch<'_>) -> Result<String, String> {
    if job.players.len() > MOST_PLAYERS || job.opening.len() > MOST_MOVES || job.limits.max_moves > MOST_MOVES {
        return Err("no such game can be played".to_string());
    }
    if job.handicap > 0 && !job.opening.is_empty() {
        return Err("a handicap game starts from its stones, not from an opening".to_string());
    }
    // Kept until the game is over: the files end with them.
    let mut lent = Vec::new();
    let mut command = |player: &HandedPlayer, shown: &str| -> Result<CommandLine, String> {
        player.check(megabytes)?;
        let file = match player.net {
            HandedNet::Lent(name) => Some(nets.file(name, fetch)?),
            HandedNet::None | HandedNet::Embedded | HandedNet::Fast => None,
        };
        let words = words(player, megabytes, file.as_deref().map(tempfile::NamedTempFile::path))?;
        lent.extend(file);
        Ok(CommandLine::of_words(words, plain(shown)))
    };
    let mut players = Vec::new();
    for NamedPlayer { name, shown, player } in &job.players {
        players.push(PlayerSpec { name: plain(name), command: command(player, shown)? });
    }
    let referee = match &job.referee {
        HandedReferee::Players => RefereeSpec::Players,
        HandedReferee::AllAlive => RefereeSpec::AllAlive,
        HandedReferee::Program(player) => RefereeSpec::Program(command(player, "the referee")?),
    };
    let spec = MatchSpec {
        pairings: job.pairings,
        colors: job.colors,
        rules: job.rules.clone(),
        komi: job.komi,
        handicap: job.handicap,
        time: job.time.parse().map_err(|error: TimeControlError| error.to_string())?,
        limits: job.limits,
        referee,
        seed: job.seed,
        ..MatchSpec::new(players, job.size, 1)
    };
    spec.check().map_err(|error| error.to_string())?;
    let rules = spec.rules().map_err(|error| error.to_string())?;
    let book = OpeningBook::of_moves(opening(job)?, job.size, rules).map_err(|error| error.to_string())?;
    let finished = play_from(&spec, job.game, &book).map_err(|error| error.to_string())?;
    serde_json::to_string(&finished).map_err(|error| error.to_string())
}

fn opening(job: &GameJob) -> Result<Vec<(Color, Move)>, String> {
    let read = |(black, vertex): &(bool, String)| {
        let mv = Move::parse(vertex, job.size).ok_or("the opening is no game")?;
        Ok((if *black { Color::Black } else { Color::White }, mv))
    };
    job.opening.iter().map(read).collect()
}

/// The words that start a player. All of them are ours: what came with the job is one argument, which is read as a player and
/// as nothing else.
fn words(player: &HandedPlayer, megabytes: u32, net: Option<&Path>) -> Result<Vec<String>, String> {
    let jigo = std::env::current_exe().map_err(|error| format!("the worker does not find itself: {error}"))?;
    let player = serde_json::to_string(player).map_err(|error| error.to_string())?;
    let mut words = vec![jigo.to_string_lossy().into_owned(), "handed-player".into()];
    words.extend(["--player".into(), player, "--megabytes".into(), megabytes.to_string()]);
    if let Some(net) = net {
        words.extend(["--lent-net".into(), net.to_string_lossy().into_owned()]);
    }
    Ok(words)
}

/// Text from somebody else, for people.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST_TEXT).collect()
}
