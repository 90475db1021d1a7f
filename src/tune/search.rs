//! `tengen tune search`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};

use super::searching::{SearchArgs, Wanted};
use crate::common::interrupts::{INTERRUPTED, stop_on_signals};
use crate::common::openings;
use crate::common::progress::{Bar, threads};
use crate::common::weights;
use crate::common::words::note;
use tengen_core::eval::EvaluatorKind;
use tengen_core::search::Params;
use tengen_core::search::params::Param;
use tengen_files::work::Progress;
use tengen_lab::tuning::spsa::games::{Beginnings, PairPlayer, Terms};
use tengen_lab::tuning::spsa::{
    Coordinate, GainSchedule, SpsaSettings, SpsaState, run as run_spsa,
};

/// The number of times that the values are printed in the course of a run.
const TELLINGS: u64 = 10;

/// Improves parameters of the search by games, and prints them.
pub(super) fn run(args: &SearchArgs) -> anyhow::Result<ExitCode> {
    let settings = settings(args)?;
    let terms = terms(args)?;
    let beginnings = beginnings(args)?;
    // More threads than pairs in a batch would have nothing to do.
    let batch = usize::try_from(settings.batch).unwrap_or(usize::MAX);
    let evaluators = weights::evaluators_for(terms.rule, args.network.as_deref())?;
    let evaluator = evaluators.make(EvaluatorKind::default(), terms.rule);
    let players = (0..threads(args.run.threads).min(batch))
        .map(|_| PairPlayer::new(terms, &beginnings, &*evaluator));
    let mut players = players.collect::<Result<Vec<_>, _>>().context("cannot make a table")?;

    let conditions = conditions(&terms, &beginnings, players[0].fingerprint());
    let state = match &args.state {
        Some(path) => SpsaState::load(path, &settings, &conditions)?,
        None => None,
    };
    let state = state.unwrap_or_else(|| SpsaState::new(&settings));
    let file = args.state.as_deref();
    let template = "{bar:40} {pos}/{len} pairs, {per_sec}, {eta} left";
    let bar = Bar::new(settings.pairs, state.done, template, args.run.quiet);
    if let Some(path) = file {
        // A place where no state can be kept is better found out now than after the first batch.
        state.save(path, &settings, &conditions)?;
    }
    let (stop, mut trouble) = (stop_on_signals()?, None);
    let mut told = state.done * TELLINGS / settings.pairs;
    let mut keep = |state: &SpsaState| {
        if let Some(path) = file {
            state.save(path, &settings, &conditions)?;
        }
        let part = state.done * TELLINGS / settings.pairs;
        if part > told && part < TELLINGS {
            told = part;
            if let Err(error) = bar.suspend(|| print(&settings, state)) {
                trouble = Some(error);
                stop.request();
            }
        }
        Ok(())
    };
    let mut progress = |now: Progress| bar.at(now.done);
    let result = run_spsa(&settings, state, &mut players, &stop, &mut progress, &mut keep);
    bar.end();
    let state = result?;
    if let Some(error) = trouble {
        return Err(error.into());
    }
    print(&settings, &state)?;
    print_changed(&settings, &state)?;
    if state.done == settings.pairs {
        return Ok(ExitCode::SUCCESS);
    }
    let how = match file {
        Some(_) => "the same command goes on",
        None => "with --state, the same command would go on",
    };
    note(format_args!("Interrupted after {} of {} pairs; {how}.", state.done, settings.pairs));
    Ok(ExitCode::from(INTERRUPTED))
}

/// Prints all parameters of the search.
pub(super) fn list() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{:<24}{:>8}{:>8}{:>8}  meaning", "name", "default", "least", "most")?;
    for Param { name, default, min, max, meaning } in Params::ALL {
        writeln!(out, "{name:<24}{default:>8}{min:>8}{max:>8}  {meaning}")?;
    }
    Ok(())
}

/// Returns the settings that the arguments ask for.
fn settings(args: &SearchArgs) -> anyhow::Result<SpsaSettings> {
    if !args.games.is_multiple_of(2) {
        bail!("--games is an even number: games are played in pairs");
    }
    let start: Params = args.start.iter().copied().collect();
    let mut coordinates: Vec<Coordinate> = Vec::new();
    for wanted in &args.params {
        match *wanted {
            Wanted::All => {
                coordinates = Params::ALL.iter().map(|p| Coordinate::new(p, &start)).collect();
            }
            Wanted::One(param, c_end) => {
                let mut coordinate = Coordinate::new(param, &start);
                coordinate.c_end = c_end.unwrap_or(coordinate.c_end);
                match coordinates.iter_mut().find(|c| c.param.name == param.name) {
                    Some(known) => *known = coordinate,
                    None => coordinates.push(coordinate),
                }
            }
        }
    }
    let settings = SpsaSettings {
        coordinates,
        start,
        pairs: args.games / 2,
        batch: args.batch,
        schedule: GainSchedule { r_end: args.r_end, ..GainSchedule::default() },
        seed: args.seed,
    };
    settings.check()?;
    Ok(settings)
}

fn terms(args: &SearchArgs) -> anyhow::Result<Terms> {
    let area = args.board.size.area();
    let most_stones = args.draw.unwrap_or(area * 3 / 4);
    if most_stones == 0 || most_stones > area {
        bail!("--draw is from 1 to the {area} cells of the board");
    }
    Ok(Terms {
        rule: args.board.rule,
        size: args.board.size,
        nodes: args.nodes,
        most_stones,
        seed: args.seed,
    })
}

fn beginnings(args: &SearchArgs) -> anyhow::Result<Beginnings> {
    let Some(path) = &args.openings else { return Ok(Beginnings::Random) };
    let openings = openings::load(path, args.board.size, args.board.rule, None)?;
    Ok(Beginnings::shuffled(openings, args.seed))
}

/// Returns what decides the outcome of a run beside its settings.
fn conditions(
    terms: &Terms,
    beginnings: &Beginnings,
    fingerprint: u32,
) -> BTreeMap<String, String> {
    let openings = match beginnings {
        Beginnings::Random => "random".to_owned(),
        Beginnings::Given(_) => format!("{:08x}", beginnings.checksum()),
    };
    let all = [
        ("rule", terms.rule.to_string()),
        ("size", terms.size.to_string()),
        ("nodes", terms.nodes.to_string()),
        ("draw", terms.most_stones.to_string()),
        ("openings", openings),
        ("engine", format!("{fingerprint:08x}")),
    ];
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Prints how far a run has come: the values with what has become of them since the start.
fn print(settings: &SpsaSettings, state: &SpsaState) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let [lost, less, even, more, won] = state.outcomes;
    writeln!(
        out,
        "pairs {} of {}: {won} won, {more} half won, {even} even, {less} half lost, {lost} lost",
        state.done, settings.pairs
    )?;
    writeln!(out, "{:<24}{:>8}{:>10}{:>10}{:>8}", "name", "start", "now", "moved", "c_end")?;
    for (Coordinate { param, start, c_end }, value) in
        settings.coordinates.iter().zip(&state.values)
    {
        let moved = value - f64::from(*start);
        writeln!(out, "{:<24}{start:>8}{value:>10.2}{moved:>+10.2}{c_end:>8.1}", param.name)?;
    }
    writeln!(out)?;
    out.flush()
}

/// Prints the options that make an engine play with the values found.
fn print_changed(settings: &SpsaSettings, state: &SpsaState) -> io::Result<()> {
    let params = state.params(settings);
    let options: Vec<String> = params.changed().map(|a| format!("--param {a}")).collect();
    writeln!(io::stdout().lock(), "{}", options.join(" "))
}
