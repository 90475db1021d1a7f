//! The replies of the engine.

use std::fmt::{self, Write as _};

use super::info::Coordinates;
use super::study::StudyTopic;
use tengen_core::eval::WinDrawLoss;
use tengen_core::search::{Report, Variation};
use tengen_core::types::{Point, Size};

/// The longest line that is ever written, in bytes, with its line end.
pub const MAX_OUTPUT_LINE: usize = 2000;

/// The answer to `ABOUT`. Signs that managers split the line at are replaced in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
    /// The author.
    pub author: String,
}

impl Default for Introduction {
    /// Introduces tengen.
    fn default() -> Introduction {
        Introduction {
            name: super::NAME.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            author: format!("the {} developers", super::NAME),
        }
    }
}

/// One line of output.
///
/// Its spelling is never empty, has no blank at either end, is printable ASCII and with its line
/// end no longer than [`MAX_OUTPUT_LINE`]; but what a database holds may be UTF-8, its texts and studies may be
/// longer, and texts of several lines, which only boards that ask for them read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `OK`.
    Ok,
    /// A move: `7,7`.
    Move(Point),
    /// Several moves on one line: `7,7 8,8`.
    Moves(Vec<Point>),
    /// `SWAP`: the engine takes the other colour.
    Swap,
    /// `ERROR text`.
    Error(String),
    /// `UNKNOWN command word`.
    Unknown(String),
    /// `MESSAGE text`.
    Message(String),
    /// `INFO key value`; only for managers that asked for such lines.
    Info(String),
    /// The name, version and author of the engine.
    About(Introduction),
    /// `MESSAGE DATABASE text`: what a database knows.
    Database(String),
    /// `MESSAGE DATABASE text`: the progress of opening and saving, for the newer board only.
    DatabaseDialog(String),
    /// `MESSAGE DATABASE TEXT "text"`: the text on a position.
    DatabaseText(String),
    /// `MESSAGE` with a word and an object of JSON, as long as it is: what a study says.
    Study(StudyTopic, String),
    /// The points where black may not play, for managers of the Yixin family.
    Forbid(Vec<Point>),
}

impl Reply {
    /// Returns the line with its line end, ready to be written at once.
    #[must_use]
    pub fn to_line(&self) -> String {
        format!("{self}\n")
    }
}

impl fmt::Display for Reply {
    /// Writes the line without its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Move(point) => write!(f, "{},{}", point.x(), point.y()),
            Reply::Moves(points) if points.is_empty() => f.write_str("ERROR no move"),
            Reply::Moves(points) => {
                for (i, point) in points.iter().enumerate() {
                    let blank = if i == 0 { "" } else { " " };
                    write!(f, "{blank}{},{}", point.x(), point.y())?;
                }
                Ok(())
            }
            Reply::Swap => f.write_str("SWAP"),
            // Some managers search every line for numbers around a comma.
            Reply::Error(text) => free_text(f, "ERROR", &harmless(text, ';')),
            Reply::Unknown(word) => free_text(f, "UNKNOWN command", &harmless(word, '?')),
            Reply::Message(text) => free_text(f, "MESSAGE", text),
            Reply::Info(text) => free_text(f, "INFO", text),
            Reply::Database(text) | Reply::DatabaseDialog(text) => {
                let text: String = text.trim().chars().filter(|c| !c.is_control()).collect();
                write!(f, "MESSAGE DATABASE {text}")
            }
            Reply::DatabaseText(text) => {
                f.write_str("MESSAGE DATABASE TEXT \"")?;
                for c in text.chars().filter(|&c| matches!(c, '\n' | '\t') || !c.is_control()) {
                    if matches!(c, '"' | '\\') {
                        f.write_char('\\')?;
                    }
                    f.write_char(c)?;
                }
                f.write_char('"')
            }
            Reply::Study(topic, json) => {
                write!(f, "MESSAGE {} ", topic.word())?;
                // Whatever is not ASCII is in its texts.
                json.chars().try_for_each(|c| match c {
                    ' '..='~' => f.write_char(c),
                    c => c
                        .encode_utf16(&mut [0; 2])
                        .iter()
                        .try_for_each(|unit| write!(f, "\\u{unit:04x}")),
                })
            }
            Reply::About(Introduction { name, version, author }) => {
                let [name, version, author] = [name, version, author].map(|text| of_field(text));
                write!(
                    f,
                    "name=\"{name}\", version=\"{version}\", author=\"{author}\", country=\"none\""
                )
            }
            Reply::Forbid(points) => {
                f.write_str("FORBID ")?;
                for point in points.iter().take((MAX_OUTPUT_LINE - 9) / 4) {
                    write!(f, "{:02}{:02}", point.x(), point.y())?;
                }
                f.write_str(".")
            }
        }
    }
}

/// The longest text in an introduction, in characters.
const MOST_OF_FIELD: usize = 60;

/// Returns a text as the value of a field: managers split the line at commas, quotes and equals signs.
fn of_field(text: &str) -> String {
    let harmless = |c: char| match c {
        ',' | '=' | '"' => '-',
        ' '..='~' => c,
        _ => '?',
    };
    let text: String = text.trim().chars().map(harmless).take(MOST_OF_FIELD).collect();
    if text.is_empty() { "unknown".to_owned() } else { text }
}

/// Writes a keyword and a text, which is cut, cleaned and never empty.
fn free_text(f: &mut fmt::Formatter<'_>, keyword: &str, text: &str) -> fmt::Result {
    let room = MAX_OUTPUT_LINE - keyword.len() - 2;
    let printable = |c: char| match c {
        ' '..='~' => c,
        c if c.is_control() => ' ',
        _ => '?',
    };
    let text: String = text.trim().chars().map(printable).take(room).collect();
    match text.trim() {
        "" => write!(f, "{keyword} without text"),
        text => write!(f, "{keyword} {text}"),
    }
}

/// Replaces the commas of a text and hides a leading number.
fn harmless(text: &str, comma: char) -> String {
    let text = text.trim().replace(',', &comma.to_string());
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        format!("text {text}")
    } else {
        text
    }
}

/// The names of cells in texts for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels {
    /// The order of the two numbers of a cell.
    pub coordinates: Coordinates,
    /// The size of the board.
    pub size: Size,
}

impl Labels {
    /// Returns the name of a cell as the manager's board shows it: the letter of the column, and
    /// the row counted from 1, from the top or, on the boards that send the row first, from below.
    #[must_use]
    pub fn label(&self, point: Point) -> String {
        match self.coordinates {
            Coordinates::ColumnRow => point.to_string().to_ascii_uppercase(),
            Coordinates::RowColumn => {
                let letter = char::from(b'A' + point.y());
                format!("{letter}{}", self.size.width().saturating_sub(point.x()))
            }
        }
    }

    /// Spells as many moves as fit on a line after `used` bytes, blanks between them.
    #[must_use]
    pub fn spell(&self, pv: &[Point], mut used: usize) -> String {
        let mut line = String::new();
        for &point in pv {
            let label = self.label(point);
            used += 1 + label.len();
            if used >= MAX_OUTPUT_LINE {
                break;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&label);
        }
        line
    }
}

/// Spells a line of a search as the text of a [`Reply::Message`], in the field order that
/// managers know: `depth 12-20 ev 35 n 1500K n/ms 640 tm 2345 pv H8 I9`.
///
/// `index` is its place among several lines, counted from 0 and written from the second on. The
/// chances, if there are any, are told in percent after the score: `ev 35 w 56.7 d 6.9 n 1500K`, to
/// win with a draw as half a win, and to draw. A line too long for [`MAX_OUTPUT_LINE`] loses its last
/// moves.
#[must_use]
pub fn search_line(
    report: &Report,
    index: usize,
    variation: &Variation,
    chances: Option<WinDrawLoss>,
    labels: Labels,
) -> String {
    let mut line = format!("depth {}-{}", variation.depth, variation.seldepth);
    // Writing to a string can't fail.
    if index > 0 {
        let _ = write!(line, " multipv {}", index + 1);
    }
    let ms = u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX);
    let _ = write!(line, " ev {}", variation.score);
    if let Some(chances) = chances {
        let _ = write!(line, " w {:.1} d {:.1}", 100.0 * chances.points(), 100.0 * chances.draw);
    }
    let _ = write!(
        line,
        " n {} n/ms {} tm {ms} pv",
        Count(report.nodes),
        Count(report.nodes / ms.max(1)),
    );
    let used = "MESSAGE ".len() + line.len();
    let _ = write!(line, " {}", labels.spell(&variation.pv, used));
    line
}

/// A count, shortened to thousands, millions or billions where it has more than four digits.
struct Count(u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n @ 0..10_000 => write!(f, "{n}"),
            n @ 10_000..10_000_000 => write!(f, "{}K", n / 1000),
            n @ 10_000_000..10_000_000_000 => write!(f, "{}M", n / 1_000_000),
            n => write!(f, "{}G", n / 1_000_000_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use tengen_core::eval::WinModel;
    use tengen_core::types::{Ply, Score, Size};

    fn at(x: i64, y: i64) -> Point {
        Size::square(22).unwrap().point(x, y).unwrap()
    }

    fn report(nodes: u64) -> Report {
        let (elapsed, lines) = (Duration::from_millis(2345), vec![variation()]);
        Report { nodes, elapsed, lines, win_model: WinModel::new(200, 0) }
    }

    fn variation() -> Variation {
        let pv = vec![at(7, 7), at(8, 8)];
        Variation { depth: 12, seldepth: 20, score: Score::eval(35), pv }
    }

    fn labels(coordinates: Coordinates) -> Labels {
        Labels { coordinates, size: Size::new(15, 20).unwrap() }
    }

    fn line(nodes: u64, index: usize, variation: &Variation) -> String {
        search_line(&report(nodes), index, variation, None, labels(Coordinates::ColumnRow))
    }

    #[test]
    fn cells_are_named_as_the_board_of_the_manager_names_them() {
        let label = |coordinates, x, y| labels(coordinates).label(at(x, y));
        assert_eq!(label(Coordinates::ColumnRow, 3, 0), "D1");
        assert_eq!(label(Coordinates::RowColumn, 0, 3), "D15");
        assert_eq!(label(Coordinates::RowColumn, 14, 19), "T1");
    }

    #[test]
    fn replies_are_spelled_as_managers_expect() {
        let lines = [
            (Reply::Ok, "OK"),
            (Reply::Move(at(7, 12)), "7,12"),
            (Reply::Moves(vec![at(7, 7), at(8, 6), at(0, 0)]), "7,7 8,6 0,0"),
            (Reply::Swap, "SWAP"),
            (Reply::Error("board is full".into()), "ERROR board is full"),
            (Reply::Unknown("FOOBAR".into()), "UNKNOWN command FOOBAR"),
            (Reply::Unknown("7,7".into()), "UNKNOWN command text 7?7"),
            (Reply::Message("depth 3".into()), "MESSAGE depth 3"),
            (Reply::Forbid(vec![]), "FORBID ."),
            (Reply::Forbid(vec![at(9, 12), at(10, 11)]), "FORBID 09121011."),
        ];
        for (reply, line) in lines {
            assert_eq!(reply.to_string(), line);
            assert_eq!(reply.to_line(), format!("{line}\n"));
        }
    }

    #[test]
    fn the_about_line_can_be_split_at_commas_and_equals_signs() {
        let own = Introduction::default();
        let line = Reply::About(own.clone()).to_string();
        assert!(line.starts_with("name=\"tengen\", version=\""), "{line}");
        let odd = Introduction { name: " a=\"b\", ё".into(), version: String::new(), ..own };
        let odd = Reply::About(odd).to_string();
        assert!(odd.starts_with("name=\"a--b-- ?\", version=\"unknown\", author=\"the "), "{odd}");
        for field in line.split(", ") {
            let (key, value) = field.split_once('=').unwrap();
            assert!(key.bytes().all(|b| b.is_ascii_lowercase()), "{field}");
            let value = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap();
            assert!(!value.is_empty() && !value.contains([',', '=', '"']), "{field}");
        }
    }

    #[test]
    fn search_lines_have_the_known_field_order() {
        let first = line(1_500_800, 0, &variation());
        assert_eq!(first, "depth 12-20 ev 35 n 1500K n/ms 640 tm 2345 pv H8 I9");
        let second = Variation { score: Score::loss_in(Ply(4)), ..variation() };
        let second = line(1_500_800, 1, &second);
        assert_eq!(second, "depth 12-20 multipv 2 ev -M4 n 1500K n/ms 640 tm 2345 pv H8 I9");
        let won = Variation { score: Score::win_in(Ply(5)), ..variation() };
        assert_eq!(line(7, 0, &won), "depth 12-20 ev +M5 n 7 n/ms 0 tm 2345 pv H8 I9");
        let chances = WinDrawLoss { win: 0.5324, draw: 0.0692, loss: 0.3984 };
        let labels = labels(Coordinates::ColumnRow);
        let told = search_line(&report(7), 0, &variation(), Some(chances), labels);
        assert_eq!(told, "depth 12-20 ev 35 w 56.7 d 6.9 n 7 n/ms 0 tm 2345 pv H8 I9");
    }

    #[test]
    fn long_variations_are_cut_between_moves() {
        let long = Variation { pv: vec![at(21, 21); 2000], ..variation() };
        let line = Reply::Message(line(5, 0, &long)).to_line();
        assert!((1990..=MAX_OUTPUT_LINE).contains(&line.len()), "{}", line.len());
        assert!(line.ends_with(" V22\n"));
    }

    #[test]
    fn counts_have_at_most_four_digits_or_a_unit() {
        let counts =
            [(9_999, "9999"), (10_000, "10K"), (10_000_000, "10M"), (u64::MAX, "18446744073G")];
        for (count, text) in counts {
            assert_eq!(Count(count).to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_line_discipline(text in "(?s).{0,3000}", kind in 0..3) {
            let reply = match kind {
                0 => Reply::Error(text),
                1 => Reply::Unknown(text),
                _ => Reply::Message(text),
            };
            let line = reply.to_line();
            let body = line.strip_suffix('\n').unwrap();
            prop_assert!(line.len() <= MAX_OUTPUT_LINE);
            prop_assert!(body.bytes().all(|b| (b' '..=b'~').contains(&b)));
            prop_assert_eq!(body.trim(), body);
            prop_assert!(body.split_once(' ').is_some_and(|(_, text)| !text.is_empty()));
            prop_assert!(kind == 2 || !body.contains(','));
        }
    }
}
