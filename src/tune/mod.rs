//! `tengen tune`.

mod all;
pub(crate) mod args;
mod fit;
mod games;
mod info;
mod losses;
mod relabel;
mod samples;
mod search;
mod searching;

use std::process::ExitCode;

use self::args::{TuneArgs, TuneCommand};

/// Does the step of tuning that is asked for.
pub(super) fn run(args: &TuneArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        TuneCommand::Games(args) => games::run(args)?,
        TuneCommand::Fit(args) => fit::run(args)?,
        TuneCommand::Relabel(args) => relabel::run(args)?,
        TuneCommand::Samples(args) => samples::run(args)?,
        TuneCommand::Losses(args) => losses::run(args)?,
        TuneCommand::All(args) => all::run(args)?,
        TuneCommand::Search(args) => return search::run(args),
        TuneCommand::Params => search::list()?,
        TuneCommand::Info(args) => info::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
