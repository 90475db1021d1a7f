//! `tengen play --line` with other programs, as processes of their own.

use crate::child;
use crate::place::Place;

/// Returns the words of the engine as a program, which plays quickly.
fn words(name: &str) -> String {
    format!("cmd='{}' name={name} nodes=100", child::engine().display())
}

/// Returns what is said after these lines were typed.
fn play(place: &Place, args: &[&str], typed: &str) -> String {
    let args = [&["play", "--line", "--autosave", "game.json"], args].concat();
    let output = place.run(&args, typed);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_program_answers_and_a_saved_game_names_it() {
    let place = Place::new("play-program");
    let foo = words("foo");
    let out = play(&place, &["--white", &foo], "h8\nsave g.sgf\n");
    assert!(out.starts_with("freestyle 15x15, black is a person, white is foo.\n"), "{out}");
    let moved = out.lines().find(|line| line.starts_with("Move 2: white ")).expect("an answer");
    assert!(moved.ends_with(", foo."), "{out}");
    assert!(place.read("g.sgf").contains("PW[foo]"));
    // A saved game starts nothing, but says how.
    let out = play(&place, &["--resume"], "h9\n");
    assert!(out.contains("white is foo.\n"), "{out}");
    let why = "Error: foo could not start: a saved game starts no programs: add --white ";
    assert!(out.contains(why), "{out}");
    let out = play(&place, &["--resume", "--white", &foo], "go\nquit\n");
    assert!(out.contains("Move 4: white ") && out.contains(", foo."), "{out}");
    // Somebody else can have the side.
    let others = ["--resume", "--white", "level=1", "--black", "person"];
    let out = play(&place, &others, "");
    assert!(out.contains("black is a person, white is the engine at level 1."), "{out}");
}

#[test]
fn a_side_of_a_program_that_has_both_changes_alone() {
    let place = Place::new("play-program-both");
    let foo = words("foo");
    play(&place, &["--white", &foo], "h8\nquit\n");
    // As the form of a new game seats one program for both.
    let saved =
        place.read("game.json").replace("\"black\":\"person\"", "\"black\":{\"program\":0}");
    let (lines, _) = saved.split_once(",\"sum\"").expect("a sum");
    place.write("game.json", &format!("{lines}}}\n"));
    let out = play(&place, &["--resume", "--white", &words("bar")], "quit\n");
    assert!(out.contains("black is foo, white is bar.\n"), "{out}");
}

#[test]
fn players_of_this_program_play_each_other_to_the_end() {
    let place = Place::new("play-programs");
    let greedy = ["--black", "builtin=greedy", "--white", "builtin=greedy name=other"];
    let out = play(&place, &greedy, "wait\n");
    assert!(out.contains("black is greedy, white is other.\n"), "{out}");
    assert!(out.lines().last().is_some_and(|line| line.starts_with("Game over: ")), "{out}");
}

#[cfg(unix)]
#[test]
fn what_a_program_does_wrong_is_said_and_the_game_goes_on() {
    let place = Place::new("play-program-faults");
    let says = |answer: &str| {
        let script = format!(
            "while read -r line; do case $line in START*) echo OK;; TURN*|DONE*) {answer};; END) exit;; esac; done"
        );
        place.write("engine.sh", &script);
        format!("cmd='sh {}' name=foo", place.path("engine.sh"))
    };
    let waits = "foo waits, with white to move: go lets it play.\n";
    for (answer, said) in [
        ("echo 7,7", "foo plays h8, but h8 is occupied."),
        ("echo 22,3", "foo played at 22,3, off the board."),
        ("exit 0", "foo ended by itself."),
        ("echo no >&2; exit 3", "foo crashed: exit code 3: no."),
        ("echo HELLO", "foo answered \"HELLO\"."),
    ] {
        let typed = "h8\ngo\nundo\nh8 a1 h9 a2 h10\nmoves\nsave g.sgf\nquit\n";
        let out = play(&place, &["--white", &says(answer)], typed);
        assert_eq!(out.matches(&format!("Error: {said}\n{waits}")).count(), 3, "{out}");
        assert!(out.contains("1. h8 2. a1 3. h9 4. a2 5. h10\n"), "{answer}: {out}");
        assert!(out.contains("Saved to g.sgf.\n"), "{answer}: {out}");
    }
    let missing = ["--white", "cmd=./no-such-engine"];
    let out = play(&place, &missing, "h8\n");
    assert!(out.contains("Error: no-such-engine could not start: "), "{out}");
    // The time of a clock is lost, and taken back.
    let slow = says("sleep 600");
    let out = play(&place, &["--time", "0.2", "--white", &slow], "h8\nundo\nmoves\nquit\n");
    assert!(out.contains("Game over: black wins, white has run out of time.\n"), "{out}");
    assert!(out.contains("Taken back: h8.\n"), "{out}");
}
