//! `tengen db export`.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use super::{Asked, BAR, Interruptible};
use crate::common::files::{STREAM, check_apart, write_by, write_whole};
use crate::common::losses::Losses;
use crate::common::words::note;
use crate::db::args::{DbExportArgs, ExportFormat};
use tengen_engine::database::source::{TEXT_HEADER, to_json, to_rapfi_text};
use tengen_engine::database::{Access, DatabaseReader, PositionDatabase, TreeOptions};
use tengen_files::records::{Format, losses, write_file};
use tengen_files::words::counted;

/// Writes positions.
pub(super) fn export(args: &DbExportArgs) -> anyhow::Result<ExitCode> {
    check_apart([&args.output], [&args.file])?;
    let database = PositionDatabase::open(&args.file, Access::Read)?;
    let reader = database.read()?;
    match args.to {
        ExportFormat::Json | ExportFormat::Csv => export_lines(args, &reader),
        ExportFormat::Sgf => export_tree(args, Format::Sgf, &reader),
        ExportFormat::Lib => export_tree(args, Format::Lib, &reader),
    }
}

fn export_lines(args: &DbExportArgs, reader: &DatabaseReader) -> anyhow::Result<ExitCode> {
    let mut work = Interruptible::new(reader.len()?, BAR, args.quiet)?;
    let mut left_out = 0;
    let mut write_lines =
        |out: &mut dyn Write| write_lines(reader, args.to, out, &mut work, &mut left_out);
    let written = if args.output == Path::new(STREAM) {
        write_lines(&mut io::stdout().lock())
    } else {
        // An interrupted export leaves the old file unchanged.
        write_by(&args.output, |file| {
            write_lines(file).map_err(|error| error.downcast().unwrap_or_else(io::Error::other))
        })
    };
    match written {
        Err(_) if work.was_interrupted => {}
        written => written?,
    }
    if left_out > 0 && !work.was_interrupted {
        let count = counted(left_out, "position");
        note(format_args!("{count} of rules that the format lacks: left out"));
    }
    work.end("nothing was written but what has left standard output")
}

/// Writes all positions, and counts those that the format can't hold; an interruption is an error, so that no file takes the place of a whole one.
fn write_lines(
    reader: &DatabaseReader,
    format: ExportFormat,
    out: &mut dyn Write,
    work: &mut Interruptible,
    left_out: &mut u64,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(out);
    if format == ExportFormat::Csv {
        writeln!(out, "{TEXT_HEADER}")?;
    }
    for (number, stored) in (1..).zip(reader.scan(None)?) {
        let stored = stored?;
        let placement = stored.key.placement();
        let line = match format {
            ExportFormat::Csv => to_rapfi_text(number - 1 - *left_out, &placement, &stored.entry),
            _ => Some(to_json(&placement, &stored.entry)),
        };
        match line {
            Some(line) => writeln!(out, "{line}")?,
            None => *left_out += 1,
        }
        if !work.goes_on(number) {
            anyhow::bail!("it was interrupted");
        }
    }
    out.flush()?;
    Ok(())
}

fn export_tree(
    args: &DbExportArgs,
    format: Format,
    reader: &DatabaseReader,
) -> anyhow::Result<ExitCode> {
    let asked = Asked::new(&args.position, false)?;
    let (rule, size) = (asked.placement.rule(), asked.placement.size());
    let options = TreeOptions { depth: args.depth.unwrap_or(usize::MAX), limit: args.limit };
    let tree = reader.tree(rule, size, &asked.moves, &options)?;
    let cannot = "cannot write the tree";
    let bytes = write_file(&tree.record, format, 1, args.encoding).context(cannot)?;
    if args.output == Path::new(STREAM) {
        io::stdout().write_all(&bytes)?;
    } else {
        write_whole(&args.output, bytes)?;
    }
    let mut lost = Losses::default();
    lost.add(&losses(&tree.record, format).context(cannot)?);
    if let Some(message) = lost.message(format, 1) {
        note(message);
    }
    if tree.is_cut {
        let count = counted(tree.positions as u64, "position");
        note(format_args!("The tree ends at {count}: there are more (--limit)"));
    }
    Ok(ExitCode::SUCCESS)
}
