//! The games to be reviewed.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use crate::analyse::args::AnalyseArgs;
use crate::common::files::{GameFile, named};
use crate::common::words::usual_origin;
use tengen_core::notation::Origin;
use tengen_core::rules::Rule;
use tengen_files::records::{Move, Record};
use tengen_people::review::ReviewTask;

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

/// Returns the task of a game: all of it, or the longest part in which the players move in turn and no
/// stones are set up.
fn task(record: &Record, book: Option<usize>) -> anyhow::Result<ReviewTask> {
    let book = book.unwrap_or(record.opening);
    let count = record.moves.len();
    let is_end = |&end: &usize| {
        let follows = |m: &Move| m.point().is_some() && m.color == record.to_move_after(end);
        !record.moves.get(end).is_some_and(follows)
    };
    let mut longest = record.game_after(count, Rule::Freestyle)?;
    let mut end = count;
    for other in (0..count).filter(is_end) {
        let game = record.game_after(other, Rule::Freestyle)?;
        if game.moves().len() > longest.moves().len() {
            (longest, end) = (game, other);
        }
    }
    Ok(ReviewTask::of_game(&longest, end - longest.moves().len(), book))
}
