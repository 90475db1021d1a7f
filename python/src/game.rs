//! The class `Board`: a game by the written rules.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tengen_core::board::Board;
use tengen_core::notation::{BoardGlyphs, Diagram, Moves, Origin};
use tengen_core::rules::{Game, Outcome, Rule, forbidden_points, violation};
use tengen_core::types::{Cell, Color, Point, Size};
use tengen_engine::engine::Setup;
use tengen_files::records::{Move, Reason, Record, read_typed};

use crate::border::{
    cell_of, cells_of, color_name, color_of, invalid, parsed, point, points, size_of,
};

/// A game on a board, judged by the written rules. It begins with ``moves``, black first.
///
/// ``moves`` are cells, or a text such as ``"h8 i9 h9"``, ``"h8i9h9"`` or ``"1.h8 2.i9"``. ``size`` is the edge
/// of the board or a pair of columns and rows, each from 5 to 22; without it the board has 15 by 15 cells.
/// ``rule`` is ``freestyle``, ``standard``, ``renju``, ``caro`` or ``caro-exact``.
///
/// Raises :class:`ValueError` if a size, a rule or a move makes no sense.
#[pyclass(name = "Board", module = "tengen")]
pub(crate) struct PyBoard {
    pub(crate) game: Game,
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (moves=None, *, size=None, rule="freestyle"))]
    fn new(
        moves: Option<&Bound<'_, PyAny>>,
        size: Option<&Bound<'_, PyAny>>,
        rule: &str,
    ) -> PyResult<PyBoard> {
        let size = size.map_or(Ok(Size::DEFAULT), size_of)?;
        let moves = moves.map_or(Ok(Vec::new()), |moves| moves_of(moves, size))?;
        let mut board = PyBoard { game: Game::new(size, parsed(rule)?) };
        moves.into_iter().try_for_each(|cell| board.put(cell))?;
        Ok(board)
    }

    /// Makes a board that begins with stones, which nobody has moved.
    ///
    /// Raises :class:`ValueError` as :class:`Board` does, and if a cell has two stones.
    #[staticmethod]
    #[pyo3(signature = (*, black, white, to_move, size=None, rule="freestyle"))]
    fn set_up(
        black: &Bound<'_, PyAny>,
        white: &Bound<'_, PyAny>,
        to_move: &str,
        size: Option<&Bound<'_, PyAny>>,
        rule: &str,
    ) -> PyResult<PyBoard> {
        let size = size.map_or(Ok(Size::DEFAULT), size_of)?;
        let mut board = Board::new(size);
        for (color, stones) in [(Color::Black, black), (Color::White, white)] {
            for cell in moves_of(stones, size)? {
                if !board.is_empty(cell) {
                    return Err(invalid(format!("{cell} has two stones")));
                }
                board.place(cell, color);
            }
        }
        Ok(PyBoard { game: Game::from_board(parsed(rule)?, board, color_of(to_move)?) })
    }

    /// The columns and the rows of the board.
    #[getter]
    fn size(&self) -> (u8, u8) {
        self.game.board().size().into()
    }

    /// The name of the rule.
    #[getter]
    fn rule(&self) -> &'static str {
        self.game.rule().name()
    }

    /// The moves in playing order, without stones that were set up.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        points(py, self.game.moves().iter().copied())
    }

    /// All stones with their colours: those that were set up, then the moves.
    #[getter]
    fn stones<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyAny>, &'static str)>> {
        let stones = self.placed().into_iter();
        stones.map(|(cell, color)| Ok((point(py, cell)?, color_name(color)))).collect()
    }

    /// Whose turn it is, or would be if the game went on.
    #[getter]
    fn to_move(&self) -> &'static str {
        color_name(self.game.to_move())
    }

    /// Whether the game has ended: won, lost by a forbidden move, or drawn.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.outcome().is_over()
    }

    /// Who has won, if anybody has.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.game.outcome().winner().map(color_name)
    }

    /// Why the game has ended: ``five``, ``full-board`` (nobody can win any more), ``forbidden-overline``,
    /// ``forbidden-44`` or ``forbidden-33``; ``None`` while it goes on.
    #[getter]
    fn reason(&self) -> Option<String> {
        let reason = match self.game.outcome() {
            Outcome::Ongoing => return None,
            Outcome::Won(_) => Reason::Five,
            Outcome::Draw => Reason::FullBoard,
            Outcome::Forbidden(_, kind) => Reason::Forbidden(kind),
        };
        Some(reason.name().to_owned())
    }

    /// The cells of the row that has won; empty if there is none.
    #[getter]
    fn winning_row<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        match self.game.outcome() {
            Outcome::Won(run) => points(py, run.points()),
            _ => Ok(Vec::new()),
        }
    }

    /// Plays a move of the side to move, and returns its cell. A move that renju forbids is a move: it loses.
    ///
    /// Raises :class:`ValueError`, and changes nothing, if the cell is not an empty one of the board or the
    /// game is over.
    fn play<'py>(&mut self, cell: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let found = cell_of(cell, self.game.board().size())?;
        self.put(found)?;
        point(cell.py(), found)
    }

    /// Takes the last move back, and returns its cell.
    ///
    /// Raises :class:`ValueError` if there is none.
    fn take_back<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let last = self.game.undo().ok_or_else(|| invalid("there is no move to take back"))?;
        point(py, last)
    }

    /// Returns the colour of the stone on a cell, ``None`` if there is none.
    ///
    /// Raises :class:`ValueError` if the cell is not on the board.
    fn stone(&self, cell: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        let board = self.game.board();
        Ok(match board.cell(cell_of(cell, board.size())?) {
            Cell::Stone(color) => Some(color_name(color)),
            Cell::Empty | Cell::Wall => None,
        })
    }

    /// Returns whether the side to move may play on a cell: an empty one that is not forbidden, in a game that
    /// goes on.
    ///
    /// Raises :class:`ValueError` if the cell is not on the board.
    fn is_legal(&self, cell: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.allows(cell_of(cell, self.game.board().size())?))
    }

    /// Returns all cells on which the side to move may play, row by row.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        points(py, self.game.board().size().points().filter(|&cell| self.allows(cell)))
    }

    /// Returns the empty cells that renju forbids to black, whoever is to move, each with the reason: an
    /// overline, two fours or two threes. Empty under other rules.
    fn forbidden<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let cells = PyDict::new(py);
        if self.game.rule() == Rule::Renju {
            for (cell, kind) in forbidden_points(self.game.board()) {
                cells.set_item(point(py, cell)?, kind.name())?;
            }
        }
        Ok(cells)
    }

    /// Returns a board of its own with the same game.
    fn copy(&self) -> PyBoard {
        PyBoard { game: self.game.clone() }
    }

    fn __copy__(&self) -> PyBoard {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyBoard {
        self.copy()
    }

    fn __eq__(&self, other: &PyBoard) -> bool {
        let (one, other) = (&self.game, &other.game);
        one.rule() == other.rule()
            && one.to_move() == other.to_move()
            && one.moves() == other.moves()
            && *one.board() == *other.board()
    }

    fn __str__(&self) -> String {
        let (board, last) = (self.game.board(), self.game.moves().last().copied());
        let diagram = Diagram { board, last, origin: Origin::Top, glyphs: BoardGlyphs::Letters };
        diagram.to_string()
    }

    fn __repr__(&self) -> String {
        let (board, rule) = (self.game.board(), self.rule());
        let stones = board.size().area() - board.empty_cells();
        let set_up = match stones - self.game.moves().len() {
            0 => String::new(),
            count => format!(" after {count} stones set up"),
        };
        format!("<Board {} {rule} {}{set_up}>", board.size(), Moves(self.game.moves()))
    }
}

impl PyBoard {
    fn put(&mut self, cell: Point) -> PyResult<()> {
        self.game.play(cell).map(drop).map_err(invalid)
    }

    fn allows(&self, cell: Point) -> bool {
        let (game, board) = (&self.game, self.game.board());
        let is_bound = game.rule() == Rule::Renju && game.to_move() == Color::Black;
        !game.outcome().is_over()
            && board.is_empty(cell)
            && !(is_bound && violation(board, cell).is_some())
    }

    /// Returns the game as the position of a search.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over.
    pub(crate) fn setup(&self) -> PyResult<Setup> {
        self.goes_on()?;
        let (size, stones) = (self.game.board().size(), self.placed());
        let (rule, to_move) = (self.game.rule(), self.game.to_move());
        Ok(Setup { size, rule, stones, walls: Vec::new(), to_move })
    }

    /// Returns all stones: those that were set up, then the moves.
    fn placed(&self) -> Vec<(Point, Color)> {
        let Record { start, moves, .. } = Record::of_game(&self.game);
        let begun = start.cells.into_iter().filter_map(|(cell, stone)| Some((cell, stone?)));
        let played = moves.iter().filter_map(|m: &Move| Some((m.point()?, m.color)));
        begun.chain(played).collect()
    }

    /// Returns an error if the game is over.
    pub(crate) fn goes_on(&self) -> PyResult<()> {
        if self.game.outcome().is_over() { Err(invalid("the game is over")) } else { Ok(()) }
    }
}

/// Reads moves as people type and paste them: ``h8i9``, ``1.h8 2.i9``, ``H8, I9``, an address of Gomocalc.
///
/// ``origin`` is the edge from which rows count: printed games of renju count from the bottom. What comes out
/// always counts from the top. Without ``size`` the board has 15 by 15 cells.
///
/// Raises :class:`ValueError` with the first place that cannot be read.
#[pyfunction]
#[pyo3(signature = (text, *, size=None, origin="top"))]
pub(crate) fn read_moves<'py>(
    py: Python<'py>,
    text: &str,
    size: Option<&Bound<'py, PyAny>>,
    origin: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let size = size.map_or(Ok(Size::DEFAULT), size_of)?;
    let (_, cells) = read_typed(text, Some(size), parsed(origin)?).map_err(invalid)?;
    points(py, cells)
}

/// Reads moves: a text as people type them, or an iterable of cells.
fn moves_of(moves: &Bound<'_, PyAny>, size: Size) -> PyResult<Vec<Point>> {
    match moves.extract::<String>() {
        Ok(text) if text.trim().is_empty() => Ok(Vec::new()),
        Ok(text) => {
            read_typed(&text, Some(size), Origin::Top).map(|(_, cells)| cells).map_err(invalid)
        }
        Err(_) => cells_of(moves, size),
    }
}
