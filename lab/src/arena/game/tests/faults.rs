//! Faults of players and their consequences.

use super::*;

#[test]
fn every_fault_loses_with_its_own_end() {
    let faults = [
        (PlayerFault::Start("no".to_owned()), EndKind::Start, Reason::Crash, "could not start: no"),
        (
            PlayerFault::Late { used: ms(1203), limit: ms(1000) },
            EndKind::Late,
            Reason::Time,
            "answered after 1203 ms of 1000",
        ),
        (
            PlayerFault::Silent { limit: ms(1000) },
            EndKind::Silent,
            Reason::Time,
            "did not answer within 1000 ms",
        ),
        (
            PlayerFault::Garbage("hi".to_owned()),
            EndKind::Garbage,
            Reason::Forfeit,
            "answered \"hi\"",
        ),
        (PlayerFault::Flood, EndKind::Flood, Reason::Forfeit, "wrote without end"),
        (
            PlayerFault::Crashed("signal 11".to_owned()),
            EndKind::Crash,
            Reason::Crash,
            "crashed: signal 11",
        ),
        (PlayerFault::Exited, EndKind::Exit, Reason::Crash, "ended by itself"),
        (
            PlayerFault::Outside { x: 15, y: 0 },
            EndKind::Outside,
            Reason::Illegal,
            "played at 15,0, off the board",
        ),
    ];
    for (fault, end, reason, words) in faults {
        let trouble = || Err(PlayerError::Fault(fault.clone()));
        // At the first question, later, and at the beginning of the game, in either seat.
        let good = || moves(&[(0, 0), (2, 0), (4, 0)]);
        let other = || moves(&[(0, 2), (2, 2), (4, 2)]);
        let at_once = || Scripted::from_answers(vec![trouble()]);
        let later =
            |x| Scripted::from_answers(vec![answer(PlayerChoice::Move(point(x, 9)), 1), trouble()]);
        let never = || Scripted::first_empty().beginning_with(vec![trouble().map(drop)]);
        for (first, second, loser, count) in [
            (at_once(), good(), 0, 0),
            (good(), at_once(), 1, 1),
            (later(3), other(), 0, 2),
            (good(), later(5), 1, 3),
            (never(), good(), 0, 0),
            (good(), never(), 1, 0),
            (never(), never(), 0, 0),
        ] {
            let played = play(&plain(), first, second);
            assert_eq!(played.end, end);
            assert_eq!(played.detail, format!("{} {words}", ["Ann", "Bob"][loser]));
            let winner = if loser == 0 { Color::White } else { Color::Black };
            assert_eq!(played.record.result, Some(GameResult::Win(winner)));
            assert_eq!(played.record.reason, Some(reason.clone()));
            assert_eq!(played.record.moves.len(), count, "{end:?}");
        }
    }
}

#[test]
fn a_first_player_that_cannot_begin_has_lost_whatever_the_second_does() {
    let trouble = |fault| vec![Err(PlayerError::Fault(fault))];
    let first = Scripted::first_empty().beginning_with(trouble(PlayerFault::Exited));
    let second = Scripted::first_empty().beginning_with(trouble(PlayerFault::Flood));
    let played = play(&plain(), first, second);
    assert_eq!((played.end, played.detail.as_str()), (EndKind::Exit, "Ann ended by itself"));
}

#[test]
fn a_move_on_a_stone_loses_and_is_not_in_the_record() {
    let played = play(&plain(), moves(&[(7, 7)]), moves(&[(7, 7)]));
    assert_eq!(played.end, EndKind::Occupied);
    assert_eq!(played.detail, "Bob played on the stone at h8");
    assert_eq!(played.record.result, Some(GameResult::Win(Color::Black)));
    assert_eq!(played.record.moves.len(), 1);
    assert_eq!(played.usage[1].moves, 0);
}

#[test]
fn an_answer_that_is_no_move_on_this_board_loses() {
    let small = spec(Size::square(9).unwrap(), Rule::Freestyle);
    for (choice, end) in [
        (PlayerChoice::Move(point(9, 3)), EndKind::Outside),
        (PlayerChoice::Swap, EndKind::Garbage),
        (PlayerChoice::Stones(vec![point(0, 0), point(1, 0)]), EndKind::Garbage),
    ] {
        let played = play(&small, Scripted::from_answers(vec![answer(choice, 0)]), moves(&[]));
        assert_eq!((played.end, played.record.moves.len()), (end, 0));
        assert_eq!(played.record.result, Some(GameResult::Win(Color::White)));
    }
}

#[test]
fn a_forbidden_move_loses_and_is_in_the_record() {
    let renju = spec(Size::DEFAULT, Rule::Renju);
    let black = || moves(&[(7, 5), (7, 6), (8, 7), (9, 7), (7, 7)]);
    let white = || moves(&[(0, 0), (0, 14), (14, 0), (14, 14)]);
    let played = play(&renju, black(), white());
    assert_eq!(played.end, EndKind::Forbidden(Violation::DoubleThree));
    assert_eq!(played.detail, "Ann played the forbidden h8, a double three");
    assert_eq!(played.record.result, Some(GameResult::Win(Color::White)));
    assert_eq!((played.record.moves.len(), played.usage[0].moves), (9, 5));
    let free = play(&plain(), black(), white());
    assert_eq!((free.end, free.detail.as_str()), (EndKind::Exit, "Bob ended by itself"));
}

#[test]
fn an_answer_after_limit_and_margin_is_late_and_is_not_played() {
    let one =
        |elapsed| Scripted::from_answers(vec![answer(PlayerChoice::Move(point(0, 0)), elapsed)]);
    let in_time = play(&plain(), one(1100), moves(&[]));
    assert_eq!((in_time.end, in_time.record.moves.len()), (EndKind::Exit, 1));
    let late = play(&plain(), one(1101), moves(&[]));
    assert_eq!((late.end, late.record.moves.len()), (EndKind::Late, 0));
    assert_eq!(late.detail, "Ann answered after 1101 ms of 1000");
    assert_eq!((late.usage[0].moves, late.usage[0].slowest), (0, ms(1101)));
}

#[test]
fn a_game_clock_is_charged_refilled_and_told() {
    let mut spec = plain();
    for player in &mut spec.contestants {
        player.allowance.turn = Some(ms(600));
        player.allowance.game = "1+0.01".parse().ok();
    }
    spec.contestants[1].allowance.game = None;
    let at = |x, elapsed| answer(PlayerChoice::Move(point(x, 0)), elapsed);
    // Left: 1000, 410, 10 (by grace of the margin), late.
    let mut first = Scripted::from_answers(vec![at(0, 600), at(2, 500), at(4, 111)]);
    let log = first.log();
    let mut second = moves(&[(1, 1), (3, 1), (5, 1)]);
    let others = second.log();
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    let played =
        play_game(&spec, &fixture(), None, players, &MatchControl::default(), &()).unwrap();
    assert_eq!((played.end, played.record.moves.len()), (EndKind::Late, 4));
    assert_eq!(played.detail, "Ann answered after 111 ms of 10");
    let told = |call: &Call| match call {
        Call::PlayerAnswer { time_left, limit, .. } => Some((*time_left, *limit)),
        Call::Begin(_) => None,
    };
    let ann: Vec<_> = log.calls().iter().filter_map(told).collect();
    let left = [(1000, 600), (410, 410), (10, 10)];
    assert_eq!(ann, left.map(|(left, limit)| (Some(ms(left)), Some(ms(limit)))));
    let bob: Vec<_> = others.calls().iter().filter_map(told).collect();
    assert_eq!(bob, [(None, Some(ms(600))); 2]);
}

#[test]
fn more_memory_than_allowed_loses_and_is_not_played() {
    let mut spec = plain();
    spec.contestants[1].allowance.memory = Some(64 << 20);
    let enough = moves(&[(0, 1)]).using_memory(64 << 20);
    let played = play(&spec, moves(&[(0, 0)]), enough);
    assert_eq!((played.end, played.usage[1].memory), (EndKind::Exit, Some(64 << 20)));
    let too_much = moves(&[(0, 1)]).using_memory(65 << 20);
    let played = play(&spec, moves(&[(0, 0)]), too_much);
    assert_eq!((played.end, played.record.moves.len()), (EndKind::Memory, 1));
    assert_eq!(played.detail, "Bob used 65 MiB of 64");
    assert_eq!(played.record.result, Some(GameResult::Win(Color::Black)));
    // Ann has no limit.
    let played = play(&spec, moves(&[(0, 0)]).using_memory(1 << 40), moves(&[]));
    assert_eq!((played.end, played.usage[0].memory), (EndKind::Exit, Some(1 << 40)));
}
