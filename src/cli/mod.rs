//! The command line: subcommands of the tool, or the protocol if there is none.
//!
//! Level 11, the only module with clap and anyhow. Each subcommand has a file with a `run`
//! function; [`args`] lists what can be typed.

mod analyse;
pub mod args;
mod bench;
mod conformance;
mod convert;
mod db;
mod drawing;
mod files;
mod interrupts;
mod openings;
mod panics;
mod play;
mod progress;
mod run_match;
mod screen;
mod show;
mod solve;
mod tune;
mod verify;
mod weights;
mod words;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use clap::error::{ContextKind, ErrorKind};

use crate::engine::Engine;
use crate::protocol;
use crate::protocol::stdio::SessionTerms;
use crate::sys::memory::{Reserve, share_one_heap};
use args::{Args, Command, ProtocolArgs};

/// The line for a person in front of a program that waits for a game manager.
const WAITING: &str = "tengen waits for a game manager: type START 15 and BEGIN to see a move, END to \
                       leave, or run tengen --help for its commands";

/// Does what the command line of the process asks for, and returns the exit code.
///
/// # Errors
///
/// Returns why it could not be done; [`report`] knows how to tell.
pub fn run() -> anyhow::Result<ExitCode> {
    if std::env::args_os().next().is_some_and(|program| args::names_engine(&program)) {
        return speak_protocol();
    }
    if let Some(code) = run_match::answer_foreign_options() {
        return Ok(code);
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if is_of_a_manager(&error) => return speak_protocol(),
        Err(error) => return Ok(words::usage(&error)),
    };
    match args.command {
        None => speak(&args.protocol),
        Some(Command::Conformance(args)) => conformance::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Openings(args)) => openings::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Match(args)) => run_match::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Db(args)) => db::run(&args),
    }
}

/// Returns whether an error of the command line is an option of a game manager: some start engines
/// with options of their own, such as `--force-utf8`. In a terminal, and where the option resembles
/// one of ours, it is a mistake in typing.
fn is_of_a_manager(error: &clap::Error) -> bool {
    let first = std::env::args_os().nth(1).unwrap_or_default();
    first.as_encoded_bytes().starts_with(b"-")
        && error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::SuggestedArg).is_none()
        && !io::stdin().is_terminal()
}

/// Speaks the protocol on standard input and output until the manager ends it, whatever the options
/// of the process: those that are not ours are ignored.
///
/// # Errors
///
/// Returns, before a word is spoken, why a parameter, a network or a file of weights that the arguments
/// name cannot be used.
pub fn speak_protocol() -> anyhow::Result<ExitCode> {
    speak(&ProtocolArgs::among(std::env::args_os())?)
}

/// Speaks the protocol with these options.
fn speak(args: &ProtocolArgs) -> anyhow::Result<ExitCode> {
    /// The address space of the threads that run from the beginning, and of what they allocate then.
    const START_BYTES: usize = 4 << 20;
    share_one_heap();
    drop(Reserve::new(START_BYTES).context("there is too little memory to start")?);
    let evaluators = weights::evaluators(&args.weights, &args.networks)?;
    if io::stdin().is_terminal() {
        // A person would wait for an answer.
        words::note(WAITING);
    }
    let (engine, events) = Engine::with(args.search_params(), evaluators);
    let terms = SessionTerms {
        coordinates: args.coordinates,
        skill: args.skill(),
        database: args.database.clone(),
        book: args.book.clone(),
    };
    Ok(protocol::stdio::run(engine, events, terms))
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
    words::note_error(error);
    ExitCode::FAILURE
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut io_errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io_errors.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
