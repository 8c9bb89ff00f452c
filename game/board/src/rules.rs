//! Rulesets as values. Names and fields are KataGo's vocabulary, which other programs share.

use crate::color::Color;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KoRule {
    /// Only the immediate recapture of a single stone is forbidden.
    Simple,
    /// No board position of the game may return.
    Positional,
    /// No board position may return with the same player to move.
    Situational,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Stones and surrounded points count.
    Area,
    /// Surrounded points and prisoners count.
    Territory,
}

/// Which surrounded points are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tax {
    None,
    /// Eyes of groups in seki.
    Seki,
    /// Eyes in seki, and of every living group two points of territory, as far as it has them.
    All,
}

/// What White gets for Black's handicap of N stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapBonus {
    Zero,
    NMinusOne,
    N,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    pub ko: KoRule,
    pub scoring: Scoring,
    pub tax: Tax,
    /// May a chain of two or more stones capture itself?
    pub suicide: bool,
    /// Half a point for the first pass under area scoring.
    pub has_button: bool,
    pub handicap_bonus: HandicapBonus,
    /// Does play end with dead stones agreed on, so that passing early is safe?
    pub friendly_pass_ok: bool,
    /// Komi when nobody names one.
    pub default_komi: f32,
}

const CHINESE: Rules = Rules {
    ko: KoRule::Simple,
    scoring: Scoring::Area,
    tax: Tax::None,
    suicide: false,
    has_button: false,
    handicap_bonus: HandicapBonus::N,
    friendly_pass_ok: true,
    default_komi: 7.5,
};
const JAPANESE: Rules = Rules {
    scoring: Scoring::Territory,
    tax: Tax::Seki,
    handicap_bonus: HandicapBonus::Zero,
    default_komi: 6.5,
    ..CHINESE
};
const AGA: Rules = Rules { ko: KoRule::Situational, handicap_bonus: HandicapBonus::NMinusOne, ..CHINESE };
const TROMP_TAYLOR: Rules = Rules {
    ko: KoRule::Positional,
    suicide: true,
    handicap_bonus: HandicapBonus::Zero,
    friendly_pass_ok: false,
    ..CHINESE
};
const NEW_ZEALAND: Rules =
    Rules { ko: KoRule::Situational, suicide: true, handicap_bonus: HandicapBonus::Zero, default_komi: 7.0, ..CHINESE };

/// Every ruleset with its name; the first row of each ruleset is the name we print.
pub const RULESETS: &[(&str, Rules)] = &[
    ("tromp-taylor", TROMP_TAYLOR),
    ("chinese", CHINESE),
    ("chinese-ogs", Rules { ko: KoRule::Positional, ..CHINESE }),
    ("chinese-kgs", Rules { ko: KoRule::Positional, ..CHINESE }),
    ("japanese", JAPANESE),
    ("korean", JAPANESE),
    ("stone-scoring", Rules { tax: Tax::All, handicap_bonus: HandicapBonus::Zero, ..CHINESE }),
    ("aga", AGA),
    ("bga", AGA),
    ("french", AGA),
    ("aga-button", Rules { has_button: true, default_komi: 7.0, ..AGA }),
    ("new-zealand", NEW_ZEALAND),
    ("ancient-area", Rules { tax: Tax::All, handicap_bonus: HandicapBonus::Zero, ..CHINESE }),
    ("ancient-territory", Rules { tax: Tax::All, ..JAPANESE }),
];

impl Default for Rules {
    fn default() -> Rules {
        CHINESE
    }
}

impl Rules {
    /// Finds a ruleset; words may be joined by `-`, `_`, a space or nothing, in any case.
    pub fn by_name(name: &str) -> Option<Rules> {
        let plain = |text: &str| {
            text.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect::<String>().to_ascii_lowercase()
        };
        let wanted = plain(name);
        RULESETS.iter().find(|(known, _)| plain(known) == wanted).map(|&(_, rules)| rules)
    }

    /// The name of these rules, if they are one of the known rulesets.
    pub fn name(&self) -> Option<&'static str> {
        let same = |rules: &Rules| Rules { default_komi: self.default_komi, ..*rules } == *self;
        RULESETS.iter().find(|(_, rules)| same(rules)).map(|&(name, _)| name)
    }

    /// Points White receives when Black was given `stones` handicap stones.
    pub fn white_handicap_bonus(&self, stones: usize) -> f32 {
        match self.handicap_bonus {
            HandicapBonus::Zero => 0.0,
            HandicapBonus::NMinusOne => stones.saturating_sub(1) as f32,
            HandicapBonus::N if stones < 2 => 0.0,
            HandicapBonus::N => stones as f32,
        }
    }
}

/// Why a move may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    OffBoard,
    Occupied,
    Suicide,
    Ko,
    PositionalSuperko,
    SituationalSuperko,
}

impl std::fmt::Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Illegal::OffBoard => "the point is not on the board",
            Illegal::Occupied => "the point is occupied",
            Illegal::Suicide => "suicide",
            Illegal::Ko => "ko: the stone may not be retaken at once",
            Illegal::PositionalSuperko => "positional superko: the position stood on the board before",
            Illegal::SituationalSuperko => {
                "situational superko: the position stood on the board before with the same player to move"
            }
        })
    }
}

impl std::error::Error for Illegal {}

/// How far Black is ahead, komi and bonuses included: the result of a finished game, or what is expected of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    black_lead: f32,
}

impl Score {
    /// `color` is ahead by so many points.
    pub fn of(color: Color, lead: f32) -> Score {
        match color {
            Color::Black => Score::black_lead(lead),
            Color::White => Score::black_lead(-lead),
        }
    }

    pub fn black_lead(points: f32) -> Score {
        Score { black_lead: points }
    }

    pub fn lead_of(self, color: Color) -> f32 {
        match color {
            Color::Black => self.black_lead,
            Color::White => -self.black_lead,
        }
    }

    /// Points of lead that `color` gives up between this score and a later one; negative if it gains.
    pub fn given_up(self, later: Score, color: Color) -> f32 {
        self.lead_of(color) - later.lead_of(color)
    }

    pub fn winner(self) -> Option<Color> {
        Color::BOTH.into_iter().find(|&color| self.lead_of(color) > 0.0)
    }
}

/// As GTP and SGF write it: `B+3.5`, `W+0.5`, `0`.
impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.winner() {
            Some(winner) => write!(f, "{}+{}", winner.letter(), self.lead_of(winner)),
            None => f.write_str("0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_joined() {
        for spelling in ["tromp-taylor", "Tromp Taylor", "tromp_taylor", "TROMPTAYLOR"] {
            assert_eq!(Rules::by_name(spelling), Some(TROMP_TAYLOR), "{spelling}");
        }
        assert_eq!(Rules::by_name("martian"), None);
        for (name, rules) in RULESETS {
            assert_eq!(Rules::by_name(name), Some(*rules));
            assert!(rules.name().is_some());
        }
    }

    #[test]
    fn scores_print_like_gtp() {
        assert_eq!(Score::black_lead(3.5).to_string(), "B+3.5");
        assert_eq!(Score::black_lead(-10.0).to_string(), "W+10");
        assert_eq!(Score::black_lead(0.0).to_string(), "0");
    }

    #[test]
    fn white_is_compensated_for_handicap_as_each_ruleset_says() {
        let bonus = |name, stones| Rules::by_name(name).unwrap().white_handicap_bonus(stones);
        assert_eq!([bonus("chinese", 0), bonus("chinese", 1), bonus("chinese", 4)], [0.0, 0.0, 4.0]);
        assert_eq!([bonus("aga", 0), bonus("aga", 4)], [0.0, 3.0]);
        assert_eq!(bonus("japanese", 9), 0.0);
    }
}
