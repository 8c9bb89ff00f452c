//! All numbers of a net that learning changes, as one row.

use jigo_katago::model::{Block, Model, NormAct, Tip};

/// The tensors in the order of the row.
fn tensors(model: &mut Model) -> Vec<&mut Vec<f32>> {
    fn norm(norm: &mut NormAct) -> [&mut Vec<f32>; 2] {
        [&mut norm.scale, &mut norm.bias]
    }
    let mut all = vec![&mut model.trunk.stem.weights, &mut model.trunk.globals.weights];
    for block in &mut model.trunk.blocks {
        match block {
            Block::Ordinary(b) => {
                all.extend(norm(&mut b.norm1));
                all.push(&mut b.first.weights);
                all.extend(norm(&mut b.norm2));
                all.push(&mut b.second.weights);
            }
            Block::Pooling(b) => {
                all.extend(norm(&mut b.norm1));
                all.extend([&mut b.regular.weights, &mut b.pool.weights]);
                all.extend(norm(&mut b.pool_norm));
                all.push(&mut b.spread.weights);
                all.extend(norm(&mut b.norm2));
                all.push(&mut b.last.weights);
            }
            Block::Nested(_) | Block::Attention(_) | Block::FeedForward(_) => {}
        }
    }
    if let Tip::Batch(tip) = &mut model.trunk.tip {
        all.extend(norm(tip));
    }
    let policy = &mut model.policy;
    all.extend([&mut policy.conv.weights, &mut policy.pool_conv.weights, &mut policy.spread.weights]);
    all.extend(norm(&mut policy.pool_norm));
    all.extend(norm(&mut policy.norm));
    all.extend([&mut policy.out.weights, &mut policy.pass.weights]);
    let value = &mut model.value;
    all.push(&mut value.conv.weights);
    all.extend(norm(&mut value.norm));
    for dense in [&mut value.dense, &mut value.value, &mut value.score] {
        all.extend([&mut dense.matmul.weights, &mut dense.bias]);
    }
    all.push(&mut value.ownership.weights);
    all
}

pub fn numbers(model: &Model) -> Vec<f32> {
    tensors(&mut model.clone()).into_iter().flat_map(|tensor| tensor.clone()).collect()
}

pub fn set_numbers(model: &mut Model, numbers: &[f32]) {
    let mut rest = numbers;
    for tensor in tensors(model) {
        let (mine, others) = rest.split_at(tensor.len());
        tensor.copy_from_slice(mine);
        rest = others;
    }
}

/// The net on the way from one to another of the same shape; none if their shapes differ. 0 is the net before, 1 the net after.
pub fn between(before: &Model, after: &Model, share: f32) -> Option<Model> {
    let (mut before, mut mixed) = (before.clone(), after.clone());
    let (from, to) = (tensors(&mut before), tensors(&mut mixed));
    let same = from.len() == to.len() && from.iter().zip(&to).all(|(from, to)| from.len() == to.len());
    if !same {
        return None;
    }
    for (from, to) in from.into_iter().zip(to) {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = half_as_long(*from + share * (*to - *from)));
    }
    Some(mixed)
}

/// Ten bits of a mantissa, as in half precision: more than the kernels keep, and a packed file becomes half as long.
pub fn half_as_long(number: f32) -> f32 {
    const DROPPED: u32 = 13;
    let bits = number.to_bits() + (1 << (DROPPED - 1));
    f32::from_bits(bits >> DROPPED << DROPPED)
}

/// A net of the same shape, all zeros: where gradients are added up.
pub fn zeros_like(model: &Model) -> Model {
    let mut zeros = model.clone();
    tensors(&mut zeros).into_iter().for_each(|tensor| tensor.fill(0.0));
    zeros
}

/// Adds all numbers of a gradient to the row, and leaves it empty.
pub fn drain_into(gradient: &mut Model, row: &mut [f32]) {
    let mut at = 0;
    for tensor in tensors(gradient) {
        for (to, from) in row[at..].iter_mut().zip(tensor.iter_mut()) {
            *to += std::mem::take(from);
        }
        at += tensor.len();
    }
}
