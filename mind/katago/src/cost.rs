//! How much work a net is.

use crate::model::{Attention, Block, Conv, FeedForward, Matmul, Model};

impl Model {
    /// Multiply-adds of one evaluation of a board of so many points, counted as a direct implementation does them, edges included.
    pub fn multiply_adds(&self, points: u64) -> u64 {
        let (trunk, policy, value) = (&self.trunk, &self.policy, &self.value);
        let convs = [&trunk.stem, &policy.conv, &policy.pool_conv, &policy.out, &value.conv, &value.ownership];
        let boards = [&trunk.globals, &policy.spread, &policy.pass, &value.dense.matmul, &value.value.matmul];
        let heads: u64 = convs.iter().map(|conv| points * weights_of(conv)).sum();
        let per_board: u64 = boards.iter().map(|matmul| size(matmul)).sum::<u64>() + size(&value.score.matmul);
        heads + per_board + trunk.blocks.iter().map(|block| of_block(block, points)).sum::<u64>()
    }
}

fn weights_of(conv: &Conv) -> u64 {
    conv.weights.len() as u64
}

fn size(matmul: &Matmul) -> u64 {
    matmul.weights.len() as u64
}

fn of_block(block: &Block, points: u64) -> u64 {
    match block {
        Block::Ordinary(block) => points * (weights_of(&block.first) + weights_of(&block.second)),
        Block::Pooling(block) => {
            let convs = [&block.regular, &block.pool, &block.last];
            points * convs.iter().map(|conv| weights_of(conv)).sum::<u64>() + size(&block.spread)
        }
        Block::Nested(block) => {
            let inner: u64 = block.blocks.iter().map(|block| of_block(block, points)).sum();
            points * (weights_of(&block.enter) + weights_of(&block.leave)) + inner
        }
        Block::Attention(block) => of_attention(block, points),
        Block::FeedForward(FeedForward { first, gate, second, .. }) => {
            points * (size(first) + size(gate) + size(second))
        }
    }
}

fn of_attention(block: &Attention, points: u64) -> u64 {
    let projections = [&block.query, &block.key, &block.value, &block.out];
    let pairs = points * points * (block.heads * (block.key_channels + block.value_channels)) as u64;
    points * projections.iter().map(|matmul| size(matmul)).sum::<u64>() + pairs
}
