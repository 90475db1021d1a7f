//! The host's side of a room.

mod begin;

use std::io;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use crossbeam_channel::never;

use self::begin::{HostedRoom, announce, open_again, open_new};
use super::room::{RoomRequest, RoomView};
use super::{RoomConnection, RoomSide, screen};
use crate::common::interrupts::Interrupts;
use crate::play;
use crate::play::args::PlayArgs;
use crate::play::programs::PlayerWords;
use crate::play::serving::{TypingPlayer, serve};
use crate::play::voice::Voice;
use tengen_core::sys::clock::SystemClock;
use tengen_files::records::Record;
use tengen_people::play::Autosave;
use tengen_people::room::{
    ChatLine, GuestMessage, HostMessage, HostRoom, JoinCode, LineWriter, RoomAdviser, RoomAid,
    RoomChat, RoomEvent, RoomNotice, RoomPlace, RoomPlayer, RoomServer,
};

/// The interval at which the guest is asked whether it is there.
const BETWEEN_PINGS: Duration = Duration::from_secs(5);

/// Checks that people play, and whom a new room seats.
fn check_players(args: &PlayArgs) -> anyhow::Result<()> {
    let given = [&args.black, &args.white];
    if given.into_iter().flatten().any(|player| *player != PlayerWords::Person) {
        bail!("no engine plays in a room: --white person gives you white");
    }
    if args.resume && given.into_iter().any(Option::is_some) {
        bail!("a room that is opened again keeps its players");
    }
    Ok(())
}

/// Opens a room and plays in it.
pub(super) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    check_players(args)?;
    let look = if args.line { None } else { Some(play::look(args)?) };
    let mut autosave = play::autosave(args)?;
    let HostedRoom { mut room, key, port, is_unlisted } = match &mut autosave {
        Some(autosave) if args.resume => open_again(args, autosave)?,
        _ => open_new(args)?,
    };
    room.stop_clock();
    let (code, has_guest) = (key.code().clone(), key.has_guest());
    let [host, guest] = RoomPlayer::ALL.map(|player| room.name(player).to_owned());
    let signals = Interrupts::watch().context("cannot watch for Ctrl-C")?;
    let server = RoomServer::open(port, key, &host)
        .with_context(|| format!("cannot open a room at port {port}"))?;
    let (port, events) = (server.port(), server.events().clone());
    let again = if args.resume { "open again" } else { "open" };
    let mut told = format!("The room is {again} at port {port}. Code: {code}\n");
    let _known = if is_unlisted { None } else { announce(&room, &host, port) };
    if !has_guest {
        let line = if args.line { " --line" } else { "" };
        told +=
            &format!("Others join with: tengen play{line} --join ADDRESS:{port} --code {code}\n");
    }
    told += if args.line { "Type help for the commands.\n" } else { "? shows the keys.\n" };
    let voice = play::voice(args);
    let guest = Guest { name: if has_guest { guest } else { String::new() }, ..Guest::default() };
    let mut host = Hosting {
        room,
        server,
        is_unlisted,
        voice,
        autosave,
        saved: String::new(),
        guest,
        chat: RoomChat::default(),
        adviser: RoomAdviser::default(),
        told,
        is_over: false,
        pinged: Instant::now(),
    };
    if args.resume {
        host.tell_standing(has_guest);
    }
    let ended = match look {
        Some(look) => screen::run(&mut host, look, &events, &signals),
        None => {
            let mut out = io::stdout().lock();
            serve(&mut host, &mut out, &play::lines(), (&events, &never()), &signals)
        }
    };
    if host.guest.has_come {
        host.save();
    }
    // The guest of a host that the system ends goes on trying, since the room can be opened again.
    if !signals.terminate.load(Ordering::SeqCst) || host.saved.is_empty() {
        host.say_goodbye("the host has closed the room");
    }
    ended
}

/// The guest, if one has come.
#[derive(Default)]
struct Guest {
    /// The number of the line, and the line as long as it holds.
    line: u64,
    writer: Option<LineWriter>,
    /// The number of the last line that is over for good: nothing counts that comes from there.
    past: u64,
    /// The name; empty before the first guest.
    name: String,
    /// True if a guest has come since the room was opened. Until then the clock stands.
    has_come: bool,
}

impl Guest {
    /// Returns whether what comes from a line counts.
    const fn is_at(&self, line: u64) -> bool {
        line == self.line && line > self.past
    }
}

struct Hosting {
    room: HostRoom<SystemClock>,
    server: RoomServer,
    is_unlisted: bool,
    voice: Voice,
    autosave: Option<Autosave>,
    /// The last saved state of the room; empty before there is anything to save.
    saved: String,
    guest: Guest,
    chat: RoomChat,
    adviser: RoomAdviser,
    /// Output that is not printed yet.
    told: String,
    is_over: bool,
    /// The moment at which the guest was last asked whether it is there.
    pinged: Instant,
}

impl Hosting {
    fn view(&self) -> RoomView<'_> {
        RoomView {
            session: self.room.session(),
            voice: self.voice,
            me: RoomPlayer::Host,
            first: self.room.first(),
            proposal: self.room.proposal(),
            other: self.other(),
            turn: self.room.session().turn_time(),
            aid: self.room.aid(),
            adviser: &self.adviser,
        }
    }

    /// Says how a game stands that was opened again, and what it waits for.
    fn tell_standing(&mut self, has_guest: bool) {
        let comes = match has_guest {
            true => format!("{} is back", self.other()),
            false => "a guest comes".to_owned(),
        };
        self.told += &self.view().heading();
        self.told += &format!("The clock stands, and moves wait, until {comes}.\n");
    }

    fn other(&self) -> &str {
        if self.guest.name.is_empty() { "the guest" } else { &self.guest.name }
    }

    /// Saves the room if it has changed, from the first guest on.
    fn save(&mut self) {
        let Some(autosave) = &mut self.autosave else { return };
        let place = RoomPlace {
            key: self.server.key(),
            port: self.server.port(),
            is_unlisted: self.is_unlisted,
        };
        let room = self.room.saved(place);
        let text = room.to_text();
        if self.room.session_mut().unsaved().is_none() && text == self.saved {
            return;
        }
        self.told.extend(autosave.keep(&room.game, &text));
        // What is not saved is tried again.
        self.saved = if autosave.kept_in().is_some() { text } else { String::new() };
    }

    fn send(&self, message: &HostMessage) {
        if let Some(writer) = &self.guest.writer {
            writer.send(message);
        }
    }

    /// Saves, sends and says what has happened.
    fn happened(&mut self, notices: &[RoomNotice]) {
        if notices.is_empty() {
            return;
        }
        if notices.contains(&RoomNotice::NewGame) {
            self.room.session_mut().set_date(&Record::date_now());
        }
        self.save();
        self.send(&self.room.state());
        self.told += &self.view().told(notices);
    }

    /// Says something to the guest, now or when one is there.
    fn chat(&mut self, text: &str) {
        match self.chat.say(text) {
            Ok(Some(line)) => self.send_line(line),
            Ok(None) => self.told += &format!("That waits until {} is there.\n", self.other()),
            Err(fault) => self.told += &format!("Error: {fault}.\n"),
        }
    }

    fn send_line(&self, ChatLine { number, text }: ChatLine) {
        self.send(&HostMessage::Chat { number, text });
    }

    /// Asks whether the guest is there, and tells what was heard.
    fn ping(&mut self) {
        self.pinged = Instant::now();
        self.send(&HostMessage::Ping { heard: Some(self.chat.heard()) });
    }

    /// Takes what the guest says.
    fn said(&mut self, line: u64, message: GuestMessage) {
        match message {
            GuestMessage::Act { id, action } => {
                let (told, notices) = self.room.guest_acts(id, &action);
                self.happened(&notices);
                if notices.is_empty() {
                    // The guest may know less than it needs to understand a refusal.
                    self.send(&self.room.state());
                }
                self.send(&told);
            }
            message if message == GuestMessage::knows_aid() => {
                let notices = self.room.learn_of_guest(true);
                self.happened(&notices);
            }
            GuestMessage::Chat { number, text } => {
                if let Some(text) = self.chat.hear(number, &text) {
                    self.told += &format!("{} says: {text}\n", self.guest.name);
                }
            }
            GuestMessage::Pong { heard } => {
                let is_news = !self.room.learn_of_guest(false).is_empty();
                if is_news && self.room.allowed() != RoomAid::None {
                    self.told += &format!(
                        "The program of {} is too old for help: neither of you has any.\n",
                        self.guest.name
                    );
                }
                match self.chat.is_heard(heard) {
                    Ok(lines) => lines.into_iter().for_each(|line| self.send_line(line)),
                    Err(fault) => {
                        self.told += &format!("Error: what you said is not heard: {fault}.\n");
                    }
                }
            }
            GuestMessage::Bye => {
                self.told += &format!("{} has left. invite lets another come.\n", self.guest.name);
                self.guest.past = line;
                self.guest.writer = None;
                self.chat.lose();
            }
            GuestMessage::Join { .. } => {}
        }
    }

    fn say_goodbye(&mut self, why: &str) {
        if let Some(writer) = self.guest.writer.take() {
            writer.send(&HostMessage::Bye { why: why.to_owned() });
            writer.finish();
        }
    }
}

impl TypingPlayer for Hosting {
    type Event = RoomEvent;

    fn told(&mut self) -> &mut String {
        &mut self.told
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn takes(&self, line: &str) -> bool {
        self.guest.has_come && self.view().takes(line)
    }

    fn obey(&mut self, line: &str) {
        match self.view().understand(line) {
            Err(fault) => self.told += &format!("Error: {fault}.\n"),
            Ok(RoomRequest::Hear(text)) => self.told += &text,
            Ok(RoomRequest::Leave) => self.is_over = true,
            Ok(RoomRequest::Say(text)) => self.chat(&text),
            Ok(RoomRequest::Hint) => self.adviser.ask(self.room.session().saved()),
            Ok(RoomRequest::Invite) => {
                let code = JoinCode::random();
                self.guest.past = self.server.reopen(code.clone());
                if !std::mem::take(&mut self.guest.name).is_empty() {
                    // What is said from now on waits for somebody else.
                    self.chat.begin_anew();
                }
                if !self.room.name(RoomPlayer::Guest).is_empty() {
                    self.save();
                }
                self.say_goodbye("the host invites another guest");
                self.told += &format!("Another guest can join now. Code: {code}\n");
            }
            Ok(RoomRequest::Act(action)) => match self.room.act(RoomPlayer::Host, &action) {
                Ok(notices) => self.happened(&notices),
                Err(fault) => {
                    let game = self.room.session().game();
                    let origin = self.voice.origin(game);
                    let fault = fault.turned(|point| origin.turn(point, game.size()));
                    self.told += &format!("Error: {fault}.\n");
                }
            },
        }
    }

    /// Lets lines wait, but for those that can be obeyed while nobody is there.
    fn typed(&mut self, line: String, waits: bool) -> Option<String> {
        if self.guest.has_come {
            return Some(line);
        }
        match self.view().understand(&line) {
            Ok(RoomRequest::Leave) => self.is_over = true,
            // Moves wait, and what depends on moves to come is understood then.
            Ok(RoomRequest::Act(_)) | Err(_) => return Some(line),
            Ok(_) if waits || line.trim().eq_ignore_ascii_case("wait") => return Some(line),
            Ok(_) => self.obey(&line),
        }
        None
    }

    fn may_end(&self) -> bool {
        !self.adviser.is_busy()
    }

    fn event(&mut self, event: RoomEvent) -> anyhow::Result<()> {
        match event {
            // Two connections may be made at once, and the older one be reported last.
            RoomEvent::Joined { line, .. } if line <= self.guest.past.max(self.guest.line) => {}
            RoomEvent::Joined { line, name, returns, writer } => {
                if let Some(before) = self.guest.writer.replace(writer) {
                    before.close();
                }
                self.guest.line = line;
                self.chat.lose();
                if !returns {
                    self.guest.name = if name.is_empty() { "guest".to_owned() } else { name };
                    self.room.forget_guest();
                    self.room.set_name(RoomPlayer::Guest, &self.guest.name);
                }
                if !std::mem::replace(&mut self.guest.has_come, true) {
                    self.room.start_clock();
                }
                self.save();
                let comes = if returns { "is back" } else { "has joined" };
                self.told += &format!("{} {comes}.\n", self.guest.name);
                self.send(&self.room.state());
                self.ping();
                if !returns {
                    self.told += &self.view().heading();
                }
            }
            RoomEvent::Said { line, message } if self.guest.is_at(line) => self.said(line, message),
            RoomEvent::Lost { line, why } if self.guest.is_at(line) => {
                self.chat.lose();
                if self.guest.writer.take().is_some() {
                    self.told += &format!(
                        "The line to {} is broken: {why}. The place is kept; invite lets another \
                         come.\n",
                        self.guest.name
                    );
                }
            }
            RoomEvent::Said { .. } | RoomEvent::Lost { .. } => {}
            RoomEvent::Refused { callers: 1, why } => {
                self.told += &format!("A caller was rejected: {why}.\n");
            }
            RoomEvent::Refused { callers, why } => {
                self.told +=
                    &format!("{callers} callers were rejected, the last one because {why}.\n");
            }
        }
        Ok(())
    }

    fn beat(&mut self) {
        let is_due = self.pinged.elapsed() >= BETWEEN_PINGS;
        if is_due {
            self.ping();
        }
        let advice = self.adviser.beat(Some(self.room.session()));
        let told = self.view().advised(&advice);
        self.told += &told;
        if self.guest.has_come {
            let notices = self.room.tick();
            self.happened(&notices);
            // Of a clock that runs no more than the time between is lost.
            if is_due {
                self.save();
            }
        }
    }
}

impl RoomSide for Hosting {
    fn view(&self) -> Option<RoomView<'_>> {
        Some(Hosting::view(self))
    }

    fn connection(&self) -> RoomConnection {
        let other = self.other();
        let key = self.server.key();
        let at = format!("port {}, code {}", self.server.port(), key.code());
        let words = if self.guest.writer.is_some() {
            format!("Connected to {other}.")
        } else if !key.has_guest() {
            format!("Waiting for a guest: {at}.")
        } else if self.guest.has_come && !self.guest.is_at(self.guest.line) {
            format!("{other} has left: invite lets another come.")
        } else {
            format!("Waiting for {other} to come back: {at}.")
        };
        RoomConnection { holds: self.guest.writer.is_some(), words }
    }
}

#[cfg(test)]
mod tests;
