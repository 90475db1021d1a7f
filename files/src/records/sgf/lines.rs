//! The lines of a game while it is being read, and the board at the end of the last one.

use crate::records::{Move, Notes, Variations};
use tengen_core::board::Board;
use tengen_core::rules::PlayError;
use tengen_core::types::{Cell, Color, Point, Size};

/// The deepest nesting of variations: records are walked through by recursion.
pub(super) const MOST_NESTED: usize = 400;

/// A line that is being read.
#[derive(Debug, Default)]
struct OpenLine {
    moves: Vec<Move>,
    /// The number of moves before it on the line that it leaves.
    home: usize,
    /// Lines that begin where this one does, and were read after it.
    beside: Variations,
    /// The comment before its first move, and the properties there.
    words: String,
    marks: String,
    /// Properties of nodes and of variations without a move, by the number of moves before them: they are
    /// added to the last of these together, as there may be many.
    asides: Vec<(usize, String)>,
}

impl OpenLine {
    /// Keeps properties back that stand behind so many moves, and belong to the last of them.
    fn add_aside(&mut self, place: usize, marks: &str) {
        match self.asides.last_mut() {
            Some((before, all)) if *before == place => all.push_str(marks),
            _ if marks.is_empty() => {}
            _ => self.asides.push((place, marks.to_owned())),
        }
    }

    /// Gives all moves the properties that were kept back.
    fn add_rest(&mut self) {
        for (place, marks) in std::mem::take(&mut self.asides) {
            if let Some(last) = place.checked_sub(1).and_then(|before| self.moves.get_mut(before)) {
                let notes = last.notes().as_properties().to_owned() + &marks;
                last.set_notes(Notes::of_properties(notes));
            }
        }
    }
}

/// The state to restore after a closing parenthesis.
#[derive(Clone, Copy, Debug)]
struct Fork {
    /// The number of lines, at most [`MOST_NESTED`].
    lines: u16,
    /// The number of moves on the last of them, at most `MOST_MOVES`.
    moves: u16,
    /// The number of changes of the board.
    changes: u32,
}

/// The game, and the variations that have not ended, each within the one before.
#[derive(Debug)]
pub(super) struct OpenLines {
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
    /// The comment and the properties of variations without a move that vary the first move of the game.
    on_start: (String, String),
}

impl OpenLines {
    /// Returns a game without moves.
    pub(super) fn new(size: Size) -> OpenLines {
        OpenLines {
            board: Board::new(size),
            first: Color::Black,
            lines: vec![OpenLine::default()],
            place: 0,
            forks: Vec::new(),
            changes: Vec::new(),
            on_start: Default::default(),
        }
    }

    /// Returns a game without moves that begins with the stones of a board.
    pub(super) fn on_board(board: Board, to_move: Color) -> OpenLines {
        let mut lines = OpenLines::new(board.size());
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
        let changes = u32::try_from(self.changes.len()).unwrap_or(u32::MAX);
        let [lines, moves] =
            [self.lines.len(), self.place].map(|n| u16::try_from(n).unwrap_or(u16::MAX));
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
        while self.lines.len() > usize::from(fork.lines) {
            self.end_line();
        }
        self.place = usize::from(fork.moves);
        for (point, before) in self.changes.split_off(fork.changes as usize).into_iter().rev() {
            self.put(point, before);
        }
    }

    /// Adds the last line to what it varies.
    fn end_line(&mut self) {
        let Some(mut line) = self.lines.pop() else { return };
        line.add_rest();
        let OpenLine { home, mut moves, mut beside, words, marks, .. } = line;
        if moves.is_empty() {
            self.say_before(home, &words, &marks);
        } else {
            // Most lines are short, and there may be millions.
            moves.shrink_to_fit();
            beside.push_first(moves);
        }
        let is_game = self.is_game();
        let Some(line) = self.lines.last_mut() else { return };
        if home == 0 && !is_game {
            // The first move of a variation has no variations of its own.
            line.beside.append(beside);
        } else if let Some(varied) = line.moves.get_mut(home).filter(|_| !beside.is_empty()) {
            varied.variations_mut().append(beside);
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
        for &(point, stone) in &m.arrangement().cells {
            self.change(point, stone);
        }
        let Some(line) = self.lines.last_mut() else { return Ok(()) };
        if !line.words.is_empty() {
            let mut words = std::mem::take(&mut line.words);
            append(&mut words, m.comment());
            m.set_comment(words);
        }
        if !line.marks.is_empty() {
            let marks = std::mem::take(&mut line.marks);
            m.set_notes(Notes::of_properties(marks + m.notes().as_properties()));
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
        debug_assert_eq!(self.place, line.moves.len(), "what comes beside moves is another line");
        match line.moves.last_mut() {
            Some(last) => {
                if !words.is_empty() {
                    append(last.comment_mut(), words);
                }
                line.add_aside(self.place, marks);
            }
            None if is_game => return Some((words, marks)),
            None => {
                append(&mut line.words, words);
                line.marks.push_str(marks);
            }
        }
        None
    }

    /// Adds what is said of the position before the move of this number on the last line: to the move that
    /// led to it.
    fn say_before(&mut self, mut place: usize, words: &str, marks: &str) {
        if words.is_empty() && marks.is_empty() {
            return;
        }
        for line in self.lines.iter_mut().rev() {
            if let Some(last) = place.checked_sub(1).and_then(|before| line.moves.get_mut(before)) {
                append(last.comment_mut(), words);
                line.add_aside(place, marks);
                return;
            }
            place = line.home;
        }
        append(&mut self.on_start.0, words);
        self.on_start.1.push_str(marks);
    }

    /// Ends all lines, and returns the moves of the game, with the comment and the properties of variations
    /// without a move that vary the first one.
    pub(super) fn finish(mut self) -> (Vec<Move>, (String, String)) {
        while self.lines.len() > 1 {
            self.end_line();
        }
        let mut game = self.lines.pop().unwrap_or_default();
        game.add_rest();
        (game.moves, self.on_start)
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

/// Adds a line to a text.
pub(super) fn append(text: &mut String, line: &str) {
    if !text.is_empty() && !line.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
