//! Playing a transcript against an engine.

use super::conversation::{Conversation, Mismatch};
use super::failure::{Failure, Traffic};
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
    let (mut warnings, mut early) = (Vec::new(), 0);
    for run in &transcript.runs {
        let (played, conversation) = play(run, engine, options);
        let (traffic, new) = conversation.unwrap_or_default();
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

/// The traffic of a run, and its warnings.
type Played = (Traffic, Vec<Warning>);

/// Plays a run, and returns what was said and borne if a process could be started for it.
fn play(
    run: &TranscriptRun,
    engine: &EngineCommand,
    options: &RunnerOptions,
) -> (Result<(), Mismatch>, Option<Played>) {
    let closable = any_step(&run.steps, |action| matches!(action, Action::CloseStdout));
    let start = StartOptions {
        more_args: &run.args,
        closable,
        tells_complaints: true,
        ..StartOptions::default()
    };
    match Process::start(engine, &start) {
        Ok(process) => {
            let mut conversation = Conversation::new(process, run, options);
            let played = conversation.play(run);
            (played, Some(conversation.into_parts()))
        }
        Err(error) => {
            let mut fault = Mismatch::new(format!("{engine} to start"), error.to_string());
            fault.place = Some((0, "the start".to_owned()));
            (Err(fault), None)
        }
    }
}

fn any_step(steps: &[TranscriptStep], kind: fn(&Action) -> bool) -> bool {
    steps.iter().any(|step| match &step.action {
        Action::Repeat(_, steps) | Action::Burst(steps) => any_step(steps, kind),
        Action::Either(branches) => branches.iter().any(|steps| any_step(steps, kind)),
        action => kind(action),
    })
}
