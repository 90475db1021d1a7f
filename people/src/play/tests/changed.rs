//! Saved games that were tampered with.

use std::time::Duration;

use serde_json::{Value, json};

use crate::play::scripted::{Sitting, points};
use crate::play::{CasualGame, ClockControl, Controller, SavedGame, parse_choice};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{OpeningRule, Rule};
use tengen_core::types::{ByColor, Cell, Color, Size};
use tengen_engine::engine::Answer;
use tengen_files::resume::testing::without_sums;

const PEOPLE: ByColor<Controller> = ByColor([Controller::Person, Controller::Person]);

/// Returns saved games, with a clock and without, in an opening and without.
fn seeds() -> Vec<Value> {
    let timed = ClockControl {
        game: Some(Duration::from_secs(600)),
        increment: Duration::from_secs(5),
        ..ClockControl::default()
    };
    let mut all = Vec::new();
    for control in [ClockControl::default(), timed] {
        let mut game = CasualGame::new(Size::new(20, 15).unwrap(), Rule::Renju);
        game.set_cell(points("a1")[0], Cell::Wall).unwrap();
        let mut sitting = Sitting::with(PEOPLE, control, game);
        sitting.play("h8i9h10i8").unwrap();
        sitting.session.take_back(Some(1)).unwrap();
        all.push(sitting.session.saved());
    }
    for (rule, words) in [
        (OpeningRule::Swap2, "h8 i9 j10 two a1"),
        (OpeningRule::Taraguchi10, "h8 swap i9"),
        (OpeningRule::Yamaguchi, "h8"),
        (OpeningRule::Swap, "h8 i9 j10 stay"),
    ] {
        let (mut sitting, _) = Sitting::opening(PEOPLE, timed, rule, Size::DEFAULT);
        for word in words.split_whitespace() {
            sitting.session.choose(&[parse_choice(word, Size::DEFAULT).unwrap()]).unwrap();
        }
        all.push(sitting.session.saved());
    }
    let value = |saved: &SavedGame| serde_json::from_str(&without_sums(&saved.to_text())).unwrap();
    all.iter().map(value).collect()
}

/// Changes one of the values within a value.
fn change(value: &mut Value, rng: &mut SplitMix64) {
    match value {
        Value::Object(map) if !map.is_empty() && rng.below(12) > 0 => {
            let i = rng.below(map.len());
            change(map.values_mut().nth(i).expect("a field"), rng);
        }
        Value::Array(list) if !list.is_empty() && rng.below(12) > 0 => {
            let i = rng.below(list.len());
            change(&mut list[i], rng);
        }
        _ => *value = another(value, rng),
    }
}

/// Returns a value instead of another one.
fn another(value: &Value, rng: &mut SplitMix64) -> Value {
    let numbers =
        [0, 1, 2, 3, 225, 226, 999_999_999, 1_000_000_000, 1 << 32, i64::MAX as u64, u64::MAX];
    let number = numbers[rng.below(numbers.len())];
    match value {
        Value::Bool(flag) => json!(!flag),
        Value::Number(_) if rng.below(8) > 0 => json!(number),
        Value::Number(_) => [json!(-1), json!(1e300), json!(0.5)][rng.below(3)].clone(),
        Value::Null => [
            json!({"secs": number, "nanos": 0}),
            json!({"periods": number, "length": {"secs": number, "nanos": 0}}),
            json!(number),
            json!("x"),
        ][rng.below(4)]
        .clone(),
        Value::String(text) => {
            let words = ["", "swap", "h8", "person", "engine", "renju", "\u{1b}[2J", "draw"];
            let mut letters: Vec<char> = text.chars().collect();
            match rng.below(4) {
                0 => return json!(words[rng.below(words.len())]),
                1 if !letters.is_empty() => drop(letters.remove(rng.below(letters.len()))),
                2 => {
                    letters.insert(rng.below(letters.len() + 1), ['a', 'h', '1', '9'][rng.below(4)])
                }
                _ => letters.extend(letters.clone()),
            }
            json!(letters.into_iter().collect::<String>())
        }
        Value::Array(list) => match rng.below(2) {
            0 => json!([]),
            _ => json!([&list[..], &list[..]].concat()),
        },
        Value::Object(map) => {
            let mut fewer = map.clone();
            let name = map.keys().nth(rng.below(map.len().max(1))).cloned();
            fewer.remove(&name.unwrap_or_default());
            Value::Object(fewer)
        }
    }
}

/// Goes on with a game in some way, which may be refused.
fn act(sitting: &mut Sitting, rng: &mut SplitMix64) {
    let session = &mut sitting.session;
    let size = session.game().size();
    let cells: Vec<_> = size.points().collect();
    let cell = cells[rng.below(cells.len())];
    let count = [Some(1), Some(4), Some(usize::MAX), None][rng.below(4)];
    let choice = parse_choice(["swap", "stay", "two", "h8", "5"][rng.below(5)], size);
    // Impossible actions are rejected.
    let _ = match rng.below(12) {
        0 => session.take_back(count),
        1 => session.redo(count),
        2 => session.resign(),
        3 => session.offer_draw(),
        4 => session.go(),
        5 => session.hint(),
        6 => session.set_cell(cell, Cell::Stone(Color::White)),
        7 => choice.map_or(Ok(Vec::new()), |choice| session.choose(&[choice])),
        8 => Ok(session.swap_sides()),
        9 => Ok(session.new_game()),
        _ => session.play(&[cell]),
    };
    sitting
        .wait([Duration::ZERO, Duration::from_secs(1), Duration::from_secs(1 << 40)][rng.below(3)]);
    if sitting.job().is_some() {
        sitting.finish(if rng.below(2) == 0 { Answer::NoMove } else { Answer::Moves(vec![cell]) });
    }
}

#[test]
fn a_saved_game_that_was_changed_is_refused_or_goes_on() {
    let seeds = seeds();
    let mut read = 0;
    for seed in 0..3000 {
        let rng = &mut SplitMix64::new(seed);
        let mut value = seeds[rng.below(seeds.len())].clone();
        for _ in 0..1 + rng.below(3) {
            change(&mut value, rng);
        }
        let Ok(saved) = SavedGame::from_text(&value.to_string()) else { continue };
        read += 1;
        assert_eq!(SavedGame::from_text(&saved.to_text()).as_ref(), Ok(&saved), "{seed}: {value}");
        let mut sitting = Sitting::resume(saved);
        for _ in 0..12 {
            act(&mut sitting, rng);
            let saved = sitting.session.saved();
            assert_eq!(
                SavedGame::from_text(&saved.to_text()).as_ref(),
                Ok(&saved),
                "{seed}: {value}"
            );
        }
    }
    assert!(read > 300, "{read}");
}
