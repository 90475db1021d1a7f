//! `tengen tune samples`.

use std::io::{self, Write};

use anyhow::Context;

use crate::common::files::check_apart;
use crate::common::progress::{Bar, threads};
use crate::common::words::printable_path;
use crate::tune::args::SamplesArgs;
use tengen_files::work::Progress;
use tengen_lab::tuning::samples::write_samples;

/// Writes samples and prints their number.
pub(super) fn run(args: &SamplesArgs) -> anyhow::Result<()> {
    check_apart([&args.output], [&args.file])?;
    let spinner = Bar::spinner(args.run.quiet);
    let mut read = |now: Progress| spinner.say(format!("{} games read", now.done));
    let written = write_samples(
        &args.file,
        &args.output,
        args.only_leaves,
        threads(args.run.threads),
        &mut read,
    );
    spinner.end();
    let samples = written?;
    writeln!(io::stdout(), "{}: {samples} samples", printable_path(&args.output))
        .context("cannot write the report")
}
