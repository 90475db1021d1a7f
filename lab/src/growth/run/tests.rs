use std::collections::BTreeSet;

use tempfile::TempDir;

use super::*;
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_engine::database::{
    Access, CellMark, EntryLabel, KnownMove, PropagationOptions, ResultSyntaxError,
};

/// A database of its own.
fn database(place: &TempDir, name: &str) -> PositionDatabase {
    PositionDatabase::open(&place.path().join(name), Access::Create).expect("it is made")
}

fn options() -> GrowthOptions {
    GrowthOptions {
        nodes: 200,
        width: 3,
        margin: 10_000,
        ply_price: 20,
        most_positions: Some(40),
        time: None,
        settled: None,
        tolerance: 0,
        threads: 1,
        table_bytes: 1 << 20,
    }
}

fn placement(rule: Rule, cells: &[(i64, i64)]) -> Placement {
    let size = Size::DEFAULT;
    let cells: Vec<Point> = cells.iter().map(|&(x, y)| size.point(x, y).unwrap()).collect();
    Placement::of_moves(rule, size, &cells).unwrap()
}

fn opening() -> Placement {
    placement(Rule::Renju, &[(7, 7), (8, 6), (9, 7)])
}

fn grown(database: &PositionDatabase, root: &Placement, options: &GrowthOptions) -> GrowthSummary {
    grow(database, root, options, &Stop::new(), &mut |_| {}).expect("it grows")
}

fn all(database: &PositionDatabase) -> Vec<Stored> {
    let reader = database.read().unwrap();
    reader.scan(None).unwrap().map(|stored| stored.unwrap()).collect()
}

fn best_of(moves: &[KnownMove]) -> Option<Score> {
    let live = moves.iter().filter(|next| next.entry.result.is_none());
    live.filter_map(|next| next.entry.evaluation).map(|evaluation| -evaluation.score).max()
}

/// Nothing can be carried back that has not been, and a searched position is worth what its best move is.
fn check_consistent(database: &PositionDatabase) {
    let reader = database.read().unwrap();
    let mut searched = 0;
    for Stored { key, entry } in all(database) {
        let moves = reader.moves(&key.placement()).unwrap();
        if entry.visits > 0 && entry.result.is_none() && best_of(&moves).is_some() {
            assert_eq!(entry.evaluation.map(|e| e.score), best_of(&moves), "{key:?}");
            searched += 1;
        }
    }
    assert!(searched > 3, "{searched}");
    let options = PropagationOptions { values: true };
    let done = database.propagate(options, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!((done.results, done.values, done.complete), (0, 0, true));
}

#[test]
fn every_position_is_worth_what_its_best_move_is() {
    let place = TempDir::new().unwrap();
    let database = database(&place, "a");
    let summary = grown(&database, &opening(), &options());
    assert_eq!(summary.end, GrowthEnd::Positions);
    assert!(summary.state.positions >= 40 && summary.expanded == summary.state.searches);
    assert_eq!(
        all(&database).iter().map(|stored| stored.entry.visits).sum::<u64>(),
        summary.expanded
    );
    let root = database.get(&opening()).unwrap().unwrap();
    assert_eq!(summary.state.line[0].value, root.evaluation.map(|e| -e.score));
    assert_eq!(root.evaluation.unwrap().bound, Some(Bound::Exact));
    // The next position to search is not searched yet, and its price is the sum of what it consists of.
    let (loose, price) = &summary.loose[0];
    assert!(*price >= 20 * loose.len() as u32 && !loose.is_empty());
    check_consistent(&database);
}

#[test]
fn several_threads_make_a_consistent_tree() {
    let place = TempDir::new().unwrap();
    let database = database(&place, "a");
    let options = GrowthOptions { threads: 3, most_positions: Some(60), ..options() };
    assert!(grown(&database, &opening(), &options).state.positions >= 60);
    check_consistent(&database);
}

#[test]
fn a_tree_that_was_interrupted_is_the_one_that_was_not() {
    let place = TempDir::new().unwrap();
    let (whole, parts) = (database(&place, "whole"), database(&place, "parts"));
    let options = GrowthOptions { most_positions: Some(60), ..options() };
    grown(&whole, &opening(), &options);
    for runs in 1.. {
        let stop = Stop::new();
        let mut look = |state: &GrowthState| {
            if state.searches == 3 {
                stop.request();
            }
        };
        let summary = grow(&parts, &opening(), &options, &stop, &mut look).unwrap();
        if summary.end == GrowthEnd::Positions {
            assert!(runs > 2, "{runs}");
            break;
        }
        assert_eq!((summary.end, summary.state.searches), (GrowthEnd::Stopped, 3));
    }
    assert_eq!(all(&whole), all(&parts));
    // There is nothing to be done any more.
    assert_eq!(grown(&parts, &opening(), &options).state.searches, 0);
}

#[test]
fn a_forced_win_is_proven_and_closed() -> Result<(), ResultSyntaxError> {
    let place = TempDir::new().unwrap();
    let database = database(&place, "a");
    // Black has an open three and the move.
    let cells = [(7, 7), (0, 0), (8, 7), (0, 2), (6, 7), (0, 4)];
    let root = placement(Rule::Freestyle, &cells);
    let summary = grown(&database, &root, &options());
    assert_eq!((summary.end, summary.state.searches), (GrowthEnd::Proven, 1));
    assert_eq!(summary.state.root.result, Some("win:3".parse()?));
    // Another run knows the line.
    let again = grown(&database, &root, &options()).state;
    assert_eq!((again.searches, again.positions), (0, summary.state.positions));
    assert_eq!((again.line.len(), again.line[0].point), (1, summary.state.line[0].point));
    // One move earlier white has to know what it must not do.
    let root = placement(Rule::Freestyle, &cells[..5]);
    let before = grown(&database, &root, &options());
    assert!(before.state.searches > 0);
    let known = database.get(&placement(Rule::Freestyle, &cells)).unwrap().unwrap();
    assert_eq!((known.result, known.visits), (Some("win:3".parse()?), 1));
    // Another run cannot tell a position with one known move from one that was never searched.
    assert!(grown(&database, &root, &options()).state.searches <= 1);
    Ok(())
}

#[test]
fn what_people_wrote_stays_and_moves_left_out_are_left_out() {
    let place = TempDir::new().unwrap();
    let (free, database) = (database(&place, "free"), database(&place, "a"));
    let best = grown(&free, &opening(), &options()).state.line[0].point;
    let mut next = opening();
    next.play(best).unwrap();
    let written = PositionEntry {
        label: Some(EntryLabel::new("x").unwrap()),
        text: "not again".to_owned(),
        is_marked: true,
        marks: BTreeSet::from([(best, CellMark::Cross)]),
        ..PositionEntry::default()
    };
    let remark = PositionEntry { text: "the root".to_owned(), ..PositionEntry::default() };
    let write = |writer: &mut DatabaseWriter<'_>| {
        writer.put(&next, written.clone())?;
        writer.put(&opening(), remark.clone())
    };
    database.write(write).unwrap();
    let summary = grown(&database, &opening(), &options());
    assert_ne!(summary.state.line[0].point, best);
    assert_eq!(database.get(&next).unwrap().unwrap(), written);
    assert_eq!(database.get(&opening()).unwrap().unwrap().text, "the root");
    check_consistent(&database);
}

#[test]
fn a_move_that_is_left_out_later_decides_nothing() {
    let place = TempDir::new().unwrap();
    let database = database(&place, "a");
    let best = grown(&database, &opening(), &options()).state.line[0].point;
    let mut next = opening();
    next.play(best).unwrap();
    let label = Some(EntryLabel::new("x").unwrap());
    database
        .write(|writer| {
            let known = writer.get(&next)?.unwrap();
            writer.put(&next, PositionEntry { label: label.clone(), ..known })
        })
        .unwrap();
    let more = options().most_positions.map(|most| most + 4);
    let summary =
        grown(&database, &opening(), &GrowthOptions { most_positions: more, ..options() });
    assert_ne!(summary.state.line[0].point, best);
    assert!(summary.state.searches > 0);
    let root = database.get(&opening()).unwrap().unwrap();
    assert_ne!(root.best, Some(best));
}

#[test]
fn what_was_known_deeper_is_not_forgotten() {
    let place = TempDir::new().unwrap();
    let database = database(&place, "a");
    let best = Size::DEFAULT.point(7, 8).unwrap();
    let evaluation = Evaluation { score: Score::eval(77), depth: 60, bound: Some(Bound::Exact) };
    let (evaluation, best) = (Some(evaluation), Some(best));
    let known = PositionEntry { evaluation, best, ..PositionEntry::default() };
    database.write(|writer| writer.put(&opening(), known)).unwrap();
    let options = GrowthOptions { most_positions: Some(2), ..options() };
    grown(&database, &opening(), &options);
    let mut next = opening();
    next.play(best.unwrap()).unwrap();
    let entry = database.get(&next).unwrap().unwrap();
    assert_eq!(entry.evaluation.map(|e| (e.score.raw(), e.depth)), Some((-77, 59)));
}

#[test]
fn everything_within_the_margin_is_searched_once() {
    let place = TempDir::new().unwrap();
    let database = database(&place, "a");
    let options = GrowthOptions { margin: 45, most_positions: None, ..options() };
    let summary = grown(&database, &opening(), &options);
    assert_eq!(summary.end, GrowthEnd::Complete);
    assert!(summary.state.searches >= 3 && summary.loose.is_empty());
    assert!(all(&database).iter().all(|stored| stored.entry.visits <= 1));
    assert_eq!(grown(&database, &opening(), &options).state.searches, 0);
    let wider = GrowthOptions { margin: 65, ..options };
    assert!(grown(&database, &opening(), &wider).state.searches > 0);
    check_consistent(&database);
}

#[test]
fn a_settled_root_and_an_empty_board_end_too() {
    let place = TempDir::new().unwrap();
    let database = database(&place, "a");
    let root = Placement::empty(Rule::Freestyle, Size::DEFAULT);
    let options =
        GrowthOptions { settled: Some(4), tolerance: 30_000, most_positions: None, ..options() };
    let summary = grown(&database, &root, &options);
    assert_eq!(summary.end, GrowthEnd::Settled);
    // The only move of the empty board that is searched does not keep it open for ever.
    assert_eq!(database.get(&root).unwrap().unwrap().visits, 1);
    assert!(summary.state.line.len() > 1);
}

#[test]
fn a_game_that_is_over_does_not_grow() {
    let place = TempDir::new().unwrap();
    let database = database(&place, "a");
    let cells = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0)];
    let root = placement(Rule::Freestyle, &cells);
    let error = grow(&database, &root, &options(), &Stop::new(), &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "the game is over in this position");
    assert!(all(&database).is_empty());
}

#[test]
fn a_loss_is_as_long_as_the_longest_defence_that_was_refuted_before() {
    // White faces an open four. Somebody has proven that the defence at its end lasts longer.
    let cells = [(5, 7), (0, 0), (6, 7), (0, 2), (7, 7), (0, 4), (8, 7)];
    let root = placement(Rule::Freestyle, &cells);
    let defence = Size::DEFAULT.point(4, 7).unwrap();
    let mut next = root.clone();
    next.play(defence).unwrap();
    for (known, expected) in [
        (None, "loss:2"),
        (Some("win:20"), "loss:21"),
        (Some("win"), "loss"),
        (Some("win:1"), "loss:2"),
    ] {
        let place = TempDir::new().unwrap();
        let database = database(&place, "a");
        if let Some(known) = known {
            let result = Some(known.parse().unwrap());
            let entry = PositionEntry { result, ..PositionEntry::default() };
            database.write(|writer| writer.put(&next, entry)).unwrap();
        }
        let summary = grown(&database, &root, &options());
        assert_eq!((summary.end, summary.state.searches), (GrowthEnd::Proven, 1));
        let found = summary.state.root;
        assert_eq!(found.result.unwrap().to_string(), expected);
        if expected != "loss:2" {
            assert_eq!(found.best, Some(defence));
        }
    }
}
