//! `tengen db`.

pub(crate) mod args;
mod edit;
mod export;
mod grow;
mod import;
mod query;
mod upkeep;

use std::process::ExitCode;

use anyhow::Context;

use self::args::{DbArgs, DbCommand, PositionOption};
use crate::common::interrupts::{INTERRUPTED, stop_on_signals};
use crate::common::progress::Bar;
use crate::common::words::{note, usual_origin};
use tengen_core::notation::Origin;
use tengen_core::types::{Point, Size};
use tengen_engine::database::Placement;
use tengen_files::records::read_typed;
use tengen_files::work::Stop;

/// The bar of work whose amount is known.
const BAR: &str = "{wide_bar} {percent} %, {eta} left{msg}";
/// The format of a bar of bytes.
const BYTES_BAR: &str = "{wide_bar} {bytes} of {total_bytes}, {eta} left{msg}";
/// The number of positions after which a bar moves on.
const STRIDE: u64 = 1024;

/// Does what is wanted with a database.
pub(super) fn run(args: &DbArgs) -> anyhow::Result<ExitCode> {
    match &args.command {
        DbCommand::Info(args) => query::info(args),
        DbCommand::Query(args) => query::query(args),
        DbCommand::Put(args) => edit::put(args),
        DbCommand::Delete(args) => edit::delete(args),
        DbCommand::Import(args) => import::import(args),
        DbCommand::Export(args) => export::export(args),
        DbCommand::Merge(args) => import::merge(args),
        DbCommand::Propagate(args) => upkeep::propagate(args),
        DbCommand::Grow(args) => grow::grow(args),
        DbCommand::Check(args) => upkeep::check(args),
        DbCommand::Compact(args) => upkeep::compact(args),
    }
}

/// A position that was typed.
struct Asked {
    placement: Placement,
    moves: Vec<Point>,
    /// The edge from which people count its rows.
    origin: Origin,
}

impl Asked {
    /// Reads the moves of a position; with JSON rows count from the top unless somebody says otherwise.
    fn new(option: &PositionOption, json: bool) -> anyhow::Result<Asked> {
        let usual = if json { Origin::Top } else { usual_origin(Some(option.rule), None) };
        let origin = option.origin.unwrap_or(usual);
        let (size, moves) = if option.moves.trim().is_empty() {
            (option.size.unwrap_or(Size::DEFAULT), Vec::new())
        } else {
            read_typed(&option.moves, option.size, origin).context("--moves")?
        };
        let placement = Placement::of_moves(option.rule, size, &moves).context("--moves")?;
        Ok(Asked { placement, moves, origin })
    }

    /// Returns the position in words.
    fn title(&self) -> String {
        let count = tengen_files::words::counted(self.moves.len() as u64, "move");
        format!(
            "{} {}, {} to move after {count}{}",
            self.placement.rule(),
            self.placement.size(),
            self.placement.to_move(),
            crate::common::words::rows_from(self.origin)
        )
    }

    /// Returns a cell as people call it.
    fn cell(&self, point: Point) -> String {
        self.origin.turn(point, self.placement.size()).to_string()
    }
}

/// Work that shows how far it is and can be interrupted between two steps.
struct Interruptible {
    bar: Bar,
    stop: Stop,
    /// Whether the work has ended early.
    was_interrupted: bool,
    steps: u64,
}

impl Interruptible {
    fn new(length: u64, template: &str, quiet: bool) -> anyhow::Result<Interruptible> {
        let stop = stop_on_signals()?;
        let bar = Bar::new(length, 0, template, quiet);
        Ok(Interruptible { bar, stop, was_interrupted: false, steps: 0 })
    }

    /// Says how far the work is, and returns whether it should go on. Cheap enough to be called for each
    /// position.
    fn goes_on(&mut self, position: u64) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(STRIDE) {
            self.bar.at(position);
        }
        self.was_interrupted |= self.stop.is_set();
        !self.was_interrupted
    }

    /// Removes the bar, and returns the exit code: that of an interrupted program, after a line that
    /// says so, or that of success.
    fn end(&mut self, saved: &str) -> anyhow::Result<ExitCode> {
        self.bar.end();
        if !self.was_interrupted {
            return Ok(ExitCode::SUCCESS);
        }
        note(format_args!("Interrupted: {saved}"));
        Ok(ExitCode::from(INTERRUPTED))
    }
}
