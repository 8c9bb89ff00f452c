//! Gradients of the net's kernels.

mod norm;
mod product;
#[cfg(target_arch = "x86_64")]
mod tile_gradient;
#[cfg(target_arch = "x86_64")]
mod transpose;
mod weight_gradient;
mod winograd_gradient;

pub use norm::{Activate, BackwardSums, Moments, NormBackward, activate, backward_sums, moments, norm_backward};
pub use product::{ProductGradient, product_gradient};
pub use weight_gradient::{GradientScratch, WeightGradient};
