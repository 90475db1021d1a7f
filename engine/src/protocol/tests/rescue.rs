//! A panic in the session itself costs no game.

use super::super::scripted::{Manner, Talk, coords};
use super::expect;

/// Removes the message about a panic.
#[track_caller]
fn after_fault(mut said: Vec<String>) -> Vec<String> {
    assert!(said[0].starts_with("MESSAGE internal error: poison (scripted.rs:"), "{said:?}");
    said.remove(0);
    said
}

#[test]
fn a_question_that_cannot_be_dealt_with_is_answered_by_a_move() {
    let mut talk = Talk::started(Manner::Quick);
    expect("A5", &after_fault(talk.send_poison("BEGIN")), "7,7");
    let reply = after_fault(talk.send_poison("TURN 0,0"));
    expect("A5", &reply, "m");
    // Both moves stand on the board.
    let (x, y) = coords(&reply[0]).unwrap();
    expect("A5", &talk.send(&format!("TURN {x},{y}\nTURN 0,0")), "E|E");
    expect("A5", &talk.send("TURN 14,14"), "m");
    talk.send("BOARD\n7,7,1\n8,8,2");
    expect("A5", &after_fault(talk.send_poison("DONE")), "m");
    expect("A5", &after_fault(talk.send_poison("INFO rule 4")), "");
    expect("A5", &after_fault(talk.send_poison("RESTART")), "E");
    expect("A5", &talk.send("RESTART\nBEGIN"), "OK|7,7");
}

#[test]
fn a_line_that_panics_while_a_move_is_owed_costs_neither_the_move_nor_gives_two() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("BEGIN");
    expect("A5", &after_fault(talk.send_poison("INFO time_left 5000")), "");
    let said = after_fault(talk.send_poison("ABOUT"));
    assert!(said.iter().all(|line| line.starts_with("MESSAGE ")), "{said:?}");
    expect("A5", &talk.play(7, 7), "7,7");
    talk.send("TURN 0,0");
    expect("A5", &after_fault(talk.answer_poison()), "m");
    talk.send("TURN 14,14");
    expect("A5", &talk.play(3, 3), "3,3");
}
