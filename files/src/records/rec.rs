//! Piskvork's and Gomotur's `.rec`: the names of the two players, the one who moved first before the
//! other, then what `.psq` has, with columns and rows counted from 0. There is no board in it.

use super::format::on_fitting;
use super::psq::{GameLines, code_of, safe_name, set_code};
use super::source::SourceText;
use super::warning::Warnings;
use super::{Record, RecordError};
use tengen_core::types::{ByColor, Color, Size};

/// Reads the one game of a file. Without a size, its board is the smallest of the usual ones that holds
/// it.
pub(super) fn read(
    source: SourceText<'_>,
    known: Option<Size>,
    warnings: &mut Warnings,
) -> Result<Record, RecordError> {
    let mut names = source.lines().map(|line| line.text.trim().to_owned());
    let [Some(black), Some(white)] = [names.next(), names.next()] else {
        return Err(source.error(source.text.len(), "two lines with the names of the players"));
    };
    let lines = GameLines { source, base: 0, skipped: 2 };
    let (mut record, moves, odd) = on_fitting(known, |size| {
        let (mut record, mut odd) = (Record::new(size), Warnings::default());
        let moves = lines.moves(&mut record, &mut odd)?;
        Ok((record, moves, odd))
    })?;
    warnings.extend(odd);
    record.players = ByColor([black, white]);
    let code = source.lines().skip(2 + moves).find(|line| !line.is_blank());
    set_code(source, code, &mut record, warnings);
    Ok(record)
}

/// Returns whether a text may be a game: two names, and a move.
pub(super) fn is_likely(text: &str) -> bool {
    let is_move = |line: &str| {
        let mut numbers = line.split(',').map(|field| field.trim().parse::<u32>());
        numbers.clone().count() == 3 && numbers.all(|number| number.is_ok())
    };
    let mut lines = text.lines();
    let [first, second, third] = [lines.next(), lines.next(), lines.next()];
    [first, second].into_iter().all(|line| line.is_some_and(|line| !is_move(line)))
        && third.is_some_and(is_move)
}

/// Writes a game.
pub(super) fn write(record: &Record) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        text.push_str(&format!("{}\n", safe_name(&record.players[color])));
    }
    for (m, point) in record.moves.iter().zip(record.points()) {
        text.push_str(&format!("{},{},{}\n", point.x(), point.y(), m.time().unwrap_or(0)));
    }
    text.push_str(&format!("{}\n", code_of(record)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Known, Reason};

    const GAME: &str = include_str!("../../../tests/data/faults/14-game.rec");

    fn parse(text: &str) -> Result<Vec<Record>, RecordError> {
        crate::records::read(text.as_bytes(), Format::Rec, Known::default())
    }

    #[test]
    fn a_game_is_read_and_written_back_byte_by_byte() {
        assert!(is_likely(GAME));
        let record = parse(GAME).unwrap().remove(0);
        let points: Vec<String> = record.points().map(|p| p.to_string()).collect();
        assert_eq!(points, ["h8", "i9"]);
        assert_eq!(record.players.0, ["one", "two"]);
        assert_eq!((record.moves[1].color, record.moves[1].time()), (Color::White, Some(12)));
        assert_eq!((record.reason.clone(), record.size), (Some(Reason::Rules), Size::DEFAULT));
        assert_eq!(write(&record), GAME);
        let large = parse("pbrain-a.exe\r\npbrain-b.exe\r\n19,10,0\r\n9,9,15\r\n-1\r\n").unwrap();
        assert_eq!((large[0].size.width(), large[0].moves[1].time()), (20, Some(15)));
    }

    #[test]
    fn names_may_be_missing_and_moves_may_not_be_wrong() {
        assert_eq!(parse("\n\n7,7,0\n0\n").unwrap()[0].players, ByColor::default());
        for (text, place, expected) in [
            ("a", (1, 2), "two lines with the names of the players"),
            ("a\nb\n22,0,0\n", (3, 1), "a cell of a 22x22 board"),
            ("a\nb\n7,7,0\n7,7,0\n", (4, 1), "an empty cell"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(crate::records::source::text_place(&error), place, "{text}");
            assert_eq!(error.expected, expected, "{text}");
        }
    }
}
