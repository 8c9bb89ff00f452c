//! A convolution of any odd size, in the form that suits its size.

use super::winograd::{self, Filters};
use super::{Frame, Kernel, LayerFinish, Matrix, Rows, padded};
use crate::kernel::{Aligned, Isa};

/// The filters of one layer. Channels are padded to sixteens.
pub struct Conv {
    isa: Isa,
    form: Form,
}

enum Form {
    /// 1x1: a product per point.
    Points(Matrix),
    /// 3x3.
    Winograd(Filters),
    /// Any other size: the neighbourhood of every point is written out as a row.
    Gathered { height: usize, width: usize, inputs: usize, matrix: Matrix },
}

/// Working memory of convolutions; it grows to what the largest layer needs.
#[derive(Default)]
pub struct PointsConvScratch {
    winograd: winograd::Scratch,
    gathered: Aligned<f32>,
}

impl Conv {
    /// `weights` is `[height][width][inputs][outputs]`.
    pub fn new(
        kernel: impl Into<Kernel>,
        height: usize,
        width: usize,
        inputs: usize,
        outputs: usize,
        weights: &[f32],
    ) -> Conv {
        assert_eq!(weights.len(), height * width * inputs * outputs);
        let kernel = kernel.into();
        let (wide_in, wide_out) = (padded(inputs), padded(outputs));
        let mut taps = vec![0.0; height * width * wide_in * wide_out];
        for (at, row) in weights.chunks_exact(outputs).enumerate() {
            let (tap, input) = (at / inputs, at % inputs);
            taps[(tap * wide_in + input) * wide_out..][..outputs].copy_from_slice(row);
        }
        let form = match (height, width) {
            (1, 1) => Form::Points(Matrix::new(kernel, wide_in, wide_out, &taps)),
            (3, 3) => Form::Winograd(Filters::new(kernel, wide_in, wide_out, &taps)),
            _ => {
                let matrix = Matrix::new(kernel, height * width * wide_in, wide_out, &taps);
                Form::Gathered { height, width, inputs: wide_in, matrix }
            }
        };
        Conv { isa: kernel.isa, form }
    }

    /// Channels that come out, padding included.
    pub fn outputs(&self) -> usize {
        match &self.form {
            Form::Points(matrix) | Form::Gathered { matrix, .. } => matrix.outputs(),
            Form::Winograd(filters) => filters.outputs(),
        }
    }

    pub fn run(
        &self,
        frame: Frame,
        images: usize,
        input: &[f32],
        finish: LayerFinish<'_>,
        scratch: &mut PointsConvScratch,
    ) {
        match &self.form {
            Form::Points(matrix) => matrix.run(frame, images, Rows { values: input, stride: matrix.inputs() }, finish),
            Form::Winograd(filters) => {
                winograd::convolve(self.isa, filters, frame, images, input, finish, &mut scratch.winograd)
            }
            Form::Gathered { height, width, inputs, matrix } => {
                scratch.gathered.reserve_len(images * frame.points() * matrix.inputs());
                gather(frame, images, (*height, *width), *inputs, input, &mut scratch.gathered);
                matrix.run(frame, images, Rows { values: &scratch.gathered, stride: matrix.inputs() }, finish);
            }
        }
    }
}

/// Writes the neighbourhood of every point as one row, zeros beyond the edge.
fn gather(frame: Frame, images: usize, kernel: (usize, usize), inputs: usize, input: &[f32], to: &mut [f32]) {
    let (height, width) = kernel;
    let mut cells = to.chunks_exact_mut(inputs);
    for point in 0..images * frame.points() {
        let (image, at) = (point / frame.points(), point % frame.points());
        for tap in 0..height * width {
            let row = (at / frame.width + tap / width).wrapping_sub(height / 2);
            let column = (at % frame.width + tap % width).wrapping_sub(width / 2);
            let cell = cells.next().expect("room for every neighbour");
            if row < frame.height && column < frame.width {
                let from = (image * frame.points() + row * frame.width + column) * inputs;
                cell.copy_from_slice(&input[from..from + inputs]);
            } else {
                cell.fill(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Activation, Norm, ResidualStream};
    use super::*;
    use crate::kernel::tests::{assert_close, noise};

    /// The definition, in f64, on unpadded tensors.
    fn definition(frame: Frame, images: usize, conv: [usize; 4], input: &[f32], weights: &[f32]) -> Vec<f32> {
        let [height, width, inputs, outputs] = conv;
        let mut output = Vec::new();
        for image in 0..images {
            for point in 0..frame.points() {
                let mut sums = vec![0.0f64; outputs];
                for tap in 0..height * width {
                    let row = (point / frame.width + tap / width).wrapping_sub(height / 2);
                    let column = (point % frame.width + tap % width).wrapping_sub(width / 2);
                    if row >= frame.height || column >= frame.width {
                        continue;
                    }
                    let from = image * frame.points() + row * frame.width + column;
                    for i in 0..inputs {
                        for (o, sum) in sums.iter_mut().enumerate() {
                            let weight = weights[(tap * inputs + i) * outputs + o];
                            *sum += f64::from(input[from * inputs + i]) * f64::from(weight);
                        }
                    }
                }
                output.extend(sums.into_iter().map(|sum| sum as f32));
            }
        }
        output
    }

    fn pad(values: &[f32], channels: usize) -> Vec<f32> {
        let mut padded_values = Vec::new();
        for row in values.chunks_exact(channels) {
            padded_values.extend_from_slice(row);
            padded_values.resize(padded_values.len() + padded(channels) - channels, 0.0);
        }
        padded_values
    }

    #[test]
    fn every_size_equals_its_definition_on_every_instruction_set() {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            for (width, height, images, conv) in [
                (19, 19, 1, [3, 3, 40, 48]),
                (9, 9, 7, [3, 3, 16, 32]),
                (5, 2, 2, [3, 3, 22, 14]),
                (19, 19, 1, [1, 1, 33, 100]),
                (7, 6, 3, [5, 5, 22, 18]),
                (4, 4, 1, [5, 3, 3, 1]),
            ] {
                let (frame, [high, wide, inputs, outputs]) = (Frame { width, height }, conv);
                let input = noise(1, images * frame.points() * inputs);
                let weights: Vec<f32> = noise(2, high * wide * inputs * outputs).iter().map(|w| w * 0.3).collect();
                let expected = pad(&definition(frame, images, conv, &input, &weights), outputs);
                let layer = Conv::new(isa, high, wide, inputs, outputs, &weights);
                let mut output = vec![f32::NAN; expected.len()];
                let (input, scratch) = (pad(&input, inputs), &mut PointsConvScratch::default());
                layer.run(frame, images, &input, LayerFinish::store(&mut output), scratch);
                assert_close(&output, &expected, 3e-5);

                let shift = pad(&noise(3, images * outputs), outputs);
                let factors = noise(4, images * frame.points());
                let norm = Norm::new(&noise(5, outputs), &noise(6, outputs), Activation::Relu);
                let (mut stream, mut next) = (noise(7, expected.len()), vec![f32::NAN; expected.len()]);
                let before = stream.clone();
                let finish = LayerFinish {
                    row_factors: Some(&factors),
                    image_shift: Some(&shift),
                    stream: ResidualStream::Add(&mut stream),
                    activated: Some((&norm, &mut next)),
                };
                layer.run(frame, images, &input, finish, scratch);
                let columns = padded(outputs);
                let (scale, bias) = (pad(&noise(5, outputs), outputs), pad(&noise(6, outputs), outputs));
                let sums: Vec<f32> = (0..expected.len())
                    .map(|at| {
                        let (row, column) = (at / columns, at % columns);
                        let added = shift[row / frame.points() * columns + column];
                        before[at] + expected[at] * factors[row] + added
                    })
                    .collect();
                assert_close(&stream, &sums, 5e-5);
                let activated: Vec<f32> =
                    (0..sums.len()).map(|at| (sums[at] * scale[at % columns] + bias[at % columns]).max(0.0)).collect();
                assert_close(&next, &activated, 5e-5);
            }
        }
    }
}
