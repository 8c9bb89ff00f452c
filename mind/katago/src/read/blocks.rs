//! The blocks of a trunk.

use super::{MOST_BLOCKS, MOST_CHANNELS, ReadError, Reader};
use crate::model::{Attention, Block, FeedForward, Nested, Ordinary, Pooling, Rope};

/// How deep blocks may stand within blocks.
const DEEPEST: usize = 8;
const MOST_HEADS: usize = 256;

impl Reader<'_, '_> {
    /// A stack of blocks, each of which reads and writes `channels`.
    pub(super) fn blocks(&mut self, count: usize, channels: usize, depth: usize) -> Result<Vec<Block>, ReadError> {
        (0..count).map(|_| self.block(channels, depth)).collect()
    }

    fn block(&mut self, channels: usize, depth: usize) -> Result<Block, ReadError> {
        let kind = self.stream.word()?;
        if !kind.ends_with("_block") {
            return Err(self.stream.fault("no block follows where one must"));
        }
        self.stream.name()?;
        match kind.as_str() {
            "ordinary_block" => self.ordinary(channels).map(Block::Ordinary),
            "gpool_block" => self.pooling(channels).map(Block::Pooling),
            "nested_bottleneck_block" if depth < DEEPEST => self.nested(channels, depth).map(Block::Nested),
            "nested_bottleneck_block" => Err(self.stream.fault("blocks stand too deep within blocks")),
            "transformer_attention_block" => self.attention(channels).map(Block::Attention),
            "transformer_ffn_block" => self.feed_forward(channels).map(Block::FeedForward),
            _ => Err(self.stream.fault("the block is of an unknown kind")),
        }
    }

    fn ordinary(&mut self, channels: usize) -> Result<Ordinary, ReadError> {
        let norm1 = self.norm_act(channels)?;
        let first = self.conv(channels, None)?;
        let norm2 = self.norm_act(first.outputs)?;
        let second = self.conv(first.outputs, Some(channels))?;
        Ok(Ordinary { norm1, first, norm2, second })
    }

    fn pooling(&mut self, channels: usize) -> Result<Pooling, ReadError> {
        let norm1 = self.norm_act(channels)?;
        let regular = self.conv(channels, None)?;
        let pool = self.conv(channels, None)?;
        let pool_norm = self.norm_act(pool.outputs)?;
        let spread = self.matmul(3 * pool.outputs, Some(regular.outputs))?;
        let norm2 = self.norm_act(regular.outputs)?;
        let last = self.conv(regular.outputs, Some(channels))?;
        Ok(Pooling { norm1, regular, pool, pool_norm, spread, norm2, last })
    }

    fn nested(&mut self, channels: usize, depth: usize) -> Result<Nested, ReadError> {
        let count = self.stream.size("the number of inner blocks", MOST_BLOCKS)?;
        let norm1 = self.norm_act(channels)?;
        let enter = self.conv(channels, None)?;
        let blocks = self.blocks(count, enter.outputs, depth + 1)?;
        let norm2 = self.norm_act(enter.outputs)?;
        let leave = self.conv(enter.outputs, Some(channels))?;
        Ok(Nested { norm1, enter, blocks, norm2, leave })
    }

    fn attention(&mut self, channels: usize) -> Result<Attention, ReadError> {
        let heads = self.stream.size("the number of heads", MOST_HEADS)?;
        let key_heads = self.stream.size("the number of key heads", MOST_HEADS)?;
        let key_channels = self.stream.size("the number of key channels", MOST_CHANNELS)?;
        let value_channels = self.stream.size("the number of value channels", MOST_CHANNELS)?;
        let use_rope = self.stream.flag("whether there is a rope")?;
        let learned = self.stream.flag("whether the rope is learned")?;
        if heads % key_heads != 0 {
            return Err(self.stream.fault(format!("{heads} heads cannot share {key_heads} key heads")));
        }
        if use_rope && key_channels % 2 == 1 {
            return Err(self.stream.fault(format!("a rope cannot turn {key_channels} channels, an odd number")));
        }
        let norm = self.rms_norm(channels)?;
        let query = self.matmul(channels, Some(heads * key_channels))?;
        let key = self.matmul(channels, Some(key_heads * key_channels))?;
        let value = self.matmul(channels, Some(key_heads * value_channels))?;
        let out = self.matmul(heads * value_channels, Some(channels))?;
        let rope = if use_rope { Some(self.rope(learned, key_heads, key_channels / 2)?) } else { None };
        Ok(Attention { norm, heads, key_heads, key_channels, value_channels, query, key, value, out, rope })
    }

    fn rope(&mut self, learned: bool, key_heads: usize, pairs: usize) -> Result<Rope, ReadError> {
        self.stream.name()?;
        if !learned {
            let theta = self.stream.float("theta")?;
            if theta <= 0.0 {
                return Err(self.stream.fault(format!("theta is {theta}, not above 0")));
            }
            return Ok(Rope::Fixed { theta });
        }
        let sizes = [key_heads, pairs, 2];
        for expected in sizes {
            let size = self.stream.size("a size of the rope", MOST_CHANNELS)?;
            if size != expected {
                return Err(self.stream.fault(format!("a size of the rope is {size}, not {expected}")));
            }
        }
        self.stream.floats(&sizes).map(Rope::Learned)
    }

    fn feed_forward(&mut self, channels: usize) -> Result<FeedForward, ReadError> {
        let found = self.stream.size("the number of channels", MOST_CHANNELS)?;
        if found != channels {
            return Err(self.stream.fault(format!("the number of channels is {found}, not {channels}")));
        }
        let inner = self.stream.size("the number of inner channels", MOST_CHANNELS)?;
        if !self.stream.flag("whether it is a SwiGLU")? {
            return Err(self.stream.fault("a feed-forward block without a gate is not known"));
        }
        let norm = self.rms_norm(channels)?;
        let first = self.matmul(channels, Some(inner))?;
        let gate = self.matmul(channels, Some(inner))?;
        let second = self.matmul(inner, Some(channels))?;
        Ok(FeedForward { norm, first, gate, second })
    }
}
