//! Deviations that some managers tolerate and others do not.

use std::fmt;

/// Something that is wrong with an engine whatever it is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The kind.
    pub kind: WarningKind,
    /// The line, and its fault.
    pub came: String,
}

/// A kind of [`Warning`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WarningKind {
    /// `START` is answered by `OK` in other words.
    PatientOk,
    /// A line was written in more than one piece.
    Piece,
    /// A line ends with CR LF.
    CarriageReturn,
    /// A line is empty.
    Empty,
    /// A line begins or ends with a blank.
    Blank,
    /// A line is longer than every manager can take.
    TooLong,
    /// A line has bytes that are not printable ASCII.
    Bytes,
    /// A keyword has no text.
    NoText,
    /// Something was written to standard error.
    StandardError,
    /// The process does not end after `END`.
    Lingers,
    /// The process ends with another exit code than 0.
    ExitCode,
    /// A file was left in the directory in which the process was started.
    LeftFile,
}

impl fmt::Display for WarningKind {
    /// Writes what is wrong and whom it troubles.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WarningKind::PatientOk => {
                "OK is not alone: Piskvork, c-gomoku-cli and JudgeLocal take nothing but OK"
            }
            WarningKind::Piece => {
                "a piece of a line is written without its end: QPiskvork loses such lines"
            }
            WarningKind::CarriageReturn => {
                "lines end with CR LF: JudgeLocal takes them for other lines"
            }
            WarningKind::Empty => {
                "empty lines: Yixin Board, Gomocalc and JudgeLocal take them for moves"
            }
            WarningKind::Blank => {
                "blanks around lines: to QPiskvork a blank at the beginning is an error, to \
                 c-gomoku-cli a move with one behind it is not a move"
            }
            WarningKind::TooLong => "lines of more than 2000 bytes: Yixin Board may crash",
            WarningKind::Bytes => "bytes that are not ASCII: shown in different ways",
            WarningKind::NoText => {
                "a keyword without a text: Piskvork and c-gomoku-cli take it for an answer"
            }
            WarningKind::StandardError => {
                "standard error is used: Piskvork reads it as answers, and PyGomo stops at 64 KiB"
            }
            WarningKind::Lingers => {
                "END does not end the process within a second: c-gomoku-cli and Yixin Board wait \
                 for ever, others kill it"
            }
            WarningKind::ExitCode => "the exit code is not 0: no manager looks at it",
            WarningKind::LeftFile => {
                "files are left where the engine was started: Gomocup allows them in its folder \
                 alone"
            }
        })
    }
}
