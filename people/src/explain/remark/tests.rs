//! The words for moves, and what they claim.

use super::*;
use crate::explain::WinMeans;
use tengen_core::notation::{parse_cell, parse_moves};
use tengen_core::rng::SplitMix64;

fn position(rule: Rule, text: &str) -> Position {
    let size = Size::square(15).unwrap();
    let mut position = Position::new(rule, size);
    for point in parse_moves(text, size).unwrap() {
        position.play(point).unwrap();
    }
    position
}

fn at(text: &str) -> Point {
    parse_cell(text, Size::square(15).unwrap()).unwrap()
}

/// Returns the remarks on the next move.
fn said(rule: Rule, stones: &str, cell: &str) -> Vec<String> {
    let mut position = position(rule, stones);
    let all = remarks(&mut position, at(cell));
    position.validate();
    all.iter().map(Remark::to_string).collect()
}

#[test]
fn moves_are_told_by_what_they_make_stop_and_leave() {
    let free = Rule::Freestyle;
    assert_eq!(said(free, "g8a1h8a3", "i8"), ["makes an open three"]);
    // White answers an open three, or does not.
    let three = "g8a1h8a3i8";
    assert_eq!(said(free, three, "j8"), ["stops the open four at f8"]);
    assert_eq!(said(free, three, "o15"), ["leaves the open four at f8"]);
    assert_eq!(said(free, "h8a1i8", "o15"), [""; 0]);
    // A four of black's: nothing else matters any more.
    let four = "g8a1h8a3i8f8j8";
    assert_eq!(said(free, four, "k8"), ["stops the five at k8"]);
    assert_eq!(said(free, four, "a2"), ["leaves the five at k8"]);
    assert_eq!(said(free, "g8a1h8a3i8f8j8a5", "k8"), ["makes a five"]);
    // White's own four comes first, its open three does not.
    let counter = "g8a1h8a2i8a3o1";
    assert_eq!(said(free, counter, "a4"), ["makes a four"]);
    let late = "g8c12h8d12i8";
    assert_eq!(said(free, late, "e12"), ["makes an open three", "leaves the open four at f8"]);
}

#[test]
fn forbidden_moves_are_told_with_their_kind() {
    let cross = "g8a1h8c1i9a5i10o7";
    assert_eq!(said(Rule::Renju, cross, "i8"), ["is forbidden: double three"]);
    assert_eq!(said(Rule::Freestyle, cross, "i8"), ["makes a double three"]);
    let rows = "f8a1g8a3h8a5i9a7i10a9i11a11e8a13i6a15";
    assert_eq!(said(Rule::Renju, "g8a1h8a3i8a5j8a7l8a9m8a11", "k8"), ["is forbidden: overline"]);
    assert_eq!(said(Rule::Renju, rows, "i8"), ["makes a five"]);
    let fours = "f8e8g8i12h8a5i9a7i10a9i11a11";
    assert_eq!(said(Rule::Renju, fours, "i8"), ["is forbidden: double four"]);
}

#[test]
fn what_was_missed_is_more_than_what_was_made() {
    let mut three = position(Rule::Freestyle, "g8a1h8a3i8a5");
    let miss = |position: &mut Position, played, best| {
        missed(position, at(played), at(best)).map(|remark| remark.to_string())
    };
    let open_four = Some("misses an open four at j8".to_owned());
    assert_eq!(miss(&mut three, "o15", "j8"), open_four);
    assert_eq!(miss(&mut three, "k8", "j8"), open_four);
    assert_eq!(miss(&mut three, "f8", "j8"), None);
    assert_eq!(miss(&mut three, "o15", "k8"), None, "a plain four wins nothing");
}

#[test]
fn wins_of_others_have_their_words_and_cells_their_rows() {
    let win = WinAhead { means: WinMeans::Fours, plies: 9 };
    let allows = Remark::Allows(Color::White, win, at("c4"));
    assert_eq!(allows.to_string(), "lets white win by fours in 9 (VCF) from c4");
    let misses = Remark::MissesWin(WinAhead { means: WinMeans::Threats, plies: 7 }, at("g9"));
    assert_eq!(misses.to_string(), "misses a win by threats in 7 (VCT) from g9");
    let size = Size::square(15).unwrap();
    let turned = |remark: Remark| remark.seen_from(Origin::Bottom, size).to_string();
    assert_eq!(turned(Remark::Stops(Threat::OpenFour, at("h1"))), "stops the open four at h15");
    assert_eq!(turned(Remark::Leaves(Threat::Five, at("h2"))), "leaves the five at h14");
    assert_eq!(turned(Remark::Misses(Threat::FourThree, at("h3"))), "misses a four-three at h13");
    assert_eq!(turned(misses), "misses a win by threats in 7 (VCT) from g7");
    assert_eq!(turned(allows), "lets white win by fours in 9 (VCF) from c12");
    let had = Remark::HadWin(win, Some(at("d2")));
    assert_eq!(turned(had), "a win by fours in 9 (VCF) was there, from d14");
    assert_eq!(turned(Remark::HadWin(win, None)), "a win by fours in 9 (VCF) was there");
    assert_eq!(turned(Remark::Cedes(Color::White, at("a1"))), "leaves a15 to white");
    assert_eq!(turned(Remark::Wastes(Threat::Four, at("a2"))), "wastes a four, answered at a14");
    assert_eq!(
        turned(Remark::HeadsFor(Threat::FourThree, at("a3"))),
        "heads for a four-three at a13"
    );
    assert_eq!(
        turned(Remark::Prepares(Threat::OpenFour, at("a4"))),
        "prepares an open four at a12"
    );
    assert!(misses.is_fault() && allows.is_fault() && !Remark::Makes(Threat::Four).is_fault());
}

#[test]
fn what_the_opponent_is_let_do_is_told() {
    use crate::explain::Effect;
    let size = Size::square(15).unwrap();
    let lets = |effect| {
        let remark = Remark::Lets(Color::Black, at("h8"), effect);
        assert!(remark.is_fault() && remark.cell() == Some(at("h8")));
        let turned = remark.seen_from(Origin::Bottom, size).to_string();
        assert_eq!(turned.replace("j12", "j4"), remark.to_string());
        remark.to_string()
    };
    let cell = at("j4");
    assert_eq!(lets(None), "lets black play h8");
    assert_eq!(lets(Some(Effect::Makes(Threat::Four))), "lets black make a four at h8");
    assert_eq!(
        lets(Some(Effect::HeadsFor(Threat::DoubleThree, cell))),
        "lets black play h8 and head for a double three at j4"
    );
    assert_eq!(
        lets(Some(Effect::Stops(Threat::OpenFour, cell))),
        "lets black play h8 and stop the open four at j4"
    );
    assert_eq!(
        lets(Some(Effect::Stops(Threat::FourThree, at("h8")))),
        "lets black stop the four-three at h8"
    );
    assert_eq!(
        lets(Some(Effect::Prepares(Threat::OpenFour, cell))),
        "lets black play h8 and prepare an open four at j4"
    );
}

#[test]
fn in_random_games_every_claim_holds() {
    let mut rng = SplitMix64::new(5);
    let mut seen = [0; 3];
    for game in 0..200 {
        let rule = Rule::ALL[game % Rule::ALL.len()];
        let mut position = Position::new(rule, Size::new(8, 9).unwrap());
        for _ in 0..40 {
            let cells: Vec<Point> = position.tracker().empties().iter().collect();
            let point = cells[rng.below(cells.len())];
            let (us, key) = (position.to_move(), position.key());
            let before = threats(&mut position, !us);
            let all = remarks(&mut position, point);
            assert_eq!(position.key(), key);
            let mut after = position.clone();
            after.play_unchecked(point);
            for remark in all {
                match remark {
                    Remark::Stops(kind, cell) => {
                        assert!(before.contains(&(cell, kind)));
                        for &(cell, threat) in before.iter().filter(|(_, threat)| *threat == kind) {
                            let left =
                                cell != point && Threat::of(&mut after, cell, !us) >= Some(threat);
                            assert!(!left, "{rule} {cell}{:?}", position.board());
                        }
                        seen[0] += 1;
                    }
                    Remark::Leaves(kind, cell) => {
                        assert!(before.contains(&(cell, kind)));
                        assert!(Threat::of(&mut after, cell, !us) >= Some(kind));
                        seen[1] += 1;
                    }
                    Remark::Makes(threat) => {
                        assert_eq!(Threat::of(&mut position, point, us), Some(threat));
                        seen[2] += 1;
                    }
                    Remark::Forbidden(kind) => {
                        assert_eq!(violation(position.board(), point), Some(kind));
                    }
                    other => panic!("nobody told of a win: {other}"),
                }
            }
            position.play_unchecked(point);
            if tengen_core::rules::find_winner(position.board(), rule).is_some() {
                break;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}
