//! Games in SGF with all that they say: stones that were set up, the side to move, passes, words.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;

use crate::games::random_record;
use crate::place::Place;
use tengen_core::rng::SplitMix64;
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::{
    Arrangement, Format, Known, Move, MoveKind, Note, Record, losses, read, write_file,
};

/// Returns the text of a file that once went wrong.
fn fault(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/faults").join(name);
    fs::read_to_string(path).expect(name)
}

/// Returns standard output of a command over such a file, which succeeds or ends with this code.
fn told(code: i32, args: &[&str], name: &str) -> String {
    let place = Place::new("sgf-games");
    place.write(name, &fault(name));
    let output = place.run(&[args, &[name]].concat(), "");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?} {name}: {err}");
    String::from_utf8(output.stdout).expect("text")
}

fn converted(name: &str, to: &str) -> String {
    told(0, &["convert", "--to", to], name)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}

#[test]
fn positions_are_solved_for_the_side_that_is_to_move() {
    for (name, attacker, verdict, code) in [
        ("02-pl-black.sgf", "black", "win", 0),
        ("02-pl-white.sgf", "white", "win", 0),
        ("02-pl-white-moves.sgf", "white", "unknown", 3),
    ] {
        let args = ["solve", "--json", "--verify", "--nodes", "1000"];
        let solved = json(&told(code, &args, name));
        assert_eq!(solved["attacker"], attacker, "{solved}");
        assert_eq!(solved["verdict"], verdict, "{solved}");
        assert!(solved["setup"]["black"].as_str().is_some(), "{solved}");
    }
    let passed = json(&told(3, &["solve", "--json", "--nodes", "10"], "04-pass-last.sgf"));
    assert_eq!(passed["attacker"], "white");
    let shown = told(0, &["show"], "02-pl-white.sgf");
    assert!(shown.contains("6 stones set up") && shown.contains("To move: white"), "{shown}");
}

#[test]
fn certificates_of_positions_that_were_set_up_are_verified() {
    let place = Place::new("sgf-certificate");
    place.write("a.sgf", &fault("02-pl-white.sgf"));
    let run = |args: &[&str]| {
        let output = place.run(args, "");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{args:?}: {text}");
        text
    };
    run(&["solve", "a.sgf", "--certificate", "a.json"]);
    assert!(
        place.read("a.json").contains(
            "\"setup\":{\"black\":\"h8h9h10\",\"white\":\"g8g9g10\",\"to_move\":\"white\"}"
        )
    );
    assert!(run(&["verify", "a.json"]).contains("proved: white wins"));
}

#[test]
fn play_saves_and_loads_all_that_it_can_set_up() {
    let place = Place::new("sgf-play");
    let args = ["play", "--line", "--no-autosave", "--black", "person", "--white", "person"];
    place.run(&args, &fault("02-set-up-in-play.txt"));
    let saved = place.read("set-up.sgf");
    assert!(saved.contains("AB[hh][hi][hj]PL[B]"), "{saved}");
    let again = place.run(&[&args[..], &["set-up.sgf"]].concat(), "save again.sgf\nh11\n");
    let out = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(out.contains("Move 1: black h11."), "{out}");
    assert_eq!(place.read("again.sgf"), saved);
}

#[test]
fn passes_changes_and_words_stay_where_they_are() {
    let passes = converted("04-pass-comment.sgf", "sgf");
    assert!(passes.contains(";B[hh];W[]C[white passes]LB[aa:x];B[hi];W[gg]"), "{passes}");
    let changed = converted("11-ae.sgf", "json");
    let games: Vec<Value> = changed.lines().map(json).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(
        games[0]["setup"],
        json("{\"black\":\"h8i9\",\"white\":\"j10\",\"to_move\":\"white\"}")
    );
    assert_eq!((&games[0]["moves"], &games[0]["colors"]), (&json("\"k11++g7\""), &json("\"wwb\"")));
    assert_eq!(games[0]["changes"], json("[{\"empty\":\"i9\",\"to_move\":\"black\"}]"));
    let go = json(&converted("12-gm1.sgf", "json"));
    assert_eq!(go["moves"], "h8i9h9");
    let resigned = json(&converted("17-resign-move.sgf", "json"));
    assert_eq!(
        (&resigned["result"], &resigned["reason"]),
        (&json("\"white\""), &json("\"resignation\""))
    );
    assert_eq!(resigned["notes"], "SO[http://example.org]");
    assert_eq!(json(&converted("19-ru.sgf", "json"))["rule"], "renju");
    assert!(converted("19-ru.sgf", "sgf").contains("RU[Renju rules]"));
    assert!(converted("20-two-comments.sgf", "sgf").contains("C[first\nsecond]"));
}

#[test]
fn games_in_which_white_begins_or_somebody_passes_are_reviewed() {
    let review = |name: &str| -> Vec<Value> {
        let text = told(0, &["analyse", "--nodes", "200", "--json", "--quiet"], name);
        text.lines().map(json).collect()
    };
    let moves = |objects: &[Value]| -> Vec<String> {
        let of = |m: &Value| format!("{} {} {}", m["ply"], m["color"], m["move"]);
        objects.iter().map(of).collect()
    };
    assert_eq!(
        moves(&review("07-white-first.sgf")),
        ["1 \"white\" \"h8\"", "2 \"black\" \"h9\"", "3 \"white\" \"g7\""]
    );
    // After the pass only.
    assert_eq!(moves(&review("04-pass-comment.sgf")), ["3 \"black\" \"h9\"", "4 \"white\" \"g7\""]);
    assert_eq!(moves(&review("04-pass-last.sgf")).len(), 2);
    assert_eq!(
        moves(&review("02-pl-white-moves.sgf")),
        ["1 \"white\" \"g10\"", "2 \"black\" \"g11\""]
    );
    let place = Place::new("sgf-review");
    place.write("a.sgf", &fault("04-pass-comment.sgf"));
    let args = ["analyse", "a.sgf", "--nodes", "200", "--sgf", "b.sgf", "--quiet"];
    assert!(place.run(&args, "").status.success());
    let annotated = place.read("b.sgf");
    assert!(annotated.contains(";B[hh];W[]C[white passes]LB[aa:x]"), "{annotated}");
    assert!(annotated.contains(";B[hi]C["), "{annotated}");
}

#[test]
fn marks_that_exclude_each_other_are_not_in_one_node() {
    let place = Place::new("sgf-marks");
    place.write("a.sgf", &fault("21-bm-do.sgf"));
    let output =
        place.run(&["analyse", "a.sgf", "--nodes", "800", "--sgf", "b.sgf", "--quiet"], "");
    assert!(output.status.success());
    let annotated = place.read("b.sgf");
    for node in annotated.split(';') {
        assert!(!(node.contains("BM[") && node.contains("DO[")), "{node}");
    }
}

#[test]
fn a_database_takes_the_positions_that_files_set_up() {
    let place = Place::new("sgf-database");
    place.write("a.sgf", &fault("02-pl-white-moves.sgf"));
    let imported = place.run(&["db", "import", "a.db", "a.sgf"], "");
    let out = String::from_utf8_lossy(&imported.stdout).into_owned();
    assert!(imported.status.success() && out.starts_with("3 positions read"), "{out}");
}

/// Returns a record of any kind: with stones that were set up, passes, changes of the position, and
/// properties that nobody knows.
fn odd_record(seed: u64) -> Record {
    let mut record = random_record(seed);
    let rng = &mut SplitMix64::new(!seed);
    if rng.below(2) == 0 {
        record.notes.extend([Note::new("GN", &["a]b\\c"]), Note::new("XY", &["1", "2:3"])]);
    }
    for m in &mut record.moves {
        if rng.below(8) == 0 {
            m.notes_mut().extend([Note::new("LB", &["aa:x"]), Note::new("TE", &["1"])]);
        }
    }
    let kind = rng.below(5);
    if kind == 1 || kind == 4 {
        // The first moves become stones that are set up.
        let count = rng.below(record.moves.len() + 1);
        let stones = record.moves.drain(..count).collect::<Vec<Move>>();
        let cells = stones.iter().filter_map(|m| Some((m.point()?, Some(m.color)))).collect();
        let to_move = (rng.below(2) == 0).then(|| Color::to_move_after(count));
        record.start = Arrangement { cells, to_move };
        record.opening = record.opening.saturating_sub(count);
    }
    if kind == 2 || kind == 4 {
        let at = rng.below(record.moves.len() + 1);
        let mut pass = Move::pass(record.to_move_after(at));
        if rng.below(2) == 0 {
            pass.set_comment("nothing to do".to_owned());
        }
        record.moves.insert(at, pass);
    }
    if kind == 3 && !record.moves.is_empty() {
        let at = 1 + rng.below(record.moves.len());
        let point = record.moves[at - 1].point();
        let cells = point.map(|point| (point, None)).into_iter().collect();
        let to_move = record.to_move_after(at);
        let change = Arrangement { cells, to_move: Some(to_move) };
        record.moves.insert(at, Move::set_up(change, to_move));
    }
    record
}

/// Returns the parts of a record by the names of [`losses`], each as a text that says the same of the
/// same.
fn parts(record: &Record) -> Vec<(&'static str, String)> {
    let sorted = |mut cells: Vec<(Point, Option<Color>)>| {
        cells.sort_unstable_by_key(|(point, _)| *point);
        cells
    };
    let stones: Vec<&Move> = record.moves.iter().filter(|m| m.kind != MoveKind::Pass).collect();
    let of_stones = |part: &dyn Fn(&Move) -> String| -> String {
        stones.iter().map(|m| part(m) + ";").collect()
    };
    let notes = |notes: &tengen_files::records::Notes| {
        let mut all: Vec<String> = notes.iter().map(|note| format!("{note:?}")).collect();
        all.sort();
        all.concat()
    };
    vec![
        ("the size", record.size.to_string()),
        ("the rule", format!("{:?}", record.rule)),
        ("the names", format!("{:?}", record.players)),
        ("the event", record.event.clone()),
        ("the round", record.round.clone()),
        ("the date", record.date.clone()),
        ("the comment", record.comment.clone()),
        ("what else is said of the game", notes(&record.notes)),
        ("which stones were set up", format!("{:?}", sorted(record.start.cells.clone()))),
        ("the moves", of_stones(&|m| format!("{:?} {}", m.kind, m.color))),
        ("the side to move", record.to_move().to_string()),
        ("the length of the opening", record.opening_without_changes().to_string()),
        ("times", of_stones(&|m| format!("{:?}", m.time()))),
        ("scores", of_stones(&|m| format!("{:?}", m.score()))),
        ("depths", of_stones(&|m| format!("{:?}", m.depth()))),
        ("node counts", of_stones(&|m| format!("{:?}", m.nodes()))),
        ("comments on moves", of_stones(&|m| m.comment().to_owned())),
        ("marks on moves", of_stones(&|m| notes(m.notes()))),
        ("the result", format!("{:?}", record.result)),
        ("the reason", format!("{:?}", record.reason)),
    ]
}

/// Writes a record and reads it again; nothing if the format cannot hold it at all.
fn through(record: &Record, format: Format) -> Option<(Record, Vec<&'static str>)> {
    let lost = losses(record, format).ok()?;
    let bytes = write_file(record, format, 1, None).expect("losses were found");
    let again = read(&bytes, format, Known::default()).expect("what was written is read");
    Some((again.into_iter().next().expect("a game"), lost))
}

/// Checks that each part that is not reported as lost is there, from one record to another.
fn check(record: &Record, again: &Record, lost: &[&str]) -> Result<(), TestCaseError> {
    // Where the moves are others, nothing on them can be compared.
    let has_others =
        ["the moves", "which stones were set up"].iter().any(|name| lost.contains(name));
    let on_moves = [
        "the moves",
        "the side to move",
        "the length of the opening",
        "times",
        "scores",
        "depths",
        "node counts",
        "comments on moves",
        "marks on moves",
    ];
    for ((name, before), (_, after)) in parts(record).into_iter().zip(parts(again)) {
        if lost.contains(&name) || has_others && on_moves.contains(&name) {
            continue;
        }
        prop_assert_eq!(before, after, "{}", name);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_lost_between_formats_is_what_was_told(seed in any::<u64>()) {
        let record = odd_record(seed);
        for first in Format::ALL {
            let Some((once, lost)) = through(&record, first) else { continue };
            check(&record, &once, &lost)?;
            if [Format::Sgf, Format::Json].contains(&first) {
                prop_assert_eq!(&lost, &Vec::<&str>::new());
            }
            for second in Format::ALL {
                let Some((twice, more)) = through(&once, second) else { continue };
                check(&record, &twice, &[&lost[..], &more[..]].concat())?;
            }
        }
    }
}

#[test]
fn records_of_every_kind_are_made() {
    let records: Vec<Record> = (0..60).map(odd_record).collect();
    let has =
        |kind: &dyn Fn(&Record) -> bool| records.iter().filter(|record| kind(record)).count() > 2;
    assert!(has(&|r| r.size == Size::DEFAULT && !r.start.cells.is_empty()));
    assert!(has(&|r| r.moves.iter().any(|m| m.kind == MoveKind::Pass)));
    assert!(has(&|r| r.changes_position()));
    assert!(has(&|r| r.alternates() && !r.notes.is_empty()));
}
