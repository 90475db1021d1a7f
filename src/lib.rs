//! The command line: subcommands of the tool, or the protocol if there is none.
//!
//! The only module with clap and anyhow. Each subcommand has a file with a `run`
//! function; `args` lists what can be typed.

mod analyse;
mod args;
mod bench;
mod common;
mod conformance;
mod convert;
mod db;
mod matches;
mod openings;
mod play;
mod screen;
mod show;
mod solve;
mod tune;
mod verify;
#[cfg(feature = "web")]
mod web;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{CommandFactory, Parser};

use args::{Args, ToolCommand};
use tengen_engine::options::{EngineOptions, WAITING};
use tengen_people::study::Studies;

/// Does what the command line of the process asks for, and returns the exit code.
///
/// # Errors
///
/// Returns why it could not be done; [`report`] knows how to tell.
pub fn run() -> anyhow::Result<ExitCode> {
    if let Some(code) = matches::answer_foreign_options() {
        return Ok(code);
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if is_of_a_manager(&error) => {
            return speak(EngineOptions::among(std::env::args_os())?);
        }
        Err(error) => match args_of_file(&error).unwrap_or(Err(error)) {
            Ok(args) => args,
            Err(error) => return Ok(common::words::usage(&error)),
        },
    };
    match args.command {
        None => speak(args.protocol.into()),
        Some(ToolCommand::Conformance(args)) => conformance::run(&args),
        Some(ToolCommand::Bench(args)) => bench::run(&args),
        Some(ToolCommand::Openings(args)) => openings::run(&args),
        Some(ToolCommand::Convert(args)) => convert::run(&args),
        Some(ToolCommand::Show(args)) => show::run(&args),
        Some(ToolCommand::Play(args)) => play::run(&args),
        Some(ToolCommand::Analyse(args)) => analyse::run(&args),
        Some(ToolCommand::Match(args)) => matches::run(&args),
        Some(ToolCommand::Solve(args)) => solve::run(&args),
        Some(ToolCommand::Verify(args)) => verify::run(&args),
        Some(ToolCommand::Tune(args)) => tune::run(&args),
        Some(ToolCommand::Db(args)) => db::run(&args),
        #[cfg(feature = "web")]
        Some(ToolCommand::Web(args)) => web::run(&args),
    }
}

/// Returns the command lines of both programs, for manual pages and completions: that of the tool, and that of
/// the engine under the name that managers expect.
#[must_use]
pub fn command_lines() -> [clap::Command; 2] {
    [Args::command(), args::engine_command()]
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

/// Returns the arguments that show a file, if one is named where a command is expected: the first argument is
/// there, or is written as a path.
fn args_of_file(error: &clap::Error) -> Option<Result<Args, clap::Error>> {
    let mut words = std::env::args_os();
    let (program, first) = (words.next()?, words.next()?);
    let path = Path::new(&first);
    let is_path = path.is_file() || path.extension().is_some() || path.components().count() > 1;
    let is_option = first.as_encoded_bytes().starts_with(b"-");
    if error.kind() != ErrorKind::InvalidSubcommand || is_option || !is_path {
        return None;
    }
    let show = [program, "show".into(), first];
    Some(Args::try_parse_from(show.into_iter().chain(words)))
}

/// Speaks the protocol on standard input and output until the manager ends it.
fn speak(options: EngineOptions) -> anyhow::Result<ExitCode> {
    let engine = options.start()?;
    if io::stdin().is_terminal() {
        // A person would wait for an answer.
        common::words::note(WAITING);
    }
    Ok(engine.run(Some(Box::new(Studies))))
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
    common::words::note_error(error);
    ExitCode::FAILURE
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut io_errors = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    io_errors.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
