use super::*;
use crate::records::source::SourceText;
use crate::records::warning::Warnings;
use crate::records::{Format, GameResult, Move, MoveKind, Reason, Record, RecordError, losses};
use tengen_core::rules::{Rule, Violation};
use tengen_core::types::{Color, Size};

fn parse(text: &str) -> Result<Vec<Record>, RecordError> {
    read(SourceText::new(text), Size::DEFAULT, true, &mut Warnings::default()).into_iter().collect()
}

/// Reads one game, and the warnings about it.
fn warned(text: &str) -> (Record, Vec<String>) {
    let mut warnings = Warnings::default();
    let mut records = read(SourceText::new(text), Size::DEFAULT, true, &mut warnings);
    assert_eq!(records.len(), 1, "{text}");
    (records.remove(0).expect(text), warnings.take().iter().map(ToString::to_string).collect())
}

fn name(m: &Move) -> String {
    let color = if m.color == Color::Black { "B" } else { "W" };
    match &m.kind {
        MoveKind::Stone(point) => format!("{color}{point}"),
        MoveKind::Pass => format!("{color}-"),
        MoveKind::SetUp => format!("{color}+"),
    }
}

fn cells(record: &Record) -> String {
    record.moves.iter().map(|m| name(m) + " ").collect()
}

#[test]
fn the_usual_game_is_read() {
    let text = "(;FF[4]GM[4]SZ[15]RU[4]PB[one]PW[two]RE[B+R];B[hh];W[ig];B[ii])";
    let records = parse(text).unwrap();
    assert_eq!(cells(&records[0]), "Bh8 Wi7 Bi9 ");
    assert_eq!(records[0].rule, Some(Rule::Renju));
    assert_eq!(records[0].players.0, ["one", "two"]);
    assert_eq!(records[0].result, Some(GameResult::Win(Color::Black)));
    assert_eq!(records[0].reason, Some(Reason::Resignation));
    assert_eq!(
        write(&records[0]),
        format!(
            "(;FF[4]GM[4]CA[UTF-8]AP[tengen:{}]SZ[15]RU[4]PB[one]PW[two]RE[B+R]\n\
             ;B[hh];W[ig];B[ii]\n)\n",
            env!("CARGO_PKG_VERSION")
        )
    );
}

#[test]
fn games_of_the_match_runner_are_read() {
    let text = "(;FF[4]GM[4]GN[1]EV[a x b]DT[2025.04.30 18:00:00]RO[1.2]RU[1]SZ[20]PB[a]PW[b]\
                RE[B+1]TE[Black win by five connection]\r\n\
                ;B[hh]C[opening move];W[ih]C[opening move]\r\n\
                ;B[gg]C[153ms];W[jj]C[87ms])\r\n\r\n(;SZ[20])\r\n";
    let records = parse(text).unwrap();
    let record = &records[0];
    assert_eq!((records.len(), record.opening, record.size.width()), (2, 2, 20));
    assert_eq!(record.moves.iter().map(Move::time).collect::<Vec<_>>()[2..], [Some(153), Some(87)]);
    assert!(record.moves.iter().all(|m| m.comment().is_empty()));
    assert_eq!(record.reason, Some(Reason::Five));
    assert_eq!((record.date.as_str(), record.round.as_str()), ("2025-04-30 18:00:00", "1.2"));
}

#[test]
fn text_may_hold_anything() {
    let mut record = Record::of_points(Size::DEFAULT, &[Size::DEFAULT.center()]);
    record.players[Color::Black] = "a]b\\c:d \u{1f600}".to_owned();
    record.comment = "7ms\n\nlines\\\n".to_owned();
    record.moves[0].set_comment("]\\]\n12ms".to_owned());
    assert_eq!(parse(&write(&record)), Ok(vec![record]));
    let folded = parse("(;C[a\\\nb\\\r\nc\\]]PB[x\r\ny])").unwrap();
    assert_eq!(folded[0].comment, "abc]");
    assert_eq!(folded[0].players[Color::Black], "x y");
}

#[test]
fn a_forbidden_move_is_marked_where_it_is() {
    let mut record = Record::of_points(Size::DEFAULT, &[Size::DEFAULT.center()]);
    record.result = Some(GameResult::Win(Color::White));
    record.reason = Some(Reason::Forbidden(Violation::DoubleThree));
    let text = write(&record);
    assert!(text.contains("RE[W+F]\n;B[hh]C[forbidden 33]"), "{text}");
    assert_eq!(parse(&text), Ok(vec![record]));
}

#[test]
fn what_a_person_says_is_no_remark() {
    let won = Some(Reason::Resignation);
    let forbidden = Some(Reason::Forbidden(Violation::DoubleThree));
    // The game, the comments of its moves, the reason.
    for (text, comments, reason) in [
        ("RE[B+R];B[hh]C[forbidden 33];W[ih];B[ii]", ["forbidden 33", "", ""], &won),
        ("RE[B+R];B[hh];W[ih];B[ii]C[12ms, forbidden 33]", ["", "", "12ms, forbidden 33"], &won),
        ("RE[W+R];B[hh];W[ih];B[ii]C[forbidden 33]", ["", "", "forbidden 33"], &won),
        ("RE[W+F];B[hh];W[ih]C[forbidden 33]", ["", "forbidden 33", ""], &Some(Reason::Forfeit)),
        (";B[hh];W[ih];B[ii]C[forbidden 33\nor not]", ["", "", "forbidden 33\nor not"], &None),
        ("RE[W+F];B[hh];W[ih];B[ii]C[forbidden 33\nsad];C[so]", ["", "", "sad\nso"], &forbidden),
        ("RE[W+];B[hh];W[ih];B[ii]C[forbidden 33]", ["", "", ""], &forbidden),
        (";B[hh];W[ih];B[ii]C[forbidden 33];RE[W+F]C[x]", ["", "", "x"], &forbidden),
        (";B[hh];W[ih]C[opening move];B[ii]", ["", "opening move", ""], &None),
    ] {
        let text = format!("(;SZ[15]{text})");
        let (record, warnings) = warned(&text);
        let said = [0, 1, 2].map(|i| record.moves.get(i).map_or("", Move::comment));
        assert_eq!((said, &record.reason, record.opening), (comments, reason, 0), "{text}");
        assert_eq!(warnings, [""; 0], "{text}");
        assert_eq!(parse(&write(&record)), Ok(vec![record]), "{text}");
    }
    for said in ["forbidden 33", "opening move, 5ms", "opening move"] {
        let text = format!("(;SZ[15];B[hh];W[ih](;B[ii];W[gg])(;B[jj]C[{said}]))");
        let (record, _) = warned(&text);
        assert_eq!(record.moves[2].variations()[0][0].comment(), said);
        assert_eq!(parse(&write(&record)), Ok(vec![record]), "{text}");
    }
}

#[test]
fn a_forbidden_move_may_be_the_last_of_an_opening() {
    let points: Vec<_> = Size::DEFAULT.points().take(3).collect();
    let mut record = Record::of_points(Size::DEFAULT, &points);
    record.opening = 3;
    for result in [None, Some(Color::Black), Some(Color::White)] {
        record.result = result.map(GameResult::Win);
        record.reason = Some(Reason::Forbidden(Violation::Overline));
        let text = write(&record);
        assert_eq!(
            text.contains("C[opening move, forbidden overline]"),
            result == Some(Color::White)
        );
        assert_eq!(parse(&text), Ok(vec![record.clone()]), "{text}");
    }
}

#[test]
fn colors_are_those_of_the_file() {
    let records = parse("(;B[aa];B[bb];W[];W[tt];W[cc];B[dd])").unwrap();
    assert_eq!(cells(&records[0]), "Ba1 Bb2 W- W- Wc3 Bd4 ");
    assert_eq!(parse(&write(&records[0])), Ok(records));
    let large = parse("(;SZ[22];B[tt])").unwrap();
    assert_eq!(cells(&large[0]), "Bt20 ");
}

#[test]
fn the_first_variation_is_the_game() {
    let text = "(;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[aa]))";
    assert_eq!(cells(&parse(text).unwrap()[0]), "Ba1 Wb2 Bc3 ");
    let deep = format!("(;B[aa]{}{})", "(;".repeat(50_000), ")".repeat(50_000));
    assert_eq!(parse(&deep).unwrap()[0].moves.len(), 1);
}

#[test]
fn errors_tell_what_was_expected_and_where() {
    for (text, place, expected) in [
        ("x", (1, 1), "(; at the beginning of a game"),
        ("(B[aa])", (1, 1), "(; at the beginning of a game"),
        ("(;B[aa](]))", (1, 9), "; at the beginning of a node"),
        ("(;GM[2])", (1, 6), "4, the number of gomoku"),
        ("(;SZ[x])", (1, 6), "a size such as 15 or 20:15"),
        ("(;\r\n;B[aé])", (2, 4), "a cell such as hh"),
        ("(;B[p1])", (1, 5), "a cell such as hh"),
        ("(;B[ap])", (1, 5), "a cell of a 15x15 board"),
        ("(;B[aa];W[aa])", (1, 11), "an empty cell"),
        ("(;AB[aa]AW[aa])", (1, 12), "a cell that is named once"),
        ("(;AB[])", (1, 6), "a cell such as hh"),
        ("(;AB[aa:oo])", (1, 6), "at most 9 cells from one corner to the other"),
        ("(;AB[bb:aa])", (1, 6), "cells, from one corner to the other"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(crate::records::source::text_place(&error), place, "{text}");
        assert_eq!(error.expected, expected, "{text}");
    }
}

#[test]
fn variations_and_marks_are_kept() {
    let text = "(;FF[4]GM[4]CA[UTF-8]AP[x]SZ[15]C[root]\n\
                (;B[hh]C[12ms\ngood]TE[1]V[3.5]LB[ig:a\\]b][ii:c\\:d]\n\
                (;W[ig](;B[ii];W[aa])(;B[jj]C[other]BM[2]))\n\
                (;W[ii]DO[];B[ig]))\n\
                (;B[aa]))";
    let record = parse(text).unwrap().remove(0);
    assert_eq!(cells(&record), "Bh8 Wi7 Bi9 Wa1 ");
    let line = |m: &Move| m.point().unwrap().to_string();
    let lines = |m: &Move| -> Vec<Vec<String>> {
        m.variations().iter().map(|moves| moves.iter().map(line).collect()).collect()
    };
    assert_eq!(lines(&record.moves[0]), [["a1"]]);
    assert_eq!(lines(&record.moves[1]), [["i9", "i7"]]);
    assert_eq!(lines(&record.moves[2]), [["j10"]]);
    let names = |m: &Move| m.notes().names().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(names(&record.moves[0]), ["TE", "V", "LB"]);
    assert_eq!(record.moves[2].variations()[0][0].comment(), "other");
    let written = write(&record);
    assert!(written.contains("C[12ms\ngood]TE[1]V[3.5]LB[ig:a\\]b][ii:c\\:d]"), "{written}");
    assert_eq!(parse(&written), Ok(vec![record.clone()]));
    assert_eq!(write(&parse(&written).unwrap()[0]), written);
    assert_eq!(crate::records::losses(&record, crate::records::Format::Sgf), Ok(vec![]));
    assert_eq!(crate::records::losses(&record, crate::records::Format::Json), Ok(vec![]));
    let lost = crate::records::losses(&record, crate::records::Format::Pos).unwrap();
    assert!(lost.contains(&"marks on moves") && lost.contains(&"variations"), "{lost:?}");
}

#[test]
fn variations_end_with_a_warning_where_they_are_no_moves() {
    let line = |text: &str| {
        let (record, warnings) = warned(text);
        let lines = &record.moves[1].variations();
        let lines: Vec<String> = lines.iter().map(|line| line.iter().map(name).collect()).collect();
        (lines, warnings.len())
    };
    let one = |line: &str| vec![line.to_owned()];
    for end in ["B[aa]", "B[zz]", "B[resign]", "AB[cc]AW[cc]"] {
        let text = format!("(;B[aa](;W[bb])(;W[ee];{end};W[ff]))");
        assert_eq!(line(&text), (one("We5"), 1), "{end}");
        assert_eq!(line(&format!("(;B[aa](;W[bb])(;{end};W[ff]))")), (vec![], 1), "{end}");
    }
    // Properties without a move belong to one.
    let text = "(;B[aa](;C[x];W[bb])(;C[y]A[1];W[ee]A[2]C[z];C[u]A[3]))";
    assert_eq!(line(text), (one("We5"), 0));
    let record = parse(text).unwrap().remove(0);
    let variation = &record.moves[1].variations()[0][0];
    assert_eq!(record.moves[0].comment(), "x");
    assert_eq!((variation.comment(), variation.notes().as_properties()), ("y\nz\nu", "A[1][2][3]"));
    for (text, expected) in [
        ("(;B[aa](;W[bb])(;W[ee];B[];W[ff]))", "We5B-Wf6"),
        ("(;B[aa](;W[bb])(;W[ee];AB[cc];W[ff]))", "We5W+Wf6"),
        ("(;B[aa](;W[bb])(;W[ee];B[cc]W[dd]))", "We5Bc3Wd4"),
        ("(;B[aa](;AW[bb])(;W[ee]))", "We5"),
    ] {
        assert_eq!(line(text), (one(expected), 0), "{text}");
        let record = parse(text).unwrap();
        assert_eq!(parse(&write(&record[0])), Ok(record), "{text}");
    }
}

#[test]
fn variations_of_a_first_move_stand_beside_its_line() {
    let text = "(;B[aa](;W[bb])(;C[x](;W[cc];B[dd])(;W[ee])(;W[ff](;B[gg])(;B[hh])))(;W[ii]))";
    let (record, warnings) = warned(text);
    let lines: Vec<String> =
        record.moves[1].variations().iter().map(|line| line.iter().map(name).collect()).collect();
    assert_eq!(lines, ["Wc3Bd4", "We5", "Wf6Bg7", "Wi9"]);
    assert_eq!(
        record.moves[1].variations()[2][1].variations()[0][0].point().unwrap().to_string(),
        "h8"
    );
    assert_eq!(warnings, [""; 0]);
    assert_eq!(parse(&write(&record)).unwrap()[0], record);
    // Where the first of several has no move, the next one is the game.
    assert_eq!(cells(&parse("(;B[aa](;C[x])(;W[bb])(;W[cc]))").unwrap()[0]), "Ba1 Wb2 ");
}

#[test]
fn a_variation_without_a_move_is_said_of_the_move_before_it() {
    for (text, comments, notes) in [
        ("(;B[aa](;W[bb])(;C[y]A[1])(;A[2]C[z]))", ["y\nz", ""], "A[1][2]"),
        ("(;B[aa]C[x]A[0];W[bb](;B[cc])(;C[u]A[1](;C[v]))(;C[y]))", ["x", "u\nv\ny"], "A[0]"),
        // Within a variation, and where a variation begins.
        ("(;B[aa](;W[bb])(;W[cc](;B[dd])(;B[ee](;W[ff])(;C[y]))))", ["", ""], ""),
        ("(;B[aa](;W[bb])(;C[x](;W[cc])(;C[y])))", ["y", ""], ""),
    ] {
        let (record, warnings) = warned(text);
        assert_eq!(warnings, [""; 0], "{text}");
        assert_eq!([0, 1].map(|i| record.moves[i].comment()), comments, "{text}");
        assert_eq!(record.moves[0].notes().as_properties(), notes, "{text}");
        let said = text.matches("C[").count();
        let written = write(&record);
        let lines = |text: &str| text.matches(['x', 'y', 'z', 'u', 'v']).count();
        assert_eq!(lines(&written), said, "{text}: {written}");
        assert_eq!(parse(&written), Ok(vec![record]), "{text}");
    }
    let (record, warnings) = warned("(;C[x];B[aa](;W[bb]))");
    assert_eq!((record.comment.as_str(), warnings.len()), ("x", 0));
    let (record, warnings) = warned("(;SZ[15](;B[aa])(;C[y]A[1]))");
    assert_eq!((record.comment.as_str(), warnings.len()), ("y", 0));
    assert_eq!(record.notes.as_properties(), "A[1]");
}

#[test]
fn many_variations_without_a_move_take_no_longer_than_their_text() {
    let text = format!("(;B[aa](;W[bb]){})", "(;C[y]LB[aa:x])".repeat(100_000));
    let (record, _) = warned(&text);
    assert_eq!(record.moves[0].comment().len(), 199_999);
    assert_eq!(record.moves[0].notes().get("LB").unwrap().texts().count(), 100_000);
}

#[test]
fn variations_may_be_as_deep_as_records_are_walked_through() {
    let level = |i: usize| {
        let letter = |i: usize| char::from(b'a' + i as u8);
        format!("(;W[{}{}])(;W[]", letter(i % 14), letter(i / 14 % 14))
    };
    let nested = |depth: usize| {
        let inside: String = (0..depth).map(level).collect();
        format!("(;B[oo]{inside}{})", ")".repeat(depth))
    };
    let (record, warnings) = warned(&nested(200));
    assert_eq!((record.moves.len(), warnings.len()), (2, 0));
    assert_eq!(parse(&write(&record)).unwrap()[0], record);
    let (record, warnings) = warned(&nested(100_000));
    assert_eq!((record.moves.len(), warnings.len()), (2, 1));
    assert!(warnings[0].ends_with("variations 400 deep are passed over"), "{warnings:?}");
}

#[test]
fn stones_that_are_set_up_are_no_moves() {
    let text = "(;SZ[15]AB[aa:ba][ii]AW[ig]PL[W]C[x]LB[aa:1];W[cc]C[y];C[z])";
    let record = parse(text).unwrap().remove(0);
    let stones = |color| record.start.stones(color).map(|p| p.to_string()).collect::<String>();
    assert_eq!((stones(Color::Black), stones(Color::White)), ("a1b1i9".into(), "i7".into()));
    assert_eq!((record.start.to_move, record.opening), (Some(Color::White), 0));
    assert_eq!((cells(&record).as_str(), record.comment.as_str()), ("Wc3 ", "x"));
    assert_eq!(record.moves[0].comment(), "y\nz");
    let written = write(&record);
    assert!(
        written.contains("SZ[15]AB[aa][ba][ii]AW[ig]PL[W]C[x]LB[aa:1]\n;W[cc]C[y\nz]"),
        "{written}"
    );
    assert_eq!(parse(&written).unwrap(), [record]);
    // Several nodes before the first move are one beginning.
    let divided = parse("(;AB[aa];AW[bb]C[x];AE[aa]AB[cc])").unwrap().remove(0);
    assert_eq!((divided.start.cells.len(), divided.moves.len()), (2, 0));
    assert_eq!(divided.comment, "x");
    // Without PL it is the turn of whoever moves first, or follows from the numbers.
    for (text, to_move) in [
        ("(;AB[aa])", Color::White),
        ("(;AB[aa]AW[bb])", Color::Black),
        ("(;AB[aa]AW[bb];W[cc])", Color::White),
        ("(;AB[aa]PL[B])", Color::Black),
        ("(;W[cc])", Color::White),
        ("(;PL[W])", Color::White),
    ] {
        assert_eq!(parse(text).unwrap()[0].to_move_after(0), to_move, "{text}");
    }
}

#[test]
fn a_position_may_be_changed_in_the_middle_of_a_game() {
    let text = "(;SZ[15]AB[hh][ii]AW[jj]PL[W];W[kk];AE[ii]PL[B]C[gone]LB[ii:x];B[gg])";
    let record = parse(text).unwrap().remove(0);
    assert_eq!(cells(&record), "Wk11 W+ Bg7 ");
    assert_eq!(record.moves[1].comment(), "gone");
    let board = record.board_after(2).unwrap();
    assert_eq!((board.stones(Color::Black), board.stones(Color::White)), (1, 2));
    assert_eq!(record.to_move_after(2), Color::Black);
    assert_eq!(parse(&write(&record)).unwrap(), [record]);
    // Positions instead of each other are variations.
    let text = "(;SZ[15](;AB[hh];W[ii])(;AB[gg]))";
    let record = parse(text).unwrap().remove(0);
    assert_eq!((cells(&record).as_str(), record.moves[0].variations().len()), ("W+ Wi9 ", 1));
    assert_eq!(parse(&write(&record)).unwrap(), [record]);
}

#[test]
fn passes_are_moves_with_all_that_is_said_of_them() {
    let text = "(;SZ[15];B[hh];W[]C[5ms\nwhite passes]LB[aa:x];B[hi];W[gg];B[tt])";
    let record = parse(text).unwrap().remove(0);
    assert_eq!(cells(&record), "Bh8 W- Bh9 Wg7 B- ");
    let pass = &record.moves[1];
    assert_eq!((pass.comment(), pass.time()), ("white passes", Some(5)));
    assert_eq!(pass.notes().as_properties(), "LB[aa:x]");
    assert_eq!(record.to_move(), Color::White);
    assert_eq!(parse(&write(&record)).unwrap(), [record]);
}

#[test]
fn all_that_a_file_says_stays() {
    let text = "(;FF[4]GM[4]SZ[15]GN[name]PC[place]BR[3d]WR[2d]BT[club]WT[team]TM[600]OT[30/1]ON[op]\
                AN[ann]US[user]SO[source]CP[mine]HA[0]KM[0.0]RU[Renju rules]XX[1][\\]]ST[2]CR[aa]\
                ;B[hh]C[first]C[second][third]GN[late]AR[aa:bb]\n;W[ii]TE[1]AR[aa:cc]AR[aa:dd])";
    let (record, warnings) = warned(text);
    assert_eq!(warnings, [""; 0]);
    assert_eq!(
        (record.rule, record.moves[0].comment()),
        (Some(Rule::Renju), "first\nsecond\nthird")
    );
    let written = write(&record);
    for part in [
        "GN[name][late]PC[place]BR[3d]WR[2d]BT[club]WT[team]TM[600]OT[30/1]ON[op]AN[ann]US[user]SO[source]\
         CP[mine]HA[0]KM[0.0]RU[Renju rules]XX[1][\\]]ST[2]CR[aa]",
        ";B[hh]C[first\nsecond\nthird]AR[aa:bb]",
        ";W[ii]TE[1]AR[aa:cc][aa:dd]",
    ] {
        assert!(written.contains(part), "{part} in {written}");
    }
    assert_eq!(parse(&written).unwrap(), std::slice::from_ref(&record));
    for format in [Format::Sgf, Format::Json] {
        assert_eq!(losses(&record, format), Ok(vec![]), "{format}");
    }
    // Another rule than that of the words has its number.
    let mut other = record;
    other.rule = Some(Rule::Standard);
    assert!(write(&other).contains("RU[1]") && !write(&other).contains("Renju rules"));
}

#[test]
fn what_is_odd_is_read_with_a_warning_that_has_its_place() {
    for (text, moves, warning) in [
        (
            "From: x\nSubject: (a) y\n\n(;B[aa])",
            "Ba1 ",
            "1:1: warning: text before the game is passed over",
        ),
        ("(;B[aa]\n", "Ba1 ", "2:1: warning: a ) at the end of the game is missing"),
        (";B[aa];W[bb])", "Ba1 Wb2 ", "1:1: warning: the ( before the game is missing"),
        ("(;B[aa]))\n", "Ba1 ", "1:9: warning: a ) too many is passed over"),
        (
            "(;B[aa])\r\n\u{1a}",
            "Ba1 ",
            "2:1: warning: a control character at the end is passed over",
        ),
        ("(;B[aa])\n]C[rest])))", "Ba1 ", "2:1: warning: text after the game is passed over"),
        ("(FF[4]GM[4];B[aa])", "Ba1 ", "1:2: warning: the ; before the node is missing"),
        ("(;B[aa]]C[x];W[bb])", "Ba1 Wb2 ", "1:8: warning: not a property, skipped"),
        ("(;PB[a]\u{e9}] \u{1f600}c;B[aa])", "Ba1 ", "1:8: warning: not a property, skipped"),
        ("(;PB[a]b] c;B[aa])", "Ba1 ", "1:8: warning: not a property, skipped"),
        ("(;B[aa];W[bb]C[abc", "Ba1 Wb2 ", "1:15: warning: the ] of this value is missing"),
        (
            "(;B[aa](;W[bb]);B[cc])",
            "Ba1 Wb2 ",
            "1:16: warning: a move after variations: read as one of them",
        ),
        (
            "(;GM[1];B[aa])",
            "Ba1 ",
            "1:6: warning: GM[1] stands for Go: read as gomoku, which is GM[4]",
        ),
        (
            "(;FF[5];B[aa])",
            "Ba1 ",
            "1:6: warning: this version of the format is not known: read as FF[4]",
        ),
        ("(;B[aa];W[resign])", "Ba1 ", "1:11: warning: read as a resignation of white"),
        ("(;B[aa];W[Pass])", "Ba1 W- ", "1:11: warning: read as a pass"),
        ("(;RU[Chess];B[aa])", "Ba1 ", "1:6: warning: the rule `Chess` is not known"),
        ("(;PB[a][b];B[aa])", "Ba1 ", "1:6: warning: PB has one value: the first one counts"),
        ("(;PB[a]PB[b];B[aa])", "Ba1 ", "1:11: warning: PB is there twice: the last one counts"),
        ("(;PL[x];B[aa])", "Ba1 ", "1:6: warning: neither B nor W: passed over"),
    ] {
        let (record, warnings) = warned(text);
        assert_eq!(cells(&record), moves, "{text}");
        assert_eq!(warnings[0], warning, "{text}");
        let missing = usize::from(text.ends_with("C[abc"));
        assert_eq!(warnings.len(), 1 + missing, "{text}: {warnings:?}");
    }
    let (record, _) = warned("(;B[aa];W[resign])");
    assert_eq!(record.result, Some(GameResult::Win(Color::Black)));
    assert_eq!(record.reason, Some(Reason::Resignation));
    // A parenthesis that is missing costs no game after it.
    let mut warnings = Warnings::default();
    let text = "(;FF[4]SZ[15];B[aa]\n(;FF[4]SZ[15];B[bb])";
    let records = read(SourceText::new(text), Size::DEFAULT, true, &mut warnings);
    assert_eq!(records.iter().flatten().map(cells).collect::<String>(), "Ba1 Bb2 ");
    assert_eq!(warnings.take()[0].to_string(), "2:1: warning: the ) before this game is missing");
}

#[test]
fn a_line_has_an_end_however_short_its_moves_are() {
    let line = |count: usize| format!("(;B[aa]{})", ";W[]".repeat(count - 1));
    assert_eq!(warned(&line(2_000)).0.moves.len(), 2_000);
    assert_eq!(parse(&line(2_001)).unwrap_err().expected, "at most 2000 moves in a line");
    let beside = format!("(;B[aa](;W[bb])({}))", ";W[]".repeat(2_001));
    let (record, warnings) = warned(&beside);
    assert_eq!(record.moves[1].variations()[0].len(), 2_000);
    assert!(warnings[0].contains("at most 2000 moves in a line: the variation ends here"));
}

#[test]
fn small_properties_do_not_become_much() {
    let many = (0..1_001).map(|i| format!("X{i}[]")).collect::<String>();
    let (record, warnings) = warned(&format!("(;B[aa]{many})"));
    assert_eq!(record.moves[0].notes().names().count(), 999);
    assert!(warnings[0].contains("more properties than a node can have"), "{warnings:?}");
    let changes = |count: usize| format!("(;B[aa]{})", ";PL[B]".repeat(count));
    assert_eq!(warned(&changes(256)).0.moves.len(), 257);
    assert_eq!(parse(&changes(2_000)).unwrap_err().expected, "fewer changes of the position");
}

#[test]
fn what_is_said_before_the_first_move_is_gathered_once() {
    // Each node adds to the notes of the game, which may be long.
    let nodes = 20_000;
    let (record, _) =
        warned(&format!("(;SZ[15]{};B[aa])", ";AE[bb]TR[cc]N[a long name]".repeat(nodes)));
    assert_eq!(record.notes.get("N").unwrap().texts().count(), nodes);
    assert_eq!((record.moves.len(), record.notes.names().count()), (1, 2));
}
