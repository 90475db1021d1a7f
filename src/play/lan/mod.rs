//! Games of two people on a local network: one opens a room, the other joins it.

pub(crate) mod args;
mod hosting;
mod joining;
mod room;
mod screen;

use std::process::ExitCode;

use anyhow::bail;

use self::room::RoomView;
use super::args::PlayArgs;
use super::serving::TypingPlayer;

/// Whether the two programs of a room are connected.
struct RoomConnection {
    /// True if they are.
    holds: bool,
    /// What there is to say of it.
    words: String,
}

/// A player of a room, whose game can be shown.
trait RoomSide: TypingPlayer {
    /// Returns the game as this player sees it, once it is known.
    fn view(&self) -> Option<RoomView<'_>>;

    /// Returns the state of the connection.
    fn connection(&self) -> RoomConnection;
}

/// Plays in a room, if the arguments ask for one.
pub(super) fn run(args: &PlayArgs) -> anyhow::Result<Option<ExitCode>> {
    match &args.lan.join {
        _ if args.lan.host => hosting::run(args).map(Some),
        Some(address) => joining::run(args, address.as_deref()).map(Some),
        None if args.lan.name.is_some() => {
            bail!("a name is for games on a network: --host or --join")
        }
        None => Ok(None),
    }
}
