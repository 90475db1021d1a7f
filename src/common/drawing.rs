//! The board as text.

use std::fmt::Write as _;

use tengen_core::board::Board;
use tengen_core::notation::Origin;
use tengen_core::types::{Cell, Color, Point};

/// The signs for what is on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoardGlyphs {
    /// `X`, `O`, `.` and `#`.
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

/// Draws the board with the last stone in parentheses.
pub(crate) fn drawing(
    board: &Board,
    last: Option<Point>,
    origin: Origin,
    glyphs: BoardGlyphs,
) -> String {
    let size = board.size();
    let mut text = "   ".to_owned();
    for x in 0..size.width() {
        let _ = write!(text, " {}", char::from(b'a' + x));
    }
    text.push('\n');
    for y in 0..size.height() {
        let _ = write!(text, "{:3}", origin.row(y, size));
        let mut is_after_last = false;
        for point in size.points().filter(|p| p.y() == y) {
            let is_last = last == Some(point);
            text.push(match (is_last, is_after_last) {
                (true, _) => '(',
                (_, true) => ')',
                _ => ' ',
            });
            text.push(glyphs.of(board.cell(point)));
            is_after_last = is_last;
        }
        text.push_str(if is_after_last { ")\n" } else { "\n" });
    }
    text
}

/// Returns whether stones can be drawn as such: there are colours, and letters beyond ASCII.
pub(crate) fn has_stones() -> bool {
    is_unicode() && !is_set("NO_COLOR")
}

/// Returns whether the terminal has letters beyond ASCII.
pub(crate) fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|&name| is_set(name));
    let locale = locale.and_then(|name| std::env::var(name).ok()).unwrap_or_default();
    cfg!(windows) || locale.to_ascii_lowercase().replace('-', "").contains("utf8")
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::types::Size;
    use tengen_files::records::{Move, Record};

    #[test]
    fn the_last_stone_is_in_parentheses() {
        let size = Size::new(6, 5).unwrap();
        let at = |x, y| size.point(x, y).unwrap();
        let record = Record::of_points(size, &[at(0, 0), at(5, 0), at(1, 0)]);
        let rows = |moves: usize| {
            let last = record.moves[..moves].last().and_then(Move::point);
            drawing(&record.board_after(moves).unwrap(), last, Origin::Top, BoardGlyphs::Letters)
        };
        assert_eq!(
            rows(3),
            "    a b c d e f\n  1 X(X). . . O\n  2 . . . . . .\n  3 . . . . . .\n  4 . . . . . .\n  \
             5 . . . . . .\n"
        );
        assert!(rows(2).contains("  1 X . . . .(O)\n"));
        assert!(rows(1).contains("  1(X). . . . .\n"));
        assert!(!rows(0).contains('('));
        let board = record.board_after(1).unwrap();
        let from_bottom = drawing(&board, None, Origin::Bottom, BoardGlyphs::Letters);
        assert!(from_bottom.contains("\n  5 X .") && from_bottom.contains("\n  1 . ."));
    }

    #[test]
    fn stones_and_blocked_cells_have_signs_of_their_own() {
        let size = Size::new(6, 5).unwrap();
        let at = |x, y| size.point(x, y).unwrap();
        let mut board = Record::of_points(size, &[at(0, 0), at(1, 0)]).board_after(2).unwrap();
        board.place_wall(at(2, 0));
        let first = |glyphs| {
            let text = drawing(&board, Some(at(1, 0)), Origin::Top, glyphs);
            text.lines().nth(1).map(str::to_owned)
        };
        assert_eq!(first(BoardGlyphs::Letters).as_deref(), Some("  1 X(O)# . . ."));
        assert_eq!(first(BoardGlyphs::Stones).as_deref(), Some("  1 ●(○)▒ · · ·"));
    }
}
