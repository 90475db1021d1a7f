//! `tengen tune all`.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;

use super::{fit, games};
use crate::common::progress::threads;
use crate::tune::args::{AllArgs, PlanName};
use tengen_core::eval::Evaluators;
use tengen_core::eval::classical::Weights;
use tengen_engine::options::load_weights;
use tengen_lab::tuning::corpus::CorpusReader;
use tengen_lab::tuning::fit::{FitOptions, FitReport};
use tengen_lab::tuning::plan::{FULL, NEXT, Plan, SMALL, Source, Step};
use tengen_lab::tuning::selfplay::{SelfPlayOptions, weights_id};
use tengen_lab::tuning::{CorpusCounts, provenance};

/// Takes all steps of a plan that have not been taken yet, and reports each.
pub(super) fn run(args: &AllArgs) -> anyhow::Result<()> {
    let plan = match args.config {
        PlanName::Small => SMALL,
        PlanName::Full => FULL,
        PlanName::Next => NEXT,
    };
    let dir = &args.dir;
    fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let start = Instant::now();
    let made = Maker { dir, threads: threads(args.run.threads), quiet: args.run.quiet };
    say(&heading(&plan))?;
    for step in plan.steps() {
        match step {
            Step::Games { options, number, weights, corpus } => {
                made.games(&options, number, &weights, &corpus)?;
            }
            Step::Fit { options, corpora, weights } => made.fit(&options, &corpora, &weights)?,
        }
    }
    say(&format!("all done, {}", Taken(start)))
}

/// Returns what a plan is, in a line.
fn heading(plan: &Plan) -> String {
    format!(
        "{}: {} rules, {} generation{}, {} games in all, {} nodes a move, {} × {} for leaves",
        plan.name,
        plan.rules.len(),
        plan.generations,
        if plan.generations == 1 { "" } else { "s" },
        plan.games(),
        plan.nodes,
        plan.leaves,
        plan.leaf_nodes
    )
}

/// Writes a line.
fn say(line: &str) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{line}").context("cannot tell what was done")
}

/// The time since something began, as text; of all that is printed, only this differs between two
/// runs.
struct Taken(Instant);

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s", self.0.elapsed().as_secs_f64())
    }
}

/// The executor of the steps.
struct Maker<'a> {
    dir: &'a Path,
    threads: usize,
    quiet: bool,
}

impl Maker<'_> {
    /// Plays the games that a corpus lacks.
    fn games(
        &self,
        options: &SelfPlayOptions,
        number: u64,
        weights: &Source,
        corpus: &str,
    ) -> anyhow::Result<()> {
        let start = Instant::now();
        let weights = match weights {
            Source::Prior => Weights::hand_tuned(options.rule),
            Source::Shipped => Weights::shipped(options.rule),
            Source::File(name) => load_weights(&self.dir.join(name))?,
        };
        let path = self.dir.join(corpus);
        let options = options.in_procedure(games::procedure(&path));
        let options = SelfPlayOptions { weights: weights_id(&weights), ..options };
        let mut evaluators = Evaluators::shipped();
        evaluators.set_weights(&weights);
        games::play(&options, &evaluators, number, &path, self.threads, self.quiet)?;
        let mut reader = CorpusReader::open(&path)?;
        let mut counts = CorpusCounts::default();
        for game in &mut reader {
            counts.add(&game?);
        }
        let (crc, bytes) = (reader.crc(), reader.offset());
        say(&format!(
            "{corpus}: {} games, {} moves, {} leaves, {bytes} bytes, CRC-32 {crc:08x}, {}",
            counts.games,
            counts.moves,
            counts.leaves,
            Taken(start)
        ))
    }

    /// Fits weights to games, unless there are weights that were fitted to them.
    fn fit(&self, options: &FitOptions, corpora: &[String], weights: &str) -> anyhow::Result<()> {
        let start = Instant::now();
        let corpora: Vec<PathBuf> = corpora.iter().map(|name| self.dir.join(name)).collect();
        let path = self.dir.join(weights);
        let report = if Self::has(&path, &corpora)? {
            None
        } else {
            let options = FitOptions { threads: self.threads, ..*options };
            Some(fit::make(&corpora, &path, &options, self.quiet)?)
        };
        let fitted = load_weights(&path)?;
        let (made_of, crc) = (fitted.provenance, fitted.crc());
        say(&format!(
            "{weights}: {} games, {} positions, CRC-32 {crc:08x}, {}{}",
            made_of.games,
            made_of.positions,
            Taken(start),
            report.map_or_else(|| ", fitted before".to_owned(), |report| losses(&report))
        ))
    }

    /// Returns whether a file holds weights that were fitted to games. What is no such file is made
    /// again: it may be what an interrupted system left.
    fn has(path: &Path, corpora: &[PathBuf]) -> anyhow::Result<bool> {
        let Ok(weights) = load_weights(path) else { return Ok(false) };
        let (found, wanted) = (weights.provenance, provenance(corpora)?);
        Ok((found.seed, found.corpus_crc) == (wanted.seed, wanted.corpus_crc))
    }
}

/// Returns what a fit made of the losses on games that it did not learn from.
fn losses(report: &FitReport) -> String {
    let [evaluation, order] = [report.evaluation, report.order];
    format!(
        ", loss {:.4} -> {:.4}, of order {:.3} -> {:.3}",
        evaluation.before.held_out,
        evaluation.after.held_out,
        order.before.held_out,
        order.after.held_out
    )
}
