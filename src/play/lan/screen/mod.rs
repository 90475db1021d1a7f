//! A game in a room on the whole screen.
//!
//! A [`RoomScreen`] draws what a [`RoomSide`] knows, and turns keys into the lines that `--line` reads, so
//! that what they mean is decided in one place.

mod draw;
mod input;
mod keys;
mod serve;
#[cfg(test)]
mod tests;

pub(super) use serve::run;

use std::collections::VecDeque;

use ratatui::crossterm::event::Event;
use ratatui::layout::Rect;

use super::RoomSide;
use super::room::RoomRequest;
use crate::screen::Look;
use crate::screen::layout::Layout;
use tengen_core::types::{Point, Size};
use tengen_people::play::CasualGame;

/// The messages that are kept.
const MOST_MESSAGES: usize = 200;

/// Something that happens to the screen.
#[derive(Debug)]
pub(super) enum RoomScreenEvent<E> {
    /// A key, the mouse, another size.
    Terminal(Event),
    /// Something of the other player, or of the connection.
    Room(E),
    /// Time has passed.
    Tick,
    /// An interrupt was requested.
    Interrupt,
}

/// What is typed, asked or told over the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
enum RoomDialog {
    /// The help, from this line on.
    Help(usize),
    /// A command that is being typed.
    Command(String),
    /// A line of chat that is being typed.
    Chat(String),
    /// A question, and the line that `y` types.
    Sure(&'static str, &'static str),
}

/// The screen of a game in a room.
pub(super) struct RoomScreen<'a, S> {
    side: &'a mut S,
    look: Look,
    area: Rect,
    cursor: Point,
    has_numbers: bool,
    /// True if threats are to be shown where they are allowed.
    has_threats: bool,
    dialog: Option<RoomDialog>,
    messages: VecDeque<String>,
    /// A line that cannot be obeyed yet.
    waiting: Option<String>,
    /// True if the player has left; the room may be closed without that.
    has_left: bool,
    is_suspended: bool,
}

impl<'a, S: RoomSide> RoomScreen<'a, S> {
    pub(super) fn new(side: &'a mut S, look: Look, area: Rect) -> RoomScreen<'a, S> {
        let mut screen = RoomScreen {
            side,
            look,
            area,
            cursor: Size::DEFAULT.center(),
            has_numbers: false,
            has_threats: false,
            dialog: None,
            messages: VecDeque::new(),
            waiting: None,
            has_left: false,
            is_suspended: false,
        };
        screen.settle();
        screen
    }

    /// Returns whether the program ends.
    pub(super) const fn has_left(&self) -> bool {
        self.has_left
    }

    /// Returns whether a suspension was requested, once.
    pub(super) fn takes_suspension(&mut self) -> bool {
        std::mem::take(&mut self.is_suspended)
    }

    /// Takes an event.
    ///
    /// # Errors
    ///
    /// Returns an error if there is nothing to go on with.
    pub(super) fn update(&mut self, event: RoomScreenEvent<S::Event>) -> anyhow::Result<()> {
        match event {
            RoomScreenEvent::Terminal(event) => self.input(event),
            RoomScreenEvent::Room(event) => self.side.event(event)?,
            RoomScreenEvent::Interrupt => self.leave(),
            RoomScreenEvent::Tick => {}
        }
        self.side.beat();
        if let Some(line) = self.waiting.take_if(|line| self.side.takes(line)) {
            self.obey(&line);
        }
        self.settle();
        Ok(())
    }

    /// Types a line.
    fn type_line(&mut self, line: &str) {
        let Some(view) = self.side.view() else {
            self.has_left |= line == "quit";
            return self.say("Error: there is no game yet.".to_owned());
        };
        let request = view.understand(line);
        if let Ok(RoomRequest::Say(text)) = &request {
            let text = text.trim().to_owned();
            self.say(format!("You say: {text}"));
            return self.obey(line);
        }
        if self.side.is_over() && !matches!(request, Ok(RoomRequest::Hear(_) | RoomRequest::Leave))
        {
            return self.say("Error: the room is closed.".to_owned());
        }
        if self.waiting.is_some() && !matches!(request, Ok(RoomRequest::Leave)) {
            return self.say("Error: the line before waits.".to_owned());
        }
        if let Some(line) = self.side.typed(line.to_owned(), self.waiting.is_some()) {
            match self.side.takes(&line) || matches!(request, Ok(RoomRequest::Leave)) {
                true => self.obey(&line),
                false => {
                    self.say("That waits until somebody is there.".to_owned());
                    self.waiting = Some(line);
                }
            }
        }
        self.has_left |= matches!(request, Ok(RoomRequest::Leave));
    }

    fn obey(&mut self, line: &str) {
        self.settle();
        self.side.obey(line);
    }

    /// Ends, or asks first if somebody is left alone by it.
    fn leave(&mut self) {
        let sure = RoomDialog::Sure("Leave the room?", "quit");
        let goes_on = self.game().is_some_and(|game| game.end().is_none()) && !self.side.is_over();
        if goes_on && self.dialog.as_ref() != Some(&sure) {
            self.dialog = Some(sure);
        } else {
            self.type_line("quit");
            self.has_left = true;
        }
    }

    /// Takes what was said.
    fn settle(&mut self) {
        let said = std::mem::take(self.side.told());
        said.lines().for_each(|line| self.say(line.to_owned()));
        if let Some(size) = self.game().map(CasualGame::size).filter(|s| !s.contains(self.cursor)) {
            self.cursor = size.center();
        }
    }

    fn say(&mut self, message: String) {
        self.messages.push_back(message);
        if self.messages.len() > MOST_MESSAGES {
            self.messages.pop_front();
        }
    }

    /// Returns the game, once it is known.
    fn game(&self) -> Option<&CasualGame> {
        self.side.view().map(|view| view.session.game())
    }

    fn layout(&self) -> Option<Layout> {
        Layout::new(self.area, self.game().map_or(Size::DEFAULT, CasualGame::size), self.cursor)
    }
}
