//! `tengen match`.
//!
//! The arguments become a match that makes sense ([`options`]). It is played while signals and keys
//! are obeyed ([`steering`]) and something is shown ([`show`]); at the end a report and files are
//! written ([`outputs`]).

mod affinity;
pub(crate) mod args;
mod broadcast;
mod engines;
mod game_log;
mod lines;
mod live;
mod naming;
mod options;
mod outputs;
mod screen;
mod show;
mod spelling;
mod standing;
mod steering;
mod warnings;
mod web_page;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use clap::error::ErrorKind;
use crossbeam_channel::bounded;

use self::affinity::{Affinity, PinnedMatch};
use self::args::{MatchArgs, MatchCommand, MergeArgs, OutputArgs, ReportArgs};
use self::engines::{EngineEntry, engines_at, entries};
use self::game_log::{GameLog, LoggedMatch};
use self::naming::{Interrupted, name_programs};
use self::options::OptionError;
use self::outputs::GameFiles;
use self::show::{Show, ShowStyle};
use self::steering::{Signals, steer};
use crate::common::files::check_apart;
use crate::common::interrupts::INTERRUPTED;
use crate::common::openings;
use crate::common::words::{note, printable_path, usage, usual_origin};
use crate::screen::Look;
use crate::screen::terminal::{Claim, ScreenTerminal, can_draw};
use tengen_lab::arena::{
    Journal, MatchControl, MatchInfo, MatchSpec, PlayedGame, RunOptions, Schedule, Shard, Summary,
    Unfinished, merge, report, run_match,
};

/// The name of the openings that the program carries.
const BUILTIN: &str = "builtin";

/// Plays a match, or does something with journals.
pub(super) fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        Some(MatchCommand::Merge(args)) => join(args),
        Some(MatchCommand::Report(args)) => tell(args),
        None => match plan(args) {
            Ok(mut plan) => {
                let signals = Signals::new().context("cannot take signals")?;
                match name_programs(&mut plan.spec, &plan.engines, args, &signals) {
                    Ok(()) => play(args, &plan, &signals),
                    Err(Interrupted) => {
                        note("Ended before the first game.");
                        Ok(ExitCode::from(INTERRUPTED))
                    }
                }
            }
            Err(error) => match error.downcast_ref::<OptionError>() {
                Some(error) => Ok(refuse(error)),
                None => Err(error),
            },
        },
    }
}

/// Answers the options of another match runner among the arguments of the process, if there are
/// some, and returns the exit code.
pub(super) fn answer_foreign_options() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    if args.next()? != "match" {
        return None;
    }
    spelling::foreign_options(args).map(|answer| refuse(&OptionError::new(answer)))
}

/// Says why the options make no sense, as it is said of options that can't be read.
fn refuse(error: &OptionError) -> ExitCode {
    usage(&args::command().error(ErrorKind::ValueValidation, error))
}

/// A match that is to be played.
struct MatchPlan {
    spec: MatchSpec,
    /// The words of the contestants, in their order.
    engines: Vec<EngineEntry>,
    /// The part of the match that is played.
    shard: Option<Shard>,
    affinity: Option<Affinity>,
}

/// Returns the match that is to be played.
fn plan(args: &MatchArgs) -> anyhow::Result<MatchPlan> {
    let found = args.engines_at.as_deref().map_or(Ok(Vec::new()), engines_at)?;
    let engines = entries(&args.engines, found)?;
    let mut spec = options::match_spec(args, &engines)?;
    let shard = options::shard(args)?;
    if args.watch && !can_draw() {
        return Err(
            OptionError::new("--watch draws in a terminal, and standard output is none").into()
        );
    }
    for dir in spec.contestants.iter().filter_map(|contestant| contestant.dir.as_ref()) {
        anyhow::ensure!(dir.is_dir(), "dir={}: there is no such directory", dir.display());
    }
    if let Some(path) = &args.openings {
        let list = if path == Path::new(BUILTIN) {
            openings::builtin(args.board.size, args.board.rule).ok_or_else(|| {
                OptionError::new(format!(
                    "--openings {BUILTIN}: there are none for {} on {}; `tengen openings` makes some",
                    args.board.rule, args.board.size
                ))
            })?
        } else {
            openings::load(path, args.board.size, args.board.rule, args.openings_format)?
        };
        spec = options::with_openings(spec, list, args.openings_start as usize)?;
    }
    let kept = [&args.journal, &args.openings, &args.engines_at].into_iter().flatten();
    check_apart(&args.log, kept.clone())?;
    outputs::check(&args.outputs, kept.chain(&args.log))?;
    let games = Schedule::new(&spec).games_in(shard).min(args.concurrency.into());
    let affinity = args.affinity.then(|| Affinity::new(&spec, games)).transpose()?;
    Ok(MatchPlan { spec, engines, shard, affinity })
}

/// Plays the games that are missing, and reports on all of them.
fn play(args: &MatchArgs, plan: &MatchPlan, signals: &Signals) -> anyhow::Result<ExitCode> {
    let (spec, shard) = (&plan.spec, plan.shard);
    let look = Look::new(&args.look)?;
    let info = MatchInfo::of(spec);
    let (journal, mut games, unfinished) = match &args.journal {
        Some(path) => open_journal(path, &info, shard)?,
        None => (None, Vec::new(), Vec::new()),
    };
    let schedule = Schedule::new(spec);
    let total = schedule.games_in(shard);
    if !args.quiet {
        announce(args, spec, games.len(), total);
    }
    let files = GameFiles::new(&args.outputs, &games)?;
    let log = GameLog::open(args.log.as_deref(), args.journal.as_deref())?;
    let options = RunOptions { concurrency: args.concurrency.into(), shard, slow: args.slow };
    let control = MatchControl::default();
    let origin = args.origin.unwrap_or_else(|| usual_origin(Some(spec.rule), None));
    let style = (style(args), look, origin);
    let show = Show::new(spec, &control, style, total, &games, status_every(args));
    let show = show.publishing(web_page::publisher(args)?);
    let claim = if args.watch { Claim::Watch } else { Claim::Keys };
    let mut terminal = ScreenTerminal::take(claim).context("cannot take the terminal")?;
    let (done, is_done) = bounded(0);
    let (result, drawn) = thread::scope(|scope| {
        let steering = scope.spawn(|| steer(&show, signals, &mut terminal, &is_done));
        let observer = LoggedMatch { log: &log, files: &files, observer: &show };
        let observer = PinnedMatch { affinity: plan.affinity.as_ref(), observer };
        let ended = run_match(spec, &options, journal, &mut games, unfinished, &control, &observer);
        drop(done);
        // A panic there has said so already.
        (ended, steering.join().unwrap_or(Ok(())))
    });
    drop(terminal);
    let printed = show.end();
    let result = match result {
        // There is nothing to report on.
        Err(error) if games.is_empty() => return Err(error.into()),
        result => result,
    };
    // Whole files replace them.
    drop(files);
    // The games that were played are reported in spite of an error.
    let reported = conclude(&info, &games, &args.outputs, args.json);
    result?;
    printed.and(drawn)?;
    reported?;
    if log.end()? > 0 && !args.quiet {
        note("Note: with --log or --journal, games with a fault are kept as the engines spoke.");
    }
    if games.len() as u64 >= total || control.is_decided() {
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ended_early(args, games.len(), total))
}

/// Says what is to be known before the first game.
fn announce(args: &MatchArgs, spec: &MatchSpec, finished: usize, total: u64) {
    if finished > 0 {
        note(format_args!("Going on with {finished} of {total} games finished."));
    }
    warnings::of_match(spec, args.concurrency).iter().for_each(note);
    lines::expected_length(spec.sprt, total).iter().for_each(note);
}

/// Returns what is shown while the match is played.
const fn style(args: &MatchArgs) -> ShowStyle {
    match () {
        () if args.watch => ShowStyle::Watch,
        () if args.quiet => ShowStyle::Quiet,
        () if args.json => ShowStyle::Json,
        () => ShowStyle::Text,
    }
}

/// Returns the number of games after which the standing is printed; 0 is never.
fn status_every(args: &MatchArgs) -> u64 {
    let usual = if io::stdout().is_terminal() || style(args) != ShowStyle::Text { 0 } else { 10 };
    args.status_every.unwrap_or(usual)
}

/// Opens a journal, and returns it with the games in it.
fn open_journal(
    path: &Path,
    info: &MatchInfo,
    shard: Option<Shard>,
) -> anyhow::Result<(Option<Journal>, Vec<PlayedGame>, Vec<Unfinished>)> {
    let (journal, finished, unfinished) = Journal::open(path, info, shard)?;
    if journal.dropped() > 0 {
        note(format_args!("{}: a game cut off at its end was dropped", path.display()));
    }
    Ok((Some(journal), finished, unfinished))
}

/// Says that games are missing.
fn ended_early(args: &MatchArgs, games: usize, total: u64) -> ExitCode {
    let how = match &args.journal {
        Some(_) => "the same command resumes the match",
        None => "with --journal, the same command would go on with the match",
    };
    note(format_args!("Ended with {games} of {total} games finished; {how}."));
    ExitCode::from(INTERRUPTED)
}

/// Prints the report and writes the files, of the games in the order in which they ended.
fn conclude(
    info: &MatchInfo,
    games: &[PlayedGame],
    outputs: &OutputArgs,
    json: bool,
) -> anyhow::Result<()> {
    let summary = Summary::new(info, games);
    // A file that can't be written is no reason to keep the results from the eyes.
    let written = outputs::write_all(outputs, info, &summary, games);
    let text = if json { format!("{}\n", report::json(&summary)) } else { report::text(&summary) };
    let printed = io::stdout().write_all(text.as_bytes());
    written?;
    printed?;
    Ok(())
}

/// Joins journals.
fn join(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let merged = merge(&args.journals)?;
    merged.write(&args.output)?;
    let games = if merged.games.len() == 1 { "game" } else { "games" };
    writeln!(io::stdout(), "{} {games} in {}", merged.games.len(), printable_path(&args.output))?;
    Ok(ExitCode::SUCCESS)
}

/// Reports on journals.
fn tell(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    outputs::check(&args.outputs, &args.journals)?;
    let (info, games) = match &args.journals[..] {
        // The games in the order in which they ended, on which the verdict of a test depends.
        [journal] => Journal::read(journal)?,
        journals => {
            let merged = merge(journals)?;
            (merged.info, merged.games)
        }
    };
    conclude(&info, &games, &args.outputs, args.json)?;
    Ok(ExitCode::SUCCESS)
}
