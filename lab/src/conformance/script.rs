//! A transcript after parsing.

use std::fmt;
use std::time::Duration;

use super::pattern::Pattern;
use super::profile::Importance;
use super::template::Template;
use tengen_core::sys::signal::Signal;

/// A cell as the protocol names it: column and row, counted from 0.
pub type CellXy = (i64, i64);

/// A conformance case: what is said to an engine and what it must answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    /// The name of the file.
    pub name: String,
    /// The number of the case, if the title begins with one.
    pub case: Option<u32>,
    /// The first comment line: what the case is about.
    pub title: String,
    /// The managers that depend on it.
    pub importance: Importance,
    /// The conversations, each with a process of its own; at least one.
    pub runs: Vec<TranscriptRun>,
}

/// A conversation with one process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranscriptRun {
    /// The arguments the process is started with, after those that every run has.
    pub args: Vec<String>,
    /// True if the conversation begins without the usual `START 15`.
    pub fresh: bool,
    /// True if lines are sent with CR LF at their end and not with LF.
    pub crlf: bool,
    /// The steps in order.
    pub steps: Vec<TranscriptStep>,
}

/// An action and where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranscriptStep {
    /// The line number in the file, counted from 1.
    pub line: usize,
    /// The line as written.
    pub text: String,
    /// Its meaning.
    pub action: Action,
}

/// An action of the runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Sends a line, after filling in the `{…}` places.
    Send(String),
    /// Sends bytes as they are, several times.
    Raw {
        /// The bytes.
        bytes: Vec<u8>,
        /// The number of times.
        times: usize,
    },
    /// Sends the stones played so far as lines `x,y,c`, seen from the side to move.
    SendPosition,
    /// Sends the lines of these steps in one write, with LF between them and the usual line end
    /// after the last.
    Burst(Vec<TranscriptStep>),
    /// Waits for a line.
    Expect {
        /// The lines of which one must come.
        replies: Vec<ExpectedLine>,
        /// The time limit after the last thing sent; `None` is the default.
        within: Option<Duration>,
    },
    /// Requires that no line comes for a while.
    Nothing(Duration),
    /// Requires that no line but `MESSAGE` and `DEBUG` comes for a while.
    Thinking(Duration),
    /// Does nothing for a while.
    Wait(Duration),
    /// Closes the engine's standard input.
    Eof,
    /// Waits for the end of the process.
    Exit {
        /// The exit code; `None` accepts any end.
        code: Option<i32>,
        /// The time limit for the process after the last thing sent.
        within: Duration,
    },
    /// Closes the reading end of the engine's standard output.
    CloseStdout,
    /// Sends a signal.
    Signal(Signal),
    /// Remembers how much memory the process uses.
    MarkMemory,
    /// Requires that the process uses at most this many bytes more than at the mark.
    MemoryGrowth(u64),
    /// Does the steps again and again.
    Repeat(u32, Vec<TranscriptStep>),
    /// Goes on with the first of several lists of steps whose first step, which expects a line,
    /// is fulfilled by the next line.
    Either(Vec<Vec<TranscriptStep>>),
}

/// A description of an expected line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpectedLine {
    /// Exactly this line.
    Exact(String),
    /// `OK` as only patient managers take it: in small letters, with blanks around, or with a text.
    PatientOk,
    /// A line with numbers and cells in some places.
    Template(Template),
    /// A line in which the pattern occurs.
    Pattern(Pattern),
    /// Some number of distinct empty cells.
    Moves {
        /// The number of cells.
        count: usize,
        /// If not empty, the only cells allowed.
        only: Vec<CellXy>,
        /// Cells that are not allowed.
        not: Vec<CellXy>,
        /// The names of the cells from then on: none, or one for each.
        names: Vec<String>,
    },
    /// `FORBID` with exactly these cells, in any order.
    Forbid(Vec<CellXy>),
    /// `ERROR` with a text, in which the pattern occurs if there is one.
    Error(Option<Pattern>),
    /// `UNKNOWN` with a text, in which the pattern occurs if there is one.
    Unknown(Option<Pattern>),
    /// An answer to `ABOUT` that every manager can take apart.
    About,
}

impl fmt::Display for ExpectedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn cells(f: &mut fmt::Formatter<'_>, word: &str, cells: &[CellXy]) -> fmt::Result {
            for (i, (x, y)) in cells.iter().enumerate() {
                let lead = if i == 0 { word } else { "" };
                write!(f, "{lead} {x},{y}")?;
            }
            Ok(())
        }
        fn keyword(
            f: &mut fmt::Formatter<'_>,
            word: &str,
            pattern: Option<&Pattern>,
        ) -> fmt::Result {
            write!(f, "{word} and a text")?;
            pattern.map_or(Ok(()), |pattern| write!(f, " with {pattern}"))
        }
        match self {
            ExpectedLine::Exact(line) => write!(f, "{line:?}"),
            ExpectedLine::PatientOk => write!(f, "OK and a text"),
            ExpectedLine::Template(template) => write!(f, "the line {template}"),
            ExpectedLine::Pattern(pattern) => write!(f, "a line with {pattern}"),
            ExpectedLine::Moves { count, only, not, names: _ } => {
                match count {
                    1 => write!(f, "a legal move")?,
                    n => write!(f, "{n} legal moves")?,
                }
                cells(f, " in", only)?;
                cells(f, ", not", not)
            }
            ExpectedLine::Forbid(list) if list.is_empty() => write!(f, "FORBID without cells"),
            ExpectedLine::Forbid(list) => cells(f, "FORBID with exactly", list),
            ExpectedLine::Error(pattern) => keyword(f, "ERROR", pattern.as_ref()),
            ExpectedLine::Unknown(pattern) => keyword(f, "UNKNOWN", pattern.as_ref()),
            ExpectedLine::About => write!(f, "name=\"…\" and more of the form key=\"value\""),
        }
    }
}
