//! Lines that were there when a question was asked, and lines that come while the engine thinks.

use super::super::scripted::{Manner, Talk};
use super::{expect, ms};

fn deaf() -> Talk {
    Talk::started(Manner::Deaf)
}

#[test]
fn the_clock_of_a_question_in_a_script_begins_with_the_answer_before_it() {
    let mut talk = deaf();
    talk.send_script("BEGIN\nTURN 0,0");
    talk.wait(5000);
    talk.play(7, 7);
    assert_eq!(talk.job().unwrap().limits.start, talk.now);
}

#[test]
fn a_line_that_comes_later_is_meant_for_the_search_even_if_a_script_waits() {
    let script = "BEGIN\nFOO\nTURN 0,0";
    for later in ["STOP", "INFO timeout_turn 0", "START 20", "TURN 0,1"] {
        let mut talk = deaf();
        expect("139", &talk.send_script(script), "");
        expect("139", &talk.send(later), "");
        assert!(talk.log().stopped, "{later}");
        expect("139", &talk.play(7, 7), "7,7|U");
        // The next question was asked when this was there already, which ends it only as a STOP does.
        assert_eq!(talk.log().stopped, later == "STOP", "{later}");
    }
    let mut talk = deaf();
    talk.send_script(script);
    expect("139", &talk.send("INFO time_left 500"), "");
    assert_eq!(talk.log().limits[0].time.left, ms(500));
    assert!(!talk.log().stopped);
    expect("139", &talk.send("END"), "");
    assert!(talk.is_over());
}

#[test]
fn the_last_value_of_a_clock_holds_though_an_earlier_one_waits() {
    let mut talk = deaf();
    talk.send_script("BEGIN\nINFO time_left 60000\nINFO time_increment 7");
    talk.send("INFO time_left 500");
    assert_eq!(talk.log().limits[0].time.left, ms(500));
    talk.play(7, 7);
    talk.send("TURN 0,0");
    let time = talk.job().unwrap().limits.time;
    assert_eq!((time.left, Some(time.increment)), (ms(500), ms(7)));
}

#[test]
fn a_search_without_a_limit_is_ended_by_what_waits_for_it() {
    let unlimited = "INFO timeout_turn -1\nYXNBEST 1";
    let mut talk = deaf();
    let replies = talk.send_script(format!("{unlimited}\nABOUT"));
    assert!(replies.len() == 1 && !talk.log().stopped, "{replies:?}");
    for ender in ["TURN 0,0", "START 20", "END", "STOP"] {
        let mut talk = deaf();
        expect("138", &talk.send_script(format!("{unlimited}\n{ender}")), "");
        assert!(talk.log().stopped && !talk.is_over(), "{ender}");
        let replies = talk.play(7, 7);
        expect("138", &replies[..1], "7,7");
    }
}

#[test]
fn a_board_that_asks_right_behind_a_move_is_answered_at_once() {
    let mut talk = deaf();
    talk.send("yxshowinfo");
    expect("5.2", &talk.send_script("turn 7,7\nINFO time_left 60000\nyxshowforbid"), "FORBID .");
    assert_eq!(talk.log().limits.len(), 1);
    expect("5.2", &talk.send_script("start 15"), "");
    assert!(!talk.log().stopped, "a new position waits for the move");
    expect("5.2", &talk.play(8, 8), "8,8|OK");
}
