//! `tengen tune`.

mod all;
mod fit;
mod games;
mod info;
mod samples;
mod search;

use std::process::ExitCode;

use super::args::tuning::{TuneArgs, TuneCommand};

/// Does the step of tuning that is asked for.
pub(super) fn run(args: &TuneArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        TuneCommand::Games(args) => games::run(args)?,
        TuneCommand::Fit(args) => fit::run(args)?,
        TuneCommand::Samples(args) => samples::run(args)?,
        TuneCommand::All(args) => all::run(args)?,
        TuneCommand::Search(args) => search::run(args)?,
        TuneCommand::Params => search::list()?,
        TuneCommand::Info(args) => info::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
