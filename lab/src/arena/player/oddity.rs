//! Deviations that a match tolerates and other managers do not.

use std::fmt;

use super::process::quoted;
use crate::process::EngineLine;

/// Something that is not a fault here and would be one elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PlayerOddity {
    /// An answer is not spelt as every manager can read it.
    Spelling {
        /// The beginning of the line.
        line: String,
        /// The spelling that every manager reads.
        meant: String,
    },
    /// A move was suggested, which only Piskvork answers; the beginning of the line.
    Suggestion(String),
    /// A line that is no answer came before that to `START`; its beginning.
    BeforeOk(String),
}

impl PlayerOddity {
    /// Returns the oddity of a line that is taken for another one, if they differ.
    pub(super) fn of_spelling(line: &str, meant: &EngineLine<'_>) -> Option<PlayerOddity> {
        let meant = meant.to_string();
        (line != meant).then(|| PlayerOddity::Spelling { line: quoted(line), meant })
    }
}

impl fmt::Display for PlayerOddity {
    /// Writes what the player did, as in `answered "ok" for "OK", which not every manager takes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerOddity::Spelling { line, meant } => {
                write!(f, "answered {line:?} for {meant:?}, which not every manager takes")
            }
            PlayerOddity::Suggestion(line) => {
                write!(f, "answered {line:?}, which only Piskvork accepts")
            }
            PlayerOddity::BeforeOk(line) => {
                write!(f, "wrote {line:?} before OK, which other managers take for the answer")
            }
        }
    }
}
