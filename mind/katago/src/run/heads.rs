//! The two heads; their first convolutions read the same tensor and run as one.

use jigo_net::kernel::points::{Conv, Kernel, LayerFinish, Norm, Pooled, SIXTEEN, Third, finish_rows, pool};
use jigo_net::kernel::{Aligned, Isa};

use super::block::spread;
use super::layers::{BoardMatmul, SideBySide, conv, norm};
use super::{Batch, Tools};
use crate::RawOutput;
use crate::model::{Activation, Model};
use crate::plain::activated;

pub struct Heads {
    /// Policy, what the policy pools, value.
    first: SideBySide,
    pool_norm: Norm,
    spread: BoardMatmul,
    policy_norm: Norm,
    policy: Conv,
    policy_channels: usize,
    pass: BoardMatmul,
    pass_out: Option<(Activation, BoardMatmul)>,
    value_norm: Norm,
    hidden: BoardMatmul,
    hidden_activation: Activation,
    value: BoardMatmul,
    score: BoardMatmul,
    scores: usize,
    ownership: Conv,
}

impl Heads {
    pub fn new(isa: Isa, model: &Model) -> Heads {
        let (policy, value, kernel) = (&model.policy, &model.value, Kernel::from(isa));
        let pass_bias = policy.pass_out.as_ref().map_or(&[][..], |last| &last.bias);
        Heads {
            first: SideBySide::new(kernel, &[&policy.conv, &policy.pool_conv, &value.conv]),
            pool_norm: norm(&policy.pool_norm),
            spread: BoardMatmul::of_pooled(&policy.spread),
            policy_norm: norm(&policy.norm),
            policy: conv(kernel, &policy.out),
            policy_channels: policy.channels(),
            pass: BoardMatmul::of_pooled(&policy.pass).with_bias(pass_bias),
            pass_out: policy.pass_out.as_ref().map(|last| (last.activation, BoardMatmul::new(&last.out))),
            value_norm: norm(&value.norm),
            hidden: BoardMatmul::of_pooled(&value.dense.matmul).with_bias(&value.dense.bias),
            hidden_activation: value.activation,
            value: BoardMatmul::new(&value.value.matmul).with_bias(&value.value.bias),
            score: BoardMatmul::new(&value.score.matmul).with_bias(&value.score.bias),
            scores: value.score.bias.len(),
            ownership: conv(kernel, &value.ownership),
        }
    }

    pub fn run(&self, isa: Isa, batch: Batch, z: &[f32], tools: &mut Tools, outputs: &mut Vec<RawOutput>) {
        let Tools { conv, wide, middle, pooled, shift, .. } = tools;
        let Batch { frame, images } = batch;
        let SideBySide { conv: first, starts, stride } = &self.first;
        wide.reserve_len(batch.rows() * stride);
        first.run(frame, images, z, LayerFinish::store(wide), conv);

        spread(isa, batch, &self.pool_norm, &wide[starts[1]..], *stride, &self.spread, pooled, shift);
        let passes: Vec<Vec<f32>> =
            pooled.chunks_exact(3 * self.pool_norm.channels()).take(images).map(|pooled| self.pass(pooled)).collect();
        let channels = self.policy_norm.channels();
        middle.reserve_len(batch.rows() * channels);
        let finish = LayerFinish { image_shift: Some(shift), ..LayerFinish::activate(&self.policy_norm, middle) };
        finish_rows(isa, frame, images, channels, &wide[starts[0]..], *stride, finish);
        let mut policy = Aligned::zeroed(batch.rows() * SIXTEEN);
        self.policy.run(frame, images, middle, LayerFinish::store(&mut policy), conv);

        let value = &wide[starts[2]..];
        let channels = self.value_norm.channels();
        pooled.reserve_len(images * 3 * channels);
        let (norm, third) = (&self.value_norm, Third::ScaledTwice);
        pool(isa, Pooled { frame, images, norm, input: value, stride: *stride, third, to: pooled });
        middle.reserve_len(batch.rows() * channels);
        finish_rows(isa, frame, images, channels, value, *stride, LayerFinish::activate(norm, middle));
        let mut ownership = Aligned::zeroed(batch.rows() * SIXTEEN);
        self.ownership.run(frame, images, middle, LayerFinish::store(&mut ownership), conv);

        let boards =
            policy.chunks_exact(frame.points() * SIXTEEN).zip(ownership.chunks_exact(frame.points() * SIXTEEN));
        let pooled = pooled.chunks_exact(3 * channels);
        for (((policy, ownership), pooled), pass) in boards.zip(pooled).zip(passes) {
            let (value, score) = self.value(pooled);
            let logits =
                policy.chunks_exact(SIXTEEN).flat_map(|point| &point[..self.policy_channels]).copied().collect();
            outputs.push(RawOutput {
                policy_channels: self.policy_channels,
                policy: logits,
                pass,
                value,
                score,
                ownership: ownership.iter().step_by(SIXTEEN).copied().collect(),
            });
        }
    }

    fn pass(&self, pooled: &[f32]) -> Vec<f32> {
        let mut pass = vec![0.0; self.pass.outputs()];
        self.pass.run(pooled, &mut pass);
        if let Some((activation, last)) = &self.pass_out {
            pass.iter_mut().for_each(|x| *x = activated(*activation, *x));
            let mut logits = vec![0.0; last.outputs()];
            last.run(&pass[..last.inputs()], &mut logits);
            pass = logits;
        }
        pass.truncate(self.policy_channels);
        pass
    }

    fn value(&self, pooled: &[f32]) -> ([f32; 3], Vec<f32>) {
        let mut hidden = vec![0.0; self.hidden.outputs()];
        self.hidden.run(pooled, &mut hidden);
        hidden.iter_mut().for_each(|x| *x = activated(self.hidden_activation, *x));
        let mut value = vec![0.0; self.value.outputs()];
        self.value.run(&hidden[..self.value.inputs()], &mut value);
        let mut score = vec![0.0; self.score.outputs()];
        self.score.run(&hidden[..self.score.inputs()], &mut score);
        score.truncate(self.scores);
        ([value[0], value[1], value[2]], score)
    }
}
