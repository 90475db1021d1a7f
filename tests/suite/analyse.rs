//! `tengen analyse` with the real binary.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
#[cfg(unix)]
use tengen_core::sys::signal::{Signal, send};

use crate::place::Place;
#[cfg(unix)]
use crate::place::takes_signals;

/// White leaves black's open three, and black makes the five in the end.
const THREE: &str = "h8h9i8i9j8a15g8f8k8\n";

/// Two short games; the second ends with nothing decided.
const TWO: &str = "h8h9i8i9j8a15g8f8k8\nh8i9h10i8i7\n";

/// Options for a quick review.
const QUICK: [&str; 5] = ["--nodes", "1000", "--hash", "1", "--quiet"];

impl Place {
    /// Runs tengen analyse and returns the exit code, standard output and standard error.
    fn analyse(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.run(&[&["analyse"], &QUICK[..], args].concat(), "");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// Returns what a review that succeeds prints.
    fn reviewed(&self, args: &[&str]) -> String {
        let (code, out, err) = self.analyse(args);
        assert_eq!((code, err.as_str()), (0, ""), "{args:?}: {out}");
        out
    }

    /// Returns the only line of a review that fails.
    fn analyse_fails(&self, args: &[&str]) -> String {
        let (code, out, err) = self.analyse(args);
        assert_eq!((code, out.as_str(), err.lines().count()), (1, "", 1), "{args:?}: {err}");
        err.trim_end().to_owned()
    }
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn moves_are_reviewed_without_a_file() {
    let place = Place::new("analyse-moves");
    place.write("game.pos", THREE);
    let of_file = place.reviewed(&["game.pos"]);
    let of_moves = place.reviewed(&["--moves", THREE.trim()]);
    let rest = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rest(&of_moves), rest(&of_file));
    assert_eq!(of_moves.lines().nth(1), Some("--moves; 9 moves, result: black won (five)"));
    let wrong = place.analyse_fails(&["--moves", "h8 h8"]);
    assert!(wrong.contains("--moves: ") && wrong.contains("expected an empty cell"), "{wrong}");
}

#[test]
fn a_planted_blunder_is_found_and_told() {
    let place = Place::new("analyse-blunder");
    place.write("game.pos", THREE);
    let text = place.reviewed(&["game.pos"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Game 1 of 1: Black (X) - White (O), 15x15, freestyle");
    assert_eq!(lines[1], "game.pos; 9 moves, result: black won (five)");
    let row = lines.iter().find(|line| line.starts_with("   6 O a15   ?? blunder")).expect("a row");
    assert!(row.contains("→   0 %") && row.ends_with("leaves the open four at g8"), "{row}");
    assert!(text.contains("Lost for good    white by move "), "{text}");
    let picture = lines[3].strip_prefix("Black's chances  ").expect("a picture");
    assert!(picture.chars().count() == 10 && picture.ends_with("███"), "{picture}");
    let ascii = place.reviewed(&["--ascii", "game.pos"]);
    assert!(ascii.is_ascii() && ascii.contains("->   0 %"), "{ascii}");
    // Renju counts rows from the bottom.
    let renju = place.reviewed(&["--rule", "renju", "--origin", "bottom", "game.pos"]);
    assert!(renju.contains("renju, Ugetsu (D6), rows from the bottom"), "{renju}");
    assert!(renju.contains("leaves the open four at g8"), "{renju}");
}

#[test]
fn marks_are_explained_once_and_coloured_only_where_that_is_wanted() {
    let place = Place::new("analyse-marks");
    place.write("two.pos", &format!("{THREE}{THREE}"));
    let legend = "?? blunder     loses 15 % or more of the chances, or allows a proven win\n";
    let plain = place.reviewed(&["two.pos"]);
    assert_eq!(plain.matches(legend).count(), 1, "{plain}");
    assert!(plain.ends_with("?! inaccuracy  loses 5 % or more of the chances\n"), "{plain}");
    assert!(!plain.contains('\u{1b}'));
    let colored = place.reviewed(&["--color", "always", "--html", "page.html", "two.pos"]);
    assert!(colored.starts_with("\u{1b}[1mGame 1 of 2"), "{colored}");
    assert!(colored.contains("   6 O a15   \u{1b}[1;31m?? blunder   \u{1b}[0m  "), "{colored}");
    // The page has a legend and colours of its own.
    let page = place.read("page.html");
    assert!(!page.contains('\u{1b}') && page.contains("<td class=\"class blunder\">??</td>"));
    let nothing = place.reviewed(&["--moves", "h8"]);
    assert!(!nothing.contains("loses 5 %"), "{nothing}");
    assert!(!place.reviewed(&["--json", "two.pos"]).contains("loses 5 %"));
}

#[test]
fn what_was_written_is_said_unless_it_is_to_be_quiet() {
    let place = Place::new("analyse-written");
    place.write("two.pos", TWO);
    let line = "analyse --nodes 50 --hash 1 --html page.html --sgf out.sgf two.pos";
    let output = place.run(&line.split(' ').collect::<Vec<_>>(), "");
    let said = "The page of the review is page.html\n2 annotated games in out.sgf\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), said);
}

/// The browser is found as on most systems without Windows: by a program that opens what it is given.
#[cfg(all(unix, not(target_os = "macos"), feature = "web"))]
#[test]
fn the_page_is_opened_in_the_browser() {
    let place = Place::new("analyse-open");
    place.write("game.pos", THREE);
    let line = "analyse --nodes 50 --hash 1 --quiet --html page.html --open game.pos";
    let mut command = place.command_with_browser(&line.split(' ').collect::<Vec<_>>());
    assert!(command.stdout(Stdio::null()).status().expect("a review").success());
    let page = fs::canonicalize(place.path("page.html")).expect("a page");
    assert_eq!(place.opened(), page.display().to_string());
    let without = place.run(&["analyse", "--open", "game.pos"], "");
    assert_eq!(without.status.code(), Some(2));
}

#[test]
fn there_is_an_object_for_each_move() {
    let place = Place::new("analyse-json");
    place.write("two.pos", TWO);
    place.write("one.pos", THREE);
    let moves = objects(&place.reviewed(&["--json", "two.pos", "one.pos"]));
    assert_eq!(moves.len(), 9 + 5 + 9);
    let fields = |i: usize| {
        ["game", "number", "ply"].map(|field| moves[i][field].as_u64().expect("a number"))
    };
    assert_eq!([fields(0), fields(13), fields(14)], [[1, 1, 1], [2, 2, 5], [3, 1, 1]]);
    assert_eq!(moves[14]["file"], "one.pos");
    for m in &moves {
        let [before, after] =
            ["win_before", "win_after"].map(|field| m[field].as_f64().expect("a share"));
        assert!((0.0..=1.0).contains(&after) && before >= after && before <= 1.0, "{m}");
        let wdl = m["wdl_after"].as_array().expect("three shares");
        let sum: f64 = wdl.iter().map(|share| share.as_f64().expect("a share")).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{m}");
        assert!(
            m["line"].as_str().expect("a line").starts_with(m["best"].as_str().expect("a cell"))
        );
    }
    let blunder = &moves[5];
    assert_eq!((&blunder["move"], &blunder["class"]), (&"a15".into(), &"blunder".into()));
    assert_eq!(blunder["proven_after"]["winner"], "black");
    assert_eq!(blunder["why"], serde_json::json!(["leaves the open four at g8"]));
    // The game is reviewed alike wherever it is.
    let part = |i: usize| {
        let mut object = moves[i].clone();
        for field in ["game", "file", "number"] {
            object[field] = Value::Null;
        }
        object
    };
    assert!((0..9).all(|i| part(i) == part(14 + i)));
    let book = objects(&place.reviewed(&["--json", "--book", "6", "one.pos"]));
    assert!(book[..6].iter().all(|m| m["class"] == "book") && book[6]["class"] != "book");
}

/// The beginnings of remarks that are about a fault.
const WRONG: [&str; 6] = ["is forbidden", "leaves ", "misses ", "a win ", "lets ", "wastes "];

/// Games of the levels 1 to 10 against each other. Reviewed with few nodes, positions are seen to be
/// lost that were not before, and the other way round.
#[test]
fn the_best_move_is_never_a_fault_and_every_fault_has_a_reason() {
    let place = Place::new("analyse-levels");
    place.write("levels.pos", include_str!("../data/level-games.pos"));
    let args = ["analyse", "--quiet", "--hash", "1", "--nodes", "50", "--rule", "freestyle"];
    let output =
        place.run(&[&args[..], &["--json", "--html", "page.html", "levels.pos"]].concat(), "");
    assert!(output.status.success());
    let moves = objects(&String::from_utf8_lossy(&output.stdout));
    let mut count = [0; 2];
    for m in &moves {
        let class = m["class"].as_str().expect("a class");
        let [before, after] =
            ["win_before", "win_after"].map(|field| m[field].as_f64().expect("a share"));
        assert!(before >= after, "{m}");
        count[1] += usize::from(class == "lost");
        if !["inaccuracy", "mistake", "missed_win", "blunder"].contains(&class) {
            continue;
        }
        count[0] += 1;
        assert_ne!(m["best"], m["move"], "{m}");
        assert!(before >= 0.05, "lost already: {m}");
        let reason = m["why"][0].as_str().unwrap_or_default();
        assert!(WRONG.iter().any(|words| reason.starts_with(words)), "{m}");
    }
    assert!(moves.len() == 773 && count.iter().all(|&count| count > 50), "{count:?}");
}

#[test]
fn a_file_never_gets_two_marks_of_a_kind_in_one_node() {
    let place = Place::new("analyse-marks");
    // White's second move is bad to whoever wrote the file, and something else to the review.
    let game = "(;FF[4]GM[4]SZ[15]RU[freestyle];B[hh];W[ii]BM[1];B[hj];W[hi];B[gi];W[kk];B[fh];W[aa];\
                B[ek];W[ab])";
    for (i, mark) in ["BM[1]", "DO[]", "TE[1]", "IT[]", ""].into_iter().enumerate() {
        let file = format!("{i}.sgf");
        place.write(&file, &game.replace("BM[1]", mark));
        place.reviewed(&["--sgf", "out.sgf", &file]);
        let text = place.read("out.sgf");
        for node in text.split(';') {
            let marks = ["BM[", "DO[", "TE[", "IT["].iter().filter(|mark| node.contains(**mark));
            assert!(marks.count() <= 1, "{node}");
        }
    }
}

#[test]
fn games_may_begin_with_white_with_stones_and_with_passes() {
    let place = Place::new("analyse-begun");
    let head = "(;FF[4]GM[4]SZ[15]RU[freestyle]";
    let classes = |game: &str| {
        place.write("game.sgf", &format!("{head}{game})"));
        let args = ["--json", "--html", "page.html", "--sgf", "out.sgf", "game.sgf"];
        let moves = objects(&place.reviewed(&args));
        let page = place.read("page.html");
        let (_, data) = page.split_once("id=\"game-1\">").expect("the game");
        let data = data.split_once("</script>").expect("an end").0;
        let data: Value = serde_json::from_str(data).expect("JSON");
        let names = moves.iter().map(|m| {
            let [color, cell, class] = ["color", "move", "class"].map(|field| m[field].as_str());
            format!("{} {} {} {}", m["ply"], color.unwrap(), cell.unwrap(), class.unwrap())
        });
        (names.collect::<Vec<String>>(), data)
    };
    // White's open three is left, as black's is in other tests.
    let (moves, data) = classes(";W[hh];B[hi];W[ih];B[ii];W[jh];B[ao];W[gh];B[fh];W[kh]");
    assert_eq!(
        (moves.len(), &moves[0][..8], &moves[5][..]),
        (9, "1 white ", "6 black a15 blunder")
    );
    assert_eq!((&data["first"], &data["earlier"]), (&1.into(), &0.into()));
    assert!(place.read("out.sgf").contains(";B[ao]C[blunder"), "{}", place.read("out.sgf"));
    // The same stones set up, and white to move.
    let (moves, data) = classes("AW[hh][ih]AB[hi][ii]PL[W];W[jh];B[ao];W[gh];B[fh];W[kh]");
    assert_eq!((moves.len(), &moves[1][..]), (5, "2 black a15 blunder"));
    assert_eq!(
        (&data["start"], &data["moves"]),
        (&serde_json::json!(["hiii", "hhih"]), &"jhaoghfhkh".into())
    );
    // Somebody passes, and the longer part is reviewed.
    let (moves, data) = classes(";B[aa];W[];W[hh];B[hi];W[ih];B[ii];W[jh];B[ao];W[gh];B[fh];W[kh]");
    let blunder = moves.iter().find(|m| m.contains(" black a15 ")).expect("the blunder");
    assert!(blunder.ends_with(" blunder") && moves.len() == 9, "{moves:?}");
    assert!(data["earlier"].as_u64().is_some_and(|earlier| earlier > 0), "{data}");
    let text = place.reviewed(&["game.sgf"]);
    assert!(text.contains("\nMoves 1 to ") && text.contains(" were not reviewed\n"), "{text}");
    let (moves, _) = classes(";B[hh];W[hi];B[ih];W[ii];B[jh];W[ao];B[gh];W[]");
    assert_eq!((moves.len(), &moves[5][..]), (7, "6 white a15 blunder"));
    let text = place.reviewed(&["game.sgf"]);
    assert!(text.contains("; 8 moves,") && text.contains("\nMove 8 was not reviewed\n"), "{text}");
}

#[test]
fn every_format_of_records_is_read() {
    let place = Place::new("analyse-formats");
    place.write("game.pos", THREE);
    let expected = place.reviewed(&["--json", "game.pos"]).replace("game.pos", "");
    for format in ["psq", "sgf", "json", "offset"] {
        let file = format!("game.{format}");
        let args = ["convert", "--rule", "freestyle", "game.pos", "-o", &file];
        assert!(place.run(&args, "").status.success(), "{format}");
        let found = place.reviewed(&["--json", "--rule", "freestyle", &file]);
        assert_eq!(found.replace(&file, ""), expected, "{format}");
    }
}

/// Starts a review of many games.
fn start(place: &Place, args: &[&str]) -> Child {
    place.write("many.pos", &TWO.repeat(20));
    let args = [&["analyse"], &QUICK[..], &["--journal", "j", "--threads", "1"], args].concat();
    let mut command = place.command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("tengen starts")
}

/// Waits until a journal has some games.
fn wait_for_games(place: &Place, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(600);
    let lines = || fs::read_to_string(place.path("j")).map_or(0, |text| text.lines().count());
    while lines() < 4 {
        let is_running = child.try_wait().is_ok_and(|status| status.is_none());
        assert!(is_running && Instant::now() < deadline, "no games are kept");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_review_goes_on_and_says_the_same() {
    let place = Place::new("analyse-kill");
    let mut child = start(&place, &["--json", "many.pos"]);
    wait_for_games(&place, &mut child);
    child.kill().expect("the child is ours");
    child.wait().expect("the child ends");
    let begun = place.read("j");
    let resumed = place.reviewed(&["--json", "--journal", "j", "--threads", "2", "many.pos"]);
    assert!(place.read("j").starts_with(&begun[..=begun.rfind('\n').expect("a line")]));
    assert_eq!(resumed, place.reviewed(&["--json", "many.pos"]));
    // Once more there is nothing to do.
    assert_eq!(place.reviewed(&["--json", "--journal", "j", "many.pos"]), resumed);
    let error = place.analyse_fails(&["--journal", "j", "--book", "1", "game.pos"]);
    assert!(error.contains("cannot read game.pos"), "{error}");
    place.write("game.pos", THREE);
    let error = place.analyse_fails(&["--journal", "j", "game.pos"]);
    assert!(error.contains("j was begun with other options: games 40 (now 1)"), "{error}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_what_is_known() {
    let place = Place::new("analyse-ctrl-c");
    let mut child = start(&place, &["--json", "--html", "page.html", "many.pos"]);
    wait_for_games(&place, &mut child);
    send(child.id(), Signal::Term).expect("the child is running");
    let output = child.wait_with_output().expect("tengen ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.lines().count()), (Some(130), 1), "{said}");
    assert!(said.starts_with("Ended with ") && said.contains(" of 40 games"), "{said}");
    assert!(said.trim_end().ends_with(" reviewed; the same command resumes"), "{said}");
    let part = String::from_utf8(output.stdout).expect("text");
    assert!(objects(&part).len() > 9);
    let page = place.read("page.html");
    assert!(page.contains("id=\"game-2\"") && !page.contains("id=\"game-40\""));
    assert!(page.ends_with("</html>\n"));
    // All but the last game, which may have been in work, is as in the whole review.
    let whole = place.reviewed(&["--json", "--journal", "j", "many.pos"]);
    let last = objects(&part).last().expect("a move")["game"].as_u64();
    let before = |text: &str| -> Vec<Value> {
        objects(text).into_iter().filter(|m| m["game"].as_u64() < last).collect()
    };
    assert!(!before(&part).is_empty() && before(&part) == before(&whole));
}

#[test]
fn bad_input_is_told_in_one_line() {
    let place = Place::new("analyse-bad");
    place.write("good.pos", THREE);
    place.write("over.pos", "h8h9i8i9j8a15g8f8k8a8\n");
    place.write("bad.sgf", "(;FF[4]GM[4]SZ[15];B[zz])");
    place.write("what", "\u{1}\u{2}");
    place.write("empty.json", "");
    let cases = [
        (
            "over.pos",
            "over.pos, game 1: not a game by the rule freestyle: move 10: the game is over",
        ),
        ("bad.sgf", "bad.sgf:1:"),
        ("what", "cannot tell the format of what"),
        ("missing.psq", "cannot read missing.psq"),
        ("empty.json", "there are no games in empty.json"),
    ];
    for (file, message) in cases {
        let error = place.analyse_fails(&["--journal", "j", file]);
        assert!(error.contains(message), "{error}");
        assert!(!place.files(".").contains(&"j".to_owned()), "nothing was begun");
    }
    // A game that is none keeps nobody from the others.
    for (file, message) in [cases[0], cases[1], cases[4]] {
        let (code, out, err) = place.analyse(&["good.pos", file]);
        assert_eq!((code, err.lines().count()), (1, 1), "{err}");
        assert!(err.contains(message) && out.starts_with("Game 1 of 1: "), "{err}{out}");
    }
    place.write("j", "notes\n");
    let error = place.analyse_fails(&["--journal", "j", "good.pos"]);
    assert!(error.ends_with("j is not a journal of a review"), "{error}");
    assert_eq!(place.read("j"), "notes\n");
    for args in [&["--time", "1", "good.pos"][..], &["--time", "0", "good.pos"], &[]] {
        assert_eq!(place.analyse(args).0, 2, "{args:?}");
    }
}

#[test]
fn files_are_not_replaced_by_what_is_made_of_them() {
    let place = Place::new("analyse-itself");
    place.write("a.sgf", "(;FF[4]GM[4]SZ[15];B[hh])");
    let before = place.read("a.sgf");
    for args in [
        &["--html", "./a.sgf", "a.sgf"][..],
        &["--sgf", "a.sgf", "a.sgf"],
        &["--html", "new", "--sgf", "new", "a.sgf"],
        &["--html", "new", "--journal", "new", "a.sgf"],
    ] {
        let error = place.analyse_fails(args);
        assert!(error.ends_with(": the same file has another use"), "{error}");
    }
    for args in [
        &["show", "a.sgf", "--svg", "a.sgf"][..],
        &["solve", "a.sgf", "--svg", "a.sgf"],
        &["solve", "a.sgf", "--svg", "new", "--certificate", "new"],
    ] {
        let output = place.run(args, "");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains("has another use"), "{error}");
    }
    assert_eq!((place.files("."), place.read("a.sgf")), (vec!["a.sgf".to_owned()], before));
    // Standard input and output are not one file.
    let drawn = place.run(&["show", "--from", "sgf", "-", "--svg", "-"], &place.read("a.sgf"));
    assert!(drawn.stdout.starts_with(b"<svg"), "{drawn:?}");
}

#[test]
fn pages_and_annotated_games_are_written() {
    let place = Place::new("analyse-files");
    place.write("two.pos", TWO);
    place.reviewed(&["--html", "page.html", "--sgf", "games.sgf", "two.pos"]);
    let page = place.read("page.html");
    assert!(page.contains("id=\"game-1\"") && page.contains("id=\"game-2\""));
    assert!(!page.contains("id=\"game-3\"") && page.len() < 800_000, "{} bytes", page.len());
    let games = place.read("games.sgf");
    assert!(games.contains("leaves the open four at g8") && games.contains("BM[2]"), "{games}");
    assert!(place.run(&["convert", "games.sgf", "-o", "again.sgf"], "").status.success());
    assert_eq!(place.read("again.sgf"), games);
    // The review of the annotated games is that of the plain ones.
    let objects_of = |file: &str| -> Vec<Value> {
        let mut found = objects(&place.reviewed(&["--json", "--rule", "freestyle", file]));
        found.iter_mut().for_each(|object| object["file"] = Value::Null);
        found
    };
    assert_eq!(objects_of("games.sgf"), objects_of("two.pos"));
}

#[test]
fn files_that_cannot_be_written_are_told_before_the_review() {
    let place = Place::new("analyse-no-files");
    place.write("game.pos", THREE);
    for option in ["--html", "--sgf"] {
        let error = place.analyse_fails(&["--journal", "j", option, "none/file", "game.pos"]);
        assert!(error.contains("cannot write none/file"), "{error}");
        assert!(!place.files(".").contains(&"j".to_owned()), "nothing was begun");
    }
}

#[test]
fn a_time_limits_each_position() {
    let place = Place::new("analyse-time");
    place.write("game.pos", "h8i9\n");
    let args = ["analyse", "--quiet", "--hash", "1", "--time", "20ms", "game.pos"];
    let output = place.run(&args, "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("Game 1 of 1"));
}

#[test]
fn a_position_is_analysed_to_a_limit() {
    let place = Place::new("analyse-position");
    let position = |args: &[&str]| {
        let output = place.run(&[&["analyse", "--position", "--threads", "1"], args].concat(), "");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let moves = ["--moves", "h8a1i8a3j8o15", "--hash", "1"];
    let (code, out, err) = position(&[&moves[..], &["--depth", "4", "-n", "3"]].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "freestyle 15x15, black to move after 6 moves");
    assert!(lines[1].starts_with("depth 1, ") && lines.len() == 17, "{out}");
    let last = &lines[lines.len() - 4..];
    assert!(last[0].starts_with("depth 4, "), "{out}");
    // Three in a row that nobody has stopped.
    assert!(last[1].starts_with("  1.    wins in 3"), "{out}");

    place.write("game.pos", TWO);
    let file =
        ["game.pos", "--game", "2", "--after", "3", "--nodes", "500", "--json", "--hash", "1"];
    let (code, out, err) = position(&file);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let last = objects(&out).pop().expect("a report");
    assert_eq!((last["ply"].as_u64(), last["color"].as_str()), (Some(3), Some("white")));
    let moves = last["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 5);
    let win = |m: &Value| m["win"].as_f64().expect("chances");
    assert!(moves.windows(2).all(|pair| win(&pair[0]) >= win(&pair[1])), "{out}");

    for (args, expected) in [
        (&["game.pos", "--after", "9"][..], "the game is over: --after names an earlier position"),
        (&["game.pos", "--after", "10"], "--after: there are positions after 0 to 9 moves"),
        (&["game.pos", "--game", "3"], "there is no game 3: game.pos has 2 games"),
        (&["game.pos", "game.pos"], "one position is analysed: name one file"),
    ] {
        let (code, out, err) = position(args);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{args:?}");
        assert!(err.trim_end().ends_with(expected), "{args:?}: {err}");
    }
    assert_eq!(position(&["--moves", "h8", "--html", "x"]).0, Some(2));
    assert_eq!(position(&["--after"]).0, Some(2));
}

#[test]
fn rows_are_printed_from_the_edge_from_which_they_were_read() {
    let place = Place::new("analyse-rows");
    place.write("game.pos", "h8i9h10\n");
    let renju = ["--rule", "renju"];
    let position = [&["--position", "--depth", "2", "game.pos"], &renju[..]].concat();
    let output = place.run(&[&["analyse"], &position[..]].concat(), "");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && !out.contains("from the bottom"), "{out}");
    // For programs, cells in and out count from the top.
    let moves = [&["--moves", "h8 i3 h9", "--json"], &renju[..]].concat();
    let told = objects(&place.reviewed(&moves));
    let cells: Vec<&str> = told.iter().filter_map(|object| object["move"].as_str()).collect();
    assert_eq!(cells, ["h8", "i3", "h9"]);
}

#[cfg(unix)]
#[test]
fn a_review_that_is_ended_before_its_first_move_leaves_older_files() {
    let place = Place::new("analyse-ended");
    // Nothing of it is proven.
    place.write("game.pos", "h8i9\n");
    let files = ["old.sgf", "old.html"];
    files.iter().for_each(|file| place.write(file, "of an earlier review"));
    let args = ["analyse", "game.pos", "--nodes", "1000000000", "--quiet"];
    let outputs = ["--sgf", files[0], "--html", files[1]];
    let child = place.command(&[&args[..], &outputs].concat()).spawn().unwrap();
    while !takes_signals(&child) {
        std::thread::sleep(Duration::from_millis(5));
    }
    send(child.id(), Signal::Term).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    for file in files {
        assert_eq!(place.read(file), "of an earlier review");
    }
}

/// Without a limit an analysis goes on until somebody ends it.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_analysis_of_a_position() {
    let place = Place::new("analyse-endless");
    let args = ["analyse", "--position", "--moves", "h8", "--threads", "1", "--hash", "1"];
    let mut child = place.command(&args).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("depth 3,") {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "it has ended by itself");
    }
    send(child.id(), Signal::Term).unwrap();
    let deadline = Instant::now() + Duration::from_secs(600);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
