//! What makes bytes a member's message: they open with the cluster's secret, or bear the signature of a certificate that the
//! cluster's authority gave. Who sends, in which role, the how-manieth message it is and what it is about are all inside.
//!
//! A secret makes three keys: one opens links, one encrypts, one signs orders. A worker's pass holds the first two and the
//! public half of the third: its owner hears orders and obeys, and gives none.

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{Key, KeyInit, XChaCha20Poly1305, XNonce};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
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
    /// What a member says in this role.
    fn close(&self, context: &[u8], role: Role, plain: &[u8]) -> Vec<u8>;
    /// None if no member made this.
    fn open(&self, context: &[u8], sealed: &[u8]) -> Option<(Vec<u8>, Permission)>;
    /// What others allow us.
    fn permission(&self) -> Permission;
}

/// What is signed: the same words in another place are others.
pub(crate) fn signed_words(context: &[u8], plain: &[u8]) -> Vec<u8> {
    [&(context.len() as u64).to_le_bytes(), context, plain].concat()
}

/// All who know one secret: whoever knows it may do everything, and whoever has a pass made of it may work.
pub struct SecretSeal {
    cipher: XChaCha20Poly1305,
    pass: Pass,
    /// Signs orders; a pass has none.
    signer: Option<Ed25519KeyPair>,
}

/// What a worker needs to know.
struct Pass {
    cipher: [u8; KEY],
    link: [u8; KEY],
    /// Orders are good if this says so.
    orders: [u8; KEY],
}

/// How a pass begins, in a file where otherwise a secret is.
pub const PASS: &str = "jigo-worker-pass-1:";

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
        let parameters = Params::new(HASH_KILOBYTES, HASH_PASSES, 1, Some(3 * KEY)).expect("good parameters");
        let salt = format!("jigo cluster {cluster}");
        let mut keys = [0; 3 * KEY];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
            .hash_password_into(secret.as_bytes(), salt.as_bytes(), &mut keys)
            .expect("the salt and the keys have good lengths");
        let [cipher, link, seed] = parts(&keys);
        let signer = Ed25519KeyPair::from_seed_unchecked(&seed).expect("any seed of this length is good");
        let orders = signer.public_key().as_ref().try_into().expect("a public key of the usual length");
        SecretSeal::with(Pass { cipher, link, orders }, Some(signer))
    }

    fn with(pass: Pass, signer: Option<Ed25519KeyPair>) -> SecretSeal {
        SecretSeal { cipher: XChaCha20Poly1305::new(&Key::from(pass.cipher)), pass, signer }
    }

    /// The keys in a worker's pass, if it is one.
    pub fn from_pass(text: &str) -> Option<SecretSeal> {
        let digits = text.strip_prefix(PASS).filter(|digits| digits.len() == 6 * KEY)?;
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let keys: Vec<u8> = digits.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?;
        let [cipher, link, orders] = parts(&keys.try_into().ok()?);
        Some(SecretSeal::with(Pass { cipher, link, orders }, None))
    }

    /// What lets a worker in and lets it give no orders: the first line of a file of its own.
    pub fn worker_pass(&self) -> String {
        let Pass { cipher, link, orders } = &self.pass;
        [PASS, &hex(cipher), &hex(link), &hex(orders)].concat()
    }

    /// What a link is opened with. It follows from the secret but does not tell it, nor the key of messages.
    pub fn link_password(&self) -> String {
        hex(&self.pass.link)
    }
}

fn parts(keys: &[u8; 3 * KEY]) -> [[u8; KEY]; 3] {
    let part = |number: usize| keys[number * KEY..][..KEY].try_into().expect("a third of the keys");
    [part(0), part(1), part(2)]
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Seal for SecretSeal {
    fn close(&self, context: &[u8], role: Role, plain: &[u8]) -> Vec<u8> {
        let is_order = !Permission::WorkOnly.allows(role);
        let signature = self.signer.as_ref().filter(|_| is_order).map(|key| key.sign(&signed_words(context, plain)));
        let signature: &[u8] = signature.as_ref().map(AsRef::as_ref).unwrap_or_default();
        // How long the signature is, the signature, the message.
        let plain = [&[signature.len() as u8][..], signature, plain].concat();
        let nonce = XNonce::from(random_bytes::<NONCE>());
        let sealed = self.cipher.encrypt(&nonce, Payload { msg: &plain, aad: context });
        [nonce.as_slice(), &sealed.expect("a message is not as long as that")].concat()
    }

    fn open(&self, context: &[u8], sealed: &[u8]) -> Option<(Vec<u8>, Permission)> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let opened = self.cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: context }).ok()?;
        let (&length, rest) = opened.split_first()?;
        let (signature, plain) = rest.split_at_checked(length.into())?;
        if signature.is_empty() {
            return Some((plain.to_vec(), Permission::WorkOnly));
        }
        let orders = UnparsedPublicKey::new(&ED25519, self.pass.orders);
        orders.verify(&signed_words(context, plain), signature).ok()?;
        Some((plain.to_vec(), Permission::Everything))
    }

    fn permission(&self) -> Permission {
        if self.signer.is_some() { Permission::Everything } else { Permission::WorkOnly }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_secret_cluster_and_place_open_a_message() {
        let seal = SecretSeal::new("open sesame", "home");
        let sealed = seal.close(b"up", Role::Coordinator, b"hello");
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
        assert_ne!(sealed, seal.close(b"up", Role::Coordinator, b"hello"), "no two messages are alike");
    }

    #[test]
    fn a_pass_hears_orders_and_gives_none() {
        let seal = SecretSeal::new("open sesame", "home");
        let pass = SecretSeal::from_pass(&seal.worker_pass()).unwrap();
        assert_eq!((pass.link_password(), pass.worker_pass()), (seal.link_password(), seal.worker_pass()));
        assert_eq!((seal.permission(), pass.permission()), (Permission::Everything, Permission::WorkOnly));
        let order = seal.close(b"down", Role::Coordinator, b"think");
        assert_eq!(pass.open(b"down", &order), Some((b"think".to_vec(), Permission::Everything)));
        let claim = pass.close(b"down", Role::Coordinator, b"think");
        assert_eq!(seal.open(b"down", &claim), Some((b"think".to_vec(), Permission::WorkOnly)));
        // The owner of a pass knows how to encrypt: an order with somebody else's signature is no message at all.
        let forged = Pass { cipher: pass.pass.cipher, link: pass.pass.link, orders: pass.pass.orders };
        let own_key = Ed25519KeyPair::from_seed_unchecked(&[7; KEY]).unwrap();
        let forged = SecretSeal::with(forged, Some(own_key)).close(b"down", Role::Coordinator, b"think");
        assert_eq!(seal.open(b"down", &forged), None);
        for broken in ["", PASS, "jigo-worker-pass-1:00", &seal.worker_pass()[..200], &(seal.worker_pass() + "00")] {
            assert!(SecretSeal::from_pass(broken).is_none(), "{broken}");
        }
    }

    #[test]
    fn a_worker_tells_nobody_what_to_do() {
        let may = |role| Permission::WorkOnly.allows(role);
        assert!(may(Role::Worker) && may(Role::Observer) && !may(Role::Coordinator) && !may(Role::Jobs));
    }
}
