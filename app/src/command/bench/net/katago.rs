//! The same for a net of KataGo's: looks a second of processor time, and how near that comes to what the processor could do.

use std::path::Path;

use anyhow::Context;
use jigo_board::Rng;
use jigo_katago::model::PLANES;
use jigo_katago::run::{Net, Workspace};
use jigo_katago::{Inputs, Model};
use jigo_net::kernel::points::{Frame, Kernel, LayerFinish, Matrix, Numbers, Rows};
use jigo_net::kernel::{Arithmetic, Isa};

use super::super::speed::measure_thread;

fn read(path: &Path) -> anyhow::Result<Model> {
    let file = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Model::read(&file).with_context(|| path.display().to_string())
}

/// KataGo's files are told from ours by their names.
pub fn is_file(path: &Path) -> bool {
    let name = path.to_string_lossy();
    [".bin.gz", ".txt.gz", ".gz", ".bin", ".txt"].iter().any(|end| name.ends_with(end))
}

pub fn run(path: &Path, rounds: usize) -> anyhow::Result<()> {
    let model = read(path)?;
    let work = |side: u64| model.multiply_adds(side * side) as f64 / 1e9;
    println!("{}: {:.3} thousand million multiply-adds a look on 19x19, {:.3} on 9x9", model.name, work(19), work(9));
    println!(
        "Looks a second of one thread's processor time. The rate counts a direct implementation's multiply-adds, thousands of"
    );
    println!(
        "millions a second; Winograd needs fewer, so it may exceed the peak, which a product reaches that never leaves the cache."
    );
    println!("{:>15} {:>6} {:>6} {:>10} {:>10} {:>8} {:>8}", "", "size", "batch", "best", "median", "rate", "peak");
    for kernel in kernels() {
        let net = Net::with_kernel(&model, kernel);
        let (mut workspace, peak) = (Workspace::default(), peak(kernel));
        for (side, batch) in [(9, 1), (9, 8), (19, 1), (19, 4)] {
            let boards: Vec<Inputs> = (0..batch).map(|seed| strewn(side, seed)).collect();
            let speed = measure_thread(rounds, || net.run(&boards, &mut workspace).len());
            let (size, rate) = (format!("{side}x{side}"), speed.best * work(side as u64));
            let (best, median) = (speed.best, speed.median);
            println!("{kernel:>15} {size:>6} {batch:>6} {best:>8.1}/s {median:>8.1}/s {rate:>8.1} {peak:>8.1}");
        }
    }
    Ok(())
}

/// Every arithmetic on every set that is made for it; sets that share their floats with another are not named twice.
fn kernels() -> impl Iterator<Item = Kernel> {
    let all = Isa::ALL.into_iter().flat_map(|isa| Numbers::ALL.map(|numbers| Kernel { isa, numbers }));
    let is_own = |kernel: &Kernel| kernel.numbers != Numbers::Floats || kernel.isa.arithmetic() == Arithmetic::F32;
    all.filter(move |kernel| is_own(kernel) && kernel.is_available())
}

/// A board with stones here and there: as many planes set as in a game, which is what the first layer's time depends on.
fn strewn(side: usize, seed: u64) -> Inputs {
    let (mut inputs, mut rng) = (Inputs::empty(side, side), Rng::new(seed));
    for point in inputs.planes.chunks_exact_mut(PLANES) {
        point[0] = 1.0;
        point[1 + rng.below(PLANES - 1)] = 1.0;
    }
    inputs
}

/// Thousands of millions of multiply-adds a second, of a product whose numbers all lie in the first-level cache.
fn peak(kernel: Kernel) -> f64 {
    let (frame, inner, columns) = (Frame { width: 6, height: 4 }, 128, 32);
    let matrix = Matrix::new(kernel, inner, columns, &vec![0.5; inner * columns]);
    let (values, mut to) = (vec![0.5; frame.points() * inner], vec![0.0; frame.points() * columns]);
    let speed = measure_thread(200, || {
        for _ in 0..100 {
            matrix.run(frame, 1, Rows { values: &values, stride: inner }, LayerFinish::store(&mut to));
        }
        100 * frame.points() * inner * columns
    });
    speed.best / 1e9
}
