//! A client of the analysis protocol with many questions open at a time. While the program lives each is answered exactly once for every
//! turn that was asked about; what a killed program left open is asked again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use jigo_board::{Color, Game, Move, Rng, Rules, random_game};
use serde_json::{Value, json};

use super::account::Account;
use super::gtp::RULES;
use super::process::{End, Process, Silence, Talk};
use super::{Hours, PATIENCE};

/// Questions open at a time.
const MOST_OPEN: usize = 12;

struct Open {
    line: String,
    /// Turns that are still to be answered.
    turns: BTreeSet<u64>,
    asked: Instant,
}

pub fn visit(process: &Process, mut rng: Rng, hours: &Hours, account: &mut Account) {
    let mut visitor = AnalysisVisitor { open: BTreeMap::new(), done: 0, number: 0 };
    while !hours.are_over() && !account.is_full() {
        let mut talk = match process.start() {
            Ok(talk) => talk,
            Err(error) => return account.fault(error),
        };
        match visitor.live(&mut talk, &mut rng, hours, account) {
            Ok(()) => {
                // Everything was answered, so there is nothing to wait for.
                talk.close();
                if let Err(how) = process.leaves() {
                    account.fault(format!("at the end of its input {how}"));
                }
                account.checked += visitor.done;
                return;
            }
            Err(silence) => match (silence, process.end()) {
                (_, End::Planned) => {}
                (Silence::Late, _) => {
                    account.fault(format!("{} questions are open after {} s", visitor.open.len(), PATIENCE.as_secs()));
                    visitor.open.clear();
                }
                (Silence::Ended, End::Unplanned(how)) => {
                    account.fault(format!("with {} questions open {how}", visitor.open.len()))
                }
            },
        }
    }
}

struct AnalysisVisitor {
    open: BTreeMap<String, Open>,
    done: u64,
    number: u64,
}

impl AnalysisVisitor {
    fn live(&mut self, talk: &mut Talk, rng: &mut Rng, hours: &Hours, account: &mut Account) -> Result<(), Silence> {
        for open in self.open.values_mut() {
            open.asked = Instant::now();
            // Of a question that was answered in part, all turns are answered again.
            open.turns = turns_of(&open.line);
            talk.say(open.line.as_bytes())?;
        }
        while !hours.are_over() {
            while self.open.len() < MOST_OPEN && rng.chance(0.8) {
                let (id, open) = self.question(rng);
                talk.say(open.line.as_bytes())?;
                self.open.insert(id, open);
            }
            self.aside(talk, rng)?;
            self.receive(talk, account)?;
        }
        while !self.open.is_empty() {
            self.receive(talk, account)?;
        }
        Ok(())
    }

    /// Some turns of a random game.
    fn question(&mut self, rng: &mut Rng) -> (String, Open) {
        self.number += 1;
        let id = format!("q{}", self.number);
        let size = rng.pick(&[7, 9, 13, 19]).unwrap_or(9);
        let mut game = Game::new(size, Rules::by_name(RULES).unwrap_or_default());
        for _ in 0..rng.below(60) {
            let color = game.to_move();
            let Some(point) = random_game::random_point(game.board(), color, rng) else { break };
            if game.play(color, Move::Play(point)).is_err() {
                break;
            }
        }
        let told = |(color, mv): &(Color, Move)| json!([color.letter().to_string(), mv.vertex(size)]);
        let moves: Vec<Value> = game.moves().iter().map(told).collect();
        let turns: BTreeSet<usize> = (0..=rng.below(3)).map(|_| rng.below(moves.len() + 1)).collect();
        let line = json!({
            "id": id, "rules": RULES, "komi": 7.5, "boardXSize": size, "boardYSize": size, "moves": moves,
            "maxVisits": 1 + rng.below(40), "analyzeTurns": turns, "includeOwnership": rng.chance(0.3), "includePolicy": rng.chance(0.3),
        });
        let line = line.to_string();
        (id, Open { turns: turns_of(&line), line, asked: Instant::now() })
    }

    /// Now and then something else than a question.
    fn aside(&self, talk: &mut Talk, rng: &mut Rng) -> Result<(), Silence> {
        match rng.below(30) {
            0 => talk.say(b"{\"id\":\"broken\",\"moves\":"),
            1 => talk.say(b"{\"id\":\"odd\",\"boardXSize\":1000,\"boardYSize\":9,\"rules\":\"chinese\",\"moves\":[]}"),
            2 => talk.say(b"{\"id\":\"v\",\"action\":\"query_version\"}"),
            3 => talk.say(b"{\"id\":\"c\",\"action\":\"clear_cache\"}"),
            4 => {
                // A question that is called off is answered all the same, perhaps without a result.
                let ids: Vec<&String> = self.open.keys().collect();
                let Some(id) = rng.pick(&ids) else { return Ok(()) };
                talk.say(json!({"id": "t", "action": "terminate", "terminateId": id}).to_string().as_bytes())
            }
            _ => Ok(()),
        }
    }

    /// The next line, whatever it is about.
    fn receive(&mut self, talk: &mut Talk, account: &mut Account) -> Result<(), Silence> {
        let Some(oldest) = self.open.values().map(|open| open.asked).min() else { return Ok(()) };
        let left = PATIENCE.checked_sub(oldest.elapsed()).ok_or(Silence::Late)?;
        let line = talk.line(left.max(Duration::from_millis(1)))?;
        let Ok(answer) = serde_json::from_str::<Value>(&line) else {
            account.fault(format!("a line is no JSON: {line:?}"));
            return Ok(());
        };
        let id = answer["id"].as_str().unwrap_or_default();
        let is_result =
            answer.get("error").is_none() && answer.get("action").is_none() && answer.get("warning").is_none();
        if !is_result {
            if self.open.contains_key(id) {
                account.fault(format!("a sound question was answered by {line}"));
                self.open.remove(id);
            }
            return Ok(());
        }
        let turn = answer["turnNumber"].as_u64();
        let Some(open) = self.open.get_mut(id) else {
            account.fault(format!("nobody asked for {line:.200}"));
            return Ok(());
        };
        if answer["isDuringSearch"] == true || !turn.is_some_and(|turn| open.turns.remove(&turn)) {
            account.fault(format!("{id} was answered twice or beside the point, for turn {turn:?}"));
        }
        self.done += 1;
        if open.turns.is_empty() {
            account.answered(id, open.asked);
            self.open.remove(id);
        }
        Ok(())
    }
}

fn turns_of(line: &str) -> BTreeSet<u64> {
    let query: Value = serde_json::from_str(line).unwrap_or_default();
    query["analyzeTurns"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}
