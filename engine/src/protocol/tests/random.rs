//! Managers that write whatever comes to their mind.

use super::super::scripted::{Manner, Talk, coords};
use super::MAX_OUTPUT_LINE;
use tengen_core::rng::SplitMix64;

/// Keys of `INFO`, known ones and others.
const KEYS: [&str; 22] = [
    "timeout_turn",
    "timeout_match",
    "time_left",
    "time_increment",
    "max_memory",
    "hash_size",
    "thread_num",
    "max_depth",
    "max_node",
    "rule",
    "show_detail",
    "pondering",
    "caution_factor",
    "nbestsym",
    "strength",
    "swapable",
    "usedatabase",
    "database_readonly",
    "evaluate",
    "game_type",
    "\u{202e}",
    "",
];

/// Numbers at the limits of what somebody might keep them in, and what is none.
const VALUES: [&str; 21] = [
    "0",
    "1",
    "-1",
    "2",
    "4",
    "5",
    "8",
    "225",
    "257",
    "65536",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "99999999999999999999999999",
    "1e9",
    "NaN",
    "\u{663}",
    "5 6",
    "/nonexistent",
    "",
];

/// Commands and what is none, without what follows them.
const WORDS: [&str; 32] = [
    "BEGIN",
    "BEGIN",
    "RESTART",
    "STOP",
    "YXSTOP",
    "ABOUT",
    "DONE",
    "YXSHOWINFO",
    "YXSHOWFORBID",
    "YXSHOWHASHUSAGE",
    "YXHASHCLEAR",
    "YXBLOCKRESET",
    "YXBLOCKPATHRESET",
    "YXBLOCKUNDO",
    "YXSAVEDATABASE",
    "YXDBCHECK",
    "YXQUERYDATABASEALL",
    "YXQUERYDATABASEONE",
    "YXNBEST",
    "YXBALANCEONE",
    "YXBALANCETWO",
    "YXSEARCHDEFEND",
    "YXSWAP2STEP1",
    "YXSWAP2STEP2",
    "YXSWAP2STEP3",
    "YXSOOSORVSTEP1",
    "YXSOOSORVSTEP4",
    "YXSOOSORVSTEP7",
    "\u{feff}START 15",
    "start",
    "\t",
    "",
];

fn one_of<'a>(rng: &mut SplitMix64, all: &[&'a str]) -> &'a str {
    all[rng.below(all.len())]
}

fn cell(rng: &mut SplitMix64) -> String {
    let x = match rng.below(12) {
        0 => one_of(rng, &VALUES).to_owned(),
        _ => rng.below(16).to_string(),
    };
    format!("{x},{}", rng.below(16))
}

/// Returns a block of cells, which may end or not, and hold what does not belong there.
fn block(rng: &mut SplitMix64) -> String {
    let mut text = one_of(
        rng,
        &["BOARD", "BOARD", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKPATH", "YXBLOCKPATHUNDO"],
    )
    .to_owned();
    let count = [0, 1, 2, 5, 30, 225, 600][rng.below(7)];
    for i in 0..count {
        text += &match rng.below(60) {
            0 => format!("\n{}", one_of(rng, &WORDS)),
            1 => format!("\n{},{}", cell(rng), one_of(rng, &VALUES)),
            _ => format!("\n{},{},{}", rng.below(15), rng.below(15), 1 + i % 2),
        };
    }
    if rng.below(20) > 0 {
        text += "\nDONE";
    }
    text
}

/// Returns a command, which may be none.
fn command(rng: &mut SplitMix64) -> String {
    let sizes = ["15", "20", "5", "22", "15 20", "4", "23", "-1", "99999999999", "x", ""];
    let rectangles = ["15,15", "20,15", "5,22", "22,22", "1,1", "30,30", "x"];
    match rng.below(20) {
        0..2 => format!("START {}", one_of(rng, &sizes)),
        2 => format!("RECTSTART {}", one_of(rng, &rectangles)),
        3..7 => format!("TURN {}", cell(rng)),
        7 => format!("TAKEBACK {}", cell(rng)),
        8 => format!("PLAY {}", cell(rng)),
        9..11 => block(rng),
        11..15 => format!("INFO {} {}", one_of(rng, &KEYS), one_of(rng, &VALUES)),
        15 => format!("{} {}", one_of(rng, &WORDS), one_of(rng, &VALUES)),
        _ => one_of(rng, &WORDS).to_owned(),
    }
}

/// Returns how many of the replies are moves.
fn moves(replies: &[String]) -> usize {
    replies.iter().filter(|reply| coords(reply).is_some()).count()
}

#[test]
fn whatever_a_manager_writes_the_next_game_is_played() {
    for seed in 0..300 {
        let rng = &mut SplitMix64::new(seed);
        let manner = [Manner::Quick, Manner::Patient, Manner::Deaf][rng.below(3)];
        let mut talk = Talk::started(manner);
        let mut written = Vec::new();
        let mut replies = Vec::new();
        for _ in 0..[5, 20, 60][rng.below(3)] {
            let text = command(rng);
            replies.extend(match rng.below(3) {
                0 => talk.send_script(&text),
                _ => talk.send(&text),
            });
            written.push(text);
            if rng.below(8) == 0 {
                replies.extend(talk.wait(rng.below(3000) as u64));
            }
        }
        talk.manner = Manner::Quick;
        // The first START may be answered by what was wrong with an INFO.
        let reset = "\nDONE\nSTOP\nINFO timeout_turn 30\nSTART 15\nSTART 15\nYXBLOCKRESET\n\
                     YXBLOCKPATHRESET";
        replies.extend(talk.send(reset));
        replies.extend(talk.wait_out_grace());
        let fine = |reply: &String| {
            reply.len() < MAX_OUTPUT_LINE && reply.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        };
        for reply in &replies {
            assert!(fine(reply), "seed {seed}: {reply:?} in answer to {written:#?}");
        }
        assert_eq!(moves(&talk.send("TURN 7,7")), 1, "seed {seed}: {written:#?}");
        assert_eq!(talk.send("ABOUT").len(), 1, "seed {seed}");
    }
}
