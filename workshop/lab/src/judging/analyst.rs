//! A program that analyses positions, asked in KataGo's JSON protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use jigo_arena::{CommandLine, locate};
use jigo_board::Move;
use serde_json::{Value, json};

use super::positions::GamePosition;
use crate::run::LabError;

pub struct Analyst {
    command: String,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What it thinks of one position.
#[derive(Clone, Copy, Debug)]
pub struct AnalystOpinion {
    pub black_win_rate: f32,
    /// Komi counted.
    pub black_lead: f32,
    pub black_lead_stdev: f32,
    pub best: Move,
}

impl Analyst {
    /// `{seed}` in the command line becomes `seed`.
    pub fn start(command: &CommandLine, seed: u32) -> Result<Analyst, LabError> {
        let words = command.words_for(seed, 0);
        let failed = |why: String| LabError::Analyst { command: command.text().to_string(), why };
        let mut child = Command::new(locate(&words[0]))
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(format!("cannot be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("has no input or output".to_string()));
        };
        let output = BufReader::new(output);
        Ok(Analyst { command: command.text().to_string(), child, input: Some(input), output })
    }

    /// Asks about one position after the other.
    pub fn ask(&mut self, position: &GamePosition, visits: u64) -> Result<AnalystOpinion, LabError> {
        let moves: Vec<Value> = (position.moves.iter())
            .map(|(color, mv)| json!([color.letter().to_string(), mv.vertex(position.size)]))
            .collect();
        let query = json!({
            "id": "q", "rules": position.rules, "komi": position.komi, "moves": moves, "maxVisits": visits,
            "boardXSize": position.size, "boardYSize": position.size,
            "initialPlayer": "B", "overrideSettings": { "reportAnalysisWinratesAs": "BLACK" },
        });
        let sent = self.input.as_mut().map(|input| writeln!(input, "{query}").and_then(|()| input.flush()));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.failed("ended"));
        }
        loop {
            let mut line = String::new();
            if !matches!(self.output.read_line(&mut line), Ok(1..)) {
                return Err(self.failed("ended"));
            }
            let answer: Value = serde_json::from_str(&line).map_err(|_| self.failed(line.trim()))?;
            if answer.get("warning").is_some() {
                continue;
            }
            return opinion(&answer, position.size).ok_or_else(|| self.failed(line.trim()));
        }
    }

    fn failed(&self, why: &str) -> LabError {
        LabError::Analyst { command: self.command.clone(), why: why.chars().take(200).collect() }
    }
}

fn opinion(answer: &Value, size: usize) -> Option<AnalystOpinion> {
    let root = answer.get("rootInfo")?;
    let number = |name: &str| Some(root.get(name)?.as_f64()? as f32);
    let best = answer.get("moveInfos")?.get(0).and_then(|info| Move::parse(info.get("move")?.as_str()?, size));
    Some(AnalystOpinion {
        black_win_rate: number("winrate")?,
        black_lead: number("scoreLead")?,
        black_lead_stdev: number("scoreStdev")?,
        best: best.unwrap_or(Move::Pass),
    })
}

impl Drop for Analyst {
    fn drop(&mut self) {
        // It leaves when its input ends; one that does not is not waited for.
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
