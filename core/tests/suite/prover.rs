//! Proofs of forced wins, judged by the plain rules and by trying everything.

use crate::brute::Brute;
use crate::common::forced_wins;
use tengen_core::board::Board;
use tengen_core::eval::classical::hand_tuned;
use tengen_core::notation::parse_moves;
use tengen_core::patterns::{PatternSet, Shape};
use tengen_core::position::Position;
use tengen_core::prover::{
    Attack, Certificate, CheckError, CheckLimits, FlawKind, Horizon, Prover, ProverLimits,
    ProverVerdict, usual_most_positions, verify, verify_within,
};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Rule, find_winner, violation};
use tengen_core::sys::stop::Stop;
use tengen_core::threats::{ThreatCheck, full_threat_check};
use tengen_core::types::{Cell, Color, Dir, Point, Size};

const ALL: Horizon = Horizon { fours_only: false };
const FOURS: Horizon = Horizon { fours_only: true };

fn limits(nodes: u64) -> ProverLimits<'static> {
    ProverLimits::of_nodes(nodes)
}

fn prover() -> Prover {
    Prover::new(4 << 20)
}

/// Returns the position that a game has reached.
fn position_of(game: &Game) -> Position {
    Position::from_board(game.rule(), game.board().clone(), game.to_move())
}

/// Returns the attack of a verdict.
fn attack(verdict: ProverVerdict) -> Option<Attack> {
    match verdict {
        ProverVerdict::Win(certificate) => Some(certificate.root().clone()),
        ProverVerdict::NoWin | ProverVerdict::Unknown => None,
    }
}

/// Returns a game in which both sides play near the stones, often where something is to be made,
/// and that goes on.
fn random_game(rng: &mut SplitMix64, rule: Rule, size: Size, length: usize) -> Option<Game> {
    let mut game = Game::new(size, rule);
    let mut position = Position::new(rule, size);
    game.play(size.center()).ok()?;
    position.play(size.center()).ok()?;
    while game.moves().len() < length {
        let us = position.to_move();
        let near: Vec<Point> = position.tracker().near().iter().collect();
        let near: Vec<Point> = near
            .into_iter()
            .filter(|&p| game.moves().iter().any(|q| q.distance(p) <= 2))
            .filter(|&p| position.is_legal(p))
            .collect();
        if near.is_empty() {
            return None;
        }
        let tries = 1 + rng.below(4);
        let point = (0..tries)
            .map(|_| near[rng.below(near.len())])
            .max_by_key(|&p| promise(&position, p, us) + promise(&position, p, !us))?;
        if game.play(point).ok()?.is_over() {
            return None;
        }
        position.play(point).ok()?;
    }
    Some(game)
}

/// Returns how promising the shapes of a cell are for a colour.
fn promise(position: &Position, point: Point, color: Color) -> i32 {
    let code = position.tracker().shapes(point, color);
    let shapes = Dir::ALL.map(|dir| Shape::in_code(code, dir));
    hand_tuned::move_score(PatternSet::of(shapes).shapes(), position.class(point, color))
}

/// Solves middle-game positions of all rules until `wanted` of each are proven, and has every
/// certificate of up to `most` moves verified.
fn verify_random(seed: u64, wanted: usize, most: usize) {
    let mut rng = SplitMix64::new(seed);
    let mut prover = prover();
    for rule in Rule::ALL {
        let mut proven = [0; 2];
        let mut quiet = 0;
        let mut longest = 0;
        while proven[0] + proven[1] < wanted {
            let edge = |rng: &mut SplitMix64| 7 + rng.below(12) as i64;
            let size = Size::new(edge(&mut rng), edge(&mut rng)).unwrap();
            let length = 8 + rng.below(30);
            let Some(game) = random_game(&mut rng, rule, size, length) else { continue };
            let mut position = position_of(&game);
            let at_a_glance = full_threat_check(&mut position);
            if matches!(at_a_glance, ThreatCheck::Win(_)) && rng.below(10) > 0 {
                continue;
            }
            let horizon = if rng.below(4) == 0 { FOURS } else { ALL };
            let verdict = prover.solve(&mut position, horizon, &limits(3_000));
            let ProverVerdict::Win(certificate) = verdict else { continue };
            if certificate.size() > most {
                continue;
            }
            proven[game.to_move() as usize] += 1;
            quiet += usize::from(horizon == ALL);
            longest = longest.max(certificate.plies());
            let positions = usual_most_positions(certificate.root(), size) / 10;
            let limits = CheckLimits { positions, stop: None };
            if let Err(error) = verify_within(&game, certificate.root(), &limits) {
                panic!("{rule}: {error}{:?}", game.board());
            }
            check_line(&game, &certificate);
        }
        assert!(wanted < 40 || proven.iter().all(|&n| n >= 5), "{rule}: {proven:?}");
        assert!(wanted < 40 || quiet >= 10 && longest >= 9, "{rule}: {quiet} {longest}");
    }
}

/// Checks that the main line is a game that the attacker wins with its last move.
fn check_line(game: &Game, certificate: &Certificate) {
    let mut game = game.clone();
    let attacker = game.to_move();
    for &point in certificate.line() {
        assert!(!game.outcome().is_over());
        game.play(point).unwrap();
    }
    assert_eq!(certificate.plies(), certificate.line().len());
    assert_eq!(game.outcome().winner(), Some(attacker), "{:?}", game.moves());
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn every_certificate_of_random_games_is_verified_by_the_plain_rules() {
    let proofs = variable("PROOFS").unwrap_or(12) as usize;
    verify_random(variable("SEED").unwrap_or(1), proofs, variable("SIZE").unwrap_or(100) as usize);
}

#[test]
fn no_win_is_claimed_on_small_boards_that_trying_everything_refutes() {
    let mut rng = SplitMix64::new(variable("SEED").unwrap_or(5));
    let mut prover = prover();
    let mut claimed = [0; 5];
    let mut cases = variable("POSITIONS").unwrap_or(6_000);
    while cases > 0 {
        cases -= 1;
        let rule = Rule::ALL[rng.below(5)];
        let edge = |rng: &mut SplitMix64| 5 + rng.below(3) as i64;
        let size = Size::new(edge(&mut rng), edge(&mut rng)).unwrap();
        let mut board = Board::new(size);
        let mut points: Vec<Point> = size.points().collect();
        let empty = 8 + rng.below(4);
        while points.len() > empty {
            let point = points.swap_remove(rng.below(points.len()));
            match rng.below(40) {
                0 => board.place_wall(point),
                n => board.place(point, Color::ALL[n % 2]),
            }
        }
        if find_winner(&board, rule).is_some() {
            continue;
        }
        let us = Color::ALL[rng.below(2)];
        let mut position = Position::from_board(rule, board.clone(), us);
        let ProverVerdict::Win(certificate) = prover.solve(&mut position, ALL, &limits(2_000))
        else {
            continue;
        };
        // Not the length of the main line, which black ends by a forbidden move if it has no other.
        let plies = certificate.root().plies();
        let won = Brute::new(rule, &board).wins_within(us, plies.min(9));
        assert!(plies > 9 || won, "{rule}, {us} to move: no win in {plies}{board:?}");
        claimed[rule as usize] += 1;
    }
    println!("wins claimed by rule: {claimed:?}");
    assert!(claimed.iter().all(|&n| n >= 5), "{claimed:?}");
}

#[test]
fn most_forced_wins_of_the_data_files_are_proven_with_few_nodes() {
    let every = variable("EVERY").unwrap_or(8) as usize;
    let nodes = variable("NODES").unwrap_or(20_000);
    let mut rates: Vec<(String, usize, usize)> = Vec::new();
    let mut prover = prover();
    for case in forced_wins().iter().step_by(every) {
        let name = format!("{} {}", case.rule, case.size);
        if rates.last().is_none_or(|(last, ..)| *last != name) {
            rates.push((name, 0, 0));
        }
        let game = Game::from_moves(case.size, case.rule, &case.moves).unwrap();
        prover.clear();
        let verdict = prover.solve(&mut position_of(&game), ALL, &limits(nodes));
        if let Some((_, all, solved)) = rates.last_mut() {
            *all += 1;
            *solved += usize::from(matches!(verdict, ProverVerdict::Win(_)));
        }
        if let Some(attack) = attack(verdict)
            && attack.size() < 300
        {
            let positions = usual_most_positions(&attack, case.size) / 10;
            let limits = CheckLimits { positions, stop: None };
            assert!(verify_within(&game, &attack, &limits).is_ok(), "{}", case.id);
        }
    }
    for (name, all, solved) in rates {
        println!("{name}: {solved} of {all}");
        assert!(all >= 5 && 10 * solved >= 6 * all, "{name}: {solved} of {all}");
    }
}

#[test]
fn a_first_move_that_only_parries_can_win_by_threats_of_any_kind_after_every_reply() {
    let mut prover = prover();
    for (id, nodes) in [("S15058", 20_000), ("F15123", 100_000)] {
        let case = forced_wins().into_iter().find(|case| case.id == id).unwrap();
        let game = Game::from_moves(case.size, case.rule, &case.moves).unwrap();
        let verdict = prover.solve(&mut position_of(&game), ALL, &limits(nodes));
        let attack = attack(verdict).unwrap_or_else(|| panic!("{id}: no win"));
        // After the first move nothing is threatened that a table sees, so that every legal reply
        // has an answer of its own.
        let empties = game.board().empties().iter().count();
        assert_eq!(attack.replies.len(), empties - 1, "{id}");
        for (reply, next) in attack.replies.iter().step_by(7) {
            let mut after = game.clone();
            after.play(attack.play).unwrap();
            after.play(*reply).unwrap();
            assert!(verify(&after, next).is_ok(), "{id}: {reply}");
        }
    }
}

/// Calls `f` with the certificate after each single change that `verify` must refuse or that may
/// leave it right: an answer removed, a move changed.
fn for_each_change(attack: &Attack, points: &[Point], f: &mut dyn FnMut(Attack, bool)) {
    for i in 0..attack.replies.len() {
        let mut changed = attack.clone();
        changed.replies.remove(i);
        f(changed, false);
    }
    for &point in points {
        if point != attack.play {
            let mut changed = attack.clone();
            changed.play = point;
            f(changed, false);
        }
    }
    let mut cut = attack.clone();
    if cut.otherwise.take().is_some() {
        cut.replies.clear();
        f(cut, true);
    }
    for (i, (_, next)) in attack.replies.iter().enumerate() {
        for_each_change(next, points, &mut |part, always| {
            let mut changed = attack.clone();
            changed.replies[i].1 = part;
            f(changed, always);
        });
    }
    if let Some(next) = &attack.otherwise {
        for_each_change(next, points, &mut |part, always| {
            let mut changed = attack.clone();
            changed.otherwise = Some(Box::new(part));
            f(changed, always);
        });
    }
}

/// Returns whether an attack wins, by the dullest means.
fn wins(game: &mut Game, attack: &Attack) -> bool {
    let us = game.to_move();
    let empties: Vec<Point> = game.board().empties().iter().collect();
    if !empties.contains(&attack.play) {
        return false;
    }
    if game.rule() == Rule::Renju
        && us == Color::Black
        && violation(game.board(), attack.play).is_some()
    {
        return false;
    }
    let won = |game: &Game| find_winner(game.board(), game.rule()).map(|run| run.color);
    let over = game.play(attack.play).unwrap().is_over();
    let result = match (&attack.otherwise, won(game)) {
        (None, winner) => winner == Some(us),
        (Some(_), Some(_)) => false,
        (Some(_), None) if over => false,
        (Some(_), None) => empties.iter().filter(|&&p| p != attack.play).all(|&reply| {
            let outcome = game.play(reply).unwrap();
            let fine = match outcome.winner() {
                Some(winner) => winner == us,
                None if outcome.is_over() => false,
                None => attack.after(reply).is_some_and(|next| wins(game, next)),
            };
            game.undo();
            fine
        }),
    };
    game.undo();
    result
}

#[test]
fn a_changed_certificate_is_refused_unless_it_still_wins() {
    let mut rng = SplitMix64::new(11);
    let mut prover = prover();
    let (mut refused, mut accepted) = (0, 0);
    for rule in Rule::ALL {
        let mut cases = 0;
        while cases < 4 {
            let size = Size::new(7, 8).unwrap();
            let length = 10 + rng.below(14);
            let Some(mut game) = random_game(&mut rng, rule, size, length) else { continue };
            let verdict = prover.solve(&mut position_of(&game), ALL, &limits(3_000));
            let Some(attack) = attack(verdict) else { continue };
            if !(3..=12).contains(&attack.size()) {
                continue;
            }
            cases += 1;
            assert!(wins(&mut game, &attack));
            let points: Vec<Point> = game.board().empties().iter().step_by(5).collect();
            for_each_change(&attack, &points, &mut |changed, always| {
                let verified = verify(&game, &changed).is_ok();
                assert!(!(always && verified), "{rule}: an unfinished attack was accepted");
                assert_eq!(verified, wins(&mut game, &changed), "{rule}{:?}", game.board());
                refused += usize::from(!verified);
                accepted += usize::from(verified);
            });
        }
    }
    assert!(refused > 200, "{refused} refused, {accepted} accepted");
}

#[test]
fn flaws_are_named_with_the_moves_that_show_them() {
    let size = Size::square(15).unwrap();
    let at = |x, y| size.point(x, y).unwrap();
    let moves = [(5, 7), (0, 0), (6, 7), (2, 0), (7, 7), (4, 0), (8, 7), (4, 7)];
    let moves: Vec<Point> = moves.into_iter().map(|(x, y)| at(x, y)).collect();
    let game = Game::from_moves(size, Rule::Freestyle, &moves).unwrap();
    let why = |attack: &Attack| verify(&game, attack).map_err(|flaw| flaw.why);
    assert!(why(&Attack::winning(at(9, 7))).is_ok());
    assert_eq!(why(&Attack::winning(at(4, 7))), Err(FlawKind::NotAMove));
    assert_eq!(why(&Attack::winning(at(10, 7))), Err(FlawKind::NoWin));
    let mut beyond = Attack::winning(at(9, 7));
    beyond.otherwise = Some(Box::new(Attack::winning(at(1, 1))));
    assert_eq!(why(&beyond), Err(FlawKind::BeyondTheEnd));
    let mut slow = Attack::winning(at(10, 7));
    slow.otherwise = Some(Box::new(Attack::winning(at(9, 7))));
    let flaw = verify(&game, &slow).unwrap_err();
    assert_eq!((flaw.why, flaw.moves.len()), (FlawKind::NotAMove, 11));
    assert_eq!(flaw.moves[8..], [at(10, 7), at(9, 7), at(9, 7)]);
    assert!(flaw.to_string().starts_with("the attacker's move can't be played after"));
}

#[test]
fn enclosing_a_row_is_no_reply_that_a_check_in_caro_forgets() {
    let size = Size::DEFAULT;
    let cells = |text| parse_moves(text, size).unwrap();
    // Black has two fours that lack e3 and e7, and white stands before both.
    let moves = cells("c3b3d3b7f3a13g3d14c7g13d7j14f7m13g7o14");
    let &[play, three, seven, end] = &cells("o1e3e7h3")[..] else { panic!("four cells") };
    let attack = |rows: &[(Point, Point)]| {
        let replies = rows.iter().map(|&(reply, five)| (reply, Attack::winning(five))).collect();
        Attack { play, replies, otherwise: Some(Box::new(Attack::winning(three))) }
    };
    let [open, caro] = [&[(three, seven)][..], &[(three, seven), (end, seven)]].map(attack);
    for rule in Rule::ALL {
        let game = Game::from_moves(size, rule, &moves).unwrap();
        let is_caro = matches!(rule, Rule::Caro | Rule::CaroExact);
        let checked = |attack| verify(&game, attack).map_err(|flaw| (flaw.why, flaw.moves));
        let flaw = [&moves[..], &[play, end, three]].concat();
        match checked(&open) {
            Ok(_) => assert!(!is_caro),
            Err(why) => assert_eq!((is_caro, why), (true, (FlawKind::NoWin, flaw))),
        }
        // No others are played where it goes on with a five.
        assert!(checked(&caro).unwrap().positions < 10, "{rule}");
    }
}

#[test]
fn long_proofs_of_caro_are_within_the_usual_limit() {
    let moves = parse_moves("l10o9i4k5l3j6h5k7k4m7", Size::DEFAULT).unwrap();
    let game = Game::from_moves(Size::DEFAULT, Rule::Caro, &moves).unwrap();
    let attack = attack(prover().solve(&mut position_of(&game), ALL, &limits(20_000))).unwrap();
    let positions = usual_most_positions(&attack, Size::DEFAULT) / 10;
    let checked = verify_within(&game, &attack, &CheckLimits { positions, stop: None });
    assert!(attack.size() > 1_000 && checked.is_ok(), "{}: {checked:?}", attack.size());
}

/// Returns whether every move of an attack makes five, or a four: then whatever is not listed as an
/// answer loses to a five.
fn is_by_fours(attack: &Attack) -> bool {
    attack.otherwise.as_ref().is_none_or(|next| next.otherwise.is_none())
        && attack.replies.iter().all(|(_, next)| is_by_fours(next))
}

#[test]
fn with_fours_only_every_move_of_the_attack_makes_a_four_or_five() {
    let mut prover = prover();
    let mut found = 0;
    let mut not_found = 0;
    let size = Size::DEFAULT;
    // Two open threes at once, also by a stone that stops a four.
    let forks = ["h6a1h7o2i8a15j8o13", "f8d4g8e5h6f6h7g7c3a15"];
    let forks = forks.map(|moves| parse_moves(moves, size).unwrap());
    let forks = forks.map(|moves| Game::from_moves(size, Rule::Freestyle, &moves).unwrap());
    for game in &forks {
        let position = &mut position_of(game);
        assert!(matches!(prover.solve(position, ALL, &limits(100)), ProverVerdict::Win(_)));
        assert_eq!(prover.solve(position, FOURS, &limits(100)), ProverVerdict::NoWin);
    }
    let known = forced_wins().into_iter().step_by(5);
    let known = known.map(|case| Game::from_moves(case.size, case.rule, &case.moves).unwrap());
    let mut rng = SplitMix64::new(23);
    let random = (0..1_000).filter_map(|i| {
        let length = 8 + rng.below(30);
        random_game(&mut rng, Rule::ALL[i % 5], size, length)
    });
    for game in known.chain(random) {
        let verdict = prover.solve(&mut position_of(&game), FOURS, &limits(50_000));
        not_found += usize::from(verdict == ProverVerdict::NoWin);
        let ProverVerdict::Win(certificate) = verdict else { continue };
        found += 1;
        assert!(verify(&game, certificate.root()).is_ok());
        assert!(is_by_fours(certificate.root()), "{}{:?}", game.rule(), game.board());
    }
    println!("{found} found, {not_found} have none");
    assert!(found >= 100 && not_found >= 20, "{found} found, {not_found} have none");
}

#[test]
fn a_search_that_is_cut_off_claims_nothing() {
    let size = Size::square(11).unwrap();
    let moves = parse_moves("g5h5c5g8i3e4d4h6b4a1h4", size).unwrap();
    let mut position = position_of(&Game::from_moves(size, Rule::Freestyle, &moves).unwrap());
    let mut prover = prover();
    let mut search = |nodes| {
        prover.clear();
        (prover.solve(&mut position, ALL, &limits(nodes)), prover.nodes())
    };
    let (verdict, whole) = search(u64::MAX);
    assert_eq!(verdict, ProverVerdict::NoWin);
    for nodes in (50..whole).step_by(350) {
        let (verdict, searched) = search(nodes);
        assert!(verdict == ProverVerdict::Unknown || searched == whole, "{nodes}: {searched}");
    }
}

#[test]
fn the_prover_stops_when_asked() {
    let case = forced_wins().into_iter().max_by_key(|case| case.plies).unwrap();
    let game = Game::from_moves(case.size, case.rule, &case.moves).unwrap();
    let mut prover = prover();
    let stop = Stop::new();
    let mut is_stopped = |stop| {
        let limits = ProverLimits { nodes: u64::MAX, stop: Some(stop) };
        let verdict = prover.solve(&mut position_of(&game), ALL, &limits);
        verdict == ProverVerdict::Unknown && prover.nodes() < 1_000
    };
    assert!(!is_stopped(&stop), "a flag that is not set stops nothing");
    stop.request();
    assert!(is_stopped(&stop));
}

#[test]
fn a_node_limit_is_kept_and_gives_the_same_again() {
    for case in forced_wins().iter().step_by(40) {
        let game = Game::from_moves(case.size, case.rule, &case.moves).unwrap();
        let mut prover = prover();
        let mut runs = Vec::new();
        for _ in 0..2 {
            prover.clear();
            let verdict = prover.solve(&mut position_of(&game), ALL, &limits(4_000));
            runs.push((verdict, prover.nodes()));
        }
        assert_eq!(runs[0], runs[1], "{}", case.id);
        assert!(prover.nodes() < 9_000, "{}", prover.nodes());
    }
}

#[test]
fn positions_that_are_over_or_lost_have_no_win() {
    let size = Size::square(9).unwrap();
    let at = |x, y| size.point(x, y).unwrap();
    let no_win = |board: &Board, us| {
        for rule in Rule::ALL {
            for horizon in [ALL, FOURS] {
                let mut position = Position::from_board(rule, board.clone(), us);
                let before = position.key();
                let verdict = prover().solve(&mut position, horizon, &limits(10_000));
                assert_eq!(verdict, ProverVerdict::NoWin, "{rule} {us}{board:?}");
                assert_eq!(position.key(), before);
                position.validate();
            }
        }
    };
    no_win(&Board::new(size), Color::Black);

    // Both sides have finished a row, or could.
    let mut won = Board::new(size);
    (2..7).for_each(|x| won.place(at(x, 2), Color::Black));
    (2..6).for_each(|x| won.place(at(x, 6), Color::White));
    no_win(&won, Color::White);
    no_win(&won, Color::Black);

    // White has two cells to win on and it is black's turn.
    let mut lost = Board::new(size);
    (2..6).for_each(|x| lost.place(at(x, 6), Color::White));
    no_win(&lost, Color::Black);

    let mut full = Board::new(size);
    for point in size.points() {
        let color = if (point.x() / 2 + point.y()) % 2 == 0 { Color::Black } else { Color::White };
        full.place(point, color);
    }
    assert_eq!(full.cell(at(0, 0)), Cell::Stone(Color::Black));
    no_win(&full, Color::Black);
}

#[test]
fn a_prover_does_not_mix_up_rules_boards_and_sides() {
    let mut rng = SplitMix64::new(17);
    let mut used = prover();
    let mut wins = 0;
    for _ in 0..60 {
        let size = Size::square(8 + rng.below(3) as i64).unwrap();
        let Some(game) = random_game(&mut rng, Rule::Freestyle, size, 14) else { continue };
        for rule in Rule::ALL {
            for us in Color::ALL {
                let mut position = Position::from_board(rule, game.board().clone(), us);
                let verdict = used.solve(&mut position, ALL, &limits(500));
                if let ProverVerdict::Win(certificate) = verdict
                    && certificate.plies() <= 5
                {
                    let won = Brute::new(rule, game.board()).only_near(4).wins_within(us, 5);
                    assert!(won, "{rule} {us}{:?}", game.board());
                    wins += 1;
                }
            }
        }
    }
    assert!(wins > 10, "{wins}");
}

/// Returns an attack that plays on these quiet cells before it makes one of its two fives: each
/// move multiplies the positions by the cells of the board.
fn slow_attack(quiet: &[Point], fives: [Point; 2]) -> Attack {
    let Some((&play, rest)) = quiet.split_first() else { return Attack::winning(fives[0]) };
    let mut replies: Vec<(Point, Attack)> =
        rest.iter().map(|&cell| (cell, Attack::winning(fives[0]))).collect();
    // Whoever takes one of the two leaves the other.
    replies.push((fives[0], Attack::winning(fives[1])));
    replies.push((fives[1], Attack::winning(fives[0])));
    Attack { play, replies, otherwise: Some(Box::new(slow_attack(rest, fives))) }
}

#[test]
fn a_check_ends_at_its_limits_whatever_the_proof() {
    let size = Size::DEFAULT;
    let cells = |text| parse_moves(text, size).unwrap();
    // Black has two open fours; white's stones are too far apart to make five by three more.
    let moves = cells("c5a1d5o2e5a7f5o8c9a13d9o14e9h1f9h15");
    let game = Game::from_moves(size, Rule::Freestyle, &moves).unwrap();
    let quiet = cells("c1f1l1");
    let fives = [cells("b5")[0], cells("b9")[0]];
    let attacks: Vec<Attack> =
        (0..=quiet.len()).map(|count| slow_attack(&quiet[..count], fives)).collect();
    for (count, attack) in attacks.iter().enumerate() {
        let within =
            |positions| verify_within(&game, attack, &CheckLimits { positions, stop: None });
        if count <= 1 {
            let checked = verify(&game, attack).unwrap();
            assert_eq!(within(checked.positions), Ok(checked));
            let less = checked.positions - 1;
            assert_eq!(within(less), Err(CheckError::TooMany(less)));
        }
        // With three moves elsewhere a hundred nodes have some 40,000 positions for each.
        assert_eq!(within(5_000).is_ok(), count <= 2, "{count}");
    }
    let hard = attacks.last().unwrap();
    // In the middle, for it would never end.
    let stop = Stop::new();
    let limits = CheckLimits { positions: u64::MAX, stop: Some(&stop) };
    let result = std::thread::scope(|scope| {
        let check = scope.spawn(|| verify_within(&game, hard, &limits));
        stop.request();
        check.join().unwrap()
    });
    assert_eq!(result, Err(CheckError::Stopped));
    // The usual limit grows with the proof and nothing else.
    let most = |attack| usual_most_positions(attack, size);
    let per_node = (most(hard) - most(&attacks[0])) / (hard.size() as u64 - 1);
    assert_eq!(per_node, 16 * 225);
    assert_eq!(most(hard), 1_000_000 + per_node * hard.size() as u64);
}
