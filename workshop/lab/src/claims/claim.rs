//! What a claim is.

/// One sentence of a paper, and the rows of an experiment that decide about it.
#[derive(Debug)]
pub struct Claim {
    pub says: &'static str,
    pub source: &'static str,
    /// The paper's own figure, as printed.
    pub paper: &'static str,
    /// As `jigo lab` knows it.
    pub experiment: &'static str,
    /// Where the claim is about one board size.
    pub size: Option<usize>,
    /// A row's label, or what all its rows begin with ("ml-dk" is "ml-dk, 1", "ml-dk, 2" and so on).
    pub row: &'static str,
    /// The rows it is compared with; without them, half the games.
    pub than: Option<&'static str>,
    /// Only matches against an opponent whose name begins so.
    pub against: &'static str,
    pub expected: Expected,
}

impl Claim {
    /// Is a row of this label one of those that a claim calls `wanted`?
    pub fn is_meant(wanted: &str, label: &str) -> bool {
        label.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(", "))
    }
}

/// In shares of games won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// As much more as in the paper; where it draws a curve without numbers, what one reads there.
    More(f64),
    Less(f64),
    /// No further apart than this.
    Alike(f64),
}

impl Expected {
    /// The difference that a test must be able to see.
    pub fn effect(self) -> f64 {
        match self {
            Expected::More(effect) | Expected::Less(effect) | Expected::Alike(effect) => effect,
        }
    }
}
