//! A chance to win that knows whose it is.

use crate::Color;

/// Nothing is quite certain.
const LEAST_SHARE: f32 = 1e-4;

/// Half of it is even. As with [`Score`](crate::Score), nobody turns sides by hand: whoever reads it says for whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    side: Color,
    share: f32,
}

impl WinRate {
    pub const EVEN: WinRate = WinRate { side: Color::Black, share: 0.5 };

    /// `side` wins this share of the games; a draw is half a win.
    #[inline(always)]
    pub fn of(side: Color, share: f32) -> WinRate {
        WinRate { side, share }
    }

    #[inline(always)]
    pub fn black(share: f32) -> WinRate {
        WinRate::of(Color::Black, share)
    }

    #[inline(always)]
    pub fn share_of(self, color: Color) -> f32 {
        if color == self.side { self.share } else { 1.0 - self.share }
    }

    /// How far from even it is: the logarithm of the odds, above zero if this colour is the favourite, never infinite.
    pub fn log_odds_of(self, color: Color) -> f32 {
        let share = self.share_of(color).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
        (share / (1.0 - share)).ln()
    }

    pub fn of_log_odds(side: Color, log_odds: f32) -> WinRate {
        WinRate::of(side, 1.0 / (1.0 + (-log_odds).exp()))
    }

    /// Who is more likely to win; Black if nobody is.
    pub fn favourite(self) -> Color {
        if self.share_of(Color::Black) >= 0.5 { Color::Black } else { Color::White }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_share_the_game() {
        for color in Color::BOTH {
            let rate = WinRate::of(color, 0.7);
            assert_eq!(rate.share_of(color), 0.7, "what was said is what is heard");
            assert!((rate.share_of(color.opponent()) - 0.3).abs() < 1e-6);
            assert_eq!(rate.favourite(), color);
            assert_eq!(WinRate::EVEN.share_of(color), 0.5);
        }
    }

    #[test]
    fn log_odds_lead_back_to_the_share_and_are_never_infinite() {
        for color in Color::BOTH {
            let rate = WinRate::of(color, 0.7);
            assert!((WinRate::of_log_odds(color, rate.log_odds_of(color)).share_of(color) - 0.7).abs() < 1e-6);
            assert!((rate.log_odds_of(color) + rate.log_odds_of(color.opponent())).abs() < 1e-5);
            let sure = WinRate::of(color, 1.0).log_odds_of(color);
            assert!(sure.is_finite() && sure > rate.log_odds_of(color), "{sure}");
        }
    }
}
