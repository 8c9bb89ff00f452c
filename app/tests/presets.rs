//! Every paper's program plays a whole game, and what contradicts it is told.

#[path = "skipped/mod.rs"]
mod skipped;

use std::path::Path;
use std::process::{Command, Output};

use jigo_engine::PRESETS;
use skipped::skipped;

fn jigo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jigo")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_preset_plays_a_whole_game_against_gnu_go() {
    if !["/usr/games/gnugo", "/usr/bin/gnugo"].iter().any(|path| Path::new(path).exists()) {
        skipped("GNU Go is not installed (Debian package gnugo)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str| {
        let out = folder.path().join(name);
        let program = env!("CARGO_BIN_EXE_jigo");
        let ours = format!("{program} gtp --preset {name} --playouts 24 --threads 1 --seed 1");
        let theirs = "gnugo --mode gtp --level 1 --seed 1 --chinese-rules";
        let out = out.to_str().unwrap();
        let output = jigo(&["match", "-p", &ours, "-p", theirs, "-s", "9", "-n", "1", "-o", out]);
        let summary = text(&output.stdout);
        let is_whole = summary.contains("1 games on 9x9") && !summary.contains("by failure");
        assert!(is_whole, "{name}: {summary}{}", text(&output.stderr));
    };
    std::thread::scope(|games| PRESETS.iter().for_each(|preset| drop(games.spawn(|| play(preset.name)))));
}

#[test]
fn a_preset_is_printed_with_the_source_of_each_value() {
    let printed = text(&jigo(&["config", "--preset", "pachi"]).stdout);
    for line in [
        "# visits before a leaf gets children; 0 is 8 by RAVE and 2 otherwise; with a net always 1 (Pachi 3)",
        "expand_at = 8",
        "net = \"none\"",
    ] {
        assert!(printed.contains(line), "{line}\n{printed}");
    }
    assert!(printed.contains("# Not to the letter: "), "{printed}");
}

#[test]
fn what_no_preset_is_and_what_contradicts_one_is_told() {
    let unknown = jigo(&["gtp", "--preset", "zen"]);
    let told = text(&unknown.stderr);
    assert!(!unknown.status.success() && told.contains("there is no preset called \"zen\"; known are jigo"), "{told}");
    // Without input the program ends at once.
    for (set, note) in [
        ("search.expand_at=2", "note: search.expand_at is 2, and in the preset pachi it is 8 (Pachi 3)"),
        ("search.net_share=0.3", "note: search.net_share has no effect in the preset pachi"),
    ] {
        let contradicted = jigo(&["gtp", "--preset", "pachi", "--set", set, "--config", "/dev/null"]);
        let told = text(&contradicted.stderr);
        assert!(contradicted.status.success(), "{told}");
        assert_eq!(told.trim(), note);
    }
}
