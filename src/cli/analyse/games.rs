//! The games to be reviewed.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::cli::args::analysing::AnalyseArgs;
use crate::cli::files::{GameFile, named};
use crate::cli::words::usual_origin;
use crate::notation::Origin;
use crate::records::Record;
use crate::review::ReviewTask;
use crate::rules::Rule;

/// A game of a file.
pub(super) struct LoadedGame {
    pub(super) task: ReviewTask,
    /// The record, with the rule under which it is reviewed.
    pub(super) record: Record,
    /// The file.
    pub(super) file: Arc<Path>,
    /// The number of the game there, counted from 1.
    pub(super) number: usize,
    /// The number of games there.
    pub(super) count: usize,
    /// The edge from which people count its rows.
    pub(super) origin: Origin,
}

/// Reads the games of all files. Those that can't be used are named on standard error and counted.
pub(super) fn load(args: &AnalyseArgs) -> anyhow::Result<(Vec<LoadedGame>, usize)> {
    let mut games = Vec::new();
    let mut refused = 0;
    for path in &args.files {
        let name: Arc<Path> = named(path).into();
        let mut file = GameFile::open(path, &args.source, args.origin.unwrap_or_default())?;
        let (format, first) = (file.format(), games.len());
        while let Some((number, mut record)) = file.next()? {
            let usual = || usual_origin(record.rule, Some(format));
            let origin = args.origin.unwrap_or_else(usual);
            let task = match task(&record, args.book).with_context(|| file.place(number)) {
                Ok(task) => task,
                Err(error) => {
                    file.refuse(&error);
                    continue;
                }
            };
            record.rule = Some(task.rule());
            record.judge();
            let file = Arc::clone(&name);
            games.push(LoadedGame { task, record, file, number, count: 0, origin });
        }
        games[first..].iter_mut().for_each(|game| game.count = file.count());
        refused += file.refused();
    }
    Ok((games, refused))
}

/// Returns the task of a game.
fn task(record: &Record, book: Option<usize>) -> anyhow::Result<ReviewTask> {
    if !record.alternates() {
        bail!("the players do not move in turn, black first");
    }
    let rule = record.rule.unwrap_or(Rule::Freestyle);
    let book = book.unwrap_or(record.opening);
    ReviewTask::new(record.size, rule, record.points().collect(), book)
        .with_context(|| format!("by the rule {rule} it is no game"))
}
