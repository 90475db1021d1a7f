//! Files of other programs, and files that people damaged, with what has to come of them.

use std::fs;
use std::path::Path;

use crate::place::Place;

/// The directory of the files.
const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/faults");

/// Returns the path of a file.
fn fault(name: &str) -> String {
    Path::new(FILES).join(name).display().to_string()
}

impl Place {
    /// Converts a file to JSON, and returns that, what was said without the directory, and the exit code.
    fn json(&self, name: &str, more: &[&str]) -> (String, String, Option<i32>) {
        let path = fault(name);
        let output = self.run(&[&["convert", &path, "--to", "json"], more].concat(), "");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = text(&output.stderr).replace(&format!("{FILES}/"), "");
        (text(&output.stdout), said, output.status.code())
    }
}

/// Checks that a file is read with one warning, and refused with `--strict`.
fn warned(name: &str, fields: &[&str], warning: &str) {
    let place = Place::new(&format!("fault-{name}"));
    let (json, said, code) = place.json(name, &[]);
    assert_eq!(code, Some(0), "{name}: {said}");
    assert_eq!(said, format!("{name}:{warning}\n"));
    for field in fields {
        assert!(json.contains(field), "{name}: {field}: {json}");
    }
    let (json, said, code) = place.json(name, &["--strict"]);
    assert_eq!((json.as_str(), code), ("", Some(1)), "{name}: {said}");
    assert!(said.starts_with(&format!("Error: {name}:")), "{said}");
}

/// Checks that a file is read without a word.
fn read(name: &str, fields: &[&str], more: &[&str]) {
    let place = Place::new(&format!("fine-{name}"));
    let (json, said, code) = place.json(name, &[&["--strict"], more].concat());
    assert_eq!(code, Some(0), "{name}: {said}");
    assert!(!said.contains(name), "{said}");
    for field in fields {
        assert!(json.contains(field), "{name}: {field}: {json}");
    }
}

#[test]
fn texts_keep_their_letters() {
    read("01-gbk.sgf", &["\"black\":\"黑方\"", "\"white\":\"白方\"", "\"中文注释\""], &[]);
    read("01-cp1251.sgf", &["\"black\":\"Чёрные\""], &[]);
    read("22-utf16.sgf", &["\"moves\":\"h8i9\""], &[]);
    let guessed = "no encoding is named, and this is not utf-8: read as windows-1252 (--encoding \
                   names another)";
    let latin = ["\"black\":\"Tõnu Sõõr\""];
    warned("01-latin1-no-ca.sgf", &latin, &format!("1:23: warning: {guessed}"));
    warned("01-latin1.psq", &["\"black\":\"Józef.exe\""], &format!("4:2: warning: {guessed}"));
    read("01-latin1-no-ca.sgf", &latin, &["--encoding", "latin1"]);
    read("01-latin1.psq", &["\"black\":\"Józef.exe\""], &["--encoding", "windows-1252"]);
    let place = Place::new("fault-encoding");
    let (json, said, code) = place.json("01-latin1.psq", &["--encoding", "utf-8"]);
    assert_eq!((json.as_str(), code), ("", Some(1)));
    let error = "Error: 01-latin1.psq:4:2: expected text in utf-8: these bytes are not a letter\n";
    assert_eq!(said, error);
}

#[test]
fn what_can_be_read_is_read_with_a_warning() {
    let two = ["\"moves\":\"h8i9\""];
    let unfinished = "the file has no result code: the game is not finished";
    warned("13-unfinished.psq", &["\"moves\":\"h8i7\""], &format!("4:1: warning: {unfinished}"));
    let typed = "more than cells: read as typed moves";
    warned("18-numbered.pos", &["\"moves\":\"h8i9h10i8\""], &format!("1:1: warning: {typed}"));
    warned("18-spaced.pos", &["\"moves\":\"h8i9h10i8\""], &format!("1:3: warning: {typed}"));
    warned(
        "26-odd-move-line.psq",
        &["\"moves\":\"h8i9j10\""],
        "3:1: warning: -5 is not a time in whole milliseconds\n26-odd-move-line.psq:4:1: warning: 1.5 is \
         not a time in whole milliseconds",
    );
    warned("10-ctrl-z.sgf", &two, "2:1: warning: a control character at the end is passed over");
    warned("10-extra-paren.sgf", &two, "1:32: warning: a ) too many is passed over");
    let open = "1:31: warning: a ) at the end of the game is missing";
    warned("10-missing-paren.sgf", &two, open);
    warned("10-mail-header.sgf", &two, "1:1: warning: text before the game is passed over");
    warned("10-trailing.sgf", &two, "2:1: warning: text after the game is passed over");
}

#[test]
fn formats_of_other_programs_are_read() {
    read("14-game.rec", &["\"moves\":\"h8i9\"", "\"black\":\"one\"", "\"times\":[null,12]"], &[]);
    read("24-xy-lines.txt", &["\"moves\":\"h8i9\""], &[]);
    read(
        "15-playok.pgn",
        &[
            "\"black\":\"a\",\"white\":\"b\",\"date\":\"2020-01-01 10:00:00\"",
            "\"result\":\"black\"",
            "\"moves\":\"f13g13h13h11i11g10f10f9i12\"",
        ],
        &[],
    );
    read(
        "16-renjunet.rif",
        &[
            "\"black\":\"player 3\",\"white\":\"player 4\",\"event\":\"tournament 1\",\"round\":\"1\"",
            "\"result\":\"black\"",
            "\"moves\":\"h8h9g9i7f10\"",
        ],
        &[],
    );
}

#[test]
fn letters_whose_second_byte_is_a_bracket_or_a_backslash_end_no_game() {
    let place = Place::new("fault-half-letters");
    let games: [&[u8]; 4] = [
        b"(;CA[Shift_JIS]SZ[15]C[\x95\x5c];B[hh])",
        b"(;CA[Big5]SZ[15]C[\xb3\x5c];B[ii])",
        b"(;CA[GBK]SZ[15]C[\x81\x5d];B[jj])",
        b"(;SZ[15];B[kk])",
    ];
    fs::write(place.path("a.sgf"), games.concat()).expect("a file");
    let output = place.run(&["convert", "a.sgf", "--to", "json", "--strict"], "");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let json = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = json.lines().collect();
    for (line, (letter, cell)) in
        lines.iter().zip([("表", "h8"), ("許", "i9"), ("乚", "j10"), ("", "k11")])
    {
        let said = if letter.is_empty() { "comment" } else { letter };
        assert_eq!(line.contains(said), !letter.is_empty(), "{line}");
        assert!(line.contains(&format!("\"moves\":\"{cell}\"")), "{line}");
    }
    assert_eq!(lines.len(), games.len(), "{json}");
}
