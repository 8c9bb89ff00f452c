//! Stored conversations: each `scripts/NAME.gtp` must be answered exactly as `scripts/NAME.out` says.
//!
//! With the environment variable `JIGO_REWRITE_SCRIPTS` set, the stored answers are written anew instead; read the
//! difference before committing it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jigo_board::{Game, Rules};
use jigo_engine::Engine;
use jigo_gtp::{Session, commands, parse};
use jigo_search::RandomMover;

fn session() -> Session {
    Session::new(Engine::new(Game::new(19, Rules::default()), Box::new(RandomMover::new(1)), 1))
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut scripts: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "gtp")).collect();
    scripts.sort();
    scripts
}

/// Everything said in answer to a script, and the commands that succeeded at least once.
fn play_script(script: &str) -> (String, BTreeSet<String>) {
    // A folder of its own: the tests of this file run side by side and the scripts write files.
    let folder = tempfile::tempdir().unwrap();
    let script = script.replace("$TMP", folder.path().to_str().unwrap());
    let mut session = session();
    let mut answers = String::new();
    let mut succeeded = BTreeSet::new();
    for line in script.lines() {
        let Some(mut reply) = session.respond(line.as_bytes()) else { continue };
        let command = parse(line.as_bytes()).unwrap().command;
        if let Ok(body) = &mut reply.outcome {
            // The only answer that differs from run to run.
            if command == "cputime" || command == "gomill-cpu_time" {
                assert!(body.parse::<f64>().unwrap() >= 0.0);
                *body = "SECONDS".to_owned();
            }
            succeeded.insert(command);
        }
        answers.push_str(&reply.to_string());
    }
    (answers, succeeded)
}

#[test]
fn every_script_is_answered_as_stored() {
    for path in scripts() {
        let (answers, _) = play_script(&fs::read_to_string(&path).unwrap());
        let stored = path.with_extension("out");
        if std::env::var_os("JIGO_REWRITE_SCRIPTS").is_some() {
            fs::write(&stored, answers).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&stored).unwrap_or_default();
        let difference = answers.lines().zip(expected.lines()).position(|(said, stored)| said != stored);
        assert!(
            answers == expected,
            "{} differs from what is stored, first in line {}:\n{answers}",
            stored.display(),
            difference.unwrap_or(answers.lines().count().min(expected.lines().count())) + 1
        );
    }
}

/// Commands that are answered with success in the clients' conversations, which are checked elsewhere.
fn commands_in_conversations() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/conversations");
    let texts = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let mut commands = Vec::new();
    for text in texts {
        let mut asked = None;
        for line in text.lines() {
            if let Some(sent) = line.strip_prefix("> ") {
                asked = parse(sent.as_bytes()).map(|request| request.command);
            } else if line.starts_with('=') {
                commands.extend(asked.take());
            }
        }
    }
    commands
}

#[test]
fn every_command_succeeds_in_some_script_or_conversation() {
    let scripts = scripts().into_iter().map(|path| fs::read_to_string(path).unwrap());
    let mut succeeded: BTreeSet<String> = scripts.flat_map(|script| play_script(&script).1).collect();
    succeeded.extend(commands_in_conversations());
    // A human net is too large to be part of the tests here.
    let shown = |name: &&str| succeeded.contains(*name) || *name == "kata-raw-human-nn";
    let missing: Vec<&str> = commands().map(|command| command.name).filter(|name| !shown(name)).collect();
    assert!(missing.is_empty(), "no script shows {missing:?} at work");
}
