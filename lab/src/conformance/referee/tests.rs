//! Tests of the board behind a conversation.

use super::*;

fn started() -> Referee {
    let mut referee = Referee::default();
    referee.sent("START 15");
    referee.received("OK");
    referee
}

#[track_caller]
fn check(referee: &Referee, cell: CellXy) -> bool {
    referee.check_moves(&[cell]).is_ok()
}

#[test]
fn a_move_is_legal_only_where_one_was_asked_for() {
    let mut referee = started();
    assert_eq!(referee.check_moves(&[(7, 7)]), Err("no move was asked for".to_owned()));
    referee.sent("begin");
    assert!(check(&referee, (7, 7)) && !check(&referee, (15, 0)));
    referee.received("7,7");
    assert!(!check(&referee, (8, 8)));
    referee.sent("TURN 8 , 8");
    assert!(!check(&referee, (7, 7)) && !check(&referee, (8, 8)) && check(&referee, (9, 9)));
}

#[test]
fn commands_sent_ahead_take_effect_when_their_replies_come() {
    let mut referee = started();
    referee.sent("TURN 7,7");
    referee.sent("START 20");
    referee.sent("YXBOARD 8,8,1 DONE");
    referee.sent("TURN 1,1");
    assert!(!check(&referee, (15, 15)) && check(&referee, (8, 8)));
    referee.received("8,8");
    referee.received("OK");
    assert!(check(&referee, (15, 15)) && check(&referee, (7, 7)));
    assert!(!check(&referee, (8, 8)) && !check(&referee, (1, 1)));
}

#[test]
fn refused_commands_leave_the_board_alone() {
    let mut referee = started();
    referee.sent("BOARD");
    referee.sent("7,7,1");
    referee.sent("DONE");
    referee.received("ERROR counts");
    referee.sent("FOO");
    referee.received("UNKNOWN FOO");
    referee.sent("BEGIN");
    assert!(check(&referee, (7, 7)));
}

#[test]
fn blocks_replace_the_position_and_keep_their_walls() {
    let mut referee = started();
    referee.sent("TURN 1,1");
    referee.received("2,2");
    for line in ["board", "7,7,2", "", "INFO time_left 5", "8,8,3", "done"] {
        referee.sent(line);
    }
    assert!(check(&referee, (1, 1)) && !check(&referee, (7, 7)) && !check(&referee, (8, 8)));
    referee.received("9,9");
    assert_eq!(referee.position_lines(), ["7,7,1", "9,9,2", "8,8,3"]);
}

#[test]
fn taking_back_and_restarting_empty_cells() {
    let mut referee = started();
    referee.sent("TURN 7,7");
    referee.received("8,8");
    referee.sent("TAKEBACK 8,8");
    referee.received("OK");
    assert_eq!(referee.position_lines(), ["7,7,2"]);
    referee.sent("RESTART");
    referee.received("OK");
    assert!(referee.position_lines().is_empty());
}

#[test]
fn rectangles_are_width_by_height_but_yixin_board_sends_rows_first() {
    let mut referee = started();
    referee.sent("RECTSTART 20 , 15");
    referee.received("OK");
    referee.sent("BEGIN");
    assert!(check(&referee, (19, 14)) && !check(&referee, (14, 19)));
    referee.received("1,1");
    referee.sent("start 20 15");
    referee.received("OK");
    referee.sent("BEGIN");
    assert!(check(&referee, (14, 19)) && !check(&referee, (19, 14)));
}

#[test]
fn several_moves_of_one_line_must_differ() {
    let mut referee = started();
    referee.sent("SWAP2BOARD");
    referee.sent("DONE");
    assert!(referee.check_moves(&[(1, 1), (2, 2), (3, 3)]).is_ok());
    assert!(referee.check_moves(&[(1, 1), (2, 2), (1, 1)]).is_err());
}

#[test]
fn free_cells_run_out_exactly_when_the_board_is_full() {
    let mut referee = Referee::default();
    referee.sent("START 5");
    referee.received("OK");
    for _ in 0..25 {
        let (x, y) = referee.free_cell(|_| false).expect("a cell is free");
        referee.sent("PLAY 0,0");
        assert!(check(&referee, (x, y)));
        referee.received(&format!("{x},{y}"));
    }
    assert_eq!(referee.free_cell(|_| false), None);
}

#[test]
fn free_cells_are_not_those_that_somebody_has_named() {
    let mut referee = Referee::default();
    referee.sent("START 5");
    referee.received("OK");
    for _ in 0..25 {
        assert_eq!(referee.free_cell(|cell| cell != (3, 1)), Some((3, 1)));
    }
}

#[test]
fn blocks_and_paths_of_the_dialect_leave_the_board_alone() {
    let mut referee = started();
    for line in [
        "yxblock",
        "7,7",
        "done",
        "yxblock 7,7 8,8 done",
        "yxblockreset",
        "yxhashdump",
        "TURN 7,7",
        "yxhashload file",
        "yxsoosorvstep1",
        "yxsoosorvstep4 2",
        "7,7",
        "done",
        "yxedittextdatabase \"done BOARD\"",
        "7,7",
        "done",
        "BEGIN",
    ] {
        referee.sent(line);
    }
    assert!(check(&referee, (7, 7)) && check(&referee, (8, 8)));
}

#[test]
fn messages_between_two_commands_name_different_cells() {
    let mut referee = started();
    referee.told((7, 7));
    assert!(referee.check_fresh((7, 7)).is_err() && referee.check_fresh((8, 8)).is_ok());
    referee.sent("INFO time_left 5");
    assert!(referee.check_fresh((7, 7)).is_ok());
}

#[test]
fn cells_that_are_only_shown_need_no_request_for_a_move() {
    let mut referee = started();
    assert!(referee.check_empty(&[(7, 7), (8, 8)]).is_ok());
    assert!(referee.check_empty(&[(7, 7), (7, 7)]).is_err());
    referee.sent("TURN 7,7");
    assert!(referee.check_empty(&[(7, 7)]).is_err() && referee.check_empty(&[(15, 0)]).is_err());
}

#[test]
fn a_command_that_nobody_answers_holds_up_nothing() {
    let mut referee = started();
    referee.sent("RELOADCONFIG config.toml");
    referee.sent("YXBOARD 7,7,1 8,8,2 DONE");
    referee.sent("YXNBEST 1");
    referee.received("9,9");
    referee.sent("YXBOARD 7,7,1 8,8,2 DONE");
    assert!(referee.check_empty(&[(9, 9)]).is_ok() && referee.check_empty(&[(8, 8)]).is_err());
}

#[test]
fn a_refusal_belongs_to_the_command_before_it_and_not_to_one_that_nobody_answers() {
    for silent in ["PROVE", "RELOADCONFIG config.toml", "REVIEW 7,7 8,8 DONE", "yxshowforbid"] {
        let mut referee = started();
        referee.sent(silent);
        referee.sent("BOARD 7,7,1 7,7,2 DONE");
        referee.received("ERROR a cell has two stones");
        referee.sent("BEGIN");
        assert!(check(&referee, (7, 7)), "after {silent}");
        referee.received("7,7");
        referee.sent("TURN 7,7");
        referee.received("ERROR not empty");
        assert!(!check(&referee, (8, 8)), "no move is asked for after {silent}");
    }
    let mut referee = started();
    referee.sent("PROVE");
    referee.sent("START 20");
    referee.received("UNKNOWN PROVE");
    referee.received("OK");
    referee.sent("BEGIN");
    assert!(check(&referee, (19, 19)));
    let mut referee = started();
    for line in ["REVIEW", "7,7", "8,8", "DONE", "TURN 7,7"] {
        referee.sent(line);
    }
    assert!(check(&referee, (8, 8)) && !check(&referee, (7, 7)));
}
