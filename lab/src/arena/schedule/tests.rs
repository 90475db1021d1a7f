use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::arena::testing;
use tengen_core::types::{Point, Size};

/// Returns this many openings of a stone each.
fn openings(count: usize) -> Vec<Vec<Point>> {
    Size::DEFAULT.points().take(count).map(|point| vec![point]).collect()
}

fn all(schedule: &Schedule) -> Vec<Fixture> {
    (0..schedule.games()).map(|game| schedule.fixture(game)).collect()
}

#[test]
fn everybody_meets_everybody_equally_often_with_each_color() {
    for players in 2..6 {
        for (pairing, encounters) in
            [(Pairing::RoundRobin, players * (players - 1) / 2), (Pairing::Gauntlet, players - 1)]
        {
            let spec = MatchSpec { pairing, rounds: 7, ..testing::spec(players) };
            let fixtures = all(&Schedule::new(&spec));
            assert_eq!(fixtures.len(), 2 * 7 * encounters);
            let mut meetings: BTreeMap<[usize; 2], u32> = BTreeMap::new();
            for (number, fixture) in (0..).zip(&fixtures) {
                assert_eq!((fixture.game, fixture.pair), (number, number / 2));
                assert_eq!(fixture.round, number / 2 / encounters as u64);
                *meetings.entry(fixture.seats).or_default() += 1;
            }
            assert_eq!(meetings.len(), 2 * encounters);
            assert!(meetings.values().all(|&count| count == 7));
            for pair in fixtures.chunks(2) {
                let [first, second] = [pair[0], pair[1]];
                assert!(first.seats[0] < first.seats[1], "the first contestant moves first");
                assert_eq!(second.seats, [first.seats[1], first.seats[0]]);
                let changed = Fixture { game: second.game, seats: second.seats, ..first };
                assert_eq!(second, changed);
            }
        }
    }
    let gauntlet = MatchSpec { pairing: Pairing::Gauntlet, ..testing::spec(4) };
    assert!(all(&Schedule::new(&gauntlet)).iter().all(|fixture| fixture.seats.contains(&0)));
}

#[test]
fn games_of_a_best_of_are_single_and_follow_the_pattern() {
    let first = vec![0, 1, 1, 0, 0];
    let spec = MatchSpec {
        pairing: Pairing::BestOf { first },
        rounds: 7,
        openings: openings(3),
        ..testing::spec(2)
    };
    let fixtures = all(&Schedule::new(&spec));
    let movers: Vec<usize> = fixtures.iter().map(|fixture| fixture.seats[0]).collect();
    assert_eq!(movers, [0, 1, 1, 0, 0, 0, 1]);
    for (number, fixture) in (0..).zip(&fixtures) {
        assert_eq!([fixture.game, fixture.pair, fixture.round], [number; 3]);
        assert_eq!(fixture.seats[0] + fixture.seats[1], 1);
        assert_eq!(fixture.opening, Some(number as usize % 3));
    }
}

#[test]
fn every_encounter_gets_each_opening_once_a_pass_with_each_color() {
    for (order, symmetries, forms) in [
        (OpeningOrder::Sequential, false, 1),
        (OpeningOrder::Shuffled(5), false, 1),
        (OpeningOrder::Shuffled(5), true, 8),
    ] {
        let spec = MatchSpec {
            openings: openings(11),
            rounds: 11 * 9,
            order,
            symmetries,
            ..testing::spec(3)
        };
        let fixtures = all(&Schedule::new(&spec));
        let mut uses: BTreeMap<([usize; 2], u64), BTreeSet<usize>> = BTreeMap::new();
        for fixture in &fixtures {
            let pass = fixture.round / 11;
            assert_eq!(fixture.symmetry, Symmetry::ALL[pass as usize % forms]);
            let opening = fixture.opening.unwrap();
            assert!(uses.entry((fixture.seats, pass)).or_default().insert(opening));
        }
        assert_eq!(uses.len(), 6 * 9);
        assert!(uses.values().all(|used| used.len() == 11));
        // In one round all play the same opening.
        for round in fixtures.chunks(6) {
            let same = |f: &Fixture| (f.round, f.opening, f.symmetry);
            assert!(round.iter().all(|fixture| same(fixture) == same(&round[0])));
        }
    }
}

#[test]
fn openings_come_in_the_order_of_the_file_or_in_one_that_never_changes() {
    let order = |order| {
        let spec = MatchSpec { openings: openings(10), rounds: 10, order, ..testing::spec(2) };
        let used = |spec: &MatchSpec| {
            let fixtures = all(&Schedule::new(spec));
            fixtures.iter().step_by(2).map(|f| f.opening.unwrap()).collect::<Vec<_>>()
        };
        let order = used(&spec);
        let later = used(&MatchSpec { first_opening: 7, ..spec });
        assert_eq!(later, [&order[7..], &order[..7]].concat());
        order
    };
    assert_eq!(order(OpeningOrder::Sequential), (0..10).collect::<Vec<_>>());
    // Journals rely on these very numbers.
    assert_eq!(order(OpeningOrder::Shuffled(0)), [4, 9, 2, 5, 1, 7, 6, 0, 3, 8]);
    assert_eq!(order(OpeningOrder::Shuffled(1)), [9, 0, 1, 4, 8, 2, 3, 7, 6, 5]);
}

#[test]
fn a_board_that_is_not_square_is_turned_by_a_half_only() {
    let spec = MatchSpec {
        size: Size::new(15, 20).unwrap(),
        openings: openings(2),
        symmetries: true,
        rounds: 20,
        ..testing::spec(2)
    };
    let turns: Vec<Symmetry> =
        all(&Schedule::new(&spec)).iter().step_by(4).map(|fixture| fixture.symmetry).collect();
    let four = [Symmetry::Identity, Symmetry::Rotate180, Symmetry::FlipRows, Symmetry::FlipColumns];
    assert_eq!(turns[..4], four);
    assert_eq!(turns[4..8], four);
}

#[test]
fn players_who_make_the_opening_get_none() {
    let spec = MatchSpec {
        openings: openings(2),
        swap2: true,
        symmetries: true,
        rounds: 9,
        ..testing::spec(2)
    };
    for fixture in all(&Schedule::new(&spec)) {
        assert_eq!((fixture.opening, fixture.symmetry), (None, Symmetry::Identity));
    }
}

#[test]
fn shards_part_the_games_by_pairs() {
    for rounds in [1, 2, 10] {
        let spec = MatchSpec { rounds, openings: openings(3), ..testing::spec(4) };
        let schedule = Schedule::new(&spec);
        for count in [1, 2, 3, 7, 100] {
            let mut games = Vec::new();
            for index in 0..count {
                let shard = Shard { index, count };
                let part: Vec<Fixture> = (0..schedule.games_in(Some(shard)))
                    .map(|place| schedule.fixture_in(Some(shard), place))
                    .collect();
                assert!(part.iter().all(|fixture| shard.contains(fixture.pair)));
                assert!(part.is_sorted_by_key(|fixture| fixture.game));
                games.extend(part);
            }
            games.sort_by_key(|fixture| fixture.game);
            assert_eq!(games, all(&schedule), "{rounds} rounds, {count} shards");
        }
        assert_eq!(schedule.fixture_in(None, 5), schedule.fixture(5));
    }
}

#[test]
fn the_first_games_of_a_longer_match_are_those_of_a_shorter_one() {
    let spec = |rounds| MatchSpec {
        rounds,
        openings: openings(4),
        order: OpeningOrder::Shuffled(9),
        symmetries: true,
        ..testing::spec(3)
    };
    let (short, long) = (all(&Schedule::new(&spec(6))), all(&Schedule::new(&spec(60))));
    assert_eq!(long[..short.len()], short);
    assert_eq!(short, all(&Schedule::new(&spec(6))));
}

#[test]
fn games_without_end_have_numbers_too() {
    let spec = MatchSpec { rounds: u64::MAX, openings: openings(7), ..testing::spec(5) };
    let schedule = Schedule::new(&spec);
    let last = schedule.fixture(schedule.games() - 1);
    assert_eq!((last.game, last.pair), (u64::MAX - 2, u64::MAX / 2 - 1));
    let shard = Some(Shard { index: 2, count: 3 });
    let last = schedule.fixture_in(shard, schedule.games_in(shard) - 1);
    assert!(last.pair % 3 == 2 && last.game < schedule.games());
    let none = Schedule::new(&MatchSpec { rounds: 0, ..spec });
    assert_eq!(none.games(), 0);
    assert_eq!(none.games_in(shard), 0);
}
