//! The lines of a host.

use std::io;
use std::net::{Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::code::{JoinCode, Lot};
use super::door::{Admission, Door, DoorFault, RoomKey};
use super::line::{HANDSHAKE, LineFault, LineReader, LineWriter, MOST_OF_GUEST, PROTOCOL_VERSION};
use super::message::{GuestMessage, HostMessage};

/// The most connections at a time: a guest, and some who want to be.
const MOST_CONNECTIONS: usize = 8;
/// What a wrong code costs whoever tries it, and all who try one at the same time.
const AFTER_WRONG_CODE: Duration = Duration::from_secs(1);
/// The events that wait.
const MOST_EVENTS: usize = 256;
/// The interval between reports of people who were not let in.
const BETWEEN_REPORTS: Duration = Duration::from_secs(5);

/// What happens at the lines of a host.
#[derive(Debug)]
pub enum RoomEvent {
    /// A guest was let in, or is back: the line before is closed.
    Joined {
        /// The number of the line.
        line: u64,
        /// The name of the guest; it can be shown.
        name: String,
        /// Whether the same guest was here before.
        returns: bool,
        /// The line.
        writer: LineWriter,
    },
    /// The guest has said something.
    Said {
        /// The number of the line.
        line: u64,
        /// What.
        message: GuestMessage,
    },
    /// The line of the guest is broken.
    Lost {
        /// The number of the line.
        line: u64,
        /// Why, for people.
        why: String,
    },
    /// Somebody was not let in. Not everybody is told of.
    Refused {
        /// Why, for people.
        why: String,
    },
}

/// A room that people can join.
#[derive(Debug)]
pub struct RoomServer {
    address: SocketAddr,
    events: Receiver<RoomEvent>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    door: Mutex<Door>,
    /// Held by whoever is being looked at; a wrong code keeps it for a while.
    trying: Mutex<()>,
    /// The name of the host.
    name: String,
    connections: AtomicUsize,
    is_closed: AtomicBool,
    reported: Mutex<Option<Instant>>,
    events: Sender<RoomEvent>,
}

impl RoomServer {
    /// Opens a room on all addresses of this computer, at this port or, if it is 0, at a free one. A
    /// key that a guest has had before lets that one in and nobody else.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, such as for a port that is taken.
    pub fn open(port: u16, key: RoomKey, name: &str) -> io::Result<RoomServer> {
        // Both families at once where the system has both.
        let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))
            .or_else(|_| TcpListener::bind(("0.0.0.0", port)))?;
        let address = listener.local_addr()?;
        let (sender, events) = bounded(MOST_EVENTS);
        let shared = Arc::new(Shared {
            door: Mutex::new(Door::new(key)),
            trying: Mutex::new(()),
            name: name.to_owned(),
            connections: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            reported: Mutex::new(None),
            events: sender,
        });
        let accepting = Arc::clone(&shared);
        thread::spawn(move || accept(&listener, &accepting));
        Ok(RoomServer { address, events, shared })
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns what happens.
    #[must_use]
    pub const fn events(&self) -> &Receiver<RoomEvent> {
        &self.events
    }

    /// Returns what lets the guest in now.
    #[must_use]
    pub fn key(&self) -> RoomKey {
        self.shared.door().key().clone()
    }

    /// Gives the place of the guest to whoever comes first with another code.
    pub fn reopen(&self, code: JoinCode) {
        self.shared.door().reopen(code);
    }
}

impl Drop for RoomServer {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::SeqCst);
        // The listener waits for somebody.
        let _ = TcpStream::connect_timeout(
            &SocketAddr::from((Ipv6Addr::LOCALHOST, self.port())),
            Duration::from_millis(200),
        )
        .or_else(|_| TcpStream::connect(("127.0.0.1", self.port())));
    }
}

impl Shared {
    fn door(&self) -> std::sync::MutexGuard<'_, Door> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells of somebody who was not let in, but not of everybody in a crowd.
    fn report(&self, why: String) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.is_none_or(|last| last.elapsed() >= BETWEEN_REPORTS) {
            *reported = Some(Instant::now());
            let _ = self.events.try_send(RoomEvent::Refused { why });
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut number = 0;
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            // Too many open files, or a peer that has gone again.
            Err(_) => {
                thread::sleep(Duration::from_millis(50));
                continue;
            }
        };
        if shared.is_closed.load(Ordering::SeqCst) {
            return;
        }
        if shared.connections.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        number += 1;
        let (line, serving) = (number, Arc::clone(shared));
        thread::spawn(move || {
            // A line that cannot even be set up is nobody's.
            let _ = serve(stream, line, &serving);
            serving.connections.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// Serves a connection until its end.
fn serve(stream: TcpStream, line: u64, shared: &Shared) -> io::Result<()> {
    let deadline = Some(Instant::now() + HANDSHAKE);
    let writer = LineWriter::new(stream.try_clone()?)?;
    let mut reader = LineReader::new(stream, MOST_OF_GUEST)?;
    let host = Lot::random();
    writer.send(&HostMessage::Hello { tengen_room: PROTOCOL_VERSION, lot: host.to_string() });
    let message = match reader.next::<GuestMessage>(deadline) {
        Ok(message) => message,
        Err(fault) => {
            writer.send(&HostMessage::Bye { why: fault.to_string() });
            shared.report(fault.to_string());
            return Ok(());
        }
    };
    let Admission { name, ticket, proof, returns } = match admit(&host, &message, shared) {
        Ok(admission) => admission,
        Err(fault) => {
            writer.send(&HostMessage::Bye { why: fault.to_string() });
            shared.report(fault.to_string());
            return Ok(());
        }
    };
    let ticket = ticket.to_string();
    writer.send(&HostMessage::Welcome { ticket, proof, name: shared.name.clone() });
    let send = |event| shared.events.send(event).is_ok();
    if !send(RoomEvent::Joined { line, name, returns, writer: writer.clone() }) {
        return Ok(());
    }
    let why = loop {
        match reader.next::<GuestMessage>(None) {
            Ok(message) => {
                if !send(RoomEvent::Said { line, message }) {
                    return Ok(());
                }
            }
            Err(fault) => {
                // Whose line is broken comes back; whoever talks nonsense does not.
                if !matches!(fault, LineFault::Broken | LineFault::Silent) {
                    writer.send(&HostMessage::Bye { why: fault.to_string() });
                }
                break fault.to_string();
            }
        }
    };
    send(RoomEvent::Lost { line, why });
    Ok(())
}

/// Looks at who wants in. Whoever is wrong waits, and so does everybody else who tries meanwhile,
/// so that many connections try no more codes than one.
fn admit(host: &Lot, message: &GuestMessage, shared: &Shared) -> Result<Admission, DoorFault> {
    let _alone = shared.trying.lock().unwrap_or_else(PoisonError::into_inner);
    let admitted = shared.door().admit(host, message);
    if admitted == Err(DoorFault::Code) {
        thread::sleep(AFTER_WRONG_CODE);
    }
    admitted
}
