//! The reader: the object, and what its fields say of the position.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::tree::TreeReader;
use super::{Proof, VERSION};
use crate::records::{
    BYTE_ORDER_MARK, Edges, RecordError, RecordPlace, RuleName, Setting, brief, parse_pos,
};
use tengen_core::prover::Attack;
use tengen_core::rules::Game;
use tengen_core::types::{Color, Point, Size};

#[derive(Deserialize)]
#[serde(try_from = "u64")]
struct CertificateVersion;

impl TryFrom<u64> for CertificateVersion {
    type Error = &'static str;

    fn try_from(version: u64) -> Result<CertificateVersion, &'static str> {
        if version == VERSION { Ok(CertificateVersion) } else { Err("version 1 of the format") }
    }
}

#[derive(Deserialize)]
struct CertificateFields<'a> {
    #[serde(rename = "tengen_certificate")]
    _version: CertificateVersion,
    size: Edges,
    rule: RuleName,
    #[serde(default)]
    setup: Setting,
    #[serde(borrow)]
    moves: &'a RawValue,
    #[serde(borrow)]
    attacker: Option<&'a RawValue>,
    #[serde(borrow)]
    tree: &'a RawValue,
}

/// Reads a certificate.
///
/// # Errors
///
/// Returns the first place at which the text is not of the format, without a file name.
pub fn read(bytes: &[u8]) -> Result<Proof, RecordError> {
    let text = String::from_utf8_lossy(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes));
    let text = text.as_ref();
    if !text.trim_start().starts_with('{') {
        let start = text.len() - text.trim_start().len();
        return Err(error(text, start, "a certificate: an object that begins with {"));
    }
    let fields: CertificateFields<'_> = serde_json::from_str(text).map_err(|fault| {
        let message = fault.to_string();
        let message = brief(message.split(" at line ").next().unwrap_or_default());
        let at = offset(text, fault.line(), fault.column());
        error(text, at, format!("a certificate as JSON ({message})"))
    })?;
    let Edges(size) = fields.size;
    let RuleName(rule) = fields.rule;
    // The values are parts of the text.
    let place = |value: &RawValue| {
        (value.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
    };

    let start = place(fields.moves);
    let points = moves(text, start, fields.moves.get(), size)?;
    let set_up = fields.setup.arrangement(size);
    let board = set_up.as_ref().and_then(|set_up| set_up.board(size).ok());
    let (Some(set_up), Some(board)) = (set_up, board) else {
        return Err(error(
            text,
            start,
            "stones on cells of the board, each once, before the moves",
        ));
    };
    let mut game = Game::from_board(rule, board, set_up.to_move.unwrap_or(Color::Black));
    let is_played = points.iter().all(|&point| game.play(point).is_ok());
    if !is_played || game.outcome().is_over() {
        return Err(error(text, start, "a game that is not over"));
    }
    if let Some(attacker) = fields.attacker
        && attacker.get() != format!("\"{}\"", game.to_move())
    {
        let expected = format!("\"{}\", who is to move in this position", game.to_move());
        return Err(error(text, place(attacker), expected));
    }
    let attack = TreeReader::new(text, place(fields.tree), size).read()?;
    Ok(Proof { game, attack })
}

/// Reads an attack as [`write_attack`](super::write_attack) writes it, from a text that is known to
/// be JSON, for a board of this size.
///
/// # Errors
///
/// Returns the first place at which the text is not a tree of moves on the board.
pub fn read_attack(text: &str, size: Size) -> Result<Attack, RecordError> {
    TreeReader::new(text, 0, size).read()
}

/// Reads the value of `moves`.
fn moves(text: &str, start: usize, raw: &str, size: Size) -> Result<Vec<Point>, RecordError> {
    let cells = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
    match cells {
        None => Err(error(text, start, "a row of cells such as \"h8i9h9\"")),
        Some("") => Ok(Vec::new()),
        // Until the error all characters are of one byte.
        Some(cells) => parse_pos(cells, size).map_err(|fault| {
            error(text, start + fault.place.column().unwrap_or(1), fault.expected)
        }),
    }
}

/// Returns the error that something else was expected at a place, which is a distance from the
/// beginning in bytes.
pub(super) fn error(text: &str, at: usize, expected: impl Into<String>) -> RecordError {
    let at = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    RecordError {
        file: None,
        place: RecordPlace::Text {
            line: before.bytes().filter(|&b| b == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        },
        expected: expected.into(),
    }
}

/// Returns the place that the JSON parser means: columns are bytes, counted from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    lines.map(str::len).sum::<usize>() + column.saturating_sub(1)
}
