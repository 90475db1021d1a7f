//! Allocations made before a question are not repeated for it, and nothing learnt is lost.

use std::time::{Duration, Instant};

use crossbeam_channel::unbounded;

use super::*;
use crate::engine::memory::useful_threads;
use crate::engine::opening;
use crate::engine::opening_choice::OPENINGS;
use crate::engine::searches::SearchAllocations;
use crate::engine::{Scope, Setup, Skill};
use tengen_core::eval::EvaluatorKind;
use tengen_core::rules::Rule;
use tengen_core::search::Limits;
use tengen_core::search::time::{TimeControl, TimeManager};
use tengen_core::types::{Color, Size};

/// A searcher without a thread of its own.
struct Bench {
    searcher: Searcher,
    settings: Settings,
    job: Job,
}

impl Bench {
    fn new(threads: usize) -> Bench {
        let (events, _) = unbounded();
        let evaluators = Evaluators::shipped();
        let searcher = Searcher::new(
            events,
            Arc::default(),
            SharedTable::default(),
            Params::DEFAULT,
            evaluators,
        );
        let settings = Settings { threads, ..Settings::default() };
        let setup = Setup {
            size: Size::DEFAULT,
            rule: Rule::Freestyle,
            stones: vec![(Size::DEFAULT.center(), Color::Black)],
            walls: Vec::new(),
            to_move: Color::White,
        };
        let limits = Limits { max_nodes: Some(500), ..Limits::none(Instant::now()) };
        let (scope, skill) = (Scope::default(), Skill::default());
        let job = Job { id: 1, setup, task: Task::Move, analysis: true, limits, scope, skill };
        Bench { searcher, settings, job }
    }

    fn control(&self) -> SearchControl {
        let manager = TimeManager::new(&self.job.limits, 1, 224, &MoveOverhead::default());
        SearchControl::new(&self.job.limits, manager)
    }

    fn get_ready(&mut self, wanted: &dyn Fn() -> bool) {
        let control = self.control();
        self.searcher.searches.get_ready(&self.job, self.settings, &control, wanted);
    }

    fn answer(&mut self) -> Answer {
        let control = self.control();
        self.searcher.searches.adopt(self.settings);
        self.searcher.answer(&self.job, &control)
    }

    fn made(&self) -> SearchAllocations {
        self.searcher.searches.made()
    }
}

#[test]
fn nothing_is_made_for_a_question_that_was_expected() {
    let mut bench = Bench::new(3);
    bench.get_ready(&|| false);
    let made = bench.made();
    assert_eq!((made.threads, made.prepared, made.evaluators), (2, 3, 1));
    assert!(made.table.is_some());
    assert!(matches!(bench.answer(), Answer::Moves(_)));
    assert_eq!(bench.made(), made);
    // Another number of threads, another rule and a new game before the next question.
    bench.searcher.searches.forget();
    bench.searcher.advisers.forget();
    bench.settings.threads = 5;
    bench.job.setup.rule = Rule::Renju;
    bench.get_ready(&|| false);
    let made = bench.made();
    assert_eq!((made.threads, made.prepared, made.evaluators), (4, 5, 2));
    assert!(matches!(bench.answer(), Answer::Moves(_)));
    assert_eq!(bench.made(), made);
}

#[test]
fn the_memory_of_a_table_is_touched_before_a_question_that_would_touch_it() {
    let within = |time_ms| Limits {
        time: TimeControl::of_turn(Duration::from_millis(time_ms)),
        ..Limits::none(Instant::now())
    };
    let many = Limits { max_nodes: Some(2_000_000), ..within(1000) };
    let few = Limits { max_nodes: Some(500), ..within(1000) };
    let [deep, shallow] = [Some(16), Some(4)].map(|max_depth| Limits { max_depth, ..within(1000) });
    let timeless = Limits { time: TimeControl::default(), ..shallow };
    for (limits, touched) in [
        (within(1000), true),
        (many, true),
        (deep, true),
        (within(100), false),
        (few, false),
        (shallow, false),
        (timeless, false),
    ] {
        let mut bench = Bench::new(1);
        bench.settings.hash_size = Some(8 << 20);
        bench.job.limits = limits;
        bench.get_ready(&|| false);
        assert!(!bench.searcher.searches.has_resident_table(), "memory was not spoken of");
        bench.settings.knows_memory = true;
        bench.get_ready(&|| false);
        assert_eq!(bench.searcher.searches.has_resident_table(), touched, "{limits:?}");
        // A new game of a table in which nothing was learnt.
        bench.searcher.searches.forget();
        assert_eq!(bench.searcher.searches.has_resident_table(), touched, "{limits:?}");
    }
}

#[test]
fn a_table_is_touched_between_questions_where_nobody_speaks_of_memory() {
    let mut bench = Bench::new(1);
    bench.settings.hash_size = Some(8 << 20);
    bench.answer();
    bench.job.limits = Limits {
        time: TimeControl::of_turn(Duration::from_secs(1)),
        ..Limits::none(Instant::now())
    };
    bench.get_ready(&|| false);
    assert!(bench.searcher.searches.has_resident_table());
}

#[test]
fn a_question_that_comes_meanwhile_makes_the_rest_itself() {
    let mut bench = Bench::new(3);
    bench.get_ready(&|| true);
    assert_eq!((bench.made().prepared, bench.made().table), (0, None));
    assert!(matches!(bench.answer(), Answer::Moves(_)));
    assert_eq!((bench.made().threads, bench.made().prepared), (2, 3));
}

#[test]
fn nothing_that_was_learnt_is_given_up() {
    let mut bench = Bench::new(1);
    bench.get_ready(&|| false);
    bench.settings.hash_size = Some(1 << 20);
    bench.get_ready(&|| false);
    assert!(bench.made().table.is_some());
    assert_eq!(bench.searcher.searches.table_bytes(), Some(1 << 20));
    bench.answer();
    let made = bench.made();
    let usual = bench.settings;
    for settings in [
        Settings { hash_size: None, ..usual },
        Settings { evaluator: EvaluatorKind::Patterns, ..usual },
        Settings { max_memory: Some(40 << 20), hash_size: None, ..usual },
        Settings { max_memory: Some(20 << 20), ..usual },
    ] {
        bench.settings = settings;
        bench.get_ready(&|| false);
        assert_eq!(bench.made(), made, "{settings:?}");
    }
    // Threads that are no longer allowed leave their memory to the table.
    bench.settings = Settings { threads: 6, ..usual };
    bench.answer();
    assert_eq!(bench.made().threads, 5);
    bench.settings = usual;
    bench.answer();
    assert_eq!((bench.made().threads, bench.made().prepared), (0, 1));
}

#[test]
fn what_one_evaluator_has_learnt_is_nothing_for_another() {
    let mut bench = Bench::new(1);
    bench.settings.hash_size = Some(1 << 20);
    bench.answer();
    let mut keeps = |settings: Settings| {
        bench.searcher.searches.adopt(settings);
        bench.searcher.searches.table_bytes().is_some()
    };
    let usual = bench.settings;
    assert!(keeps(Settings { max_memory: Some(100 << 20), ..usual }));
    // There is no room for a network.
    assert!(!keeps(Settings { max_memory: Some(20 << 20), ..usual }));
}

#[test]
fn a_short_search_starts_no_more_threads_than_take_their_turns() {
    let mut bench = Bench::new(300);
    bench.settings.max_memory = None;
    bench.job.limits.time = TimeControl::of_turn(Duration::from_millis(20));
    bench.job.analysis = false;
    let useful = useful_threads(bench.control().budget().maximum);
    assert!(matches!(bench.answer(), Answer::Moves(_)));
    assert_eq!(
        (bench.made().threads, bench.made().prepared),
        (useful.min(300) - 1, useful.min(300))
    );
}

#[test]
fn a_node_limit_is_that_of_each_of_several_searches_for_an_answer() {
    let mut bench = Bench::new(1);
    bench.job.task = Task::Swap2;
    bench.job.analysis = false;
    bench.job.setup.stones.clear();
    bench.job.setup.to_move = Color::Black;
    let first = opening::three_stones(Size::DEFAULT, OPENINGS, None).swap_remove(0);
    let Answer::Moves(stones) = bench.answer() else { panic!("no opening") };
    assert_ne!(stones, first, "the first one, which is not the most even, and no other was judged");
}
