//! One file per subcommand.

pub mod analysis;
pub mod bench;
pub mod check;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod completions;
pub mod config;
pub mod evaluate;
pub mod gtp;
#[cfg(feature = "cluster")]
pub mod handed_player;
pub mod joseki;
pub mod lab;
pub mod man;
pub mod matches;
pub mod net;
pub mod patterns;
pub mod play;
pub mod review;
pub mod suite;
pub mod train;
pub mod tune;
pub mod web;
#[cfg(feature = "cluster")]
pub mod worker;
