//! Walks through whole games: after each move and each move taken back, everything kept
//! incrementally equals a rebuild.

use tengen_core::patterns::PointClass;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Point, Size};

/// Plays random moves near the stones until the board is full, then takes everything back.
fn walk(rule: Rule, size: Size, seed: u64, check_every: usize) {
    let mut rng = SplitMix64::new(seed);
    let mut position = Position::new(rule, size);
    let start_key = position.key();
    let mut keys = Vec::new();
    while position.empty_cells() > 0 {
        let near: Vec<Point> = position.tracker().near().iter().collect();
        let all: Vec<Point> = position.tracker().empties().iter().collect();
        let choice = if near.is_empty() || rng.below(20) == 0 { &all } else { &near };
        let point = choice[rng.below(choice.len())];
        keys.push(position.key());
        assert_eq!(position.key_after(point), {
            position.play_unchecked(point);
            position.key()
        });
        if keys.len() % check_every == 0 {
            position.validate();
        }
        if rng.below(4) == 0 {
            position.undo();
            assert_eq!(position.key(), keys.pop().unwrap());
            position.validate();
        }
    }
    position.validate();
    while let Some(key) = keys.pop() {
        position.undo();
        assert_eq!(position.key(), key);
        if keys.len() % check_every == 0 {
            position.validate();
        }
    }
    assert_eq!(position.key(), start_key);
    for color in Color::ALL {
        assert!(!position.counts(color).has_at_least(PointClass::Two), "an empty board has twos");
    }
}

#[test]
fn incremental_state_equals_a_rebuild_for_every_rule_and_size() {
    for rule in Rule::ALL {
        for (width, height) in [(5, 5), (9, 9), (15, 15), (12, 17), (22, 5), (20, 20), (22, 22)] {
            let size = Size::new(width, height).unwrap();
            walk(rule, size, u64::from(size.width()) << 8 | rule as u64, 7);
        }
    }
}

#[test]
fn every_single_move_of_a_game_keeps_step() {
    for rule in Rule::ALL {
        walk(rule, Size::square(15).unwrap(), 99, 1);
    }
}
