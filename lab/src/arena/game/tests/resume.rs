//! Games that are broken off and set up again.

use super::*;

/// Returns a player that breaks the game off when `at` stones are on the board.
fn leaving(size: Size, seed: u64, at: usize) -> Scripted {
    let mut player = random_player(size, seed);
    Scripted::from_fn(move |question| {
        if question.moves.len() >= at {
            return Err(PlayerError::Abandoned);
        }
        player.answer(question, &tengen_files::work::Stop::new())
    })
}

fn whole(spec: &MatchSpec, fixture: &Fixture, seed: u64) -> (PlayedGame, Vec<Unfinished>) {
    let watcher = EventNotes::default();
    let game = run(spec, fixture, None, seed, usize::MAX, &watcher).unwrap();
    (game, watcher.states.into_inner().unwrap())
}

fn run(
    spec: &MatchSpec,
    fixture: &Fixture,
    resume: Option<&Unfinished>,
    seed: u64,
    until: usize,
    observer: &dyn Observer,
) -> Option<PlayedGame> {
    let mut first = leaving(spec.size, seed, until);
    let mut second = leaving(spec.size, seed / 3 + 1, until);
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    play_game(spec, fixture, resume, players, &MatchControl::default(), observer)
}

fn without_date(mut game: PlayedGame) -> PlayedGame {
    game.record.date.clear();
    game
}

/// Returns matches with everything that a game can consist of.
fn specs() -> Vec<MatchSpec> {
    let size = Size::new(8, 7).unwrap();
    let mut specs = Vec::new();
    for rule in Rule::ALL {
        let mut spec = spec(size, rule);
        spec.openings = vec![vec![point(1, 1), point(5, 2), point(3, 3)]];
        spec.contestants[2].allowance.game = "100".parse().ok();
        spec.contestants[1].allowance.game = "3/2+0.003".parse().ok();
        spec.adjudication.draw = Some(DrawRule { score: 60, moves: 4, from: 20 });
        spec.adjudication.resign = Some(ResignRule { score: 30, moves: 3, both: false });
        specs.push(spec.clone());
        specs.push(MatchSpec { swap2: true, ..spec });
    }
    specs
}

#[test]
fn a_game_that_was_broken_off_ends_as_if_it_had_not_been() {
    let mut ends = std::collections::BTreeSet::new();
    let mut openings = std::collections::BTreeSet::new();
    let fixture = Fixture { opening: Some(0), symmetry: Symmetry::Rotate180, ..fixture() };
    for (spec, seed) in specs().iter().zip(0..).flat_map(|(s, i)| [(s, i), (s, i + 61)]) {
        let (wanted, states) = whole(spec, &fixture, seed);
        let wanted = without_date(wanted);
        ends.insert(wanted.end);
        openings.insert((wanted.record.opening, wanted.black_seat));
        for until in (0..wanted.record.moves.len()).step_by(3) {
            let watcher = EventNotes::default();
            assert!(run(spec, &fixture, None, seed, until, &watcher).is_none());
            let before = watcher.states.into_inner().unwrap();
            let watcher = EventNotes::default();
            let again = run(spec, &fixture, before.last(), seed, usize::MAX, &watcher).unwrap();
            assert_eq!(without_date(again), wanted, "{until}");
            let begun = watcher.begun.into_inner().unwrap();
            assert!(before.last().is_none_or(|last| begun.as_ref() == Some(last)), "{until}");
            // Nothing is asked twice.
            let after = watcher.states.into_inner().unwrap();
            assert_eq!([before, after].concat(), states, "{until}");
        }
        // The last state is that of a game that is over.
        for left in states.iter().rev().take(4).chain(&states[..4]) {
            let again = run(spec, &fixture, Some(left), seed, usize::MAX, &()).unwrap();
            assert_eq!(without_date(again), wanted);
        }
    }
    assert!(ends.contains(&EndKind::Five) && ends.contains(&EndKind::WinAdjudicated), "{ends:?}");
    let all = [(3, 0), (3, 1), (4, 0), (5, 0), (6, 1)];
    assert!(all.iter().all(|opening| openings.contains(opening)), "{openings:?}");
}

#[test]
fn a_game_that_is_over_by_its_record_needs_no_players() {
    let spec = &specs()[0];
    let fixture = Fixture { opening: Some(0), ..fixture() };
    let (wanted, states) = whole(spec, &fixture, 0);
    let (mut first, mut second) = (moves(&[]), moves(&[]));
    let log = first.log();
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    let again =
        play_game(spec, &fixture, states.last(), players, &MatchControl::default(), &()).unwrap();
    assert_eq!(without_date(again), without_date(wanted));
    assert!(log.calls().is_empty());
}

#[test]
fn clocks_go_on_as_they_were_left() {
    let mut spec = plain();
    spec.contestants[2].allowance.game = "5".parse().ok();
    let moves_of = |points: &[Point]| -> Vec<Move> {
        points.iter().enumerate().map(|(i, &p)| Move::new(p, Color::to_move_after(i))).collect()
    };
    let left = Unfinished {
        game: fixture().game,
        moves: moves_of(&[point(0, 0), point(0, 1)]),
        opening: 0,
        black_seat: 0,
        left: [Some(ms(70)), Some(ms(80))],
    };
    let (mut first, mut second) = (moves(&[(5, 5)]), moves(&[]));
    let logs = [first.log(), second.log()];
    let players: [&mut dyn Player; 2] = [&mut first, &mut second];
    play_game(&spec, &fixture(), Some(&left), players, &MatchControl::default(), &()).unwrap();
    let asked = logs.map(|log| log.calls().get(1).cloned());
    let told = |call: &Option<Call>| match call {
        Some(Call::PlayerAnswer { time_left, limit, moves, .. }) => {
            (*time_left, *limit, moves.len())
        }
        _ => panic!("{call:?}"),
    };
    assert_eq!(told(&asked[0]), (Some(ms(70)), Some(ms(70)), 2));
    assert_eq!(told(&asked[1]), (None, Some(ms(1000)), 3));
}

#[test]
fn what_does_not_fit_the_match_is_played_anew() {
    let mut spec = plain();
    spec.openings = vec![vec![point(7, 7)]];
    let fixture = Fixture { opening: Some(0), ..fixture() };
    let colors = [Color::Black, Color::White];
    let fits = Unfinished {
        game: fixture.game,
        moves: vec![Move::new(point(7, 7), colors[0]), Move::new(point(8, 8), colors[1])],
        opening: 1,
        black_seat: 0,
        left: [None; 2],
    };
    let stones = |spec: &MatchSpec, left: &Unfinished| {
        let (mut first, mut second) = (moves(&[]), moves(&[]));
        let players: [&mut dyn Player; 2] = [&mut first, &mut second];
        let control = MatchControl::default();
        let game = play_game(spec, &fixture, Some(left), players, &control, &()).unwrap();
        game.record.moves.len()
    };
    assert_eq!(stones(&spec, &fits), 2);
    let changed = |change: fn(&mut Unfinished)| {
        let mut other = fits.clone();
        change(&mut other);
        stones(&spec, &other)
    };
    assert_eq!(changed(|left| left.game += 1), 1);
    assert_eq!(changed(|left| left.opening = 2), 1);
    assert_eq!(changed(|left| left.opening = 3), 1);
    assert_eq!(changed(|left| left.black_seat = 1), 1);
    assert_eq!(changed(|left| left.moves[1].kind = left.moves[0].kind), 1);
    assert_eq!(changed(|left| left.moves[1].color = Color::Black), 1);
    assert_eq!(
        changed(|left| left.moves[0].kind = tengen_files::records::MoveKind::Stone(point(6, 7))),
        1
    );
    assert_eq!(changed(|left| left.moves.clear()), 1);

    let swap2 = MatchSpec { swap2: true, ..spec.clone() };
    assert_eq!(stones(&swap2, &fits), 0, "nobody gives a single stone");
    let three = Unfinished {
        moves: (0..4).map(|x| Move::new(point(x, 0), Color::to_move_after(x as usize))).collect(),
        opening: 3,
        ..fits.clone()
    };
    assert_eq!(stones(&swap2, &three), 0, "the second player was not asked yet");
    assert_eq!(stones(&swap2, &Unfinished { black_seat: 1, ..three.clone() }), 4);
    assert_eq!(stones(&swap2, &Unfinished { black_seat: 7, ..three }), 0);
}
