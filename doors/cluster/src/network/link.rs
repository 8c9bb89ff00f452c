//! Joining a cluster over the network: who listens where, who may come in.
//!
//! zenoh's own defaults are open to the world. Ours are not: without a password or certificates nothing leaves this host
//! unless the owner says that the network is trusted.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;
use zenoh::config::WhatAmI;
use zenoh::{Config, Session, Wait};

/// How members know each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Security {
    /// Nobody outside this host.
    ThisHost,
    /// Everybody who reaches us is a friend.
    OpenNetwork,
    /// The first line, `user:password`, is who we are; a listener lets in everybody in the file.
    Password(PathBuf),
    Certificates(Certificates),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificates {
    /// Whoever has a certificate of this authority is let in.
    pub authority: PathBuf,
    pub certificate: PathBuf,
    pub key: PathBuf,
}

#[derive(Clone, Debug)]
pub struct LinkOptions {
    pub cluster: String,
    pub connect: Vec<String>,
    pub listen: Vec<String>,
    pub security: Security,
}

#[derive(Debug, Error)]
pub enum LinkError {
    #[error("a cluster's name has letters, digits, - and _, at most 40, not {0:?}")]
    Name(String),
    #[error("{0:?} is no endpoint; write HOST:PORT")]
    Endpoint(String),
    #[error(
        "{0} is beyond this host, so members must know each other: use --tls-ca, --tls-cert and --tls-key, or \
         --password-file, or --open-network if the network is yours alone"
    )]
    Insecure(String),
    #[error("the password file {} cannot be used: {reason}", path.display())]
    Password { path: PathBuf, reason: String },
    #[error("the file {} cannot be read: {error}", path.display())]
    Certificate { path: PathBuf, error: std::io::Error },
    #[error("nobody of the cluster {0:?} answers")]
    Nobody(String),
    #[error("the network refuses: {0}")]
    Network(String),
}

pub(super) fn network(error: impl std::fmt::Display) -> LinkError {
    LinkError::Network(without_source_places(&error.to_string()))
}

/// The network library tells in which lines of its source an error arose, ` at PATH.rs:LINE.`, which helps no user.
fn without_source_places(text: &str) -> String {
    let mut parts = text.split(" at ");
    let mut told = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(".rs:").filter(|(path, _)| !path.contains(char::is_whitespace)) {
            Some((_, rest)) => {
                let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                told += rest.strip_prefix('.').unwrap_or(rest);
            }
            None => told = format!("{told} at {part}"),
        }
    }
    told
}

/// A link that is silent for this long is dead.
const LEASE_MS: u64 = 1000;
/// Larger messages are dropped by the transport before they reach us.
const LARGEST_TRANSPORT_MESSAGE: usize = 2 << 20;
const RETRY: &str = "{ period_init_ms: 200, period_max_ms: 1000, period_increase_factor: 1.5 }";
const SCOUT_TIME: Duration = Duration::from_millis(600);

/// Where members of this cluster look for each other if nobody says otherwise. Systems take the ports of outgoing connections
/// from 32768 on (Linux) or 49152 on (the others); one of those might be in use when we want to listen, by a program that does
/// not even know of it.
fn usual_port(cluster: &str) -> u16 {
    let hash = cluster.bytes().fold(0x811C_9DC5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    20000 + (hash % 12000) as u16
}

impl LinkOptions {
    pub fn new(cluster: &str) -> LinkOptions {
        LinkOptions {
            cluster: cluster.to_string(),
            connect: Vec::new(),
            listen: Vec::new(),
            security: Security::ThisHost,
        }
    }

    /// One sentence about what is wrong with these options, if anything is.
    pub fn check(&self) -> Result<(), LinkError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.cluster.is_empty() || self.cluster.len() > 40 || !self.cluster.chars().all(is_plain) {
            return Err(LinkError::Name(self.cluster.clone()));
        }
        for endpoint in self.connect.iter().chain(&self.listen) {
            let address = bare(endpoint);
            let (host, port) = address.rsplit_once(':').ok_or_else(|| LinkError::Endpoint(endpoint.clone()))?;
            if host.is_empty() || port.parse::<u16>().is_err() {
                return Err(LinkError::Endpoint(endpoint.clone()));
            }
            if self.security == Security::ThisHost && !is_this_host(address) {
                return Err(LinkError::Insecure(endpoint.clone()));
            }
        }
        match &self.security {
            Security::Password(path) => read_password(path).map(|_| ()),
            Security::Certificates(files) => [&files.authority, &files.certificate, &files.key]
                .into_iter()
                .try_for_each(|path| std::fs::metadata(path).map(|_| ()).map_err(|error| (path, error)))
                .map_err(|(path, error)| LinkError::Certificate { path: path.clone(), error }),
            Security::ThisHost | Security::OpenNetwork => Ok(()),
        }
    }

    /// Opens a place where others come in: a coordinator's or a hub's.
    pub fn host(&self) -> Result<Session, LinkError> {
        self.check()?;
        let mut config = self.config("router")?;
        let listen = match (&self.listen[..], &self.security) {
            ([], Security::ThisHost) => vec![self.endpoint(&format!("127.0.0.1:{}", usual_port(&self.cluster)))],
            ([], _) => vec![self.endpoint(&format!("0.0.0.0:{}", usual_port(&self.cluster)))],
            (listen, _) => listen.iter().map(|endpoint| self.endpoint(endpoint)).collect(),
        };
        insert(&mut config, "listen/endpoints", &json_list(&listen))?;
        insert(&mut config, "scouting/multicast/autoconnect", "{ router: [\"router\"] }")?;
        let connect: Vec<String> = self.connect.iter().map(|endpoint| self.endpoint(endpoint)).collect();
        insert(&mut config, "connect/endpoints", &json_list(&connect))?;
        zenoh::open(config).wait().map_err(network)
    }

    /// Goes in where others are. Fails if nobody is there yet.
    pub fn join(&self) -> Result<Session, LinkError> {
        self.check()?;
        let mut config = self.config("client")?;
        let connect = match (&self.connect[..], &self.security) {
            ([], Security::ThisHost) => vec![self.endpoint(&format!("127.0.0.1:{}", usual_port(&self.cluster)))],
            ([], _) => self.scout()?,
            (connect, _) => connect.iter().map(|endpoint| self.endpoint(endpoint)).collect(),
        };
        if connect.is_empty() {
            return Err(LinkError::Nobody(self.cluster.clone()));
        }
        insert(&mut config, "connect/endpoints", &json_list(&connect))?;
        insert(&mut config, "scouting/multicast/enabled", "false")?;
        zenoh::open(config).wait().map_err(network)
    }

    /// A coordinator hosts, unless it was told whom to join or somebody else hosts the cluster on this machine already.
    pub fn host_or_join(&self) -> Result<Session, LinkError> {
        if self.listen.is_empty() && !self.connect.is_empty() {
            return self.join();
        }
        match self.host() {
            Err(LinkError::Network(reason)) if self.listen.is_empty() => {
                let usual = format!("127.0.0.1:{}", usual_port(&self.cluster));
                let there = LinkOptions { connect: vec![usual], ..self.clone() };
                there.join().map_err(|_| LinkError::Network(reason))
            }
            other => other,
        }
    }

    /// Asks around on the local networks for hosts of this cluster.
    fn scout(&self) -> Result<Vec<String>, LinkError> {
        let config = self.config("client")?;
        let (found, heard) = std::sync::mpsc::channel();
        let asking = zenoh::scout(WhatAmI::Router, config)
            .callback(move |hello| {
                let locators = hello.locators().iter().map(|locator| locator.to_string());
                found.send(locators.collect::<Vec<_>>()).ok();
            })
            .wait()
            .map_err(network)?;
        let mut endpoints = Vec::new();
        let until = std::time::Instant::now() + SCOUT_TIME;
        while let Ok(locators) = heard.recv_timeout(until.saturating_duration_since(std::time::Instant::now())) {
            endpoints.extend(locators);
            if !endpoints.is_empty() {
                break;
            }
        }
        asking.stop();
        Ok(endpoints)
    }

    fn config(&self, mode: &str) -> Result<Config, LinkError> {
        let mut config = Config::default();
        insert(&mut config, "mode", &format!("{mode:?}"))?;
        insert(&mut config, "transport/link/tx/lease", &LEASE_MS.to_string())?;
        insert(&mut config, "transport/link/rx/max_message_size", &LARGEST_TRANSPORT_MESSAGE.to_string())?;
        insert(&mut config, "connect/retry", RETRY)?;
        insert(&mut config, "connect/timeout_ms", "{ router: 0, client: 3000 }")?;
        insert(&mut config, "connect/exit_on_failure", "{ router: false, client: true }")?;
        insert(&mut config, "scouting/gossip/enabled", "false")?;
        let is_local = self.security == Security::ThisHost;
        insert(&mut config, "scouting/multicast/enabled", if is_local { "false" } else { "true" })?;
        // Each cluster asks in a place of its own, and so never meets another.
        let address = format!("\"224.0.0.224:{}\"", usual_port(&self.cluster));
        insert(&mut config, "scouting/multicast/address", &address)?;
        match &self.security {
            Security::ThisHost | Security::OpenNetwork => {}
            Security::Password(path) => {
                let (user, password) = read_password(path)?;
                insert(&mut config, "transport/auth/usrpwd/user", &json(&user))?;
                insert(&mut config, "transport/auth/usrpwd/password", &json(&password))?;
                insert(&mut config, "transport/auth/usrpwd/dictionary_file", &json(&path.to_string_lossy()))?;
            }
            Security::Certificates(files) => {
                let file = |path: &PathBuf| json(&path.to_string_lossy());
                for (key, value) in [
                    ("root_ca_certificate", file(&files.authority)),
                    ("listen_certificate", file(&files.certificate)),
                    ("listen_private_key", file(&files.key)),
                    ("connect_certificate", file(&files.certificate)),
                    ("connect_private_key", file(&files.key)),
                    ("enable_mtls", "true".to_string()),
                    // Members are found by address; the authority alone says who belongs to us.
                    ("verify_name_on_connect", "false".to_string()),
                ] {
                    insert(&mut config, &format!("transport/link/tls/{key}"), &value)?;
                }
            }
        }
        Ok(config)
    }

    /// With certificates every link is encrypted, whatever the endpoint says.
    fn endpoint(&self, text: &str) -> String {
        let scheme = if matches!(self.security, Security::Certificates(_)) { "tls" } else { "tcp" };
        format!("{scheme}/{}", bare(text))
    }
}

/// Without `tcp/` or `tls/`.
fn bare(endpoint: &str) -> &str {
    endpoint.split_once('/').map_or(endpoint, |(_, address)| address)
}

fn is_this_host(address: &str) -> bool {
    let is_loopback = |address: SocketAddr| match address.ip() {
        IpAddr::V4(ip) => ip.is_loopback(),
        IpAddr::V6(ip) => ip.is_loopback(),
    };
    address.to_socket_addrs().is_ok_and(|mut addresses| addresses.all(is_loopback))
}

/// User and password of the first line.
fn read_password(path: &PathBuf) -> Result<(String, String), LinkError> {
    let refuse = |reason: String| LinkError::Password { path: path.clone(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    let first = text.lines().next().unwrap_or("");
    match first.split_once(':') {
        Some((user, password)) if !user.is_empty() && !password.is_empty() => Ok((user.into(), password.into())),
        _ => Err(refuse("its first line should be USER:PASSWORD".into())),
    }
}

fn insert(config: &mut Config, key: &str, value: &str) -> Result<(), LinkError> {
    config.insert_json5(key, value).map_err(network)
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn json_list(texts: &[String]) -> String {
    serde_json::Value::from(texts).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_without_the_lines_they_come_from() {
        let told =
            "No listener at tcp/[::1]:7: [in use (os error 98) at /a/b-1.0/src/tcp.rs:61.] at /a/unicast.rs:338.";
        assert_eq!(without_source_places(told), "No listener at tcp/[::1]:7: [in use (os error 98)]");
        assert_eq!(without_source_places(""), "");
    }

    #[test]
    fn nothing_leaves_this_host_without_being_asked_to() {
        let options = |listen: &str| LinkOptions { listen: vec![listen.into()], ..LinkOptions::new("home") };
        for local in ["127.0.0.1:7000", "tcp/127.0.0.1:7000", "[::1]:7000"] {
            assert!(options(local).check().is_ok(), "{local}");
        }
        for beyond in ["0.0.0.0:7000", "192.0.2.1:7000", "[::]:7000"] {
            assert!(matches!(options(beyond).check(), Err(LinkError::Insecure(_))), "{beyond}");
            let open = LinkOptions { security: Security::OpenNetwork, ..options(beyond) };
            assert!(open.check().is_ok());
        }
    }

    #[test]
    fn bad_options_get_one_sentence() {
        for name in ["", "a/b", "a*", "ä"] {
            assert!(matches!(LinkOptions::new(name).check(), Err(LinkError::Name(_))), "{name:?}");
        }
        for endpoint in ["127.0.0.1", ":70", "127.0.0.1:port", "127.0.0.1:99999"] {
            let options = LinkOptions { connect: vec![endpoint.into()], ..LinkOptions::new("home") };
            assert!(matches!(options.check(), Err(LinkError::Endpoint(_))), "{endpoint:?}");
        }
        let missing = Security::Password("no/such/file".into());
        let options = LinkOptions { security: missing, ..LinkOptions::new("home") };
        assert!(matches!(options.check(), Err(LinkError::Password { .. })));
    }
}
