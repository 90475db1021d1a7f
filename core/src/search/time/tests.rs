//! Tests of the rules of the time manager, and of whole games against a simulated clock.

use super::*;
use crate::rng::SplitMix64;
use crate::types::Size;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Returns limits of so many milliseconds.
fn limits(turn: Option<u64>, left: Option<u64>, increment: u64) -> Limits {
    let time = TimeControl { turn: turn.map(ms), left: left.map(ms), increment: ms(increment) };
    Limits { time, ..Limits::none(Instant::now()) }
}

fn manager(turn: Option<u64>, left: Option<u64>, stones: usize) -> TimeManager {
    TimeManager::new(&limits(turn, left, 0), stones, 225 - stones, &MoveOverhead::default())
}

fn maximum(manager: &TimeManager) -> Duration {
    manager.budget().maximum.unwrap()
}

fn optimum(manager: &TimeManager) -> Duration {
    manager.budget().optimum.unwrap()
}

/// An iteration that ended at `elapsed`, with neutral values otherwise.
fn ended(elapsed: Duration) -> Iteration {
    Iteration {
        elapsed,
        duration: Duration::ZERO,
        depth: 1,
        score: Score::ZERO,
        previous_score: None,
        stability: Stability::default(),
        growth: 1.5,
    }
}

/// Returns the time at which the manager stops an iteration of this kind, to the millisecond.
fn stops_at(manager: &TimeManager, iteration: Iteration) -> Duration {
    (0..1_000_000)
        .map(ms)
        .find(|&elapsed| manager.should_stop_after_iteration(&Iteration { elapsed, ..iteration }))
        .unwrap()
}

#[test]
fn a_turn_limit_alone_is_used_but_for_the_reserve() {
    let manager = manager(Some(1000), None, 20);
    assert_eq!(maximum(&manager), ms(970));
    assert_eq!(optimum(&manager), ms(873));
    assert_eq!(stops_at(&manager, ended(ms(0))), ms(873));
    // Time saved would be lost, so even a hopeless iteration is begun.
    let long = Iteration { duration: ms(800), growth: 5.0, ..ended(ms(800)) };
    assert!(!manager.should_stop_after_iteration(&long));
}

#[test]
fn a_small_turn_limit_keeps_three_quarters() {
    for turn in [1, 3, 20, 100] {
        let manager = manager(Some(turn), None, 20);
        assert_eq!(maximum(&manager), ms(turn) * 3 / 4, "{turn}");
    }
    assert_eq!(maximum(&manager(Some(200), None, 20)), ms(170));
}

#[test]
fn a_learnt_reserve_shortens_the_maximum_time() {
    let mut move_overhead = MoveOverhead::default();
    move_overhead.observe(Some(ms(970)), ms(1030));
    let manager = TimeManager::new(&limits(Some(1000), None, 0), 20, 205, &move_overhead);
    assert_eq!(maximum(&manager), ms(880));
}

#[test]
fn an_ample_game_clock_does_not_shorten_the_turn() {
    let ample = manager(Some(1000), Some(100_000), 20);
    assert_eq!(ample.budget(), manager(Some(1000), None, 20).budget());
    let scarce = manager(Some(1000), Some(12_000), 20);
    assert_eq!(maximum(&scarce), ms(970));
    assert!(optimum(&scarce) < optimum(&ample), "{:?}", scarce.budget());
    // With few empty cells left little time is ample.
    let late = manager(Some(1000), Some(12_000), 215);
    assert_eq!(optimum(&late), ms(873));
}

#[test]
fn without_a_clock_nothing_stops_an_iteration() {
    let manager = manager(None, None, 20);
    assert_eq!(manager.budget(), Budget::default());
    let iteration = Iteration { duration: ms(1 << 30), depth: 99, ..ended(ms(1 << 40)) };
    assert!(!manager.should_stop_after_iteration(&iteration));
}

#[test]
fn the_fastest_move_takes_one_iteration_and_a_few_milliseconds() {
    for manager in [manager(Some(0), None, 20), manager(Some(1000), Some(0), 20)] {
        assert!(maximum(&manager) <= ms(5));
        assert!(manager.should_stop_after_iteration(&ended(Duration::ZERO)));
    }
}

#[test]
fn no_move_takes_more_than_half_of_the_time_left() {
    for stones in [0, 10, 100, 200, 215, 220, 223, 224, 225] {
        for left in [1, 2, 5, 10, 50, 100, 500, 1000, 10_000, 100_000, 2_000_000_000] {
            for increment in [0, 100, 1_000_000] {
                let limits = limits(None, Some(left), increment);
                let budget =
                    TimeManager::new(&limits, stones, 225 - stones, &MoveOverhead::default())
                        .budget();
                let (optimum, maximum) = (budget.optimum.unwrap(), budget.maximum.unwrap());
                assert!(maximum <= ms(left) / 2, "{stones} {left} {maximum:?}");
                assert!(
                    optimum <= maximum && maximum > Duration::ZERO,
                    "{stones} {left} {budget:?}"
                );
            }
        }
    }
}

#[test]
fn an_increment_is_spent() {
    let budget = |increment| {
        let limits = limits(None, Some(60_000), increment);
        TimeManager::new(&limits, 30, 195, &MoveOverhead::default()).budget()
    };
    let (without, with) = (budget(0), budget(2000));
    assert!(with.optimum.unwrap() > without.optimum.unwrap() + ms(400), "{without:?} {with:?}");
    assert!(with.maximum.unwrap() > without.maximum.unwrap() + ms(1400), "{without:?} {with:?}");
    // It pays for the overhead of the moves to come.
    let short = TimeManager::new(&limits(None, Some(2000), 1000), 0, 225, &MoveOverhead::default());
    assert!(maximum(&short) > ms(700), "{short:?}");
}

#[test]
fn an_iteration_of_which_little_would_be_finished_is_not_begun() {
    let manager = manager(Some(5000), Some(50_000), 20);
    assert_eq!(maximum(&manager), ms(4970));
    let iteration = Iteration { duration: ms(450), growth: 4.0, ..ended(ms(500)) };
    assert!(!manager.should_stop_after_iteration(&iteration));
    let slower = Iteration { duration: ms(2000), ..iteration };
    assert!(manager.should_stop_after_iteration(&slower));
    let nonsense = Iteration { growth: f64::NAN, ..iteration };
    assert!(!manager.should_stop_after_iteration(&nonsense));
}

#[test]
fn a_falling_score_a_changing_move_and_a_shallow_depth_take_longer() {
    let manager = manager(None, Some(600_000), 20);
    let calm = Iteration { depth: 10, previous_score: Some(Score::ZERO), ..ended(ms(0)) };
    let usual = stops_at(&manager, calm);
    assert!(usual < optimum(&manager));

    let falling = Iteration { score: Score::eval(-200), ..calm };
    assert!(stops_at(&manager, falling) > usual);
    let rising = Iteration { score: Score::eval(200), ..calm };
    assert!(stops_at(&manager, rising) < usual);

    let (a, b) = (Size::square(15).unwrap().center(), Size::square(15).unwrap().point(0, 0));
    let mut changing = calm;
    changing.stability.note(a, false);
    changing.stability.note(b.unwrap(), true);
    assert_eq!(changing.stability.unchanged(), 0);
    assert!(stops_at(&manager, changing) > usual);
    let mut settled = calm;
    for _ in 0..10 {
        settled.stability.note(a, false);
    }
    assert_eq!(settled.stability.unchanged(), 9);
    assert!(stops_at(&manager, settled) < usual);

    // However bad the score, a deep iteration ends the search before the maximum time.
    let mut worst = Iteration { score: Score::eval(-9000), depth: 40, ..changing };
    for best in [a, b.unwrap()].repeat(10) {
        worst.stability.note(best, true);
    }
    let latest = stops_at(&manager, worst);
    assert!(latest < maximum(&manager) * 4 / 5, "{latest:?}");
    assert!(stops_at(&manager, Iteration { depth: 2, ..worst }) > latest);
}

#[test]
fn later_moves_are_less_important() {
    let optima: Vec<_> =
        [70, 90, 110, 130].map(|stones| optimum(&manager(Some(5000), Some(50_000), stones))).into();
    assert!(optima.is_sorted_by(|a, b| a > b), "{optima:?}");
}

/// A player's clock through a whole game.
struct Game {
    turn: Option<u64>,
    left: u64,
    increment: u64,
    own_moves: usize,
    area: usize,
    /// The average time lost on a move between the end of the search and the manager's clock; it
    /// varies from half of that to one and a half times.
    latency: Duration,
    /// True if every search uses its maximum time.
    greedy: bool,
}

impl Game {
    /// Plays the game twenty times and returns the least time used by its searches; panics if a
    /// limit is exceeded.
    fn play(&self) -> Duration {
        (0..20).map(|seed| self.play_once(seed)).min().unwrap()
    }

    fn play_once(&self, seed: u64) -> Duration {
        let mut rng = SplitMix64::new(seed);
        let mut move_overhead = MoveOverhead::default();
        let mut left = ms(self.left);
        let mut used = Duration::ZERO;
        for own in 0..self.own_moves {
            let stones = own * 2;
            let limits = limits(self.turn, Some(left.as_millis() as u64), self.increment);
            let manager = TimeManager::new(&limits, stones, self.area - stones, &move_overhead);
            let thought = self.search(&manager, &mut rng);
            let latency = self.latency * (50 + rng.below(101) as u32) / 100;
            let took = thought + latency;
            let noticed = took.saturating_sub(latency / 2);
            move_overhead.observe(manager.budget().maximum, noticed);
            move_overhead.observe_clock(&limits.time, noticed);
            if let Some(turn) = self.turn {
                assert!(took <= ms(turn), "move {own}: {took:?}");
            }
            assert!(took < left, "move {own}: {took:?} of {left:?}");
            left = left - took + ms(self.increment);
            used += thought;
        }
        used
    }

    /// Simulates one search whose iterations grow, and returns the time it took.
    fn search(&self, manager: &TimeManager, rng: &mut SplitMix64) -> Duration {
        let latest = maximum(manager);
        let mut elapsed = Duration::ZERO;
        let mut duration = Duration::from_micros(50);
        let mut stability = Stability::default();
        let points = [0, 1].map(|x| Size::square(15).unwrap().point(x, 0).unwrap());
        for depth in 1.. {
            elapsed += duration;
            if elapsed >= latest {
                return latest;
            }
            stability.note(points[usize::from(rng.below(4) == 0)], rng.below(4) == 0);
            let score = Score::eval(rng.below(100) as i32 - 50);
            let previous_score = Some(Score::ZERO);
            let growth = 1.3 + rng.below(200) as f64 / 100.0;
            let iteration =
                Iteration { elapsed, duration, depth, score, previous_score, stability, growth };
            if !self.greedy && manager.should_stop_after_iteration(&iteration) {
                return elapsed;
            }
            duration = duration.mul_f64(1.3 + rng.below(200) as f64 / 100.0);
        }
        unreachable!("the maximum time is finite")
    }
}

#[test]
fn games_of_a_minute_with_half_a_second_per_move_never_overstep() {
    for own_moves in [20, 60, 112] {
        for greedy in [false, true] {
            let latency = ms(15);
            let game = Game {
                turn: Some(500),
                left: 60_000,
                increment: 0,
                own_moves,
                area: 225,
                latency,
                greedy,
            };
            let used = game.play();
            let worthwhile = ms(400 * own_moves.min(60) as u64);
            assert!(used > worthwhile || !greedy, "{own_moves}: {used:?}");
            assert!(used > worthwhile / 2, "{own_moves}: {used:?}");
        }
    }
}

#[test]
fn long_games_on_a_large_board_are_survived() {
    // 200 moves fill the board. If every search uses its maximum time, the clock is low so early
    // that the latency alone uses it up, so those games are shorter where no turn limit helps.
    for (turn, left, own_moves, greedy) in [
        (Some(500), 60_000, 200, true),
        (Some(5000), 120_000, 200, false),
        (Some(5000), 120_000, 150, true),
        (None, 60_000, 200, false),
        (None, 30_000, 112, true),
    ] {
        let game = Game { turn, left, increment: 0, own_moves, area: 400, latency: ms(20), greedy };
        assert!(game.play() > ms(left) / 2);
    }
}

#[test]
fn a_manager_that_costs_little_leaves_more_to_use() {
    let game = |latency| Game {
        turn: Some(1000),
        left: 20_000,
        increment: 0,
        own_moves: 40,
        area: 225,
        latency: Duration::from_micros(latency),
        greedy: false,
    };
    let (near, far) = (game(500).play(), game(20_000).play());
    assert!(near > far + ms(1500), "{near:?} {far:?}");
}

#[test]
fn two_minutes_with_five_seconds_per_move_are_used_sensibly() {
    let game = |own_moves, greedy| Game {
        turn: Some(5000),
        left: 120_000,
        increment: 0,
        own_moves,
        area: 225,
        latency: ms(20),
        greedy,
    };
    let short = game(12, false).play();
    assert!(short > ms(10_000) && short < ms(60_000), "{short:?}");
    let usual = game(30, false).play();
    assert!(usual > ms(40_000) && usual < ms(115_000), "{usual:?}");
    let long = game(112, false).play();
    assert!(long > ms(80_000) && long < ms(120_000), "{long:?}");
    game(112, true).play();
}

#[test]
fn tiny_clocks_are_survived() {
    for left in [50, 100, 300, 1000] {
        let game = Game {
            turn: None,
            left,
            increment: 0,
            own_moves: 60,
            area: 225,
            latency: Duration::from_micros(100),
            greedy: true,
        };
        game.play();
    }
    let blitz = Game {
        turn: Some(20),
        left: 1000,
        increment: 0,
        own_moves: 112,
        area: 225,
        latency: ms(2),
        greedy: true,
    };
    blitz.play();
}

#[test]
fn an_increment_carries_a_game_for_ever() {
    let game = Game {
        turn: None,
        left: 5000,
        increment: 200,
        own_moves: 112,
        area: 225,
        latency: ms(20),
        greedy: true,
    };
    assert!(game.play() > ms(112 * 120));
    // One that the manager's overhead takes up, in part or whole.
    for increment in [1, 5, 20, 40, 80] {
        Game { increment, ..game }.play();
    }
}

#[test]
fn no_input_makes_the_manager_panic() {
    let mut rng = SplitMix64::new(5);
    for _ in 0..20_000 {
        let mut number = || match rng.below(5) {
            0 => None,
            1 => Some(rng.next_u64()),
            2 => Some(u64::from(rng.next_u64() as u8)),
            _ => Some(u64::from(rng.next_u64() as u32)),
        };
        let limits = limits(number(), number(), number().unwrap_or(0));
        let (stones, empties) = (rng.below(500), rng.below(500));
        let manager = TimeManager::new(&limits, stones, empties, &MoveOverhead::default());
        let iteration = Iteration {
            duration: Duration::from_nanos(rng.next_u64()),
            depth: rng.next_u64() as u32,
            growth: f64::from_bits(rng.next_u64()),
            ..ended(Duration::from_nanos(rng.next_u64()))
        };
        let _ = manager.should_stop_after_iteration(&iteration);
        let budget = manager.budget();
        assert_eq!(budget.optimum.is_some(), budget.maximum.is_some());
        assert!(budget.optimum <= budget.maximum);
    }
}
