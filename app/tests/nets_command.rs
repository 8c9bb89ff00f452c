//! `jigo net` and whoever uses nets by name, as processes, with the tiny nets of the reader's tests.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn tiny(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mind/katago/tests/data").join(name)
}

/// Somebody with a home of their own.
struct Person {
    home: TempDir,
}

impl Person {
    fn new() -> Person {
        Person { home: tempfile::tempdir().unwrap() }
    }

    /// One who keeps a plain net and one that knows people.
    fn with_nets() -> Person {
        let person = Person::new();
        for (file, name) in [("tiny-v8-relu.bin.gz", "plain"), ("tiny-v15-meta.bin.gz", "people")] {
            let added = person.run(&["net", "add", tiny(file).to_str().unwrap(), "--name", name], "");
            assert!(added.status.success(), "{added:?}");
        }
        person
    }

    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA"] {
            command.env(variable, self.home.path());
        }
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    fn says(&self, arguments: &[&str], input: &str) -> String {
        let output = self.run(arguments, input);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments, "");
        assert!(!output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}

#[test]
fn nets_are_added_listed_and_described() {
    let person = Person::new();
    let file = tiny("tiny-v15-meta.bin.gz");
    let file = file.to_str().unwrap();
    assert!(person.says(&["net", "add", file], "").contains("is now yours as tiny-v15-meta"));
    assert!(person.refused(&["net", "add", file]).contains("there is a net tiny-v15-meta already"));
    for name in ["embedded", "fast", "none", "", "../elsewhere", ".hidden"] {
        person.refused(&["net", "add", file, "--name", name]);
    }
    let list = person.says(&["net", "list"], "");
    let line = |name: &str| list.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{list}"));
    assert!(line("embedded").ends_with("strong play, analysis and reviews under any rules and komi"));
    assert!(line("fast").ends_with("the win rate at every komi in one look"));
    assert!(line("tiny-v15-meta").ends_with("an opponent who plays like a person of any rank"));
    let info = person.says(&["net", "info", "meta"], "");
    assert!(info.contains("version 15") && info.contains("this machine runs it on "), "{info}");
    assert!(info.contains("looks per second on one thread"), "{info}");
}

#[test]
fn what_is_no_net_is_not_kept() {
    let person = Person::new();
    let bytes = std::fs::read(tiny("tiny-v8-relu.bin.gz")).unwrap();
    let file = person.home.path().join("cut.bin.gz");
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let refusal = person.refused(&["net", "add", file.to_str().unwrap()]);
    assert!(refusal.contains("cut.bin.gz cannot be used: the net file is damaged"), "{refusal}");
    assert_eq!(person.says(&["net", "list"], "").lines().count(), 3, "a heading and the two nets in the box");
}

#[test]
fn one_flipped_byte_of_a_net_is_noticed() {
    let person = Person::new();
    let file = person.home.path().join("own.safetensors");
    let embedded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mind/net/weights/default.safetensors");
    std::fs::copy(embedded, &file).unwrap();
    let name = file.to_str().unwrap();
    // Whatever Jigo writes carries a digest of its weights.
    person.says(&["net", "note", name, "origin=a test"], "");
    let play = ["gtp", "--net", name, "--size", "5", "--playouts", "2", "--threads", "1"];
    assert!(person.says(&play, "genmove b\n").starts_with("= "));
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 1000;
    bytes[last] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    for words in [&play[..], &["net", "info", name], &["net", "add", name]] {
        let refusal = person.refused(words);
        let reason = "the net is damaged: its weights are not those that were saved";
        assert!(refusal.contains(reason) && refusal.lines().count() == 1, "{words:?}: {refusal}");
    }
}

#[test]
fn a_check_recommends_a_strong_net() {
    let found = Person::with_nets().says(&["check"], "");
    assert!(found.contains("plain: ") && found.contains("a review of 250 moves at 50 visits takes"), "{found}");
    assert!(found.contains("for strong play and reviews take --net plain"), "{found}");
}

#[test]
fn nets_change_in_the_middle_of_a_game() {
    let said = Person::with_nets().says(
        &["gtp", "--net", "plain", "--size", "5", "--playouts", "4", "--threads", "1"],
        "1 kata-get-models\n2 genmove b\n3 jigo-net\n4 jigo-net people\n5 kata-get-models\n\
         6 kata-set-param humanSLProfile rank_5k\n7 genmove w\n8 kata-raw-human-nn 0\n9 jigo-net ../people\n10 jigo-net none\n\
         11 kata-get-models\n12 undo\n13 undo\n14 undo\n",
    );
    let reply = |id: u32| {
        let start = said.split("\n\n").find(|reply| reply.trim_start()[1..].starts_with(&format!("{id}")));
        start.unwrap_or_else(|| panic!("{said}")).trim().to_owned()
    };
    assert!(reply(1).contains(r#""name":"plain""#) && reply(1).contains(r#""usesHumanSLProfile":false"#), "{said}");
    assert_eq!(reply(3), "=3 plain\nembedded\nfast\npeople");
    assert_eq!(reply(4), "=4");
    assert!(reply(5).contains(r#""name":"people""#) && reply(5).contains(r#""usesHumanSLProfile":true"#), "{said}");
    assert!(reply(8).contains("whiteWin"), "{said}");
    assert!(reply(9).starts_with("?9 cannot change the net"), "{said}");
    assert_eq!((reply(10).as_str(), reply(11).as_str()), ("=10", "=11 []"));
    let undone = [12, 13, 14].map(|id| reply(id).starts_with('='));
    assert_eq!(undone, [true, true, false], "both moves are still there: {said}");
}

#[test]
fn parameters_that_are_refused_together_change_nobody_who_is_imitated() {
    let said = Person::with_nets().says(
        &["gtp", "--net", "people", "--size", "5", "--threads", "1"],
        "kata-set-param humanSLProfile rank_9k\n\
         kata-set-params {\"humanSLProfile\":\"rank_5k\",\"maxVisits\":\"many\"}\nkata-get-param humanSLProfile\n",
    );
    let replies: Vec<&str> = said.split_terminator("\n\n").collect();
    assert!(replies[0] == "=" && replies[1].starts_with('?') && replies[2] == "= rank_9k", "{said}");
}

#[test]
fn how_sure_a_net_is_of_the_position_is_told_by_those_who_know() {
    let nets = Person::with_nets();
    let told = |net: &str| {
        let options = ["gtp", "--net", net, "--size", "5", "--threads", "1"];
        nets.says(&options, "kata-analyze b 1 rootInfo true\n\n")
    };
    let (knows, does_not) = (told("people"), told("plain"));
    for name in ["rawStWrError", "rawStScoreError", "rawVarTimeLeft"] {
        let number = knows.split_whitespace().skip_while(|word| *word != name).nth(1).map(str::parse::<f32>);
        assert!(matches!(number, Some(Ok(_))), "{name}: {knows}");
        assert!(!does_not.contains(name), "version 8 knows nothing of that: {does_not}");
    }
}

#[test]
fn a_query_names_the_net_that_answers_it() {
    let query = |id: &str, more: &str| {
        format!(
            r#"{{"id":"{id}","moves":[["b","C3"]],"rules":"chinese","boardXSize":5,"boardYSize":5,"maxVisits":3,"includePolicy":true{more}}}"#
        )
    };
    let lines = [
        r#"{"id":"models","action":"query_models"}"#.to_owned(),
        query("usual", ""),
        query("other", r#","model":"people","overrideSettings":{"humanSLProfile":"rank_5k"}"#),
        query("usual again", ""),
        query("nobody", r#","model":"nobody""#),
    ];
    let said = Person::with_nets()
        .says(&["analysis", "--net", "plain", "--workers", "1", "--threads", "1"], &(lines.join("\n") + "\n"));
    let answer = |id: &str| -> serde_json::Value {
        let answers = said.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        answers.into_iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("{said}"))
    };
    assert_eq!(answer("models")["models"][0]["name"], "plain");
    assert_eq!(answer("models")["available"].as_array().unwrap().len(), 4);
    assert_eq!(answer("usual")["policy"], answer("usual again")["policy"]);
    assert_ne!(answer("usual")["policy"], answer("other")["policy"]);
    assert!(answer("other")["humanPolicy"].is_array() && answer("usual")["humanPolicy"].is_null());
    assert_eq!(answer("nobody")["field"], "model");
    for name in ["rawWinrate", "rawLead", "rawScoreSelfplay", "rawScoreSelfplayStdev", "rawNoResultProb"] {
        assert!(answer("usual")["rootInfo"][name].is_f64(), "{name}: {said}");
    }
    for name in
        ["rawStWrError", "rawStScoreError", "rawVarTimeLeft", "humanWinrate", "humanScoreMean", "humanScoreStdev"]
    {
        assert!(answer("other")["rootInfo"][name].is_f64(), "{name}: {said}");
        assert!(answer("usual")["rootInfo"][name].is_null(), "version 8 knows nothing of that, {name}: {said}");
    }
    assert!(
        answer("other")["moveInfos"][0]["humanPrior"].is_f64()
            && answer("usual")["moveInfos"][0]["humanPrior"].is_null()
    );
}
