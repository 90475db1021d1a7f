//! Thinking on the opponent's time, with the real binary.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::child::{Engine, Fault, PATIENCE, board_command};
use tengen_core::notation::{Xy, parse_cell};
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Point, Size};

const SIZE: Size = Size::DEFAULT;

/// How often in a row an engine must be seen at work, or asleep; one that is idle wakes up at times.
const LOOKS: u32 = 30;

fn ready() -> Result<Engine, Fault> {
    let mut engine = Engine::start().map_err(|error| Fault(error.to_string()))?;
    engine.new_game(SIZE, Rule::Freestyle, "INFO timeout_turn 300\nINFO pondering 1\n")?;
    Ok(engine)
}

fn points(cells: &str) -> Vec<Point> {
    cells.split(' ').map(|cell| parse_cell(cell, SIZE).unwrap()).collect()
}

/// Waits for a move; returns it with the reply that the last line before it expects.
fn move_and_expected(engine: &mut Engine) -> (Point, Option<Point>) {
    let mut line = Vec::new();
    loop {
        let text = engine.any_line(PATIENCE).expect("a line");
        if let Some((_, pv)) = text.split_once(" pv ") {
            line = points(pv);
        } else if let Ok(point) = tengen_core::notation::parse_xy(&text, SIZE) {
            assert!(line.first().is_none_or(|told| *told == point), "{line:?} was told");
            return (point, line.get(1).copied());
        }
    }
}

/// Waits until the engine works all the time, or sleeps, while nothing is asked.
fn wait_until_it_burns(engine: &Engine, burns: bool) {
    let deadline = Instant::now() + PATIENCE;
    let mut looks = 0;
    while looks < LOOKS {
        assert!(Instant::now() < deadline, "it does not {}", if burns { "work" } else { "sleep" });
        sleep(Duration::from_millis(10));
        let is_so = engine.is_running().expect("the threads of a running process") == burns;
        looks = if is_so { looks + 1 } else { 0 };
    }
}

/// Returns an engine that thinks about the reply it expects. A search that is cut off just after its
/// move has failed high expects none, so it may take more than one.
fn pondering() -> Engine {
    let quiet_position = board_command(&points("h8 i9 h6 g7 j7"), Color::White);
    for _ in 0..100 {
        let mut engine = ready().unwrap();
        engine.send(&quiet_position).unwrap();
        if move_and_expected(&mut engine).1.is_some() {
            return engine;
        }
        engine.end(Instant::now() + PATIENCE).unwrap();
    }
    panic!("nothing to ponder");
}

#[test]
fn nothing_burns_once_pondering_is_over() {
    if !cfg!(target_os = "linux") {
        return; // What threads do is not known there.
    }
    for ender in ["RESTART\n", "START 15\n", "STOP\n", "INFO pondering 0\n"] {
        let mut engine = pondering();
        wait_until_it_burns(&engine, true);
        engine.send(ender).unwrap();
        if ender.contains("START") {
            assert_eq!(engine.any_line(PATIENCE).as_deref(), Some("OK"));
        }
        wait_until_it_burns(&engine, false);
        assert_eq!(engine.any_line(Duration::ZERO), None, "{ender}");
        engine.end(Instant::now() + PATIENCE).unwrap();
    }
}

#[test]
fn a_game_with_hits_and_misses_has_one_move_a_turn_and_no_other_line() {
    let mut engine = ready().unwrap();
    let mut moves = points("h8 i9 h6");
    engine.send(&board_command(&moves, Color::White)).unwrap();
    // The number of replies that a search expects depends on its depth.
    let (mut hits, mut turn) = (0, 0);
    while turn < 8 || hits == 0 {
        turn += 1;
        assert!(turn < 60, "no reply was ever expected");
        let (point, expected) = move_and_expected(&mut engine);
        assert!(!moves.contains(&point), "{point} is taken");
        moves.push(point);
        // Not a word on the opponent's time.
        assert_eq!(engine.any_line(Duration::from_millis(100)), None);
        let free = SIZE.points().find(|p| !moves.contains(p)).unwrap();
        let reply = expected.filter(|p| turn % 2 == 1 && !moves.contains(p));
        hits += u32::from(reply.is_some());
        moves.push(reply.unwrap_or(free));
        engine.send(&format!("TURN {}\n", Xy(moves[moves.len() - 1]))).unwrap();
    }
    move_and_expected(&mut engine);
    engine.end(Instant::now() + PATIENCE).unwrap();
}
