//! `tengen db` with the real binary.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::place::Place;

/// Returns standard output of a command that succeeds and says nothing else.
fn db(place: &Place, args: &[&str]) -> String {
    let output = place.run(&[&["db"], args].concat(), "");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let err = text(&output.stderr);
    assert!(output.status.success() && err.is_empty(), "{args:?}: {err}");
    text(&output.stdout)
}

/// Returns the only line of a command that fails.
fn fault(place: &Place, args: &[&str]) -> String {
    let output = place.run(&[&["db"], args].concat(), "");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{args:?}: {err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    err.trim_end().to_owned()
}

#[test]
fn what_was_put_is_shown_from_every_side_of_the_board() {
    let place = Place::new("db-put");
    let of = ["--rule", "renju", "--moves"];
    let put = |moves: &str, more: &[&str]| {
        assert_eq!(db(&place, &[&["put", "a.tdb"], &of[..], &[moves], more].concat()), "");
    };
    let query = |moves: &str| db(&place, &[&["query", "a.tdb"], &of[..], &[moves]].concat());
    put("h8 i9 j8", &["--value", "-35", "--depth", "12", "--bound", "exact", "--best", "h9"]);
    // What is not named stays.
    put("h8i9j8", &["--value", "-36"]);
    put("h8i9j8", &["--value", "-35"]);
    put("h8i9j8", &["--text", "first\nsecond", "--label", "!", "--board-text", "g7=A"]);
    put("h8i9j8h9", &["--result", "loss:6", "--text", "a win"]);
    put("h8i9j8a1", &["--value", "120"]);
    let expected = "renju 15x15, white to move after 3 moves, rows from the bottom

value   -35, depth 12, exact
best    h9
label   !
on      g7 A
text    first
text    second

2 known moves
move  result     value for the other side  label     visits  text
h9    loss:6                                                 a win
a1               120, depth 0
";
    assert_eq!(query("h8i9j8"), expected);
    assert_eq!(query("j8 i9 h8"), expected);
    // A text stands at one of the cells that are alike.
    for (text, on) in [("g8=A", "on      h9 A\n"), ("i8=B", "on      h9 B\n"), ("h7=", "")] {
        put("h8", &["--board-text", text]);
        assert!(
            query("h8").contains(on) && query("h8").contains("on  ") != on.is_empty(),
            "{text}"
        );
    }
    // The same position, upside down and in other words; as data, rows count from the top.
    let json = ["query", "a.tdb", "--rule", "renju", "--json", "--moves", "h8i9j8"];
    let queried = db(&place, &json);
    // An import takes it for what it is.
    place.write("queried.json", &queried);
    assert_eq!(db(&place, &["import", "b.tdb", "queried.json"]).lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&queried).expect("JSON");
    assert_eq!(
        (&value["score"], &value["best"], &value["known"]),
        (&(-35).into(), &"h9".into(), &true.into())
    );
    assert_eq!(value["board_texts"]["g7"], "A");
    let moves: Vec<&str> = value["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|m| m["move"].as_str())
        .collect();
    assert_eq!(moves, ["a1", "h9"]);
    // A position that is its own mirror image has each move twice.
    put("g8h9i8b2", &["--result", "draw"]);
    let shown = query("g8h9i8");
    assert!(shown.contains("not in the database\n\n2 known moves\n"), "{shown}");
    assert!(shown.contains("\nb2    draw\n") && shown.contains("\nn2    draw\n"), "{shown}");
    // Nothing is known of it by another rule.
    let other = db(&place, &["query", "a.tdb", "--moves", "h8i9j8"]);
    assert!(other.contains("not in the database") && other.contains("no known moves"), "{other}");
    put(
        "h8i9j8",
        &["--best", "none", "--label", "none", "--board-text", "g7=", "--result", "draw"],
    );
    let shown = query("h8i9j8");
    assert!(
        shown.contains("result  draw\nvalue   -35, depth 12, exact\ntext    first\n"),
        "{shown}"
    );
}

#[test]
fn mistakes_are_told_in_a_line_and_change_nothing() {
    let place = Place::new("db-faults");
    for (args, expected) in [
        (&["put", "a.tdb", "--moves", "h8h8"][..], "Error: --moves: 1:3: expected an empty cell"),
        (&["put", "a.tdb", "--depth", "3"], "Error: --depth and --bound belong to a --value"),
        (
            &["put", "a.tdb", "--moves", "h8", "--best", "h8"],
            "Error: --best \"h8\": there is a stone",
        ),
        (&["put", "a.tdb", "--best", "z9"], "Error: --best \"z9\": not on the board"),
        (
            &["put", "a.tdb", "--board-text", "h8"],
            "Error: --board-text \"h8\": it is not CELL=TEXT",
        ),
        (&["import", "a.tdb", "missing.psq"], "Error: cannot read missing.psq: "),
        (&["query", "a.tdb"], "Error: cannot open a.tdb: "),
        (&["delete", "a.tdb", "--moves", ""], "Error: cannot open a.tdb: "),
        (&["info", "."], "Error: . is not a regular file"),
    ] {
        let said = fault(&place, args);
        assert!(said.starts_with(expected), "{said}");
        assert!(place.files(".").is_empty(), "{args:?}");
    }
    place.write("game.pos", "h8i9\n");
    for command in ["info", "query", "check", "compact", "propagate"] {
        let said = fault(&place, &[command, "game.pos"]);
        assert_eq!(said, "Error: game.pos is not a database of positions", "{command}");
    }
    let said = fault(&place, &["delete", "game.pos", "--moves", "h8"]);
    assert_eq!(said, "Error: game.pos is not a database of positions");
    // Without moves it would be the empty board, and with --recursive everything.
    let output = place.run(&["db", "delete", "game.pos", "--recursive"], "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--moves <CELLS>"), "{output:?}");
    assert_eq!(place.read("game.pos"), "h8i9\n");
    db(&place, &["put", "a.tdb", "--text", "x"]);
    let said = fault(&place, &["import", "b.tdb", "a.tdb"]);
    assert_eq!(said, "Error: a.tdb is a database: tengen db merge adds what it knows");
    let said = fault(&place, &["merge", "a.tdb", "a.tdb"]);
    assert_eq!(said, "Error: cannot write a.tdb: the same file has another use");
}

#[test]
fn games_are_read_and_exported_positions_come_back() {
    let place = Place::new("db-import");
    place.write(
        "games.sgf",
        "(;FF[4]GM[4]SZ[15]RU[renju]RE[B+];B[hh]C[a start];W[ii](;B[jj])(;B[hj]C[or]))",
    );
    place.write("more.pos", "h8i9h9\nh8g7\n");
    let args = ["import", "a.tdb", "--rule", "renju", "--size", "15", "games.sgf", "more.pos"];
    assert_eq!(db(&place, &args), "12 positions read, 6 new or changed in the database\n");
    let info = db(&place, &["info", "a.tdb"]);
    assert!(info.starts_with("6 positions, "), "{info}");
    assert!(info.contains("\nrenju       15x15       3            3\n"), "{info}");
    let shown = db(&place, &["query", "a.tdb", "--rule", "renju", "--moves", "h8i9"]);
    assert!(shown.contains("visits  3\ngames   black won 1, white won 0, 0 drawn\n"), "{shown}");
    // Exported, read again and merged, it is the same.
    let lines = db(&place, &["export", "a.tdb", "--to", "json"]);
    db(&place, &["export", "a.tdb", "--to", "json", "-o", "a.jsonl"]);
    assert_eq!(place.read("a.jsonl"), lines);
    assert_eq!(lines.lines().count(), 6);
    let read = "6 positions read, 6 new or changed in the database\n";
    assert_eq!(db(&place, &["import", "b.tdb", "a.jsonl"]), read);
    assert_eq!(db(&place, &["export", "b.tdb", "--to", "json"]), lines);
    let same = "6 positions read, 0 new or changed in the database\n";
    assert_eq!(db(&place, &["import", "b.tdb", "a.jsonl"]), same);
    assert_eq!(db(&place, &["merge", "b.tdb", "a.tdb"]), same);
    assert_eq!(db(&place, &["merge", "c.tdb", "a.tdb", "b.tdb"]).split(' ').next(), Some("12"));
    assert_eq!(db(&place, &["export", "c.tdb", "--to", "json"]), lines);
    assert_eq!(db(&place, &["check", "c.tdb"]), "6 positions, all in order\n");
    let compacted = db(&place, &["compact", "c.tdb"]);
    let bytes = fs::metadata(place.path("c.tdb")).unwrap().len();
    let (size, _) = compacted.split_once(" bytes, ").expect("the size");
    assert_eq!(size.replace(',', ""), bytes.to_string(), "{compacted}");
    // A tree of moves.
    let sgf = db(&place, &["export", "a.tdb", "--to", "sgf", "--rule", "renju"]);
    assert!(sgf.contains("C[a start]") && sgf.contains("C[or]"), "{sgf}");
    assert_eq!(sgf.matches(";B[").count() + sgf.matches(";W[").count(), 5);
    let sgf = db(
        &place,
        &["export", "a.tdb", "--to", "sgf", "--rule", "renju", "--moves", "h8i9", "--depth", "0"],
    );
    assert_eq!(sgf.matches(";B[").count() + sgf.matches(";W[").count(), 2);
    // The same tree as a library of RenLib comes back, but for the rule and what has no place there.
    let args = ["--to", "lib", "--rule", "renju", "--encoding", "utf-8"];
    let tree = |file: &str| {
        let output = place.run(&[&["db", "export", file], &args[..]].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.starts_with("Lost, as lib cannot hold it: the rule"), "{said}");
        output.stdout
    };
    fs::write(place.path("a.lib"), tree("a.tdb")).unwrap();
    db(&place, &["import", "d.tdb", "--rule", "renju", "--from", "lib", "a.lib"]);
    assert_eq!(tree("d.tdb"), tree("a.tdb"));
    assert!(tree("d.tdb").windows(7).any(|window| window == b"a start"));
}

#[test]
fn a_database_is_not_replaced_by_what_is_read_from_it() {
    let place = Place::new("db-itself");
    db(&place, &["put", "a.tdb", "--moves", "h8", "--value", "7"]);
    let before = fs::read(place.path("a.tdb")).unwrap();
    for format in ["csv", "sgf"] {
        let said = fault(&place, &["export", "a.tdb", "--to", format, "-o", "./a.tdb"]);
        assert_eq!(said, "Error: cannot write ./a.tdb: the same file has another use");
    }
    assert!(fs::read(place.path("a.tdb")).unwrap() == before);
}

#[test]
fn a_source_that_is_wrong_is_told_with_its_line_and_what_was_read_stays() {
    let place = Place::new("db-bad-source");
    let good = "{\"tengen_db\":1,\"rule\":\"renju\",\"size\":[15,15],\"black\":\"h8\"}";
    place.write("a.jsonl", &format!("{good}\n{good}x\n"));
    let said = fault(&place, &["import", "a.tdb", "a.jsonl"]);
    assert!(
        said.starts_with("Error: 1 position read, 1 new or changed in the database: a.jsonl:2: "),
        "{said}"
    );
    assert!(db(&place, &["info", "a.tdb"]).starts_with("1 position, "));
    // What is no source at all is told before anything is read: the same command once more counts nothing twice.
    place.write("good.jsonl", &format!("{good}\n"));
    place.write("junk.txt", "hello\n");
    for junk in ["a.tdb", "junk.txt"] {
        let said = fault(&place, &["import", "c.tdb", "good.jsonl", junk]);
        assert!(said.starts_with("Error: ") && said.contains(junk), "{said}");
        assert!(fs::metadata(place.path("c.tdb")).is_err(), "{junk}");
    }
    // Games that are none keep nobody from the others.
    place.write("b.pos", "h8i9\nh8h8\nh8j10\n");
    for size in [&["--size", "15"][..], &[]] {
        let output = place.run(&[&["db", "import", "b.tdb", "b.pos"], size].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said, "Error: b.pos:2:3: expected an empty cell (game 2)\n");
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.starts_with(b"6 positions read"), "{output:?}");
        assert!(db(&place, &["info", "b.tdb"]).starts_with("4 positions, "));
    }
}

#[test]
fn a_library_by_standard_input_is_read_as_a_file_and_what_is_lost_is_said() {
    let place = Place::new("db-library");
    let head = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00";
    // h8 with a comment in Latin-1, below it h9, and a move onto h8.
    let nodes = b"\x78\x08\xe9t\xe9\0\x88\x00\x78\x40";
    fs::write(place.path("a.lib"), [&head[..], nodes].concat()).unwrap();
    // Of this name there is a file too.
    place.write("-", "x");
    for (database, source, name) in [("a.tdb", "a.lib", "a.lib"), ("b.tdb", "-", "standard input")]
    {
        let mut command = place.command(&["db", "import", database, source]);
        command.stdin(fs::File::open(place.path("a.lib")).unwrap());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let lost = "warning: left out: moves on stones, and what follows them";
        assert_eq!(said, format!("{name}: {lost}\n"));
        let shown = db(&place, &["query", database, "--moves", "h8"]);
        assert!(shown.contains("été"), "{shown}");
    }
}

#[test]
fn results_are_carried_back_and_trees_are_removed() {
    let place = Place::new("db-tree");
    for (moves, more) in [
        ("h8", &["--text", "x"][..]),
        ("h8i9", &["--text", "x"]),
        ("h8i9j8", &["--result", "loss:4"]),
        ("h8h9", &["--text", "x"]),
        ("h8h9a1", &["--result", "draw"]),
    ] {
        db(&place, &[&["put", "a.tdb", "--moves", moves], more].concat());
    }
    assert_eq!(db(&place, &["propagate", "a.tdb"]), "1 result learnt\n");
    assert_eq!(db(&place, &["propagate", "a.tdb", "--values"]), "0 results learnt, 1 value\n");
    let shown = db(&place, &["query", "a.tdb", "--moves", "h8i9"]);
    assert!(shown.contains("result  win:5\n"), "{shown}");
    let delete = |more: &[&str]| db(&place, &[&["delete", "a.tdb", "--moves"], more].concat());
    assert_eq!(delete(&["h8i9j9"]), "0 positions removed\n");
    assert_eq!(delete(&["h8", "--filter", "w"]), "0 positions removed\n");
    assert_eq!(delete(&["h8", "--filter", "l"]), "2 positions removed\n");
    assert_eq!(delete(&["h8h9a1"]), "1 position removed\n");
    assert_eq!(delete(&["h8", "--recursive"]), "2 positions removed\n");
    assert!(db(&place, &["info", "a.tdb"]).starts_with("0 positions, "));
}

#[test]
#[cfg(unix)]
fn an_import_that_is_interrupted_keeps_what_was_read() {
    let place = Place::new("db-interrupted");
    let mut command = place.command(&["db", "import", "a.tdb", "-"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut asked = false;
    // More than a pipe holds, so that the program is at work when it is asked to end; and an end, which
    // a program that is deaf comes to.
    for number in 0_u64..50_000 {
        let [a, b, c] = [0, 1, 2].map(|i| (number / 15_u64.pow(i)) % 15);
        let [x, y, z] = [a, b, c].map(|n| char::from(b'a' + n as u8));
        let line = format!(
            "{{\"tengen_db\":1,\"rule\":\"renju\",\"size\":[15,15],\"black\":\"{x}1{y}2\",\"white\":\"{z}3\"}}\n"
        );
        if input.write_all(line.as_bytes()).is_err() {
            break;
        }
        if number * line.len() as u64 > 400_000 && !asked {
            asked = true;
            let signal = tengen_core::sys::signal::Signal::Term;
            tengen_core::sys::signal::send(child.id(), signal).expect("the program is there");
        }
    }
    drop(input);
    let output = child.wait_with_output().expect("tengen ends");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.starts_with("Interrupted: ") && err.contains(" positions read, "), "{err}");
    let checked = db(&place, &["check", "a.tdb"]);
    let count: u64 =
        checked.split(' ').next().and_then(|n| n.replace(',', "").parse().ok()).expect("a number");
    assert!(count > 500 && checked.ends_with("all in order\n"), "{checked}");
}

#[test]
fn databases_of_rapfi_are_read_and_their_text_is_written() {
    let place = Place::new("db-rapfi");
    let whole = b"\x04\0\0\0\x03\0\0\0\0\x14\0\0\0\0\0\0charset=\"UTF-8\"\
        \x05\0\0\x0f\x0f\x07\x07\x15\0\xff\xdd\xff\x53\0@BTXT@76A\x08Centre\
        \x07\0\0\x0f\x0f\x07\x07\x06\x07\x05\0\x77\xdc\x8a\x67\0\x05\0\x02\x0f\x0f\x07\x07\0\0";
    std::fs::write(place.path("a.db"), whole).expect("a file");
    let read = "3 positions read, 3 new or changed in the database\n";
    assert_eq!(db(&place, &["import", "a.tdb", "a.db"]), read);
    let text = "index,key,label,value,depth,bound,text
0,f-15-15-h8--w,(none),-35,20,exact,\"@BTXT@76A\\bCentre\"
1,f-15-15-h8-g8-b,w,-29988,25,exact,\"\"
2,r-15-15-h8--w,(null),0,0,none,\"\"
";
    assert_eq!(db(&place, &["export", "a.tdb", "--to", "csv"]), text);
    assert_eq!(db(&place, &["export", "a.tdb", "--to", "csv", "-o", "a.csv"]), "");
    assert_eq!(db(&place, &["import", "b.tdb", "a.csv"]), read);
    let json = |file: &str| db(&place, &["export", file, "--to", "json"]);
    assert_eq!(json("a.tdb"), json("b.tdb"));
    // Entries before the damage are kept.
    std::fs::write(place.path("cut.db"), &whole[..70]).expect("a file");
    let fault = fault(&place, &["import", "c.tdb", "cut.db"]);
    assert!(fault.contains("cut.db: byte 70 of the content: "), "{fault}");
    assert_eq!(json("c.tdb").lines().count(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn an_export_ends_quietly_when_nobody_reads_whatever_the_output_is_called() {
    let place = Place::new("db-unread");
    db(&place, &["put", "a.tdb", "--moves", "h8", "--text", "x"]);
    for name in ["-", "/dev/stdout"] {
        let mut command = place.command(&["db", "export", "a.tdb", "--to", "csv", "-o", name]);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command.stdout(writer).stderr(Stdio::piped()).output().expect("tengen runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{name}: {output:?}");
    }
}
