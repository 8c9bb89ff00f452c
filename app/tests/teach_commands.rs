//! `jigo train positions`, `teach`, `sl --taught` and `agreement` one after the other, and a net that carries its card.

use std::path::Path;
use std::process::Command;

fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_jigo")).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

const EMBEDDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/net/weights/default.safetensors");
const KATAGO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/katago/tests/data/tiny-v15-nbt-mish.bin.gz");

#[test]
fn positions_become_answers_and_answers_a_student() {
    let folder = tempfile::tempdir().unwrap();
    let jigo = |arguments: &str| run(folder.path(), &arguments.split(' ').collect::<Vec<_>>());
    std::fs::write(folder.path().join("a.sgf"), "(;GM[1]SZ[5]KM[7]RE[B+R];B[cc];W[bb];B[cb];W[bc])").unwrap();
    // The first draw of this seed is on a small board.
    let made = jigo("train positions positions --data . --files .sgf --count 5 --seed 1 --workers 1").unwrap();
    assert!(made.contains("different positions") && made.contains("5x5: "), "{made}");
    let taught = jigo(&format!("train teach positions answers --teacher {KATAGO} --most 40")).unwrap();
    assert!(taught.contains("answers holds "), "{taught}");
    let student = "train sl --data . --files .sgf --run student --taught answers --boards 5:4 --steps 2 --workers 1";
    let words: Vec<&str> = student.split(' ').chain(["--architecture", ARCHITECTURE]).collect();
    run(folder.path(), &words).unwrap();
    let card = jigo("net info student/net.safetensors").unwrap();
    assert!(card.contains("teacher: ") && card.contains("answers: "), "{card}");
    assert!(jigo("train agreement absent").unwrap_err().contains("cannot use absent"));
    assert!(jigo("train teach positions positions --teacher a.sgf").is_err());
}

#[test]
fn a_teacher_that_plays_answers_the_four_nets_of_a_paper_alike() {
    let folder = tempfile::tempdir().unwrap();
    let jigo = |arguments: &str| run(folder.path(), &arguments.split(' ').collect::<Vec<_>>());
    // No game is on 5x5, so that all are learnt from the answers.
    std::fs::write(folder.path().join("a.sgf"), "(;GM[1]SZ[7]KM[7]RE[B+R];B[cc];W[bb];B[cb];W[bc])").unwrap();
    let demonstrate = format!("train demonstrate answers --teacher {KATAGO} --sizes 5 --count 60");
    let refused = jigo(&format!("{demonstrate} --also-at 7.3")).unwrap_err();
    assert!(refused.contains("\"7.3\" is not a komi in half points"), "{refused}");
    jigo(&format!("{demonstrate} --also-at 7.5,-2.5")).unwrap();
    let (lessons, _) = jigo_train::teach::read_lessons(&[folder.path().join("answers")]).unwrap();
    for lesson in &lessons {
        let asked: Vec<f32> = lesson.label.win_rates().map(|(komi, _)| komi).collect();
        assert!(asked.contains(&7.5) && asked.contains(&-2.5) && asked.contains(&lesson.exercise.komi), "{asked:?}");
    }
    let four = "lab value-nets --data . --train-files .sgf --test-files .sgf --size 7 --games 1 --train-steps 2 \
                --train-boards 5:4,7:2 --nets nets --out out --taught";
    let absent = jigo(&format!("{four} absent")).unwrap_err();
    assert!(absent.contains("absent") && absent.trim_end().lines().count() == 1, "{absent}");
    assert!(!folder.path().join("nets").exists());
    jigo(&format!("{four} answers --taught-share 0.5")).unwrap();
    let learnt = |net: &str| {
        let card = jigo(&format!("net info nets/{net}/net.safetensors")).unwrap();
        let line = |word: &str| card.lines().find(|line| line.starts_with(word)).unwrap_or_default().to_string();
        (line("answers: "), line("teacher: "), line("steps: "))
    };
    let first = learnt("VN");
    assert!(first.0 > "answers: 1".into() && !first.1.is_empty() && first.2 == "steps: 2", "{first:?}");
    assert!(["ML-VN", "BV-VN", "BV-ML-VN"].into_iter().all(|net| learnt(net) == first));
}

const ARCHITECTURE: &str = "planes=compact-1 channels=16 blocks=p head=16 hidden=16 value=mixture ownership=yes";

#[test]
fn a_note_changes_nothing_but_the_card() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.safetensors");
    std::fs::copy(EMBEDDED, &file).unwrap();
    let note = |text: &str| run(folder.path(), &["net", "note", "net.safetensors", text]);
    let before = jigo_net::Weights::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
    note("weak at=ladders that start on the far side").unwrap();
    let card = run(folder.path(), &["net", "info", "net.safetensors"]).unwrap();
    assert!(card.contains("weak at: ladders that start on the far side"), "{card}");
    let after = jigo_net::Weights::from_bytes(&std::fs::read(&file).unwrap()).unwrap();
    assert!(before.values == after.values);
    assert!(
        file.metadata().unwrap().len() < Path::new(EMBEDDED).metadata().unwrap().len() + 1000,
        "still half precision"
    );
    note("weak at=").unwrap();
    assert!(note("weak at=").unwrap_err().contains("says nothing about weak at"));
    assert!(note("architecture=another").unwrap_err().contains("what the net is"));
}

#[test]
fn a_mixed_net_lies_between_two() {
    let folder = tempfile::tempdir().unwrap();
    let jigo = |arguments: &str| run(folder.path(), &arguments.split(' ').collect::<Vec<_>>());
    std::fs::write(folder.path().join("a.sgf"), "(;GM[1]SZ[5]KM[7]RE[B+R];B[cc];W[bb];B[cb];W[bc])").unwrap();
    for (name, seed) in [("one", "1"), ("two", "2")] {
        let learn =
            format!("train sl --data . --files .sgf --run {name} --seed {seed} --boards 5:4 --steps 1 --workers 1");
        run(folder.path(), &learn.split(' ').chain(["--architecture", ARCHITECTURE]).collect::<Vec<_>>()).unwrap();
    }
    let values =
        |file: &str| jigo_net::Weights::from_bytes(&std::fs::read(folder.path().join(file)).unwrap()).unwrap().values;
    let (one, two) = ("one/net.safetensors", "two/net.safetensors");
    jigo(&format!("net mix {one} {two} --share 0 --out first")).unwrap();
    assert!(values("first") == values(one) && values(one) != values(two));
    jigo(&format!("net mix {one} {two} --share 0.5 --out half")).unwrap();
    let between = values("half").into_iter().zip(values(one).into_iter().zip(values(two)));
    assert!(
        between.into_iter().all(|(mixed, (one, two))| (mixed - (one + two) / 2.0).abs() <= 1e-3 * (1.0 + mixed.abs()))
    );
    let refused = jigo(&format!("net mix {one} {EMBEDDED} --out none")).unwrap_err();
    assert!(refused.contains("one architecture"), "{refused}");
    assert!(jigo(&format!("net mix {one} {two} --share 2 --out none")).is_err());
}

#[test]
fn nets_of_katagos_form_are_mixed_and_others_are_refused() {
    const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/katago/tests/data/tiny-v8-relu.bin.gz");
    const IN_THE_BOX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/katago/weights/default.bin.gz");
    let folder = tempfile::tempdir().unwrap();
    let mix =
        |one: &str, other: &str| run(folder.path(), &["net", "mix", one, other, "--share", "0.3", "--out", "mixed"]);
    for other in [TINY, EMBEDDED] {
        let refused = mix(IN_THE_BOX, other).unwrap_err();
        assert!(refused.contains("one architecture") && !folder.path().join("mixed").exists(), "{refused}");
    }
    // Its numbers are rounded already, so between it and itself there is nothing else.
    mix(IN_THE_BOX, IN_THE_BOX).unwrap();
    let numbers = |file: &Path| jigo_katago::Model::read(&std::fs::read(file).unwrap()).unwrap().to_bytes().unwrap();
    assert!(numbers(&folder.path().join("mixed")) == numbers(Path::new(IN_THE_BOX)));
}
