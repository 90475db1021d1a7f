//! The real binary starts its threads before it is asked, and a question at once is answered in the same way.

use std::thread;
use std::time::{Duration, Instant};

use crate::child::{Engine, PATIENCE};
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};

const THREADS: usize = 5;

fn started(infos: &str) -> Engine {
    let mut engine = Engine::start().expect("the engine starts");
    engine.new_game(Size::DEFAULT, Rule::Freestyle, infos).expect("a game");
    engine
}

fn ask(engine: &mut Engine, question: &str) -> Point {
    engine.send(question).expect("a listener");
    engine.point(Size::DEFAULT, Instant::now() + PATIENCE).expect("a move").1
}

#[test]
fn threads_are_started_before_the_question_and_stay() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let infos =
        format!("INFO timeout_turn 600000\nINFO max_node 5000\nINFO thread_num {THREADS}\n");
    let mut engine = started(&infos);
    let wait_for = |engine: &mut Engine, other: usize| {
        let until = Instant::now() + PATIENCE;
        while engine.threads() != Some(2 + other) {
            assert!(Instant::now() < until, "{:?} threads", engine.threads());
            thread::sleep(Duration::from_millis(5));
        }
    };
    // Those of the session, of the input and of the search, and its helpers.
    wait_for(&mut engine, THREADS);
    for question in ["BOARD\n7,7,1\n8,8,2\n6,8,1\n8,6,2\nDONE\n", "TURN 0,0\n", "TURN 0,2\n"] {
        ask(&mut engine, question);
        assert_eq!(engine.threads(), Some(2 + THREADS), "{question}");
    }
    engine.send("INFO thread_num 8\nINFO hash_size 1024\nRESTART\n").expect("a listener");
    assert_eq!(engine.any_line(PATIENCE).as_deref(), Some("OK"));
    wait_for(&mut engine, 8);
    engine.end(Instant::now() + PATIENCE).expect("an end");
}

#[test]
fn answers_do_not_depend_on_whether_there_was_time_to_get_ready() {
    let infos = "INFO timeout_turn 600000\nINFO max_node 4000\n";
    let questions =
        ["BOARD\n7,7,1\n8,8,2\n6,8,1\n8,6,2\nDONE\n", "TURN 0,0\n", "RESTART\n", "BEGIN\n"];
    let answers = [0, 60].map(|pause| {
        let mut engine = started(infos);
        let mut answers = Vec::new();
        for question in questions {
            thread::sleep(Duration::from_millis(pause));
            if question.starts_with("RESTART") {
                engine.send(question).expect("a listener");
                assert_eq!(engine.any_line(PATIENCE).as_deref(), Some("OK"));
            } else {
                answers.push(ask(&mut engine, question));
            }
        }
        engine.end(Instant::now() + PATIENCE).expect("an end");
        answers
    });
    assert_eq!(answers[0], answers[1]);
}
