//! The lines of a journal. They are read without their checksums.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::arena::{EndKind, Fixture, MatchInfo, PlayedGame, Shard, Unfinished, Usage};
use tengen_core::board::Symmetry;
use tengen_files::records::{self, Format, Known, Record, WriteError};
use tengen_files::resume::with_sum;

/// The beginning of every journal.
pub(in crate::arena) const BEGINNING: &str = "{\"tengen_match\":";

/// The version of the format.
const VERSION: u64 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JournalHeader {
    tengen_match: u64,
    /// The part, counted from 1, and how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<(u64, u64)>,
    #[serde(rename = "match")]
    info: MatchInfo,
}

/// The first line, as far as every version agrees.
#[derive(Deserialize)]
struct AnyHead {
    tengen_match: u64,
}

/// Writes the first line.
pub(super) fn write_head(info: &MatchInfo, shard: Option<Shard>) -> String {
    let shard = shard.map(|Shard { index, count }| (index + 1, count));
    let head = JournalHeader { tengen_match: VERSION, shard, info: info.clone() };
    // Nothing of this can fail to be JSON: no map with keys that are not text.
    with_sum(&serde_json::to_string(&head).unwrap_or_default()) + "\n"
}

/// Reads the first line.
pub(super) fn read_head(line: &str) -> Result<(MatchInfo, Option<Shard>), String> {
    let AnyHead { tengen_match } = parse(line)?;
    if tengen_match != VERSION {
        return Err(format!("version {tengen_match} of the format, of which only 1 is known"));
    }
    let JournalHeader { shard, info, .. } = parse(line)?;
    let shard = match shard {
        None => None,
        Some((number, count)) if (1..=count).contains(&number) => {
            Some(Shard { index: number - 1, count })
        }
        Some((number, count)) => return Err(format!("there is no shard {number}/{count}")),
    };
    Ok((info, shard))
}

/// The fields of a finished game beside the record.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameFields {
    game: u64,
    pair: u64,
    round: u64,
    seats: [usize; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening: Option<usize>,
    symmetry: SymmetryName,
    black_seat: usize,
    end: String,
    detail: String,
    usage: [UsageFields; 2],
}

/// Times are nanoseconds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UsageFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    time_ns: u64,
    slowest_ns: u64,
    moves: u32,
}

/// The fields of a running game beside the record.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunningFields {
    game: u64,
    black_seat: usize,
    left_ns: [Option<u64>; 2],
}

/// The fields of a line beside the record.
#[derive(Deserialize)]
struct Beside<T> {
    #[serde(rename = "match")]
    fields: T,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", remote = "Symmetry")]
enum SymmetryDef {
    Identity,
    Rotate90,
    Rotate180,
    Rotate270,
    FlipRows,
    FlipColumns,
    Transpose,
    Antitranspose,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
struct SymmetryName(#[serde(with = "SymmetryDef")] Symmetry);

/// Writes a finished game.
pub(super) fn write_game(game: &PlayedGame) -> Result<String, WriteError> {
    let Fixture { game: number, pair, round, seats, opening, symmetry } = game.fixture;
    let usage = game.usage.map(|Usage { memory, time, slowest, moves }| UsageFields {
        memory,
        time_ns: nanoseconds(time),
        slowest_ns: nanoseconds(slowest),
        moves,
    });
    let fields = GameFields {
        game: number,
        pair,
        round,
        seats,
        opening,
        symmetry: SymmetryName(symmetry),
        black_seat: game.black_seat,
        end: game.end.name().to_owned(),
        detail: game.detail.clone(),
        usage,
    };
    write(&game.record, &fields)
}

/// Reads a finished game of a match.
pub(super) fn read_game(
    line: &str,
    info: &MatchInfo,
    shard: Option<Shard>,
) -> Result<PlayedGame, String> {
    let Beside::<GameFields> { fields } = parse(line)?;
    let record = read_record(line)?;
    let GameFields { game, pair, round, seats, opening, symmetry, black_seat, end, .. } = fields;
    let SymmetryName(symmetry) = symmetry;
    if seats.iter().any(|&seat| seat >= info.players.len()) || seats[0] == seats[1] {
        return Err("the seats are not those of two players".to_owned());
    }
    if black_seat > 1 {
        return Err(format!("there is no seat {black_seat}"));
    }
    if shard.is_some_and(|shard| !shard.contains(pair)) {
        return Err("a game of another shard".to_owned());
    }
    if record.size != info.size || record.rule != Some(info.rule) {
        return Err("a game of another size or rule".to_owned());
    }
    if record.result.is_none() {
        return Err("a game without a result".to_owned());
    }
    let end = EndKind::from_name(&end).ok_or_else(|| format!("no game ends by {end:?}"))?;
    let usage = fields.usage.map(|UsageFields { memory, time_ns, slowest_ns, moves }| Usage {
        memory,
        time: Duration::from_nanos(time_ns),
        slowest: Duration::from_nanos(slowest_ns),
        moves,
    });
    let fixture = Fixture { game, pair, round, seats, opening, symmetry };
    Ok(PlayedGame { fixture, black_seat, record, end, detail: fields.detail, usage })
}

/// Writes how far a game is played.
pub(super) fn write_running(game: &Unfinished, info: &MatchInfo) -> Result<String, WriteError> {
    let mut record = Record::new(info.size);
    record.rule = Some(info.rule);
    record.event = info.event.clone();
    record.opening = game.opening;
    record.moves.clone_from(&game.moves);
    let fields = RunningFields {
        game: game.game,
        black_seat: game.black_seat,
        left_ns: game.left.map(|left| left.map(nanoseconds)),
    };
    write(&record, &fields)
}

/// Reads how far a game is played.
pub(super) fn read_running(line: &str, info: &MatchInfo) -> Option<Unfinished> {
    let Beside::<RunningFields> { fields } = parse(line).ok()?;
    let record = read_record(line).ok()?;
    let fits = record.size == info.size
        && record.rule == Some(info.rule)
        && record.event == info.event
        && fields.black_seat < 2;
    fits.then(|| Unfinished {
        game: fields.game,
        opening: record.opening,
        moves: record.moves,
        black_seat: fields.black_seat,
        left: fields.left_ns.map(|left| left.map(Duration::from_nanos)),
    })
}

/// Writes a record with the further fields.
fn write(record: &Record, fields: &impl Serialize) -> Result<String, WriteError> {
    let mut line = records::write(record, Format::Json, 1)?;
    // The record is an object that ends the line, and is never empty.
    line.truncate(line.trim_end().len().saturating_sub(1));
    line.push_str(",\"match\":");
    line.push_str(&serde_json::to_string(fields).unwrap_or_default());
    line.push('}');
    Ok(with_sum(&line) + "\n")
}

fn read_record(line: &str) -> Result<Record, String> {
    let records =
        records::read(line.as_bytes(), Format::Json, Known::default()).map_err(|error| {
            let column = error.place.column().unwrap_or_default();
            format!("expected {} in column {column}", error.expected)
        })?;
    records.into_iter().next().ok_or_else(|| "the line is empty".to_owned())
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or_default();
        format!("{what} (column {})", error.column())
    })
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
