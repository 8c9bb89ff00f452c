//! Showing a page to the person in front of this machine.

use std::process::{Command, Stdio};

/// Asks the desktop to open an address. Without a desktop, or if it refuses, the printed address has to do.
pub fn open_in_browser(url: &str) {
    let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else if has_desktop {
        Command::new("xdg-open")
    } else {
        return;
    };
    let _ = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
