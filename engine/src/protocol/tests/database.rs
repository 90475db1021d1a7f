//! The databases of Yixin-Board.

use std::path::Path;

use tempfile::TempDir;

use super::super::scripted::{Manner, Talk};
use super::super::{DatabaseRequest, DatabaseWorker};
use super::expect;
use crate::database::{Access, Placement, PositionDatabase};
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};
use tengen_files::words::counted;

/// A board of 15 by 15 with a new database in the folder.
fn open(folder: &TempDir) -> Talk {
    let mut talk = Talk::started(Manner::Deaf);
    let path = folder.path().join("a.db");
    let made = format!("MESSAGE made the database {}", path.display());
    assert_eq!(talk.send(&format!("yxsetdatabase\n{}", path.display())), [made]);
    talk
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

/// Sends lines and expects no answer.
#[track_caller]
fn quiet(talk: &mut Talk, lines: &str) {
    assert_eq!(talk.send(lines), Vec::<String>::new(), "{lines}");
}

/// Sends lines and compares the answers, which are separated by `|`.
#[track_caller]
fn told(talk: &mut Talk, lines: &str, answers: &str) {
    assert_eq!(talk.send(lines).join("|"), answers, "{lines}");
}

const CENTRE: &str = "7,7\ndone";

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

#[test]
fn texts_span_lines_and_keep_what_they_are() {
    let folder = folder();
    let mut talk = open(&folder);
    quiet(&mut talk, "yxedittextdatabase \"one\r\n\n two \\\\ done\nEND\nstop\"done");
    told(
        &mut talk,
        "yxquerydatabasetext\ndone",
        "MESSAGE DATABASE TEXT \"one\n\n two \\\\ done\nEND\nstop\"",
    );
    quiet(&mut talk, "yxedittextdatabase \"白\"\n7,7\n8,8\ndone");
    told(&mut talk, "yxquerydatabasetext 7,7 6,6 done", "MESSAGE DATABASE TEXT \"白\"");
    quiet(&mut talk, "yxedittextdatabase \"\ta\tb\"\n7,7\n8,8\ndone");
    told(&mut talk, "yxquerydatabasetext 7,7 6,6 done", "MESSAGE DATABASE TEXT \"\ta\tb\"");
    quiet(&mut talk, "yxedittextdatabase word 7,7 8,8 done");
    told(&mut talk, "yxquerydatabasetext\n7,7\n8,8\ndone", "MESSAGE DATABASE TEXT \"word\"");
    quiet(&mut talk, "yxedittextdatabase \"\"7,7\n8,8\ndone");
    told(&mut talk, "yxquerydatabasetext\n7,7\n8,8\ndone", "MESSAGE DATABASE TEXT \"\"");
}

#[test]
fn what_was_told_is_there_when_it_is_opened_again() {
    let folder = folder();
    let mut talk = open(&folder);
    talk.send(&format!("yxedittvddatabase 7 -1 35 12\n{CENTRE}"));
    quiet(&mut talk, "INFO usedatabase 0");
    quiet(&mut talk, &format!("yxquerydatabaseone\n{CENTRE}"));
    let opened = format!("MESSAGE opened {}: 1 position", path(&folder, "a.db"));
    told(&mut talk, "INFO usedatabase 1", &opened);
    told(&mut talk, "INFO usedatabase 1", "");
    told(
        &mut talk,
        &format!("yxquerydatabaseone\n{CENTRE}"),
        "MESSAGE DATABASE ONE -1 35 12 3 45%",
    );
    // Another one in its place.
    let other = format!("MESSAGE made the database {}", path(&folder, "b.db"));
    told(&mut talk, &format!("yxsetdatabase {}", path(&folder, "b.db")), &other);
    told(&mut talk, &format!("yxquerydatabaseone\n{CENTRE}"), "MESSAGE DATABASE ONE 0 0 0 0");
    assert!(talk.send("end").is_empty() && talk.is_over());
}

/// Returns the moves in a file that lead to a known position from this one.
fn known(file: &Path, cells: &[(i64, i64)]) -> Vec<String> {
    let points: Vec<Point> =
        cells.iter().map(|&(x, y)| Size::DEFAULT.point(x, y).unwrap()).collect();
    let placement = Placement::of_moves(Rule::Freestyle, Size::DEFAULT, &points).unwrap();
    let database = PositionDatabase::open(file, Access::Read).unwrap();
    let moves = database.read().unwrap().moves(&placement).unwrap();
    moves.iter().map(|known| known.point.to_string()).collect()
}

#[test]
fn databases_are_split_and_merged() {
    let folder = folder();
    let mut talk = open(&folder);
    for moves in ["7,7", "7,7\n8,8", "7,7\n8,9", "7,7\n8,8\n9,9", "7,7\n8,8\n9,9\n3,3", "0,0"] {
        talk.send(&format!("yxedittvddatabase 7 -1 5 5\n{moves}\ndone"));
    }
    talk.send("yxboard\n7,7,1\n8,8,2\ndone");
    let split = talk.send(&format!("yxdbsplit\n{}", path(&folder, "b.db")));
    assert!(split[0].starts_with("MESSAGE copied 4 positions to "), "{split:?}");
    let parts = folder.path().join("b.db");
    assert_eq!(known(&parts, &[(7, 7)]).len(), 4, "8,8 and its images");
    assert_eq!(known(&parts, &[]), ["h8"]);
    assert_eq!(known(&parts, &[(7, 7), (8, 8), (9, 9)]), ["d4"]);
    // The other way round.
    talk.send(&format!("yxsetdatabase\n{}", path(&folder, "c.db")));
    talk.send("yxedittvddatabase 7 119 0 0\n7,7\n8,8\ndone");
    let merged = talk.send(&format!("yxdbmerge\n{}", path(&folder, "b.db")));
    assert!(merged[0].starts_with("MESSAGE merged 4 positions, which changed 4"), "{merged:?}");
    told(&mut talk, "yxquerydatabaseone\n7,7\n8,8\ndone", "MESSAGE DATABASE ONE 119 5 5 3 w*");
    let checked = talk.send("yxdbcheck");
    assert!(checked[0].starts_with("MESSAGE 4 positions: all are in order"), "{checked:?}");
    // White is lost after 7,7 8,8, so a single move to it wins.
    let fixed = talk.send("yxdbfix");
    assert!(fixed[0].starts_with("MESSAGE 1 new result of"), "{fixed:?}");
    told(&mut talk, "yxquerydatabaseone\n7,7\ndone", "MESSAGE DATABASE ONE 108 5 5 3 l*");
}

#[test]
fn the_last_move_can_be_the_best_one() {
    let folder = folder();
    let mut talk = open(&folder);
    quiet(&mut talk, "yxsetbestmovedatabase\n7,7\n8,8\ndone");
    let best = || {
        let file = folder.path().join("a.db");
        drop(Talk::fresh(Manner::Deaf));
        file
    };
    quiet(&mut talk, "INFO usedatabase 0");
    let centre = |file: &Path| {
        let point = Size::DEFAULT.center();
        let placement = Placement::of_moves(Rule::Freestyle, Size::DEFAULT, &[point]).unwrap();
        let database = PositionDatabase::open(file, Access::Read).unwrap();
        database.get(&placement).unwrap().and_then(|entry| entry.best)
    };
    assert!(centre(&best()).is_some());
    talk.send("INFO usedatabase 1");
    quiet(&mut talk, "yxclearbestmovedatabase\n7,7\n6,6\ndone");
    quiet(&mut talk, "INFO usedatabase 0");
    assert_eq!(centre(&best()), None);
}

#[test]
fn a_database_that_a_search_can_not_read_is_told_once_and_put_away() {
    let folder = folder();
    let mut talk = open(&folder);
    talk.send("TURN 7,7");
    let file = folder.path().join("a.db");
    let told_of = talk.fail_to_read(&file, "it is damaged");
    assert_eq!(told_of, ["MESSAGE no database from now on: it is damaged"]);
    assert_eq!(talk.fail_to_read(&file, "it is damaged"), [""; 0]);
    // While a move is owed an error would be taken for it.
    let query = format!("yxquerydatabaseone\n{CENTRE}");
    told(&mut talk, &query, "MESSAGE the database was put away: it is damaged");
    told(
        &mut talk,
        "yxquerydatabaseone\n7,7\n7,7\ndone",
        "MESSAGE stone 2 of the block is on an occupied cell",
    );
    expect("1.3", &talk.play(8, 8), "8,8");
    told(&mut talk, &query, "ERROR the database was put away: it is damaged");
    // It can be tried again.
    let opened = format!("MESSAGE opened {}: 0 positions", file.display());
    told(&mut talk, "INFO usedatabase 1", &opened);
    told(&mut talk, &query, "MESSAGE DATABASE ONE 0 0 0 0");
}

#[test]
fn a_slow_disk_takes_no_time_of_a_game() {
    for (limit, waits) in [("INFO timeout_turn 200", false), ("INFO max_node 5000", true)] {
        let folder = folder();
        let mut talk = open(&folder);
        talk.send(&format!("{limit}\nTURN 7,7"));
        talk.slow_disk = true;
        assert_eq!(talk.find(&folder.path().join("a.db")), [""; 0]);
        expect("1.3", &talk.play(8, 8), "8,8");
        talk.send("TURN 0,0");
        // Without a clock the next search sees what this one has found.
        assert_eq!(talk.job().is_none(), waits, "{limit}");
        talk.slow_disk = false;
        assert_eq!(talk.database_replies(), [""; 0], "{limit}");
        assert!(talk.job().is_some());
    }
}

#[test]
fn what_a_search_found_is_for_the_database_that_it_used() {
    let folder = folder();
    let mut talk = open(&folder);
    talk.send("TURN 7,7");
    talk.send(&format!("yxsetdatabase\n{}", path(&folder, "b.db")));
    let query = format!("yxquerydatabaseone\n{CENTRE}");
    for (name, is_kept) in [("a.db", false), ("b.db", true)] {
        assert_eq!(talk.find(&folder.path().join(name)), [""; 0]);
        let known = talk.send(&query);
        assert_eq!(known != ["MESSAGE DATABASE ONE 0 0 0 0"], is_kept, "{name}");
        expect("1", &talk.play(8, 8), "8,8");
        talk.send("BOARD\n7,7,2\nDONE");
    }
    // What is deleted while a search runs that knows it stays so.
    quiet(&mut talk, &format!("yxdeletedatabaseone\n{CENTRE}"));
    assert_eq!(talk.find(&folder.path().join("b.db")), [""; 0]);
    told(&mut talk, &query, "MESSAGE DATABASE ONE 0 0 0 0");
}

#[test]
fn corrections_of_a_database_are_forgotten_and_no_others() {
    let folder = folder();
    let mut talk = open(&folder);
    let quiet = super::super::readiness::QUIET.as_millis().try_into().unwrap();
    talk.wait(quiet);
    for (lines, forgets) in [
        ("yxquerydatabaseone\n7,7\ndone", 0),
        ("yxedittextdatabase word 7,7 done", 0),
        ("yxedittvddatabase 7 -1 35 12\n7,7\ndone", 1),
        ("INFO database_readonly 1", 0),
        ("INFO database_readonly 0", 0),
        ("yxdeletedatabaseone\n7,7\ndone", 1),
        ("yxsavedatabase", 0),
        ("INFO usedatabase 0", 1),
        ("yxdeletedatabaseone\n7,7\ndone", 0),
        ("INFO usedatabase 1", 0),
    ] {
        let before = talk.log().new_games;
        talk.send(lines);
        talk.wait(quiet);
        assert_eq!(talk.log().new_games - before, forgets, "{lines}");
    }
}

#[test]
fn what_nobody_asked_for_is_no_error() {
    let folder = folder();
    let mut talk = open(&folder);
    quiet(&mut talk, "INFO usedatabase 0");
    std::fs::write(folder.path().join("a.db"), "something else").unwrap();
    let reason = format!("{} is not a database of positions", path(&folder, "a.db"));
    told(&mut talk, "INFO usedatabase 1", &format!("MESSAGE no database: {reason}"));
    let command = format!("yxsetdatabase {}", path(&folder, "a.db"));
    told(&mut talk, &command, &format!("ERROR {reason}"));
}

#[test]
fn a_foreign_file_and_one_in_use_are_refused() {
    let folder = folder();
    let mut talk = open(&folder);
    std::fs::write(folder.path().join("x.db"), "some text").unwrap();
    let refused = talk.send(&format!("yxsetdatabase\n{}", path(&folder, "x.db")));
    expect("foreign", &refused, "E");
    told(&mut talk, "yxquerydatabaseone\ndone", "MESSAGE DATABASE ONE 0 0 0 0");
    // Nobody else may write to it.
    let mut other = Talk::started(Manner::Deaf);
    expect("in use", &other.send(&format!("yxsetdatabase\n{}", path(&folder, "a.db"))), "E");
}

/// Returns what the file that is open after some requests was opened for.
fn access(requests: &[DatabaseRequest]) -> Option<Access> {
    let mut worker = DatabaseWorker::default();
    requests.iter().for_each(|request| worker.run(request.clone(), &mut drop));
    worker.database().map(|database| database.access())
}

#[test]
fn what_was_opened_to_be_read_can_be_written_later() {
    use DatabaseRequest::{Open, ReadOnly, Use};
    let folder = folder();
    let file = folder.path().join("a.db");
    drop(PositionDatabase::open(&file, Access::Create).unwrap());
    let named = || Open(file.clone());
    assert_eq!(access(&[ReadOnly(true), named()]), Some(Access::Read));
    assert_eq!(access(&[named(), ReadOnly(true), named()]), Some(Access::Create));
    let later: [&[DatabaseRequest]; 3] = [
        &[ReadOnly(true), named(), ReadOnly(false)],
        &[ReadOnly(true), named(), Use(false), ReadOnly(false), Use(true)],
        &[ReadOnly(true), named(), Use(false), ReadOnly(false), named()],
    ];
    for requests in later {
        assert_eq!(access(requests), Some(Access::Create), "{requests:?}");
    }
    let _reader = PositionDatabase::open(&file, Access::Read).unwrap();
    assert_eq!(access(later[0]), Some(Access::Read), "the file refuses it");
}

#[test]
fn a_database_that_can_not_be_made_yet_is_the_one_to_be_used() {
    let folder = folder();
    let (file, other) = (path(&folder, "a.db"), path(&folder, "b.db"));
    let mut talk = Talk::started(Manner::Deaf);
    quiet(&mut talk, "INFO database_readonly 1");
    expect("read only", &talk.send(&format!("yxsetdatabase {file}")), "E");
    quiet(&mut talk, "INFO database_readonly 0");
    told(&mut talk, "INFO usedatabase 1", &format!("MESSAGE made the database {file}"));
    // One that is open stays the one.
    quiet(&mut talk, "INFO database_readonly 1");
    expect("read only", &talk.send(&format!("yxsetdatabase {other}")), "E");
    quiet(&mut talk, "INFO usedatabase 0");
    told(&mut talk, "INFO usedatabase 1", &format!("MESSAGE opened {file}: 0 positions"));
}

#[test]
fn filters_delete_what_they_name() {
    let folder = folder();
    let mut talk = open(&folder);
    let child = |talk: &mut Talk, cell: &str, tag: i64, value: i64| {
        let edit = format!("yxedittvddatabase 7 {tag} {value} 0\n7,7\n{cell}\ndone");
        assert_eq!(talk.send(&edit).len(), 1);
    };
    let count = |talk: &mut Talk| {
        let all = talk.send(&format!("yxquerydatabaseall\n{CENTRE}"));
        // All cells but those on an axis of the symmetry of one stone have eight images.
        (all.len() - 2) / 8
    };
    for (filter, left) in [
        ("w", 4),
        ("l", 4),
        ("wl", 2),
        ("wld", 1),
        ("nonwl", 4),
        ("nonwld", 5),
        ("wlnostep", 4),
        ("wlinstep 13", 5),
        ("wlinstep 12", 6),
        ("", 0),
    ] {
        child(&mut talk, "8,9", 119, 0);
        child(&mut talk, "8,10", 119, -29_988);
        child(&mut talk, "8,11", 108, 29_988);
        child(&mut talk, "8,12", 108, 29_000);
        child(&mut talk, "8,13", 100, 0);
        child(&mut talk, "8,14", -1, 7);
        assert_eq!(count(&mut talk), 6);
        let told = talk.send(&format!("yxdeletedatabaseall {filter}\n{CENTRE}"));
        let expected = match filter {
            "wlnostep" => 4,
            "wlinstep 13" => 4,
            "wlinstep 12" => 6,
            _ => left,
        };
        assert_eq!(count(&mut talk), expected, "{filter}");
        let deleted = counted(6 - expected as u64, "position");
        let deleted = format!("MESSAGE deleted {deleted} in ");
        assert!(told.iter().any(|line| line.starts_with(&deleted)), "{deleted}: {told:?}");
        talk.send(&format!("yxdeletedatabaseall\n{CENTRE}"));
    }
}

/// Sends a command about a file and compares the first line of the answer up to the time.
#[track_caller]
fn exchanged(talk: &mut Talk, command: &str, folder: &TempDir, name: &str, answer: &str) {
    let said = talk.send(&format!("{command}\n{}", path(folder, name)));
    let answer = answer.replace("FILE", &path(folder, name));
    assert!(said.len() == 1 && said[0].starts_with(&format!("{answer} in ")), "{said:?}");
}

/// Puts a value, a win and texts below 7,7.
fn fill(talk: &mut Talk) {
    talk.send("yxedittvddatabase 7 -1 35 12\n7,7\ndone");
    talk.send("yxedittvddatabase 7 119 -29988 0\n7,7\n7,8\ndone");
    quiet(talk, "yxeditlabeldatabase 6,6 A\n7,7\ndone");
    quiet(talk, "yxedittextdatabase \"one\ntwo\"7,7\ndone");
}

#[test]
fn texts_are_written_and_read() {
    let folder = folder();
    let mut talk = open(&folder);
    fill(&mut talk);
    quiet(&mut talk, "INFO rule 1");
    talk.send("yxedittvddatabase 7 -1 1 1\n7,7\ndone");
    quiet(&mut talk, "INFO rule 0");
    exchanged(&mut talk, "yxdbtotxt", &folder, "a.txt", "MESSAGE wrote 3 positions to FILE");
    let expected = "index,key,label,value,depth,bound,text
0,f-15-15-h8--w,(none),35,12,exact,\"@BTXT@66A\\bone\\ntwo\"
1,f-15-15-h8-g8-b,w,-29988,0,exact,\"\"
2,f-15-15-h8-g7-b,(none),0,0,none,\"\"
";
    let text = std::fs::read_to_string(folder.path().join("a.txt")).unwrap();
    let sorted = |text: &str| {
        let mut lines: Vec<String> =
            text.lines().map(|line| line.split_once(',').unwrap().1.to_owned()).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&text), sorted(expected));
    exchanged(&mut talk, "yxdbtotxtall", &folder, "all.txt", "MESSAGE wrote 4 positions to FILE");
    exchanged(&mut talk, "yxdbtopos", &folder, "a.pos", "MESSAGE wrote 3 positions to FILE");
    let rows = std::fs::read_to_string(folder.path().join("a.pos")).unwrap();
    assert_eq!(rows.lines().map(str::len).collect::<Vec<_>>(), [2, 4, 4]);
    // The other way round.
    talk.send(&format!("yxsetdatabase\n{}", path(&folder, "b.db")));
    quiet(&mut talk, "INFO database_readonly 1");
    let refused = talk.send(&format!("yxtxttodb\n{}", path(&folder, "all.txt")));
    assert_eq!(refused, ["ERROR the database is only read: nothing was added"]);
    for edit in [
        "yxedittextdatabase \"a\"",
        "yxeditlabeldatabase 8,8 a",
        "yxdeletedatabaseone",
        "yxdeletedatabaseall",
    ] {
        let told = talk.send(&format!("{edit}\n7,7\ndone"));
        assert_eq!(told, ["MESSAGE the database is only read: nothing was changed"], "{edit}");
    }
    quiet(&mut talk, "INFO database_readonly 0");
    let read = "MESSAGE read 4 positions, 4 of them new or changed,";
    exchanged(&mut talk, "yxtxttodb", &folder, "all.txt", read);
    exchanged(&mut talk, "yxdbtotxt", &folder, "b.txt", "MESSAGE wrote 3 positions to FILE");
    assert_eq!(text, std::fs::read_to_string(folder.path().join("b.txt")).unwrap());
    // Entries before a fault are kept.
    let half =
        format!("{}x\n", text.lines().take(2).map(|l| l.to_owned() + "\n").collect::<String>());
    std::fs::write(folder.path().join("half.txt"), half).unwrap();
    talk.send(&format!("yxsetdatabase\n{}", path(&folder, "c.db")));
    let half = talk.send(&format!("yxtxttodb\n{}", path(&folder, "half.txt")));
    assert!(half[0].starts_with("ERROR ") && half[0].contains("half.txt:3: "), "{half:?}");
    assert!(half[1].starts_with("MESSAGE read 1 position, 1 of them"), "{half:?}");
}

#[test]
fn libraries_are_written_from_the_board_on_and_read() {
    let folder = folder();
    let mut talk = open(&folder);
    fill(&mut talk);
    talk.send("yxboard\n7,7,2\ndone");
    // The root, the move on the board, four moves of the win, and four with the text.
    exchanged(&mut talk, "yxdbtolib", &folder, "a.lib", "MESSAGE wrote 10 nodes to FILE");
    talk.send(&format!("yxsetdatabase\n{}", path(&folder, "b.db")));
    let read = talk.send(&format!("yxlibtodb\n{}", path(&folder, "a.lib")));
    assert!(read[0].starts_with("MESSAGE read "), "{read:?}");
    told(&mut talk, "yxquerydatabasetext\n7,7\ndone", "MESSAGE DATABASE TEXT \"one\ntwo\"");
    let all = talk.send(&format!("yxquerydatabaseall\n{CENTRE}"));
    let with = |text: &str| all.iter().filter(|line| line.ends_with(text)).count();
    assert_eq!((with(" A"), with(" W13")), (4, 4), "{all:?}");
    // Boards of other sizes are none of a library.
    talk.send("START 20");
    expect("size", &talk.send(&format!("yxdbtolib\n{}", path(&folder, "c.lib"))), "E");
    assert!(!folder.path().join("c.lib").exists());
}

#[test]
fn a_text_loses_the_line_end_that_closes_it() {
    let folder = folder();
    let mut talk = open(&folder);
    // The board ends a comment that was typed with the line.
    quiet(&mut talk, &format!("yxedittextdatabase \"one\n two \n\"{CENTRE}"));
    told(
        &mut talk,
        &format!("yxquerydatabasetext\n{CENTRE}"),
        "MESSAGE DATABASE TEXT \"one\n two\"",
    );
}

#[test]
fn the_board_names_the_file_that_is_open() {
    let folder = folder();
    let mut talk = open(&folder);
    talk.send(&format!("yxquerydatabaseallt\n{CENTRE}"));
    let a = path(&folder, "a.db");
    let nowhere = path(&folder, "nowhere/b.db");
    let said = talk.send(&format!("yxsetdatabase\n{nowhere}"));
    let dialogs = [format!("LOAD START {nowhere}"), "LOAD DONE".to_owned()];
    let restored = [format!("LOAD START {a}"), "LOAD DONE".to_owned()];
    let expected = dialogs.iter().chain(&restored).map(|line| format!("MESSAGE DATABASE {line}"));
    assert_eq!(said[..4], expected.collect::<Vec<_>>());
    let failed = format!("ERROR cannot open {nowhere}: ");
    assert!(said.len() == 5 && said[4].starts_with(&failed), "the reason follows: {said:?}");
    drop(PositionDatabase::open(Path::new(&path(&folder, "c.db")), Access::Create).unwrap());
    let said = talk.send(&format!("yxdbmerge\n{}", path(&folder, "c.db")));
    assert_eq!(said[0], format!("MESSAGE DATABASE SAVE START {a}"));
    assert_eq!(said[1], "MESSAGE DATABASE SAVE DONE");
}
