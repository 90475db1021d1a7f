//! The guest's side of a room.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use crossbeam_channel::{Receiver, bounded, never};

use super::room::{RoomRequest, RoomView};
use super::{RoomConnection, RoomSide, screen};
use crate::common::interrupts::{BEAT, INTERRUPTED, Interrupts};
use crate::play;
use crate::play::args::PlayArgs;
use crate::play::serving::{TypingPlayer, serve};
use crate::play::voice::Voice;
use tengen_files::printable::{brief, printable_lines};
use tengen_people::play::Autosave;
use tengen_people::room::{
    CallEvent, ChatLine, Discovery, FoundRoom, GuestMessage, GuestRoom, HostMessage, JoinCode,
    LineWriter, RoomAdviser, RoomCaller, RoomChat, RoomPlayer, plain_name,
};

/// The time for which rooms are looked for.
const LOOKING: Duration = Duration::from_secs(3);
/// The most rooms that are shown at a time.
const MOST_LISTED: usize = 32;
/// The most characters that are shown of what was typed.
const MOST_OF_LINE: usize = 20;
/// The most bytes of an answer.
const MOST_ANSWERED: u64 = 1000;
/// The message where many are calling.
const CROWDED: &str = "The host is busy with other callers. It is tried again.\n";
/// The time for which a broken line is tried again.
const PATIENCE: Duration = Duration::from_secs(600);

/// Joins a room and plays in it.
pub(super) fn run(args: &PlayArgs, address: Option<&str>) -> anyhow::Result<ExitCode> {
    let autosave = play::autosave(args)?;
    let signals = Interrupts::watch().context("cannot watch for Ctrl-C")?;
    let look = if args.line { None } else { Some(play::look(args)?) };
    let answers = match look {
        Some(_) => Answers::OneByOne,
        None => Answers::Lines(play::lines()),
    };
    let mut out = io::stdout().lock();
    let address = match address {
        Some(address) => address.to_owned(),
        None => match choose_room(&mut out, &answers, &signals)? {
            Some(address) => address,
            None => return Ok(ExitCode::from(INTERRUPTED)),
        },
    };
    let name = plain_name(args.lan.name.as_deref().unwrap_or("guest"));
    let join = |code: JoinCode| {
        RoomCaller::join(&address, code, &name, PATIENCE).with_context(|| {
            format!("{address} is not an address of a room, such as 192.168.1.5:4000")
        })
    };
    let (caller, first) = match &args.lan.code {
        Some(code) => (join(code.clone())?, None),
        None => match join_asking(&mut out, &answers, &signals, join)? {
            Some((caller, first)) => (caller, Some(first)),
            None => return Ok(ExitCode::from(INTERRUPTED)),
        },
    };
    let mut guest = Joining {
        room: GuestRoom::default(),
        voice: play::voice(args),
        autosave,
        writer: None,
        chat: RoomChat::default(),
        adviser: RoomAdviser::default(),
        host: String::new(),
        told: String::new(),
        is_over: false,
    };
    if let Some(event) = first {
        guest.event(event)?;
    }
    let events = caller.events();
    let ended = match look {
        None => serve(&mut guest, &mut out, &answers.lines(), (events, &never()), &signals),
        Some(look) => {
            drop(out);
            screen::run(&mut guest, look, events, &signals)
        }
    };
    if let Some(writer) = guest.writer.take() {
        writer.send(&GuestMessage::Bye);
        writer.finish();
    }
    ended
}

/// Where the answers to the questions before a game come from.
enum Answers {
    /// From all lines, which the game goes on with.
    Lines(Receiver<Vec<u8>>),
    /// From a line that is read for each of them: what is typed later is for the screen.
    OneByOne,
}

impl Answers {
    fn lines(&self) -> Receiver<Vec<u8>> {
        let Answers::Lines(lines) = self else {
            let (sender, line) = bounded(1);
            thread::spawn(move || {
                let mut bytes = Vec::new();
                let mut input = io::stdin().lock().take(MOST_ANSWERED);
                if input.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                    // Nobody waits any more after a signal.
                    let _ = sender.send(bytes);
                }
            });
            return line;
        };
        lines.clone()
    }
}

/// Waits for a line; nothing at the end of the input or at a signal.
fn typed(answers: &Answers, signals: &Interrupts) -> Option<String> {
    let lines = answers.lines();
    loop {
        if signals.interrupt.load(Ordering::SeqCst) || signals.terminate.load(Ordering::SeqCst) {
            return None;
        }
        match lines.recv_timeout(BEAT) {
            Ok(line) => return Some(String::from_utf8_lossy(&line).trim().to_owned()),
            Err(error) if error.is_timeout() => {}
            Err(_) => return None,
        }
    }
}

/// Lists the rooms of the local network, and returns the address of the one that is chosen.
fn choose_room(
    out: &mut impl Write,
    answers: &Answers,
    signals: &Interrupts,
) -> anyhow::Result<Option<String>> {
    writeln!(out, "Looking for rooms in the local network.")?;
    out.flush()?;
    let rooms = Discovery::begin()?.find(LOOKING)?.rooms();
    if rooms.is_empty() {
        bail!("no room was found: --join HOST:PORT goes to one directly");
    }
    let mut shown = list(&rooms, "").unwrap_or_default();
    loop {
        write!(out, "{}", printable_lines(&shown))?;
        out.flush()?;
        let Some(line) = typed(answers, signals) else { return Ok(None) };
        let number = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        if let Some(room) = number.and_then(|index| rooms.get(index)) {
            return Ok(Some(room.address.to_string()));
        }
        shown = list(&rooms, &line).unwrap_or_else(|| {
            let line = brief(&line, MOST_OF_LINE);
            format!("Error: there is no room {line:?}.\nType the number of a room.\n")
        });
    }
}

/// Lists the rooms that have this in their name or address, with their numbers among all; `None` if there
/// are none.
fn list(rooms: &[FoundRoom], part: &str) -> Option<String> {
    let part = part.to_lowercase();
    let is_wanted = |room: &FoundRoom| {
        room.name.to_lowercase().contains(&part) || room.address.to_string().contains(&part)
    };
    let wanted: Vec<(usize, &FoundRoom)> =
        (1..).zip(rooms).filter(|(_, room)| is_wanted(room)).collect();
    let mut text = String::new();
    for (number, room) in wanted.iter().take(MOST_LISTED) {
        text += &format!("{number}. {}: {}, {}\n", room.name, room.game, room.address);
    }
    let more = wanted.len().saturating_sub(MOST_LISTED);
    text += &match more {
        0 => "Type the number of a room.\n".to_owned(),
        more => format!(
            "There are {more} more. Type the number of a room, or a part of a name or an address.\n"
        ),
    };
    (!wanted.is_empty()).then_some(text)
}

/// Asks for codes until the host takes one, or is not there; returns the first event that matters. Nothing
/// at the end of the input or at a signal.
fn join_asking(
    out: &mut impl Write,
    answers: &Answers,
    signals: &Interrupts,
    join: impl Fn(JoinCode) -> anyhow::Result<RoomCaller>,
) -> anyhow::Result<Option<(RoomCaller, CallEvent)>> {
    let mut refused: Option<String> = None;
    loop {
        let Some(code) = ask_code(out, answers, signals)? else {
            let Some(why) = refused else { return Ok(None) };
            bail!(not_in(&why));
        };
        let caller = join(code)?;
        let event = loop {
            match caller.events().recv_timeout(BEAT) {
                Ok(CallEvent::Crowded) => write!(out, "{CROWDED}")?,
                Ok(event) => break event,
                Err(error) if error.is_timeout() => {}
                Err(_) => bail!("the room is gone"),
            }
            out.flush()?;
            if signals.interrupt.load(Ordering::SeqCst) || signals.terminate.load(Ordering::SeqCst)
            {
                return Ok(None);
            }
        };
        let CallEvent::Refused(why) = event else { return Ok(Some((caller, event))) };
        write!(out, "{}", printable_lines(&format!("Error: {}.\n", not_in(&why))))?;
        refused = Some(why);
    }
}

/// Reports why a guest is rejected.
fn not_in(why: &str) -> String {
    format!("cannot join the room: {why}")
}

/// Asks for the code.
fn ask_code(
    out: &mut impl Write,
    answers: &Answers,
    signals: &Interrupts,
) -> anyhow::Result<Option<JoinCode>> {
    loop {
        writeln!(out, "Type the code that the host sees.")?;
        out.flush()?;
        let Some(line) = typed(answers, signals) else { return Ok(None) };
        match line.parse() {
            Ok(code) => return Ok(Some(code)),
            Err(error) => writeln!(out, "Error: {error}.")?,
        }
    }
}

struct Joining {
    room: GuestRoom,
    voice: Voice,
    autosave: Option<Autosave>,
    writer: Option<LineWriter>,
    chat: RoomChat,
    adviser: RoomAdviser,
    /// The name of the host; empty before it is known.
    host: String,
    /// Output that is not printed yet.
    told: String,
    is_over: bool,
}

impl Joining {
    fn view(&self) -> Option<RoomView<'_>> {
        Some(RoomView {
            session: self.room.session()?,
            voice: self.voice,
            me: RoomPlayer::Guest,
            first: self.room.first(),
            proposal: self.room.proposal(),
            other: &self.host,
            turn: self.room.turn_time(),
            aid: self.room.aid(),
            adviser: &self.adviser,
        })
    }

    /// Sends a message; without a line it is sent when there is one again.
    fn send(&self, message: &GuestMessage) {
        if let Some(writer) = &self.writer {
            writer.send(message);
        }
    }

    fn send_line(&self, ChatLine { number, text }: ChatLine) {
        self.send(&GuestMessage::Chat { number, text });
    }

    /// Answers the question whether somebody is there. A host from before there was chat gets the answer that
    /// it knows.
    fn pinged(&mut self, heard: Option<u64>) {
        if heard.is_some() && !self.room.is_known_to_know_aid() {
            self.send(&GuestMessage::knows_aid());
        }
        self.send(&GuestMessage::Pong { heard: heard.map(|_| self.chat.heard()) });
        match self.chat.is_heard(heard) {
            Ok(lines) => lines.into_iter().for_each(|line| self.send_line(line)),
            Err(fault) => self.told += &format!("Error: what you said is not heard: {fault}.\n"),
        }
    }

    /// Takes a message of the host.
    fn said(&mut self, message: HostMessage) -> anyhow::Result<()> {
        let is_first = self.room.session().is_none();
        let is_state = matches!(message, HostMessage::State(_));
        let notices = self.room.take(message)?;
        if is_state && let Some(saved) = self.room.saved() {
            let is_something = !saved.game.is_untouched() || saved.opening.is_some();
            if let Some(autosave) = self.autosave.as_mut().filter(|_| is_something) {
                self.told.extend(autosave.keep(saved, ""));
            }
        }
        let Some(view) = self.view() else { return Ok(()) };
        let told = if is_first { view.heading() } else { view.told(&notices) };
        self.told += &told;
        Ok(())
    }
}

impl TypingPlayer for Joining {
    type Event = CallEvent;

    fn told(&mut self) -> &mut String {
        &mut self.told
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn takes(&self, line: &str) -> bool {
        // A line may depend on what comes of the one before.
        !self.room.is_waiting() && self.view().is_some_and(|view| view.takes(line))
    }

    fn obey(&mut self, line: &str) {
        let Some(view) = self.view() else { return };
        match view.understand(line) {
            Err(fault) => self.told += &format!("Error: {fault}.\n"),
            Ok(RoomRequest::Hear(text)) => self.told += &text,
            Ok(RoomRequest::Leave) => self.is_over = true,
            Ok(RoomRequest::Hint) => {
                let about = view.session.saved();
                self.adviser.ask(about);
            }
            Ok(RoomRequest::Invite) => self.told += "Error: the host invites.\n",
            Ok(RoomRequest::Say(text)) => match self.chat.say(&text) {
                Ok(Some(line)) => self.send_line(line),
                Ok(None) => self.told += &format!("That waits until {} is there.\n", self.host),
                Err(fault) => self.told += &format!("Error: {fault}.\n"),
            },
            Ok(RoomRequest::Act(action)) => match self.room.act(action) {
                Ok(message) => self.send(&message),
                Err(fault) => self.told += &format!("Error: {fault}.\n"),
            },
        }
    }

    fn typed(&mut self, line: String, _waits: bool) -> Option<String> {
        // A guest can leave while waiting for an answer or a connection.
        if line.trim().eq_ignore_ascii_case("quit") && self.writer.is_none() {
            self.is_over = true;
            return None;
        }
        Some(line)
    }

    fn may_end(&self) -> bool {
        // A room may take a while to appear.
        self.room.session().is_some() && !self.room.is_waiting() && !self.adviser.is_busy()
    }

    fn event(&mut self, event: CallEvent) -> anyhow::Result<()> {
        match event {
            CallEvent::Joined { name, returns, writer } => {
                self.writer = Some(writer);
                self.host = if name.is_empty() { "the host".to_owned() } else { name };
                self.told += &match returns {
                    true => "The line holds again.\n".to_owned(),
                    false => format!(
                        "You have joined the room of {}. Type help for the commands.\n",
                        self.host
                    ),
                };
                if let Some(message) = self.room.unanswered() {
                    self.send(&message);
                }
            }
            CallEvent::Crowded => {
                self.told += CROWDED;
            }
            CallEvent::Said(HostMessage::Ping { heard }) => self.pinged(heard),
            CallEvent::Said(HostMessage::Chat { number, text }) => {
                if let Some(text) = self.chat.hear(number, &text) {
                    self.told += &format!("{} says: {text}\n", self.host);
                }
            }
            CallEvent::Said(message) => self.said(message)?,
            CallEvent::Lost(why) => {
                self.chat.lose();
                if self.writer.take().is_some() {
                    let minutes = PATIENCE.as_secs() / 60;
                    self.told += &format!(
                        "The line is broken: {why}. It is tried again for {minutes} minutes.\n"
                    );
                }
            }
            CallEvent::Over(why) | CallEvent::Refused(why) => {
                self.writer = None;
                if self.host.is_empty() {
                    bail!(not_in(&why));
                }
                self.told += &format!("The room is closed: {why}.\n");
                self.is_over = true;
            }
        }
        Ok(())
    }

    fn beat(&mut self) {
        let advice = self.adviser.beat(self.room.session());
        let told = self.view().map_or_else(String::new, |view| view.advised(&advice));
        self.told += &told;
    }
}

impl RoomSide for Joining {
    fn view(&self) -> Option<RoomView<'_>> {
        Joining::view(self)
    }

    fn connection(&self) -> RoomConnection {
        let waits = if self.room.is_waiting() { " What you did last waits." } else { "" };
        let words = match &self.writer {
            Some(_) => format!("Connected to {}.", self.host),
            None if self.host.is_empty() => "Calling the room.".to_owned(),
            None => format!("The line is broken and tried again.{waits}"),
        };
        RoomConnection { holds: self.writer.is_some(), words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_rooms_is_made_short_by_a_name() {
        let room = |i: u8| FoundRoom {
            name: if i == 200 { "Zoe".to_owned() } else { format!("Ann {i}") },
            game: "renju 15x15".to_owned(),
            address: ([10, 0, 0, i], 4000).into(),
        };
        let rooms: Vec<FoundRoom> = (1..=200).map(room).collect();
        let all = list(&rooms, "").expect("rooms");
        assert_eq!(all.lines().count(), MOST_LISTED + 1);
        assert!(all.ends_with(
            "\nThere are 168 more. Type the number of a room, or a part of a name or an address.\n"
        ));
        let found = "200. Zoe: renju 15x15, 10.0.0.200:4000\nType the number of a room.\n";
        assert_eq!(list(&rooms, "ZO").as_deref(), Some(found));
        assert_eq!(list(&rooms, ".200:").as_deref(), Some(found));
        assert_eq!(list(&rooms, "Bob"), None);
    }
}
