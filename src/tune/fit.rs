//! `tengen tune fit`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::info;
use crate::common::files;
use crate::common::progress::{Bar, threads};
use crate::tune::args::{FitArgs, FitPart};
use tengen_files::work::Progress;
use tengen_lab::tuning::Sources;
use tengen_lab::tuning::fit::{FitOptions, FitReport, FitStep, fit};

/// Fits weights and reports their losses and checksum.
pub(super) fn run(args: &FitArgs) -> anyhow::Result<()> {
    files::check_apart([&args.output], &args.files)?;
    let report = make(&args.files, &args.output, &options(args), args.run.quiet)?;
    let mut out = io::stdout().lock();
    write!(out, "{report}").context("cannot write the report")?;
    drop(out);
    info::describe(&args.output)
}

/// Returns the options that the arguments ask for.
fn options(args: &FitArgs) -> FitOptions {
    let usual = FitOptions::default();
    FitOptions {
        threads: threads(args.run.threads),
        fits_evaluation: args.only != Some(FitPart::Order),
        fits_order: args.only != Some(FitPart::Evaluation),
        eval_scale: args.eval_scale.unwrap_or(usual.eval_scale),
        score_share: args.score_share.unwrap_or(usual.score_share),
        position_weight: args.position_weight.unwrap_or(usual.position_weight),
        choice_weight: args.choice_weight.unwrap_or(usual.choice_weight),
        iterations: args.iterations.unwrap_or(usual.iterations),
        ..usual
    }
}

/// Fits weights to the games of files and writes them.
pub(super) fn make(
    games: &[PathBuf],
    output: &Path,
    options: &FitOptions,
    quiet: bool,
) -> anyhow::Result<FitReport> {
    files::check_file(output)?;
    let bar = Bar::spinner(quiet);
    let mut read = |now: Progress| bar.say(format!("{} games read", now.done));
    let sources = Sources::read(games, options.threads, &mut read)?;
    let mut step = |step| bar.say(words(step));
    let fitted = fit(&sources.samples, sources.provenance, options, &mut step);
    bar.end();
    files::write_whole(output, fitted.weights.to_bytes())?;
    Ok(fitted.report)
}

/// Returns a step of a fit as text.
fn words(step: FitStep) -> String {
    match step {
        FitStep::WinScale(scale) => format!("scale of scores {scale:.0}"),
        FitStep::Temperature(temperature) => format!("temperature {temperature:.0}"),
        FitStep::Evaluation { iteration, loss } => format!("evaluation {iteration}: {loss:.6}"),
        FitStep::Order { iteration, loss } => format!("order of moves {iteration}: {loss:.6}"),
    }
}
