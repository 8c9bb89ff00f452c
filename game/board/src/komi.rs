//! Which komi a game may be asked to have.

use std::fmt;

/// Beyond it no game is left on any board.
pub const LARGEST_KOMI: f32 = 400.0;

/// White's usual compensation in a handicap game: it only breaks ties.
pub const HANDICAP_KOMI: f32 = 0.5;

/// Komi is in whole or half points and at most [`LARGEST_KOMI`] for either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnacceptableKomi;

impl fmt::Display for UnacceptableKomi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unacceptable komi")
    }
}

impl std::error::Error for UnacceptableKomi {}

/// The komi itself, if a game may have it. Records from elsewhere may say what they like.
pub fn acceptable_komi(komi: f32) -> Result<f32, UnacceptableKomi> {
    let is_in_half_points = (2.0 * komi).fract() == 0.0;
    if !(-LARGEST_KOMI..=LARGEST_KOMI).contains(&komi) || !is_in_half_points {
        return Err(UnacceptableKomi);
    }
    // Minus zero would be written as such.
    Ok(komi + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_is_in_half_points_within_reason() {
        for komi in [400.5, -401.0, 6.25, f32::NAN, f32::INFINITY] {
            assert_eq!(acceptable_komi(komi), Err(UnacceptableKomi));
        }
        for komi in [400.0, -400.0, -0.5, 0.0] {
            assert_eq!(acceptable_komi(komi), Ok(komi));
        }
        assert!(acceptable_komi(-0.0).unwrap().is_sign_positive());
    }
}
