//! Authentication of callers.

use thiserror::Error;

use super::code::{Lot, ProofInput, ProvingSide};
use super::line::PROTOCOL_VERSION;
use super::message::{GuestMessage, plain_name};
use crate::code::JoinCode;

/// The reason why a caller is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum DoorFault {
    /// The first message is not one to join with.
    #[error("the first message has to be one to join with")]
    NotJoining,
    /// The peer speaks another version.
    #[error("the versions differ: this room speaks {PROTOCOL_VERSION}")]
    Version,
    /// The proof does not prove anything.
    #[error("the code is wrong")]
    Code,
    /// Another guest has joined.
    #[error("another guest has joined the room")]
    Taken,
}

/// An authenticated guest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Admission {
    /// The name, plain.
    pub(super) name: String,
    /// The token for reconnecting.
    pub(super) ticket: Lot,
    /// The host's proof.
    pub(super) proof: String,
    /// True if the guest was here before.
    pub(super) returns: bool,
}

/// The credentials of a room. They do not appear in logs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomKey {
    pub(super) code: JoinCode,
    /// The ticket of the guest who has joined.
    pub(super) ticket: Option<Lot>,
}

impl RoomKey {
    /// Returns the key of a room without a guest so far.
    #[must_use]
    pub const fn new(code: JoinCode) -> RoomKey {
        RoomKey { code, ticket: None }
    }

    /// Returns whether a guest has joined who can reconnect.
    #[must_use]
    pub const fn has_guest(&self) -> bool {
        self.ticket.is_some()
    }

    /// Returns the code.
    #[must_use]
    pub const fn code(&self) -> &JoinCode {
        &self.code
    }
}

/// The door of a room: it lets one guest in, and the same again.
#[derive(Clone, Debug)]
pub(super) struct Door {
    key: RoomKey,
    /// The number of the last line of a guest.
    line: u64,
}

impl Door {
    pub(super) const fn new(key: RoomKey) -> Door {
        Door { key, line: 0 }
    }

    /// Returns what it opens to.
    pub(super) const fn key(&self) -> &RoomKey {
        &self.key
    }

    /// Forgets the guest, and takes another code. Returns the number of the last line until then.
    pub(super) fn reopen(&mut self, code: JoinCode) -> u64 {
        self.key = RoomKey::new(code);
        self.line
    }

    /// Returns a number for the line of a guest who was let in with this ticket, larger than those before;
    /// `None` if the guest was forgotten meanwhile.
    pub(super) fn line_of(&mut self, ticket: &Lot) -> Option<u64> {
        self.key.ticket.as_ref().filter(|known| *known == ticket)?;
        self.line += 1;
        Some(self.line)
    }

    /// Looks at the first message of somebody who was greeted with this number.
    pub(super) fn admit(
        &mut self,
        host: &Lot,
        message: &GuestMessage,
    ) -> Result<Admission, DoorFault> {
        let GuestMessage::Join { tengen_room, lot, proof, name, returns } = message else {
            return Err(DoorFault::NotJoining);
        };
        if *tengen_room != PROTOCOL_VERSION {
            return Err(DoorFault::Version);
        }
        let Ok(guest) = lot.parse::<Lot>() else { return Err(DoorFault::Code) };
        let ticket = self.key.ticket.as_ref().filter(|_| *returns);
        if *returns && ticket.is_none() {
            return Err(DoorFault::Code);
        }
        let known = ProofInput { code: &self.key.code, ticket, host, guest: &guest };
        if !known.is_proved_by(ProvingSide::Guest, proof) {
            return Err(DoorFault::Code);
        }
        if self.key.ticket.is_some() && !*returns {
            return Err(DoorFault::Taken);
        }
        let proof = known.proof(ProvingSide::Host);
        let ticket = *self.key.ticket.get_or_insert_with(Lot::random);
        Ok(Admission { name: plain_name(name), ticket, proof, returns: *returns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(code: &JoinCode, ticket: Option<&Lot>, host: &Lot, version: u32) -> GuestMessage {
        let guest = Lot::random();
        let known = ProofInput { code, ticket, host, guest: &guest };
        GuestMessage::Join {
            tengen_room: version,
            lot: guest.to_string(),
            proof: known.proof(ProvingSide::Guest),
            name: "  Ann\u{1b}[2J ".to_owned(),
            returns: ticket.is_some(),
        }
    }

    #[test]
    fn one_guest_is_let_in_and_the_same_again() {
        let (code, wrong) = ("ABC234".parse().unwrap(), "ABC235".parse().unwrap());
        let host = Lot::random();
        let mut door = Door::new(RoomKey::new(code));
        let code = door.key().code().clone();
        let admit = |door: &mut Door, code: &JoinCode, ticket: Option<&Lot>| {
            door.admit(&host, &join(code, ticket, &host, PROTOCOL_VERSION))
        };
        assert_eq!(admit(&mut door, &wrong, None), Err(DoorFault::Code));
        assert_eq!(admit(&mut door, &code, Some(&Lot::random())), Err(DoorFault::Code));
        let first = admit(&mut door, &code, None).unwrap();
        assert_eq!((first.name.as_str(), first.returns), ("Ann\u{fffd}[2J", false));
        assert_eq!(door.line_of(&first.ticket), Some(1));
        assert_eq!(admit(&mut door, &code, None), Err(DoorFault::Taken));
        assert_eq!(admit(&mut door, &wrong, None), Err(DoorFault::Code), "nothing is given away");
        assert_eq!(admit(&mut door, &code, Some(&Lot::random())), Err(DoorFault::Code));
        assert_eq!(admit(&mut door, &wrong, Some(&first.ticket)), Err(DoorFault::Code));
        let again = admit(&mut door, &code, Some(&first.ticket)).unwrap();
        assert!(again.returns && again.ticket == first.ticket);
        // A door that is made anew by the key knows the guest.
        let mut door = Door::new(door.key().clone());
        assert_eq!(admit(&mut door, &code, None), Err(DoorFault::Taken));
        assert_eq!(admit(&mut door, &code, Some(&Lot::random())), Err(DoorFault::Code));
        assert!(admit(&mut door, &code, Some(&first.ticket)).unwrap().returns);
        assert_eq!(door.line_of(&first.ticket), Some(1));
        assert_eq!(door.reopen(wrong.clone()), 1);
        assert_eq!(door.line_of(&first.ticket), None);
        assert_eq!(admit(&mut door, &code, Some(&first.ticket)), Err(DoorFault::Code));
        assert!(admit(&mut door, &wrong, None).is_ok());
    }

    #[test]
    fn other_versions_and_old_proofs_are_refused() {
        let code: JoinCode = "ABC234".parse().unwrap();
        let [host, another] = [Lot::random(), Lot::random()];
        let mut door = Door::new(RoomKey::new(code.clone()));
        let next = PROTOCOL_VERSION + 1;
        assert_eq!(door.admit(&host, &join(&code, None, &host, next)), Err(DoorFault::Version));
        let recorded = join(&code, None, &another, PROTOCOL_VERSION);
        assert_eq!(door.admit(&host, &recorded), Err(DoorFault::Code));
        assert_eq!(
            door.admit(&host, &GuestMessage::Pong { heard: None }),
            Err(DoorFault::NotJoining)
        );
    }
}
