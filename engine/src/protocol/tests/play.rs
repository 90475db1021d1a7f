//! Moves, positions, undo and swap2.

use std::fmt::Write as _;

use super::super::scripted::{Manner, Talk, cell, coords};
use super::{check, expect, ms};
use crate::engine::{Answer, Task};
use tengen_core::rules::Rule;
use tengen_core::types::Color;

#[test]
fn moves() {
    check(
        Talk::started,
        &[
            ("47", "BEGIN", "m"),
            ("48", "TURN 7,7\nBEGIN", "m|E"),
            ("49", "TURN 7,7", "m"),
            ("50", "TURN 7,7\nTURN 7,7\nTURN 0,0", "m|E|m"),
            (
                "52",
                "TURN 15,0\nTURN -1,3\nTURN 7\nTURN 7;7\nTURN\nTURN a,b\nTURN 0,0",
                "E|E|E|E|E|E|m",
            ),
            ("53", "TURN 7, 7\nTURN  0 ,7", "m|m"),
            ("54", "TURN 7,7,2\nTURN 0,7 foo", "m|m"),
            (
                "58",
                "YXBOARD\n0,0,2\n1,0,2\n2,0,2\n3,0,2\n4,0,2\n0,1,1\n1,1,1\n2,1,1\n3,1,1\nDONE\nTURN 9,9",
                "m",
            ),
            ("86", "PLAY 5,5", "5,5"),
            ("87", "PLAY 5,5\nPLAY 5,5\nPLAY 15,15\nPLAY", "5,5|E|E|E"),
        ],
    );
}

#[test]
fn the_engines_own_stone_is_occupied() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("BEGIN");
    expect("51", &talk.play(3, 4), "3,4");
    expect("51", &talk.send("TURN 3,4"), "E");
}

#[test]
fn the_engine_sees_the_stones_in_playing_order() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("TURN 7,7");
    talk.play(8, 8);
    talk.send("TURN 9,9");
    let setup = talk.job().unwrap().setup;
    let expected =
        [(cell(7, 7), Color::Black), (cell(8, 8), Color::White), (cell(9, 9), Color::Black)];
    assert_eq!(setup.stones, expected);
    assert_eq!(setup.to_move, Color::White);
}

#[test]
fn a_whole_game_ends_with_a_full_board() {
    let mut talk = Talk::started(Manner::Quick);
    let mut taken = vec![coords(&talk.send("BEGIN")[0]).unwrap()];
    for y in 0..15 {
        for x in 0..15 {
            if taken.contains(&(x, y)) {
                continue;
            }
            let replies = talk.send(&format!("TURN {x},{y}"));
            expect("55", &replies, "m");
            taken.extend([(x, y), coords(&replies[0]).unwrap()]);
        }
    }
    assert_eq!(taken.len(), 225);
    taken.sort_unstable();
    taken.dedup();
    assert_eq!(taken.len(), 225);
    expect("56", &talk.send("YXNBEST 1"), "ERROR board is full");
}

/// A block of stones, without its header, that leaves `empty` cells.
fn crowd(empty: usize) -> String {
    let mut block = String::new();
    for i in 0..225 - empty {
        writeln!(block, "{},{},{}", i % 15, i / 15, 1 + (i + i / 15) % 2).unwrap();
    }
    block
}

#[test]
fn crowded_boards() {
    let mut talk = Talk::started(Manner::Quick);
    expect("56", &talk.send(&format!("BOARD\n{}DONE", crowd(0))), "ERROR board is full");
    expect("57", &talk.send(&format!("BOARD\n{}DONE", crowd(1))), "14,14");
    expect(
        "56",
        &talk.send(&format!("YXBOARD\n{}DONE\nTURN 14,14", crowd(1))),
        "ERROR board is full",
    );
}

#[test]
fn an_answer_that_can_not_be_played_is_replaced() {
    let forbidden = "INFO rule 4\nYXBOARD\n7,7,1\n0,0,2\n8,7,1\n0,2,2\n6,8,1\n0,4,2\n6,9,1\n0,6,2\nDONE\nYXNBEST 1";
    for answer in [
        Answer::NoMove,
        Answer::Swap,
        Answer::Moves(vec![]),
        Answer::Moves(vec![cell(7, 7)]),
        Answer::Moves(vec![cell(20, 20)]),
        Answer::Moves(vec![cell(6, 7)]),
    ] {
        let mut talk = Talk::started(Manner::Deaf);
        expect("64", &talk.send(forbidden), "");
        let replies = talk.answer(answer.clone());
        expect("64", &replies, "m");
        let (x, y) = coords(&replies[0]).unwrap();
        assert!((x, y) != (6, 7) && (x, y) != (7, 7), "{answer:?}");
        // The move that was printed is the one on the board.
        expect("64", &talk.send(&format!("TAKEBACK {x},{y}")), "OK");
    }
}

#[test]
fn an_unplayable_answer_gives_way_to_the_best_move_reported() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("TURN 7,7");
    talk.report(3, 4);
    expect("64", &talk.answer(Answer::NoMove), "3,4");
}

#[test]
fn blocks() {
    check(
        Talk::started,
        &[
            ("66", "BOARD\nDONE", "m"),
            ("67", "BOARD\n7,7,2\n8,8,1\n9,9,2\nDONE", "m"),
            ("70", "BOARD\n7,7,1\n8,8,1\n9,9,1\n1,1,2\nDONE", "m"),
            ("70", "BOARD\n7,7,2\n8,8,2\n9,9,2\nDONE", "m"),
            ("71", "BOARD\n7,7,2\n7,7,1\nDONE", "E"),
            ("71", "BOARD\n15,0,2\n99,99,1\nDONE", "E"),
            (
                "71",
                "BOARD\n7,7,0\nDONE\nBOARD\n7,7,4\nDONE\nBOARD\n7,7,x\nDONE\nBOARD\n7,7\nDONE",
                "E|E|E|E",
            ),
            ("71", "TURN 7,7\nBOARD\nfoo\nbar\nDONE\nTURN 7,7", "m|E|E"),
            ("73", "BOARD\n7,7,2\n\n8,8,1\n9,9,2\ndone", "m"),
            ("74", "BOARD 7,7,2 DONE\nYXBOARD 7,7,1 8,8,2 DONE", "m"),
            ("75", "BOARD\n7,7,2\n8,8,1\r\n9,9,2\nDONE\r", "m"),
            ("76", "BOARD\n7,7,2\nDONE\nBOARD\n7,8,2\nDONE\nTURN 7,8\nTURN 7,7", "m|m|E|E"),
            ("79", "YXBOARD\n3,3,1\nDONE\nTURN 7,7", "m"),
            ("82", "TURN 7,7\nTAKEBACK 7,7\nTURN 7,7", "m|E|E"),
            ("83", "TAKEBACK 7,7\nTAKEBACK 15,15\nTAKEBACK\nTURN 3,3\nTAKEBACK 14,14", "E|E|E|m|E"),
            ("84", "TURN 7,7\nTAKEBACK 0,0\nRESTART\nBEGIN", "m|E|OK|m"),
            ("88", "TURN 7,7\nSTART 15\nTURN 7,7", "m|OK|m"),
            ("112", "START 15\nBEGIN\nSTART 15\nBEGIN", "OK|m|OK|m"),
            ("120", "YXNBEST 1", "m"),
        ],
    );
    let mut talk = Talk::started(Manner::Quick);
    let many = "7,7,1\n".repeat(300);
    expect("80", &talk.send(&format!("BOARD\n{many}DONE")), "E");
}

/// In case 76 the second position replaces the first, whose cell 7,7 is the engine's own now.
#[test]
fn a_second_board_replaces_the_first() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("BOARD\n7,7,2\nDONE");
    talk.play(8, 8);
    talk.send("BOARD\n7,8,2\nDONE");
    assert_eq!(talk.job().unwrap().setup.stones, [(cell(7, 8), Color::Black)]);
}

#[test]
fn colors_come_from_the_counts_whatever_the_order() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("BOARD\n7,7,1\n8,8,1\n0,0,2\n1,1,2\nDONE");
    assert_eq!(talk.job().unwrap().setup.to_move, Color::Black);
    talk.play(5, 5);
    talk.send("BOARD\n7,7,1\n0,0,2\n1,1,2\nDONE");
    let setup = talk.job().unwrap().setup;
    assert_eq!(setup.to_move, Color::White);
    assert_eq!(setup.stones[0], (cell(7, 7), Color::White));
}

#[test]
fn neutral_stones_are_nobodys() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("BOARD\n7,7,3\n8,8,2\nDONE");
    let setup = talk.job().unwrap().setup;
    assert_eq!(setup.walls, [cell(7, 7)]);
    assert_eq!(setup.to_move, Color::White);
    let replies = talk.play(7, 7);
    expect("72", &replies, "m");
    assert_ne!(replies, ["7,7"]);
    expect("72", &talk.send("TURN 7,7"), "E");
}

#[test]
fn some_commands_are_carried_out_within_a_block() {
    let mut talk = Talk::started(Manner::Deaf);
    expect("7.23", &talk.send("BOARD\n7,7,2\nINFO rule 1\nSTOP\nDONE"), "");
    let setup = talk.job().unwrap().setup;
    assert_eq!((setup.rule, setup.stones.len()), (Rule::Standard, 1));
    talk.play(8, 8);
    expect("7.23", &talk.send("BOARD\n7,7,2\nSTART 15\nDONE"), "E");
    expect("78", &talk.send("BOARD\n7,7,2\nEND"), "");
    assert!(talk.is_over());
    let mut talk = Talk::started(Manner::Quick);
    expect("77", &talk.send("BOARD\n7,7,2"), "");
    expect("77", &talk.close(), "");
    assert!(talk.is_over());
}

#[test]
fn stones_are_taken_back_newest_first() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("TURN 7,7");
    talk.play(8, 8);
    expect("81", &talk.send("TAKEBACK 8,8\nTAKEBACK 7,7\nTURN 3,3"), "OK|OK");
    assert_eq!(talk.job().unwrap().setup.stones, [(cell(3, 3), Color::Black)]);
}

#[test]
fn restart_keeps_everything_but_the_stones() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO rule 1\nTURN 7,7");
    talk.play(8, 8);
    expect("85", &talk.send("RESTART\nBEGIN"), "OK");
    let job = talk.job().unwrap();
    assert_eq!((job.setup.rule, job.setup.stones.len()), (Rule::Standard, 0));
    assert_eq!(job.limits.time.turn, ms(200));
    assert_eq!(talk.log().new_games, 1);
}

#[test]
fn what_was_learnt_is_kept_at_start_and_forgotten_with_another_rule() {
    let mut talk = Talk::started(Manner::Quick);
    talk.send("BEGIN\nSTART 15\nBEGIN");
    assert_eq!(talk.log().new_games, 0);
    talk.send("INFO rule 1\nSTART 15\nBEGIN");
    assert_eq!(talk.log().new_games, 1);
    talk.send("START 20\nBEGIN");
    assert_eq!(talk.log().new_games, 2);
    talk.send("yxhashclear\nTURN 0,0\nTURN 0,1");
    assert_eq!(talk.log().new_games, 3);
}

#[test]
fn swap2_errors() {
    let three = "7,7\n8,8\n9,9\n";
    for stones in
        ["7,7\n", "7,7\n8,8\n", "7,7\n8,8\n9,9\n1,1\n", "7,7\n8,8\n7,7\n", "7,7\n8,8\n15,1\n"]
    {
        let mut talk = Talk::started(Manner::Quick);
        expect("92", &talk.send(&format!("SWAP2BOARD\n{stones}DONE")), "E");
    }
    let six = format!("SWAP2BOARD\n{three}1,1\n2,2\n3,3\nDONE");
    expect("92", &Talk::started(Manner::Quick).send(&six), "E");
    expect("92", &Talk::fresh(Manner::Quick).send("SWAP2BOARD\nDONE"), "E");
}

#[test]
fn swap2_stages_reach_the_engine_and_leave_the_board_alone() {
    let mut talk = Talk::started(Manner::Deaf);
    for (stones, to_move) in [
        ("", Color::Black),
        ("7,7,1\n8,8,1\n9,9,1\n", Color::White),
        ("7,7\n8,8\n9,9\n1,1\n2,2\n", Color::White),
    ] {
        expect("89-93", &talk.send(&format!("SWAP2BOARD\n{stones}DONE")), "");
        let job = talk.job().unwrap();
        assert_eq!((job.task, job.setup.to_move), (Task::Swap2, to_move));
        assert_eq!(job.setup.stones.len(), stones.lines().count());
        let three = vec![cell(3, 3), cell(4, 4), cell(5, 5)];
        match job.setup.stones.len() {
            0 => expect("89", &talk.answer(Answer::Moves(three)), "3,3 4,4 5,5"),
            3 => expect("90", &talk.answer(Answer::Moves(three[..2].to_vec())), "3,3 4,4"),
            _ => expect("91", &talk.answer(Answer::Swap), "SWAP"),
        }
    }
    expect("94", &talk.send("BEGIN"), "");
    assert_eq!(talk.job().unwrap().setup.stones, []);
}

#[test]
fn swap2_answers_are_legal_whatever_the_engine_says() {
    let five = "7,7\n8,8\n9,9\n1,1\n2,2\n";
    let answers = [
        Answer::NoMove,
        Answer::Swap,
        Answer::Moves(vec![]),
        Answer::Moves(vec![cell(3, 3); 3]),
        Answer::Moves(vec![cell(7, 7)]),
        Answer::Moves(vec![cell(3, 3), cell(18, 3), cell(3, 4)]),
    ];
    for answer in answers {
        let mut talk = Talk::started(Manner::Deaf);
        talk.send("SWAP2BOARD\nDONE");
        let replies = talk.answer(answer.clone());
        assert_eq!(replies[0].split(' ').filter_map(coords).count(), 3, "{answer:?}");
        let mut talk = Talk::started(Manner::Deaf);
        talk.send(&format!("SWAP2BOARD\n{five}DONE"));
        expect("91", &talk.answer(answer), "SWAP");
    }
}
