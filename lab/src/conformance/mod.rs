//! Protocol conformance: transcripts of conversations between a manager and an engine, and the
//! runner that plays them against any executable.
//!
//! It uses nothing of the engine: to it, an engine is a child process that reads
//! and writes lines, or an [`EngineSide`] that behaves like one. A [`Transcript`] is a text file (`protocol-tests/README.md` describes the
//! language); [`run`] starts a process for each of its runs, sends what it says, compares what
//! comes, and keeps a board of its own so that "any legal move" can be expected. Some things are
//! checked in every run whatever the transcript says: the form of every line, that nobody gets
//! lines about a search that were not asked for, the silence of standard error, the way the
//! process ends, and that it leaves no files behind.

mod builtin;
mod conversation;
mod detail;
mod discipline;
mod engine_side;
mod expect;
mod failure;
mod parse;
mod pattern;
mod profile;
mod referee;
mod report;
mod runner;
mod script;
mod suite;
mod template;
mod warning;

pub use builtin::builtin;
pub use engine_side::EngineSide;
pub use failure::{Failure, Traffic};
pub use parse::ParseError;
pub use pattern::Pattern;
pub use profile::{FeatureLevel, Importance, Manager};
pub use report::ConformanceReport;
pub use runner::{RunOutcome, RunnerOptions, run, run_with};
pub use script::{Action, CellXy, ExpectedLine, Transcript, TranscriptRun, TranscriptStep};
pub use suite::{RunResult, TranscriptsError, load, run_all};
pub use template::Template;
pub use warning::{Warning, WarningKind};
