//! Connections, bounded in number. One too many is told so and closed; those inside do not notice.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// Many more than a person has tabs, and fewer than the files a process may usually open.
const MOST_CONNECTIONS: usize = 256;

/// A client that connects has something to say.
const LONGEST_SILENCE: Duration = Duration::from_secs(10);

const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 29\r\n\r\ntoo many connections are open";

pub struct Turnstile {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Turnstile {
    pub fn new(listener: TcpListener) -> Turnstile {
        Turnstile { listener, places: Arc::new(Semaphore::new(MOST_CONNECTIONS)) }
    }
}

impl Listener for Turnstile {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            // axum's own way with the system's passing troubles, such as too many open files.
            let (stream, peer) = Listener::accept(&mut self.listener).await;
            match Arc::clone(&self.places).try_acquire_owned() {
                Ok(place) => {
                    let silence = Some(Box::pin(sleep(LONGEST_SILENCE)));
                    return (Connection { stream, silence, _place: place }, peer);
                }
                // As much of the answer as fits without waiting, which is all of it.
                Err(_) => drop(stream.try_write(REFUSAL)),
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection and the place it takes.
pub struct Connection {
    stream: TcpStream,
    /// Ends a connection on which nothing was ever said: it would keep its place for ever.
    silence: Option<Pin<Box<Sleep>>>,
    _place: OwnedSemaphorePermit,
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        match &mut self.silence {
            Some(silence) if read.is_pending() => match silence.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                Poll::Pending => Poll::Pending,
            },
            _ => {
                self.silence = None;
                read
            }
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
