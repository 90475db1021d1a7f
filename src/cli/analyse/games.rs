//! The games to be reviewed.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::cli::args::analysing::AnalyseArgs;
use crate::cli::files::{load as load_records, named};
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

/// Reads the games of all files.
pub(super) fn load(args: &AnalyseArgs) -> anyhow::Result<Vec<LoadedGame>> {
    let mut games = Vec::new();
    for path in &args.files {
        let file: Arc<Path> = named(path).into();
        let (records, format) = load_records(path, &args.source, args.origin.unwrap_or_default())?;
        let count = records.len();
        for (i, mut record) in records.into_iter().enumerate() {
            let number = i + 1;
            let usual = || usual_origin(record.rule, Some(format));
            let origin = args.origin.unwrap_or_else(usual);
            let task = task(&record, args.book);
            let task = task.with_context(|| format!("{}, game {number}", file.display()))?;
            record.rule = Some(task.rule());
            record.judge();
            games.push(LoadedGame { task, record, file: Arc::clone(&file), number, count, origin });
        }
    }
    Ok(games)
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
