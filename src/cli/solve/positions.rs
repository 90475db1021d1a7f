//! The positions that are to be searched.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::cli::args::solving::SolveArgs;
use crate::cli::files::{load as load_records, named};
use crate::records::{Format, Known, Record, read};
use crate::rules::{Game, Rule};
use crate::types::{Point, Size};

/// A position to be searched: there may be many, so it is as small as it can be.
pub(super) struct Task {
    size: Size,
    rule: Rule,
    /// The game up to the position. It may be over.
    moves: Vec<Point>,
    /// The file of the game and its number there; none if it was typed.
    pub(super) source: Option<(Arc<Path>, usize)>,
}

impl Task {
    /// Returns the game up to the position.
    pub(super) fn game(&self) -> Game {
        let mut game = Game::new(self.size, self.rule);
        for &point in &self.moves {
            let played = game.play(point);
            debug_assert!(played.is_ok(), "the game was played before");
        }
        game
    }
}

/// Reads all positions: those of the files first.
pub(super) fn load(args: &SolveArgs) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for path in &args.files {
        let name: Arc<Path> = named(path).into();
        for (i, record) in load_records(path, &args.source)?.iter().enumerate() {
            let number = i + 1;
            let task = task(record, args, Some((Arc::clone(&name), number)));
            tasks.push(task.with_context(|| format!("{}, game {number}", name.display()))?);
        }
    }
    for cells in &args.moves {
        let known = Known { size: args.source.size, rule: args.source.rule };
        let records = read(cells.as_bytes(), Format::Pos, known);
        let records = records.with_context(|| format!("--moves {cells:?}"))?;
        let [record] = &records[..] else {
            bail!("--moves {cells:?} is not one row of cells");
        };
        tasks.push(task(record, args, None).with_context(|| format!("--moves {cells}"))?);
    }
    Ok(tasks)
}

/// Returns the part of a game up to the position that is asked for.
fn task(
    record: &Record,
    args: &SolveArgs,
    source: Option<(Arc<Path>, usize)>,
) -> anyhow::Result<Task> {
    if !record.alternates() {
        bail!("the players do not move in turn, black first");
    }
    let mut moves: Vec<Point> = record.points().collect();
    let count = args.after.unwrap_or(moves.len());
    if count > moves.len() {
        let what = if moves.len() == 1 { "move" } else { "moves" };
        bail!("there is no move {count}: the game has {} {what}", moves.len());
    }
    moves.truncate(count);
    let (size, rule) = (record.size, record.rule.unwrap_or(Rule::Freestyle));
    Game::from_moves(size, rule, &moves)
        .with_context(|| format!("by the rule {rule} it is no game"))?;
    Ok(Task { size, rule, moves, source })
}
