//! Generated games and records, shared by the tests.

use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Rule};
use tengen_core::types::{ByColor, Color, Size};
use tengen_files::records::{GameResult, MoverSearch, Reason, Record};

/// Returns a text that is odd, but keeps to one line and has no blanks at its ends.
fn odd_text(rng: &mut SplitMix64) -> String {
    let chars = ['a', 'Z', '7', ' ', '"', '\\', ']', '[', ':', '(', ';', '<', 'é', '五', '😀', ','];
    let inner: String = (0..rng.below(8)).map(|_| chars[rng.below(chars.len())]).collect();
    if rng.below(4) == 0 { String::new() } else { format!("x{inner}y") }
}

fn odd_comment(rng: &mut SplitMix64) -> String {
    match rng.below(8) {
        0 => format!("{}\n\n{}\n", odd_text(rng), odd_text(rng)),
        1 => "12ms".to_owned(),
        2 => "\nopening move".to_owned(),
        3 => odd_text(rng),
        _ => String::new(),
    }
}

/// Plays at random, in a part of the board small enough for fives and forbidden moves.
fn random_game(rng: &mut SplitMix64) -> Game {
    let rule = Rule::ALL[rng.below(5)];
    let mut edge = || 5 + rng.below(18) as i64;
    let (width, height) = (edge(), edge());
    let size = match rng.below(4) {
        0 => Size::new(width, height).unwrap(),
        1 => Size::square(width).unwrap(),
        2 => Size::square(20).unwrap(),
        _ => Size::DEFAULT,
    };
    let mut game = Game::new(size, rule);
    // Many tries hit a stone.
    for _ in 0..rng.below(90) {
        let point = size.point(rng.below(7) as i64, rng.below(7) as i64);
        let point = point.filter(|&p| game.board().is_empty(p) && !game.outcome().is_over());
        if let Some(point) = point {
            game.play(point).unwrap();
        }
    }
    game
}

/// Returns a record of a random game with everything that a record can hold.
pub(crate) fn random_record(seed: u64) -> Record {
    let rng = &mut SplitMix64::new(seed);
    let mut record = Record::of_game(&random_game(rng));
    record.players = ByColor([odd_text(rng), odd_text(rng)]);
    record.event = odd_text(rng);
    record.round = format!("{}.{}", rng.below(9), rng.below(9));
    record.date = ["", "2025-04-30", "2025-04-30 18:00:00", "last spring"][rng.below(4)].to_owned();
    record.comment = odd_comment(rng);
    record.opening = rng.below(record.moves.len() + 1);
    for m in &mut record.moves {
        m.set_search(MoverSearch {
            time: (rng.below(3) > 0).then(|| rng.next_u64() >> (1 + rng.below(63))),
            score: (rng.below(3) == 0).then(|| rng.next_u64() as i32),
            depth: (rng.below(3) == 0).then(|| rng.next_u64() as u32),
            nodes: (rng.below(3) == 0).then(|| rng.next_u64() >> rng.below(64)),
        });
        m.set_comment(odd_comment(rng));
    }
    if record.result.is_none() {
        let results = [
            None,
            Some(GameResult::Draw),
            Some(GameResult::Win(Color::Black)),
            Some(GameResult::Win(Color::White)),
        ];
        record.result = results[rng.below(4)];
        let reason = Reason::ALL.get(rng.below(Reason::ALL.len() + 2)).cloned();
        let other = Reason::Other("its owner came home".to_owned());
        record.reason = reason.or_else(|| (rng.below(2) == 0).then_some(other));
    }
    record
}
