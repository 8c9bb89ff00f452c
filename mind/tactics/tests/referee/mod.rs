//! What becomes of stones, read out to the end or judged by shape: slow and sure, for tests of the quick questions.

#![allow(dead_code, reason = "each test asks a part of it")]

pub mod bent_four;
pub mod exact;
