use super::*;
use crate::review::double::{proof, task, worth};

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
        worth(0.5, "a3"),
    ];
    let game = settled("h8i9c3", positions);
    assert_eq!(game.positions[3].proven.map(|proven| proven.plies), Some(3));
    assert_eq!(game.positions[3].line, crate::review::double::points("a3"));
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
