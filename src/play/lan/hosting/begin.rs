//! Opening a room: a new one, or a saved one.

use anyhow::{Context, bail};

use crate::common::words::note;
use crate::play;
use crate::play::args::PlayArgs;
use tengen_core::sys::clock::SystemClock;
use tengen_files::records::Record;
use tengen_people::play::Autosave;
use tengen_people::room::{
    Discovery, HostRoom, JoinCode, RoomAid, RoomKey, RoomPlace, RoomPlayer, SavedRoom, plain_name,
};

/// A room that is to be opened.
pub(super) struct HostedRoom {
    pub(super) room: HostRoom<SystemClock>,
    pub(super) key: RoomKey,
    /// The port, or 0 for a free one.
    pub(super) port: u16,
    pub(super) is_unlisted: bool,
}

/// Returns a room for another guest.
pub(super) fn open_new(args: &PlayArgs) -> anyhow::Result<HostedRoom> {
    let begins = args.white.is_none() || args.black.is_some();
    let first = if begins { RoomPlayer::Host } else { RoomPlayer::Guest };
    let game = play::begin(args)?;
    let mut room = HostRoom::new(SystemClock, play::terms(args), game, args.opening, first)
        .context("--opening")?;
    if args.file.is_none() {
        room.session_mut().set_date(&Record::date_now());
    }
    room.set_name(RoomPlayer::Host, &plain_name(args.lan.name.as_deref().unwrap_or("host")));
    room.allow(args.lan.allow.unwrap_or(RoomAid::Threats));
    let (key, port) = (RoomKey::new(JoinCode::random()), args.lan.port.unwrap_or(0));
    Ok(HostedRoom { room, key, port, is_unlisted: args.lan.unlisted })
}

/// Returns the room that was saved.
pub(super) fn open_again(args: &PlayArgs, autosave: &mut Autosave) -> anyhow::Result<HostedRoom> {
    let read = autosave.read_with_room()?;
    let path = autosave.path().display();
    let Some((game, text)) = read else {
        bail!("there is no room to resume: {path} is missing");
    };
    if text.is_empty() {
        bail!("{path} has a game without a room: --resume alone continues it");
    }
    let saved = SavedRoom::from_text(game, &text).with_context(|| path.to_string())?;
    let RoomPlace { key, port, is_unlisted } = saved.place.clone();
    let mut room = HostRoom::resume(SystemClock, saved);
    if let Some(aid) = args.lan.allow {
        room.allow(aid);
    }
    if let Some(name) = &args.lan.name {
        room.set_name(RoomPlayer::Host, &plain_name(name));
    }
    let (port, is_unlisted) = (args.lan.port.unwrap_or(port), args.lan.unlisted || is_unlisted);
    Ok(HostedRoom { room, key, port, is_unlisted })
}

/// Makes the room known in the local network; where that cannot be, people can play all the same.
pub(super) fn announce(room: &HostRoom<SystemClock>, name: &str, port: u16) -> Option<Discovery> {
    let game = room.session().game();
    let played = format!("{} {}, {}", game.rule(), game.size(), room.allowed());
    let known = Discovery::begin().and_then(|discovery| {
        discovery.announce(name, &played, port)?;
        Ok(discovery)
    });
    match known {
        Ok(discovery) => Some(discovery),
        Err(error) => {
            note(format_args!("The room is not listed: {error}"));
            None
        }
    }
}
