//! Conversations with a scripted engine. What a transcript of `protocol-tests/` can say is there, and played by
//! [`transcripts`]; here is what the engine is asked, and when.

mod database;
mod dialect;
mod play;
mod pondering;
mod random;
mod readiness;
mod rescue;
mod script;
mod studies;
mod thinking;
mod transcripts;

use std::time::Duration;

use super::MAX_OUTPUT_LINE;
use super::scripted::{Manner, Talk, coords};
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
fn limits_that_boards_send_where_none_is_meant_are_none() {
    let limits = |lines: &str| {
        let mut talk = Talk::started(Manner::Deaf);
        talk.send(&format!("INFO timeout_turn 2000000\n{lines}\nBEGIN"));
        talk.job().unwrap().limits
    };
    for depth in ["100", "225", "484", "9999999999"] {
        let limits = limits(&format!("INFO max_node 1000000000\nINFO max_depth {depth}"));
        assert!(!limits.is_bounded(), "{depth}");
    }
    let meant = limits("INFO max_node 1000000001\nINFO max_depth 99");
    assert_eq!((meant.max_nodes, meant.max_depth), (Some(1_000_000_001), Some(99)));
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
