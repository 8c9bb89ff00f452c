//! Fields of a JSON object, read with their type and bounds. A field that is null counts as missing.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::fault::Fault;

#[derive(Clone, Copy)]
pub struct Fields<'a>(pub &'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub fn text(self, name: &str) -> Result<Option<&'a str>, Fault> {
        self.read(name, "a string", Value::as_str)
    }

    /// A missing switch is off.
    pub fn switch(self, name: &str) -> Result<bool, Fault> {
        Ok(self.read(name, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    pub fn list(self, name: &str) -> Result<Option<&'a [Value]>, Fault> {
        self.read(name, "a list", |value| value.as_array().map(Vec::as_slice))
    }

    pub fn object(self, name: &str) -> Result<Option<Fields<'a>>, Fault> {
        self.read(name, "an object", |value| value.as_object().map(Fields))
    }

    pub fn integer(self, name: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, Fault> {
        let wanted = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(name, &wanted, |value| integer_in(value, &range))
    }

    pub fn number(self, name: &str, range: RangeInclusive<f64>) -> Result<Option<f64>, Fault> {
        let wanted = format!("a number from {} to {}", range.start(), range.end());
        self.read(name, &wanted, |value| value.as_f64().filter(|number| range.contains(number)))
    }

    pub fn integers(self, name: &str, range: RangeInclusive<i64>) -> Result<Option<Vec<i64>>, Fault> {
        let wanted = format!("a list of whole numbers from {} to {}", range.start(), range.end());
        let all = |value: &Value| value.as_array()?.iter().map(|value| integer_in(value, &range)).collect();
        self.read(name, &wanted, all)
    }

    fn read<T>(self, name: &str, wanted: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>, Fault> {
        let Some(value) = self.get(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| Fault::of(name, format!("{name} must be {wanted}")))
    }
}

/// Sliders and spreadsheets write whole numbers as 500.0.
fn integer_in(value: &Value, range: &RangeInclusive<i64>) -> Option<i64> {
    let whole = |number: &f64| number.fract() == 0.0 && number.abs() < (1_i64 << 53) as f64;
    let number = value.as_i64().or_else(|| value.as_f64().filter(whole).map(|number| number as i64))?;
    range.contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_within_their_bounds() {
        let value = json!({"n": 500.0, "big": 1e300, "list": [1, 2], "none": null, "text": "x"});
        let fields = Fields(value.as_object().unwrap());
        assert_eq!(fields.integer("n", 1..=1000), Ok(Some(500)));
        assert_eq!(fields.integer("none", 1..=1000), Ok(None));
        assert_eq!(fields.integers("list", 0..=2), Ok(Some(vec![1, 2])));
        let fault = |result: Result<Option<i64>, Fault>| result.unwrap_err().message;
        assert_eq!(fault(fields.integer("big", 1..=9)), "big must be a whole number from 1 to 9");
        assert_eq!(fault(fields.integer("n", 1..=9)), "n must be a whole number from 1 to 9");
        assert_eq!(fields.text("n").unwrap_err().message, "n must be a string");
        assert!(!fields.switch("missing").unwrap());
    }
}
