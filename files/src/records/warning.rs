//! Warnings about a file that could still be read.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::error::FilePrefix;
use super::{RecordPlace, brief};

/// The most warnings about one game: nobody reads more, and a game must not fill the memory.
const MOST: usize = 20;

/// Something that a reader passed over, or took for what was probably meant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{place}: warning: {text}", FilePrefix(file, *place))]
pub struct RecordWarning {
    /// The file, if the text came from one.
    pub file: Option<PathBuf>,
    /// The place.
    pub place: RecordPlace,
    /// The oddity, and how it was read.
    pub text: String,
}

impl RecordWarning {
    /// Adds the name of the file that the text came from.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> RecordWarning {
        self.file = Some(path.to_owned());
        self
    }

    /// Returns the message of the error that it is for those who want none of this.
    #[must_use]
    pub fn as_error(&self) -> String {
        format!("{}{}: {}", FilePrefix(&self.file, self.place), self.place, self.text)
    }
}

/// The warnings about a game, in the order of their discovery.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    list: Vec<RecordWarning>,
    /// The number of those beyond the most that are kept.
    more: usize,
}

impl Warnings {
    /// Adds what is odd at a place. What it quotes of the file is cut short, and control characters in
    /// it are replaced.
    pub(super) fn add(&mut self, place: RecordPlace, text: impl AsRef<str>) {
        if self.list.len() < MOST {
            self.list.push(RecordWarning { file: None, place, text: brief(text.as_ref()) });
        } else {
            self.more += 1;
        }
    }

    /// Adds the warnings of a part of the game.
    pub(super) fn extend(&mut self, others: Warnings) {
        others.list.into_iter().for_each(|warning| self.add(warning.place, warning.text));
        self.more += others.more;
    }

    /// Returns all warnings, and starts anew. The last one counts those that were not kept.
    pub(super) fn take(&mut self) -> Vec<RecordWarning> {
        let Warnings { mut list, more } = std::mem::take(self);
        if let Some(last) = list.last_mut().filter(|_| more > 0) {
            last.text.push_str(&format!("; and {more} more warnings"));
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_its_place_as_compilers_do() {
        let place = RecordPlace::Text { line: 3, column: 7 };
        let mut warnings = Warnings::default();
        warnings.add(place, "a \u{1b}[2J");
        let warning = warnings.take().remove(0);
        assert_eq!(warning.to_string(), "3:7: warning: a \u{fffd}[2J");
        let warning = warning.in_file(Path::new("x.sgf"));
        assert_eq!(warning.to_string(), "x.sgf:3:7: warning: a \u{fffd}[2J");
        assert_eq!(warning.as_error(), "x.sgf:3:7: a \u{fffd}[2J");
    }

    #[test]
    fn a_game_full_of_oddities_has_a_few_warnings() {
        let mut warnings = Warnings::default();
        (0..1000).for_each(|at| warnings.add(RecordPlace::Byte(at), "odd"));
        let list = warnings.take();
        assert_eq!(list.len(), MOST);
        assert_eq!(list[MOST - 1].text, "odd; and 980 more warnings");
        assert!(warnings.take().is_empty());
    }
}
