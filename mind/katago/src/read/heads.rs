//! The two heads: where to play, and how it will end.

use super::{ReadError, Reader};
use crate::model::{PassOut, PolicyHead, ValueHead};

impl Reader<'_, '_> {
    pub(super) fn policy_head(&mut self, trunk: usize) -> Result<PolicyHead, ReadError> {
        self.stream.name()?;
        let channels = match self.version {
            ..12 => 1,
            12..16 => 2,
            16 => 4,
            _ => {
                let channels = self.stream.size("the number of policy channels", 4)?;
                if channels != 2 && channels != 4 {
                    return Err(self.stream.fault(format!("the number of policy channels is {channels}, not 2 or 4")));
                }
                self.stream.zeros(3)?;
                channels
            }
        };
        let conv = self.conv(trunk, None)?;
        let pool_conv = self.conv(trunk, None)?;
        let pool_norm = self.norm_act(pool_conv.outputs)?;
        let spread = self.matmul(3 * pool_conv.outputs, Some(conv.outputs))?;
        let norm = self.norm_act(conv.outputs)?;
        let out = self.conv(conv.outputs, Some(channels))?;
        let pass_outputs = if self.version >= 15 { conv.outputs } else { channels };
        let pass = self.matmul(3 * pool_conv.outputs, Some(pass_outputs))?;
        let pass_out = if self.version >= 15 { Some(self.pass_out(pass_outputs, channels)?) } else { None };
        Ok(PolicyHead { conv, pool_conv, pool_norm, spread, norm, out, pass, pass_out })
    }

    fn pass_out(&mut self, inputs: usize, outputs: usize) -> Result<PassOut, ReadError> {
        let bias = self.bias(inputs)?;
        let activation = self.activation()?;
        let out = self.matmul(inputs, Some(outputs))?;
        Ok(PassOut { bias, activation, out })
    }

    pub(super) fn value_head(&mut self, trunk: usize) -> Result<ValueHead, ReadError> {
        self.stream.name()?;
        if self.version >= 17 {
            self.stream.zeros(3)?;
        }
        let conv = self.conv(trunk, None)?;
        let norm = self.norm_act(conv.outputs)?;
        let dense = self.dense(3 * conv.outputs, None)?;
        let activation = self.activation()?;
        let value = self.dense(dense.bias.len(), Some(3))?;
        let score = self.dense(dense.bias.len(), Some(if self.version >= 9 { 6 } else { 4 }))?;
        let ownership = self.conv(conv.outputs, Some(1))?;
        Ok(ValueHead { conv, norm, dense, activation, value, score, ownership })
    }
}
