//! `tengen bench`.

pub(crate) mod args;
mod comparison;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;

use self::args::BenchArgs;
use tengen_engine::options::evaluators_of_files;
use tengen_lab::bench::{self, BenchOptions};

/// Measures and prints tables, or one JSON object.
pub(super) fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let evaluators = evaluators_of_files(&args.evaluation.weights, &args.evaluation.networks)?;
    let options = BenchOptions {
        threads: args.threads.into(),
        rule: args.rule,
        depth: args.depth.into(),
        params: args.evaluation.params.iter().copied().collect(),
        ..BenchOptions::default()
    };
    let (text, json) = if args.compare {
        let result = bench::compare(&options, &evaluators).context("cannot measure")?;
        (comparison::markdown(&result), comparison::object(&result).to_string())
    } else {
        let result = bench::run(&options, &evaluators).context("cannot measure")?;
        (result.to_string(), result.to_json())
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{json}")?;
    } else {
        write!(out, "{text}")?;
    }
    Ok(ExitCode::SUCCESS)
}
