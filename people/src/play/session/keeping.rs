//! The record of a session, and its saved state.

use super::PlaySession;
use crate::play::saved::most_timed;
use crate::play::{CasualGame, Controller, PlayTerms, PlayedOpening, ProgramName, SavedGame};
use tengen_core::sys::clock::Clock;
use tengen_core::types::{ByColor, Color};
use tengen_engine::engine::{Level, Thinker};
use tengen_files::records::{self, Format, Record, WriteError};

impl<T: Thinker, C: Clock> PlaySession<T, C> {
    /// Gives the game a date, as in `2025-04-30 18:00:00`, if it has none.
    pub fn set_date(&mut self, date: &str) {
        let header = self.game.header_mut();
        if header.date.is_empty() {
            date.clone_into(&mut header.date);
        }
    }

    /// Names the players in the record of the game; an empty name is none.
    pub fn set_names(&mut self, names: ByColor<String>) {
        self.game.header_mut().players = names;
    }

    /// Returns the record of the game, with the names of the players where it has none, and with the
    /// opening as a line of the comment.
    #[must_use]
    pub fn record(&self) -> Record {
        let names = &self.program_names;
        named_record(&self.game, &self.terms, names, self.opening.as_ref())
    }

    /// Returns the names of what a format cannot hold of the game.
    ///
    /// # Errors
    ///
    /// Returns an error if the format cannot hold the game at all.
    pub fn losses(&self, format: Format) -> Result<Vec<&'static str>, WriteError> {
        let lost = records::losses(&self.record(), format)?;
        Ok([lost, self.game.unrecorded()].concat())
    }

    /// Returns the session as it would be saved now, whether or not it has to be.
    #[must_use]
    pub fn saved(&self) -> SavedGame {
        SavedGame {
            number: self.games,
            terms: self.terms,
            programs: self.program_names.clone(),
            opening: self.opening.clone(),
            game: self.game.clone(),
            timed_from: self.timed_from.min(most_timed(&self.game, self.opening.as_ref())),
            is_waiting: self.is_waiting,
        }
    }

    /// Returns the session as it has to be saved, if it has changed since the last call. A game in
    /// which nothing has happened yet does not have to be.
    pub fn unsaved(&mut self) -> Option<SavedGame> {
        if self.is_saved || self.is_untouched() && self.saved_games != self.games {
            return None;
        }
        (self.is_saved, self.saved_games) = (true, self.games);
        Some(self.saved())
    }
}

impl SavedGame {
    /// Returns the record of the game, as [`PlaySession::record`] does.
    #[must_use]
    pub fn record(&self) -> Record {
        named_record(&self.game, &self.terms, &self.programs, self.opening.as_ref())
    }
}

fn named_record(
    game: &CasualGame,
    terms: &PlayTerms,
    programs: &[ProgramName],
    opening: Option<&PlayedOpening>,
) -> Record {
    let mut record = game.record();
    if let Some(opening) = opening {
        let end = if record.comment.is_empty() { "" } else { "\n" };
        record.comment += &format!("{end}{}", opening.remark());
    }
    for color in Color::ALL {
        let name = &mut record.players[color];
        if name.is_empty() {
            *name = match terms.sides[color] {
                Controller::Person => "person".to_owned(),
                Controller::Engine => engine_name(terms.skills[color].level),
                Controller::Program(number) => {
                    programs.get(usize::from(number)).map_or_else(String::new, |p| p.name.clone())
                }
            };
        }
    }
    record
}

/// Returns the name of the engine in records.
fn engine_name(level: Level) -> String {
    if level.is_full() { "tengen".to_owned() } else { format!("tengen level {level}") }
}
