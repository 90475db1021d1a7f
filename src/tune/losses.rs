//! `tengen tune losses`.

use std::fmt::{self, Write as _};
use std::io::{self, Write as _};

use anyhow::Context;
use serde::Serialize;

use crate::common::progress::{Bar, threads};
use crate::common::weights;
use crate::common::words::printable_path;
use crate::tune::args::LossesArgs;
use tengen_files::words::grouped;
use tengen_files::work::Progress;
use tengen_lab::tuning::losses::{
    LossError, LossFigures, LossOptions, LossReport, SampleLosses, measure_losses,
};
use tengen_lab::tuning::samples::SampleReader;

/// The name of all files together.
const TOTAL: &str = "total";

/// Measures losses and prints them.
pub(super) fn run(args: &LossesArgs) -> anyhow::Result<()> {
    let first = args.files.first().ok_or(LossError::NoFiles)?;
    let rule = SampleReader::open(first)?.rule();
    let evaluators = weights::evaluators_for(rule, args.network.as_deref())?;
    let usual = LossOptions::default();
    let options = LossOptions {
        scale: args.scale,
        score_share: args.score_share.unwrap_or(usual.score_share),
        only_held_out: args.held_out,
        threads: threads(args.run.threads),
    };
    let spinner = Bar::spinner(args.run.quiet);
    let mut read = |now: Progress| spinner.say(format!("{} samples", grouped(now.done)));
    let report = measure_losses(&args.files, &evaluators, &options, &mut read);
    spinner.end();
    let report = report?;
    let text = if args.json { json(&report)? } else { table(&report)? };
    io::stdout().lock().write_all(text.as_bytes()).context("cannot write the report")
}

/// The line of a file.
#[derive(Serialize)]
struct FileLine<'a> {
    file: String,
    size: String,
    #[serde(flatten)]
    losses: &'a SampleLosses,
}

/// The line of all files.
#[derive(Serialize)]
struct TotalLine<'a> {
    rule: &'static str,
    crc: String,
    scale: f64,
    #[serde(flatten)]
    losses: &'a SampleLosses,
}

/// Returns losses as an object on a line for each file, and one for all.
fn json(report: &LossReport) -> anyhow::Result<String> {
    let files = report.files.iter().map(|of_file| {
        serde_json::to_string(&FileLine {
            file: of_file.path.display().to_string(),
            size: of_file.size.to_string(),
            losses: &of_file.losses,
        })
    });
    let total = serde_json::to_string(&TotalLine {
        rule: report.rule.name(),
        crc: format!("{:08x}", report.network),
        scale: report.scale,
        losses: &report.total,
    });
    let lines = files.chain([total]).collect::<Result<Vec<_>, _>>()?;
    Ok(lines.into_iter().map(|line| line + "\n").collect())
}

/// Returns losses as a table: two lines for each file, and for all if there are several.
fn table(report: &LossReport) -> Result<String, fmt::Error> {
    let mut rows: Vec<(String, &SampleLosses)> = report
        .files
        .iter()
        .map(|of_file| (printable_path(&of_file.path), &of_file.losses))
        .collect();
    if rows.len() > 1 {
        rows.push((TOTAL.to_owned(), &report.total));
    }
    let mut text = String::new();
    let (rule, network, scale) = (report.rule, report.network, report.scale);
    writeln!(text, "Losses for {rule}, network {network:08x}, scores at {scale} units a logit")?;
    writeln!(
        text,
        "{:<10}{:>12}{:>10}{:>12}{:>10}{:>12}{:>10}{:>9}",
        "", "samples", "value", "calibrated", "floor", "choices", "policy", "first"
    )?;
    for (name, losses) in rows {
        let SampleLosses { values, choices, network, tables, floor } = losses;
        let [values, choices] = [values, choices].map(|&count| grouped(count));
        writeln!(text, "{name}")?;
        let floor = number(*floor);
        writeln!(text, "{}", line("network", &values, network, &floor, &choices))?;
        writeln!(text, "{}", line("tables", "", tables, "", ""))?;
    }
    Ok(text)
}

/// Returns the line of an evaluation.
fn line(name: &str, values: &str, figures: &LossFigures, floor: &str, choices: &str) -> String {
    let LossFigures { value, calibrated, policy, first, .. } = *figures;
    let [value, calibrated, policy] = [value, calibrated, policy].map(number);
    let first = first.map_or_else(|| "-".to_owned(), |first| format!("{:.1} %", 100.0 * first));
    format!(
        "  {name:<8}{values:>12}{value:>10}{calibrated:>12}{floor:>10}{choices:>12}{policy:>10}{first:>9}"
    )
}

/// Returns a loss as text.
fn number(loss: Option<f64>) -> String {
    loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.4}"))
}
