//! Many openings: threads that make them, and the order in which they are handed on.

use std::collections::HashSet;

use super::canonical::{Canonical, canonical};
use super::error::OpeningsError;
use super::games::{Contest, Trials};
use super::generate::{MOST_ATTEMPTS, MadeOpening, make};
use super::options::OpeningOptions;
use super::searcher::{Balancer, Judge};
use tengen_core::search::STACK_BYTES;
use tengen_core::types::Point;
use tengen_files::work::{Delivery, InOrder, NumberedWork, Progress, Stop, run_in_order};

/// The number of openings that may be finished before it is their turn. A few attempts more or less
/// make some openings take much longer than others.
const MOST_AHEAD: u64 = 1000;

/// The openings of an earlier run.
#[derive(Clone, Default, Debug)]
pub struct EarlierOpenings {
    /// The openings from number 0 on, in the form in which they are compared.
    pub forms: Vec<Canonical>,
    /// Later ones, made before it was their turn.
    pub ahead: Vec<MadeOpening>,
}

/// The place that openings go to.
pub trait OpeningSink {
    /// Takes the next opening.
    ///
    /// # Errors
    ///
    /// Returns why it could not; the run ends with the same error.
    fn write(&mut self, stones: &[Point]) -> Result<(), OpeningsError>;

    /// Takes note of an opening that was finished before it was its turn. It will be written later,
    /// unless it turns out to be the same as an earlier one.
    ///
    /// # Errors
    ///
    /// Returns why it could not; the run ends with the same error.
    fn keep(&mut self, made: &MadeOpening) -> Result<(), OpeningsError> {
        let _ = made;
        Ok(())
    }
}

/// Makes the openings that are missing to `number`, with a thread for each searcher, and hands them
/// in order to `sink`. `progress` receives the openings that were handed on, and those that this run has
/// made, whether it was their turn or not, which is also returned; and how candidates fared in games.
///
/// # Errors
///
/// Returns why not all could be made, [`OpeningsError::Stopped`] if `stop` was set before. Those before have been
/// handed on.
///
/// # Panics
///
/// Panics if a searcher does.
pub fn run<S: Balancer + Judge + Contest + Send>(
    options: &OpeningOptions,
    number: u64,
    begun: EarlierOpenings,
    searchers: Vec<S>,
    sink: &mut impl OpeningSink,
    stop: &Stop,
    progress: &mut dyn FnMut(Progress, &Trials),
) -> Result<Progress, OpeningsError> {
    options.check()?;
    if searchers.is_empty() {
        return Err(OpeningsError::NoSearcher);
    }
    let done = begun.forms.len() as u64;
    let known = begun.ahead.into_iter().map(|made| (made.index, Some(made))).collect();
    let forms = begun.forms.into_iter().collect();
    let so_far = Progress { done, by_this_run: 0 };
    let work = |searcher: &mut S, index: u64, attempt: u32, stop: &Stop| {
        make(options, searcher, index, attempt, stop)
    };
    let trials = Trials::default();
    progress(so_far, &trials);
    let mut sorter = Sorter { options, forms, so_far, trials, sink, stop, progress };
    let numbers = NumberedWork { range: done..number, ahead: MOST_AHEAD, stack_bytes: STACK_BYTES };
    run_in_order(numbers, searchers, known, stop, work, &mut sorter)?;
    if sorter.so_far.done < number { Err(OpeningsError::Stopped) } else { Ok(sorter.so_far) }
}

/// Sorts out openings that are the same as an earlier one.
struct Sorter<'a, S> {
    options: &'a OpeningOptions,
    forms: HashSet<Canonical>,
    so_far: Progress,
    trials: Trials,
    sink: &'a mut S,
    stop: &'a Stop,
    progress: &'a mut dyn FnMut(Progress, &Trials),
}

impl<S: OpeningSink> InOrder<Option<MadeOpening>> for Sorter<'_, S> {
    type Error = OpeningsError;

    fn arrived(
        &mut self,
        _: u64,
        made: &Option<MadeOpening>,
        waits: bool,
    ) -> Result<(), OpeningsError> {
        let Some(made) = made else { return Ok(()) };
        self.so_far.by_this_run += 1;
        self.trials += made.trials;
        (self.progress)(self.so_far, &self.trials);
        if waits { self.sink.keep(made) } else { Ok(()) }
    }

    /// Takes an opening, or `None` if it was stopped or no attempt was left for it.
    fn deliver(
        &mut self,
        index: u64,
        made: Option<MadeOpening>,
    ) -> Result<Delivery, OpeningsError> {
        let made = made.ok_or_else(|| match self.stop.is_set() {
            true => OpeningsError::Stopped,
            false => OpeningsError::Exhausted { number: index + 1, attempts: MOST_ATTEMPTS },
        })?;
        if !self.forms.insert(canonical(self.options.size, &made.stones)) {
            return Ok(Delivery::Again(made.attempt + 1));
        }
        self.sink.write(&made.stones)?;
        self.so_far.done += 1;
        (self.progress)(self.so_far, &self.trials);
        Ok(Delivery::Taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::double::ScriptedBalancer;
    use crate::openings::games::ByGames;
    use crate::openings::generate::check_opening;
    use crate::openings::options::StoneCount;
    use std::io;
    use tengen_core::rules::Rule;
    use tengen_core::types::Size;

    /// Remembers what it is given, and refuses after `full_at` openings.
    #[derive(Default)]
    struct Memory {
        written: Vec<Vec<Point>>,
        kept: Vec<MadeOpening>,
        full_at: Option<usize>,
    }

    impl OpeningSink for Memory {
        fn write(&mut self, stones: &[Point]) -> Result<(), OpeningsError> {
            if self.full_at == Some(self.written.len()) {
                return Err(OpeningsError::Output(io::ErrorKind::StorageFull.into()));
            }
            self.written.push(stones.to_vec());
            Ok(())
        }

        fn keep(&mut self, made: &MadeOpening) -> Result<(), OpeningsError> {
            self.kept.push(made.clone());
            Ok(())
        }
    }

    fn options() -> OpeningOptions {
        OpeningOptions::new(Rule::Freestyle, Size::square(15).unwrap())
    }

    /// Options with so few different openings that many come up again.
    fn narrow() -> (OpeningOptions, ScriptedBalancer) {
        let mut options = OpeningOptions::new(Rule::Freestyle, Size::square(7).unwrap());
        options.stones = StoneCount { least: 1, most: 2 };
        (options.area, options.margin) = (2, 2);
        (options, ScriptedBalancer { cells: 2, ..ScriptedBalancer::default() })
    }

    fn all(
        options: &OpeningOptions,
        number: u64,
        begun: EarlierOpenings,
        searchers: Vec<ScriptedBalancer>,
    ) -> (Memory, Result<Progress, OpeningsError>) {
        let mut memory = Memory::default();
        let result =
            run(options, number, begun, searchers, &mut memory, &Stop::new(), &mut |_, _| {});
        (memory, result)
    }

    fn forms(options: &OpeningOptions, openings: &[Vec<Point>]) -> Vec<Canonical> {
        openings.iter().map(|stones| canonical(options.size, stones)).collect()
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        for (options, double, number) in
            [(options(), ScriptedBalancer::default(), 100), (narrow().0, narrow().1, 12)]
        {
            let (one, result) =
                all(&options, number, EarlierOpenings::default(), vec![double.clone()]);
            assert_eq!(result.unwrap().done, number);
            assert_eq!(one.written.len() as u64, number);
            assert!(one.kept.is_empty(), "one thread is never ahead");
            for threads in [2, 3, 8] {
                let doubles = vec![double.clone(); threads];
                let (many, result) = all(&options, number, EarlierOpenings::default(), doubles);
                assert_eq!(many.written, one.written, "{threads}");
                assert_eq!(result.unwrap().done, number);
            }
        }
    }

    #[test]
    fn openings_that_are_the_same_are_made_anew() {
        let (options, double) = narrow();
        let (memory, _) = all(&options, 12, EarlierOpenings::default(), vec![double.clone(); 3]);
        let different: HashSet<_> = forms(&options, &memory.written).into_iter().collect();
        assert_eq!(different.len(), 12);
        // The test would be empty if nothing had come up twice.
        let alone = |index| make(&options, &mut double.clone(), index, 0, &Stop::new()).unwrap();
        let plain: Vec<Vec<Point>> = (0..12).map(|index| alone(index).stones).collect();
        let different: HashSet<_> = forms(&options, &plain).into_iter().collect();
        assert!(different.len() < 10, "{}", different.len());
    }

    #[test]
    fn a_run_goes_on_where_another_ended() {
        for (options, double, number) in
            [(options(), ScriptedBalancer::default(), 60), (narrow().0, narrow().1, 12)]
        {
            let (whole, _) =
                all(&options, number, EarlierOpenings::default(), vec![double.clone(); 2]);
            for done in [0, 1, 7, number as usize - 1, number as usize] {
                let forms = forms(&options, &whole.written[..done]);
                // The state of an interrupted run may be older than the lines, or ahead of them.
                for ahead in [Vec::new(), whole.kept.clone()] {
                    let begun = EarlierOpenings { forms: forms.clone(), ahead };
                    let (rest, result) = all(&options, number, begun, vec![double.clone(); 3]);
                    assert_eq!(rest.written, whole.written[done..], "{done}");
                    assert_eq!(result.unwrap().done, number);
                }
            }
        }
    }

    #[test]
    fn what_was_kept_is_not_made_again() {
        let options = options();
        let alone = |index| {
            make(&options, &mut ScriptedBalancer::default(), index, 0, &Stop::new()).unwrap()
        };
        let begun = EarlierOpenings { forms: Vec::new(), ahead: [1, 2, 4].map(alone).to_vec() };
        let (memory, result) = all(&options, 6, begun, vec![ScriptedBalancer::default()]);
        assert_eq!(result.unwrap(), Progress { done: 6, by_this_run: 3 });
        let plain: Vec<Vec<Point>> = (0..6).map(|index| alone(index).stones).collect();
        assert_eq!(memory.written, plain);
    }

    #[test]
    fn fewer_openings_are_the_beginning_of_more() {
        let options = options();
        let doubles = || vec![ScriptedBalancer::default(); 2];
        let (few, _) = all(&options, 20, EarlierOpenings::default(), doubles());
        let (more, _) = all(&options, 50, EarlierOpenings::default(), doubles());
        assert_eq!(few.written, more.written[..20]);
        let begun = EarlierOpenings { forms: forms(&options, &more.written), ahead: Vec::new() };
        let (none, result) = all(&options, 20, begun, doubles());
        assert!(none.written.is_empty());
        assert_eq!(result.unwrap(), Progress { done: 50, by_this_run: 0 });
    }

    #[test]
    fn the_openings_before_an_impossible_one_are_handed_on() {
        // Nine different openings at most: one stone and one of its neighbours, or two.
        let mut options = OpeningOptions::new(Rule::Freestyle, Size::square(5).unwrap());
        options.stones = StoneCount { least: 1, most: 1 };
        (options.area, options.margin) = (2, 1);
        let double = ScriptedBalancer { cells: 1, ..ScriptedBalancer::default() };
        let mut before = None;
        for threads in [1, 4] {
            let doubles = vec![double.clone(); threads];
            let (memory, result) = all(&options, 100, EarlierOpenings::default(), doubles);
            let count = memory.written.len();
            assert!((1..50).contains(&count), "{count}");
            let Err(OpeningsError::Exhausted { number, attempts }) = result else {
                panic!("{result:?}")
            };
            assert_eq!((number, attempts), (count as u64 + 1, MOST_ATTEMPTS));
            for stones in &memory.written {
                assert_eq!(check_opening(options.rule, options.size, stones), Ok(()));
            }
            assert_eq!(*before.get_or_insert(memory.written.clone()), memory.written);
        }
    }

    #[test]
    fn an_output_that_fails_ends_the_run() {
        let mut memory = Memory { full_at: Some(3), ..Memory::default() };
        let doubles = vec![ScriptedBalancer::default(); 2];
        let (begun, stop) = (EarlierOpenings::default(), Stop::new());
        let result = run(&options(), 50, begun, doubles, &mut memory, &stop, &mut |_, _| {});
        assert!(matches!(result, Err(OpeningsError::Output(_))), "{result:?}");
        assert_eq!(memory.written.len(), 3);
    }

    #[test]
    fn bad_options_end_the_run_before_it_begins() {
        let bad = OpeningOptions { window: -1, ..options() };
        let (memory, result) =
            all(&bad, 5, EarlierOpenings::default(), vec![ScriptedBalancer::default()]);
        assert!(matches!(result, Err(OpeningsError::Options(_))));
        assert!(memory.written.is_empty());
    }

    #[test]
    fn what_games_choose_does_not_depend_on_threads_and_candidates_are_counted() {
        let options = OpeningOptions { by_games: Some(ByGames::new(6)), ..options() };
        let mut first = None;
        for threads in [1, 3] {
            let (mut memory, mut counted) = (Memory::default(), Trials::default());
            let doubles = vec![ScriptedBalancer::default(); threads];
            let (begun, stop) = (EarlierOpenings::default(), Stop::new());
            let mut progress = |_: Progress, trials: &Trials| counted = *trials;
            run(&options, 20, begun, doubles, &mut memory, &stop, &mut progress).unwrap();
            assert_eq!(counted.0[1].passed, 20);
            assert!(counted.0[0].tried() > 40, "{counted:?}");
            let now = (memory.written, counted);
            assert_eq!(*first.get_or_insert_with(|| now.clone()), now);
        }
        let (plain, _) = all(
            &OpeningOptions { by_games: None, ..options },
            20,
            EarlierOpenings::default(),
            vec![ScriptedBalancer::default()],
        );
        assert_ne!(first.unwrap().0, plain.written);
    }

    #[test]
    fn a_stop_ends_the_run_after_what_was_made() {
        let options = options();
        for threads in [1, 3] {
            let (mut memory, stop) = (Memory::default(), Stop::new());
            let doubles = vec![ScriptedBalancer::default(); threads];
            let mut progress = |now: Progress, _: &Trials| {
                if now.done == 5 {
                    stop.request();
                }
            };
            let begun = EarlierOpenings::default();
            let result = run(&options, 100_000, begun, doubles, &mut memory, &stop, &mut progress);
            assert!(matches!(result, Err(OpeningsError::Stopped)), "{result:?}");
            assert!((5..500).contains(&memory.written.len()), "{}", memory.written.len());
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_thread_that_dies_is_not_waited_for() {
        let mut doubles = vec![ScriptedBalancer::default(); 2];
        doubles[1].dies_after = Some(5);
        let _ = all(&options(), 10_000, EarlierOpenings::default(), doubles);
    }

    #[test]
    fn progress_is_told_and_never_goes_back() {
        let mut seen: Vec<Progress> = Vec::new();
        let mut memory = Memory::default();
        let doubles = vec![ScriptedBalancer::default(); 3];
        let (begun, stop) = (EarlierOpenings::default(), Stop::new());
        let mut progress = |progress, _: &Trials| seen.push(progress);
        run(&options(), 30, begun, doubles, &mut memory, &stop, &mut progress).unwrap();
        assert!(seen.is_sorted_by_key(|p| (p.by_this_run, p.done)));
        assert_eq!((seen[0].done, seen[seen.len() - 1].done), (0, 30));
    }
}
