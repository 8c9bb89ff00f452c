//! Where a person's files are, by the customs of each system.

use std::env;
use std::path::PathBuf;

/// Settings: `jigo.toml` in the user's configuration folder.
pub fn config_file() -> Option<PathBuf> {
    folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("jigo.toml"))
}

/// What Jigo keeps for its user.
pub fn data_folder() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share")
}

/// Windows and macOS have one folder for both; elsewhere a variable names it, or it has its usual place in the home.
fn folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let at_home = |folder: &str| env::home_dir().map(|home| home.join(folder));
    let folder = if cfg!(windows) {
        named("APPDATA")
    } else if cfg!(target_os = "macos") {
        at_home("Library/Application Support")
    } else {
        named(variable).or_else(|| at_home(usual))
    };
    folder.map(|folder| folder.join("jigo"))
}
