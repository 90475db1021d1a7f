//! Colours of text on standard output.

use std::io::{self, IsTerminal};

use clap::ColorChoice;

use tengen_people::review::MoveClass;

/// Whether text is coloured, with the terminal's own 16 colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Paint {
    /// It is not.
    #[default]
    Never,
    /// It is.
    Always,
}

impl Paint {
    /// Returns what an option and the environment want of standard output.
    pub(crate) fn of_output(choice: ColorChoice) -> Paint {
        let variable = |name: &str| std::env::var(name).ok();
        Paint::wanted(choice, io::stdout().is_terminal() && can_be_colored(), variable)
    }

    /// Returns what an option, the output and the environment want; `variable` looks that up.
    fn wanted(
        choice: ColorChoice,
        is_terminal: bool,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Paint {
        let plain = || {
            variable("NO_COLOR").is_some_and(|value| !value.is_empty())
                || variable("TERM").is_some_and(|term| term == "dumb")
        };
        match choice {
            ColorChoice::Always => Paint::Always,
            ColorChoice::Auto if is_terminal && !plain() => Paint::Always,
            ColorChoice::Auto | ColorChoice::Never => Paint::Never,
        }
    }

    /// Returns a text that is emphasised.
    pub(crate) fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Returns a text in the colour of a class of moves: only faults have one.
    pub(crate) fn class(self, class: MoveClass, text: &str) -> String {
        let codes = match class {
            MoveClass::Inaccuracy => "33",
            MoveClass::Mistake => "35",
            MoveClass::MissedWin => "36",
            MoveClass::Blunder => "1;31",
            _ => return text.to_owned(),
        };
        self.with(codes, text)
    }

    fn with(self, codes: &str, text: &str) -> String {
        match self {
            Paint::Never => text.to_owned(),
            Paint::Always => format!("\u{1b}[{codes}m{text}\u{1b}[0m"),
        }
    }
}

/// Returns whether the terminal understands sequences of colours, after it was asked to.
fn can_be_colored() -> bool {
    #[cfg(windows)]
    return ratatui::crossterm::ansi_support::supports_ansi();
    #[cfg(not(windows))]
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_want_them_or_asked_for() {
        let wanted = |choice, is_terminal, variables: &[(&str, &str)]| {
            let find = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            Paint::wanted(choice, is_terminal, find)
        };
        let xterm = [("TERM", "xterm"), ("NO_COLOR", "")];
        assert_eq!(wanted(ColorChoice::Auto, true, &xterm), Paint::Always);
        assert_eq!(wanted(ColorChoice::Auto, false, &xterm), Paint::Never);
        assert_eq!(wanted(ColorChoice::Never, true, &xterm), Paint::Never);
        for plain in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            assert_eq!(wanted(ColorChoice::Auto, true, &[plain]), Paint::Never);
            assert_eq!(wanted(ColorChoice::Always, false, &[plain]), Paint::Always);
        }
    }

    #[test]
    fn faults_have_colours_and_end_them() {
        let paint = Paint::Always;
        assert_eq!(paint.class(MoveClass::Blunder, "??"), "\u{1b}[1;31m??\u{1b}[0m");
        assert_eq!(paint.class(MoveClass::Good, "good"), "good");
        assert_eq!(Paint::Never.class(MoveClass::Blunder, "??"), "??");
    }
}
