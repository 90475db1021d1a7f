//! The layout of the screen.

use ratatui::layout::Rect;

use tengen_core::types::{Point, Size};

/// The columns of the numbers of rows.
const LABELS: u16 = 3;
/// The least columns of the text beside the board.
const LEAST_SIDE: u16 = 14;
/// The least rows of the text below a board without text beside it, where there are enough rows.
const LEAST_BELOW: u16 = 4;
const ENOUGH_ROWS: u16 = 12;
/// The columns that the text beside a board of wide cells needs.
const WIDE_SIDE: u16 = 30;

/// The places of the parts of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// The board with its letters and numbers.
    pub(crate) board: Rect,
    /// The columns and rows from a cell to the next.
    pub(crate) step: (u16, u16),
    /// The first column and row of the board that is drawn, and how many are.
    pub(crate) first: (u16, u16),
    pub(crate) shown: (u16, u16),
    /// The text beside the board; it may be empty.
    pub(crate) side: Rect,
    /// The text below the board; it may be empty.
    pub(crate) below: Rect,
    /// The last line.
    pub(crate) status: Rect,
}

/// Returns the columns and rows of a board.
const fn extent(cells: (u16, u16), step: (u16, u16)) -> (u16, u16) {
    (LABELS + step.0 * (cells.0 - 1) + step.0 / 2 + 2, step.1 * (cells.1 - 1) + 2)
}

impl Layout {
    /// Returns the layout of a screen, where the cell under the cursor is drawn if any is; `None`
    /// if there is no room for a board.
    pub(crate) fn new(area: Rect, size: Size, cursor: Point) -> Option<Layout> {
        let cells = (u16::from(size.width()), u16::from(size.height()));
        let rows = area.height.checked_sub(1)?;
        let status = Rect { y: area.y + rows, height: 1, ..area };
        let wide = extent(cells, (4, 2));
        let is_wide = wide.0 + WIDE_SIDE < area.width && wide.1 <= rows;
        let step = if is_wide { (4, 2) } else { (2, 1) };
        // The number of cells that fit.
        let fit = |room: u16, least: u16, step: u16| room.checked_sub(least).map(|r| r / step + 1);
        let columns = fit(area.width, LABELS + step.0 / 2 + 2, step.0)?.min(cells.0);
        let width = extent((columns, 1), step).0;
        // Without text beside the board there has to be some below.
        let has_side = area.width - width > LEAST_SIDE;
        let kept = if has_side || rows < ENOUGH_ROWS { 0 } else { LEAST_BELOW };
        let lines = fit(rows - kept, 2, step.1)?.min(cells.1);
        let first =
            |at: u8, shown: u16, all: u16| u16::from(at).saturating_sub(shown / 2).min(all - shown);
        let (width, height) = extent((columns, lines), step);
        let board = Rect { width, height, ..area };
        let left = area.width - width;
        let side = if left > LEAST_SIDE {
            Rect { x: area.x + width + 1, width: left - 1, height: rows, ..area }
        } else {
            Rect { width: 0, height: 0, ..area }
        };
        let is_narrow = side.width < WIDE_SIDE;
        let below =
            Rect { y: area.y + height, height: if is_narrow { rows - height } else { 0 }, ..area };
        let side = if is_narrow { Rect { height: side.height.min(height), ..side } } else { side };
        Some(Layout {
            board,
            step,
            first: (first(cursor.x(), columns, cells.0), first(cursor.y(), lines, cells.1)),
            shown: (columns, lines),
            side,
            below,
            status,
        })
    }

    /// Returns the place of the sign of a cell, if the cell is drawn.
    pub(crate) fn place(&self, point: Point) -> Option<(u16, u16)> {
        let x = u16::from(point.x()).checked_sub(self.first.0).filter(|&x| x < self.shown.0)?;
        let y = u16::from(point.y()).checked_sub(self.first.1).filter(|&y| y < self.shown.1)?;
        Some((self.column(x), self.row(y)))
    }

    /// Returns the column of the signs of a column of cells that is drawn.
    pub(crate) const fn column(&self, x: u16) -> u16 {
        self.board.x + LABELS + self.step.0 / 2 + x * self.step.0
    }

    /// Returns the row of the signs of a row of cells that is drawn.
    pub(crate) const fn row(&self, y: u16) -> u16 {
        self.board.y + 1 + y * self.step.1
    }

    /// Returns the cell at a place of the screen: the nearest one, if it is drawn.
    pub(crate) fn cell_at(&self, size: Size, column: u16, row: u16) -> Option<Point> {
        let nearest = |at: u16, start: u16, step: u16, shown: u16| {
            let cell = (at + step / 2).checked_sub(start)? / step;
            (cell < shown).then_some(cell)
        };
        let x = nearest(column, self.column(0), self.step.0, self.shown.0)?;
        let y = nearest(row, self.row(0), self.step.1, self.shown.1)?;
        size.point((x + self.first.0).into(), (y + self.first.1).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_is_whole_at_80_by_24_and_every_cell_is_found_again() {
        for edge in 5..=22 {
            let size = Size::square(edge).unwrap();
            for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
                let area = Rect::new(0, 0, columns, rows);
                let layout = Layout::new(area, size, size.center()).unwrap();
                for point in size.points() {
                    let (x, y) = layout.place(point).expect("it is drawn");
                    assert!(x + 1 < columns && y + 1 < rows, "{point} at {x},{y}");
                    assert_eq!(layout.cell_at(size, x, y), Some(point));
                }
                assert!(layout.side.width >= 14, "{edge}: {layout:?}");
                assert_eq!(layout.cell_at(size, 0, 0), None);
            }
        }
    }

    #[test]
    fn a_board_that_does_not_fit_follows_the_cursor() {
        let size = Size::square(22).unwrap();
        for point in size.points() {
            let layout = Layout::new(Rect::new(0, 0, 20, 8), size, point).unwrap();
            let (x, y) = layout.place(point).expect("the cursor is drawn");
            assert!(x < 20 && y < 7);
            assert_eq!(layout.cell_at(size, x, y), Some(point));
        }
        let none = |columns, rows| Layout::new(Rect::new(0, 0, columns, rows), size, size.center());
        assert!(none(20, 2).is_none() && none(5, 20).is_none() && none(0, 0).is_none());
        assert!(none(6, 3).is_some());
    }
}
