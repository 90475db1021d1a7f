//! The names of programs that the user has not named.

use std::collections::HashSet;

use super::engines::{EngineEntry, unique_name};
use super::steering::Signals;
use crate::matches::args::MatchArgs;
use tengen_files::work::{Stop, run_parts};
use tengen_lab::arena::player::own_name;
use tengen_lab::arena::{ContestantKind, EngineWords, Journal, MatchInfo, MatchSpec};

/// The match was ended while names were asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interrupted;

/// Gives the programs that were not named by the user the names that they call themselves; a
/// journal that was begun knows them.
///
/// # Errors
///
/// Returns an error if a signal says that the match shall end.
pub(super) fn name_programs(
    spec: &mut MatchSpec,
    engines: &[EngineEntry],
    args: &MatchArgs,
    signals: &Signals,
) -> Result<(), Interrupted> {
    let is_unnamed = |place: &usize| {
        matches!(spec.contestants[*place].kind, ContestantKind::Process(_))
            && engines[*place].words.name.is_none()
    };
    let unnamed: Vec<usize> = (0..spec.contestants.len()).filter(is_unnamed).collect();
    // Faults of a journal are reported when it is opened.
    let begun = args.journal.as_deref().and_then(|path| Journal::read_match(path).ok().flatten());
    if let Some(begun) = begun {
        keep_names(spec, &unnamed, &begun);
        return Ok(());
    }
    let own = own_names(spec, &unnamed, args.concurrency.max(2).into(), signals.end())?;
    let name = |(&place, own): (&usize, Option<String>)| {
        let level = engines[place].words.level;
        let words = EngineWords { level, ..EngineWords::of(&spec.contestants[place]) };
        let suffix = level.map_or_else(String::new, |level| format!(" level {level}"));
        (place, own.map(|name| name + &suffix), words.plain_name().unwrap_or_default())
    };
    let names: Vec<_> = unnamed.iter().zip(own).map(name).collect();
    settle(spec, &names);
    Ok(())
}

/// Takes the names of a match that goes on, as far as it is the same.
fn keep_names(spec: &mut MatchSpec, unnamed: &[usize], begun: &MatchInfo) {
    let now = MatchInfo::of(spec).players;
    if begun.players.len() == now.len() {
        for &place in unnamed.iter().filter(|&&i| begun.players[i].command == now[i].command) {
            spec.contestants[place].name.clone_from(&begun.players[place].name);
        }
    }
}

/// Asks programs for their names, several at a time. Where none is asked, a signal is left to the match.
fn own_names(
    spec: &MatchSpec,
    places: &[usize],
    workers: usize,
    end: &Stop,
) -> Result<Vec<Option<String>>, Interrupted> {
    let ask = |place: usize| own_name(&spec.contestants[places[place]], spec.size, end);
    let names = run_parts(places.len(), workers, ask);
    if !places.is_empty() && end.is_set() { Err(Interrupted) } else { Ok(names) }
}

/// Names programs by their own names or by that of their files. Programs that call themselves
/// alike, as two versions of one engine do, are distinguished by their files.
fn settle(spec: &mut MatchSpec, names: &[(usize, Option<String>, String)]) {
    let is_renamed = |place: usize| names.iter().any(|(other, ..)| *other == place);
    let all = spec.contestants.iter().enumerate();
    let mut taken: HashSet<String> =
        all.filter(|(place, _)| !is_renamed(*place)).map(|(_, it)| it.name.clone()).collect();
    let is_shared = |name: &str| {
        let same = names.iter().filter(|(_, own, _)| own.as_deref() == Some(name)).count();
        same > 1 || taken.contains(name)
    };
    let plain = |(_, own, program): &(usize, Option<String>, String)| match own {
        Some(own) if own != program && is_shared(own) => format!("{own} ({program})"),
        Some(own) => own.clone(),
        None => program.clone(),
    };
    let plain: Vec<String> = names.iter().map(plain).collect();
    for ((place, ..), plain) in names.iter().zip(plain) {
        spec.contestants[*place].name = unique_name(&plain, &mut taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_lab::arena::testing;

    fn settled(names: &[(usize, Option<&str>, &str)]) -> Vec<String> {
        let mut spec = testing::spec(4);
        for (place, contestant) in spec.contestants.iter_mut().enumerate() {
            contestant.name = format!("given {place}");
        }
        let owned = |&(place, own, program): &(usize, Option<&str>, &str)| {
            (place, own.map(str::to_owned), program.to_owned())
        };
        settle(&mut spec, &names.iter().map(owned).collect::<Vec<_>>());
        spec.contestants.into_iter().map(|contestant| contestant.name).collect()
    }

    #[test]
    fn programs_that_call_themselves_alike_are_told_apart_by_their_files() {
        let names = settled(&[(0, Some("Rapfi"), "a"), (2, None, "b"), (3, Some("Wine"), "b")]);
        assert_eq!(names, ["Rapfi", "given 1", "b", "Wine"]);
        let names = settled(&[(0, Some("tengen"), "new"), (1, Some("tengen"), "old")]);
        assert_eq!(names, ["tengen (new)", "tengen (old)", "given 2", "given 3"]);
        let names = settled(&[(0, Some("x"), "x"), (1, Some("x"), "x"), (2, Some("given 3"), "y")]);
        assert_eq!(names, ["x", "x (2)", "given 3 (y)", "given 3"]);
    }

    #[test]
    fn a_signal_ends_the_questions_and_where_there_are_none_the_match_takes_it() {
        let (spec, end) = (testing::spec(2), Stop::new());
        end.request();
        assert_eq!(own_names(&spec, &[], 2, &end), Ok(Vec::new()));
        assert_eq!(own_names(&spec, &[0], 2, &end), Err(Interrupted));
    }

    #[test]
    fn a_match_that_goes_on_keeps_its_names() {
        let mut begun = testing::spec(3);
        begun.contestants[1].name = "Wine".to_owned();
        let info = MatchInfo::of(&begun);
        let mut spec = testing::spec(3);
        keep_names(&mut spec, &[1], &info);
        assert_eq!(spec, begun);
        // Another program at this place: the journal is of another match, and says so.
        let mut other = info.clone();
        other.players[1].command = "./other".to_owned();
        let mut spec = testing::spec(3);
        keep_names(&mut spec, &[1], &other);
        assert_eq!(spec, testing::spec(3));
    }
}
