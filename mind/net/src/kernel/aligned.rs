//! Memory that starts on a cache line. A vector load that straddles two lines costs double, and a
//! tile load of straddling rows three times as much, so every buffer the kernels read lives here.
#![allow(unsafe_code, reason = "whole cache lines are seen as a slice of numbers")]

use std::ops::{Deref, DerefMut};

const LINE_BYTES: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE_BYTES]);

mod sealed {
    pub trait PlainData: Copy {}
    impl PlainData for f32 {}
    impl PlainData for i32 {}
    impl PlainData for u16 {}
    impl PlainData for i16 {}
    impl PlainData for u8 {}
    impl PlainData for i8 {}
}

/// A fixed-length, zero-initialised, cache-line-aligned array of numbers.
#[derive(Clone)]
pub struct Aligned<T: sealed::PlainData> {
    lines: Vec<Line>,
    len: usize,
    element: std::marker::PhantomData<T>,
}

impl<T: sealed::PlainData> Aligned<T> {
    pub fn zeroed(len: usize) -> Self {
        let lines = (len * size_of::<T>()).div_ceil(LINE_BYTES);
        Aligned { lines: vec![Line([0; LINE_BYTES]); lines], len, element: std::marker::PhantomData }
    }

    pub fn copied_from(values: &[T]) -> Self {
        let mut buffer = Self::zeroed(values.len());
        buffer.copy_from_slice(values);
        buffer
    }

    /// Makes room for at least `len` elements; a larger buffer is kept. The content is unspecified.
    pub fn reserve_len(&mut self, len: usize) {
        if len > self.len {
            *self = Self::zeroed(len);
        }
    }
}

impl<T: sealed::PlainData> Default for Aligned<T> {
    fn default() -> Self {
        Self::zeroed(0)
    }
}

impl<T: sealed::PlainData> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `lines` owns at least `len * size_of::<T>()` initialised bytes, aligned to 64, and
        // every bit pattern is a valid number of a `PlainData` type.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl<T: sealed::PlainData> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the exclusive borrow of `self` makes the slice exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}
