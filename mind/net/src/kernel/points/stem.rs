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
    inputs: &'a Present,
    finish: LayerFinish<'a>,
    sums: &'a mut [f32],
}

/// The inputs that are not zero, point after point.
struct Present {
    /// The plane and what it says.
    inputs: Vec<(usize, f32)>,
    /// Where those of a point begin; one more, where the last end.
    starts: Vec<usize>,
}

impl Present {
    /// `planes` is `[point][plane]`.
    fn new(planes: &[f32], count: usize) -> Present {
        let mut present = Present { inputs: Vec::new(), starts: vec![0] };
        for values in planes.chunks_exact(count) {
            let there = values.iter().copied().enumerate().filter(|&(_, value)| value != 0.0);
            present.inputs.extend(there);
            present.starts.push(present.inputs.len());
        }
        present
    }

    fn of_point(&self, point: usize) -> &[(usize, f32)] {
        &self.inputs[self.starts[point]..self.starts[point + 1]]
    }
}

/// Registers whose sums stay where they are until all filters of a point are added.
const TOGETHER: usize = 6;

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
        let inputs = &Present::new(&planes[..images * frame.points() * self.planes], self.planes);
        let sums = &mut Aligned::zeroed(self.outputs)[..];
        // SAFETY: the lengths were just checked.
        unsafe { stem_on(self.isa, Job { stem: self, frame, images, inputs, finish, sums }) }
    }
}

per_isa!(fn stem_on / stem_with(Job<'_>));

#[inline(always)]
unsafe fn stem_with<L: Lanes>(mut job: Job<'_>) {
    let (outputs, frame) = (job.stem.outputs, job.frame);
    let mut filters = Vec::new();
    for image in 0..job.images {
        for point in 0..frame.points() {
            filters_seen(&job, image, point, &mut filters);
            let mut first = 0;
            // SAFETY: every filter and the sums have `outputs` numbers, whole registers, and `run` checked the finish.
            unsafe {
                while first + TOGETHER * L::WIDTH <= outputs {
                    add_filters::<L, TOGETHER>(&filters, first, job.sums);
                    first += TOGETHER * L::WIDTH;
                }
                while first < outputs {
                    add_filters::<L, 1>(&filters, first, job.sums);
                    first += L::WIDTH;
                }
                let place = BatchPoint { row: image * frame.points() + point, image };
                job.finish.run::<L>(place, outputs, 0, job.sums.as_ptr(), outputs);
            }
        }
    }
}

/// The filters of all inputs around a point that are not zero, and by how much each counts.
fn filters_seen<'a>(job: &Job<'a>, image: usize, point: usize, seen: &mut Vec<(&'a [f32], f32)>) {
    let Stem { height, width, planes, outputs, ref taps, .. } = *job.stem;
    let frame = job.frame;
    seen.clear();
    for down in 0..height {
        let row = (point / frame.width + down).wrapping_sub(height / 2);
        if row >= frame.height {
            continue;
        }
        for along in 0..width {
            let column = (point % frame.width + along).wrapping_sub(width / 2);
            if column >= frame.width {
                continue;
            }
            let filters = &taps[(down * width + along) * planes * outputs..][..planes * outputs];
            let inputs = job.inputs.of_point((image * frame.height + row) * frame.width + column);
            seen.extend(inputs.iter().map(|&(plane, value)| (&filters[plane * outputs..][..outputs], value)));
        }
    }
}

/// Sums of `N` registers from channel `first` on.
///
/// # Safety
/// All filters and `sums` must be as long, and the instruction set of `L` must exist here.
#[inline(always)]
unsafe fn add_filters<L: Lanes, const N: usize>(filters: &[(&[f32], f32)], first: usize, sums: &mut [f32]) {
    // SAFETY: as the caller promises.
    unsafe {
        let mut totals = [L::splat(0.0); N];
        for &(filter, value) in filters {
            let (filter, value) = (filter.as_ptr().add(first), L::splat(value));
            for (at, total) in totals.iter_mut().enumerate() {
                *total = L::load(filter.add(at * L::WIDTH)).mul_add(value, *total);
            }
        }
        for (at, total) in totals.into_iter().enumerate() {
            total.store(sums.as_mut_ptr().add(first + at * L::WIDTH));
        }
    }
}
