//! What is said aside, and the words for cells, names, positions and results.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

pub(crate) use tengen_files::printable::printable_path;
use tengen_files::printable::{printable, printable_lines};
pub(crate) use tengen_files::records::usual_origin;
pub(crate) use tengen_files::told::{
    after, cells, move_name, players, position, result, rows_from,
};

/// Says on standard error what is not a part of the results. All that is said there goes this way: it may
/// quote files, engines and people.
pub(crate) fn note(text: impl Display) {
    // There is nobody left to tell if this fails.
    let _ = writeln!(io::stderr(), "{}", printable_lines(&text.to_string()));
}

/// Says what is wrong with the command line, or gives the help that was asked for, and returns the exit code.
/// The argument may be the name of an untrusted file.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if printable_lines(&text) == text {
        // With the colours of a terminal. There is nobody left to tell if this fails.
        let _ = error.print();
    } else {
        note(text.trim_end());
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Says on standard error, in one line, what went wrong.
pub(crate) fn note_error(error: &anyhow::Error) {
    note(printable(&format!("Error: {error:#}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_cannot_command_the_terminal() {
        assert_eq!(printable_path(std::path::Path::new("a\u{1b}[2J.pos")), "a\u{fffd}[2J.pos");
    }
}
