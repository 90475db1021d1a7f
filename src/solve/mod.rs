//! `tengen solve`.
//!
//! Files become positions ([`positions`]), threads search them, and the results are printed in the
//! order of the positions ([`told`], [`summary`]).

pub(crate) mod args;
mod positions;
mod summary;
mod told;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use self::args::SolveArgs;
use self::positions::SolveTask;
use self::summary::SolveSummary;
use self::told::Told;
use crate::common::files::{STREAM, numbered, write_whole};
use crate::common::progress::bar;
use crate::common::words::{cells, note, rows_from};
use tengen_core::notation::Origin;
use tengen_core::position::Position;
use tengen_core::prover::{
    Certificate, CheckError, CheckLimits, Checked, Flaw, Horizon, Prover, ProverLimits,
    ProverVerdict, verify_within,
};
use tengen_core::rules::Game;
use tengen_files::certificates;
use tengen_files::records::{Move, Record, SvgOptions, svg};
use tengen_files::resume::{Delivery, InOrder, Numbers, run_in_order};
use tengen_files::words::counted;

/// The exit code if a verdict is missing.
const UNKNOWN: u8 = 3;

/// The exit code if the program is ended in the middle: that of a program which SIGINT ended.
const INTERRUPTED: i32 = 130;

/// The stack of a thread that searches, in bytes. Searches are recursive and lines may be as long
/// as a game; what is not used costs nothing.
const STACK: usize = 64 << 20;

/// The time between two drawings of the progress.
const BEAT: Duration = Duration::from_millis(100);

/// The number of results that may wait to be printed. Searching waits for the reader of the output.
const AHEAD: u64 = 1024;

/// The result of a position.
struct Solved {
    /// The game up to the position.
    game: Game,
    answer: SolveAnswer,
    /// The number of positions searched.
    nodes: u64,
    /// The time of the search.
    time: Duration,
    /// The result of checking the proof of a win, if that was asked for.
    check: Option<Result<Checked, Flaw>>,
}

/// The verdict on a position.
enum SolveAnswer {
    /// The side to move wins.
    Win(Certificate),
    /// It does not, or not by the moves of the horizon.
    NoWin,
    /// The game is over.
    Over,
    /// The search ended without a verdict.
    Unknown(NoVerdict),
}

/// The reason why there is no verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NoVerdict {
    /// The time was over.
    Time,
    /// The nodes were spent.
    Nodes,
    /// By Ctrl-C.
    Interrupted,
    /// The search saw a win but could not prove it: the table has forgotten what the proof needs.
    Unproved,
}

/// Searches all positions.
pub(super) fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let (tasks, refused) = positions::load(args)?;
    if tasks.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    let is_stream = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new(STREAM));
    let to_stream = is_stream(&args.certificate) || is_stream(&args.svg);
    if is_stream(&args.certificate) && (tasks.len() > 1 || args.json || is_stream(&args.svg)) {
        bail!("standard output takes the certificate of one position and nothing else");
    }
    if is_stream(&args.svg) && tasks.len() > 1 {
        bail!("standard output takes the picture of one position and nothing else");
    }
    let is_ended = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal sets the flag, and the second one finds it set.
        register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&is_ended))
            .and_then(|_| register(signal, Arc::clone(&is_ended)))
            .context("cannot watch for Ctrl-C")?;
    }

    let threads = usize::from(args.threads).min(tasks.len()).max(1);
    let provers: Vec<Option<Prover>> = (0..threads).map(|_| None).collect();
    let numbers = Numbers { range: 0..tasks.len() as u64, ahead: AHEAD, stack_bytes: STACK };
    let work = |prover: &mut Option<Prover>, index: u64, _: u32| {
        // So that it does not matter what the thread has searched before.
        prover.iter_mut().for_each(Prover::clear);
        let prover = prover.get_or_insert_with(|| Prover::new((args.hash as usize) << 20));
        solve(args, &tasks[index as usize], prover, &is_ended)
    };
    let mut teller = Teller::new(args, &tasks, to_stream);
    run_in_order(numbers, provers, BTreeMap::new(), &is_ended, work, &mut teller)?;
    let code = teller.finish()?;
    Ok(if refused > 0 { ExitCode::FAILURE } else { code })
}

/// Searches a position with a prover that knows nothing yet.
fn solve(args: &SolveArgs, task: &SolveTask, prover: &mut Prover, is_ended: &AtomicBool) -> Solved {
    let game = task.game();
    if game.outcome().is_over() {
        let answer = SolveAnswer::Over;
        return Solved { game, answer, nodes: 0, time: Duration::ZERO, check: None };
    }
    let board = game.board().clone();
    let mut position = Position::from_board(game.rule(), board, game.to_move());
    let start = Instant::now();
    let is_late = || !args.time.is_zero() && start.elapsed() >= args.time;
    let stop = || is_ended.load(Ordering::Relaxed) || is_late();
    let limits = ProverLimits { nodes: args.nodes.unwrap_or(u64::MAX), stop: &stop };
    let verdict = prover.solve(&mut position, Horizon { fours_only: args.fours }, &limits);
    let (nodes, time) = (prover.nodes(), start.elapsed());
    let mut check = None;
    let answer = match verdict {
        ProverVerdict::Win(certificate) => {
            let checked = args.verify.then(|| checked(&game, &certificate, is_ended));
            match checked {
                None => SolveAnswer::Win(certificate),
                Some(Ok(checked)) => {
                    check = Some(Ok(checked));
                    SolveAnswer::Win(certificate)
                }
                Some(Err(CheckError::Flaw(flaw))) => {
                    check = Some(Err(flaw));
                    SolveAnswer::Win(certificate)
                }
                Some(Err(CheckError::TooMany(_) | CheckError::Stopped)) => {
                    SolveAnswer::Unknown(NoVerdict::Interrupted)
                }
            }
        }
        ProverVerdict::NoWin => SolveAnswer::NoWin,
        ProverVerdict::Unknown => SolveAnswer::Unknown(if is_ended.load(Ordering::SeqCst) {
            NoVerdict::Interrupted
        } else if is_late() {
            NoVerdict::Time
        } else if args.nodes.is_some_and(|most| nodes >= most) {
            NoVerdict::Nodes
        } else {
            NoVerdict::Unproved
        }),
    };
    Solved { game, answer, nodes, time, check }
}

/// Checks the proof of a win until it is done or the program is to end.
fn checked(
    game: &Game,
    certificate: &Certificate,
    is_ended: &AtomicBool,
) -> Result<Checked, CheckError> {
    let stop = || is_ended.load(Ordering::Relaxed);
    verify_within(game, certificate.root(), &CheckLimits { positions: u64::MAX, stop: &stop })
}

/// Tells what is found, in the order of the positions.
struct Teller<'a> {
    args: &'a SolveArgs,
    tasks: &'a [SolveTask],
    /// True if standard output is for the certificate or the picture, and words go to standard
    /// error.
    to_stream: bool,
    /// True if the positions don't all come from one file, so that their numbers are not enough.
    with_files: bool,
    bar: ProgressBar,
    summary: SolveSummary,
}

impl InOrder<Solved> for Teller<'_> {
    type Error = anyhow::Error;

    fn arrived(&mut self, _: u64, _: &Solved, _: bool) -> anyhow::Result<()> {
        self.bar.inc(1);
        Ok(())
    }

    fn deliver(&mut self, index: u64, solved: Solved) -> anyhow::Result<Delivery> {
        self.tell(index as usize, &solved)?;
        Ok(Delivery::Taken)
    }
}

impl<'a> Teller<'a> {
    fn new(args: &'a SolveArgs, tasks: &'a [SolveTask], to_stream: bool) -> Teller<'a> {
        let template = match tasks.len() {
            1 => "{spinner} searching, {elapsed}",
            _ => "{bar:40} {pos}/{len} positions, {elapsed}",
        };
        let bar = bar(Some(tasks.len() as u64), template, args.quiet);
        bar.enable_steady_tick(BEAT);
        let file = |task: &SolveTask| task.source.as_ref().map(|(path, _)| Arc::clone(path));
        let with_files = tasks.windows(2).any(|pair| file(&pair[0]) != file(&pair[1]));
        Teller { args, tasks, to_stream, with_files, bar, summary: SolveSummary::new(args.fours) }
    }

    /// Tells what came of a position, and writes the certificate.
    fn tell(&mut self, index: usize, solved: &Solved) -> anyhow::Result<()> {
        if let Some(Err(Flaw { moves, why })) = &solved.check {
            bail!(
                "internal error: the proof of position {} fails after {}: {why}; please report it",
                index + 1,
                cells(moves, solved.game.board().size(), Origin::Top)
            );
        }
        let file = match &solved.answer {
            SolveAnswer::Win(certificate) => {
                self.draw(index, &solved.game, certificate)?;
                self.write(index, &solved.game, certificate)?
            }
            _ => None,
        };
        self.summary.add(solved);
        let source = self.tasks[index].source.as_ref();
        let (origin, fours) = (self.tasks[index].origin, self.args.fours);
        let told = Told { number: index + 1, source, solved, origin, fours };
        let text = if self.args.json {
            told.json(file.as_deref())?
        } else if self.tasks.len() == 1 {
            told.paragraph()
        } else if self.args.quiet {
            return Ok(());
        } else {
            told.line(self.tasks.len().to_string().len(), self.with_files)
        };
        self.bar.suspend(|| self.print(&text))
    }

    /// Writes a certificate to where it is wanted, and returns that.
    fn write(
        &self,
        index: usize,
        game: &Game,
        certificate: &Certificate,
    ) -> anyhow::Result<Option<PathBuf>> {
        let Some(path) = &self.args.certificate else { return Ok(None) };
        let text = certificates::write(game, certificate.root());
        self.write_one(path, index, &text).map(Some)
    }

    /// Draws the position and the main line of a win to where it is wanted.
    fn draw(&self, index: usize, game: &Game, certificate: &Certificate) -> anyhow::Result<()> {
        let Some(path) = &self.args.svg else { return Ok(()) };
        let mut record = Record::of_game(game);
        let colors = [game.to_move(), !game.to_move()].into_iter().cycle();
        let line = certificate.line().iter().zip(colors);
        record.moves.extend(line.map(|(&point, color)| Move::new(point, color)));
        let plies = counted(certificate.plies() as u64, "ply");
        record.event = format!("{} wins in {plies}", game.to_move());
        let (unnumbered, origin) = (game.moves().len(), self.tasks[index].origin);
        let options = SvgOptions { unnumbered, origin, ..SvgOptions::default() };
        let text = svg(&record, &options).context("cannot draw the win")?;
        self.write_one(path, index, &text).map(drop)
    }

    /// Writes a file about one position, and returns its name.
    fn write_one(&self, path: &Path, index: usize, text: &str) -> anyhow::Result<PathBuf> {
        let path = match self.tasks.len() {
            1 => path.to_owned(),
            count => numbered(path, index + 1, count),
        };
        if path == Path::new(STREAM) {
            self.bar.suspend(|| io::stdout().write_all(text.as_bytes()))?;
        } else {
            write_whole(&path, text)?;
        }
        Ok(path)
    }

    fn print(&self, text: &str) -> anyhow::Result<()> {
        if self.to_stream {
            note(text.trim_end());
        } else {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        Ok(())
    }

    /// Tells the summary, and returns the exit code.
    fn finish(self) -> anyhow::Result<ExitCode> {
        self.bar.finish_and_clear();
        let missing = self.tasks.len() - self.summary.count();
        if self.tasks.len() > 1 && !self.args.json {
            let is_from_bottom = self.tasks.iter().any(|task| task.origin == Origin::Bottom);
            let origin = if is_from_bottom { Origin::Bottom } else { Origin::Top };
            self.print(&self.summary.text(missing, rows_from(origin)))?;
        }
        let is_known = missing == 0 && self.summary.unknown() == 0;
        Ok(if is_known { ExitCode::SUCCESS } else { ExitCode::from(UNKNOWN) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, Command, FromArgMatches as _};

    fn solve_args(words: &[&str]) -> SolveArgs {
        let words = [&["solve", "--time", "0"], words].concat();
        let command = SolveArgs::augment_args(Command::new("solve"));
        let matches = command.try_get_matches_from(&words).expect("they are arguments");
        SolveArgs::from_arg_matches(&matches).expect("they are arguments")
    }

    #[test]
    fn an_interrupted_search_says_so() {
        // Two stones each: too early for a win at a threat_check, too open for one to be excluded
        // so.
        let args = solve_args(&["--moves", "h8h9i8i9j9g8h10"]);
        let (tasks, _) = positions::load(&args).unwrap();
        let mut prover = Prover::new(1 << 20);
        let solved = solve(&args, &tasks[0], &mut prover, &AtomicBool::new(true));
        assert!(matches!(solved.answer, SolveAnswer::Unknown(NoVerdict::Interrupted)));
    }

    #[test]
    fn an_interrupted_check_ends_at_once() {
        let args = solve_args(&["--moves", "h8a1i8a3j8a5"]);
        let (tasks, _) = positions::load(&args).unwrap();
        let mut prover = Prover::new(1 << 20);
        let solved = solve(&args, &tasks[0], &mut prover, &AtomicBool::new(false));
        let SolveAnswer::Win(certificate) = &solved.answer else { panic!("a win") };
        let result = checked(&solved.game, certificate, &AtomicBool::new(true));
        assert_eq!(result, Err(CheckError::Stopped));
        assert!(checked(&solved.game, certificate, &AtomicBool::new(false)).is_ok());
    }
}
