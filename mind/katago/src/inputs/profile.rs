//! Whose style a net with a metadata encoder plays in: 192 numbers about the players and the occasion, and the names of profiles.

use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

use jigo_board::{Color, Rng};

use crate::model::METADATA;

/// Two players as a net for human play knows them, by one of KataGo's names: `rank_5k`, `rank_3k_1d`, `preaz_9d`, `proyear_1950`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    name: String,
    /// From 1 (9 dan) to 29 (20 kyu), of Black and of White.
    ranks: [usize; 2],
    occasion: Occasion,
    /// Days since 1970.
    day: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occasion {
    /// A game on a server with byo-yomi.
    Server,
    /// A professional game from a collection, by its number.
    Professional { source: usize },
}

/// Why a name is no profile.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a profile; profiles are named like rank_5k, rank_3k_1d, preaz_2d (20k to 9d) or proyear_1950 (1800 to 2023)"
)]
pub struct UnknownProfile(String);

const KGS: usize = 2;
const GOGOD: usize = 5;
const GO4GO: usize = 6;

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Profile, UnknownProfile> {
        let unknown = || UnknownProfile(name.chars().take(40).collect());
        let (kind, rest) = name.split_once('_').ok_or_else(unknown)?;
        let (ranks, occasion, day) = match kind {
            "rank" => (ranks(rest).ok_or_else(unknown)?, Occasion::Server, days(2020, 3, 1)),
            "preaz" => (ranks(rest).ok_or_else(unknown)?, Occasion::Server, days(2016, 9, 1)),
            "proyear" => {
                let source = match rest.parse().map_err(|_| unknown())? {
                    1800..=2020 => GOGOD,
                    2021..=2023 => GO4GO,
                    _ => return Err(unknown()),
                };
                let year = rest.parse().map_err(|_| unknown())?;
                ([1, 1], Occasion::Professional { source }, days(year, 6, 1))
            }
            _ => return Err(unknown()),
        };
        Ok(Profile { name: name.to_string(), ranks, occasion, day })
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// One rank for both, or Black's and White's.
fn ranks(text: &str) -> Option<[usize; 2]> {
    match text.split_once('_') {
        None => rank(text).map(|rank| [rank; 2]),
        Some((black, white)) => Some([rank(black)?, rank(white)?]),
    }
}

/// 9d is 1, 1d 9, 1k 10, 20k 29.
fn rank(text: &str) -> Option<usize> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|_| !text.starts_with(['+', '0']));
    match (text.strip_suffix('d').and_then(number), text.strip_suffix('k').and_then(number)) {
        (Some(dan @ 1..=9), _) => Some(10 - dan),
        (_, Some(kyu @ 1..=20)) => Some(9 + kyu),
        _ => None,
    }
}

/// Days from 1970-01-01 to a day of the Gregorian calendar, which is extended backwards.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that a leap day is the last day of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

impl Profile {
    /// One number for this profile.
    pub fn fingerprint(&self) -> u64 {
        self.name.bytes().fold(1, |hash, byte| Rng::new(hash ^ u64::from(byte)).next_u64())
    }

    /// The inputs for a position with this side to move on a board of so many points.
    pub fn metadata(&self, to_move: Color, area: usize) -> [f32; METADATA] {
        let mut inputs = [0.0; METADATA];
        let ranks = [self.ranks[to_move.index()], self.ranks[to_move.opponent().index()]];
        for (player, rank) in ranks.into_iter().enumerate() {
            inputs[player] = 1.0;
            inputs[6 + 34 * player..][..rank].fill(1.0);
        }
        let (unrated, control, main, period, periods, source) = match self.occasion {
            Occasion::Server => (0.5, 79, 1200.0, 30.0, 5.0, KGS),
            Occasion::Professional { source } => (0.0, 75, 0.0, 0.0, 0.0, source),
        };
        inputs[74] = unrated;
        inputs[control] = 1.0;
        let (main, period, periods): (f64, f64, f64) = (main, period, periods);
        inputs[82] = (0.4 * ((main + 60.0).ln() - 6.5)) as f32;
        inputs[83] = (0.3 * ((period + 1.0).ln() - 3.0)) as f32;
        inputs[84] = (0.5 * ((periods + 2.0).ln() - 1.5)) as f32;
        inputs[85] = (0.25 * (2f64.ln() - 1.5)) as f32;
        inputs[86] = (0.5 * (area as f64 / 361.0).ln()) as f32;
        for (i, wave) in inputs[87..151].as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let turns = self.day as f64 / (7.0 * 80_000f64.powf(i as f64 / 31.0));
            let (sin, cos) = (TAU * turns).sin_cos();
            *wave = [cos as f32, sin as f32];
        }
        inputs[151 + source] = 1.0;
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_kept() {
        for name in ["rank_5k", "rank_20k", "rank_9d", "preaz_1d", "rank_3k_1d", "proyear_1800", "proyear_2023"] {
            assert_eq!(name.parse::<Profile>().unwrap().to_string(), name);
        }
        for name in
            ["", "rank", "rank_", "rank_0k", "rank_21k", "rank_10d", "rank_05k", "rank_5k_", "proyear_1799", "x_5k"]
        {
            assert_eq!(name.parse::<Profile>(), Err(UnknownProfile(name.to_string())), "{name}");
        }
    }

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!([days(1970, 1, 1), days(2000, 3, 1), days(1969, 12, 31), days(2020, 3, 1)], [0, 11_017, -1, 18_322]);
    }

    #[test]
    fn ranks_follow_the_side_to_move() {
        let profile: Profile = "rank_3k_1d".parse().unwrap();
        let thermometer = |inputs: &[f32], from: usize| inputs[from..from + 34].iter().sum::<f32>();
        let (black, white) = (profile.metadata(Color::Black, 361), profile.metadata(Color::White, 361));
        assert_eq!([thermometer(&black, 6), thermometer(&black, 40)], [12.0, 9.0]);
        assert_eq!([thermometer(&white, 6), thermometer(&white, 40)], [9.0, 12.0]);
        assert!((black[82] - 0.255_547).abs() < 1e-6 && (black[85] + 0.201_713).abs() < 1e-6);
    }
}
