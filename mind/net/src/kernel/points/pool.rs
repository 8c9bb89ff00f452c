//! Global pooling over normed and activated channels, which need not be written anywhere first.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::finish::Norm;
use super::{Frame, SIXTEEN};
use crate::kernel::{Isa, Lanes};
use crate::per_isa;

/// Boards are compared with one of this side when a mean is scaled by size.
const USUAL_SIDE: f32 = 14.0;

/// What stands third behind the mean and the mean scaled by the board's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Third {
    /// The largest value on the board, from -1 up: below that no activation but the identity falls, and KataGo begins there.
    Largest,
    /// The mean, scaled once more.
    ScaledTwice,
}

/// Three numbers per channel and image: all first ones, then all second ones, then all third ones.
pub struct Pooled<'a> {
    pub frame: Frame,
    pub images: usize,
    pub norm: &'a Norm,
    /// One row per point, `stride` numbers apart; the channels of `norm` are pooled.
    pub input: &'a [f32],
    pub stride: usize,
    pub third: Third,
    pub to: &'a mut [f32],
}

pub fn pool(isa: Isa, job: Pooled<'_>) {
    let (rows, channels) = (job.images * job.frame.points(), job.norm.channels());
    assert!(channels.is_multiple_of(SIXTEEN) && job.stride >= channels);
    assert!(job.input.len() >= (rows - 1) * job.stride + channels);
    assert!(job.to.len() >= job.images * 3 * channels);
    // SAFETY: the lengths were just checked.
    unsafe { pool_on(isa, job) }
}

per_isa!(fn pool_on / pool_with(Pooled<'_>));

#[inline(always)]
unsafe fn pool_with<L: Lanes>(job: Pooled<'_>) {
    let (points, channels) = (job.frame.points(), job.norm.channels());
    let area = points as f32;
    let size = area.sqrt() - USUAL_SIDE;
    for image in 0..job.images {
        let mut channel = 0;
        while channel < channels {
            // SAFETY: `pool` checked that rows and results are there.
            unsafe {
                let input = job.input.as_ptr().add(image * points * job.stride + channel);
                let to = job.to.as_mut_ptr().add(image * 3 * channels + channel);
                let (mut sum, mut largest) = (L::splat(0.0), L::splat(-1.0));
                for point in 0..points {
                    let value = job.norm.apply(L::load(input.add(point * job.stride)), channel);
                    sum = sum.add(value);
                    largest = largest.max(value);
                }
                let mean = sum.div(L::splat(area));
                mean.store(to);
                mean.mul(L::splat(size * 0.1)).store(to.add(channels));
                let third = match job.third {
                    Third::Largest => largest,
                    Third::ScaledTwice => mean.mul(L::splat(size * size * 0.01 - 0.1)),
                };
                third.store(to.add(2 * channels));
            }
            channel += L::WIDTH;
        }
    }
}
