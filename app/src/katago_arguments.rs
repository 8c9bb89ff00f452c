//! KataGo's own command line, for programs that start an engine as if it were KataGo:
//! `jigo analysis -config FILE -model FILE -quit-without-waiting`, `jigo gtp -override-config KEY=VALUE,...`.
//!
//! Its options have one dash where ours have two, and many settings stand in its configuration file. Each is turned into our
//! own option where there is one. The others are named in one line on standard error, so that nobody believes in them.

use std::ffi::OsString;
use std::fs;

use anyhow::{Context, Result};

/// Commands that KataGo has too.
const COMMANDS: [&str; 2] = ["gtp", "analysis"];
/// Of KataGo's options, those that take a value.
const WITH_VALUE: [&str; 5] = ["-config", "-model", "-human-model", "-override-config", "-analysis-threads"];

/// The command line in our own words; one that is ours already stays as it is.
pub fn translate(words: Vec<OsString>) -> Result<Vec<OsString>> {
    let command = words.get(1).and_then(|word| word.to_str()).filter(|word| COMMANDS.contains(word));
    let is_katagos = |word: &OsString| word.to_str().is_some_and(is_option);
    match command.map(str::to_owned) {
        Some(command) if words.iter().any(is_katagos) => Translation::of(&command, words),
        _ => Ok(words),
    }
}

fn is_option(word: &str) -> bool {
    WITH_VALUE.contains(&word) || word == "-quit-without-waiting"
}

struct Translation {
    is_analysis: bool,
    words: Vec<OsString>,
    /// Settings without a meaning here.
    idle: Vec<String>,
    workers: u64,
}

impl Translation {
    fn of(command: &str, words: Vec<OsString>) -> Result<Vec<OsString>> {
        let is_analysis = command == "analysis";
        let mut translation = Translation { is_analysis, words: words[..2].to_vec(), idle: Vec::new(), workers: 1 };
        let mut settings: Vec<(String, String)> = Vec::new();
        let mut rest = words.into_iter().skip(2);
        while let Some(word) = rest.next() {
            let Some(option) = word.to_str().filter(|word| is_option(word)).map(str::to_owned) else {
                translation.words.push(word);
                continue;
            };
            if option == "-quit-without-waiting" {
                translation.say("--quit-without-waiting", None);
                continue;
            }
            let value = rest.next().with_context(|| format!("{option} needs a value"))?;
            let text = || value.to_str().with_context(|| format!("the value of {option} is no text"));
            match option.as_str() {
                "-model" => translation.words.extend(["--net".into(), value]),
                "-human-model" => translation.words.extend(["--human-net".into(), value]),
                "-config" => {
                    let file = fs::read_to_string(&value);
                    let file = file.with_context(|| format!("{} cannot be read", value.to_string_lossy()))?;
                    settings.extend(file.lines().filter_map(setting));
                }
                "-override-config" => settings.extend(text()?.split(',').filter_map(setting)),
                _ => settings.push(("numAnalysisThreads".to_string(), text()?.to_string())),
            }
        }
        translation.apply(last_of_each(settings));
        if !translation.idle.is_empty() {
            eprintln!("jigo: of KataGo's settings these have no meaning here: {}", translation.idle.join(", "));
        }
        Ok(translation.words)
    }

    fn apply(&mut self, settings: Vec<(String, String)>) {
        let workers = settings.iter().find(|(key, _)| key == "numAnalysisThreads");
        self.workers = workers.and_then(|(_, value)| value.parse().ok()).unwrap_or(1);
        for (key, value) in settings {
            if !self.meaning(&key, &value) {
                self.idle.push(key);
            }
        }
    }

    /// Says the same in our words, or that there are none.
    fn meaning(&mut self, key: &str, value: &str) -> bool {
        let number = value.parse::<f64>();
        match (key, self.is_analysis) {
            ("numAnalysisThreads", true) => self.say("--workers", Some(value)),
            ("numSearchThreads", false) => self.say("--threads", Some(value)),
            ("numSearchThreads" | "numSearchThreadsPerAnalysisThread", true) => match value.parse::<u64>() {
                Ok(threads) => self.say("--threads", Some(&threads.saturating_mul(self.workers).to_string())),
                Err(_) => return false,
            },
            ("maxVisits", true) => self.say("--visits", Some(value)),
            ("reportAnalysisWinratesAs", true) => self.say("--report-as", Some(value)),
            ("rules", false) => self.say("--rules", Some(value)),
            ("maxVisits", _) => self.set("engine.most_visits", value),
            ("maxPlayouts", _) => self.set("engine.most_playouts", value),
            ("maxTime", _) => self.set("engine.most_seconds", value),
            ("lagBuffer", _) => self.set("engine.lag", value),
            ("ponderingEnabled", _) => self.set("engine.ponder", value),
            ("cpuctExploration", _) => self.set("search.net_exploration", value),
            ("rootPolicyTemperature", _) => self.set("search.root_temperature", value),
            ("analysisWideRootNoise", false) | ("wideRootNoise", true) => self.set("search.analysis_noise", value),
            ("rootSymmetryPruning", _) => self.set("search.join_images", value),
            ("allowResignation", _) if value.eq_ignore_ascii_case("false") => self.set("engine.resign_below", "0"),
            ("allowResignation", _) => {}
            // A utility from -1 to 1 where we have a win rate.
            ("resignThreshold", _) => match number {
                Ok(utility) => self.set("engine.resign_below", &((utility + 1.0) / 2.0).to_string()),
                Err(_) => return false,
            },
            _ => return false,
        }
        true
    }

    fn say(&mut self, option: &str, value: Option<&str>) {
        self.words.push(option.into());
        self.words.extend(value.map(OsString::from));
    }

    fn set(&mut self, parameter: &str, value: &str) {
        self.say("--set", Some(&format!("{parameter}={value}")));
    }
}

/// `key = value`, without what follows a `#`.
fn setting(line: &str) -> Option<(String, String)> {
    let line = line.split('#').next()?;
    let (key, value) = line.split_once('=')?;
    Some((key.trim().to_string(), value.trim().to_string()))
}

/// What is said later counts more.
fn last_of_each(settings: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for (key, value) in settings {
        match kept.iter_mut().find(|(known, _)| *known == key) {
            Some(known) => known.1 = value,
            None => kept.push((key, value)),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> String {
        let words = line.split_whitespace().map(OsString::from).collect();
        let words = translate(words).unwrap().into_iter().map(|word| word.into_string().unwrap());
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn our_own_command_line_stays_as_it_is() {
        for line in ["jigo", "jigo gtp --net none --playouts 5", "jigo match -p a -p b", "jigo play -model x"] {
            assert_eq!(translated(line), line);
        }
    }

    #[test]
    fn katagos_options_and_settings_become_ours() {
        assert_eq!(
            translated("jigo analysis -model net.bin.gz -quit-without-waiting"),
            "jigo analysis --net net.bin.gz --quit-without-waiting"
        );
        assert_eq!(
            translated("jigo gtp -override-config maxTime=5,maxTime=3,resignThreshold=-0.9,nnMaxBatchSize=16 --size 9"),
            "jigo gtp --size 9 --set engine.most_seconds=3 --set engine.resign_below=0.04999999999999999"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("analysis.cfg");
        let text = "# threads\nnumAnalysisThreads = 2 # positions\nnumSearchThreadsPerAnalysisThread = 3\nmaxVisits=40\nreportAnalysisWinratesAs = WHITE\n";
        fs::write(&path, text).unwrap();
        assert_eq!(
            translated(&format!("jigo analysis -config {}", path.display())),
            "jigo analysis --workers 2 --threads 6 --visits 40 --report-as WHITE"
        );
    }

    #[test]
    fn what_cannot_be_is_told() {
        let refused = |line: &str| {
            let words = line.split_whitespace().map(OsString::from).collect();
            format!("{:#}", translate(words).unwrap_err())
        };
        assert_eq!(refused("jigo gtp -model"), "-model needs a value");
        assert!(refused("jigo gtp -config no/such/file.cfg").starts_with("no/such/file.cfg cannot be read: "));
    }
}
