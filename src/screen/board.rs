//! The board on the screen.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::Look;
use super::layout::Layout;
use super::theme::Role;
use tengen_core::board::Board;
use tengen_core::notation::Origin;
use tengen_core::types::{Cell, Color, Point, PointSet};
use tengen_files::records::Move;
use tengen_people::play::CasualGame;

/// A board that is to be drawn, with what its cells have to tell.
pub(crate) struct BoardPicture<'a> {
    pub(crate) board: &'a Board,
    pub(crate) origin: Origin,
    pub(crate) look: &'a Look,
    /// The last move.
    pub(crate) last: Option<Point>,
    /// The stones that have won.
    pub(crate) winning: PointSet,
    pub(crate) forbidden: PointSet,
    /// The numbers of moves, to be drawn on their stones.
    pub(crate) numbers: HashMap<Point, usize>,
    /// The cell in brackets, whose column and row are marked at the edge.
    pub(crate) cursor: Option<Point>,
    /// Texts of empty cells, of at most two characters.
    pub(crate) labels: HashMap<Point, (String, Role)>,
    /// The cells whose background asks for attention.
    pub(crate) answers: PointSet,
}

const fn stone_role(color: Color) -> Role {
    match color {
        Color::Black => Role::Black,
        Color::White => Role::White,
    }
}

impl Look {
    /// Returns the sign of a stone and its look.
    pub(crate) fn stone(&self, color: Color) -> (String, Style) {
        let sign = match (self.ascii, color) {
            (true, Color::Black) => "X",
            (true, Color::White) => "O",
            (false, Color::Black) => "●",
            // On a board with a background of its own the colour tells.
            (false, Color::White) if self.theme.has_wood() => "●",
            (false, Color::White) => "○",
        };
        (sign.to_owned(), self.theme.on_board(stone_role(color)))
    }

    /// Returns a stone on a piece of the board, as it stands before the name of a player.
    pub(crate) fn player_stone(&self, color: Color) -> [Span<'static>; 3] {
        let (sign, style) = self.stone(color);
        let pad = || Span::styled(" ", self.theme.style(Role::Wood));
        [pad(), Span::styled(sign, style), pad()]
    }

    /// Returns the mark of the player whose turn it is.
    pub(crate) const fn turn_mark(&self) -> &'static str {
        if self.ascii { "<" } else { "◀" }
    }
}

impl<'a> BoardPicture<'a> {
    /// Returns the picture of a board of which nothing is to be told.
    pub(crate) fn new(board: &'a Board, origin: Origin, look: &'a Look) -> BoardPicture<'a> {
        BoardPicture {
            board,
            origin,
            look,
            last: None,
            winning: PointSet::EMPTY,
            forbidden: PointSet::EMPTY,
            numbers: HashMap::new(),
            cursor: None,
            labels: HashMap::new(),
            answers: PointSet::EMPTY,
        }
    }

    /// Returns the picture of a game with what the rules say of its cells, and perhaps with the numbers
    /// of the moves. Moves of the opening are neither numbered nor the last one.
    pub(crate) fn of_game(
        game: &'a CasualGame,
        origin: Origin,
        look: &'a Look,
        has_numbers: bool,
    ) -> BoardPicture<'a> {
        let (moves, opening) = (game.moves(), game.opening());
        let numbered = moves.iter().enumerate().skip(opening).filter(|_| has_numbers);
        let run = game.end().and_then(|end| end.run);
        BoardPicture {
            last: moves[opening..].last().and_then(Move::point),
            winning: run.into_iter().flat_map(|run| run.points()).collect(),
            forbidden: game.forbidden().into_iter().map(|(point, _)| point).collect(),
            numbers: numbered.filter_map(|(i, m)| Some((m.point()?, i + 1))).collect(),
            ..BoardPicture::new(game.board(), origin, look)
        }
    }

    /// Draws it.
    pub(crate) fn draw(&self, buffer: &mut Buffer, layout: &Layout) {
        let theme = &self.look.theme;
        let size = self.board.size();
        let faint = theme.style(Role::Faint);
        let strong = theme.style(Role::Title);
        for x in 0..layout.shown.0 {
            let column = (x + layout.first.0) as u8;
            let is_there = self.cursor.is_some_and(|cursor| cursor.x() == column);
            let style = if is_there { strong } else { faint };
            let letter = char::from(b'a' + column).to_string();
            buffer.set_string(layout.column(x), layout.board.y, letter, style);
        }
        for y in 0..layout.shown.1 {
            let row = (y + layout.first.1) as u8;
            let is_there = self.cursor.is_some_and(|cursor| cursor.y() == row);
            let style = if is_there { strong } else { faint };
            let number = format!("{:>3}", self.origin.row(row, size));
            buffer.set_string(layout.board.x, layout.row(y), number, style);
        }
        self.draw_grid(buffer, layout);
        for point in size.points() {
            if let Some(place) = layout.place(point) {
                self.draw_cell(buffer, place, point);
            }
        }
        self.draw_brackets(buffer, layout);
    }

    /// Draws the background and the lines between the cells.
    fn draw_grid(&self, buffer: &mut Buffer, layout: &Layout) {
        let style = self.look.theme.on_board(Role::Grid);
        let (left, right) = (layout.column(0), layout.column(layout.shown.0 - 1));
        let (top, bottom) = (layout.row(0), layout.row(layout.shown.1 - 1));
        for row in top..=bottom {
            let on_row = (row - top).is_multiple_of(layout.step.1);
            for column in left - 1..=right + 1 {
                let on_column = column >= left && (column - left).is_multiple_of(layout.step.0);
                let is_inside = (left..=right).contains(&column);
                let sign = match (on_row, on_column && is_inside) {
                    _ if self.look.ascii => " ",
                    (true, _) if is_inside => "─",
                    (false, true) => "│",
                    _ => " ",
                };
                buffer.set_string(column, row, sign, style);
            }
        }
    }

    /// Returns the sign of an empty cell.
    fn crossing(&self, point: Point) -> char {
        if self.look.ascii {
            return '.';
        }
        let size = self.board.size();
        let across = |at: u8, edge: u8| match at {
            0 => 0,
            at if at + 1 == edge => 2,
            _ => 1,
        };
        let signs = [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']];
        signs[across(point.y(), size.height())][across(point.x(), size.width())]
    }

    fn draw_cell(&self, buffer: &mut Buffer, (column, row): (u16, u16), point: Point) {
        let theme = &self.look.theme;
        let (mut text, mut style) = match self.board.cell(point) {
            Cell::Stone(color) => self.look.stone(color),
            Cell::Wall => {
                let sign = if self.look.ascii { '#' } else { '▒' };
                (sign.to_string(), theme.on_board(Role::Wall))
            }
            Cell::Empty => self.empty_cell(point),
        };
        if let Some(&number) = self.numbers.get(&point) {
            // Two digits have room; the list of moves shows the hundreds.
            text = format!("{:>2}", number % 100);
            if number >= 100 {
                text = format!("{:02}", number % 100);
            }
            if let Cell::Stone(color) = self.board.cell(point) {
                style = theme.numbered(stone_role(color));
            }
        }
        if self.winning.contains(point) {
            style = style.patch(theme.style(Role::Win));
        }
        let width = text.chars().count() as u16;
        buffer.set_string(column + 1 - width, row, text, style);
    }

    /// Returns the sign of an empty cell, with what is to be told about it.
    fn empty_cell(&self, point: Point) -> (String, Style) {
        let theme = &self.look.theme;
        let mut sign = match self.labels.get(&point) {
            Some((label, role)) => (label.clone(), theme.on_board(*role)),
            None if self.forbidden.contains(point) => {
                let cross = if self.look.ascii { "x" } else { "×" };
                (cross.to_owned(), theme.on_board(Role::Forbidden))
            }
            None => (self.crossing(point).to_string(), theme.on_board(Role::Grid)),
        };
        if self.answers.contains(point) {
            sign.1 = sign.1.patch(theme.style(Role::Answer));
        }
        sign
    }

    /// Draws the marks of the last move and of the cursor beside their cells.
    fn draw_brackets(&self, buffer: &mut Buffer, layout: &Layout) {
        let marked = [(self.last, ["(", ")"], Role::Mark), (self.cursor, ["[", "]"], Role::Cursor)];
        for (point, [open, close], role) in marked {
            let Some((column, row)) = point.and_then(|point| layout.place(point)) else { continue };
            let style = self.look.theme.on_board(role);
            // A number of two digits takes the place of the opening one.
            let is_free = |column: u16| {
                buffer
                    .cell((column, row))
                    .is_some_and(|cell| !cell.symbol().chars().any(|c| c.is_ascii_digit()))
            };
            let (left, right) = (is_free(column - 1), is_free(column + 1));
            if left {
                buffer.set_string(column - 1, row, open, style);
            }
            if right {
                buffer.set_string(column + 1, row, close, style);
            }
            if role == Role::Cursor
                && let Some(cell) = buffer.cell_mut((column, row))
            {
                let style = cell.style().add_modifier(Modifier::UNDERLINED);
                cell.set_style(style);
            }
        }
    }
}
