//! `jigo bench`: how fast each part is, and a fingerprint of what it computes; alone, a minute's advice.
//!
//! The fingerprint does not depend on the machine or its load. A commit that leaves it unchanged is a
//! refactoring; a commit that changes it changed behaviour and says so.

mod advice;
mod board;
mod net;
mod net_search;
mod playout;
mod search;
pub(super) mod speed;

use clap::Subcommand;

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    part: Option<Part>,

    #[command(flatten)]
    advice: advice::Advice,
}

#[derive(Subcommand)]
enum Part {
    /// Uniformly random games on 9x9 and 19x19, one thread
    Board(board::Args),
    /// Evaluations by the net on every instruction set of this machine, one thread
    Net(net::Args),
    /// Searches with the net on every instruction set, with and without cache and batches
    NetSearch(net_search::Args),
    /// Playouts of every policy from the empty board and from a middle game, one thread
    Playout(playout::Args),
    /// Searches with one thread and with two, beside bare playouts
    Search(search::Args),
}

pub fn run(args: Args) -> anyhow::Result<()> {
    let Some(part) = args.part else { return advice::run(args.advice) };
    match part {
        Part::Board(args) => board::run(args),
        Part::Net(args) => net::run(args),
        Part::NetSearch(args) => net_search::run(args),
        Part::Playout(args) => playout::run(args),
        Part::Search(args) => search::run(args),
    }
}
