//! `jigo match` as a user runs it: a real process, real folders, and kill -9 in the middle.

#[path = "skipped/mod.rs"]
mod skipped;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use skipped::skipped;

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

/// Cargo builds a package's examples with its tests, beside its binaries.
fn fake_player() -> String {
    let path = Path::new(JIGO).with_file_name("examples").join("fake-player");
    assert!(path.exists(), "{} is missing: run `cargo test -p jigo`, which builds it", path.display());
    path.to_string_lossy().into_owned()
}

fn jigo_match(arguments: &[&str]) -> Command {
    let mut command = Command::new(JIGO);
    command.arg("match").args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    jigo_match(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a match that must fail, and gives what it said.
fn complaint(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "{}", text(&output.stdout));
    text(&output.stderr)
}

fn journalled_games(folder: &Path) -> Vec<u64> {
    let journal = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let whole_lines = journal.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    whole_lines.map(|record| record["game"].as_u64().unwrap()).collect()
}

struct Killed {
    folder: tempfile::TempDir,
    fifo: PathBuf,
}

impl Killed {
    const GAMES: u64 = 200;

    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("alive");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        Self { folder, fifo }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("match")
    }

    fn command(&self) -> Command {
        let player = |seed: u32| format!("p{seed}={} random {seed} '{}'", fake_player(), self.fifo.display());
        let games = Self::GAMES.to_string();
        let mut command = jigo_match(&["-p", &player(1), "-p", &player(2), "--size", "9", "-j", "2", "-n", &games]);
        command.arg("--out").arg(self.out());
        command
    }

    /// Kills the arena as soon as it has reported once, and waits until its players are gone too.
    fn run_and_kill(&self) {
        // Opened for both, a FIFO never blocks; while we hold it the players' opening it does not either.
        let keeper = File::options().read(true).write(true).open(&self.fifo).unwrap();
        let mut arena = self.command().stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(arena.stderr.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        assert!(first.contains("games"), "{first}");
        arena.kill().unwrap();
        arena.wait().unwrap();

        let mut watcher = File::open(&self.fifo).unwrap();
        drop(keeper);
        let (gone, all_gone) = mpsc::channel();
        thread::spawn(move || gone.send(watcher.read_to_end(&mut Vec::new()).is_ok()));
        assert_eq!(all_gone.recv_timeout(Duration::from_secs(60)), Ok(true), "players outlived their arena");
    }
}

#[test]
fn killed_twice_every_game_is_counted_once() {
    let test = Killed::new();
    test.run_and_kill();
    let after_first = journalled_games(&test.out()).len() as u64;
    test.run_and_kill();
    let after_second = journalled_games(&test.out()).len() as u64;
    assert!(0 < after_first && after_first < after_second && after_second < Killed::GAMES);

    let keeper = File::options().read(true).write(true).open(&test.fifo).unwrap();
    let output = test.command().output().unwrap();
    drop(keeper);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("200 games on 9x9"), "{}", text(&output.stdout));

    let games = journalled_games(&test.out());
    assert_eq!(games.len() as u64, Killed::GAMES);
    assert_eq!(games.into_iter().collect::<BTreeSet<_>>(), (0..Killed::GAMES).collect());
    for game in 0..Killed::GAMES {
        let sgf = fs::read_to_string(test.out().join(format!("games/{game:05}.sgf"))).unwrap();
        assert!(sgf.starts_with("(;") && sgf.trim_end().ends_with(')'), "{sgf}");
    }
    for file in ["summary.txt", "elo.svg", "scores.svg"] {
        assert!(test.out().join(file).metadata().unwrap().len() > 100, "{file}");
    }
}

/// The program under another name, with another `jigo` before it on the path.
#[test]
fn a_player_called_jigo_is_this_very_program() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (renamed, other) = (folder.path().join("jigo-new"), folder.path().join("jigo"));
    fs::hard_link(JIGO, &renamed).unwrap();
    fs::write(&other, "#!/bin/sh\nexit 1\n").unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    let player = "jigo gtp --net none --playouts 2 --threads 1";
    let mut command = Command::new(&renamed);
    command.args(["match", "-p", player, "-p", player, "-s", "5", "-n", "2", "-o"]).arg(folder.path().join("match"));
    let output = command.env("PATH", folder.path()).output().unwrap();
    assert!(text(&output.stdout).contains("2 games on 5x5"), "{}", text(&output.stderr));
}

#[test]
fn a_finished_match_can_be_looked_at_and_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let out = out.to_str().unwrap();
    let (a, b) = (format!("a={} random 1", fake_player()), format!("b={} random 2", fake_player()));
    assert!(run(&["-p", &a, "-p", &b, "-s", "5", "-n", "4", "-o", out]).status.success());
    let again = run(&["--resume", out]);
    assert!(text(&again.stdout).contains("4 games on 5x5"));
    let longer = run(&["--resume", out, "-n", "6"]);
    assert!(text(&longer.stdout).contains("6 games on 5x5"), "{}", text(&longer.stderr));
    let other = complaint(&["-p", &a, "-p", &b, "-s", "5", "-n", "4", "-o", out, "--komi", "3"]);
    assert!(other.contains("holds a different match (komi)"), "{other}");
}

#[test]
fn mistakes_are_told_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let out = out.to_str().unwrap();
    let fake = format!("{} random", fake_player());
    let with = |more: &[&str]| {
        let mut arguments = vec!["-p", &fake, "-p", &fake, "-n", "2", "-o", out];
        arguments.extend(more);
        complaint(&arguments)
    };
    assert_eq!(with(&["--size", "20"]), "jigo: board sizes go from 2 to 19, not 20\n");
    assert_eq!(with(&["--rules", "martian"]), "jigo: there is no ruleset \"martian\"\n");
    assert_eq!(with(&["--sprt", "20:0"]), "jigo: an SPRT needs elo0 below elo1\n");
    assert_eq!(with(&["--sprt", "20"]), "jigo: --sprt wants ELO0:ELO1 like 0:20, not \"20\"\n");
    assert_eq!(complaint(&["-p", &fake]), "jigo: a match needs at least two players\n");
    assert_eq!(complaint(&["--resume", out]), format!("jigo: {out} holds no match\n"));
    let missing = complaint(&["-p", "no-such-program", "-p", &fake, "-o", out]);
    assert!(missing.starts_with("jigo: the player \"no-such-program\" cannot take part"), "{missing}");
}

#[test]
fn three_players_get_a_crosstable() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let player = |name: &str, manner: &str| format!("{name}={} {manner}", fake_player());
    let (a, b, c) = (player("a", "random 1"), player("b", "random 2"), player("quitter", "resign"));
    let output = run(&["-p", &a, "-p", &b, "-p", &c, "-s", "7", "-n", "4", "-o", out.to_str().unwrap()]);
    let table = text(&output.stdout);
    assert!(table.contains("12 games on 7x7"), "{table}");
    let last = table.lines().find(|line| line.trim_start().starts_with("3 ")).unwrap();
    assert!(last.contains("quitter") && last.contains("0/4"), "{table}");
}

#[test]
fn a_jigo_plays_a_jigo() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let [a, b] = [1, 2].map(|seed| format!("j{seed}=jigo gtp --playouts 5 --threads 1 --seed {seed}"));
    let output = run(&["-p", &a, "-p", &b, "-s", "9", "-n", "20", "-o", out.to_str().unwrap()]);
    let summary = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(summary.contains("20 games on 9x9") && !summary.contains("by failure"), "{summary}");
}

#[test]
fn gnu_go_plays_gnu_go() {
    let found =
        ["/usr/games/gnugo", "/usr/local/games/gnugo", "/usr/bin/gnugo"].iter().any(|path| Path::new(path).exists());
    if !found {
        skipped("GNU Go is not installed (Debian package gnugo)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let player = "gnugo --mode gtp --level 1 --seed {seed}";
    let output = run(&[
        "-p",
        player,
        "-p",
        player,
        "-s",
        "9",
        "-n",
        "2",
        "--referee",
        "gnugo --mode gtp",
        "-o",
        out.to_str().unwrap(),
    ]);
    let summary = text(&output.stdout);
    assert!(summary.contains("2 games on 9x9") && !summary.contains("by failure"), "{summary}{}", text(&output.stderr));
}
