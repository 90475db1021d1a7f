//! The limits of a running search, and its end.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::time::{Budget, Iteration, TimeControl, TimeManager};
use crate::sys::clock::{Clock, SystemClock};
use crate::sys::stop::Stop;
use crate::sys::turns;

/// The value of an absent limit.
const NONE: u64 = u64::MAX;

/// The limits of one search, shared by its threads and by those who may stop it: a clone is the same
/// control.
///
/// The time and the depth may be replaced while the search runs. Polling reads atomics only.
#[derive(Clone, Debug)]
pub struct SearchControl<C: Clock = SystemClock> {
    shared: Arc<SharedLimits<C>>,
    /// A request from outside, polled as often as the clock.
    stop: Option<Stop>,
    /// At least 1; [`NONE`] for no limit.
    max_nodes: u64,
}

/// The limits that all searches under a control obey.
#[derive(Debug)]
struct SharedLimits<C> {
    /// True if the search is to finish; polled at every node.
    is_stopped: AtomicBool,
    /// The maximum time, in nanoseconds since `origin`.
    deadline: AtomicU64,
    max_depth: AtomicU32,
    origin: Instant,
    present: Mutex<Present>,
    clock: C,
}

/// The limits in force.
#[derive(Clone, Copy, Debug)]
struct Present {
    manager: TimeManager,
    /// The moment from which they are in force.
    since: Instant,
}

impl SearchControl {
    /// Makes the control of a search with these limits.
    #[must_use]
    pub fn new(limits: &Limits, manager: TimeManager) -> SearchControl {
        SearchControl::with_clock(limits, manager, SystemClock)
    }
}

impl<C: Clock> SearchControl<C> {
    /// Makes the control of a search that reads the time from `clock`.
    #[must_use]
    pub fn with_clock(limits: &Limits, manager: TimeManager, clock: C) -> SearchControl<C> {
        let shared = SharedLimits {
            is_stopped: AtomicBool::new(false),
            deadline: AtomicU64::new(NONE),
            max_depth: AtomicU32::new(u32::MAX),
            origin: limits.start,
            present: Mutex::new(Present { manager, since: manager.start() }),
            clock,
        };
        shared.apply(limits, &Present { manager, since: manager.start() });
        let max_nodes = limits.max_nodes.unwrap_or(NONE).max(1);
        SearchControl { shared: Arc::new(shared), stop: None, max_nodes }
    }

    /// Returns the control of one of several searches for the same answer: it has this number of nodes,
    /// if the whole has no fewer, and ends with the whole.
    #[must_use]
    pub fn part(&self, max_nodes: u64) -> SearchControl<C> {
        let max_nodes = max_nodes.clamp(1, self.max_nodes);
        SearchControl { shared: Arc::clone(&self.shared), stop: self.stop.clone(), max_nodes }
    }

    /// Lets `stop` stop the search too; it stays as it is when a limit does.
    #[must_use]
    pub fn stopped_by(mut self, stop: &Stop) -> SearchControl<C> {
        self.stop = Some(stop.clone());
        self
    }

    /// Replaces the limits of time and depth; `manager` must be made from `limits`. Takes effect at the
    /// next poll. The number of nodes stays.
    pub fn set_limits(&self, limits: &Limits, manager: TimeManager) {
        self.shared.apply(limits, &Present { manager, since: self.shared.clock.now() });
    }

    /// Asks the search to finish with the best result so far.
    pub fn request_stop(&self) {
        self.shared.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Returns whether the search was asked to finish, without checking any limit.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.shared.is_stopped.load(Ordering::Relaxed)
    }

    /// Returns whether the search, which has visited `nodes` nodes, must finish; reads the clock.
    ///
    /// Once true, the result stays true for every thread.
    #[inline]
    pub fn should_stop(&self, nodes: u64) -> bool {
        turns::give_way();
        let is_wanted = || self.stop.as_ref().is_some_and(Stop::is_set);
        if !self.is_stopped() && (self.shared.is_out_of_time() || is_wanted()) {
            self.request_stop();
        }
        self.is_stopped() || nodes >= self.max_nodes
    }

    /// Returns whether to stop after a finished iteration. The times of `iteration` are those of
    /// [`SearchControl::elapsed`].
    #[must_use]
    pub fn should_stop_after_iteration(&self, iteration: &Iteration) -> bool {
        self.is_stopped()
            || iteration.depth >= self.shared.max_depth.load(Ordering::Relaxed)
            || self.manager().should_stop_after_iteration(iteration)
    }

    /// Returns the number of nodes after which the search stops, at least 1; `u64::MAX` without a limit.
    #[must_use]
    pub const fn max_nodes(&self) -> u64 {
        self.max_nodes
    }

    /// Returns the largest depth allowed, in plies.
    #[must_use]
    pub fn max_depth(&self) -> Option<u32> {
        Some(self.shared.max_depth.load(Ordering::Relaxed)).filter(|&depth| depth != u32::MAX)
    }

    /// Returns the time since the start of the current limits, that is, since the command arrived.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.shared.clock.now().saturating_duration_since(self.manager().start())
    }

    /// Returns the time control of the current limits.
    #[must_use]
    pub fn time_control(&self) -> TimeControl {
        self.manager().time_control()
    }

    /// Returns the current budget.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.manager().budget()
    }

    /// Returns the deadline of the search, measured from the start of the current limits: the
    /// maximum time, or the moment when it was set if it had already passed.
    #[must_use]
    pub fn due(&self) -> Option<Duration> {
        let Present { manager, since } = self.shared.present();
        let set = since.saturating_duration_since(manager.start());
        manager.budget().maximum.map(|maximum| maximum.max(set))
    }

    fn manager(&self) -> TimeManager {
        self.shared.present().manager
    }
}

impl<C: Clock> SharedLimits<C> {
    fn apply(&self, limits: &Limits, present: &Present) {
        let manager = &present.manager;
        let deadline = manager.budget().maximum.map_or(NONE, |maximum| {
            // The new limits may have a later or even an earlier start.
            let after = manager.start().saturating_duration_since(self.origin);
            let before = self.origin.saturating_duration_since(manager.start());
            let since_origin = after.saturating_add(maximum).saturating_sub(before);
            u64::try_from(since_origin.as_nanos()).unwrap_or(NONE)
        });
        *self.present.lock().unwrap_or_else(PoisonError::into_inner) = *present;
        self.deadline.store(deadline, Ordering::Relaxed);
        self.max_depth.store(limits.max_depth.unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    /// Returns whether the maximum time is reached.
    #[inline]
    fn is_out_of_time(&self) -> bool {
        let deadline = self.deadline.load(Ordering::Relaxed);
        let since_origin = || self.clock.now().saturating_duration_since(self.origin);
        deadline != NONE && since_origin().as_nanos() >= u128::from(deadline)
    }

    fn present(&self) -> Present {
        *self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::time::{MoveOverhead, Stability};
    use crate::sys::clock::ManualClock;
    use crate::types::Score;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn limits(start: Instant, turn: u64) -> Limits {
        Limits { time: TimeControl::of_turn(ms(turn)), ..Limits::none(start) }
    }

    fn manager(limits: &Limits) -> TimeManager {
        TimeManager::new(limits, 10, 215, &MoveOverhead::default())
    }

    fn control<'a>(limits: &Limits, clock: &'a ManualClock) -> SearchControl<&'a ManualClock> {
        SearchControl::with_clock(limits, manager(limits), clock)
    }

    fn iteration(elapsed: Duration, depth: u32) -> Iteration {
        Iteration {
            elapsed,
            duration: elapsed / 2,
            depth,
            score: Score::ZERO,
            previous_score: None,
            stability: Stability::default(),
            growth: 2.0,
        }
    }

    #[test]
    fn a_request_stops_for_good() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        let control = control(&Limits::none(start), &clock);
        clock.advance(ms(100_000_000));
        assert!(!control.should_stop(u64::MAX - 1));
        control.request_stop();
        assert!(control.is_stopped() && control.should_stop(0));
        assert!(control.should_stop_after_iteration(&iteration(ms(1), 1)));
    }

    #[test]
    fn a_stop_from_outside_is_seen_with_the_limits_and_not_set_by_them() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        let stop = Stop::new();
        let [first, second] =
            [(); 2].map(|()| control(&limits(start, 1000), &clock).stopped_by(&stop));
        assert!(!second.part(9).should_stop(1));
        stop.request();
        assert!(!second.is_stopped(), "nobody has looked");
        assert!(second.part(9).should_stop(1) && second.is_stopped());
        let stop = Stop::new();
        let first = first.stopped_by(&stop);
        clock.advance(ms(1000));
        assert!(first.should_stop(1) && !stop.is_set());
    }

    #[test]
    fn the_maximum_time_stops_on_the_nanosecond() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        let control = control(&limits(start, 1000), &clock);
        assert_eq!(control.budget().maximum, Some(ms(970)));
        clock.advance(ms(970) - Duration::from_nanos(1));
        assert!(!control.should_stop(1));
        clock.advance(Duration::from_nanos(1));
        assert_eq!(control.elapsed(), ms(970));
        assert!(!control.is_stopped(), "nobody looked at the clock");
        assert!(control.should_stop(1));
        assert!(control.is_stopped());
    }

    #[test]
    fn a_limit_that_has_passed_when_it_is_set_is_due_then() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        clock.advance(ms(20));
        let control = control(&limits(start, 1000), &clock);
        assert_eq!(control.due(), Some(ms(970)), "however late the search began");
        clock.advance(ms(280));
        let at_once = limits(start, 0);
        control.set_limits(&at_once, manager(&at_once));
        assert_eq!((control.budget().maximum, control.due()), (Some(ms(5)), Some(ms(300))));
        let longer = limits(start, 2000);
        control.set_limits(&longer, manager(&longer));
        assert_eq!(control.due(), control.budget().maximum);
        let endless = Limits::none(start);
        control.set_limits(&endless, manager(&endless));
        assert_eq!(control.due(), None);
    }

    #[test]
    fn the_node_limit_stops_exactly() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        let limits = Limits { max_nodes: Some(1000), ..Limits::none(start) };
        let control = control(&limits, &clock);
        let stopped = (0..).find(|&nodes| control.should_stop(nodes));
        assert_eq!(stopped, Some(1000));
    }

    #[test]
    fn a_part_has_nodes_of_its_own_and_ends_with_the_whole() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        let whole = control(&Limits { max_nodes: Some(1000), ..limits(start, 1000) }, &clock);
        let part = whole.part(10);
        assert!(part.should_stop(10) && !part.should_stop(9) && !whole.should_stop(999));
        assert_eq!((whole.part(0).max_nodes(), whole.part(2000).max_nodes()), (1, 1000));
        clock.advance(ms(970));
        assert!(part.should_stop(1) && whole.is_stopped());
    }

    #[test]
    fn the_depth_limit_ends_the_iterations() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        let control = control(&Limits { max_depth: Some(7), ..Limits::none(start) }, &clock);
        assert_eq!(control.max_depth(), Some(7));
        assert!(!control.should_stop_after_iteration(&iteration(ms(1), 6)));
        assert!(control.should_stop_after_iteration(&iteration(ms(1), 7)));
    }

    #[test]
    fn limits_can_be_replaced_while_the_search_runs() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        let control = control(&limits(start, 1000), &clock);
        clock.advance(ms(500));
        let longer = limits(start, 10_000);
        control.set_limits(&longer, manager(&longer));
        clock.advance(ms(5000));
        assert!(!control.should_stop(1));
        let shallow = Limits { max_nodes: Some(5), max_depth: Some(3), ..longer };
        control.set_limits(&shallow, manager(&shallow));
        assert_eq!(control.max_depth(), Some(3));
        control.set_limits(&longer, manager(&longer));
        assert!(!control.should_stop(u64::MAX - 1), "the number of nodes stays");
        assert_eq!(control.max_depth(), None);
        let at_once = limits(start, 0);
        control.set_limits(&at_once, manager(&at_once));
        assert!(control.should_stop(1));
    }

    #[test]
    fn replaced_limits_may_count_from_another_moment() {
        let start = Instant::now();
        let clock = ManualClock::new(start);
        let control = control(&Limits::none(start), &clock);
        clock.advance(ms(3000));
        let later = limits(start + ms(3000), 1000);
        control.set_limits(&later, manager(&later));
        assert_eq!(control.elapsed(), Duration::ZERO);
        clock.advance(ms(969));
        assert!(!control.should_stop(1));
        let earlier = limits(start - ms(100), 5000);
        control.set_limits(&earlier, manager(&earlier));
        assert_eq!(control.elapsed(), ms(4069));
        clock.advance(ms(900));
        assert!(!control.should_stop(1));
        clock.advance(ms(1));
        assert!(control.should_stop(1));
    }

    #[test]
    fn a_stop_from_another_thread_is_seen() {
        let limits = Limits::none(Instant::now());
        let control = SearchControl::new(&limits, manager(&limits));
        std::thread::scope(|scope| {
            let worker =
                scope.spawn(|| (0u64..).find(|&nodes| control.should_stop(nodes)).is_some());
            control.request_stop();
            assert!(worker.join().unwrap());
        });
    }
}
