//! `/analysis`: KataGo's JSON analysis protocol over a WebSocket, as KaTrain's remote engine expects it: queries as text frames, answers
//! one to a line, no greeting. What the lines mean is the analysis service's business.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::Notify;
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::timeout;

use crate::minds::AnswerSink;
use crate::minds::QueryHandler;
use crate::socket::SEND_WITHIN;

/// Bytes of answers that may wait for a guest that does not read; with more the guest is let go. Whoever ends all that waits in
/// a full queue hears a hundred thousand short ones at once.
const WAITING_BYTES: usize = 32 << 20;

/// What a line takes while it waits.
fn bytes(line: &str) -> usize {
    line.len() + 2 * size_of::<String>()
}

/// Carries lines to and fro until the guest leaves, or is too slow to hear its answers.
pub async fn converse(mut socket: WebSocket, welcome: impl FnOnce(AnswerSink) -> QueryHandler) {
    let (sender, mut answers) = unbounded_channel::<String>();
    let waiting = Arc::new(AtomicUsize::new(0));
    let too_slow = Arc::new(Notify::new());
    let (filled, overflow) = (Arc::clone(&waiting), Arc::clone(&too_slow));
    let receive = welcome(Box::new(move |line| {
        let bytes = bytes(&line);
        if filled.fetch_add(bytes, Relaxed) + bytes > WAITING_BYTES {
            filled.fetch_sub(bytes, Relaxed);
            overflow.notify_one();
        } else {
            // Nobody is left to hear it if this fails.
            let _ = sender.send(line);
        }
    }));
    loop {
        let mut line = tokio::select! {
            Some(line) = answers.recv() => line,
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(text))) => {
                    text.lines().for_each(&receive);
                    continue;
                }
                Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
            },
            () = too_slow.notified() => break,
        };
        waiting.fetch_sub(bytes(&line), Relaxed);
        line.push('\n');
        if !matches!(timeout(SEND_WITHIN, socket.send(Message::text(line))).await, Ok(Ok(()))) {
            break;
        }
    }
}
