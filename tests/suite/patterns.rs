//! The look-up tables against the slow truth, for every key of every rule and colour, and our
//! automaton against the aho-corasick crate.

use tengen::patterns::automaton::{Automaton, Symbol};
use tengen::patterns::definition::Definition;
use tengen::patterns::{Family, PatternTables};
use tengen::rng::SplitMix64;
use tengen::rules::Rule;
use tengen::types::Color;

fn table_equals_definition(rule: Rule) {
    let tables = PatternTables::build(rule);
    for color in Color::ALL {
        let mut definition = Definition::new(Family::of(rule, color));
        for key in 0..tables.keys() {
            let window = tables.decode(key, color);
            let expected = definition.shape(&window);
            let found = tables.shapes(key)[color];
            assert_eq!(found, expected, "{rule:?} {color} {window:?}");
        }
    }
}

#[test]
fn every_freestyle_window_is_what_one_more_stone_makes_of_it() {
    table_equals_definition(Rule::Freestyle);
}

#[test]
fn every_standard_window_is_what_one_more_stone_makes_of_it() {
    table_equals_definition(Rule::Standard);
}

#[test]
fn every_renju_window_is_what_one_more_stone_makes_of_it() {
    table_equals_definition(Rule::Renju);
}

#[test]
fn every_caro_window_is_what_one_more_stone_makes_of_it() {
    table_equals_definition(Rule::Caro);
}

#[test]
fn every_exact_caro_window_is_what_one_more_stone_makes_of_it() {
    table_equals_definition(Rule::CaroExact);
}

#[test]
fn the_automaton_finds_what_the_aho_corasick_crate_finds() {
    let mut rng = SplitMix64::new(7);
    for round in 0..300 {
        let texts: Vec<Vec<Symbol>> = (0..1 + rng.below(30))
            .map(|_| (0..1 + rng.below(8)).map(|_| Symbol::ALL[rng.below(4)]).collect())
            .collect();
        let line: Vec<Symbol> = (0..rng.below(200)).map(|_| Symbol::ALL[rng.below(4)]).collect();
        let bytes = |text: &[Symbol]| text.iter().map(|&s| s as u8).collect::<Vec<u8>>();
        let oracle = aho_corasick::AhoCorasick::new(texts.iter().map(|t| bytes(t))).unwrap();
        let mut expected: Vec<(usize, usize)> = oracle
            .find_overlapping_iter(&bytes(&line))
            .map(|m| (m.pattern().as_usize(), m.end()))
            .collect();
        let automaton = Automaton::new(&texts);
        let mut found: Vec<(usize, usize)> = automaton.find_all(&line).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "round {round}");
    }
}
