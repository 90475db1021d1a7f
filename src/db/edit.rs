//! `tengen db put` and `tengen db delete`.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};

use super::Asked;
use crate::db::args::{BoundOption, DbDeleteArgs, DbPutArgs, Forgettable};
use tengen_core::notation::parse_cell;
use tengen_core::types::{Bound, Point, Score};
use tengen_engine::database::{
    Access, Evaluation, Placement, PositionDatabase, PositionEntry, Removal, ResultFilter,
};
use tengen_files::words::counted;

/// Notes something about a position.
pub(super) fn put(args: &DbPutArgs) -> anyhow::Result<ExitCode> {
    let asked = Asked::new(&args.position, false)?;
    // Everything is read before the file is touched.
    let edit = Edit::new(args, &asked)?;
    let database = PositionDatabase::open(&args.file, Access::Create)?;
    database.write(|writer| {
        let mut entry = writer.get(&asked.placement)?.unwrap_or_default();
        edit.apply(&asked.placement, &mut entry);
        writer.put(&asked.placement, entry)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The edit, with cells of the board.
struct Edit<'a> {
    args: &'a DbPutArgs,
    best: Option<Option<Point>>,
    board_texts: Vec<(Point, &'a str)>,
}

impl<'a> Edit<'a> {
    fn new(args: &'a DbPutArgs, asked: &Asked) -> anyhow::Result<Edit<'a>> {
        if args.value.is_none() && (args.depth.is_some() || args.bound.is_some()) {
            bail!("--depth and --bound belong to a --value");
        }
        let empty_cell = |text: &str, option: &str| -> anyhow::Result<Point> {
            let size = asked.placement.size();
            let cell = parse_cell(text, size).with_context(|| format!("{option} {text:?}"))?;
            let cell = asked.origin.turn(cell, size);
            let is_empty = asked.placement.board().is_empty(cell);
            ensure!(is_empty, "{option} {text:?}: there is a stone");
            Ok(cell)
        };
        let best = match args.best.as_deref() {
            None => None,
            Some("none") => Some(None),
            Some(text) => Some(Some(empty_cell(text, "--best")?)),
        };
        let mut board_texts = Vec::new();
        for text in &args.board_texts {
            let (cell, said) = text
                .split_once('=')
                .with_context(|| format!("--board-text {text:?}: it is not CELL=TEXT"))?;
            board_texts.push((empty_cell(cell, "--board-text")?, said));
        }
        Ok(Edit { args, best, board_texts })
    }

    fn apply(&self, placement: &Placement, entry: &mut PositionEntry) {
        let args = self.args;
        entry.is_placeholder = false;
        if let Some(value) = args.value {
            let (depth, known) = entry.evaluation.map_or((0, None), |own| (own.depth, own.bound));
            let bound = args.bound.map(|bound| match bound {
                BoundOption::Upper => Bound::Upper,
                BoundOption::Lower => Bound::Lower,
                BoundOption::Exact => Bound::Exact,
            });
            let (score, depth) = (Score::from_raw(value), args.depth.unwrap_or(depth));
            entry.evaluation = Some(Evaluation { score, depth, bound: bound.or(known) });
        }
        if let Some(result) = &args.result {
            entry.result = result.clone().into_option();
        }
        if let Some(best) = self.best {
            entry.best = best;
        }
        if let Some(label) = &args.label {
            entry.label = Forgettable::into_option(label.clone());
        }
        if let Some(text) = &args.text {
            entry.text.clone_from(text);
        }
        for &(cell, text) in &self.board_texts {
            // In a position that is its own image it may stand at another cell.
            placement.key().same_cells(cell).for_each(|it| drop(entry.board_texts.remove(&it)));
            if !text.is_empty() {
                entry.board_texts.insert(cell, text.to_owned());
            }
        }
    }
}

/// Removes a position, or what follows from it.
pub(super) fn delete(args: &DbDeleteArgs) -> anyhow::Result<ExitCode> {
    let asked = Asked::new(&args.position, false)?;
    let database = PositionDatabase::open(&args.file, Access::Write)?;
    let removed = match (args.filter, args.recursive) {
        (None, false) => u64::from(database.write(|writer| writer.remove(&asked.placement))?),
        (None, true) => {
            let all = Removal { filter: ResultFilter::Any, goes_on: false, with_root: true };
            database.remove_following(&asked.placement, all)?
        }
        (Some(filter), goes_on) => {
            let chosen = Removal { filter, goes_on, with_root: false };
            database.remove_following(&asked.placement, chosen)?
        }
    };
    writeln!(io::stdout(), "{} removed", counted(removed, "position"))?;
    Ok(ExitCode::SUCCESS)
}
