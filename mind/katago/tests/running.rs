//! Fast execution against the plain loops: every tiny net, every instruction set of this machine, boards of many sizes, in batches.

use std::path::Path;

use jigo_katago::run::{Net, Workspace};
use jigo_katago::{Inputs, Model, RawOutput, plain};
use jigo_net::kernel::Isa;
use jigo_net::kernel::points::Kernel;

fn tiny_nets() -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".bin.gz"));
    files.sort();
    files.iter().map(|path| Model::read(&std::fs::read(path).unwrap()).unwrap()).collect()
}

/// A board with stones, a history and globals strewn at random.
fn strewn(width: usize, height: usize, metadata: bool, seed: u64) -> Inputs {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut chance = move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 40) as f32 / 16_777_216.0
    };
    let mut inputs = Inputs::empty(width, height);
    for point in inputs.planes.chunks_exact_mut(22) {
        point.iter_mut().for_each(|plane| *plane = f32::from(chance() < 0.2));
        point[0] = 1.0;
    }
    inputs.globals = std::array::from_fn(|_| chance() - 0.5);
    inputs.metadata = metadata.then(|| Box::new(std::array::from_fn(|_| chance() - 0.5)));
    inputs
}

fn numbers(output: &RawOutput) -> Vec<f32> {
    [&output.policy[..], &output.pass, &output.value, &output.score, &output.ownership].concat()
}

#[test]
fn every_net_says_what_the_plain_loops_say() {
    for model in tiny_nets() {
        let sizes = [(19, 19), (9, 9), (9, 9), (2, 2), (7, 5), (13, 13), (3, 19)];
        let boards: Vec<Inputs> = (0..)
            .zip(sizes)
            .map(|(seed, (width, height))| strewn(width, height, model.trunk.metadata.is_some(), seed))
            .collect();
        let expected: Vec<RawOutput> = boards.iter().map(|board| plain::run(&model, board)).collect();
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let outputs = Net::new(&model, isa).run(&boards, &mut Workspace::default());
            assert_eq!(outputs.len(), expected.len());
            for (at, (output, expected)) in outputs.iter().zip(&expected).enumerate() {
                assert_eq!(output.policy_channels, expected.policy_channels);
                let (got, wanted) = (numbers(output), numbers(expected));
                assert_eq!(got.len(), wanted.len());
                for (got, wanted) in got.iter().zip(&wanted) {
                    let close = 2e-4 * wanted.abs().max(1.0);
                    assert!((got - wanted).abs() <= close, "{} on {isa}, board {at}: {got}, not {wanted}", model.name);
                }
            }
        }
    }
}

/// Products of 16-bit integers are not exact, but near enough that nothing a player looks at changes.
#[test]
fn the_best_kernel_of_this_machine_stays_near_the_plain_loops() {
    for model in tiny_nets() {
        let board = strewn(9, 9, model.trunk.metadata.is_some(), 5);
        let expected = plain::run(&model, &board);
        for kernel in [Kernel::best(), Kernel::shorts(Isa::Portable)] {
            let output = Net::with_kernel(&model, kernel).run(std::slice::from_ref(&board), &mut Workspace::default());
            for (got, wanted) in numbers(&output[0]).iter().zip(numbers(&expected)) {
                let close = 2e-2 * wanted.abs().max(1.0);
                assert!((got - wanted).abs() <= close, "{} on {kernel}: {got}, not {wanted}", model.name);
            }
        }
    }
}
