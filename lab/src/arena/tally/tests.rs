use super::*;
use crate::arena::testing::{Sample, info};
use crate::stats::{EloModel, SprtOptions};
use PlayerResult::{Draw, Loss, Win};
use tengen_core::rng::SplitMix64;

/// Returns a game of a pair: `seat` 0 is the first contestant of `players` in game 0 of the pair,
/// the other in game 1; the result is that of the player with the smaller number.
fn game(pair: u64, second: bool, players: [usize; 2], result: PlayerResult) -> PlayedGame {
    Sample::new(2 * pair + u64::from(second), pair, players, second).result(result).game()
}

#[test]
fn pairs_count_when_both_games_are_there_in_whatever_order() {
    let mut tally = Tally::new(&info(2));
    tally.add(&game(0, false, [0, 1], Win));
    assert_eq!((tally.games(), tally.unpaired()), (1, 1));
    assert!(tally.pentanomial().is_empty());
    tally.add(&game(3, true, [0, 1], Draw));
    tally.add(&game(1, true, [0, 1], Loss));
    tally.add(&game(0, true, [0, 1], Draw));
    assert_eq!(tally.pentanomial(), Pentanomial::new([0, 0, 0, 1, 0]));
    tally.add(&game(1, false, [0, 1], Loss));
    assert_eq!(tally.pentanomial(), Pentanomial::new([1, 0, 0, 1, 0]));
    assert_eq!(tally.trinomial(), Trinomial::new(2, 2, 1));
    assert_eq!(tally.pairs_between(1, 0), Pentanomial::new([0, 1, 0, 0, 1]));
    assert_eq!(tally.games_between(1, 0), Trinomial::new(1, 2, 2));
    assert_eq!(tally.points(), [2.0, 3.0]);
    assert_eq!((tally.games(), tally.unpaired()), (5, 1));
    assert!(!tally.is_decided());
}

#[test]
fn the_order_of_the_games_does_not_matter() {
    let mut random = SplitMix64::new(7);
    let mut games = Vec::new();
    for (pair, players) in (0..60).zip([[0, 1], [0, 2], [1, 2]].into_iter().cycle()) {
        for second in [false, true] {
            let result = [Loss, Draw, Win][random.below(3)];
            games.push(game(pair, second, players, result));
        }
    }
    let count = |games: &[PlayedGame]| {
        let mut tally = Tally::new(&info(3));
        games.iter().for_each(|game| tally.add(game));
        tally
    };
    let sorted = count(&games);
    assert_eq!(sorted.pairs_between(0, 2).samples(), 20);
    for _ in 0..5 {
        for i in (1..games.len()).rev() {
            games.swap(i, random.below(i + 1));
        }
        let tally = count(&games);
        assert_eq!(tally.crosstable(), sorted.crosstable());
        assert_eq!(tally.pairs, sorted.pairs);
        assert_eq!(tally.unpaired(), 0);
    }
}

#[test]
fn the_table_tells_who_had_black_even_after_a_swap() {
    let mut tally = Tally::new(&info(2));
    tally.add(&game(0, false, [0, 1], Win));
    let mut swapped = game(1, false, [0, 1], Win);
    swapped.black_seat = 1;
    tally.add(&swapped);
    assert_eq!(tally.crosstable().as_first(0, 1), Trinomial::new(0, 0, 1));
    // Black won the record, and after the swap that is the second contestant.
    assert_eq!(tally.crosstable().as_first(1, 0), Trinomial::new(0, 0, 1));
}

#[test]
fn the_test_ends_with_its_first_verdict() {
    let options =
        SprtOptions { model: EloModel::Logistic, elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
    let mut tally = Tally::new(&MatchInfo { sprt: Some(options), ..info(2) });
    assert_eq!(tally.sprt_status().map(|status| status.llr), Some(0.0));
    let mut pair = 0;
    while !tally.is_decided() {
        assert!(pair < 1000, "a player that wins all but every fourth game is the better one");
        tally.add(&game(pair, false, [0, 1], Win));
        tally.add(&game(pair, true, [0, 1], if pair % 2 == 0 { Win } else { Loss }));
        pair += 1;
    }
    let expected = Sprt::new(options).unwrap().status(&tally.pentanomial());
    assert_eq!(tally.sprt_status(), Some(expected));
    assert_eq!(expected.verdict, SprtVerdict::AcceptH1);
    for late in pair..pair + 10 {
        tally.add(&game(late, false, [0, 1], Loss));
        tally.add(&game(late, true, [0, 1], Loss));
    }
    let status = tally.sprt_status().unwrap();
    assert!(status.llr < status.upper);
    assert_eq!(status.verdict, SprtVerdict::AcceptH1);
    assert!(tally.is_decided());
}

#[test]
fn a_test_that_makes_no_sense_is_none() {
    let options =
        SprtOptions { model: EloModel::Logistic, elo0: 5.0, elo1: 0.0, alpha: 0.05, beta: 0.05 };
    assert_eq!(Tally::new(&MatchInfo { sprt: Some(options), ..info(2) }).sprt_status(), None);
    let options = SprtOptions { elo0: -5.0, ..options };
    assert!(Tally::new(&MatchInfo { sprt: Some(options), ..info(2) }).sprt_status().is_some());
    assert_eq!(Tally::new(&MatchInfo { sprt: Some(options), ..info(3) }).sprt_status(), None);
}

#[test]
fn the_best_of_seven_is_decided_with_more_than_half_of_the_points() {
    let pairing = Pairing::BestOf { first: vec![0, 1, 1, 0, 0, 1, 1] };
    let mut tally = Tally::new(&MatchInfo { pairing, rounds: 7, ..info(2) });
    for (round, result) in [Win, Draw, Loss, Win, Win].into_iter().enumerate() {
        assert!(!tally.is_decided(), "{round}");
        tally.add(&game(round as u64, false, [0, 1], result));
    }
    assert_eq!(tally.points(), [3.5, 1.5]);
    assert!(!tally.is_decided(), "half of the points are not more than half");
    tally.add(&game(5, false, [0, 1], Draw));
    assert!(tally.is_decided());
    assert!(tally.pentanomial().is_empty(), "single games are not pairs");
    assert_eq!(tally.unpaired(), 0);
}

#[test]
fn a_game_without_a_result_counts_nothing() {
    let mut tally = Tally::new(&info(2));
    let mut unknown = game(0, false, [0, 1], Win);
    unknown.record.result = None;
    tally.add(&unknown);
    assert_eq!((tally.games(), tally.unpaired()), (0, 0));
}
