//! `tengen tune`.

mod all;
mod fit;
mod games;
mod info;
mod search;

use std::num::NonZero;
use std::process::ExitCode;
use std::thread;

use super::args::tuning::{TuneArgs, TuneCommand};

/// Does the step of tuning that is asked for.
pub(super) fn run(args: &TuneArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        TuneCommand::Games(args) => games::run(args)?,
        TuneCommand::Fit(args) => fit::run(args)?,
        TuneCommand::All(args) => all::run(args)?,
        TuneCommand::Search(args) => search::run(args)?,
        TuneCommand::Params => search::list()?,
        TuneCommand::Info(args) => info::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of threads asked for, or one for each core.
fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(
        || thread::available_parallelism().map_or(1, NonZero::get),
        |threads| usize::from(threads).max(1),
    )
}
