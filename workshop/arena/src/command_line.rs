//! A player as the user gives it: shell-like words, perhaps a name in front, `{seed}` and `{game}` inside.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Where distributions put games that are not on everybody's PATH.
const GAMES_FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Settings in a command line that tell two players of the same program apart are kept in the derived name,
/// up to this many characters.
const LONGEST_NAME: usize = 40;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct CommandLine {
    text: String,
    words: Vec<String>,
}

/// A command line in a file. What would be run follows from its text alone: words that stand beside it are not believed, so
/// that nobody is shown one command and runs another.
#[derive(Deserialize)]
struct Written {
    text: String,
}

impl TryFrom<Written> for CommandLine {
    type Error = CommandLineError;

    fn try_from(written: Written) -> Result<Self, CommandLineError> {
        CommandLine::parse(&written.text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandLineError {
    #[error("a player needs a command line")]
    Empty,
    #[error("the quotes in the command line {0:?} do not match")]
    Quotes(String),
}

impl CommandLine {
    pub fn parse(text: &str) -> Result<Self, CommandLineError> {
        let words = shlex::split(text).ok_or_else(|| CommandLineError::Quotes(text.to_string()))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(CommandLineError::Empty);
        }
        Ok(Self { text: text.trim().to_string(), words })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Words that the caller made, and what is shown to people in their place.
    pub fn of_words(words: Vec<String>, shown: String) -> Self {
        Self { text: shown, words }
    }

    /// The same command with more words at its end.
    pub fn with_words(&self, more: &[String]) -> Self {
        let mut longer = self.clone();
        for word in more {
            // Only a NUL cannot be quoted, and no operating system takes one as an argument either.
            let quoted = shlex::try_quote(word).unwrap_or_default();
            longer.text.push(' ');
            longer.text.push_str(&quoted);
            longer.words.push(word.clone());
        }
        longer
    }

    /// Whether each game has its own command line, and so its own process.
    pub fn changes_with_game(&self) -> bool {
        (self.words.iter()).any(|word| word.contains("{seed}") || word.contains("{game}"))
    }

    /// The words of one game.
    pub fn words_for(&self, seed: u32, game: u64) -> Vec<String> {
        (self.words.iter())
            .map(|word| word.replace("{seed}", &seed.to_string()).replace("{game}", &game.to_string()))
            .collect()
    }

    /// The program's file name and what was asked of it, without the words every GTP program gets.
    fn derived_name(&self) -> String {
        let program = Path::new(&self.words[0]);
        let mut name =
            program.file_name().map_or_else(|| self.words[0].clone(), |file| file.to_string_lossy().into_owned());
        for word in &self.words[1..] {
            let word = word.trim_start_matches('-');
            if !["gtp", "mode", "mode=gtp", "{seed}", "seed"].contains(&word) {
                name.push(' ');
                name.push_str(word);
            }
        }
        name.chars().take(LONGEST_NAME).collect()
    }
}

/// Reads `command words` or `name=command words`. A name is letters, digits and `-_.+`, so that
/// `--level=3` in a command is not mistaken for one.
pub fn parse_player(text: &str) -> Result<(Option<String>, CommandLine), CommandLineError> {
    if let Some((name, command)) = text.split_once('=') {
        let name = name.trim();
        let is_name_character = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        let is_name = !name.is_empty() && !name.starts_with('-') && name.chars().all(is_name_character);
        if is_name {
            return Ok((Some(name.to_string()), CommandLine::parse(command)?));
        }
    }
    Ok((None, CommandLine::parse(text)?))
}

/// Gives every player a name of its own: the given one, or one derived from the command, numbered where several
/// would be the same.
pub fn distinct_names(players: &[(Option<String>, CommandLine)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (given, command) in players {
        let wanted = given.clone().unwrap_or_else(|| command.derived_name());
        let mut name = wanted.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{wanted} #{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

/// The program that this process is. Its file may have another name, and another file may have this one.
static OUR_NAME: OnceLock<&str> = OnceLock::new();

/// From now on a player called so is this very program.
pub fn call_ourselves(name: &'static str) {
    OUR_NAME.get_or_init(|| name);
}

/// Finds a program: our own name is this very file; a bare name that is not on the PATH is also
/// looked for where distributions put games.
pub fn locate(program: &str) -> PathBuf {
    let bare = !program.contains(std::path::MAIN_SEPARATOR);
    if !bare {
        return PathBuf::from(program);
    }
    if let Ok(this) = std::env::current_exe()
        && OUR_NAME.get().is_some_and(|name| *name == program)
    {
        return this;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let games = GAMES_FOLDERS.iter().map(PathBuf::from);
    (std::env::split_paths(&path).chain(games))
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
        .unwrap_or_else(|| PathBuf::from(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(text: &str) -> String {
        let player = parse_player(text).unwrap();
        distinct_names(&[player]).remove(0)
    }

    #[test]
    fn names_are_given_or_derived() {
        assert_eq!(name_of("strong=jigo gtp --playouts 1000"), "strong");
        assert_eq!(name_of("jigo gtp --playouts 1000"), "jigo playouts 1000");
        assert_eq!(name_of("/usr/games/gnugo --mode gtp --level=3"), "gnugo level=3");
        assert_eq!(name_of("jigo gtp --set rave=0 --seed {seed}"), "jigo set rave=0");
    }

    #[test]
    fn equal_names_are_numbered() {
        let player = parse_player("gnugo --mode gtp").unwrap();
        assert_eq!(distinct_names(&[player.clone(), player]), ["gnugo", "gnugo #2"]);
    }

    #[test]
    fn quotes_keep_words_together_and_must_match() {
        let command = CommandLine::parse("prog 'two words' \"it's\"").unwrap();
        assert_eq!(command.words_for(0, 0), ["prog", "two words", "it's"]);
        assert!(matches!(CommandLine::parse("prog 'open"), Err(CommandLineError::Quotes(_))));
        assert_eq!(CommandLine::parse("  "), Err(CommandLineError::Empty));
        assert_eq!(parse_player("name="), Err(CommandLineError::Empty));
    }

    #[test]
    fn words_can_be_added_and_read_again() {
        let longer = CommandLine::parse("prog -x").unwrap().with_words(&["--set".to_string(), "it's=1 2".to_string()]);
        assert_eq!(CommandLine::parse(longer.text()).unwrap(), longer);
    }

    #[test]
    fn what_is_run_follows_from_what_is_shown() {
        let written = r#"{"text":"jigo gtp","words":["sh","-c","id"]}"#;
        let command: CommandLine = serde_json::from_str(written).unwrap();
        assert_eq!(command.words_for(0, 0), ["jigo", "gtp"]);
        assert!(serde_json::from_str::<CommandLine>(r#"{"text":"","words":["sh"]}"#).is_err());
    }

    #[test]
    fn seed_and_game_are_filled_in() {
        let command = CommandLine::parse("prog --seed {seed} --log g{game}.txt").unwrap();
        assert!(command.changes_with_game());
        assert_eq!(command.words_for(99, 3)[2..], ["99", "--log", "g3.txt"]);
        assert!(!CommandLine::parse("prog").unwrap().changes_with_game());
    }
}
