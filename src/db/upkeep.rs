//! `tengen db propagate`, `tengen db check` and `tengen db compact`.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use super::{BAR, Interruptible};
use crate::db::args::{DbCheckArgs, DbCompactArgs, DbPropagateArgs};
use tengen_engine::database::{Access, PositionDatabase, PropagationOptions};
use tengen_files::words::{counted, grouped};

/// Carries what is known to the positions before.
pub(super) fn propagate(args: &DbPropagateArgs) -> anyhow::Result<ExitCode> {
    let database = PositionDatabase::open(&args.file, Access::Write)?;
    // Every position is looked at once for its result, and once more for its value.
    let rounds = if args.values { 2 } else { 1 };
    let total = database.read()?.len()? * rounds;
    let mut work = Interruptible::new(total, BAR, args.quiet)?;
    let options = PropagationOptions { values: args.values };
    let done = database.propagate(options, &work.stop, &mut |seen| work.bar.at(seen))?;
    work.was_interrupted = !done.complete;
    let mut summary = format!("{} learnt", counted(done.results, "result"));
    if args.values {
        summary += &format!(", {}", counted(done.values, "value"));
    }
    let code = work.end(&summary)?;
    if done.complete {
        writeln!(io::stdout(), "{summary}")?;
    }
    Ok(code)
}

/// Reads everything, and reports damage.
pub(super) fn check(args: &DbCheckArgs) -> anyhow::Result<ExitCode> {
    let mut database = PositionDatabase::open(&args.file, Access::Read)?;
    database.check_pages()?;
    let reader = database.read()?;
    let mut work = Interruptible::new(reader.len()?, BAR, args.quiet)?;
    let (mut count, mut faults) = (0, 0);
    for stored in reader.scan(None)? {
        let stored = stored?;
        let placement = stored.key.placement();
        let is_occupied = |cell| !placement.board().is_empty(cell);
        let fault = if !stored.key.is_canonical() {
            Some("it is not the smallest image of its position")
        } else if stored.entry.best.is_some_and(is_occupied) {
            Some("its best move is on a stone")
        } else {
            None
        };
        if let Some(fault) = fault {
            faults += 1;
            writeln!(io::stdout(), "key {:?}: {fault}", stored.key)?;
        }
        count += 1;
        if !work.goes_on(count) {
            return work.end(&format!("{} were in order", counted(count - faults, "position")));
        }
    }
    work.end("")?;
    let positions = counted(count, "position");
    if faults > 0 {
        writeln!(io::stdout(), "{} in {positions}", counted(faults, "fault"))?;
        return Ok(ExitCode::FAILURE);
    }
    writeln!(io::stdout(), "{positions}, all in order")?;
    Ok(ExitCode::SUCCESS)
}

/// Makes a file as small as it can be.
pub(super) fn compact(args: &DbCompactArgs) -> anyhow::Result<ExitCode> {
    let bytes = || fs::metadata(&args.file).map(|file| file.len());
    let mut database = PositionDatabase::open(&args.file, Access::Write)?;
    let before = bytes()?;
    database.compact()?;
    // Closing writes what the next opening needs.
    drop(database);
    let after = bytes()?;
    let less = grouped(before.saturating_sub(after));
    writeln!(io::stdout(), "{} bytes, {less} less than before", grouped(after))?;
    Ok(ExitCode::SUCCESS)
}
