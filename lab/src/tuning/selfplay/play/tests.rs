use super::*;
use crate::openings::check_opening;
use crate::tuning::game::MOST_PATH;
use crate::tuning::selfplay::double::ScriptedMind;
use crate::tuning::selfplay::{EARLIER_PROCEDURE, SearchMind};
use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::rules::{Outcome, Rule};
use tengen_core::types::{Score, Size};

fn options(rule: Rule, edge: i64) -> SelfPlayOptions {
    SelfPlayOptions {
        nodes: 150,
        leaf_nodes: 100,
        ..SelfPlayOptions::new(rule, Size::square(edge).unwrap())
    }
}

fn start(options: &SelfPlayOptions) -> Position {
    Position::new(options.rule, options.size)
}

fn played<M: Mind>(options: &SelfPlayOptions, index: u64, mind: &mut M) -> SelfPlayGame {
    play(options, &start(options), index, mind, &Stop::new()).unwrap()
}

/// Checks a game by the plain rules.
fn check(options: &SelfPlayOptions, played: &SelfPlayGame) {
    let TrainingGame { opening, moves, leaves, result } = &played.game;
    assert_eq!(check_opening(options.rule, options.size, opening), Ok(()));
    let mut game = Game::from_moves(options.size, options.rule, opening).unwrap();
    let Some((last, before)) = moves.split_last() else { panic!("a game without moves") };
    // No upper bound: variety may find that another move is better than the one that was seen
    // first.
    assert!(moves[0].score.raw() >= -(options.window + options.variety_margin));
    check_leaves(options, &played.game);
    assert!(leaves.len() <= moves.len() * usize::from(options.leaves));
    for scored in before {
        assert_eq!(game.play(scored.point), Ok(Outcome::Ongoing));
        assert!(!scored.score.is_win(), "a proven game goes on");
    }
    let player = game.to_move();
    let outcome = game.play(last.point).unwrap();
    let expected = match played.ending {
        Ending::Rule => {
            assert!(outcome.is_over());
            outcome.winner()
        }
        Ending::Proven => {
            assert!(outcome == Outcome::Ongoing && last.score.is_win());
            Some(player)
        }
        Ending::Length => {
            assert!(outcome == Outcome::Ongoing && !last.score.is_win());
            assert_eq!(game.moves().len(), usize::from(options.longest));
            None
        }
        Ending::Adjudicated => {
            assert!(outcome == Outcome::Ongoing && is_even(options, moves));
            assert!(game.moves().len() >= usize::from(options.draw_stones));
            None
        }
    };
    assert_eq!(result.winner(), expected);
    // A game is drawn as early as it can be.
    let early = (1..moves.len()).find(|&count| {
        opening.len() + count >= usize::from(options.draw_stones)
            && is_even(options, &moves[..count])
    });
    assert_eq!(early, None);
}

/// Returns whether the scores of the last moves make a game drawn.
fn is_even(options: &SelfPlayOptions, moves: &[ScoredMove]) -> bool {
    let wanted = usize::from(options.draw_moves);
    let even = moves.iter().rev().take_while(|m| m.score.raw().abs() <= options.draw_score);
    wanted > 0 && even.count() >= wanted
}

/// Checks that leaves are in order, and that each is another open position that follows from its
/// root.
fn check_leaves(options: &SelfPlayOptions, game: &TrainingGame) {
    assert!(game.leaves.is_sorted_by_key(|leaf| leaf.after));
    let mut seen = HashSet::new();
    for Leaf { after, path, judged } in &game.leaves {
        assert!((1..=MOST_PATH).contains(&path.len()));
        let mut position = start(options);
        let before = game.moves[..*after].iter().map(|scored| scored.point);
        for point in game.opening.iter().copied().chain(before).chain(path.iter().copied()) {
            position.play(point).unwrap();
        }
        let situation = full_threat_check(&mut position);
        assert!(
            matches!(situation, ThreatCheck::Open(replies) if !replies.must_stop_five()),
            "{situation:?}"
        );
        assert!(seen.insert(position.key()));
        position.play(judged.point).unwrap();
    }
}

fn mind(rule: Rule) -> SearchMind {
    let evaluators = Evaluators::shipped();
    SearchMind::new(&*evaluators.make(EvaluatorKind::Patterns, rule)).unwrap()
}

#[test]
fn games_keep_to_the_rules_and_options() {
    let (mut moves, mut leaves) = (0, 0);
    for rule in Rule::ALL {
        let mut mind = mind(rule);
        for edge in [9, 15] {
            let options = options(rule, edge);
            for index in 0..4 {
                let played = played(&options, index, &mut mind);
                check(&options, &played);
                moves += played.game.moves.len();
                leaves += played.game.leaves.len();
            }
        }
    }
    // Some are dropped, and answers to fours are not searched.
    assert!(leaves > moves / 2, "{leaves} leaves, {moves} moves");
}

#[test]
fn moves_do_not_depend_on_how_many_leaves_are_kept_nor_on_how_they_are_judged() {
    let usual = options(Rule::Renju, 9);
    let mut mind = mind(usual.rule);
    for index in 0..3 {
        let first = played(&usual, index, &mut mind).game;
        let mut counts = Vec::new();
        for leaves in [0, 1, 2, 8] {
            let options = SelfPlayOptions { leaves, leaf_nodes: 30, ..usual };
            let game = played(&options, index, &mut mind).game;
            assert_eq!((&game.opening, &game.moves), (&first.opening, &first.moves));
            check_leaves(&options, &game);
            counts.push(game.leaves.len());
            if leaves == usual.leaves {
                let paths = |game: &TrainingGame| -> Vec<Vec<Point>> {
                    game.leaves.iter().map(|leaf| leaf.path.clone()).collect()
                };
                assert_eq!(paths(&game), paths(&first));
                assert_ne!(game.leaves, first.leaves, "judged with other nodes");
            }
        }
        assert!(counts[0] == 0 && counts.is_sorted_by(|a, b| a < b), "{counts:?}");
    }
}

#[test]
fn leaves_are_of_searches_for_moves_alone() {
    // Every search of the double offers three positions, nearly all of which are open.
    let options = SelfPlayOptions { leaves: 8, longest: 20, ..options(Rule::Freestyle, 15) };
    for index in 0..20 {
        let mut mind = ScriptedMind { spread: 100, gap: 200, ..ScriptedMind::default() };
        let played = played(&options, index, &mut mind);
        check(&options, &played);
        let TrainingGame { moves, leaves, .. } = played.game;
        let mut searches = vec![0; moves.len()];
        leaves.iter().for_each(|leaf| searches[leaf.after] += 1);
        // Two searches where the second best move has a chance, one elsewhere; none of the openings
        // that were rejected.
        let varied = usize::from(options.variety_plies).min(moves.len());
        assert!(searches[..varied].iter().all(|&n| n <= 6), "{searches:?}");
        assert!(searches[varied..].iter().all(|&n| n <= 3), "{searches:?}");
        assert_eq!(mind.judged, leaves.len() as u64);
    }
}

#[test]
fn games_without_a_plan_end_by_the_rule_or_by_their_length() {
    let mut endings = [0; Ending::ALL.len()];
    for rule in Rule::ALL {
        for longest in [16, 49] {
            let options = SelfPlayOptions { longest, draw_moves: 0, ..options(rule, 7) };
            for index in 0..40 {
                let played = played(&options, index, &mut ScriptedMind::default());
                check(&options, &played);
                endings[played.ending as usize] += 1;
            }
        }
    }
    assert!(endings[Ending::Rule as usize] > 20 && endings[Ending::Length as usize] > 20);
}

#[test]
fn games_with_even_scores_are_drawn_early() {
    let usual = options(Rule::Freestyle, 9);
    let mut endings = [0; Ending::ALL.len()];
    for draw_moves in [1, 10] {
        for (spread, draw_score) in [(0, 0), (30, 25), (30, 31)] {
            let options = SelfPlayOptions { draw_moves, draw_score, ..usual };
            for index in 0..20 {
                let mut mind = ScriptedMind { spread, ..ScriptedMind::default() };
                let played = played(&options, index, &mut mind);
                check(&options, &played);
                endings[played.ending as usize] += 1;
            }
        }
    }
    assert!(endings[Ending::Adjudicated as usize] > 60, "{endings:?}");
    // Before, they were not.
    let earlier = usual.in_procedure(EARLIER_PROCEDURE);
    for index in 0..20 {
        let played = played(&earlier, index, &mut ScriptedMind::default());
        assert_ne!(played.ending, Ending::Adjudicated);
    }
}

#[test]
fn the_number_of_a_game_and_every_option_decide_it_alone() {
    let usual = options(Rule::Freestyle, 9);
    let mut mind = mind(Rule::Freestyle);
    let first = played(&usual, 5, &mut mind);
    // Whatever the same mind did before.
    for index in [2, 7, 5] {
        assert_eq!(played(&usual, index, &mut mind) == first, index == 5);
    }
    let other = SelfPlayOptions { seed: 1, ..usual };
    assert_ne!(played(&other, 5, &mut mind).game.opening, first.game.opening);
}

#[test]
fn uneven_openings_are_drawn_anew() {
    let usual = SelfPlayOptions { window: 10, variety_plies: 0, ..options(Rule::Standard, 15) };
    let mut mind = ScriptedMind { spread: 100, ..ScriptedMind::default() };
    for index in 0..30 {
        let played = played(&usual, index, &mut mind);
        assert!(played.game.moves[0].score.raw().abs() <= 10);
    }
    let mut hopeless = ScriptedMind { bias: 50, ..ScriptedMind::default() };
    assert_eq!(play(&usual, &start(&usual), 0, &mut hopeless, &Stop::new()), None);
}

#[test]
fn a_four_is_answered_without_a_search() {
    let options = options(Rule::Freestyle, 15);
    let mut mind = mind(Rule::Freestyle);
    let mut answers = 0;
    for index in 0..10 {
        let TrainingGame { opening, moves, .. } = played(&options, index, &mut mind).game;
        let mut position = start(&options);
        opening.iter().for_each(|&stone| position.play_unchecked(stone));
        for (i, scored) in moves.iter().enumerate() {
            let situation = full_threat_check(&mut position);
            if let ThreatCheck::Open(Replies::Forced(point)) = situation
                && i > 0
                && !moves[i - 1].score.is_decisive()
            {
                assert_eq!((scored.point, scored.score), (point, -moves[i - 1].score));
                answers += 1;
            }
            position.play_unchecked(scored.point);
        }
    }
    assert!(answers > 10, "the test needs fours: {answers}");
}

#[test]
fn the_second_best_move_has_a_chance_while_it_is_near_enough() {
    let plies = 6;
    let varied = |margin: i32| {
        let variety = SelfPlayOptions {
            variety_plies: plies,
            variety_margin: margin,
            ..options(Rule::Freestyle, 15)
        };
        // The double's second best move is 30 worse.
        let mut mind = ScriptedMind { gap: 30, ..ScriptedMind::default() };
        let mut second = [0; 2];
        for index in 0..100 {
            let moves = played(&variety, index, &mut mind).game.moves;
            for (i, scored) in moves.iter().enumerate() {
                second[usize::from(i >= usize::from(plies))] +=
                    u32::from(scored.score == Score::eval(-30));
            }
        }
        second
    };
    // Of 600, half.
    let [first, later] = varied(30);
    assert!((250..350).contains(&first) && later == 0, "{first} {later}");
    assert_eq!(varied(29), [0, 0]);
}

#[test]
fn a_stop_ends_a_game_at_once() {
    let options = options(Rule::Freestyle, 15);
    let mut mind = ScriptedMind::default();
    let stop = Stop::new();
    stop.request();
    assert_eq!(play(&options, &start(&options), 0, &mut mind, &stop), None);
    assert_eq!(mind.asked, 0);
}
