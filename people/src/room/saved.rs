//! A room as a file holds it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::door::RoomKey;
use super::message::{RoomAid, RoomPlayer, plain_name};
use crate::play::{Controller, SavedGame};
use tengen_files::resume::{strip_sum, with_sum};

/// The version of the format.
const VERSION: u32 = 1;

/// Where a room is, and who gets in: what is left of it as long as nobody is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomPlace {
    /// The guest's credentials.
    pub key: RoomKey,
    /// The port, above 0.
    pub port: u16,
    /// True if the room is not made known in the local network.
    pub is_unlisted: bool,
}

/// All of a room that outlives the process of its host. Proposals do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedRoom {
    /// The game, which people play.
    pub game: SavedGame,
    /// Where it is.
    pub place: RoomPlace,
    /// The names of the host and the guest; plain, and empty if they are not known.
    pub names: [String; 2],
    /// The player of the first move in this game.
    pub first: RoomPlayer,
    /// The number of the last action of the guest that changed the game, or 0. One that did not is
    /// judged again if it is repeated.
    pub done: u64,
    /// The number of proposals that were made.
    pub proposals: u32,
    /// The time that the turn had taken, without earlier choices in it.
    pub turn: Duration,
    /// The help that the host allows.
    pub allowed: RoomAid,
}

/// The fields of the line after the game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRoomFields {
    /// The version of the format.
    tengen_room: u32,
    code: String,
    /// The ticket of the guest who has joined.
    ticket: Option<String>,
    port: u16,
    unlisted: bool,
    host: String,
    guest: String,
    first: RoomPlayer,
    done: u64,
    proposals: u32,
    turn_ms: u64,
    /// Rooms from before there was help allow none.
    #[serde(default = "no_aid")]
    allowed: RoomAid,
}

const fn no_aid() -> RoomAid {
    RoomAid::None
}

/// The reason why a game has no room with it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no saved room of this version: {0}")]
pub struct SavedRoomError(String);

impl SavedRoom {
    /// Writes what is to be saved after the game, as a line of JSON with its checksum. Its reader can join.
    #[must_use]
    pub fn to_text(&self) -> String {
        let [host, guest] = self.names.clone();
        let RoomPlace { key, port, is_unlisted } = &self.place;
        let fields = SavedRoomFields {
            tengen_room: VERSION,
            code: key.code.to_string(),
            ticket: key.ticket.map(|ticket| ticket.to_string()),
            port: *port,
            unlisted: *is_unlisted,
            host,
            guest,
            first: self.first,
            done: self.done,
            proposals: self.proposals,
            turn_ms: u64::try_from(self.turn.as_millis()).unwrap_or(u64::MAX),
            allowed: self.allowed,
        };
        // It cannot fail: these are texts and numbers.
        with_sum(&serde_json::to_string(&fields).unwrap_or_default()) + "\n"
    }

    /// Reads what [`SavedRoom::to_text`] has written after a game.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is anything else, or if an engine plays in the game.
    pub fn from_text(game: SavedGame, text: &str) -> Result<SavedRoom, SavedRoomError> {
        let fault = |why: &str| SavedRoomError(why.to_owned());
        // A checksum whose name is damaged is a field that nobody knows.
        let text = strip_sum(text).map_err(|error| SavedRoomError(error.to_string()))?;
        let fields: SavedRoomFields =
            serde_json::from_str(&text).map_err(|error| SavedRoomError(error.to_string()))?;
        if fields.tengen_room != VERSION {
            return Err(SavedRoomError(format!("version {}", fields.tengen_room)));
        }
        if game.terms.sides.0 != [Controller::Person; 2] {
            return Err(fault("an engine plays"));
        }
        let code = fields.code.parse().map_err(|_| fault("a code that is none"))?;
        let ticket = fields.ticket.map(|ticket| ticket.parse()).transpose();
        let ticket = ticket.map_err(|()| fault("a ticket that is none"))?;
        if fields.port == 0 {
            return Err(fault("no port"));
        }
        let names = [fields.host, fields.guest];
        if names.iter().any(|name| plain_name(name) != *name) {
            return Err(fault("a name that cannot be shown"));
        }
        if ticket.is_some() && names[RoomPlayer::Guest as usize].is_empty() {
            return Err(fault("a guest without a name"));
        }
        Ok(SavedRoom {
            game,
            place: RoomPlace {
                key: RoomKey { code, ticket },
                port: fields.port,
                is_unlisted: fields.unlisted,
            },
            names,
            first: fields.first,
            done: fields.done,
            proposals: fields.proposals,
            turn: Duration::from_millis(fields.turn_ms),
            allowed: fields.allowed,
        })
    }
}
