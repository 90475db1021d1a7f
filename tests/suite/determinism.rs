//! With one thread and a limit of nodes or depth, the engine repeats itself exactly.

use std::time::Instant;

use crossbeam_channel::Receiver;
use tengen_core::notation::parse_moves;
use tengen_core::rules::Rule;
use tengen_core::search::Limits;
use tengen_core::types::{Color, Point, Score, Size};
use tengen_engine::engine::{
    Answer, Engine, Event, EventKind, Job, Scope, Settings, Setup, Skill, Task, Thinker,
};
use tengen_lab::bench::positions::{BenchPosition, POSITIONS};

/// The report of a search, as far as it does not depend on the clock.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    answer: Answer,
    depth: u32,
    score: Score,
    nodes: u64,
    line: Vec<Point>,
}

/// An engine and what comes from it.
struct Player {
    engine: Engine,
    events: Receiver<Event>,
    jobs: u64,
}

impl Player {
    fn new(hash_size: u64) -> Player {
        let (mut engine, events) = Engine::new();
        let hash_size = Some(hash_size);
        engine.set_settings(Settings { max_memory: None, hash_size, ..Settings::default() });
        Player { engine, events, jobs: 0 }
    }

    fn think(&mut self, rule: Rule, size: Size, moves: &[Point], limits: Limits) -> Said {
        self.jobs += 1;
        let stones = moves.iter().enumerate().map(|(i, &p)| (p, Color::to_move_after(i)));
        let setup = Setup {
            size,
            rule,
            stones: stones.collect(),
            walls: Vec::new(),
            to_move: Color::to_move_after(moves.len()),
        };
        self.engine.think(Job {
            id: self.jobs,
            setup,
            task: Task::Move,
            analysis: false,
            limits,
            scope: Scope::default(),
            skill: Skill::default(),
        });
        let mut said = Said {
            answer: Answer::NoMove,
            depth: 0,
            score: Score::ZERO,
            nodes: 0,
            line: Vec::new(),
        };
        for event in &self.events {
            assert_eq!(event.id, self.jobs);
            match event.kind {
                EventKind::Mark(_)
                | EventKind::File(_)
                | EventKind::Finding(..)
                | EventKind::Unreadable(..)
                | EventKind::Book(_) => {}
                EventKind::Fault(text) => panic!("{text}"),
                EventKind::Report(report) => {
                    let line = &report.lines[0];
                    said.depth = line.depth;
                    said.score = line.score;
                    said.nodes = report.nodes;
                    said.line.clone_from(&line.pv);
                }
                EventKind::Done(answer) => {
                    said.answer = answer;
                    return said;
                }
            }
        }
        panic!("the engine is gone");
    }

    /// Lets the engine play both sides for some moves, with all it remembers.
    fn play(&mut self, rule: Rule, edge: i64, limits: Limits) -> Vec<Said> {
        let size = Size::square(edge).unwrap();
        let mut moves = parse_moves("g7h8i7g8i9", size).unwrap();
        let mut game = Vec::new();
        for _ in 0..6 {
            let said = self.think(rule, size, &moves, limits);
            let Answer::Moves(answer) = &said.answer else { break };
            moves.extend(answer);
            game.push(said);
        }
        game
    }
}

fn nodes(max_nodes: u64) -> Limits {
    Limits { max_nodes: Some(max_nodes), ..unlimited() }
}

fn unlimited() -> Limits {
    Limits::none(Instant::now())
}

#[test]
fn a_node_limit_gives_the_same_game_on_every_run() {
    for rule in Rule::ALL {
        let first = Player::new(4 << 20).play(rule, 15, nodes(20_000));
        let second = Player::new(4 << 20).play(rule, 15, nodes(20_000));
        assert_eq!(first, second, "{rule}");
        assert!(first.iter().any(|said| said.nodes > 0), "{rule}: nothing was searched");
    }
}

#[test]
fn a_new_game_forgets_all_that_was_learnt() {
    let mut player = Player::new(4 << 20);
    let first = player.play(Rule::Freestyle, 15, nodes(20_000));
    for rule in [Rule::Renju, Rule::Caro] {
        // Other rules and sizes leave other things in the table and the histories.
        player.play(rule, 20, nodes(20_000));
    }
    player.engine.new_game();
    assert_eq!(player.play(Rule::Freestyle, 15, nodes(20_000)), first);
}

#[test]
fn a_table_of_any_size_gives_the_same_game_on_every_run() {
    for hash_size in [1 << 20, 3 << 20, 32 << 20] {
        let first = Player::new(hash_size).play(Rule::Standard, 20, nodes(30_000));
        let second = Player::new(hash_size).play(Rule::Standard, 20, nodes(30_000));
        assert_eq!(first, second, "{hash_size}");
    }
}

#[test]
fn a_depth_limit_gives_the_same_search_on_every_run() {
    let search = |record: &BenchPosition| {
        let limits = Limits { max_depth: Some(5), ..nodes(300_000) };
        Player::new(4 << 20).think(record.rule, record.size(), &record.moves(), limits)
    };
    for record in POSITIONS.iter().step_by(3) {
        let first = search(record);
        assert_eq!(first, search(record), "{record:?}");
        assert!(first.nodes > 0, "{record:?}");
    }
}

#[test]
fn rules_and_node_limits_make_a_difference() {
    let game = |rule, max_nodes| Player::new(4 << 20).play(rule, 15, nodes(max_nodes));
    let games = [
        game(Rule::Freestyle, 20_000),
        game(Rule::Renju, 20_000),
        game(Rule::CaroExact, 20_000),
        game(Rule::Freestyle, 5_000),
    ];
    for (i, one) in games.iter().enumerate() {
        assert!(games[..i].iter().all(|other| other != one), "{i} repeats an earlier game");
    }
}

#[test]
fn a_search_cut_off_in_its_last_node_plays_what_the_iteration_found() {
    // The move of an iteration is found some time before it ends, whether it is better than the
    // one before it or that one has lost its score.
    let [mut changed, mut falling, mut missed] = [0; 3];
    for record in POSITIONS {
        let search = |limits| {
            Player::new(4 << 20).think(record.rule, record.size(), &record.moves(), limits)
        };
        let iterations =
            (1..=9).map(|depth| search(Limits { max_depth: Some(depth), ..unlimited() }));
        let iterations: Vec<Said> = iterations.collect();
        for pair in iterations.windows(2) {
            let [before, after] = pair else { unreachable!("windows of two") };
            if before.answer == after.answer {
                continue;
            }
            changed += 1;
            falling += usize::from(after.score < before.score);
            let cut_off = search(nodes(after.nodes - 1));
            missed += usize::from(cut_off.answer != after.answer);
        }
    }
    println!("{changed} changes, {falling} with a lower score, {missed} missed");
    assert!(falling >= 3, "{falling} of {changed}");
    // A move at the end of the list can turn out the best with the very last node.
    assert!(missed * 10 <= changed, "{missed} of {changed}");
}
