//! Whole games under the plain rules.

use crate::common;
use proptest::prelude::*;
use tengen_core::board::Symmetry;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Outcome, Rule, find_winner, is_dead, violation, winning_run};
use tengen_core::types::{Cell, Color, Point, Size};

#[test]
fn the_openings_are_games_that_go_on() {
    let openings = common::openings();
    assert_eq!(openings.len(), 800);
    for (rule, size, moves) in openings {
        let game = Game::from_moves(size, rule, &moves).unwrap();
        assert_eq!(game.outcome(), Outcome::Ongoing, "{rule} {moves:?}");
    }
}

#[test]
fn the_positions_with_forced_wins_are_games_that_go_on() {
    let wins = common::forced_wins();
    assert_eq!(wins.len(), 158 + 66 + 106 + 160);
    for win in wins {
        let mut game = Game::from_moves(win.size, win.rule, &win.moves).unwrap();
        assert_eq!(game.outcome(), Outcome::Ongoing, "{}", win.id);
        let outcome = game.play(win.point).unwrap();
        assert_ne!(outcome.winner(), Some(Color::White), "{} plays a forbidden move", win.id);
    }
}

/// Plays at random next to earlier stones, so that games end in all ways.
fn random_game(rng: &mut SplitMix64, rule: Rule, size: Size) -> Game {
    let mut game = Game::new(size, rule);
    while !game.outcome().is_over() {
        let empties: Vec<Point> = game.board().empties().iter().collect();
        let near: Vec<Point> = empties
            .iter()
            .copied()
            .filter(|&p| game.moves().iter().any(|&q| p.distance(q) <= 1))
            .collect();
        let choice = if near.is_empty() { &empties } else { &near };
        game.play(choice[rng.below(choice.len())]).unwrap();
    }
    game
}

#[test]
fn random_games_end_as_the_whole_board_says() {
    let mut rng = SplitMix64::new(11);
    let mut ends = [0; 3];
    for round in 0..1200 {
        let rule = Rule::ALL[round % 5];
        let size = Size::new(5 + rng.below(6) as i64, 5 + rng.below(6) as i64).unwrap();
        let mut game = random_game(&mut rng, rule, size);
        let last = *game.moves().last().unwrap();
        match game.outcome() {
            Outcome::Won(run) => {
                ends[0] += 1;
                assert!(run.contains(last));
                assert!(run.points().all(|p| game.board().cell(p) == Cell::Stone(run.color)));
                assert_eq!(find_winner(game.board(), rule).map(|r| r.color), Some(run.color));
            }
            Outcome::Forbidden(point, kind) => {
                ends[1] += 1;
                assert_eq!((rule, point), (Rule::Renju, last));
                game.undo();
                assert_eq!(game.to_move(), Color::Black);
                assert_eq!(violation(game.board(), point), Some(kind));
            }
            Outcome::Draw => {
                ends[2] += 1;
                assert_eq!(find_winner(game.board(), rule), None);
                assert!(is_dead(game.board(), rule));
            }
            Outcome::Ongoing => unreachable!("the loop ends with the game"),
        }
        // Taking back and playing again changes nothing.
        let moves = game.moves().to_vec();
        while game.undo().is_some() {}
        assert_eq!(game.board().empty_cells(), size.area());
        for &point in &moves {
            assert_eq!(game.outcome(), Outcome::Ongoing);
            game.play(point).unwrap();
        }
        game.board().validate();
    }
    assert!(ends.iter().all(|&n| n >= 20), "too few games of a kind: {ends:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn wins_and_dead_boards_are_the_same_from_every_side(board in common::boards(100)) {
        let size = board.size();
        for rule in Rule::ALL {
            let dead = is_dead(&board, rule);
            for symmetry in Symmetry::ALL {
                let image = common::map_board(symmetry, &board);
                prop_assert_eq!(is_dead(&image, rule), dead);
                for point in size.points() {
                    let target = symmetry.map(size, point);
                    for color in Color::ALL {
                        prop_assert_eq!(
                            winning_run(&image, target, color, rule).is_some(),
                            winning_run(&board, point, color, rule).is_some(),
                            "{} {} {} {:?}", rule, color, point, symmetry
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn colours_are_alike_except_in_renju(board in common::boards(100)) {
        let swapped = common::swap_colors(&board);
        for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::Renju) {
            prop_assert_eq!(is_dead(&swapped, rule), is_dead(&board, rule));
            for point in board.size().points() {
                for color in Color::ALL {
                    prop_assert_eq!(
                        winning_run(&swapped, point, !color, rule).is_some(),
                        winning_run(&board, point, color, rule).is_some(),
                        "{} {} {}", rule, color, point
                    );
                }
            }
        }
    }
}
