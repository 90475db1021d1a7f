//! Two people who play on a network.
//!
//! The host's session is the game: the host keeps the clocks, judges every action of the
//! guest, and sends the whole state after each change. The guest holds a copy, so a line that breaks
//! loses nothing: a peer that reconnects is sent the state, and repeats the action that was not
//! answered, which is done once.
//!
//! ```text
//!     guest                                host
//!       │ ◄──────────── hello, a number ──── │   a connection of whoever it is
//!       │ ── join, a number, a proof ──────► │   the code itself is never sent
//!       │ ◄───────── welcome, a ticket ───── │   or an error, and the line is closed
//!       │ ◄──────────────────── state ────── │
//!       │ ── act 1 ────────────────────────► │
//!       │ ◄──────────── state, done 1 ────── │   or refused 1, with the reason
//!       │ ◄───── ping ── pong ─────────────► │   a silent line is taken for broken
//! ```
//!
//! * [`RoomChat`] is what they say to each other, where both programs have it.
//! * [`RoomAid`] is the help that the host allows to both, or to neither where a program is from before there was
//!   any. A [`RoomAdviser`] gives the hints.
//! * [`HostRoom`] and [`GuestRoom`] are the two sides without sockets or threads.
//! * [`RoomServer`] and [`RoomCaller`] are the lines between them: JSON, one message a line, with
//!   bounds on length, number and time. A peer that breaks them gets an error and is cut off; it
//!   can neither stop the host nor touch a file.
//! * [`JoinCode`] is given by the host to the guest. Once somebody has joined, the place is theirs:
//!   coming back takes the code and the ticket that only they were given.
//! * A [`SavedRoom`] is what a host needs to open the room again after its process was killed, for
//!   the guest who tries to come back.
//! * [`Discovery`] finds rooms in the local network by mDNS, and makes them known there.

mod adviser;
mod caller;
mod chat;
mod code;
mod discovery;
mod door;
mod guest;
mod host;
mod line;
mod lobby;
mod message;
mod nobody;
mod saved;
mod server;
#[cfg(test)]
mod tests;

pub use crate::code::{JoinCode, JoinCodeError};
pub use adviser::RoomAdviser;
pub use caller::{CallEvent, RoomCaller};
pub use chat::{ChatFault, ChatLine, RoomChat};
pub use discovery::{Discovery, DiscoveryError, FoundRoom, RoomBoard};
pub use door::RoomKey;
pub use guest::{GuestFault, GuestRoom};
pub use host::{HostRoom, RoomFault, player_of, playing, taking_back};
pub use line::{LineWriter, PROTOCOL_VERSION, SILENCE};
pub use message::{
    GuestMessage, HostMessage, OpenProposal, Proposal, RoomAction, RoomAid, RoomAidError,
    RoomNotice, RoomPlayer, RoomState, plain_name,
};
pub use nobody::NoEngine;
pub use saved::{RoomPlace, SavedRoom, SavedRoomError};
pub use server::{RoomEvent, RoomServer};
