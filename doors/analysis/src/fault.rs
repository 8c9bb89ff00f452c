//! What is wrong with a request, as the protocol says it.

use serde_json::{Map, Value};

/// Longer pieces of what the other side wrote are not repeated to it.
const QUOTED: usize = 60;

/// One sentence, and the field it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub message: String,
    pub field: Option<String>,
}

impl Fault {
    pub fn new(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), field: None }
    }

    pub fn of(field: &str, message: impl Into<String>) -> Fault {
        Fault { message: message.into(), field: Some(quoted(field)) }
    }

    pub fn error_line(&self, id: Option<&str>) -> String {
        self.line("error", id)
    }

    pub fn warning_line(&self, id: Option<&str>) -> String {
        self.line("warning", id)
    }

    fn line(&self, kind: &str, id: Option<&str>) -> String {
        let parts = [(kind, Some(self.message.as_str())), ("field", self.field.as_deref()), ("id", id)];
        let fields = parts.into_iter().filter_map(|(name, text)| Some((name.to_string(), Value::from(text?))));
        Value::Object(fields.collect::<Map<_, _>>()).to_string()
    }
}

/// The beginning of what somebody wrote.
pub fn quoted(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}
