//! Net files: what is read, and how what cannot be read is refused.

use std::io::Read;
use std::path::{Path, PathBuf};

use jigo_board::Rng;
use jigo_katago::model::Block;
use jigo_katago::{Model, ReadError};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&file(name)[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

fn nets() -> Vec<String> {
    let names = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut nets: Vec<String> = names.filter(|name| name.ends_with("n.gz") || name.ends_with("t.gz")).collect();
    nets.sort();
    nets
}

fn kinds(blocks: &[Block]) -> String {
    let kind = |block: &Block| match block {
        Block::Ordinary(_) => "o".to_string(),
        Block::Pooling(_) => "g".to_string(),
        Block::Nested(nested) => format!("[{}]", kinds(&nested.blocks)),
        Block::Attention(_) => "a".to_string(),
        Block::FeedForward(_) => "f".to_string(),
    };
    blocks.iter().map(kind).collect()
}

#[test]
fn every_version_and_every_kind_of_block_is_read() {
    let shapes: Vec<String> = nets()
        .iter()
        .map(|name| {
            let model = Model::read(&file(name)).unwrap();
            let trunk = &model.trunk;
            format!("{name}: v{} {} channels {}", model.version, trunk.channels(), kinds(&trunk.blocks))
        })
        .collect();
    assert_eq!(shapes, SHAPES);
}

/// Ordinary, global pooling, attention and feed-forward blocks; brackets are nested blocks.
const SHAPES: [&str; 14] = [
    "tiny-v10-relu.bin.gz: v10 20 channels goo",
    "tiny-v11-mish.bin.gz: v11 16 channels oog",
    "tiny-v12-silu.bin.gz: v12 18 channels go",
    "tiny-v13-mixed.bin.gz: v13 16 channels ogo",
    "tiny-v14-nbt-mish.bin.gz: v14 24 channels [og][oo]",
    "tiny-v15-meta.bin.gz: v15 20 channels [og][oo]",
    "tiny-v15-nbt-mish.bin.gz: v15 24 channels [og][oo][[o]g]",
    "tiny-v15-tf-learned.bin.gz: v15 24 channels [afaf][af]",
    "tiny-v16-q.bin.gz: v16 20 channels [og][oo]",
    "tiny-v17-tf-fixed.bin.gz: v17 16 channels afoafga",
    "tiny-v17-tf-q.bin.gz: v17 16 channels af[aof]",
    "tiny-v8-relu.bin.gz: v8 16 channels ogo",
    "tiny-v8-relu.txt.gz: v8 16 channels ogo",
    "tiny-v9-relu.bin.gz: v9 14 channels og",
];

#[test]
fn packed_unpacked_and_written_nets_are_the_same_net() {
    let packed = Model::read(&file("tiny-v8-relu.bin.gz")).unwrap();
    for bytes in [unpacked("tiny-v8-relu.bin.gz"), file("tiny-v8-relu.txt.gz"), unpacked("tiny-v8-relu.txt.gz")] {
        let other = Model::read(&bytes).unwrap();
        assert_eq!(packed.trunk.stem.weights, other.trunk.stem.weights);
        assert_eq!(packed.value.ownership.weights, other.value.ownership.weights);
    }
}

fn refusal(bytes: &[u8]) -> String {
    match Model::read(bytes) {
        Ok(_) => panic!("a damaged file was read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_not_a_net_is_refused_in_a_sentence() {
    for foreign in [&b"PK\x03\x04 a zip file"[..], b"(;GM[1]SZ[9])", b"<html>no such page</html>", b"name version"] {
        assert!(matches!(Model::read(foreign), Err(ReadError::Foreign)), "{:?}", String::from_utf8_lossy(foreign));
    }
    assert_eq!(refusal(b""), "the net file is damaged: it ends within its header");
    assert_eq!(refusal(b"net 18 22 19"), "the net is of model version 18; 8 to 17 can be read");
    assert_eq!(refusal(b"net 3 22 19"), "the net is of model version 3; 8 to 17 can be read");
    let huge = b"net 8 22 19 trunk 1 8000 1 1 1 1 stem 19 19 22 8000 1 1 ";
    assert_eq!(
        refusal(huge),
        "the net file is damaged, or no net: layer stem would need more than the 896 numbers it can still hold"
    );
}

#[test]
fn a_cut_file_is_refused_wherever_it_was_cut() {
    for name in ["tiny-v9-relu.bin.gz", "tiny-v17-tf-q.bin.gz"] {
        for bytes in [file(name), unpacked(name)] {
            // The very last byte of an unpacked file is white space, which nobody misses.
            for length in (0..bytes.len() - 1).step_by(bytes.len() / 300) {
                refusal(&bytes[..length]);
            }
        }
    }
}

#[test]
fn something_after_the_net_is_refused() {
    let mut bytes = unpacked("tiny-v9-relu.bin.gz");
    bytes.extend(b"more");
    assert!(refusal(&bytes).ends_with("in its end, something follows the last layer"));
}

/// Bytes changed, cut out, doubled and swapped, packed or not: an answer for each, and no panic. `JIGO_DAMAGED_NETS` asks for more files.
#[test]
fn damaged_files_are_read_or_refused() {
    let mut rng = Rng::new(17);
    let sources: Vec<Vec<u8>> = nets().iter().flat_map(|name| [file(name), unpacked(name)]).collect();
    let files = std::env::var("JIGO_DAMAGED_NETS").map_or(2000, |number| number.parse().unwrap());
    let mut refused = 0;
    for _ in 0..files {
        let mut bytes = sources[rng.below(sources.len())].clone();
        for _ in 0..=rng.below(4) {
            damage(&mut bytes, &mut rng);
        }
        if let Err(error) = Model::read(&bytes) {
            refused += 1;
            let sentence = error.to_string();
            assert!(sentence.len() < 300 && !sentence.contains('\n'), "{sentence}");
        }
    }
    println!("{files} damaged files, {refused} refused");
    assert!(refused > files / 2);
}

fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    // Half of the damage strikes the beginning, where the words stand close together.
    let reach = if rng.below(2) == 0 { bytes.len().min(2000) } else { bytes.len() };
    let at = rng.below(reach.max(1));
    match rng.below(5) {
        0 => bytes[at] = rng.below(256) as u8,
        1 => bytes[at] ^= 1 << rng.below(8),
        2 => bytes[at] = b"0123456789-@\n e."[rng.below(16)],
        3 => {
            let end = bytes.len().min(at + 1 + rng.below(40));
            bytes.drain(at..end);
        }
        _ => {
            let end = bytes.len().min(at + 1 + rng.below(40));
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
    }
    if bytes.is_empty() {
        bytes.push(b' ');
    }
}
