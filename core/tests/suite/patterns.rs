//! The look-up tables against the slow truth, for every key of every rule and colour, and our
//! automaton against a search place by place.

use tengen_core::patterns::automaton::{Automaton, AutomatonState, Symbol};
use tengen_core::patterns::definition::Definition;
use tengen_core::patterns::{Family, PatternTables};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::Rule;
use tengen_core::types::Color;

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
fn the_automaton_finds_every_occurrence_of_every_text() {
    let mut rng = SplitMix64::new(7);
    for round in 0..300 {
        let texts: Vec<Vec<Symbol>> = (0..1 + rng.below(30))
            .map(|_| (0..1 + rng.below(8)).map(|_| Symbol::ALL[rng.below(4)]).collect())
            .collect();
        let line: Vec<Symbol> = (0..rng.below(200)).map(|_| Symbol::ALL[rng.below(4)]).collect();
        let automaton = Automaton::new(&texts);
        // As text and end, the index after its last symbol.
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let mut state = AutomatonState::START;
        for (end, &symbol) in (1..).zip(&line) {
            state = automaton.step(state, symbol);
            found.extend(automaton.matches(state).iter().map(|&text| (text, end)));
            let ends_here = |text: &Vec<Symbol>| line[..end].ends_with(text);
            expected.extend((0..texts.len()).filter(|&i| ends_here(&texts[i])).map(|i| (i, end)));
        }
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "round {round}");
    }
}
