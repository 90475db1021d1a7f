//! Cells that are typed without a colon: a letter of a column may be a key, too.
//!
//! What such a key does is taken back when a digit follows. What cannot be taken back is done when no digit
//! has followed for a while.

use ratatui::crossterm::event::KeyCode;

use super::keys::{KeyAction, action_of};
use super::{Screen, ShownMarks};
use tengen_core::sys::clock::Clock;
use tengen_core::types::{Cell, Point};
use tengen_engine::engine::Thinker;

/// The ticks of the screen in which a digit may follow: less than half a second.
pub(super) const PATIENCE: u32 = 8;

/// A letter of a column that was typed last.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TypedLetter {
    letter: char,
    /// What it has changed: as it was before.
    cursor: Point,
    shown: ShownMarks,
    brush: Option<Cell>,
    /// What it does if no digit follows.
    waiting: Option<KeyAction>,
    /// The ticks since it was typed.
    ticks: u32,
}

impl KeyAction {
    /// Returns whether nothing but what a [`TypedLetter`] keeps is changed.
    const fn is_reversible(self) -> bool {
        matches!(
            self,
            KeyAction::Left
                | KeyAction::Down
                | KeyAction::Up
                | KeyAction::Right
                | KeyAction::Threats
                | KeyAction::Numbers
                | KeyAction::Evaluation
                | KeyAction::Edit
        )
    }
}

impl<T: Thinker, C: Clock> Screen<T, C> {
    /// Returns the letter whose key still waits for a digit.
    pub(super) fn waiting_letter(&self) -> Option<char> {
        self.letter.as_ref().filter(|letter| letter.waiting.is_some()).map(|letter| letter.letter)
    }

    /// Takes a letter of a column that may begin a cell; returns whether it was one.
    pub(super) fn letter_key(&mut self, code: KeyCode) -> bool {
        let KeyCode::Char(letter) = code else { return false };
        let column = u32::from(letter).checked_sub(u32::from('a'));
        let is_column = column.is_some_and(|column| column < self.game().size().width().into());
        if !is_column || self.count.is_some() || self.brush.is_some() || self.debrief.is_some() {
            return false;
        }
        let Some(action) = action_of(code) else {
            self.prompt(&letter.to_string());
            return true;
        };
        let (cursor, shown, brush) = (self.cursor, self.shown, self.brush);
        let waiting = Some(action).filter(|action| !action.is_reversible());
        if waiting.is_none() {
            self.act(action, None);
        }
        self.letter = Some(TypedLetter { letter, cursor, shown, brush, waiting, ticks: 0 });
        true
    }

    /// Goes on after a letter with a digit, and returns whether there was one.
    pub(super) fn digit_after_letter(&mut self, digit: char) -> bool {
        let Some(typed) = self.letter.take() else { return false };
        (self.cursor, self.shown, self.brush) = (typed.cursor, typed.shown, typed.brush);
        self.prompt(&format!("{}{digit}", typed.letter));
        true
    }

    /// Does what the last letter waits to do: no digit has followed.
    pub(super) fn let_letter_go(&mut self) {
        if let Some(action) = self.letter.take().and_then(|letter| letter.waiting) {
            self.act(action, None);
        }
    }

    /// Lets a tick pass.
    pub(super) fn letter_tick(&mut self) {
        let Some(letter) = &mut self.letter else { return };
        letter.ticks += 1;
        if letter.ticks >= PATIENCE {
            self.let_letter_go();
        }
    }
}
