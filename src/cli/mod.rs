//! The command line: subcommands of the tool, or the protocol if there is none.
//!
//! Level 11, the only module with clap and anyhow. Each subcommand has a file with a `run`
//! function; [`args`] says what can be typed.

pub mod args;
mod conformance;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::engine::Engine;
use crate::protocol;
use args::{Args, Command};

/// Does what the command line of the process asks for, and returns the exit code.
///
/// # Errors
///
/// Returns what a person has to know if it cannot be done. A broken pipe is no such thing: see
/// [`is_broken_pipe`].
pub fn run() -> anyhow::Result<ExitCode> {
    if !args::asks_for_tool(std::env::args_os().nth(1).as_deref()) {
        return Ok(speak_protocol());
    }
    match Args::parse().command {
        None => Ok(speak_protocol()),
        Some(Command::Conformance(args)) => conformance::run(&args),
    }
}

/// Speaks the protocol on standard input and output until the manager ends it.
#[must_use]
pub fn speak_protocol() -> ExitCode {
    let (engine, events) = Engine::new();
    protocol::stdio::run(engine, events)
}

/// Returns whether an error only means that nobody reads the output any more, as after
/// `tengen … | head`.
#[must_use]
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io_errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io_errors.into_iter().any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
