//! What happens to sums on their way to memory: the residual, the norm and the activation of the next layer.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::{Activation, Frame, SIXTEEN};
use crate::kernel::{Aligned, Isa, Lanes};
use crate::per_isa;

/// `activation(x * scale + shift)` per channel.
pub struct Norm {
    scale: Aligned<f32>,
    shift: Aligned<f32>,
    activation: Activation,
}

impl Norm {
    /// Channels are padded to sixteens; a padded channel of zeros stays zero.
    pub fn new(scale: &[f32], shift: &[f32], activation: Activation) -> Norm {
        assert_eq!(scale.len(), shift.len());
        let padded = |values: &[f32]| {
            let mut padded = Aligned::zeroed(super::padded(values.len()));
            padded[..values.len()].copy_from_slice(values);
            padded
        };
        Norm { scale: padded(scale), shift: padded(shift), activation }
    }

    /// Channels, padding included.
    pub fn channels(&self) -> usize {
        self.scale.len()
    }

    /// # Safety
    /// `channel` must leave room for a register, and the instruction set of `L` must exist here.
    #[inline(always)]
    pub(super) unsafe fn apply<L: Lanes>(&self, x: L, channel: usize) -> L {
        debug_assert!(channel + L::WIDTH <= self.scale.len());
        // SAFETY: as the caller promises.
        unsafe {
            let scale = L::load(self.scale.as_ptr().add(channel));
            let shift = L::load(self.shift.as_ptr().add(channel));
            self.activation.apply(x.mul_add(scale, shift))
        }
    }
}

/// The running tensor of a stack of residual blocks.
pub enum ResidualStream<'a> {
    /// The sums do not reach it.
    Untouched,
    /// It begins here.
    Write(&'a mut [f32]),
    /// The sums are added to it.
    Add(&'a mut [f32]),
}

/// How the sums of one layer are finished: `v = sum * row factor + image shift`, the stream takes `v`, and what comes of it, normed and
/// activated, is the next layer's input.
pub struct LayerFinish<'a> {
    /// One factor per point of the batch.
    pub row_factors: Option<&'a [f32]>,
    /// One addend per image and channel.
    pub image_shift: Option<&'a [f32]>,
    pub stream: ResidualStream<'a>,
    pub activated: Option<(&'a Norm, &'a mut [f32])>,
}

impl<'a> LayerFinish<'a> {
    /// The sums as they are.
    pub fn store(to: &'a mut [f32]) -> LayerFinish<'a> {
        LayerFinish { row_factors: None, image_shift: None, stream: ResidualStream::Write(to), activated: None }
    }

    /// Only the next layer's input is wanted.
    pub fn activate(norm: &'a Norm, to: &'a mut [f32]) -> LayerFinish<'a> {
        LayerFinish {
            row_factors: None,
            image_shift: None,
            stream: ResidualStream::Untouched,
            activated: Some((norm, to)),
        }
    }

    /// Panics unless every slice covers `images` boards of `channels`.
    pub(super) fn check(&self, frame: Frame, images: usize, channels: usize) {
        let rows = images * frame.points();
        assert!(channels.is_multiple_of(SIXTEEN));
        assert!(self.row_factors.is_none_or(|factors| factors.len() >= rows));
        assert!(self.image_shift.is_none_or(|shift| shift.len() >= images * channels));
        match &self.stream {
            ResidualStream::Untouched => {}
            ResidualStream::Write(values) | ResidualStream::Add(values) => assert!(values.len() >= rows * channels),
        }
        if let Some((norm, values)) = &self.activated {
            assert!(norm.channels() == channels && values.len() >= rows * channels);
        }
    }

    /// Finishes the sums of `length` channels, a multiple of the register's width, of one point.
    ///
    /// # Safety
    /// The finish must have passed `check` for a tensor that holds this row of this image and `channels` channels.
    #[inline(always)]
    pub(super) unsafe fn run<L: Lanes>(
        &mut self,
        place: BatchPoint,
        channels: usize,
        channel: usize,
        sums: *const f32,
        length: usize,
    ) {
        // SAFETY: as the caller promises.
        unsafe { self.run_rows::<L>(place, 1, channels, channel, sums, length, length) }
    }

    /// The same for points of one image that follow each other, `stride` sums from point to point. What all of them share is asked
    /// once for each register of channels.
    ///
    /// # Safety
    /// The same, for all these rows.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(super) unsafe fn run_rows<L: Lanes>(
        &mut self,
        place: BatchPoint,
        rows: usize,
        channels: usize,
        channel: usize,
        sums: *const f32,
        stride: usize,
        length: usize,
    ) {
        // SAFETY: every slice covers the rows, as `check` made sure.
        unsafe {
            let start = place.row * channels + channel;
            // Addresses by themselves: the compiler cannot know that what is written does not change them.
            let factors = self.row_factors.map(|factors| factors.as_ptr().add(place.row));
            let shift = self.image_shift.map(|shift| shift.as_ptr().add(place.image * channels + channel));
            let (stream, adds) = match &mut self.stream {
                ResidualStream::Untouched => (None, false),
                ResidualStream::Write(stream) => (Some(stream.as_mut_ptr().add(start)), false),
                ResidualStream::Add(stream) => (Some(stream.as_mut_ptr().add(start)), true),
            };
            let activated = self.activated.as_mut().map(|(norm, to)| (*norm, to.as_mut_ptr().add(start)));
            let mut at = 0;
            while at < length {
                for row in 0..rows {
                    let to = row * channels + at;
                    let mut value = L::load(sums.add(row * stride + at));
                    if let Some(factors) = factors {
                        value = value.mul(L::splat(*factors.add(row)));
                    }
                    if let Some(shift) = shift {
                        value = value.add(L::load(shift.add(at)));
                    }
                    if let Some(stream) = stream {
                        if adds {
                            value = value.add(L::load(stream.add(to)));
                        }
                        value.store(stream.add(to));
                    }
                    if let Some((norm, activated)) = activated {
                        norm.apply(value, channel + at).store(activated.add(to));
                    }
                }
                at += L::WIDTH;
            }
        }
    }
}

/// A point of a batch: its row in the tensor, and the image it belongs to.
#[derive(Clone, Copy)]
pub(super) struct BatchPoint {
    pub row: usize,
    pub image: usize,
}

/// What [`finish_rows`] was asked to do.
struct FinishRows<'a> {
    frame: Frame,
    images: usize,
    channels: usize,
    sums: &'a [f32],
    stride: usize,
    finish: LayerFinish<'a>,
}

/// Finishes sums that lie in memory already, `stride` numbers from point to point.
pub fn finish_rows(
    isa: Isa,
    frame: Frame,
    images: usize,
    channels: usize,
    sums: &[f32],
    stride: usize,
    finish: LayerFinish<'_>,
) {
    let rows = images * frame.points();
    assert!(stride >= channels && sums.len() >= (rows - 1) * stride + channels);
    finish.check(frame, images, channels);
    // SAFETY: the lengths were just checked.
    unsafe { finish_rows_on(isa, FinishRows { frame, images, channels, sums, stride, finish }) }
}

per_isa!(fn finish_rows_on / finish_rows_with(FinishRows<'_>));

#[inline(always)]
unsafe fn finish_rows_with<L: Lanes>(mut job: FinishRows<'_>) {
    let points = job.frame.points();
    for image in 0..job.images {
        for row in image * points..(image + 1) * points {
            // SAFETY: `finish_rows` checked that the row exists everywhere.
            unsafe {
                let sums = job.sums.as_ptr().add(row * job.stride);
                job.finish.run::<L>(BatchPoint { row, image }, job.channels, 0, sums, job.channels);
            }
        }
    }
}
