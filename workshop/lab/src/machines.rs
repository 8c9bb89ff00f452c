//! Workers of a cluster on this machine: the other machines of a row that has several.

use std::process::{Child, Command, Stdio};

use jigo_arena::locate;

use crate::contest::cluster_name;
use crate::experiment::{Contestant, Variant};
use crate::guardian::Guardian;
use crate::run::LabError;

/// They are there as long as this is.
pub struct Workers {
    workers: Vec<Child>,
    guardian: Option<Guardian>,
}

impl Workers {
    /// Those of both players. Each machine of a player has as many threads as the player's own.
    pub fn of(variant: &Variant, seed: u64) -> Result<Workers, LabError> {
        let guardian = Guardian::start().map_err(LabError::Machines)?;
        let mut workers = Vec::new();
        for player in [&variant.player, &variant.opponent] {
            let Contestant::Jigo { machines, threads, net: None, .. } = player else { continue };
            for number in 1..*machines {
                let mut command = Command::new(locate("jigo"));
                let (threads, own_seed) = (threads.to_string(), (seed + number as u64).to_string());
                command.args(["worker", "--cluster", &cluster_name(*machines, seed), "--net", "none"]);
                command.args(["--threads", &threads, "--seed", &own_seed, "--nice", "0", "--games", "0"]);
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                guardian.adopt(&mut command);
                workers.push(command.spawn().map_err(LabError::Machines)?);
            }
        }
        Ok(Workers { workers, guardian: Some(guardian) })
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.guardian.take();
        for worker in &mut self.workers {
            let _ = worker.wait();
        }
    }
}
