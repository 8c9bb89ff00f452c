//! A recorded answer of KataGo, and how far ours is from it.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use jigo_katago::run::{Net, Workspace};
use jigo_katago::{Answer, Asked, Inputs, Model, RawOutput, Turn};
use jigo_net::kernel::points::{Kernel, Numbers};
use serde_json::Value;

pub fn test_data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

pub fn rows(file: &Path) -> Vec<Row> {
    let packed = std::fs::File::open(file).unwrap();
    let lines = BufReader::new(lzma_rust2::XzReader::new(packed, true)).lines();
    lines.map(|line| Row(serde_json::from_str(&line.unwrap()).unwrap())).collect()
}

/// One line of a file of recordings.
pub struct Row(pub Value);

impl Row {
    pub fn text(&self, field: &str) -> &str {
        self.0[field].as_str().unwrap()
    }

    pub fn number(&self, field: &str) -> Option<f64> {
        self.0[field].as_f64()
    }

    pub fn flag(&self, field: &str) -> bool {
        self.0[field].as_bool().unwrap_or(false)
    }

    pub fn numbers(&self, field: &str) -> Vec<f32> {
        self.0[field].as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
    }

    pub fn size(&self) -> (usize, usize) {
        let side = |field| self.0[field].as_u64().unwrap() as usize;
        (side("width"), side("height"))
    }

    pub fn frame(&self) -> (usize, usize) {
        let side = |at: usize| self.0["frame"][at].as_u64().unwrap() as usize;
        (side(0), side(1))
    }

    pub fn white_to_move(&self) -> bool {
        self.text("toPlay") == "w"
    }

    /// Legal points of the board, by row and column.
    pub fn legal(&self) -> Vec<usize> {
        let policy = self.0["policy"].as_array().unwrap();
        (0..policy.len()).filter(|&at| !policy[at].is_null()).collect()
    }

    pub fn turn(&self) -> Turn {
        Turn(self.0["symmetry"].as_u64().unwrap() as u8)
    }

    /// A point of the board, by number, in the turned frame.
    fn seen(&self, at: usize) -> usize {
        let (width, _) = self.size();
        let (frame_width, frame_height) = self.frame();
        let (x, y) = self.turn().place(at % width, at / width, frame_width, frame_height);
        y * frame_width + x
    }

    /// What our net makes of its last layers, with the legal moves that KataGo saw.
    pub fn answer(&self, model: &Model, raw: &RawOutput) -> Answer {
        let legal: Vec<usize> = self.legal().iter().map(|&at| self.seen(at)).collect();
        let rules = &self.0["rulesDetail"];
        let asked = Asked {
            legal: &legal,
            no_result_possible: rules["ko"] == "SIMPLE" || rules["scoring"] == "TERRITORY",
            optimism: if model.trunk.metadata.is_some() { 0.0 } else { self.number("optimism").unwrap() as f32 },
            temperature: self.number("policyTemperature").unwrap_or(1.0) as f32,
            limit_pass: self.flag("passingHacks"),
        };
        Answer::new(model.scale(), raw, &asked)
    }

    /// An evaluation must be the recorded answer.
    pub fn check(&self, evaluation: &jigo_net::Evaluation, komi: f32) {
        let what = || format!("{} ({}, {})", self.text("net"), self.text("note"), self.0["rules"]);
        let forecast = evaluation.forecast(komi);
        for (field, ours, bound) in [
            ("whiteWin", forecast.white_win, 5e-5),
            ("whiteLoss", forecast.black_win, 5e-5),
            ("whiteLead", -forecast.black_lead, 2e-3),
            ("whiteScoreSelfplay", -forecast.black_score, 2e-3),
        ] {
            let theirs = self.number(field).unwrap() as f32;
            assert!((ours - theirs).abs() < bound, "{}: {field} {ours} against {theirs}", what());
        }
        let (policy, ownership) = (self.0["policy"].as_array().unwrap(), self.numbers("whiteOwnership"));
        for (at, (mv, ours)) in evaluation.moves().take(policy.len()).enumerate() {
            let theirs = policy[at].as_f64().unwrap_or(0.0) as f32;
            assert!((ours - theirs).abs() < 5e-5, "{}: {mv:?} {ours} against {theirs}", what());
            let owned = -evaluation.black_ownership(mv.point().unwrap()).unwrap();
            assert!((owned - ownership[at]).abs() < 5e-5, "{}: owner of {mv:?}", what());
        }
    }

    /// The first thing in which an answer differs from the recorded one by more than it may.
    pub fn difference(&self, answer: &Answer, worst: &mut Worst) -> Option<String> {
        let white = if self.white_to_move() { 1.0 } else { -1.0 };
        let (win, loss) = if white > 0.0 { (answer.win, answer.loss) } else { (answer.loss, answer.win) };
        let later = |number: fn(&jigo_net::Later) -> f32| answer.later.as_ref().map_or(-1.0, number);
        let mut numbers = vec![
            ("whiteWin", win, Kind::Share),
            ("whiteLoss", loss, Kind::Share),
            ("noResult", answer.no_result, Kind::Share),
            ("whiteLead", white * answer.lead, Kind::Points),
            ("whiteScoreSelfplay", white * answer.score_mean, Kind::Points),
            ("whiteScore", white * answer.score_mean, Kind::Points),
            ("whiteScoreSelfplaySq", answer.score_square, Kind::Squares),
            ("whiteScoreSq", answer.score_square, Kind::Squares),
            ("varTimeLeft", later(|later| later.variance_time), Kind::Points),
            ("shorttermWinlossError", later(|later| later.value_error), Kind::Points),
            ("shorttermScoreError", later(|later| later.score_error), Kind::Points),
            ("policyPass", answer.pass, Kind::Policy),
        ]
        .into_iter()
        .filter_map(|(field, ours, kind)| Some((field, ours, self.number(field)? as f32, kind)))
        .collect::<Vec<_>>();
        let policy = self.0["policy"].as_array().unwrap();
        for (at, ours) in self.legal().into_iter().zip(&answer.policy) {
            numbers.push(("policy", *ours, policy[at].as_f64().unwrap() as f32, Kind::Policy));
        }
        for (at, theirs) in self.numbers("whiteOwnership").into_iter().enumerate() {
            numbers.push(("whiteOwnership", white * answer.ownership[self.seen(at)], theirs, Kind::Ownership));
        }
        let mut first = None;
        worst.rows += 1;
        for (field, ours, theirs, kind) in numbers {
            if !worst.take(kind, ours, theirs) && first.is_none() {
                first = Some(format!("{field}: {ours} against {theirs}"));
            }
        }
        first.map(|what| format!("{} ({}, {}): {what}", self.text("net"), self.text("note"), self.0["rules"]))
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Share,
    Policy,
    Ownership,
    Points,
    Squares,
}

/// The largest differences seen, and those that rounding explains.
pub struct Worst {
    seen: [f32; 5],
    allowed: [f32; 5],
    rows: usize,
}

impl Worst {
    /// The bounds of floats are far below what a player could notice; 16 bits change what a net says by less than another side of
    /// the board does.
    pub fn of(numbers: Numbers) -> Worst {
        let allowed = match numbers {
            Numbers::Floats => [5e-5, 5e-5, 5e-5, 2e-3, 2e-4],
            Numbers::Shorts => [0.02, 0.05, 0.05, 0.5, 0.05],
        };
        Worst { seen: [0.0; 5], allowed, rows: 0 }
    }

    fn take(&mut self, kind: Kind, ours: f32, theirs: f32) -> bool {
        let scale = if let Kind::Squares = kind { theirs.abs().max(1.0) } else { 1.0 };
        let difference = (ours - theirs).abs() / scale;
        let worst = &mut self.seen[kind as usize];
        *worst = worst.max(difference);
        difference <= self.allowed[kind as usize]
    }
}

impl Default for Worst {
    fn default() -> Worst {
        Worst::of(Numbers::Floats)
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [share, policy, ownership, points, squares] = self.seen;
        write!(
            f,
            "{} rows, largest differences: probabilities {share:.1e}, policy {policy:.1e}, ownership {ownership:.1e}, points \
             {points:.1e}, squares of points (relative) {squares:.1e}",
            self.rows
        )
    }
}

/// Nets by file name, read once.
pub struct Nets {
    folders: Vec<PathBuf>,
    read: HashMap<String, Option<Model>>,
    kernels: Vec<Kernel>,
    /// The net that ran last, ready to run on each of the kernels: all of them together would take much memory.
    ready: (String, Vec<Net>),
    workspace: Workspace,
}

impl Nets {
    pub fn new(folders: Vec<PathBuf>) -> Nets {
        let (read, kernels, ready) = (HashMap::new(), Vec::new(), Default::default());
        Nets { folders, read, kernels, ready, workspace: Workspace::default() }
    }

    pub fn with_kernels(self, kernels: Vec<Kernel>) -> Nets {
        Nets { kernels, ..self }
    }

    pub fn get(&mut self, name: &str) -> Option<&Model> {
        let Nets { folders, read, .. } = self;
        let find = || folders.iter().find_map(|folder| std::fs::read(folder.join(name)).ok());
        read.entry(name.to_string()).or_insert_with(|| find().map(|file| Model::read(&file).unwrap())).as_ref()
    }

    /// What every kernel says of a board that fills its frame.
    pub fn run(&mut self, name: &str, inputs: &Inputs) -> Vec<(Kernel, RawOutput)> {
        if self.ready.0 != name {
            let kernels = self.kernels.clone();
            let model = self.get(name).unwrap();
            let nets = kernels.into_iter().map(|kernel| Net::with_kernel(model, kernel)).collect();
            self.ready = (name.to_string(), nets);
        }
        let Nets { ready: (_, nets), workspace, .. } = self;
        let run = |net: &Net| (net.kernel(), net.run(std::slice::from_ref(inputs), workspace).remove(0));
        nets.iter().map(run).collect()
    }
}

/// The inputs of a row of `inputs-tiny`, in the frame of the row they belong to.
pub fn recorded_inputs(inputs: &Row, row: &Row) -> Inputs {
    let (width, _) = row.size();
    let (frame_width, frame_height) = row.frame();
    let mut filled = Inputs::empty(frame_width, frame_height);
    for (plane, points) in inputs.0["planes"].as_array().unwrap().iter().enumerate() {
        for at in points.as_array().unwrap() {
            let at = at.as_u64().unwrap() as usize;
            filled.set(plane, at % width, at / width);
        }
    }
    filled.globals = inputs.numbers("globals").try_into().unwrap();
    if !inputs.0["meta"].is_null() {
        filled.metadata = Some(Box::new(inputs.numbers("meta").try_into().unwrap()));
    }
    filled
}
