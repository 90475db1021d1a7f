//! `tengen openings`.

pub(crate) mod args;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, ensure};

use self::args::OpeningsArgs;
use crate::common::files::STREAM;
use crate::common::interrupts::{INTERRUPTED, stop_on_signals};
use crate::common::progress::{Bar, threads};
use crate::common::words::note;
use tengen_core::types::Point;
use tengen_files::records::Format;
use tengen_files::words::counted;
use tengen_files::work::Progress;
use tengen_lab::openings::{
    ByGames, EarlierOpenings, FileStore, OpeningOptions, OpeningSink, OpeningsError,
    StrengthTrials, Trials, format_line, run as run_openings,
};
use tengen_lab::tuning::selfplay::OpeningPlayer;

/// Makes openings and writes them to a file or to standard output.
pub(super) fn run(args: &OpeningsArgs) -> anyhow::Result<ExitCode> {
    let options = options(args);
    options.check()?;
    if let Some(path) = &args.output {
        let format = args.format;
        let is_it = Format::of_path(path).is_none_or(|it| it.name() == format.to_string());
        ensure!(is_it, "{}: openings are written in the --format {format}", path.display());
        ensure!(path != Path::new(STREAM), "openings go to standard output without --output");
        let (mut store, begun) = FileStore::open(path, &options)?;
        make(args, &options, begun, &mut store)
    } else {
        make(args, &options, EarlierOpenings::default(), &mut Printer { options: &options })
    }
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
    options.by_games = args.by_games.map(|games| {
        let usual = ByGames::new(games);
        let nodes = args.game_nodes.unwrap_or(usual.nodes);
        ByGames { nodes, share: args.color_share.unwrap_or(usual.share), ..usual }
    });
    options
}

fn make(
    args: &OpeningsArgs,
    options: &OpeningOptions,
    begun: EarlierOpenings,
    sink: &mut impl OpeningSink,
) -> anyhow::Result<ExitCode> {
    // More threads than openings would have nothing to do.
    let threads = (threads(args.run.threads) as u64).min(args.number).max(1);
    let searcher = || OpeningPlayer::new(options.rule, options.size, options.hash);
    let searchers = (0..threads).map(|_| searcher());
    let searchers = searchers.collect::<Result<Vec<_>, _>>().context("cannot make a table")?;
    let stop = stop_on_signals()?;
    let (mut done, template) = (begun.forms.len() as u64, "{bar:40} {pos}/{len} openings{msg}");
    let bar = Bar::new(args.number, done, template, args.run.quiet);
    let mut trials = Trials::default();
    let mut progress = |now: Progress, so_far: &Trials| {
        (done, trials) = (now.done, *so_far);
        bar.show(now, |speed| match so_far.0[0].tried() {
            0 => format!("{:.1} a minute", speed * 60.0),
            tried => format!("{:.1} a minute, {tried} tried", speed * 60.0),
        });
    };
    let result = run_openings(options, args.number, begun, searchers, sink, &stop, &mut progress);
    bar.end();
    if let Some(terms) = options.by_games.as_ref().filter(|_| !args.run.quiet) {
        note(report(terms, &trials));
    }
    match result {
        Err(OpeningsError::Stopped) => {
            let how = match &args.output {
                Some(_) => "the same command goes on",
                None => "with --output, the same command would go on",
            };
            note(format_args!("Ended with {done} of {}; {how}.", counted(args.number, "opening")));
            Ok(ExitCode::from(INTERRUPTED))
        }
        result => result.map(|_| ExitCode::SUCCESS).map_err(Into::into),
    }
}

/// Returns how the candidates of a run fared in games: a line for each strength.
fn report(terms: &ByGames, trials: &Trials) -> String {
    let line = |(nodes, trials): (u64, &StrengthTrials)| {
        let StrengthTrials { passed, black, white, drawn, games, passed_games } = trials;
        let share = |games: u64| match passed_games.games() {
            0 => "-".to_owned(),
            all => format!("{:.1} %", 100.0 * games as f64 / all as f64),
        };
        format!(
            "{nodes} nodes: {passed} of {} passed, {games} games; rejected: {black} by black's wins, {white} \
             by white's, {drawn} by draws\n  games of those that passed: black won {}, white {}, drawn {}",
            trials.tried(),
            share(passed_games.wins()),
            share(passed_games.losses()),
            share(passed_games.draws()),
        )
    };
    let lines = terms.nodes.0.into_iter().zip(&trials.0).map(line);
    lines.collect::<Vec<_>>().join("\n")
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
