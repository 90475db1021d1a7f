//! Positions and answers as the engine gets and gives them.

use super::super::scripted::{Manner, Talk, cell, coords};
use super::expect;
use crate::engine::{Answer, Task};
use tengen_core::types::Color;

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
