//! Table entries of the positions after the moves of a node, and their use.

use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::notation::{parse_cell, parse_moves};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::{
    Blocks, Options, Params, Pool, SearchControl, SearchRequest, SearchResult, TranspositionTable,
    TtEntry,
};
use tengen_core::types::{Bound, Color, Depth, Point, Score, Size};

/// The depth of each search, in plies.
const DEPTH: u32 = 8;

/// Returns a renju position with white to move in which black may not play h8, which makes two
/// threes.
fn position() -> Position {
    let mut position = Position::new(Rule::Renju, Size::square(15).unwrap());
    for point in parse_moves("h7j10h6i11g8f6f8", position.size()).unwrap() {
        position.play(point).unwrap();
    }
    assert_eq!(position.to_move(), Color::White);
    position
}

fn point(name: &str) -> Point {
    parse_cell(name, Size::square(15).unwrap()).unwrap()
}

/// Returns a table that says black has as good as won with a stone on `known`, whatever white plays
/// before, but for what makes `known` forbidden, or legal, when it is not so now.
fn table_with(known: Point) -> TranspositionTable {
    let mut position = position();
    let table = TranspositionTable::new(1 << 22).unwrap();
    let forbidden = position.is_forbidden(known, Color::Black);
    let empties = *position.tracker().empties();
    for reply in empties.iter().filter(|&reply| reply != known) {
        position.play_unchecked(reply);
        if position.is_forbidden(known, Color::Black) == forbidden {
            let score = Score::from_raw(-2000);
            let (bound, depth) = (Bound::Upper, Depth::plies(50));
            let hit = TtEntry { score, eval: None, bound, depth, best: None, was_pv: false };
            table.store(position.key_after(known), hit);
        }
        position.undo();
    }
    table
}

/// Searches the position; nodes ask the table about their moves from `from` 64ths of a ply on.
fn search(table: &TranspositionTable, from: i32) -> SearchResult {
    let mut params = Params::DEFAULT;
    params.set("etc_depth", from).unwrap();
    // Or most nodes in question would not be searched at all.
    params.set("rfp_depth", 0).unwrap();
    search_with(table, Options { params, ..Options::default() })
}

fn search_with(table: &TranspositionTable, options: Options<'_>) -> SearchResult {
    let position = position();
    let control = SearchControl::bounded(&position, Some(DEPTH), None);
    let request = SearchRequest { position: &position, table, control: &control, options };
    let evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, position.rule());
    Pool::new(evaluator).search(&request, |_| {}).unwrap()
}

#[test]
fn a_move_to_a_position_known_to_be_good_cuts_before_it_is_its_turn() {
    // Away from what happens, so that it would come late.
    let table = || table_with(point("d10"));
    let (early, late) = (search(&table(), 64).nodes, search(&table(), 2560).nodes);
    assert!(early + 300 < late, "{early} nodes if the table is asked, {late} if it is not");
}

#[test]
fn a_forbidden_move_does_not_cut_whatever_the_table_knows() {
    let forbidden = point("h8");
    assert!(position().is_forbidden(forbidden, Color::Black));
    let told = search(&table_with(forbidden), 64);
    let untold = search(&TranspositionTable::new(1 << 22).unwrap(), 64);
    assert_eq!((told.best, told.score, told.nodes), (untold.best, untold.score, untold.nodes));
}

/// A path blocks a move only; but whatever an earlier search found behind it would be wrong now.
#[test]
fn a_search_under_a_blocked_path_learns_nothing_from_one_without_it() {
    let best = search_with(&TranspositionTable::new(1 << 22).unwrap(), Options::default()).best;
    let position = position();
    let mut path: Vec<Point> = parse_moves("h7j10h6i11g8f6f8", position.size()).unwrap();
    path.push(best);
    let blocks = Blocks::new(position.size(), &[], &[path]);
    let blocked = || Options { blocks: Some(&blocks), ..Options::default() };
    let table = TranspositionTable::new(1 << 22).unwrap();
    let first = search_with(&table, blocked());
    assert_ne!(first.best, best);
    let used = TranspositionTable::new(1 << 22).unwrap();
    search_with(&used, Options::default());
    let second = search_with(&used, blocked());
    assert_eq!((first.best, first.score, first.nodes), (second.best, second.score, second.nodes));
}
