//! Commands of the managers of the Yixin family.

use super::*;
use crate::engine::{Answer, FileAction, Task};
use crate::protocol::scripted::cell;
use tengen_core::search::{BalanceStones, BalanceTask, Mark};

#[test]
fn the_number_of_lines_reaches_the_engine() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("yxboard\n7,7,2\ndone\nINFO nbestsym 1\nyxnbest 5");
    let scope = talk.job().unwrap().scope;
    assert_eq!((scope.lines, scope.merge_symmetric, scope.marks), (5, true, false));
    expect("118", &talk.play(8, 8), "m");
    for (line, lines) in [("yxnbest", 1), ("yxnbest 0", 1), ("yxnbest -7", 1), ("yxnbest 400", 400)]
    {
        talk.send(line);
        assert_eq!(talk.job().unwrap().scope.lines, lines, "{line}");
        talk.send("stop");
        talk.wait_out_grace();
        talk.answer(Answer::NoMove);
    }
}

#[test]
fn marks_are_printed() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO show_detail 1\nyxnbest 1");
    assert!(talk.job().unwrap().scope.marks);
    let point = cell(3, 4);
    for (mark, line) in [
        (Mark::Searching(point), "MESSAGE REALTIME POS 3,4"),
        (Mark::Searched(point), "MESSAGE REALTIME DONE 3,4"),
        (Mark::Lost(point), "MESSAGE REALTIME LOST 3,4"),
        (Mark::Best(point), "MESSAGE REALTIME BEST 3,4"),
        (Mark::Refresh, "MESSAGE REALTIME REFRESH"),
    ] {
        expect("3.4", &talk.mark(mark), line);
    }
}

#[test]
fn balancing_moves_are_played_on_the_board() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("yxboard\n7,7,2\ndone\nyxbalanceone 30");
    let task = BalanceTask { stones: BalanceStones::One, bias: 30 };
    assert_eq!(talk.job().unwrap().task, Task::Balance(task));
    expect("125", &talk.play(8, 8), "8,8");
    talk.send("yxbalancetwo -999999999");
    let task = BalanceTask { stones: BalanceStones::Two, bias: -20_000 };
    assert_eq!(talk.job().unwrap().task, Task::Balance(task));
    let two = Answer::Moves(vec![cell(1, 2), cell(3, 4)]);
    expect("126", &talk.answer(two), "1,2 3,4");
    expect("126", &talk.send("takeback 3,4\ntakeback 1,2\ntakeback 8,8"), "OK|OK|OK");
}

#[test]
fn two_balancing_moves_come_even_if_the_engine_is_silent() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("yxbalancetwo 0\nstop");
    let replies = talk.wait_out_grace();
    assert_eq!(replies.len(), 1);
    assert_eq!(replies[0].split(' ').filter_map(coords).count(), 2, "{replies:?}");
}

#[test]
fn blocked_moves_reach_the_engine_until_they_are_freed() {
    let mut talk = Talk::started(Manner::Quick);
    let blocked = |talk: &mut Talk| {
        talk.manner = Manner::Deaf;
        talk.send("begin");
        let scope = talk.job().unwrap().scope;
        talk.manner = Manner::Quick;
        talk.play(0, 0);
        talk.send("restart");
        (scope.blocked, scope.blocked_paths)
    };
    expect("120", &talk.send("yxblock\n7,7\n8,8\ndone\nyxblockpath\n7,7\n8,8\ndone"), "");
    let path = vec![cell(7, 7), cell(8, 8)];
    assert_eq!(blocked(&mut talk), (path.clone(), vec![path.clone()]));
    expect("121", &talk.send("yxblockundo\n7,7\ndone"), "");
    assert_eq!(blocked(&mut talk), (vec![cell(8, 8)], vec![path]));
    expect("121", &talk.send("yxblockreset\nyxblockpathundo 7,7 8,8 done"), "");
    assert_eq!(blocked(&mut talk), (vec![], vec![]));
    expect("124", &talk.send("yxblockpath\n7,7\ndone\nyxblockpathreset"), "");
    assert_eq!(blocked(&mut talk), (vec![], vec![]));
    // With a pass or a cell of no board it is none.
    for path in ["7,7\n-1,-1\n8,8", "7,7\n8,30"] {
        let said = talk.send(&format!("yxblockpath\n{path}\ndone"));
        expect("124", &said, "MESSAGE YXBLOCKPATH is not understood");
    }
    expect("124", &talk.send("yxblockpath\n7,7\n8,8\ndone"), "");
    let said = talk.send("yxblockpathundo\n7,7\n-1,-1\n8,8\ndone");
    expect("124", &said, "MESSAGE YXBLOCKPATHUNDO is not understood");
    assert_eq!(blocked(&mut talk), (vec![], vec![vec![cell(7, 7), cell(8, 8)]]));
}

#[test]
fn a_silent_engine_does_not_make_a_blocked_move() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("yxblock\n7,7\ndone\nbegin\nstop");
    let replies = talk.wait_out_grace();
    assert!(coords(&replies[0]).is_some_and(|move_| move_ != (7, 7)), "{replies:?}");
}

#[test]
fn hash_files_are_named_on_the_same_line_or_the_next() {
    let mut talk = Talk::started(Manner::Quick);
    expect("123", &talk.send("yxhashdump\nsome folder/a b.tt"), "");
    expect("123", &talk.send("YXHASHLOAD c.tt"), "");
    let files: Vec<_> = talk.log().files.clone();
    assert_eq!(files[0].path.as_os_str(), "some folder/a b.tt");
    assert_eq!((files[0].action, files[1].action), (FileAction::Save, FileAction::Load));
    expect("123", &talk.finish_file(Ok("done".to_owned())), "MESSAGE done");
    expect("123", &talk.finish_file(Err("no such file".to_owned())), "MESSAGE no such file");
    let usage = talk.send("yxshowhashusage");
    assert_eq!(usage, ["MESSAGE hash usage 12.5% of 64 MiB"]);
}

#[test]
fn a_file_is_finished_before_the_process_ends() {
    for end in ["end", ""] {
        let mut talk = Talk::started(Manner::Quick);
        talk.send("yxhashdump a.tt");
        talk.send(end);
        if end.is_empty() {
            talk.close();
        }
        assert!(!talk.is_over(), "{end:?}");
        let replies = talk.finish_file(Ok("done".to_owned()));
        expect("123", &replies, "MESSAGE done");
        assert!(talk.is_over(), "{end:?}");
    }
}

#[test]
fn nothing_that_waited_is_carried_out_after_end() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("yxhashdump a.tt\nbegin\nbegin");
    assert!(talk.send("end").is_empty());
    assert!(talk.close().is_empty() && !talk.is_over());
    assert!(talk.finish_file(Ok("done".to_owned())).is_empty() && talk.is_over());
}

#[test]
fn a_step_of_an_opening_is_not_cut_off_by_the_position_behind_it() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("yxsoosorvstep6\n7,7\n7,6\n8,5\n9,8\n9,6\n6,8\ndone");
    let behind = "start 15 15\nyxboard\n7,7,2\ndone\nyxshowforbid";
    expect("5.2", &talk.send(behind), "");
    assert!(!talk.log().stopped);
    let chosen = talk.play(6, 8);
    expect("5.2", &chosen, "MESSAGE SOOSORV MOVE5C 6 8|OK|FORBID .");
    talk.send("yxsoosorvstep6\n7,7\n7,6\n8,5\n9,8\n9,6\n6,8\ndone");
    talk.send("start 15 15\nyxstop");
    assert!(talk.log().stopped, "but by the button");
}

#[test]
fn as_many_fifth_stones_are_offered_as_are_owed_whoever_answers() {
    let step = "INFO rule 4\nINFO timeout_turn 1000\nyxsoosorvstep5 3\n7,7\n7,6\n8,5\n9,8\ndone";
    let offered = |replies: Vec<String>| -> Vec<String> {
        replies
            .iter()
            .filter_map(|line| line.strip_prefix("MESSAGE SOOSORV MOVE5 "))
            .map(str::to_owned)
            .collect()
    };
    // The engine does not get to run, with a move reported and without.
    for reported in [true, false] {
        let mut talk = Talk::started(Manner::Deaf);
        talk.send(step);
        if reported {
            talk.report(9, 6);
        }
        let mut said = talk.wait(1000);
        said.extend(talk.wait_out_grace());
        let said = offered(said);
        assert_eq!((said.len(), &*said[0], &*said[4]), (5, "REFRESH", "DONE"), "{said:?}");
        assert!(!reported || said[1] == "9 6", "{said:?}");
    }
    // An answer that offers too few, and one twice.
    let mut talk = Talk::started(Manner::Deaf);
    talk.send(step);
    let said = offered(talk.answer(Answer::Moves(vec![cell(6, 8); 2])));
    assert_eq!((said.len(), &*said[1]), (5, "6 8"), "{said:?}");
}

#[test]
fn a_table_is_cleared_at_once() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("yxhashclear");
    assert_eq!(talk.log().new_games, 1);
    talk.send("begin\nyxhashclear");
    assert_eq!(talk.log().new_games, 1, "not under a running search");
    talk.play(7, 7);
    talk.send("turn 8,8");
    assert_eq!(talk.log().new_games, 2);
}

#[test]
fn the_steps_of_swap2_are_answered_by_messages() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("yxswap2step1");
    let stones = Answer::Moves(vec![cell(7, 7), cell(8, 6), cell(0, 12)]);
    let moves = "MESSAGE SWAP2 MOVE1 7 7|MESSAGE SWAP2 MOVE2 8 6|MESSAGE SWAP2 MOVE3 0 12";
    expect("95", &talk.answer(stones), moves);
    let three = "yxboard\n7,7,2\n8,6,1\n0,12,2\ndone\nyxswap2step2";
    talk.send(three);
    expect("95", &talk.answer(Answer::Swap), "MESSAGE SWAP2 SWAP1 YES");
    talk.send(three);
    expect("95", &talk.play(1, 1), "MESSAGE SWAP2 SWAP1 NO");
    talk.send(three);
    let two = Answer::Moves(vec![cell(1, 1), cell(2, 2)]);
    expect("95", &talk.answer(two), "MESSAGE SWAP2 MOVE4 1 1|MESSAGE SWAP2 MOVE5 2 2");
    expect("95", &talk.send("yxswap2step3"), "E");
    talk.send("yxboard\n7,7,2\n8,6,1\n0,12,2\n1,1,1\n2,2,2\ndone\nyxswap2step3");
    expect("95", &talk.answer(Answer::Swap), "MESSAGE SWAP2 SWAP2 YES");
}

#[test]
fn under_swap1_the_other_colour_may_be_taken() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("INFO swapable 1\nINFO rule 5\nyxboard\n7,7,2\ndone\nyxnbest 1");
    assert_eq!(talk.job().unwrap().task, Task::Swap1);
    expect("5.5", &talk.answer(Answer::Swap), "SWAP");
    // Afterwards the game is one like any other, with books, levels and pondering.
    talk.send("yxboard\n7,7,2\n8,8,1\n9,9,2\ndone\nyxnbest 1");
    assert_eq!(talk.job().unwrap().task, Task::Move);
    expect("5.5", &talk.answer(Answer::Swap), "m");
}

#[test]
fn cells_are_named_as_the_board_shows_them() {
    let mut talk = Talk::started(Manner::Deaf);
    talk.send("begin");
    assert!(talk.report(3, 0)[0].ends_with(" pv D1"));
    talk.play(7, 7);
    talk.send("yxshowinfo\nturn 8,8");
    assert!(talk.report(3, 0)[0].ends_with(" pv A12"));
    talk.play(6, 6);
    talk.send("INFO coordinates xy\nturn 9,9");
    assert!(talk.report(3, 0)[0].ends_with(" pv D1"));
}

#[test]
fn less_strength_is_a_lower_level() {
    let level = |commands: &str| {
        let mut talk = Talk::started(Manner::Deaf);
        talk.send(commands);
        let job = talk.job().unwrap();
        assert_eq!(job.limits.max_nodes, None);
        job.level().number()
    };
    for (percent, expected) in [("100", 10), ("99", 9), ("50", 5), ("0", 1), ("-3", 1), ("900", 10)]
    {
        assert_eq!(level(&format!("INFO strength {percent}\nbegin")), expected, "{percent}");
    }
    assert_eq!(level("begin"), 10);
    // Some managers ask for their moves as if for an analysis, but with a clock.
    let clock = "INFO strength 50\nINFO timeout_turn";
    assert_eq!(level(&format!("{clock} 1000\nyxnbest 1")), 5);
    for analysis in ["1000\nyxnbest 2", "0\nINFO timeout_match 0\nyxnbest 1", "9\nyxbalanceone 0"] {
        assert_eq!(level(&format!("{clock} {analysis}")), 10, "{analysis}");
    }
}
