//! Lines of input, and what they belong to.

use std::path::PathBuf;
use std::time::Instant;

use super::block::PartialBlock;
use super::command::Command;
use super::database::DatabaseFile;
use crate::engine::FileAction;
use tengen_core::sys::fault::{self, Place};
use tengen_core::sys::panics::{self, Panic};

/// One line of input, parsed when it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputLine {
    /// The line as a command.
    pub command: Command,
    /// The line as text, for those that are part of something else; bytes that are not UTF-8 are
    /// replaced.
    pub text: String,
    /// The moment at which the line was complete.
    pub at: Instant,
    /// The panic that parsing it has met with.
    pub(super) fault: Option<Panic>,
}

impl InputLine {
    /// Parses a line that was complete at `at`, with or without its line end.
    ///
    /// A panic on the way costs no line: it is parsed once more, and if that panics as well, it is one that
    /// can't be understood.
    #[must_use]
    pub fn new(bytes: &[u8], at: Instant) -> InputLine {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let parse = || {
            fault::pass(Place::Input);
            Command::parse(bytes)
        };
        let (command, fault) = match panics::catch(parse) {
            Ok(command) => (command, None),
            Err(panic) => {
                let again = panics::catch(parse);
                (again.unwrap_or(Command::Malformed("the line")), Some(panic))
            }
        };
        InputLine { command, text, at, fault }
    }
}

/// Returns the path that a line names.
///
/// # Errors
///
/// Returns an error if bytes of it are not UTF-8 and were replaced: it would be one path for several.
pub(super) fn path_of(text: &str) -> Result<PathBuf, String> {
    let replaced = text.contains(char::REPLACEMENT_CHARACTER);
    if replaced { Err(format!("the path is not UTF-8: {text}")) } else { Ok(text.into()) }
}

/// The meaning of the next line.
#[derive(Clone, Default)]
pub(super) enum Reading {
    /// A command.
    #[default]
    Commands,
    /// A part of a block.
    Block(PartialBlock),
    /// The path of a file for the database.
    DatabasePath(DatabaseFile),
    /// The path of a file for the transposition table.
    HashPath(FileAction),
}

impl Reading {
    /// Returns whether a line that could be this command is a part of this, and no command by itself.
    pub(super) fn takes(&self, command: &Command) -> bool {
        match self {
            Reading::Commands => false,
            Reading::Block(block) => block.is_quoted() || !command.interrupts_blocks(),
            Reading::DatabasePath(_) | Reading::HashPath(_) => *command != Command::End,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_would_be_one_for_several_is_none() {
        let path = |bytes: &[u8]| path_of(&InputLine::new(bytes, Instant::now()).text);
        assert_eq!(path("a b/ä.db".as_bytes()), Ok(PathBuf::from("a b/ä.db")));
        let error = path(b"a b/\xe4.db").unwrap_err();
        assert_eq!(error, "the path is not UTF-8: a b/\u{fffd}.db");
    }
}
