//! The lines of a game while it is being read, and the board at the end of the last one.

use std::collections::HashMap;

use crate::board::Board;
use crate::records::{Move, MoveKind, Notes};
use crate::rules::PlayError;
use crate::types::{Cell, Color, Point, Size};

/// How deep variations may be within each other: records are walked through by recursion.
pub(super) const MOST_NESTED: usize = 400;

/// A line that is being read.
#[derive(Debug, Default)]
struct OpenLine {
    moves: Vec<Move>,
    /// The number of moves before it on the line that it leaves.
    home: usize,
    /// Lines that begin where this one does, and were read after it.
    beside: Vec<Vec<Move>>,
    /// What was said before its first move, and the properties there.
    words: String,
    marks: String,
    /// Properties of nodes without a move, by the number of the moves before them. They are added
    /// together in the end, as there may be many.
    later: HashMap<usize, String>,
}

/// What is true again after a parenthesis that closes.
#[derive(Clone, Copy, Debug)]
struct Fork {
    /// The number of lines.
    lines: u32,
    /// The number of moves on the last of them.
    moves: u32,
    /// The number of changes of the board.
    changes: u32,
}

/// The game, and the variations that have not ended, each within the one before.
#[derive(Debug)]
pub(super) struct Lines {
    board: Board,
    /// The side to move at the beginning.
    pub(super) first: Color,
    lines: Vec<OpenLine>,
    /// The number of moves on the last line before what comes next: not all of them, where another
    /// variation is to begin.
    place: usize,
    forks: Vec<Fork>,
    /// The cells that were changed since the beginning, and what was there.
    changes: Vec<(Point, Cell)>,
}

impl Lines {
    /// Returns a game without moves.
    pub(super) fn new(size: Size) -> Lines {
        Lines {
            board: Board::new(size),
            first: Color::Black,
            lines: vec![OpenLine::default()],
            place: 0,
            forks: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Returns a game without moves that begins with the stones of a board.
    pub(super) fn on_board(board: Board, to_move: Color) -> Lines {
        let mut lines = Lines::new(board.size());
        (lines.board, lines.first) = (board, to_move);
        lines
    }

    /// Gives the empty board another size.
    pub(super) fn set_size(&mut self, size: Size) {
        self.board = Board::new(size);
    }

    /// Returns whether nothing has happened in the game.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.moves.is_empty())
    }

    /// Returns the number of moves on the last line.
    pub(super) const fn count(&self) -> usize {
        self.place
    }

    /// Returns the size of the board.
    pub(super) const fn size(&self) -> Size {
        self.board.size()
    }

    /// Returns what is on a cell.
    pub(super) fn cell(&self, point: Point) -> Cell {
        self.board.cell(point)
    }

    /// Returns whether this is the game itself and no variation.
    pub(super) fn is_game(&self) -> bool {
        self.lines.len() == 1
    }

    /// Returns the number of parentheses that are open.
    pub(super) fn depth(&self) -> usize {
        self.forks.len()
    }

    /// Returns the side to move.
    pub(super) fn to_move(&self) -> Color {
        let last = |(i, line): (usize, &OpenLine)| {
            let place = if i + 1 == self.lines.len() { self.place } else { self.home(i + 1) };
            place.checked_sub(1).map(|before| !line.moves[before].color)
        };
        self.lines.iter().enumerate().rev().find_map(last).unwrap_or(self.first)
    }

    fn home(&self, line: usize) -> usize {
        self.lines[line].home
    }

    /// Opens a parenthesis.
    pub(super) fn open(&mut self) {
        // No text of 4 GiB is read as one.
        let [lines, moves, changes] = [self.lines.len(), self.place, self.changes.len()]
            .map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        self.forks.push(Fork { lines, moves, changes });
    }

    /// Returns whether something has been played already instead of what comes next.
    pub(super) fn is_beside(&self) -> bool {
        self.lines.last().is_some_and(|line| self.place < line.moves.len())
    }

    /// Begins a variation, where there is something that it varies; returns whether there is room.
    pub(super) fn begin_variation(&mut self) -> bool {
        if self.lines.len() >= MOST_NESTED {
            return false;
        }
        self.lines.push(OpenLine { home: self.place, ..OpenLine::default() });
        self.place = 0;
        true
    }

    /// Closes the parenthesis that was opened last.
    pub(super) fn close(&mut self) {
        let Some(fork) = self.forks.pop() else { return };
        while self.lines.len() > fork.lines as usize {
            self.end_line();
        }
        self.place = fork.moves as usize;
        for (point, before) in self.changes.split_off(fork.changes as usize).into_iter().rev() {
            self.put(point, before);
        }
    }

    /// Adds the last line to what it varies.
    fn end_line(&mut self) {
        let Some(line) = self.lines.pop() else { return };
        let (home, beside) = (line.home, line.beside);
        let mut moves = with_marks(line.moves, line.later);
        // Most lines are short, and there may be millions.
        moves.shrink_to_fit();
        let all = std::iter::once(moves).chain(beside).filter(|line| !line.is_empty());
        let is_game = self.is_game();
        let Some(line) = self.lines.last_mut() else { return };
        if home == 0 && !is_game {
            // The first move of a variation has no variations of its own.
            line.beside.extend(all);
        } else if let Some(varied) = line.moves.get_mut(home) {
            all.for_each(|line| varied.variations.push(line));
        }
    }

    /// Adds a move with everything that is known about it, to which what was said before the first move
    /// of its line belongs, too.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the stone's cell is not empty.
    pub(super) fn play(&mut self, mut m: Move) -> Result<(), PlayError> {
        match m.point() {
            Some(point) if !self.board.is_empty(point) => return Err(PlayError::Occupied(point)),
            Some(point) => self.change(point, Some(m.color)),
            None => {}
        }
        if let MoveKind::SetUp(set_up) = &m.kind {
            set_up.cells.iter().for_each(|&(point, stone)| self.change(point, stone));
        }
        let Some(line) = self.lines.last_mut() else { return Ok(()) };
        if !line.words.is_empty() {
            let end = if m.comment.is_empty() { "" } else { "\n" };
            m.comment = format!("{}{end}{}", line.words, m.comment);
            line.words = String::new();
        }
        if !line.marks.is_empty() {
            let marks = std::mem::take(&mut line.marks);
            m.notes = Notes::of_properties(marks + m.notes.as_properties());
        }
        line.moves.push(m);
        self.place += 1;
        Ok(())
    }

    /// Adds what a node says that has no move: to the move before or, where a variation begins with it,
    /// to the one that follows. Returns it where there is neither: at the beginning of the game.
    pub(super) fn say<'t>(&mut self, words: &'t str, marks: &'t str) -> Option<(&'t str, &'t str)> {
        let is_game = self.is_game();
        let line = self.lines.last_mut()?;
        match self.place.checked_sub(1).and_then(|last| line.moves.get_mut(last)) {
            Some(last) => {
                append(&mut last.comment, words);
                if !marks.is_empty() {
                    line.later.entry(self.place).or_default().push_str(marks);
                }
            }
            None if is_game => return Some((words, marks)),
            None => {
                append(&mut line.words, words);
                line.marks.push_str(marks);
            }
        }
        None
    }

    /// Ends all lines, and returns the moves of the game.
    pub(super) fn finish(mut self) -> Vec<Move> {
        while self.lines.len() > 1 {
            self.end_line();
        }
        self.lines.pop().map_or_else(Vec::new, |line| with_marks(line.moves, line.later))
    }

    fn change(&mut self, point: Point, stone: Option<Color>) {
        self.changes.push((point, self.board.cell(point)));
        self.put(point, stone.map_or(Cell::Empty, Cell::Stone));
    }

    fn put(&mut self, point: Point, cell: Cell) {
        if let Cell::Stone(color) = self.board.cell(point) {
            self.board.remove(point, color);
        }
        if let Cell::Stone(color) = cell {
            self.board.place(point, color);
        }
    }
}

/// Adds properties to the moves before them.
fn with_marks(mut moves: Vec<Move>, later: HashMap<usize, String>) -> Vec<Move> {
    for (number, marks) in later {
        let notes = &mut moves[number - 1].notes;
        *notes = Notes::of_properties(notes.as_properties().to_owned() + &marks);
    }
    moves
}

/// Adds a line to a text.
pub(super) fn append(text: &mut String, line: &str) {
    if !text.is_empty() && !line.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
