//! Requests on an open database that concern all of it, or a tree.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use super::position::OpenDatabase;
use super::replies::{ReplySink, ms, send_line};
use crate::database::{
    Access, DatabaseError, MergedPositions, Placement, PositionDatabase, PropagationOptions,
};
use crate::protocol::Reply;
use tengen_files::words::{counted, grouped};
use tengen_files::work::Stop;

/// The positions that are copied in one transaction.
const BATCH: usize = 10_000;

impl OpenDatabase<'_> {
    pub(super) fn split(
        &self,
        path: &Path,
        line: &[Placement],
        sink: ReplySink<'_>,
    ) -> Result<(), DatabaseError> {
        let begun = Instant::now();
        send_line(sink, Reply::DatabaseDialog(format!("SAVE START {}", path.display())));
        let copied = self.copy_tree(path, line);
        send_line(sink, Reply::DatabaseDialog("SAVE DONE".to_owned()));
        let copied = copied?;
        let path = path.display();
        send_line(
            sink,
            Reply::Message(format!(
                "copied {} to {path} in {}",
                counted(copied, "position"),
                ms(begun)
            )),
        );
        Ok(())
    }

    /// Copies the known positions of a line and all that follow from its last one, and returns how
    /// many.
    fn copy_tree(&self, path: &Path, line: &[Placement]) -> Result<u64, DatabaseError> {
        let target = PositionDatabase::open(path, Access::Create)?;
        let reader = self.database.read()?;
        let mut copied = 0;
        let mut batch: Vec<Placement> = Vec::new();
        let mut copy = |batch: &mut Vec<Placement>| {
            let entries = batch.drain(..).map(|placement| {
                let key = placement.key().key;
                Ok(reader.stored(&key)?.map(|entry| (key, entry)))
            });
            let entries: Vec<_> = entries.collect::<Result<_, DatabaseError>>()?;
            target.write(|writer| {
                for (key, entry) in entries.into_iter().flatten() {
                    if writer.stored(&key)?.is_none() {
                        writer.put_stored(&key, &entry)?;
                        copied += 1;
                    }
                }
                Ok(())
            })
        };
        // Ply by ply, so that each position is met once.
        let mut ply: Vec<Placement> = line.last().cloned().into_iter().collect();
        batch.extend(line.iter().filter(|placement| placement.stones() > 0).cloned());
        while !ply.is_empty() {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for placement in &ply {
                for known in reader.moves(placement)? {
                    let mut after = placement.clone();
                    if after.play(known.point).is_ok() && seen.insert(after.key().key) {
                        next.push(after);
                    }
                }
            }
            for placement in &next {
                batch.push(placement.clone());
                if batch.len() >= BATCH {
                    copy(&mut batch)?;
                }
            }
            ply = next;
        }
        copy(&mut batch)?;
        Ok(copied)
    }

    pub(super) fn merge(&self, path: &Path, sink: ReplySink<'_>) -> Result<(), DatabaseError> {
        let begun = Instant::now();
        // Of opening another file the board would make the title of its window.
        let open = self.database.path().display();
        send_line(sink, Reply::DatabaseDialog(format!("SAVE START {open}")));
        let merged = PositionDatabase::open(path, Access::Read)
            .and_then(|other| self.database.merge_from(&other, &Stop::new(), &mut |_| {}));
        send_line(sink, Reply::DatabaseDialog("SAVE DONE".to_owned()));
        let MergedPositions { read, changed, .. } = merged?;
        let (read, changed) = (counted(read, "position"), grouped(changed));
        let told = format!("merged {read}, which changed {changed}, in {}", ms(begun));
        send_line(sink, Reply::Message(told));
        Ok(())
    }

    pub(super) fn save(&self, sink: ReplySink<'_>) -> Result<(), DatabaseError> {
        // Whatever was told is saved already: boards wait for these lines.
        let path = self.database.path().display();
        send_line(sink, Reply::DatabaseDialog(format!("SAVE START {path}")));
        send_line(sink, Reply::DatabaseDialog("SAVE DONE".to_owned()));
        let positions = counted(self.database.read()?.len()?, "position");
        send_line(sink, Reply::Message(format!("saved {path}: {positions}")));
        Ok(())
    }

    /// Reads every entry.
    pub(super) fn check(&self, sink: ReplySink<'_>) -> Result<(), DatabaseError> {
        let begun = Instant::now();
        let (mut positions, mut moved) = (0_u64, 0_u64);
        for stored in self.database.read()?.scan(None)? {
            positions += 1;
            moved += u64::from(!stored?.key.is_canonical());
        }
        let verdict = match moved {
            0 => "all are in order".to_owned(),
            moved => format!("{} are not found where they are", grouped(moved)),
        };
        let positions = counted(positions, "position");
        send_line(sink, Reply::Message(format!("{positions}: {verdict}; {}", ms(begun))));
        Ok(())
    }

    pub(super) fn propagate(&self, sink: ReplySink<'_>) -> Result<(), DatabaseError> {
        let begun = Instant::now();
        let options = PropagationOptions::default();
        let found = self.database.propagate(options, &Stop::new(), &mut |_| {})?;
        let results = counted(found.results, "new result");
        send_line(sink, Reply::Message(format!("{results} of positions, in {}", ms(begun))));
        Ok(())
    }
}
