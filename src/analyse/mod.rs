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

use self::args::AnalyseArgs;
use self::files::ReviewFiles;
use self::games::LoadedGame;
#[cfg(feature = "web")]
use crate::common::browser::open_in_browser;
use crate::common::interrupts::{INTERRUPTED, stop_on_signals};
use crate::common::progress::{Bar, threads};
use crate::common::reviews::{Paint, legend};
use crate::common::words::note;
use tengen_files::words::counted;
use tengen_people::review::{
    AssessedGame, Effort, EngineAssessor, GameReview, ReviewError, ReviewJournal, ReviewOptions,
    ReviewTask, run as run_reviews,
};

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
    let by_nodes = args.nodes.map_or(Effort::USUAL, Effort::Nodes);
    let effort = args.time.map_or(by_nodes, Effort::Time);
    let options =
        ReviewOptions { effort, hash: args.hash.unwrap_or(EngineAssessor::USUAL_MEBIBYTES) };
    let files = ReviewFiles::new(args, effort)?;
    let opened = args.journal.as_deref().map(|path| ReviewJournal::open(path, options, &tasks));
    let (mut journal, known) = opened.transpose()?.unzip();
    let known = known.unwrap_or_default();

    let stop = stop_on_signals()?;
    let threads = threads(args.run.threads).min(tasks.len() - known.len()).max(1);
    let assessors = (0..threads).map(|_| EngineAssessor::new(options.effort, options.hash));
    let assessors = assessors.collect::<Result<Vec<_>, _>>().map_err(ReviewError::from)?;
    let positions = tasks.iter().map(|task| task.positions() as u64).sum();
    let done = known.values().map(|game| game.positions.len() as u64).sum();
    let template = "{bar:40} {pos}/{len} positions, {elapsed}{msg}";
    let bar = Bar::new(positions, done, template, args.run.quiet).ticking();
    let progress = |now| bar.show(now, |speed| format!("{speed:.0}/s"));
    let paint = Paint::of_output(args.look.color);
    let mut printer = ReviewPrinter {
        args,
        paint,
        games: &games,
        bar: &bar,
        files,
        complete: 0,
        moves: 0,
        has_marks: false,
    };
    let mut sink = |index, game| printer.take(index, game);
    let journal_used = journal.as_mut();
    let result = run_reviews(&tasks, assessors, known, journal_used, &stop, &mut sink, &progress);
    bar.end();
    // Games reviewed before an error are kept too.
    let closed = journal.map_or(Ok(()), ReviewJournal::close);
    let written = printer.files.write();
    result?;
    closed?;
    printer.explain_marks()?;
    let written = written?;
    if !args.run.quiet {
        written.iter().for_each(note);
    }
    #[cfg(feature = "web")]
    if let Some(page) = args.html.as_ref().filter(|_| args.open && !written.is_empty()) {
        // A browser that runs already has another working directory.
        open_in_browser(page.canonicalize()?, "the page");
    }
    let code = printer.finish();
    Ok(if refused > 0 && code == ExitCode::SUCCESS { ExitCode::FAILURE } else { code })
}

/// Prints the reviews of the games, in their order.
struct ReviewPrinter<'a> {
    args: &'a AnalyseArgs,
    paint: Paint,
    games: &'a [LoadedGame],
    bar: &'a Bar,
    files: ReviewFiles,
    /// The number of games that were printed completely.
    complete: usize,
    /// The number of moves printed of other games.
    moves: usize,
    /// True if a printed move has a mark.
    has_marks: bool,
}

impl ReviewPrinter<'_> {
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
        let ascii = self.args.look.ascii;
        let summary = |paint| text::summary(index + 1, count, loaded, &review, ascii, paint);
        self.files.add(index + 1, loaded, &review, || summary(Paint::Never));
        self.has_marks |= review.moves.iter().any(|m| m.class.is_fault());
        let text = if self.args.json {
            objects::lines(index + 1, loaded, &review)
        } else {
            let gap = if index == 0 { "" } else { "\n" };
            format!("{gap}{}", summary(self.paint))
        };
        let print = || {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        };
        self.bar.suspend(print).map_err(ReviewError::Output)
    }

    /// Prints what the marks mean, if there are any in text.
    fn explain_marks(&self) -> io::Result<()> {
        if self.args.json || !self.has_marks {
            return Ok(());
        }
        write!(io::stdout(), "\n{}", legend(self.args.look.ascii, self.paint))
    }

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
