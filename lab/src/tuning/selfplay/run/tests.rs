use super::*;
use crate::tuning::selfplay::double::ScriptedMind;
use std::io;
use std::path::Path;
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_files::resume::FileError;

fn options() -> SelfPlayOptions {
    SelfPlayOptions::new(Rule::Freestyle, Size::square(9).unwrap())
}

/// Plays on to `number`; returns the games handed on and what became of the run.
fn games(
    options: &SelfPlayOptions,
    number: u64,
    begun: &EarlierGames,
    minds: Vec<ScriptedMind>,
) -> (Vec<SelfPlayGame>, Result<CorpusCounts, GamesError>) {
    let start = Position::new(options.rule, options.size);
    let mut all = Vec::new();
    let mut sink = |played: &SelfPlayGame| {
        all.push(played.clone());
        Ok(())
    };
    let result = run(options, &start, number, begun, minds, &mut sink, &mut |_, _| {});
    (all, result)
}

fn begun(games: &[SelfPlayGame]) -> EarlierGames {
    let mut begun = EarlierGames { last: games.last().cloned(), ..EarlierGames::default() };
    games.iter().for_each(|played| begun.counts.add(played));
    begun
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let (one, result) =
        games(&options(), 100, &EarlierGames::default(), vec![ScriptedMind::default()]);
    assert_eq!((one.len(), result.unwrap().games), (100, 100));
    assert!(begun(&one).counts.leaves > 1000, "the test needs leaves");
    for threads in [2, 3, 8] {
        let minds = vec![ScriptedMind::default(); threads];
        let (many, result) = games(&options(), 100, &EarlierGames::default(), minds);
        assert_eq!(many, one, "{threads}");
        assert_eq!(result.unwrap(), begun(&one).counts);
    }
}

#[test]
fn a_run_goes_on_where_another_ended() {
    let minds = || vec![ScriptedMind::default(); 2];
    let (whole, _) = games(&options(), 60, &EarlierGames::default(), minds());
    for done in [0, 1, 7, 59, 60] {
        let (rest, result) = games(&options(), 60, &begun(&whole[..done]), minds());
        assert_eq!(rest, whole[done..], "{done}");
        assert_eq!(result.unwrap(), begun(&whole).counts);
    }
    // Less than there is already.
    let (rest, result) = games(&options(), 10, &begun(&whole), minds());
    assert!(rest.is_empty());
    assert_eq!(result.unwrap().games, 60);
}

#[test]
fn games_of_another_engine_are_not_continued() {
    let (whole, _) = games(&options(), 20, &EarlierGames::default(), vec![ScriptedMind::default()]);
    let other = vec![ScriptedMind { bias: 1, ..ScriptedMind::default() }];
    let (rest, result) = games(&options(), 30, &begun(&whole), other);
    assert!(rest.is_empty());
    assert!(matches!(result, Err(GamesError::OtherEngine { game: 20 })), "{result:?}");
}

#[test]
fn an_output_that_fails_ends_the_run() {
    let options = options();
    let start = Position::new(options.rule, options.size);
    let mut written = 0;
    let mut sink = |_: &SelfPlayGame| {
        written += 1;
        let full =
            || FileError::io("write", Path::new("x"), io::ErrorKind::StorageFull.into()).into();
        (written < 4).then_some(()).ok_or_else(full)
    };
    let minds = vec![ScriptedMind::default(); 2];
    let result = run(
        &options,
        &start,
        1_000_000,
        &EarlierGames::default(),
        minds,
        &mut sink,
        &mut |_, _| {},
    );
    assert!(matches!(result, Err(GamesError::File(FileError::Io { .. }))), "{result:?}");
    assert_eq!(written, 4);
}

#[test]
fn what_cannot_be_played_ends_the_run() {
    let bad = SelfPlayOptions { window: -1, ..options() };
    let (_, result) = games(&bad, 5, &EarlierGames::default(), vec![ScriptedMind::default()]);
    assert!(matches!(result, Err(GamesError::Options(_))));
    let (_, result) = games(&options(), 5, &EarlierGames::default(), Vec::new());
    assert!(matches!(result, Err(GamesError::NoMind)));
    let uneven = vec![ScriptedMind { bias: 1000, ..ScriptedMind::default() }; 2];
    let (all, result) = games(&options(), 5, &EarlierGames::default(), uneven);
    assert!(all.is_empty());
    let attempts = MOST_ATTEMPTS;
    assert!(
        matches!(result, Err(GamesError::Exhausted { game: 1, attempts: n }) if n == attempts),
        "{result:?}"
    );
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_thread_that_dies_is_not_waited_for() {
    let mut minds = vec![ScriptedMind::default(); 2];
    minds[1].dies_after = Some(100);
    let _ = games(&options(), 100_000, &EarlierGames::default(), minds);
}

#[test]
fn progress_is_told_and_never_goes_back() {
    let options = options();
    let start = Position::new(options.rule, options.size);
    let mut seen = Vec::new();
    let minds = vec![ScriptedMind::default(); 3];
    let begun = EarlierGames {
        counts: CorpusCounts { games: 5, ..CorpusCounts::default() },
        ..EarlierGames::default()
    };
    let mut observe = |progress: Progress, counts: &CorpusCounts| {
        assert_eq!((progress.done, progress.by_this_run + 5), (counts.games, counts.games));
        seen.push(counts.games);
    };
    run(&options, &start, 30, &begun, minds, &mut |_| Ok(()), &mut observe).unwrap();
    assert_eq!(seen, (5..=30).collect::<Vec<_>>());
}
