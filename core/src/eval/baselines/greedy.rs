//! The greedy player, the weakest one: one ply, no search, no evaluation of positions.
//!
//! After 基于java的人机五子棋: every empty cell near a stone is scored for both sides by the length of the
//! row that a stone there would make and the state of its two ends, summed over the four
//! directions. The best sum is played; ties are broken at random. The scores are our own.

use crate::board::Board;
use crate::position::Position;
use crate::rng::SplitMix64;
use crate::rules::{Rule, Run};
use crate::types::{Cell, Color, Dir, Point};

/// The largest distance from a stone to a candidate cell.
const NEAR: u8 = 2;

/// The values of rows of one to four stones, by the number of their open ends.
const ROWS: [[i32; 3]; 4] = [[0, 1, 4], [0, 6, 30], [0, 40, 200], [0, 250, 1_200]];
/// The value of a winning row.
const WIN: i32 = 6_000;

/// Returns the move of the greedy player for the side to move, or `None` on a full board.
///
/// On an empty board it plays the centre, or the free cell nearest to it; moves that renju forbids
/// are excluded unless there are no others.
#[must_use]
pub fn choose(position: &Position, rng: &mut SplitMix64) -> Option<Point> {
    let board = position.board();
    let size = board.size();
    let stones: Vec<Point> =
        size.points().filter(|&p| matches!(board.cell(p), Cell::Stone(_))).collect();
    let us = position.to_move();
    let score = |point: Point| {
        if stones.iter().any(|stone| stone.distance(point) <= NEAR) {
            // Of two equal rows, extending one's own is better than stopping the opponent's.
            11 * worth(board, point, us, position.rule())
                + 10 * worth(board, point, !us, position.rule())
        } else {
            -i32::from(point.distance(size.center()))
        }
    };
    let mut moves: Vec<(i32, Point)> =
        board.empties().iter().map(|point| (score(point), point)).collect();
    if position.rule() == Rule::Renju && us == Color::Black {
        let mut position = position.clone();
        let legal: Vec<_> = moves.iter().copied().filter(|m| position.is_legal(m.1)).collect();
        if !legal.is_empty() {
            moves = legal;
        }
    }
    let best = moves.iter().map(|&(score, _)| score).max()?;
    moves.retain(|&(score, _)| score == best);
    Some(moves[rng.below(moves.len())].1)
}

/// Returns the value of a stone of `color` on an empty cell.
fn worth(board: &Board, point: Point, color: Color, rule: Rule) -> i32 {
    Dir::ALL
        .into_iter()
        .map(|dir| {
            let run = Run::through(board, point, color, dir);
            if run.wins(board, rule) {
                return WIN;
            }
            let open = [-1, i32::from(run.len)]
                .into_iter()
                .filter_map(|steps| run.first.offset(dir, steps))
                .filter(|&end| board.is_empty(end))
                .count();
            ROWS.get(usize::from(run.len) - 1).map_or(0, |by_ends| by_ends[open])
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing;
    use crate::types::Size;
    use std::collections::HashSet;

    /// Returns all moves that the greedy player may choose, as text.
    fn choices(position: &Position) -> HashSet<String> {
        let mut rng = SplitMix64::new(1);
        (0..200).filter_map(|_| choose(position, &mut rng)).map(|p| p.to_string()).collect()
    }

    fn names(names: &[&str]) -> HashSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn rows_are_worth_their_length_and_their_open_ends() {
        let rows = [".......", "..XX...", "O......", ".O.....", "..O....", ".......", "......."];
        let position = testing::position(&rows, Color::Black);
        let worth = |x, y, color| {
            let point = position.size().point(x, y).unwrap();
            worth(position.board(), point, color, Rule::Freestyle)
        };
        // A row of three open at both ends, three single stones open at both ends.
        assert_eq!(worth(4, 1, Color::Black), 200 + 3 * 4);
        // White makes three with an open end on the diagonal; the column and the row are its
        // stone's alone, and so is the other diagonal.
        assert_eq!(worth(3, 5, Color::White), 4 + 4 + 250 + 4);
        // In the corner three rows have one end, and the fourth has none.
        assert_eq!(worth(0, 0, Color::Black), 3);
    }

    #[test]
    fn a_win_comes_before_a_defence_and_a_defence_before_anything_else() {
        let mut rows = ["..OOOO..", "........", "..XXXX..", "........", "..XX....", "........"];
        let wins = choices(&testing::position(&rows, Color::Black));
        assert!(wins.is_subset(&names(&["b3", "g3"])), "{wins:?}");
        rows[2] = "..OX....";
        let stops = choices(&testing::position(&rows, Color::Black));
        assert!(stops.is_subset(&names(&["b1", "g1"])), "{stops:?}");
    }

    #[test]
    fn equal_sums_are_drawn_by_lot() {
        let rows = [".....", ".....", "..X..", ".....", "....."];
        let around = ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"];
        let position = testing::position(&rows, Color::White);
        let chosen = choices(&position);
        assert!(chosen.len() > 1 && chosen.is_subset(&names(&around)), "{chosen:?}");
    }

    #[test]
    fn every_board_but_a_full_one_has_a_move() {
        let mut rng = SplitMix64::new(2);
        for rule in Rule::ALL {
            let size = Size::new(6, 5).unwrap();
            let mut position = Position::new(rule, size);
            assert_eq!(choose(&position, &mut rng), Some(size.center()));
            while let Some(point) = choose(&position, &mut rng) {
                position.play(point).unwrap();
            }
            assert_eq!(position.empty_cells(), 0);
        }
    }

    #[test]
    fn black_does_not_play_what_renju_forbids() {
        let mut board = Board::new(Size::square(15).unwrap());
        for (x, y) in [(7, 5), (7, 6), (5, 7), (6, 7)] {
            board.place(board.size().point(x, y).unwrap(), Color::Black);
        }
        let corner = "h8";
        for (rule, expected) in [(Rule::Freestyle, true), (Rule::Renju, false)] {
            let position = Position::from_board(rule, board.clone(), Color::Black);
            assert_eq!(choices(&position) == names(&[corner]), expected, "{rule}");
            assert_eq!(choices(&position).contains(corner), expected, "{rule}");
        }
    }
}
