//! Reviews as one page that needs nothing else.

mod data;

use serde::Serialize;

use super::{GameReview, MoveClass, ReviewTask};
use data::GameData;
use tengen_core::notation::Origin;
use tengen_files::packed::unpacked;
use tengen_files::page::{RULES, escaped, fill_page, harmless};
use tengen_files::records::Record;

/// The page, its style and its scripts, as `build.rs` packs them.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/report"));
const LIGHT: &str = include_str!("light.css");
const DARK: &str = include_str!("dark.css");

/// A game with its review.
#[derive(Clone, Copy, Debug)]
pub struct ReviewedGame<'a> {
    /// The number of the game over all files, from 1.
    pub number: usize,
    /// The file that it is from.
    pub file: &'a str,
    /// Its number in the file, from 1, if there are others.
    pub place: Option<usize>,
    /// The game.
    pub record: &'a Record,
    /// The reviewed part.
    pub task: &'a ReviewTask,
    /// The edge from which people count its rows.
    pub origin: Origin,
    /// The review.
    pub review: &'a GameReview,
    /// The review as text for readers who have nothing but text.
    pub text: &'a str,
}

/// The part of a page that is about one game.
#[derive(Clone, Debug)]
pub struct GamePart {
    entry: ListEntry,
    data: String,
    text: String,
}

/// A game in the list of all.
#[derive(Clone, Serialize, Debug)]
struct ListEntry {
    number: usize,
    names: [String; 2],
    result: char,
    moves: usize,
}

impl GamePart {
    /// Makes the part of a page that is about a game.
    #[must_use]
    pub fn new(game: &ReviewedGame<'_>) -> GamePart {
        let data = GameData::new(game);
        let entry = ListEntry {
            number: game.number,
            names: data.names.map(str::to_owned),
            result: data.result,
            moves: game.task.moves().len(),
        };
        GamePart { entry, data: json(&data), text: game.text.to_owned() }
    }
}

/// Returns reviews as a page of HTML that can be opened from a file: style, scripts and games are in
/// it, and nothing is loaded from elsewhere.
///
/// `made` says how the games were reviewed. Names and everything else that players have a say in
/// are data, shown as text whatever is in them. `#game=2&move=10` at the end of the address leads
/// to a move of the game with this number.
#[must_use]
pub fn html(parts: &[GamePart], made: &str) -> String {
    let title = match parts {
        [GamePart { entry: ListEntry { names: [black, white], .. }, .. }] => {
            let or = |name: &String, unknown: &str| {
                if name.is_empty() { unknown.to_owned() } else { name.clone() }
            };
            format!("{} – {}", or(black, "Black"), or(white, "White"))
        }
        _ => format!("{} games", parts.len()),
    };
    let list: Vec<&ListEntry> = parts.iter().map(|part| &part.entry).collect();
    fill_page(&unpacked(PACKED), (LIGHT, DARK), &[RULES], |name, page| match name {
        "title" => page.push_str(&escaped(&title)),
        "made" => page.push_str(&escaped(made)),
        "legend" => page.push_str(&legend()),
        "text" => page.extend(parts.iter().map(|part| escaped(&part.text) + "\n")),
        "list" => page.push_str(&harmless(&json(&list))),
        // Each game by itself, so that a reader waits for one of them only.
        "games" => page.extend(parts.iter().map(|part| {
            let GamePart { entry: ListEntry { number, .. }, data, .. } = part;
            let data = harmless(data);
            format!("<script type=\"application/json\" id=\"game-{number}\">{data}</script>\n")
        })),
        _ => {}
    })
}

/// Returns the rows of the legend: the marks of moves, the worst first, and what they mean.
fn legend() -> String {
    let marked = MoveClass::ALL.into_iter().rev().filter(|class| !class.mark().is_empty());
    let row = |class: MoveClass| {
        let (name, mark) = (class.name(), escaped(class.mark()));
        let (words, meaning) = (escaped(class.words()), escaped(&class.meaning()));
        format!(
            "<tr><td class=\"class {name}\">{mark}</td>\
             <th scope=\"row\">{words}</th><td>{meaning}</td></tr>\n"
        )
    };
    marked.map(row).collect()
}

/// Returns the data of a game for the scripts of a page.
#[must_use]
pub fn page_data(game: &ReviewedGame<'_>) -> String {
    json(&GameData::new(game))
}

fn json(value: &impl Serialize) -> String {
    // Texts, numbers and lists of them always have a form.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
