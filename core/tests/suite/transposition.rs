//! Table entries of the positions after the moves of a node, and their use.

use tengen_core::eval::{EvaluatorKind, Evaluators, Window};
use tengen_core::notation::{parse_cell, parse_moves};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::{
    Blocks, Options, Params, Pool, SearchControl, SearchRequest, SearchResult, TranspositionTable,
    TtEntry,
};
use tengen_core::types::{Bound, Color, Depth, Ply, Point, Score, Size};

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
    search_of(&position(), table, options)
}

fn search_of(
    position: &Position,
    table: &TranspositionTable,
    options: Options<'_>,
) -> SearchResult {
    search_within(position, table, options, (Some(DEPTH), None))
}

fn search_within(
    position: &Position,
    table: &TranspositionTable,
    options: Options<'_>,
    (depth, nodes): (Option<u32>, Option<u64>),
) -> SearchResult {
    let control = SearchControl::bounded(position, depth, nodes);
    let request = SearchRequest { position, table, control: &control, options };
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

/// The evaluation says nothing where a four has to be answered: it takes the four for what it is worth.
#[test]
fn the_only_answer_has_the_score_and_the_reply_that_the_table_knows() {
    let mut position = Position::new(Rule::Freestyle, Size::square(15).unwrap());
    for point in parse_moves("f8e8g8a1h8a3i8", position.size()).unwrap() {
        position.play(point).unwrap();
    }
    let (answer, reply) = (point("j8"), point("h10"));
    let told = |known: Option<(Score, Bound)>| {
        let table = TranspositionTable::new(1 << 22).unwrap();
        if let Some((score, bound)) = known {
            let (depth, best) = (Depth::plies(9), Some(reply));
            let hit = TtEntry { score, eval: None, bound, depth, best, was_pv: false };
            table.store(position.key_after(answer), hit);
        }
        let at_once = Options { answer_at_once: true, ..Options::default() };
        let found = search_of(&position, &table, at_once);
        let line = if known.is_some() { vec![answer, reply] } else { vec![answer] };
        assert_eq!((found.best, found.line), (answer, line));
        found.score
    };
    assert_eq!(told(Some((Score::eval(777), Bound::Exact))), Score::eval(-777));
    assert_eq!(told(Some((Score::eval(777), Bound::Lower))), Score::eval(-777));
    assert_eq!(told(Some((Score::win_in(Ply(9)), Bound::Lower))), Score::loss_in(Ply(10)));
    assert_eq!(told(Some((Score::loss_in(Ply(8)), Bound::Exact))), Score::win_in(Ply(9)));
    // Black to move after the answer, with three stones in a row that are closed on both sides.
    let mut after = position.clone();
    after.play(answer).unwrap();
    let mut evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, Rule::Freestyle);
    evaluator.reset(&after);
    let eval = -evaluator.evaluate(&after, Window::FULL);
    assert_eq!(told(None), eval);
    for bound in [(Score::eval(-777), Bound::Lower), (Score::win_in(Ply(9)), Bound::Upper)] {
        assert_eq!(told(Some(bound)), eval, "a bound that says nothing");
    }
}

/// The score of an iteration that is stopped can be a bound, or that of another move.
#[test]
fn what_is_settled_is_what_a_search_to_that_depth_finds() {
    let position = position();
    let search = |limits| {
        let table = TranspositionTable::new(1 << 22).unwrap();
        search_within(&position, &table, Options::default(), limits)
    };
    let mut differing = 0;
    for nodes in (500..20_000).step_by(650) {
        let stopped = search((None, Some(nodes)));
        let (score, depth, line) = stopped.settled();
        let found = search((Some(depth), None));
        assert_eq!((score, line[0]), (found.score, found.best), "{nodes} nodes, depth {depth}");
        assert_eq!(found.finished, None);
        differing += u32::from((stopped.score, stopped.best) != (score, line[0]));
    }
    assert!(differing > 0, "no search was stopped at a bound");
}
