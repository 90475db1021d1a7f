//! The positions to be searched.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::cli::args::solving::SolveArgs;
use crate::cli::files::{load as load_records, named};
use crate::cli::words::usual_origin;
use crate::notation::Origin;
use crate::records::{Record, read_typed};
use crate::rules::{Game, Rule};
use crate::types::{Point, Size};

/// A position to be searched: there may be many, so it is kept small.
pub(super) struct SolveTask {
    size: Size,
    rule: Rule,
    /// The game up to the position. It may be over.
    moves: Vec<Point>,
    /// The edge from which people count its rows.
    pub(super) origin: Origin,
    /// The file of the game and its number there; none if it was typed.
    pub(super) source: Option<(Arc<Path>, usize)>,
}

impl SolveTask {
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
pub(super) fn load(args: &SolveArgs) -> anyhow::Result<Vec<SolveTask>> {
    let mut tasks = Vec::new();
    for path in &args.files {
        let name: Arc<Path> = named(path).into();
        let (records, format) = load_records(path, &args.source, args.origin.unwrap_or_default())?;
        for (i, record) in records.iter().enumerate() {
            let number = i + 1;
            let usual = || usual_origin(record.rule, Some(format));
            let origin = args.origin.unwrap_or_else(usual);
            let task = task(record, args, origin, Some((Arc::clone(&name), number)));
            tasks.push(task.with_context(|| format!("{}, game {number}", name.display()))?);
        }
    }
    // What goes in and out of a program counts from one edge.
    let usual = || if args.json { Origin::Top } else { usual_origin(args.source.rule, None) };
    let origin = args.origin.unwrap_or_else(usual);
    for text in &args.moves {
        let context = || format!("--moves {text:?}");
        let (size, points) = read_typed(text, args.source.size, origin).with_context(context)?;
        let mut record = Record::of_points(size, &points);
        record.rule = args.source.rule;
        tasks.push(task(&record, args, origin, None).with_context(context)?);
    }
    Ok(tasks)
}

/// Returns the part of a game up to the wanted position.
fn task(
    record: &Record,
    args: &SolveArgs,
    origin: Origin,
    source: Option<(Arc<Path>, usize)>,
) -> anyhow::Result<SolveTask> {
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
    Ok(SolveTask { size, rule, moves, origin, source })
}
