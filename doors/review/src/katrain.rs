//! What KaTrain stores in a record: KT in every node, three texts of packed numbers; KTV in the root, their version.
//!
//! The first text is the ownership and the second the policy, as half-precision numbers; the third is JSON with the
//! position and its candidates in the words of the analysis protocol. Each is gzipped and then written in base64.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use half::f16;
use jigo_sgf::{Property, Value};
use serde_json::{Map, json};

use crate::review::{Candidate, Opinion};

pub const VERSION: &str = "1.0";

/// The KT property of a position on a board of this size.
pub fn property(opinion: &Opinion, size: usize) -> Property {
    let main = json!({ "root": root(opinion), "moves": moves(opinion, size), "completed": true }).to_string();
    let parts = [packed(&opinion.black_ownership), packed(&opinion.policy), main.into_bytes()];
    Property::new("KT", parts.iter().map(|part| Value::from_text(&STANDARD.encode(gzipped(part)))))
}

fn root(opinion: &Opinion) -> serde_json::Value {
    json!({ "visits": opinion.visits, "winrate": opinion.black_win_rate, "scoreLead": opinion.black_lead })
}

fn moves(opinion: &Opinion, size: usize) -> Map<String, serde_json::Value> {
    let told = |(order, candidate): (usize, &Candidate)| {
        let vertex = candidate.mv().vertex(size);
        let variation: Vec<String> = candidate.variation.iter().map(|mv| mv.vertex(size)).collect();
        let info = json!({
            "move": vertex, "order": order, "visits": candidate.visits, "winrate": candidate.black_win_rate,
            "scoreLead": candidate.black_lead, "prior": candidate.policy, "pv": variation,
        });
        (vertex, info)
    };
    opinion.candidates.iter().enumerate().map(told).collect()
}

fn packed(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| f16::from_f32(number).to_le_bytes()).collect()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory cannot fail")
}
