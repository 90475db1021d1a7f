//! `tengen analyse`.
//!
//! Files become games ([`games`]), threads review them, and the results are printed in the order of
//! the games: as [`text`] for people or [`objects`] for programs. In the end they are written to
//! [`files`]. One [`position`] is analysed without an end.

pub(crate) mod args;
mod files;
mod games;
mod objects;
mod position;
mod text;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use indicatif::ProgressBar;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use self::args::AnalyseArgs;
use self::files::ReviewFiles;
use self::games::LoadedGame;
use crate::common::interrupts::INTERRUPTED;
use crate::common::progress::{ResumedBar, threads};
use crate::common::words::note;
use tengen_files::words::counted;
use tengen_people::review::{
    AssessedGame, Effort, EngineAssessor, GameReview, ReviewError, ReviewJournal, ReviewOptions,
    ReviewProgress, ReviewSink, ReviewTask, run as run_reviews,
};

/// The nodes for each position, unless the options say something else.
const USUAL_NODES: u64 = 20_000;
/// The mebibytes of each thread, unless the options say something else.
const USUAL_HASH: u32 = 16;

/// Analyses a position or reviews all games.
pub(super) fn run(args: &AnalyseArgs) -> anyhow::Result<ExitCode> {
    if args.position.position { position::run(args) } else { review(args) }
}

/// Reviews all games.
fn review(args: &AnalyseArgs) -> anyhow::Result<ExitCode> {
    let (games, refused) = games::load(args)?;
    if games.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    let tasks: Vec<ReviewTask> = games.iter().map(|game| game.task.clone()).collect();
    let effort = args.time.map_or(Effort::Nodes(args.nodes.unwrap_or(USUAL_NODES)), Effort::Time);
    let options = ReviewOptions { effort, hash: args.hash.unwrap_or(USUAL_HASH) };
    let files = ReviewFiles::new(args, effort)?;
    let opened = args.journal.as_deref().map(|path| ReviewJournal::open(path, options, &tasks));
    let (mut journal, known) = opened.transpose()?.unzip();
    let known = known.unwrap_or_default();

    let is_ended = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal sets the flag, and the second one finds it set.
        register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(&is_ended))
            .and_then(|_| register(signal, Arc::clone(&is_ended)))
            .context("cannot watch for Ctrl-C")?;
    }
    let threads = threads(args.run.threads).min(tasks.len() - known.len()).max(1);
    let assessors = (0..threads).map(|_| EngineAssessor::new(options.effort, options.hash));
    let assessors = assessors.collect::<Result<Vec<_>, _>>().map_err(ReviewError::from)?;
    let positions = tasks.iter().map(|task| task.positions() as u64).sum();
    let done = known.values().map(|game| game.positions.len() as u64).sum();
    let template = "{bar:40} {pos}/{len} positions{msg}";
    let bar = ResumedBar::new(positions, done, template, args.run.quiet);
    let observe = |progress: ReviewProgress| {
        bar.show(progress.done, progress.by_this_run, |speed| format!("{speed:.0}/s"));
    };
    let (bar_of_teller, games) = (bar.bar.clone(), &games[..]);
    let mut teller = Teller { args, games, bar: bar_of_teller, files, complete: 0, moves: 0 };
    let result =
        run_reviews(&tasks, assessors, known, journal.as_mut(), &is_ended, &mut teller, &observe);
    bar.bar.finish_and_clear();
    // Games reviewed before an error are kept too.
    let closed = journal.map_or(Ok(()), ReviewJournal::close);
    let written = teller.files.write();
    result?;
    closed?;
    written?;
    let code = teller.finish();
    Ok(if refused > 0 && code == ExitCode::SUCCESS { ExitCode::FAILURE } else { code })
}

/// Tells the reviews of the games, in their order.
struct Teller<'a> {
    args: &'a AnalyseArgs,
    games: &'a [LoadedGame],
    bar: ProgressBar,
    files: ReviewFiles,
    /// The number of games that were printed completely.
    complete: usize,
    /// The number of moves printed of other games.
    moves: usize,
}

impl ReviewSink for Teller<'_> {
    fn take(&mut self, index: usize, game: AssessedGame) -> Result<(), ReviewError> {
        let loaded = &self.games[index];
        let review = GameReview::new(&loaded.task, &game);
        if game.is_complete() {
            self.complete += 1;
        } else {
            self.moves += review.moves.len();
            if review.moves.is_empty() {
                return Ok(());
            }
        }
        let count = self.games.len();
        let summary = || text::summary(index + 1, count, loaded, &review, self.args.look.ascii);
        self.files.add(index + 1, loaded, &review, summary);
        let text = if self.args.json {
            objects::lines(index + 1, loaded, &review)
        } else {
            let gap = if index == 0 { "" } else { "\n" };
            format!("{gap}{}", summary())
        };
        let print = || {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        };
        self.bar.suspend(print).map_err(ReviewError::Output)
    }
}

impl Teller<'_> {
    /// Says what is missing, if anything, and returns the exit code.
    fn finish(self) -> ExitCode {
        let count = self.games.len();
        if self.complete == count {
            return ExitCode::SUCCESS;
        }
        let mut said = format!("Ended with {} of {}", self.complete, counted(count as u64, "game"));
        if self.moves > 0 {
            said.push_str(&format!(" and {} of others", counted(self.moves as u64, "move")));
        }
        said.push_str(" reviewed");
        if self.args.journal.is_some() {
            said.push_str("; the same command resumes");
        }
        note(said);
        ExitCode::from(INTERRUPTED)
    }
}
