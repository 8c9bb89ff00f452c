//! Membership by certificate: a message bears its sender's certificate and signature, and the cluster's authority says whose
//! certificates count. A certificate for the name `worker` is good for working only; any other for everything. The links
//! themselves are encrypted, so messages are not once more.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustls::SignatureScheme;
use rustls::crypto::{WebPkiSupportedAlgorithms, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::sign::SigningKey;
use serde::{Deserialize, Serialize};
use webpki::{EndEntityCert, KeyUsage};

use super::link::{Certificates, LinkError};
use crate::seal::{Permission, Role, Seal, signed_words};

/// A certificate that was good is not examined again for so long.
const TRUSTED_FOR: Duration = Duration::from_secs(60);
const MOST_TRUSTED: usize = 4096;
/// The name of those who only work.
const WORKER: &str = "worker";

pub struct CertificateSeal {
    certificate: CertificateDer<'static>,
    key: Arc<dyn SigningKey>,
    authorities: Vec<CertificateDer<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
    trusted: Mutex<HashMap<Vec<u8>, (Instant, Permission)>>,
}

#[derive(Serialize, Deserialize)]
struct Signed<'a> {
    certificate: &'a [u8],
    scheme: u16,
    signature: &'a [u8],
    plain: &'a [u8],
}

impl CertificateSeal {
    /// One sentence about the file that cannot be used, if one cannot.
    pub fn new(files: &Certificates) -> Result<CertificateSeal, LinkError> {
        let refuse = |path: &Path, reason: String| LinkError::Certificate { path: path.to_path_buf(), reason };
        let authorities = CertificateDer::pem_file_iter(&files.authority)
            .and_then(|found| found.collect::<Result<Vec<_>, _>>())
            .map_err(|error| refuse(&files.authority, error.to_string()))?;
        if authorities.is_empty() {
            return Err(refuse(&files.authority, "there is no certificate in it".to_string()));
        }
        let certificate = CertificateDer::from_pem_file(&files.certificate)
            .map_err(|error| refuse(&files.certificate, error.to_string()))?;
        let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| refuse(&files.key, error.to_string()))?;
        let key = ring::sign::any_supported_type(&key).map_err(|error| refuse(&files.key, error.to_string()))?;
        let algorithms = ring::default_provider().signature_verification_algorithms;
        let seal = CertificateSeal { certificate, key, authorities, algorithms, trusted: Mutex::default() };
        seal.examine(&seal.certificate).map_err(|reason| refuse(&files.certificate, reason))?;
        if seal.open(b"", &seal.close(b"", Role::Worker, b"")).is_none() {
            return Err(refuse(&files.key, "it is not the key of the certificate".to_string()));
        }
        Ok(seal)
    }

    /// What our authority lets the owner of this certificate do.
    fn examine(&self, certificate: &CertificateDer<'_>) -> Result<Permission, String> {
        let mut anchors = Vec::new();
        for authority in &self.authorities {
            anchors.push(webpki::anchor_from_trusted_cert(authority).map_err(|error| error.to_string())?);
        }
        let member = EndEntityCert::try_from(certificate).map_err(|error| error.to_string())?;
        let algorithms = self.algorithms.all;
        member
            .verify_for_usage(algorithms, &anchors, &[], UnixTime::now(), KeyUsage::client_auth(), None, None)
            .map_err(|error| format!("our authority does not vouch for it now ({error})"))?;
        let only_works = member.valid_dns_names().any(|name| name == WORKER);
        Ok(if only_works { Permission::WorkOnly } else { Permission::Everything })
    }

    fn permission_of(&self, certificate: &CertificateDer<'_>) -> Option<Permission> {
        let mut trusted = self.trusted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, permission)) = trusted.get(certificate.as_ref())
            && since.elapsed() < TRUSTED_FOR
        {
            return Some(*permission);
        }
        trusted.remove(certificate.as_ref());
        let permission = self.examine(certificate).ok()?;
        if trusted.len() >= MOST_TRUSTED {
            trusted.clear();
        }
        trusted.insert(certificate.to_vec(), (Instant::now(), permission));
        Some(permission)
    }
}

impl Seal for CertificateSeal {
    fn close(&self, context: &[u8], _: Role, plain: &[u8]) -> Vec<u8> {
        let schemes: Vec<SignatureScheme> = self.algorithms.mapping.iter().map(|(scheme, _)| *scheme).collect();
        let signer = self.key.choose_scheme(&schemes);
        let signature = signer.as_ref().and_then(|signer| signer.sign(&signed_words(context, plain)).ok());
        // Without a signature nobody listens, which is found out before anything is said.
        let scheme = signer.map_or(0, |signer| signer.scheme().into());
        let signature = signature.unwrap_or_default();
        let signed = Signed { certificate: &self.certificate, scheme, signature: &signature, plain };
        postcard::to_stdvec(&signed).expect("plain data can always be written to memory")
    }

    fn open(&self, context: &[u8], sealed: &[u8]) -> Option<(Vec<u8>, Permission)> {
        let signed: Signed<'_> = postcard::from_bytes(sealed).ok()?;
        let certificate = CertificateDer::from(signed.certificate);
        let permission = self.permission_of(&certificate)?;
        let member = EndEntityCert::try_from(&certificate).ok()?;
        let (words, scheme) = (signed_words(context, signed.plain), SignatureScheme::from(signed.scheme));
        let (_, algorithms) = self.algorithms.mapping.iter().find(|(known, _)| *known == scheme)?;
        let is_good = algorithms.iter().any(|&one| member.verify_signature(one, &words, signed.signature).is_ok());
        is_good.then(|| (signed.plain.to_vec(), permission))
    }

    fn permission(&self) -> Permission {
        self.permission_of(&self.certificate).unwrap_or(Permission::WorkOnly)
    }
}
