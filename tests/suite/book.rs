//! Opening books at the protocol, and the published proofs, with the real binary.

use std::path::Path;

use tengen_core::notation::parse_moves;
use tengen_core::rules::Rule;
use tengen_core::types::{Bound, Score, Size};
use tengen_engine::database::{Access, Evaluation, Placement, PositionDatabase, PositionEntry};

use crate::place::Place;

const SIZE: Size = Size::DEFAULT;

/// Makes a book of values after moves of a freestyle game, for the side to move.
fn make_book(place: &Place, name: &str, values: &[(&str, i32)]) {
    let path = place.path(name);
    let database = PositionDatabase::open(Path::new(&path), Access::Create).unwrap();
    for &(moves, score) in values {
        let moves = parse_moves(moves, SIZE).unwrap();
        let placement = Placement::of_moves(Rule::Freestyle, SIZE, &moves).unwrap();
        let score = Score::eval(score);
        let evaluation = Some(Evaluation { score, depth: 12, bound: Some(Bound::Exact) });
        let entry = PositionEntry { evaluation, ..PositionEntry::default() };
        database.write(|writer| writer.put(&placement, entry)).unwrap();
    }
}

fn talk(place: &Place, args: &[&str], lines: &str) -> Vec<String> {
    let output = place.run(args, lines);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// A position in which no search would play in a corner.
const BOARD: &str = "BOARD\n7,7,1\n8,8,2\nDONE\n";
const VALUES: [(&str, i32); 2] = [("h8i9a1", -20), ("h8i9b1", 60)];
const TOLD: &str = "MESSAGE book: A1 ev 20 depth 12";

#[test]
fn moves_of_a_book_are_played_and_told() {
    let place = Place::new("book");
    make_book(&place, "a b.db", &VALUES);
    let start = "START 15\nINFO max_node 2000\n";
    let by_option = talk(&place, &["--book", "a b.db"], &format!("{start}{BOARD}"));
    assert_eq!(by_option[0], "MESSAGE opened the book a b.db: 2 positions");
    assert_eq!(by_option[by_option.len() - 2..], [TOLD, "0,0"], "{by_option:?}");
    assert!(by_option[2].starts_with("MESSAGE depth 12-12 ev 20 n 0 "), "{by_option:?}");
    // By the protocol, and put away again.
    let lines = format!("{start}INFO book a b.db\n{BOARD}INFO book off\n{BOARD}");
    let said = talk(&place, &[], &lines);
    assert!(said.contains(&TOLD.to_owned()), "{said:?}");
    assert_ne!(said.last().unwrap(), "0,0", "{said:?}");
    // Both are one file.
    let said =
        talk(&place, &["--database", "a b.db", "--book", "a b.db"], &format!("{start}{BOARD}"));
    assert_eq!(said.last().unwrap(), "0,0", "{said:?}");
}

#[test]
fn analysis_and_levels_do_not_ask_the_book() {
    let place = Place::new("book-analysis");
    make_book(&place, "a.db", &VALUES);
    let start = "START 15\nINFO max_node 2000\n";
    let board = "YXBOARD\n7,7,1\n8,8,2\nDONE\nYXNBEST 1\n";
    for (args, lines) in [
        (&["--book", "a.db"][..], format!("{start}{board}")),
        (&["--book", "a.db", "--level", "9"], format!("{start}{BOARD}")),
        (&["--book", "a.db"], format!("{start}INFO strength 50\n{BOARD}")),
    ] {
        let said = talk(&place, args, &lines);
        assert_ne!(said.last().unwrap(), "0,0", "{said:?}");
        assert!(!said.iter().any(|line| line.starts_with("MESSAGE book")), "{said:?}");
    }
}

#[test]
fn without_a_book_that_can_be_read_the_game_goes_on() {
    let place = Place::new("book-damaged");
    std::fs::write(place.path("text.db"), "no database").unwrap();
    for name in ["text.db", "nowhere.db"] {
        let said =
            talk(&place, &["--book", name], &format!("START 15\nINFO max_node 500\n{BOARD}"));
        let told = said.iter().filter(|line| line.starts_with("MESSAGE no book: ")).count();
        assert_eq!(told, 1, "{said:?}");
        assert!(said.last().unwrap().split_once(',').is_some(), "{said:?}");
        assert!(!Path::new(&place.path("nowhere.db")).exists(), "a book is not made");
    }
}

/// The published results and certificates.
fn solved() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/solved-openings")
}

#[test]
fn published_proofs_hold_and_belong_to_published_results() {
    let results = std::fs::read_to_string(solved().join("results.tsv")).unwrap();
    let rows: Vec<Vec<&str>> =
        results.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(solved()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if let Some(position) = name.strip_suffix(".json.gz") {
            let (rule, moves) = position.rsplit_once('-').unwrap();
            let row = rows.iter().find(|row| row[0] == rule && row[3] == moves);
            let row = row.unwrap_or_else(|| panic!("{name} is among the results"));
            assert_eq!(row[4], "black wins", "{name}");
            files.push((row[6].parse::<u64>().unwrap(), path, row[3].to_owned()));
        }
    }
    // The smallest one: the others take seconds each.
    let (nodes, path, moves) = files.into_iter().min().expect("a certificate");
    let place = Place::new("solved");
    let output = place.run(&["verify", "--json", "--quiet", path.to_str().unwrap()], "");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["verdict"], "proved", "{told}");
    assert_eq!(told["nodes"], nodes);
    assert_eq!(told["moves"], moves.as_str());
    assert_eq!(told["attacker"], "black");
}

#[test]
fn a_damaged_gzip_file_is_an_error() {
    let place = Place::new("solved-damaged");
    std::fs::write(place.path("a.json.gz"), [0x1f, 0x8b, 8, 0, 1, 2, 3]).unwrap();
    let output = place.run(&["verify", "a.json.gz"], "");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("gzip") && said.lines().count() == 1, "{said}");
}
