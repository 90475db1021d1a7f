//! The parts of a record that a format cannot hold.

use super::format::plain;
use super::moves::bare_moves;
use super::{
    Arrangement, Format, Known, Move, MoveKind, Record, Variations, WriteError, read, write_file,
};

/// Returns the names of what is not the same any more after the record was written in a format and
/// read again.
///
/// # Errors
///
/// Returns an error if the format cannot hold the game at all.
///
/// ```
/// use tengen_core::types::{Color, Size};
/// use tengen_files::records::{Format, Record, losses};
///
/// let size = Size::square(15)?;
/// let mut record = Record::of_points(size, &[size.center()]);
/// record.players[Color::Black] = "Ann".to_owned();
/// assert!(losses(&record, Format::Json)?.is_empty());
/// assert!(!losses(&record, Format::Pos)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn losses(record: &Record, format: Format) -> Result<Vec<&'static str>, WriteError> {
    let known = Known::default();
    let bytes = write_file(record, format, 1, known.page)?;
    let again = read(&bytes, format, known).ok();
    let Some(again) = again.as_deref().and_then(<[Record]>::first) else {
        // No writer makes what its reader refuses; if one did, everything would be lost.
        return Ok(vec!["the game"]);
    };
    Ok(differences(record, again, format))
}

/// Returns the names of what is not the same in a record and in what a format has made of it. What can
/// be said in several ways is the same in all: a pass by who moves next, or stones before the first
/// move.
fn differences(record: &Record, again: &Record, format: Format) -> Vec<&'static str> {
    let mut whole = record.clone();
    whole.begin_with_first_stones();
    let holds_stones = format.holds_set_up();
    let had_stones = !whole.start.cells.is_empty();
    if let Ok(plain) = plain(&whole, format) {
        whole = plain.into_owned();
    }
    let start_is_same = same_stones(&whole.start, &again.start) && (holds_stones || !had_stones);
    let [one, other] = [&whole, again].map(|record| bare_moves(&record.moves));
    let each = |same: fn(&Move, &Move) -> bool| one.iter().zip(&other).all(|(a, b)| same(a, b));
    let same_moves =
        one.len() == other.len() && each(|a, b| (&a.kind, a.color) == (&b.kind, b.color));
    let some = |says: fn(&Move) -> bool| one.iter().any(says) == other.iter().any(says);
    let checks = [
        ("the size", whole.size == again.size),
        ("the rule", whole.rule == again.rule),
        ("the names", whole.players == again.players),
        ("the event", whole.event == again.event),
        ("the round", whole.round == again.round),
        ("the date", whole.date == again.date),
        ("the comment", whole.comment == again.comment),
        ("what else is said of the game", whole.notes.say_the_same(&again.notes)),
        ("which stones were set up", start_is_same),
        ("the moves", same_moves),
        ("passes", said_passes(&whole.moves) == said_passes(&again.moves)),
        // It follows from the moves, if there are some.
        ("the side to move", whole.to_move() == again.to_move() || !same_moves),
        (
            "the length of the opening",
            whole.opening_without_changes() == again.opening_without_changes()
                || had_stones && !holds_stones,
        ),
        ("times", some(|m| m.time().is_some()) && each(|a, b| a.time() == b.time())),
        ("scores", some(|m| m.score().is_some()) && each(|a, b| a.score() == b.score())),
        ("depths", some(|m| m.depth().is_some()) && each(|a, b| a.depth() == b.depth())),
        ("node counts", some(|m| m.nodes().is_some()) && each(|a, b| a.nodes() == b.nodes())),
        (
            "comments on moves",
            some(|m| !m.comment().is_empty()) && each(|a, b| a.comment() == b.comment()),
        ),
        (
            "marks on moves",
            some(|m| !m.notes().is_empty()) && each(|a, b| a.notes().say_the_same(b.notes())),
        ),
        ("variations", same_variations(&whole.moves, &again.moves)),
        ("the result", whole.result == again.result),
        ("the reason", whole.reason == again.reason),
    ];
    checks.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
}

/// Returns whether games begin with the same stones, and say so of the same side to move.
fn same_stones(one: &Arrangement, other: &Arrangement) -> bool {
    let sorted = |arrangement: &Arrangement| {
        let mut cells = arrangement.cells.clone();
        cells.sort_unstable_by_key(|(point, _)| *point);
        cells
    };
    sorted(one) == sorted(other)
}

/// Returns the passes that do not just follow from who moves next, with the numbers of the moves
/// before them.
fn said_passes(moves: &[Move]) -> Vec<(usize, Move)> {
    let mut said = Vec::new();
    let mut before = 0;
    for (i, m) in moves.iter().enumerate() {
        if m.kind != MoveKind::Pass {
            before += 1;
            continue;
        }
        let next = moves.get(i + 1);
        let follows = next.is_some_and(|next| next.point().is_some() && next.color != m.color);
        let mut alone = m.clone();
        alone.set_variations(Variations::default());
        if alone != Move::pass(m.color) || !follows {
            said.push((before, alone));
        }
    }
    said
}

/// Returns whether all lines beside a game are the same.
fn same_variations(one: &[Move], other: &[Move]) -> bool {
    let has_passes = |m: &Move| m.variations().iter().any(|line| !said_passes(line).is_empty());
    if one.iter().all(|m| m.variations().is_empty())
        && other.iter().all(|m| m.variations().is_empty())
    {
        return true;
    }
    let [bare, others] = [one, other].map(bare_moves);
    one.iter().map(Move::variations).eq(other.iter().map(Move::variations))
        || !one.iter().any(has_passes)
            && bare.iter().map(Move::variations).eq(others.iter().map(Move::variations))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{GameResult, MoverSearch, Reason};
    use tengen_core::rules::Rule;
    use tengen_core::types::{Color, Size};

    #[test]
    fn what_is_lost_is_named() {
        let size = Size::square(19).unwrap();
        let mut record = Record::of_points(size, &[size.center()]);
        record.rule = Some(Rule::Caro);
        let search =
            MoverSearch { score: Some(3), depth: Some(7), nodes: Some(1 << 40), time: None };
        record.moves[0].set_search(search);
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
