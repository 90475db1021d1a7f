//! What happens in a recorded game.

use std::ops::{Deref, DerefMut};

use super::Notes;
use crate::board::Board;
use crate::notation::Origin;
use crate::rules::PlayError;
use crate::types::{Cell, Color, Point, Size};

/// What a player, or somebody who sets stones up, does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// A stone is played.
    Stone(Point),
    /// No stone is played.
    Pass,
    /// The position is changed by nobody's move.
    SetUp(Box<Arrangement>),
}

/// Stones that are set up or taken away, and the side to move then.
#[derive(Clone, Eq, Debug, Default)]
pub struct Arrangement {
    /// Cells, each once and in any order, with their new stones; without one they become empty.
    pub cells: Vec<(Point, Option<Color>)>,
    /// The side to move, if it is said.
    pub to_move: Option<Color>,
}

impl PartialEq for Arrangement {
    /// Compares what becomes of the cells. Their order means nothing, and formats have orders of their own.
    fn eq(&self, other: &Arrangement) -> bool {
        let sorted = |arrangement: &Arrangement| {
            let mut cells = arrangement.cells.clone();
            cells.sort_unstable_by_key(|&(point, _)| point);
            cells
        };
        self.to_move == other.to_move
            && (self.cells == other.cells || sorted(self) == sorted(other))
    }
}

impl Arrangement {
    /// Returns the stones of a board, of which a side is to move.
    #[must_use]
    pub fn of_board(board: &Board, to_move: Color) -> Arrangement {
        let stone = |point| match board.cell(point) {
            Cell::Stone(color) => Some((point, Some(color))),
            Cell::Empty | Cell::Wall => None,
        };
        let cells: Vec<_> = board.size().points().filter_map(stone).collect();
        // Nobody has to say that black begins on an empty board.
        let is_said = !cells.is_empty() || to_move == Color::White;
        Arrangement { cells, to_move: is_said.then_some(to_move) }
    }

    /// Returns a board with these stones and no others.
    ///
    /// # Errors
    ///
    /// Returns an error if a cell is off the board or has two stones.
    pub fn board(&self, size: Size) -> Result<Board, PlayError> {
        let mut board = Board::new(size);
        for color in Color::ALL {
            self.stones(color).try_for_each(|point| place(&mut board, point, color))?;
        }
        Ok(board)
    }

    /// Returns the side to move if nobody says which it is: white if there are more black stones.
    pub(super) fn lesser(&self) -> Color {
        let [black, white] = Color::ALL.map(|color| self.stones(color).count());
        if black > white { Color::White } else { Color::Black }
    }

    /// Returns whether nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.to_move.is_none()
    }

    /// Changes a board.
    ///
    /// # Errors
    ///
    /// Returns an error if a cell is off the board or blocked.
    pub fn apply(&self, board: &mut Board) -> Result<(), PlayError> {
        for &(point, stone) in &self.cells {
            if !board.size().contains(point) {
                return Err(PlayError::OffBoard(point));
            }
            match board.cell(point) {
                Cell::Stone(color) => board.remove(point, color),
                Cell::Wall => return Err(PlayError::Occupied(point)),
                Cell::Empty => {}
            }
            if let Some(color) = stone {
                board.place(point, color);
            }
        }
        Ok(())
    }

    /// Returns the cells that get a stone of a colour.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Point> {
        self.cells.iter().filter(move |(_, stone)| *stone == Some(color)).map(|&(point, _)| point)
    }

    pub(super) fn flip_rows(&mut self, size: Size) {
        self.cells.iter_mut().for_each(|(point, _)| *point = Origin::Bottom.turn(*point, size));
    }
}

/// What the player of a move says of the search for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoverSearch {
    /// The thinking time in milliseconds.
    pub time: Option<u64>,
    /// The score of the position, in the units of the player's evaluation.
    pub score: Option<i32>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
}

/// A move of a record, a pass, or a change of the position between moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// What is done.
    pub kind: MoveKind,
    /// The player. Where the position is changed, the one who is *not* to move then.
    pub color: Color,
    /// A comment; lines end with LF.
    pub comment: String,
    /// What else a file says, such as marks on cells.
    pub notes: Notes,
    /// Other moves instead of this one, each with what could have followed; none is empty, and the
    /// first move of each has no variations of its own.
    pub variations: Variations,
    /// What the player says of the search; a box because most games say nothing, and there may be
    /// millions of moves in the variations of a file.
    search: Option<Box<MoverSearch>>,
}

impl Move {
    /// Returns a move without remarks.
    #[must_use]
    pub const fn new(point: Point, color: Color) -> Move {
        Move::of(MoveKind::Stone(point), color)
    }

    /// Returns a pass without remarks.
    #[must_use]
    pub const fn pass(color: Color) -> Move {
        Move::of(MoveKind::Pass, color)
    }

    /// Returns a change of a position in which `to_move` was to move.
    #[must_use]
    pub fn set_up(set_up: Arrangement, to_move: Color) -> Move {
        let color = !set_up.to_move.unwrap_or(to_move);
        Move::of(MoveKind::SetUp(Box::new(set_up)), color)
    }

    const fn of(kind: MoveKind, color: Color) -> Move {
        Move {
            kind,
            color,
            comment: String::new(),
            notes: Notes::EMPTY,
            variations: Variations(None),
            search: None,
        }
    }

    /// Returns the move with what the player says of the search.
    #[must_use]
    pub fn with_search(mut self, search: MoverSearch) -> Move {
        self.set_search(search);
        self
    }

    /// Returns the move with the player's thinking time in milliseconds.
    #[must_use]
    pub fn with_time(self, time: Option<u64>) -> Move {
        let search = MoverSearch { time, ..self.search() };
        self.with_search(search)
    }

    /// Returns the cell of the stone, if one is played.
    #[must_use]
    pub const fn point(&self) -> Option<Point> {
        match self.kind {
            MoveKind::Stone(point) => Some(point),
            MoveKind::Pass | MoveKind::SetUp(_) => None,
        }
    }

    /// Returns what the player says of the search.
    #[must_use]
    pub fn search(&self) -> MoverSearch {
        self.search.as_deref().copied().unwrap_or_default()
    }

    /// Keeps what the player says of the search.
    pub fn set_search(&mut self, search: MoverSearch) {
        self.search = (search != MoverSearch::default()).then(|| Box::new(search));
    }

    /// Returns the player's thinking time in milliseconds.
    #[must_use]
    pub fn time(&self) -> Option<u64> {
        self.search.as_ref()?.time
    }

    /// Returns the player's own score of the position, in the units of its evaluation.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.search.as_ref()?.score
    }

    /// Returns the depth of the player's search in plies.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        self.search.as_ref()?.depth
    }

    /// Returns the number of nodes that the player visited.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.search.as_ref()?.nodes
    }

    /// Does on a board what the move does.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the stone's cell is off the board or not empty; and
    /// those of [`Arrangement::apply`].
    pub fn apply(&self, board: &mut Board) -> Result<(), PlayError> {
        match &self.kind {
            MoveKind::Stone(point) => place(board, *point, self.color),
            MoveKind::Pass => Ok(()),
            MoveKind::SetUp(set_up) => set_up.apply(board),
        }
    }

    /// Mirrors the move at the middle row, with its variations and without its notes, which name
    /// cells in ways that only their properties tell.
    pub(super) fn flip_rows(&mut self, size: Size) {
        match &mut self.kind {
            MoveKind::Stone(point) => *point = Origin::Bottom.turn(*point, size),
            MoveKind::Pass => {}
            MoveKind::SetUp(set_up) => set_up.flip_rows(size),
        }
        self.notes.clear();
        self.variations.iter_mut().flatten().for_each(|m| m.flip_rows(size));
    }
}

/// Places a stone, if its cell is an empty one of the board.
pub(super) fn place(board: &mut Board, point: Point, color: Color) -> Result<(), PlayError> {
    if !board.size().contains(point) {
        return Err(PlayError::OffBoard(point));
    }
    if !board.is_empty(point) {
        return Err(PlayError::Occupied(point));
    }
    board.place(point, color);
    Ok(())
}

/// Returns moves without passes, for formats that show them by who moves next. What varies a pass varies
/// the move after it. A variation ends before the position is changed.
pub(super) fn bare_moves(moves: &[Move]) -> Vec<Move> {
    let mut bare: Vec<Move> = Vec::with_capacity(moves.len());
    let mut waiting = Variations::default();
    for m in moves {
        for line in &m.variations {
            let end = line.iter().position(|m| matches!(m.kind, MoveKind::SetUp(_)));
            let line = bare_moves(&line[..end.unwrap_or(line.len())]);
            if !line.is_empty() {
                waiting.push(line);
            }
        }
        if !matches!(m.kind, MoveKind::Pass) {
            bare.push(Move {
                kind: m.kind.clone(),
                color: m.color,
                comment: m.comment.clone(),
                notes: m.notes.clone(),
                variations: std::mem::take(&mut waiting),
                search: m.search.clone(),
            });
        }
    }
    bare
}

/// Lines beside a game. Most moves have none, and then they take one word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variations(Option<Box<Lines>>);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Lines(Vec<Vec<Move>>);

impl Variations {
    /// Adds a line.
    pub fn push(&mut self, line: Vec<Move>) {
        self.0.get_or_insert_default().0.push(line);
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        self.0 = None;
    }
}

impl Deref for Variations {
    type Target = [Vec<Move>];

    fn deref(&self) -> &[Vec<Move>] {
        self.0.as_ref().map_or(&[], |lines| &lines.0)
    }
}

impl DerefMut for Variations {
    fn deref_mut(&mut self) -> &mut [Vec<Move>] {
        self.0.as_mut().map_or(&mut [], |lines| &mut lines.0)
    }
}

impl From<Vec<Vec<Move>>> for Variations {
    fn from(lines: Vec<Vec<Move>>) -> Variations {
        Variations((!lines.is_empty()).then(|| Box::new(Lines(lines))))
    }
}

impl FromIterator<Vec<Move>> for Variations {
    fn from_iter<T: IntoIterator<Item = Vec<Move>>>(lines: T) -> Variations {
        Variations::from(Vec::from_iter(lines))
    }
}

impl<'a> IntoIterator for &'a Variations {
    type Item = &'a Vec<Move>;
    type IntoIter = std::slice::Iter<'a, Vec<Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_small() {
        // A variation of one move takes eight bytes of a file, and a reader no more than twenty
        // times its input.
        assert!(size_of::<Move>() <= 80, "{}", size_of::<Move>());
    }

    #[test]
    fn a_set_up_gives_the_turn_to_whom_it_says() {
        let set_up = |to_move| Arrangement { cells: Vec::new(), to_move };
        assert_eq!(Move::set_up(set_up(None), Color::White).color, Color::Black);
        assert_eq!(Move::set_up(set_up(Some(Color::Black)), Color::White).color, Color::White);
    }
}
