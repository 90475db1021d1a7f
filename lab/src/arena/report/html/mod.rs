//! A match as one page that needs nothing else.

use serde::Serialize;

use super::course::ScoreCourse;
use super::text;
use crate::arena::{MatchInfo, PlayedGame, Summary};
use tengen_core::rules::Rule;
use tengen_core::types::Color;
use tengen_files::packed::unpacked;
use tengen_files::page::{escaped, fill_page, harmless, point_letters};
use tengen_files::records::{GameResult, Move};

/// The page, its style and its scripts, as `build.rs` packs them.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/report"));

/// Returns a report of a match as a page of HTML that can be opened from a file: style, scripts
/// and games are in it, and nothing is loaded from elsewhere.
///
/// Names and everything else that players have a say in are data: they are shown as text whatever
/// is in them. The games stay in the order in which they are given, which is that of the curves;
/// `#game=12` at the end of the address leads to the game with this number, counted from 1.
#[must_use]
pub fn html(info: &MatchInfo, summary: &Summary, games: &[PlayedGame]) -> String {
    let data = Data {
        summary,
        bottom: info.rule == Rule::Renju,
        courses: (0..info.players.len()).map(|i| ScoreCourse::of(info, games, i)).collect(),
        games: games.iter().map(|game| ReplayedGame::new(game, info.rule)).collect(),
    };
    let data = serde_json::to_string(&data).expect("texts and numbers are not errors");
    fill_page(&unpacked(PACKED), ("", ""), &[], |name, page| match name {
        "title" => page.push_str(&escaped(&title(summary))),
        "text" => page.push_str(&escaped(&text(summary))),
        "data" => page.push_str(&harmless(&data)),
        _ => {}
    })
}

/// Everything that the page shows.
#[derive(Serialize)]
struct Data<'a> {
    summary: &'a Summary,
    /// True if people count rows from the bottom, as they do in renju.
    bottom: bool,
    /// For each player.
    courses: Vec<ScoreCourse>,
    games: Vec<ReplayedGame<'a>>,
}

/// A game in few letters. Points are two letters, column and row from `a`; the lists of numbers
/// are texts with commas, and empty where a number is not known.
#[derive(Serialize)]
struct ReplayedGame<'a> {
    /// The number of the game, from 1.
    n: u64,
    /// The round, from 1.
    r: u64,
    /// The places of black and white among the players.
    s: [usize; 2],
    /// The result: `b`, `w`, `d`, or `?`.
    x: char,
    /// The kind of its end.
    e: &'static str,
    /// A sentence about the end, whose rows count from the top.
    #[serde(skip_serializing_if = "str::is_empty")]
    d: &'a str,
    /// The number of moves of the opening.
    o: usize,
    /// The moves.
    m: String,
    /// The colours of the moves, `b` and `w`, if they do not alternate.
    #[serde(skip_serializing_if = "String::is_empty")]
    c: String,
    /// The winning line.
    #[serde(skip_serializing_if = "String::is_empty")]
    l: String,
    /// The times, in milliseconds.
    t: String,
    /// The scores, each from the point of view of who moves.
    v: String,
    /// The depths.
    h: String,
    /// The nodes.
    k: String,
}

impl<'a> ReplayedGame<'a> {
    fn new(game: &'a PlayedGame, rule: Rule) -> ReplayedGame<'a> {
        let record = &game.record;
        let line = record.winning_run(rule).map(|run| point_letters(run.points()));
        let colors = match record.alternates() {
            true => String::new(),
            false => record.moves.iter().map(|m| letter(m.color)).collect(),
        };
        let list =
            |value: &dyn Fn(&Move) -> Option<String>| numbers(record.moves.iter().map(value));
        ReplayedGame {
            n: game.fixture.game + 1,
            r: game.fixture.round + 1,
            s: [game.player(game.black_seat), game.player(1 - game.black_seat)],
            x: match record.result {
                None => '?',
                Some(GameResult::Draw) => 'd',
                Some(GameResult::Win(color)) => letter(color),
            },
            e: game.end.name(),
            d: &game.detail,
            o: record.opening,
            m: point_letters(record.points()),
            c: colors,
            l: line.unwrap_or_default(),
            t: list(&|m| m.time().map(|time| time.to_string())),
            v: list(&|m| m.score().map(|score| score.to_string())),
            h: list(&|m| m.depth().map(|depth| depth.to_string())),
            k: list(&|m| m.nodes().map(|nodes| nodes.to_string())),
        }
    }
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

/// Returns numbers with commas between them; nothing if none is known.
fn numbers(numbers: impl Iterator<Item = Option<String>>) -> String {
    let texts: Vec<String> = numbers.map(Option::unwrap_or_default).collect();
    texts.join(",").trim_end_matches(',').to_owned()
}

fn title(summary: &Summary) -> String {
    let names: Vec<&str> = summary.players.iter().map(|player| player.name.as_str()).collect();
    let players = match names[..] {
        [one, other] => format!("{one} – {other}"),
        _ => format!("{} players", names.len()),
    };
    if summary.event.is_empty() { players } else { format!("{}: {players}", summary.event) }
}

#[cfg(test)]
mod tests;
