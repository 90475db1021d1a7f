//! The line of a guest, which is made again when it breaks.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::code::{Lot, ProofInput, ProvingSide};
use super::line::{HANDSHAKE, LineFault, LineReader, LineWriter, MOST_OF_HOST, PROTOCOL_VERSION};
use super::message::{GuestMessage, HostMessage, plain_name, plain_reason};
use crate::code::JoinCode;

/// The time that a connection has to come about.
const CONNECTING: Duration = Duration::from_secs(5);
/// The pause between attempts to come back.
const BETWEEN_CALLS: Duration = Duration::from_secs(1);
/// The pause between attempts to get in where many want to.
const IN_A_CROWD: Duration = Duration::from_millis(250);
/// The calls of somebody who has not joined yet and finds a crowd at the door.
const MOST_CALLS: u32 = 40;
/// The events that wait.
const MOST_EVENTS: usize = 256;

/// Events on the connection of a guest.
#[derive(Debug)]
pub enum CallEvent {
    /// The guest is in the room, or is back.
    Joined {
        /// The name of the host; it can be shown.
        name: String,
        /// True if the line was broken before.
        returns: bool,
        /// The line.
        writer: LineWriter,
    },
    /// The host has said something.
    Said(HostMessage),
    /// The line is broken, for this reason; it is tried again.
    Lost(String),
    /// The host has not let the guest in because others are calling too; it is tried again.
    Crowded,
    /// The host does not let the guest in, for this reason: nothing more happens.
    Refused(String),
    /// It is over, for this reason: nothing more happens.
    Over(String),
}

/// A guest who joins a room, and comes back when the line breaks.
#[derive(Debug)]
pub struct RoomCaller {
    events: Receiver<CallEvent>,
    is_over: Arc<AtomicBool>,
}

/// The settings of a caller.
struct Call {
    addresses: Vec<SocketAddr>,
    code: JoinCode,
    name: String,
    ticket: Option<Lot>,
    events: Sender<CallEvent>,
    is_over: Arc<AtomicBool>,
}

/// The end of a call.
enum CallEnd {
    /// It can be tried again.
    Again(String),
    /// The host has no time for this caller now.
    Crowded,
    /// The host does not want this caller.
    Refused(String),
    /// It cannot.
    Over(String),
}

impl From<io::Error> for CallEnd {
    fn from(error: io::Error) -> CallEnd {
        CallEnd::Again(error.to_string())
    }
}

impl From<LineFault> for CallEnd {
    fn from(fault: LineFault) -> CallEnd {
        match fault {
            LineFault::Broken | LineFault::Silent => CallEnd::Again(fault.to_string()),
            _ => CallEnd::Over(format!("the host speaks something else: {fault}")),
        }
    }
}

impl RoomCaller {
    /// Joins the room at an address such as `192.168.1.5:4000`. Once joined, a broken line is tried
    /// again for `patience`.
    ///
    /// # Errors
    ///
    /// Returns an error if the address is none. Events report whether somebody is there.
    pub fn join(
        address: &str,
        code: JoinCode,
        name: &str,
        patience: Duration,
    ) -> io::Result<RoomCaller> {
        let addresses: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
        let (sender, events) = bounded(MOST_EVENTS);
        let is_over = Arc::new(AtomicBool::new(false));
        let name = name.to_owned();
        let call = Call {
            addresses,
            code,
            name,
            ticket: None,
            events: sender,
            is_over: Arc::clone(&is_over),
        };
        thread::spawn(move || call.run(patience));
        Ok(RoomCaller { events, is_over })
    }

    /// Returns what happens.
    #[must_use]
    pub const fn events(&self) -> &Receiver<CallEvent> {
        &self.events
    }
}

impl Drop for RoomCaller {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
    }
}

impl Call {
    fn run(mut self, patience: Duration) {
        let mut since = Instant::now();
        let mut calls = 0;
        loop {
            let was_in = self.ticket.is_some();
            let end = match self.once(&mut since) {
                Ok(never) => match never {},
                Err(end) => end,
            };
            let (why, is_crowded) = match end {
                CallEnd::Refused(why) => {
                    let _ = self.events.send(CallEvent::Refused(why));
                    return;
                }
                CallEnd::Over(why) => {
                    let _ = self.events.send(CallEvent::Over(why));
                    return;
                }
                CallEnd::Again(why) => (why, false),
                CallEnd::Crowded => {
                    ("it says nothing: no room is there, or too many are calling".to_owned(), true)
                }
            };
            calls += 1;
            // A guest who was never in the room has a wrong address rather than a broken connection.
            let may_go_on = match self.ticket {
                Some(_) => since.elapsed() < patience,
                None => is_crowded && calls < MOST_CALLS,
            };
            if !may_go_on {
                let _ = self.events.send(CallEvent::Over(why));
                return;
            }
            if calls == 1 && is_crowded && self.events.send(CallEvent::Crowded).is_err() {
                return;
            }
            let is_news = was_in || self.ticket.is_some();
            if is_news && self.events.send(CallEvent::Lost(why)).is_err() {
                return;
            }
            thread::sleep(if self.ticket.is_some() { BETWEEN_CALLS } else { IN_A_CROWD });
            if self.is_over.load(Ordering::SeqCst) {
                return;
            }
        }
    }

    /// Calls once, and listens as long as the line holds. `since` becomes the last moment at which
    /// something was heard.
    fn once(&mut self, since: &mut Instant) -> Result<std::convert::Infallible, CallEnd> {
        let stream = self.connect()?;
        let deadline = Some(Instant::now() + HANDSHAKE);
        let writer = LineWriter::new(stream.try_clone()?)?;
        let mut reader = LineReader::new(stream, MOST_OF_HOST)?;
        let first = match reader.next::<HostMessage>(deadline) {
            // It has taken the call and said nothing.
            Err(LineFault::Broken) => return Err(CallEnd::Crowded),
            first => first?,
        };
        let host = match first {
            HostMessage::Hello { tengen_room: PROTOCOL_VERSION, lot } => lot.parse::<Lot>().ok(),
            HostMessage::Hello { tengen_room, .. } => {
                return Err(CallEnd::Over(format!(
                    "the versions differ: the room speaks {tengen_room}, not {PROTOCOL_VERSION}"
                )));
            }
            HostMessage::Bye { why } => return Err(CallEnd::Over(plain_reason(&why))),
            _ => None,
        };
        let Some(host) = host else { return Err(LineFault::NotUnderstood.into()) };
        let guest = Lot::random();
        let ticket = self.ticket;
        let known =
            ProofInput { code: &self.code, ticket: ticket.as_ref(), host: &host, guest: &guest };
        writer.send(&GuestMessage::Join {
            tengen_room: PROTOCOL_VERSION,
            lot: guest.to_string(),
            proof: known.proof(ProvingSide::Guest),
            name: self.name.clone(),
            returns: ticket.is_some(),
        });
        let answer = match reader.next::<HostMessage>(deadline) {
            // Others were before, or this one was too slow.
            Err(LineFault::Broken | LineFault::Silent) => return Err(CallEnd::Crowded),
            answer => answer?,
        };
        let (new, proof, name) = match answer {
            HostMessage::Welcome { ticket, proof, name } => (ticket, proof, name),
            HostMessage::Bye { why } => return Err(CallEnd::Refused(plain_reason(&why))),
            _ => return Err(LineFault::NotUnderstood.into()),
        };
        if !known.is_proved_by(ProvingSide::Host, &proof) {
            return Err(CallEnd::Over("the other side does not know the code".to_owned()));
        }
        let Ok(new) = new.parse() else { return Err(LineFault::NotUnderstood.into()) };
        self.ticket = Some(new);
        *since = Instant::now();
        let (name, returns) = (plain_name(&name), ticket.is_some());
        self.tell(CallEvent::Joined { name, returns, writer })?;
        loop {
            let message = reader.next::<HostMessage>(None)?;
            *since = Instant::now();
            match message {
                HostMessage::Bye { why } => return Err(CallEnd::Over(plain_reason(&why))),
                message => self.tell(CallEvent::Said(message))?,
            }
        }
    }

    /// Tells the guest something, who may have left.
    fn tell(&self, event: CallEvent) -> Result<(), CallEnd> {
        self.events.send(event).map_err(|_| CallEnd::Over(String::new()))
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in &self.addresses {
            match TcpStream::connect_timeout(address, CONNECTING) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}
