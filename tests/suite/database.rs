//! The database of positions, killed while it is written.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};
use tengen_engine::database::{Access, Placement, PositionDatabase, PositionEntry};

use crate::place::Place;

/// The variable with the file that the process writes.
const FILE: &str = "TENGEN_TEST_DATABASE";
/// The number of times that the writer is killed.
const KILLS: u64 = 200;
/// The number of positions that are saved at a time.
const BATCH: u64 = 8;

/// Returns a position that belongs to a number: one with three stones.
fn numbered(number: u64) -> Placement {
    let size = Size::DEFAULT;
    let mut rng = SplitMix64::new(number);
    let mut points: Vec<Point> = size.points().collect();
    rng.shuffle(&mut points);
    Placement::of_moves(Rule::Freestyle, size, &points[..8]).expect("different cells")
}

/// Returns the entry that belongs to a number; the texts make it large enough for many pages.
fn entry(number: u64) -> PositionEntry {
    let text = format!("{number} ").repeat(40);
    PositionEntry { text, visits: number + 1, ..PositionEntry::default() }
}

/// The process that is killed: it writes batch after batch, and says how many positions are saved.
#[test]
fn writer_of_the_kill_test() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let database = PositionDatabase::open(Path::new(&path), Access::Create).expect("a database");
    let mut saved = database.read().expect("a reader").len().expect("a number");
    loop {
        let put = |writer: &mut tengen_engine::database::DatabaseWriter<'_>| {
            (saved..saved + BATCH).try_for_each(|number| {
                // Old entries are written again, so that their pages become free.
                writer.put(&numbered(number / 2), entry(number / 2))?;
                writer.put(&numbered(number), entry(number))
            })
        };
        database.write(put).expect("the batch is saved");
        saved += BATCH;
        println!("saved {saved}");
    }
}

/// Starts the writer and kills it after a number of lines; returns how many positions it said were
/// saved.
fn run_and_kill(path: &str, lines: u64) -> u64 {
    let exe = std::env::current_exe().expect("this program");
    let mut child = Command::new(exe)
        .args(["database::writer_of_the_kill_test", "--exact", "--nocapture", "--test-threads=1"])
        .env(FILE, path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the writer starts");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut saved = 0;
    let mut seen = 0;
    if lines == 0 {
        child.kill().expect("the writer is killed");
    }
    for line in output.lines() {
        let line = line.expect("text");
        // The harness begins its line before the test says anything.
        if let Some((_, number)) = line.split_once("saved ") {
            saved = number.parse().expect("a number");
            seen += 1;
            if seen == lines {
                child.kill().expect("the writer is killed");
            }
        }
    }
    child.wait().expect("the writer ends");
    saved
}

#[test]
fn nothing_that_was_told_as_saved_is_lost_when_the_writer_is_killed() {
    let place = Place::new("database-kill");
    let path = place.path("a.tdb");
    let mut rng = SplitMix64::new(1);
    let mut told = 0;
    for kill in 0..KILLS {
        told = run_and_kill(&path, rng.below(4) as u64).max(told);
        if !Path::new(&path).exists() {
            continue;
        }
        let access = if kill % 2 == 0 { Access::Read } else { Access::Create };
        // A file that its maker had no time to write a word to can't be read yet.
        if access == Access::Read && std::fs::metadata(&path).expect("a file").len() == 0 {
            continue;
        }
        let mut database = PositionDatabase::open(Path::new(&path), access).expect("it opens");
        database.check_pages().expect("all pages are in order");
        let reader = database.read().expect("a reader");
        let count = reader.len().expect("a number");
        assert!(
            count >= told && count <= told + BATCH && count.is_multiple_of(BATCH),
            "{count} {told}"
        );
        let newest = count.saturating_sub(3 * BATCH)..count;
        let some = (0..20).map(|_| rng.below(count.max(1) as usize) as u64).filter(|&n| n < count);
        for number in newest.chain(some) {
            let found = reader.get(&numbered(number)).expect("it can be read");
            assert_eq!(found, Some(entry(number)), "{number}");
        }
        told = count;
    }
    assert!(told > KILLS * BATCH / 2, "{told}");
}
