//! The hot path: what a search does at every node, a whole search, and the tables it stands on.
//!
//! `cargo bench --bench hot_path` measures, with `-- NAME` what has this in its name, and without `--bench`, as
//! in `cargo test --bench hot_path`, everything runs once. Every benchmark asserts its answer, so that
//! nothing is fast by being wrong.
//!
//! `--runs=NUMBER NAME` runs just the benchmark of this name so many times, without a look at the clock:
//! `scripts/checks/instructions` counts what a run takes.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen_core::eval::network::{Integers, Network, Parameters};
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, Window};
use tengen_core::patterns::automaton::{Automaton, AutomatonState, Symbol};
use tengen_core::patterns::table::spellings;
use tengen_core::patterns::{Family, PatternTables};
use tengen_core::position::Position;
use tengen_core::prover::{Horizon, Prover, ProverLimits};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::search::{
    Options, Pool, SearchControl, SearchRequest, SearchResult, TranspositionTable, TtEntry,
};
use tengen_core::simd::NetworkKernels;
use tengen_core::threats::{ThreatCheck, full_threat_check};
use tengen_core::types::{Bound, Depth, Key, Score};
use tengen_lab::bench::positions::{BenchPosition, GAMES, POSITIONS};
use tengen_lab::bench::speed::forth_and_back;

/// The size of the tables, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// The number of samples, of which the fastest and the median are printed.
const SAMPLES: usize = 25;
/// The least duration of a sample: long beside the resolution of the clock.
const SAMPLE: Duration = Duration::from_millis(40);

/// Runs the benchmarks whose name was asked for.
struct Runner {
    /// True if times are taken, and not only answers checked.
    measures: bool,
    /// How often the one benchmark runs whose name is the filter, where instructions are counted.
    runs: Option<u32>,
    filters: Vec<String>,
}

impl Runner {
    /// Reads the arguments of the process: `--bench` comes from `cargo bench`.
    fn from_args() -> Runner {
        let (options, filters): (Vec<String>, Vec<String>) =
            std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
        let runs = options
            .iter()
            .find_map(|option| option.strip_prefix("--runs="))
            .map(|number| number.parse().expect("a number of runs"));
        let measures = options.iter().any(|option| option == "--bench")
            && !options.iter().any(|option| option == "--test");
        Runner { measures, runs, filters }
    }

    /// Returns whether a benchmark is to run.
    fn wants(&self, name: &str) -> bool {
        match self.runs {
            Some(_) => self.filters.iter().any(|filter| name == filter),
            None => self.filters.is_empty() || self.filters.iter().any(|part| name.contains(part)),
        }
    }

    /// Returns whether any benchmark of a group is to run, so that nothing is made ready for those of others.
    fn wants_any(&self, group: &[&str]) -> bool {
        let is_of_group = |filter: &String| group.iter().any(|name| filter.starts_with(name));
        self.runs.is_none() || self.filters.iter().any(is_of_group)
    }

    /// Runs `work`, which does as much as `elements` of something.
    fn bench(&self, name: &str, elements: u64, mut work: impl FnMut()) {
        self.bench_with(name, elements, || (), |()| work());
    }

    /// Runs `work` with something made anew for each run, outside of the time that counts.
    fn bench_with<T>(
        &self,
        name: &str,
        elements: u64,
        mut set_up: impl FnMut() -> T,
        mut work: impl FnMut(&mut T),
    ) {
        if !self.wants(name) {
            return;
        }
        if let Some(runs) = self.runs {
            for _ in 0..runs {
                work(&mut set_up());
            }
            return println!("{name}: {runs} runs");
        }
        let mut run = || {
            let mut input = set_up();
            let start = Instant::now();
            work(&mut input);
            start.elapsed()
        };
        let first = run();
        if !self.measures {
            return println!("{name}: well");
        }
        let runs = (SAMPLE.as_secs_f64() / first.as_secs_f64()).ceil().max(1.0) as u32;
        let mut samples: Vec<Duration> =
            (0..SAMPLES).map(|_| (0..runs).map(|_| run()).sum::<Duration>() / runs).collect();
        samples.sort_unstable();
        let [fastest, middle] = [0, SAMPLES / 2].map(|i| samples[i].as_secs_f64());
        println!(
            "{name:<26} {:>12.3} us at best, {:>12.3} us in the median, {:>10.3} M/s",
            fastest * 1e6,
            middle * 1e6,
            elements as f64 / middle / 1e6
        );
    }
}

fn place_and_undo(runner: &Runner) {
    for rule in Rule::ALL {
        let name = format!("place and undo/{rule}");
        if !runner.wants(&name) {
            continue;
        }
        let record = GAMES.iter().find(|record| record.rule == rule).expect("a game of each rule");
        let moves = record.moves();
        let mut position = Position::new(rule, record.size());
        let key = position.key();
        runner.bench(&name, moves.len() as u64, || {
            assert_eq!(forth_and_back(&mut position, &moves), moves.len() as u64);
            assert_eq!(position.key(), key);
        });
    }
}

/// Plays games forward, asking for a score after each stone, and back.
fn evaluate(runner: &Runner) {
    for rule in Rule::ALL {
        let name = format!("play and evaluate/{rule}");
        if !runner.wants(&name) {
            continue;
        }
        let record = GAMES.iter().find(|record| record.rule == rule).expect("a game of each rule");
        let moves = record.moves();
        let mut position = Position::new(rule, record.size());
        let mut evaluator = Evaluators::shipped().make(EvaluatorKind::default(), rule);
        evaluator.reset(&position);
        let mut sum = || -> i32 {
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
            // Now the network takes its stones back, too.
            sum + evaluator.evaluate(&position, Window::FULL).raw()
        };
        let expected = sum();
        runner.bench(&name, moves.len() as u64, || {
            assert_eq!(sum(), expected);
        });
    }
}

/// Orders the empty cells of a position, as a search does before it plays any.
fn order(runner: &Runner) {
    let position = POSITIONS[0].position();
    let mut evaluator = Evaluators::shipped().make(EvaluatorKind::default(), position.rule());
    evaluator.reset(&position);
    evaluator.evaluate(&position, Window::FULL);
    let set = position.tracker().near();
    let mut moves = Vec::with_capacity(set.len());
    runner.bench("order moves", set.len() as u64, || {
        moves.clear();
        evaluator.order(&position, black_box(set), &mut moves);
        assert_eq!(moves.len(), set.len());
    });
}

/// Looks for threats that must be answered, and for wins by fours alone.
fn threats(runner: &Runner) {
    let records = POSITIONS.iter().filter(|record| record.rule == Rule::Renju);
    let mut positions: Vec<Position> = records.map(BenchPosition::position).collect();
    let expected: Vec<ThreatCheck> = positions.iter_mut().map(full_threat_check).collect();
    runner.bench("threat check", positions.len() as u64, || {
        for (position, expected) in positions.iter_mut().zip(&expected) {
            assert_eq!(full_threat_check(black_box(position)), *expected);
        }
    });

    let horizon = Horizon { fours_only: true };
    let limits = ProverLimits::of_nodes(2_000);
    let prover = RefCell::new(Prover::new(1 << 20));
    let mut solve = || -> u64 {
        let mut prover = prover.borrow_mut();
        let mut nodes = 0;
        for position in &mut positions {
            black_box(prover.solve(position, horizon, &limits));
            nodes += prover.nodes();
        }
        nodes
    };
    let nodes = solve();
    let forget = || prover.borrow_mut().clear();
    runner.bench_with("wins by fours", nodes, forget, |()| assert_eq!(solve(), nodes));
}

/// Reads the texts of patterns with the automaton that finds them.
fn automaton(runner: &Runner) {
    let texts = spellings(Family::FiveOrMore).into_iter().map(|spelling| spelling.symbols);
    let texts: Vec<Vec<Symbol>> = texts.collect();
    let automaton = Automaton::new(&texts);
    let read = || -> usize {
        let mut state = AutomatonState::START;
        let mut found = 0;
        for &symbol in texts.iter().flatten() {
            state = automaton.step(state, black_box(symbol));
            found += automaton.matches(state).len();
        }
        found
    };
    let expected = read();
    let symbols: usize = texts.iter().map(Vec::len).sum();
    runner.bench("automaton", symbols as u64, || assert_eq!(read(), expected));
}

/// Plays games forward with a network, asking for a score after each stone, and back; and the head
/// of the network alone.
fn network(runner: &Runner) {
    let record = GAMES.iter().find(|record| record.rule == Rule::Freestyle).expect("a game");
    let moves = record.moves();
    let mut position = Position::new(Rule::Freestyle, record.size());
    let parameters = Parameters::random(Rule::Freestyle, 1);
    for kernels in NetworkKernels::available() {
        let network = Network::with_kernels(&parameters, kernels).expect("good parameters");
        let network = Arc::new(network);
        let mut evaluators = Evaluators::shipped();
        evaluators.set_network(Arc::clone(&network));
        let mut evaluator = evaluators.make(EvaluatorKind::Network, Rule::Freestyle);
        let mut patterns = evaluators.make(EvaluatorKind::Patterns, Rule::Freestyle);
        let mut sum = |evaluator: &mut dyn Evaluator| -> i32 {
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
            // Now the network takes its stones back, too.
            sum + evaluator.evaluate(&position, Window::FULL).raw()
        };
        let name = kernels.name();
        for (kind, evaluator) in [("network", &mut evaluator), ("patterns beside", &mut patterns)] {
            evaluator.reset(&Position::new(Rule::Freestyle, record.size()));
            let expected = sum(evaluator);
            runner.bench(&format!("{kind}/{name}"), moves.len() as u64, || {
                assert_eq!(sum(evaluator), expected);
            });
        }
        let position = POSITIONS[0].position();
        let Integers { pooled, value: expected, .. } = network.integers(&position);
        // One alone would take no longer than a look at the clock.
        const HEADS: u64 = 64;
        runner.bench(&format!("network head/{name}"), HEADS, || {
            for _ in 0..HEADS {
                let output = network.output(position.to_move(), black_box(&pooled));
                assert_eq!(output, expected);
            }
        });
    }
}

fn table(runner: &Runner) {
    let table = TranspositionTable::new(HASH_BYTES).expect("memory for a table");
    let mut rng = SplitMix64::new(1);
    // Few enough that none pushes another out.
    let keys: Vec<Key> = (0..1024).map(|_| Key(rng.next_u64())).collect();
    let hit = TtEntry {
        score: Score::eval(34),
        eval: Some(Score::eval(12)),
        bound: Bound::Exact,
        depth: Depth::plies(7),
        best: Some(POSITIONS[0].size().center()),
        was_pv: true,
    };
    let elements = keys.len() as u64;
    let store = || keys.iter().for_each(|&key| table.store(black_box(key), hit));
    runner.bench("table/store", elements, store);
    store();
    runner.bench("table/probe", elements, || {
        for &key in &keys {
            assert_eq!(table.probe(black_box(key)), Some(hit));
        }
    });
    let mut absent = SplitMix64::new(2);
    runner.bench("table/probe in vain", elements, || {
        for _ in &keys {
            assert_eq!(table.probe(Key(absent.next_u64())), None);
        }
    });
}

/// Searches a position to a fixed depth.
fn search(position: &Position, table: &TranspositionTable) -> SearchResult {
    let control = SearchControl::bounded(position, Some(6), None);
    let request = SearchRequest { position, table, control: &control, options: Options::default() };
    let evaluator = Evaluators::shipped().make(EvaluatorKind::default(), position.rule());
    Pool::new(evaluator).search(&request, |_| {}).expect("an empty cell")
}

fn fixed_depth(runner: &Runner) {
    let position = POSITIONS[0].position();
    let fresh = || TranspositionTable::new(HASH_BYTES).expect("memory for a table");
    let expected = search(&position, &fresh());
    runner.bench_with("search/depth 6", expected.nodes, fresh, |table| {
        assert_eq!(search(&position, table), expected);
    });
}

fn build_tables(runner: &Runner) {
    for rule in Rule::ALL {
        runner.bench(&format!("build tables/{rule}"), 1, || {
            assert_eq!(PatternTables::build(black_box(rule)).rule(), rule);
        });
    }
}

/// A group of benchmarks: how their names begin, and what runs them.
type Group = (&'static [&'static str], fn(&Runner));

const GROUPS: [Group; 9] = [
    (&["place and undo"], place_and_undo),
    (&["play and evaluate"], evaluate),
    (&["order moves"], order),
    (&["threat check", "wins by fours"], threats),
    (&["automaton"], automaton),
    (&["network", "patterns beside"], network),
    (&["table"], table),
    (&["search"], fixed_depth),
    (&["build tables"], build_tables),
];

fn main() {
    let runner = Runner::from_args();
    for (group, run) in GROUPS {
        if runner.wants_any(group) {
            run(&runner);
        }
    }
}
