//! What is said before a match that may not be the one that was meant.

use std::thread;

use super::BUILTIN;
use crate::common::openings;
use tengen_files::words::seconds;
use tengen_lab::arena::{Allowance, Contestant, MatchSpec, Schedule};

/// Returns what is said before a match of which so many games are played at the same time.
pub(super) fn of_match(spec: &MatchSpec, concurrency: u16) -> Vec<String> {
    [of_load(spec, concurrency), of_repetition(spec), of_period(spec)]
        .into_iter()
        .flatten()
        .collect()
}

/// Warns of games that take each other's processors.
fn of_load(spec: &MatchSpec, concurrency: u16) -> Option<String> {
    let threads = spec.contestants.iter().filter_map(|contestant| contestant.allowance.threads);
    let busy = u64::from(threads.max().unwrap_or(1)) * u64::from(concurrency);
    let processors = thread::available_parallelism().ok()?.get() as u64;
    (concurrency > 1 && busy > processors).then(|| {
        format!(
            "Note: {busy} threads may think at the same time, and there are {processors} \
             processors; clocks will run for engines that wait."
        )
    })
}

/// Warns of games that repeat each other.
fn of_repetition(spec: &MatchSpec) -> Option<String> {
    let is_fixed = |contestant: &Contestant| {
        let Allowance { game, turn, threads, .. } = contestant.allowance;
        game.is_none() && turn.is_none() && threads.is_none_or(|threads| threads == 1)
    };
    let is_fixed = spec.contestants.iter().all(is_fixed);
    // With a clock engines vary, but from an empty board not much.
    let is_varied = !is_fixed && (spec.swap2 || !spec.openings.is_empty());
    if is_varied || !Schedule::new(spec).repeats() {
        return None;
    }
    let what = match spec.openings.len() {
        0 => "all games of two engines begin alike",
        _ => "there are fewer openings than rounds",
    };
    let how = if is_fixed {
        "and engines limited by nodes or depth play them alike"
    } else {
        "and many will go on alike"
    };
    let remedy = match openings::builtin(spec.size, spec.rule) {
        Some(_) if spec.openings.is_empty() => format!("try --openings {BUILTIN}"),
        _ => "`tengen openings` makes some".to_owned(),
    };
    Some(format!("Note: {what},\n{how}: {remedy}."))
}

/// Warns of a clock as c-gomoku-cli writes it, which means something else here.
fn of_period(spec: &MatchSpec) -> Option<String> {
    let games = spec.contestants.iter().filter_map(|contestant| contestant.allowance.game);
    // There it is the time for a game and the time for a move, which is the shorter one.
    let is_foreign = |moves: u32, seconds: f64| f64::from(moves) >= seconds;
    let mut meant = games.filter_map(|game| {
        let moves = game.period.filter(|&moves| is_foreign(moves, game.time.as_secs_f64()))?;
        Some((game, moves))
    });
    let (game, moves) = meant.next()?;
    let time = seconds(game.time);
    Some(format!(
        "Note: tc={game} is {time} s for every {moves} moves;\n\
         {moves} s for a game and {time} s for a move are tc={moves} turn={time}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::types::Size;
    use tengen_lab::arena::{Pairing, testing};

    #[test]
    fn a_clock_of_another_runner_is_told_from_moves_in_a_time() {
        let said = |clock: &str| {
            let mut spec = testing::spec(2);
            spec.contestants[1].allowance.game = clock.parse().ok();
            of_match(&spec, 1)
        };
        for clock in ["60", "180+1", "40/60", "40/300+2"] {
            assert_eq!(said(clock), [""; 0], "{clock}");
        }
        assert_eq!(
            said("180/30+1"),
            ["Note: tc=180/30+1 is 30 s for every 180 moves;\n\
              180 s for a game and 30 s for a move are tc=180 turn=30."]
        );
    }

    #[test]
    fn games_without_openings_are_warned_of_with_a_clock_too() {
        let said = |change: fn(&mut MatchSpec)| {
            let mut spec = MatchSpec { rounds: 2, ..testing::spec(2) };
            change(&mut spec);
            of_repetition(&spec)
        };
        let clock = said(|_| {});
        assert_eq!(
            clock.as_deref(),
            Some(
                "Note: all games of two engines begin alike,\n\
                 and many will go on alike: `tengen openings` makes some."
            )
        );
        let large = said(|spec| spec.size = Size::DEFAULT).unwrap();
        assert!(large.ends_with("on alike: try --openings builtin."), "{large}");
        assert_eq!(said(|spec| spec.rounds = 1), None);
        assert_eq!(said(|spec| spec.swap2 = true), None);
        assert_eq!(said(|spec| spec.openings = vec![Vec::new()]), None);
        let fixed = said(|spec| {
            spec.openings = vec![Vec::new()];
            spec.contestants.iter_mut().for_each(|it| it.allowance.turn = None);
        });
        assert!(fixed.is_some_and(|text| text.contains("fewer openings than rounds")));
    }

    #[test]
    fn games_repeat_after_all_openings_symmetries_and_turns_of_colours() {
        let most = |openings: usize, change: fn(&mut MatchSpec)| {
            let mut spec = testing::spec(2);
            spec.openings = vec![Vec::new(); openings];
            spec.contestants.iter_mut().for_each(|it| it.allowance.turn = None);
            change(&mut spec);
            (1..100)
                .take_while(|&rounds| {
                    of_repetition(&MatchSpec { rounds, ..spec.clone() }).is_none()
                })
                .count()
        };
        let in_turn = |spec: &mut MatchSpec| spec.pairing = Pairing::BestOf { first: vec![0, 1] };
        let uneven = |spec: &mut MatchSpec| {
            spec.pairing = Pairing::BestOf { first: vec![0, 1, 1, 0, 0, 1, 1] };
        };
        assert_eq!([1, 2].map(|openings| most(openings, uneven)), [2, 4]);
        assert_eq!(most(3, |_| {}), 3);
        assert_eq!(most(2, |spec| spec.symmetries = true), 16);
        let oblong = |spec: &mut MatchSpec| {
            (spec.size, spec.symmetries) = (Size::new(15, 9).unwrap(), true);
        };
        assert_eq!(most(2, oblong), 8);
        assert_eq!([1, 2, 3].map(|openings| most(openings, in_turn)), [2, 2, 6]);
    }
}
