//! The client's files. In release builds they are part of the program; in development builds they are read from the folder each
//! time, so that a change shows on reload. They travel compressed, which makes the page a third as heavy.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "client/"]
struct Client;

/// The file of this path, or the page itself for `/`.
pub async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match Client::get(path) {
        Some(file) => answer(path, file, &headers),
        None => (StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}

fn answer(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let accepts = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_packed = accepts.split(',').any(|coding| coding.trim().split(';').next() == Some("gzip"));
    let name: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{name}{}\"", if is_packed { "-gz" } else { "" });
    // The browser asks each time and is told that nothing changed: an update of the program shows at once.
    let kept = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".to_owned()), (VARY, "accept-encoding".to_owned())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let kind = [(CONTENT_TYPE, media_type(path))];
    match is_packed.then(|| packed(hash, &file.data)).flatten() {
        Some(bytes) => (kept, kind, [(CONTENT_ENCODING, "gzip")], bytes).into_response(),
        None => (kept, kind, file.data).into_response(),
    }
}

/// A file compressed; each is compressed once.
fn packed(hash: [u8; 32], data: &[u8]) -> Option<Bytes> {
    static PACKED: LazyLock<Mutex<HashMap<[u8; 32], Bytes>>> = LazyLock::new(Mutex::default);
    let mut packed = PACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = packed.get(&hash) {
        return Some(known.clone());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).ok()?;
    let bytes = Bytes::from(encoder.finish().ok()?);
    packed.insert(hash, bytes.clone());
    Some(bytes)
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}
