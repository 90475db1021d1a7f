//! Many transcripts at once.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::parse::ParseError;
use super::runner::{RunOutcome, RunnerOptions, run};
use super::script::Transcript;
use crate::process::EngineCommand;
use tengen_files::work::{Delivery, NumberedWork, Stop, ThreadError, USUAL_STACK, run_in_order};

/// An error while loading transcripts.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptsError {
    /// A file or directory could not be read.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, io::Error),
    /// A file is not a transcript.
    #[error("{0}")]
    Parse(ParseError),
    /// A directory holds no file whose name ends in `.txt`.
    #[error("{}: no transcripts here", .0.display())]
    Empty(PathBuf),
}

/// Loads transcripts: of a directory, all files whose names end in `.txt`, sorted by name.
///
/// # Errors
///
/// Returns the first thing that could not be read.
pub fn load(paths: &[PathBuf]) -> Result<Vec<Transcript>, TranscriptsError> {
    let mut transcripts = Vec::new();
    for path in paths {
        let files = if path.is_dir() { text_files(path)? } else { vec![path.clone()] };
        if files.is_empty() {
            return Err(TranscriptsError::Empty(path.clone()));
        }
        for file in files {
            let text = std::fs::read_to_string(&file)
                .map_err(|e| TranscriptsError::Io(file.clone(), e))?;
            let name = file.display().to_string();
            transcripts.push(Transcript::parse(&name, &text).map_err(TranscriptsError::Parse)?);
        }
    }
    Ok(transcripts)
}

fn text_files(dir: &Path) -> Result<Vec<PathBuf>, TranscriptsError> {
    let error = |error| TranscriptsError::Io(dir.to_owned(), error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(error)? {
        let path = entry.map_err(error)?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The result of one transcript.
pub type RunResult = Result<RunOutcome, Box<Failure>>;

/// Plays transcripts against an engine, `jobs` at a time, and reports each result in the order of
/// the transcripts as soon as it is known.
///
/// # Errors
///
/// Returns the error of the system if it refuses a thread.
pub fn run_all(
    transcripts: &[Transcript],
    engine: &EngineCommand,
    options: &RunnerOptions,
    jobs: usize,
    mut tell: impl FnMut(&Transcript, RunResult),
) -> Result<(), ThreadError> {
    let workers = vec![(); jobs.clamp(1, transcripts.len().max(1))];
    let range = 0..transcripts.len() as u64;
    let numbers = NumberedWork { range, ahead: u64::MAX, stack_bytes: USUAL_STACK };
    let work = |(): &mut (), index: u64, _: u32, _: &Stop| {
        run(&transcripts[index as usize], engine, options)
    };
    let mut deliver = |index: u64, result: RunResult| -> Result<Delivery, ThreadError> {
        tell(&transcripts[index as usize], result);
        Ok(Delivery::Taken)
    };
    run_in_order(numbers, workers, BTreeMap::new(), &Stop::new(), work, &mut deliver)
}
