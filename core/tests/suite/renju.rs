//! Renju's forbidden moves against lists made by four other programs.
//!
//! The variable `TENGEN_RENJU_CASES` can name one more file with the columns of
//! `tests/data/renju-forbidden.tsv`, such as the cases of a test suite that others published:
//!
//! ```text
//! TENGEN_RENJU_CASES=cases.tsv cargo test --test suite renju:: -- --ignored
//! ```

use std::collections::HashMap;
use std::path::Path;

use crate::common;
use crate::common::{ForbiddenCase, RandomRow, Verdict};
use proptest::prelude::*;
use tengen_core::board::{Board, Symmetry};
use tengen_core::position::Position;
use tengen_core::rules::{Rule, Violation, forbidden_points, violation, violations, winning_run};
use tengen_core::types::{Color, Point};

/// Compares the verdicts of the plain rules, and those of the tables, with the ones of a file.
fn check_cases(cases: &[ForbiddenCase]) {
    for ForbiddenCase { id, board, point, verdict, note } in cases {
        let five = winning_run(board, *point, Color::Black, Rule::Renju).is_some();
        assert_eq!(five, *verdict == Verdict::Five, "{id} {point}: {note}{board:?}");
        let expected = match *verdict {
            Verdict::Forbidden(kind) => Some(kind),
            Verdict::Legal | Verdict::Five => None,
        };
        assert_eq!(violation(board, *point), expected, "{id} {point}: {note}{board:?}");
        let mut position = Position::from_board(Rule::Renju, board.clone(), Color::Black);
        let found = position.is_forbidden(*point, Color::Black);
        assert_eq!(found, expected.is_some(), "{id} {point}: {note}{board:?}");
        check_fast_verdicts(board);
    }
}

#[test]
fn every_single_case_has_the_verdict_of_the_file() {
    let cases = common::forbidden_cases(&common::data("renju-forbidden.tsv"));
    assert_eq!(cases.len(), 100);
    check_cases(&cases);
}

#[test]
#[ignore = "needs a file that TENGEN_RENJU_CASES names"]
fn every_case_of_a_given_file_has_its_verdict() {
    let path = std::env::var_os("TENGEN_RENJU_CASES").expect("TENGEN_RENJU_CASES names a file");
    check_cases(&common::forbidden_cases(Path::new(&path)));
}

#[test]
fn the_forbidden_points_of_whole_boards_are_those_of_the_file() {
    let rows = common::random_rows();
    assert_eq!(rows.len(), 2000);
    let mut cells = 0;
    for RandomRow { id, board, forbidden } in &rows {
        let listed: HashMap<Point, Violation> = forbidden.iter().map(|(p, k)| (*p, k[0])).collect();
        for point in board.empties().iter() {
            cells += 1;
            let expected = listed.get(&point).copied();
            assert_eq!(violation(board, point), expected, "{id} {point}{board:?}");
        }
    }
    assert_eq!(cells, 398_291);
}

#[test]
fn all_kinds_that_apply_are_those_of_the_file() {
    for RandomRow { id, board, forbidden } in &common::random_rows() {
        for (point, kinds) in forbidden {
            assert_eq!(violations(board, *point), *kinds, "{id} {point}{board:?}");
        }
        let first: Vec<(Point, Violation)> = forbidden.iter().map(|(p, k)| (*p, k[0])).collect();
        assert_eq!(forbidden_points(board), first, "{id}");
    }
}

#[test]
fn symmetric_boards_have_symmetric_forbidden_points() {
    for RandomRow { id, board, forbidden } in common::random_rows().iter().step_by(25) {
        for symmetry in Symmetry::ALL {
            let mut expected: Vec<(Point, Violation)> =
                forbidden.iter().map(|(p, k)| (symmetry.map(board.size(), *p), k[0])).collect();
            expected.sort_unstable();
            let image = common::map_board(symmetry, board);
            assert_eq!(forbidden_points(&image), expected, "{id} {symmetry:?}");
        }
    }
    for case in common::forbidden_cases(&common::data("renju-forbidden.tsv")) {
        let expected = violation(&case.board, case.point);
        for symmetry in Symmetry::ALL {
            let image = common::map_board(symmetry, &case.board);
            let point = symmetry.map(case.board.size(), case.point);
            assert_eq!(violation(&image, point), expected, "{} {symmetry:?}", case.id);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_board_of_any_shape_has_symmetric_verdicts(board in common::boards(60)) {
        let plain = forbidden_points(&board);
        for symmetry in Symmetry::ALL {
            let mut expected: Vec<(Point, Violation)> =
                plain.iter().map(|&(p, k)| (symmetry.map(board.size(), p), k)).collect();
            expected.sort_unstable();
            prop_assert_eq!(forbidden_points(&common::map_board(symmetry, &board)), expected);
        }
    }

    #[test]
    fn the_first_kind_is_the_one_reported(board in common::boards(60)) {
        for point in board.size().points() {
            let kinds = violations(&board, point);
            prop_assert!(kinds.is_sorted());
            prop_assert_eq!(violation(&board, point), kinds.first().copied());
        }
    }
}

/// Compares the verdicts of the tables and their look-ahead with the plain rules on every empty
/// cell.
fn check_fast_verdicts(board: &Board) {
    let mut position = Position::from_board(Rule::Renju, board.clone(), Color::Black);
    for point in board.empties().iter() {
        let expected = violation(board, point).is_some();
        assert_eq!(position.is_forbidden(point, Color::Black), expected, "{point}{board:?}");
    }
    position.validate();
}

#[test]
fn the_tables_agree_with_the_plain_rules_on_every_board_of_the_file() {
    for RandomRow { board, .. } in &common::random_rows() {
        check_fast_verdicts(board);
    }
}

proptest! {
    #[test]
    fn the_tables_agree_with_the_plain_rules_on_crowded_boards(board in common::boards(60)) {
        check_fast_verdicts(&board);
    }
}
