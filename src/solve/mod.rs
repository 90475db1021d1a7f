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
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use self::args::SolveArgs;
use self::positions::SolveTask;
use self::summary::SolveSummary;
use self::told::Told;
use crate::common::files::{STREAM, check_apart, check_file, numbered, write_whole};
use crate::common::interrupts::stop_on_signals;
use crate::common::progress::Bar;
use crate::common::words::{cells, note, rows_from};
use tengen_core::notation::Origin;
use tengen_core::position::Position;
use tengen_core::prover::{
    Certificate, CheckError, CheckLimits, Checked, Flaw, Horizon, Prover, ProverLimits,
    ProverVerdict, STACK_BYTES, verify_within,
};
use tengen_core::rules::Game;
use tengen_files::certificates;
use tengen_files::records::{Move, Record, SvgOptions, svg};
use tengen_files::words::counted;
use tengen_files::work::{Delivery, InOrder, NumberedWork, Stop, run_in_order};

/// The exit code if a verdict is missing.
const UNKNOWN: u8 = 3;

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
    // A search may take hours.
    let files = [&args.certificate, &args.svg].into_iter().flatten();
    let count = tasks.len();
    let names = |index| files.clone().map(move |path| numbered(path, index + 1, count));
    check_apart(&(0..count).flat_map(names).collect::<Vec<_>>(), &args.files)?;
    files
        .filter(|path| path.as_path() != Path::new(STREAM))
        .try_for_each(|path| check_file(path))?;
    let stop = stop_on_signals()?;
    let threads = usize::from(args.threads).min(count).max(1);
    let provers: Vec<Option<Prover>> = (0..threads).map(|_| None).collect();
    let numbers = NumberedWork { range: 0..count as u64, ahead: AHEAD, stack_bytes: STACK_BYTES };
    let work = |prover: &mut Option<Prover>, index: u64, _: u32, stop: &Stop| {
        // So that it does not matter what the thread has searched before.
        prover.iter_mut().for_each(Prover::clear);
        let prover = prover.get_or_insert_with(|| Prover::new((args.hash as usize) << 20));
        solve(args, &tasks[index as usize], prover, stop)
    };
    let mut printer = SolvePrinter::new(args, &tasks, to_stream);
    run_in_order(numbers, provers, BTreeMap::new(), &stop, work, &mut printer)?;
    let code = printer.finish()?;
    Ok(if refused > 0 { ExitCode::FAILURE } else { code })
}

/// Searches a position with a prover that knows nothing yet.
fn solve(args: &SolveArgs, task: &SolveTask, prover: &mut Prover, stop: &Stop) -> Solved {
    let game = task.game();
    if game.outcome().is_over() {
        let answer = SolveAnswer::Over;
        return Solved { game, answer, nodes: 0, time: Duration::ZERO, check: None };
    }
    let board = game.board().clone();
    let mut position = Position::from_board(game.rule(), board, game.to_move());
    let start = Instant::now();
    let in_time = if args.time.is_zero() { stop.part() } else { stop.part_within(args.time) };
    let limits = ProverLimits { nodes: args.nodes.unwrap_or(u64::MAX), stop: Some(&in_time) };
    let verdict = prover.solve(&mut position, Horizon { fours_only: args.fours }, &limits);
    let (nodes, time) = (prover.nodes(), start.elapsed());
    let mut check = None;
    let answer = match verdict {
        ProverVerdict::Win(certificate) => {
            let checked = args.verify.then(|| checked(&game, &certificate, stop));
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
        ProverVerdict::Unknown => SolveAnswer::Unknown(if stop.is_set() {
            NoVerdict::Interrupted
        } else if in_time.is_set() {
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
fn checked(game: &Game, certificate: &Certificate, stop: &Stop) -> Result<Checked, CheckError> {
    let limits = CheckLimits { positions: u64::MAX, stop: Some(stop) };
    verify_within(game, certificate.root(), &limits)
}

/// Prints what is found, in the order of the positions.
struct SolvePrinter<'a> {
    args: &'a SolveArgs,
    tasks: &'a [SolveTask],
    /// True if standard output is for the certificate or the picture, and words go to standard
    /// error.
    to_stream: bool,
    /// True if the positions don't all come from one file, so that their numbers are not enough.
    with_files: bool,
    bar: Bar,
    /// The number of positions that are done.
    done: u64,
    summary: SolveSummary,
    /// The first file that could not be written.
    failed: Option<anyhow::Error>,
}

impl InOrder<Solved> for SolvePrinter<'_> {
    type Error = anyhow::Error;

    fn arrived(&mut self, _: u64, _: &Solved, _: bool) -> anyhow::Result<()> {
        self.done += 1;
        self.bar.at(self.done);
        Ok(())
    }

    fn deliver(&mut self, index: u64, solved: Solved) -> anyhow::Result<Delivery> {
        self.tell(index as usize, &solved)?;
        Ok(Delivery::Taken)
    }
}

impl<'a> SolvePrinter<'a> {
    fn new(args: &'a SolveArgs, tasks: &'a [SolveTask], to_stream: bool) -> SolvePrinter<'a> {
        let bar = if tasks.len() == 1 {
            let bar = Bar::spinner(args.quiet);
            bar.say("searching".to_owned());
            bar
        } else {
            let template = "{bar:40} {pos}/{len} positions, {elapsed}";
            Bar::new(tasks.len() as u64, 0, template, args.quiet).ticking()
        };
        let file = |task: &SolveTask| task.source.as_ref().map(|(path, _)| Arc::clone(path));
        let with_files = tasks.windows(2).any(|pair| file(&pair[0]) != file(&pair[1]));
        let summary = SolveSummary::new(args.fours);
        SolvePrinter { args, tasks, to_stream, with_files, bar, done: 0, summary, failed: None }
    }

    /// Tells what came of a position, and writes the certificate and the picture.
    fn tell(&mut self, index: usize, solved: &Solved) -> anyhow::Result<()> {
        if let Some(Err(Flaw { moves, why })) = &solved.check {
            bail!(
                "internal error: the proof of position {} fails after {}: {why}; please report it",
                index + 1,
                cells(moves, solved.game.board().size(), Origin::Top)
            );
        }
        let (written, drawn) = match &solved.answer {
            SolveAnswer::Win(proof) => {
                (self.write(index, &solved.game, proof), self.draw(index, &solved.game, proof))
            }
            _ => (Ok(None), Ok(())),
        };
        self.summary.add(solved);
        let source = self.tasks[index].source.as_ref();
        let (origin, fours) = (self.tasks[index].origin, self.args.fours);
        let told = Told { number: index + 1, source, solved, origin, fours };
        let text = if self.args.json {
            told.json(written.as_ref().ok().and_then(Option::as_deref))?
        } else if self.tasks.len() == 1 {
            told.paragraph()
        } else if self.args.quiet {
            String::new()
        } else {
            told.line(self.tasks.len().to_string().len(), self.with_files)
        };
        self.bar.suspend(|| self.print(&text))?;
        // What was found is told whatever becomes of the files, and so is what others find.
        self.failed = self.failed.take().or(written.map(drop).and(drawn).err());
        Ok(())
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
        let path = numbered(path, index + 1, self.tasks.len());
        if path == Path::new(STREAM) {
            self.bar.suspend(|| io::stdout().write_all(text.as_bytes()))?;
        } else {
            write_whole(&path, text)?;
        }
        Ok(path)
    }

    fn print(&self, text: &str) -> anyhow::Result<()> {
        if self.to_stream && !text.is_empty() {
            note(text.trim_end());
        } else {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        Ok(())
    }

    /// Tells the summary, and returns the exit code, or why a file was not written.
    fn finish(self) -> anyhow::Result<ExitCode> {
        self.bar.end();
        let missing = self.tasks.len() - self.summary.count();
        if self.tasks.len() > 1 && !self.args.json {
            let is_from_bottom = self.tasks.iter().any(|task| task.origin == Origin::Bottom);
            let origin = if is_from_bottom { Origin::Bottom } else { Origin::Top };
            self.print(&self.summary.text(missing, rows_from(origin)))?;
        }
        self.failed.map_or(Ok(()), Err)?;
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

    fn stopped() -> Stop {
        let stop = Stop::new();
        stop.request();
        stop
    }

    #[test]
    fn an_interrupted_search_says_so() {
        // Two stones each: too early for a win at a threat_check, too open for one to be excluded
        // so.
        let args = solve_args(&["--moves", "h8h9i8i9j9g8h10"]);
        let (tasks, _) = positions::load(&args).unwrap();
        let mut prover = Prover::new(1 << 20);
        let solved = solve(&args, &tasks[0], &mut prover, &stopped());
        assert!(matches!(solved.answer, SolveAnswer::Unknown(NoVerdict::Interrupted)));
    }

    #[test]
    fn an_interrupted_check_ends_at_once() {
        let args = solve_args(&["--moves", "h8a1i8a3j8a5"]);
        let (tasks, _) = positions::load(&args).unwrap();
        let mut prover = Prover::new(1 << 20);
        let solved = solve(&args, &tasks[0], &mut prover, &Stop::new());
        let SolveAnswer::Win(certificate) = &solved.answer else { panic!("a win") };
        let result = checked(&solved.game, certificate, &stopped());
        assert_eq!(result, Err(CheckError::Stopped));
        assert!(checked(&solved.game, certificate, &Stop::new()).is_ok());
    }
}
