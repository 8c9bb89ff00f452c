//! The client's files. In release builds they are part of the program; in development builds they are read from the folder each
//! time, so that a change shows on reload.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
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
    let tag = format!("\"{}\"", hash[..16].iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    // The browser asks each time and is told that nothing changed: an update of the program shows at once.
    let kept = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    (kept, [(CONTENT_TYPE, media_type(path))], file.data).into_response()
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
