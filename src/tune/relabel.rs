//! `tengen tune relabel`.

use anyhow::Context;

use super::info;
use crate::common::files::check_apart;
use crate::common::progress::{Bar, threads};
use crate::common::weights;
use crate::tune::args::RelabelArgs;
use tengen_core::eval::EvaluatorKind;
use tengen_core::eval::classical::Weights;
use tengen_files::work::Progress;
use tengen_lab::tuning::corpus::CorpusStore;
use tengen_lab::tuning::relabel::{RelabelChoice, RelabelPlan};
use tengen_lab::tuning::selfplay::{LeafJudge, weights_id};

/// Judges positions again and describes the corpus at the end.
pub(super) fn run(args: &RelabelArgs) -> anyhow::Result<()> {
    check_apart([&args.output], &args.files)?;
    let choice = RelabelChoice { roots: args.roots, count: args.count, seed: args.seed };
    let spinner = Bar::spinner(args.run.quiet);
    let mut read = |now: Progress| spinner.say(format!("{} games read", now.done));
    let plan = RelabelPlan::new(&args.files, choice, &mut read);
    spinner.end();
    let plan = plan?;
    let rule = plan.rule();
    let evaluators = weights::evaluators_for(rule, args.network.as_deref())?;
    let network = evaluators.network(rule).map_or(0, |network| network.crc());
    let options = plan.options(args.leaf_nodes, weights_id(&Weights::shipped(rule)), network);
    let (mut store, begun) = CorpusStore::open(&args.output, &options)?;
    let evaluator = evaluators.make(EvaluatorKind::default(), rule);
    let judges =
        (0..threads(args.run.threads)).map(|_| LeafJudge::new(&*evaluator, args.leaf_nodes));
    let judges = judges.collect::<Result<Vec<_>, _>>().context("cannot make a table")?;
    let template = "{bar:30} {pos}/{len} positions{msg}";
    let bar = Bar::new(plan.positions(), begun.counts.leaves, template, args.run.quiet);
    let mut progress = |now: Progress| bar.show(now, |speed| format!("{speed:.1}/s"));
    let result = plan.run(args.leaf_nodes, &begun, judges, &mut store, &mut progress);
    bar.end();
    // What was judged before an error is kept too.
    let synced = store.sync();
    result.with_context(|| format!("{}", args.output.display()))?;
    synced?;
    info::describe(&args.output)
}
