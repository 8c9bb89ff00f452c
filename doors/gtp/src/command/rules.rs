//! The rules, by name or field by field in KataGo's JSON.

use jigo_board::Rules;
use serde_json::{Map, Value};

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "kata-get-rules", help: "the rules as JSON", run: Once(get_rules) },
    Command { name: "kata-set-rules", help: "NAME or JSON: play by these rules", run: Once(set_rules) },
    Command { name: "kata-set-rule", help: "FIELD VALUE: change one field of the rules", run: Once(set_rule) },
    Command {
        name: "kgs-rules",
        help: "chinese|aga|japanese|new_zealand: rules as KGS plays them",
        run: Once(kgs_rules),
    },
];

fn get_rules(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let rules = session.engine.game().rules();
    // What is true or false is written without quotes.
    let value = |word: &str| word.parse().map_or_else(|_| Value::from(word), Value::Bool);
    let fields: Map<String, Value> =
        rules.fields().iter().map(|&(field, word)| (field.to_string(), value(word))).collect();
    Ok(Value::Object(fields).to_string())
}

/// The board, the moves and the komi stay as they are.
fn set_rules(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let text = arguments.rest();
    let rules =
        if text.starts_with('{') { read_fields(&text)? } else { Rules::by_name(&text).ok_or(Failure::UnknownRules)? };
    session.engine.set_rules(rules);
    DONE
}

/// One field; the others stay, and so do the board, the moves and the komi.
fn set_rule(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let (field, value) = (arguments.word("a field of the rules")?, arguments.word("a value")?);
    let mut rules = *session.engine.game().rules();
    rules.set_field(field, value).map_err(|error| Failure::Syntax(error.to_string()))?;
    session.engine.set_rules(rules);
    DONE
}

fn read_fields(text: &str) -> Result<Rules, Failure> {
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(|_| expected("rules as JSON"))?;
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let fields: Vec<(&str, String)> = fields.iter().map(|(field, value)| (field.as_str(), word(value))).collect();
    let fields = fields.iter().map(|(field, word)| (*field, word.as_str()));
    Rules::from_fields(fields).map_err(|error| Failure::Syntax(error.to_string()))
}

/// KGS forbids repetition under Chinese rules, as the printed rules do and most tournaments do not.
fn kgs_rules(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let name = match arguments.word("a ruleset")?.to_ascii_lowercase().as_str() {
        "chinese" => "chinese-kgs",
        "aga" => "aga",
        "japanese" => "japanese",
        "new_zealand" => "new-zealand",
        _ => return Err(Failure::UnknownRules),
    };
    session.engine.set_rules(Rules::by_name(name).ok_or(Failure::UnknownRules)?);
    DONE
}
