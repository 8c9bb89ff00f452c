//! `/analysis`: KataGo's JSON analysis protocol over a WebSocket, as KaTrain's remote engine expects it: queries as text frames, answers
//! one to a line, no greeting. What the lines mean is the analysis service's business.

use axum::extract::ws::{Message, WebSocket};
use tokio::sync::mpsc::channel;
use tokio::time::timeout;

use crate::minds::AnswerLine;
use crate::minds::HearLine;
use crate::socket::SEND_WITHIN;

/// Answers that may wait for a guest that does not read; with more the guest is let go.
const WAITING_ANSWERS: usize = 1024;

/// Carries lines to and fro until the guest leaves, or is too slow to hear its answers.
pub async fn converse(mut socket: WebSocket, welcome: impl FnOnce(AnswerLine) -> HearLine) {
    let (sender, mut answers) = channel::<String>(WAITING_ANSWERS);
    let too_slow = std::sync::Arc::new(tokio::sync::Notify::new());
    let overflow = std::sync::Arc::clone(&too_slow);
    let hear = welcome(Box::new(move |line| {
        if sender.try_send(line).is_err() {
            overflow.notify_one();
        }
    }));
    loop {
        let mut line = tokio::select! {
            Some(line) = answers.recv() => line,
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(text))) => {
                    text.lines().for_each(&hear);
                    continue;
                }
                Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
            },
            () = too_slow.notified() => break,
        };
        line.push('\n');
        if !matches!(timeout(SEND_WITHIN, socket.send(Message::text(line))).await, Ok(Ok(()))) {
            break;
        }
    }
}
