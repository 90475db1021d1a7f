//! Playing a transcript against an engine.

use super::conversation::{Conversation, Mismatch};
use super::failure::{Failure, Traffic};
use super::script::{Action, Transcript, TranscriptRun, TranscriptStep};
use crate::process::{EngineCommand, Process, StartOptions};

/// Options of the runner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunnerOptions {
    /// Every deadline is multiplied by this; above 1 for slow or busy machines.
    pub slack: f64,
}

impl Default for RunnerOptions {
    fn default() -> RunnerOptions {
        RunnerOptions { slack: 1.0 }
    }
}

/// The result of a transcript that did not fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunOutcome {
    /// The engine did all that was expected.
    Passed,
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
    for run in &transcript.runs {
        play(run, engine, options.slack).map_err(|(fault, traffic)| {
            let (line, step) = fault.place.unwrap_or_default();
            Box::new(Failure {
                name: transcript.name.clone(),
                line,
                step,
                expected: fault.expected,
                came: fault.came,
                traffic,
            })
        })?;
    }
    Ok(RunOutcome::Passed)
}

fn play(
    run: &TranscriptRun,
    engine: &EngineCommand,
    slack: f64,
) -> Result<(), (Mismatch, Traffic)> {
    let closable = any_step(&run.steps, |action| matches!(action, Action::CloseStdout));
    let options = StartOptions {
        more_args: &run.args,
        closable,
        tells_complaints: true,
        ..StartOptions::default()
    };
    let process = Process::start(engine, &options).map_err(|error| {
        let mut fault = Mismatch::new(format!("{engine} to start"), error.to_string());
        fault.place = Some((0, "the start".to_owned()));
        (fault, Traffic::default())
    })?;
    let mut conversation = Conversation::new(process, run, slack);
    conversation.play(run).map_err(|fault| (fault, conversation.into_traffic()))
}

fn any_step(steps: &[TranscriptStep], kind: fn(&Action) -> bool) -> bool {
    steps.iter().any(|step| match &step.action {
        Action::Repeat(_, steps) | Action::Burst(steps) => any_step(steps, kind),
        Action::Either(branches) => branches.iter().any(|steps| any_step(steps, kind)),
        action => kind(action),
    })
}
