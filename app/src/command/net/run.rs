//! `jigo net run`: a net on planes from a file, with a chosen kernel. It lets other programs check what our kernels compute
//! and how fast, on the same numbers.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use jigo_net::architecture::{OWNERSHIP_COLUMN, POLICY_STEPS};
use jigo_net::kernel::Isa;
use jigo_net::{Grid, Net, Workspace};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

use crate::command::bench::speed::measure_thread;

#[derive(clap::Args)]
pub struct RunArgs {
    /// A net file; the embedded net if none is given
    net: Option<PathBuf>,
    /// Planes to run on: a safetensors file with a tensor `planes` of f32, [images][side][side][channels]
    #[arg(long)]
    input: PathBuf,
    /// Where `points` [images][side][side][outputs] and `pooled` [images][outputs] go
    #[arg(long)]
    output: PathBuf,
    /// Kernel: portable, neon, neon-dot, avx2, vnni256, avx512, vnni512, amx or amx-int8 [default: the fastest this machine has]
    #[arg(long)]
    kernel: Option<Isa>,
    /// Rounds to measure
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

/// Planes as a file holds them, without the border of a [`Grid`].
struct Planes {
    images: usize,
    side: usize,
    values: Vec<f32>,
}

pub fn run(args: &RunArgs) -> anyhow::Result<()> {
    let isa = args.kernel.unwrap_or_else(Isa::best);
    let net = Net::new(&super::load(args.net.as_deref())?, isa);
    let channels = net.architecture().planes.channels();
    let planes = read_planes(&args.input, channels)?;
    let grid = Grid::new(planes.side);
    let mut workspace = Workspace::default();
    let target = workspace.planes(&net, grid, planes.images);
    let image = planes.side * planes.side * channels;
    for (from, to) in planes.values.chunks_exact(image).zip(target.chunks_exact_mut(grid.cells() * channels)) {
        for (cell, point) in grid.point_cells().zip(from.chunks_exact(channels)) {
            to[cell * channels..][..channels].copy_from_slice(point);
        }
    }
    let speed = measure_thread(args.rounds, || {
        net.run(grid, planes.images, &mut workspace);
        planes.images
    });
    println!("{isa} {:.1} {:.1}", speed.best, speed.median);
    write_outputs(&args.output, &net, grid, planes.images, &workspace)
}

fn read_planes(path: &Path, channels: usize) -> anyhow::Result<Planes> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = SafeTensors::deserialize(&bytes)?;
    let view = file.tensor("planes").context("the file has no tensor named planes")?;
    let &[images, side, width, depth] = view.shape() else { anyhow::bail!("planes have four dimensions") };
    ensure!(
        view.dtype() == Dtype::F32 && side == width && (1..=19).contains(&side) && images > 0 && depth == channels,
        "planes for this net are f32 and [images][side][side][{channels}]"
    );
    let values = view.data().chunks_exact(4).map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    Ok(Planes { images, side, values: values.collect() })
}

fn write_outputs(path: &Path, net: &Net, grid: Grid, images: usize, workspace: &Workspace) -> anyhow::Result<()> {
    let columns = POLICY_STEPS.max(OWNERSHIP_COLUMN + 1);
    let (mut points, mut pooled) = (Vec::new(), Vec::new());
    for image in 0..images {
        let raw = net.output(grid, image, workspace);
        for (row, column) in (0..grid.points()).map(|point| (point / grid.side(), point % grid.side())) {
            points.extend((0..columns).flat_map(|output| raw.at(row, column, output).to_le_bytes()));
        }
        pooled.extend(raw.pooled.iter().flat_map(|value| value.to_le_bytes()));
    }
    let outputs = net.architecture().pooled_outputs();
    let points = TensorView::new(Dtype::F32, vec![images, grid.side(), grid.side(), columns], &points)?;
    let pooled = TensorView::new(Dtype::F32, vec![images, outputs], &pooled)?;
    let bytes = serialize([("points", points), ("pooled", pooled)], None)?;
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
