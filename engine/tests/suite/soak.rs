//! Games of the real binary against itself over the protocol, judged by the plain rules.
//!
//! Two processes play every game. Each move has to be legal, not forbidden while another is
//! allowed, and in time; the processes must not crash, complain, or take more memory than they
//! were told to. What is wrong is reported with all moves of the game, and a table at the end
//! lists the games: run with `--nocapture` to see it. The environment sets the scale:
//! `TENGEN_SOAK_GAMES` (12), `TENGEN_SOAK_MS` for a move (30), `TENGEN_SOAK_JOBS` games at a time
//! (2), `TENGEN_SOAK_SLACK_MS` that a reply may take longer (60000, with which only an engine that
//! hangs is late), and `TENGEN_SOAK_SEED` (0). `TENGEN_ENGINE` names another engine.
//!
//! With less slack the clock is measured, which is for a machine without other work. Machines stand still now and then, virtual ones above all. A thread of the test that has nothing to
//! do but to wake up every millisecond notices; for what it could not do either, no move is late, and
//! the table counts those that were excused.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::child::{Engine, Fault, PATIENCE, board_command, fault, number_from_env};
use tengen_core::notation::{Moves, Xy};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Outcome, Rule, forbidden_points, violation};
use tengen_core::types::{Color, Point, Size};

/// The memory that every engine is told to keep to, in bytes.
const MAX_MEMORY: u64 = 64 << 20;
/// Boards; with five rules every combination comes within thirty games.
const SIZES: [(i64, i64); 6] = [(15, 15), (20, 20), (9, 9), (5, 5), (22, 22), (12, 17)];

/// The scale of a run.
#[derive(Clone, Copy)]
struct Plan {
    games: u64,
    turn: Duration,
    slack: Duration,
    jobs: u64,
    seed: u64,
}

impl Plan {
    fn from_env() -> Plan {
        let millis = |name, default| Duration::from_millis(number_from_env(name, default));
        Plan {
            games: number_from_env("TENGEN_SOAK_GAMES", 12),
            turn: millis("TENGEN_SOAK_MS", 30),
            slack: millis("TENGEN_SOAK_SLACK_MS", 60_000),
            jobs: number_from_env("TENGEN_SOAK_JOBS", 2).max(1),
            seed: number_from_env("TENGEN_SOAK_SEED", 0),
        }
    }
}

/// One game as it is played, and what is to be said about it afterwards.
struct Match {
    number: u64,
    game: Game,
    slowest: Duration,
    /// The moves that were late only because the machine stood still.
    excused: usize,
    memory: u64,
    faults: Vec<Fault>,
}

impl Match {
    /// Draws the opening of a game.
    fn new(number: u64, seed: u64) -> Match {
        let rule = Rule::ALL[number as usize % Rule::ALL.len()];
        let (width, height) = SIZES[number as usize % SIZES.len()];
        let size = Size::new(width, height).expect("a supported size");
        let mut rng = SplitMix64::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let stones = 2 + rng.below(5);
        let mut game = Game::new(size, rule);
        while game.moves().len() < stones {
            let (x, y) = (near_center(width, &mut rng), near_center(height, &mut rng));
            let point = size.point(x, y).expect("a point on the board");
            let black = game.to_move() == Color::Black;
            if rule == Rule::Renju && black && violation(game.board(), point).is_some() {
                continue;
            }
            // A point that is taken already is drawn again.
            let _ = game.play(point);
        }
        let (slowest, memory, faults) = (Duration::ZERO, 0, Vec::new());
        Match { number, game, slowest, excused: 0, memory, faults }
    }

    /// Plays the game to its end or the first fault.
    fn play(&mut self, plan: &Plan, clock: &Metronome) {
        if let Err(fault) = self.try_play(plan, clock) {
            self.faults.push(fault);
        }
    }

    fn try_play(&mut self, plan: &Plan, clock: &Metronome) -> Result<(), Fault> {
        let start = || Engine::start().map_err(|error| Fault(format!("cannot start: {error}")));
        let mut engines = [start()?, start()?];
        let infos = format!(
            "INFO timeout_turn {}\nINFO timeout_match 0\nINFO time_left 2147483647\n\
             INFO max_memory {MAX_MEMORY}\n",
            plan.turn.as_millis()
        );
        let size = self.game.board().size();
        for (engine, color) in engines.iter_mut().zip(Color::ALL) {
            let named = |fault| Fault(format!("{color}: {fault}"));
            engine.new_game(size, self.game.rule(), &infos).map_err(named)?;
        }
        let opening = self.game.moves().len();
        while !self.game.outcome().is_over() {
            let color = self.game.to_move();
            let engine = &mut engines[color.index()];
            let named = |fault| Fault(format!("{color}: {fault}"));
            let point = self.ask(engine, opening, plan, clock).map_err(named)?;
            self.judge(point).map_err(named)?;
            if let Err(error) = self.game.play(point) {
                return fault(format!("{color}: the move {point} is none: {error}"));
            }
        }
        for (engine, color) in engines.into_iter().zip(Color::ALL) {
            let named = |fault| Fault(format!("{color}: {fault}"));
            engine.end(Instant::now() + Duration::from_secs(1) + plan.slack).map_err(named)?;
        }
        Ok(())
    }

    /// Asks an engine for its move and takes its time and memory.
    fn ask(
        &mut self,
        engine: &mut Engine,
        opening: usize,
        plan: &Plan,
        clock: &Metronome,
    ) -> Result<Point, Fault> {
        let moves = self.game.moves();
        let last = moves[moves.len() - 1];
        // Each of the two is sent the whole position at its first move.
        let command = if moves.len() < opening + 2 {
            board_command(moves, self.game.to_move())
        } else {
            format!("TURN {}\n", Xy(last))
        };
        let asked = engine.send(&command)?;
        let (answered, point) = engine.point(self.game.board().size(), asked + PATIENCE)?;
        let took = answered - asked;
        self.slowest = self.slowest.max(took);
        let allowed = plan.turn + plan.slack;
        if took > allowed {
            let still = clock.stood_still(asked, answered);
            if took <= allowed + still {
                self.excused += 1;
                let number = self.number;
                println!("game {number}: {took:?}; the machine stood still for {still:?}");
            } else {
                let late = format!("{point} after {took:?} of {:?}", plan.turn);
                self.faults.push(Fault(format!("move {}: {late}", self.game.moves().len() + 1)));
            }
        }
        let memory = engine.peak_memory().unwrap_or(0);
        if memory > MAX_MEMORY && self.memory <= MAX_MEMORY {
            let moves = self.game.moves().len();
            self.faults.push(Fault(format!("move {}: {memory} bytes of memory", moves + 1)));
        }
        self.memory = self.memory.max(memory);
        Ok(point)
    }

    /// Returns a fault if black plays a forbidden move although another is allowed.
    fn judge(&self, point: Point) -> Result<(), Fault> {
        let board = self.game.board();
        if self.game.rule() != Rule::Renju || self.game.to_move() != Color::Black {
            return Ok(());
        }
        match violation(board, point) {
            Some(kind) if forbidden_points(board).len() < board.empty_cells() => {
                fault(format!("{point} is forbidden: {kind:?}"))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Match {
    /// Writes what is needed to play the game again, and what was wrong with it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Match { number, game, faults, .. } = self;
        let size = game.board().size();
        writeln!(f, "game {number}, {} {size}, {}", game.rule(), Moves(game.moves()))?;
        faults.iter().try_for_each(|fault| writeln!(f, "    {fault}"))
    }
}

/// The duration above which a beat is recorded.
const STANDSTILL: Duration = Duration::from_millis(8);

/// A thread that wakes up every millisecond, and notes when it could not: then this process was not
/// given a processor, and times that it took are not those of the engines.
#[derive(Default)]
struct Metronome {
    over: AtomicBool,
    gaps: Mutex<Vec<(Instant, Instant)>>,
}

impl Metronome {
    fn run(&self) {
        let mut last = Instant::now();
        while !self.over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
            let now = Instant::now();
            if now - last > STANDSTILL {
                self.gaps.lock().expect("nobody panics with the lock").push((last, now));
            }
            last = now;
        }
    }

    /// Returns how long the machine stood still between two moments.
    fn stood_still(&self, from: Instant, to: Instant) -> Duration {
        // The metronome itself has to wake up once more to notice.
        thread::sleep(STANDSTILL);
        let gaps = self.gaps.lock().expect("nobody panics with the lock");
        let overlap = |&(begin, end): &(Instant, Instant)| {
            end.min(to).saturating_duration_since(begin.max(from))
        };
        gaps.iter().map(overlap).sum()
    }
}

/// Returns a coordinate within four cells of the middle of an edge.
fn near_center(edge: i64, rng: &mut SplitMix64) -> i64 {
    let room = (edge - 1) / 2;
    let reach = room.min(4);
    room - reach + rng.below(2 * reach as usize + 1) as i64
}

/// Plays all games, some at a time, and returns them in order.
fn play_all(plan: &Plan) -> Vec<Match> {
    let next = AtomicU64::new(0);
    let done = Mutex::new(Vec::new());
    let metronome = Metronome::default();
    let clock = &metronome;
    thread::scope(|scope| {
        scope.spawn(|| clock.run());
        let player = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= plan.games {
                    return;
                }
                let mut one = Match::new(number, plan.seed);
                one.play(plan, clock);
                if !one.faults.is_empty() {
                    // At once: a long run may be ended before its last game.
                    print!("{one}");
                }
                let mut done = done.lock().expect("no player panics with the lock");
                done.push(one);
                if done.len().is_multiple_of(50) {
                    println!("{} of {} games", done.len(), plan.games);
                }
            }
        };
        let players: Vec<_> = (0..plan.jobs.min(plan.games)).map(|_| scope.spawn(player)).collect();
        let results: Vec<_> = players.into_iter().map(|player| player.join()).collect();
        clock.over.store(true, Ordering::Relaxed);
        for result in results {
            if let Err(panic) = result {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let mut games = done.into_inner().expect("no player panics with the lock");
    games.sort_by_key(|one| one.number);
    games
}

/// Prints one line of figures for each rule, and one for all.
fn print_summary(games: &[Match]) {
    println!(
        "{:<12}{:>6}{:>8}{:>7}{:>7}{:>7}{:>8}{:>8}{:>13}{:>9}{:>13}",
        "rule",
        "games",
        "black",
        "white",
        "draws",
        "forbid",
        "broken",
        "moves",
        "slowest ms",
        "excused",
        "memory MiB"
    );
    let line = |name: &str, games: &[&Match]| {
        let count = |wanted: &dyn Fn(Outcome) -> bool| {
            games.iter().filter(|one| wanted(one.game.outcome())).count()
        };
        let won = |color| count(&move |o| matches!(o, Outcome::Won(run) if run.color == color));
        let moves: usize = games.iter().map(|one| one.game.moves().len()).sum();
        let slowest = games.iter().map(|one| one.slowest).max().unwrap_or_default();
        let memory = games.iter().map(|one| one.memory).max().unwrap_or_default();
        let excused: usize = games.iter().map(|one| one.excused).sum();
        println!(
            "{name:<12}{:>6}{:>8}{:>7}{:>7}{:>7}{:>8}{moves:>8}{:>13.1}{excused:>9}{:>13.1}",
            games.len(),
            won(Color::Black),
            won(Color::White),
            count(&|o| o == Outcome::Draw),
            count(&|o| matches!(o, Outcome::Forbidden(..))),
            count(&|o| o == Outcome::Ongoing),
            slowest.as_secs_f64() * 1e3,
            memory as f64 / f64::from(1 << 20),
        );
    };
    for rule in Rule::ALL {
        let of_rule: Vec<&Match> = games.iter().filter(|one| one.game.rule() == rule).collect();
        line(rule.name(), &of_rule);
    }
    line("all", &games.iter().collect::<Vec<_>>());
}

#[test]
fn the_engine_plays_whole_games_without_a_fault() {
    let plan = Plan::from_env();
    let games = play_all(&plan);
    print_summary(&games);
    assert_eq!(games.len() as u64, plan.games);
    let bad: Vec<String> =
        games.iter().filter(|one| !one.faults.is_empty()).map(ToString::to_string).collect();
    assert!(bad.is_empty(), "{} of {} games:\n{}", bad.len(), games.len(), bad.concat());
}

#[test]
fn every_rule_meets_every_board_within_thirty_games() {
    let mut seen: Vec<(Rule, Size)> = Vec::new();
    for number in 0..30 {
        let one = Match::new(number, 7);
        assert!((2..=6).contains(&one.game.moves().len()));
        assert!(!one.game.outcome().is_over(), "{one}");
        let kind = (one.game.rule(), one.game.board().size());
        assert!(!seen.contains(&kind), "{kind:?} comes twice");
        seen.push(kind);
    }
}

#[test]
fn a_forbidden_move_is_a_fault_only_while_another_is_allowed() {
    let size = Size::square(15).unwrap();
    let mut one = Match::new(2, 0);
    let cells = [(7, 5), (0, 0), (7, 6), (0, 14), (8, 7), (14, 0), (9, 7), (14, 14)];
    let points: Vec<Point> = cells.iter().map(|&(x, y)| size.point(x, y).unwrap()).collect();
    one.game = Game::from_moves(size, Rule::Renju, &points).unwrap();
    assert!(one.judge(size.center()).is_err());
    assert!(one.judge(size.point(3, 3).unwrap()).is_ok());
    one.game = Game::from_moves(size, Rule::Standard, &points).unwrap();
    assert!(one.judge(size.center()).is_ok());
}
