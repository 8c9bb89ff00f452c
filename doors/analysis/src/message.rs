//! A line of the protocol, understood.

use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::fields::Fields;
use crate::query::{Query, Turn};
use crate::service::Options;

/// Longer names of queries serve nobody, and thousands of queries may wait.
const LONGEST_ID: usize = 1024;
const LARGEST_TURN: i64 = i32::MAX as i64;

pub enum Message {
    Analyse {
        query: Box<Query>,
        turns: Vec<Turn>,
        warnings: Vec<Fault>,
    },
    /// Ends the queries of this id, or all, for these turns, or all.
    Terminate {
        id: Option<String>,
        turns: Option<Vec<usize>>,
        echo: Value,
    },
    ClearCache {
        echo: Value,
    },
    QueryVersion {
        echo: Map<String, Value>,
    },
    QueryModels {
        echo: Map<String, Value>,
    },
}

/// Why a line is no request, with its id if it has one.
#[derive(Debug)]
pub struct Refused {
    pub fault: Fault,
    pub id: Option<String>,
}

impl Message {
    pub fn read(line: &str, options: &Options) -> Result<Message, Refused> {
        let nameless = |fault| Refused { fault, id: None };
        let value: Value = serde_json::from_str(line)
            .map_err(|error| nameless(Fault::new(format!("the line is not valid JSON: {error}"))))?;
        let Value::Object(object) = value else {
            return Err(nameless(Fault::new("a request must be a JSON object")));
        };
        let id = Fields(&object).text("id").map_err(nameless)?;
        let id = id.ok_or_else(|| nameless(Fault::of("id", "a request needs an id, which is a string")))?.to_string();
        if id.len() > LONGEST_ID {
            return Err(nameless(Fault::of("id", format!("an id has at most {LONGEST_ID} bytes"))));
        }
        read_object(&id, object, options).map_err(|fault| Refused { fault, id: Some(id) })
    }
}

fn read_object(id: &str, object: Map<String, Value>, options: &Options) -> Result<Message, Fault> {
    let fields = Fields(&object);
    match fields.text("action")? {
        None => {
            let (query, turns, warnings) = Query::read(id.to_string(), fields, options)?;
            Ok(Message::Analyse { query: Box::new(query), turns, warnings })
        }
        Some("terminate") => {
            let wanted = fields.text("terminateId")?;
            let wanted = wanted.ok_or_else(|| Fault::of("terminateId", "terminate needs a terminateId"))?;
            let (id, turns) = (Some(wanted.to_string()), read_turns(fields)?);
            Ok(Message::Terminate { id, turns, echo: Value::Object(object) })
        }
        Some("terminate_all") => {
            let turns = read_turns(fields)?;
            Ok(Message::Terminate { id: None, turns, echo: Value::Object(object) })
        }
        Some("clear_cache") => Ok(Message::ClearCache { echo: Value::Object(object) }),
        Some("query_version") => Ok(Message::QueryVersion { echo: object }),
        Some("query_models") => Ok(Message::QueryModels { echo: object }),
        Some(_) => Err(Fault::of(
            "action",
            "action must be terminate, terminate_all, clear_cache, query_version or query_models",
        )),
    }
}

fn read_turns(fields: Fields<'_>) -> Result<Option<Vec<usize>>, Fault> {
    let turns = fields.integers("turnNumbers", 0..=LARGEST_TURN)?;
    Ok(turns.map(|turns| turns.into_iter().map(|turn| turn as usize).collect()))
}
