//! Written moves can be read back, and everything read is on the board.

use crate::common;
use proptest::prelude::*;
use tengen_core::notation::{Moves, Stones, Xy, parse_cell, parse_moves, parse_xy};
use tengen_core::types::{Point, Size};

/// Makes a size and some of its points in any order.
fn games() -> impl Strategy<Value = (Size, Vec<Point>)> {
    common::sizes().prop_flat_map(|size| {
        let points: Vec<Point> = size.points().collect();
        (Just(size), proptest::sample::subsequence(points, 0..=size.area().min(60)).prop_shuffle())
    })
}

#[test]
fn every_cell_of_every_board_is_read_back() {
    for (width, height) in [(5, 5), (15, 15), (20, 20), (22, 22), (12, 17), (22, 5)] {
        let size = Size::new(width, height).unwrap();
        for point in size.points() {
            assert_eq!(parse_cell(&point.to_string(), size), Ok(point));
            assert_eq!(parse_xy(&Xy(point).to_string(), size), Ok(point));
        }
    }
}

proptest! {
    #[test]
    fn moves_are_read_back((size, moves) in games()) {
        prop_assert_eq!(parse_moves(&Moves(&moves).to_string(), size), Ok(moves));
    }

    #[test]
    fn boards_are_read_back(board in common::boards(100)) {
        let stones = Stones::of_board(&board);
        let text = stones.to_string();
        prop_assert_eq!(Stones::parse(&text, board.size()), Ok(stones.clone()));
        let read = stones.board(board.size()).unwrap();
        prop_assert_eq!(Stones::of_board(&read), stones);
    }

    #[test]
    fn whatever_is_read_is_on_the_board_and_is_written_as_it_was(
        text in "([a-w][0-9]{1,2}){0,6}|.{0,12}",
        size in common::sizes(),
    ) {
        if let Ok(moves) = parse_moves(&text, size) {
            prop_assert!(moves.iter().all(|&p| size.contains(p)));
            prop_assert_eq!(Moves(&moves).to_string(), text.to_ascii_lowercase());
        }
        if let Ok(point) = parse_cell(&text, size) {
            prop_assert!(size.contains(point));
            prop_assert_eq!(point.to_string(), text.to_ascii_lowercase());
        }
    }

    #[test]
    fn pairs_of_numbers_are_cells_just_if_the_board_has_them(
        x in -3..30i64,
        y in -3..30i64,
        size in common::sizes(),
    ) {
        prop_assert_eq!(parse_xy(&format!("{x},{y}"), size).ok(), size.point(x, y));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in ".{0,40}", size in common::sizes()) {
        let _ = parse_xy(&text, size);
        let _ = parse_cell(&text, size);
        let _ = parse_moves(&text, size);
        let _ = Stones::parse(&text, size);
    }
}
