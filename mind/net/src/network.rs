//! A net ready to run: normalisations folded into the filters, filters in the machine's favourite form.

use std::ops::Range;

use crate::Grid;
use crate::architecture::{Architecture, POINT_OUTPUTS};
use crate::kernel::{Aligned, Arithmetic, Conv3x3, ConvScratch, Dense, Finish, Gemm, Isa, Pool, gemm, pool};
use crate::weights::{BlockRanges, Layout, NORM_EPSILON, NormedRanges, Weights, WeightsError};

struct BlockLayers {
    first: (Conv3x3, Vec<f32>),
    pool: Option<Vec<f32>>,
    second: (Conv3x3, Vec<f32>),
}

/// A loaded net. It is read-only and shared by all threads; each thread brings its own [`Workspace`].
pub struct Net {
    isa: Isa,
    architecture: Architecture,
    notes: std::collections::HashMap<String, String>,
    digest: u64,
    stem: (Conv3x3, Vec<f32>),
    blocks: Vec<BlockLayers>,
    head: Aligned<f32>,
    head_bias: Vec<f32>,
    points: Aligned<f32>,
    hidden: Vec<f32>,
    hidden_bias: Vec<f32>,
    pooled: Vec<f32>,
    pooled_bias: Vec<f32>,
}

/// Buffers for a batch; they grow to the largest batch seen.
#[derive(Default)]
pub struct Workspace {
    grid: Option<Grid>,
    conv: ConvScratch,
    planes: Aligned<f32>,
    trunk: [Aligned<f32>; 3],
    head: Aligned<f32>,
    points: Aligned<f32>,
    pooled: Vec<f32>,
    shifts: Vec<f32>,
    hidden: Vec<f32>,
    outputs: Vec<f32>,
}

impl Workspace {
    /// The input planes of a batch, to be filled by [`crate::planes::PlaneWriter::write`], image by image.
    pub fn planes(&mut self, net: &Net, grid: Grid, images: usize) -> &mut [f32] {
        let len = images * grid.cells() * net.architecture.planes.channels();
        self.planes.reserve_len(len);
        &mut self.planes[..len]
    }
}

/// What the net says about one image of a batch, before any interpretation.
pub struct RawOutput<'a> {
    grid: Grid,
    points: &'a [f32],
    /// A pass logit per policy step, then the value.
    pub pooled: &'a [f32],
}

impl RawOutput<'_> {
    /// One of the outputs at a point: a policy logit, or ownership.
    pub fn at(&self, row: usize, column: usize, output: usize) -> f32 {
        self.points[self.grid.cell(row, column) * POINT_OUTPUTS + output]
    }
}

impl Net {
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, WeightsError> {
        Ok(Net::new(&Weights::from_bytes(bytes)?, Isa::best()))
    }

    pub fn new(weights: &Weights, isa: Isa) -> Net {
        let layout = Layout::new(&weights.architecture);
        let (channels, planes) = (weights.architecture.channels, weights.architecture.planes.channels());
        let values = |range: &Range<usize>| weights.values[range.clone()].to_vec();
        let conv = |ranges: &NormedRanges, inputs: usize| {
            let (taps, bias, _) = fold(&weights.values, ranges);
            (Conv3x3::new(isa, inputs, channels, &taps), bias)
        };
        let block = |ranges: &BlockRanges| BlockLayers {
            first: conv(&ranges.first, channels),
            pool: ranges.pool.as_ref().map(|range| {
                let (_, _, factors) = fold(&weights.values, &ranges.second);
                scale_columns(&weights.values[range.clone()], &factors)
            }),
            second: conv(&ranges.second, channels),
        };
        let (head, head_bias, _) = fold(&weights.values, &layout.head);
        Net {
            isa,
            stem: conv(&layout.stem, planes),
            blocks: layout.blocks.iter().map(block).collect(),
            head: Aligned::copied_from(&head),
            head_bias,
            points: Aligned::copied_from(&weights.values[layout.points.clone()]),
            hidden: values(&layout.hidden),
            hidden_bias: values(&layout.hidden_bias),
            pooled: values(&layout.pooled),
            pooled_bias: values(&layout.pooled_bias),
            digest: digest(&weights.values),
            architecture: weights.architecture.clone(),
            notes: weights.notes.clone(),
        }
    }

    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// Tells one net from another: a number that follows from all weights.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Free text from the file: where the net comes from and how well it did.
    pub fn notes(&self) -> &std::collections::HashMap<String, String> {
        &self.notes
    }

    /// Runs the batch whose planes lie in the workspace.
    pub fn run(&self, grid: Grid, images: usize, workspace: &mut Workspace) {
        if workspace.grid != Some(grid) {
            // Another size has its border elsewhere; start from zeros again.
            workspace.trunk = Default::default();
            workspace.grid = Some(grid);
        }
        workspace.points.reserve_len(images * grid.cells() * POINT_OUTPUTS);
        workspace.outputs.resize(images * self.architecture.pooled_outputs(), 0.0);
        // Winograd's products fill up with tiles of several boards. A direct convolution gains nothing by them, and one
        // board after the other stays in the second-level cache.
        let at_once = if self.isa.arithmetic() == Arithmetic::F32 { images.max(1) } else { 1 };
        for first in (0..images).step_by(at_once) {
            let part = first..images.min(first + at_once);
            self.run_trunk(grid, part.clone(), workspace);
            self.run_heads(grid, part, workspace);
        }
    }

    fn run_trunk(&self, grid: Grid, part: Range<usize>, workspace: &mut Workspace) {
        let (channels, images) = (self.architecture.channels, part.len());
        for buffer in &mut workspace.trunk {
            buffer.reserve_len(images * grid.cells() * channels);
        }
        let Workspace { conv, planes, trunk: [state, middle, next], pooled, shifts, .. } = workspace;
        let planes = &planes[part.start * grid.cells() * self.architecture.planes.channels()..];
        let rectified = |bias| Finish::Activate { bias, residual: None };
        self.stem.0.run(grid, images, planes, state, rectified(&self.stem.1), conv);
        for block in &self.blocks {
            block.first.0.run(grid, images, state, middle, rectified(&block.first.1), conv);
            let bias = match &block.pool {
                None => &block.second.1,
                Some(weights) => {
                    pooled.resize(images * 2 * channels, 0.0);
                    shifts.resize(images * channels, 0.0);
                    pool(self.isa, Pool { grid, images, channels, input: middle, pooled });
                    let dense = Dense { weights, bias: &block.second.1 };
                    for (pooled, shift) in pooled.chunks_exact(2 * channels).zip(shifts.chunks_exact_mut(channels)) {
                        dense.run(pooled, shift);
                    }
                    &*shifts
                }
            };
            let finish = Finish::Activate { bias, residual: Some(state) };
            block.second.0.run(grid, images, middle, next, finish, conv);
            std::mem::swap(state, next);
        }
    }

    fn run_heads(&self, grid: Grid, part: Range<usize>, workspace: &mut Workspace) {
        let (channels, head, images) = (self.architecture.channels, self.architecture.head, part.len());
        let rows = images * grid.cells();
        workspace.head.reserve_len(rows * head);
        let activation = &mut workspace.head[..rows * head];
        let product =
            Gemm { rows, inner: channels, columns: head, a: &workspace.trunk[0], b: &self.head, c: activation };
        gemm(self.isa, product);
        for row in activation.chunks_exact_mut(head) {
            for (value, bias) in row.iter_mut().zip(&self.head_bias) {
                *value = (*value + bias).max(0.0);
            }
        }
        let points = &mut workspace.points[part.start * grid.cells() * POINT_OUTPUTS..];
        gemm(self.isa, Gemm { rows, inner: head, columns: POINT_OUTPUTS, a: activation, b: &self.points, c: points });
        workspace.pooled.resize(images * 2 * head, 0.0);
        pool(self.isa, Pool { grid, images, channels: head, input: activation, pooled: &mut workspace.pooled });
        let outputs = self.architecture.pooled_outputs();
        workspace.hidden.resize(self.architecture.hidden, 0.0);
        let first = Dense { weights: &self.hidden, bias: &self.hidden_bias };
        let second = Dense { weights: &self.pooled, bias: &self.pooled_bias };
        let rows = workspace.outputs.chunks_exact_mut(outputs).skip(part.start);
        for (pooled, out) in workspace.pooled.chunks_exact(2 * head).zip(rows) {
            first.run(pooled, &mut workspace.hidden);
            workspace.hidden.iter_mut().for_each(|value| *value = value.max(0.0));
            second.run(&workspace.hidden, out);
        }
    }

    /// The result for one image of the batch that ran last.
    pub fn output<'a>(&self, grid: Grid, image: usize, workspace: &'a Workspace) -> RawOutput<'a> {
        let outputs = self.architecture.pooled_outputs();
        RawOutput {
            grid,
            points: &workspace.points[image * grid.cells() * POINT_OUTPUTS..][..grid.cells() * POINT_OUTPUTS],
            pooled: &workspace.outputs[image * outputs..][..outputs],
        }
    }
}

fn digest(values: &[f32]) -> u64 {
    values.iter().fold(0xCBF2_9CE4_8422_2325, |hash, value| {
        (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0100_0000_01B3).rotate_left(5)
    })
}

/// Folds a normalisation into the filters before it. Returns filters, bias, and the factor of each output.
fn fold(values: &[f32], ranges: &NormedRanges) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    let part = |range: &Range<usize>| &values[range.clone()];
    let factors: Vec<f32> = part(&ranges.scale)
        .iter()
        .zip(part(&ranges.variance))
        .map(|(scale, variance)| scale / (variance.max(0.0) + NORM_EPSILON).sqrt())
        .collect();
    let bias = part(&ranges.shift)
        .iter()
        .zip(part(&ranges.mean).iter().zip(&factors))
        .map(|(shift, (mean, factor))| shift - mean * factor)
        .collect();
    (scale_columns(part(&ranges.taps), &factors), bias, factors)
}

fn scale_columns(matrix: &[f32], factors: &[f32]) -> Vec<f32> {
    matrix.chunks_exact(factors.len()).flat_map(|row| row.iter().zip(factors).map(|(w, f)| w * f)).collect()
}
