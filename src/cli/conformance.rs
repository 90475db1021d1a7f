//! `tengen conformance`.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;

use super::args::ConformanceArgs;
use crate::conformance::{
    RunOutcome, RunResult, RunnerOptions, Transcript, builtin, load, run_all,
};
use crate::printable::{printable, printable_lines};
use crate::process::EngineCommand;

/// The numbers of transcripts by result.
#[derive(Default)]
struct RunCounts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// Plays the transcripts and prints a line for each, the reasons of failures, and a summary.
pub(super) fn run(args: &ConformanceArgs) -> anyhow::Result<ExitCode> {
    let engine = EngineCommand::parse(&args.engine).context("--engine names no program")?;
    let engine = engine.with_absolute_paths(None);
    let transcripts = match &args.paths[..] {
        [] => builtin().context("cannot read the transcripts of the program")?,
        paths => load(paths).context("cannot load the transcripts")?,
    };
    let options = RunnerOptions { slack: args.slack };
    let mut tally = RunCounts::default();
    let mut printed = Ok(());
    run_all(&transcripts, &engine, &options, args.jobs.into(), |transcript, verdict| {
        if printed.is_ok() {
            printed = tell(transcript, &verdict, &mut tally);
        }
    });
    printed?;
    let RunCounts { passed, failed, skipped } = tally;
    writeln!(io::stdout(), "{passed} passed, {failed} failed, {skipped} skipped")?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tell(transcript: &Transcript, verdict: &RunResult, tally: &mut RunCounts) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let title = &transcript.title;
    match verdict {
        Ok(RunOutcome::Passed) => {
            tally.passed += 1;
            writeln!(out, "pass  {}", printable(title))
        }
        Ok(RunOutcome::Skipped(reason)) => {
            tally.skipped += 1;
            writeln!(out, "skip  {} ({reason})", printable(title))
        }
        Err(failure) => {
            tally.failed += 1;
            writeln!(out, "FAIL  {}\n{}", printable(title), printable_lines(&failure.to_string()))
        }
    }
}
