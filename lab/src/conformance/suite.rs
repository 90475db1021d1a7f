//! Many transcripts at once.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::unbounded;

use super::failure::Failure;
use super::parse::ParseError;
use super::runner::{RunOutcome, RunnerOptions, run};
use super::script::Transcript;
use crate::process::EngineCommand;

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
pub fn run_all(
    transcripts: &[Transcript],
    engine: &EngineCommand,
    options: &RunnerOptions,
    jobs: usize,
    mut tell: impl FnMut(&Transcript, RunResult),
) {
    let next = AtomicUsize::new(0);
    let (sender, results) = unbounded();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, transcripts.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(transcript) = transcripts.get(index) else { break };
                    let verdict = run(transcript, engine, options);
                    if sender.send((index, verdict)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut told = 0;
        for (index, verdict) in results {
            early.insert(index, verdict);
            while let Some(verdict) = early.remove(&told) {
                tell(&transcripts[told], verdict);
                told += 1;
            }
        }
    });
}
