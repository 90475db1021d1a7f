//! Databases of positions at the protocol, with the real binary.

use std::path::Path;

use tengen::database::{Access, Placement, PositionDatabase, PositionEntry, ProvenResult};
use tengen::notation::parse_moves;
use tengen::rules::Rule;
use tengen::types::Size;

use crate::place::Place;

const SIZE: Size = Size::DEFAULT;

fn placement(moves: &str) -> Placement {
    Placement::of_moves(Rule::Freestyle, SIZE, &parse_moves(moves, SIZE).unwrap()).unwrap()
}

fn known(file: &str, moves: &str) -> Option<PositionEntry> {
    PositionDatabase::open(Path::new(file), Access::Read).unwrap().get(&placement(moves)).unwrap()
}

fn talk(place: &Place, args: &[&str], lines: &str) -> String {
    let output = place.run(args, lines);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && output.stderr.is_empty(), "{text}");
    text
}

#[test]
fn a_search_writes_down_what_it_finds_and_uses_it_the_next_time() {
    let place = Place::new("database-search");
    let args = ["--database", "a.db"];
    let position = "START 15\nINFO max_node 20000\nBOARD\n7,7,1\n8,8,2\n9,7,1\n8,6,2\nDONE\n";
    talk(&place, &args, position);
    let found = known(&place.path("a.db"), "h8i9j8i7").expect("the position of the search");
    let value = found.evaluation.expect("a value");
    assert!(value.depth >= 8 && found.best.is_some(), "{found:?}");
    let best = found.best.unwrap();
    let after = known(&place.path("a.db"), &format!("h8i9j8i7{best}")).expect("after its move");
    assert_eq!(after.evaluation.unwrap().score, -value.score);
    // A move that somebody has marked is played at once, and one that is left out is not.
    let edits = format!(
        "START 15\nINFO max_node 2000\n\
         yxedittvddatabase 1 {mark} 0 0\n7,7\n8,8\n9,7\n8,6\n0,0\ndone\n",
        mark = i32::from(b'!')
    );
    let board = "BOARD\n7,7,1\n8,8,2\n9,7,1\n8,6,2\nDONE\n";
    let said = talk(&place, &args, &format!("{edits}{board}"));
    assert!(said.ends_with("\n0,0\n"), "{said}");
    // One that loses for the opponent is found, though no search would.
    let lost = format!(
        "START 15\nINFO max_node 2000\nyxedittvddatabase 1 -1 0 0\n7,7\n8,8\n9,7\n8,6\n0,0\ndone\n\
         yxedittvddatabase 1 119 0 0\n7,7\n8,8\n9,7\n8,6\n14,14\ndone\n{board}"
    );
    let said = talk(&place, &args, &lost);
    // The position is its own image in the middle row of the stones.
    assert!(said.ends_with("\n14,14\n") || said.ends_with("\n14,0\n"), "{said}");
    let result = known(&place.path("a.db"), "h8i9j8i7").unwrap().result;
    assert!(matches!(result, Some(ProvenResult::Win(_))), "{result:?}");
}

#[test]
fn a_database_that_is_only_read_learns_nothing() {
    let place = Place::new("database-read-only");
    let lines = "INFO database_readonly 1\nSTART 15\nINFO max_node 20000\nBEGIN\n";
    talk(&place, &["--database", "a.db"], lines);
    assert_eq!(known(&place.path("a.db"), ""), None);
}

#[test]
fn answers_come_before_those_of_later_commands() {
    let place = Place::new("database-order");
    let lines = "START 15\nyxsetdatabase\na.db\nyxquerydatabaseallt\n7,7\ndone\nABOUT\n\
                 yxsavedatabase\nABOUT\n";
    let said = talk(&place, &[], lines);
    let begins: Vec<&str> =
        said.lines().map(|line| line.split([' ', '=']).nth(1).unwrap_or(line)).collect();
    assert_eq!(
        begins[..7],
        ["OK", "made", "DATABASE", "DATABASE", "DATABASE", "\"tengen\",", "DATABASE"],
        "{said}"
    );
}

#[test]
fn a_file_that_is_no_database_is_told_before_a_word_is_spoken() {
    let place = Place::new("database-foreign");
    place.write("a.db", "something else");
    let output = place.run(&["--database", "a.db"], "START 15\n");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && output.stdout.is_empty(), "{told}");
    assert!(told.contains("a.db is no database of positions"), "{told}");
}
