//! Writing a net file of KataGo's, so that a net that has learnt more can be used wherever the one it comes from can.
//!
//! Only what older nets are made of can be written (model versions 8 to 10): ordinary and pooling blocks behind batch norms.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::model::{Block, Conv, Dense, GLOBALS, Matmul, Model, NormAct, PLANES, Tip};

/// A net with layers that this program reads but does not write.
#[derive(Debug, thiserror::Error)]
#[error(
    "{name} is of model version {version} or has other blocks than ordinary and pooling ones; such nets can be run, but not written"
)]
pub struct CannotWrite {
    name: String,
    version: u32,
}

impl Model {
    /// The whole file, packed: `.bin.gz`.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CannotWrite> {
        let cannot = || CannotWrite { name: self.name.clone(), version: self.version };
        let mut file = File(Vec::new());
        self.write_layers(&mut file).ok_or_else(cannot)?;
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&file.0).and_then(|()| packed.finish()).map_err(|_| cannot())
    }

    fn write_layers(&self, file: &mut File) -> Option<()> {
        let Tip::Batch(tip) = &self.trunk.tip else { return None };
        if self.version > 10 || self.trunk.metadata.is_some() || self.policy.pass_out.is_some() {
            return None;
        }
        file.line(&self.name);
        file.line(&format!("{}\n{PLANES}\n{GLOBALS}", self.version));
        let (channels, blocks) = (self.trunk.channels(), &self.trunk.blocks);
        file.line(&format!("trunk\n{}\n{channels}\n{}", blocks.len(), inner_channels(blocks)?));
        file.conv("conv1", &self.trunk.stem);
        file.matmul("ginputw", &self.trunk.globals);
        for (number, block) in blocks.iter().enumerate() {
            file.block(&format!("rconv{}", number + 1), block)?;
        }
        file.norm("trunk/norm", tip);
        file.line("policyhead");
        file.conv("p1/intermediate_conv", &self.policy.conv);
        file.conv("g1", &self.policy.pool_conv);
        file.norm("g1/norm", &self.policy.pool_norm);
        file.matmul("matmulg2w", &self.policy.spread);
        file.norm("p1/norm", &self.policy.norm);
        file.conv("p2", &self.policy.out);
        file.matmul("matmulpass", &self.policy.pass);
        file.line("valuehead");
        file.conv("v1", &self.value.conv);
        file.norm("v1/norm", &self.value.norm);
        file.dense("v2", &self.value.dense);
        file.line("v2/relu");
        file.dense("v3", &self.value.value);
        file.dense("sv3", &self.value.score);
        file.conv("vownership", &self.value.ownership);
        Some(())
    }
}

/// The four numbers of a trunk that its layers repeat: channels inside ordinary blocks, and of pooling ones the regular part, what an
/// abandoned kind of block had (as many as the regular part in KataGo's own files), and the pooled part.
fn inner_channels(blocks: &[Block]) -> Option<String> {
    let ordinary = blocks.iter().find_map(|block| match block {
        Block::Ordinary(block) => Some(block.first.outputs),
        _ => None,
    });
    let pooling = blocks.iter().find_map(|block| match block {
        Block::Pooling(block) => Some((block.regular.outputs, block.pool.outputs)),
        _ => None,
    });
    let middle = ordinary.or(pooling.map(|(regular, _)| regular))?;
    let (regular, pooled) = pooling.unwrap_or((middle, middle));
    Some(format!("{middle}\n{regular}\n{regular}\n{pooled}"))
}

/// A file as it grows.
struct File(Vec<u8>);

impl File {
    fn line(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b'\n');
    }

    fn floats(&mut self, floats: &[f32]) {
        self.0.extend_from_slice(b"@BIN@");
        self.0.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        self.0.push(b'\n');
    }

    fn conv(&mut self, name: &str, conv: &Conv) {
        let Conv { height, width, inputs, outputs, weights } = conv;
        self.line(&format!("{name}\n{height}\n{width}\n{inputs}\n{outputs}\n1\n1"));
        self.floats(weights);
    }

    fn matmul(&mut self, name: &str, matmul: &Matmul) {
        self.line(&format!("{name}\n{}\n{}", matmul.inputs, matmul.outputs));
        self.floats(&matmul.weights);
    }

    fn dense(&mut self, name: &str, dense: &Dense) {
        self.matmul(&format!("{name}/w"), &dense.matmul);
        self.line(&format!("{name}/b\n{}", dense.bias.len()));
        self.floats(&dense.bias);
    }

    /// What is left of a batch norm, as one of mean 0 and variance 1; then its rectifier.
    fn norm(&mut self, name: &str, norm: &NormAct) {
        let channels = norm.channels();
        self.line(&format!("{name}\n{channels}\n0\n1\n1"));
        self.floats(&vec![0.0; channels]);
        self.floats(&vec![1.0; channels]);
        self.floats(&norm.scale);
        self.floats(&norm.bias);
        self.line(&format!("{name}/relu"));
    }

    fn block(&mut self, name: &str, block: &Block) -> Option<()> {
        match block {
            Block::Ordinary(block) => {
                self.line(&format!("ordinary_block\n{name}"));
                self.norm(&format!("{name}/norm1"), &block.norm1);
                self.conv(&format!("{name}/w1"), &block.first);
                self.norm(&format!("{name}/norm2"), &block.norm2);
                self.conv(&format!("{name}/w2"), &block.second);
            }
            Block::Pooling(block) => {
                self.line(&format!("gpool_block\n{name}"));
                self.norm(&format!("{name}/norm1"), &block.norm1);
                self.conv(&format!("{name}/w1a"), &block.regular);
                self.conv(&format!("{name}/w1b"), &block.pool);
                self.norm(&format!("{name}/norm1b"), &block.pool_norm);
                self.matmul(&format!("{name}/w1r"), &block.spread);
                self.norm(&format!("{name}/norm2"), &block.norm2);
                self.conv(&format!("{name}/w2"), &block.last);
            }
            Block::Nested(_) | Block::Attention(_) | Block::FeedForward(_) => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensors::Inputs;

    #[test]
    fn a_written_net_says_what_it_said() {
        let model = Model::read(include_bytes!("../tests/data/tiny-v8-relu.bin.gz")).unwrap();
        let back = Model::read(&model.to_bytes().unwrap()).unwrap();
        let mut inputs = Inputs::empty(9, 9);
        (0..9).for_each(|x| (0..9).for_each(|y| inputs.set(0, x, y)));
        inputs.set(1, 2, 3);
        inputs.set(2, 6, 6);
        assert_eq!((back.name.as_str(), back.version), (model.name.as_str(), 8));
        assert_eq!(crate::plain::run(&back, &inputs), crate::plain::run(&model, &inputs));
    }

    #[test]
    fn nets_of_other_blocks_are_refused() {
        let model = Model::read(include_bytes!("../tests/data/tiny-v15-nbt-mish.bin.gz")).unwrap();
        assert!(model.to_bytes().unwrap_err().to_string().contains("version 15"));
    }
}
