//! Runs of stones, and which of them win.

use super::Rule;
use crate::board::Board;
use crate::types::{Cell, Color, Dir, Point};

/// An unbroken row of stones of one colour that neither end continues.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Run {
    /// The colour of the stones.
    pub color: Color,
    /// The direction of the line.
    pub dir: Dir,
    /// The stone at the start: the others follow along `dir`.
    pub first: Point,
    /// The number of stones, at least 1.
    pub len: u8,
}

/// Returns what lies `steps` cells from `point` along `dir`: a wall beyond the edge.
pub(super) fn cell_at(board: &Board, point: Point, dir: Dir, steps: i32) -> Cell {
    point.offset(dir, steps).map_or(Cell::Wall, |p| board.cell(p))
}

impl Run {
    /// Returns the run through `point` along `dir` on the board with a stone of `color` there.
    #[must_use]
    pub fn through(board: &Board, point: Point, color: Color, dir: Dir) -> Run {
        let mut first = point;
        let mut len = 1;
        while let Some(next) = stone_at(board, first, color, dir, -1) {
            first = next;
            len += 1;
        }
        let mut last = point;
        while let Some(next) = stone_at(board, last, color, dir, 1) {
            last = next;
            len += 1;
        }
        Run { color, dir, first, len }
    }

    /// Returns the stones from the first to the last.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..i32::from(self.len)).filter_map(move |i| self.first.offset(self.dir, i))
    }

    /// Returns whether a stone of the run is at `point`.
    #[must_use]
    pub fn contains(self, point: Point) -> bool {
        self.points().any(|p| p == point)
    }

    /// Returns whether the run, complete on `board` or lacking one stone there, wins.
    #[must_use]
    pub fn wins(self, board: &Board, rule: Rule) -> bool {
        match (rule, self.color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => self.len >= 5,
            (Rule::Standard, _) | (Rule::Renju, Color::Black) => self.len == 5,
            (Rule::Caro, _) => self.len >= 6 || self.len == 5 && !self.is_enclosed(board),
            (Rule::CaroExact, _) => self.len == 5 && !self.is_enclosed(board),
        }
    }

    /// Returns whether opponent stones stand right behind both ends. The edge, an empty cell and
    /// a neutral stone enclose nothing.
    fn is_enclosed(self, board: &Board) -> bool {
        let opponent = Cell::Stone(!self.color);
        cell_at(board, self.first, self.dir, -1) == opponent
            && cell_at(board, self.first, self.dir, i32::from(self.len)) == opponent
    }
}

fn stone_at(board: &Board, point: Point, color: Color, dir: Dir, steps: i32) -> Option<Point> {
    point.offset(dir, steps).filter(|&p| board.cell(p) == Cell::Stone(color))
}

/// Returns the winning runs through a stone of `color` at `point`, at most one for each
/// direction. The stone may be on the board already; on an empty cell it is imagined. Any other
/// cell has no run.
pub fn winning_runs(
    board: &Board,
    point: Point,
    color: Color,
    rule: Rule,
) -> impl Iterator<Item = Run> {
    let cell = board.cell(point);
    let usable = cell == Cell::Empty || cell == Cell::Stone(color);
    Dir::ALL
        .into_iter()
        .filter(move |_| usable)
        .map(move |dir| Run::through(board, point, color, dir))
        .filter(move |run| run.wins(board, rule))
}

/// Returns the first of the [`winning_runs`]: one is enough to win.
///
/// ```
/// use tengen_core::notation::Stones;
/// use tengen_core::rules::{Rule, winning_run};
/// use tengen_core::types::{Color, Size};
///
/// let size = Size::square(15)?;
/// let board = Stones::parse("a1b1c1d1f1/", size)?.board(size).unwrap();
/// let gap = size.point(4, 0).unwrap();
/// let run = winning_run(&board, gap, Color::Black, Rule::Freestyle).unwrap();
/// assert_eq!(run.len, 6);
/// assert!(winning_run(&board, gap, Color::Black, Rule::Standard).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn winning_run(board: &Board, point: Point, color: Color, rule: Rule) -> Option<Run> {
    winning_runs(board, point, color, rule).next()
}

/// Returns a winning run among the stones of the whole board.
///
/// A game ends with its first winning run, so on the board of a game there is none, or all belong
/// to the player who moved last.
#[must_use]
pub fn find_winner(board: &Board, rule: Rule) -> Option<Run> {
    board.size().points().find_map(|point| match board.cell(point) {
        Cell::Stone(color) => winning_run(board, point, color, rule),
        Cell::Empty | Cell::Wall => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Size;

    /// Lays a text such as `OXXXXX.` on a board that begins `x` cells from the left edge.
    fn row(text: &str, x: usize, width: usize) -> Board {
        let size = Size::new(width as i64, 5).unwrap();
        let mut board = Board::new(size);
        for (i, c) in text.chars().enumerate() {
            let point = size.point((x + i) as i64, 2).unwrap();
            match c {
                'X' => board.place(point, Color::Black),
                'O' => board.place(point, Color::White),
                '#' => board.place_wall(point),
                _ => {}
            }
        }
        board
    }

    fn winners(board: &Board) -> [Option<Color>; 5] {
        Rule::ALL.map(|rule| find_winner(board, rule).map(|run| run.color))
    }

    const BLACK: Option<Color> = Some(Color::Black);
    const WHITE: Option<Color> = Some(Color::White);

    #[test]
    fn five_in_the_open_win_under_every_rule() {
        assert_eq!(winners(&row(".XXXXX.", 3, 15)), [BLACK; 5]);
        assert_eq!(winners(&row(".OOOOO.", 3, 15)), [WHITE; 5]);
        assert_eq!(winners(&row(".XXXX.", 3, 15)), [None; 5]);
        assert_eq!(winners(&row("XXXX.X", 3, 15)), [None; 5]);
    }

    #[test]
    fn six_win_in_freestyle_in_caro_and_for_white_in_renju() {
        assert_eq!(winners(&row(".XXXXXX.", 3, 15)), [BLACK, None, None, BLACK, None]);
        assert_eq!(winners(&row(".OOOOOO.", 3, 15)), [WHITE, None, WHITE, WHITE, None]);
        assert_eq!(winners(&row("OXXXXXXO", 3, 15)), [BLACK, None, None, BLACK, None]);
    }

    #[test]
    fn five_between_two_opponent_stones_win_nothing_in_caro() {
        assert_eq!(winners(&row("OXXXXXO", 3, 15)), [BLACK, BLACK, BLACK, None, None]);
        assert_eq!(winners(&row("XOOOOOX", 3, 15)), [WHITE, WHITE, WHITE, None, None]);
    }

    #[test]
    fn edge_empty_cell_and_neutral_stone_do_not_enclose_five_in_caro() {
        assert_eq!(winners(&row("XXXXXO", 0, 15)), [BLACK; 5]);
        assert_eq!(winners(&row("OXXXXX", 9, 15)), [BLACK; 5]);
        assert_eq!(winners(&row("XXXXX", 0, 5)), [BLACK; 5]);
        assert_eq!(winners(&row("OXXXXX.", 3, 15)), [BLACK; 5]);
        assert_eq!(winners(&row("OXXXXX#", 3, 15)), [BLACK; 5]);
    }

    #[test]
    fn a_neutral_stone_breaks_a_run() {
        assert_eq!(winners(&row("XXX#XXX", 3, 15)), [None; 5]);
    }

    #[test]
    fn a_stone_can_be_imagined_on_an_empty_cell_only() {
        let board = row("XX.XX#O", 3, 15);
        let at = |x| board.size().point(x, 2).unwrap();
        let run = winning_run(&board, at(5), Color::Black, Rule::Standard).unwrap();
        assert_eq!((run.first, run.len, run.dir), (at(3), 5, Dir::Horizontal));
        assert!(run.contains(at(7)) && !run.contains(at(8)));
        assert_eq!(winning_run(&board, at(5), Color::White, Rule::Standard), None);
        for x in [3, 8, 9] {
            assert_eq!(winning_run(&board, at(x), Color::Black, Rule::Standard), None, "{x}");
        }
    }

    #[test]
    fn a_wall_or_an_opponent_stone_in_the_middle_has_no_run() {
        let size = Size::square(15).unwrap();
        for wall in [false, true] {
            let mut board = row("XX.XX", 3, 15);
            let middle = size.point(5, 2).unwrap();
            if wall {
                board.place_wall(middle);
            } else {
                board.place(middle, Color::White);
            }
            assert_eq!(winning_run(&board, middle, Color::Black, Rule::Freestyle), None);
        }
    }

    #[test]
    fn six_in_one_direction_do_not_spoil_five_in_another() {
        let size = Size::square(15).unwrap();
        let mut board = Board::new(size);
        for i in 0..6 {
            board.place(size.point(3 + i, 7).unwrap(), Color::Black);
        }
        for i in 1..5 {
            board.place(size.point(3, 7 + i).unwrap(), Color::Black);
        }
        let corner = size.point(3, 7).unwrap();
        for rule in Rule::ALL {
            let runs: Vec<Run> = winning_runs(&board, corner, Color::Black, rule).collect();
            let expected = if matches!(rule, Rule::Freestyle | Rule::Caro) { 2 } else { 1 };
            assert_eq!(runs.len(), expected, "{rule}");
            assert!(runs.iter().any(|run| run.dir == Dir::Vertical && run.len == 5), "{rule}");
        }
    }
}
