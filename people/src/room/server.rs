//! The lines of a host.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::code::Lot;
use super::door::{Admission, Door, RoomKey};
use super::line::{LineFault, LineReader, LineWriter, MOST_OF_GUEST, PROTOCOL_VERSION};
use super::lobby::{CodeTurn, Lobby};
use super::message::{GuestMessage, HostMessage};
use crate::code::JoinCode;

/// The time that a caller has to say who it is.
const INTRODUCING: Duration = Duration::from_secs(2);
/// The most lines of a guest who comes back, at a time: the newest, and some that are being closed.
const MOST_LINES: usize = 4;
/// The events that wait.
const MOST_EVENTS: usize = 256;
/// The interval between reports of people who were not let in.
const BETWEEN_REPORTS: Duration = Duration::from_secs(5);
/// The time to connect to this computer.
const KNOCKING: Duration = Duration::from_millis(200);

/// Events on the connections of a host.
#[derive(Debug)]
pub enum RoomEvent {
    /// A guest was let in, or is back: the line before is closed.
    Joined {
        /// The number of the line.
        line: u64,
        /// The name of the guest; it can be shown.
        name: String,
        /// True if the same guest was here before.
        returns: bool,
        /// The line.
        writer: LineWriter,
    },
    /// The guest has said something.
    Said {
        /// The number of the line.
        line: u64,
        /// The message.
        message: GuestMessage,
    },
    /// The line of the guest is broken.
    Lost {
        /// The number of the line.
        line: u64,
        /// The reason, for people.
        why: String,
    },
    /// Some were not let in since the last such report.
    Refused {
        /// Their number, at least 1.
        callers: u64,
        /// The reason why the last one was rejected, for people.
        why: String,
    },
}

/// A room that people can join.
#[derive(Debug)]
pub struct RoomServer {
    port: u16,
    events: Receiver<RoomEvent>,
    shared: Arc<ServerState>,
}

#[derive(Debug)]
struct ServerState {
    door: Mutex<Door>,
    waiting: Mutex<Waiting>,
    /// The name of the host.
    name: String,
    /// The time that a caller has to say who it is.
    introducing: Duration,
    /// The number of lines of the guest.
    lines: AtomicUsize,
    is_closed: AtomicBool,
    refused: Mutex<RefusedCallers>,
    events: Sender<RoomEvent>,
}

/// Those who are not let in yet, and their lines.
#[derive(Debug, Default)]
struct Waiting {
    lobby: Lobby,
    lines: HashMap<u64, TcpStream>,
}

/// Rejected callers that are not reported yet.
#[derive(Debug, Default)]
struct RefusedCallers {
    callers: u64,
    reported: Option<Instant>,
}

/// The end of a rejected caller.
enum NotIn {
    /// It receives the reason.
    Refused(String),
    /// It is not, because it has said nothing or there is no time for it.
    Silent,
}

impl RoomServer {
    /// Opens a room on all addresses of this computer, at this port or, if it is 0, at a free one. A
    /// key that a guest has had before lets that one in and nobody else.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, such as for a port that is taken.
    pub fn open(port: u16, key: RoomKey, name: &str) -> io::Result<RoomServer> {
        RoomServer::open_with(port, key, name, INTRODUCING)
    }

    /// As [`RoomServer::open`], with this time for callers to say who they are.
    pub(super) fn open_with(
        port: u16,
        key: RoomKey,
        name: &str,
        introducing: Duration,
    ) -> io::Result<RoomServer> {
        let (port, listeners) = listen(port)?;
        let (sender, events) = bounded(MOST_EVENTS);
        let shared = Arc::new(ServerState {
            door: Mutex::new(Door::new(key)),
            waiting: Mutex::default(),
            name: name.to_owned(),
            introducing,
            lines: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            refused: Mutex::default(),
            events: sender,
        });
        for listener in listeners {
            let shared = Arc::clone(&shared);
            thread::spawn(move || accept(&listener, &shared));
        }
        Ok(RoomServer { port, events, shared })
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
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

    /// Gives the place of the guest to the first caller with another code. Returns the number of the last
    /// line until then: what those up to it have said and is still to come is that of a guest before.
    pub fn reopen(&self, code: JoinCode) -> u64 {
        self.shared.door().reopen(code)
    }
}

impl Drop for RoomServer {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::SeqCst);
        // The listeners wait for connections.
        for address in [IpAddr::from(Ipv6Addr::LOCALHOST), IpAddr::from(Ipv4Addr::LOCALHOST)] {
            let _ = TcpStream::connect_timeout(&SocketAddr::new(address, self.port), KNOCKING);
        }
    }
}

/// Listens at all addresses of both families, at one port.
fn listen(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    let Ok(first) = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)) else {
        let only = TcpListener::bind((Ipv4Addr::UNSPECIFIED, port))?;
        return Ok((only.local_addr()?.port(), vec![only]));
    };
    let port = first.local_addr()?.port();
    // Where the first one serves both families the port is taken.
    let second = TcpListener::bind((Ipv4Addr::UNSPECIFIED, port));
    Ok((port, std::iter::once(first).chain(second).collect()))
}

impl ServerState {
    fn door(&self) -> MutexGuard<'_, Door> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells of somebody who was not let in, and of the others since the last time; in a crowd not of each.
    fn report(&self, why: String) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.callers += 1;
        if refused.reported.is_none_or(|last| last.elapsed() >= BETWEEN_REPORTS) {
            let callers = std::mem::take(&mut refused.callers);
            refused.reported = Some(Instant::now());
            let _ = self.events.try_send(RoomEvent::Refused { callers, why });
        }
    }

    /// Gives a caller a place in the lobby, for which another may have to leave.
    fn enter(&self, stream: &TcpStream, address: IpAddr) -> io::Result<Option<u64>> {
        let copy = stream.try_clone()?;
        let mut waiting = self.waiting();
        let Some(entered) = waiting.lobby.enter(address) else { return Ok(None) };
        waiting.lines.insert(entered.id, copy);
        if let Some(gone) = entered.instead_of.and_then(|id| waiting.lines.remove(&id)) {
            let _ = gone.shutdown(Shutdown::Both);
        }
        Ok(Some(entered.id))
    }

    fn leave(&self, id: u64) {
        let mut waiting = self.waiting();
        waiting.lobby.leave(id);
        waiting.lines.remove(&id);
    }

    /// Waits until the code of a caller may be looked at.
    fn wait_for_turn(&self, id: u64) -> Result<(), NotIn> {
        loop {
            let turn = self.waiting().lobby.ask(id, Instant::now());
            match turn {
                CodeTurn::Now => return Ok(()),
                CodeTurn::At(at) => thread::sleep(at.saturating_duration_since(Instant::now())),
                CodeTurn::Gone => return Err(NotIn::Silent),
            }
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<ServerState>) {
    loop {
        let (stream, address) = match listener.accept() {
            Ok(accepted) => accepted,
            // Too many open files, or a peer that has gone again.
            Err(_) => {
                thread::sleep(Duration::from_millis(50));
                continue;
            }
        };
        if shared.is_closed.load(Ordering::SeqCst) {
            return;
        }
        // For some there is no place, and some have gone again.
        let Ok(Some(place)) = shared.enter(&stream, address.ip()) else { continue };
        let serving = Arc::clone(shared);
        let served = move || {
            // A connection that cannot be set up belongs to no one.
            let _ = serve(stream, place, &serving);
            serving.leave(place);
        };
        if thread::Builder::new().spawn(served).is_err() {
            shared.leave(place);
        }
    }
}

/// Serves a caller until the end of its line.
fn serve(stream: TcpStream, place: u64, shared: &ServerState) -> io::Result<()> {
    let writer = LineWriter::new(stream.try_clone()?)?;
    let mut reader = LineReader::new(stream, MOST_OF_GUEST)?;
    let admission = match admit(&writer, &mut reader, place, shared) {
        Ok(admission) => admission,
        Err(not_in) => {
            let why = match not_in {
                NotIn::Refused(why) => {
                    writer.send(&HostMessage::Bye { why: why.clone() });
                    why
                }
                NotIn::Silent => LineFault::Silent.to_string(),
            };
            shared.report(why);
            return Ok(());
        }
    };
    shared.leave(place);
    // A guest who joins gets a ticket with the line; one that has it can come again.
    if shared.lines.fetch_add(1, Ordering::SeqCst) < MOST_LINES || !admission.returns {
        talk(&writer, &mut reader, admission, shared);
    }
    shared.lines.fetch_sub(1, Ordering::SeqCst);
    Ok(())
}

/// Asks a caller who it is, and lets it in or not.
fn admit(
    writer: &LineWriter,
    reader: &mut LineReader,
    place: u64,
    shared: &ServerState,
) -> Result<Admission, NotIn> {
    let host = Lot::random();
    writer.send(&HostMessage::Hello { tengen_room: PROTOCOL_VERSION, lot: host.to_string() });
    let message = match reader.next::<GuestMessage>(Some(Instant::now() + shared.introducing)) {
        Ok(message) => message,
        Err(LineFault::Silent | LineFault::Broken) => return Err(NotIn::Silent),
        Err(fault) => return Err(NotIn::Refused(fault.to_string())),
    };
    // Nobody guesses a ticket, so the guest who comes back does not wait for those who try codes.
    if !matches!(message, GuestMessage::Join { returns: true, .. }) {
        shared.wait_for_turn(place)?;
    }
    let admitted = shared.door().admit(&host, &message);
    admitted.map_err(|fault| NotIn::Refused(fault.to_string()))
}

/// Lets the guest in and passes on what it says, until it leaves or the line breaks.
fn talk(writer: &LineWriter, reader: &mut LineReader, admission: Admission, shared: &ServerState) {
    let Admission { name, ticket, proof, returns } = admission;
    if returns {
        let at = shared.waiting().lobby.return_at(Instant::now());
        thread::sleep(at.saturating_duration_since(Instant::now()));
    }
    let Some(line) = shared.door().line_of(&ticket) else { return };
    let ticket = ticket.to_string();
    writer.send(&HostMessage::Welcome { ticket, proof, name: shared.name.clone() });
    let send = |event| shared.events.send(event).is_ok();
    if !send(RoomEvent::Joined { line, name, returns, writer: writer.clone() }) {
        return;
    }
    let why = loop {
        match reader.next::<GuestMessage>(None) {
            Ok(message) => {
                let is_last = message == GuestMessage::Bye;
                if !send(RoomEvent::Said { line, message }) || is_last {
                    return;
                }
            }
            Err(fault) => {
                // A guest whose line is broken comes back; one that talks nonsense does not.
                if !matches!(fault, LineFault::Broken | LineFault::Silent) {
                    writer.send(&HostMessage::Bye { why: fault.to_string() });
                }
                break fault.to_string();
            }
        }
    };
    send(RoomEvent::Lost { line, why });
}
