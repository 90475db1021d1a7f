//! A host whose guests do not come and go one after the other.

use std::time::Duration;

use super::*;
use tengen_core::notation::BoardGlyphs;
use tengen_core::rules::Rule;
use tengen_core::types::{ByColor, Size};
use tengen_people::play::{CasualGame, ClockControl, Controller, PlayTerms, ThinkingLimits};
use tengen_people::room::{CallEvent, Proposal, RoomAction, RoomCaller, RoomKey};

/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_secs(60);

fn hosting() -> (Hosting, JoinCode) {
    let game = CasualGame::new(Size::DEFAULT, Rule::Freestyle);
    let terms = PlayTerms {
        sides: ByColor([Controller::Person; 2]),
        skills: ByColor::default(),
        clock: ClockControl::default(),
        thinking: ThinkingLimits::default(),
    };
    let room = HostRoom::new(SystemClock, terms, game, None, RoomPlayer::Guest).expect("a board");
    let code = JoinCode::random();
    let host = Hosting {
        room,
        server: RoomServer::open(0, RoomKey::new(code.clone()), "Ann").expect("a port"),
        is_unlisted: true,
        voice: Voice { origin: None, glyphs: BoardGlyphs::Letters },
        autosave: None,
        saved: String::new(),
        guest: Guest::default(),
        chat: RoomChat::default(),
        adviser: RoomAdviser::default(),
        told: String::new(),
        is_over: false,
        pinged: Instant::now(),
    };
    (host, code)
}

/// Lets a guest join; returns the connection, and its event.
fn joined(host: &Hosting, code: JoinCode, name: &str) -> (RoomCaller, u64, RoomEvent) {
    let ((caller, _), line, event) = listening(host, code, name);
    (caller, line, event)
}

/// As [`joined`], with the guest's writer, without which the guest closes the line.
fn listening(
    host: &Hosting,
    code: JoinCode,
    name: &str,
) -> ((RoomCaller, LineWriter), u64, RoomEvent) {
    let address = format!("127.0.0.1:{}", host.server.port());
    let caller = RoomCaller::join(&address, code, name, PATIENCE).expect("an address");
    let event = caller.events().recv_timeout(PATIENCE).expect("an event");
    let CallEvent::Joined { writer, .. } = event else { panic!("{event:?}") };
    loop {
        let event = host.server.events().recv_timeout(PATIENCE).expect("a guest");
        if let RoomEvent::Joined { line, name: of, .. } = &event
            && of == name
        {
            return ((caller, writer), *line, event);
        }
    }
}

fn says(line: u64, message: GuestMessage) -> RoomEvent {
    RoomEvent::Said { line, message }
}

fn act(id: u64, action: RoomAction) -> GuestMessage {
    GuestMessage::Act { id, action }
}

#[test]
fn a_guest_who_has_left_or_was_replaced_changes_nothing() {
    let (mut host, code) = hosting();
    let (_bob, line, event) = joined(&host, code, "Bob");
    host.event(event).unwrap();
    host.event(says(line, act(1, RoomAction::Propose { proposal: Proposal::Draw }))).unwrap();
    assert!(host.told.contains("Bob asks you for a draw"), "{}", host.told);
    host.obey("invite");
    let code = host.server.key().code().clone();
    host.told.clear();
    // Messages on their way, and the end of the connection.
    host.event(says(line, act(2, RoomAction::Resign))).unwrap();
    host.event(says(line, GuestMessage::Bye)).unwrap();
    host.event(RoomEvent::Lost { line, why: "the line is broken".to_owned() }).unwrap();
    assert_eq!(host.told, "");
    assert_eq!(host.room.session().game().end(), None);

    let (_cleo, line, event) = joined(&host, code, "Cleo");
    host.event(event).unwrap();
    assert!(host.told.starts_with("Cleo has joined.\n"), "{}", host.told);
    host.event(says(line, GuestMessage::Bye)).unwrap();
    host.told.clear();
    for _ in 0..3 {
        host.event(says(line, act(1, RoomAction::Resign))).unwrap();
        host.event(says(line, GuestMessage::Bye)).unwrap();
    }
    assert_eq!(host.told, "");
    assert_eq!(host.room.session().game().end(), None);
}

/// Returns the next message that a guest hears which is neither a state nor a ping.
fn heard(caller: &RoomCaller) -> HostMessage {
    loop {
        match caller.events().recv_timeout(PATIENCE).expect("an event") {
            CallEvent::Said(HostMessage::State(_) | HostMessage::Ping { .. }) => {}
            CallEvent::Said(message) => return message,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn chat_is_sent_to_guests_that_have_it_and_shown_once() {
    let (mut host, code) = hosting();
    host.obey("say Hello");
    assert_eq!(host.told, "That waits until the guest is there.\n");
    let ((bob, _writer), line, event) = listening(&host, code, "Bob");
    host.event(event).unwrap();
    host.told.clear();
    host.event(says(line, GuestMessage::Pong { heard: Some(0) })).unwrap();
    let hello = HostMessage::Chat { number: 1, text: "Hello".to_owned() };
    assert_eq!(heard(&bob), hello);
    for _ in 0..2 {
        let text = "hi \u{1b}[2J".to_owned();
        host.event(says(line, GuestMessage::Chat { number: 1, text })).unwrap();
    }
    assert_eq!(host.told, "Bob says: hi \u{fffd}[2J\n");
    host.told.clear();
    host.obey("SAY  well  ");
    assert_eq!(heard(&bob), HostMessage::Chat { number: 2, text: "well".to_owned() });
    host.obey("say");
    assert_eq!(host.told, "Error: there is nothing to say.\n");
}

#[test]
fn a_guest_without_chat_is_sent_none() {
    let (mut host, code) = hosting();
    let ((bob, _writer), line, event) = listening(&host, code, "Bob");
    host.event(event).unwrap();
    host.obey("say Hello");
    host.told.clear();
    host.event(says(line, GuestMessage::Pong { heard: None })).unwrap();
    let why = "the program of the other side has no chat";
    assert_eq!(host.told, format!("Error: what you said is not heard: {why}.\n"));
    host.told.clear();
    host.obey("say Hello");
    assert_eq!(host.told, format!("Error: {why}.\n"));
    // Nothing but what was answered comes.
    host.event(says(line, act(1, RoomAction::Resign))).unwrap();
    assert_eq!(heard(&bob), HostMessage::Done { id: 1 });
}

#[test]
fn help_is_for_both_or_for_neither() {
    let (mut host, code) = hosting();
    host.room.allow(RoomAid::Threats);
    let ((bob, _writer), line, event) = listening(&host, code, "Bob");
    host.event(event).unwrap();
    host.told.clear();
    host.event(says(line, GuestMessage::knows_aid())).unwrap();
    assert_eq!(host.told, "Both of you may see threats, and neither hints.\n");
    loop {
        let event = bob.events().recv_timeout(PATIENCE).expect("an event");
        let CallEvent::Said(HostMessage::State(state)) = event else { continue };
        if state.aid == Some(RoomAid::Threats) {
            break;
        }
    }
    host.told.clear();
    host.event(says(line, GuestMessage::Pong { heard: Some(0) })).unwrap();
    host.obey("threats");
    host.obey("hint");
    assert_eq!(host.told, "Nothing is threatened.\nError: hints are not allowed in this room.\n");

    // A program from before there was help.
    host.obey("invite");
    let code = host.server.key().code().clone();
    let (_cleo, line, event) = joined(&host, code, "Cleo");
    host.event(event).unwrap();
    host.told.clear();
    host.event(says(line, GuestMessage::Pong { heard: Some(0) })).unwrap();
    host.obey("threats");
    assert_eq!(
        host.told,
        "The program of Cleo is too old for help: neither of you has any.\n\
         Error: threats are not allowed in this room.\n"
    );
}

#[test]
fn a_guest_who_comes_in_too_late_is_not_let_in() {
    let (mut host, code) = hosting();
    let (_bob, _, event) = joined(&host, code, "Bob");
    // The host invites before it has heard of the guest.
    host.obey("invite");
    host.told.clear();
    host.event(event).unwrap();
    assert_eq!((host.told.as_str(), host.guest.has_come), ("", false));
    assert!(host.guest.writer.is_none());
}

#[test]
fn what_is_said_after_an_invitation_waits_for_the_next_guest() {
    let (mut host, code) = hosting();
    let ((_bob, _writer), line, event) = listening(&host, code, "Bob");
    host.event(event).unwrap();
    host.event(says(line, GuestMessage::Pong { heard: Some(0) })).unwrap();
    host.obey("invite");
    host.told.clear();
    host.obey("say Hello");
    assert_eq!(host.told, "That waits until the guest is there.\n");
    // Another invitation before anybody has come is for the same guest.
    host.obey("invite");
    let code = host.server.key().code().clone();
    let ((cleo, _writer), line, event) = listening(&host, code, "Cleo");
    host.event(event).unwrap();
    host.event(says(line, GuestMessage::Pong { heard: Some(0) })).unwrap();
    assert_eq!(heard(&cleo), HostMessage::Chat { number: 1, text: "Hello".to_owned() });
}
