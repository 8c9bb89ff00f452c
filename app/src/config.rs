//! The configuration file: options and parameters for those who want to set them once. The command line wins.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use jigo_engine::{Parameters, Preset};
use jigo_parameters::{Kind, Parameter};
use serde::Deserialize;
use toml::{Table, Value};

use crate::engine_options::{preset_named, usual_net, with_hint};
use crate::places;

/// What a file says. Options have the names they have on the command line, parameters stand in tables of their rooms.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub preset: Option<String>,
    pub threads: Option<u64>,
    pub net: Option<String>,
    pub seed: Option<u64>,
    pub size: Option<usize>,
    pub komi: Option<f32>,
    pub rules: Option<String>,
    pub playouts: Option<u64>,
    pub visits: Option<u32>,
    pub level: Option<u64>,
    engine: Table,
    search: Table,
    prior: Table,
    playout: Table,
    dynamic_komi: Table,
    go_intellect: Table,
    cgi: Table,
}

impl Config {
    /// The file that was named, or else the user's own if there is one.
    pub fn load(named: Option<&Path>) -> Result<Config> {
        match Config::find(named)? {
            Some((path, text)) => Config::read(&text).with_context(|| path.display().to_string()),
            None => Ok(Config::default()),
        }
    }

    /// Where settings come from, and their text. A file that was named must be there.
    pub fn find(named: Option<&Path>) -> Result<Option<(PathBuf, String)>> {
        let Some(path) = named.map(Path::to_path_buf).or_else(places::config_file) else { return Ok(None) };
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some((path, text))),
            Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => Ok(None),
            Err(error) => Err(error).with_context(|| format!("the settings in {} cannot be read", path.display())),
        }
    }

    /// The settings in a text, all of them checked.
    pub fn read(text: &str) -> Result<Config> {
        let config: Config = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            anyhow!("{place}{}", error.message())
        })?;
        config.parameters(config.preset()?)?;
        Ok(config)
    }

    /// The preset that the file names, or Jigo's own.
    pub fn preset(&self) -> Result<&'static Preset> {
        preset_named(self.preset.as_deref().unwrap_or("jigo"))
    }

    /// A preset with what the file says about single parameters.
    pub fn parameters(&self, preset: &Preset) -> Result<Parameters> {
        let mut parameters = preset.parameters();
        for (room, table) in self.rooms() {
            for (name, value) in table {
                let name = format!("{room}.{name}");
                let text = plain(value).with_context(|| format!("{name} takes one value"))?;
                parameters.set(&name, &text).map_err(with_hint)?;
            }
        }
        Ok(parameters)
    }

    fn rooms(&self) -> [(&'static str, &Table); 7] {
        [
            ("engine", &self.engine),
            ("search", &self.search),
            ("prior", &self.prior),
            ("playout", &self.playout),
            ("dynamic_komi", &self.dynamic_komi),
            ("go_intellect", &self.go_intellect),
            ("cgi", &self.cgi),
        ]
    }
}

/// A value as it would be written on the command line.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(switch) => Some(switch.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

const HEADING: &str = "\
# Settings of Jigo. Everything here is as it is by default: remove the # before a line to change it.
# Jigo reads the file named with --config, or else jigo.toml in your configuration folder (jigo config --path says
# where that is). What you write on the command line counts more than what stands here.

# Which program: jigo, or one of the papers' as published (pachi, baudis, go-intellect, cgi)
#preset = \"jigo\"

# Search threads; by default all cores
#threads = 2
# A neural net, ours or KataGo's: a file or a name (jigo net list), or \"none\" to judge by playouts alone; by default the one
# that comes with Jigo
#net = \"net.safetensors\"
# Number that decides everything left to chance; by default another one each time
#seed = 1

# Games begin like this, until a client says otherwise
#size = 19
#rules = \"chinese\"
# By default that of the rules
#komi = 7.5
# How strong: new simulations for each move (playouts), simulations in the tree with what it keeps from before (visits), or
# a level; by default the clock decides
#playouts = 5000
#visits = 5000
#level = 5
";

/// A file with everything that a preset sets, each value with its source.
pub fn preset_file(preset: &Preset) -> String {
    let mut text = format!("# {}.\n# Not to the letter: {}\n", preset.about, preset.departs);
    if let Some(net) = usual_net(preset) {
        text += &format!("\nnet = \"{net}\"\n");
    }
    let mut room = "";
    for row in Parameters::table() {
        let (Some((of_room, name)), Some(setting)) =
            (row.name.split_once('.'), preset.settings().find(|setting| setting.name == row.name))
        else {
            continue;
        };
        if of_room != room {
            room = of_room;
            text += &format!("\n[{room}]\n");
        }
        let value = preset.parameters().get(setting.name).unwrap_or_default();
        text += &format!("# {} ({})\n{name} = {}\n", row.meaning, setting.source, written(row, &value));
    }
    text
}

/// A file with every setting, its meaning and its default.
pub fn default_file() -> String {
    let defaults = Parameters::default();
    let mut text = HEADING.to_string();
    let mut room = "";
    for row in Parameters::table() {
        let Some((of_room, name)) = row.name.split_once('.') else { continue };
        if of_room != room {
            room = of_room;
            text += &format!("\n[{room}]\n");
        }
        let default = defaults.get(row.name).unwrap_or_default();
        text += &format!("# {} ({})\n#{name} = {}\n", row.meaning, bounds(row), written(row, &default));
    }
    text
}

fn bounds(row: &Parameter) -> String {
    let allowed = match (row.kind, row.range) {
        (_, Some(range)) => format!("{} to {}", range.min, range.max),
        (Kind::Choice(names), None) => names.join(", "),
        (Kind::Switch, None) => "true or false".to_string(),
        (Kind::Number | Kind::Integer, None) => "any number".to_string(),
    };
    format!("{allowed}; {}", row.source)
}

fn written(row: &Parameter, value: &str) -> String {
    if matches!(row.kind, Kind::Choice(_)) { format!("{value:?}") } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_file_names_every_parameter_and_changes_nothing() {
        let text = default_file();
        assert_eq!(parameters_of(&Config::read(&text).unwrap()), Parameters::default());
        // With the signs removed every line is read, and still says the default.
        let active: String = text.lines().map(uncommented).collect();
        let config = Config::read(&active).unwrap_or_else(|error| panic!("{error:#}\n{active}"));
        assert_eq!(parameters_of(&config), Parameters::default());
        assert_eq!((config.threads, config.level), (Some(2), Some(5)));
        for row in Parameters::table() {
            let (room, name) = row.name.split_once('.').unwrap();
            assert!(
                config.rooms().iter().any(|(known, table)| *known == room && table.contains_key(name)),
                "{}",
                row.name
            );
        }
    }

    fn parameters_of(config: &Config) -> Parameters {
        config.parameters(config.preset().unwrap()).unwrap()
    }

    #[test]
    fn the_file_of_a_preset_says_what_the_preset_says() {
        for preset in jigo_engine::PRESETS {
            let text = preset_file(preset);
            let config = Config::read(&text).unwrap_or_else(|error| panic!("{error:#}\n{text}"));
            assert_eq!(parameters_of(&config), preset.parameters(), "{}", preset.name);
            assert_eq!(config.net.as_deref() == Some("none"), !preset.uses_net);
        }
        let named = Config::read("preset = \"pachi\"\n[search]\nexpand_at = 4\n").unwrap();
        let parameters = parameters_of(&named).searching;
        assert_eq!((parameters.search.expand_at, parameters.search.virtual_loss), (4, 6));
    }

    fn uncommented(line: &str) -> String {
        let setting = line.strip_prefix('#').filter(|rest| !rest.starts_with(' '));
        format!("{}\n", setting.unwrap_or(line))
    }

    #[test]
    fn mistakes_are_told_in_one_line() {
        let refuse = |text: &str| format!("{:#}", Config::read(text).unwrap_err());
        assert!(refuse("preset = \"zen\"").starts_with("there is no preset called \"zen\"; known are jigo, pachi"));
        assert!(refuse("threads = 2\nthread = 3\n").starts_with("line 2: unknown field `thread`"));
        assert!(refuse("[search]\nspeed = 1\n").starts_with("there is no parameter named \"search.speed\""));
        assert_eq!(
            refuse("[engine]\nlagg = 1\n"),
            "there is no parameter named \"engine.lagg\"; did you mean engine.lag?"
        );
        assert_eq!(refuse("[engine]\nlag = 11\n"), "engine.lag must lie between 0 and 10, 11 does not");
        assert_eq!(refuse("[engine]\nlag = [1]\n"), "engine.lag takes one value");
        for text in ["threads = \"two\"", "[search", "threads = 1\nthreads = 2", "level = -1"] {
            assert!(!refuse(text).contains('\n'), "{text}");
        }
    }

    #[test]
    fn a_named_file_must_be_there() {
        assert!(Config::load(Some(Path::new("no/such/file.toml"))).is_err());
    }
}
