//! `tengen openings`.

pub(crate) mod args;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;

use self::args::OpeningsArgs;
use crate::common::progress::{Bar, threads};
use tengen_core::types::Point;
use tengen_files::work::Progress;
use tengen_lab::openings::{
    EarlierOpenings, FileStore, OpeningOptions, OpeningSearcher, OpeningSink, OpeningsError,
    format_line, run as run_openings,
};

/// Makes openings and writes them to a file or to standard output.
pub(super) fn run(args: &OpeningsArgs) -> anyhow::Result<ExitCode> {
    let options = options(args);
    options.check()?;
    if let Some(path) = &args.output {
        let (mut store, begun) = FileStore::open(path, &options)?;
        make(args, &options, begun, &mut store)?;
    } else {
        make(args, &options, EarlierOpenings::default(), &mut Printer { options: &options })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the options that the arguments ask for: what they leave out depends on rule and size.
fn options(args: &OpeningsArgs) -> OpeningOptions {
    let mut options = OpeningOptions::new(args.board.rule, args.board.size);
    options.format = args.format;
    options.seed = args.seed;
    options.balancing = args.balance;
    options.hash = args.hash;
    if let Some(area) = args.area {
        // The usual margin is for the usual box.
        let edge = args.board.size.width().min(args.board.size.height());
        options.margin = options.margin.min(edge.saturating_sub(area) / 2);
        options.area = area;
    }
    options.margin = args.margin.unwrap_or(options.margin);
    options.stones = args.stones.unwrap_or(options.stones);
    options.nodes = args.nodes.unwrap_or(options.nodes);
    options.check_nodes = args.check_nodes.unwrap_or(options.check_nodes);
    options.window = args.window.unwrap_or(options.window);
    options
}

fn make(
    args: &OpeningsArgs,
    options: &OpeningOptions,
    begun: EarlierOpenings,
    sink: &mut impl OpeningSink,
) -> anyhow::Result<()> {
    // More threads than openings would have nothing to do.
    let threads = (threads(args.run.threads) as u64).min(args.number).max(1);
    let searchers = (0..threads).map(|_| OpeningSearcher::new(options.hash));
    let searchers = searchers.collect::<Result<Vec<_>, _>>().context("cannot make a table")?;
    let (done, template) = (begun.forms.len() as u64, "{bar:40} {pos}/{len} openings{msg}");
    let bar = Bar::new(args.number, done, template, args.run.quiet);
    let mut progress =
        |now: Progress| bar.show(now, |speed| format!("{:.1} a minute", speed * 60.0));
    let result = run_openings(options, args.number, begun, searchers, sink, &mut progress);
    bar.end();
    result?;
    Ok(())
}

/// Writes openings to standard output.
struct Printer<'a> {
    options: &'a OpeningOptions,
}

impl OpeningSink for Printer<'_> {
    fn write(&mut self, stones: &[Point]) -> Result<(), OpeningsError> {
        let line = format_line(stones, self.options.size, self.options.format);
        let mut out = io::stdout().lock();
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(OpeningsError::Output)
    }
}
