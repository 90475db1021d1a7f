use tempfile::TempDir;

use super::*;
use crate::database::store::tests::{new_database, placement};
use tengen_core::board::Board;
use tengen_core::rules::Rule;
use tengen_core::types::{Color, Score, Size};

fn proven(text: &str) -> PositionEntry {
    PositionEntry { result: Some(text.parse().unwrap()), ..PositionEntry::default() }
}

fn valued(score: i32, depth: i16) -> PositionEntry {
    let evaluation = Evaluation { score: Score::eval(score), depth, bound: Some(Bound::Exact) };
    PositionEntry { evaluation: Some(evaluation), ..PositionEntry::default() }
}

fn put(database: &PositionDatabase, entries: &[(&Placement, PositionEntry)]) {
    database
        .write(|writer| entries.iter().try_for_each(|(at, entry)| writer.put(at, entry.clone())))
        .unwrap();
}

fn propagate(database: &PositionDatabase, values: bool) -> Propagated {
    let done =
        database.propagate(PropagationOptions { values }, &Stop::new(), &mut |_| {}).unwrap();
    assert!(done.complete);
    done
}

#[test]
fn a_lost_position_wins_the_one_before_by_that_move_and_the_shortest_way_counts() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    let at = |moves| placement(Rule::Renju, Size::DEFAULT, moves);
    let before = at("h8i9");
    put(
        &database,
        &[
            (&before, valued(35, 9)),
            (&at("h8i9a1"), proven("loss:6")),
            (&at("h8i9b3"), proven("loss:4")),
            (&at("h8i9c4"), proven("win:4")),
            (&at("h8"), valued(1, 2)),
        ],
    );
    assert_eq!(propagate(&database, false).results, 1);
    let entry = database.get(&before).unwrap().unwrap();
    assert_eq!(entry.result.unwrap().to_string(), "win:5");
    assert_eq!(entry.best.unwrap().to_string(), "b3");
    assert_eq!(entry.evaluation, valued(35, 9).evaluation);
    assert_eq!(database.get(&at("h8")).unwrap(), Some(valued(1, 2)), "one of its moves");
    assert_eq!(propagate(&database, false), Propagated { complete: true, ..Default::default() });
}

/// Returns a position with black to move, of rows of `X` and `O`.
fn board<const N: usize>(rule: Rule, rows: [&str; N]) -> Placement {
    let size = Size::new(rows[0].len() as i64, N as i64).unwrap();
    let mut board = Board::new(size);
    for (point, cell) in size.points().zip(rows.concat().chars()) {
        match cell {
            'X' => board.place(point, Color::Black),
            'O' => board.place(point, Color::White),
            _ => {}
        }
    }
    Placement::new(rule, board, Color::Black).unwrap()
}

/// Plays a move on a copy.
fn after(placement: &Placement, cell: &str) -> Placement {
    let mut next = placement.clone();
    next.play(tengen_core::notation::parse_cell(cell, placement.size()).unwrap()).unwrap();
    next
}

#[test]
fn a_position_is_lost_only_if_all_moves_are_known_to_lose() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    // Whatever black plays, there are lines in which the game can be decided.
    let root = board(Rule::Freestyle, [".OOO.", "XOXOX", "OXOXX", "XXXOX", ".OOO."]);
    let cells = ["a1", "e1", "a5", "e5"];
    put(&database, &[(&root, PositionEntry::default())]);
    for (i, cell) in cells.into_iter().enumerate() {
        assert_eq!(propagate(&database, false).results, 0, "{i} known moves");
        put(&database, &[(&after(&root, cell), proven(if i == 2 { "win:3" } else { "win:1" }))]);
    }
    propagate(&database, false);
    let entry = database.get(&root).unwrap().unwrap();
    assert_eq!(entry.result.unwrap().to_string(), "loss:4");
    assert_eq!(entry.best.unwrap().to_string(), "a5", "the longest way");
}

#[test]
fn a_draw_is_the_best_of_draws_and_losses() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    let root = board(Rule::Freestyle, [".OOO.", "XOXOX", "OXOXX", "XXXOX", ".OOO."]);
    put(&database, &[(&root, PositionEntry::default())]);
    for (cell, result) in [("a1", "win:1"), ("e1", "draw"), ("a5", "win"), ("e5", "draw")] {
        put(&database, &[(&after(&root, cell), proven(result))]);
    }
    propagate(&database, false);
    let entry = database.get(&root).unwrap().unwrap();
    assert_eq!(entry.result, Some(ProvenResult::Draw));
    assert!(["e1", "e5"].contains(&entry.best.unwrap().to_string().as_str()));
}

#[test]
fn a_position_whose_only_move_ends_the_game_is_judged_by_it() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    let root = board(Rule::Freestyle, ["XOOO.", "XOXOX", "OXOXX", "XXXOX", "OOXOO"]);
    put(&database, &[(&root, PositionEntry::default()), (&after(&root, "e1"), proven("draw"))]);
    propagate(&database, false);
    assert_eq!(database.get(&root).unwrap().unwrap().result, Some(ProvenResult::Draw));
}

#[test]
fn moves_that_renju_forbids_are_no_moves() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    // Black's d1 would make six, so f2 is its only move in renju; else nobody can make a five any more.
    let rows = ["XXX.XX", "OXOXO.", "XOXOXO", "OXOXOX", "OOXOOX"];
    for (rule, expected) in [(Rule::Renju, Some("loss:4")), (Rule::Standard, Some("draw"))] {
        let root = board(rule, rows);
        put(&database, &[(&root, PositionEntry::default())]);
        put(&database, &[(&after(&root, "f2"), proven("win:3"))]);
        propagate(&database, false);
        let result = database.get(&root).unwrap().unwrap().result;
        assert_eq!(result.map(|result| result.to_string()).as_deref(), expected, "{rule}");
    }
}

#[test]
fn values_are_carried_where_they_say_more() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    let at = |moves| placement(Rule::Freestyle, Size::DEFAULT, moves);
    // No value of its own; a better move than its own; a worse one; its own best move, deeper.
    let names = ["h8a2", "h8a3", "h8a4", "h8a5"];
    let own = |score, best: &str| PositionEntry {
        best: tengen_core::notation::parse_cell(best, Size::DEFAULT).ok(),
        ..valued(score, 10)
    };
    put(
        &database,
        &[
            (&at("h8a2"), PositionEntry::default()),
            (&at("h8a2j9"), valued(-20, 5)),
            (&at("h8a2j10"), valued(30, 9)),
            (&at("h8a3"), own(10, "i9")),
            (&at("h8a3j9"), valued(-50, 9)),
            (&at("h8a4"), own(10, "i9")),
            (&at("h8a4j9"), valued(50, 15)),
            (&at("h8a5"), own(10, "i9")),
            (&at("h8a5i9"), valued(40, 10)),
        ],
    );
    assert_eq!(propagate(&database, true).values, 3);
    let seen = names.map(|name| {
        let entry = database.get(&at(name)).unwrap().unwrap();
        let value = entry.evaluation.unwrap();
        (value.score.raw(), value.depth, value.bound, entry.best.unwrap().to_string())
    });
    let lower = Some(Bound::Lower);
    assert_eq!(
        seen,
        [
            (20, 6, lower, "j9".to_owned()),
            (50, 10, lower, "j9".to_owned()),
            (10, 10, Some(Bound::Exact), "i9".to_owned()),
            (-40, 11, lower, "i9".to_owned()),
        ]
    );
    assert_eq!(propagate(&database, true).values, 0);
}

#[test]
fn a_draw_is_worth_nothing_and_a_move_that_ends_the_game_needs_no_entry() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    let at = |moves| placement(Rule::Freestyle, Size::DEFAULT, moves);
    put(
        &database,
        &[
            (&at("h8a2"), PositionEntry::default()),
            (&at("h8a2i9"), proven("draw")),
            (&at("h8a2i8"), valued(500, 12)),
        ],
    );
    assert_eq!(propagate(&database, true).values, 1);
    let entry = database.get(&at("h8a2")).unwrap().unwrap();
    let draw = Evaluation { score: Score::ZERO, depth: 223, bound: Some(Bound::Lower) };
    assert_eq!((entry.evaluation, entry.best.unwrap().to_string()), (Some(draw), "i9".to_owned()));
    // Black wins with e1, whatever its other moves are worth.
    let wins = board(Rule::Freestyle, ["XXXX..", "OXOXO.", "XOXOXO", "OXOXOX", "OOXOO."]);
    put(&database, &[(&wins, PositionEntry::default()), (&after(&wins, "f2"), valued(9, 9))]);
    assert_eq!(propagate(&database, true).values, 0);
    let value = |placement: &Placement| ValueOfMoves::of(placement, &[]).map(|of| of.bounded());
    assert_eq!(value(&wins), None);
    let last = board(Rule::Freestyle, ["XOXOX", "XOXOX", "OXOXO", "OXOXO", "XOXO."]);
    assert_eq!(value(&last), Some(Evaluation { depth: 1, bound: Some(Bound::Exact), ..draw }));
}

#[test]
fn whoever_watches_can_stop_it_and_nothing_is_lost() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    let size = Size::DEFAULT;
    let mut entries = Vec::new();
    for a in size.points().filter(|p| p.y() > 8) {
        for b in size.points().filter(|p| p.y() < 3 && p.x() < 8) {
            let placement = Placement::of_moves(Rule::Freestyle, size, &[a, b]).unwrap();
            entries.push((placement, proven("loss:8")));
        }
    }
    let refs: Vec<_> = entries.iter().map(|(at, entry)| (at, entry.clone())).collect();
    put(&database, &refs);
    put(&database, &[(&placement(Rule::Freestyle, size, "h10"), PositionEntry::default())]);
    let (mut told, stop) = (0, Stop::new());
    let mut look = |seen: u64| {
        told = seen;
        stop.request();
    };
    let done = database.propagate(PropagationOptions::default(), &stop, &mut look).unwrap();
    assert!(!done.complete);
    assert_eq!(told, 1024);
    assert_eq!(propagate(&database, false).results + done.results, 1);
}

/// Black has three stones in each of two lines that cross on h8: its move there is a forbidden 3-3.
const DOUBLE_THREE: &str = "i8a1j8a15h9o1h10o15";

#[test]
fn a_forbidden_move_wins_nothing_though_its_stones_are_lost_by_another_order() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let at = |moves| placement(Rule::Renju, Size::DEFAULT, moves);
    // The same stones, of which the last makes one three.
    let lost = at("h8a1i8a15j8o1h9o15h10");
    let before = at(DOUBLE_THREE);
    let h8 = tengen_core::notation::parse_cell("h8", Size::DEFAULT).unwrap();
    assert!(before.forbids(h8) && after(&before, "h8").key().key == lost.key().key);
    let legal = at("h8a1i8a15j8o1h9o15");
    let entries = [(&lost, proven("loss:4")), (&before, valued(1, 2)), (&legal, valued(1, 2))];
    let check = |database: &PositionDatabase| {
        assert_eq!(database.get(&before).unwrap(), Some(valued(1, 2)));
        let won = database.get(&legal).unwrap().unwrap();
        assert_eq!(won.result.unwrap().to_string(), "win:5");
        let following = database.read().unwrap().following(&before).unwrap();
        assert_eq!(following, []);
        assert_eq!(
            (before.move_to(&lost.key().key), legal.move_to(&lost.key().key).is_some()),
            (None, true)
        );
    };
    let database = new_database(&folder);
    put(&database, &entries);
    assert_eq!(propagate(&database, false).results, 1);
    check(&database);
    // What was just learnt is carried by the same rule.
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    put(&database, &entries);
    let changed = [lost.key().key].into();
    database.write(|writer| writer.lift(changed, &|_| false)).unwrap();
    check(&database);
}

#[test]
fn the_value_of_a_forbidden_move_is_none_of_the_position() {
    let folder = TempDir::with_prefix("tengen-propagate-").unwrap();
    let database = new_database(&folder);
    let before = placement(Rule::Renju, Size::DEFAULT, DOUBLE_THREE);
    put(
        &database,
        &[
            (&before, PositionEntry::default()),
            (&after(&before, "h8"), valued(-900, 9)),
            (&after(&before, "h11"), valued(-30, 9)),
        ],
    );
    propagate(&database, true);
    let entry = database.get(&before).unwrap().unwrap();
    assert_eq!(entry.evaluation.unwrap().score, Score::eval(30));
    assert_eq!(entry.best.unwrap().to_string(), "h11");
}
