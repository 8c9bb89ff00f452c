//! Browser tabs that come, look at games somebody else plays, analyse them, and vanish without a word.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use jigo_board::Rng;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use super::account::Account;
use super::process::Process;
use super::web::Address;
use super::{Hours, PATIENCE};

/// Requests of one tab at most.
const LONGEST_STAY: usize = 30;

pub fn visit(process: &Process, address: &Address, mut rng: Rng, hours: &Hours, account: &mut Account) {
    while !hours.are_over() && !account.is_full() {
        let Some((here, life)) = address.get() else {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if let Err(how) = stay(&here, &mut rng, hours, account) {
            // The news of a death may be a little late.
            std::thread::sleep(Duration::from_millis(200));
            if !process.is_past(life) {
                account.fault(how);
            }
        }
    }
}

/// One tab from its beginning to its end.
fn stay(here: &str, rng: &mut Rng, hours: &Hours, account: &mut Account) -> Result<(), String> {
    let mut tab = Tab::open(here)?;
    let games = tab.ask(json!({"type": "games"}), account)?;
    let ids: Vec<&str> =
        games["games"].as_array().into_iter().flatten().filter_map(|game| game["id"].as_str()).collect();
    let Some(id) = rng.pick(&ids) else { return Ok(()) };
    tab.ask(json!({"type": "join", "game": id}), account)?;
    for _ in 0..rng.below(LONGEST_STAY) {
        if hours.are_over() {
            break;
        }
        let request = match rng.below(10) {
            0 => json!({"type": "analyse", "on": true, "visits": 10 + rng.below(100)}),
            1 => json!({"type": "analyse", "on": false}),
            2 => json!({"type": "go", "to": rng.pick(&["first", "last", "live", "previous", "next"])}),
            3 => json!({"type": "sgf", "annotated": true}),
            4 => json!({"type": "games", "text": "game"}),
            5 => json!({"type": "no such thing"}),
            6 => json!({"type": "play", "move": "Z99"}),
            _ => json!({"type": "ping"}),
        };
        tab.ask(request, account)?;
        std::thread::sleep(Duration::from_millis(rng.below(100) as u64));
    }
    // Dropping the socket is all the goodbye there is.
    Ok(())
}

struct Tab {
    socket: WebSocket<TcpStream>,
    number: u64,
}

impl Tab {
    fn open(here: &str) -> Result<Tab, String> {
        let failed = |error: std::io::Error| format!("no connection: {error}");
        let stream = TcpStream::connect(here).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        stream.set_write_timeout(Some(PATIENCE)).map_err(failed)?;
        let opened = tungstenite::client(format!("ws://{here}/ws"), stream);
        let (socket, _) = opened.map_err(|error| format!("no WebSocket: {error}"))?;
        Ok(Tab { socket, number: 0 })
    }

    /// Reads until the request is answered, whatever else there is to hear. A list is an answer too.
    fn ask(&mut self, mut request: Value, account: &mut Account) -> Result<Value, String> {
        self.number += 1;
        request["re"] = json!(self.number);
        let asked = Instant::now();
        let failed = |error: tungstenite::Error| format!("{request}: {error}");
        self.socket.send(Message::text(request.to_string())).map_err(failed)?;
        let mut list = Value::Null;
        while asked.elapsed() < PATIENCE {
            let Message::Text(text) = self.socket.read().map_err(failed)? else { continue };
            let message: Value =
                serde_json::from_str(&text).map_err(|_| format!("a message is no JSON: {text:.200}"))?;
            if message["re"] == self.number {
                account.answered(&request.to_string(), asked);
                return Ok(if message["type"] == "done" { list } else { message });
            }
            if message["type"] == "games" {
                list = message;
            }
        }
        Err(format!("{request}: no answer within {} s", PATIENCE.as_secs()))
    }
}
