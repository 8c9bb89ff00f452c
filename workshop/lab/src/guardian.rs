//! Programs that run beside ours and must not outlive it.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Leads the process group that all our programs are in. However we end, its input ends with us, and it takes the group along.
pub struct Guardian(Child);

impl Guardian {
    pub fn start() -> std::io::Result<Guardian> {
        let mut command = Command::new("sh");
        command.args(["-c", "read -r nothing; kill -KILL 0"]).stdin(Stdio::piped()).process_group(0);
        command.spawn().map(Guardian)
    }

    pub fn adopt(&self, command: &mut Command) {
        command.process_group(self.0.id() as i32);
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        // Waiting closes its input first.
        let _ = self.0.wait();
    }
}
