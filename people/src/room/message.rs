//! Messages between host and guest.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::play::PlayNotice;
use tengen_files::printable::{brief, printable};

/// The most characters of a name.
const MOST_OF_NAME: usize = 32;
/// The most characters of a reason that the other side gives.
const MOST_OF_REASON: usize = 200;

/// One of the two players of a room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoomPlayer {
    /// The one whose program keeps the game.
    Host,
    /// The one who has joined.
    Guest,
}

impl RoomPlayer {
    /// Both players.
    pub const ALL: [RoomPlayer; 2] = [RoomPlayer::Host, RoomPlayer::Guest];

    /// Returns the other player.
    #[must_use]
    pub const fn other(self) -> RoomPlayer {
        match self {
            RoomPlayer::Host => RoomPlayer::Guest,
            RoomPlayer::Guest => RoomPlayer::Host,
        }
    }
}

/// The help beside the board that both players of a room have, or neither.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoomAid {
    /// None but what the rules forbid.
    None,
    /// What stones would make, and what has to be answered.
    Threats,
    /// That, and hints of an engine.
    Hints,
}

impl RoomAid {
    /// All kinds, from the least to the most.
    pub const ALL: [RoomAid; 3] = [RoomAid::None, RoomAid::Threats, RoomAid::Hints];

    /// Returns the name that [`RoomAid::from_str`] reads: `none`, `threats` or `hints`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RoomAid::None => "none",
            RoomAid::Threats => "threats",
            RoomAid::Hints => "hints",
        }
    }

    /// Returns whether threats are shown.
    #[must_use]
    pub const fn has_threats(self) -> bool {
        !matches!(self, RoomAid::None)
    }

    /// Returns whether hints are given.
    #[must_use]
    pub const fn has_hints(self) -> bool {
        matches!(self, RoomAid::Hints)
    }
}

impl fmt::Display for RoomAid {
    /// Writes what there is: `no help`, `threats` or `hints`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.has_threats() { self.name() } else { "no help" })
    }
}

/// The error of a text that names no [`RoomAid`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("it is none, threats or hints")]
pub struct RoomAidError;

impl FromStr for RoomAid {
    type Err = RoomAidError;

    fn from_str(text: &str) -> Result<RoomAid, RoomAidError> {
        RoomAid::ALL.into_iter().find(|aid| aid.name() == text).ok_or(RoomAidError)
    }
}

/// Proposals that need the consent of the other player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what", deny_unknown_fields)]
pub enum Proposal {
    /// The game ends in a draw.
    Draw,
    /// The last moves, or choices of the opening, are taken back.
    TakeBack {
        /// The number of moves.
        count: usize,
    },
    /// Another game begins, in which the other player has the first move.
    NewGame,
}

/// A proposal that is not answered yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenProposal {
    /// Its number in the room.
    pub number: u64,
    /// The player who proposes.
    pub by: RoomPlayer,
    /// The proposal.
    pub proposal: Proposal,
}

/// An action of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "do", deny_unknown_fields)]
pub enum RoomAction {
    /// Plays on a cell, or makes a choice of the opening.
    Play {
        /// The number of moves and choices that were made before.
        after: usize,
        /// A cell counted from the top, such as `h8`, or a choice such as `swap`.
        choice: String,
    },
    /// Gives the game up.
    Resign,
    /// Proposes something.
    Propose {
        /// The proposal.
        proposal: Proposal,
    },
    /// Agrees to a proposal of the other player.
    Accept {
        /// The number of the proposal.
        proposal: u64,
    },
    /// Does not agree to a proposal of the other player.
    Decline {
        /// The number of the proposal.
        proposal: u64,
    },
}

/// A message of the guest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "say", deny_unknown_fields)]
pub enum GuestMessage {
    /// Wants to join.
    Join {
        /// The version of the conversation.
        tengen_room: u32,
        /// The guest's number for proofs, in hexadecimal digits.
        lot: String,
        /// The proof that the guest knows the code, and the ticket if it comes back.
        proof: String,
        /// The name of the guest.
        name: String,
        /// True if the guest comes back with a ticket.
        returns: bool,
    },
    /// Wants to do something.
    Act {
        /// The number of the action, larger than those before. One that is repeated is done once.
        id: u64,
        /// The action.
        action: RoomAction,
    },
    /// Is there.
    Pong {
        /// The number of the last line of the host's chat that was heard, if the host has chat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heard: Option<u64>,
    },
    /// Says something to the host, who has chat.
    Chat {
        /// The number of the line, larger than those before.
        number: u64,
        /// The line.
        text: String,
    },
    /// Leaves.
    Bye,
}

impl GuestMessage {
    /// Returns what the program of a guest that knows [`RoomAid`] says before its first [`GuestMessage::Pong`]
    /// to a host that has chat. Programs from before take it for a line of chat that they have heard, since
    /// lines count from 1.
    #[must_use]
    pub fn knows_aid() -> GuestMessage {
        GuestMessage::Chat { number: 0, text: "aid".to_owned() }
    }
}

/// The state of a room, all of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoomState {
    /// The game as it is saved.
    pub game: String,
    /// The player of the first move in this game.
    pub first: RoomPlayer,
    /// The time that the turn has taken, in milliseconds.
    pub turn_ms: u64,
    /// The proposal.
    pub proposal: Option<OpenProposal>,
    /// The help that both have; none if either program is from before there was any, which would take it for an
    /// error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aid: Option<RoomAid>,
}

/// A message of the host.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "say", deny_unknown_fields)]
pub enum HostMessage {
    /// The first message on every connection.
    Hello {
        /// The version of the conversation.
        tengen_room: u32,
        /// The host's number for proofs, in hexadecimal digits.
        lot: String,
    },
    /// Lets the guest in.
    Welcome {
        /// The token with which the guest reconnects, in hexadecimal digits.
        ticket: String,
        /// The proof that the host knows the code too.
        proof: String,
        /// The name of the host.
        name: String,
    },
    /// Tells the state.
    State(RoomState),
    /// Has done what the guest wanted.
    Done {
        /// The number of the action.
        id: u64,
    },
    /// Has not done what the guest wanted.
    Refused {
        /// The number of the action.
        id: u64,
        /// The reason, for people.
        why: String,
    },
    /// Asks whether the guest is there.
    Ping {
        /// The number of the last line of the guest's chat that was heard; none if this program is from before
        /// there was chat. Guests of that time take no note of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heard: Option<u64>,
    },
    /// Says something to the guest, who has chat.
    Chat {
        /// The number of the line, larger than those before.
        number: u64,
        /// The line.
        text: String,
    },
    /// Closes the line for good.
    Bye {
        /// The reason, for people.
        why: String,
    },
}

/// An event in a room, for either player.
#[derive(Clone, PartialEq, Debug)]
pub enum RoomNotice {
    /// Something has happened in the game.
    Game(PlayNotice),
    /// Another game has begun.
    NewGame,
    /// The game stands where it stood before this number of moves and choices.
    TakenBack(usize),
    /// Something is proposed.
    Proposed(OpenProposal),
    /// A proposal does not stand any more: declined, or overtaken by a move.
    Dropped(OpenProposal),
    /// The host rejects the action, for this reason.
    Refused(String),
    /// It is known that both have this help from now on.
    Aid(RoomAid),
}

/// Returns a name as it can be shown: printable, without blanks at its ends, and not too long. A name that
/// is like that stays as it is.
#[must_use]
pub fn plain_name(name: &str) -> String {
    let plain: String = printable(name).trim_start().chars().take(MOST_OF_NAME).collect();
    plain.trim_end().to_owned()
}

/// Returns a reason that the other side gives, as it can be shown.
pub(super) fn plain_reason(why: &str) -> String {
    brief(why, MOST_OF_REASON)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages of programs from before there was chat, as far as they matter here.
    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case", tag = "say", deny_unknown_fields)]
    enum FormerMessage {
        Ping,
        Pong,
        Done { id: u64 },
    }

    #[test]
    fn programs_without_chat_understand_pings_and_are_understood() {
        let former = |text: &str| serde_json::from_str::<FormerMessage>(text).ok();
        let ping = serde_json::to_string(&HostMessage::Ping { heard: Some(3) }).unwrap();
        assert_eq!(ping, "{\"say\":\"ping\",\"heard\":3}");
        assert_eq!(former(&ping), Some(FormerMessage::Ping));
        // They answer without a word of chat, and are sent none: they would take it for an error.
        let pong = serde_json::to_string(&FormerMessage::Pong).unwrap();
        let heard: GuestMessage = serde_json::from_str(&pong).unwrap();
        assert_eq!(heard, GuestMessage::Pong { heard: None });
        assert_eq!(serde_json::to_string(&heard).unwrap(), pong);
        let ping: HostMessage = serde_json::from_str("{\"say\":\"ping\"}").unwrap();
        assert_eq!(ping, HostMessage::Ping { heard: None });
        assert_eq!(former("{\"say\":\"done\",\"id\":1,\"heard\":1}"), None);
        assert_eq!(former("{\"say\":\"chat\",\"number\":1,\"text\":\"x\"}"), None);
    }

    /// The state of a program from before there was help.
    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct FormerState {
        game: String,
        first: RoomPlayer,
        turn_ms: u64,
        proposal: Option<OpenProposal>,
    }

    #[test]
    fn programs_without_help_understand_states_and_are_understood() {
        let of_aid = |aid| RoomState {
            game: "a game".to_owned(),
            first: RoomPlayer::Guest,
            turn_ms: 1,
            proposal: None,
            aid,
        };
        let text = serde_json::to_string(&of_aid(None)).unwrap();
        let former: FormerState = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&former).unwrap(), text);
        assert_eq!(serde_json::from_str::<RoomState>(&text).unwrap(), of_aid(None));
        for aid in RoomAid::ALL {
            let state = of_aid(Some(aid));
            let text = serde_json::to_string(&state).unwrap();
            assert_eq!(aid.name().parse(), Ok(aid));
            assert!(text.ends_with(&format!("\"aid\":\"{}\"}}", aid.name())));
            assert_eq!(serde_json::from_str::<RoomState>(&text).unwrap(), state);
            assert!(serde_json::from_str::<FormerState>(&text).is_err());
        }
        // A host from before hears nothing in the chat.
        let GuestMessage::Chat { number, text } = GuestMessage::knows_aid() else { panic!() };
        assert_eq!(crate::room::RoomChat::default().hear(number, &text), None);
    }

    #[test]
    fn names_are_plain_and_stay_so() {
        let long = "a".repeat(31);
        for (name, plain) in [
            ("  Ann\u{1b}[2J ", "Ann\u{fffd}[2J"),
            ("\u{202e}Mallory\u{2066}\u{200b}", "\u{fffd}Mallory\u{fffd}\u{fffd}"),
            ("\n\t ", "\u{fffd}"),
            (" \t", ""),
            (&format!("{long} b"), &long),
            (&"五".repeat(40_000), &"五".repeat(MOST_OF_NAME)),
        ] {
            assert_eq!(plain_name(name), plain);
            assert_eq!(plain_name(plain), plain);
        }
        assert_eq!(plain_reason(&"x\u{1b}".repeat(300)).chars().count(), MOST_OF_REASON + 1);
    }
}
