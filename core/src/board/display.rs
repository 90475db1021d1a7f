//! A board as text, for people and for test failures.

use std::fmt;

use super::Board;
use crate::types::{Cell, Color};

impl fmt::Display for Board {
    /// Draws the board, first row on top: `X` black, `O` white, `#` neutral, `.` empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        write!(f, "   ")?;
        for x in 0..size.width() {
            write!(f, " {}", char::from(b'a' + x))?;
        }
        writeln!(f)?;
        for y in 0..size.height() {
            write!(f, "{:3}", y + 1)?;
            for x in 0..size.width() {
                let point = size.point(x.into(), y.into()).expect("x and y are on the board");
                let c = match self.cell(point) {
                    Cell::Empty => '.',
                    Cell::Stone(Color::Black) => 'X',
                    Cell::Stone(Color::White) => 'O',
                    Cell::Wall => '#',
                };
                write!(f, " {c}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        fmt::Display::fmt(self, f)
    }
}
