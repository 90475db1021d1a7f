//! Playing a transcript against an engine.

use super::conversation::{Conversation, Mismatch};
use super::engine_side::EngineSide;
use super::failure::Failure;
use super::script::{Action, Transcript, TranscriptRun, TranscriptStep};
use super::warning::Warning;
use crate::process::{EngineCommand, Process, StartOptions};

/// Options of the runner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunnerOptions {
    /// Every deadline is multiplied by this; above 1 for slow or busy machines.
    pub slack: f64,
    /// True if what only some managers mind is a failure rather than a warning.
    pub strict: bool,
}

impl Default for RunnerOptions {
    fn default() -> RunnerOptions {
        RunnerOptions { slack: 1.0, strict: false }
    }
}

/// The result of a transcript that did not fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunOutcome {
    /// The engine did all that was expected, in ways that some managers may mind.
    Passed(Vec<Warning>),
    /// The transcript cannot be played here, and why.
    Skipped(String),
}

/// Plays a transcript against an engine, one process for each of its runs.
///
/// # Errors
///
/// Returns the first thing that was not as expected.
pub fn run(
    transcript: &Transcript,
    engine: &EngineCommand,
    options: &RunnerOptions,
) -> Result<RunOutcome, Box<Failure>> {
    let has_signal = |run: &TranscriptRun| any_step(&run.steps, |a| matches!(a, Action::Signal(_)));
    if cfg!(not(unix)) && transcript.runs.iter().any(has_signal) {
        return Ok(RunOutcome::Skipped("this system has no signals".to_owned()));
    }
    play_all(transcript, options, |run| start(run, engine))
}

/// Plays a transcript against an engine that `start` begins for each of its runs.
///
/// # Errors
///
/// Returns the first thing that was not as expected.
pub fn run_with(
    transcript: &Transcript,
    options: &RunnerOptions,
    mut start: impl FnMut(&TranscriptRun) -> Box<dyn EngineSide>,
) -> Result<RunOutcome, Box<Failure>> {
    play_all(transcript, options, |run| Ok(start(run)))
}

/// Plays all runs of a transcript.
fn play_all(
    transcript: &Transcript,
    options: &RunnerOptions,
    mut start: impl FnMut(&TranscriptRun) -> Result<Box<dyn EngineSide>, Mismatch>,
) -> Result<RunOutcome, Box<Failure>> {
    let (mut warnings, mut early) = (Vec::new(), 0);
    for run in &transcript.runs {
        let (played, (traffic, new)) = match start(run) {
            Ok(engine) => {
                let mut conversation = Conversation::new(engine, run, options);
                (conversation.play(run), conversation.into_parts())
            }
            Err(fault) => (Err(fault), Default::default()),
        };
        for warning in new {
            if warnings.iter().all(|known: &Warning| known.kind != warning.kind) {
                warnings.push(warning);
            }
        }
        if let Err(fault) = played {
            if fault.is_early {
                early += 1;
                continue;
            }
            let (line, step) = fault.place.unwrap_or_default();
            return Err(Box::new(Failure {
                name: transcript.name.clone(),
                line,
                step,
                expected: fault.expected,
                came: fault.came,
                traffic,
                warnings,
            }));
        }
    }
    if early == transcript.runs.len() {
        let why = "the engine moves before it can be disturbed in its search";
        return Ok(RunOutcome::Skipped(why.to_owned()));
    }
    Ok(RunOutcome::Passed(warnings))
}

/// Starts a process for a run.
fn start(run: &TranscriptRun, engine: &EngineCommand) -> Result<Box<dyn EngineSide>, Mismatch> {
    let closable = any_step(&run.steps, |action| matches!(action, Action::CloseStdout));
    let start = StartOptions {
        more_args: &run.args,
        closable,
        tells_complaints: true,
        ..StartOptions::default()
    };
    let process = Process::start(engine, &start).map_err(|error| {
        let place = Some((0, "the start".to_owned()));
        Mismatch { place, ..Mismatch::new(format!("{engine} to start"), error.to_string()) }
    })?;
    Ok(Box::new(process))
}

fn any_step(steps: &[TranscriptStep], kind: fn(&Action) -> bool) -> bool {
    steps.iter().any(|step| match &step.action {
        Action::Repeat(_, steps) | Action::Burst(steps) => any_step(steps, kind),
        Action::Either(branches) => branches.iter().any(|steps| any_step(steps, kind)),
        action => kind(action),
    })
}
