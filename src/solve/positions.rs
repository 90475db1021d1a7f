//! The positions to be searched.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::common::files::{GameFile, named};
use crate::common::words::usual_origin;
use crate::solve::args::SolveArgs;
use tengen_core::board::Board;
use tengen_core::notation::Origin;
use tengen_core::rules::{Game, Rule};
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::{Move, Record, read_typed};

/// A position to be searched: there may be many, so it is kept small.
pub(super) struct SolveTask {
    size: Size,
    rule: Rule,
    /// The stones that the game up to the position begins with, each with its colour.
    stones: Box<[(Point, Color)]>,
    /// The side to move then.
    first: Color,
    /// The moves from there on. The game may be over.
    moves: Box<[Point]>,
    /// The edge from which people count its rows.
    pub(super) origin: Origin,
    /// The file of the game and its number there; none if it was typed.
    pub(super) source: Option<(Arc<Path>, usize)>,
}

impl SolveTask {
    /// Returns the game up to the position.
    pub(super) fn game(&self) -> Game {
        let mut board = Board::new(self.size);
        self.stones.iter().for_each(|&(point, color)| board.place(point, color));
        let mut game = Game::from_board(self.rule, board, self.first);
        for &point in &self.moves {
            let played = game.play(point);
            debug_assert!(played.is_ok(), "the game was played before");
        }
        game
    }
}

/// Reads all positions: those of the files first. Games that can't be used are named on standard error
/// and counted.
pub(super) fn load(args: &SolveArgs) -> anyhow::Result<(Vec<SolveTask>, usize)> {
    let mut tasks = Vec::new();
    let mut refused = 0;
    for path in &args.files {
        let name: Arc<Path> = named(path).into();
        let mut file = GameFile::open(path, &args.source, args.origin.unwrap_or_default())?;
        let format = file.format();
        while let Some((number, record)) = file.next()? {
            let usual = || usual_origin(record.rule, Some(format));
            let origin = args.origin.unwrap_or_else(usual);
            let task = task(&record, args, origin, Some((Arc::clone(&name), number)));
            match task.with_context(|| file.place(number)) {
                Ok(task) => tasks.push(task),
                Err(error) => file.refuse(&error),
            }
        }
        refused += file.refused();
    }
    // Cells in and out of a program count from one edge.
    let usual = || if args.json { Origin::Top } else { usual_origin(args.source.rule, None) };
    let origin = args.origin.unwrap_or_else(usual);
    for text in &args.moves {
        let context = || format!("--moves {text:?}");
        let (size, points) = read_typed(text, args.source.size, origin).with_context(context)?;
        let mut record = Record::of_points(size, &points);
        record.rule = args.source.rule;
        tasks.push(task(&record, args, origin, None).with_context(context)?);
    }
    Ok((tasks, refused))
}

/// Returns the part of a game up to the wanted position.
fn task(
    record: &Record,
    args: &SolveArgs,
    origin: Origin,
    source: Option<(Arc<Path>, usize)>,
) -> anyhow::Result<SolveTask> {
    let most = record.moves.len();
    let count = args.after.unwrap_or(most);
    if count > most {
        let what = if most == 1 { "move" } else { "moves" };
        bail!("there is no move {count}: the game has {most} {what}");
    }
    let game = record.game_after(count, Rule::Freestyle)?;
    let Record { size, start, moves, .. } = Record::of_game(&game);
    let first = start.to_move.unwrap_or(Color::Black);
    let stones = start.cells.into_iter().filter_map(|(point, stone)| Some((point, stone?)));
    let stones = stones.collect();
    let moves = moves.iter().filter_map(Move::point).collect();
    Ok(SolveTask { size, rule: game.rule(), stones, first, moves, origin, source })
}
