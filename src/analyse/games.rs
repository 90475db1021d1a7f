//! The games to be reviewed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::analyse::args::AnalyseArgs;
use crate::common::files::{GameFile, game_of_moves, named};
use crate::common::reviews::review_task;
use crate::common::words::usual_origin;
use tengen_core::notation::Origin;
use tengen_core::rules::Rule;
use tengen_files::records::Record;
use tengen_people::play::{SavedGame, saved_game, state_file};
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

/// Reads the games of all files, and the one of the options. Those that can't be used are named on standard error and counted.
pub(super) fn load(args: &AnalyseArgs) -> anyhow::Result<(Vec<LoadedGame>, usize)> {
    let mut games = Vec::new();
    let mut refused = 0;
    games.extend(game_without_file(args)?);
    for path in &args.files {
        let name: Arc<Path> = named(path).into();
        let mut file = GameFile::open(path, &args.source, args.origin.unwrap_or_default())?;
        let (format, first) = (file.format(), games.len());
        while let Some((number, mut record)) = file.next()? {
            let usual = || usual_origin(record.rule, Some(format));
            let origin = args.origin.unwrap_or_else(usual);
            let book = args.book.unwrap_or(record.opening);
            let task = ReviewTask::of_record(&record, book).with_context(|| file.place(number));
            let task = match task {
                Ok(task) => task,
                Err(error) => {
                    file.refuse(&error);
                    continue;
                }
            };
            record.judge_by(task.rule());
            let file = Arc::clone(&name);
            games.push(LoadedGame { task, record, file, number, count: 0, origin });
        }
        games[first..].iter_mut().for_each(|game| game.count = file.count());
        refused += file.refused();
    }
    Ok((games, refused))
}

/// Returns the game of the options, if they name one.
fn game_without_file(args: &AnalyseArgs) -> anyhow::Result<Option<LoadedGame>> {
    let (name, game, mut record) = if args.last {
        let (path, saved) = last_game()?;
        let record = saved.record();
        (path, saved.game, record)
    } else if let Some(moves) = args.moves.as_deref() {
        let game = game_of_moves(Some(moves), &args.source, Rule::Freestyle, args.typed_origin())?;
        let record = game.record();
        (PathBuf::from("--moves"), game, record)
    } else {
        return Ok(None);
    };
    let task = review_task(&game, &record, args.book.unwrap_or(record.opening))?;
    record.judge();
    let origin = args.typed_origin().unwrap_or_else(|| usual_origin(record.rule, None));
    Ok(Some(LoadedGame { task, record, file: name.into(), number: 1, count: 1, origin }))
}

/// Returns the last game of `tengen play` and the file in which it is.
pub(super) fn last_game() -> anyhow::Result<(PathBuf, SavedGame)> {
    let path = state_file().context("there is no folder for saved games")?;
    match saved_game(&path)? {
        Some(saved) => Ok((path, saved)),
        None => bail!("there is no game: {} is missing", path.display()),
    }
}
