//! `tengen tune games`.

use std::path::Path;

use anyhow::Context;

use super::info;
use crate::common::progress::{Bar, threads};
use crate::common::weights;
use crate::tune::args::GamesArgs;
use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::position::Position;
use tengen_files::work::Progress;
use tengen_lab::tuning::corpus::{CorpusReader, CorpusStore};
use tengen_lab::tuning::selfplay::{self, PROCEDURE, SearchMind, SelfPlayOptions, weights_id};
use tengen_lab::tuning::{CorpusCounts, SelfPlayGame, TrainingResult};

/// Plays games and describes the corpus at the end.
pub(super) fn run(args: &GamesArgs) -> anyhow::Result<()> {
    let mut evaluators = weights::evaluators_for(args.board.rule, args.network.as_deref())?;
    let weights = weights::choose(args.board.rule, args.weights.as_deref())?;
    if args.weights.is_some() {
        evaluators.set_weights(&weights);
    }
    let options = SelfPlayOptions {
        weights: weights_id(&weights),
        network: evaluators.network(args.board.rule).map_or(0, |network| network.crc()),
        ..options(args)
    };
    play(
        &options,
        &evaluators,
        args.games,
        &args.output,
        threads(args.run.threads),
        args.run.quiet,
    )?;
    info::describe(&args.output)
}

/// Returns the options that the arguments ask for: what they leave out depends on rule and size.
fn options(args: &GamesArgs) -> SelfPlayOptions {
    let usual = SelfPlayOptions::new(args.board.rule, args.board.size);
    let usual = usual.in_procedure(procedure(&args.output));
    SelfPlayOptions {
        seed: args.seed,
        nodes: args.nodes.unwrap_or(usual.nodes),
        stones: args.stones.unwrap_or(usual.stones),
        spread: args.spread.unwrap_or(usual.spread),
        reach: args.reach.unwrap_or(usual.reach),
        window: args.window.unwrap_or(usual.window),
        variety_plies: args.variety.unwrap_or(usual.variety_plies),
        variety_margin: args.variety_margin.unwrap_or(usual.variety_margin),
        longest: args.longest.unwrap_or(usual.longest),
        draw_score: args.draw_score.unwrap_or(usual.draw_score),
        draw_moves: args.draw_moves.unwrap_or(usual.draw_moves),
        draw_stones: args.draw_stones.unwrap_or(usual.draw_stones),
        leaves: args.leaves.unwrap_or(usual.leaves),
        leaf_nodes: args.leaf_nodes.unwrap_or(usual.leaf_nodes),
        ..usual
    }
}

/// Returns the procedure that a corpus was begun with, or that of new ones.
pub(super) fn procedure(path: &Path) -> u16 {
    // What is wrong with the file is found when it is continued.
    CorpusReader::open(path).map_or(PROCEDURE, |reader| reader.options().procedure)
}

/// Plays the games that a corpus lacks to `number`, with evaluators of what the options name.
pub(super) fn play(
    options: &SelfPlayOptions,
    evaluators: &Evaluators,
    number: u64,
    path: &Path,
    threads: usize,
    quiet: bool,
) -> anyhow::Result<()> {
    let (mut store, begun) = CorpusStore::open(path, options)?;
    let evaluator = evaluators.make(EvaluatorKind::default(), options.rule);
    let minds = (0..threads).map(|_| SearchMind::new(&*evaluator));
    let minds = minds.collect::<Result<Vec<_>, _>>().context("cannot make a table")?;
    let start = Position::new(options.rule, options.size);
    let template = "{bar:30} {pos}/{len} games{msg}";
    let bar = Bar::new(number, begun.counts.games, template, quiet);
    let mut sink = |played: &SelfPlayGame| store.append(played);
    let mut progress = |now: Progress, counts: &CorpusCounts| {
        bar.show(now, |speed| format!("{speed:.1}/s, {}", results(counts)));
    };
    let result = selfplay::run(options, &start, number, &begun, minds, &mut sink, &mut progress);
    bar.end();
    // Games played before an error are kept too.
    let synced = store.sync();
    result.with_context(|| format!("{}", path.display()))?;
    synced?;
    Ok(())
}

/// Returns the shares of the results as text.
fn results(counts: &CorpusCounts) -> String {
    let share = |result| 100.0 * counts.of_result(result) as f64 / counts.games.max(1) as f64;
    let [black, white, draws] = TrainingResult::ALL.map(share);
    format!("black {black:.1} %, white {white:.1} %, draws {draws:.1} %")
}
