//! Levels of play through the engine: what they play, and what they claim.

use std::collections::HashSet;

use crossbeam_channel::Receiver;
use tengen_core::eval::baselines::greedy;
use tengen_core::patterns::PointClass;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Outcome, Rule};
use tengen_core::search::Report;
use tengen_core::threats::{ThreatCheck, full_threat_check};
use tengen_core::types::{Color, Point, ScoreKind, Size};
use tengen_engine::engine::{
    Answer, Engine, Event, EventKind, Job, Level, OpeningStep, Scope, Settings, Setup, Skill, Task,
    Thinker, chances,
};

use crate::asked::{self, Effort};

/// An engine that is asked for moves of levels.
struct Opponent {
    engine: Engine,
    events: Receiver<Event>,
    jobs: u64,
}

impl Opponent {
    fn new() -> Opponent {
        let (mut engine, events) = Engine::new();
        engine.set_settings(Settings { hash_size: Some(1 << 20), ..Settings::default() });
        Opponent { engine, events, jobs: 0 }
    }

    fn ask(
        &mut self,
        setup: Setup,
        task: Task,
        Effort { limits, analysis }: Effort,
        skill: Skill,
    ) -> (Answer, Option<Report>) {
        self.jobs += 1;
        self.engine.think(Job {
            id: self.jobs,
            setup,
            task,
            analysis,
            limits,
            scope: Scope::default(),
            skill,
        });
        let mut last = None;
        loop {
            match self.events.recv().unwrap().kind {
                EventKind::Report(report) => last = Some(report),
                EventKind::Done(answer) => return (answer, last),
                EventKind::Mark(_)
                | EventKind::File(_)
                | EventKind::Finding(..)
                | EventKind::Unreadable(..)
                | EventKind::Book(_) => {}
                EventKind::Fault(text) => panic!("{text}"),
            }
        }
    }

    /// Returns the move of a level with a seed.
    fn play(&mut self, rule: Rule, size: Size, moves: &[Point], level: u8, seed: u64) -> Point {
        self.judge(rule, size, moves, level, seed).0
    }

    fn judge(
        &mut self,
        rule: Rule,
        size: Size,
        moves: &[Point],
        level: u8,
        seed: u64,
    ) -> (Point, Option<Report>) {
        let skill = Skill { level: Level::new(level).unwrap(), seed: Some(seed) };
        // No level below the full one gets that far.
        let effort = asked::nodes(1_000_000, false);
        let (answer, report) = self.ask(setup(rule, size, moves), Task::Move, effort, skill);
        match answer {
            Answer::Moves(points) if points.len() == 1 => (points[0], report),
            other => panic!("{other:?}"),
        }
    }
}

fn setup(rule: Rule, size: Size, moves: &[Point]) -> Setup {
    let stones = moves.iter().enumerate().map(|(i, &point)| (point, Color::to_move_after(i)));
    let to_move = Color::to_move_after(moves.len());
    Setup { size, rule, stones: stones.collect(), walls: Vec::new(), to_move }
}

/// Returns the moves of a game that goes on, played at random within a few steps of other stones.
fn walk(rule: Rule, size: Size, length: usize, rng: &mut SplitMix64) -> Vec<Point> {
    loop {
        let mut game = Game::new(size, rule);
        let mut position = Position::new(rule, size);
        game.play(size.center()).unwrap();
        position.play_unchecked(size.center());
        while game.outcome() == Outcome::Ongoing && game.moves().len() < length {
            let near: Vec<Point> = position.tracker().near().iter().collect();
            let point = near[rng.below(near.len())];
            if position.is_legal(point) {
                position.play_unchecked(point);
                game.play(point).unwrap();
            }
        }
        if game.outcome() == Outcome::Ongoing {
            return game.moves().to_vec();
        }
    }
}

fn after(rule: Rule, size: Size, moves: &[Point]) -> Position {
    let mut position = Position::new(rule, size);
    for &point in moves {
        position.play_unchecked(point);
    }
    position
}

#[test]
fn every_level_plays_what_the_rules_allow_and_near_the_stones() {
    let mut opponent = Opponent::new();
    let mut rng = SplitMix64::new(1);
    for rule in Rule::ALL {
        for level in 1..10 {
            let boards = [(15, 2 + rng.below(60)), (20, 1 + rng.below(9)), (7, 30)];
            // The first levels on every board, since the others take more nodes.
            for &(edge, length) in if level < 6 { &boards[..] } else { &boards[..1] } {
                let size = Size::square(edge).unwrap();
                let moves = walk(rule, size, length, &mut rng);
                let point = opponent.play(rule, size, &moves, level, 1);
                let mut position = after(rule, size, &moves);
                let what = format!("{rule} {edge} level {level} {moves:?}: {point}");
                assert!(position.is_legal(point), "{what}");
                assert!(position.tracker().near().contains(point), "{what}");
                let us = position.to_move();
                if position.counts(us).has(PointClass::Five) {
                    assert_eq!(position.class(point, us), PointClass::Five, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_board_with_one_empty_cell_is_filled() {
    let size = Size::square(5).unwrap();
    let mut opponent = Opponent::new();
    // Two rows of each colour, shifted, so that nobody has three in a row.
    let points: Vec<Point> = size.points().collect();
    let color = |p: &Point| {
        if (u32::from(p.x()) + 2 * u32::from(p.y())) % 4 < 2 { Color::Black } else { Color::White }
    };
    let stones = points[1..].iter().map(|p| (*p, color(p))).collect();
    for level in (1..=10).filter_map(Level::new) {
        let rule = Rule::Freestyle;
        let stones = Vec::clone(&stones);
        let setup = Setup { size, rule, stones, walls: Vec::new(), to_move: Color::Black };
        let effort = asked::nodes(10_000, false);
        let (answer, _) = opponent.ask(setup, Task::Move, effort, Skill::of(level));
        assert_eq!(answer, Answer::Moves(vec![points[0]]), "{level}");
    }
}

#[test]
fn the_first_level_is_the_greedy_player() {
    let mut opponent = Opponent::new();
    let mut rng = SplitMix64::new(2);
    let size = Size::DEFAULT;
    for rule in Rule::ALL {
        for seed in 0..20 {
            let length = 1 + rng.below(40);
            let moves = walk(rule, size, length, &mut rng);
            let mut lots = chances(seed, moves.iter().copied());
            let expected = greedy::choose(&after(rule, size, &moves), &mut lots);
            assert_eq!(Some(opponent.play(rule, size, &moves, 1, seed)), expected, "{rule}");
        }
    }
}

#[test]
fn a_seed_repeats_a_game_and_other_seeds_make_others() {
    let size = Size::DEFAULT;
    let game = |seed| {
        let mut opponent = Opponent::new();
        let mut game = Game::new(size, Rule::Freestyle);
        while game.outcome() == Outcome::Ongoing && game.moves().len() < 14 {
            let level = 2 + 3 * (game.moves().len() % 2) as u8;
            let point = opponent.play(Rule::Freestyle, size, game.moves(), level, seed);
            game.play(point).unwrap();
        }
        game.moves().to_vec()
    };
    assert_eq!(game(5), game(5));
    let games: HashSet<Vec<Point>> = (0..6).map(game).collect();
    assert!(games.len() >= 4, "{games:?}");

    // Earlier questions have no influence.
    let mut rng = SplitMix64::new(3);
    let moves = walk(Rule::Freestyle, size, 20, &mut rng);
    let mut fresh = Opponent::new();
    let alone = fresh.play(Rule::Freestyle, size, &moves, 6, 1);
    let mut busy = Opponent::new();
    for level in [10, 6, 3] {
        let setup = setup(Rule::Freestyle, size, &moves);
        let skill = Skill { level: Level::new(level).unwrap(), seed: Some(9) };
        busy.ask(setup, Task::Move, asked::nodes(3_000, false), skill);
    }
    assert_eq!(busy.play(Rule::Freestyle, size, &moves, 6, 1), alone);
}

#[test]
fn a_seed_repeats_the_beginning_of_swap2() {
    let opened = |seed| {
        let skill = Skill { level: Level::new(3).unwrap(), seed };
        let (answer, _) = Opponent::new().ask(
            setup(Rule::Freestyle, Size::DEFAULT, &[]),
            Task::Swap2,
            asked::clock(60_000),
            skill,
        );
        format!("{answer:?}")
    };
    assert_eq!(opened(Some(7)), opened(Some(7)));
    let others: HashSet<String> = (0..4).map(|seed| opened(Some(seed))).collect();
    assert!(others.len() > 1, "{others:?}");
}

#[test]
fn without_a_seed_games_with_a_clock_differ_and_others_repeat() {
    let mut opponent = Opponent::new();
    let size = Size::DEFAULT;
    let moves = walk(Rule::Freestyle, size, 8, &mut SplitMix64::new(4));
    let mut answers = |effort: Effort| -> HashSet<String> {
        (0..12)
            .map(|_| {
                let setup = setup(Rule::Freestyle, size, &moves);
                let skill = Skill::of(Level::new(2).unwrap());
                format!("{:?}", opponent.ask(setup, Task::Move, effort, skill).0)
            })
            .collect()
    };
    assert!(answers(asked::clock(60_000)).len() > 1);
    assert_eq!(answers(asked::nodes(100_000, false)).len(), 1);
}

#[test]
fn a_level_claims_no_win_that_the_board_does_not_show() {
    let mut opponent = Opponent::new();
    let mut rng = SplitMix64::new(5);
    let (mut wins, mut told) = (0, 0);
    for rule in [Rule::Freestyle, Rule::Renju] {
        for seed in 0..60 {
            let length = 12 + rng.below(20);
            let moves = walk(rule, Size::DEFAULT, length, &mut rng);
            let level = 2 + rng.below(5) as u8;
            let (point, report) = opponent.judge(rule, Size::DEFAULT, &moves, level, seed);
            let Some(report) = report else { continue };
            let line = &report.lines[0];
            assert_eq!(line.pv.first(), Some(&point));
            told += 1;
            let mut position = after(rule, Size::DEFAULT, &moves);
            for &point in &line.pv {
                assert!(position.is_legal(point), "{rule} {moves:?}: {:?}", line.pv);
                position.play_unchecked(point);
            }
            let ScoreKind::Win(plies) = line.score.kind() else { continue };
            wins += 1;
            let mut position = after(rule, Size::DEFAULT, &moves);
            let five = position.class(point, position.to_move()) == PointClass::Five;
            position.play_unchecked(point);
            let lost = full_threat_check(&mut position) == ThreatCheck::Loss(plies.max(1) - 1);
            assert!(if plies == 1 { five } else { lost }, "{rule} {moves:?} {point}: {plies}");
        }
    }
    assert!(told >= 100 && wins >= 10, "{wins} of {told}");
}

#[test]
fn analysis_is_always_at_full_strength() {
    let moves = walk(Rule::Freestyle, Size::DEFAULT, 9, &mut SplitMix64::new(6));
    let said = |level: Level, task: Task, analysis: bool| {
        let mut opponent = Opponent::new();
        let setup = setup(Rule::Freestyle, Size::DEFAULT, &moves);
        let effort = asked::nodes(6_000, analysis);
        let (answer, report) = opponent.ask(setup, task, effort, Skill::of(level));
        (answer, report.map(|report| (report.nodes, report.lines)))
    };
    for (task, analysis) in [(Task::Move, true), (Task::Defend, false)] {
        let full = said(Level::FULL, task, analysis);
        assert_eq!(said(Level::LEAST, task, analysis), full, "{task:?}");
    }
    let full = said(Level::FULL, Task::Move, false);
    assert_ne!(said(Level::LEAST, Task::Move, false), full);
}

#[test]
fn every_level_answers_the_steps_of_openings() {
    let mut opponent = Opponent::new();
    let size = Size::DEFAULT;
    let stones: Vec<Point> = (3..8).map(|x| size.point(x, x % 3 + 6).unwrap()).collect();
    for level in [1, 4, 9].into_iter().filter_map(Level::new) {
        let mut ask = |rule, given: usize, task| {
            let effort = asked::clock(60_000);
            let setup = setup(rule, size, &stones[..given]);
            opponent.ask(setup, task, effort, Skill { level, seed: Some(1) }).0
        };
        for (given, counts) in [(0, 3..=3), (3, 1..=2), (5, 1..=1)] {
            match ask(Rule::Freestyle, given, Task::Swap2) {
                Answer::Moves(points) => assert!(counts.contains(&points.len()), "{points:?}"),
                Answer::Swap => assert!(given > 0),
                other => panic!("{level}: {other:?}"),
            }
        }
        match ask(Rule::Freestyle, 2, Task::Swap1) {
            Answer::Moves(points) => assert_eq!(points.len(), 1),
            other => panic!("{level}: {other:?}"),
        }
        match ask(Rule::Renju, 3, Task::Opening(OpeningStep::Fourth)) {
            Answer::Offer(point, fifths) => {
                assert!(!stones[..3].contains(&point) && (1..=8).contains(&fifths));
            }
            other => panic!("{level}: {other:?}"),
        }
    }
}
