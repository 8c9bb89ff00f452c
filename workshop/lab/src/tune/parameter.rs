//! What may be tuned: a name, where to start, how far to go and by how much.

use jigo_parameters::{Kind, Parameter};
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneParameter {
    /// As in `--set NAME=value`.
    pub name: String,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    pub step: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    #[error("{0} has no range, so it cannot be tuned")]
    NoRange(String),
    #[error("{0:?} is not NAME=START:MIN:MAX:STEP")]
    Unreadable(String),
    #[error("the range of {0} has no room for a step")]
    NoRoom(String),
}

impl TuneParameter {
    /// A row of the house's one table of parameters, with its present value as the start.
    pub fn from_table(row: &Parameter, present: &str) -> Result<Self, ParameterError> {
        let no_range = || ParameterError::NoRange(row.name.to_string());
        let range = row.range.ok_or_else(no_range)?;
        Self {
            name: row.name.to_string(),
            start: present.parse().map_err(|_| no_range())?,
            min: range.min,
            max: range.max,
            step: range.step,
            whole: row.kind == Kind::Integer,
        }
        .checked()
    }

    /// Reads `NAME=START:MIN:MAX:STEP`. It is whole if all four numbers are.
    pub fn parse(text: &str) -> Result<Self, ParameterError> {
        let unreadable = || ParameterError::Unreadable(text.to_string());
        let (name, numbers) = text.split_once('=').ok_or_else(unreadable)?;
        // The name becomes a word of a command line and the name of a plot.
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)) {
            return Err(unreadable());
        }
        let numbers: Vec<f64> =
            numbers.split(':').map(|number| number.parse().ok()).collect::<Option<_>>().ok_or_else(unreadable)?;
        let [start, min, max, step] = numbers[..] else { return Err(unreadable()) };
        let whole = numbers.iter().all(|number| number.fract() == 0.0);
        Self { name: name.to_string(), start, min, max, step, whole }.checked()
    }

    fn checked(self) -> Result<Self, ParameterError> {
        let finite = [self.start, self.min, self.max, self.step].iter().all(|number| number.is_finite());
        let fits = self.step > 0.0 && self.min <= self.start && self.start <= self.max;
        let has_room = self.start + self.step <= self.max || self.start - self.step >= self.min;
        if finite && fits && has_room { Ok(self) } else { Err(ParameterError::NoRoom(self.name)) }
    }

    /// The nearest value that may be set.
    pub fn allowed(&self, value: f64) -> f64 {
        let value = value.clamp(self.min, self.max);
        if self.whole { value.round() } else { value }
    }
}

/// The words that give a program these values.
pub fn set_words(parameters: &[TuneParameter], values: &[f64]) -> Vec<String> {
    let pairs = parameters.iter().zip(values);
    pairs
        .flat_map(|(parameter, &value)| ["--set".to_string(), format!("{}={}", parameter.name, short(value))])
        .collect()
}

/// Six digits are more than any game can tell apart.
fn short(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_from_words() {
        let parameter = TuneParameter::parse("search.c=12:4:25:1").unwrap();
        assert_eq!((parameter.start, parameter.min, parameter.max, parameter.step), (12.0, 4.0, 25.0, 1.0));
        assert!(parameter.whole);
        assert!(!TuneParameter::parse("rate=0.5:0:1:0.1").unwrap().whole);
        for bad in ["c", "=1:0:9:1", "../c=1:0:9:1", "c=1", "c=1:2:3", "c=a:0:1:1", "c=1:0:9:1:1"] {
            assert!(matches!(TuneParameter::parse(bad), Err(ParameterError::Unreadable(_))), "{bad}");
        }
        for bad in ["c=5:0:4:1", "c=1:0:9:0", "c=1:0:9:-1", "c=1:0.5:1.5:1", "c=nan:0:1:1"] {
            assert!(matches!(TuneParameter::parse(bad), Err(ParameterError::NoRoom(_))), "{bad}");
        }
    }

    #[test]
    fn values_are_words_for_the_command_line() {
        let parameters = ["a=1:0:9:1", "b=0.1:0:1:0.1"].map(|text| TuneParameter::parse(text).unwrap());
        assert_eq!(set_words(&parameters, &[3.0, 0.1 + 0.2]), ["--set", "a=3", "--set", "b=0.3"]);
    }
}
