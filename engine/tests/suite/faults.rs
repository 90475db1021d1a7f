//! Panics on demand: no game is lost by one, and no command hangs. Only builds with assertions can be told
//! to panic.

use std::process::Command;
use std::time::Instant;

use crate::child::{self, Engine, PATIENCE};
use crate::place::Place;
use tengen_core::notation::parse_xy;
use tengen_core::types::{Point, Size};

/// The variable that says where to panic.
const VARIABLE: &str = "TENGEN_FAULT";

/// The moves of a game.
const MOVES: usize = 6;

/// A conversation with an engine that panics now and then.
struct Conversation {
    engine: Engine,
    messages: Vec<String>,
    stones: Vec<Point>,
}

impl Conversation {
    fn begin(fault: &str, arguments: &[&str], infos: &str) -> Conversation {
        let mut command = Command::new(child::engine());
        command.env(VARIABLE, fault).args(arguments);
        let mut engine = Engine::start_as(command).expect("the engine starts");
        engine.send(&format!("START 15\n{infos}")).expect("a listener");
        let mut begun = Conversation { engine, messages: Vec::new(), stones: Vec::new() };
        assert_eq!(begun.answer(), "OK", "{fault}");
        begun
    }

    /// Returns the next line that is not a message.
    fn answer(&mut self) -> String {
        loop {
            let line = self.engine.any_line(PATIENCE).expect("an answer");
            match line.strip_prefix("MESSAGE ") {
                Some(text) => self.messages.push(text.to_owned()),
                None => return line,
            }
        }
    }

    fn ask(&mut self, question: &str) {
        self.engine.send(question).expect("a listener");
        let answer = self.answer();
        let point = parse_xy(&answer, Size::DEFAULT).expect("a move");
        assert!(!self.stones.contains(&point), "{answer} is occupied");
        self.stones.push(point);
    }

    /// Plays a game, and returns the messages about faults.
    fn play(mut self) -> Vec<String> {
        self.ask("BOARD\n7,7,1\n8,8,2\n6,9,1\n9,6,2\nDONE\n");
        for x in 0..MOVES {
            let reply = Size::DEFAULT.point(2 * x as i64, 0).expect("a cell");
            if !self.stones.contains(&reply) {
                self.stones.push(reply);
                self.ask(&format!("TURN {},0\n", 2 * x));
            }
        }
        self.engine.end(Instant::now() + PATIENCE).expect("a quiet end");
        let is_fault = |text: &String| text.contains("internal error");
        self.messages.into_iter().filter(is_fault).collect()
    }
}

#[test]
fn a_panic_in_a_search_costs_no_game() {
    if !cfg!(debug_assertions) {
        return;
    }
    let infos = "INFO timeout_turn 100000\nINFO max_node 3000\n";
    let two_threads = format!("{infos}INFO thread_num 2\n");
    for (fault, infos, place) in [
        ("search:1", infos, "Search"),
        ("search:900", infos, "Search"),
        ("network:200", infos, "Network"),
        ("helper:1", &two_threads, "Helper"),
        ("search:900", &two_threads, "Search"),
    ] {
        let faults = Conversation::begin(fault, &[], infos).play();
        assert!(!faults.is_empty(), "{fault}");
        let expected = format!("internal error: a fault on demand in {place} (fault.rs:");
        assert!(faults.iter().all(|text| text.starts_with(&expected)), "{fault}: {faults:?}");
        assert!(faults.iter().all(|text| text.ends_with("; the best move known is played")));
    }
}

#[test]
fn after_a_panic_the_best_move_of_the_search_is_played() {
    if !cfg!(debug_assertions) {
        return;
    }
    // White must stop an open three, which any finished iteration knows.
    let infos = "INFO timeout_turn 100000\nINFO max_node 100000\n";
    let mut game = Conversation::begin("search:2500", &[], infos);
    game.ask("BOARD\n6,7,2\n7,7,2\n8,7,2\n7,3,1\n11,11,1\nDONE\n");
    let ends = [(4, 7), (5, 7), (9, 7), (10, 7)].map(|(x, y)| Size::DEFAULT.point(x, y).unwrap());
    assert!(ends.contains(&game.stones[0]), "{:?}", game.stones);
}

#[test]
fn a_panic_in_a_database_costs_no_game_and_not_the_next_move() {
    if !cfg!(debug_assertions) {
        return;
    }
    let place = Place::new("faults");
    let file = &place.path("positions.tdb");
    let infos = "INFO timeout_turn 100000\nINFO max_node 3000\n";
    let faults = Conversation::begin("knowledge:1", &["--database", file], infos).play();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].ends_with("without a database and a book from now on"), "{faults:?}");
    let faults = Conversation::begin("database:1", &["--database", file], infos).play();
    assert!(faults[0].starts_with("the database is closed: internal error"), "{faults:?}");
}

#[test]
fn a_panic_in_the_session_or_where_lines_are_read_costs_no_game() {
    if !cfg!(debug_assertions) {
        return;
    }
    let infos = "INFO timeout_turn 100000\nINFO max_node 500\n";
    for (place, every) in
        [("session", 2), ("session", 3), ("session", 7), ("input", 2), ("input", 3)]
    {
        let fault = format!("{place}:{every}");
        let faults = Conversation::begin(&fault, &[], infos).play();
        assert!(faults.len() > 1, "{fault}: {faults:?}");
        let expected = format!("internal error: a fault on demand in {}", capital(place));
        assert!(faults.iter().all(|text| text.starts_with(&expected)), "{fault}: {faults:?}");
    }
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
