//! Requests on an open database that concern a position.

use std::time::Instant;

use super::replies::{ReplySink, ms, one, send_line, send_moves};
use super::request::{DatabaseBlock, DatabaseEdit};
use crate::database::{
    Access, BoardEdit, DatabaseError, Placement, PositionDatabase, PositionEntry, Removal,
    set_board_label,
};
use crate::protocol::Reply;
use tengen_files::words::counted;

/// A request on an open database.
pub(super) struct OpenDatabase<'a> {
    pub(super) database: &'a PositionDatabase,
    pub(super) is_read_only: bool,
}

impl OpenDatabase<'_> {
    pub(super) fn query(
        &self,
        block: DatabaseBlock,
        placement: &Placement,
        sink: ReplySink<'_>,
    ) -> Result<(), DatabaseError> {
        let reader = self.database.read()?;
        let entry = reader.get(placement)?;
        if matches!(block, DatabaseBlock::QueryAll | DatabaseBlock::QueryAllText) {
            send_moves(&reader, placement, entry.as_ref(), sink)?;
        }
        if block == DatabaseBlock::QueryOne {
            send_line(sink, one(entry.as_ref()));
        }
        if matches!(block, DatabaseBlock::QueryText | DatabaseBlock::QueryAllText) {
            send_line(
                sink,
                Reply::DatabaseText(entry.as_ref().map_or("", |entry| &entry.text).to_owned()),
            );
        }
        // Yixin-Board marks visited positions, so a query adds the position.
        let is_looked_at = matches!(block, DatabaseBlock::QueryAll | DatabaseBlock::QueryAllText);
        let may_write = !self.is_read_only && self.database.access() != Access::Read;
        if is_looked_at && may_write && entry.is_none() && placement.stones() > 0 {
            self.database.write(|writer| writer.put(placement, PositionEntry::default()))?;
        }
        Ok(())
    }

    pub(super) fn edit(
        &self,
        placement: &Placement,
        edit: DatabaseEdit,
        sink: ReplySink<'_>,
    ) -> Result<(), DatabaseError> {
        let with_value = matches!(edit, DatabaseEdit::Value { .. });
        let edited = self.database.write(|writer| {
            let known = writer.get(placement)?;
            let is_new = known.is_none();
            let mut entry = known.unwrap_or_default();
            match edit {
                DatabaseEdit::Value { mask, tag, value, depth } => {
                    let part = |bit: i64, number| (is_new || mask & bit != 0).then_some(number);
                    let change = BoardEdit {
                        label: part(1, tag),
                        value: part(2, value),
                        depth: part(4, depth),
                    };
                    if !change.apply(&mut entry) {
                        return Ok(None);
                    }
                }
                DatabaseEdit::BoardText(point, text) => {
                    let text: String = text.split_whitespace().collect();
                    for same in placement.key().same_cells(point) {
                        entry.board_texts.remove(&same);
                    }
                    if !text.is_empty() {
                        entry.board_texts.insert(point, text);
                        let mut next = placement.clone();
                        if next.play(point).is_ok() && writer.get(&next)?.is_none() {
                            writer.put(&next, PositionEntry::default())?;
                        }
                    }
                }
                DatabaseEdit::Label(text) => {
                    if !set_board_label(&mut entry, &text) {
                        return Ok(None);
                    }
                }
                DatabaseEdit::Text(text) => {
                    // The board sends the end of the line that was typed with `dbeditcomment`.
                    let text = text.replace("\r\n", "\n");
                    text.trim_start_matches(' ')
                        .trim_end_matches([' ', '\n'])
                        .clone_into(&mut entry.text);
                    entry.is_placeholder &= entry.text.is_empty();
                }
                DatabaseEdit::BestMove(point, true) => entry.best = Some(point),
                DatabaseEdit::BestMove(point, false) => {
                    let is_it = |best| placement.key().same_cells(point).any(|same| same == best);
                    entry.best = entry.best.filter(|&best| !is_it(best));
                }
            }
            // Taking away what is not there adds no position.
            if !is_new || with_value || entry != PositionEntry::default() {
                writer.put(placement, entry.clone())?;
            }
            Ok(Some(entry))
        })?;
        match edited {
            None => send_line(sink, Reply::Error("the label can't be shown".to_owned())),
            Some(entry) if with_value => send_line(sink, one(Some(&entry))),
            Some(_) => {}
        }
        Ok(())
    }

    /// Removes a position, and the text on the move that leads there from those before.
    pub(super) fn delete_one(&self, placement: &Placement) -> Result<(), DatabaseError> {
        self.database.write(|writer| {
            writer.remove(placement)?;
            for (point, before) in placement.parents() {
                if let Some(mut entry) = writer.get(&before)? {
                    let texts = entry.board_texts.len();
                    for same in before.key().same_cells(point) {
                        entry.board_texts.remove(&same);
                    }
                    if entry.board_texts.len() < texts {
                        writer.put(&before, entry)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Removes what follows from a position, and all texts on its cells.
    pub(super) fn delete(
        &self,
        placement: &Placement,
        removal: Removal,
        sink: ReplySink<'_>,
    ) -> Result<(), DatabaseError> {
        send_line(sink, Reply::Message("deleting; this may take a while".to_owned()));
        let begun = Instant::now();
        let removed = self.database.remove_following(placement, removal)?;
        self.database.write(|writer| match writer.get(placement)? {
            Some(mut entry) if !entry.board_texts.is_empty() => {
                entry.board_texts.clear();
                writer.put(placement, entry)
            }
            _ => Ok(()),
        })?;
        send_line(
            sink,
            Reply::Message(format!("deleted {} in {}", counted(removed, "position"), ms(begun))),
        );
        self.query(DatabaseBlock::QueryAll, placement, sink)
    }
}
