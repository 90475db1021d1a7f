use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

/// Keeps what it is given; refuses one number, and wants some of them anew.
#[derive(Default)]
struct Kept {
    delivered: Vec<(u64, u32)>,
    arrived: Vec<(u64, bool)>,
    again: Vec<(u64, u32)>,
    refuses: Option<u64>,
}

#[derive(Debug)]
enum KeptError {
    Refused,
    Thread,
}

impl From<ThreadError> for KeptError {
    fn from(_: ThreadError) -> KeptError {
        KeptError::Thread
    }
}

impl InOrder<u32> for Kept {
    type Error = KeptError;

    fn arrived(&mut self, number: u64, _: &u32, waits: bool) -> Result<(), KeptError> {
        self.arrived.push((number, waits));
        Ok(())
    }

    fn deliver(&mut self, number: u64, attempt: u32) -> Result<Delivery, KeptError> {
        if self.refuses == Some(number) {
            return Err(KeptError::Refused);
        }
        if let Some(place) = self.again.iter().position(|&again| again == (number, attempt)) {
            self.again.remove(place);
            return Ok(Delivery::Again(attempt + 5));
        }
        self.delivered.push((number, attempt));
        Ok(Delivery::Taken)
    }
}

fn numbers(range: Range<u64>, ahead: u64) -> NumberedWork {
    NumberedWork { range, ahead, stack_bytes: 1 << 20 }
}

fn run(
    numbers: NumberedWork,
    threads: usize,
    work: impl Fn(u64, u32) -> u32 + Sync,
    sink: &mut Kept,
) -> Result<(), KeptError> {
    let work = |(): &mut (), number, attempt, _: &Stop| work(number, attempt);
    let workers = vec![(); threads];
    run_in_order(numbers, workers, BTreeMap::new(), &Stop::new(), work, sink)
}

#[test]
fn results_come_in_order_with_any_number_of_threads() {
    for threads in [1, 2, 8] {
        let mut sink = Kept { again: vec![(9, 0), (9, 5), (30, 0)], ..Kept::default() };
        run(numbers(7..200, 20), threads, |_, attempt| attempt, &mut sink).unwrap();
        let attempt = |number| [(9, 10), (30, 5)].into_iter().find(|&(n, _)| n == number);
        let expected = (7..200).map(|number| attempt(number).unwrap_or((number, 0)));
        assert!(sink.delivered.into_iter().eq(expected));
        assert_eq!(sink.arrived.len(), 193 + 3);
        if threads == 1 {
            assert!(sink.arrived.iter().all(|&(_, waits)| !waits), "one thread is never ahead");
        }
    }
    let mut sink = Kept::default();
    run(numbers(3..3, 20), 2, |_, _| 0, &mut sink).unwrap();
    assert!(sink.arrived.is_empty());
}

#[test]
fn no_number_is_begun_too_far_ahead() {
    let is_last_begun = AtomicBool::new(false);
    let work = |number, attempt| {
        is_last_begun.fetch_or(number == 9, Ordering::SeqCst);
        // The first number takes until the last of the window is begun.
        while number == 0 && !is_last_begun.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        assert!(number < 10, "nothing is delivered before number 0 is done");
        attempt
    };
    let mut sink = Kept { refuses: Some(0), ..Kept::default() };
    let result = run(numbers(0..1000, 10), 3, work, &mut sink);
    assert!(matches!(result, Err(KeptError::Refused)));
    assert!(sink.delivered.is_empty());
}

#[test]
fn what_is_known_is_delivered_and_not_worked_on() {
    let known: BTreeMap<u64, u32> = [(1, 100), (2, 100), (4, 100)].into();
    let work = |worked: &mut &mut Vec<u64>, number, attempt, _: &Stop| {
        worked.push(number);
        attempt
    };
    let (mut sink, mut worked) = (Kept::default(), Vec::new());
    let workers = vec![&mut worked];
    run_in_order(numbers(0..6, 3), workers, known, &Stop::new(), work, &mut sink).unwrap();
    assert_eq!(worked, [0, 3, 5]);
    assert_eq!(sink.delivered, [(0, 0), (1, 100), (2, 100), (3, 0), (4, 100), (5, 0)]);
}

#[test]
fn a_stop_delivers_what_is_begun_and_no_more() {
    let stop = Stop::new();
    let work = |(): &mut (), number, attempt, part: &Stop| {
        if number == 20 {
            stop.request();
            assert!(part.is_set());
        }
        attempt
    };
    let mut sink = Kept::default();
    let none = BTreeMap::new();
    run_in_order(numbers(0..1_000_000, 8), vec![(); 3], none, &stop, work, &mut sink).unwrap();
    let count = sink.delivered.len() as u64;
    assert!((21..40).contains(&count), "{count}");
    assert!(sink.delivered.into_iter().map(|(number, _)| number).eq(0..count));
}

#[test]
fn work_can_give_up_after_an_error_and_the_stop_of_others_stays_as_it_is() {
    let stop = Stop::new();
    let work = |(): &mut (), number, attempt, part: &Stop| {
        // Without the error this would never end.
        while number == 1 && !part.is_set() {
            thread::yield_now();
        }
        attempt
    };
    let mut sink = |_: u64, _: u32| -> Result<Delivery, KeptError> { Err(KeptError::Refused) };
    let result =
        run_in_order(numbers(0..2, 8), vec![(); 2], BTreeMap::new(), &stop, work, &mut sink);
    assert!(matches!(result, Err(KeptError::Refused)) && !stop.is_set());
}

/// Doubles a number until it is large enough, and then begins with the next one, up to some.
struct Doubler {
    jobs: Vec<u64>,
    begun: u64,
    done: Vec<u64>,
}

impl JobSource<u64, u64> for Doubler {
    type Error = ThreadError;

    fn next(&mut self) -> Result<Option<u64>, ThreadError> {
        if self.jobs.is_empty() && self.begun < 20 {
            self.begun += 1;
            self.jobs.push(self.begun);
        }
        Ok(self.jobs.pop())
    }

    fn take(&mut self, result: u64) -> Result<(), ThreadError> {
        let to = if result < 1000 { &mut self.jobs } else { &mut self.done };
        to.push(result);
        Ok(())
    }
}

#[test]
fn results_decide_what_is_done_next() {
    for threads in [1, 3] {
        let mut doubler = Doubler { jobs: Vec::new(), begun: 0, done: Vec::new() };
        let work = |(): &mut (), number, _: &Stop| 2 * number;
        run_as_done(vec![(); threads], 1 << 20, &Stop::new(), work, &mut doubler).unwrap();
        doubler.done.sort_unstable();
        let mut expected: Vec<u64> =
            (1..=20).map(|n: u64| (1..).map(|k| n << k).find(|&n| n >= 1000).unwrap()).collect();
        expected.sort_unstable();
        assert_eq!(doubler.done, expected, "{threads}");
    }
}

#[test]
fn parts_come_in_their_order() {
    for (parts, threads) in [(0, 3), (1, 3), (100, 1), (100, 3)] {
        assert_eq!(
            run_parts(parts, threads, |part| 2 * part),
            Vec::from_iter((0..parts).map(|n| 2 * n))
        );
    }
}

#[test]
fn a_sink_that_fails_ends_the_work() {
    let mut sink = Kept { refuses: Some(5), ..Kept::default() };
    let result = run(numbers(0..u64::MAX, u64::MAX), 2, |_, attempt| attempt, &mut sink);
    assert!(matches!(result, Err(KeptError::Refused)));
    assert_eq!(sink.delivered.len(), 5);
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_thread_that_dies_is_not_waited_for() {
    let work = |number, attempt| if number == 50 { panic!("as asked for") } else { attempt };
    let _ = run(numbers(0..10_000, 100), 2, work, &mut Kept::default());
}
