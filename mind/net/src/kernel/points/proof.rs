//! No instruction set is trusted before it has computed, on this very machine, what the portable loops compute.
//!
//! Some of these kernels are written for processors that none of us has at hand. A fault in one of them must cost speed, never a wrong
//! answer, so each is tried on small random layers when the first net is loaded.

use std::sync::OnceLock;

use jigo_board::Rng;

use super::{
    Activation, Attend, AttentionScratch, Conv, Frame, Kernel, LayerFinish, Matrix, Norm, Numbers, PointsConvScratch,
    Pooled, ResidualStream, Rotation, Rows, Stem, Third, attend, pool, rms_factors, rotate,
};
use crate::kernel::Isa;

/// What came of the proof.
pub struct Proof {
    /// The fastest kernel that agrees with the portable loops.
    pub kernel: Kernel,
    /// The fastest of those that compute in f32 throughout.
    pub exact: Kernel,
    /// Faster ones that this machine claims to have and that do not.
    pub refused: Vec<Kernel>,
}

impl Proof {
    /// Runs once per process.
    pub fn of_this_machine() -> &'static Proof {
        static PROOF: OnceLock<Proof> = OnceLock::new();
        PROOF.get_or_init(|| {
            let available = Kernel::FASTEST_FIRST.into_iter().filter(|kernel| kernel.is_available());
            Proof::new(available, sample)
        })
    }

    /// `run` gives the numbers of some layers.
    fn new(fastest_first: impl Iterator<Item = Kernel>, run: impl Fn(Kernel) -> Vec<Vec<f32>>) -> Proof {
        let (mut best, mut refused) = (None, Vec::new());
        for kernel in fastest_first {
            let portable = Kernel { isa: Isa::Portable, ..kernel };
            if best.is_some() && kernel.numbers != Numbers::Floats {
                continue;
            }
            if !agree(&run(kernel), &run(portable), tolerance(kernel)) {
                refused.push(kernel);
                continue;
            }
            best.get_or_insert(kernel);
            if kernel.numbers == Numbers::Floats {
                return Proof { kernel: best.unwrap_or(kernel), exact: kernel, refused };
            }
        }
        let portable = Isa::Portable.into();
        Proof { kernel: best.unwrap_or(portable), exact: portable, refused }
    }
}

/// The largest difference allowed, as a share of a layer's largest number. Sums of floats differ in their last bits; where numbers are
/// rounded on the way, such a difference may move one of them by a step. A fault moves them by their whole size.
fn tolerance(kernel: Kernel) -> f32 {
    match kernel.numbers {
        Numbers::Floats => 1e-5,
        Numbers::Shorts => 2e-3,
    }
}

fn agree(actual: &[Vec<f32>], expected: &[Vec<f32>], tolerance: f32) -> bool {
    let close = |(actual, expected): (&Vec<f32>, &Vec<f32>)| {
        let largest = expected.iter().fold(0.0f32, |largest, value| largest.max(value.abs()));
        let mut pairs = actual.iter().zip(expected);
        actual.len() == expected.len() && pairs.all(|(a, e)| (a - e).abs() <= tolerance * largest)
    };
    actual.len() == expected.len() && actual.iter().zip(expected).all(close)
}

/// Every layer there is, small, on random numbers: all heights of a block, whole panels and narrow ones.
fn sample(kernel: Kernel) -> Vec<Vec<f32>> {
    let isa = kernel.isa;
    let mut rng = Rng::new(17);
    let mut noise = |length: usize| -> Vec<f32> {
        (0..length).map(|_| (rng.next_u64() >> 40) as f32 / 16_777_216.0 - 0.5).collect()
    };
    let (inputs, outputs) = (32, 48);
    let mut results = Vec::new();

    let weights = noise(inputs * outputs);
    for width in 1..=12 {
        let (frame, values, mut to) = (Frame { width, height: 1 }, noise(width * inputs), vec![0.0; width * outputs]);
        let rows = Rows { values: &values, stride: inputs };
        Matrix::new(kernel, inputs, outputs, &weights).run(frame, 1, rows, LayerFinish::store(&mut to));
        results.push(to);
    }

    let frame = Frame { width: 7, height: 5 };
    let points = frame.points();
    let (values, factors, mut to) = (noise(points * inputs), noise(points), vec![0.0; points * outputs]);
    let gated = Matrix::gated(kernel, inputs, outputs, &weights, &noise(inputs * outputs));
    let finish = LayerFinish { row_factors: Some(&factors), ..LayerFinish::store(&mut to) };
    gated.run(frame, 1, Rows { values: &values, stride: inputs }, finish);
    results.push(to);

    for activation in [Activation::Relu, Activation::Mish, Activation::Silu] {
        let conv = Conv::new(kernel, 3, 3, inputs, outputs, &noise(9 * inputs * outputs));
        let (mut stream, mut next, shift) = (noise(points * outputs), vec![0.0; points * outputs], noise(outputs));
        let norm = Norm::new(&noise(outputs), &noise(outputs), activation);
        let finish = LayerFinish {
            row_factors: None,
            image_shift: Some(&shift),
            stream: ResidualStream::Add(&mut stream),
            activated: Some((&norm, &mut next)),
        };
        conv.run(frame, 1, &values, finish, &mut PointsConvScratch::default());
        let mut pooled = vec![0.0; 3 * outputs];
        let (input, third) = (&stream[..], Third::Largest);
        pool(isa, Pooled { frame, images: 1, norm: &norm, input, stride: outputs, third, to: &mut pooled });
        results.extend([stream, next, pooled]);
    }

    let mut to = vec![0.0; points * outputs];
    Stem::new(isa, 3, 3, 4, outputs, &noise(36 * outputs)).run(
        frame,
        1,
        &noise(points * 4),
        LayerFinish::store(&mut to),
    );
    let mut factors = vec![0.0; points];
    rms_factors(isa, &to, outputs, outputs, 1e-6, 1, &mut factors);
    results.extend([to, factors]);

    let (heads, key_heads, key_channels, value_channels) = (2, 1, 32, 16);
    let stride = heads * key_channels + key_heads * (key_channels + value_channels);
    let mut projected = noise(points * stride);
    let (side, turns) = (7, noise(7 * 7 * key_heads * key_channels));
    let (rows, channels) = (&mut projected[..], key_channels);
    rotate(isa, Rotation { frame, rows, stride, heads, key_heads, channels, turns: &turns, side });
    let (mut to, scratch) = (vec![0.0; points * heads * value_channels], &mut AttentionScratch::default());
    let images = 1;
    attend(
        kernel,
        Attend {
            frame,
            images,
            heads,
            key_heads,
            key_channels,
            value_channels,
            projected: &projected,
            to: &mut to,
            scratch,
        },
    );
    results.extend([projected, to]);
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAST: Kernel = Kernel::shorts(Isa::Vnni512);
    const SOUND: Kernel = Kernel::shorts(Isa::Avx2);

    /// What `FAST` would say if it did one thing wrong; all others compute as the portable loops do.
    fn proof_if_fast(did: impl Fn(&mut Vec<Vec<f32>>)) -> Proof {
        Proof::new([FAST, SOUND, Isa::Avx2.into()].into_iter(), |kernel| {
            let mut results = sample(Kernel { isa: Isa::Portable, ..kernel });
            if kernel == FAST {
                did(&mut results);
            }
            results
        })
    }

    #[test]
    fn a_kernel_that_computes_right_is_used() {
        let proof = proof_if_fast(|_| {});
        assert_eq!((proof.kernel, proof.exact, proof.refused), (FAST, Isa::Avx2.into(), vec![]));
    }

    #[test]
    fn a_kernel_that_computes_wrong_anywhere_gives_way_to_the_next_one() {
        let layers = sample(Isa::Portable.into()).len();
        for layer in 0..layers {
            let wrongs: [fn(&mut Vec<f32>); 4] = [
                |values| values.reverse(),
                |values| values[0] = f32::NAN,
                |values| values[0] += 1.0,
                |values| values.truncate(values.len() - 1),
            ];
            for wrong in wrongs {
                let proof = proof_if_fast(|results| wrong(&mut results[layer]));
                assert_eq!((proof.kernel, proof.refused), (SOUND, vec![FAST]), "layer {layer}");
            }
        }
    }

    #[test]
    fn without_a_sound_kernel_the_portable_loops_remain() {
        let wrong = |kernel: Kernel| vec![vec![if kernel.isa == Isa::Portable { 1.0 } else { -1.0 }]];
        let proof = Proof::new([FAST, SOUND].into_iter(), wrong);
        assert_eq!((proof.kernel, proof.refused), (Isa::Portable.into(), vec![FAST, SOUND]));
    }

    #[test]
    fn every_kernel_of_this_machine_passes() {
        for kernel in Kernel::FASTEST_FIRST.into_iter().filter(|kernel| kernel.is_available()) {
            let proof = Proof::new([kernel].into_iter(), sample);
            assert!(proof.refused.is_empty(), "{kernel}");
        }
    }
}
