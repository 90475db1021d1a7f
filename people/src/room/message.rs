//! Messages between host and guest.

use serde::{Deserialize, Serialize};

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
