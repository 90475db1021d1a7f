//! A search is ended by `STOP` at once.
//!
//! The nodes until then are counted; the time is measured through the real binary by a
//! test that is ignored unless it is asked for, because other work on the machine counts as well:
//!
//! ```text
//! TENGEN_ENGINE=target/release/pbrain-tengen cargo test --test suite stop:: -- --ignored --nocapture
//! ```
//!
//! `TENGEN_STOP_TRIES` (30) and `TENGEN_STOP_THREADS` (1) make the measurement larger, and
//! `TENGEN_STOP_LIMIT_MS` (200) is what 99 of 100 answers have to keep to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::child::{Engine, Fault, PATIENCE, board_command, fault, number_from_env};
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, OrderedMove, WinModel, Window};
use tengen_core::notation::Moves;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Rule};
use tengen_core::search::{Options, Pool, SearchControl, SearchRequest, TranspositionTable};
use tengen_core::types::{Color, Point, PointSet, Score, Size};

/// The limit for the median answer.
const MEDIAN_LIMIT: Duration = Duration::from_millis(10);
/// A turn limit that is never reached.
const TURN_MS: u64 = 600_000;

/// Returns four stones near the centre, from which no search comes to an end by itself.
fn opening(size: Size, rule: Rule, rng: &mut SplitMix64) -> Vec<Point> {
    let center = size.center();
    let mut game = Game::new(size, rule);
    while game.moves().len() < 4 {
        let mut step = || rng.below(7) as i64 - 3;
        let (x, y) = (i64::from(center.x()) + step(), i64::from(center.y()) + step());
        // A point that is taken already is drawn again.
        let _ = size.point(x, y).map(|point| game.play(point));
    }
    game.moves().to_vec()
}

/// The usual evaluation, which stops the search that asks it after a number of moves in its tree.
#[derive(Clone, Debug)]
struct Stopper {
    usual: Box<dyn Evaluator>,
    control: SearchControl,
    played: Arc<AtomicU64>,
    limit: u64,
}

impl Evaluator for Stopper {
    fn reset(&mut self, position: &Position) {
        self.usual.reset(position);
    }

    fn push(&mut self, point: Point, color: Color) {
        if self.played.fetch_add(1, Ordering::Relaxed) + 1 == self.limit {
            self.control.request_stop();
        }
        self.usual.push(point, color);
    }

    fn pop(&mut self) {
        self.usual.pop();
    }

    fn evaluate(&mut self, position: &Position, window: Window) -> Score {
        self.usual.evaluate(position, window)
    }

    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        self.usual.order(position, set, moves);
    }

    fn win_model(&mut self, position: &Position) -> WinModel {
        self.usual.win_model(position)
    }

    fn identity(&self) -> u32 {
        self.usual.identity()
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        Box::new(self.clone())
    }
}

#[test]
fn a_search_that_is_stopped_plays_no_further_move_in_its_tree() {
    let mut rng = SplitMix64::new(7);
    for limit in [1, 2, 3, 10, 99, 1000, 20_000] {
        let rule = Rule::ALL[rng.below(Rule::ALL.len())];
        let mut position = Position::new(rule, Size::DEFAULT);
        for point in opening(Size::DEFAULT, rule, &mut rng) {
            position.play(point).expect("a legal move");
        }
        let control = SearchControl::bounded(&position, None, None);
        let played = Arc::new(AtomicU64::new(0));
        let usual = Evaluators::shipped().make(EvaluatorKind::default(), rule);
        let stopper =
            Stopper { usual, control: control.clone(), played: Arc::clone(&played), limit };
        let request = SearchRequest {
            position: &position,
            table: &TranspositionTable::new(1 << 20).expect("memory for a table"),
            control: &control,
            options: Options::default(),
        };
        let result = Pool::new(stopper).search(&request, |_| {}).expect("an empty cell");
        assert!(position.board().is_empty(result.best));
        assert_eq!(played.load(Ordering::Relaxed), limit, "{rule}");
    }
}

/// Lets the engine think for a moment and stops it; returns how long the answer took and what it
/// was thinking about, or `None` if the answer came before the command.
fn stop_once(
    engine: &mut Engine,
    rng: &mut SplitMix64,
) -> Result<Option<(Duration, String)>, Fault> {
    let rule = Rule::ALL[rng.below(Rule::ALL.len())];
    let size = Size::square([15, 20][rng.below(2)]).expect("a supported size");
    let moves = opening(size, rule, rng);
    let threads = number_from_env("TENGEN_STOP_THREADS", 1);
    let infos = format!(
        "INFO timeout_turn {TURN_MS}\nINFO timeout_match 0\nINFO max_memory 134217728\n\
         INFO thread_num {threads}\n"
    );
    engine.new_game(size, rule, &infos)?;
    engine.send(&board_command(&moves, Color::to_move_after(moves.len())))?;
    let millis = 10 + rng.below(100) as u64;
    let early = engine.point(size, Instant::now() + Duration::from_millis(millis));
    let stopped = engine.send("STOP\n")?;
    let (answered, point) = match early {
        Ok(answer) => answer,
        Err(Fault(text)) if text == "no reply" => engine.point(size, stopped + PATIENCE)?,
        Err(other) => return Err(other),
    };
    if moves.contains(&point) {
        return fault(format!("{point} is occupied after {}", Moves(&moves)));
    }
    let what = format!("{rule} {size} {} after {millis} ms", Moves(&moves));
    Ok(answered.checked_duration_since(stopped).map(|latency| (latency, what)))
}

/// Stops so many searches, and returns how long the answers took, the fastest first.
fn stop_often(tries: u64) -> Vec<(Duration, String)> {
    let mut engine = Engine::start().unwrap();
    let mut rng = SplitMix64::new(2024);
    let mut latencies = Vec::new();
    for i in 0..tries {
        match stop_once(&mut engine, &mut rng) {
            Ok(answer) => latencies
                .extend(answer.map(|(latency, what)| (latency, format!("{what}, try {i}")))),
            Err(fault) => panic!("try {i}: {fault}"),
        }
    }
    engine.end(Instant::now() + PATIENCE).unwrap();
    latencies.sort_unstable();
    assert!(latencies.len() as u64 * 2 > tries, "the searches end by themselves");
    latencies
}

#[test]
fn stop_is_answered_with_a_move() {
    stop_often(6);
}

#[test]
#[ignore = "measures the clock, for a machine without other work"]
fn stop_is_answered_at_once() {
    let tries = number_from_env("TENGEN_STOP_TRIES", 30);
    let latencies = stop_often(tries);
    let percentile = |percent: usize| latencies[(latencies.len() - 1) * percent / 100].0;
    println!(
        "STOP to move, {} of {tries} tries: 50 % {:.2} ms, 99 % {:.2} ms, 100 % {:.2} ms",
        latencies.len(),
        percentile(50).as_secs_f64() * 1e3,
        percentile(99).as_secs_f64() * 1e3,
        percentile(100).as_secs_f64() * 1e3,
    );
    let slow = latencies.iter().rev().take(5);
    let slow: Vec<String> = slow.map(|(latency, what)| format!("{latency:?}: {what}")).collect();
    println!("the slowest:\n{}", slow.join("\n"));
    let limit = Duration::from_millis(number_from_env("TENGEN_STOP_LIMIT_MS", 200));
    assert!(percentile(50) < MEDIAN_LIMIT, "half of the answers take longer");
    assert!(percentile(99) < limit, "the slowest:\n{}", slow.join("\n"));
}
