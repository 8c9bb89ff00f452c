//! What the system has for a search. It is asked before anything is used: what it does not have would end the program.

use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::thread;

use thiserror::Error;

/// A wish within its range that this machine cannot grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unavailable {
    #[error("this machine has no {0} MB of memory for a search")]
    Memory(usize),
    #[error("this machine cannot run {0} threads at once")]
    Threads(usize),
}

/// Left over for boards, buffers and the net's own work, so that a search that was granted does not end for want of them.
const MARGIN_MEGABYTES: usize = 256;

/// Could so much memory be had in one piece? A system may promise each of several pieces by itself although it has room for
/// one of them only.
pub fn ask_for_memory(megabytes: usize) -> Result<(), Unavailable> {
    let mut piece = Vec::<u8>::new();
    let is_there = piece.try_reserve_exact(megabytes << 20).is_ok();
    // Else nobody would ask, since nobody uses it.
    black_box(&piece);
    if is_there { Ok(()) } else { Err(Unavailable::Memory(megabytes)) }
}

/// Could so many threads run at once, this one among them? All are started before the first may end.
pub fn ask_for_threads(threads: usize) -> Result<(), Unavailable> {
    let gate = Mutex::new(());
    let closed = gate.lock();
    let are_there = thread::scope(|scope| {
        let wait = || drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
        let start =
            |_| ask_for_memory(MARGIN_MEGABYTES).is_ok() && thread::Builder::new().spawn_scoped(scope, wait).is_ok();
        let are_there = (1..threads).all(start);
        drop(closed);
        are_there
    });
    if are_there { Ok(()) } else { Err(Unavailable::Threads(threads)) }
}
