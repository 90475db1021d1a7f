//! A position of a game as a picture.

use super::{Move, MoveKind, Record};
use tengen_core::notation::Origin;
use tengen_core::rules::{PlayError, Rule, Run, winning_runs};
use tengen_core::types::{Cell, Color, Point, Size};

/// The distance between two lines, in the units of the picture.
const CELL: u32 = 32;
/// The distance of the outermost lines from the edge of the picture; coordinates stand there.
const MARGIN: u32 = 40;
/// The radius of a stone.
const RADIUS: u32 = 14;
/// The distance of the foot of a text below the place it is centred on. Not every program that
/// draws pictures knows another way to centre a text.
const FOOT: &str = "dy=\"0.36em\"";
/// The colour of what is marked.
const MARK: &str = "#d00";

/// The choices of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SvgOptions {
    /// The number of moves to show; more than there are means all.
    pub moves: usize,
    /// The number of first moves whose stones have no number. The next one is 1.
    pub unnumbered: usize,
    /// The edge from which rows are counted.
    pub origin: Origin,
}

impl Default for SvgOptions {
    /// Returns the options that show all moves with their numbers.
    fn default() -> SvgOptions {
        SvgOptions { moves: usize::MAX, unnumbered: 0, origin: Origin::Top }
    }
}

/// Draws the board after some moves: stones with numbers, white ones with a ring inside, the last
/// one with a red rim, and a line through five that have won. The same record always gives the same
/// text.
///
/// # Errors
///
/// Returns an error if one of the moves is off the board or on an occupied cell.
///
/// ```
/// use tengen_core::types::Size;
/// use tengen_files::records::{Record, SvgOptions, svg};
///
/// let size = Size::square(15)?;
/// let picture = svg(&Record::of_points(size, &[size.center()]), &SvgOptions::default())?;
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(record: &Record, options: &SvgOptions) -> Result<String, PlayError> {
    let size = record.size;
    let board = record.board_after(options.moves)?;
    let moves = &record.moves[..options.moves.min(record.moves.len())];
    let (right, bottom) = (at(size.width() - 1), at(size.height() - 1));
    let (width, height) = (right + MARGIN, bottom + MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" \
         text-anchor=\"middle\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f2d6a0\"/>\n",
        escape(&title(record))
    );
    push_grid(&mut text, size, options.origin);
    // Under a rule that is not known, five and more are taken for a win.
    let rule = record.rule.unwrap_or(Rule::Freestyle);
    let last = moves.last();
    let runs: Vec<Run> = last
        .and_then(|last| Some(winning_runs(&board, last.point()?, last.color, rule).collect()))
        .unwrap_or_default();
    for run in &runs {
        push_winning_line(&mut text, *run);
    }
    let played = shown(moves);
    for point in size.points().filter(|&point| !played.iter().any(|(_, cell, _)| *cell == point)) {
        // Nobody played the stones that were set up.
        if let Cell::Stone(color) = board.cell(point) {
            push_stone(&mut text, point, color, runs.iter().any(|run| run.contains(point)));
        }
    }
    for (i, point, color) in played {
        let is_marked = i + 1 == moves.len() || runs.iter().any(|run| run.contains(point));
        push_stone(&mut text, point, color, is_marked);
        if let Some(number) = (i + 1).checked_sub(options.unnumbered).filter(|&n| n > 0) {
            let (x, y) = (at(point.x()), at(point.y()));
            let ink = if color == Color::Black { "#fff" } else { "#000" };
            text.push_str(&format!(
                "<text x=\"{x}\" y=\"{y}\" {FOOT} fill=\"{ink}\">{number}</text>\n"
            ));
        }
    }
    text.push_str("</svg>\n");
    Ok(text)
}

/// Returns the stones that were played and are still there, each with the index of its move.
fn shown(moves: &[Move]) -> Vec<(usize, Point, Color)> {
    let mut played: Vec<(usize, Point, Color)> = Vec::new();
    for (i, m) in moves.iter().enumerate() {
        match m.kind {
            MoveKind::Stone(point) => played.push((i, point, m.color)),
            MoveKind::Pass => {}
            MoveKind::SetUp => {
                let cells = &m.arrangement().cells;
                let is_changed = |cell: Point| cells.iter().any(|(point, _)| *point == cell);
                played.retain(|(_, cell, _)| !is_changed(*cell));
            }
        }
    }
    played
}

/// Returns the place of a line of the board.
fn at(i: u8) -> u32 {
    MARGIN + CELL * u32::from(i)
}

/// Adds the lines of the board, their names and the star points.
fn push_grid(text: &mut String, size: Size, origin: Origin) {
    let (right, bottom) = (at(size.width() - 1), at(size.height() - 1));
    let mut path = String::new();
    for x in 0..size.width() {
        path.push_str(&format!("M{} {MARGIN}V{bottom}", at(x)));
    }
    for y in 0..size.height() {
        path.push_str(&format!("M{MARGIN} {}H{right}", at(y)));
    }
    text.push_str(&format!("<path d=\"{path}\" stroke=\"#000\" fill=\"none\"/>\n"));
    for (x, y) in star_points(size) {
        let (x, y) = (at(x), at(y));
        text.push_str(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"6\" height=\"6\"/>\n",
            x - 3,
            y - 3
        ));
    }
    let name = MARGIN / 3;
    for x in 0..size.width() {
        let letter = char::from(b'a' + x);
        text.push_str(&format!("<text x=\"{}\" y=\"{name}\" {FOOT}>{letter}</text>\n", at(x)));
    }
    for y in 0..size.height() {
        let row = origin.row(y, size);
        text.push_str(&format!("<text x=\"{name}\" y=\"{}\" {FOOT}>{row}</text>\n", at(y)));
    }
}

/// Returns the cells that boards mark: the fourth from two edges (the third on small boards), and
/// the middle where there is one.
fn star_points(size: Size) -> Vec<(u8, u8)> {
    let (width, height) = (size.width(), size.height());
    let mut points = Vec::new();
    if width >= 9 && height >= 9 {
        let from_edge = |edge: u8| if edge >= 13 { 3 } else { 2 };
        let (dx, dy) = (from_edge(width), from_edge(height));
        for y in [dy, height - 1 - dy] {
            points.extend([dx, width - 1 - dx].map(|x| (x, y)));
        }
    }
    if width % 2 == 1 && height % 2 == 1 {
        points.push((width / 2, height / 2));
    }
    points
}

/// Adds a line under the stones of a run that sticks out at both ends.
fn push_winning_line(text: &mut String, run: Run) {
    let points: Vec<Point> = run.points().collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let beyond = |from: u8, to: u8| {
        let out = CELL * 5 / 8;
        match from.cmp(&to) {
            std::cmp::Ordering::Less => (at(from) - out, at(to) + out),
            std::cmp::Ordering::Equal => (at(from), at(to)),
            std::cmp::Ordering::Greater => (at(from) + out, at(to) - out),
        }
    };
    let ((x1, x2), (y1, y2)) = (beyond(first.x(), last.x()), beyond(first.y(), last.y()));
    text.push_str(&format!(
        "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{MARK}\" stroke-width=\"6\" \
         stroke-linecap=\"round\"/>\n"
    ));
}

/// Adds a stone. The colours differ in shape too: a white stone has a ring inside.
fn push_stone(text: &mut String, point: Point, color: Color, is_marked: bool) {
    let (x, y) = (at(point.x()), at(point.y()));
    let fill = if color == Color::Black { "#000" } else { "#fff" };
    let rim = if is_marked { format!("{MARK}\" stroke-width=\"3") } else { "#000".to_owned() };
    text.push_str(&format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" stroke=\"{rim}\"/>\n"
    ));
    if color == Color::White {
        let inner = RADIUS - 3;
        text.push_str(&format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{inner}\" fill=\"none\" stroke=\"#999\"/>\n"
        ));
    }
}

/// Returns the names of the players, or else of the event.
fn title(record: &Record) -> String {
    let name = |color| match record.players[color].as_str() {
        "" => "?",
        name => name,
    };
    match (record.players.0.iter().all(String::is_empty), record.event.as_str()) {
        (true, event) if !event.is_empty() => event.to_owned(),
        _ => format!("{} - {}", name(Color::Black), name(Color::White)),
    }
}

/// Returns a text as XML: with entities, and with marks for what XML cannot hold.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() && !matches!(c, '\t' | '\n') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::types::ByColor;

    fn all(record: &Record) -> String {
        svg(record, &SvgOptions::default()).unwrap()
    }

    #[test]
    fn stones_are_numbered_and_names_escaped() {
        let size = Size::new(20, 15).unwrap();
        let points = [size.point(0, 0).unwrap(), size.point(19, 14).unwrap()];
        let mut record = Record::of_points(size, &points);
        record.players = ByColor(["<a & \"b\">\u{1}".to_owned(), String::new()]);
        let text = all(&record);
        assert!(
            text.contains("<title>&lt;a &amp; &quot;b&quot;&gt;\u{fffd} - ?</title>"),
            "{text}"
        );
        assert!(
            text.starts_with(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"688\" height=\"528\""
            )
        );
        assert!(
            text.contains("<circle cx=\"40\" cy=\"40\" r=\"14\" fill=\"#000\" stroke=\"#000\"/>")
        );
        assert!(
            text.contains("<circle cx=\"648\" cy=\"488\" r=\"14\" fill=\"#fff\" stroke=\"#d00\"")
        );
        assert_eq!(text.matches("<text").count(), 20 + 15 + 2);
        assert_eq!(text, svg(&record, &SvgOptions { moves: 2, ..SvgOptions::default() }).unwrap());
        let one = svg(&record, &SvgOptions { moves: 1, ..SvgOptions::default() }).unwrap();
        assert_eq!(one.matches("r=\"14\"").count(), 1);
        record.moves[1].kind = MoveKind::Stone(points[0]);
        assert!(svg(&record, &SvgOptions::default()).is_err());
    }

    #[test]
    fn the_colours_of_stones_differ_in_shape_and_texts_are_centred_everywhere() {
        let size = Size::DEFAULT;
        let points: Vec<Point> = size.points().take(3).collect();
        let text = all(&Record::of_points(size, &points));
        assert_eq!(text.matches("r=\"11\"").count(), 1, "the white stone alone has a ring");
        assert_eq!(text.matches("dy=\"0.36em\"").count(), text.matches("<text").count());
        assert!(!text.contains("dominant-baseline"));
    }

    #[test]
    fn stones_before_a_solution_have_no_numbers() {
        let size = Size::DEFAULT;
        let points: Vec<Point> = size.points().take(5).collect();
        let record = Record::of_points(size, &points);
        let text = svg(&record, &SvgOptions { unnumbered: 3, ..SvgOptions::default() }).unwrap();
        assert_eq!(text.matches("<text").count(), 15 + 15 + 2);
        assert!(text.contains("fill=\"#000\">1</text>") && text.contains("fill=\"#fff\">2</text>"));
    }

    #[test]
    fn the_winning_line_is_marked_if_it_is_there() {
        let size = Size::DEFAULT;
        let at = |x, y| size.point(x, y).unwrap();
        let points: Vec<Point> = (0..9).map(|i| at(3 + i / 2, 3 + i / 2 + 5 * (i % 2))).collect();
        let mut record = Record::of_points(size, &points);
        record.rule = Some(Rule::Renju);
        let text = all(&record);
        assert!(text.contains("<path d=\"M116 116L284 284\" stroke=\"#d00\""), "{text}");
        assert_eq!(text.matches("stroke=\"#d00\" stroke-width=\"3\"").count(), 5);
        let text = svg(&record, &SvgOptions { moves: 8, ..SvgOptions::default() }).unwrap();
        assert_eq!(text.matches("#d00").count(), 1, "only the last stone");
    }

    #[test]
    fn rows_are_counted_from_where_it_is_asked_and_boards_have_star_points() {
        let record = Record::new(Size::DEFAULT);
        let bottom = SvgOptions { origin: Origin::Bottom, ..SvgOptions::default() };
        let text = svg(&record, &bottom).unwrap();
        assert!(text.contains("y=\"40\" dy=\"0.36em\">15</text>"), "{text}");
        assert!(all(&record).contains("y=\"40\" dy=\"0.36em\">1</text>"));
        assert_eq!(star_points(Size::DEFAULT), [(3, 3), (11, 3), (3, 11), (11, 11), (7, 7)]);
        assert_eq!(star_points(Size::square(20).unwrap()), [(3, 3), (16, 3), (3, 16), (16, 16)]);
        assert_eq!(star_points(Size::square(5).unwrap()), [(2, 2)]);
    }
}
