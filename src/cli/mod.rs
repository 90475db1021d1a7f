//! The command line: subcommands of the tool, or the protocol if there is none.
//!
//! Level 11, the only module with clap and anyhow. Each subcommand has a file with a `run`
//! function; [`args`] says what can be typed.

pub mod args;
mod bench;
mod conformance;
mod convert;
mod files;
mod openings;
mod run_match;
mod show;
mod solve;
mod tune;
mod verify;
mod weights;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::engine::Engine;
use crate::protocol;
use args::{Args, Command};

/// Does what the command line of the process asks for, and returns the exit code.
///
/// # Errors
///
/// Returns why it could not be done; [`report`] knows how to tell.
pub fn run() -> anyhow::Result<ExitCode> {
    let mut words = std::env::args_os();
    let is_engine = words.next().is_some_and(|program| args::names_engine(&program));
    if is_engine || !args::asks_for_tool(words.next().as_deref()) {
        return speak_protocol();
    }
    match Args::parse().command {
        None => speak_protocol(),
        Some(Command::Conformance(args)) => conformance::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Openings(args)) => openings::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Match(args)) => run_match::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
    }
}

/// Speaks the protocol on standard input and output until the manager ends it.
///
/// # Errors
///
/// Returns, before a word is spoken, why a parameter or a file of weights that the arguments name
/// cannot be used.
pub fn speak_protocol() -> anyhow::Result<ExitCode> {
    let params = args::params(std::env::args_os())?;
    weights::install(&args::weights(std::env::args_os()))?;
    let (engine, events) = Engine::with_params(params);
    Ok(protocol::stdio::run(engine, events, args::coordinates(std::env::args_os())))
}

/// Tells a person why [`run`] failed, on standard error, and returns the exit code.
///
/// A broken pipe only means that nobody reads the output any more, as after `tengen … | head`:
/// it is a success and not worth a word.
#[must_use]
pub fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    // There is nobody left to tell if this fails.
    let _ = writeln!(io::stderr(), "Error: {error:#}");
    ExitCode::FAILURE
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut io_errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io_errors.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
