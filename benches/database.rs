//! The database of positions: how fast it is filled and asked, and how large it gets.
//!
//! `cargo bench --bench database` measures with a million positions, `cargo bench --bench database --
//! 10000000` with another number, in the directory for temporary files; without `--bench`, as in `cargo
//! test --bench database`, a few positions go through it once. The answers are checked.

use std::time::{Duration, Instant};

use tempfile::TempDir;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::types::{Bound, Point, Score, Size};
use tengen_engine::database::source::{Fact, Gathered};
use tengen_engine::database::{
    Access, Evaluation, Placement, PositionDatabase, PositionEntry, PositionKey,
};

/// The number of positions that are asked for.
const QUERIES: usize = 20_000;
/// The number of positions of which all moves are asked for.
const MOVE_QUERIES: usize = 2_000;
/// The longest walk, in moves.
const LONGEST: usize = 24;

/// Walks of random moves near the centre, with an entry for each position on the way.
struct Walks {
    rng: SplitMix64,
    placement: Placement,
}

impl Walks {
    fn new() -> Walks {
        Walks { rng: SplitMix64::new(1), placement: Walks::start() }
    }

    fn start() -> Placement {
        let size = Size::DEFAULT;
        Placement::of_moves(Rule::Renju, size, &[size.center()]).expect("a move")
    }

    fn next(&mut self) -> Fact {
        let size = Size::DEFAULT;
        if self.placement.stones() >= LONGEST {
            self.placement = Walks::start();
        }
        loop {
            let [x, y] = [(); 2].map(|()| 3 + self.rng.below(9) as i64);
            if let Some(point) = size.point(x, y)
                && self.placement.play(point).is_ok()
            {
                break;
            }
        }
        let evaluation = Evaluation {
            score: Score::eval(self.rng.below(800) as i32 - 400),
            depth: 8 + self.rng.below(12) as i16,
            bound: Some(Bound::Exact),
        };
        let best: Option<Point> = self.placement.board().empties().first();
        let entry = PositionEntry {
            evaluation: Some(evaluation),
            best,
            visits: 1,
            ..PositionEntry::default()
        };
        Fact { placement: self.placement.clone(), entry, is_new_game: true }
    }
}

/// Returns the time below which this part of the times lie, in microseconds.
fn quantile(times: &mut [Duration], part: f64) -> f64 {
    times.sort_unstable();
    let index = ((times.len() - 1) as f64 * part) as usize;
    times[index].as_secs_f64() * 1e6
}

/// Returns the peak memory of the process in MiB, where the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? / 1024)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let measures = arguments.iter().any(|argument| argument == "--bench");
    let asked = arguments.iter().find_map(|argument| argument.parse::<u64>().ok());
    let number = asked.unwrap_or(if measures { 1_000_000 } else { 2_000 });
    let folder = TempDir::with_prefix("tengen-bench-database-").expect("a directory");
    let path = folder.path().join("bench.tdb");
    let mut database = PositionDatabase::open(&path, Access::Create).expect("a database");

    let mut walks = Walks::new();
    let mut gathered = Gathered::default();
    let start = Instant::now();
    let mut kept: Vec<PositionKey> = Vec::new();
    for i in 0..number {
        let fact = walks.next();
        if i.is_multiple_of((number / QUERIES as u64).max(1)) {
            kept.push(fact.placement.key().key);
        }
        gathered.add(fact);
        if gathered.is_full() {
            gathered.save(&database).expect("it is saved");
        }
    }
    gathered.save(&database).expect("it is saved");
    let seconds = start.elapsed().as_secs_f64();
    let reader = database.read().expect("a reader");
    let count = reader.len().expect("a number");
    let bytes = database.file_bytes().expect("a length");
    println!("positions   {number}, {count} different");
    println!("import      {:.0} positions a second", number as f64 / seconds);
    println!("file        {:.1} bytes a position", bytes as f64 / count as f64);

    let placements: Vec<Placement> = kept.iter().map(PositionKey::placement).collect();
    // Warm is what was asked for once.
    for name in ["one, first", "one, again"] {
        let mut times = Vec::new();
        for placement in &placements {
            let start = Instant::now();
            let found = reader.get(placement).expect("it is read");
            times.push(start.elapsed());
            assert!(found.is_some_and(|entry| entry.visits > 0));
        }
        let (p50, p99) = (quantile(&mut times, 0.5), quantile(&mut times, 0.99));
        println!("{name:<11} p50 {p50:.1} us, p99 {p99:.1} us");
    }
    let mut times = Vec::new();
    for placement in placements.iter().step_by((placements.len() / MOVE_QUERIES).max(1)) {
        let start = Instant::now();
        let moves = reader.moves(placement).expect("they are read");
        times.push(start.elapsed());
        assert!(moves.len() <= placement.board().empty_cells());
    }
    let (p50, p99) = (quantile(&mut times, 0.5), quantile(&mut times, 0.99));
    println!("all moves   p50 {p50:.1} us, p99 {p99:.1} us");
    drop(reader);
    database.compact().expect("it is compacted");
    let bytes = database.file_bytes().expect("a length");
    println!("compacted   {:.1} bytes a position", bytes as f64 / count as f64);
    if let Some(memory) = peak_memory() {
        println!("memory      {memory} MiB at most");
    }
}
