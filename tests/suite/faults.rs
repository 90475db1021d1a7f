//! Panics on demand in the commands of the tool: none hangs, and each is reported. Only builds with assertions
//! can be told to panic.

use crate::place::Place;

/// The variable that says where to panic.
const VARIABLE: &str = "TENGEN_FAULT";

#[test]
fn the_engine_that_plays_against_people_says_that_it_has_broken_off() {
    if !cfg!(debug_assertions) {
        return;
    }
    let place = Place::new("faults-play");
    place.write("game.sgf", "(;GM[4]SZ[15];B[hh];W[ii];B[hi];W[hg];B[gh])");
    let mut command = place.command(&["play", "--line", "--nodes", "2000"]);
    command.env(VARIABLE, "search:900").stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped());
    let mut child = command.spawn().expect("tengen runs");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"h8\ni9\nj9\n").expect("a listener");
    drop(input);
    let output = child.wait_with_output().expect("its end");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("The engine: internal error: a fault on demand in Search"), "{said}");
    // So does the analysis of a position.
    let mut command = place.command(&["analyse", "--position", "game.sgf", "--nodes", "9000"]);
    let output = command.env(VARIABLE, "search:900").output().expect("tengen runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("internal error: a fault on demand"),
        "{said}"
    );
}

#[test]
fn a_panic_in_a_command_is_an_error_and_no_hang() {
    if !cfg!(debug_assertions) {
        return;
    }
    let place = Place::new("faults-commands");
    let game = "(;GM[4]SZ[15];B[hh];W[ii];B[hi];W[hg];B[gh];W[ih])";
    place.write("game.sgf", game);
    let search = [
        &["bench", "--depth", "4", "--threads", "2"][..],
        &["analyse", "game.sgf", "--nodes", "500", "--threads", "2"],
        &["openings", "--number", "2", "--threads", "2", "--output", "openings.txt"],
        &[
            "tune",
            "games",
            "--games",
            "2",
            "--nodes",
            "300",
            "--threads",
            "2",
            "--output",
            "a.games",
        ],
        &["db", "grow", "a.tdb", "--moves", "h8i9h9", "--nodes", "300", "--threads", "2"],
    ];
    let prover = [&["solve", "game.sgf", "--threads", "2"][..]];
    let runs = search.map(|run| ("search:40", run)).into_iter();
    for (fault, arguments) in runs.chain(prover.map(|run| ("prover:5", run))) {
        let mut command = place.command(arguments);
        let output = command.env(VARIABLE, fault).output().expect("tengen runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}: {said}");
        assert!(said.contains("a fault on demand"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_match_with_a_player_that_panics_goes_on() {
    if !cfg!(debug_assertions) {
        return;
    }
    let place = Place::new("faults-match");
    let players = ["--engine", "builtin=network", "nodes=500", "--engine", "builtin=greedy"];
    let arguments = [&["match"], &players[..], &["--rounds", "1"]].concat();
    let mut command = place.command(&arguments);
    let output = command.env(VARIABLE, "search:400").output().expect("tengen runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.matches("a fault on demand in Search").count(), 2, "{said}");
}
