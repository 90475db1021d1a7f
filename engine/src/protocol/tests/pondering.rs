//! Thinking on the opponent's time.

use super::*;
use crate::engine::{Answer, Job};
use crate::protocol::scripted::cell;

/// Returns a talk in which the engine has moved to 7,7 and ponders the reply 8,8.
fn pondering() -> (Talk, Job) {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO pondering 1\nBEGIN");
    talk.report_lines(&[&[(7, 7), (8, 8), (6, 6)]]);
    expect("3.3", &talk.play(7, 7), "m");
    let job = talk.job().expect("a job to ponder");
    assert_eq!(job.setup.stones.len(), 2);
    assert!(!job.analysis, "what a book or a database knows is played at once");
    (talk, job)
}

/// Returns whether an engine that `reports` a reply ponders after its move.
fn ponders(lines: &str, reports: bool) -> bool {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send(lines);
    if reports {
        talk.report_lines(&[&[(7, 7), (8, 8)]]);
    }
    talk.play(7, 7);
    talk.job().is_some()
}

#[test]
fn nothing_is_pondered_unasked_or_without_an_expected_reply() {
    for (lines, reports) in [("BEGIN", true), ("INFO pondering 1\nBEGIN", false)] {
        assert!(!ponders(lines, reports), "{lines}");
    }
}

#[test]
fn nothing_is_pondered_where_the_reply_could_not_use_it() {
    assert!(ponders("INFO pondering 1\nBEGIN", true));
    let limits =
        ["INFO max_node 1000", "INFO max_depth 5", "INFO timeout_turn -1", "INFO strength 50"];
    for limit in limits {
        assert!(!ponders(&format!("INFO pondering 1\n{limit}\nBEGIN"), true), "{limit}");
        assert!(!ponders(&format!("INFO pondering 1\nBEGIN\n{limit}"), true), "{limit}");
    }
}

#[test]
fn the_expected_reply_goes_on_with_the_same_search_under_the_limits_of_the_move() {
    for reply in ["TURN 8,8", "BOARD\n7,7,1\n8,8,2\nDONE"] {
        let (mut talk, job) = pondering();
        assert!(talk.report_lines(&[&[(6, 6), (5, 5)]]).is_empty(), "not a word unasked");
        talk.wait(1000);
        let asked = talk.now;
        expect("3.3", &talk.send("INFO time_left 60000"), "");
        expect("3.3", &talk.send(reply), "");
        assert_eq!(talk.job().unwrap().id, job.id);
        assert!(!talk.log().stopped);
        let limits = *talk.log().limits.last().unwrap();
        assert_eq!((limits.start, limits.time.turn), (asked, ms(200)));
        let replies = talk.play(6, 6);
        assert!(replies[0].starts_with("MESSAGE depth "), "what was found before: {replies:?}");
        expect("3.3", &replies[1..], "6,6");
    }
}

#[test]
fn another_reply_stops_the_search_silently_and_begins_a_new_one() {
    let (mut talk, job) = pondering();
    expect("3.3", &talk.send("TURN 9,9"), "");
    assert!(talk.log().stopped);
    expect("3.3", &talk.answer(Answer::Moves(vec![cell(6, 6)])), "");
    let new = talk.job().unwrap();
    assert!(new.id != job.id && !new.analysis);
    expect("3.3", &talk.play(6, 6), "6,6");
}

#[test]
fn commands_that_change_the_position_end_it_without_a_word() {
    let enders = ["RESTART", "START 15", "STOP", "YXSTOP", "INFO pondering 0", "TAKEBACK 7,7"];
    for command in enders {
        let (mut talk, _) = pondering();
        let replies = talk.send(command);
        let answered = !command.contains("STOP") && !command.contains("INFO");
        expect(command, &replies, if answered { "OK" } else { "" });
        assert!(talk.log().stopped, "{command}");
        expect(command, &talk.play(6, 6), "");
        assert!(talk.job().is_none(), "{command}: nothing burns");
    }
}

#[test]
fn questions_and_clocks_do_not_disturb_it() {
    let (mut talk, _) = pondering();
    talk.send("INFO time_left 5000\nINFO timeout_turn 500\nABOUT\nYXSHOWFORBID\nYXSHOWINFO");
    assert!(!talk.log().stopped);
}

#[test]
fn other_settings_make_the_reply_a_new_search() {
    for setting in [
        "INFO thread_num 2",
        "INFO rule 1",
        "INFO max_node 1000",
        "INFO strength 50",
        "INFO usedatabase 0",
        "INFO book off",
        "yxhashclear",
    ] {
        let (mut talk, job) = pondering();
        talk.send(setting);
        talk.send("TURN 8,8");
        assert!(talk.log().stopped, "{setting}");
        talk.answer(Answer::Moves(vec![cell(6, 6)]));
        assert!(talk.job().unwrap().id != job.id, "{setting}");
    }
}

#[test]
fn end_and_the_end_of_input_end_it() {
    let (mut talk, _) = pondering();
    assert!(talk.send("END").is_empty() && talk.is_over());
    let (mut talk, _) = pondering();
    assert!(talk.close().is_empty() && talk.is_over());
}

#[test]
fn a_pondered_search_that_ends_early_is_forgotten() {
    let (mut talk, job) = pondering();
    expect("3.3", &talk.play(6, 6), "");
    expect("3.3", &talk.send("TURN 8,8"), "");
    let new = talk.job().unwrap();
    assert!(new.id != job.id && !talk.log().stopped, "begun at once");
    expect("3.3", &talk.play(5, 5), "5,5");
}

#[test]
fn a_stop_behind_a_wrong_guess_is_answered_within_the_grace_time() {
    let (mut talk, _) = pondering();
    expect("3.3", &talk.send("TURN 9,9\nSTOP"), "");
    expect("3.3", &talk.wait_out_grace(), "m");
    expect("3.3", &talk.play(6, 6), "");
    assert!(talk.job().is_none(), "the question was answered without the engine");
    talk.send("TURN 0,0");
    expect("3.3", &talk.play(6, 6), "6,6");
}
