//! A cluster as its owner sees it.

use serde::{Deserialize, Serialize};

/// Messages since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    pub messages_in: u64,
    pub bytes_in: u64,
    pub messages_out: u64,
    pub bytes_out: u64,
    /// Dropped: too large, not readable, of another protocol.
    pub oversize: u64,
    pub malformed: u64,
    pub foreign: u64,
    /// Harmless: about a search that is forgotten, seen before, or building on one that was lost.
    pub stale: u64,
    pub repeated: u64,
    pub gaps: u64,
}

impl Traffic {
    pub fn count_in(&mut self, bytes: usize) {
        self.messages_in += 1;
        self.bytes_in += bytes as u64;
    }

    pub fn count_out(&mut self, bytes: usize) {
        self.messages_out += 1;
        self.bytes_out += bytes as u64;
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    pub coordinator: u64,
    pub version: String,
    /// How long the coordinator has been running.
    pub seconds: f64,
    pub is_searching: bool,
    pub interval_ms: u64,
    pub levels: usize,
    pub playouts_in_search: u64,
    pub workers: Vec<WorkerStatus>,
    pub traffic: Traffic,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    pub id: u64,
    pub name: String,
    pub threads: u16,
    pub is_alive: bool,
    pub refused: Option<String>,
    pub declines: Option<String>,
    /// Since its last message.
    pub silent_ms: u64,
    pub playouts: u64,
    /// In the present search.
    pub playouts_per_second: f64,
    pub traffic: Traffic,
}

impl Status {
    /// A page for a browser, which asks for it again every two seconds.
    pub fn page(&self) -> String {
        let plain = self.table().replace('&', "&amp;").replace('<', "&lt;");
        format!(
            "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=2><title>Jigo cluster</title>\
             <body style=\"background:#111;color:#ddd\"><pre>{plain}</pre>\n"
        )
    }

    /// A table for a terminal.
    pub fn table(&self) -> String {
        let state = if self.is_searching { "searching" } else { "waiting" };
        let mut text = format!(
            "coordinator {:016x}, version {}, {state}, {} playouts in this search\n",
            self.coordinator, self.version, self.playouts_in_search
        );
        let seconds = self.seconds.max(1e-3);
        text += &format!(
            "in {:.1} messages/s, {:.1} kB/s; out {:.1} messages/s, {:.1} kB/s; dropped {} oversize, {} malformed, {} foreign\n",
            self.traffic.messages_in as f64 / seconds,
            self.traffic.bytes_in as f64 / seconds / 1e3,
            self.traffic.messages_out as f64 / seconds,
            self.traffic.bytes_out as f64 / seconds / 1e3,
            self.traffic.oversize,
            self.traffic.malformed,
            self.traffic.foreign,
        );
        text += &format!(
            "{:<24} {:>7} {:>12} {:>12} {:>8} {:>10}  state\n",
            "worker", "threads", "playouts", "playouts/s", "lag ms", "kB"
        );
        for worker in &self.workers {
            let state = match (&worker.refused, &worker.declines, worker.is_alive) {
                (Some(reason), _, _) => format!("refused: {reason}"),
                (None, Some(reason), _) => format!("declines: {reason}"),
                (None, None, true) => "here".to_string(),
                (None, None, false) => "gone".to_string(),
            };
            text += &format!(
                "{:<24} {:>7} {:>12} {:>12.0} {:>8} {:>10.1}  {state}\n",
                worker.name,
                worker.threads,
                worker.playouts,
                worker.playouts_per_second,
                worker.silent_ms,
                worker.traffic.bytes_in as f64 / 1e3,
            );
        }
        text
    }
}
