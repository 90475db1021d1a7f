//! `tengen match` with the real binary and players in its process.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

use crate::child;
use crate::place::Place;
use serde_json::Value;

/// Players that always play the same, and at once.
const GREEDY: [&str; 2] = ["--engine", "builtin=greedy"];
const SHAPES: [&str; 3] = ["--engine", "builtin=shapes", "depth=1"];

impl Place {
    fn output_of(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("tengen starts")
    }

    /// Returns standard output and standard error of a command that exits with this code.
    fn ends(&self, code: i32, args: &[&str]) -> (String, String) {
        let output = self.output_of(args);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}:\n{out}\n{err}");
        (out, without_note(&err))
    }

    /// Plays a match with more options between the two usual players, and returns its output.
    fn plays(&self, options: &[&str]) -> String {
        let (out, err) = self.ends(0, &duel(options));
        assert_eq!(err, "", "{options:?}");
        out
    }
}

/// Returns the arguments of a match between the two usual players.
fn duel<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["match"], &GREEDY[..], &SHAPES[..], options].concat()
}

/// The note on matches without openings: most tests play such ones.
const NOTE: &str = "Note: all games of two engines begin alike,\n\
    and engines limited by nodes or depth play them alike: try --openings builtin.\n";

/// The same note where engines have a clock.
const CLOCK_NOTE: &str = "Note: all games of two engines begin alike,\n\
    and many will go on alike: try --openings builtin.\n";

fn without_note(err: &str) -> String {
    err.replacen(NOTE, "", 1).replacen(CLOCK_NOTE, "", 1)
}

/// Returns a report up to the times, which are never the same.
fn timeless(text: &str) -> &str {
    text.split_once("\nThinking").expect("a report").0
}

/// Returns the lines of games.
fn game_lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("Game ")).collect()
}

/// Returns the objects of the games and that of the summary.
fn objects(text: &str) -> (Vec<Value>, Value) {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    let mut objects: Vec<Value> = text.lines().map(parse).collect();
    let summary = objects.pop().expect("the summary");
    (objects, summary)
}

#[test]
fn a_match_prints_its_games_and_what_came_of_it() {
    let place = Place::new("text");
    let out = place.plays(&["--rounds", "2"]);
    let lines = game_lines(&out);
    assert_eq!(lines.len(), 4, "{out}");
    assert!(lines[0].starts_with("Game 1: greedy (X) - shapes (O) 0-1, "), "{out}");
    assert!(lines[0].contains(" moves, five "), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    assert!(lines[0].ends_with(" [0 - 1]"), "{out}");
    assert!(lines[1].starts_with("Game 2: shapes (X) - greedy (O) 1-0, "), "{out}");
    assert!(lines[3].ends_with(" [0 - 4]"), "{out}");
    let report = out.lines().skip(4).collect::<Vec<_>>().join("\n");
    assert!(report.contains("greedy") && report.contains("shapes"), "{out}");
    let again = place.plays(&["--rounds", "2"]);
    assert_eq!(timeless(&again), timeless(&out), "the players always play the same");
    assert!(place.files(".").is_empty());
}

#[test]
fn quiet_means_the_report_alone() {
    let place = Place::new("quiet");
    let out = place.plays(&["--rounds", "2", "--quiet"]);
    let whole = place.plays(&["--rounds", "2"]);
    assert!(game_lines(&out).is_empty(), "{out}");
    assert!(timeless(&whole).ends_with(timeless(&out)), "{whole}\n{out}");
}

#[test]
fn the_standing_is_a_line_of_its_own_every_so_many_games() {
    let place = Place::new("standing");
    let standings = |options: &[&str]| {
        let out = place.plays(&[&["--rounds", "12"], options].concat());
        let lines = out.lines().filter(|line| line.starts_with("After "));
        let score = |line: &str| line.split_once(" (").expect("the wins").0.to_owned();
        lines.map(score).collect::<Vec<_>>()
    };
    let ten = "After 10 of 24 games: greedy 0 - 10 shapes";
    let twenty = "After 20 of 24 games: greedy 0 - 20 shapes";
    // Here nobody sees a progress bar.
    assert_eq!(standings(&[]), [ten, twenty]);
    assert_eq!(standings(&["--quiet", "--status-every", "20"]), [twenty]);
    // After the last game there is the report.
    assert_eq!(standings(&["--status-every", "12"]).len(), 1);
    for none in [&["--quiet"][..], &["--status-every", "0"]] {
        assert_eq!(standings(none), [""; 0], "{none:?}");
    }
}

#[test]
fn all_files_are_written_and_can_be_read() {
    let place = Place::new("files");
    place.plays(&[
        "--rounds",
        "2",
        "--sgf",
        "m.sgf",
        "--pgn",
        "m.pgn",
        "--psq",
        "games",
        "--html",
        "m.html",
        "--journal",
        "m.jsonl",
        "--event",
        "Cup",
    ]);
    assert_eq!(place.files("."), ["games", "m.html", "m.jsonl", "m.pgn", "m.sgf"]);
    let psq = (1..=4).map(|number| format!("game-0000{number}.psq")).collect::<Vec<_>>();
    assert_eq!(place.files("games"), psq);
    // All of them hold the same moves.
    let (from_sgf, _) = place.ends(0, &["convert", "m.sgf", "--to", "pos"]);
    let (from_journal, _) = place.ends(0, &["convert", "m.jsonl", "--to", "pos"]);
    let psq: Vec<String> = psq.iter().map(|name| format!("games/{name}")).collect();
    let psq: Vec<&str> = psq.iter().map(String::as_str).collect();
    let (from_psq, _) = place.ends(0, &[&["convert", "--to", "pos"][..], &psq].concat());
    assert_eq!(from_sgf.lines().count(), 4);
    assert_eq!(from_sgf, from_journal);
    assert_eq!(from_sgf, from_psq);
    let (shown, _) = place.ends(0, &["show", "m.sgf", "--game", "2"]);
    assert!(
        shown.starts_with("Game 2 of 4: shapes (X) - greedy (O), 15x15, freestyle, Cup"),
        "{shown}"
    );
    assert!(shown.contains("Result: black won (five)"), "{shown}");
    assert_eq!(place.read("m.pgn").matches("[Result \"0-1\"]").count(), 2);
    assert!(place.read("m.html").contains("<html"));
    // A name of a file gets numbers.
    // Nor does a file of a game take the place of another file.
    let kept = place.read("games/game-00001.psq");
    for (other, psq) in [
        ("--journal", ["games/game-00007.psq", "./games"]),
        ("--journal", ["one-00001.psq", "one.psq"]),
        ("--journal", ["folder", "folder"]),
    ] {
        let (_, err) = place.ends(1, &duel(&[other, psq[0], "--psq", psq[1]]));
        assert!(err.contains("the same file has another use"), "{err}");
    }
    assert_eq!(place.read("games/game-00001.psq"), kept);
    assert!(!place.files(".").contains(&"folder".to_owned()));
    place.plays(&["--psq", "one.psq"]);
    assert!(place.files(".").contains(&"one-00002.psq".to_owned()));
    // A longer match has the same names.
    place.plays(&["--rounds", "2", "--journal", "long.jsonl", "--psq", "long"]);
    let (_, err) = place
        .ends(0, &duel(&["--rounds", "6", "--journal", "long.jsonl", "--psq", "long", "--quiet"]));
    assert_eq!(err, "");
    assert_eq!(place.files("long").len(), 12, "{:?}", place.files("long"));
}

#[test]
fn outputs_replace_nothing_that_is_read_or_kept() {
    let place = Place::new("apart");
    place.plays(&["--journal", "m.jsonl", "--sgf", "m.sgf"]);
    place.write("book.txt", "h8i9\n");
    place.write("engines.json", r#"[{"builtin": "shapes", "depth": 1}]"#);
    let files = ["book.txt", "engines.json", "m.jsonl", "m.sgf"];
    let before = files.map(|name| place.read(name));
    let refused = "cannot write ./m.jsonl: the same file has another use";
    for (args, message) in [
        (duel(&["--journal", "m.jsonl", "--sgf", "./m.jsonl"]), refused),
        (duel(&["--journal", "m.jsonl", "--html", "./m.jsonl"]), refused),
        (duel(&["--journal", "m.jsonl", "--log", "./m.jsonl"]), refused),
        (vec!["match", "report", "m.jsonl", "--pgn", "./m.jsonl"], refused),
        (duel(&["--openings", "book.txt", "--pgn", "book.txt"]), "cannot write book.txt: "),
        (duel(&["--openings", "book.txt", "--log", "book.txt"]), "cannot write book.txt: "),
        (duel(&["--engines", "engines.json", "--sgf", "engines.json"]), ": the same file"),
        (duel(&["--log", "new", "--sgf", "new"]), "cannot write new: the same file"),
        (duel(&["--sgf", "new", "--pgn", "new"]), "cannot write new: the same file"),
    ] {
        let (out, err) = place.ends(1, &args);
        assert!(out.is_empty(), "{out}");
        assert!(err.starts_with("Error: ") && err.contains(message), "{args:?}: {err}");
        assert_eq!(files.map(|name| place.read(name)), before, "{args:?}");
    }
    assert_eq!(place.files("."), files);
    // What is thrown away may be thrown away twice.
    #[cfg(unix)]
    place.plays(&["--sgf", "/dev/null", "--pgn", "/dev/null"]);
}

#[test]
fn json_is_an_object_on_each_line() {
    let place = Place::new("json");
    let (games, summary) = objects(&place.plays(&["--json", "--rounds", "2"]));
    assert_eq!(games.len(), 4);
    let first = &games[0];
    assert_eq!((&first["game"], &first["round"]), (&Value::from(1), &Value::from(1)));
    assert_eq!((&first["black"], &first["white"]), (&"greedy".into(), &"shapes".into()));
    assert_eq!((&first["result"], &first["end"]), (&"white".into(), &"five".into()));
    assert_eq!(first["points"], serde_json::json!([0.0, 1.0]));
    assert!(first["moves"].as_u64().is_some_and(|moves| moves > 8), "{first}");
    assert_eq!(summary["games"], 4);
    let (none, alone) = objects(&place.plays(&["--json", "--quiet", "--rounds", "2"]));
    assert!(none.is_empty());
    assert_eq!(alone["games"], 4);
}

#[test]
fn a_series_ends_when_it_is_decided_and_its_first_movers_are_kept() {
    let place = Place::new("series");
    let out = place.plays(&["--best-of", "7", "--first", "ABBAABB"]);
    let first: Vec<&str> =
        game_lines(&out).iter().map(|line| line.split(' ').nth(2).unwrap()).collect();
    assert_eq!(first, ["greedy", "shapes", "shapes", "greedy"], "{out}");
    assert!(game_lines(&out)[3].ends_with(" [0 - 4]"), "{out}");
    // The same player against itself: who moves first wins each game.
    let same = [
        "match",
        "--each",
        "builtin=shapes",
        "depth=1",
        "--engine",
        "name=A",
        "--engine",
        "name=B",
        "--best-of",
        "7",
        "--first",
        "ABBAABB",
    ];
    let (out, _) = place.ends(0, &same);
    let first: Vec<&str> =
        game_lines(&out).iter().map(|line| line.split(' ').nth(2).unwrap()).collect();
    assert_eq!(first, ["A", "B", "B", "A", "A", "B", "B"][..first.len()], "{out}");
}

#[test]
fn a_test_ends_the_match() {
    let place = Place::new("sprt");
    let openings: String = ["h8", "h8i9", "h8h9", "h8i9j7", "g8", "h7i8", "i7h9"].join("\n");
    place.write("book.txt", &openings);
    let options = ["--openings", "book.txt", "--sprt", "elo0=100", "elo1=300"];
    let (out, err) = place.ends(0, &duel(&options));
    assert!(err.starts_with("Note: there are fewer openings than rounds,\n"), "{err}");
    let expected = "Expected games: 30 at 100 Elo, 50 half way, 30 at 300, if half of the pairs are even; at most ";
    assert!(err.contains(expected), "{err}");
    let games = game_lines(&out).len();
    assert!((4..100).contains(&games), "{out}");
    assert!(games.is_multiple_of(2) && out.contains("H0"), "{out}");
}

#[test]
fn everybody_meets_everybody_or_the_first_one() {
    let place = Place::new("many");
    let four = [
        "match",
        "--engine",
        "builtin=greedy",
        "--engine",
        "builtin=shapes",
        "--engine",
        "builtin=tuples",
        "--engine",
        "builtin=shapes",
        "--each",
        "depth=1",
        "--json",
    ];
    let pairs = |games: &[Value]| -> Vec<String> {
        let pair = |game: &Value| {
            let mut names = [&game["black"], &game["white"]].map(|name| name.as_str().unwrap());
            names.sort_unstable();
            names.join("-")
        };
        let mut pairs: Vec<String> = games.iter().map(pair).collect();
        pairs.sort();
        pairs
            .chunks(2)
            .map(|same| {
                assert_eq!(same[0], same[1]);
                same[0].clone()
            })
            .collect()
    };
    let (games, summary) = objects(&place.ends(0, &four).0);
    assert_eq!(
        pairs(&games),
        [
            "greedy-shapes",
            "greedy-shapes (2)",
            "greedy-tuples",
            "shapes (2)-tuples",
            "shapes-shapes (2)",
            "shapes-tuples"
        ]
    );
    assert_eq!(summary["players"].as_array().map(Vec::len), Some(4));
    let (games, _) = objects(&place.ends(0, &[&four[..], &["--gauntlet"]].concat()).0);
    assert_eq!(pairs(&games), ["greedy-shapes", "greedy-shapes (2)", "greedy-tuples"]);
}

#[test]
fn the_same_command_goes_on_and_another_one_does_not() {
    let place = Place::new("resume");
    let short = ["--rounds", "3", "--journal", "m.jsonl", "--concurrency", "2"];
    let out = place.plays(&short);
    let journal = place.read("m.jsonl");
    assert_eq!(journal.lines().count(), 7);
    // Half of the journal is lost.
    let kept: String = journal.lines().take(4).map(|line| format!("{line}\n")).collect();
    place.write("m.jsonl", &kept);
    let (again, err) = place.ends(0, &duel(&short));
    assert_eq!(game_lines(&again).len(), 3, "{again}");
    assert_eq!(err, "Going on with 3 of 6 games finished.\n");
    assert_eq!(place.read("m.jsonl").lines().count(), 7);
    assert!(timeless(&out).ends_with(timeless(&again[again.find("tengen match:").unwrap()..])));
    // A finished match only reports.
    let (report, _) = place.ends(0, &duel(&short));
    assert!(game_lines(&report).is_empty() && again.ends_with(&report), "{report}\n{again}");
    let (same, _) = place.ends(0, &["match", "report", "m.jsonl"]);
    assert_eq!(same, report);
    // Other options make another match.
    let other = duel(&["--rounds", "3", "--journal", "m.jsonl", "--rule", "renju"]);
    let (out, err) = place.ends(1, &other);
    assert!(out.is_empty() && err.lines().count() == 1, "{out}\n{err}");
    assert!(err.contains("rule freestyle (now renju)"), "{err}");
    assert_eq!(place.read("m.jsonl").lines().count(), 7);
}

#[test]
fn parts_of_a_match_are_joined() {
    let place = Place::new("shards");
    let whole = place.plays(&["--rounds", "3", "--journal", "whole.jsonl", "--quiet"]);
    place.plays(&["--rounds", "3", "--journal", "1.jsonl", "--shard", "1/2"]);
    place.plays(&["--rounds", "3", "--journal", "2.jsonl", "--shard", "2/2"]);
    let (out, err) = place.ends(0, &["match", "merge", "-o", "all.jsonl", "1.jsonl", "2.jsonl"]);
    assert_eq!((out.as_str(), err.as_str()), ("6 games in all.jsonl\n", ""));
    let (report, _) = place.ends(0, &["match", "report", "all.jsonl", "--sgf", "all.sgf"]);
    assert_eq!(timeless(&report), timeless(&whole));
    assert_eq!(place.read("all.sgf").matches("GM[4]").count(), 6);
    let (report, _) = place.ends(0, &["match", "report", "2.jsonl", "1.jsonl"]);
    assert_eq!(timeless(&report), timeless(&whole));
}

#[test]
fn options_that_make_no_sense_are_usage_errors() {
    let place = Place::new("usage");
    let three = [
        "match",
        "--engine",
        "builtin=greedy",
        "--engine",
        "builtin=shapes",
        "--engine",
        "cmd=x",
        "--each",
        "depth=1",
    ];
    for (args, message) in [
        (
            vec!["match"],
            "a match needs two engines, and there is none: name them with --engine, or a \
             directory or file of them with --engines",
        ),
        (
            vec!["match", "--engine", "cmd=x", "--engine", "cmd=y", "turn=1"],
            "--engine cmd=x: there is no limit: give tc= (time for a game), turn= (time for a \
             move), nodes= or depth=, or one for all engines with --each",
        ),
        (
            duel(&["--each", "treads=2"]),
            "--each treads=2: did you mean threads=? To send it as it is, write info:treads=2",
        ),
        (
            [&three[..], &["--best-of", "3"]].concat(),
            "--best-of is for two engines, and there are 3",
        ),
        (
            duel(&["--status-every", "5", "--json"]),
            "the argument '--status-every <GAMES>' cannot be used with '--json'",
        ),
        (
            duel(&["--swap2", "--openings", "x"]),
            "the argument '--swap2' cannot be used with '--openings <FILE>'",
        ),
        (
            duel(&["--best-of", "3", "--journal", "x", "--shard", "1/2"]),
            "the argument '--best-of <GAMES>' cannot be used with '--shard <I/N>'",
        ),
        (
            duel(&["--shard", "1/2"]),
            "the following required arguments were not provided:\n  --journal <FILE>",
        ),
        (
            duel(&["--first", "AB"]),
            "the following required arguments were not provided:\n  --best-of <GAMES>",
        ),
        (
            duel(&["--slow", "x"]),
            "invalid value 'x' for '--slow <TIME>': it is not a time such as 60, 0.5, 500ms, 4m or 1h",
        ),
        (duel(&["--watch"]), "--watch draws in a terminal, and standard output is none"),
    ] {
        let (out, err) = place.ends(2, &args);
        assert!(out.is_empty(), "{out}");
        assert!(err.starts_with(&format!("error: {message}\n\n")), "{err}");
        assert!(err.ends_with("\n\nFor more information, try '--help'.\n"), "{err}");
    }
}

#[test]
fn what_cannot_be_done_is_told_before_anything_is_played() {
    let place = Place::new("errors");
    place.write("book.txt", "h8i9\nh8h8\n");
    place.write("note.txt", "hello\n");
    for (options, message) in [
        (&["--openings", "none.txt"][..], "none.txt"),
        (&["--openings", "book.txt"], "book.txt"),
        (&["--journal", "note.txt"], "note.txt"),
        (&["--sgf", "nowhere/m.sgf"], "cannot write nowhere/m.sgf: its directory does not exist"),
        (&["--html", "."], "cannot write .: it is a directory"),
        (&["--sgf", "-"], "cannot write to standard output: name a file"),
        (&["--engines", "nowhere"], "cannot read nowhere"),
    ] {
        let (out, err) = place.ends(1, &duel(options));
        assert!(out.is_empty(), "{out}");
        assert!(err.starts_with("Error: ") && err.contains(message), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
    assert_eq!(place.read("note.txt"), "hello\n");
    let wrong = [
        "match",
        "--engine",
        "cmd=./no-such-engine",
        "--engine",
        "builtin=greedy",
        "--each",
        "turn=1",
        "--rounds",
        "50",
    ];
    let (out, err) = place.ends(1, &wrong);
    // Once, and without a report of nothing.
    assert!(err.starts_with("Error: no-such-engine has not been able to start: "), "{err}");
    assert_eq!((err.lines().count(), err.matches("able to start").count()), (1, 1), "{err}");
    assert!(!err.contains("could not start") && out.is_empty(), "{out}\n{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn outputs_that_cannot_be_written_are_found_before_the_first_game() {
    let place = Place::new("unwritable");
    // No user can create a file there, not even root.
    for option in ["--html", "--sgf", "--pgn", "--log"] {
        let (out, err) = place.ends(1, &duel(&[option, "/proc/tengen-match"]));
        assert!(out.is_empty(), "{out}");
        assert!(err.starts_with("Error: cannot write /proc/tengen-match: "), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
    let (_, err) = place.ends(1, &duel(&["--psq", "/proc"]));
    assert!(err.starts_with("Error: cannot write /proc: "), "{err}");
    assert!(place.files(".").is_empty());
}

#[test]
fn players_that_repeat_themselves_are_warned_of() {
    let place = Place::new("repetition");
    let output = place.output_of(&duel(&["--rounds", "2"]));
    assert_eq!(String::from_utf8_lossy(&output.stderr), NOTE);
    assert!(NOTE.lines().all(|line| line.chars().count() <= 80), "{NOTE}");
    place.write("one.txt", "h8i9\n");
    let (_, err) = place.ends(0, &duel(&["--rounds", "2", "--openings", "one.txt"]));
    assert!(err.starts_with("Note: there are fewer openings than rounds,\n"), "{err}");
    let openings = ["--rounds", "2", "--openings"];
    // With a clock only from the empty board.
    let output = place.output_of(&duel(&["--rounds", "2", "--each", "turn=60"]));
    assert_eq!(String::from_utf8_lossy(&output.stderr), CLOCK_NOTE);
    let clock_and_opening = ["--each", "turn=60", "--openings", "one.txt"];
    for options in [
        &["--rounds", "1"][..],
        &["--rounds", "2", "--quiet"],
        &[&["--rounds", "2"], &clock_and_opening[..]].concat(),
        &["--best-of", "2"],
        &[&openings[..], &["builtin"]].concat(),
        &[&openings[..], &["one.txt", "--symmetries"]].concat(),
    ] {
        let output = place.output_of(&duel(options));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{options:?}");
    }
}

#[test]
fn the_program_carries_openings() {
    let place = Place::new("carried");
    for (rule, size) in [("freestyle", "20"), ("renju", "15"), ("4", "15"), ("9", "15")] {
        let options = ["--rule", rule, "--size", size, "--openings", "builtin"];
        let out = place.plays(&options);
        assert!(out.contains("openings 24 with checksum "), "{out}");
    }
    let start = |number| duel(&["--openings", "builtin", "--openings-start", number]);
    let first = |number| game_lines(&place.ends(0, &start(number)).0)[0].to_owned();
    assert_eq!(first("1"), game_lines(&place.plays(&["--openings", "builtin"]))[0]);
    assert_ne!(first("24"), first("1"));
    let (_, err) = place.ends(2, &start("25"));
    assert!(err.starts_with("error: --openings-start 25: the file has 24 openings\n"), "{err}");
    let (_, err) = place.ends(2, &duel(&["--size", "13", "--openings", "builtin"]));
    assert!(err.starts_with("error: --openings builtin: there are none for freestyle on 13x13; "));
}

#[test]
fn an_error_is_told_where_all_pairs_are_alike() {
    let place = Place::new("alike");
    let twice = ["match", "--engine", "builtin=greedy", "--engine", "builtin=greedy", "--quiet"];
    let (out, _) = place.ends(0, &twice);
    assert!(out.contains("0.0 ± 759.1 (95 %, from pairs, all alike so far)"), "{out}");
}

#[test]
fn options_with_one_dash_are_answered_with_their_spelling() {
    let place = Place::new("dash");
    let args = ["match", "-engine", "cmd=a", "-engine", "cmd=b", "-each", "tc=1"];
    let (_, err) = place.ends(2, &args);
    let expected = "error: the options of `tengen match` have two dashes:\n  -engine is --engine\n  \
                    -each is --each\n";
    assert!(err.starts_with(expected), "{err}");
}

/// Programs of a folder, signals.
#[cfg(unix)]
mod unix {
    use super::*;
    use crate::place::takes_signals;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Child, ChildStderr, ChildStdout};
    use std::thread;
    use std::time::{Duration, Instant};

    /// A match that takes its time, as each move waits, and does not come to its end.
    const SLOW: [&str; 6] = ["--rounds", "5000", "--slow", "10ms", "--concurrency", "2"];
    /// Longer than anything takes, however busy the machine is.
    const PATIENCE: Duration = Duration::from_secs(120);

    /// A match that runs.
    struct Running {
        child: Child,
        out: BufReader<ChildStdout>,
        errors: BufReader<ChildStderr>,
        /// The text read from standard error.
        complaints: String,
    }

    impl Running {
        fn start(place: &Place, args: &[&str]) -> Running {
            let mut command = place.command(args);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("tengen starts");
            let out = BufReader::new(child.stdout.take().expect("a pipe"));
            let errors = BufReader::new(child.stderr.take().expect("a pipe"));
            Running { child, out, errors, complaints: String::new() }
        }

        fn line(&mut self) -> String {
            let mut line = String::new();
            self.out.read_line(&mut line).expect("text");
            line
        }

        /// Waits for a line on standard error.
        fn wait_for(&mut self, line: &str) {
            let mut said = String::new();
            while NOTE.contains(&said) {
                said.clear();
                assert!(self.errors.read_line(&mut said).expect("text") > 0, "{line} is not said");
            }
            assert_eq!(said, format!("{line}\n"));
            self.complaints.push_str(&said);
        }

        fn signal(&self, name: &str) {
            let id = self.child.id().to_string();
            let sent = Command::new("kill").args(["-s", name, &id]).status().expect("kill starts");
            assert!(sent.success());
        }

        fn wait_until_signals_are_taken(&self) {
            wait_until(|| takes_signals(&self.child));
        }

        /// Waits for the end; returns the exit code, what is left of the output, and all that was
        /// said on standard error.
        fn rest(mut self) -> (Option<i32>, String, String) {
            let mut text = String::new();
            self.out.read_to_string(&mut text).expect("text");
            self.errors.read_to_string(&mut self.complaints).expect("text");
            let code = self.child.wait().expect("tengen ends").code();
            (code, text, without_note(&self.complaints))
        }
    }

    fn wait_until(mut is_so: impl FnMut() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so() {
            assert!(Instant::now() < deadline, "it does not come");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// An engine that ends at its first move, if the files of its arguments are there.
    const CRASHING: &str = "test -f \"$1\" && test -f \"${2#*=}\" || exit 7\n\
        while read -r line; do case $line in\n\
        START*) echo OK;; BEGIN|TURN*|DONE) echo MESSAGE depth 3 ev 5; exit 3;; esac; done\n";

    #[test]
    fn relative_paths_of_commands_mean_what_they_mean_in_a_shell() {
        let place = Place::new("relative");
        place.write("engine.sh", CRASHING);
        place.write("weights.bin", "");
        let command = "cmd=sh engine.sh weights.bin --net=weights.bin";
        let args = ["match", "--engine", command, "turn=5", "--engine", "builtin=greedy"];
        let (out, _) = place.ends(0, &args);
        assert!(out.contains("crash 2"), "{out}");
        assert!(out.contains("sh crashed: exit code 3"), "{out}");
    }

    #[test]
    fn conversations_of_games_with_a_fault_are_kept() {
        let place = Place::new("transcripts");
        place.write("engine.sh", CRASHING);
        let command = "cmd=sh engine.sh engine.sh --net=engine.sh";
        let faulty =
            ["match", "--engine", command, "turn=5", "name=bad", "--engine", "builtin=greedy"];
        let (_, err) = place.ends(0, &faulty);
        assert!(err.contains("with --log or --journal, games with a fault are kept"), "{err}");
        let with = |options: &[&'static str]| {
            let (_, err) = place.ends(0, &[&faulty[..], options].concat());
            assert_eq!(err, "");
        };
        with(&["--journal", "m.jsonl"]);
        let text = place.read("m.jsonl.faults.log");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("Game 1: bad (X) - greedy (O), 20"), "{text}");
        assert!(lines[0].ends_with(", crash: bad crashed: exit code 3"), "{text}");
        assert_eq!(text.matches("\n\nGame 2: greedy (X) - bad (O), ").count(), 1, "{text}");
        for said in [" bad > START 15", " bad < OK", " bad > BEGIN", " bad < MESSAGE depth 3 ev 5"]
        {
            assert_eq!(
                text.lines().filter(|line| line.ends_with(said)).count(),
                1 + usize::from(!said.contains("BEGIN")),
                "{said}: {text}"
            );
        }
        assert!(lines[1].starts_with("    0.000 bad > START 15"), "{text}");
        // A file for each game.
        fs::create_dir(place.0.path().join("logs")).unwrap();
        with(&["--log", "logs", "--journal", "n.jsonl"]);
        assert_eq!(place.files("logs"), ["game-1.log", "game-2.log"]);
        assert!(!place.files(".").contains(&"n.jsonl.faults.log".to_owned()));
        assert!(place.read("logs/game-2.log").contains(" bad > DONE\n"));
    }

    #[test]
    fn conversations_of_all_games_are_kept_if_asked_for() {
        let place = Place::new("log");
        let engine = &format!("cmd={}", child::engine().display());
        let args = ["match", "--engine", engine, "nodes=50", "--engine", "builtin=greedy"];
        let (_, err) = place.ends(0, &[&args[..], &["--log", "all.log"]].concat());
        assert_eq!(err, "");
        let text = place.read("all.log");
        assert_eq!(text.matches("\nGame 2: ").count(), 1, "{text}");
        assert!(text.contains(" tengen > INFO max_node 50\n"), "{text}");
        assert!(text.contains(" tengen > BEGIN\n") && text.contains(", five: "), "{text}");
        place.ends(0, &[&args[..], &["--journal", "m.jsonl"]].concat());
        assert!(!place.files(".").contains(&"m.jsonl.faults.log".to_owned()));
    }

    #[test]
    fn the_programs_of_a_folder_take_part() {
        let place = Place::new("folder");
        fs::create_dir(place.0.path().join("engines")).unwrap();
        let engine = format!("#!/bin/sh\nexec '{}'\n", child::engine().display());
        for name in ["pbrain-one.sh", "two", "readme.txt", ".hidden"] {
            place.write(&format!("engines/{name}"), &engine);
            let mode = if name == "readme.txt" { 0o644 } else { 0o755 };
            let path = place.0.path().join("engines").join(name);
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        let args = ["match", "--engines", "engines", "--each", "nodes=300", "turn=60", "--json"];
        let (games, _) = objects(&place.ends(0, &args).0);
        let names: Vec<[&str; 2]> = games
            .iter()
            .map(|game| [&game["black"], &game["white"]].map(|name| name.as_str().unwrap()))
            .collect();
        // Both are called tengen by themselves.
        assert_eq!(names, [["tengen (one)", "tengen (two)"], ["tengen (two)", "tengen (one)"]]);
        assert!(
            games.iter().all(|game| game["end"] == "five" || game["end"] == "draw"),
            "{games:?}"
        );
        // A file has words for each.
        let file =
            r#"[{"cmd": "engines/two", "name": "second", "nodes": 300}, {"builtin": "greedy"}]"#;
        place.write("engines.json", file);
        let args = ["match", "--engines", "engines.json", "--each", "turn=60", "--json"];
        let (games, _) = objects(&place.ends(0, &args).0);
        let names = [&games[0]["black"], &games[0]["white"]];
        assert_eq!(names.map(|name| name.as_str().unwrap()), ["second", "greedy"]);
        place.write("engines.json", r#"[{"cmd": "engines/two"}, {"builtin": "rapfi"}]"#);
        let (_, err) = place.ends(2, &args);
        assert!(
            err.starts_with("error: engines.json: engine 2: builtin=rapfi: the players are "),
            "{err}"
        );
        let (_, err) = place.ends(2, &["match", "--engines", ".", "--each", "turn=1"]);
        assert!(err.starts_with("error: --engines .: there is no program in it\n"), "{err}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn engines_are_bound_to_cpus() {
        let place = Place::new("affinity");
        let (told, binary) = (place.0.path().join("cpus"), env!("CARGO_BIN_EXE_tengen"));
        let told = told.display();
        place.write(
            "told.sh",
            &format!("grep Cpus_allowed_list /proc/self/status >> '{told}'\nexec '{binary}'\n"),
        );
        let engine = ["--engine", "cmd=sh told.sh"];
        let names = [["name=a"], ["name=b"]];
        let limits = ["--each", "nodes=100", "restart=on", "--affinity"];
        let two = [&engine[..], &names[0], &engine, &names[1]].concat();
        place.ends(0, &[&["match"], &two[..], &limits].concat());
        let told = place.read("cpus");
        let cpus: Vec<&str> =
            told.lines().filter_map(|line| line.split('\t').next_back()).collect();
        assert_eq!(cpus.len(), 4, "{told}");
        assert!(cpus.iter().all(|cpu| *cpu == cpus[0] && cpu.parse::<usize>().is_ok()), "{told}");
        let many = ["--rounds", "1000", "--concurrency", "256", "--each", "threads=64"];
        let (_, err) = place.ends(2, &duel(&[&many[..], &["--affinity"]].concat()));
        let refused =
            "error: --affinity: 256 games with 64 threads need 16,384 CPUs, and this process";
        assert!(err.starts_with(refused), "{err}");
    }

    #[test]
    fn one_interrupt_lets_the_running_games_end_and_the_match_goes_on_later() {
        let place = Place::new("interrupt");
        let args = duel(&[&SLOW[..], &["--journal", "m.jsonl", "--sgf", "m.sgf"]].concat());
        let mut running = Running::start(&place, &args);
        let first = running.line();
        assert!(first.starts_with("Game "), "{first}");
        running.signal("INT");
        let (code, text, errors) = running.rest();
        assert_eq!(code, Some(130), "{errors}");
        let played = 1 + game_lines(&text).len();
        assert_eq!(
            errors,
            format!(
                "Ending after the running games; once more breaks them off.\n\
                 Ended with {played} of 10000 games finished; the same command resumes the match.\n"
            )
        );
        assert!(text.contains("shapes"), "there is a report: {text}");
        assert_eq!(place.read("m.sgf").matches("GM[4]").count(), played);
        assert_eq!(place.read("m.jsonl").lines().count(), 1 + played);
    }

    #[test]
    fn games_are_whole_in_their_files_whenever_a_match_is_killed() {
        let place = Place::new("killed");
        let outputs = ["--sgf", "m.sgf", "--pgn", "m.pgn", "--psq", "games"];
        let args = duel(&[&SLOW[..], &["--journal", "m.jsonl"], &outputs].concat());
        place.write("m.sgf", "what was there before");
        let mut before = 0;
        for _ in 0..2 {
            let mut running = Running::start(&place, &args);
            (0..2).for_each(|_| assert!(running.line().starts_with("Game ")));
            running.signal("KILL");
            assert_eq!(running.rest().0, None);
            let (sgf, _) = place.ends(0, &["convert", "m.sgf", "--to", "pos"]);
            let games = sgf.lines().count();
            assert!(games >= before + 2, "{games} after {before}");
            before = games;
            // A kill may come between two files.
            let near = games - 2..games + 3;
            assert!(near.contains(&place.read("m.pgn").matches("[Result ").count()));
            assert!(near.contains(&(place.read("m.jsonl").lines().count() - 1)));
            for name in place.files("games") {
                place.ends(0, &["convert", &format!("games/{name}"), "--to", "pos"]);
            }
            assert!(place.files("games").len() >= 2);
        }
    }

    #[test]
    fn the_second_interrupt_breaks_games_off() {
        let place = Place::new("break");
        let files = ["m.sgf", "m.pgn", "m.html"];
        files.iter().for_each(|file| place.write(file, "of an earlier match"));
        let args = duel(&["--slow", "1h", "--sgf", "m.sgf", "--pgn", "m.pgn", "--html", "m.html"]);
        let mut running = Running::start(&place, &args);
        running.wait_until_signals_are_taken();
        running.signal("INT");
        running.wait_for("Ending after the running games; once more breaks them off.");
        let begun = Instant::now();
        running.signal("TERM");
        let (code, text, errors) = running.rest();
        assert!(begun.elapsed() < PATIENCE, "no move is waited for");
        assert_eq!(code, Some(130), "{errors}");
        assert!(game_lines(&text).is_empty());
        assert!(errors.ends_with(
            "Breaking off the running games.\nEnded with 0 of 2 games finished; with --journal, \
             the same command would go on with the match.\n"
        ), "{errors}");
        for file in files {
            assert_eq!(place.read(file), "of an earlier match");
        }
    }

    /// An engine that hangs when it is asked for a move, and says so in a file.
    const HANGING: &str = "while read -r line; do case $line in\n\
        ABOUT) echo 'name=\"Sleeper\", version=\"1\"';; START*) echo OK;;\n\
        BEGIN|DONE) echo $$ > \"$1\"; exec sleep 600;; esac; done\n";

    #[test]
    fn one_order_to_end_breaks_games_off_whatever_the_engines_do() {
        let place = Place::new("order");
        place.write("engine.sh", HANGING);
        let command = format!("cmd=sh engine.sh {}", place.path("asked"));
        let args = ["match", "--engine", &command, "nodes=5", "--engine", "builtin=greedy"];
        let options = ["--silence", "0", "--journal", "m.jsonl"];
        let running = Running::start(&place, &[&args[..], &options].concat());
        let asked = place.path("asked");
        wait_until(|| fs::read_to_string(&asked).is_ok_and(|id| id.ends_with('\n')));
        running.signal("TERM");
        let (code, text, errors) = running.rest();
        assert_eq!(code, Some(130), "{errors}");
        assert!(
            errors.starts_with("Breaking off the running games.\nEnded with 0 of 2"),
            "{errors}"
        );
        assert!(text.contains("0 of 2 games"), "{text}");
        let engine = format!("/proc/{}", place.read("asked").trim());
        assert!(!std::path::Path::new(&engine).exists(), "the engine still runs");
        assert_eq!(place.read("m.jsonl").lines().count(), 1);
        // The journal is whole: the same match resumes with it, and its engine is still called so.
        let journal = place.read("m.jsonl");
        assert!(journal.ends_with('\n') && journal.contains("\"name\":\"Sleeper\""), "{journal}");
        place.write(
            "engine.sh",
            &HANGING.replace("Sleeper", "Waker").replace("exec sleep 600", "exit"),
        );
        let (out, _) = place.ends(0, &[&args[..], &options].concat());
        assert!(out.contains("Sleeper ended by itself"), "{out}");
    }

    #[test]
    fn an_engine_that_hangs_without_a_clock_loses_the_game() {
        let place = Place::new("hangs");
        place.write("engine.sh", HANGING);
        let command = format!("cmd=sh engine.sh {}", place.path("asked"));
        let args = ["match", "--engine", &command, "nodes=5", "--engine", "builtin=greedy"];
        let (out, err) = place.ends(0, &[&args[..], &["--silence", "200ms"]].concat());
        assert!(out.contains("Game 1: Sleeper (X) - greedy (O) 0-1, 0 moves, silent"), "{out}");
        assert_eq!(out.matches("    Sleeper wrote nothing for 0.2 s\n").count(), 2, "{out}");
        assert!(err.starts_with("Note: with --log or --journal"), "{err}");
    }

    #[test]
    fn what_is_borne_is_told_once() {
        let place = Place::new("borne");
        let engine =
            CRASHING.replace("START*) echo OK", "START*) echo 'OK, let us play'; echo OK - go");
        let engine = engine.replace("echo MESSAGE depth 3 ev 5; exit 3", "echo 'SUGGEST 99,0'");
        place.write("engine.sh", &engine);
        let command = "cmd=sh engine.sh engine.sh --net=engine.sh";
        let args =
            ["match", "--engine", command, "turn=5", "name=odd", "--engine", "builtin=greedy"];
        let (out, err) = place.ends(0, &[&args[..], &["--rounds", "2"]].concat());
        let notes = "Note: odd answered \"OK - go\" for \"OK\", which not every manager takes.\n\
            Note: odd wrote \"OK, let us play\" before OK, which other managers take for the answer.\n";
        assert!(err.starts_with(notes) && err.matches("Note: odd").count() == 2, "{err}");
        assert!(out.contains("odd played at 99,0, off the board"), "{out}");
        let (_, err) = place.ends(0, &[&args[..], &["--quiet"]].concat());
        assert!(!err.contains("Note: odd"), "{err}");
    }

    #[test]
    fn a_pause_stops_everything_until_the_next_signal() {
        let place = Place::new("pause");
        let args = duel(&["--rounds", "20000", "--slow", "1ms", "--journal", "m.jsonl"]);
        let mut running = Running::start(&place, &args);
        running.line();
        running.signal("USR1");
        running.wait_for("Paused; p or SIGUSR1 goes on.");
        // A game whose last move was being made is still written; then there is silence.
        let mut before = String::new();
        wait_until(|| {
            let last = std::mem::replace(&mut before, place.read("m.jsonl"));
            thread::sleep(Duration::from_millis(700));
            last == before
        });
        assert_eq!(place.read("m.jsonl"), before);
        running.signal("USR1");
        running.wait_for("Going on.");
        wait_until(|| place.read("m.jsonl") != before);
        running.signal("INT");
        let (code, _, errors) = running.rest();
        assert_eq!(code, Some(130));
        assert!(errors.starts_with("Paused; p or SIGUSR1 goes on.\nGoing on.\n"), "{errors}");
    }

    #[test]
    fn games_that_were_written_stay_when_the_journal_fails() {
        let place = Place::new("disturbed");
        let outputs = ["--journal", "m.jsonl", "--sgf", "m.sgf", "--html", "m.html"];
        let mut running = Running::start(&place, &duel(&[&SLOW[..], &outputs].concat()));
        let first = running.line();
        assert!(first.starts_with("Game "), "{first}");
        let mut journal = fs::File::options().append(true).open(place.path("m.jsonl")).unwrap();
        std::io::Write::write_all(&mut journal, b"junk\n").unwrap();
        let (code, text, errors) = running.rest();
        assert_eq!(code, Some(1), "{errors}");
        assert!(errors.starts_with("Error: m.jsonl"), "{errors}");
        let played = 1 + game_lines(&text).len();
        assert!(text.contains(&format!("{played} of 10000 games")), "{text}");
        assert_eq!(place.read("m.sgf").matches("GM[4]").count(), played);
        assert!(place.read("m.html").contains("<html"));
    }

    /// A match whose standard output is a pipe that something else has filled.
    struct Unread {
        child: Child,
        errors: BufReader<ChildStderr>,
        filler: Child,
        _reader: std::io::PipeReader,
    }

    impl Unread {
        fn start(place: &Place, options: &[&str]) -> Unread {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            let filling = Command::new("yes").stdout(writer.try_clone().expect("a pipe")).spawn();
            let filler = filling.expect("yes starts");
            let mut command = place.command(&duel(&[options, &["--journal", "m.jsonl"]].concat()));
            let mut child = command.stdout(writer).stderr(Stdio::piped()).spawn().expect("tengen");
            let errors = BufReader::new(child.stderr.take().expect("a pipe"));
            // As many games as there are threads, none of which can be printed.
            wait_until(|| {
                fs::read_to_string(place.path("m.jsonl")).is_ok_and(|text| text.lines().count() > 2)
            });
            Unread { child, errors, filler, _reader: reader }
        }

        fn signal(&self, name: &str) {
            let id = self.child.id().to_string();
            let sent = Command::new("kill").args(["-s", name, &id]).status();
            assert!(sent.expect("kill starts").success());
        }

        /// Returns the next line on standard error but for the notes before the match.
        fn line(&mut self) -> String {
            let mut lines = self.errors.by_ref().lines().map(|line| line.expect("text"));
            lines.find(|line| !NOTE.contains(line.as_str())).expect("a line")
        }

        fn exit_code(&mut self) -> Option<i32> {
            self.child.try_wait().expect("a status").and_then(|status| status.code())
        }
    }

    impl Drop for Unread {
        fn drop(&mut self) {
            for child in [&mut self.child, &mut self.filler] {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }

    #[test]
    fn a_match_whose_output_nobody_reads_can_be_ended() {
        let place = Place::new("unread");
        let mut running = Unread::start(&place, &SLOW);
        running.signal("INT");
        let ending = "Ending after the running games; once more breaks them off.";
        assert_eq!(running.line(), ending);
        running.signal("TERM");
        assert_eq!(running.line(), "Breaking off the running games.");
        running.signal("INT");
        wait_until(|| running.exit_code() == Some(130));
    }

    #[test]
    fn a_report_that_nobody_reads_can_be_ended() {
        let place = Place::new("unread-report");
        let mut running = Unread::start(&place, &["--quiet", "--slow", "10ms"]);
        wait_until(|| {
            running.signal("INT");
            thread::sleep(Duration::from_millis(200));
            running.exit_code() == Some(130)
        });
    }

    #[test]
    fn a_closed_output_ends_the_match_without_a_word() {
        let _place = Place::new("pipe");
        let binary = env!("CARGO_BIN_EXE_tengen");
        let line = format!(
            "{{ '{binary}' match --engine builtin=greedy --engine builtin=shapes depth=1 \
             --rounds 100000; echo code $? >&2; }} | head -n 1"
        );
        let output = Command::new("sh").args(["-c", &line]).output().expect("sh starts");
        assert_eq!(without_note(&String::from_utf8_lossy(&output.stderr)), "code 0\n");
        assert!(String::from_utf8_lossy(&output.stdout).starts_with("Game 1: "));
    }
}
