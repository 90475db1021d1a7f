//! The replies about a database.

use std::collections::BTreeMap;
use std::error::Error;
use std::iter;
use std::path::Path;
use std::time::Instant;

use super::exchange::{ExchangeError, Learnt};
use super::request::DatabaseReply;
use crate::database::{BoardFacts, DatabaseError, DatabaseReader, Placement, PositionEntry};
use crate::protocol::Reply;
use tengen_core::rules::{Rule, forbidden_points};
use tengen_core::types::{Color, Point};
use tengen_files::words::{counted, grouped};

/// The most bytes of a board text that are sent; Yixin-Board shows the first six.
const MOST_BOARD_TEXT: usize = 200;

/// The receiver of replies.
pub(super) type ReplySink<'a> = &'a mut dyn FnMut(DatabaseReply);

pub(super) fn send_line(sink: ReplySink<'_>, reply: Reply) {
    sink(DatabaseReply::Line(reply));
}

/// Tells the board which file is open.
pub(super) fn send_loaded(path: &Path, sink: ReplySink<'_>) {
    send_line(sink, Reply::DatabaseDialog(format!("LOAD START {}", path.display())));
    send_line(sink, Reply::DatabaseDialog("LOAD DONE".to_owned()));
}

/// Returns the text of an error with its causes.
pub(super) fn reason(error: &dyn Error) -> String {
    let causes = iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}

/// Returns the line about an error with its causes.
pub(super) fn failure(error: &dyn Error) -> Reply {
    Reply::Error(reason(error))
}

/// Tells how much was written to a file.
pub(super) fn send_written(
    written: Result<u64, ExchangeError>,
    what: &str,
    path: &Path,
    begun: Instant,
    sink: ReplySink<'_>,
) {
    let path = path.display();
    send_line(
        sink,
        match written {
            Ok(count) => {
                Reply::Message(format!("wrote {} to {path} in {}", counted(count, what), ms(begun)))
            }
            Err(error) => failure(&error),
        },
    );
}

/// Tells how much was read, and why it was not all.
pub(super) fn send_imported(
    learnt: Result<Learnt, ExchangeError>,
    begun: Instant,
    sink: ReplySink<'_>,
) {
    match learnt {
        Ok(Learnt { told, changed, fault }) => {
            if let Some(fault) = fault {
                send_line(sink, failure(&fault));
            }
            let (told, changed) = (counted(told, "position"), grouped(changed));
            let ms = ms(begun);
            let read = format!("read {told}, {changed} of them new or changed, in {ms}");
            send_line(sink, Reply::Message(read));
        }
        Err(error) => send_line(sink, failure(&error)),
    }
}

pub(super) fn ms(begun: Instant) -> String {
    format!("{} ms", begun.elapsed().as_millis())
}

/// Returns the line about a position itself.
pub(super) fn one(entry: Option<&PositionEntry>) -> Reply {
    let BoardFacts { label, value, depth, bound, shown } =
        entry.map_or(BoardFacts::ABSENT, BoardFacts::of);
    Reply::Database(format!("ONE {label} {value} {depth} {bound} {shown}"))
}

/// Tells the known moves, and the texts on other cells.
pub(super) fn send_moves(
    reader: &DatabaseReader,
    placement: &Placement,
    entry: Option<&PositionEntry>,
    sink: ReplySink<'_>,
) -> Result<(), DatabaseError> {
    let key = placement.key();
    let mut texts = BTreeMap::new();
    for (&point, text) in entry.iter().flat_map(|entry| &entry.board_texts) {
        texts.extend(key.same_cells(point).map(|same| (same, text.as_str())));
    }
    let nothing = (BoardFacts::ABSENT, false);
    let mut cells: BTreeMap<Point, (BoardFacts, bool)> =
        texts.keys().map(|&point| (point, nothing.clone())).collect();
    for known in reader.moves(placement)? {
        let facts = (BoardFacts::of(&known.entry), !known.entry.text.is_empty());
        cells.insert(known.point, facts);
    }
    if placement.rule() == Rule::Renju && placement.to_move() == Color::Black {
        for (point, _) in forbidden_points(placement.board()) {
            cells.remove(&point);
        }
    }
    send_line(sink, Reply::Database("REFRESH".to_owned()));
    for (point, (facts, has_text)) in cells {
        let (x, y, tag) = (point.x(), point.y(), facts.tag());
        let text: String =
            texts.get(&point).copied().unwrap_or_default().split_whitespace().collect();
        let text: String = text
            .char_indices()
            .take_while(|(at, c)| at + c.len_utf8() <= MOST_BOARD_TEXT)
            .map(|(_, c)| c)
            .collect();
        let BoardFacts { value, depth, bound, .. } = facts;
        let has_text = u8::from(has_text);
        send_line(
            sink,
            Reply::Database(format!("{x} {y} {tag} {value} {depth} {bound} {has_text} {text}")),
        );
    }
    send_line(sink, Reply::Database("DONE".to_owned()));
    Ok(())
}
