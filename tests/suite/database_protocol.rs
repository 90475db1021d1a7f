//! Databases of positions at the protocol, with the real binary.

use std::path::Path;

use tengen_core::notation::parse_moves;
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_engine::database::{Access, Placement, PositionDatabase, PositionEntry, ProvenResult};

use crate::child;
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
fn what_a_database_has_told_is_forgotten_where_it_is_corrected() {
    let place = Place::new("database-corrected");
    let ask = "YXBOARD\n7,7,2\n8,8,1\n6,7,2\n6,6,1\n8,6,2\nDONE\nYXNBEST 1\n";
    let settings = "START 15\nINFO timeout_turn 0\nINFO max_depth 9\nINFO hash_size 16384\n\
                    INFO evaluator patterns\n";
    let moves = |said: &str| -> Vec<String> {
        let is_move = |line: &&str| tengen_core::notation::parse_xy(line, SIZE).is_ok();
        said.lines().filter(is_move).map(str::to_owned).collect()
    };
    let fresh = moves(&talk(&place, &[], &format!("{settings}{ask}"))).remove(0);
    // A reply to the best move wins, it says.
    let after = format!("7,7\n8,8\n6,7\n6,6\n8,6\n{fresh}\n7,8\ndone\n");
    let told = format!("yxedittvddatabase 7 119 -29998 1\n{after}INFO database_readonly 1\n{ask}");
    let ends = [
        format!("INFO database_readonly 0\nyxdeletedatabaseone\n{after}"),
        "INFO usedatabase 0\n".to_owned(),
    ];
    for (i, end) in ends.iter().enumerate() {
        let open = format!("{settings}yxsetdatabase {i}.db\n");
        // Later searches learn nothing, so that only the table could tell.
        let lines = format!("{open}{told}{end}INFO database_readonly 1\n{ask}");
        let said = moves(&talk(&place, &[], &lines));
        assert_ne!(said[0], fresh, "{end}");
        assert_eq!(said[1], fresh, "{end}");
    }
}

#[test]
fn moves_that_are_left_out_are_played_by_no_level_and_no_book() {
    let place = Place::new("database-left-out");
    let ask = "START 15\nINFO max_node 2000\nBOARD\n7,7,1\n8,9,2\n10,6,1\n6,5,2\nDONE\n";
    let edit = |tag: u8, cell: &str| {
        let cells = format!("7,7\n8,9\n10,6\n6,5\n{cell}");
        format!("START 15\nyxedittvddatabase 1 {tag} 0 0\n{cells}\ndone\nyxsavedatabase\n")
    };
    let answer = |args: &[&str]| talk(&place, args, ask).lines().last().unwrap().to_owned();
    talk(&place, &["--database", "book.db"], &edit(b'w', "14,14"));
    for (i, args) in [["--level", "1"], ["--level", "5"], ["--book", "book.db"]].iter().enumerate()
    {
        let args = [&args[..], &["--seed", "3"]].concat();
        let free = answer(&args);
        let file = format!("{i}.db");
        let database = ["--database", &file];
        talk(&place, &database, &edit(b'x', &free));
        assert_ne!(answer(&[&args[..], &database].concat()), free, "{args:?}");
    }
    assert_eq!(answer(&["--book", "book.db"]), "14,14");
}

#[test]
fn neither_an_export_nor_a_table_takes_the_place_of_an_open_database_or_book() {
    let place = Place::new("database-place");
    let open = "START 15\nyxsetdatabase a.db\nyxedittvddatabase 7 -1 35 12\n7,7\ndone\n";
    talk(&place, &[], &format!("{open}yxsavedatabase\nEND\n"));
    for path in ["a.db", "./a.db"] {
        let exports = format!(
            "yxdbtotxt {path}\nyxdbtotxtall {path}\nyxdbtopos {path}\nyxhashdump\n{path}\n"
        );
        let book = format!("START 15\nINFO book a.db\n{exports}");
        for lines in [format!("{open}{exports}yxsavedatabase\n"), book] {
            let said = talk(&place, &[], &lines);
            assert!(said.contains("the file is in use"), "{said}");
            assert!(!said.contains("wrote"), "{said}");
            let entry = known(&place.path("a.db"), "h8").expect("the position");
            assert_eq!(entry.evaluation.map(|value| value.depth), Some(12));
        }
    }
    assert_eq!(place.files("."), ["a.db"]);
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

/// Two questions of a game, and a command about databases at its end.
const GAME: &str = "START 15\nINFO max_node 20000\n\
                    BOARD\n7,7,1\n8,8,2\n9,7,1\n8,6,2\nDONE\n\
                    BOARD\n7,7,1\n8,8,2\n9,7,1\n8,5,2\nDONE\n\
                    yxquerydatabaseone\n7,7\ndone\n";

/// Checks that a game had both its moves and no line that a manager would take for garbage, and returns
/// what was said of the database.
#[track_caller]
fn is_a_whole_game(said: &str) -> Vec<&str> {
    let words = ["OK", "MESSAGE ", "ERROR the database was put away: "];
    let odd = |line: &&str| !words.iter().any(|word| line.starts_with(word));
    let moves: Vec<&str> = said.lines().filter(odd).collect();
    let is_move = |line: &&str| tengen_core::notation::parse_xy(line, SIZE).is_ok();
    assert!(moves.len() == 2 && moves.iter().all(is_move), "{said}");
    said.lines().filter(|line| line.contains("no database") || line.contains(".db")).collect()
}

#[test]
fn what_can_not_be_opened_is_told_and_the_game_goes_on_without_it() {
    let place = Place::new("database-foreign");
    place.write("a.db", "something else");
    std::fs::create_dir(place.path("folder.db")).unwrap();
    for (name, reason) in [
        ("a.db", "a.db is not a database of positions"),
        ("folder.db", "folder.db is not a regular file"),
        ("nowhere/b.db", "nowhere/b.db"),
    ] {
        let said = talk(&place, &["--database", name], GAME);
        let told = is_a_whole_game(&said);
        assert!(told[0].starts_with("MESSAGE no database: ") && told[0].contains(reason), "{said}");
        assert_eq!(told.len(), 1, "{said}");
    }
    assert_eq!(place.read("a.db"), "something else");
}

#[test]
fn a_database_that_another_program_has_open_is_read_if_that_is_possible() {
    let place = Place::new("database-shared");
    let path = place.path("a.db");
    let open = |access| PositionDatabase::open(Path::new(&path), access).unwrap();
    let database = open(Access::Create);
    let entry = PositionEntry { text: "seen".to_owned(), ..PositionEntry::default() };
    database.write(|writer| writer.put(&placement("h8i9"), entry)).unwrap();
    // It is being written.
    let said = talk(&place, &["--database", "a.db"], GAME);
    let told = is_a_whole_game(&said);
    assert!(told[0].starts_with("MESSAGE no database: a.db: another program "), "{said}");
    drop(database);
    // It is being read.
    let reader = open(Access::Read);
    let said = talk(&place, &["--database", "a.db"], GAME);
    let told = is_a_whole_game(&said);
    let expected =
        "MESSAGE opened a.db for reading only, as a.db: another program has it open: 1 position";
    assert_eq!(told, [expected], "{said}");
    drop(reader);
}

#[test]
fn a_damaged_database_is_told_once_and_the_game_goes_on_without_it() {
    let place = Place::new("database-damaged");
    let path = place.path("a.db");
    let database = PositionDatabase::open(Path::new(&path), Access::Create).unwrap();
    let start = placement("h8i9j8");
    let text = "x".repeat(1000);
    database
        .write(|writer| {
            for point in SIZE.points() {
                let mut after = start.clone();
                if after.play(point).is_ok() {
                    let entry = PositionEntry { text: text.clone(), ..PositionEntry::default() };
                    writer.put(&after, entry)?;
                }
            }
            Ok(())
        })
        .unwrap();
    drop(database);
    let mut bytes = std::fs::read(&path).unwrap();
    // All but what is read when it is opened.
    let is_text = |at: usize| bytes[at..].starts_with(&[b'x'; 100]);
    let places: Vec<usize> =
        (8192..bytes.len() - 100).step_by(500).filter(|&at| is_text(at)).collect();
    assert!(places.len() > 100);
    places.into_iter().for_each(|at| bytes[at] = b'y');
    std::fs::write(&path, bytes).unwrap();
    for script in [GAME.to_owned(), format!("INFO database_readonly 1\n{GAME}")] {
        let said = talk(&place, &["--database", "a.db"], &script);
        let told = is_a_whole_game(&said);
        assert!(told[0].starts_with("MESSAGE opened a.db"), "{said}");
        assert!(
            told[1].starts_with("MESSAGE no database from now on: a.db is damaged at byte "),
            "{said}"
        );
        assert!(
            told[2].starts_with("ERROR the database was put away: a.db is damaged at byte "),
            "{said}"
        );
        assert_eq!(told.len(), 3, "{said}");
    }
}

/// Runs the engine where no file may grow beyond some kilobytes, which is like a disk that is full.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_once_and_the_game_goes_on_without_the_database() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    let place = Place::new("database-full-disk");
    let database = PositionDatabase::open(Path::new(&place.path("a.db")), Access::Create).unwrap();
    drop(database);
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --database a.db";
    let mut command = Command::new("sh");
    command.args(["-c", limited]).arg(child::engine()).current_dir(place.0.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(GAME.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let told = is_a_whole_game(&said);
    assert!(told[0].starts_with("MESSAGE opened a.db: "), "{said}");
    assert!(told[1].starts_with("MESSAGE no database from now on: "), "{said}");
    assert!(told[2].starts_with("ERROR the database was put away: "), "{said}");
    assert_eq!(told.len(), 3, "{said}");
    // The entries are still there.
    assert!(PositionDatabase::open(Path::new(&place.path("a.db")), Access::Read).is_ok());
}
