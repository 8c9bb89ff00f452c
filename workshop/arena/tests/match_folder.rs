//! What a match leaves on the disk, and what it makes of a folder that was left in the middle.

use std::fs;
use std::path::{Path, PathBuf};

use jigo_arena::{
    ArenaError, Colors, CommandLine, MatchResult, MatchSpec, Openings, PlayerSpec, RefereeSpec, RunOptions, run_match,
};
use jigo_board::{Color, Rules};
use jigo_sgf::{Collection, GameRecord, Repetition};

fn command(arguments: &str) -> CommandLine {
    CommandLine::parse(&format!("{} {arguments}", env!("CARGO_BIN_EXE_fake-gtp"))).unwrap()
}

fn spec(games: u64) -> MatchSpec {
    let player = |name: &str, arguments: &str| PlayerSpec { name: name.to_string(), command: command(arguments) };
    MatchSpec::new(vec![player("a", "optimist {seed}"), player("b", "random {seed}")], 9, games)
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn try_run(&self, spec: &MatchSpec) -> Result<MatchResult, ArenaError> {
        run_match(spec, &RunOptions { folder: self.path("match"), jobs: 2 }, &mut |_| ())
    }

    fn run(&self, spec: &MatchSpec) -> MatchResult {
        self.try_run(spec).unwrap()
    }

    fn sgf(&self, game: u64) -> Collection {
        let bytes = fs::read(self.path("match").join(format!("games/{game:05}.sgf"))).unwrap();
        Collection::from_bytes(&bytes).unwrap()
    }

    fn replayed(&self, game: u64) -> jigo_board::Game {
        let record = GameRecord::main_line(&self.sgf(game).games[0]).unwrap();
        record.replay(usize::MAX, Rules::default(), Repetition::Judge).unwrap()
    }
}

#[test]
fn the_record_tells_settings_seed_and_evaluations() {
    let folder = Folder::new();
    let result = folder.run(&spec(2));
    let sgf = folder.sgf(0);
    let tree = &sgf.games[0];
    let comment = tree.root().text("C").unwrap();
    assert!(comment.contains("match seed 1") && comment.contains("Rules chinese, komi 7.5"), "{comment}");
    assert!(comment.contains("optimist {seed} (seed "), "{comment}");
    assert_eq!(tree.root().text("PB").unwrap(), "a");
    let stored = &result.records.iter().find(|record| record.game == 0).unwrap().result;
    assert_eq!(tree.root().text("RE").as_ref(), Some(stored));

    // The optimist is Black in game 0 and gives itself 75 % and 12.5 points after each of its moves.
    let nodes: Vec<_> = tree.main_line().map(|id| tree.node(id)).collect();
    assert_eq!(nodes[1].text("SBKV").unwrap(), "75.00");
    assert_eq!(nodes[1].text("SBKS").unwrap(), "12.50");
    assert_eq!(nodes[2].text("SBKV"), None);
    // In game 1 it is White: the numbers are still Black's.
    let swapped = folder.sgf(1);
    let nodes: Vec<_> = swapped.games[0].main_line().map(|id| swapped.games[0].node(id)).collect();
    assert_eq!(nodes[2].text("SBKV").unwrap(), "25.00");
    assert_eq!(nodes[2].text("SBKS").unwrap(), "-12.50");
}

#[test]
fn a_torn_last_line_is_played_again_and_nothing_else() {
    let folder = Folder::new();
    let whole = folder.run(&spec(6));
    let journal = folder.path("match").join("games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let last_line = text.trim_end().rfind('\n').unwrap() + 1;
    for cut in [last_line, last_line + 1, last_line + 40, text.len() - 1] {
        fs::write(&journal, &text[..cut]).unwrap();
        let resumed = folder.run(&spec(6));
        let mut games: Vec<u64> = resumed.records.iter().map(|record| record.game).collect();
        games.sort();
        assert_eq!(games, [0, 1, 2, 3, 4, 5], "cut at {cut}");
        assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 6);
        // Same seeds, same game again.
        let prints = |result: &MatchResult| {
            let mut prints: Vec<_> = result.records.iter().map(|r| (r.game, r.fingerprint.clone())).collect();
            prints.sort();
            prints
        };
        assert_eq!(prints(&resumed), prints(&whole));
    }
}

#[test]
fn a_spoiled_line_in_the_middle_is_reported_and_not_thrown_away() {
    let folder = Folder::new();
    folder.run(&spec(4));
    let journal = folder.path("match").join("games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let spoiled = text.replacen("\"game\"", "\"gome\"", 1);
    fs::write(&journal, &spoiled).unwrap();
    let error = folder.try_run(&spec(4)).err().unwrap().to_string();
    assert!(error.contains("is damaged: line 1"), "{error}");
    assert_eq!(fs::read_to_string(&journal).unwrap(), spoiled);
}

#[test]
fn two_arenas_do_not_share_a_folder() {
    let folder = Folder::new();
    let spec = spec(2);
    let options = RunOptions { folder: folder.path("match"), jobs: 1 };
    let mut refused = None;
    run_match(&spec, &options, &mut |_| {
        if refused.is_none() {
            refused = Some(folder.try_run(&spec).err().unwrap().to_string());
        }
    })
    .unwrap();
    assert!(refused.unwrap().starts_with("another arena is playing in"));
}

#[test]
fn both_games_of_a_pair_start_from_the_same_opening() {
    let folder = Folder::new();
    let mut spec = spec(4);
    spec.openings = Openings::Random { plies: 4 };
    folder.run(&spec);
    let starts: Vec<_> = (0..4).map(|game| folder.replayed(game).moves()[..4].to_vec()).collect();
    assert_eq!(starts[0], starts[1]);
    assert_eq!(starts[2], starts[3]);
    assert_ne!(starts[0], starts[2]);
}

fn write_opening(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

#[test]
fn openings_come_from_sgf_files_in_turn() {
    let folder = Folder::new();
    let mut spec = spec(6);
    let (one, two) = (folder.path("one.sgf"), folder.path("two.sgf"));
    write_opening(&one, "(;GM[1]SZ[9];B[cc];W[gg];B[cg])");
    write_opening(&two, "(;GM[1]SZ[9];B[ee];W[ec])");
    spec.openings = Openings::Files { files: vec![one.clone(), two], plies: Some(2) };
    folder.run(&spec);
    let first_move = |game| folder.replayed(game).moves()[0].1.vertex(9);
    assert_eq!([0, 1, 2, 3, 4, 5].map(first_move), ["C7", "C7", "E5", "E5", "C7", "C7"]);

    let complaint = |text: &str| {
        write_opening(&one, text);
        folder.try_run(&spec).err().unwrap().to_string()
    };
    assert!(complaint("(;GM[1]SZ[19];B[cc])").ends_with("it is played on 19x19, the match on 9x9"));
    assert!(complaint("(;GM[1]SZ[9];B[cc];W[cc])").contains("illegal"));
    assert!(complaint("(;GM[1]SZ[9]AW[cc];B[dd])").contains("sets up stones"));
}

#[test]
fn handicap_stones_stand_and_white_begins_and_is_compensated() {
    let folder = Folder::new();
    let mut spec = spec(2);
    spec.handicap = 3;
    spec.komi = 0.5;
    spec.colors = Colors::FirstIsBlack;
    let result = folder.run(&spec);
    let game = folder.replayed(0);
    assert_eq!(game.handicap().len(), 3);
    assert_eq!(game.moves()[0].0, Color::White);
    assert_eq!(game.effective_komi(), 3.5);
    let record = result.records.iter().find(|record| record.game == 0).unwrap();
    let scored = game.score(&jigo_board::PointSet::EMPTY);
    assert_eq!(record.black_lead, Some(f64::from(scored.lead_of(Color::Black))));
    assert_eq!((record.black.as_str(), record.white.as_str()), ("a", "b"));
}

#[test]
fn a_referee_program_names_the_dead() {
    let folder = Folder::new();
    let mut spec = spec(2);
    // This referee calls every black stone dead, so that White wins by the whole board.
    spec.referee = RefereeSpec::Program(command("black-is-dead"));
    let result = folder.run(&spec);
    assert!(result.records.iter().all(|record| record.result == "W+88.5"), "{:?}", result.records);

    spec.referee = RefereeSpec::Program(command("random"));
    let error = Folder::new().try_run(&spec).err().unwrap().to_string();
    assert!(error.contains("knows neither final_status_list nor final_score"), "{error}");
}

#[test]
fn players_must_agree_about_the_dead() {
    let folder = Folder::new();
    let mut spec = spec(2);
    spec.players[0].command = command("black-is-dead 1");
    spec.players[1].command = command("none-is-dead 2");
    let result = folder.run(&spec);
    for record in &result.records {
        let game = folder.replayed(record.game);
        assert_eq!(record.black_lead, Some(f64::from(game.score(&jigo_board::PointSet::EMPTY).lead_of(Color::Black))));
        assert_eq!(record.note.as_deref(), Some("the players disagree about dead stones"));
    }
    assert!(result.summary().contains("in 2 games the players disagreed about dead stones"));
}

#[test]
fn a_sequential_test_stops_the_match() {
    let folder = Folder::new();
    let mut spec = spec(1000);
    spec.players[1].command = command("resign {seed}");
    spec.sprt = Some(jigo_arena::statistics::Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap());
    let result = folder.run(&spec);
    assert!(result.records.len() < 100, "{}", result.records.len());
    assert!(result.standings.is_decided());
    assert!(result.summary().contains("elo1 accepted"), "{}", result.summary());
    // Coming back to it plays nothing more.
    assert_eq!(folder.run(&spec).records.len(), result.records.len());
}

#[test]
fn plots_are_drawn_for_two_players_and_for_more() {
    let folder = Folder::new();
    let mut spec = spec(4);
    let duel = folder.run(&spec);
    assert!(duel.elo_plot().unwrap().contains("Elo of a over b"));
    let scores = duel.score_plot().unwrap();
    assert!(scores.contains("Lead of a: 4 scored games, 0 others"), "{scores}");
    spec.players.push(PlayerSpec { name: "c".to_string(), command: command("random {seed}") });
    let three = Folder::new().run(&spec);
    let ratings = three.elo_plot().unwrap();
    assert!(ratings.contains("Ratings") && ratings.contains(">\nc\n<"), "{ratings}");
    assert!(three.summary().contains("points out of games"));
}
