use super::*;
use crate::review::double::{even, proof, task, worth};
use tengen_core::eval::WinDrawLoss;
use tengen_core::prover::Attack;

const BLACK: Color = Color::Black;
const WHITE: Color = Color::White;

/// Settles a game and returns the expected points of the side to move in each position.
fn settled(moves: &str, positions: Vec<Assessment>) -> AssessedGame {
    let task = task(moves);
    assert_eq!(positions.len(), task.positions());
    settle(&task, &AssessedGame { first: 0, positions })
}

fn points(game: &AssessedGame) -> Vec<f64> {
    game.positions.iter().map(|position| position.chances.points()).collect()
}

#[test]
fn a_position_is_worth_what_was_played_if_that_is_more() {
    let positions = vec![worth(0.5, "h8"), worth(0.4, "g9i7"), worth(0.3, "a1")];
    let game = settled("h8i9", positions);
    // White's i9 led to 0.7, more than g9 promised; so h8 was worth 0.3.
    assert_eq!(points(&game), [0.3, 0.7, 0.3]);
    assert_eq!(game.positions[1].line, crate::review::double::points("i9a1"));
    assert_eq!(game.positions[0].line, crate::review::double::points("h8i9a1"));
}

#[test]
fn a_better_move_than_the_played_one_keeps_its_worth() {
    let game = settled("h8i9", vec![worth(0.6, "g9"), worth(0.5, "h9"), worth(0.8, "a1")]);
    assert_eq!(points(&game), [0.6, 0.5, 0.8]);
    assert_eq!(game.positions[1].line, crate::review::double::points("h9"));
}

#[test]
fn proofs_hold_while_the_moves_follow_them() {
    // White wins in five after h8; the first two moves of that are played, then it is left.
    let positions = vec![
        worth(0.5, "g9"),
        proof(WHITE, 5, WHITE, "i9j8k7l6m5"),
        worth(0.5, "a2"),
        worth(0.5, "a3"),
        worth(0.5, "a4"),
    ];
    let game = settled("h8i9j8b1", positions);
    let proven = |i: usize| game.positions[i].proven.map(|proven| (proven.winner, proven.plies));
    assert_eq!(proven(0), None, "black might have played g9");
    assert_eq!([proven(1), proven(2), proven(3)], [5, 4, 3].map(|plies| Some((WHITE, plies))));
    assert_eq!(game.positions[3].line, crate::review::double::points("k7l6m5"));
    assert_eq!(proven(4), None, "b1 was another move");
    assert_eq!(points(&game), [0.5, 1.0, 0.0, 1.0, 0.5]);
    // Another reply: the win is there, its move is not known.
    let positions = vec![
        worth(0.5, "g9"),
        proof(WHITE, 5, WHITE, "i9j8k7l6m5"),
        worth(0.5, "a2"),
        worth(0.6, "a3"),
        worth(0.3, "a4"),
    ];
    let game = settled("h8i9c3a3", positions);
    let last = &game.positions[3];
    assert_eq!(last.proven.map(|proven| proven.plies), Some(3));
    assert_eq!(last.line, crate::review::double::points("a3a4"));
    assert_eq!(last.line_chances.map(WinDrawLoss::points), Some(0.7), "a3 is only thought best");
    assert_eq!(game.positions[4].proven, None, "so after a3 nothing is proven");
}

#[test]
fn a_proof_after_the_move_is_one_before_it() {
    let positions = vec![worth(0.9, "g9"), proof(BLACK, 6, WHITE, "a1")];
    let game = settled("h8", positions);
    let proven = game.positions[0].proven.unwrap();
    assert_eq!((proven.winner, proven.plies), (BLACK, 7));
    assert_eq!(game.positions[0].line, crate::review::double::points("h8a1"));
    // A longer win than the one that was found does not replace it.
    let positions = vec![proof(BLACK, 5, BLACK, "g9"), proof(BLACK, 6, WHITE, "a1")];
    assert_eq!(
        settled("h8", positions).positions[0].best(),
        Some(crate::review::double::points("g9")[0])
    );
}

#[test]
fn where_all_moves_lose_an_opinion_of_one_does_not_count() {
    let game = settled("h8", vec![proof(WHITE, 4, BLACK, "g9"), worth(0.5, "a1")]);
    assert_eq!(points(&game), [0.0, 1.0]);
    assert_eq!(
        game.positions[1].proven.map(|proven| (proven.winner, proven.plies)),
        Some((WHITE, 3))
    );
}

/// Returns the moves of the candidates of a position, with the expected points they are worth.
fn candidates(game: &AssessedGame, i: usize) -> Vec<(String, f64)> {
    let one = |c: &Candidate| (c.point().to_string(), c.chances.points());
    game.positions[i].candidates.iter().map(one).collect()
}

fn candidate(win: f64, line: &str) -> Candidate {
    worth(win, line).as_candidate().unwrap()
}

#[test]
fn candidates_are_other_moves_with_what_they_led_to() {
    let mut positions = vec![worth(0.6, "g9"), worth(0.5, "h9"), worth(0.7, "a1")];
    positions[0].candidates = ["h8", "g9", "i8", "j8"].map(|cell| candidate(0.55, cell)).to_vec();
    positions[0].candidates[2].chances = even(0.9).chances;
    let game = settled("h8i9", positions);
    // i8 is worth no more than the best; h8 was played and led to 0.5.
    let expected = [("i8", 0.6), ("j8", 0.55), ("h8", 0.5)];
    assert_eq!(candidates(&game, 0), expected.map(|(cell, win)| (cell.to_owned(), win)));
    // White's i9 turned out worse than h9, which stays the best.
    assert_eq!(candidates(&game, 1), [("i9".to_owned(), 0.3)]);
    assert_eq!(candidates(&game, 2), []);
    // A move that turns out better replaces the best, which becomes a candidate.
    let game = settled("h8i9", vec![worth(0.3, "g9"), worth(0.6, "h9"), worth(0.1, "a1")]);
    assert_eq!(candidates(&game, 1), [("h9".to_owned(), 0.6)]);
}

#[test]
fn where_all_moves_lose_there_are_no_candidates() {
    let mut lost = proof(WHITE, 4, BLACK, "g9");
    lost.candidates = vec![candidate(0.2, "i8")];
    let game = settled("h8", vec![lost, worth(0.5, "a1")]);
    assert_eq!(candidates(&game, 0), []);
}

#[test]
fn attacks_go_on_after_any_reply() {
    let [g8, f8, k8, f7] = crate::review::double::points("g8f8k8f7")[..] else { panic!("cells") };
    let attack = Attack {
        play: g8,
        replies: vec![(f8, Attack::winning(k8))],
        otherwise: Some(Box::new(Attack::winning(f7))),
    };
    for (moves, rest) in [("g8f8", Some(k8)), ("g8a1", Some(f7)), ("h8a1", None)] {
        let mut won = proof(BLACK, 3, BLACK, "g8f8k8");
        won.attack = Some(Arc::new(attack.clone()));
        let game = settled(moves, vec![won, worth(0.5, "b2"), worth(0.5, "b3")]);
        let last = &game.positions[2];
        assert_eq!(last.attack.as_ref().map(|attack| attack.play), rest, "{moves}");
        assert_eq!(last.best(), Some(rest.unwrap_or(crate::review::double::points("b3")[0])));
        assert_eq!(last.line_chances, None);
    }
}

/// The attack's answer to an unexpected reply is played.
#[test]
fn proofs_hold_while_the_moves_follow_an_attack() {
    let [g8, f8, k8, f7] = crate::review::double::points("g8f8k8f7")[..] else { panic!("cells") };
    let attack = Attack {
        play: g8,
        replies: vec![(f8, Attack::winning(k8))],
        otherwise: Some(Box::new(Attack::winning(f7))),
    };
    let mut won = proof(BLACK, 3, BLACK, "g8f8k8");
    won.attack = Some(Arc::new(attack));
    let positions = vec![won, worth(0.5, "b2"), worth(0.5, "b3"), worth(0.5, "b4")];
    let game = settled("g8a1f7", positions);
    assert_eq!(game.positions[3].proven.map(|proven| proven.winner), Some(BLACK));
}
