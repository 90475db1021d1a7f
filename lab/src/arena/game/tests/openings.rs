//! Openings that are given, and those that the players make.

use super::*;

/// Plays a game from the given opening; both players leave at once.
fn begin(spec: &MatchSpec, fixture: &Fixture) -> PlayedGame {
    let (mut first, mut second) = (moves(&[]), moves(&[]));
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    play_game(spec, fixture, None, players, &MatchControl::default(), &()).unwrap()
}

#[test]
fn a_given_opening_stands_on_the_board_in_each_of_its_forms() {
    let mut spec = plain();
    spec.openings = vec![vec![], vec![point(7, 7), point(8, 5), point(2, 3)]];
    for symmetry in Symmetry::ALL {
        let fixture = Fixture { opening: Some(1), symmetry, ..fixture() };
        let played = begin(&spec, &fixture);
        let turned: Vec<Point> =
            spec.openings[1].iter().map(|&p| symmetry.map(spec.size, p)).collect();
        assert!(played.record.points().eq(turned));
        assert_eq!(played.record.opening, 3);
        assert!(played.record.alternates());
        assert_eq!(played.record.moves[0].time(), None);
        // It is white's turn.
        assert_eq!((played.black_seat, played.detail.as_str()), (0, "Bob ended by itself"));
        assert_eq!(played.usage, [Usage::default(); 2]);
    }
    let empty = begin(&spec, &Fixture { opening: Some(0), ..fixture() });
    assert_eq!((empty.record.opening, empty.detail.as_str()), (0, "Ann ended by itself"));
}

#[test]
fn openings_that_cannot_be_played_do_no_harm() {
    let mut spec = spec(Size::new(15, 9).unwrap(), Rule::Freestyle);
    let win = (0..9).map(|i| point(i / 2, i % 2));
    spec.openings = vec![
        win.clone().collect(),
        win.chain([point(9, 8)]).collect(),
        vec![point(0, 0), point(0, 0)],
        vec![point(1, 1), point(0, 12)],
        vec![point(14, 8)],
    ];
    let game = |opening, symmetry| begin(&spec, &Fixture { opening, symmetry, ..fixture() });
    for symmetry in Symmetry::ALL {
        for opening in [Some(0), Some(1)] {
            let over = game(opening, symmetry);
            assert_eq!((over.end, over.record.moves.len()), (EndKind::Five, 9));
            assert_eq!(over.record.result, Some(GameResult::Win(Color::Black)));
        }
        for opening in [Some(2), Some(3), Some(4)] {
            let part = game(opening, symmetry);
            assert_eq!((part.end, part.record.opening), (EndKind::Exit, 1));
        }
        assert_eq!(game(Some(5), symmetry).record.opening, 0, "there is none");
    }
}

/// Returns a player that gives these answers in the opening and then takes the first empty cell.
fn opener(answers: &[(usize, PlayerChoice)]) -> Scripted {
    let answers = answers.to_vec();
    Scripted::from_fn(move |question| {
        let said = answers.iter().find(|(stones, _)| *stones == question.moves.len());
        let choice = match said.filter(|_| question.swap2) {
            Some((_, choice)) => choice.clone(),
            None if question.swap2 => return Err(PlayerError::Fault(PlayerFault::Exited)),
            None => {
                let empty = Size::DEFAULT.points().find(|p| !question.moves.contains(p));
                PlayerChoice::Move(empty.unwrap())
            }
        };
        answer(choice, 3 + question.moves.len() as u64)
    })
}

fn stones(xs: &[i64]) -> PlayerChoice {
    PlayerChoice::Stones(xs.iter().map(|&x| point(x, 7)).collect())
}

/// Plays a swap2 game of players with these answers in the opening.
fn swap2(
    first: &[(usize, PlayerChoice)],
    second: &[(usize, PlayerChoice)],
) -> (PlayedGame, EventNotes) {
    let mut spec = plain();
    spec.swap2 = true;
    // It is for the players to open.
    spec.openings = vec![vec![point(3, 3)]];
    let fixture = Fixture { opening: Some(0), ..fixture() };
    let watcher = EventNotes::default();
    let (mut first, mut second) = (opener(first), opener(second));
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    let game =
        play_game(&spec, &fixture, None, players, &MatchControl::default(), &watcher).unwrap();
    (game, watcher)
}

#[test]
fn every_branch_of_swap2_gives_black_to_the_right_player() {
    let place = (0, stones(&[6, 7, 8]));
    let one = || stones(&[3]);
    let two = (3, stones(&[1, 13]));
    for (first, second, count, black, asked) in [
        (vec![place.clone()], vec![(3, PlayerChoice::Swap)], 3, 1, "0101"),
        (vec![place.clone()], vec![(3, one())], 4, 0, "0101"),
        (vec![place.clone(), (5, PlayerChoice::Swap)], vec![two.clone()], 5, 0, "01010"),
        (vec![place, (5, one())], vec![two], 6, 1, "01010"),
    ] {
        let (game, watcher) = swap2(&first, &second);
        assert_eq!((game.black_seat, game.record.opening), (black, count));
        let names = if black == 0 { ["Ann", "Bob"] } else { ["Bob", "Ann"] };
        assert_eq!(game.record.players.0, names);
        assert_eq!(game.end, EndKind::Five);
        // After the opening black and white take turns as always.
        let opening_answers = watcher.states.lock().unwrap();
        let answers =
            opening_answers.iter().filter(|state| state.moves.len() == state.opening).count();
        let to_move = Color::to_move_after(count);
        let next = if to_move == Color::Black { black } else { 1 - black };
        let seats = watcher.asked();
        assert_eq!(seats[answers..=answers], next.to_string(), "{count}");
        assert!(seats.starts_with(asked) || answers < 3, "{seats}");
        assert!(!seats[answers..].contains("00") && !seats[answers..].contains("11"));
        // The winner is the one of the colour in the record.
        let winner = match game.record.result {
            Some(GameResult::Win(Color::Black)) => names[0],
            _ => names[1],
        };
        assert!(game.detail.starts_with(winner), "{}", game.detail);
        let moves = game.usage[0].moves + game.usage[1].moves;
        assert_eq!(moves as usize + count, game.record.moves.len());
        // Of several stones the last has the time.
        let times: Vec<_> = game.record.moves[..3].iter().map(Move::time).collect();
        assert_eq!(times, [None, None, Some(3)]);
        let mut judged = game.record.clone();
        judged.result = None;
        judged.judge();
        assert_eq!(judged, game.record);
    }
}

#[test]
fn an_illegal_answer_in_swap2_loses() {
    let place = (0, stones(&[6, 7, 8]));
    let two = (3, stones(&[1, 13]));
    let stage = Swap2Stage::Choose;
    let wrong = |stage, got| Swap2Error::WrongCount { stage, got };
    for (first, second, loser, error, count) in [
        (vec![(0, stones(&[6]))], vec![], 0, wrong(Swap2Stage::Place, 1), 0),
        (vec![(0, PlayerChoice::Swap)], vec![], 0, Swap2Error::NothingToSwap, 0),
        (vec![(0, stones(&[6, 7, 6]))], vec![], 0, Swap2Error::Repeated(point(6, 7)), 0),
        (vec![place.clone()], vec![(3, stones(&[]))], 1, wrong(stage, 0), 3),
        (vec![place.clone()], vec![(3, stones(&[1, 7]))], 1, Swap2Error::Occupied(point(7, 7)), 3),
        (
            vec![place.clone(), (5, stones(&[0, 2]))],
            vec![two.clone()],
            0,
            wrong(Swap2Stage::ChooseAgain, 2),
            5,
        ),
        (
            vec![place, (5, PlayerChoice::Move(point(13, 7)))],
            vec![two],
            0,
            Swap2Error::Occupied(point(13, 7)),
            5,
        ),
    ] {
        let (game, watcher) = swap2(&first, &second);
        assert_eq!(game.end, EndKind::Swap2);
        assert_eq!(game.record.moves.len(), count);
        assert_eq!(game.record.opening, count);
        let name = ["Ann", "Bob"][loser];
        assert_eq!(game.detail, format!("{name} made a mistake in swap2: {error}"));
        let winner = match game.record.result {
            Some(GameResult::Win(color)) => &game.record.players[color],
            _ => "",
        };
        assert_eq!(winner, ["Bob", "Ann"][loser]);
        assert_eq!(watcher.words().last().unwrap(), "finished swap2");
    }
}

#[test]
fn a_single_stone_of_swap2_may_come_as_a_move() {
    let place = (0, stones(&[6, 7, 8]));
    let (game, _) = swap2(&[place], &[(3, PlayerChoice::Move(point(3, 7)))]);
    assert_eq!((game.record.opening, game.black_seat), (4, 0));
}

#[test]
fn the_time_for_the_opening_is_charged() {
    let mut spec = plain();
    spec.swap2 = true;
    spec.contestants[2].allowance.game = "0.5".parse().ok();
    let late = Scripted::from_answers(vec![answer(stones(&[6, 7, 8]), 601)]);
    let game = play(&spec, late, moves(&[]));
    assert_eq!((game.end, game.record.moves.len()), (EndKind::Late, 0));
    let in_time = Scripted::from_answers(vec![answer(stones(&[6, 7, 8]), 200)]);
    let log = in_time.log();
    let swaps = Scripted::from_answers(vec![answer(PlayerChoice::Swap, 1)]);
    let game = play(&spec, in_time, swaps);
    assert_eq!((game.usage[0].time, game.usage[0].moves), (ms(200), 0));
    let last = log.calls().pop();
    let Some(Call::PlayerAnswer { time_left, swap2, moves, .. }) = last else { panic!("{last:?}") };
    assert_eq!((time_left, swap2, moves.len()), (Some(ms(300)), false, 3));
}
