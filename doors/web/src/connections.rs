//! Connections, bounded in number and in time. A stranger (who has not yet sent a whole request we like) gets a place in a small
//! waiting room; when that is full, the address with most strangers loses the one that has waited longest. So slow strangers only
//! ever push out each other, and those who are in do not notice.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep};

/// Many more than a person has tabs, and fewer than the files a process may usually open.
const MOST_CONNECTIONS: usize = 256;
/// Of these, for strangers.
const MOST_STRANGERS: usize = 64;

/// The head of a request has to be here in this time, the first as well as the next on a connection that is kept.
const HEAD_WITHIN: Duration = Duration::from_secs(10);
/// A client that takes nothing of an answer for so long is gone.
const TAKE_WITHIN: Duration = Duration::from_secs(20);
/// After a failure to accept, such as too many open files, it is tried again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(200);

const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 29\r\n\r\ntoo many connections are open";

/// Serves everybody who comes until the process ends.
pub async fn serve(listener: TcpListener, routes: Router) {
    let hall = Arc::new(Hall::default());
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            sleep(ACCEPT_AGAIN).await;
            continue;
        };
        let Some(permit) = hall.enter(peer.ip()) else {
            // As much of the answer as fits without waiting, which is all of it.
            drop(stream.try_write(REFUSAL));
            continue;
        };
        tokio::spawn(converse(stream, permit, routes.clone()));
    }
}

async fn converse(stream: TcpStream, permit: Arc<Permit>, routes: Router) {
    let connection = Connection { stream, stalled: None, _permit: Arc::clone(&permit) };
    let service = TowerToHyperService::new(routes.layer(Extension(Arc::clone(&permit))));
    let conversation = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .serve_connection(TokioIo::new(connection), service)
        .with_upgrades();
    tokio::select! {
        _ = conversation => {}
        () = permit.shown_out.notified() => {}
    }
}

/// Everybody who is connected.
#[derive(Default)]
struct Hall {
    guests: Mutex<Guests>,
}

#[derive(Default)]
struct Guests {
    admitted: usize,
    /// Those who came first are first.
    strangers: Vec<(IpAddr, Arc<Notify>)>,
}

impl Hall {
    fn lock(&self) -> MutexGuard<'_, Guests> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Hall>, address: IpAddr) -> Option<Arc<Permit>> {
        let mut guests = self.lock();
        if guests.admitted + MOST_STRANGERS >= MOST_CONNECTIONS {
            return None;
        }
        let shown_out = Arc::new(Notify::new());
        guests.strangers.push((address, Arc::clone(&shown_out)));
        if guests.strangers.len() > MOST_STRANGERS {
            let index = most_crowding(&guests.strangers);
            guests.strangers.remove(index).1.notify_one();
        }
        Some(Arc::new(Permit { hall: Arc::clone(self), address, shown_out, is_admitted: AtomicBool::new(false) }))
    }
}

/// The longest waiting stranger from the address that has most of them.
fn most_crowding(strangers: &[(IpAddr, Arc<Notify>)]) -> usize {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    for (address, _) in strangers {
        *counts.entry(*address).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    strangers.iter().position(|(address, _)| counts[address] == most).unwrap_or(0)
}

/// The permit of one connection, given back when the connection ends.
pub struct Permit {
    hall: Arc<Hall>,
    address: IpAddr,
    /// Told when a stranger has to make room.
    shown_out: Arc<Notify>,
    is_admitted: AtomicBool,
}

impl Permit {
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// Its guest has sent a request that may be answered, and is no stranger any more.
    pub fn admit(&self) {
        if self.is_admitted.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut guests = self.hall.lock();
        guests.strangers.retain(|(_, stranger)| !Arc::ptr_eq(stranger, &self.shown_out));
        guests.admitted += 1;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut guests = self.hall.lock();
        if *self.is_admitted.get_mut() {
            guests.admitted -= 1;
        } else {
            guests.strangers.retain(|(_, stranger)| !Arc::ptr_eq(stranger, &self.shown_out));
        }
    }
}

/// A connection and the permit it holds. It ends when its client takes nothing for too long.
struct Connection {
    stream: TcpStream,
    stalled: Option<Pin<Box<Sleep>>>,
    _permit: Arc<Permit>,
}

impl Connection {
    fn unless_stalled<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(TAKE_WITHIN)));
        stalled.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.unless_stalled(cx, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn a_crowd_of_strangers_pushes_out_its_own() {
        let hall = Arc::new(Hall::default());
        let newcomer = hall.enter(address(1)).unwrap();
        let crowd: Vec<_> = (0..500).map(|_| hall.enter(address(2)).unwrap()).collect();
        let guests = hall.lock();
        assert_eq!(guests.strangers.len(), MOST_STRANGERS);
        assert!(guests.strangers.iter().any(|(_, stranger)| Arc::ptr_eq(stranger, &newcomer.shown_out)));
        drop(guests);
        newcomer.admit();
        drop(crowd);
        let guests = hall.lock();
        assert_eq!((guests.admitted, guests.strangers.len()), (1, 0));
    }

    #[test]
    fn those_who_are_in_are_bounded_and_give_their_permit_back() {
        let hall = Arc::new(Hall::default());
        let enter = || hall.enter(address(1)).inspect(|permit| permit.admit());
        let inside: Vec<_> = std::iter::from_fn(enter).take(1000).collect();
        assert_eq!(inside.len(), MOST_CONNECTIONS - MOST_STRANGERS);
        drop(inside);
        assert!(enter().is_some());
    }
}
