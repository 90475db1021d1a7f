//! The database of RenjuNet (`.rif`): XML with tables of players, tournaments, openings and rules, and
//! with a hundred thousand games that name them by number. Rows count from the bottom.

use std::collections::HashMap;
use std::io;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};

use super::code_page::CodePage;
use super::pgn::iso_date;
use super::sgf;
use super::source::{SourceText, TextStart, one_line};
use super::stream::{ReadError, TextInput};
use super::typed::read_moves;
use super::warning::Warnings;
use super::{GameResult, Note, Record, RecordError, brief};
use tengen_core::notation::Origin;
use tengen_core::types::{Color, Size};

/// The bytes among which the name of the encoding is looked for.
const BEGINNING: usize = 256;

/// The tables whose entries games name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum RifTable {
    Player,
    Tournament,
    TournamentDate,
    TournamentCity,
    City,
    Rule,
    Opening,
}

/// The reader of a file. Only the tables stay in memory, and one game.
#[derive(Debug)]
pub(super) struct RifReader<'a> {
    xml: Reader<TextInput<'a>>,
    size: Size,
    names: HashMap<(RifTable, u32), Box<str>>,
    buffer: Vec<u8>,
    /// True if there was something that is not XML, after which nothing more can be read.
    is_broken: bool,
}

/// A game that is being read.
#[derive(Default)]
struct RifGame {
    fields: Vec<(String, String)>,
    moves: String,
    info: String,
    /// Where the moves begin.
    moves_at: Option<TextStart>,
}

impl<'a> RifReader<'a> {
    /// Begins with the encoding that was asked for, or else the one that the file names.
    pub(super) fn new(
        mut input: TextInput<'a>,
        is_marked: bool,
        asked: Option<CodePage>,
        size: Size,
    ) -> io::Result<RifReader<'a>> {
        input.byte(BEGINNING)?;
        let held = input.held();
        let declared = declared(&held[..held.len().min(BEGINNING)]);
        if !is_marked {
            let likely = || declared.unwrap_or(CodePage::UTF_8);
            let page = asked.unwrap_or_else(|| match likely() {
                page if page == CodePage::UTF_8 => CodePage::likely(held),
                page => page,
            });
            input.recode(page.encoding());
        }
        let mut xml = Reader::from_reader(input);
        let config = xml.config_mut();
        config.allow_dangling_amp = true;
        config.check_end_names = false;
        Ok(RifReader { xml, size, names: HashMap::new(), buffer: Vec::new(), is_broken: false })
    }

    /// Returns the bytes of the file.
    pub(super) fn input(&mut self) -> &mut TextInput<'a> {
        self.xml.get_mut()
    }

    /// Returns the number of bytes that were taken from the source.
    pub(super) fn bytes_read(&self) -> u64 {
        self.xml.get_ref().bytes_read()
    }

    /// Reads the next game; `None` is the end. After an error of XML nothing more can be read.
    pub(super) fn game(&mut self, warnings: &mut Warnings) -> Result<Option<Record>, ReadError> {
        let mut game: Option<RifGame> = None;
        // The element whose text is wanted.
        let mut inside = Inside::Other;
        if self.is_broken {
            return Ok(None);
        }
        loop {
            let start = self.xml.get_ref().start();
            self.buffer.clear();
            let event = match self.xml.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(quick_xml::Error::Io(error)) => {
                    return Err(ReadError::Io(io::Error::new(error.kind(), error)));
                }
                Err(error) => {
                    self.is_broken = true;
                    let expected = format!("XML ({})", brief(&error.to_string()));
                    let place = start.place();
                    return Err(ReadError::Record(RecordError { file: None, place, expected }));
                }
            };
            match event {
                Event::Start(element) | Event::Empty(element)
                    if !matches!(element.name().as_ref(), "move" | "info" | "game") =>
                {
                    add_to_tables(&mut self.names, &element);
                }
                Event::Start(element) => match element.name().as_ref() {
                    "game" => {
                        let fields = attributes(&element);
                        game = Some(RifGame { fields, ..RifGame::default() });
                    }
                    "move" => inside = Inside::Moves,
                    _ => inside = Inside::Info,
                },
                Event::Empty(element) if element.name().as_ref() == "game" => {
                    let game = RifGame { fields: attributes(&element), ..RifGame::default() };
                    return Ok(Some(self.record(game, start)?));
                }
                Event::End(element) => match element.name().as_ref() {
                    "game" => {
                        if let Some(game) = game.take() {
                            return Ok(Some(self.record(game, start)?));
                        }
                    }
                    "move" | "info" => inside = Inside::Other,
                    // Another element within these.
                    _ => {}
                },
                Event::Text(text) => add_text(&mut game, inside, start, &text),
                Event::CData(text) => add_text(&mut game, inside, start, &text),
                Event::GeneralRef(name) => {
                    let reference = format!("&{};", &*name);
                    let meant = unescape(&reference).map(std::borrow::Cow::into_owned);
                    add_text(&mut game, inside, start, &meant.unwrap_or(reference));
                }
                Event::Eof => {
                    if game.is_some() {
                        warnings.add(start.place(), "the file ends within a game");
                    }
                    return Ok(game.map(|game| self.record(game, start)).transpose()?);
                }
                _ => {}
            }
        }
    }

    /// Makes a record of a game, which ends at a place.
    fn record(&self, game: RifGame, end: TextStart) -> Result<Record, RecordError> {
        let RifGame { fields, moves, info, moves_at } = game;
        let source = SourceText::within(&moves, moves_at.unwrap_or(end));
        let points = match moves.trim() {
            "" => Vec::new(),
            _ => read_moves(source, 0, self.size)?,
        };
        let turned: Vec<_> =
            points.into_iter().map(|point| Origin::Bottom.turn(point, self.size)).collect();
        let mut record = Record::of_points(self.size, &turned);
        info.trim().clone_into(&mut record.comment);
        for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            self.set(&mut record, name, value);
        }
        Ok(record)
    }

    /// Sets what an attribute of a game says.
    fn set(&self, record: &mut Record, name: &str, value: &str) {
        let named = |table, what: &str| match self.name(table, value) {
            Some(name) => name.to_owned(),
            None => format!("{what} {value}"),
        };
        match name {
            "black" => record.players[Color::Black] = named(RifTable::Player, "player"),
            "white" => record.players[Color::White] = named(RifTable::Player, "player"),
            "tournament" => {
                record.event = named(RifTable::Tournament, "tournament");
                let date = self.name(RifTable::TournamentDate, value);
                record.date = date.map_or(String::new(), iso_date);
                let city = self.name(RifTable::TournamentCity, value);
                let city = city.and_then(|city| self.name(RifTable::City, city));
                record.notes.extend(city.map(|city| Note::new("PC", &[city])));
            }
            "round" => value.clone_into(&mut record.round),
            "rule" => {
                let rule = named(RifTable::Rule, "rule");
                record.rule = sgf::parse_rule(&rule);
                say(record, "rule", &rule);
            }
            "opening" => {
                record.notes.push(Note::new("ON", &[&named(RifTable::Opening, "opening")]));
            }
            "bresult" => {
                record.result = match value {
                    "1" => Some(GameResult::Win(Color::Black)),
                    "0" => Some(GameResult::Win(Color::White)),
                    "0.5" | "0,5" | ".5" => Some(GameResult::Draw),
                    _ => None,
                };
            }
            "id" | "publisher" => {}
            "swap" if value == "0" => {}
            _ => say(record, name, value),
        }
    }

    fn name(&self, table: RifTable, number: &str) -> Option<&str> {
        self.names.get(&(table, number.parse().ok()?)).map(|name| &**name)
    }
}

/// The element of a game that text stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Moves,
    Info,
    Other,
}

fn add_text(game: &mut Option<RifGame>, inside: Inside, start: TextStart, text: &str) {
    let Some(game) = game else { return };
    match inside {
        Inside::Moves => {
            game.moves_at.get_or_insert(start);
            game.moves.push_str(text);
        }
        Inside::Info => game.info.push_str(text),
        Inside::Other => {}
    }
}

/// Adds a line to the comment on a game.
fn say(record: &mut Record, name: &str, value: &str) {
    if !record.comment.is_empty() {
        record.comment.push('\n');
    }
    record.comment.push_str(&format!("{name}: {value}"));
}

/// Keeps an entry of a table.
fn add_to_tables(names: &mut HashMap<(RifTable, u32), Box<str>>, element: &BytesStart<'_>) {
    let table = match element.name().as_ref() {
        "player" => RifTable::Player,
        "tournament" => RifTable::Tournament,
        "city" => RifTable::City,
        "rule" => RifTable::Rule,
        "opening" => RifTable::Opening,
        _ => return,
    };
    let fields = attributes(element);
    let field = |name: &str| {
        let found = fields.iter().find(|(known, value)| known == name && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    };
    let Some(number) = field("id").and_then(|id| id.parse::<u32>().ok()) else { return };
    let mut keep = |table, text: Option<String>| {
        if let Some(text) = text {
            names.insert((table, number), text.into());
        }
    };
    match table {
        RifTable::Player => {
            let parts: Vec<&str> = ["name", "surname"].into_iter().filter_map(field).collect();
            keep(table, (!parts.is_empty()).then(|| parts.join(" ")));
        }
        RifTable::Opening => keep(table, field("name").or(field("abbr")).map(str::to_owned)),
        _ => keep(table, field("name").map(str::to_owned)),
    }
    if table == RifTable::Tournament {
        let year = || {
            let month = field("month").map_or(String::new(), |month| format!("-{month:0>2}"));
            field("year").map(|year| format!("{year}{month}"))
        };
        keep(RifTable::TournamentDate, field("start").map(str::to_owned).or_else(year));
        keep(RifTable::TournamentCity, field("city").map(str::to_owned));
    }
}

/// Returns the names and values of the attributes of an element, without line breaks.
fn attributes(element: &BytesStart<'_>) -> Vec<(String, String)> {
    let mut attributes = element.attributes();
    // A second attribute with the same name is looked for in time that grows with the square.
    attributes.with_checks(false);
    let field = |attribute: Attribute<'_>| {
        let raw = attribute.value.as_ref();
        let value = unescape(raw).unwrap_or(raw.into());
        (attribute.key.as_ref().to_owned(), one_line(value.trim()))
    };
    attributes.flatten().map(field).collect()
}

/// Returns the encoding that the first line of a file names.
fn declared(start: &[u8]) -> Option<CodePage> {
    let text = String::from_utf8_lossy(start);
    let (line, _) = text.split_once("?>")?;
    let (_, name) = line.split_once("encoding=")?;
    let quote = name.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    name[1..].split(quote).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Known};
    use tengen_core::rules::Rule;

    const TABLES: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<database>\n<players>\
        <player id=\"3\" name=\"Ando\" surname=\"Meritee\"/><player id=\"4\" surname=\"a &amp; b\"/></players>\n\
        <cities><city id=\"7\" name=\"Tallinn\"/></cities>\n\
        <rules><rule id=\"1\" name=\"Soos\u{f5}rv-8\"><info>x</info></rule></rules>\n\
        <openings><opening id=\"4\" name=\"D4\" abbr=\"d4\"/></openings>\n\
        <tournaments><tournament id=\"1\" name=\"World\" city=\"7\" year=\"2005\" month=\"8\"/>\
        </tournaments>\n<games>\n";
    const GAME: &str = "<game id=\"1\" tournament=\"1\" round=\"2\" rule=\"1\" black=\"3\" white=\"4\" \
        bresult=\"0.5\" opening=\"4\" alt=\"g8\" swap=\"0\"><move>h8 h7\n g7</move><info>a &lt;b&gt;</info></game>\n";

    fn parse(bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
        crate::records::read(bytes, Format::Rif, Known::default())
    }

    #[test]
    fn text_goes_on_after_an_element_within_it() {
        let game = "<game id=\"1\"><move>h8 <x>h9</x> i9</move><info>good <b>move</b> by black</info></game>";
        let text = format!("{TABLES}{game}</games></database>");
        let records = parse(text.as_bytes()).unwrap();
        assert_eq!(records[0].comment, "good move by black");
        let cells: Vec<String> = records[0].points().map(|point| point.to_string()).collect();
        assert_eq!(cells.first().map(String::as_str), Some("h8"));
        assert_eq!(cells.last().map(String::as_str), Some("i7"));
    }

    #[test]
    fn numbers_are_names_of_the_tables() {
        let text = format!(
            "{TABLES}{GAME}<game id=\"2\" black=\"9\" bresult=\"1\"/>\n</games></database>"
        );
        let records = parse(text.as_bytes()).unwrap();
        let record = &records[0];
        assert_eq!(record.players.0, ["Ando Meritee", "a & b"]);
        assert_eq!((record.event.as_str(), record.date.as_str()), ("World", "2005-08"));
        assert_eq!((record.round.as_str(), record.result), ("2", Some(GameResult::Draw)));
        assert_eq!(record.rule, Some(Rule::Renju));
        assert_eq!(record.comment, "a <b>\nrule: Soos\u{f5}rv-8\nalt: g8");
        let cells: Vec<String> = record.points().map(|point| point.to_string()).collect();
        assert_eq!(cells, ["h8", "h9", "g9"], "rows of the file count from the bottom");
        let note = |name: &str| record.notes.get(name).and_then(|note| note.texts().next());
        assert_eq!((note("PC").as_deref(), note("ON").as_deref()), (Some("Tallinn"), Some("D4")));
        assert_eq!(records[1].players.0, ["player 9", ""]);
        assert_eq!(records[1].result, Some(GameResult::Win(Color::Black)));
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let latin_text = text.replace("utf-8", "iso-8859-1");
        let declared: Vec<u8> = latin_text.chars().map(|c| c as u8).collect();
        assert_eq!(parse(&declared), Ok(records.clone()));
        assert_eq!(parse(&latin), Ok(records), "what is not UTF-8 is what is likely");
    }

    #[test]
    fn a_bad_game_is_one_and_bad_xml_is_the_end() {
        let game = |moves: &str| format!("<game id=\"1\"><move>{moves}</move></game>\n");
        let text = format!("<games>\n{}{}{}<a", game("h8"), game("h8 h8"), game("h8 h9"));
        let known = Known::default();
        let games = crate::records::GameStream::new(text.as_bytes(), Format::Rif, known).unwrap();
        let told: Vec<String> = games
            .map(|game| match game {
                Ok(game) => game.record.moves.len().to_string(),
                Err(error) => error.to_string(),
            })
            .collect();
        assert_eq!(told.len(), 4, "{told:?}");
        assert_eq!((&*told[0], &*told[2]), ("1", "2"));
        assert_eq!(told[1], "3:23: expected an empty cell");
        assert!(told[3].starts_with("5:1: expected XML ("), "{told:?}");
    }
}
