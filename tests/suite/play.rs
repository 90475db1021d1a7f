//! `tengen play --line` with the real binary.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use crate::child::PATIENCE;
use crate::place::Place;

/// Nothing outside the place, a quick engine.
const QUICK: [&str; 6] = ["play", "--line", "--nodes", "200", "--autosave", "game.json"];
/// Two people.
const PEOPLE: [&str; 8] =
    ["play", "--line", "--black", "person", "--white", "person", "--autosave", "game.json"];

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

impl Place {
    /// Types lines, and returns what is answered after the heading.
    fn play(&self, args: &[&str], typed: &str) -> String {
        let output = self.run(args, typed);
        let (out, err) = texts(&output);
        assert!(output.status.success() && err.is_empty(), "{args:?}: {err}");
        let (_, answers) = out.split_once("Type help for the commands.\n").expect("a heading");
        answers.to_owned()
    }

    /// Returns the standard error of a game that does not begin.
    fn play_refused(&self, args: &[&str], code: i32) -> String {
        let output = self.run(args, "h8\n");
        let (out, err) = texts(&output);
        assert_eq!((output.status.code(), out.as_str()), (Some(code), ""), "{args:?}: {err}");
        err
    }
}

/// A game whose lines are typed one by one. It is killed when this is dropped.
pub(crate) struct Dialog {
    pub(crate) child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Dialog {
    pub(crate) fn begin(place: &Place, args: &[&str]) -> Dialog {
        let mut command = place.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("tengen starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            // It ends with the output, or when nobody listens any more.
            let _ = output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line));
        });
        Dialog { child, input, lines }
    }

    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it listens");
    }

    /// Waits for a line that begins so.
    pub(crate) fn until(&self, start: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no line begins with {start:?}"));
            if line.starts_with(start) {
                return line;
            }
        }
    }
}

impl Drop for Dialog {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_engine_answers_and_moves_are_taken_back_and_played_again() {
    let place = Place::new("play");
    let typed = "h8\nmoves\nundo\nmoves\nredo\nmoves\nhint\nmoves\nundo 1\ngo\nmoves\n";
    let answers = place.play(&QUICK, typed);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines[0], "Move 1: black h8.");
    let reply = lines[1].strip_prefix("Move 2: white ").expect("an answer");
    let reply = reply.strip_suffix(", the engine.").expect("by the engine");
    let both = format!("1. h8 2. {reply}");
    assert_eq!(lines[2], both);
    assert_eq!(lines[3..5], ["Black to move.", &format!("Taken back: h8 {reply}.")]);
    assert_eq!(lines[5..7], ["Black to move after move 2.", &both]);
    assert!(lines[7].starts_with("Hint: ") && lines[7].contains(" Black's chance to win "));
    assert_eq!(lines[8], both, "a hint is not played");
    assert_eq!(lines[9], "White to move after move 1.");
    assert_eq!(lines[10], "The engine waits, with white to move: go lets it play.");
    assert!(lines[11].starts_with("Move 2: white ") && lines[12].starts_with("1. h8 2. "));
    assert_eq!(lines.len(), 13, "{answers}");
}

#[test]
fn what_the_last_lines_ask_for_has_its_answer_before_the_end() {
    let place = Place::new("play-last");
    let asked = place.play(&QUICK, "h8\nhint\n");
    assert!(asked.lines().last().is_some_and(|line| line.starts_with("Hint: ")), "{asked}");
    let played = place.play(&QUICK, "new\nh8\na1\n");
    assert!(played.contains("Move 3: black a1.") && played.contains("Move 4: white "), "{played}");
}

#[test]
fn a_game_is_saved_and_loaded_in_every_format() {
    let place = Place::new("play-formats");
    let game = "h8 i9 h9 i8 h10 i10";
    let names = ["a game.psq", "g.sgf", "g.pos", "g.offset", "g.json"];
    for name in names {
        let typed = format!("{game}\nsave {name}\nnew\nload {name}\nmoves\nundo 6\nmoves\n");
        let answers = place.play(&PEOPLE, &typed);
        assert!(answers.contains(&format!("\nSaved to {name}.\n")), "{answers}");
        let moves = "\n1. h8 2. i9 3. h9 4. i8 5. h10 6. i10\n";
        assert!(answers.contains(moves), "{name}: {answers}");
        assert!(answers.ends_with("\nTaken back: h8 i9 h9 i8 h10 i10.\n"), "{name}: {answers}");
        let lost = answers.lines().any(|line| line.starts_with("Lost, as "));
        assert_eq!(lost, !["g.sgf", "g.json"].contains(&name), "{answers}");
    }
    // Results go to pgn, and come back as such.
    let typed = format!("{game}\nresign\nsave g.pgn\nload g.pgn\n");
    let answers = place.play(&PEOPLE, &typed);
    let lost = "\nLost, as pgn cannot hold it: the rule, the moves, times.\n";
    assert!(answers.contains(lost), "{answers}");
    assert!(answers.ends_with("Game over: white wins, black resigns.\n"), "{answers}");
    // The records are those of the other commands.
    let (out, _) = texts(&place.run(&["show", "g.sgf"], ""));
    assert!(out.starts_with("Game 1 of 1: person (X) - person (O), 15x15, freestyle, "), "{out}");
}

#[test]
fn games_begin_with_files_and_moves() {
    let place = Place::new("play-begin");
    place.write("two.pos", "h8i9\nh8h9h10\n");
    let load = [&PEOPLE[..], &["two.pos"]].concat();
    let answers = place.play(&load, "moves\nload 2 two.pos\nmoves\nload 3 two.pos\nmoves\n");
    assert_eq!(
        answers,
        "1. h8 2. i9\nGame 2 of 2. freestyle 15x15, black is a person, white is a person.\n\
         White to move after move 3.\n1. h8 2. h9 3. h10\n\
         Error: there is no game 3: two.pos has 2 games.\n1. h8 2. h9 3. h10\n"
    );
    let moves = [&PEOPLE[..], &["--moves", "1.h8 2.a1", "--rule", "renju"]].concat();
    let answers = place.play(&moves, "board\nsave g.pos\n");
    assert!(answers.contains("\n  1(O). . ."), "{answers}");
    assert_eq!(place.read("g.pos"), "h8a15\n");
    // The engine has the move where the loaded game leaves it to it, and waits.
    let answers = place.play(&QUICK, "load 2 two.pos\nmoves\ngo\n");
    assert!(answers.contains("\nThe engine waits, with white to move: go"), "{answers}");
    assert!(answers.lines().last().is_some_and(|line| line.starts_with("Move 4: white ")));
}

#[test]
fn the_level_is_typed_and_stays() {
    let place = Place::new("play-level");
    let answers = place.play(&QUICK, "level 3\nlevel black 2\nlevel white 1\nh8\nquit\n");
    assert!(
        answers.starts_with(
            "The engine plays white at level 3.\nThe engine plays white at level 3.\n\
             The engine plays white at level 1.\nMove 1: black h8.\nMove 2: white "
        ),
        "{answers}"
    );
    let resume = ["play", "--line", "--resume", "--autosave", "game.json"];
    let (out, _) = texts(&place.run(&resume, "swap\n"));
    assert!(out.contains(", white is the engine at level 1.\n"), "{out}");
    assert!(out.contains(", black is the engine at level 1, white is a person.\n"), "{out}");
}

#[test]
fn a_killed_game_goes_on() {
    let place = Place::new("play-kill");
    let mut dialog = Dialog::begin(&place, &QUICK);
    dialog.say("h8");
    let reply = dialog.until("Move 2: ");
    let reply = reply.trim_start_matches("Move 2: white ").trim_end_matches(", the engine.");
    dialog.say("undo");
    dialog.until("Black to move.");
    dialog.say("redo");
    dialog.until("Black to move after move 2.");
    dialog.say("set a1 wall");
    dialog.until("Black to move after move 2.");
    dialog.say("h9");
    dialog.until("Move 3: ");
    dialog.until("Move 4: ");
    // Nobody else can play on it meanwhile.
    let error = place.play_refused(&QUICK, 1);
    assert!(
        error.contains("another run is writing to it") && error.lines().count() == 1,
        "{error}"
    );
    dialog.child.kill().expect("it runs");
    dialog.child.wait().expect("it ends");
    let resume = ["play", "--line", "--resume", "--autosave", "game.json"];
    let answers = place.play(&resume, "moves\nundo 2\nmoves\n");
    let stones = if reply < "h8" { "" } else { "The first 2 stones were given.\n" };
    assert!(answers.starts_with(stones), "{answers}");
    assert!(answers.contains(" 3. h9 4. ") && answers.contains("Blocked: a1.\n"), "{answers}");
    assert!(answers.contains("Taken back: h9 "), "{answers}");
    // A game that begins keeps the one before beside its own.
    let before = place.read("game.json");
    place.play(&QUICK, "a1\n");
    assert_eq!(place.read("game.json.old"), before);
    assert_eq!(place.files("."), ["game.json", "game.json.lock", "game.json.old"]);
}

#[test]
fn a_level_is_in_the_record_and_outlives_the_process() {
    let place = Place::new("play-level");
    // A clock, which no level needs.
    let args = ["play", "--line", "--think", "1000h", "--level", "2", "--seed", "5"];
    let saved = [&args[..], &["--autosave", "game.json"]].concat();
    place.play(&saved, "h8\nwait\nsave first.sgf\n");
    place.play(&[&args[..], &["--no-autosave"]].concat(), "h8\nwait\nsave again.sgf\n");
    let resume = ["play", "--line", "--resume", "--autosave", "game.json"];
    place.play(&resume, "h12\nwait\nsave on.sgf\n");
    let stones = |name: &str| {
        let text = place.read(name);
        assert!(text.contains("PW[tengen level 2]"), "{text}");
        let nodes = text.split(';').skip(2).map(|node| node[..5].to_owned());
        nodes.collect::<Vec<String>>()
    };
    let (first, again, on) = (stones("first.sgf"), stones("again.sgf"), stones("on.sgf"));
    assert_eq!(first, again);
    assert_eq!((first.len(), on.len()), (2, 4));
    assert_eq!(on[..2], first);
}

#[test]
fn a_game_that_was_killed_while_the_engine_thought_goes_on_thinking() {
    let place = Place::new("play-thought");
    let args = ["play", "--line", "--think", "1000h", "--autosave", "game.json", "--moves", "a1o1"];
    let mut dialog = Dialog::begin(&place, &args);
    dialog.say("h8");
    dialog.until("Move 3: black h8.");
    drop(dialog);
    let resume = ["play", "--line", "--resume", "--autosave", "game.json"];
    let mut dialog = Dialog::begin(&place, &resume);
    dialog.until("White to move after move 3.");
    dialog.say("stop");
    dialog.until("The engine waits, with white to move");
    dialog.say("moves");
    assert_eq!(dialog.until("1. "), "1. a1 2. o1 3. h8");
    dialog.say("quit");
    assert!(dialog.child.wait().expect("it ends").success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_the_engine_and_then_the_program() {
    let place = Place::new("play-interrupt");
    let args = ["play", "--line", "--think", "1000h", "--no-autosave", "--moves", "a1o1"];
    let mut dialog = Dialog::begin(&place, &args);
    dialog.say("h8");
    dialog.until("Move 3: black h8.");
    let interrupt = || {
        let pid = libc::pid_t::try_from(dialog.child.id()).expect("an id");
        // SAFETY: `kill` takes two numbers and touches no memory of ours.
        assert_eq!(unsafe { libc::kill(pid, libc::SIGINT) }, 0);
    };
    interrupt();
    dialog.until("The engine waits, with white to move");
    interrupt();
    assert_eq!(dialog.child.wait().expect("it ends").code(), Some(130));
    assert!(place.files(".").is_empty());
}

#[test]
fn bad_lines_are_answered_with_one_line_and_change_nothing() {
    let place = Place::new("play-bad");
    place.write("bad.sgf", "(;GM[4]SZ[15];B[zz])");
    place.write(
        "late.json",
        &format!(
            "{{\"tengen\":1,\"size\":[15,15],\"rule\":\"freestyle\",\"moves\":\"{}\"}}\n",
            "a1a2b1b2c1c2d1d2e1e2"
        ),
    );
    let dialog = [
        ("foo", "there is no command \"foo\": help lists them"),
        ("h8", "h8 is occupied"),
        ("j9 i9", "i9 is occupied"),
        ("p1", "expected a cell of a 15x15 board at column 1"),
        ("h 8", "expected a cell such as h8 at column 1"),
        ("undo 5", "only 2 moves can be taken back"),
        ("undo x", "undo is followed by a number of moves"),
        ("redo", "there is no move to be played again"),
        ("redo 0", "redo is followed by a number of moves"),
        ("hint me", "hint stands alone"),
        ("go 2", "go stands alone"),
        ("step 2", "step stands alone"),
        ("stop", "the engine is not thinking"),
        ("wait 5", "wait stands alone"),
        ("swap me", "swap stands alone"),
        ("resign now", "resign stands alone"),
        ("draw me", "draw stands alone"),
        ("new renju", "new stands alone"),
        ("rule go", "the rules are freestyle, standard, renju, caro, caro-exact"),
        ("size 99", "board edges from 5 to 22 are supported, such as 15 or 20"),
        ("set h8", "set is followed by a cell and black, white, wall or empty"),
        ("turn red", "turn is followed by black or white"),
        ("board x", "board stands alone"),
        ("moves x", "moves stands alone"),
        ("clock x", "clock stands alone"),
        ("forbidden x", "forbidden stands alone"),
        ("save", "save is followed by the name of a file"),
        ("save game", "the end of the name has to tell the format: the formats are psq, sgf"),
        ("save nowhere/game.sgf", "cannot write nowhere/game.sgf: "),
        ("review game.psq", "a review is a page, .html, or a record with comments, .sgf"),
        ("review .", "cannot write .: it is a directory"),
        ("save game.json", "cannot write game.json: the same file has another use"),
        ("review game.json", "cannot write game.json: the same file has another use"),
        ("load", "load is followed by the name of a file"),
        ("load nothing.sgf", "cannot read nothing.sgf: "),
        ("load bad.sgf", "bad.sgf:1:17: expected a cell of a 15x15 board"),
        ("load late.json", "move 10 comes after the end of the game"),
        ("load 0 late.json", "there is no game 0: late.json has 1 game"),
        ("load -", "standard input is where moves are typed"),
        ("help me", "help stands alone"),
        ("quit now", "quit stands alone"),
        ("\u{1b}[2J", "expected a cell such as h8 at column 1"),
    ];
    let typed: String = dialog.iter().map(|(line, _)| format!("{line}\nmoves\n")).collect();
    let answers = place.play(&PEOPLE, &format!("h8 i9\n\n{typed}"));
    let mut lines = answers.lines().skip(2);
    for (line, words) in dialog {
        let answer = lines.next().unwrap_or_default();
        assert!(answer.starts_with(&format!("Error: {words}")), "{line:?}: {answer:?}");
        assert_eq!(lines.next(), Some("1. h8 2. i9"), "{line:?}");
    }
    assert_eq!(lines.next(), None);
    assert_eq!(place.files("."), ["bad.sgf", "game.json", "game.json.lock", "late.json"]);
}

#[test]
fn lines_of_any_kind_do_no_harm() {
    let place = Place::new("play-odd");
    let mut typed = vec![b'x'; 1 << 20];
    typed.extend(b"\n\xff\xfe\nh8\r\n\0\ni9");
    let mut child = place.command(&PEOPLE);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("tengen starts");
    child.stdin.take().expect("a pipe").write_all(&typed).expect("it listens");
    let (out, err) = texts(&child.wait_with_output().expect("it ends"));
    assert_eq!(err, "");
    let lines: Vec<&str> = out.lines().skip(3).collect();
    assert_eq!(lines[0], "Error: the line is too long.");
    assert!(lines[1].starts_with("Error: expected a cell such as h8"), "{out}");
    assert_eq!(lines[2], "Move 1: black h8.");
    assert!(lines[3].starts_with("Error: "), "{out}");
    assert_eq!(lines[4..], ["Move 2: white i9."], "the last line needs no end");
}

#[test]
fn forbidden_moves_are_refused_with_the_reason() {
    let place = Place::new("play-renju");
    let args = [&PEOPLE[..], &["--rule", "renju"]].concat();
    // Rows from the bottom: the threes are h9-h10-h8 and i8-j8-h8.
    let typed = "h9 a1 h10 a15 i8 o1 j8 o15\nforbidden\nh8\nundo 1\nforbidden\nturn white\nh8\n";
    let answers = place.play(&args, typed);
    let lines: Vec<&str> = answers.lines().skip(8).collect();
    assert_eq!(lines[0], "h8: it makes two threes.");
    assert_eq!(lines[1], "Error: h8 is forbidden to black: it makes two threes.");
    assert_eq!(lines[3], "Nothing is forbidden.", "it is white's turn");
    assert_eq!(lines.last(), Some(&"Move 1: white h8."), "the stones before it are set up");
}

#[test]
fn games_end_by_the_rules_by_agreement_and_by_the_clock() {
    let place = Place::new("play-ends");
    let answers = place.play(&PEOPLE, "a1 a2 b1 b2 c1 c2 d1 d2 e1\nf1\nhint\nundo\nclock\n");
    let ended = "Move 9: black e1.\nGame over: black wins, 5 in a row from a1 to e1.\n\
                 Error: the game is over.\nError: the game is over.\nBlack to move after move 8.\n\
                 Black: no clock.\nWhite: no clock.\n";
    assert!(answers.ends_with(ended), "{answers}");
    let answers = place.play(&PEOPLE, "h8\ndraw\ndraw\n");
    let agreed = "White offers a draw: draw accepts it, a move declines it.\n\
                  Game over: a draw (agreement).\n";
    assert!(answers.ends_with(agreed), "{answers}");
    let answers = place.play(&QUICK, "draw\n");
    assert_eq!(answers, "White declines the draw.\n");
    let byoyomi = [&PEOPLE[..], &["--game-time", "10m", "--byoyomi", "3x30"]].concat();
    let answers = place.play(&byoyomi, "clock\n");
    let white = "White: 10 minutes left, 3 periods, 11 minutes 30 seconds for this move.";
    assert_eq!(answers.lines().last(), Some(white));
    let timed = [&PEOPLE[..], &["--time", "50ms"]].concat();
    let dialog = Dialog::begin(&place, &timed);
    assert_eq!(dialog.until("Game over"), "Game over: white wins, black has run out of time.");
}

#[test]
fn two_engines_play_to_the_end_or_step_by_step() {
    let place = Place::new("play-engines");
    let args = [
        "play",
        "--line",
        "--black",
        "engine",
        "--white",
        "engine",
        "--size",
        "7",
        "--nodes",
        "50",
        "--no-autosave",
    ];
    let answers = place.play(&args, "wait\nboard\n");
    let over = answers.find("\nGame over: ").expect("an end");
    assert!(answers[over..].contains("    a b c d e f g\n  1 "), "{answers}");
    let mut dialog = Dialog::begin(&place, &args);
    dialog.say("stop");
    dialog.say("new");
    dialog.until("freestyle 7x7");
    dialog.say("stop");
    dialog.say("step");
    dialog.until("Move ");
    dialog.say("undo 1");
    dialog.until("The engine waits");
    // The end of the input is the end of the program, in the middle of the game.
    let answers = place.play(&args, "");
    assert_eq!(answers.lines().count(), 1, "{answers}");
    assert!(answers.starts_with("Move 1: black d4, the engine."), "{answers}");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let place = Place::new("play-options");
    for (args, words) in [
        (&["play", "--theme", "red"][..], "neither dark, light or plain nor a file"),
        (&["play", "--theme", "dark", "--colors", "no"], "nor a file"),
        (&["play", "--line", "--theme", "dark"], "cannot be used with"),
        (&["play", "--line", "--increment", "5"], "--game-time <TIME>"),
        (&["play", "--line", "--game-time", "0"], "the time must be above 0"),
        (&["play", "--line", "--byoyomi", "0x30"], "from 1 to 1000"),
        (&["play", "--line", "--black", "dog"], "a player is person, tengen or words"),
        (&["play", "--line", "--level", "11"], "the levels are 1 to 10"),
        (&["play", "--line", "--resume", "--level", "3"], "cannot be used with"),
        (&["play", "--line", "--resume", "--rule", "renju"], "cannot be used with"),
        (&["play", "--line", "--resume", "--no-autosave"], "cannot be used with"),
        (&["play", "--line", "--moves", "h8", "x.sgf"], "cannot be used with"),
    ] {
        let error = place.play_refused(args, 2);
        assert!(error.contains(words), "{args:?}: {error}");
    }
    place.write("bad.json", "hello");
    let cases: [(&[&str], &str); 9] = [
        (&["--white", "cmd=x", "turn=5"], "Error: turn=5: the words of a player are in quotes: "),
        (&["--moves", "h8 h8"], "Error: --moves: 1:4: expected an empty cell\n"),
        (&["no.sgf"], "Error: cannot read no.sgf: "),
        (&["-"], "Error: standard input is where moves are typed: name a file\n"),
        (&["--resume", "--autosave", "no.json"], "Error: there is no game to resume: no.json"),
        (&["--resume", "--autosave", "bad.json"], "Error: bad.json: no saved game of this version"),
        (&["--autosave", "bad.json"], "Error: bad.json is not a saved game: it is not replaced\n"),
        (&["--autosave", "."], "Error: . is not a regular file\n"),
        (&["--network", "none", "--weights", "no"], "Error: cannot read no: "),
    ];
    for (args, words) in cases {
        let usual: &[&str] = if args.contains(&"--autosave") { &[] } else { &["--no-autosave"] };
        let error = place.play_refused(&[&["play", "--line"], usual, args].concat(), 1);
        assert!(error.starts_with(words) && error.lines().count() == 1, "{args:?}: {error}");
    }
    assert_eq!(place.read("bad.json"), "hello");
    for (args, words) in [
        (&["play"][..], "Error: the screen needs a terminal: --line plays by lines"),
        (&["play", "--theme", "bad.json"], "Error: bad.json:1: expected a name and a colour"),
        (
            &["play", "--theme", "light", "--colors", "bad.json"],
            "Error: bad.json:1: expected a name and a colour",
        ),
    ] {
        let error = place.play_refused(args, 1);
        assert!(error.starts_with(words) && error.lines().count() == 1, "{args:?}: {error}");
    }
}

#[test]
fn a_win_is_shown_and_lines_wait_for_it() {
    let place = Place::new("play-win");
    let typed = "win\nh8 a1 h9 c1 h10 e1\nwin\nmoves\nset a2 wall\na1\no15\no14\nundo\nback\nback\n\
                 moves\nundo 6\nwin\n";
    let answers = place.play(&PEOPLE, typed);
    let mut lines = answers.lines();
    assert_eq!(lines.next(), Some("No forced win of black was found."));
    let after = lines.skip(6).collect::<Vec<_>>();
    assert_eq!(after[0], "Black wins by fours in 3 (VCF).");
    assert!(after[1].starts_with("Black h") && after[1].ends_with("with white as you like."));
    assert!(after[3].starts_with("1. h8 2. a1 3. h9 4. c1 5. h10 6. e1 7. h"), "{answers}");
    assert_eq!(after[4], "Error: a win is shown: back returns to the game.");
    assert_eq!(after[5], "Error: a1 is occupied.");
    assert!(after[6].starts_with("White o15, black h"), "{answers}");
    assert!(after[7].starts_with("Game over: black wins, 5 in a row"), "{answers}");
    assert_eq!(after[8], "Error: the game is over.");
    assert_eq!(after[9], "White to move after move 7.");
    assert_eq!(after[10], "The game goes on. Black to move after move 6.");
    assert_eq!(after[11], "Error: no win is shown.");
    assert_eq!(after[12], "1. h8 2. a1 3. h9 4. c1 5. h10 6. e1");
    assert_eq!(after.last(), Some(&"No forced win of black was found."));
    assert!(place.read("game.json").contains("\"shown\":0"), "{}", place.read("game.json"));
}

#[test]
fn a_game_is_reviewed_where_it_was_played() {
    let place = Place::new("play-review");
    let people = ["play", "--line", "--no-autosave", "--black", "person", "--white", "person"];
    let lines = "h8 a1 h9 c1 h10 e1 a15 g1 h11 i1 h12\nreview game.html\nreview game.sgf\nmoves\n\
                 rematch\nset a1 wall\nreview\nundo\n";
    let (out, err) = texts(&place.run(&people, lines));
    assert!(err.is_empty(), "{err}");
    let at = |text: &str| out.find(text).unwrap_or_else(|| panic!("no {text:?} in {out}"));
    let parts = [
        "Game over: black wins",
        "Review written to game.html.",
        "Black's chances  ",
        "   7 X a15   ",
        "\nTurning point    ",
        "Review written to game.sgf.",
        "1. h8 2. a1",
        "Error: a game with blocked cells cannot be reviewed.",
    ];
    assert!(parts.map(at).is_sorted(), "{out}");
    assert!(place.read("game.html").contains("<html") && place.read("game.sgf").contains("BM["));
    let (out, _) = texts(&place.run(&people, "review\nh8\nreview no/where.html\n"));
    assert!(out.contains("Error: there is no move to review."), "{out}");
    assert!(out.contains("Error: cannot write no/where.html"), "{out}");
}

#[test]
fn teaching_warns_before_a_move_that_gives_a_win_away() {
    let place = Place::new("play-teach");
    let args = [&PEOPLE[..], &["--teach", "--moves", "a1h8c1h9e1h10"]].concat();
    let answers = place.play(&args, "yes\no15\nh11\nundo 1\no15\no15\nundo 1\nteach off\no14\n");
    let lines: Vec<&str> = answers.lines().collect();
    let warning =
        "Warning: o15 lets white win by fours in 3 (VCF). yes plays it, and so does o15 again.";
    let expected = [
        "Error: there is nothing to say yes to.",
        warning,
        "Move 7: black h11.",
        "Black to move after move 6.",
        warning,
        "Move 7: black o15.",
        "Black to move after move 6.",
        "You are not warned.",
        "Move 7: black o14.",
    ];
    assert_eq!(lines, expected, "{answers}");
    // The engine answers after the end of the input too.
    let answers = place.play(&[&QUICK[..], &["--teach"]].concat(), "h8");
    assert!(answers.contains("Move 2: white "), "{answers}");
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn games_are_saved_in_the_folder_for_states() {
    let place = Place::new("play-state");
    let run = |args: &[&str], input: &str| {
        let mut command = place.command(args);
        command.env("XDG_STATE_HOME", place.path("state")).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("tengen starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it listens");
        texts(&child.wait_with_output().expect("it ends"))
    };
    run(&["play", "--line", "--nodes", "50"], "h8\n");
    assert_eq!(place.files("state/tengen"), ["play.json", "play.json.lock"]);
    let (out, err) = run(&["play", "--line", "--resume"], "moves\n");
    assert!(out.contains("\n1. h8 2. ") && err.is_empty(), "{out}{err}");
    // It is the last game, whoever asks for it, also while it is played.
    let last = ["analyse", "--last", "--nodes", "300", "--hash", "1", "--quiet"];
    let (out, err) = run(&last, "");
    assert!(out.starts_with("Game 1 of 1: person (X) - tengen (O), 15x15, freestyle\n"), "{out}");
    assert!(out.contains("play.json; 2 moves, result: not known") && err.is_empty(), "{out}{err}");
    let (out, err) = run(&["analyse", "--last", "--position", "--after", "1", "--depth", "1"], "");
    assert!(out.contains("white to move after 1 move") && err.is_empty(), "{out}{err}");
    // Where there is no such folder, people can play all the same.
    place.write("file", "");
    let mut command = place.command(&["play", "--line"]);
    command.env("XDG_STATE_HOME", place.path("file"));
    let (out, err) = texts(&command.output().expect("tengen starts"));
    assert!(out.contains("Black to move.\n"), "{out}");
    assert!(err.starts_with("The game is not saved: cannot make ") && err.lines().count() == 1);
}
