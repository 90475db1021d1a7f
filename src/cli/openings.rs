//! `tengen openings`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::OpeningsArgs;
use crate::openings::{
    Begun, FileStore, OpeningOptions, OpeningSearcher, OpeningsError, Progress, Sink, format_line,
    run as run_openings,
};
use crate::types::Point;

/// Makes openings and writes them to a file or to standard output.
pub(super) fn run(args: &OpeningsArgs) -> anyhow::Result<ExitCode> {
    let options = options(args);
    options.check()?;
    if let Some(path) = &args.output {
        let (mut store, begun) = FileStore::open(path, &options)?;
        make(args, &options, begun, &mut store)?;
    } else {
        make(args, &options, Begun::default(), &mut Printer { options: &options })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the options that the arguments ask for: what they leave out depends on rule and size.
fn options(args: &OpeningsArgs) -> OpeningOptions {
    let mut options = OpeningOptions::new(args.rule, args.size);
    options.format = args.format;
    options.seed = args.seed;
    options.balancing = args.balance;
    options.hash = args.hash;
    if let Some(area) = args.area {
        // The usual margin is for the usual box.
        let edge = args.size.width().min(args.size.height());
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
    begun: Begun,
    sink: &mut impl Sink,
) -> anyhow::Result<()> {
    // More threads than openings would have nothing to do.
    let threads = u64::from(args.threads).min(args.number).max(1);
    let searchers = (0..threads).map(|_| OpeningSearcher::new(options.hash));
    let searchers = searchers.collect::<Result<Vec<_>, _>>().context("cannot make a table")?;
    let bar = Bar::new(args, begun.forms.len() as u64);
    let mut observe = |progress| bar.show(progress);
    let result = run_openings(options, args.number, begun, searchers, sink, &mut observe);
    bar.bar.finish_and_clear();
    result?;
    Ok(())
}

/// Writes openings to standard output.
struct Printer<'a> {
    options: &'a OpeningOptions,
}

impl Sink for Printer<'_> {
    fn write(&mut self, stones: &[Point]) -> Result<(), OpeningsError> {
        let line = format_line(stones, self.options.size, self.options.format);
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")
            .and_then(|()| out.flush())
            .map_err(|error| OpeningsError::io("write the openings", error))
    }
}

/// A progress bar on standard error, unless that is no terminal or nobody wants it.
struct Bar {
    bar: ProgressBar,
    start: Instant,
}

impl Bar {
    fn new(args: &OpeningsArgs, done: u64) -> Bar {
        let target =
            if args.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(args.number), target);
        // The template is a constant; were it wrong, the usual style would do.
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} openings{msg}") {
            bar.set_style(style);
        }
        bar.set_position(done);
        Bar { bar, start: Instant::now() }
    }

    fn show(&self, progress: Progress) {
        let seconds = self.start.elapsed().as_secs_f64();
        if progress.made > 0 && seconds > 0.0 {
            let speed = progress.made as f64 / seconds;
            let left = self.bar.length().unwrap_or(0).saturating_sub(progress.done) as f64 / speed;
            let minutes = left / 60.0;
            self.bar.set_message(format!(", {:.1} a minute, {minutes:.1} min left", speed * 60.0));
        }
        self.bar.set_position(progress.done);
    }
}
