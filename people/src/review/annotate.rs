//! Reviews as records: comments, marks and variations that other programs show.

use super::report::ReviewedGame;
use super::{Assessment, MoveClass, MoveReview};
use crate::explain::{Remark, remarks};
use crate::review::INACCURACY_LOSS;
use tengen_core::notation::Origin;
use tengen_core::position::Position;
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::{Move, Note, Notes, Record, VariationLine};

/// The most moves of a variation.
const MOST_OF_LINE: usize = 30;

/// Properties of which a node has one at most: what is thought of the move, and of the position.
const ONE_OF: [&[&str]; 2] = [&["BM", "DO", "IT", "TE"], &["DM", "GB", "GW", "UC"]];

/// Marks of which a cell has one at most.
const MARKS_OF_CELLS: [&str; 5] = ["CR", "MA", "SL", "SQ", "TR"];

/// Returns the record of a game with what its review says of the moves.
///
/// In the terms of the Smart Game Format: the value of a position (V) is from 100, black wins, to
/// -100. A blunder is a very bad move (BM\[2\]), a mistake and a missed win are bad ones (BM\[1\]), an
/// inaccuracy is doubtful (DO); a move is good (TE) if it was the only one to keep what there was.
/// Cells that remarks name have circles, the turning point is a hotspot (HO), the move that lost the
/// game for good is good for the other side (GB, GW), and a mistake has a variation with the better
/// line.
///
/// Existing content of the record stays, ahead of that. Of the marks that exclude each other in a node (BM,
/// DO, IT and TE for the move; GB, GW, DM and UC for the position) the review's replaces the record's;
/// where the review has none, the record's stays. Circles join those that were there, and leave out
/// cells with another mark.
#[must_use]
pub fn annotated(game: &ReviewedGame<'_>, made: &str) -> Record {
    let &ReviewedGame { record, review, task, .. } = game;
    let mut annotated = record.clone();
    add_line(&mut annotated.comment, &summary(game, made));
    let mut position = task.position_after(review.skipped);
    for (i, m) in review.moves.iter().enumerate() {
        let before = &review.positions[i];
        let target = &mut annotated.moves[m.ply - 1];
        add_line(target.comment_mut(), &comment(game, m));
        let marks = marks(game, i, m, before);
        let excludes = |mark: &Note, name: &str| {
            let mark = mark.name();
            mark == name || ONE_OF.iter().any(|kind| kind.contains(&mark) && kind.contains(&name))
        };
        let circles = circles(m, target.notes(), task.size());
        let marks: Vec<Note> = marks.into_iter().chain(circles).collect();
        target.notes_mut().retain(|name| !marks.iter().any(|mark| excludes(mark, name)));
        target.notes_mut().extend(marks);
        if m.has_better() && !m.line.is_empty() {
            let line = better(game, m, before, &mut position);
            let is_there =
                |other: &VariationLine| other.first().and_then(Move::point) == Some(m.best());
            if !target.variations().iter().any(is_there) {
                target.variations_mut().push(line);
            }
        }
        position.play_unchecked(m.point);
    }
    annotated
}

/// Adds a line to a text unless it is there already.
fn add_line(text: &mut String, line: &str) {
    if text.ends_with(line) {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// Returns how the game was reviewed, and how well it was played.
fn summary(game: &ReviewedGame<'_>, made: &str) -> String {
    let review = game.review;
    let mut text = made.to_owned();
    for color in Color::ALL {
        text.push_str(&format!("\nAccuracy of {color}: {}", review.accuracy_words(color)));
    }
    text
}

/// Returns what there is to say of a move.
fn comment(game: &ReviewedGame<'_>, m: &MoveReview) -> String {
    let percent = |points: f64| format!("{:.0}", 100.0 * points);
    let (before, after) = (percent(m.before.points()), percent(m.after.points()));
    let chances = if before == after {
        format!("{after} % for {}", m.color)
    } else {
        format!("{before} -> {after} % for {}", m.color)
    };
    let mut text = format!("{}: {chances}", m.class.words());
    let words = words(game, &m.remarks);
    if !words.is_empty() {
        text.push_str(&format!("\n{words}"));
    }
    if m.class.is_fault() {
        text.push_str(&format!("\nBetter: {}", cell(game, m.best())));
    }
    text
}

/// Returns the line that would have been better.
fn better(
    game: &ReviewedGame<'_>,
    m: &MoveReview,
    before: &Assessment,
    position: &mut Position,
) -> Vec<Move> {
    let promised = remarks(position, m.best());
    let promised: Vec<Remark> = promised.into_iter().filter(|remark| !remark.is_fault()).collect();
    let chances = before.line_chances.unwrap_or(before.chances);
    let mut comment = format!("{:.0} % for {}", 100.0 * chances.points(), m.color);
    let wins = before.proven.filter(|proven| proven.winner == m.color);
    if let Some(proven) = wins.filter(|_| before.line_chances.is_none()) {
        comment = format!("wins {}", proven.ahead());
    }
    let words = words(game, &promised);
    if !words.is_empty() {
        comment.push_str(&format!("\n{words}"));
    }
    let colors = [m.color, !m.color].into_iter().cycle();
    let points = m.line.iter().take(MOST_OF_LINE);
    let mut line: Vec<Move> =
        points.zip(colors).map(|(&point, color)| Move::new(point, color)).collect();
    line[0].set_comment(comment);
    line
}

/// Returns the marks of a move.
fn marks(game: &ReviewedGame<'_>, index: usize, m: &MoveReview, before: &Assessment) -> Vec<Note> {
    let review = game.review;
    let black = match m.color {
        Color::Black => m.after.points(),
        Color::White => 1.0 - m.after.points(),
    };
    // No minus before a rounded nothing.
    let value = (2000.0 * black - 1000.0).round() / 10.0 + 0.0;
    let mut notes = vec![Note::new("V", &[&value.to_string()])];
    // The best of the others is the first candidate.
    let other = before.candidates.first().map(|candidate| candidate.chances.points());
    let is_only = other.is_some_and(|other| before.chances.points() - other >= INACCURACY_LOSS);
    match m.class {
        MoveClass::Blunder => notes.push(Note::new("BM", &["2"])),
        MoveClass::Mistake | MoveClass::MissedWin => notes.push(Note::new("BM", &["1"])),
        MoveClass::Inaccuracy => notes.push(Note::new("DO", &[""])),
        MoveClass::Best if is_only && before.best() == Some(m.point) => {
            notes.push(Note::new("TE", &["1"]));
        }
        _ => {}
    }
    if review.turning_point == Some(index) {
        notes.push(Note::new("HO", &["1"]));
    }
    if review
        .lost
        .is_some_and(|lost| lost.after == review.skipped + index + 1 && lost.loser == m.color)
    {
        let name = if m.color == Color::Black { "GW" } else { "GB" };
        notes.push(Note::new(name, &["2"]));
    }
    notes
}

/// Returns the circles of a move that has these notes: those that are there, and the cells that remarks
/// name and that have no other mark; `None` if there are no such cells.
fn circles(m: &MoveReview, notes: &Notes, size: Size) -> Option<Note> {
    let (circled, others): (Vec<Note>, Vec<Note>) = notes
        .iter()
        .filter(|note| MARKS_OF_CELLS.contains(&note.name()))
        .partition(|note| note.name() == "CR");
    let cells = |notes: Vec<Note>| -> Vec<Point> {
        notes.iter().flat_map(|note| cells_of(note, size)).collect()
    };
    let marked = cells(others);
    let mut named: Vec<Point> = m.remarks.iter().filter_map(|remark| remark.cell()).collect();
    named.retain(|cell| !marked.contains(cell));
    if named.is_empty() {
        return None;
    }
    named.extend(cells(circled));
    named.sort();
    named.dedup();
    Some(Note::of_cells("CR", &named))
}

/// Returns the cells of a note, which may name rectangles by two corners.
fn cells_of(note: &Note, size: Size) -> Vec<Point> {
    let place = |text: &str| match text.trim().as_bytes() {
        &[x, y] => Some((x.checked_sub(b'a')?, y.checked_sub(b'a')?)),
        _ => None,
    };
    let of_value = |value: String| {
        let (first, last) = value.split_once(':').unwrap_or((&value, &value));
        let corners = place(first).zip(place(last));
        let cells = corners.map(|((left, top), (right, bottom))| {
            let rows = top..=bottom.min(size.height());
            rows.flat_map(move |y| (left..=right.min(size.width())).map(move |x| (x, y)))
        });
        cells
            .into_iter()
            .flatten()
            .filter_map(|(x, y)| size.point(x.into(), y.into()))
            .collect::<Vec<Point>>()
    };
    note.texts().flat_map(of_value).collect()
}

fn words(game: &ReviewedGame<'_>, said: &[Remark]) -> String {
    let size = game.task.size();
    let words = said.iter().map(|remark| remark.seen_from(game.origin, size).to_string());
    words.collect::<Vec<_>>().join(", ")
}

fn cell(game: &ReviewedGame<'_>, point: Point) -> String {
    let origin: Origin = game.origin;
    origin.turn(point, game.task.size()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::double::{even, points, proof, task, worth};
    use crate::review::{AssessedGame, Candidate, GameReview};
    use tengen_files::records::{Format, Known, losses, read, write};

    /// Reviews a game of four moves: a fine one, a mistake, a blunder, and a missed win.
    fn annotations(record: &Record) -> Record {
        let task = task("h8i9h10a1");
        let mut positions = vec![
            worth(0.6, "h8"),
            worth(0.5, "g9f9"),
            worth(0.62, "g8i8"),
            proof(Color::White, 5, Color::White, "i8j8k8l8m8"),
            worth(0.4, "b2"),
        ];
        let Candidate { chances, .. } = worth(0.5, "j10").as_candidate().unwrap();
        let line = points("j10");
        positions[0].candidates = vec![Candidate { line, chances, proven: None }];
        positions[0].chances = even(0.6).chances;
        let review = GameReview::new(&task, &AssessedGame { first: 0, positions });
        let game = ReviewedGame {
            number: 1,
            file: "f",
            place: None,
            record,
            task: &task,
            origin: Origin::Top,
            review: &review,
            text: "",
        };
        annotated(&game, "Reviewed")
    }

    fn plain() -> Record {
        Record::of_points(Size::DEFAULT, &points("h8i9h10a1"))
    }

    #[test]
    fn moves_are_marked_by_their_class() {
        let record = annotations(&plain());
        let names = |i: usize| -> Vec<&str> { record.moves[i].notes().names().collect() };
        assert_eq!(names(1), ["V", "BM", "CR"]);
        assert_eq!(names(2), ["V", "BM", "HO", "CR"]);
        assert_eq!(names(3), ["V", "BM", "CR"]);
        let line = &record.moves[1].variations()[0];
        assert_eq!(line.iter().filter_map(Move::point).collect::<Vec<_>>(), points("g9f9"));
        assert_eq!(line[0].color, Color::White);
        assert_eq!(line[0].comment(), "50 % for white");
        assert_eq!(
            record.moves[1].comment(),
            "mistake: 50 -> 38 % for white\nlets black play g8\nBetter: g9"
        );
        assert!(record.moves[2].comment().contains("lets white win in 5"));
        assert!(record.moves[3].comment().starts_with("missed win: 100 -> 60 % for white\n"));
        assert!(record.comment.starts_with("Reviewed\nAccuracy of black: "));
        let text = write(&record, Format::Sgf, 1).unwrap();
        assert!(text.contains("V[24]BM[1]CR[gh]") && text.contains("V[-100]BM[2]HO[1]"), "{text}");
        assert_eq!(losses(&record, Format::Sgf), Ok(vec![]));
        assert_eq!(read(text.as_bytes(), Format::Sgf, Known::default()), Ok(vec![record]));
    }

    #[test]
    fn what_was_said_before_stays() {
        let mut record = plain();
        record.comment = "A game.".to_owned();
        record.moves[1].set_comment("Hm.".to_owned());
        record.moves[1]
            .set_notes([Note::new("V", &["7"]), Note::new("LB", &["aa:x"])].into_iter().collect());
        record.moves[1].variations_mut().push(vec![Move::new(points("o15")[0], Color::White)]);
        let once = annotations(&record);
        assert!(once.comment.starts_with("A game.\nReviewed"));
        assert!(once.moves[1].comment().starts_with("Hm.\nmistake"));
        let names: Vec<&str> = once.moves[1].notes().names().collect();
        assert_eq!(names, ["LB", "V", "BM", "CR"]);
        assert_eq!(once.moves[1].variations().len(), 2);
        assert_eq!(annotations(&once), once, "a second time nothing is added");
    }

    /// Returns the notes of a move by name, with their values.
    fn notes(m: &Move) -> Vec<String> {
        let text = |note: Note| {
            format!("{}[{}]", note.name(), note.texts().collect::<Vec<_>>().join("]["))
        };
        m.notes().iter().map(text).collect()
    }

    #[test]
    fn marks_that_exclude_each_other_are_not_in_one_node() {
        let mut record = plain();
        // The second move is a mistake to the review, the first one nothing special, and the third
        // one a blunder.
        record.moves[0].notes_mut().extend([Note::new("BM", &["1"]), Note::new("HO", &["2"])]);
        record.moves[1].notes_mut().extend([Note::new("DO", &[""]), Note::new("DM", &["1"])]);
        record.moves[2].notes_mut().extend([Note::new("TE", &["2"]), Note::new("IT", &[""])]);
        let once = annotations(&record);
        let kept = notes(&once.moves[0]);
        assert!(kept.starts_with(&["BM[1]".to_owned(), "HO[2]".to_owned()]), "{kept:?}");
        assert_eq!(notes(&once.moves[1]), ["DM[1]", "V[24]", "BM[1]", "CR[gh]"]);
        assert_eq!(notes(&once.moves[2])[..3], ["V[-100]", "BM[2]", "HO[1]"]);
        for m in &once.moves {
            for kind in ONE_OF {
                let of_kind = m.notes().iter().filter(|note| kind.contains(&note.name()));
                assert!(of_kind.count() <= 1, "{:?}", notes(m));
            }
        }
        assert_eq!(annotations(&once), once);
    }

    #[test]
    fn circles_join_those_that_were_there_and_leave_other_marks_alone() {
        // The review names i8, from which the win was missed.
        let circled = |there: &[Note]| {
            let mut record = plain();
            record.moves[3].notes_mut().extend(there.iter().cloned());
            let once = annotations(&record);
            assert_eq!(annotations(&once), once, "a second time nothing is added");
            let mut found = notes(&once.moves[3]);
            found.retain(|note| !note.starts_with("V[") && !note.starts_with("BM["));
            found
        };
        assert_eq!(circled(&[]), ["CR[ih]"]);
        assert_eq!(circled(&[Note::new("CR", &["aa"])]), ["CR[aa][ih]"]);
        assert_eq!(circled(&[Note::new("CR", &["ha:ib"])]), ["CR[ha][ia][hb][ib][ih]"]);
        assert_eq!(circled(&[Note::new("TR", &["hg:jj"])]), ["TR[hg:jj]"], "i8 has its mark");
        assert_eq!(circled(&[Note::new("CR", &["ih"])]), ["CR[ih]"]);
        let odd = [Note::new("MA", &["", "?", "zz", "aa:"]), Note::new("CR", &["\u{e9}:\u{e9}"])];
        assert_eq!(circled(&odd).len(), 2);
    }
}
