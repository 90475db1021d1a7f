//! Checks that every evaluator must pass.

use super::{Evaluator, Window};
use crate::board::{Board, Symmetry};
use crate::position::Position;
use crate::rng::SplitMix64;
use crate::rules::Rule;
use crate::types::{Cell, Color, Point, Size};

/// Returns the freestyle position given by rows of `X` for black, `O` for white and `.` for empty
/// cells.
pub(super) fn position(rows: &[&str], to_move: Color) -> Position {
    let size = Size::new(rows[0].len() as i64, rows.len() as i64).unwrap();
    let mut board = Board::new(size);
    for (point, c) in size.points().zip(rows.concat().chars()) {
        match c {
            'X' => board.place(point, Color::Black),
            'O' => board.place(point, Color::White),
            _ => {}
        }
    }
    Position::from_board(Rule::Freestyle, board, to_move)
}

/// Walks forward and back on boards of all rules and many sizes and checks after each step that the
/// state of the evaluator is in step.
pub(super) fn walk<E: Evaluator>(
    make: impl Fn(Rule) -> E,
    in_step: impl Fn(&mut E, &Position) -> bool,
) {
    let mut rng = SplitMix64::new(11);
    for rule in Rule::ALL {
        for edge in 5..=22 {
            let size = Size::new(edge, 5 + rng.below(18) as i64).unwrap();
            let mut board = Board::new(size);
            let points: Vec<Point> = size.points().collect();
            for _ in 0..rng.below(3) {
                let point = points[rng.below(points.len())];
                if board.is_empty(point) {
                    board.place_wall(point);
                }
            }
            let mut position = Position::from_board(rule, board, Color::ALL[rng.below(2)]);
            let mut evaluator = make(rule);
            evaluator.reset(&position);
            let first = evaluator.evaluate(&position, Window::FULL);
            let mut played = 0;
            for _ in 0..120 {
                let point = points[rng.below(points.len())];
                if position.board().is_empty(point) && rng.below(4) > 0 {
                    let color = position.to_move();
                    position.play_unchecked(point);
                    evaluator.push(point, color);
                    played += 1;
                } else if played > 0 {
                    played -= 1;
                    position.undo();
                    evaluator.pop();
                }
                // Not after each step: deferred work must add up too.
                if rng.below(3) == 0 {
                    continue;
                }
                assert!(in_step(&mut evaluator, &position), "{rule}{:?}", position.board());
                assert!(!evaluator.evaluate(&position, Window::FULL).is_decisive());
            }
            for _ in 0..played {
                position.undo();
                evaluator.pop();
            }
            assert_eq!(evaluator.evaluate(&position, Window::FULL), first);
        }
    }
}

/// Checks that the evaluation is unchanged by rotating or mirroring the board and by exchanging the
/// colours, the side to move included.
pub(super) fn symmetric<E: Evaluator + Clone>(evaluator: &E) {
    let mut rng = SplitMix64::new(12);
    for _ in 0..200 {
        let edge = |rng: &mut SplitMix64| 5 + rng.below(18) as i64;
        let size = Size::new(edge(&mut rng), edge(&mut rng)).unwrap();
        let filled = rng.below(8);
        let stones: Vec<(Point, Color)> = size
            .points()
            .filter_map(|p| {
                let color = Color::ALL[rng.below(2)];
                (rng.below(10) < filled).then_some((p, color))
            })
            .collect();
        let to_move = Color::ALL[rng.below(2)];
        let value = |symmetry: Symmetry, swapped: bool| {
            let color_of = |color: Color| if swapped { !color } else { color };
            let mut board = Board::new(symmetry.map_size(size));
            for &(point, color) in &stones {
                let image = symmetry.map(size, point);
                debug_assert_eq!(board.cell(image), Cell::Empty);
                board.place(image, color_of(color));
            }
            let position = Position::from_board(Rule::Freestyle, board, color_of(to_move));
            let mut evaluator = evaluator.clone();
            evaluator.reset(&position);
            evaluator.evaluate(&position, Window::FULL)
        };
        let expected = value(Symmetry::Identity, false);
        for symmetry in Symmetry::ALL {
            for swapped in [false, true] {
                assert_eq!(value(symmetry, swapped), expected, "{symmetry:?} {swapped}");
            }
        }
    }
}
