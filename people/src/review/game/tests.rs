use super::*;
use crate::explain::{WinAhead, WinMeans};
use crate::review::assess::Assessment;
use crate::review::double::{MadeUp, even, points, proof, task, worth};
use crate::review::{LOST_ALREADY, assess_game};
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_files::work::Stop;

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
    use MoveClass::{Best, Blunder, Lost, MissedWin};
    let expected = [Best, Blunder, Best, Best, Best, Blunder, MissedWin, Blunder, Best, Lost, Best];
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
    let game = assess_game(&task, &mut MadeUp::default(), &Stop::new(), &mut |_| {});
    let review = GameReview::new(&task, &game);
    for pair in review.moves.windows(2) {
        assert!((pair[0].after.points() + pair[1].before.points() - 1.0).abs() < 1e-9);
    }
    for m in &review.moves {
        assert!(m.before.points() >= m.after.points() - 1e-9, "{m:?}");
        assert!(m.best() != m.point || m.loss < 1e-9, "{m:?}");
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
            &[
                Remark::MissesWin(ahead(9), points("g9")[0]),
                Remark::Allows(WHITE, ahead(7), points("c3")[0])
            ][..]
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
    assert!(review.moves[0].loss > 0.4 && review.turning_point != Some(0));
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

#[test]
fn a_winning_move_is_told_of_the_win_that_was_there() {
    let won = |after| {
        let review = reviewed(&task("h8"), vec![proof(BLACK, 11, BLACK, "g9f9"), after]);
        (review.moves[0].class, review.moves[0].remarks.clone(), review.moves[0].has_better())
    };
    let ahead = WinAhead { means: WinMeans::Any, plies: 11 };
    let had = vec![Remark::HadWin(ahead, Some(points("g9")[0]))];
    assert_eq!(won(worth(0.04, "a1")), (MoveClass::Good, had.clone(), true));
    assert_eq!(had[0].to_string(), "a win in 11 was there, from g9");
    assert_eq!(won(proof(BLACK, 18, WHITE, "a1")), (MoveClass::Good, had, true), "a longer win");
    assert_eq!(won(proof(BLACK, 12, WHITE, "a1")), (MoveClass::Best, vec![], false));
    assert_eq!(won(worth(0.2, "a1")).0, MoveClass::MissedWin);
}

/// White's win is proven, black leaves its line, and nobody knows any more how it goes on.
#[test]
fn a_win_that_nobody_knows_how_to_play_is_none_to_miss() {
    let positions = |after: f64| {
        vec![
            worth(0.5, "h8"),
            proof(WHITE, 7, WHITE, "i9j8"),
            proof(WHITE, 6, BLACK, "j8"),
            worth(0.7, "a3"),
            worth(after, "a4"),
        ]
    };
    let review = reviewed(&task("h8i9c3a5"), positions(0.33));
    let last = &review.moves[3];
    assert_eq!((last.class, last.before.points()), (MoveClass::Good, 1.0));
    assert!((last.loss - 0.03).abs() < 1e-9, "{}", last.loss);
    let ahead = WinAhead { means: WinMeans::Any, plies: 5 };
    assert_eq!(last.remarks, [Remark::HadWin(ahead, None)]);
    let review = reviewed(&task("h8i9c3a5"), positions(0.6));
    let last = &review.moves[3];
    assert_eq!(last.class, MoveClass::Blunder, "0.3 less than a3");
    assert_eq!(last.remarks[0], Remark::HadWin(ahead, None));
}

#[test]
fn in_a_lost_game_nothing_is_a_fault_and_nothing_is_counted() {
    let positions = vec![worth(0.5, "g8"), worth(0.97, "a1"), worth(0.02, "b1"), worth(1.0, "c1")];
    let review = reviewed(&task("h8a1b2"), positions);
    use MoveClass::{Best, Blunder, Lost};
    // Black blunders, and has nothing more to lose.
    assert_eq!(classes(&review), [Blunder, Best, Lost]);
    let one = reviewed(&task("h8a1"), vec![worth(0.5, "g8"), worth(0.97, "a1"), worth(0.02, "b1")]);
    assert_eq!(review.accuracy[BLACK], one.accuracy[BLACK]);
    assert!(one.accuracy[BLACK].is_some_and(|share| share < 0.15), "{:?}", one.accuracy);
}

#[test]
fn a_side_without_an_accuracy_has_made_no_moves_or_had_no_choice() {
    let stones = "h8a1i8a3j8g8k8l8";
    let book = ReviewTask::new(Size::DEFAULT, Rule::Freestyle, points(stones), 7).unwrap();
    let review = reviewed(&book, (0..9).map(|_| worth(0.5, "c3")).collect());
    // The fours of black's book move leave white one reply.
    assert_eq!(review.accuracy_words(WHITE), "no choice");
    let one = reviewed(&task("h8"), vec![worth(0.5, "h8"), worth(0.5, "i9")]);
    assert_eq!(one.accuracy_words(BLACK), "100.0 %");
    assert_eq!(one.accuracy_words(WHITE), "no moves");
}

/// Whatever the positions are worth, a fault is never the best move, and something is wrong with it.
#[test]
fn every_fault_has_a_reason_and_a_better_move() {
    let mut rng = tengen_core::rng::SplitMix64::new(11);
    let mut faults = 0;
    for game in 0..60 {
        let rule = Rule::ALL[game % Rule::ALL.len()];
        let mut played = tengen_core::rules::Game::new(Size::new(9, 9).unwrap(), rule);
        let mut stones = Vec::new();
        while stones.len() < 30 && played.outcome() == tengen_core::rules::Outcome::Ongoing {
            let cells: Vec<Point> = played.board().empties().iter().collect();
            let point = cells[rng.below(cells.len())];
            stones.push(point);
            played.play(point).unwrap();
        }
        let task = ReviewTask::new(Size::new(9, 9).unwrap(), rule, stones, 0).unwrap();
        let game = assess_game(&task, &mut MadeUp::default(), &Stop::new(), &mut |_| {});
        for m in GameReview::new(&task, &game).moves {
            if m.class.is_fault() {
                faults += 1;
                assert!(m.remarks.first().is_some_and(|remark| remark.is_fault()), "{m:?}");
                assert_ne!(m.best(), m.point);
                assert!(m.before.points() >= LOST_ALREADY, "{m:?}");
            }
        }
    }
    assert!(faults > 100, "{faults}");
}
