//! The first convolution: its input planes are mostly zeros, so it adds up the filters of what is there.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::finish::BatchPoint;
use super::{Frame, LayerFinish, padded};
use crate::kernel::{Aligned, Isa, Lanes};
use crate::per_isa;

/// Filters of the first layer, outputs padded to sixteens.
pub struct Stem {
    isa: Isa,
    height: usize,
    width: usize,
    planes: usize,
    outputs: usize,
    /// `[height][width][plane][output]`
    taps: Aligned<f32>,
}

struct Job<'a> {
    stem: &'a Stem,
    frame: Frame,
    images: usize,
    planes: &'a [f32],
    finish: LayerFinish<'a>,
    sums: &'a mut [f32],
}

impl Stem {
    pub fn new(isa: Isa, height: usize, width: usize, planes: usize, outputs: usize, weights: &[f32]) -> Stem {
        assert_eq!(weights.len(), height * width * planes * outputs);
        let wide = padded(outputs);
        let mut taps = Aligned::zeroed(height * width * planes * wide);
        for (to, from) in taps.chunks_exact_mut(wide).zip(weights.chunks_exact(outputs)) {
            to[..outputs].copy_from_slice(from);
        }
        Stem { isa, height, width, planes, outputs: wide, taps }
    }

    /// Channels that come out, padding included.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `planes` is `[image][point][plane]`.
    pub fn run(&self, frame: Frame, images: usize, planes: &[f32], finish: LayerFinish<'_>) {
        assert!(planes.len() >= images * frame.points() * self.planes);
        finish.check(frame, images, self.outputs);
        let sums = &mut Aligned::zeroed(self.outputs)[..];
        // SAFETY: the lengths were just checked.
        unsafe { stem_on(self.isa, Job { stem: self, frame, images, planes, finish, sums }) }
    }
}

per_isa!(fn stem_on / stem_with(Job<'_>));

#[inline(always)]
unsafe fn stem_with<L: Lanes>(mut job: Job<'_>) {
    let Stem { height, width, planes, outputs, ref taps, .. } = *job.stem;
    let frame = job.frame;
    for image in 0..job.images {
        for point in 0..frame.points() {
            job.sums.fill(0.0);
            for tap in 0..height * width {
                let row = (point / frame.width + tap / width).wrapping_sub(height / 2);
                let column = (point % frame.width + tap % width).wrapping_sub(width / 2);
                if row >= frame.height || column >= frame.width {
                    continue;
                }
                let from = (image * frame.points() + row * frame.width + column) * planes;
                for (plane, &value) in job.planes[from..from + planes].iter().enumerate() {
                    if value != 0.0 {
                        let filter = &taps[(tap * planes + plane) * outputs..][..outputs];
                        // SAFETY: filter and sums have `outputs` numbers, whole registers.
                        unsafe { add_scaled::<L>(value, filter, job.sums) }
                    }
                }
            }
            // SAFETY: `run` checked the finish.
            unsafe {
                let place = BatchPoint { row: image * frame.points() + point, image };
                job.finish.run::<L>(place, outputs, 0, job.sums.as_ptr(), outputs);
            }
        }
    }
}

#[inline(always)]
unsafe fn add_scaled<L: Lanes>(factor: f32, from: &[f32], to: &mut [f32]) {
    let mut at = 0;
    while at < to.len() {
        // SAFETY: the caller vouches for equal lengths of whole registers.
        unsafe {
            let to = to.as_mut_ptr().add(at);
            L::load(from.as_ptr().add(at)).mul_add(L::splat(factor), L::load(to)).store(to);
        }
        at += L::WIDTH;
    }
}
