use std::time::Duration;

use super::*;
use crate::arena::Usage;
use crate::arena::testing::{Sample, info, random_match};
use crate::stats::{EloModel, Pentanomial, PlayerResult, Sprt, SprtOptions, Trinomial};
use PlayerResult::{Draw, Loss, Win};
use tengen_core::rng::SplitMix64;
use tengen_core::types::Size;
use tengen_files::records::MoverSearch;

/// Returns pairs of games between the first two players with these results for the first.
fn pairs(results: &[[PlayerResult; 2]]) -> Vec<PlayedGame> {
    let mut games = Vec::new();
    for (pair, both) in (0..).zip(results) {
        for (second, &result) in [false, true].into_iter().zip(both) {
            let number = games.len() as u64;
            games.push(Sample::new(number, pair, [0, 1], second).result(result).game());
        }
    }
    games
}

#[test]
fn the_numbers_of_a_match_are_those_of_the_statistics() {
    let options =
        SprtOptions { model: EloModel::Normalized, elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.1 };
    let info = MatchInfo { sprt: Some(options), ..info(2) };
    let results: Vec<_> =
        [[Win, Win], [Win, Loss], [Draw, Win], [Win, Loss], [Loss, Draw], [Loss, Loss], [Win, Win]]
            .repeat(5);
    let summary = Summary::new(&info, &pairs(&results));
    let counts = Pentanomial::new([5, 5, 10, 5, 10]);
    let duel = summary.duel.unwrap();
    assert!(duel.from_pairs);
    assert_eq!(duel.pentanomial, counts.counts());
    assert_eq!(duel.elo, counts.elo().map(Interval::from));
    assert_eq!(duel.nelo, counts.nelo().map(Interval::from));
    assert_eq!(duel.los, counts.los());
    assert_eq!(duel.pairs_ratio, Some(1.5));
    assert_eq!(duel.pair_draw_ratio, Some(10.0 / 35.0));
    assert_eq!(duel.draw_ratio, Some(10.0 / 70.0));
    let test = duel.sprt.unwrap();
    let sprt = Sprt::new(options).unwrap();
    assert_eq!(test.llr, sprt.llr(&counts));
    assert_eq!((test.lower, test.upper), sprt.bounds());
    assert_eq!((test.model, test.accepted), ("normalized", None));
    assert_eq!(summary.players[0].all, Trinomial::new(25, 10, 35).into());
    assert_eq!(summary.players[1].all, Trinomial::new(35, 10, 25).into());
    assert_eq!(summary.players[0].all.score, counts.score());
    assert_eq!(summary.crosstable[1][0], Some(summary.players[1].all));
    assert_eq!((summary.ranking, summary.unpaired), (vec![0, 1], 0));
}

#[test]
fn ratings_are_those_of_the_statistics() {
    let (info, games) = random_match(11, 4, 5);
    let summary = Summary::new(&info, &games);
    let mut table = CrossTable::new(4);
    for game in &games {
        table.add_game(game.player(0), game.player(1), game.result(0).unwrap());
    }
    let ratings = stats::rate(&table, &RatingOptions::default()).unwrap();
    let rating = |player: usize| summary.players[player].rating.clone().unwrap();
    for player in 0..4 {
        assert_eq!(rating(player).elo, ratings.players[player].elo);
        assert_eq!(rating(player).error, ratings.players[player].error);
    }
    let mean: f64 = (0..4).map(|player| rating(player).elo).sum::<f64>() / 4.0;
    assert!(mean.abs() < 1e-6);
    let order: Vec<f64> = summary.ranking.iter().map(|&player| rating(player).elo).collect();
    assert!(order.is_sorted_by(|a, b| a >= b), "{order:?}");
    let [first, second, .., last] = summary.ranking[..] else { panic!() };
    assert_eq!(rating(first).los_next, ratings.los(first, second));
    assert_eq!(rating(last).los_next, None);
    assert_eq!(summary.rating_model.unwrap().first_move.value, ratings.first_move.value);
    assert_eq!(summary.duel, None);
}

#[test]
fn sums_agree() {
    for players in [2, 3, 4] {
        let (info, games) = random_match(players as u64, players, 6);
        let summary = Summary::new(&info, &games);
        let count = games.len() as u64;
        let ends = |ends: &[EndCount]| ends.iter().map(|end| end.games).sum::<u64>();
        assert_eq!((summary.games, summary.scheduled), (count, count));
        assert_eq!(ends(&summary.ends), count);
        assert_eq!(summary.lengths.histogram.iter().map(|bin| bin.games).sum::<u64>(), count);
        assert_eq!(summary.black.games, count);
        let sum =
            |value: &dyn Fn(&PlayerSummary) -> u64| summary.players.iter().map(value).sum::<u64>();
        assert_eq!(sum(&|player| player.all.games), 2 * count);
        assert_eq!(sum(&|player| player.all.wins), sum(&|player| player.all.losses));
        assert_eq!(sum(&|player| player.black.wins), summary.black.wins);
        assert_eq!(sum(&|player| player.white.wins), summary.black.losses);
        let faults = summary.ends.iter().filter(|end| end.end.is_fault());
        assert_eq!(sum(&|player| player.faults), faults.map(|end| end.games).sum::<u64>());
        for (i, player) in summary.players.iter().enumerate() {
            let PlayerSummary { all, black, white, won_by, lost_by, drawn_by, .. } = player;
            assert_eq!(all.wins + all.draws + all.losses, all.games);
            assert_eq!(black.games + white.games, all.games);
            assert_eq!(black.points + white.points, all.points);
            assert_eq!(ends(won_by), all.wins);
            assert_eq!(ends(lost_by), all.losses);
            assert_eq!(ends(drawn_by), all.draws);
            let met = summary.crosstable[i].iter().flatten();
            assert_eq!(met.map(|results| results.games).sum::<u64>(), all.games);
        }
        let moves: u64 = games.iter().map(|game| game.record.moves.len() as u64 - 4).sum();
        assert_eq!(sum(&|player| player.moves), moves);
        assert_eq!(summary.thinking_ms, sum(&|player| player.time_ms));
    }
}

#[test]
fn the_order_of_the_games_does_not_matter() {
    let mut random = SplitMix64::new(5);
    for players in [2, 4] {
        let (info, mut games) = random_match(21, players, 5);
        let summary = Summary::new(&info, &games);
        for _ in 0..4 {
            for i in (1..games.len()).rev() {
                games.swap(i, random.below(i + 1));
            }
            assert_eq!(Summary::new(&info, &games), summary);
        }
    }
}

#[test]
fn what_players_told_is_averaged_over_the_moves_of_which_they_told_it() {
    let (info, mut games) = random_match(2, 2, 1);
    games.truncate(1);
    games[0].record.moves.truncate(8);
    for (i, m) in games[0].record.moves.iter_mut().enumerate() {
        // The opening is nobody's.
        m.set_search(MoverSearch {
            depth: Some(if i < 4 { 99 } else { i as u32 }),
            nodes: (i == 6).then_some(5000),
            time: Some(20),
            score: None,
        });
    }
    let summary = Summary::new(&info, &games);
    let [one, other] = &summary.players[..] else { panic!() };
    assert_eq!((one.mean_depth, other.mean_depth), (Some(5.0), Some(6.0)));
    assert_eq!((one.mean_nodes, other.mean_nodes), (Some(5000.0), None));
    let speed = one.nodes_per_second.unwrap();
    assert!(
        (speed - 5000.0 / 0.0205).abs() < 1e-6,
        "a time of 20 ms is half a millisecond more: {speed}"
    );
    assert_eq!(other.nodes_per_second, None);
    assert_eq!(one.peak_memory, games[0].usage[0].memory);
    assert_eq!(u128::from(one.slowest_move_ms), games[0].usage[0].slowest.as_millis());
    assert_eq!(one.moves, u64::from(games[0].usage[0].moves));
}

#[test]
fn the_nodes_of_fast_moves_are_divided_by_all_their_time() {
    // Twenty moves of 100 nodes in 0.9 ms each, of which the record has none.
    let points: Vec<_> = Size::DEFAULT.points().take(42).collect();
    let mut game = Sample::new(0, 0, [0, 1], false).result(Win).moves(points).game();
    game.record.opening = 2;
    for m in &mut game.record.moves[2..] {
        m.set_search(MoverSearch { nodes: Some(100), time: Some(0), ..MoverSearch::default() });
    }
    let time = Duration::from_micros(20 * 900);
    game.usage = [Usage { time, moves: 20, ..Usage::default() }; 2];
    let of = |game: &PlayedGame| {
        let players = Summary::new(&info(2), std::slice::from_ref(game)).players;
        [0, 1].map(|i| players[i].nodes_per_second.unwrap().round())
    };
    let [exact, half] = [111_111.0, 200_000.0];
    assert_eq!(of(&game), [exact; 2]);

    // Where other answers took a part of the time, half a millisecond a move is the best guess.
    let mut silent = game.clone();
    silent.record.moves[3].set_search(MoverSearch::default());
    assert_eq!(of(&silent), [exact, half]);
    let mut swap2 = game.clone();
    swap2.record.moves[1].set_search(MoverSearch { time: Some(9), ..MoverSearch::default() });
    assert_eq!(of(&swap2), [half; 2]);
    game.end = EndKind::Occupied;
    assert_eq!(of(&game), [exact, half], "the loser answered once more");
}

#[test]
fn an_empty_match_has_no_numbers_but_counts() {
    for players in [2, 3] {
        let info = MatchInfo { rounds: 10, ..info(players) };
        let summary = Summary::new(&info, &[]);
        assert_eq!(summary.games, 0);
        assert_eq!(summary.scheduled, 10 * players as u64 * (players as u64 - 1));
        assert_eq!(summary.black.score, None);
        assert_eq!(summary.lengths.mean, None);
        assert!(summary.ends.is_empty());
        assert!(summary.players.iter().all(|player| player.rating.is_none()));
        assert!(summary.players.iter().all(|player| player.mean_move_ms.is_none()));
        if let Some(duel) = summary.duel {
            assert_eq!((duel.elo, duel.nelo, duel.los), (None, None, None));
        }
    }
}

#[test]
fn a_single_game_is_counted_as_a_game() {
    let games = pairs(&[[Win, Loss]]);
    let summary = Summary::new(&info(2), &games[..1]);
    let duel = summary.duel.unwrap();
    assert!(!duel.from_pairs);
    assert_eq!(summary.unpaired, 1);
    assert_eq!(duel.elo, Trinomial::new(0, 0, 1).elo().map(Interval::from));
    assert_eq!(duel.pairs_ratio, None);
}

#[test]
fn pairs_without_their_other_game_do_not_tell_of_strength() {
    let mut games = pairs(&[[Win, Draw], [Loss, Win], [Win, Win]]);
    games.remove(5);
    let summary = Summary::new(&info(2), &games);
    let duel = summary.duel.unwrap();
    assert_eq!((summary.games, summary.unpaired), (5, 1));
    assert_eq!(duel.pentanomial, [0, 0, 1, 1, 0]);
    assert_eq!(duel.elo, Pentanomial::new([0, 0, 1, 1, 0]).elo().map(Interval::from));
    assert_eq!(summary.players[0].all, Trinomial::new(1, 1, 3).into());
}

#[test]
fn whoever_wins_everything_is_infinitely_better_and_at_least_something() {
    let duel = Summary::new(&info(2), &pairs(&[[Win, Win]; 10])).duel.unwrap();
    let elo = duel.elo.unwrap();
    assert_eq!((elo.value, elo.upper, elo.error), (f64::INFINITY, f64::INFINITY, f64::INFINITY));
    assert!(elo.lower > 100.0 && elo.lower < 200.0, "{}", elo.lower);
    assert_eq!((duel.nelo, duel.los, duel.pairs_ratio), (None, None, Some(f64::INFINITY)));
    let duel = Summary::new(&info(2), &pairs(&[[Draw, Draw]; 10])).duel.unwrap();
    let elo = duel.elo.unwrap();
    assert!(elo.value.abs() < 1e-9 && (100.0..130.0).contains(&elo.error), "{elo:?}");
    assert_eq!((duel.los, duel.pairs_ratio), (Some(0.5), None));
}

#[test]
fn the_better_of_two_comes_first() {
    let summary = Summary::new(&info(2), &pairs(&[[Loss, Draw]]));
    assert_eq!(summary.ranking, [1, 0]);
}

#[test]
fn the_number_of_games_follows_from_the_pairing() {
    let of = |players: usize, pairing: Pairing| {
        Summary::new(&MatchInfo { rounds: 7, pairing, ..info(players) }, &[]).scheduled
    };
    assert_eq!(of(2, Pairing::RoundRobin), 14);
    assert_eq!(of(4, Pairing::RoundRobin), 84);
    assert_eq!(of(4, Pairing::Gauntlet), 42);
    assert_eq!(of(2, Pairing::BestOf { first: vec![0, 1] }), 7);
}

#[test]
fn the_first_and_the_last_date_are_those_of_the_records() {
    let mut games = pairs(&[[Win, Draw], [Loss, Win]]);
    assert_eq!(Summary::new(&info(2), &games).dates, None);
    games[1].record.date = "2025-05-02 08:00:00".to_owned();
    games[2].record.date = "2025-04-30 18:00:00".to_owned();
    let dates = ["2025-04-30 18:00:00", "2025-05-02 08:00:00"].map(str::to_owned);
    assert_eq!(Summary::new(&info(2), &games).dates, Some(dates));
}
