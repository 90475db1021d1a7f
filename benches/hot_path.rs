//! The hot path: what a search does at every node, a whole search, and the tables it stands on.
//!
//! Every benchmark asserts its answer, so that nothing is fast by being wrong.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput};
use tengen::bench::positions::{GAMES, POSITIONS};
use tengen::bench::speed::forth_and_back;
use tengen::eval::{Evaluator, EvaluatorKind, Evaluators, Window};
use tengen::patterns::PatternTables;
use tengen::position::Position;
use tengen::rng::SplitMix64;
use tengen::rules::Rule;
use tengen::search::{Bound, Control, Hit, Options, Pool, Problem, SearchResult, Table};
use tengen::types::{Depth, Key, Score};

/// The size of the tables, in bytes.
const HASH_BYTES: usize = 16 << 20;

fn place_and_undo(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("place and undo");
    for rule in Rule::ALL {
        let record = GAMES.iter().find(|record| record.rule == rule).expect("a game of each rule");
        let moves = record.moves();
        let mut position = Position::new(rule, record.size());
        let key = position.key();
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(rule.name(), |bencher| {
            bencher.iter(|| {
                assert_eq!(forth_and_back(&mut position, &moves), moves.len() as u64);
                assert_eq!(position.key(), key);
            });
        });
    }
    group.finish();
}

/// Plays games forward, asking for a score after each stone, and back.
fn evaluate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("play and evaluate");
    for rule in Rule::ALL {
        let record = GAMES.iter().find(|record| record.rule == rule).expect("a game of each rule");
        let moves = record.moves();
        let mut position = Position::new(rule, record.size());
        let mut evaluator = Evaluators::shipped().make(EvaluatorKind::default(), rule);
        let mut sum = || -> i32 {
            evaluator.reset(&position);
            let mut sum = 0;
            for &point in &moves {
                evaluator.push(point, position.to_move());
                position.play_unchecked(black_box(point));
                sum += evaluator.evaluate(&position, Window::FULL).raw();
            }
            for _ in &moves {
                position.undo();
                evaluator.pop();
            }
            sum
        };
        let expected = sum();
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(rule.name(), |bencher| bencher.iter(|| assert_eq!(sum(), expected)));
    }
    group.finish();
}

fn table(criterion: &mut Criterion) {
    let table = Table::new(HASH_BYTES).expect("memory for a table");
    let mut rng = SplitMix64::new(1);
    // Few enough that none pushes another out.
    let keys: Vec<Key> = (0..1024).map(|_| Key(rng.next_u64())).collect();
    let hit = Hit {
        score: Score::eval(34),
        eval: Some(Score::eval(12)),
        bound: Bound::Exact,
        depth: Depth::plies(7),
        best: Some(POSITIONS[0].size().center()),
        was_pv: true,
    };
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function("store", |bencher| {
        bencher.iter(|| {
            for &key in &keys {
                table.store(black_box(key), hit);
            }
        });
    });
    group.bench_function("probe", |bencher| {
        bencher.iter(|| {
            for &key in &keys {
                assert_eq!(table.probe(black_box(key)), Some(hit));
            }
        });
    });
    let mut absent = SplitMix64::new(2);
    group.bench_function("probe in vain", |bencher| {
        bencher.iter(|| {
            for _ in &keys {
                assert_eq!(table.probe(Key(absent.next_u64())), None);
            }
        });
    });
    group.finish();
}

/// Searches a position to a fixed depth.
fn search(position: &Position, table: &Table) -> SearchResult {
    let control = Control::bounded(position, Some(6), None);
    let problem = Problem { position, table, control: &control, options: Options::default() };
    let evaluator = Evaluators::shipped().make(EvaluatorKind::default(), position.rule());
    Pool::new(evaluator).search(&problem, |_| {}).expect("an empty cell")
}

fn fixed_depth(criterion: &mut Criterion) {
    let position = POSITIONS[0].position();
    let fresh = || Table::new(HASH_BYTES).expect("memory for a table");
    let expected = search(&position, &fresh());
    let mut group = criterion.benchmark_group("search");
    group.sample_size(20);
    group.throughput(Throughput::Elements(expected.nodes));
    group.bench_function("depth 6", |bencher| {
        bencher.iter_batched_ref(
            fresh,
            |table| assert_eq!(search(&position, table), expected),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn build_tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build tables");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    for rule in Rule::ALL {
        group.bench_function(rule.name(), |bencher| {
            bencher.iter(|| {
                let tables = PatternTables::build(black_box(rule));
                assert_eq!(tables.rule(), rule);
                tables
            });
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    place_and_undo(&mut criterion);
    evaluate(&mut criterion);
    table(&mut criterion);
    fixed_depth(&mut criterion);
    build_tables(&mut criterion);
    criterion.final_summary();
}
