//! KataGo's own answers, recorded, against ours.

mod games;
mod row;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use games::Beyond;
use jigo_board::{Move, Symmetry};
use jigo_katago::{Inputs, KataNet, Model, Turn, plain};
use jigo_net::kernel::points::Kernel;
use jigo_net::kernel::{Arithmetic, Isa};
use jigo_net::{Backend, Manner, Position, Told, View};
use row::{Nets, Row, Worst, recorded_inputs, rows, test_data};

fn recorded_inputs_by_row() -> BTreeMap<usize, Row> {
    let inputs = rows(&test_data().join("inputs-tiny.jsonl.xz"));
    inputs.into_iter().map(|inputs| (inputs.0["row"].as_u64().unwrap() as usize, inputs)).collect()
}

/// Given KataGo's inputs, the layers and their meaning give KataGo's outputs.
#[test]
fn recorded_inputs_give_the_recorded_answers() {
    let answers = rows(&test_data().join("recordings-tiny.jsonl.xz"));
    let mut nets = Nets::new(vec![test_data()]);
    let mut worst = Worst::default();
    let inputs = recorded_inputs_by_row();
    for (at, inputs) in &inputs {
        let row = &answers[*at];
        let model = nets.get(row.text("net")).unwrap();
        let raw = plain::run(model, &recorded_inputs(inputs, row).turned(row.turn()));
        for (ours, field) in [(&raw.value[..], "rawValue"), (&raw.score, "rawScore"), (&raw.pass, "rawPass")] {
            for (ours, theirs) in ours.iter().zip(inputs.numbers(field)) {
                assert!((ours - theirs).abs() < 1e-4, "{field} of row {at}: {ours} against {theirs}");
            }
        }
        assert_eq!(row.difference(&row.answer(model, &raw), &mut worst), None);
    }
    assert_eq!(inputs.len(), 393);
    println!("{worst}");
}

/// The inputs that we write are KataGo's, number by number.
#[test]
fn inputs_are_the_recorded_ones() {
    let answers = rows(&test_data().join("recordings-tiny.jsonl.xz"));
    let mut nets = Nets::new(vec![test_data()]);
    let mut left_out = BTreeMap::<Beyond, usize>::new();
    let mut faults = Vec::new();
    for (at, inputs) in &recorded_inputs_by_row() {
        let row = &answers[*at];
        match games::course(row) {
            Ok(course) => {
                let written = framed(&games::inputs(row, nets.get(row.text("net")).unwrap(), &course), row.frame());
                let expected = recorded_inputs(inputs, row);
                faults.extend(
                    difference(&written, &expected).map(|what| format!("row {at} ({}): {what}", row.text("note"))),
                );
            }
            Err(beyond) => *left_out.entry(beyond).or_default() += 1,
        }
    }
    assert!(faults.is_empty(), "{} rows: {:#?}", faults.len(), &faults[..faults.len().min(40)]);
    println!("left out: {left_out:?}");
}

/// From the moves of a game to the answer.
#[test]
fn games_give_the_recorded_answers() {
    for (file, left_out) in [("recordings-tiny.jsonl.xz", [149, 135]), ("recordings-analysis.jsonl.xz", [14, 0])] {
        let mut nets = Nets::new(vec![test_data()]).with_kernels(f32_kernels());
        let found = compare(&test_data().join(file), &mut nets, true);
        assert_eq!(found, left_out, "{file}");
    }
}

/// What a search gets that asks one of these nets, from the game and its last two moves apart.
#[test]
fn a_net_asked_by_a_search_gives_the_recorded_answers() {
    let mut evaluators = BTreeMap::new();
    let mut compared = 0;
    for row in rows(&test_data().join("recordings-tiny.jsonl.xz")).iter().filter(|row| row.number("pda") == Some(0.0)) {
        let (name, Ok(game)) = (row.text("net"), games::game(row)) else { continue };
        // Profiles are set per net, and a net for human play has another one by default; half moves back nobody plays out of turn.
        if name.contains("meta") || row.text("note").contains("out of turn") {
            continue;
        }
        let evaluator = evaluators.entry(name.to_string()).or_insert_with(|| {
            let file = std::fs::read(test_data().join(name)).unwrap();
            Arc::new(KataNet::new(&Model::read(&file).unwrap(), Isa::best_f32().into())).evaluator()
        });
        let mut root = game.clone();
        let moves: Vec<Move> = game.moves().iter().rev().take(2).rev().map(|&(_, mv)| mv).collect();
        root.rewind_to(game.moves().len() - moves.len());
        let manner = Manner { optimism: row.number("optimism").unwrap() as f32, ..Manner::PLAIN };
        let komi = game.effective_komi();
        let symmetry = Symmetry::all().find(|&symmetry| Turn::from(symmetry) == row.turn()).unwrap();
        let told = Some(Told { game: &Arc::new(root), moves: &moves, komi, manner });
        let view = View { position: Position::of_game(&game), symmetry, told };
        let evaluation = evaluator.evaluate_batch(&[view]).remove(0);
        row.check(&evaluation, komi);
        compared += 1;
    }
    assert!(compared > 450, "{compared}");
}

/// The same for real nets, on every kernel of this machine, those with products of 16 bits too. Their layers run on the kernels only:
/// the plain loops would take an hour.
#[test]
#[ignore = "real nets are not part of the project: JIGO_KATAGO_DATA names folders, separated by colons, with nets and recordings-real.jsonl.xz"]
fn real_nets_give_the_recorded_answers() {
    let folders = std::env::var("JIGO_KATAGO_DATA").expect("JIGO_KATAGO_DATA names folders");
    let folders: Vec<PathBuf> = folders.split(':').map(PathBuf::from).collect();
    let recordings = folders.iter().map(|folder| folder.join("recordings-real.jsonl.xz")).find(|file| file.exists());
    let shorts = Isa::ALL.into_iter().map(Kernel::shorts).filter(|kernel| kernel.is_available());
    let mut nets = Nets::new(folders).with_kernels(f32_kernels().into_iter().chain(shorts).collect());
    compare(&recordings.expect("one of the folders holds recordings"), &mut nets, false);
}

/// Those of this machine.
fn f32_kernels() -> Vec<Kernel> {
    let sets = Isa::ALL.into_iter().filter(|isa| isa.arithmetic() == Arithmetic::F32 && isa.is_available());
    sets.map(Kernel::floats).collect()
}

/// Compares every row whose net is there and whose game can be played; counts rectangles and encores, which cannot. Every kernel of the
/// nets has to agree, and the plain loops if wanted.
fn compare(file: &Path, nets: &mut Nets, plainly: bool) -> [usize; 2] {
    let (mut left_out, mut faults, mut compared) = ([0, 0], Vec::new(), 0);
    let mut worst = BTreeMap::<(String, String), Worst>::new();
    for (at, row) in rows(file).iter().enumerate() {
        let Some(model) = nets.get(row.text("net")) else { continue };
        let course = match games::course(row) {
            Ok(course) => course,
            Err(beyond) => {
                left_out[beyond as usize] += 1;
                continue;
            }
        };
        compared += 1;
        let board = course.board();
        let legal: Vec<usize> = course.legal_points().iter().map(|p| p.row() * board.size() + p.col()).collect();
        if legal != row.legal() {
            faults.push(format!("row {at} ({}, {}): legal moves differ", row.text("note"), row.0["rules"]));
            continue;
        }
        let inputs = framed(&games::inputs(row, model, &course), row.frame());
        let turned = inputs.turned(row.turn());
        let plain_way = || ("plain".to_string(), Worst::default(), plain::run(model, &turned));
        let mut raws = if plainly { vec![plain_way()] } else { Vec::new() };
        if row.frame() == row.size() {
            let all = nets.run(row.text("net"), &turned).into_iter();
            raws.extend(all.map(|(kernel, raw)| (kernel.to_string(), Worst::of(kernel.numbers), raw)));
        }
        let model = nets.get(row.text("net")).unwrap();
        for (way, none_yet, raw) in raws {
            let worst = worst.entry((row.text("net").to_string(), way.clone())).or_insert(none_yet);
            let difference = row.difference(&row.answer(model, &raw), worst);
            faults.extend(difference.map(|what| format!("row {at}, {way}: {what}")));
        }
    }
    println!("{}: {compared} rows compared, left out {left_out:?}", file.display());
    for ((net, way), worst) in &worst {
        println!("{net}, {way}: {worst}");
    }
    assert!(faults.is_empty(), "{} rows: {:#?}", faults.len(), &faults[..faults.len().min(40)]);
    left_out
}

/// The same inputs in a larger frame.
fn framed(inputs: &Inputs, (width, height): (usize, usize)) -> Inputs {
    let mut framed =
        Inputs { globals: inputs.globals, metadata: inputs.metadata.clone(), ..Inputs::empty(width, height) };
    for (point, planes) in inputs.planes.chunks_exact(22).enumerate() {
        let (x, y) = (point % inputs.width, point / inputs.width);
        framed.planes[(y * width + x) * 22..][..22].copy_from_slice(planes);
    }
    framed
}

fn difference(ours: &Inputs, theirs: &Inputs) -> Option<String> {
    let planes = ours.planes.iter().zip(&theirs.planes).position(|(a, b)| a != b);
    if let Some(at) = planes {
        let (x, y) = (at / 22 % ours.width, at / 22 / ours.width);
        return Some(format!("plane {} at ({x}, {y}) is {}", at % 22, ours.planes[at]));
    }
    let close = |a: &[f32], b: &[f32]| a.iter().zip(b).position(|(a, b)| (a - b).abs() > 1e-6);
    if let Some(at) = close(&ours.globals, &theirs.globals) {
        return Some(format!("global {at} is {}, not {}", ours.globals[at], theirs.globals[at]));
    }
    match (&ours.metadata, &theirs.metadata) {
        (None, None) => None,
        (Some(a), Some(b)) => close(&a[..], &b[..]).map(|at| format!("metadata {at} is {}, not {}", a[at], b[at])),
        _ => Some("metadata on one side only".to_string()),
    }
}
