//! A board as text.

use std::fmt;

use super::Origin;
use crate::board::Board;
use crate::types::{Cell, Color, Point};

/// The signs for what is on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoardGlyphs {
    /// `X`, `O`, `.` and `#`.
    #[default]
    Letters,
    /// `●`, `○`, `·` and `▒`.
    Stones,
}

impl BoardGlyphs {
    const fn of(self, cell: Cell) -> char {
        match (self, cell) {
            (BoardGlyphs::Letters, Cell::Stone(Color::Black)) => 'X',
            (BoardGlyphs::Letters, Cell::Stone(Color::White)) => 'O',
            (BoardGlyphs::Letters, Cell::Empty) => '.',
            (BoardGlyphs::Letters, Cell::Wall) => '#',
            (BoardGlyphs::Stones, Cell::Stone(Color::Black)) => '●',
            (BoardGlyphs::Stones, Cell::Stone(Color::White)) => '○',
            (BoardGlyphs::Stones, Cell::Empty) => '·',
            (BoardGlyphs::Stones, Cell::Wall) => '▒',
        }
    }
}

/// A board that is printed with letters and numbers at its edges.
#[derive(Clone, Copy)]
pub struct Diagram<'a> {
    /// The board.
    pub board: &'a Board,
    /// The stone in parentheses.
    pub last: Option<Point>,
    /// The edge from which rows count.
    pub origin: Origin,
    /// The signs.
    pub glyphs: BoardGlyphs,
}

impl fmt::Display for Diagram<'_> {
    /// Prints a line for each row, the first one on top, below one of letters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        write!(f, "   ")?;
        for x in 0..size.width() {
            write!(f, " {}", char::from(b'a' + x))?;
        }
        writeln!(f)?;
        for y in 0..size.height() {
            write!(f, "{:3}", self.origin.row(y, size))?;
            let mut is_after_last = false;
            for point in size.points().filter(|point| point.y() == y) {
                let is_last = self.last == Some(point);
                let before = match (is_last, is_after_last) {
                    (true, _) => '(',
                    (_, true) => ')',
                    _ => ' ',
                };
                write!(f, "{before}{}", self.glyphs.of(self.board.cell(point)))?;
                is_after_last = is_last;
            }
            writeln!(f, "{}", if is_after_last { ")" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Board {
    /// Prints the board with letters, rows counted from the top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (origin, glyphs) = (Origin::Top, BoardGlyphs::Letters);
        Diagram { board: self, last: None, origin, glyphs }.fmt(f)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Size;

    #[test]
    fn the_last_stone_is_in_parentheses() {
        let size = Size::new(6, 5).unwrap();
        let at = |x, y| size.point(x, y).unwrap();
        let moves = [at(0, 0), at(5, 0), at(1, 0)];
        let rows = |count: usize, origin| {
            let mut board = Board::new(size);
            for (number, &point) in moves[..count].iter().enumerate() {
                board.place(point, Color::to_move_after(number));
            }
            let last = moves[..count].last().copied();
            Diagram { board: &board, last, origin, glyphs: BoardGlyphs::Letters }.to_string()
        };
        assert_eq!(
            rows(3, Origin::Top),
            "    a b c d e f\n  1 X(X). . . O\n  2 . . . . . .\n  3 . . . . . .\n  4 . . . . . .\n  \
             5 . . . . . .\n"
        );
        assert!(rows(2, Origin::Top).contains("  1 X . . . .(O)\n"));
        assert!(rows(1, Origin::Top).contains("  1(X). . . . .\n"));
        assert!(!rows(0, Origin::Top).contains('('));
        let from_bottom = rows(1, Origin::Bottom);
        assert!(from_bottom.contains("\n  5(X).") && from_bottom.contains("\n  1 . ."));
    }

    #[test]
    fn stones_and_blocked_cells_have_signs_of_their_own() {
        let size = Size::new(6, 5).unwrap();
        let at = |x, y| size.point(x, y).unwrap();
        let mut board = Board::new(size);
        board.place(at(0, 0), Color::Black);
        board.place(at(1, 0), Color::White);
        board.place_wall(at(2, 0));
        let first = |glyphs| {
            let (last, origin) = (Some(at(1, 0)), Origin::Top);
            let text = Diagram { board: &board, last, origin, glyphs }.to_string();
            text.lines().nth(1).map(str::to_owned)
        };
        assert_eq!(first(BoardGlyphs::Letters).as_deref(), Some("  1 X(O)# . . ."));
        assert_eq!(first(BoardGlyphs::Stones).as_deref(), Some("  1 ●(○)▒ · · ·"));
        assert_eq!(board.to_string().lines().nth(1), Some("  1 X O # . . ."));
    }
}
