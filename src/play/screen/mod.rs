//! `tengen play` on the whole screen.
//!
//! A [`Screen`] is all that is to be seen, and knows no terminal: events change it
//! ([`Screen::update`]), and [`Screen::draw`] draws it. What people do becomes the same
//! [`TypedCommand`]s that `--line` reads, and the [`PlayTable`] carries them out; its words are the
//! messages.

mod board;
mod debrief;
mod dialog;
mod input;
mod keys;
mod letters;
mod panels;
mod popup;
mod serve;
#[cfg(test)]
mod tests;

pub(super) use serve::run;

use std::collections::VecDeque;

use ratatui::Frame;
use ratatui::layout::Rect;

use self::dialog::{Dialog, NewGameForm};
use self::letters::TypedLetter;
use super::TableEvent;
use super::table::{Advice, PlayTable};
use super::typed::TypedCommand;
use crate::screen::Look;
use crate::screen::layout::Layout;
use tengen_core::sys::clock::Clock;
use tengen_core::types::{Cell, Point};
use tengen_engine::engine::Thinker;
use tengen_people::play::{CasualGame, CoachAnswer, Debrief, Hint, ReachedPosition};

/// The messages that are kept.
const MOST_MESSAGES: usize = 200;

/// Something that happens to the screen.
#[derive(Debug)]
pub(super) enum ScreenEvent {
    /// A key, the mouse, another size.
    Terminal(ratatui::crossterm::event::Event),
    /// The engine or a program has something to say.
    Table(TableEvent),
    /// The coach has an answer.
    Advice(CoachAnswer),
    /// Time has passed.
    Tick,
    /// An interrupt was requested.
    Interrupt,
}

/// Marks shown beside the stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct ShownMarks {
    numbers: bool,
    threats: bool,
    evaluation: bool,
}

/// The engine's last report on a position.
#[derive(Clone, PartialEq, Debug)]
struct Outlook {
    at: ReachedPosition,
    hint: Hint,
}

/// The screen of `tengen play`.
pub(super) struct Screen<T, C> {
    table: PlayTable<T, C>,
    look: Look,
    area: Rect,
    cursor: Point,
    shown: ShownMarks,
    /// The stone that a click places in the position editor.
    brush: Option<Cell>,
    /// The number that was typed before a key.
    count: Option<usize>,
    /// The letter that was typed last, if it may begin a cell.
    letter: Option<TypedLetter>,
    dialog: Option<Dialog>,
    /// True until the dialog of the first game is put away.
    is_welcoming: bool,
    /// The reviewed game that is walked through.
    debrief: Option<Debrief>,
    /// The position for which a hint was asked: the answer is on the board as long as it stands.
    hinted: Option<ReachedPosition>,
    messages: VecDeque<String>,
    outlook: Option<Outlook>,
    is_suspended: bool,
}

impl<T: Thinker, C: Clock> Screen<T, C> {
    /// Returns the screen of a table at which nothing was said yet, and begins; with the dialog of a new
    /// game, if it is to welcome somebody.
    pub(super) fn new(
        table: PlayTable<T, C>,
        look: Look,
        area: Rect,
        is_welcoming: bool,
    ) -> Screen<T, C> {
        let cursor = table.game().size().center();
        let mut screen = Screen {
            table,
            look,
            area,
            cursor,
            shown: ShownMarks::default(),
            brush: None,
            count: None,
            letter: None,
            dialog: None,
            is_welcoming,
            debrief: None,
            hinted: None,
            messages: VecDeque::new(),
            outlook: None,
            is_suspended: false,
        };
        if is_welcoming {
            screen.ask_for_game();
        } else {
            screen.begin();
        }
        screen.settle();
        screen
    }

    /// Begins the game that is on the table.
    fn begin(&mut self) {
        self.table.start();
        self.table.say("? shows the keys.\n");
    }

    /// Opens the dialog of another game.
    fn ask_for_game(&mut self) {
        let session = self.table.session();
        let form = NewGameForm::new(*session.terms(), session.game(), session.programs());
        self.dialog = Some(Dialog::NewGame(form));
    }

    pub(super) const fn table(&self) -> &PlayTable<T, C> {
        &self.table
    }

    pub(super) const fn table_mut(&mut self) -> &mut PlayTable<T, C> {
        &mut self.table
    }

    /// Returns whether the program ends.
    pub(super) const fn is_over(&self) -> bool {
        self.table.is_over()
    }

    /// Returns whether a suspension was requested, once.
    pub(super) fn takes_suspension(&mut self) -> bool {
        std::mem::take(&mut self.is_suspended)
    }

    /// Returns whether time alone changes what is to be seen.
    pub(super) const fn has_clock(&self) -> bool {
        self.table.session().terms().clock.is_limited() || self.letter.is_some()
    }

    /// Takes an event.
    pub(super) fn update(&mut self, event: ScreenEvent) {
        match event {
            ScreenEvent::Terminal(event) => self.input(event),
            ScreenEvent::Table(TableEvent::Engine(event)) => self.table.event(event),
            ScreenEvent::Table(TableEvent::Program(event)) => self.table.program_event(event),
            ScreenEvent::Advice(answer) => match self.table.advice(answer) {
                None => {}
                Some(Advice::Warned(question)) => self.ask(&question, TypedCommand::Yes),
                Some(Advice::Reviewed(review)) => self.reviewed(*review),
            },
            ScreenEvent::Tick => {
                self.letter_tick();
                self.table.tick();
            }
            ScreenEvent::Interrupt => self.interrupt(),
        }
        // Whatever put the welcome away, the game begins then.
        if self.is_welcoming && self.dialog.is_none() {
            self.is_welcoming = false;
            self.begin();
        }
        self.settle();
    }

    /// Stops the engine, or else ends.
    fn interrupt(&mut self) {
        if self.table.is_thinking() {
            self.table.carry_out(TypedCommand::Stop);
        } else {
            self.quit();
        }
    }

    /// Ends, or asks first if that would lose the game.
    fn quit(&mut self) {
        let game = self.table.session().game();
        let is_at_stake = !game.is_untouched() && game.end().is_none();
        if !is_at_stake || self.table.kept_in().is_some() {
            self.table.carry_out(TypedCommand::Quit);
        } else {
            self.ask("The game is not saved. Quit?", TypedCommand::Quit);
        }
    }

    /// Takes what was said, and what the engine thinks.
    fn settle(&mut self) {
        let said = self.table.said();
        self.messages.extend(said.lines().map(str::to_owned));
        while self.messages.len() > MOST_MESSAGES {
            self.messages.pop_front();
        }
        let here = self.table.session().reached();
        if let Some(hint) = self.table.session().outlook() {
            self.outlook = Some(Outlook { at: here.clone(), hint });
        }
        self.outlook.take_if(|outlook| outlook.at.moves_to(&here).is_none());
        self.hinted.take_if(|position| *position != here);
        let game = self.table.session().game();
        self.debrief.take_if(|debrief| debrief.whole() != game);
        let size = self.game().size();
        if !size.contains(self.cursor) {
            self.cursor = size.center();
        }
    }

    /// Returns the game that is to be seen.
    fn game(&self) -> &CasualGame {
        self.debrief.as_ref().map_or(self.table.game(), Debrief::game)
    }

    fn layout(&self) -> Option<Layout> {
        Layout::new(self.area, self.game().size(), self.cursor)
    }

    /// Draws the screen.
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        self.area = frame.area();
        let buffer = frame.buffer_mut();
        match self.layout() {
            Some(layout) => {
                self.draw_board(buffer, &layout);
                self.draw_panels(buffer, &layout);
            }
            None => self.draw_too_small(buffer),
        }
        self.draw_dialog(buffer);
    }
}
