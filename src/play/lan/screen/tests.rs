//! Screens of a room, with a side that tests lead.

use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use super::{RoomScreen, RoomScreenEvent};
use crate::play::lan::room::{RoomRequest, RoomView};
use crate::play::lan::{RoomConnection, RoomSide};
use crate::play::serving::TypingPlayer;
use crate::play::voice::Voice;
use crate::screen::Look;
use crate::screen::testing::{codes, looks_like, text_of};
use crate::screen::theme::{ColorDepth, Theme};
use tengen_core::notation::BoardGlyphs;
use tengen_core::rules::Rule;
use tengen_core::sys::clock::SystemClock;
use tengen_core::types::{ByColor, Size};
use tengen_people::play::{CasualGame, ClockControl, Controller, PlayTerms, ThinkingLimits};
use tengen_people::room::{
    HostRoom, Proposal, RoomAction, RoomAdviser, RoomAid, RoomPlayer, playing,
};

/// The host of a room, with Bob on the other side.
struct LedSide {
    room: HostRoom<SystemClock>,
    told: String,
    /// What was said to Bob.
    said: Vec<String>,
    /// True if lines wait.
    waits: bool,
    holds: bool,
    is_over: bool,
    adviser: RoomAdviser,
}

impl LedSide {
    fn new() -> LedSide {
        let game = CasualGame::new(Size::DEFAULT, Rule::Renju);
        let clock =
            ClockControl { game: Some(Duration::from_secs(900)), ..ClockControl::default() };
        let terms = PlayTerms {
            sides: ByColor([Controller::Person; 2]),
            skills: ByColor::default(),
            clock,
            thinking: ThinkingLimits::default(),
        };
        let mut room =
            HostRoom::new(SystemClock, terms, game, None, RoomPlayer::Host).expect("a board");
        // No time passes in tests.
        room.stop_clock();
        room.allow(RoomAid::Threats);
        LedSide {
            room,
            told: "? shows the keys.\n".to_owned(),
            said: Vec::new(),
            waits: false,
            holds: true,
            is_over: false,
            adviser: RoomAdviser::default(),
        }
    }

    fn act(&mut self, player: RoomPlayer, action: &RoomAction) {
        let notices = self.room.act(player, action).expect("it is allowed");
        let told = RoomSide::view(self).expect("a game").told(&notices);
        self.told += &told;
    }

    /// Lets Bob play.
    fn bob(&mut self, cell: &str) {
        let action = playing(self.room.session(), cell.to_owned());
        self.act(RoomPlayer::Guest, &action);
    }

    fn moves(&self) -> usize {
        self.room.session().game().moves().len()
    }
}

impl TypingPlayer for LedSide {
    type Event = String;

    fn told(&mut self) -> &mut String {
        &mut self.told
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn takes(&self, _line: &str) -> bool {
        !self.waits
    }

    fn obey(&mut self, line: &str) {
        match RoomSide::view(self).expect("a game").understand(line) {
            Ok(RoomRequest::Act(action)) => self.act(RoomPlayer::Host, &action),
            Ok(RoomRequest::Say(text)) => self.said.push(text),
            Ok(RoomRequest::Hear(text)) => self.told += &text,
            Ok(RoomRequest::Leave) => self.is_over = true,
            Ok(RoomRequest::Hint) => self.told += "A hint.\n",
            Ok(RoomRequest::Invite) => {}
            Err(fault) => self.told += &format!("Error: {fault}.\n"),
        }
    }

    fn typed(&mut self, line: String, _waits: bool) -> Option<String> {
        Some(line)
    }

    fn may_end(&self) -> bool {
        true
    }

    fn event(&mut self, told: String) -> anyhow::Result<()> {
        self.told += &told;
        Ok(())
    }

    fn beat(&mut self) {
        let advice = self.adviser.beat(Some(self.room.session()));
        assert!(advice.is_empty(), "{advice:?}");
    }
}

impl RoomSide for LedSide {
    fn view(&self) -> Option<RoomView<'_>> {
        Some(RoomView {
            session: self.room.session(),
            voice: Voice { origin: None, glyphs: BoardGlyphs::Letters },
            me: RoomPlayer::Host,
            first: self.room.first(),
            proposal: self.room.proposal(),
            other: "Bob",
            turn: Duration::ZERO,
            aid: self.room.aid(),
            adviser: &self.adviser,
        })
    }

    fn connection(&self) -> RoomConnection {
        let words = match self.holds {
            true => "Connected to Bob.",
            false => "Waiting for Bob to come back: port 40123, code K7QX2M.",
        };
        RoomConnection { holds: self.holds, words: words.to_owned() }
    }
}

fn screen(side: &mut LedSide) -> RoomScreen<'_, LedSide> {
    let look = Look { theme: Theme::usual(ColorDepth::None), ascii: false };
    RoomScreen::new(side, look, Rect::new(0, 0, 80, 24))
}

fn update(screen: &mut RoomScreen<'_, LedSide>, event: RoomScreenEvent<String>) {
    screen.update(event).expect("it goes on");
}

fn press(screen: &mut RoomScreen<'_, LedSide>, keys: &str) {
    for code in codes(keys) {
        update(screen, RoomScreenEvent::Terminal(Event::Key(KeyEvent::from(code))));
    }
}

/// Compares the screen with a file.
fn shows(screen: &mut RoomScreen<'_, LedSide>, name: &str, (columns, rows): (u16, u16)) {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    let text = text_of(terminal.backend().buffer());
    looks_like(&text, &format!("room-{name}-{columns}x{rows}"));
}

fn last(screen: &RoomScreen<'_, LedSide>) -> String {
    screen.messages.back().cloned().unwrap_or_default()
}

#[test]
fn keys_typed_cells_and_the_mouse_place_stones() {
    let mut side = LedSide::new();
    let mut screen = screen(&mut side);
    press(&mut screen, "<Left><Enter>");
    assert_eq!(screen.side.moves(), 1);
    press(&mut screen, "h9<Enter>");
    assert_eq!(last(&screen), "Error: it is the turn of Bob.");
    screen.side.bob("a1");
    press(&mut screen, "h9<Enter>");
    assert_eq!(screen.side.moves(), 3);
    screen.side.bob("a2");
    // The first cell of the board.
    let (column, row) =
        screen.layout().unwrap().place(Size::DEFAULT.point(0, 14).unwrap()).unwrap();
    let kind = MouseEventKind::Down(MouseButton::Left);
    let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    update(&mut screen, RoomScreenEvent::Terminal(Event::Mouse(mouse)));
    assert_eq!(screen.side.moves(), 5);
    press(&mut screen, "=");
    assert_eq!(last(&screen), "= is no key here: ? shows the keys.");
}

#[test]
fn chat_is_typed_after_a_key_and_does_not_wait_for_moves() {
    let mut side = LedSide::new();
    side.waits = true;
    let mut screen = screen(&mut side);
    press(&mut screen, "<Enter>");
    assert_eq!(last(&screen), "That waits until somebody is there.");
    press(&mut screen, "<Tab>a1, well<Enter>");
    assert_eq!((screen.side.said.join("|").as_str(), screen.side.moves()), ("a1, well", 0));
    assert_eq!(last(&screen), "You say: a1, well");
    // One line waits, and is not overtaken.
    press(&mut screen, "<Left><Enter>");
    assert_eq!(last(&screen), "Error: the line before waits.");
    screen.side.waits = false;
    update(&mut screen, RoomScreenEvent::Tick);
    let moves = screen.side.room.session().game().moves();
    assert_eq!(moves[0].point(), Some(Size::DEFAULT.center()));
    press(&mut screen, "<Tab><Enter><Tab>x<Esc>");
    assert_eq!(screen.side.said.len(), 1);
}

#[test]
fn nobody_leaves_by_mistake_and_a_closed_room_stays_to_be_seen() {
    let mut side = LedSide::new();
    let mut screen = screen(&mut side);
    press(&mut screen, "<Esc>n");
    assert!(!screen.has_left() && screen.dialog.is_none());
    press(&mut screen, "quit<Enter>");
    assert!(!screen.has_left() && screen.dialog.is_some());
    press(&mut screen, "<Esc>");
    screen.side.is_over = true;
    update(&mut screen, RoomScreenEvent::Room("The room is closed: enough.\n".to_owned()));
    assert!(!screen.has_left());
    press(&mut screen, "<Enter>");
    assert_eq!((last(&screen).as_str(), screen.side.moves()), ("Error: the room is closed.", 0));
    press(&mut screen, "<Esc>");
    assert!(screen.has_left());

    let mut side = LedSide::new();
    let mut screen = self::screen(&mut side);
    press(&mut screen, "<Esc>y");
    assert!(screen.has_left());
}

#[test]
fn threats_and_hints_are_shown_where_the_host_allows_them() {
    let mut side = LedSide::new();
    side.room.allow(RoomAid::None);
    let mut screen = screen(&mut side);
    press(&mut screen, "!");
    assert_eq!(last(&screen), "Error: threats are not allowed in this room.");
    press(&mut screen, "threats<Enter>");
    assert_eq!(last(&screen), "Error: threats are not allowed in this room.");
    screen.side.room.allow(RoomAid::Threats);
    press(&mut screen, "!");
    assert!(screen.has_threats);
    press(&mut screen, "H");
    assert_eq!(last(&screen), "Error: hints are not allowed in this room.");
    // A guest with an old program has no help, and so neither has the host.
    screen.side.room.learn_of_guest(false);
    press(&mut screen, "threats<Enter>");
    assert_eq!(last(&screen), "Error: threats are not allowed in this room.");
    screen.side.room.forget_guest();
    screen.side.room.allow(RoomAid::Hints);
    press(&mut screen, "H");
    assert_eq!(last(&screen), "A hint.");
    press(&mut screen, "!");
    assert!(!screen.has_threats);
    // A hint is gone with the next move.
    let (about, center) = (screen.side.room.session().saved(), Size::DEFAULT.center());
    screen.side.adviser.give(about, center);
    update(&mut screen, RoomScreenEvent::Tick);
    assert_eq!(screen.side.adviser.point(), Some(center));
    press(&mut screen, "<Enter>");
    assert_eq!(screen.side.adviser.point(), None);
}

#[test]
fn pictures_of_help_in_a_room() {
    let mut side = LedSide::new();
    side.room.allow(RoomAid::Hints);
    for (mine, bobs) in [("h8", "a1"), ("i8", "c2"), ("j8", "e1"), ("h9", "g1"), ("h10", "i2")] {
        side.obey(mine);
        side.bob(bobs);
    }
    let about = side.room.session().saved();
    side.adviser.give(about, Size::DEFAULT.point(5, 7).unwrap());
    let mut screen = screen(&mut side);
    press(&mut screen, "!");
    for size in [(80, 24), (120, 40), (50, 20)] {
        shows(&mut screen, "threats", size);
    }

    // What renju forbids needs no permission.
    let mut side = LedSide::new();
    side.room.allow(RoomAid::None);
    for (mine, bobs) in [("h9", "a1"), ("h10", "o1"), ("i8", "a15"), ("j8", "o15")] {
        side.obey(mine);
        side.bob(bobs);
    }
    let mut screen = self::screen(&mut side);
    shows(&mut screen, "forbidden", (80, 24));
}

#[test]
fn pictures_of_a_room() {
    let mut side = LedSide::new();
    for (mine, bobs) in [("h8", "i9"), ("j8", "i7"), ("h10", "g9")] {
        side.obey(mine);
        side.bob(bobs);
    }
    let mut screen = screen(&mut side);
    update(&mut screen, RoomScreenEvent::Room("Bob says: Good luck!\n".to_owned()));
    press(&mut screen, "<Tab>Thanks<Enter>");
    screen.side.act(RoomPlayer::Guest, &RoomAction::Propose { proposal: Proposal::Draw });
    update(&mut screen, RoomScreenEvent::Tick);
    for size in [(80, 24), (120, 40), (50, 20)] {
        shows(&mut screen, "asked", size);
    }
    press(&mut screen, "decline<Enter><Tab>Not yet");
    screen.side.holds = false;
    shows(&mut screen, "lost", (80, 24));
    press(&mut screen, "<Esc>?");
    shows(&mut screen, "help", (80, 24));
}
