//! The conformance cases that need neither a real engine nor real time.

mod database;
mod dialect;
mod play;
mod pondering;
mod random;
mod readiness;
mod rescue;
mod script;
mod thinking;

use std::time::Duration;

use super::scripted::{Manner, Talk, coords};
use super::{MAX_INPUT_LINE, MAX_OUTPUT_LINE};
use tengen_core::rules::Rule;
use tengen_core::search::time::TimeControl;

/// True if a reply is what a pattern asks for: `m` a move, `E` an error, `U` an unknown word, or
/// the line itself.
fn matches(reply: &str, pattern: &str) -> bool {
    match pattern {
        "m" => coords(reply).is_some(),
        "E" => reply.strip_prefix("ERROR ").is_some_and(|text| !text.is_empty()),
        "U" => reply.strip_prefix("UNKNOWN ").is_some_and(|text| !text.is_empty()),
        line => reply == line,
    }
}

#[track_caller]
fn expect(case: &str, replies: &[String], patterns: &str) {
    let patterns: Vec<&str> = patterns.split('|').filter(|pattern| !pattern.is_empty()).collect();
    let fits = replies.len() == patterns.len()
        && replies.iter().zip(&patterns).all(|(reply, pattern)| matches(reply, pattern));
    assert!(fits, "case {case}: {replies:?} is not {patterns:?}");
    for reply in replies {
        assert_eq!(reply.trim(), reply);
        assert!(reply.len() < MAX_OUTPUT_LINE && !reply.contains('\n'));
    }
}

/// Runs each input on a fresh session and compares all its replies, without messages.
fn check(start: fn(Manner) -> Talk, cases: &[(&str, &str, &str)]) {
    for (case, input, patterns) in cases {
        let mut replies = start(Manner::Quick).send(input);
        replies.retain(|reply| !reply.starts_with("MESSAGE "));
        expect(case, &replies, patterns);
    }
}

#[test]
fn start_up_size_and_identity() {
    check(
        Talk::fresh,
        &[
            ("2", "START 15", "OK"),
            ("3", "START 20", "OK"),
            ("4", "START 5\nSTART 22", "OK|OK"),
            ("5", "START 4", "E"),
            ("7", "START abc\nSTART\nSTART -3\nSTART 0", "E|E|E|E"),
            ("8", "START 4\nSTART abc\nSTART 15\nBEGIN", "E|E|OK|m"),
            ("9", "START 15 15", "OK"),
            ("11", "RECTSTART 15,15", "OK"),
            ("12", "RECTSTART 20 , 15\nRECTSTART 30,20", "OK|E"),
            ("13", "RECTSTART 20\nRECTSTART a,b", "E|E"),
            ("17", "RESTART", "E"),
            ("18a", "TURN 7,7\nBEGIN\nBOARD\nDONE", "E|E|E"),
            ("18b", "TAKEBACK 1,1\nYXSHOWFORBID\nBOARD\n7,7,1\nDONE", "E|E|E"),
            ("20", "START 15\r", "OK"),
            ("21", "start 15\nStart 15", "OK|OK"),
            ("22", "  START   15  \t", "OK"),
            ("23", "\n   \n\r\n\t", ""),
        ],
    );
    let error = Talk::fresh(Manner::Quick).send("START 100");
    assert!(error[0].starts_with("ERROR ") && error[0].contains("20"), "{error:?}");
    let burst = Talk::fresh(Manner::Quick).send("START 15\nABOUT\nINFO rule 0\nBEGIN");
    assert!(burst[1].starts_with("name=\"tengen\", "), "{burst:?}");
    expect("16", &burst, &format!("OK|{}|m", burst[1]));
    expect("14", &Talk::fresh(Manner::Quick).send("ABOUT"), &burst[1]);
}

#[test]
fn a_failed_start_keeps_the_board() {
    let mut talk = Talk::started(Manner::Quick);
    expect("5", &talk.send("TURN 7,7\nSTART 100\nTURN 7,7"), "m|E|E");
}

#[test]
fn the_second_number_of_a_yixin_start_is_the_first_extent() {
    let mut talk = Talk::fresh(Manner::Deaf);
    expect("10", &talk.send("START 20 15\nboard\ndone"), "OK");
    let size = talk.job().unwrap().setup.size;
    assert_eq!((size.width(), size.height()), (15, 20));
    let mut talk = Talk::fresh(Manner::Deaf);
    expect("12", &talk.send("RECTSTART 20,15\nBEGIN"), "OK");
    let size = talk.job().unwrap().setup.size;
    assert_eq!((size.width(), size.height()), (20, 15));
}

#[test]
fn line_discipline() {
    check(
        Talk::started,
        &[
            ("24", "FOOBAR 1 2", "UNKNOWN command FOOBAR"),
            ("25", "DONE", "U"),
            ("26", "7,7", "U"),
            ("43", "INFO evaluate 3,4", ""),
            ("114", "yxfoo", "U"),
        ],
    );
    let mut talk = Talk::started(Manner::Quick);
    let long = vec![b'x'; MAX_INPUT_LINE + 1];
    expect("27", &talk.send_bytes(&long), "E");
    expect("28", &talk.send_bytes(b"\xff\xfe\x80\0"), "U");
    expect("28", &talk.send_bytes(b"FOO\0BAR"), "U");
    expect("28", &talk.send("START 15"), "OK");
}

#[test]
fn info_never_answers() {
    let mut talk = Talk::started(Manner::Quick);
    let lines = "INFO timeout_turn 1000\nINFO timeout_match 60000\nINFO time_left 60000
INFO max_memory 83886080\nINFO game_type 1\nINFO rule 0\nINFO folder C:\\My Data\\x y
INFO evaluate 3,4\nINFO unknown_key 5\nINFO\nINFO timeout_turn\nINFO timeout_turn abc
INFO hash_size 524288\nINFO thread_num 4\nINFO thread_num 0\nINFO max_depth 3
INFO max_node -1\nINFO show_detail 9\nINFO rule 16\nINFO max_memory 1";
    expect("32 33 42 43 46", &talk.send(lines), "");
}

/// Returns a time of so many milliseconds.
fn ms(millis: u64) -> Option<Duration> {
    Some(Duration::from_millis(millis))
}

#[test]
fn limits_reach_the_engine_as_the_manager_means_them() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("info TIMEOUT_TURN 500\nINFO time_left -50\nINFO timeout_match 60000");
    talk.send("INFO max_node 5000\nINFO max_depth 7\nINFO time_increment 10");
    let asked = talk.now;
    talk.send("BEGIN");
    let limits = talk.job().unwrap().limits;
    let TimeControl { turn, left, increment } = limits.time;
    assert_eq!((turn, left, Some(increment)), (ms(500), ms(0), ms(10)));
    assert_eq!((limits.max_nodes, limits.max_depth), (Some(5000), Some(7)));
    assert_eq!((limits.start, talk.job().unwrap().analysis), (asked, false));
}

#[test]
fn settings_are_sent_before_the_search_and_only_when_they_change() {
    let mut talk = Talk::started(Manner::Quick);
    talk.send("INFO max_memory 0\nINFO thread_num 3\nBEGIN");
    assert_eq!(talk.log().settings.len(), 1);
    assert_eq!(talk.log().settings[0].threads, 3);
    assert_eq!(talk.log().settings[0].max_memory, None);
    talk.send("TURN 0,0");
    assert_eq!(talk.log().settings.len(), 1);
    talk.send("INFO hash_size 2048\nTURN 0,1");
    assert_eq!(talk.log().settings[1].hash_size, Some(2 << 20));
}

#[test]
fn unreasonable_memory_is_reported_but_not_at_info() {
    for bytes in [1, 2_000_000, (16 << 20) - 1] {
        let mut talk = Talk::started(Manner::Quick);
        let replies = talk.send(&format!("INFO max_memory {bytes}\nBEGIN"));
        assert!(replies[0].starts_with("MESSAGE max_memory "), "{replies:?}");
        expect("40", &replies[1..], "m");
        assert_eq!(talk.log().settings[0].max_memory, Some(16 << 20));
        expect("40", &talk.send("INFO max_memory 83886080\nTURN 0,0"), "m");
    }
}

#[test]
fn unsupported_rules_are_told_of_once_and_cost_no_move() {
    let note = "MESSAGE rule 20 is not supported, renju is played";
    let mut talk = Talk::started(Manner::Deaf);
    expect("45", &talk.send("INFO rule 20\nSTOP"), "");
    expect("45", &talk.send("BEGIN"), "");
    assert_eq!(talk.job().unwrap().setup.rule, Rule::Renju);
    expect("45", &talk.play(7, 7), &format!("{note}|7,7"));
    for question in ["BOARD\n7,7,2\nDONE", "TURN 7,7", "swap2board\ndone", "START 15"] {
        let mut talk = Talk::started(Manner::Quick);
        let said = talk.send(&format!("INFO rule 20\n{question}"));
        assert!(said.len() == 2 && said[0] == note && !said[1].starts_with("ERROR"), "{said:?}");
    }
    let mut talk = Talk::started(Manner::Quick);
    let said = talk.send("INFO rule 16\nINFO max_memory 1\nBEGIN");
    assert!(said.len() == 3 && said[..2].iter().all(|l| l.starts_with("MESSAGE ")), "{said:?}");
}

#[test]
fn the_rule_may_come_before_or_after_start() {
    for lines in ["INFO rule 4\nSTART 15\nBEGIN", "START 15\nINFO rule 4\nBEGIN"] {
        let mut talk = Talk::fresh(Manner::Deaf);
        expect("44", &talk.send(lines), "OK");
        assert_eq!(talk.job().unwrap().setup.rule, Rule::Renju);
    }
}

#[test]
fn rule_2_is_renju_for_those_who_speak_the_dialect() {
    let rule = |lines: &str| {
        let mut talk = Talk::started(Manner::Deaf);
        talk.send(lines);
        talk.job().unwrap().setup.rule
    };
    assert_eq!(rule("INFO rule 2\nBEGIN"), Rule::Freestyle);
    assert_eq!(rule("INFO rule 2\nyxshowinfo\nBEGIN"), Rule::Renju);
    assert_eq!(rule("INFO caution_factor 1\nINFO rule 2\nBEGIN"), Rule::Renju);
    assert_eq!(rule("INFO rule 2\nstart 15 15\nboard\ndone"), Rule::Renju);
}
