use super::*;
use crate::explain::{WinAhead, WinMeans};
use crate::review::assess::{Assessment, assess_game};
use crate::review::double::{MadeUp, even, points, proof, task, worth};
use crate::rules::Rule;
use crate::types::Size;

const BLACK: Color = Color::Black;
const WHITE: Color = Color::White;

fn reviewed(task: &ReviewTask, positions: Vec<Assessment>) -> GameReview {
    assert_eq!(positions.len(), task.positions());
    GameReview::new(task, &AssessedGame { first: 0, positions })
}

fn classes(review: &GameReview) -> Vec<MoveClass> {
    review.moves.iter().map(|m| m.class).collect()
}

/// Black's open three that white leaves and black forgets, then makes five in the end.
const GAME: &str = "h8a1i8a3j8o15o14b12g8f8k8";

fn assessments() -> Vec<Assessment> {
    vec![
        worth(0.5, "h8"),
        worth(0.5, "i9"),
        worth(0.8, "i8"),
        worth(0.2, "b1"),
        worth(0.8, "j8"),
        worth(0.2, "g8"),
        proof(BLACK, 3, BLACK, "g8f8k8"),
        worth(0.3, "g8"),
        proof(BLACK, 3, BLACK, "g8f8k8"),
        proof(BLACK, 2, WHITE, "f8k8"),
        proof(BLACK, 1, BLACK, "k8"),
        proof(BLACK, 0, WHITE, ""),
    ]
}

#[test]
fn moves_are_classified_and_explained() {
    let review = reviewed(&task(GAME), assessments());
    use MoveClass::{Best, Blunder, MissedWin};
    let expected = [Best, Blunder, Best, Best, Best, Blunder, MissedWin, Blunder, Best, Best, Best];
    // The open four leaves white no move that helps, so none is forced.
    assert_eq!(classes(&review), expected);
    assert_eq!(review.moves[5].remarks, [Remark::Leaves(Threat::OpenFour, points("g8")[0])]);
    assert_eq!(
        review.moves[6].remarks,
        [Remark::Misses(Threat::OpenFour, points("g8")[0])],
        "the win of the open four is not told twice"
    );
    assert_eq!(review.moves[6].better, [Remark::Makes(Threat::OpenFour)]);
    assert_eq!(review.turning_point, Some(6), "from a win to 0.7");
    assert_eq!(review.lost, Some(LostForGood { loser: WHITE, after: 8 }));
    assert_eq!(review.count(WHITE, Blunder), 3);
    assert_eq!(review.black.len(), 12);
    assert!(review.black[11] == 1.0 && review.black[1] == 0.5);
}

#[test]
fn after_a_move_is_before_the_next() {
    let task = task("h8a1i8a3j8o15o14b12");
    let game = assess_game(&task, &mut MadeUp::default(), &|| false, &mut || {});
    let review = GameReview::new(&task, &game);
    for pair in review.moves.windows(2) {
        assert!((pair[0].after.points() + pair[1].before.points() - 1.0).abs() < 1e-9);
    }
    for m in &review.moves {
        assert!(m.before.points() >= m.after.points() - 1e-9, "{m:?}");
        assert!(m.best() != m.point || m.loss() < 1e-9, "{m:?}");
    }
}

#[test]
fn wins_that_take_longer_are_told_with_their_means() {
    let win = |winner, plies, to_move, line| {
        let mut won = proof(winner, plies, to_move, line);
        won.proven = won.proven.map(|proven| Proven { means: WinMeans::Threats, ..proven });
        won
    };
    let review = reviewed(
        &task("h8i9"),
        vec![win(BLACK, 9, BLACK, "g9"), win(WHITE, 7, WHITE, "c3"), worth(0.5, "a1")],
    );
    let ahead = |plies| WinAhead { means: WinMeans::Threats, plies };
    let (first, second) = (&review.moves[0], &review.moves[1]);
    assert_eq!(
        (first.class, &first.remarks[..]),
        (
            MoveClass::Blunder,
            &[Remark::MissesWin(ahead(9), points("g9")[0]), Remark::Allows(WHITE, ahead(7))][..]
        )
    );
    assert_eq!(
        (second.class, &second.remarks[..]),
        (MoveClass::MissedWin, &[Remark::MissesWin(ahead(7), points("c3")[0])][..])
    );
}

#[test]
fn the_only_reply_is_forced_and_the_opening_is_not_judged() {
    let stones = "h8a1i8a3j8g8k8l8";
    let mut own = task(stones);
    let positions: Vec<Assessment> = (0..9).map(|_| worth(0.5, "c3")).collect();
    assert_eq!(classes(&reviewed(&own, positions.clone()))[7], MoveClass::Forced);
    own = ReviewTask::new(Size::DEFAULT, Rule::Freestyle, points(stones), 3).unwrap();
    let mut lossy = positions;
    lossy[1] = worth(1.0, "c3");
    let review = reviewed(&own, lossy);
    assert_eq!(classes(&review)[..3], [MoveClass::Book; 3]);
    assert!(review.moves[0].loss() > 0.4 && review.turning_point != Some(0));
    assert_eq!(review.moves[1].class, MoveClass::Book);
}

#[test]
fn what_was_not_assessed_is_left_out() {
    let task = task(GAME);
    let positions = assessments().split_off(8);
    let review = GameReview::new(&task, &AssessedGame { first: 8, positions });
    assert_eq!((review.skipped, review.moves.len(), review.moves[0].ply), (8, 3, 9));
    assert_eq!(review.lost, Some(LostForGood { loser: WHITE, after: 8 }));
    let nothing = GameReview::new(&task, &AssessedGame { first: 12, positions: Vec::new() });
    assert!(nothing.moves.is_empty() && nothing.black.is_empty() && nothing.lost.is_none());
    let empty = GameReview::new(
        &ReviewTask::new(Size::DEFAULT, Rule::Renju, Vec::new(), 0).unwrap(),
        &AssessedGame { first: 0, positions: vec![even(0.5)] },
    );
    assert_eq!((empty.moves.len(), empty.black), (0, vec![0.5]));
    assert_eq!(empty.accuracy[BLACK], None);
}
