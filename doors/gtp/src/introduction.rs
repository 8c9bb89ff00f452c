//! What the program calls itself.

/// Lizzie takes every program that is not KataGo for Leela Zero, and refuses to analyse unless the second part of its
/// version is at least 15, the first Leela Zero that could.
const FIRST_ANALYSING_LEELA_ZERO: u32 = 15;

/// Clients decide by the name which dialect to speak: names with `Kata` at the start are sent KataGo's.
#[derive(Clone, Debug)]
pub struct Introduction {
    pub name: String,
    pub version: String,
}

impl Default for Introduction {
    /// Our own minor version counts on from Leela Zero's, so Jigo 0.1.0 is told as 0.16.0.
    fn default() -> Introduction {
        let part = |text: &str| text.parse::<u32>().unwrap_or_default();
        let minor = FIRST_ANALYSING_LEELA_ZERO + part(env!("CARGO_PKG_VERSION_MINOR"));
        let version = format!("{}.{minor}.{}", env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_PATCH"));
        Introduction { name: "Jigo".to_owned(), version }
    }
}
