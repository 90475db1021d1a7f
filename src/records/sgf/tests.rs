use super::*;
use crate::rules::Violation;

fn parse(text: &str) -> Result<Vec<Record>, RecordError> {
    read(SourceText::new(text), Size::DEFAULT)
}

fn cells(record: &Record) -> String {
    let letter = |m: &Move| if m.color == Color::Black { "B" } else { "W" };
    record.moves.iter().map(|m| format!("{}{} ", letter(m), m.point)).collect()
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
    assert_eq!(record.moves.iter().map(|m| m.time).collect::<Vec<_>>()[2..], [Some(153), Some(87)]);
    assert!(record.moves.iter().all(|m| m.comment.is_empty()));
    assert_eq!(record.reason, Some(Reason::Five));
    assert_eq!((record.date.as_str(), record.round.as_str()), ("2025-04-30 18:00:00", "1.2"));
}

#[test]
fn text_may_hold_anything() {
    let mut record = Record::of_points(Size::DEFAULT, &[Size::DEFAULT.center()]);
    record.players[Color::Black] = "a]b\\c:d \u{1f600}".to_owned();
    record.comment = "7ms\n\nlines\\\n".to_owned();
    record.moves[0].comment = "]\\]\n12ms".to_owned();
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
fn colors_are_those_of_the_file() {
    let records = parse("(;B[aa];B[bb];W[];W[tt];W[cc];B[dd])").unwrap();
    assert_eq!(cells(&records[0]), "Ba1 Bb2 Wc3 Bd4 ");
    assert_eq!(parse(&write(&records[0])), Ok(records));
    let large = parse("(;SZ[22];B[tt])").unwrap();
    assert_eq!(cells(&large[0]), "Bt20 ");
}

#[test]
fn stones_that_were_set_up_are_an_opening() {
    let records = parse("(;AB[hh][ii]AW[ig]C[x];B[aa:]C[y])");
    assert!(records.is_err(), "a move is no rectangle");
    let records = parse("(;AB[aa:ba][ii]AW[ig]C[x];W[cc]C[y];C[z])").unwrap();
    assert_eq!(cells(&records[0]), "Ba1 Wi7 Bb1 Bi9 Wc3 ");
    assert_eq!(records[0].opening, 4);
    assert_eq!(records[0].comment, "x");
    assert_eq!(records[0].moves[4].comment, "y\nz");
    let divided = parse("(;AB[aa]AB[bb])").unwrap();
    assert_eq!(cells(&divided[0]), "Ba1 Bb2 ");
}

#[test]
fn the_first_variation_is_the_game() {
    let text = "(;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[aa]))";
    assert_eq!(cells(&parse(text).unwrap()[0]), "Ba1 Wb2 Bc3 ");
    let deep = format!("(;B[aa]{}{})", "(;".repeat(50_000), ")".repeat(50_000));
    assert_eq!(parse(&deep).unwrap()[0].moves.len(), 1);
}

#[test]
fn results_are_read_in_every_spelling_seen() {
    let black = Some(GameResult::Win(Color::Black));
    let draw = Some(GameResult::Draw);
    let words = Some(Reason::Other("some words".to_owned()));
    for (text, result, reason) in [
        ("B+", black, None),
        ("B+1", black, None),
        ("B+Resign", black, Some(Reason::Resignation)),
        ("B+T", black, Some(Reason::Time)),
        ("B+F", black, Some(Reason::Forfeit)),
        ("B+some words", black, words),
        ("B+DRAW", draw, None),
        ("0", draw, None),
        ("Draw", draw, None),
        ("?", None, None),
        ("Void", None, Some(Reason::Other("Void".to_owned()))),
    ] {
        assert_eq!(parse_result(text), (result, reason), "{text}");
    }
    assert_eq!(parse_rule("Standard"), Some(Rule::Standard));
    assert_eq!(parse_rule("9"), Some(Rule::CaroExact));
    assert_eq!(parse_rule("Japanese"), None);
}

#[test]
fn errors_tell_what_was_expected_and_where() {
    for (text, place, expected) in [
        ("x", (1, 1), "( at the beginning of a game"),
        ("(B[aa])", (1, 2), "; at the beginning of a node"),
        ("(;B[aa]", (1, 8), "a property, ;, ( or )"),
        ("(;B[aa](;W[bb]);B[cc])", (1, 16), "( or )"),
        ("(;B)", (1, 4), "[ at the beginning of a value"),
        ("(;\nB[aa", (2, 5), "] at the end of a value"),
        ("(;B[aa\\", (1, 8), "] at the end of a value"),
        ("(;GM[1])", (1, 6), "4, the number of gomoku"),
        ("(;FF[5])", (1, 6), "a version of the format from 1 to 4"),
        ("(;SZ[x])", (1, 6), "a size such as 15 or 20:15"),
        ("(;\r\n;B[aé])", (2, 4), "a cell such as hh"),
        ("(;B[p1])", (1, 5), "a cell such as hh"),
        ("(;B[ap])", (1, 5), "a cell of a 15x15 board"),
        ("(;B[aa];W[aa])", (1, 11), "an empty cell"),
        ("(;AE[aa])", (1, 6), "no stone to be taken away"),
        ("(;AB[aa:oo])", (1, 6), "at most 9 cells from one corner to the other"),
        ("(;AB[bb:aa])", (1, 6), "empty cells, from one corner to the other"),
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
    let line = |m: &Move| m.point.to_string();
    let lines = |m: &Move| -> Vec<Vec<String>> {
        m.variations.iter().map(|moves| moves.iter().map(line).collect()).collect()
    };
    assert_eq!(lines(&record.moves[0]), [["a1"]]);
    assert_eq!(lines(&record.moves[1]), [["i9", "i7"]]);
    assert_eq!(lines(&record.moves[2]), [["j10"]]);
    let names = |m: &Move| m.notes.iter().map(|note| note.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&record.moves[0]), ["TE", "V", "LB"]);
    assert_eq!(record.moves[2].variations[0][0].comment, "other");
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
fn variations_end_where_they_are_no_moves() {
    let line = |text: &str| {
        let record = parse(text).unwrap().remove(0);
        let lines = &record.moves[1].variations;
        lines
            .iter()
            .map(|line| line.iter().map(|m| m.point.to_string()).collect())
            .collect::<Vec<String>>()
    };
    // On a stone, off the board, a pass, set-up stones, two moves in a node.
    for end in ["B[aa]", "B[zz]", "B[]", "AB[cc]", "B[cc]W[dd]", "B[cc][dd]"] {
        assert_eq!(line(&format!("(;B[aa](;W[bb])(;W[ee];{end};W[ff]))")), ["e5"], "{end}");
        assert_eq!(line(&format!("(;B[aa](;W[bb])(;{end};W[ff]))")), [""; 0], "{end}");
    }
    assert_eq!(line("(;B[aa](;C[x];W[bb])(;C[y];W[ee];C[z]))"), ["e5"]);
    // What stands beside stones that are set up is no variation.
    assert_eq!(line("(;B[aa](;AW[bb])(;W[ee]))"), [""; 0]);
    let deep: String = (0..10_000)
        .map(|i| {
            format!(
                "(;{}[{}{}]",
                ["B", "W"][i % 2],
                "abcdefgh".as_bytes()[i / 8 % 8] as char,
                "abcdefgh".as_bytes()[i % 8] as char
            )
        })
        .collect();
    let deep = format!("(;B[oo](;W[on])(;C[x]{deep}{}))", ")".repeat(10_000));
    assert_eq!(parse(&deep).unwrap()[0].moves[1].variations[0].len(), 64);
}
