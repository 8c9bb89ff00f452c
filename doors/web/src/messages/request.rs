//! From the client.

use std::collections::BTreeMap;
use std::time::Duration;

use jigo_board::TimeControl;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::Side;

/// A request and the number its answer will carry.
#[derive(Debug, Deserialize)]
pub struct Envelope {
    pub re: Option<u64>,
    #[serde(flatten)]
    pub request: Request,
}

impl Envelope {
    /// The number of a message that is not understood: whoever waits for its answer hears what is wrong with it.
    pub fn number_of(text: &str) -> Option<u64> {
        #[derive(Deserialize)]
        struct Numbered {
            re: u64,
        }
        serde_json::from_str::<Numbered>(text).ok().map(|message| message.re)
    }
}

#[derive(Clone, Debug)]
pub enum Request {
    Lobby(LobbyRequest),
    Table(TableRequest),
}

/// About which game a tab is on, and the games there are.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyRequest {
    New(Settings),
    Join {
        game: String,
    },
    Leave,
    Load {
        sgf: String,
        name: Option<String>,
    },
    Rematch {
        #[serde(default)]
        swap: bool,
    },
    Sgf {
        #[serde(default)]
        annotated: bool,
    },
    /// A node and all that follows, as a record.
    Branch {
        node: u32,
    },
    /// What a move of the game changed.
    Moment {
        node: u32,
    },
    Games(Wanted),
    Deck,
    Card,
    Cluster,
    /// The analyst thinks with this net from now on, or with the usual one.
    Net {
        net: Option<String>,
    },
    Rename {
        game: String,
        name: String,
    },
    Remove {
        game: String,
    },
    Ping,
}

/// Which saved games are wanted; all of these must hold.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// Words of the name, the players, the event, the date or the result.
    pub text: Option<String>,
    pub result: Option<Won>,
    /// Part of the date, such as the year.
    pub date: Option<String>,
    /// Only games that came through the position on the tab's board.
    pub position: bool,
    /// How many to leave out, and how many to tell then.
    pub skip: usize,
    pub most: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Won {
    Black,
    White,
    Unfinished,
}

/// The types of [`LobbyRequest`].
const LOBBY: [&str; 16] = [
    "branch", "new", "join", "leave", "load", "rematch", "sgf", "moment", "games", "deck", "card", "cluster", "net",
    "rename", "remove", "ping",
];

/// About the game a tab is on.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TableRequest {
    Play {
        #[serde(rename = "move")]
        mv: String,
    },
    Resign,
    Undo,
    Accept,
    Toggle {
        point: String,
    },
    Resume,
    Go {
        node: Option<u32>,
        to: Option<Landmark>,
        by: Option<i32>,
    },
    Comment {
        node: u32,
        text: String,
    },
    Delete {
        node: u32,
    },
    Promote {
        node: u32,
    },
    Try {
        on: bool,
        color: Option<Side>,
        level: Option<u64>,
    },
    Analyse {
        on: bool,
        visits: Option<u32>,
    },
    Deeper,
    Review {
        on: bool,
        visits: Option<u32>,
    },
    /// `text` is a label's, `to` the other end of a line or an arrow.
    Mark {
        point: String,
        kind: MarkKind,
        text: Option<String>,
        to: Option<String>,
    },
    /// A stone set up, or a point made empty.
    Setup {
        point: String,
        stone: Option<Side>,
    },
    /// Who is to move in a position that was set up.
    Turn {
        color: Side,
    },
    /// Facts about the game.
    Tell {
        facts: BTreeMap<String, String>,
    },
    /// A copied branch, below the cursor.
    Paste {
        sgf: String,
    },
    /// The teacher speaks up from so many lost points on, or is silent.
    Teacher {
        points: Option<f32>,
    },
    /// The move the teacher warned about stays.
    Keep,
    Hint,
    /// An exercise: find this move of the main line.
    Train {
        number: usize,
    },
    Level {
        level: u64,
    },
    Pace {
        pace: Pace,
    },
}

impl<'de> Deserialize<'de> for Request {
    /// The type tells which of the two it is, so that what is wrong with either is said plainly.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
        let message = Value::deserialize(deserializer)?;
        let is_lobby = message["type"].as_str().is_some_and(|kind| LOBBY.contains(&kind));
        let request = if is_lobby {
            serde_json::from_value(message).map(Request::Lobby)
        } else {
            serde_json::from_value(message).map(Request::Table)
        };
        request.map_err(D::Error::custom)
    }
}

/// In the order of SGF's TR, SQ, CR and MA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    Triangle,
    Square,
    Circle,
    Cross,
    Label,
    Line,
    Arrow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Landmark {
    First,
    Last,
    Live,
    Previous,
    Next,
    Up,
    Down,
    PreviousMistake,
    NextMistake,
}

/// What a new game is to be like. It is kept in the record, so that a rematch can be like it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    #[serde(skip_serializing)]
    pub name: Option<String>,
    pub size: usize,
    pub handicap: usize,
    pub komi: Option<f32>,
    pub rules: String,
    pub color: Persons,
    pub level: u64,
    pub pace: Pace,
    pub clock: ClockSetting,
    /// From so many lost points on the teacher speaks up; it is silent unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teacher: Option<f32>,
    /// The opponent thinks with this net, by its name in `hello`; with the usual one if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<String>,
    /// The opponent plays like this player, by KataGo's names such as `rank_5k`; the net must know people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            name: None,
            size: 9,
            handicap: 0,
            komi: None,
            rules: "chinese".to_owned(),
            color: Persons::Black,
            level: DEFAULT_LEVEL,
            pace: Pace::Human,
            clock: ClockSetting::None,
            teacher: None,
            net: None,
            like: None,
        }
    }
}

/// An opponent that most people who have just learnt the rules can play with.
pub const DEFAULT_LEVEL: u64 = 3;

/// Who of the two is a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Persons {
    Black,
    White,
    Random,
    Both,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    Human,
    Instant,
}

/// Times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ClockSetting {
    None,
    Absolute { main: f32 },
    Byoyomi { main: f32, period: f32, periods: u32 },
    Canadian { main: f32, period: f32, moves: u32 },
    Fischer { main: f32, increment: f32, cap: Option<f32> },
}

/// Nobody sits longer than this over a game.
const LONGEST: f32 = 1e6;
const MOST_PERIODS: u32 = 100;

impl ClockSetting {
    /// The engine's own idea of the clock, or none if the numbers make no clock.
    pub fn control(&self) -> Option<TimeControl> {
        let seconds = |seconds: f32| (0.0..=LONGEST).contains(&seconds).then(|| Duration::from_secs_f32(seconds));
        let count = |count: u32| (1..=MOST_PERIODS).contains(&count).then_some(count);
        Some(match *self {
            ClockSetting::None => TimeControl::Unlimited,
            ClockSetting::Absolute { main } => TimeControl::absolute(seconds(main)?),
            ClockSetting::Byoyomi { main, period, periods } => {
                TimeControl::japanese(seconds(main)?, seconds(period).filter(|time| !time.is_zero())?, count(periods)?)
            }
            ClockSetting::Canadian { main, period, moves } => {
                TimeControl::canadian(seconds(main)?, seconds(period).filter(|time| !time.is_zero())?, count(moves)?)
            }
            ClockSetting::Fischer { main, increment, cap } => TimeControl::Fischer {
                main: seconds(main)?,
                increment: seconds(increment)?,
                cap: match cap {
                    Some(cap) => Some(seconds(cap)?),
                    None => None,
                },
                per_move: None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Envelope, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn every_field_of_a_new_game_may_be_missing() {
        let envelope = read(r#"{"type":"new","re":7}"#).unwrap();
        let Envelope { re, request: Request::Lobby(LobbyRequest::New(settings)) } = envelope else {
            panic!("not a new game");
        };
        assert_eq!((re, settings), (Some(7), Settings::default()));
    }

    #[test]
    fn unknown_fields_are_ignored_and_unknown_types_are_not() {
        assert!(read(r#"{"type":"play","move":"D4","mood":"good"}"#).is_ok());
        assert!(read(r#"{"type":"dance"}"#).unwrap_err().to_string().contains("dance"));
        assert!(read(r#"{"type":"play"}"#).is_err());
        assert_eq!(Envelope::number_of(r#"{"type":"dance","re":7}"#), Some(7));
        for unnumbered in [r#"{"type":"dance"}"#, r#"{"type":"dance","re":"7"}"#, "[", "7"] {
            assert_eq!(Envelope::number_of(unnumbered), None);
        }
    }

    #[test]
    fn every_request_of_the_lobby_is_known_by_its_type() {
        for kind in LOBBY {
            let message = format!(r#"{{"type":"{kind}","game":"a","name":"b","sgf":"(;)","node":1}}"#);
            assert!(matches!(read(&message).unwrap().request, Request::Lobby(_)), "{kind}");
        }
        let unknown = serde_json::from_str::<LobbyRequest>(r#"{"type":"dance"}"#).unwrap_err().to_string();
        assert_eq!(unknown.matches('`').count() / 2, LOBBY.len() + 1, "the list misses one: {unknown}");
    }

    #[test]
    fn clocks_that_make_no_sense_are_refused() {
        let control = |text: &str| serde_json::from_str::<ClockSetting>(text).unwrap().control();
        assert!(control(r#"{"kind":"byoyomi","main":600,"period":30,"periods":5}"#).is_some());
        assert!(control(r#"{"kind":"fischer","main":60,"increment":5,"cap":null}"#).is_some());
        for bad in [
            r#"{"kind":"byoyomi","main":-1,"period":30,"periods":5}"#,
            r#"{"kind":"byoyomi","main":1,"period":0,"periods":5}"#,
            r#"{"kind":"canadian","main":1,"period":30,"moves":0}"#,
            r#"{"kind":"absolute","main":1e9}"#,
            r#"{"kind":"fischer","main":60,"increment":5,"cap":-2}"#,
        ] {
            assert_eq!(control(bad), None, "{bad}");
        }
    }
}
