//! The host's side of a room.

mod begin;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, never, select};

use self::begin::{HostedRoom, announce, open_again, open_new};
use super::room::{RoomView, Wish};
use super::voice::Voice;
use super::{BEAT, INTERRUPTED, Interrupts, MOST_LINES, MOST_TYPED};
use crate::cli::args::playing::PlayArgs;
use crate::play::{Autosave, Controller};
use crate::records::Record;
use crate::room::{
    GuestMessage, HostMessage, HostRoom, JoinCode, LineWriter, RoomEvent, RoomNotice, RoomPlace,
    RoomPlayer, RoomServer,
};
use crate::sys::clock::SystemClock;

/// The interval at which the guest is asked whether it is there.
const BETWEEN_PINGS: Duration = Duration::from_secs(5);

/// Opens a room and plays in it.
pub(super) fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    if [args.black, args.white].contains(&Some(Controller::Engine)) {
        bail!("no engine plays in a room: --white person gives you white");
    }
    let mut autosave = super::autosave(args)?;
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
    let port = server.port();
    let mut out = io::stdout().lock();
    let again = if args.resume { "open again" } else { "open" };
    writeln!(out, "The room is {again} at port {port}. Code: {code}")?;
    let _known = if is_unlisted { None } else { announce(&room, &host, port)? };
    if !has_guest {
        writeln!(out, "Others join with: tengen play --line --join ADDRESS:{port} --code {code}")?;
    }
    writeln!(out, "Type help for the commands.")?;
    let voice = super::voice(args);
    let guest = Guest { name: guest, ..Guest::default() };
    let mut host = Hosting {
        room,
        server,
        is_unlisted,
        voice,
        autosave,
        saved: String::new(),
        unsaved_because: String::new(),
        guest,
        told: String::new(),
        is_over: false,
    };
    if args.resume {
        host.told += &host.view().heading();
        let comes = if has_guest {
            format!("{} is back", host.other())
        } else {
            "a guest comes".to_owned()
        };
        host.told += &format!("The clock stands, and moves wait, until {comes}.\n");
    }
    let ended = host.serve(&mut out, &super::lines(), &signals);
    if host.guest.has_come {
        host.save();
    }
    // The guest of a host that the system ends goes on trying, since the room can be opened again.
    if !signals.terminate.load(Ordering::SeqCst) || host.saved.is_empty() {
        host.say_goodbye();
    }
    ended
}

/// The guest, if one has come.
#[derive(Default)]
struct Guest {
    /// The number of the line, and the line as long as it holds.
    line: u64,
    writer: Option<LineWriter>,
    /// The name; empty before the first guest.
    name: String,
    /// Whether somebody has come since the room was opened. Until then the clock stands.
    has_come: bool,
}

struct Hosting {
    room: HostRoom<SystemClock>,
    server: RoomServer,
    is_unlisted: bool,
    voice: Voice,
    autosave: Option<Autosave>,
    /// What was saved last of the room; empty before there is anything to save.
    saved: String,
    /// Why that failed, as it was told; empty if it did not.
    unsaved_because: String,
    guest: Guest,
    /// What was not said yet.
    told: String,
    is_over: bool,
}

impl Hosting {
    fn serve(
        &mut self,
        out: &mut impl Write,
        lines: &Receiver<Vec<u8>>,
        signals: &Interrupts,
    ) -> anyhow::Result<ExitCode> {
        let events = self.server.events().clone();
        let mut lines = lines.clone();
        let mut waiting: VecDeque<String> = VecDeque::new();
        let mut is_closing = false;
        let mut pinged = Instant::now();
        loop {
            out.write_all(std::mem::take(&mut self.told).as_bytes())?;
            out.flush()?;
            if self.is_over || signals.terminate.load(Ordering::SeqCst) {
                return Ok(ExitCode::SUCCESS);
            }
            if signals.interrupt.load(Ordering::SeqCst) {
                return Ok(ExitCode::from(INTERRUPTED));
            }
            if waiting.front().is_some_and(|line| self.view().takes(line))
                && self.guest.has_come
                && let Some(line) = waiting.pop_front()
            {
                self.obey(&line);
                continue;
            }
            if is_closing && waiting.is_empty() {
                return Ok(ExitCode::SUCCESS);
            }
            if pinged.elapsed() >= BETWEEN_PINGS {
                pinged = Instant::now();
                self.send(&HostMessage::Ping);
                // Of a clock that runs no more than this is lost.
                if self.guest.has_come {
                    self.save();
                }
            }
            let more = if waiting.len() < MOST_LINES { lines.clone() } else { never() };
            select! {
                recv(more) -> line => match line {
                    Ok(line) if line.len() > MOST_TYPED => {
                        self.told += "Error: the line is too long.\n";
                    }
                    Ok(line) => {
                        let line = String::from_utf8_lossy(&line).into_owned();
                        if self.guest.has_come { waiting.push_back(line) }
                        else { self.obey_alone(&line, &mut waiting) }
                    }
                    Err(_) => {
                        lines = never();
                        is_closing = true;
                    }
                },
                recv(events) -> event => match event {
                    Ok(event) => self.event(event),
                    Err(_) => bail!("the room is gone"),
                },
                default(BEAT) => {}
            }
            if self.guest.has_come {
                let notices = self.room.tick();
                self.happened(&notices);
            }
        }
    }

    fn view(&self) -> RoomView<'_> {
        RoomView {
            session: self.room.session(),
            voice: self.voice,
            me: RoomPlayer::Host,
            first: self.room.first(),
            proposal: self.room.proposal(),
            other: self.other(),
            turn: self.room.session().turn_time(),
        }
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
        match autosave.write_with_room(&room.game, &text) {
            Ok(()) => {
                self.saved = text;
                self.unsaved_because.clear();
            }
            Err(error) => {
                // It is tried again and again, and told once.
                let because = format!("{:#}", anyhow::Error::new(error));
                if because != self.unsaved_because {
                    self.told += &format!("Error: the game was not saved: {because}.\n");
                    self.unsaved_because = because;
                }
            }
        }
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

    /// Takes a line as long as nobody has come: moves wait, the rest is done.
    fn obey_alone(&mut self, line: &str, waiting: &mut VecDeque<String>) {
        match self.view().understand(line) {
            Ok(Wish::Leave) => self.is_over = true,
            Ok(Wish::Act(_)) => waiting.push_back(line.to_owned()),
            Ok(Wish::Hear(_)) if line.trim().eq_ignore_ascii_case("wait") => {
                waiting.push_back(line.to_owned());
            }
            // What depends on moves to come is understood then.
            Err(_) => waiting.push_back(line.to_owned()),
            Ok(_) if !waiting.is_empty() => waiting.push_back(line.to_owned()),
            Ok(_) => self.obey(line),
        }
    }

    fn obey(&mut self, line: &str) {
        match self.view().understand(line) {
            Err(fault) => self.told += &format!("Error: {fault}.\n"),
            Ok(Wish::Hear(text)) => self.told += &text,
            Ok(Wish::Leave) => self.is_over = true,
            Ok(Wish::Invite) => {
                let code = JoinCode::random();
                self.server.reopen(code.clone());
                if !self.guest.name.is_empty() {
                    self.save();
                }
                if let Some(writer) = self.guest.writer.take() {
                    let why = "the host invites somebody else".to_owned();
                    writer.send(&HostMessage::Bye { why });
                    writer.finish();
                }
                self.told += &format!("Somebody else can come now. Code: {code}\n");
            }
            Ok(Wish::Act(action)) => match self.room.act(RoomPlayer::Host, &action) {
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

    fn event(&mut self, event: RoomEvent) {
        match event {
            RoomEvent::Joined { line, name, returns, writer } => {
                if let Some(before) = self.guest.writer.replace(writer) {
                    before.close();
                }
                self.guest.line = line;
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
                if !returns {
                    self.told += &self.view().heading();
                }
            }
            RoomEvent::Said { line, message } if line == self.guest.line => match message {
                GuestMessage::Act { id, action } => {
                    let (told, notices) = self.room.guest_acts(id, &action);
                    self.happened(&notices);
                    if notices.is_empty() {
                        // The guest may know less than it needs to understand a refusal.
                        self.send(&self.room.state());
                    }
                    self.send(&told);
                }
                GuestMessage::Bye => {
                    self.told +=
                        &format!("{} has left. invite lets another come.\n", self.guest.name);
                    self.guest.writer = None;
                }
                GuestMessage::Pong | GuestMessage::Join { .. } => {}
            },
            RoomEvent::Lost { line, why } if line == self.guest.line => {
                if self.guest.writer.take().is_some() {
                    self.told += &format!(
                        "The line to {} is broken: {why}. The place is kept.\n",
                        self.guest.name
                    );
                }
            }
            RoomEvent::Said { .. } | RoomEvent::Lost { .. } => {}
            RoomEvent::Refused { why } => {
                self.told += &format!("Somebody was not let in: {why}.\n");
            }
        }
    }

    fn say_goodbye(&mut self) {
        if let Some(writer) = self.guest.writer.take() {
            writer.send(&HostMessage::Bye { why: "the host has closed the room".to_owned() });
            writer.finish();
        }
    }
}
