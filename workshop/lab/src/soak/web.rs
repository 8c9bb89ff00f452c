//! People at the board in the browser, as the server sees them. A ledger says which games there must be, move for move, with their names
//! and comments; it is compared with the server after every death and at the end.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use jigo_board::{COLUMNS, Rng};
use serde_json::{Value, json};

use super::account::Account;
use super::process::{End, Process, Silence, Talk};
use super::{Hours, PATIENCE};

const MOST_GAMES: usize = 12;
/// People are slower than this.
const LONGEST_PAUSE_MS: usize = 20;
/// What strangers send; each is refused, or cut off.
const NOISE: [&str; 4] = [
    "GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
    "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n{",
    "\u{0}\u{1}\u{2} HTTP/9\r\n\r\n",
    "GET /ws HTTP/1.1\r\nHo",
];

/// Where the server is in its present life, for everybody who visits it.
#[derive(Default)]
pub struct Address(Mutex<Option<(String, u32)>>);

impl Address {
    pub fn get(&self) -> Option<(String, u32)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, address: Option<(String, u32)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = address;
    }
}

/// What was acknowledged of one game.
struct Kept {
    name: String,
    /// The moves on the way to where the game is.
    line: Vec<String>,
    comments: BTreeMap<u64, String>,
    /// The engine may have moved since.
    with_engine: bool,
    /// What was asked last without an answer: it may have happened or not.
    doubt: Option<Doubt>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    Play,
    Undo,
    Comment(u64),
    Rename,
    Delete,
}

/// The server did not answer.
struct Gone(String);

pub struct WebVisitor<'a, 'b> {
    process: &'a Process<'b>,
    address: &'a Address,
    here: String,
    games: BTreeMap<String, Kept>,
    deleted: Vec<String>,
    texts: u64,
    rng: Rng,
}

pub fn visit(process: &Process, address: &Address, rng: Rng, hours: &Hours, account: &mut Account) {
    let mut visitor = WebVisitor {
        process,
        address,
        here: String::new(),
        games: BTreeMap::new(),
        deleted: Vec::new(),
        texts: 0,
        rng,
    };
    while !account.is_full() {
        let is_last = hours.are_over();
        let lived = visitor.start().and_then(|_talk| {
            visitor.compare(account)?;
            while !hours.are_over() && !account.is_full() {
                visitor.something(account)?;
                std::thread::sleep(Duration::from_millis(visitor.rng.below(LONGEST_PAUSE_MS) as u64));
            }
            Ok(())
        });
        address.set(None);
        match lived {
            // The last death of all, after which everything must be there once more.
            Ok(()) if !is_last => {
                process.kill();
            }
            Ok(()) => return,
            Err(Gone(what)) => {
                if let End::Unplanned(how) = process.end() {
                    account.fault(format!("{what}: {how}"));
                }
            }
        }
    }
}

impl WebVisitor<'_, '_> {
    fn start(&mut self) -> Result<Talk, Gone> {
        let mut talk = self.process.start().map_err(Gone)?;
        let said = talk.line(PATIENCE).map_err(|silence| match silence {
            Silence::Late => Gone(format!("the server said nothing within {} s", PATIENCE.as_secs())),
            Silence::Ended => Gone("the server did not begin".to_owned()),
        })?;
        let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        self.here = address.ok_or_else(|| Gone(format!("no address in {said:?}")))?.to_owned();
        self.address.set(Some((self.here.clone(), self.process.lives())));
        Ok(talk)
    }

    fn something(&mut self, account: &mut Account) -> Result<(), Gone> {
        let ids: Vec<String> = self.games.keys().cloned().collect();
        let Some(id) = ids.get(self.rng.below(ids.len().max(1))).cloned() else { return self.begin(account) };
        match self.rng.below(100) {
            _ if ids.len() > MOST_GAMES => self.delete(&id, account),
            0..3 => self.begin(account),
            3..5 => self.rename(&id, account),
            5..13 => self.comment(&id, account),
            13..20 if !self.games[&id].with_engine => self.ask(&id, json!({"type": "undo"}), Doubt::Undo, account),
            20..26 => self.noise(account),
            _ => self.play(&id, account),
        }
    }

    fn begin(&mut self, account: &mut Account) -> Result<(), Gone> {
        let with_engine = self.rng.chance(0.3);
        let name = self.text("game");
        let settings = json!({
            "type": "new", "name": name, "size": self.rng.pick(&[9, 13, 19]), "level": 1 + self.rng.below(4), "pace": "instant",
            "color": if with_engine { "black" } else { "both" },
        });
        let (status, game) = self.http("POST", "/api/games", &settings, account)?;
        let Some(id) = game["id"].as_str().filter(|_| status == 201) else {
            account.fault(format!("a new game was answered by {status} {game}"));
            return Ok(());
        };
        let kept = Kept { name, line: Vec::new(), comments: BTreeMap::new(), with_engine, doubt: None };
        self.games.insert(id.to_owned(), kept);
        Ok(())
    }

    /// A random free point, or a pass when there is none.
    fn play(&mut self, id: &str, account: &mut Account) -> Result<(), Gone> {
        let (status, shown) = self.http("GET", &format!("/api/games/{id}"), &Value::Null, account)?;
        if status != 200 {
            account.fault(format!("the game {id} was answered by {status} {shown}"));
            self.games.remove(id);
            return Ok(());
        }
        if shown["status"]["phase"] != "playing" {
            return self.delete(id, account);
        }
        if shown["position"]["may_play"] != true {
            return Ok(());
        }
        let stones = shown["position"]["stones"].as_str().unwrap_or_default().as_bytes();
        let size = stones.len().isqrt();
        let free = (0..stones.len()).filter(|&place| stones[place] == b'.');
        let vertices = free.map(|place| format!("{}{}", COLUMNS.as_bytes()[place % size] as char, size - place / size));
        let legal: Vec<String> = vertices.filter(|vertex| shown["position"]["illegal"].get(vertex).is_none()).collect();
        let choice = legal.get(self.rng.below(legal.len().max(1)));
        let mv = choice.map_or("pass", |vertex| vertex);
        self.ask(id, json!({"type": "play", "move": mv}), Doubt::Play, account)
    }

    fn comment(&mut self, id: &str, account: &mut Account) -> Result<(), Gone> {
        let text = self.text("comment");
        // The root is always there.
        self.ask(id, json!({"type": "comment", "node": 0, "text": text}), Doubt::Comment(0), account)?;
        if let Some(kept) = self.games.get_mut(id) {
            kept.comments.insert(0, text);
        }
        Ok(())
    }

    fn rename(&mut self, id: &str, account: &mut Account) -> Result<(), Gone> {
        let name = self.text("name");
        self.doubt(id, Doubt::Rename);
        let (status, answer) = self.http("PATCH", &format!("/api/games/{id}"), &json!({"name": name}), account)?;
        if status >= 300 {
            account.fault(format!("a new name was answered by {status} {answer}"));
        } else if let Some(kept) = self.games.get_mut(id) {
            (kept.name, kept.doubt) = (name, None);
        }
        Ok(())
    }

    fn delete(&mut self, id: &str, account: &mut Account) -> Result<(), Gone> {
        self.doubt(id, Doubt::Delete);
        let (status, answer) = self.http("DELETE", &format!("/api/games/{id}"), &Value::Null, account)?;
        if status >= 300 {
            account.fault(format!("deleting was answered by {status} {answer}"));
        }
        self.games.remove(id);
        self.deleted.push(id.to_owned());
        Ok(())
    }

    /// Something about a game; the answer shows the game afterwards.
    fn ask(&mut self, id: &str, request: Value, doubt: Doubt, account: &mut Account) -> Result<(), Gone> {
        self.doubt(id, doubt);
        let (status, answer) = self.http("POST", &format!("/api/games/{id}/messages"), &request, account)?;
        let Some(kept) = self.games.get_mut(id) else { return Ok(()) };
        kept.doubt = None;
        if let Some(line) = line_of(&answer).filter(|_| status == 200) {
            kept.line = line;
        } else if answer["type"] != "illegal" && answer["code"] != "not_now" {
            account.fault(format!("{request} was answered by {status} {answer}"));
        }
        Ok(())
    }

    fn doubt(&mut self, id: &str, doubt: Doubt) {
        if let Some(kept) = self.games.get_mut(id) {
            kept.doubt = Some(doubt);
        }
    }

    /// Bytes of somebody who means no good, or has gone home in the middle of a word.
    fn noise(&mut self, account: &mut Account) -> Result<(), Gone> {
        let words = self.rng.pick(&NOISE).unwrap_or_default();
        let asked = Instant::now();
        let mut stream = self.connect()?;
        // Whether it is heard to the end is the server's choice; that it still serves is seen with the next request.
        let _ = stream.write_all(words.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
        account.answered("noise", asked);
        Ok(())
    }

    /// Is everything there that was acknowledged, and nothing that was deleted?
    fn compare(&mut self, account: &mut Account) -> Result<(), Gone> {
        for id in self.games.keys().cloned().collect::<Vec<_>>() {
            let (status, shown) = self.http("GET", &format!("/api/games/{id}"), &Value::Null, account)?;
            let (_, record) = self.raw("GET", &format!("/api/games/{id}/sgf"), "", account)?;
            let Some(kept) = self.games.get_mut(&id) else { continue };
            let doubt = kept.doubt.take();
            if status == 404 && doubt == Some(Doubt::Delete) {
                self.games.remove(&id);
                continue;
            }
            let Some(line) = line_of(&shown).filter(|_| status == 200) else {
                account.fault(format!("the game {id} is lost: {status} {shown:.300}"));
                self.games.remove(&id);
                continue;
            };
            if !kept.is_fulfilled_by(&line, doubt) {
                account.fault(format!("the game {id} had the moves {:?} and has {line:?}", kept.line));
            }
            if shown["game"]["name"] != kept.name.as_str() && doubt != Some(Doubt::Rename) {
                account.fault(format!("the game {id} was called {:?} and is {}", kept.name, shown["game"]["name"]));
            }
            for (node, text) in &kept.comments {
                if !record.contains(text.as_str()) && doubt != Some(Doubt::Comment(*node)) {
                    account.fault(format!("the comment {text:?} of the game {id} is lost"));
                }
            }
            account.checked += (kept.line.len() + kept.comments.len() + 1) as u64;
            if doubt == Some(Doubt::Comment(0)) {
                kept.comments.clear();
            }
            kept.name = shown["game"]["name"].as_str().unwrap_or_default().to_owned();
            kept.line = line;
        }
        // The latest are enough: an old one that came back would have come back before.
        let latest = self.deleted.iter().rev().take(MOST_GAMES).cloned().collect::<Vec<_>>();
        for id in latest {
            let (status, _) = self.http("GET", &format!("/api/games/{id}"), &Value::Null, account)?;
            if status != 404 {
                account.fault(format!("the deleted game {id} is back ({status})"));
            }
            account.checked += 1;
        }
        Ok(())
    }

    /// A text that occurs only once.
    fn text(&mut self, what: &str) -> String {
        self.texts += 1;
        format!("{what} {}", self.texts)
    }

    fn connect(&self) -> Result<TcpStream, Gone> {
        let failed = |error: std::io::Error| Gone(format!("no connection: {error}"));
        let stream = TcpStream::connect(&self.here).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        stream.set_write_timeout(Some(PATIENCE)).map_err(failed)?;
        Ok(stream)
    }

    fn http(&self, method: &str, path: &str, body: &Value, account: &mut Account) -> Result<(u16, Value), Gone> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, text) = self.raw(method, path, &body, account)?;
        Ok((status, serde_json::from_str(&text).unwrap_or_default()))
    }

    fn raw(&self, method: &str, path: &str, body: &str, account: &mut Account) -> Result<(u16, String), Gone> {
        let asked = Instant::now();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.here,
            body.len()
        );
        let failed = |error: std::io::Error| Gone(format!("{method} {path}: {error}"));
        let mut stream = self.connect()?;
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).map_err(failed)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).map_err(failed)?;
        let answer = String::from_utf8_lossy(&answer);
        // A server that dies in the middle of its answer has acknowledged nothing.
        let (head, text) =
            answer.split_once("\r\n\r\n").ok_or_else(|| Gone(format!("{method} {path}: half an answer")))?;
        let header =
            |name: &str| head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix(name).map(str::to_owned));
        let length = header("content-length:").and_then(|length| length.trim().parse::<usize>().ok());
        if length.is_some_and(|length| text.len() < length) {
            return Err(Gone(format!("{method} {path}: half an answer")));
        }
        account.answered(&format!("{method} {path}"), asked);
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Ok((status, text.to_owned()))
    }
}

impl Kept {
    fn is_fulfilled_by(&self, line: &[String], doubt: Option<Doubt>) -> bool {
        let begins = line.starts_with(&self.line);
        match doubt {
            _ if self.with_engine => begins,
            Some(Doubt::Play) => begins && line.len() <= self.line.len() + 1,
            Some(Doubt::Undo) => self.line.starts_with(line) && line.len() + 1 >= self.line.len(),
            _ => line == self.line,
        }
    }
}

/// The moves from the beginning to where the game is.
fn line_of(shown: &Value) -> Option<Vec<String>> {
    let nodes = shown["game"]["nodes"].as_array()?;
    let by_id: BTreeMap<u64, &Value> = nodes.iter().filter_map(|node| Some((node["id"].as_u64()?, node))).collect();
    let mut line = Vec::new();
    let mut present = by_id.get(&shown["game"]["live"].as_u64()?);
    while let Some(node) = present {
        line.extend(node["move"].as_str().map(str::to_owned));
        present = node["parent"].as_u64().and_then(|parent| by_id.get(&parent));
    }
    line.reverse();
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_line_leads_to_the_live_node_and_not_into_variations() {
        let node = |id: u64, parent: Option<u64>, mv: &str| json!({"id": id, "parent": parent, "move": mv});
        let root = json!({"id": 0, "parent": null, "move": null});
        let nodes = [root, node(1, Some(0), "E5"), node(2, Some(1), "C3"), node(3, Some(1), "D4")];
        assert_eq!(line_of(&json!({"game": {"nodes": nodes, "live": 3}})), Some(moves("E5 D4")));
    }

    #[test]
    fn only_what_was_in_doubt_may_differ() {
        let kept = |with_engine| Kept {
            name: String::new(),
            line: moves("E5 D4"),
            comments: BTreeMap::new(),
            with_engine,
            doubt: None,
        };
        let people = kept(false);
        assert!(people.is_fulfilled_by(&moves("E5 D4"), None));
        assert!(!people.is_fulfilled_by(&moves("E5 D4 C3"), None) && !people.is_fulfilled_by(&moves("E5"), None));
        assert!(people.is_fulfilled_by(&moves("E5 D4 C3"), Some(Doubt::Play)));
        assert!(!people.is_fulfilled_by(&moves("E5"), Some(Doubt::Play)));
        assert!(people.is_fulfilled_by(&moves("E5"), Some(Doubt::Undo)));
        assert!(kept(true).is_fulfilled_by(&moves("E5 D4 C3"), None));
        assert!(!kept(true).is_fulfilled_by(&moves("E5 C4 C3"), None));
    }
}
