//! The board.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use super::Screen;
use super::layout::Layout;
use super::theme::Role;
use crate::engine::Thinker;
use crate::explain::Threat;
use crate::play::{CasualGame, ThreatMap};
use crate::sys::clock::Clock;
use crate::types::{Cell, Color, Point, PointSet};

/// The most moves of the expected line that are drawn.
const MOST_EXPECTED: usize = 9;

/// What the cells of a position have to tell.
struct BoardMarks {
    /// The numbers of the moves, if they are drawn.
    numbers: HashMap<Point, usize>,
    last: Option<Point>,
    winning: PointSet,
    forbidden: PointSet,
    threats: Option<ThreatMap>,
    answers: PointSet,
    /// The numbers of the expected moves.
    expected: HashMap<Point, (usize, Color)>,
}

/// Returns the sign of a threat.
const fn sign(threat: Threat) -> char {
    match threat {
        Threat::Five => '5',
        Threat::OpenFour | Threat::DoubleFour | Threat::FourThree => 'W',
        Threat::Four => '4',
        Threat::DoubleThree => 'D',
        Threat::OpenThree => '3',
    }
}

const fn stone_role(color: Color) -> Role {
    match color {
        Color::Black => Role::Black,
        Color::White => Role::White,
    }
}

/// The legend of the signs of threats.
pub(super) const LEGEND: &str = "5 five, W open four or two threats with a four, 4 four, \
                                 D two threes, 3 open three";

impl<T: Thinker, C: Clock> Screen<T, C> {
    pub(super) fn draw_board(&self, buffer: &mut Buffer, layout: &Layout) {
        let theme = &self.look.theme;
        let (game, size) = (self.table.game(), self.table.game().size());
        let origin = self.table.voice().origin(game);
        let faint = theme.style(Role::Faint);
        let strong = theme.style(Role::Title);
        for x in 0..layout.shown.0 {
            let column = (x + layout.first.0) as u8;
            let style = if column == self.cursor.x() { strong } else { faint };
            let letter = char::from(b'a' + column).to_string();
            buffer.set_string(layout.column(x), layout.board.y, letter, style);
        }
        for y in 0..layout.shown.1 {
            let row = (y + layout.first.1) as u8;
            let style = if row == self.cursor.y() { strong } else { faint };
            let number = format!("{:>3}", origin.row(row, size));
            buffer.set_string(layout.board.x, layout.row(y), number, style);
        }
        self.draw_grid(buffer, layout);
        let marks = self.marks();
        for point in size.points() {
            if let Some(place) = layout.place(point) {
                self.draw_cell(buffer, place, point, &marks);
            }
        }
        self.draw_brackets(buffer, layout, marks.last);
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
        let size = self.table.game().size();
        let across = |at: u8, edge: u8| match at {
            0 => 0,
            at if at + 1 == edge => 2,
            _ => 1,
        };
        let signs = [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']];
        signs[across(point.y(), size.height())][across(point.x(), size.width())]
    }

    fn marks(&self) -> BoardMarks {
        let game = self.table.game();
        let moves = game.moves();
        let numbered = moves.iter().enumerate().skip(game.opening());
        let number = |(i, m): (usize, &crate::records::Move)| (m.point, i + 1);
        let threats = if self.shown.threats { ThreatMap::of(game) } else { None };
        let run = game.end().and_then(|end| end.run);
        BoardMarks {
            numbers: match self.shown.numbers {
                true => numbered.map(number).collect(),
                false => HashMap::new(),
            },
            last: moves[game.opening()..].last().map(|m| m.point),
            winning: run.into_iter().flat_map(|run| run.points()).collect(),
            forbidden: game.forbidden().into_iter().map(|(point, _)| point).collect(),
            answers: threats.as_ref().and_then(ThreatMap::answers).unwrap_or(PointSet::EMPTY),
            threats,
            expected: self.expected(game),
        }
    }

    /// Returns the expected moves by cell, with their numbers, if they are drawn.
    fn expected(&self, game: &CasualGame) -> HashMap<Point, (usize, Color)> {
        let outlook = self.outlook.as_ref().filter(|_| self.shown.evaluation);
        let Some(outlook) = outlook.filter(|_| self.table.shown().is_none()) else {
            return HashMap::new();
        };
        let mut color = game.to_move();
        let mut moves = HashMap::new();
        for (i, &point) in outlook.expected(game).iter().take(MOST_EXPECTED).enumerate() {
            moves.insert(point, (i + 1, color));
            color = !color;
        }
        moves
    }

    fn draw_cell(
        &self,
        buffer: &mut Buffer,
        (column, row): (u16, u16),
        point: Point,
        marks: &BoardMarks,
    ) {
        let theme = &self.look.theme;
        let (mut text, mut style) = match self.table.game().board().cell(point) {
            Cell::Stone(color) => self.stone(color),
            Cell::Wall => {
                let sign = if self.look.ascii { '#' } else { '▒' };
                (sign.to_string(), theme.on_board(Role::Wall))
            }
            Cell::Empty => self.empty_cell(point, marks),
        };
        if let Some(&number) = marks.numbers.get(&point) {
            // Two digits have room; the hundreds are told by the list of moves.
            text = format!("{:>2}", number % 100);
            if number >= 100 {
                text = format!("{:02}", number % 100);
            }
            if let Cell::Stone(color) = self.table.game().board().cell(point) {
                style = theme.numbered(stone_role(color));
            }
        }
        if marks.winning.contains(point) {
            style = style.patch(theme.style(Role::Win));
        }
        let width = text.chars().count() as u16;
        buffer.set_string(column + 1 - width, row, text, style);
    }

    /// Returns the sign of a stone and its look.
    pub(super) fn stone(&self, color: Color) -> (String, Style) {
        let sign = match (self.look.ascii, color) {
            (true, Color::Black) => "X",
            (true, Color::White) => "O",
            (false, Color::Black) => "●",
            // On a board with a background of its own the colour tells.
            (false, Color::White) if self.look.theme.has_wood() => "●",
            (false, Color::White) => "○",
        };
        (sign.to_owned(), self.look.theme.on_board(stone_role(color)))
    }

    /// Returns the sign of an empty cell, with what is to be told about it.
    fn empty_cell(&self, point: Point, marks: &BoardMarks) -> (String, Style) {
        let theme = &self.look.theme;
        let role = |color| match color {
            Color::Black => Role::BlackThreat,
            Color::White => Role::WhiteThreat,
        };
        let mut sign = (self.crossing(point).to_string(), theme.on_board(Role::Grid));
        if marks.forbidden.contains(point) {
            let cross = if self.look.ascii { "x" } else { "×" };
            sign = (cross.to_owned(), theme.on_board(Role::Forbidden));
        } else if let Some(map) = &marks.threats {
            let made = Color::ALL.map(|color| (map.made_by(color, point), color));
            if let Some((Some(threat), color)) = made.into_iter().max_by_key(|(made, _)| *made) {
                sign = (self::sign(threat).to_string(), theme.on_board(role(color)));
            }
        }
        if let Some(&(number, _)) = marks.expected.get(&point) {
            sign = (number.to_string(), theme.on_board(Role::Expected));
        }
        if marks.answers.contains(point) {
            sign.1 = sign.1.patch(theme.style(Role::Answer));
        }
        sign
    }

    /// Draws the marks of the last move and of the cursor beside their cells.
    fn draw_brackets(&self, buffer: &mut Buffer, layout: &Layout, last: Option<Point>) {
        let marked =
            [(last, ["(", ")"], Role::Mark), (Some(self.cursor), ["[", "]"], Role::Cursor)];
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
