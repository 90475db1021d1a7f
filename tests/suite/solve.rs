//! `tengen solve` and `tengen verify` with the real binary.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::place::Place;
use serde_json::Value;

impl Place {
    /// Runs tengen and returns the exit code, standard output and standard error.
    fn tengen(&self, args: &[&str], input: &str) -> (i32, String, String) {
        ended(&self.run(args, input))
    }

    /// Returns standard output of a command with this exit code that complains of nothing.
    fn says(&self, code: i32, args: &[&str]) -> String {
        let (ended, out, err) = self.tengen(args, "");
        assert_eq!((ended, err.as_str()), (code, ""), "{args:?}: {out}");
        out
    }

    /// Returns what a command prints as JSON, an object a line.
    fn objects(&self, code: i32, args: &[&str]) -> Vec<Value> {
        let out = self.says(code, args);
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// Returns the only line of a command that fails.
    fn complaint(&self, args: &[&str]) -> String {
        let (code, out, err) = self.tengen(args, "");
        assert_eq!((code, out.as_str(), err.lines().count()), (1, "", 1), "{args:?}: {err}");
        err.trim_end().to_owned()
    }
}

fn ended(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Black has an open three and is to move.
const THREE: &str = "h8a1i8a3j8a5";

const CERTIFICATE: &str = "{\"tengen_certificate\":1,\"size\":[15,15],\"rule\":\"freestyle\",\
                           \"moves\":\"h8a1i8a3j8a5\",\"attacker\":\"black\",\"tree\":[\n\
                           [\"g8\",1,\"f8\",2],\n[\"f8\"],\n[\"k8\"]\n]}\n";

/// Returns the moves of a position with a forced win.
fn known_win(file: &str, row: usize) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = fs::read_to_string(path).expect("the data are there");
    text.lines().nth(row).and_then(|line| line.split('\t').nth(3)).expect("moves").to_owned()
}

#[test]
fn a_win_is_told_with_its_main_line() {
    let place = Place::new("solve-win");
    let out = place.says(0, &["solve", "--moves", THREE]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "freestyle 15x15, black to move after 6 moves");
    assert_eq!(lines[1], "win in 3 plies: g8 f8 k8");
    assert!(lines[2].contains(" searched in ") && lines[2].ends_with("; certificate of 3 nodes"));
    assert_eq!(lines.len(), 3, "{out}");
}

#[test]
fn wins_that_others_found_are_found_and_verified() {
    let place = Place::new("solve-known");
    for (file, rule) in
        [("renju15", "renju"), ("standard15", "standard"), ("freestyle15", "freestyle")]
    {
        let moves = known_win(&format!("forced-wins-{file}.tsv"), 1);
        let args =
            ["solve", "--rule", rule, "--time", "0", "--certificate", "c.json", "--moves", &moves];
        let out = place.says(0, &args);
        let head = out.lines().next().expect("a first line");
        assert!(out.contains("\nwin in "), "{out}");
        let out = place.says(0, &["verify", "c.json"]);
        assert!(out.starts_with(&format!("{head}\nproved: ")), "{out}");
        assert!(out.contains(" wins in at most ") && out.ends_with(" checked\n"), "{out}");
    }
}

#[test]
fn a_proof_is_checked_before_it_is_told_if_that_is_wanted() {
    let place = Place::new("solve-checked");
    let out = place.says(0, &["solve", "--verify", "--moves", THREE]);
    assert!(out.contains("; certificate of 3 nodes, ") && out.ends_with(" checked\n"), "{out}");
    let args = ["solve", "--verify", "--moves", THREE, "--moves", "h8", "--quiet"];
    let out = place.says(0, &args);
    let summary = "1 win in 2 positions, 50.0 %; 1 checked; \
                   1 no win by fours and threes (VCT) within the horizon";
    assert_eq!(out.lines().next(), Some(summary));
    let checked = &place.objects(0, &["solve", "--verify", "--json", "--moves", THREE])[0];
    assert!(checked["checked"].as_u64() >= Some(3), "{checked}");
}

#[test]
fn where_there_is_no_win_it_is_said_within_which_horizon() {
    let place = Place::new("solve-none");
    let out = place.says(0, &["solve", "--moves", "h8"]);
    assert!(out.contains("\nno win by fours and threes (VCT) within the horizon\n"), "{out}");
    let out = place.says(0, &["solve", "--fours", "--moves", "h8i9"]);
    assert!(out.contains("\nno win by fours (VCF)\n"), "{out}");
    let out = place.says(0, &["solve", "--moves", "h8a1i8a3j8a5g8b1f8"]);
    assert_eq!(out, "freestyle 15x15, after 9 moves\nthe game is over: black has won\n");
}

#[test]
fn a_search_that_met_its_limit_is_unknown() {
    let place = Place::new("solve-limit");
    let moves = known_win("forced-wins-renju15.tsv", 1);
    let args = ["solve", "--rule", "renju", "--nodes", "1", "--moves", &moves];
    let out = place.says(3, &args);
    assert!(out.contains("\nunknown: stopped after "), "{out}");
    let line = &place.objects(3, &[&args[..], &["--json"]].concat())[0];
    assert_eq!((&line["verdict"], &line["stopped"]), (&"unknown".into(), &"nodes".into()));
}

#[test]
fn positions_come_from_files_of_all_kinds() {
    let place = Place::new("solve-files");
    place.write("a.pos", &format!("{THREE}\n"));
    place.says(0, &["convert", "a.pos", "--rule", "standard", "-o", "a.sgf"]);
    place.tengen(&["convert", "a.pos", "-o", "a.psq"], "");
    for file in ["a.pos", "a.psq", "a.sgf"] {
        let out = place.says(0, &["solve", file]);
        assert!(out.contains("\nwin in 3 plies: g8 f8 k8\n"), "{file}: {out}");
    }
    let (code, out, err) = place.tengen(&["solve", "-", "--after", "3", "--size", "20"], THREE);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("freestyle 20x20, white to move after 3 moves\nno win"), "{out}");
}

#[test]
fn several_positions_have_a_line_each_and_a_summary() {
    let place = Place::new("solve-many");
    place.write("a.pos", &format!("{THREE}\nh8\n"));
    place.write("b.pos", "h8a1i8a3j8a5g8b1f8\n");
    let args = ["solve", "a.pos", "b.pos", "--threads", "2", "--certificate", "c.json"];
    let out = place.says(0, &args);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("1  win        3  g8 "), "{out}");
    assert!(lines[0].ends_with(" ms  a.pos, game 1"), "{out}");
    assert!(lines[1].starts_with("2  no win     -  -  "), "{out}");
    assert!(lines[2].starts_with("3  over       -  -  "), "{out}");
    let summary = "1 win in 3 positions, 33.3 %; 1 no win by fours and threes (VCT) within the horizon; 1 over";
    assert_eq!(lines[3], summary);
    assert!(lines[4].starts_with("time: median "), "{out}");
    assert_eq!(place.files("."), ["a.pos", "b.pos", "c-1.json"]);
    assert_eq!(place.read("c-1.json"), CERTIFICATE);
    let out = place.says(0, &["solve", "--quiet", "a.pos", "b.pos"]);
    assert!(out.starts_with("1 win in 3 ") && out.lines().count() == 2, "{out}");
}

#[test]
fn a_file_that_cannot_be_written_keeps_nothing_from_being_found_and_written() {
    let place = Place::new("solve-unwritten");
    fs::create_dir(place.path("w-1.svg")).expect("a directory");
    fs::create_dir(place.path("c-2.json")).expect("a directory");
    let args = ["solve", "--moves", THREE, "--svg", "w.svg", "--certificate", "c.json"];
    let more = ["--moves", THREE, "--moves", THREE];
    let (code, out, err) = place.tengen(&[&args[..], &more].concat(), "");
    assert_eq!((code, err.lines().count()), (1, 1), "{err}");
    assert!(err.starts_with("Error: cannot write w-1.svg: "), "{err}");
    assert_eq!(out.lines().filter(|line| line.contains("  win        3  g8 ")).count(), 3, "{out}");
    assert!(out.contains("\n3 wins in 3 positions, 100.0 %\n"), "{out}");
    let names = ["c-1.json", "c-2.json", "c-3.json", "w-1.svg", "w-2.svg", "w-3.svg"];
    assert_eq!(place.files("."), names);
    assert_eq!([place.read("c-1.json"), place.read("c-3.json")], [CERTIFICATE, CERTIFICATE]);
    assert!(place.read("w-2.svg").starts_with("<svg"));
}

#[test]
fn json_has_an_object_for_each_position() {
    let place = Place::new("solve-json");
    place.write("a.pos", &format!("{THREE}\nh8\n"));
    place.write("b.pos", "h8a1i8a3j8a5g8b1f8\n");
    let args = ["solve", "--json", "--certificate", "c.json", "a.pos", "b.pos"];
    let lines = place.objects(0, &args);
    assert_eq!(lines.len(), 3);
    for (key, value) in [
        ("position", Value::from(1)),
        ("file", "a.pos".into()),
        ("game", 1.into()),
        ("size", vec![15, 15].into()),
        ("rule", "freestyle".into()),
        ("moves", THREE.into()),
        ("attacker", "black".into()),
        ("verdict", "win".into()),
        ("plies", 3.into()),
        ("line", "g8f8k8".into()),
        ("nodes", 3.into()),
        ("certificate", "c-1.json".into()),
    ] {
        assert_eq!(lines[0][key], value, "{key}");
    }
    assert_eq!((&lines[1]["verdict"], &lines[1]["plies"]), (&"none".into(), &Value::Null));
    assert_eq!((&lines[2]["verdict"], &lines[2]["attacker"]), (&"over".into(), &Value::Null));
}

#[test]
fn a_certificate_goes_through_a_pipe() {
    let place = Place::new("solve-pipe");
    let (code, out, err) = place.tengen(&["solve", "--certificate", "-", "--moves", THREE], "");
    assert_eq!((code, out.as_str()), (0, CERTIFICATE));
    assert!(err.contains("win in 3 plies"), "{err}");
    let (code, out, err) = place.tengen(&["verify", "-"], CERTIFICATE);
    assert_eq!((code, err.as_str()), (0, ""));
    let start = "freestyle 15x15, black to move after 6 moves\n\
                 proved: black wins in at most 3 plies; 3 nodes, ";
    assert!(out.starts_with(start) && out.ends_with(" checked\n"), "{out}");
}

#[test]
fn certificates_that_were_tampered_with_are_refused() {
    let place = Place::new("verify-tampered");
    let four = "h8a1i8a2j8a3o15a4";
    for (old, new, words) in [
        ("[\"g8\",", "[\"h8\",", "after h8: the attacker's move can't be played"),
        ("[\"g8\",", "[\"o15\",", "after o15 b1 f8: the last move does not win"),
        (",1,\"f8\",2],\n[\"f8\"],\n[\"k8\"]", "]", "after g8: the last move does not win"),
        (
            ",\"f8\",2],\n[\"f8\"],\n[\"k8\"]",
            "],\n[\"f8\"]",
            "after g8 f8 f8: the attacker's move can't be played",
        ),
        ("[\"k8\"]", "[\"k9\"]", "after g8 f8 k9: the last move does not win"),
        ("[\"k8\"]", "[\"k8\",3],[\"a9\"]", "after g8 f8 k8: the attack continues after the win"),
        (THREE, four, "after g8 a5: the defender wins"),
    ] {
        let text = CERTIFICATE.replacen(old, new, 1);
        assert_ne!(text, CERTIFICATE);
        place.write("c.json", &text);
        let out = place.says(1, &["verify", "c.json"]);
        assert_eq!(out.lines().nth(1), Some(format!("not proved: {words}").as_str()));
        assert_eq!(out.lines().count(), 2, "{out}");
    }
    // Six in a row are no five where exactly five are asked for.
    let rule = CERTIFICATE.replace("freestyle", "standard").replace("a3j8a5", "a3j8a5e8a7");
    place.write("c.json", &rule);
    let out = place.says(1, &["verify", "c.json"]);
    assert!(out.ends_with("\nnot proved: after g8 b1 f8: the last move does not win\n"), "{out}");
}

#[test]
fn all_certificates_are_looked_at_even_after_a_broken_one() {
    let place = Place::new("verify-many");
    place.write("bad.json", "{\"tengen_certificate\":1,");
    place.write("good.json", CERTIFICATE);
    let (code, out, err) = place.tengen(&["verify", "bad.json", "none.json", "good.json"], "");
    assert_eq!(code, 1);
    assert!(out.starts_with("good.json: proved: ") && out.lines().count() == 1, "{out}");
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].starts_with("Error: bad.json:1:"), "{err}");
    assert!(lines[1].starts_with("Error: cannot read none.json: "), "{err}");
}

#[test]
fn programs_are_told_what_was_proved_and_of_which_position() {
    let place = Place::new("verify-json");
    place.write("good.json", CERTIFICATE);
    place.write("flawed.json", &CERTIFICATE.replace("[\"k8\"]", "[\"k9\"]"));
    place.write("bad.json", "{}");
    let files = ["verify", "--json", "good.json", "flawed.json", "bad.json"];
    let objects = place.objects(1, &files);
    assert_eq!(objects.len(), 3);
    for (key, value) in [
        ("file", Value::from("good.json")),
        ("verdict", "proved".into()),
        ("size", vec![15, 15].into()),
        ("rule", "freestyle".into()),
        ("moves", THREE.into()),
        ("attacker", "black".into()),
        ("plies", 3.into()),
        ("nodes", 3.into()),
        ("why", Value::Null),
    ] {
        assert_eq!(objects[0][key], value, "{key}");
    }
    assert!(objects[0]["positions"].as_u64() >= Some(3), "{}", objects[0]);
    for (key, value) in [
        ("verdict", Value::from("flawed")),
        ("after", "g8f8k9".into()),
        ("why", "the last move does not win".into()),
        ("plies", Value::Null),
    ] {
        assert_eq!(objects[1][key], value, "{key}");
    }
    assert_eq!((&objects[2]["verdict"], &objects[2]["rule"]), (&"unreadable".into(), &Value::Null));
    assert!(objects[2]["why"].as_str().is_some_and(|why| why.starts_with("bad.json:1:")));
    place.objects(0, &files[..3]);
}

#[cfg(unix)]
#[test]
fn what_is_known_is_told_after_ctrl_c() {
    use std::io::{BufRead, BufReader, Read};

    let place = Place::new("solve-ended");
    // More than fit into a pipe that nobody reads.
    const MANY: usize = 20_000;
    place.write("a.pos", &"h8i9\n".repeat(MANY));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["solve", "--hash", "1", "--threads", "2", "a.pos"])
        .current_dir(&place.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    lines.read_line(&mut first).expect("a line");
    assert!(first.trim_start().starts_with("1  no win "), "{first}");
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh starts").success());
    let mut rest = String::new();
    lines.read_to_string(&mut rest).expect("the rest");
    assert_eq!(child.wait().expect("tengen ends").code(), Some(3));
    let summary = rest.lines().rev().nth(1).expect("a summary");
    assert!(summary.starts_with("0 wins in 20,000 positions, 0.0 %; "), "{summary}");
    assert!(summary.ends_with(" not begun"), "{summary}");
    // Every position that was begun has its line, in order.
    let told = rest.lines().take_while(|line| line.contains("  no win "));
    for (i, line) in told.enumerate() {
        let number = line.split_whitespace().next().and_then(|word| word.parse().ok());
        assert_eq!(number, Some(i + 2), "{line}");
    }
}

#[test]
fn what_makes_no_position_is_told_with_its_place() {
    let place = Place::new("solve-errors");
    place.write("a.pos", "h8i9\n");
    place.write("a-2.pos", "h8i9\n");
    place.write("bad.pos", "h8x\n");
    place.write("half.pos", "h8\nh8x\n");
    place.write("over.pos", "h8a1i8a3j8a5g8b1f8c1\n");
    place.write("six.pos", "h8a1i8a3j8a5l8b1m8b3k8c1\n");
    for (args, complaint) in [
        (&["solve", "bad.pos"][..], "Error: bad.pos:1:3: expected a cell such as h8 (game 1)"),
        (
            &["solve", "a.pos", "--after", "3"],
            "Error: a.pos, game 1: there is no move 3: the game has 2 moves",
        ),
        (
            &["solve", "over.pos"],
            "Error: over.pos, game 1: not a game by the rule freestyle: move 10: the game is over",
        ),
        (
            &["solve", "six.pos"],
            "Error: six.pos, game 1: not a game by the rule freestyle: move 12: the game is over; \
             it is one by standard, caro-exact",
        ),
        (&["solve", "--moves", "h8h8"], "Error: --moves \"h8h8\": 1:3: expected an empty cell"),
        (
            &["solve", "--moves", "h8", "--certificate", "nowhere/c.json"],
            "Error: cannot write nowhere/c.json: its directory does not exist",
        ),
        (
            &["solve", "a.pos", "--moves", "h8", "--certificate", "-"],
            "Error: standard output takes the certificate of one position and nothing else",
        ),
        (
            &["solve", "a-2.pos", "--moves", "h8", "--certificate", "a.pos"],
            "Error: cannot write a-2.pos: the same file has another use",
        ),
    ] {
        assert_eq!(place.complaint(args), complaint, "{args:?}");
    }
    // A game that is none keeps nobody from the others.
    let (code, out, err) = place.tengen(&["solve", "half.pos"], "");
    assert_eq!(
        (code, err.as_str()),
        (1, "Error: half.pos:2:3: expected a cell such as h8 (game 2)\n")
    );
    assert!(out.starts_with("freestyle 15x15, white to move after 1 move\n"), "{out}");
    for args in [&["solve"][..], &["solve", "--time", "x", "a.pos"], &["verify"]] {
        assert_eq!(place.tengen(args, "").0, 2, "{args:?}");
    }
    let (_, _, err) = place.tengen(&["solve"], "");
    assert!(err.contains("--moves <CELLS>|FILE"), "{err}");
}

#[test]
fn moves_are_read_as_people_paste_them() {
    let place = Place::new("solve-pasted");
    let out = place.says(0, &["solve", "--moves", THREE]);
    let win = out.lines().take(2).collect::<Vec<_>>();
    for moves in [
        "h8 a1 i8 a3 j8 a5",
        "H8, A1, I8, A3, J8, A5",
        "1.h8 2.a1 3.i8 4.a3 5.j8 6.a5",
        "1. h8 a1 2. i8 a3 3. j8 a5",
        "https://gomocalc.com/#/h8a1i8a3j8a5",
    ] {
        let out = place.says(0, &["solve", "--moves", moves]);
        assert_eq!(out.lines().take(2).collect::<Vec<_>>(), win, "{moves}");
    }
    let complaint = place.complaint(&["solve", "--moves", "1.h8 3.a1"]);
    let expected = "Error: --moves \"1.h8 3.a1\": 1:6: expected a cell, or the number 2";
    assert_eq!(complaint, expected);
}

#[test]
fn cells_come_out_as_they_went_in_and_files_count_from_the_top() {
    let place = Place::new("solve-origin");
    // Under the rules of renju the same three, two rows up from the middle.
    let (from_bottom, from_top) = ("h10a1i10a3j10a5", "h6a15i6a13j6a11");
    let solve = ["solve", "--rule", "4", "--moves"];
    let with = |more: &[&'static str]| [&solve[..], more].concat();
    let out = place.says(0, &with(&[from_bottom, "--certificate", "c.json", "--svg", "a.svg"]));
    let head = "renju 15x15, black to move after 6 moves, rows from the bottom\n";
    assert!(out.starts_with(&format!("{head}win in 3 plies: g10 ")), "{out}");
    assert!(place.read("c.json").contains(&format!("\"moves\":\"{from_top}\"")));
    let svg = place.read("a.svg");
    assert!(svg.contains("<title>black wins in 3 plies</title>"), "{svg}");
    assert!(svg.contains(">1</text>") && svg.contains(">3</text>") && svg.contains(">15</text>"));
    assert_eq!(svg.matches("r=\"14\"").count(), 9);
    assert_eq!(svg.matches("<text").count(), 15 + 15 + 3);
    let out = place.says(0, &["verify", "c.json"]);
    assert!(out.starts_with(&format!("{head}proved: ")), "{out}");
    let out = place.says(0, &with(&[from_top, "--origin", "top"]));
    assert!(out.starts_with("renju 15x15, black to move after 6 moves\nwin in 3 plies: g6 "));
    // A picture of the same position from the other side.
    let top = place.says(0, &with(&[from_top, "--origin", "top", "--certificate", "d.json"]));
    assert!(top.contains("g6"));
    assert_eq!(place.read("d.json"), place.read("c.json"));
    // Programs read and write from the top.
    let object = &place.objects(0, &with(&[from_top, "--json"]))[0];
    assert_eq!((&object["moves"], &object["plies"]), (&from_top.into(), &3.into()));
    assert!(object["line"].as_str().is_some_and(|line| line.starts_with("g6")), "{object}");
    let object = &place.objects(0, &with(&[from_bottom, "--json", "--origin", "bottom"]))[0];
    assert_eq!(object["moves"], from_top);
    // Rows of cells are text too: nothing is turned unless that is asked for.
    place.write("a.pos", &format!("{from_top}\n"));
    let out = place.says(0, &["solve", "--rule", "renju", "a.pos"]);
    assert!(out.contains("after 6 moves\nwin in 3 plies: g6 "), "{out}");
    let out = place.says(0, &["solve", "--rule", "renju", "--origin", "bottom", "a.pos"]);
    assert!(out.contains(", rows from the bottom\nwin in 3 plies: g6 "), "{out}");
    // In a file that holds no such text they are printed as usual.
    place.says(0, &["convert", "a.pos", "--rule", "renju", "-o", "a.sgf"]);
    let out = place.says(0, &["solve", "a.sgf"]);
    assert!(out.contains(", rows from the bottom\nwin in 3 plies: g10 "), "{out}");
}

#[test]
fn a_certificate_made_to_be_hard_is_given_up_with_a_reason() {
    let place = Place::new("verify-hard");
    // Black has two open fours and plays elsewhere three times; white's stones are too far apart to make
    // five meanwhile.
    let moves = "c5a1d5o2e5a7f5o8c9a13d9o14e9h1f9h15";
    let quiet = ["c1", "f1", "l1"];
    let mut nodes: Vec<String> = Vec::new();
    let mut next = quiet.len() + 1;
    for (i, play) in quiet.iter().enumerate() {
        let mut node = format!("[\"{play}\",{}", i + 1);
        for reply in quiet[i + 1..].iter().chain(&["b5", "b9"]) {
            node.push_str(&format!(",\"{reply}\",{next}"));
            next += 1;
        }
        nodes.push(node + "]");
    }
    nodes.push("[\"b5\"]".to_owned());
    for i in 0..quiet.len() {
        nodes.extend(quiet[i + 1..].iter().map(|_| "[\"b5\"]".to_owned()));
        // Whoever takes one of the two leaves the other.
        nodes.push("[\"b9\"]".to_owned());
        nodes.push("[\"b5\"]".to_owned());
    }
    place.write(
        "hard.json",
        &format!(
            "{{\"tengen_certificate\":1,\"size\":[15,15],\"rule\":\"freestyle\",\
             \"moves\":\"{moves}\",\"tree\":[{}]}}",
            nodes.join(",")
        ),
    );
    let out = place.says(1, &["verify", "--positions", "20000", "hard.json"]);
    let why = "not decided: the check takes more than 20,000 positions, too many for 13 nodes \
               (--positions)";
    assert_eq!(out.lines().nth(1), Some(why));
    let object = &place.objects(1, &["verify", "--json", "--positions", "20000", "hard.json"])[0];
    assert_eq!((&object["verdict"], &object["why"]), (&"undecided".into(), &why.into()));
}
