use super::*;
use tengen_core::notation::parse_moves;
use tengen_core::rules::Rule;
use tengen_core::types::Size;

fn points(text: &str) -> Vec<Point> {
    parse_moves(text, Size::square(15).unwrap()).unwrap()
}

/// Returns what a line does after some moves.
fn effects(stones: &str, line: &str) -> Vec<Effect> {
    let mut position = Position::new(Rule::Freestyle, Size::square(15).unwrap());
    for point in points(stones) {
        position.play(point).unwrap();
    }
    effects_of(&position, &points(line))
}

#[test]
fn what_decides_most_comes_first() {
    let at = |text: &str| points(text)[0];
    // Two stones become an open three, and that an open four.
    let two = "g8a1h8a3";
    assert_eq!(effects(two, "")[..], []);
    assert_eq!(effects(two, "i8")[0], Effect::Makes(Threat::OpenThree));
    let line = effects(two, "i8o15j8");
    assert_eq!(line[0], Effect::HeadsFor(Threat::OpenFour, at("j8")));
    assert!(line.contains(&Effect::Makes(Threat::OpenThree)));
    // White stops an open three.
    let stops = effects("g8a1h8a3i8", "j8");
    assert_eq!(stops[0], Effect::Stops(Threat::OpenFour, at("f8")));
    // A stone that makes nothing yet, but two open threes at one cell next.
    let prepares = effects("h9a1h10a3i8a5", "j8");
    assert_eq!(prepares[0], Effect::Prepares(Threat::DoubleThree, at("h8")));
    assert_eq!(effects("h8a1", "o15"), []);
}

#[test]
fn a_three_elsewhere_does_not_come_of_a_stone() {
    let at = |text: &str| points(text)[0];
    let heads_for = |cell: &str| Effect::HeadsFor(Threat::OpenThree, at(cell));
    assert_eq!(effects("g8a1h8a3", "d5a5i8"), []);
    assert_eq!(effects("h8a1", "i7a3k5")[..], [heads_for("k5")]);
}

#[test]
fn a_line_counts_as_far_as_it_can_be_played() {
    let two = "g8a1h8a3";
    let over = effects(two, "i8h8j8");
    assert_eq!(over[0], Effect::Makes(Threat::OpenThree), "h8 is taken");
    let late = effects(two, "o15o13n15n13k15k13b15b13i8b1j8");
    assert!(!late.iter().any(|effect| matches!(effect, Effect::HeadsFor(Threat::OpenFour, _))));
}
