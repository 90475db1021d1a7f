use std::collections::BTreeMap;

use super::*;
use crate::review::double::{even, proof, task, worth};
use crate::review::{GameReview, MoveClass};
use tengen_core::rules::Rule;

const BLACK: Color = Color::Black;
const WHITE: Color = Color::White;

/// Knows some positions by the moves to them; all others are equal and go on at a15.
#[derive(Default)]
struct Scripted {
    known: BTreeMap<&'static str, Assessment>,
    /// Values of positions without the move that was played.
    without: BTreeMap<&'static str, Assessment>,
    /// The positions that were asked for.
    asked: Vec<String>,
    /// The position at which somebody wants the work to end.
    ends_at: Option<&'static str>,
}

impl Scripted {
    fn new(known: &[(&'static str, Assessment)]) -> Scripted {
        Scripted { known: known.iter().cloned().collect(), ..Scripted::default() }
    }
}

fn moves_of(position: &Position) -> String {
    let moves = (0..position.played()).rev().filter_map(|ago| position.last_move(ago));
    moves.map(|point| point.to_string()).collect()
}

impl Assessor for Scripted {
    fn begin(&mut self, _: Rule) {}

    fn assess(&mut self, position: &mut Position, stop: &Stop) -> Option<Assessment> {
        let moves = moves_of(position);
        let found = self.known.get(&moves[..]).cloned().unwrap_or_else(|| worth(0.5, "a15"));
        if self.ends_at == Some(&moves) {
            stop.request();
        }
        self.asked.push(moves);
        (!stop.is_set()).then_some(found)
    }

    fn assess_without(
        &mut self,
        position: &mut Position,
        _: Point,
        stop: &Stop,
    ) -> Option<Assessment> {
        let found = self.without.get(&moves_of(position)[..]).cloned();
        (!stop.is_set()).then(|| found.unwrap_or_else(|| worth(0.5, "b15")))
    }
}

/// Returns the review of a game, and the positions that were asked for.
fn review(moves: &str, mut scripted: Scripted) -> (GameReview, Vec<String>) {
    let task = task(moves);
    let game = assess_game(&task, &mut scripted, &Stop::new(), &mut |_| {});
    let review = GameReview::new(&task, &game);
    for m in &review.moves {
        assert!(m.best() != m.point || !m.class.is_fault(), "{m:?}");
        assert!(m.before.points() >= m.after.points(), "{m:?}");
    }
    (review, scripted.asked)
}

#[test]
fn a_move_that_only_promises_more_makes_no_fault() {
    // Black is told to play g9 for 0.8, but after it there is no more than after h8.
    let known = [("", worth(0.8, "g9")), ("h8", worth(0.45, "a1")), ("g9", worth(0.5, "b1"))];
    let (game, asked) = review("h8", Scripted::new(&known));
    assert_eq!(asked, ["h8", "", "g9"], "both moves are judged by what comes after them");
    assert_eq!((game.moves[0].class, game.moves[0].point), (MoveClass::Best, game.moves[0].best()));
    assert_eq!(game.black, [0.55, 0.55]);
}

#[test]
fn a_move_that_keeps_its_promise_is_what_was_better() {
    let known = [("", worth(0.8, "g9")), ("h8", worth(0.55, "a1")), ("g9", worth(0.3, "b1"))];
    let (game, asked) = review("h8", Scripted::new(&known));
    assert_eq!(asked, ["h8", "", "g9"]);
    assert_eq!(
        (game.moves[0].class, game.moves[0].best().to_string()),
        (MoveClass::Blunder, "g9".to_owned())
    );
    let percent: Vec<f64> = game.black.iter().map(|share| (100.0 * share).round()).collect();
    assert_eq!(percent, [70.0, 45.0], "what comes after it counts, not the promise");
    assert_eq!(game.moves[0].line.len(), 2);
}

#[test]
fn small_differences_are_not_looked_into() {
    let known = [("", worth(0.58, "g9")), ("h8", worth(0.46, "a1"))];
    let (game, asked) = review("h8", Scripted::new(&known));
    assert_eq!((asked.len(), game.moves[0].class), (2, MoveClass::Good));
    // Nor are moves that are not judged.
    let mut opening = task("h8");
    opening = ReviewTask::new(opening.size(), opening.rule(), opening.moves().to_vec(), 1).unwrap();
    let known = [("", worth(0.9, "g9")), ("h8", worth(0.5, "a1"))];
    let mut scripted = Scripted::new(&known);
    assess_game(&opening, &mut scripted, &Stop::new(), &mut |_| {});
    assert_eq!(scripted.asked.len(), 2);
}

#[test]
fn one_promise_after_another_is_looked_into() {
    let mut start = worth(0.9, "g9");
    let other = |win, cell| worth(win, cell).as_candidate().unwrap();
    start.candidates = vec![other(0.8, "i9"), other(0.7, "j9"), other(0.52, "k9")];
    let known = [
        ("", start),
        ("h8", worth(0.5, "a1")),
        ("g9", worth(0.6, "a1")),
        ("i9", worth(0.38, "a1")),
        ("j9", worth(0.7, "a1")),
    ];
    let (game, asked) = review("h8", Scripted::new(&known));
    assert_eq!(asked, ["h8", "", "g9", "i9", "j9"], "k9 would be no fault to leave");
    let first = &game.moves[0];
    assert_eq!((first.class, first.best().to_string()), (MoveClass::Mistake, "i9".to_owned()));
    let others = game.positions[0].candidates.iter().map(|c| c.point().to_string());
    assert_eq!(others.collect::<Vec<_>>(), ["k9", "h8", "g9", "j9"]);
}

#[test]
fn moves_that_lose_are_no_better_than_the_one_that_was_played() {
    // h8 loses by force; g9 seems to hold, but loses too.
    let known = [
        ("", worth(0.5, "g9")),
        ("h8", proof(WHITE, 5, WHITE, "a1")),
        ("g9", proof(WHITE, 7, WHITE, "b1")),
    ];
    let (game, _) = review("h8", Scripted::new(&known));
    assert_eq!(game.moves[0].class, MoveClass::Lost);
    assert_eq!(game.positions[0].proven, None, "not all moves were looked at");
    // A win that is found after another move counts for the position.
    let known =
        [("", worth(0.9, "g9")), ("h8", worth(0.5, "a1")), ("g9", proof(BLACK, 6, WHITE, "b1"))];
    let (game, _) = review("h8", Scripted::new(&known));
    assert_eq!(game.moves[0].proven_before.map(|proven| proven.plies), Some(7));
    assert_eq!(game.moves[0].class, MoveClass::MissedWin);
}

/// White's second move wins, which only the position after it shows. The search before black's
/// second move thought black's move the best, and that of white's that nothing is lost.
#[test]
fn a_proof_from_later_moves_makes_the_best_move_no_blunder() {
    let mut scripted = Scripted::new(&[
        ("h8", worth(0.5, "i9")),
        ("h8i9", worth(0.3, "j8")),
        ("h8i9j8", worth(0.8, "c3")),
        ("h8i9j8k9", proof(WHITE, 4, BLACK, "d4")),
    ]);
    scripted.without.insert("h8i9", worth(0.25, "e5"));
    scripted.known.insert("h8i9e5", proof(WHITE, 5, WHITE, "f6"));
    let (game, asked) = review("h8i9j8k9", scripted);
    assert!(asked.contains(&"h8i9e5".to_owned()), "the other move is looked into: {asked:?}");
    assert_eq!(game.moves[2].class, MoveClass::Lost);
    assert_eq!(game.moves[3].class, MoveClass::Best);
}

#[test]
fn an_interruption_while_moves_are_compared_leaves_the_position_out() {
    let task = task("h8");
    let known = [("", worth(0.9, "g9")), ("h8", worth(0.5, "a1"))];
    let mut scripted = Scripted { ends_at: Some("g9"), ..Scripted::new(&known) };
    let game = assess_game(&task, &mut scripted, &Stop::new(), &mut |_| {});
    assert_eq!(scripted.asked.last().map(String::as_str), Some("g9"));
    assert_eq!((game.first, game.positions.len()), (1, 1), "{:?}", scripted.asked);
    assert_eq!(game.positions[0].chances, even(0.5).chances);
}
