//! A cluster as its owner sees it.

use serde::{Deserialize, Serialize};

/// Messages since the beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    pub messages_in: u64,
    pub bytes_in: u64,
    pub messages_out: u64,
    pub bytes_out: u64,
    /// Dropped: too large, not readable, from no member or one that may not say this, or of another protocol.
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
pub struct ClusterStatus {
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

impl ClusterStatus {
    /// The searchers of one program as one coordinator: each hears all workers, and sends for itself.
    pub fn together(all: Vec<ClusterStatus>) -> Option<ClusterStatus> {
        all.into_iter().reduce(ClusterStatus::and)
    }

    fn and(mut self, other: ClusterStatus) -> ClusterStatus {
        for worker in other.workers {
            match self.workers.iter_mut().find(|known| known.id == worker.id) {
                Some(known) => known.add(&worker),
                None => self.workers.push(worker),
            }
        }
        let sent =
            (self.traffic.messages_out + other.traffic.messages_out, self.traffic.bytes_out + other.traffic.bytes_out);
        // Whoever has been there longest has heard most.
        if other.seconds > self.seconds {
            (self.seconds, self.traffic) = (other.seconds, other.traffic);
        }
        (self.traffic.messages_out, self.traffic.bytes_out) = sent;
        self.playouts_in_search = match (self.is_searching, other.is_searching) {
            (true, false) => self.playouts_in_search,
            (false, true) => other.playouts_in_search,
            (true, true) => self.playouts_in_search + other.playouts_in_search,
            (false, false) => self.playouts_in_search.max(other.playouts_in_search),
        };
        self.is_searching |= other.is_searching;
        self
    }

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

impl WorkerStatus {
    /// What another coordinator knows of the same worker.
    fn add(&mut self, other: &WorkerStatus) {
        self.is_alive |= other.is_alive;
        self.refused = self.refused.take().or_else(|| other.refused.clone());
        self.declines = self.declines.take().or_else(|| other.declines.clone());
        self.silent_ms = self.silent_ms.min(other.silent_ms);
        self.playouts += other.playouts;
        self.playouts_per_second += other.playouts_per_second;
        if other.traffic.bytes_in > self.traffic.bytes_in {
            self.traffic = other.traffic;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(seconds: f64, is_searching: bool, playouts: u64, bytes: u64) -> ClusterStatus {
        let traffic = Traffic { bytes_in: bytes, bytes_out: bytes, ..Traffic::default() };
        let worker = WorkerStatus {
            id: 7,
            name: "attic".into(),
            threads: 1,
            is_alive: is_searching,
            refused: None,
            declines: None,
            silent_ms: playouts,
            playouts,
            playouts_per_second: 1.0,
            traffic,
        };
        ClusterStatus {
            coordinator: 1,
            version: "1".into(),
            seconds,
            is_searching,
            interval_ms: 100,
            levels: 1,
            playouts_in_search: playouts,
            workers: vec![worker],
            traffic,
        }
    }

    #[test]
    fn searchers_of_one_program_are_shown_as_one() {
        assert_eq!(ClusterStatus::together(Vec::new()), None);
        let both = ClusterStatus::together(vec![status(5.0, false, 400, 10), status(9.0, true, 30, 70)]).unwrap();
        assert_eq!((both.seconds, both.is_searching, both.playouts_in_search), (9.0, true, 30));
        assert_eq!((both.traffic.bytes_in, both.traffic.bytes_out), (70, 80), "all hear the same, each sends its own");
        let [worker] = &both.workers[..] else { panic!("one worker, heard twice") };
        assert_eq!((worker.playouts, worker.silent_ms, worker.is_alive), (430, 30, true));
    }
}
