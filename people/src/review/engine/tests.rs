use super::*;
use crate::explain::Remark;
use crate::review::double::{points, task};
use crate::review::{AssessedGame, GameReview, MoveClass, ReviewTask, assess_game};
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Size};

fn assessor(nodes: u64) -> EngineAssessor {
    EngineAssessor::new(Effort::Nodes(nodes), 1).unwrap()
}

fn assess(task: &ReviewTask, assessor: &mut EngineAssessor) -> AssessedGame {
    assess_game(task, assessor, &Stop::new(), &mut |_| {})
}

#[test]
fn planted_blunders_and_missed_wins_are_found() {
    // White leaves the open three; black does not make the four.
    for rule in Rule::ALL {
        let moves = points("h8h9i8i9j8a15a1");
        let task = ReviewTask::new(Size::DEFAULT, rule, moves, 0).unwrap();
        let review = GameReview::new(&task, &assess(&task, &mut assessor(2_000)));
        let [white, black] = [&review.moves[5], &review.moves[6]];
        assert_eq!(white.class, MoveClass::Blunder, "{rule}: {white:?}");
        assert!(matches!(white.remarks[..], [Remark::Leaves(..)]), "{rule}: {white:?}");
        assert_eq!(white.proven_after.map(|proven| proven.winner), Some(Color::Black), "{rule}");
        assert!(black.class.is_fault(), "{rule}: {black:?}");
        assert!(black.proven_before.is_some_and(|proven| proven.plies >= 3), "{rule}");
    }
}

#[test]
fn a_game_is_assessed_alike_whatever_came_before() {
    let (one, other) = (task("h8i9h10i8i7"), task("h8h9g9i7j8"));
    let renju = ReviewTask::new(Size::DEFAULT, Rule::Renju, points("h8i9j10"), 0).unwrap();
    let mut used = assessor(3_000);
    let first = assess(&one, &mut used);
    assess(&other, &mut used);
    let in_renju = assess(&renju, &mut used);
    assert_eq!(assess(&one, &mut used), first);
    assert_eq!(assess(&one, &mut assessor(3_000)), first);
    assert_eq!(assess(&renju, &mut assessor(3_000)), in_renju);
    assert_ne!(assess(&one, &mut assessor(300)), first);
}

#[test]
fn wins_are_told_with_their_means() {
    let found = |moves: &str| {
        let task = task(moves);
        let mut position = task.position_after(task.moves().len());
        let mut assessor = assessor(5_000);
        assessor.begin(Rule::Freestyle);
        let found = assessor.assess(&mut position, &Stop::new()).unwrap();
        position.validate();
        found
    };
    let fours = found("h8a1i8a3j8a5");
    let proven = fours.proven.unwrap();
    assert_eq!((proven.winner, proven.plies, proven.means), (Color::Black, 3, WinMeans::Fours));
    assert_eq!(fours.chances.points(), 1.0);
    let threats = found("h8a1i8a3h9c15i9o1").proven.unwrap();
    assert_eq!((threats.winner, threats.means), (Color::Black, WinMeans::Threats));
    let lost = found("h8a1i8a3j8a5k8").proven.unwrap();
    assert_eq!((lost.winner, lost.plies), (Color::Black, 2));
}

#[test]
fn other_moves_are_searched_without_the_excluded_one() {
    let task = task("h8h9i8i9j8");
    let mut position = task.position_after(5);
    let mut assessor = assessor(2_000);
    assessor.begin(Rule::Freestyle);
    let best = assessor.assess(&mut position, &Stop::new()).unwrap().best().unwrap();
    let other = assessor.assess_without(&mut position, best, &Stop::new()).unwrap();
    assert!(other.best().is_some_and(|other| other != best));
}

#[test]
fn other_moves_are_candidates_and_wins_come_with_their_attack() {
    let found = |moves: &str| {
        let mut position = task(moves).position_after(points(moves).len());
        let mut assessor = assessor(2_000);
        assessor.begin(Rule::Freestyle);
        (assessor.assess(&mut position, &Stop::new()).unwrap(), position)
    };
    let (open, _) = found("h8i9i8");
    let best = open.best();
    let others: Vec<Point> = open.candidates.iter().map(Candidate::point).collect();
    assert_eq!(others.len(), OTHERS);
    assert!(!others.iter().any(|&other| Some(other) == best), "{others:?}");
    let values: Vec<f64> = open.candidates.iter().map(|c| c.chances.points()).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert_eq!(open.attack, None);
    let (won, position) = found("h8a1i8a3j8a5");
    let attack = won.attack.unwrap();
    assert_eq!(attack.line(&position), won.line);
    // Black does not stop an open four by any move.
    let (lost, _) = found("h8a1i8a3j8a5k8");
    assert_eq!((lost.candidates, lost.attack), (Vec::new(), None));
}

/// The win was planted in a game of the engine; a part of the nodes does not find it.
#[test]
fn a_long_win_is_proven_where_the_search_is_nearly_sure() {
    let moves = points(
        "i5i3f6j7m6j5j6k6l7k8k7h4i6h6i8i7h5f5e6g5f4j2k1j3j4g7k3l8j8f8e9h10e8e7g9d6c5d9f7b10",
    );
    let task = ReviewTask::new(Size::DEFAULT, Rule::Freestyle, moves, 0).unwrap();
    let mut position = task.position_after(task.moves().len());
    let mut assessor = assessor(20_000);
    assessor.begin(Rule::Freestyle);
    let found = assessor.assess(&mut position, &Stop::new()).unwrap();
    assert_eq!(found.proven.map(|proven| proven.winner), Some(Color::Black));
    assert!(found.attack.is_some());
}

#[test]
fn an_interrupted_assessment_is_none() {
    let mut position = task("h8").position_after(1);
    for effort in [Effort::Nodes(1 << 40), Effort::Time(Duration::from_secs(3600))] {
        let mut assessor = EngineAssessor::new(effort, 1).unwrap();
        // In the middle, for it would take an hour at least; or before, on a busy machine.
        let stop = Stop::new().part_within(Duration::from_millis(50));
        assert_eq!(assessor.assess(&mut position, &stop), None);
    }
    let mut quick = EngineAssessor::new(Effort::Time(Duration::from_millis(4)), 1).unwrap();
    assert!(quick.assess(&mut position, &Stop::new()).is_some_and(|found| found.best().is_some()));
}
