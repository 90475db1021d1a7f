//! `tengen openings` with the real search: small ones, judged by the plain rules.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::place::Place;
use tengen_core::notation::parse_moves;
use tengen_core::rules::{Game, Outcome, Rule, winning_run};
use tengen_core::types::{Color, Point, Size};
use tengen_lab::openings::{OpeningFormat, canonical, parse_line};

/// Options that make openings quickly, if not well.
const QUICK: [&str; 8] =
    ["--nodes", "3000", "--check-nodes", "5000", "--window", "150", "--hash", "1"];

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.arg("openings").args(QUICK).args(args).stdin(Stdio::null());
    command
}

fn openings(args: &[&str]) -> Output {
    command(args).output().expect("tengen starts")
}

/// Returns what a command that succeeds writes to standard output, in silence otherwise.
fn lines(args: &[&str]) -> String {
    let output = openings(args);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{args:?}: {complaints}");
    String::from_utf8(output.stdout).expect("openings are text")
}

/// Returns the only line that a command that fails writes.
fn complaint(args: &[&str]) -> String {
    let output = openings(args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

/// Checks an opening by the plain rules: the game goes on, and nobody could win with a stone.
fn check(rule: Rule, size: Size, stones: &[Point]) {
    let game = Game::from_moves(size, rule, stones).expect("the stones can be played");
    assert_eq!(game.outcome(), Outcome::Ongoing, "{stones:?}");
    let board = game.board();
    for point in size.points().filter(|&p| board.is_empty(p)) {
        for color in Color::ALL {
            assert_eq!(winning_run(board, point, color, rule), None, "{stones:?}");
        }
    }
}

#[test]
fn openings_of_every_rule_are_legal_and_different() {
    for rule in Rule::ALL {
        for (text, size) in [("15", Size::square(15)), ("12x10", Size::new(12, 10))] {
            let size = size.unwrap();
            let ask = |format: OpeningFormat, threads: &str| -> Vec<Vec<Point>> {
                let args = ["-n", "3", "--rule", rule.name(), "--size", text];
                let more = ["--format", format.name(), "--threads", threads];
                let text = lines(&[&args[..], &more].concat());
                text.lines().map(|line| parse_line(line, size, format).unwrap()).collect()
            };
            let found = ask(OpeningFormat::Pos, "1");
            assert_eq!(found.len(), 3, "{rule} {size}");
            for stones in &found {
                check(rule, size, stones);
                assert!((4..=8).contains(&stones.len()), "{stones:?}");
            }
            let forms: HashSet<_> = found.iter().map(|stones| canonical(size, stones)).collect();
            assert_eq!(forms.len(), 3);
            assert_eq!(
                ask(OpeningFormat::Offset, "3"),
                found,
                "format and threads change nothing else"
            );
        }
    }
}

#[test]
fn seeds_and_options_make_other_openings() {
    let usual = lines(&["-n", "2"]);
    assert_eq!(lines(&["-n", "2", "--quiet"]), usual);
    for other in [["--seed", "1"], ["--stones", "5"], ["--box", "4"], ["--margin", "4"]] {
        assert_ne!(lines(&[&["-n", "2"], &other[..]].concat()), usual, "{other:?}");
    }
    let size = Size::square(7).unwrap();
    let stones = |args: &[&str]| -> Vec<usize> {
        let text = lines(&[&["-n", "3", "--size", "7", "--stones", "4"], args].concat());
        text.lines().map(|line| parse_moves(line, size).unwrap().len()).collect()
    };
    assert_eq!(stones(&["--balance", "1"]), [5; 3]);
    assert_eq!(stones(&["--balance", "2"]), [6; 3]);
}

/// Starts a long run and kills it as soon as its output has some lines.
fn kill_after_lines(args: &[&str], path: &Path) {
    let mut child = command(args).spawn().expect("tengen starts");
    let deadline = Instant::now() + Duration::from_secs(600);
    let enough = || fs::read(path).is_ok_and(|b| b.iter().filter(|&&b| b == b'\n').count() >= 2);
    while !enough() {
        assert!(Instant::now() < deadline && running(&mut child), "no lines are written");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("the child is ours");
    child.wait().expect("the child ends");
}

fn running(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_none())
}

#[test]
fn a_killed_run_is_continued_as_if_nothing_had_happened() {
    let place = Place::new("kill");
    let path = place.path("out.txt");
    let args = ["-o", &path, "--format", "offset", "--rule", "renju"];
    let long = ["-n", "100000", "--threads", "2"];
    kill_after_lines(&[&args[..], &long].concat(), Path::new(&path));
    let begun = fs::read_to_string(&path).unwrap();
    assert!(begun.ends_with('\n'), "a half-written line");
    let number = (begun.lines().count() + 3).to_string();
    assert_eq!(lines(&[&args[..], &["-n", &number]].concat()), "");
    let whole = fs::read_to_string(&path).unwrap();
    assert!(whole.starts_with(&begun));
    // The number of cores is that of the machine unless set.
    let one = ["--threads", "1"];
    let plain =
        lines(&[&one[..], &["-n", &number, "--format", "offset", "--rule", "renju"]].concat());
    assert_eq!(whole, plain);
    // Once more there is nothing to do.
    assert_eq!(lines(&[&args[..], &["-n", &number]].concat()), "");
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn openings_chosen_by_games_are_legal_and_the_candidates_are_reported() {
    for (rule, size) in [(Rule::Renju, "15"), (Rule::Standard, "12x10")] {
        let games = ["--by-games", "4", "--game-nodes", "60,120", "--color-share", "25"];
        let ask = |more: &[&str]| {
            let board = ["-n", "2", "--rule", rule.name(), "--size", size];
            let output = openings(&[&board, &games[..], more].concat());
            assert!(output.status.success(), "{output:?}");
            let text = |bytes| String::from_utf8(bytes).expect("it is text");
            (text(output.stdout), text(output.stderr))
        };
        let (found, report) = ask(&["--threads", "1"]);
        let board = if size == "15" { Size::square(15) } else { Size::new(12, 10) }.unwrap();
        for line in found.lines() {
            check(rule, board, &parse_moves(line, board).unwrap());
        }
        assert_eq!(found.lines().count(), 2, "{found}");
        // Two of each strength are kept, and the larger one was played by those that passed the smaller.
        assert!(
            report.starts_with("60 nodes: ") && report.contains("\n120 nodes: 2 of "),
            "{report}"
        );
        assert_eq!(report.matches("games of those that passed: black won ").count(), 2, "{report}");
        assert_eq!(ask(&["--threads", "2", "--quiet"]), (found, String::new()));
    }
}

/// Asks a run to end as soon as it has written something, and returns what it says and its exit code.
#[cfg(unix)]
fn interrupted(args: &[&str], path: &Path) -> Output {
    let child = command(args).stderr(Stdio::piped()).spawn().expect("tengen starts");
    let deadline = Instant::now() + Duration::from_secs(600);
    while !fs::read(path).is_ok_and(|bytes| bytes.contains(&b'\n')) {
        assert!(Instant::now() < deadline, "no lines are written");
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill starts");
    assert!(sent.success());
    child.wait_with_output().expect("the child ends")
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_that_the_same_command_continues() {
    let place = Place::new("interrupt");
    let path = place.path("out.txt");
    let output = interrupted(&["-o", &path, "-n", "100000", "--threads", "2"], Path::new(&path));
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    let begun = fs::read_to_string(&path).unwrap();
    let number = begun.lines().count();
    assert_eq!(
        said,
        format!("Ended with {number} of 100,000 openings; the same command goes on.\n")
    );
    let more = (number + 1).to_string();
    assert_eq!(lines(&["-o", &path, "-n", &more]), "");
    assert!(fs::read_to_string(&path).unwrap().starts_with(&begun));
}

#[test]
fn what_cannot_be_continued_is_refused_in_one_line() {
    let place = Place::new("refuse");
    let path = place.path("out.txt");
    lines(&["-o", &path, "-n", "1"]);
    let text = complaint(&["-o", &path, "-n", "1", "--seed", "3"]);
    let end = "out.txt was begun with other options: seed 0 (now 3)\n";
    assert!(text.starts_with("Error: ") && text.ends_with(end), "{text}");
    let foreign = place.path("foreign.txt");
    fs::write(&foreign, "h8i9j8\n").unwrap();
    let text = complaint(&["-o", &foreign, "-n", "1"]);
    assert!(text.contains("foreign.txt has lines already"), "{text}");
    for (name, words) in [
        ("o.sgf", "written in the --format pos"),
        ("o.offset", "written in the --format pos"),
        ("-", "go to standard output"),
    ] {
        let text = complaint(&["-o", name, "-n", "1"]);
        assert!(text.contains(words) && !Path::new(name).exists(), "{text}");
    }
    let text = complaint(&["-n", "1", "--box", "3", "--stones", "6"]);
    assert_eq!(text, "Error: 6 stones fill more than half of a box of 3 by 3 cells\n");
    let text = complaint(&["-n", "1", "--by-games", "5", "--color-share", "50"]);
    assert_eq!(text, "Error: of 5 games both colours can't win such a share\n");
    let text = complaint(&["-n", "1", "--margin", "6"]);
    let end = "margins of 6 does not fit on a board with an edge of 15\n";
    assert!(text.starts_with("Error: a box of 5 cells") && text.ends_with(end), "{text}");
}

#[test]
fn words_that_are_no_values_are_usage_errors() {
    for (args, message) in [
        (["--size", "23"], "board edges from 5 to 22 are supported"),
        (["--size", "15by15"], "it is not a size such as 15 or 20x15"),
        (["--rule", "gomoku"], "the rules are freestyle, standard, renju, caro, caro-exact"),
        (["--format", "sgf"], "it is not pos or offset"),
        (["--stones", "6-3"], "it is not a range such as 3-6, the smaller number first"),
        (["--balance", "3"], "it is not 1, 2 or 1-2"),
        (["--number", "0"], "0 is not in 1..=100000000"),
    ] {
        let output = openings(&args);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text.contains(message), "{args:?}: {text}");
    }
}
