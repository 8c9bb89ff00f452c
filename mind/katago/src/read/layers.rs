//! Single layers.

use super::{MOST_CHANNELS, ReadError, Reader};
use crate::model::{Activation, Conv, Dense, Matmul, NormAct, RmsNorm};

/// The largest kernel that makes sense on a board.
const LARGEST_KERNEL: usize = 19;

impl Reader<'_, '_> {
    /// Checks a number of channels that another layer determines.
    fn agree(&self, what: &str, found: usize, expected: usize) -> Result<(), ReadError> {
        if found == expected {
            return Ok(());
        }
        Err(self.stream.fault(format!("{what} number {found}, but {expected} fit the layers around it")))
    }

    fn channels(&mut self, what: &str, expected: Option<usize>) -> Result<usize, ReadError> {
        let channels = self.stream.size(what, MOST_CHANNELS)?;
        expected.map_or(Ok(()), |expected| self.agree(what, channels, expected))?;
        Ok(channels)
    }

    pub(super) fn conv(&mut self, inputs: usize, outputs: Option<usize>) -> Result<Conv, ReadError> {
        self.stream.name()?;
        let height = self.kernel_side()?;
        let width = self.kernel_side()?;
        self.channels("input channels", Some(inputs))?;
        let outputs = self.channels("output channels", outputs)?;
        for _ in 0..2 {
            let dilation = self.stream.integer("the dilation")?;
            if dilation != 1 {
                return Err(self.stream.fault(format!("the dilation is {dilation}; only 1 is known")));
            }
        }
        let weights = self.stream.floats(&[height, width, inputs, outputs])?;
        Ok(Conv { height, width, inputs, outputs, weights })
    }

    fn kernel_side(&mut self) -> Result<usize, ReadError> {
        let side = self.stream.size("the size of the kernel", LARGEST_KERNEL)?;
        if side % 2 == 1 {
            Ok(side)
        } else {
            Err(self.stream.fault(format!("the size of the kernel is {side}, an even number")))
        }
    }

    pub(super) fn matmul(&mut self, inputs: usize, outputs: Option<usize>) -> Result<Matmul, ReadError> {
        self.stream.name()?;
        self.channels("input channels", Some(inputs))?;
        let outputs = self.channels("output channels", outputs)?;
        let weights = self.stream.floats(&[inputs, outputs])?;
        Ok(Matmul { inputs, outputs, weights })
    }

    pub(super) fn bias(&mut self, channels: usize) -> Result<Vec<f32>, ReadError> {
        self.stream.name()?;
        self.channels("channels", Some(channels))?;
        self.stream.floats(&[channels])
    }

    pub(super) fn dense(&mut self, inputs: usize, outputs: Option<usize>) -> Result<Dense, ReadError> {
        let matmul = self.matmul(inputs, outputs)?;
        let bias = self.bias(matmul.outputs)?;
        Ok(Dense { matmul, bias })
    }

    /// A batch norm, merged into a scale and a bias, and the activation that always follows.
    pub(super) fn norm_act(&mut self, channels: usize) -> Result<NormAct, ReadError> {
        let epsilon = self.norm_start(channels)?;
        let has_scale = self.stream.flag("whether there is a scale")?;
        let has_bias = self.stream.flag("whether there is a bias")?;
        let mean = self.stream.floats(&[channels])?;
        let variance = self.stream.floats(&[channels])?;
        let mut scale = if has_scale { self.stream.floats(&[channels])? } else { vec![1.0; channels] };
        let mut bias = if has_bias { self.stream.floats(&[channels])? } else { vec![0.0; channels] };
        for c in 0..channels {
            scale[c] /= (variance[c] + epsilon).sqrt();
            bias[c] -= scale[c] * mean[c];
        }
        if !scale.iter().chain(&bias).all(|number| number.is_finite()) {
            return Err(self.stream.fault("the variance leaves no finite scale"));
        }
        Ok(NormAct { scale, bias, activation: self.activation()? })
    }

    /// What every kind of norm begins with; returns its epsilon.
    pub(super) fn norm_start(&mut self, channels: usize) -> Result<f32, ReadError> {
        self.stream.name()?;
        self.channels("channels", Some(channels))?;
        let epsilon = self.stream.float("epsilon")?;
        if epsilon >= 0.0 { Ok(epsilon) } else { Err(self.stream.fault(format!("epsilon is {epsilon}, below 0"))) }
    }

    pub(super) fn rms_norm(&mut self, channels: usize) -> Result<RmsNorm, ReadError> {
        let epsilon = self.norm_start(channels)?;
        if epsilon == 0.0 {
            return Err(self.stream.fault("epsilon is 0, so that an empty point would be divided by 0"));
        }
        Ok(RmsNorm { epsilon, weights: self.stream.floats(&[channels])? })
    }

    /// Up to version 10 every activation is a ReLU and only has a name.
    pub(super) fn activation(&mut self) -> Result<Activation, ReadError> {
        self.stream.name()?;
        if self.version < 11 {
            return Ok(Activation::Relu);
        }
        match self.stream.word()?.as_str() {
            "ACTIVATION_IDENTITY" => Ok(Activation::Identity),
            "ACTIVATION_RELU" => Ok(Activation::Relu),
            "ACTIVATION_MISH" => Ok(Activation::Mish),
            "ACTIVATION_SILU" => Ok(Activation::Silu),
            _ => Err(self.stream.fault("the activation is of an unknown kind")),
        }
    }
}
