//! KataGo's own answers, recorded, against ours.

mod row;

use jigo_katago::plain;
use row::{Nets, Worst, recorded_inputs, rows, test_data};

/// Given KataGo's inputs, the layers and their meaning give KataGo's outputs.
#[test]
fn recorded_inputs_give_the_recorded_answers() {
    let answers = rows(&test_data().join("recordings-tiny.jsonl.xz"));
    let mut nets = Nets::new(vec![test_data()]);
    let mut worst = Worst::default();
    let inputs = rows(&test_data().join("inputs-tiny.jsonl.xz"));
    for inputs in &inputs {
        let row = &answers[inputs.0["row"].as_u64().unwrap() as usize];
        let model = nets.get(row.text("net")).unwrap();
        let raw = plain::run(model, &recorded_inputs(inputs, row).turned(row.turn()));
        for (ours, field) in [(&raw.value[..], "rawValue"), (&raw.score, "rawScore"), (&raw.pass, "rawPass")] {
            for (ours, theirs) in ours.iter().zip(inputs.numbers(field)) {
                assert!((ours - theirs).abs() < 1e-4, "{field} of row {}: {ours} against {theirs}", inputs.0["row"]);
            }
        }
        assert_eq!(row.difference(&row.answer(model, &raw), &mut worst), None);
    }
    assert_eq!(inputs.len(), 393);
    println!("{worst:?}");
}
