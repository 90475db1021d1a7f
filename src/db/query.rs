//! `tengen db info` and `tengen db query`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::Asked;
use crate::db::args::{DbInfoArgs, DbQueryArgs};
use tengen_core::types::Bound;
use tengen_engine::database::source::to_json;
use tengen_engine::database::{
    Access, DatabaseReader, EntryLabel, Evaluation, KeyGroup, KnownMove, PositionDatabase,
    PositionEntry,
};
use tengen_files::printable::{padded, printable, printable_json};
use tengen_files::words::{counted, grouped};

/// Tells what is in a database.
pub(super) fn info(args: &DbInfoArgs) -> anyhow::Result<ExitCode> {
    let database = PositionDatabase::open(&args.file, Access::Read)?;
    let reader = database.read()?;
    let bytes = database.file_bytes()?;
    let positions = reader.len()?;
    let mut groups: Vec<(KeyGroup, u64)> = Vec::new();
    for group in reader.groups()? {
        groups.push((group, count(&reader, group)?));
    }
    if args.json {
        let group = |(group, positions): &(KeyGroup, u64)| {
            json!({
                "rule": group.rule.name(),
                "size": [group.size.width(), group.size.height()],
                "stones": group.stones,
                "positions": positions,
            })
        };
        let groups: Vec<Value> = groups.iter().map(group).collect();
        let all = json!({ "positions": positions, "bytes": bytes, "groups": groups });
        writeln!(io::stdout(), "{all}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{}, {} bytes\n", counted(positions, "position"), grouped(bytes));
    if !groups.is_empty() {
        text.push_str("\nrule        size   stones    positions\n");
    }
    for (group, positions) in groups {
        let (size, positions) = (group.size.to_string(), grouped(positions));
        let _ = writeln!(text, "{:10}  {size:5}  {:6}  {positions:>11}", group.rule, group.stones);
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn count(reader: &DatabaseReader, group: KeyGroup) -> anyhow::Result<u64> {
    let mut count = 0;
    for stored in reader.scan(Some(group))? {
        stored?;
        count += 1;
    }
    Ok(count)
}

/// Shows what is known of a position.
pub(super) fn query(args: &DbQueryArgs) -> anyhow::Result<ExitCode> {
    let asked = Asked::new(&args.position, args.json)?;
    let database = PositionDatabase::open(&args.file, Access::Read)?;
    let reader = database.read()?;
    let entry = reader.get(&asked.placement)?;
    let mut moves = reader.moves(&asked.placement)?;
    if args.json {
        let object = object(&asked, entry.as_ref(), &moves)?;
        writeln!(io::stdout(), "{}", printable_json(&object))?;
        return Ok(ExitCode::SUCCESS);
    }
    moves.sort_by_key(|next| next.entry.rank_for_mover());
    let mut text = asked.title() + "\n\n";
    match &entry {
        Some(entry) => push_entry(&mut text, &asked, entry),
        None => text.push_str("not in the database\n"),
    }
    push_moves(&mut text, &asked, &moves);
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the position and the moves as one object, each as [`to_json`] writes it and imports know it: by its first key.
fn object(
    asked: &Asked,
    entry: Option<&PositionEntry>,
    moves: &[KnownMove],
) -> anyhow::Result<String> {
    let with = |object: &str, fields: &str| object[..object.len() - 1].to_owned() + fields + "}";
    let mut known = Vec::new();
    for next in moves {
        let mut after = asked.placement.clone();
        after.play(next.point)?;
        let to_move = format!(",\"move\":\"{}\"", next.point);
        known.push(with(&to_json(&after, &next.entry), &to_move));
    }
    let object = to_json(&asked.placement, entry.unwrap_or(&PositionEntry::default()));
    let (is_known, moves) = (entry.is_some(), known.join(","));
    Ok(with(&object, &format!(",\"known\":{is_known},\"moves\":[{moves}]")))
}

fn bound_word(bound: Option<Bound>) -> &'static str {
    match bound {
        Some(Bound::Upper) => ", at most",
        Some(Bound::Lower) => ", at least",
        Some(Bound::Exact) => ", exact",
        None => "",
    }
}

fn value(entry: &PositionEntry) -> String {
    let Some(Evaluation { score, depth, bound }) = entry.evaluation else { return String::new() };
    format!("{}, depth {depth}{}", score.raw(), bound_word(bound))
}

fn games(entry: &PositionEntry) -> String {
    let games = entry.games;
    if games.total() == 0 {
        return String::new();
    }
    format!("black won {}, white won {}, {} drawn", games.black, games.white, games.draws)
}

fn push_entry(text: &mut String, asked: &Asked, entry: &PositionEntry) {
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(text, "{name:7} {}", printable(&value));
        }
    };
    line("result", entry.result.map_or_else(String::new, |result| result.to_string()));
    line("value", value(entry));
    line("best", entry.best.map_or_else(String::new, |best| asked.cell(best)));
    line("label", entry.label.as_ref().map_or("", EntryLabel::as_str).to_owned());
    line("visits", if entry.visits > 0 { grouped(entry.visits) } else { String::new() });
    line("games", games(entry));
    line("marked", if entry.is_marked { "yes".to_owned() } else { String::new() });
    for (&at, said) in &entry.board_texts {
        line("on", format!("{} {said}", asked.cell(at)));
    }
    for &(at, mark) in &entry.marks {
        line("mark", format!("{} {}", asked.cell(at), mark.name()));
    }
    for part in entry.text.lines() {
        line("text", part.to_owned());
    }
    if entry.is_placeholder || entry.is_empty() {
        line("known", "nothing but that it is there".to_owned());
    }
}

/// The widths of the columns of results, values, labels and visits.
const HEADING: &str = "move  result     value for the other side  label     visits  text\n";

fn push_moves(text: &mut String, asked: &Asked, moves: &[KnownMove]) {
    if moves.is_empty() {
        text.push_str("\nno known moves\n");
        return;
    }
    let _ = writeln!(text, "\n{}", counted(moves.len() as u64, "known move"));
    text.push_str(HEADING);
    for next in moves {
        let entry = &next.entry;
        let result = entry.result.map_or_else(String::new, |result| result.to_string());
        let label = printable(entry.label.as_ref().map_or("", EntryLabel::as_str));
        let visits = if entry.visits > 0 { grouped(entry.visits) } else { String::new() };
        let said = printable(entry.text.lines().next().unwrap_or_default());
        let line = format!(
            "{:4}  {result:9}  {:24}  {}  {visits:>9}  {said}",
            asked.cell(next.point),
            value(entry),
            padded(&label, 5)
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
