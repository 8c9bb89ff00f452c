//! One file per subcommand.

pub mod gtp;
pub mod matches;
pub mod patterns;
pub mod play;
