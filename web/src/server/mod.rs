//! The server: the page for everybody who calls it by its name, engines and files for those who have the key.
//!
//! One thread serves all connections; what waits for a disk or an engine has threads of its own.

mod answer;
mod connection;
mod files;
mod join;
mod request;
mod routes;
mod socket;
mod state;
mod ticket;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tokio::sync::{Semaphore, watch};

use self::join::CodeDoor;
use self::state::{MOST_SOCKETS, WebState};
use self::ticket::Ticket;
use crate::access::{AccessKey, ServedHosts};
use crate::engines::{EngineLimits, Sessions, WebEngine};
use crate::folder::GameFolder;
use crate::live::LiveText;
use crate::page::page_files;
use tengen_people::code::JoinCode;

/// The port that is taken if it is free and no other is wanted: browsers keep what a page keeps under its address.
pub const USUAL_PORT: u16 = 15_015;

/// How a server is to be.
#[derive(Clone, Debug)]
pub struct WebOptions {
    /// The address at which it listens.
    pub address: IpAddr,
    /// The port; 0 is a free one, none is [`USUAL_PORT`] or, if that is taken, a free one.
    pub port: Option<u16>,
    /// The code by which guests on the network join; without one they need the key.
    pub code: Option<JoinCode>,
    /// The engines that pages can choose, the first one unless they do.
    pub engines: Vec<WebEngine>,
    /// The most that each engine may use.
    pub limits: EngineLimits,
    /// The folder whose files pages may read and write.
    pub files: Option<PathBuf>,
    /// The match that pages may watch.
    pub live: Option<LiveText>,
}

impl WebOptions {
    /// Returns the address at which it is to listen, if it can be had.
    fn wanted(&self) -> SocketAddr {
        SocketAddr::new(self.address, self.port.unwrap_or(USUAL_PORT))
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// The system does not let it listen.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The fault.
        error: io::Error,
    },
    /// The folder is none.
    #[error("cannot use the folder {}: {error}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The fault.
        error: io::Error,
    },
    /// The system gives no thread or no means to wait.
    #[error("cannot begin to serve: {0}")]
    Start(io::Error),
}

/// A running server. It ends with its engines when this is dropped.
#[derive(Debug)]
pub struct WebServer {
    address: SocketAddr,
    key: AccessKey,
    ticket: AccessKey,
    ends: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
    sessions: Arc<Sessions>,
}

impl WebServer {
    /// Starts a server.
    ///
    /// # Errors
    ///
    /// Returns why it can't listen, or use its folder.
    pub fn start(options: WebOptions) -> Result<WebServer, WebError> {
        let wanted = options.wanted();
        let listen = |error| WebError::Listen { address: wanted, error };
        let listener = bind(wanted, options.port.is_none()).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let folder = options
            .files
            .map(|path| GameFolder::open(&path).map_err(|error| WebError::Folder { path, error }));
        let folder = folder.transpose()?.map(Arc::new);
        let sessions = Arc::new(Sessions::new(options.engines, options.limits, folder.clone()));
        let (ends, ending) = watch::channel(false);
        let [key, ticket] = [AccessKey::random(), AccessKey::random()];
        let files = page_files().into_iter().map(|file| (format!("/{}", file.name), file));
        let state = Arc::new(WebState {
            hosts: ServedHosts { port: address.port(), network: !address.ip().is_loopback() },
            key: key.clone(),
            ticket: Ticket::new(ticket.clone()),
            door: options.code.map(CodeDoor::new),
            files: files.collect(),
            folder,
            sessions: Arc::clone(&sessions),
            live: options.live,
            sockets: Arc::new(Semaphore::new(MOST_SOCKETS as usize)),
            ends: ending,
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(WebError::Start)?;
        let thread = thread::Builder::new().name("web".to_owned()).spawn(move || {
            runtime.block_on(async {
                // It was made non-blocking above.
                if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                    connection::accept(listener, state).await;
                }
            });
            // A write to a disk may still be under way, and is let finish.
        });
        let thread = Some(thread.map_err(WebError::Start)?);
        Ok(WebServer { address, key, ticket, ends, thread, sessions })
    }

    /// Returns the address of a page for whoever sits at this machine, with the key; the main page has no name.
    #[must_use]
    pub fn url(&self, page: &str) -> String {
        format!("{}/{page}?key={}", self.own_origin(), self.key)
    }

    /// Returns an address of the page that is good once, for a browser that is started with it: others see it in the
    /// list of processes.
    #[must_use]
    pub fn url_for_once(&self, page: &str) -> String {
        format!("{}{}?page={page}&ticket={}", self.own_origin(), ticket::PATH, self.ticket)
    }

    /// Returns the origin of the pages for this machine.
    fn own_origin(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        format!("http://{}", SocketAddr::new(ip, self.address.port()))
    }

    /// Returns the address of the form for guests on the network, if they are served; it is without the key.
    #[must_use]
    pub fn guest_url(&self) -> Option<String> {
        let ip = match self.address.ip() {
            ip if ip.is_loopback() => return None,
            ip if ip.is_unspecified() => address_in_network().unwrap_or(ip),
            ip => ip,
        };
        Some(format!("http://{}{}", SocketAddr::new(ip, self.address.port()), join::PATH))
    }

    /// Returns whether the server still serves.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        self.ends.send_replace(true);
        self.sessions.close();
        if let Some(thread) = self.thread.take() {
            // One that has panicked has ended, too.
            let _ = thread.join();
        }
    }
}

/// Listens at an address, or at another port of it if that is taken and need not be this one.
fn bind(wanted: SocketAddr, any_port: bool) -> io::Result<TcpListener> {
    match TcpListener::bind(wanted) {
        Err(_) if any_port => TcpListener::bind((wanted.ip(), 0)),
        bound => bound,
    }
}

/// Returns the address of this machine in its network. Nothing is sent.
fn address_in_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that belongs to nobody (RFC 5737), on the way to which the system chooses ours.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_is_taken_gives_way_to_a_free_one_unless_it_is_wanted() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let wanted = taken.local_addr().unwrap();
        assert!(bind(wanted, false).is_err());
        assert_ne!(bind(wanted, true).unwrap().local_addr().unwrap().port(), wanted.port());
        let options = WebOptions {
            address: wanted.ip(),
            port: None,
            code: None,
            engines: Vec::new(),
            limits: EngineLimits { threads: 1, memory: 1 },
            files: None,
            live: None,
        };
        assert_eq!(options.wanted().port(), USUAL_PORT);
        assert_eq!(WebOptions { port: Some(7), ..options }.wanted().port(), 7);
    }
}
