//! `tengen conformance`.

pub(crate) mod args;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;

use self::args::{ConformanceArgs, ProfileArg};
use tengen_files::printable::{printable, printable_lines};
use tengen_lab::conformance::{
    ConformanceReport, Failure, Manager, RunOutcome, RunResult, RunnerOptions, Transcript, builtin,
    load, run_all,
};
use tengen_lab::process::{EngineCommand, Process, StartOptions};

/// The profile of those who name neither one nor transcripts.
const DEFAULT_PROFILE: Manager = Manager::Gomocup;

/// The most characters of what came that are shown of a failure in one line.
const SHOWN: usize = 100;

/// Plays the transcripts and prints a line for each failure, and a summary.
pub(super) fn run(args: &ConformanceArgs) -> anyhow::Result<ExitCode> {
    let engine = EngineCommand::parse(&args.engine).context("--engine names no program")?;
    let engine = engine.with_absolute_paths(None);
    let transcripts = match &args.paths[..] {
        [] => builtin().context("cannot read the transcripts of the program")?,
        paths => load(paths).context("cannot load the transcripts")?,
    };
    let default = ProfileArg(args.paths.is_empty().then_some(DEFAULT_PROFILE));
    let ProfileArg(profile) = args.profile.unwrap_or(default);
    let is_played = |transcript: &Transcript| transcript.importance.level_in(profile).is_some();
    let transcripts: Vec<Transcript> = transcripts.into_iter().filter(is_played).collect();
    // Said once, and not of each transcript.
    let probe = Process::start(&engine, &StartOptions::default());
    drop(probe.with_context(|| format!("cannot start {engine}"))?);

    let options = RunnerOptions { slack: args.slack, strict: args.strict };
    let mut report = ConformanceReport::default();
    let mut printed = Ok(());
    run_all(&transcripts, &engine, &options, args.jobs.into(), |transcript, result| {
        report.add(transcript, &result);
        if printed.is_ok() {
            printed = tell(transcript, &result, profile, args.verbose);
        }
    })?;
    printed?;
    let mut out = io::stdout().lock();
    let of = profile.map_or_else(|| "all".to_owned(), |manager| manager.to_string());
    write!(out, "Profile {of}: {}", printable_lines(&report.text(profile)))?;
    let is_good = if args.strict { report.is_clean() } else { !report.must_failed(profile) };
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tell(
    transcript: &Transcript,
    result: &RunResult,
    profile: Option<Manager>,
    verbose: bool,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let title = printable(&transcript.title);
    let level = transcript.importance.level_in(profile).map_or("", |level| level.name());
    match result {
        Ok(RunOutcome::Passed(_)) if verbose => writeln!(out, "pass  {level:9}  {title}"),
        Ok(RunOutcome::Passed(_)) => Ok(()),
        Ok(RunOutcome::Skipped(reason)) => writeln!(out, "skip  {level:9}  {title} ({reason})"),
        Err(failure) if verbose => {
            writeln!(out, "FAIL  {level:9}  {title}\n{}", printable_lines(&failure.to_string()))
        }
        Err(failure) => {
            writeln!(
                out,
                "FAIL  {level:9}  {title}\n      {}",
                printable(&in_a_line(transcript, failure))
            )
        }
    }
}

/// Returns where a failure is and what happened. The title says which of the program's transcripts it
/// is.
fn in_a_line(transcript: &Transcript, failure: &Failure) -> String {
    let Failure { name, line, step, expected, came, .. } = failure;
    let file = if transcript.case.is_some() { "" } else { name.as_str() };
    let place = match line {
        0 => step.clone(),
        line => format!("{file}{}line {line}", if file.is_empty() { "" } else { ", " }),
    };
    let short: String = came.chars().take(SHOWN).collect();
    let more = if short.len() < came.len() { "…" } else { "" };
    format!("{place}: expected {expected}; got: {short}{more}")
}
