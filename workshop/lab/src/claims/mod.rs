//! Every claim of the papers that games can test, and what our games say about it.

mod claim;
mod page;
mod papers;
mod unsaid;
mod verdict;

pub use claim::{Claim, Expected};
pub use page::page;
pub use verdict::{Evidence, Verdict, judge};

/// Paper by paper.
pub fn all() -> impl Iterator<Item = &'static Claim> {
    papers::CLAIMS.iter()
}
