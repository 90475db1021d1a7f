//! Thinking, stopping and ending, and the dialect of Yixin-Board.

use super::super::scripted::{Manner, Talk, cell};
use super::{expect, ms};
use tengen_core::types::Color;

#[test]
fn a_deaf_engine_is_answered_for_and_its_late_answer_is_dropped() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("TURN 7,7");
    talk.report(3, 4);
    expect("96", &talk.send("STOP"), "");
    expect("96", &talk.wait(10), "");
    expect("96", &talk.wait_out_grace(), "3,4");
    // The next job waits until the engine is free, even if it is stopped before.
    expect("96", &talk.send("TURN 0,0\nINFO timeout_turn 77"), "");
    expect("96", &talk.play(9, 9), "");
    let job = talk.job().unwrap();
    assert_eq!(job.setup.stones[1], (cell(3, 4), Color::White));
    assert_eq!(job.limits.time.turn, ms(77));
    expect("96", &talk.play(9, 9), "9,9");
}

#[test]
fn an_engine_that_does_not_get_to_run_is_answered_for_when_its_time_is_up() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO timeout_turn 1000\nINFO timeout_match 0\nTURN 7,7");
    talk.report(3, 4);
    expect("38", &talk.wait(999), "");
    expect("38", &talk.wait(1), "3,4");
    assert!(talk.log().stopped, "it is asked to stop");
    expect("38", &talk.play(9, 9), "");
    // Without a move to play, it is asked for one before.
    talk.send("TURN 0,0");
    expect("38", &talk.wait(1000), "");
    expect("38", &talk.play(5, 6), "5,6");
    talk.send("TURN 0,1");
    talk.wait(1000);
    expect("38", &talk.wait_out_grace(), "m");
    expect("38", &talk.play(9, 9), "");
    // The time left of the match is a limit as well; an analysis has none.
    talk.send("INFO time_left 300\nINFO timeout_match 60000\nTURN 0,2");
    talk.report(12, 12);
    expect("38", &talk.wait(299), "");
    expect("38", &talk.wait(1), "12,12");
    talk.play(9, 9);
    talk.send("YXNBEST 2");
    talk.report(2, 2);
    expect("38", &talk.wait(2000), "");
}

#[test]
fn a_question_behind_a_job_that_does_not_end_is_answered_when_its_time_is_up() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("TURN 7,7");
    expect("38", &talk.wait(200), "");
    expect("38", &talk.wait_out_grace(), "m");
    for turn in ["TURN 0,0", "TURN 0,14"] {
        talk.send(turn);
        expect("38", &talk.wait(200), "");
        expect("38", &talk.wait_out_grace(), "m");
    }
    // One that ends meanwhile leaves its time to the question.
    talk.send("TURN 14,0");
    talk.wait(100);
    expect("38", &talk.play(9, 9), "");
    assert!(!talk.log().stopped);
    expect("38", &talk.play(14, 14), "14,14");
}

#[test]
fn the_move_of_a_silent_engine_is_the_last_one_reported_even_if_it_was_not_printed() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("TURN 7,7");
    assert_eq!(talk.report(3, 4).len(), 1);
    assert_eq!(talk.report(5, 6), [""; 0], "too soon");
    talk.send("STOP");
    let replies = talk.wait_out_grace();
    assert!(replies[0].ends_with("pv F7"), "{replies:?}");
    expect("96", &replies[1..], "5,6");
}

#[test]
fn a_job_that_the_engine_never_saw_is_answered_too() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("TURN 7,7\nSTOP");
    expect("96", &talk.wait_out_grace(), "m");
    expect("96", &talk.send("TURN 0,0\nSTOP"), "");
    expect("96", &talk.wait_out_grace(), "m");
    expect("96", &talk.send("TURN 0,14"), "");
    expect("96", &talk.play(9, 9), "");
    assert_eq!(talk.job().unwrap().setup.stones.len(), 5);
    expect("96", &talk.play(9, 9), "9,9");
}

#[test]
fn a_stop_reaches_a_job_that_had_to_wait() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("TURN 7,7\nSTOP");
    talk.wait_out_grace();
    talk.send("TURN 0,0\nSTOP");
    talk.play(9, 9);
    assert!(talk.job().is_some() && talk.log().stopped);
}

#[test]
fn clock_keys_change_a_running_search() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO max_node 5000\nBEGIN");
    let start = talk.job().unwrap().limits.start;
    talk.wait(100);
    expect("100", &talk.send("INFO time_left 500\nINFO max_node 7\nINFO rule 1"), "");
    assert_eq!(talk.log().limits.len(), 1);
    let limits = talk.log().limits[0];
    assert_eq!((limits.time.left, limits.start), (ms(500), start));
    assert_eq!(limits.max_nodes, Some(5000));
    assert!(!talk.log().stopped);
    expect("99", &talk.send("INFO timeout_turn 0"), "");
    assert!(talk.log().stopped);
    expect("99", &talk.play(7, 7), "7,7");
}

#[test]
fn not_even_commands_that_wait_for_a_move_come_before_end() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("BEGIN\nSTART 15\nBEGIN");
    expect("101", &talk.send("end"), "");
    assert!(talk.is_over());
    expect("101", &talk.wait_out_grace(), "");
    expect("101", &talk.play(7, 7), "");
    assert!(talk.job().is_none());
}

#[test]
fn commands_that_wait_are_carried_out_before_the_end_of_input() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("BEGIN\nTURN 0,0");
    expect("102", &talk.close(), "");
    expect("102", &talk.play(7, 7), "7,7");
    assert!(!talk.is_over());
    expect("102", &talk.play(8, 8), "8,8");
    assert!(talk.is_over());
}

#[test]
fn a_command_that_can_not_wait_stops_the_search_and_keeps_its_place() {
    let mut talk = Talk::started(Manner::Deaf);
    expect("110", &talk.send("BEGIN\nBEGIN\nABOUT"), "");
    assert!(talk.log().stopped);
    let replies = talk.play(7, 7);
    expect("110", &replies[..2], "7,7|E");
    assert!(replies[2].starts_with("name="));
    let mut talk = Talk::started(Manner::Patient);
    expect("1.4", &talk.send("BEGIN\nTURN 0,0\nTAKEBACK 0,0"), "m|m|E");
}

#[test]
fn analysis_without_a_clock_has_no_limit() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO timeout_turn -1\nINFO timeout_match -1\nINFO time_left 1");
    expect("36", &talk.send("YXBOARD DONE\nYXNBEST 1"), "");
    assert!(talk.job().unwrap().analysis);
    expect("36", &talk.send("YXSTOP"), "");
    expect("36", &talk.play(7, 7), "7,7");
    // The move is on the board.
    expect("36", &talk.send("TURN 7,7"), "E");
    talk.send("INFO timeout_turn 0\nINFO timeout_match 0\nTURN 0,0");
    assert!(!talk.job().unwrap().analysis);
}

#[test]
fn reports_are_limited_in_rate_but_the_last_is_always_printed() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO timeout_turn 5000\nBEGIN");
    assert_eq!(talk.report(7, 7), ["MESSAGE depth 1-2 ev 0 n 3 n/ms 3 tm 0 pv H8"]);
    assert_eq!(talk.report(8, 7), [""; 0]);
    talk.wait(200);
    assert_eq!(talk.report(9, 7).len(), 1);
    assert_eq!(talk.report(10, 7), [""; 0]);
    let replies = talk.play(10, 7);
    assert!(replies[0].ends_with("pv K8"), "{replies:?}");
    expect("1.3", &replies[1..], "10,7");
}

#[test]
fn without_time_left_the_match_is_charged_with_what_was_used() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.wait(300);
    talk.send("INFO timeout_match 60000\nBEGIN");
    assert_eq!(talk.job().unwrap().limits.time.left, ms(59_700));
    talk.wait(1000);
    talk.play(7, 7);
    talk.wait(5000);
    talk.send("TURN 0,0");
    assert_eq!(talk.job().unwrap().limits.time.left, ms(58_700));
    talk.send("INFO time_left 12345");
    assert_eq!(talk.log().limits[0].time.left, ms(12_345));
}

#[test]
fn without_time_left_every_move_adds_the_increment() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO timeout_match 60000\nINFO time_increment 500\nBEGIN");
    assert_eq!(talk.job().unwrap().limits.time.left, ms(60_000));
    talk.wait(100);
    talk.play(7, 7);
    talk.send("TURN 0,0");
    assert_eq!(talk.job().unwrap().limits.time.left, ms(60_400));
    talk.send("INFO timeout_match 50000");
    assert_eq!(talk.log().limits[0].time.left, ms(50_400));
}

#[test]
fn a_path_that_looks_like_a_command_does_not_end_a_search() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("BEGIN\nyxdbtopos");
    expect("123", &talk.send("turn 7,7"), "");
    expect("123", &talk.send("yxhashdump\nturn 7,7"), "");
    assert!(!talk.log().stopped);
    assert_eq!(talk.log().files[0].path.as_os_str(), "turn 7,7");
}

#[test]
fn a_clock_that_comes_during_analysis_ends_it() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO timeout_turn -1\nYXNBEST 1\nINFO timeout_turn 5000");
    let limits = talk.log().limits[0];
    assert_eq!(limits.time.turn, ms(5000));
}
