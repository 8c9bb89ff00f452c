//! A dense layer for the small vectors behind global pooling.

/// `output = input * weights + bias`, with `weights` of `inputs x outputs`, row-major.
pub struct Dense<'a> {
    pub weights: &'a [f32],
    pub bias: &'a [f32],
}

impl Dense<'_> {
    pub fn run(&self, input: &[f32], output: &mut [f32]) {
        assert_eq!(self.weights.len(), input.len() * self.bias.len());
        output.copy_from_slice(self.bias);
        for (x, row) in input.iter().zip(self.weights.chunks_exact(self.bias.len())) {
            for (sum, weight) in output.iter_mut().zip(row) {
                *sum += x * weight;
            }
        }
    }
}
