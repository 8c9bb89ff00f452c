//! One file per subcommand.

pub mod gtp;
