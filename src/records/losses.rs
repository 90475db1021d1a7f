//! The parts of a record that a format cannot hold.

use super::{Format, Known, Note, Record, WriteError, read, write_file};

/// Returns the names of what is not the same any more after the record was written in a format and
/// read again.
///
/// # Errors
///
/// Returns an error if the format cannot hold the game at all.
pub fn losses(record: &Record, format: Format) -> Result<Vec<&'static str>, WriteError> {
    let known = Known::default();
    let bytes = write_file(record, format, 1, known.page)?;
    let again = read(&bytes, format, known).ok();
    let Some(again) = again.as_deref().and_then(<[Record]>::first) else {
        // No writer makes what its reader refuses; if one did, everything would be lost.
        return Ok(vec!["the game"]);
    };
    let each = |same: fn(&super::Move, &super::Move) -> bool| {
        record.moves.iter().zip(&again.moves).all(|(a, b)| same(a, b))
    };
    let same_moves = record.moves.len() == again.moves.len()
        && each(|a, b| (a.point, a.color) == (b.point, b.color));
    let some_time = |record: &Record| record.moves.iter().any(|m| m.time.is_some());
    let some_score = |record: &Record| record.moves.iter().any(|m| m.score.is_some());
    let some_depth = |record: &Record| record.moves.iter().any(|m| m.depth.is_some());
    let some_nodes = |record: &Record| record.moves.iter().any(|m| m.nodes.is_some());
    let some_comment = |record: &Record| record.moves.iter().any(|m| !m.comment.is_empty());
    let some_note = |record: &Record| record.moves.iter().any(|m| !m.notes.is_empty());
    let some_variation = |record: &Record| record.moves.iter().any(|m| !m.variations.is_empty());
    let checks = [
        ("the size", record.size == again.size),
        ("the rule", record.rule == again.rule),
        ("the names", record.players == again.players),
        ("the event", record.event == again.event),
        ("the round", record.round == again.round),
        ("the date", record.date == again.date),
        ("the comment", record.comment == again.comment),
        ("marks on the empty board", same_notes(&record.notes, &again.notes)),
        ("the moves", same_moves),
        ("the length of the opening", record.opening == again.opening),
        ("times", some_time(record) == some_time(again) && each(|a, b| a.time == b.time)),
        ("scores", some_score(record) == some_score(again) && each(|a, b| a.score == b.score)),
        ("depths", some_depth(record) == some_depth(again) && each(|a, b| a.depth == b.depth)),
        ("node counts", some_nodes(record) == some_nodes(again) && each(|a, b| a.nodes == b.nodes)),
        (
            "comments on moves",
            some_comment(record) == some_comment(again) && each(|a, b| a.comment == b.comment),
        ),
        (
            "marks on moves",
            some_note(record) == some_note(again) && each(|a, b| same_notes(&a.notes, &b.notes)),
        ),
        (
            "variations",
            some_variation(record) == some_variation(again)
                && each(|a, b| a.variations == b.variations),
        ),
        ("the result", record.result == again.result),
        ("the reason", record.reason == again.reason),
    ];
    Ok(checks.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect())
}

/// Returns whether notes are the same. Their order means nothing, nor that of their values.
fn same_notes(one: &[Note], other: &[Note]) -> bool {
    let sorted = |notes: &[Note]| {
        let mut notes = notes.to_vec();
        notes.iter_mut().for_each(|note| note.values.sort_unstable());
        notes.sort_unstable_by(|a, b| (&a.name, &a.values).cmp(&(&b.name, &b.values)));
        notes
    };
    one == other || sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{GameResult, Reason};
    use crate::rules::Rule;
    use crate::types::{Color, Size};

    #[test]
    fn what_is_lost_is_named() {
        let size = Size::square(19).unwrap();
        let mut record = Record::of_points(size, &[size.center()]);
        record.rule = Some(Rule::Caro);
        record.moves[0].score = Some(3);
        record.moves[0].depth = Some(7);
        record.moves[0].nodes = Some(1 << 40);
        record.result = Some(GameResult::Win(Color::Black));
        record.reason = Some(Reason::Resignation);
        assert_eq!(losses(&record, Format::Json), Ok(vec![]));
        assert_eq!(losses(&record, Format::Sgf), Ok(vec![]));
        assert_eq!(
            losses(&record, Format::Psq),
            Ok(vec!["the rule", "scores", "depths", "node counts", "the result", "the reason"])
        );
        assert_eq!(
            losses(&record, Format::Pos),
            Ok(vec![
                "the size",
                "the rule",
                "scores",
                "depths",
                "node counts",
                "the result",
                "the reason"
            ])
        );
        assert_eq!(
            losses(&record, Format::Pgn),
            Ok(vec!["the size", "the rule", "the moves", "scores", "depths", "node counts"])
        );
        record.moves[0].color = Color::White;
        assert_eq!(losses(&record, Format::Pos), Err(WriteError::Colors(Format::Pos)));
    }
}
