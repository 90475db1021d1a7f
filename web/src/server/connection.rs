//! Connections: one request each, a bounded number of them, for a bounded time.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use super::routes::respond;
use super::socket::CLOSING;
use super::state::{MOST_SOCKETS, WebState, end};

/// The most connections that are being answered; sockets of sessions are not among them.
const MOST_CONNECTIONS: usize = 128;
/// The time that a request has to arrive.
const ARRIVING: Duration = Duration::from_secs(10);
/// The time for a request and its answer.
const ANSWERING: Duration = Duration::from_secs(60);
/// The most bytes of the head of a request.
const MOST_HEAD: usize = 16 * 1024;
/// The interval at which sessions without a page are looked at.
const SWEEPING: Duration = Duration::from_secs(10);

/// The connections that are being answered, the oldest first.
#[derive(Debug, Default)]
struct Crowd(Mutex<CrowdState>);

#[derive(Debug, Default)]
struct CrowdState {
    last: u64,
    members: VecDeque<(u64, AbortHandle)>,
}

impl Crowd {
    fn lock(&self) -> MutexGuard<'_, CrowdState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the next connection.
    fn number(&self) -> u64 {
        let mut crowd = self.lock();
        crowd.last += 1;
        crowd.last
    }

    /// Adds a connection. If there are too many, the oldest ends: those that come and say nothing keep nobody out.
    fn enter(&self, number: u64, handle: AbortHandle) {
        let mut crowd = self.lock();
        if handle.is_finished() {
            return;
        }
        crowd.members.push_back((number, handle));
        if crowd.members.len() > MOST_CONNECTIONS
            && let Some((_, oldest)) = crowd.members.pop_front()
        {
            oldest.abort();
        }
    }

    fn leave(&self, number: u64) {
        self.lock().members.retain(|(other, _)| *other != number);
    }
}

/// Serves connections until the server ends.
pub(super) async fn accept(listener: TcpListener, state: Arc<WebState>) {
    let crowd = Arc::new(Crowd::default());
    let mut ends = state.ends.clone();
    let mut sweep = tokio::time::interval(SWEEPING);
    loop {
        tokio::select! {
            () = end(&mut ends) => break,
            _ = sweep.tick() => state.sessions.sweep(Instant::now()),
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => receive(stream, peer, &state, &crowd),
                // Too many open files, or a peer that has gone again.
                Err(_) => sleep(Duration::from_millis(50)).await,
            },
        }
    }
    // The pages are told; those that do not listen hold nobody up.
    let _ = timeout(CLOSING, state.sockets.acquire_many(MOST_SOCKETS)).await;
}

/// Serves a connection beside the others.
fn receive(stream: TcpStream, peer: SocketAddr, state: &Arc<WebState>, crowd: &Arc<Crowd>) {
    let number = crowd.number();
    let (state, crowd_of_task) = (Arc::clone(state), Arc::clone(crowd));
    let task = tokio::spawn(async move {
        // What is wrong with a connection concerns its other end.
        let _ = serve(stream, peer, state).await;
        crowd_of_task.leave(number);
    });
    crowd.enter(number, task.abort_handle());
}

async fn serve(stream: TcpStream, peer: SocketAddr, state: Arc<WebState>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let service = service_fn(move |request| respond(Arc::clone(&state), peer, request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(ARRIVING)
        .max_buf_size(MOST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    match timeout(ANSWERING, connection).await {
        Ok(served) => served.map_err(io::Error::other),
        Err(late) => Err(late.into()),
    }
}
