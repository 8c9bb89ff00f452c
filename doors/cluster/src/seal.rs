//! What makes bytes a member's message: they open with the cluster's secret, or bear the signature of a certificate that the
//! cluster's authority gave. Who sends, in which role, the how-manieth message it is and what it is about are all inside.

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{Key, KeyInit, XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};

/// What a member does in a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Searches and plays games for others.
    Worker,
    /// Says what to search.
    Coordinator,
    /// Hands out jobs.
    Jobs,
    /// Asks how the cluster is doing.
    Observer,
}

/// The roles that a proof of membership is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    Everything,
    /// Works and looks, but tells nobody what to do.
    WorkOnly,
}

impl Permission {
    pub fn allows(self, role: Role) -> bool {
        self == Permission::Everything || matches!(role, Role::Worker | Role::Observer)
    }
}

/// Proves messages and checks the proofs of others. `context` is what both sides know: a message for one place proves nothing
/// in another.
pub trait Seal: Send + Sync {
    fn close(&self, context: &[u8], plain: &[u8]) -> Vec<u8>;
    /// None if no member made this.
    fn open(&self, context: &[u8], sealed: &[u8]) -> Option<(Vec<u8>, Permission)>;
}

/// All who know one secret: it encrypts, and whoever knows it may do everything.
pub struct SecretSeal {
    cipher: XChaCha20Poly1305,
    link_password: String,
}

/// A guess costs this much memory and so many passes over it, about a tenth of a second, for us once and for a thief each time.
const HASH_KILOBYTES: u32 = 64 * 1024;
const HASH_PASSES: u32 = 2;
const KEY: usize = 32;
const NONCE: usize = 24;

/// From the system, which has no reason not to give them.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random numbers");
    bytes
}

impl SecretSeal {
    /// The keys that follow from a secret, for a cluster of this name.
    pub fn new(secret: &str, cluster: &str) -> SecretSeal {
        let parameters = Params::new(HASH_KILOBYTES, HASH_PASSES, 1, Some(2 * KEY)).expect("good parameters");
        let salt = format!("jigo cluster {cluster}");
        let mut keys = [0; 2 * KEY];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
            .hash_password_into(secret.as_bytes(), salt.as_bytes(), &mut keys)
            .expect("the salt and the keys have good lengths");
        let (cipher, link) = keys.split_first_chunk::<KEY>().expect("two keys");
        SecretSeal {
            cipher: XChaCha20Poly1305::new(&Key::from(*cipher)),
            link_password: link.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }

    /// What a link is opened with. It follows from the secret but does not tell it, nor the key of messages.
    pub fn link_password(&self) -> &str {
        &self.link_password
    }
}

impl Seal for SecretSeal {
    fn close(&self, context: &[u8], plain: &[u8]) -> Vec<u8> {
        let nonce = XNonce::from(random_bytes::<NONCE>());
        let sealed = self.cipher.encrypt(&nonce, Payload { msg: plain, aad: context });
        [nonce.as_slice(), &sealed.expect("a message is not as long as that")].concat()
    }

    fn open(&self, context: &[u8], sealed: &[u8]) -> Option<(Vec<u8>, Permission)> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let plain = self.cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: context }).ok()?;
        Some((plain, Permission::Everything))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_secret_cluster_and_place_open_a_message() {
        let seal = SecretSeal::new("open sesame", "home");
        let sealed = seal.close(b"up", b"hello");
        assert_eq!(seal.open(b"up", &sealed), Some((b"hello".to_vec(), Permission::Everything)));
        assert_eq!(SecretSeal::new("open sesame", "home").open(b"up", &sealed).unwrap().0, b"hello");
        for stranger in [SecretSeal::new("open barley", "home"), SecretSeal::new("open sesame", "away")] {
            assert_eq!(stranger.open(b"up", &sealed), None);
        }
        assert_eq!(seal.open(b"down", &sealed), None);
        for at in 0..sealed.len() {
            let mut bent = sealed.clone();
            bent[at] ^= 1;
            assert_eq!(seal.open(b"up", &bent), None);
            assert_eq!(seal.open(b"up", &sealed[..at]), None);
        }
        assert_ne!(sealed, seal.close(b"up", b"hello"), "no two messages are alike");
    }

    #[test]
    fn a_worker_tells_nobody_what_to_do() {
        let may = |role| Permission::WorkOnly.allows(role);
        assert!(may(Role::Worker) && may(Role::Observer) && !may(Role::Coordinator) && !may(Role::Jobs));
    }
}
