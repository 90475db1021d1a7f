//! `tengen db grow` with the real binary.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::child::PATIENCE;
use crate::place::Place;

const FILE: &str = "book.tdb";

/// The arguments of a growth that needs a few seconds.
fn growing<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let of = ["db", "grow", FILE, "--rule", "renju", "--moves", "h8i7j8", "--quiet"];
    let small = ["--nodes", "200", "--width", "3", "--hash", "1", "--margin", "10000"];
    let small = [&small[..], &["--settled", "0", "--threads", "2"]].concat();
    [&of[..], &small, more].concat()
}

fn said(place: &Place, args: &[&str]) -> String {
    let output = place.run(args, "");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn json(place: &Place, args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&said(place, args)).expect("JSON")
}

#[test]
fn a_growth_that_is_killed_again_and_again_loses_nothing() {
    let place = Place::new("grow-kill");
    let many = growing(&["--positions", "1000000"]);
    let mut positions = 0;
    for _ in 0..5 {
        let mut command = place.command(&many);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.expect("tengen starts");
        // It may be killed at any moment after it has written something.
        let changed = || fs::metadata(place.path(FILE)).and_then(|m| m.modified()).ok();
        let (first, start) = (changed(), Instant::now());
        while (changed() == first || changed().is_none()) && start.elapsed() < PATIENCE {
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(150));
        assert!(child.try_wait().expect("the child is ours").is_none(), "it has ended by itself");
        child.kill().expect("the child is ours");
        child.wait().expect("the child is ours");
        assert!(said(&place, &["db", "check", FILE]).ends_with("all in order\n"));
        let now = json(&place, &["db", "info", FILE, "--json"])["positions"].as_u64();
        let now = now.expect("a number");
        assert!(now >= positions, "{now} of {positions}");
        positions = now;
    }
    // It goes on from there, by a search or two.
    let goal = (positions + 3).to_string();
    let end = json(&place, &growing(&["--json", "--positions", &goal]));
    assert_eq!(end["end"], "positions");
    assert!(end["positions"].as_u64() > Some(positions) && end["searches"].as_u64() > Some(0));
    let values = said(&place, &["db", "propagate", FILE, "--values"]);
    assert_eq!(values, "0 results learnt, 0 values\n");
    let query = ["db", "query", FILE, "--rule", "renju", "--moves", "h8i7j8", "--json"];
    assert_eq!(json(&place, &query)["score"], end["root"]["score"]);
    let again = json(&place, &growing(&["--json", "--positions", &goal]));
    assert_eq!((&again["searches"], &again["line"]), (&0.into(), &end["line"]));
}

#[test]
fn what_grew_is_told() {
    let place = Place::new("grow-said");
    let text = said(&place, &growing(&["--positions", "10"]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "renju 15x15, white to move after 3 moves, rows from the bottom");
    assert!(lines[2].starts_with("1") && lines[2].ends_with("; there are enough positions"));
    assert!(text.contains("\nmove  value for its side\n"), "{text}");
    assert!(text.contains("\nwould be searched next\nprice  moves\n"), "{text}");
    // A position that is won needs one search.
    let won = ["db", "grow", FILE, "--moves", "h8a1i8a3g8a5", "--json"];
    let end = json(&place, &won);
    assert_eq!((&end["end"], &end["root"]["result"]), (&"proven".into(), &"win:3".into()));
}

#[test]
fn what_cannot_grow_is_told_in_a_line() {
    let place = Place::new("grow-faults");
    let fault = |args: &[&str]| {
        let output = place.run(&[&["db", "grow", FILE], args].concat(), "");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text)
    };
    let over = fault(&["--moves", "a1a2b1b2c1c2d1d2e1"]);
    assert_eq!(over, (Some(1), "Error: the game is over in this position\n".to_owned()));
    let (code, text) = fault(&["--nodes", "0"]);
    assert!(code == Some(2) && text.contains("0 is not in 1.."), "{text}");
    place.write(FILE, "h8i9\n");
    let foreign = fault(&[]);
    let expected = format!("Error: {FILE} is not a database of positions\n");
    assert_eq!(foreign, (Some(1), expected));
    assert_eq!(place.read(FILE), "h8i9\n");
}
