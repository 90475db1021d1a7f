//! A small fuzzer for stable Rust: a corpus, mutations, and a search for new kinds of outcome.

pub(crate) mod corpus;
pub(crate) mod memory;
mod mutate;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;
use std::time::{Duration, Instant};

use tengen_core::rng::SplitMix64;

/// The default number of mutated inputs in a run.
const SHORT_RUN: u64 = 500;

/// The largest number of inputs in the corpus.
const CORPUS_LIMIT: usize = 4_096;

/// The bytes of an input that is judged in microseconds. A run of many inputs makes mostly these.
const SMALL: usize = 256;

/// Of a run of many inputs, one of so many is looked at from all sides.
const THOROUGH: u64 = 4_096;

/// Of a run of many inputs, one of so many may be as long as any.
const LONG: usize = 10_000;

/// The time limit for an input: far more than any should, as machines that run tests are busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// The outcome of an input: equal numbers for outcomes of one kind, or what is wrong.
pub(crate) type Verdict = Result<u64, String>;

thread_local! {
    /// True if a panic of this thread is a finding and not the failure of a test.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the words of panics that are findings, and lets the others be printed.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if WATCHED.get() {
                LAST_PANIC.set(info.to_string());
            } else {
                usual(info);
            }
        }));
    });
}

/// Judges an input; a panic and a long time are as wrong as what `judge` finds.
fn try_input(judge: fn(&[u8]) -> Verdict, input: &[u8]) -> (Verdict, Duration) {
    let run = || {
        let start = Instant::now();
        WATCHED.set(true);
        let verdict = panic::catch_unwind(AssertUnwindSafe(|| judge(input)));
        WATCHED.set(false);
        (verdict.unwrap_or_else(|_| Err(LAST_PANIC.take())), start.elapsed())
    };
    let (verdict, mut took) = run();
    if took > PATIENCE {
        // The machine may have been asleep.
        took = took.min(run().1);
    }
    if took > PATIENCE {
        return (Err(format!("took {took:?} for {} bytes", input.len())), took);
    }
    (verdict, took)
}

/// Removes parts of an input as long as what is left still has a fault.
fn shrink(judge: fn(&[u8]) -> Verdict, input: &[u8]) -> Vec<u8> {
    let mut input = input.to_vec();
    let end = Instant::now() + PATIENCE;
    let mut part = input.len().div_ceil(2);
    while part > 0 && Instant::now() < end {
        let mut at = 0;
        let mut shorter = false;
        while at < input.len() && Instant::now() < end {
            let rest = &input[(at + part).min(input.len())..];
            let candidate = [&input[..at], rest].concat();
            if try_input(judge, &candidate).0.is_err() {
                input = candidate;
                shorter = true;
            } else {
                at += part;
            }
        }
        if !shorter {
            part /= 2;
        }
    }
    input
}

/// Tells of a fault, with the smallest input that has it.
fn report(name: &str, judge: fn(&[u8]) -> Verdict, input: &[u8], seed: u64) -> ! {
    let input = shrink(judge, input);
    let (verdict, _) = try_input(judge, &input);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
    let kept = match fs::write(&file, &input) {
        Ok(()) => format!("kept in {}", file.display()),
        Err(error) => format!("not kept: {error}"),
    };
    let start = input[..input.len().min(400)].escape_ascii();
    let fault = verdict.err().unwrap_or_else(|| "no fault when tried again".to_owned());
    panic!("{name}, seed {seed}: {fault}\n{} bytes, {kept}:\n{start}", input.len());
}

/// Returns the number in a variable of the environment.
fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

/// Returns whether an input is to be looked at from all sides, which takes its time. It depends on the
/// input alone.
pub(crate) fn is_thorough(input: &[u8]) -> bool {
    thread_local! {
        static MANY: bool = variable("TENGEN_FUZZ_INPUTS").is_some();
    }
    let mut hash = input.len() as u64;
    for &byte in input.iter().take(SMALL) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    !MANY.with(|&many| many) || (hash >> 32).is_multiple_of(THOROUGH)
}

/// Judges the corpus and what mutations make of it.
///
/// Inputs with a new kind of outcome join the corpus. `TENGEN_FUZZ_SECONDS` says how long that goes
/// on, not counting the corpus, and `TENGEN_FUZZ_INPUTS` how many inputs are made, most of them small and
/// looked at quickly; `TENGEN_FUZZ_SEED` makes it another row of inputs.
///
/// # Panics
///
/// Panics with the input if one is judged to be wrong.
pub(crate) fn run(name: &str, mut corpus: Vec<Vec<u8>>, judge: fn(&[u8]) -> Verdict) {
    watch_panics();
    let seconds = variable("TENGEN_FUZZ_SECONDS").map(Duration::from_secs);
    let inputs = variable("TENGEN_FUZZ_INPUTS");
    let seed = variable("TENGEN_FUZZ_SEED").unwrap_or(1);
    let mut rng = SplitMix64::new(seed);
    let mut kinds = HashSet::new();
    let given = corpus.len();
    for input in &corpus {
        match try_input(judge, input) {
            (Ok(kind), _) => drop(kinds.insert(kind)),
            (Err(_), _) => report(name, judge, input, seed),
        }
    }
    // Time is that of the inputs alone, so that a process that was stopped makes up for it.
    let (mut runs, mut spent, mut slowest) = (0, Duration::ZERO, Duration::ZERO);
    let mut small: Vec<usize> = Vec::new();
    let mut listed = 0;
    let goes_on = |runs: u64, spent: Duration| match (inputs, seconds) {
        (Some(inputs), _) => runs < inputs,
        (None, Some(seconds)) => spent < seconds,
        (None, None) => runs < SHORT_RUN,
    };
    while goes_on(runs, spent) {
        small.extend((listed..corpus.len()).filter(|&number| corpus[number].len() <= SMALL));
        listed = corpus.len();
        // Given inputs are well-formed, and the newest ones are the least explored.
        let pool = match rng.below(4) {
            0 | 1 => 0..given,
            2 => corpus.len() - corpus.len().div_ceil(8)..corpus.len(),
            _ => 0..corpus.len(),
        };
        let is_quick = inputs.is_some() && !small.is_empty() && rng.below(LONG) > 0;
        let mut pick = |pool: Range<usize>| match is_quick {
            true => small[rng.below(small.len())],
            false => pool.start + rng.below(pool.len()),
        };
        let (base, other) = (&corpus[pick(pool)], &corpus[pick(0..corpus.len())]);
        let mut input = mutate::mutate(base, other, &mut rng);
        if is_quick {
            input.truncate(SMALL);
        }
        let (verdict, took) = try_input(judge, &input);
        let Ok(kind) = verdict else { report(name, judge, &input, seed) };
        if kinds.insert(kind) && corpus.len() < CORPUS_LIMIT.max(given) {
            corpus.push(input);
        }
        runs += 1;
        spent += took.min(PATIENCE);
        slowest = slowest.max(took);
    }
    println!(
        "{name}: {runs} mutated inputs of {given} in {:.1} s, {} kinds of outcome, slowest {:.3} s, {}",
        spent.as_secs_f64(),
        kinds.len(),
        slowest.as_secs_f64(),
        memory::noted()
    );
}
