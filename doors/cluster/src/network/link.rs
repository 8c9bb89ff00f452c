//! Joining a cluster over the network: who listens where, who may come in.
//!
//! zenoh's own defaults are open to the world. Ours are not: without a password or certificates nothing leaves this host
//! unless the owner says that the network is trusted. A link proves its opener to its keeper and not the other way round, so
//! the keeper is asked for a proof (`proof.rs`), what travels is sealed besides, and whoever carries it learns and says nothing.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use zenoh::config::WhatAmI;
use zenoh::{Config, Session, Wait};

use super::certificate::CertificateSeal;
use super::{close, proof};
use crate::seal::{PASS, Permission, Seal, SecretSeal};
use crate::secret::{SecretError, own_secret, read_secret};

/// How members know each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Security {
    /// Nobody outside this host, and on it only its user: the secret is in this file, which is made when it is missing.
    ThisHost(PathBuf),
    /// Everybody who reaches us is a friend.
    OpenNetwork,
    /// Whoever knows the secret in the first line of this file; a worker's pass may be in its place.
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
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error("the file {} cannot be used: {reason}", path.display())]
    Certificate { path: PathBuf, reason: String },
    #[error("the worker's pass is damaged: make it again with jigo cluster pass")]
    DamagedPass,
    #[error("a pass is made of a password; with certificates, one for the name worker does the same")]
    NoPass,
    #[error(
        "a worker's pass or certificate is good for working only: to coordinate or to hand out games, prove yourself \
         with the password itself or with another certificate"
    )]
    WorkOnly,
    #[error(
        "somebody is at {0} and does not let us in: the password or the certificate is another one, unless too many were at \
         the door just now"
    )]
    ShutOut(String),
    #[error("whoever is at {0} closes the door at once: too many wait there already, or another program is there")]
    Full(String),
    #[error("a stranger is at {}: whoever is there lets us in and cannot prove to be a member of the cluster", bare_list(.0))]
    Stranger(Vec<String>),
    #[error("nobody is at {0}")]
    Empty(String),
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
/// Whom links are opened for; what counts is the password.
const LINK_USER: &str = "jigo";
const KNOCK_TIME: Duration = Duration::from_secs(1);
const SCOUT_TIME: Duration = Duration::from_millis(600);

/// Where members of this cluster look for each other if nobody says otherwise. Systems take the ports of outgoing connections
/// from 32768 on (Linux) or 49152 on (the others); one of those might be in use when we want to listen, by a program that does
/// not even know of it.
fn usual_port(cluster: &str) -> u16 {
    let hash = cluster.bytes().fold(0x811C_9DC5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    20000 + (hash % 12000) as u16
}

/// Those who wait at the door at one time, and how long they may: a crowd of half-open links does not keep a member out.
const MOST_AT_THE_DOOR: usize = 2000;
const DOOR_TIME_MS: u64 = 3000;
const MOST_SESSIONS: usize = 5000;

/// What we prove ourselves with.
pub struct Credentials {
    pub seal: Arc<dyn Seal>,
    /// Links are opened with it; none if certificates or nobody guard them.
    link_password: Option<String>,
}

impl Credentials {
    /// For those who want to say what others do.
    pub fn check_orders(&self) -> Result<(), LinkError> {
        match self.seal.permission() {
            Permission::Everything => Ok(()),
            Permission::WorkOnly => Err(LinkError::WorkOnly),
        }
    }
}

impl LinkOptions {
    pub fn new(cluster: &str, security: Security) -> LinkOptions {
        LinkOptions { cluster: cluster.to_string(), connect: Vec::new(), listen: Vec::new(), security }
    }

    /// Reads what we prove ourselves with. Takes a tenth of a second, so that guessing takes long.
    pub fn credentials(&self) -> Result<Credentials, LinkError> {
        self.check()?;
        if let Security::Certificates(files) = &self.security {
            return Ok(Credentials { seal: Arc::new(CertificateSeal::new(files)?), link_password: None });
        }
        let seal = self.secret_seal()?;
        let link_password = (self.security != Security::OpenNetwork).then(|| seal.link_password());
        Ok(Credentials { seal: Arc::new(seal), link_password })
    }

    fn secret_seal(&self) -> Result<SecretSeal, LinkError> {
        let secret = match &self.security {
            Security::ThisHost(path) => own_secret(path)?,
            Security::Password(path) => read_secret(path)?,
            Security::OpenNetwork => String::new(),
            Security::Certificates(_) => return Err(LinkError::NoPass),
        };
        if secret.starts_with(PASS) {
            return SecretSeal::from_pass(&secret).ok_or(LinkError::DamagedPass);
        }
        Ok(SecretSeal::new(&secret, &self.cluster))
    }

    /// A line for a file of those who are to work only.
    pub fn worker_pass(&self) -> Result<String, LinkError> {
        self.check()?;
        Ok(self.secret_seal()?.worker_pass())
    }

    fn is_local(&self) -> bool {
        matches!(self.security, Security::ThisHost(_))
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
            if self.is_local() && !is_this_host(address) {
                return Err(LinkError::Insecure(endpoint.clone()));
            }
        }
        Ok(())
    }

    /// Opens a place where others come in: a coordinator's or a hub's.
    pub fn host(&self, credentials: &Credentials) -> Result<Session, LinkError> {
        let mut config = self.config("router", credentials)?;
        let listen = match (&self.listen[..], &self.security) {
            ([], Security::ThisHost(_)) => vec![self.endpoint(&format!("127.0.0.1:{}", usual_port(&self.cluster)))],
            ([], _) => vec![self.endpoint(&format!("0.0.0.0:{}", usual_port(&self.cluster)))],
            (listen, _) => listen.iter().map(|endpoint| self.endpoint(endpoint)).collect(),
        };
        insert(&mut config, "listen/endpoints", &json_list(&listen))?;
        insert(&mut config, "scouting/multicast/autoconnect", "{ router: [\"router\"] }")?;
        let connect: Vec<String> = self.connect.iter().map(|endpoint| self.endpoint(endpoint)).collect();
        insert(&mut config, "connect/endpoints", &json_list(&connect))?;
        // Whom to let in is read from a file, which is there only while the place is opened.
        let _letters = match &credentials.link_password {
            Some(password) => {
                let mut file = tempfile::NamedTempFile::new().map_err(network)?;
                writeln!(file, "{LINK_USER}:{password}").map_err(network)?;
                let path = json(&file.path().to_string_lossy());
                insert(&mut config, "transport/auth/usrpwd/dictionary_file", &path)?;
                Some(file)
            }
            None => None,
        };
        let session = zenoh::open(config).wait().map_err(network)?;
        proof::answer_for(&session, &self.cluster, &credentials.seal).map_err(network)?;
        Ok(session)
    }

    /// Goes in where others are, and says where that was sought. Fails if nobody is there yet, or nobody but strangers. Places
    /// where these were met before are left out, as long as there are others.
    pub fn join(&self, credentials: &Credentials, strange: &[String]) -> Result<(Session, Vec<String>), LinkError> {
        let mut config = self.config("client", credentials)?;
        let named = |endpoints: &[String]| {
            let all: Vec<String> = endpoints.iter().map(|endpoint| self.endpoint(endpoint)).collect();
            let others: Vec<String> = all.iter().filter(|endpoint| !strange.contains(endpoint)).cloned().collect();
            if others.is_empty() { all } else { others }
        };
        let connect = match (&self.connect[..], &self.security) {
            ([], Security::ThisHost(_)) => named(&[format!("127.0.0.1:{}", usual_port(&self.cluster))]),
            ([], _) => self.scout(credentials, strange)?,
            (connect, _) => named(connect),
        };
        if connect.is_empty() {
            return Err(LinkError::Nobody(self.cluster.clone()));
        }
        insert(&mut config, "connect/endpoints", &json_list(&connect))?;
        insert(&mut config, "scouting/multicast/enabled", "false")?;
        let session = zenoh::open(config).wait().map_err(|_| shut_out_or_empty(&connect))?;
        if !proof::is_kept_by_member(&session, &self.cluster, &credentials.seal) {
            close(&session);
            return Err(LinkError::Stranger(connect));
        }
        Ok((session, connect))
    }

    /// A coordinator hosts, unless it was told whom to join or somebody else hosts the cluster on this machine already.
    pub fn host_or_join(&self, credentials: &Credentials) -> Result<Session, LinkError> {
        if self.listen.is_empty() && !self.connect.is_empty() {
            return Ok(self.join(credentials, &[])?.0);
        }
        match self.host(credentials) {
            Err(LinkError::Network(reason)) if self.listen.is_empty() => {
                let usual = format!("127.0.0.1:{}", usual_port(&self.cluster));
                let there = LinkOptions { connect: vec![usual], ..self.clone() };
                let joined = there.join(credentials, &[]).map_err(|error| match error {
                    stranger @ LinkError::Stranger(_) => stranger,
                    _ => LinkError::Network(reason),
                });
                Ok(joined?.0)
            }
            other => other,
        }
    }

    /// Asks around on the local networks for hosts of this cluster. Anybody may answer.
    fn scout(&self, credentials: &Credentials, strange: &[String]) -> Result<Vec<String>, LinkError> {
        let config = self.config("client", credentials)?;
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
            endpoints.extend(locators.into_iter().filter(|locator| !strange.contains(locator)));
            if !endpoints.is_empty() {
                break;
            }
        }
        asking.stop();
        Ok(endpoints)
    }

    fn config(&self, mode: &str, credentials: &Credentials) -> Result<Config, LinkError> {
        let mut config = Config::default();
        insert(&mut config, "mode", &format!("{mode:?}"))?;
        insert(&mut config, "transport/link/tx/lease", &LEASE_MS.to_string())?;
        insert(&mut config, "transport/link/rx/max_message_size", &LARGEST_TRANSPORT_MESSAGE.to_string())?;
        insert(&mut config, "connect/retry", RETRY)?;
        insert(&mut config, "connect/timeout_ms", "{ router: 0, client: 3000 }")?;
        insert(&mut config, "connect/exit_on_failure", "{ router: false, client: true }")?;
        insert(&mut config, "scouting/gossip/enabled", "false")?;
        insert(&mut config, "transport/unicast/accept_pending", &MOST_AT_THE_DOOR.to_string())?;
        insert(&mut config, "transport/unicast/accept_timeout", &DOOR_TIME_MS.to_string())?;
        insert(&mut config, "transport/unicast/max_sessions", &MOST_SESSIONS.to_string())?;
        insert(&mut config, "scouting/multicast/enabled", if self.is_local() { "false" } else { "true" })?;
        // Each cluster asks at a port of its own, and so hardly ever meets another.
        let address = format!("\"224.0.0.224:{}\"", usual_port(&self.cluster));
        insert(&mut config, "scouting/multicast/address", &address)?;
        if let Some(password) = &credentials.link_password {
            insert(&mut config, "transport/auth/usrpwd/user", &json(LINK_USER))?;
            insert(&mut config, "transport/auth/usrpwd/password", &json(password))?;
        }
        if let Security::Certificates(files) = &self.security {
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

/// Why none of these places let us in. The network library does not tell, so we knock and say nothing: whoever has room for
/// one more waits for our words, whatever the password is, and a door with too many before it is closed at once.
fn shut_out_or_empty(endpoints: &[String]) -> LinkError {
    for endpoint in endpoints {
        let mut addresses = bare(endpoint).to_socket_addrs().into_iter().flatten();
        let opened = addresses.find_map(|address| TcpStream::connect_timeout(&address, KNOCK_TIME).ok());
        if let Some(mut link) = opened {
            link.set_read_timeout(Some(KNOCK_TIME)).ok();
            let has_room = match link.read(&mut [0]) {
                Ok(said) => said > 0,
                Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
            };
            let place = bare(endpoint).to_string();
            return if has_room { LinkError::ShutOut(place) } else { LinkError::Full(place) };
        }
    }
    LinkError::Empty(bare_list(endpoints))
}

fn bare_list(endpoints: &[String]) -> String {
    endpoints.iter().map(|endpoint| bare(endpoint)).collect::<Vec<_>>().join(", ")
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

    fn here(cluster: &str) -> LinkOptions {
        LinkOptions::new(cluster, Security::ThisHost("secret".into()))
    }

    #[test]
    fn errors_are_told_without_the_lines_they_come_from() {
        let told =
            "No listener at tcp/[::1]:7: [in use (os error 98) at /a/b-1.0/src/tcp.rs:61.] at /a/unicast.rs:338.";
        assert_eq!(without_source_places(told), "No listener at tcp/[::1]:7: [in use (os error 98)]");
        assert_eq!(without_source_places(""), "");
    }

    #[test]
    fn nothing_leaves_this_host_without_being_asked_to() {
        let options = |listen: &str| LinkOptions { listen: vec![listen.into()], ..here("home") };
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
            assert!(matches!(here(name).check(), Err(LinkError::Name(_))), "{name:?}");
        }
        for endpoint in ["127.0.0.1", ":70", "127.0.0.1:port", "127.0.0.1:99999"] {
            let options = LinkOptions { connect: vec![endpoint.into()], ..here("home") };
            assert!(matches!(options.check(), Err(LinkError::Endpoint(_))), "{endpoint:?}");
        }
        let missing = Security::Password("no/such/file".into());
        assert!(matches!(LinkOptions::new("home", missing).credentials(), Err(LinkError::Secret(_))));
    }
}
