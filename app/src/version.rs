//! Which Jigo this is.

use std::sync::LazyLock;

use jigo_net::kernel::Isa;

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit it was built from; empty where the source came without its history.
pub const COMMIT: &str = env!("JIGO_COMMIT");

/// With the commit and the instructions the net computes with on this machine.
pub static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = if COMMIT.is_empty() { String::new() } else { format!("commit {COMMIT}, ") };
    format!("{VERSION} ({commit}net kernel {})", Isa::best())
});
