//! Thinking on the opponent's time, with the real binary.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::child::{Engine, Fault, board_command};
use tengen::notation::{Xy, parse_cell};
use tengen::rules::Rule;
use tengen::types::{Color, Point, Size};

const PATIENCE: Duration = Duration::from_secs(20);
const SIZE: Size = Size::DEFAULT;

/// How long is watched whether the processor works.
const WATCH: Duration = Duration::from_millis(300);

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
        } else if let Ok(point) = tengen::notation::parse_xy(&text, SIZE) {
            assert!(line.first().is_none_or(|told| *told == point), "{line:?} was told");
            return (point, line.get(1).copied());
        }
    }
}

/// Returns the processor time that passes while nothing is asked.
fn burnt(engine: &Engine) -> Option<Duration> {
    let before = engine.processor_time()?;
    sleep(WATCH);
    Some(engine.processor_time()?.saturating_sub(before))
}

/// Returns an engine that thinks about the reply it expects. A search that is cut off just after its
/// move has failed high expects none, so it may take more than one.
fn pondering() -> Engine {
    let quiet_position = board_command(&points("h8 i9 h6 g7 j7"), Color::White);
    for _ in 0..10 {
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
    for ender in ["RESTART\n", "START 15\n", "STOP\n", "INFO pondering 0\n"] {
        let mut engine = pondering();
        let Some(while_pondering) = burnt(&engine) else { return };
        assert!(while_pondering > Duration::from_millis(30), "{while_pondering:?}");
        engine.send(ender).unwrap();
        if ender.contains("START") {
            assert_eq!(engine.any_line(PATIENCE).as_deref(), Some("OK"));
        }
        sleep(Duration::from_millis(100));
        let after = burnt(&engine).unwrap();
        assert!(after <= Duration::from_millis(20), "{after:?} after {ender}");
        assert_eq!(engine.any_line(Duration::ZERO), None, "{ender}");
        engine.end(Instant::now() + PATIENCE).unwrap();
    }
}

#[test]
fn a_game_with_hits_and_misses_has_one_move_a_turn_and_no_other_line() {
    let mut engine = ready().unwrap();
    let mut moves = points("h8 i9 h6");
    engine.send(&board_command(&moves, Color::White)).unwrap();
    let mut hits = 0;
    for turn in 0..8 {
        let (point, expected) = move_and_expected(&mut engine);
        assert!(!moves.contains(&point), "{point} is taken");
        moves.push(point);
        // Not a word on the opponent's time.
        assert_eq!(engine.any_line(Duration::from_millis(100)), None);
        let free = SIZE.points().find(|p| !moves.contains(p)).unwrap();
        let reply = expected.filter(|p| turn % 2 == 0 && !moves.contains(p));
        hits += u32::from(reply.is_some());
        moves.push(reply.unwrap_or(free));
        engine.send(&format!("TURN {}\n", Xy(moves[moves.len() - 1]))).unwrap();
    }
    move_and_expected(&mut engine);
    assert!(hits > 0, "no reply was ever expected");
    engine.end(Instant::now() + PATIENCE).unwrap();
}
