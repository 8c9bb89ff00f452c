//! `jigo evaluate` and `jigo suite` as a user runs them.

use std::process::{Command, Output};

fn jigo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jigo")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// White lives in the corner of a 7x7 board, Black has the rest.
const CORNER: &str = "(;SZ[7]AW[ba][da][ab][bb][cb][db]AB[ea][eb][ac][bc][cc][dc][ec][ed];B[fd];W[tt])";

#[test]
fn a_position_is_judged_drawn_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("corner.sgf");
    let picture = folder.path().join("corner.svg");
    std::fs::write(&file, CORNER).unwrap();
    let (file, picture) = (file.to_str().unwrap(), picture.to_str().unwrap());
    let arguments = ["evaluate", file, "--playouts", "100", "--svg", picture, "--expect", "B7=alive,D6=dead,G1=black"];
    let output = jigo(&arguments);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(told.starts_with("black to move after 2 moves; 100 playouts by pachi: Black leads by "), "{told}");
    assert!(told.contains(" 7 .-10 O-10 .-10 O-10 X 10"), "{told}");
    assert!(told.contains("2 of 3 expectations are met"), "{told}");
    assert!(
        told.contains("D6 (white, 6 stones) is dead, but its value is -10.0: white gets it in 100 of 100"),
        "{told}"
    );
    assert!(std::fs::read_to_string(picture).unwrap().contains("</svg>"));
    assert_eq!(told, text(&jigo(&arguments).stdout), "one seed, one answer");

    let earlier = text(&jigo(&["evaluate", file, "--move", "0", "--to-move", "w", "--policy", "random"]).stdout);
    assert!(earlier.starts_with("white to move after 0 moves; 1000 playouts by random: "), "{earlier}");
}

#[test]
fn what_cannot_be_evaluated_is_said_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("corner.sgf");
    std::fs::write(&file, CORNER).unwrap();
    let file = file.to_str().unwrap();
    let complaint = |arguments: &[&str]| {
        let output = jigo(&[&["evaluate"], arguments].concat());
        assert!(!output.status.success());
        text(&output.stderr)
    };
    let expected =
        "jigo: \"A7=alive\" is no expectation; write STONE=alive, dead or unsettled, or EMPTY=black or white\n";
    assert_eq!(complaint(&[file, "--expect", "A7=alive"]), expected);
    assert_eq!(complaint(&[file, "--set", "playout.luck=1"]), "jigo: there is no parameter named \"playout.luck\"\n");
    assert!(complaint(&["nowhere.sgf"]).starts_with("jigo: cannot read nowhere.sgf: "));
    std::fs::write(file, "no game at all").unwrap();
    assert_eq!(complaint(&[file]).lines().count(), 1);
}

#[test]
fn the_suite_counts_what_each_policy_judges_right() {
    let output = jigo(&["suite", "--playouts", "10", "--category", "bent"]);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows: Vec<Vec<&str>> = told.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["category", "positions", "pachi", "go-intellect", "random"]);
    assert_eq!(rows[1][..2], ["bent", "four"]);
    assert_eq!(rows[2][0], "all");

    let verbose = text(&jigo(&["suite", "--playouts", "10", "--category", "seki", "--policy", "random", "-v"]).stdout);
    assert!(verbose.contains("random | seki | ") && verbose.contains("  for example: "), "{verbose}");
    let nothing = text(&jigo(&["suite", "--category", "joseki"]).stderr);
    assert!(
        nothing.starts_with("jigo: there is no category \"joseki\"; there are life and death, nakade, "),
        "{nothing}"
    );
}
