//! The moves of a recorded game.

use std::ops::{Deref, DerefMut};

use super::Notes;
use tengen_core::board::Board;
use tengen_core::notation::Origin;
use tengen_core::rules::PlayError;
use tengen_core::types::{Cell, Color, Point, Size};

/// The most moves of a line that is read or written. The longest game has a pass after each of the 484 stones that
/// fill the largest board; a row of passes must not become many times its text.
pub const MOST_MOVES: usize = 2_000;

/// An action of a player, or a change of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// A stone is played.
    Stone(Point),
    /// No stone is played.
    Pass,
    /// The position is changed without a move: [`Move::arrangement`] says how.
    SetUp,
}

/// Stones that are set up or taken away, and the side to move then.
///
/// ```
/// use tengen_core::notation::Stones;
/// use tengen_core::types::{Color, Size};
/// use tengen_files::records::{Arrangement, Record};
///
/// let size = Size::square(15)?;
/// let board = Stones::parse("h8i9/h9", size)?.board(size).unwrap();
/// let mut record = Record::new(size);
/// record.start = Arrangement::of_board(&board, Color::White);
/// assert_eq!(record.to_move(), Color::White);
/// assert_eq!(record.board_after(0)?, board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        // Black begins on an empty board by default.
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

    /// Returns the side to move by default: white if there are more black stones.
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

/// The player's report on the search for a move.
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
///
/// It takes two words of memory, and more only if something is said of it: there may be millions of moves
/// in the variations of a file.
///
/// ```
/// use tengen_core::types::{Color, Size};
/// use tengen_files::records::Move;
///
/// let center = Size::square(15)?.center();
/// assert_eq!(Move::new(center, Color::Black).point(), Some(center));
/// assert_eq!(Move::pass(Color::White).point(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The action.
    pub kind: MoveKind,
    /// The player. Where the position is changed, the one who is *not* to move then.
    pub color: Color,
    /// Data that most moves do not have.
    extras: MoveExtras,
}

/// Whatever may be said of a move. Nothing said takes one word.
#[derive(Clone, Debug, Default)]
struct MoveExtras(Option<Box<Extras>>);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Extras {
    comment: String,
    notes: Notes,
    variations: Variations,
    search: Option<Box<MoverSearch>>,
    arrangement: Option<Box<Arrangement>>,
}

static NO_NOTES: Notes = Notes::EMPTY;
static NO_VARIATIONS: Variations = Variations(None);
static NO_ARRANGEMENT: Arrangement = Arrangement { cells: Vec::new(), to_move: None };

impl MoveExtras {
    /// Sets a part, unless that is to stay empty.
    fn set<T: Default + PartialEq>(&mut self, part: fn(&mut Extras) -> &mut T, value: T) {
        if self.0.is_some() || value != T::default() {
            *part(self.0.get_or_insert_default()) = value;
        }
    }
}

impl PartialEq for MoveExtras {
    /// Compares what is said. Nothing said is nothing said, with room for it or without.
    fn eq(&self, other: &MoveExtras) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => one == other,
            (Some(some), None) | (None, Some(some)) => **some == Extras::default(),
            (None, None) => true,
        }
    }
}

impl Eq for MoveExtras {}

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
        let mut m = Move::of(MoveKind::SetUp, color);
        m.extras.set(|extras| &mut extras.arrangement, Some(Box::new(set_up)));
        m
    }

    const fn of(kind: MoveKind, color: Color) -> Move {
        Move { kind, color, extras: MoveExtras(None) }
    }

    fn extras_mut(&mut self) -> &mut Extras {
        self.extras.0.get_or_insert_default()
    }

    /// Returns how the position is changed; of a stone or a pass, that it is not.
    #[must_use]
    pub fn arrangement(&self) -> &Arrangement {
        let arrangement = self.extras.0.as_ref().and_then(|extras| extras.arrangement.as_deref());
        arrangement.unwrap_or(&NO_ARRANGEMENT)
    }

    /// Returns the comment; lines end with LF.
    #[must_use]
    pub fn comment(&self) -> &str {
        self.extras.0.as_ref().map_or("", |extras| &extras.comment)
    }

    /// Returns the comment, so that it can be changed.
    pub fn comment_mut(&mut self) -> &mut String {
        &mut self.extras_mut().comment
    }

    /// Gives the move a comment; lines end with LF.
    pub fn set_comment(&mut self, comment: impl Into<String>) {
        self.extras.set(|extras| &mut extras.comment, comment.into());
    }

    /// Returns what else a file says, such as marks on cells.
    #[must_use]
    pub fn notes(&self) -> &Notes {
        self.extras.0.as_ref().map_or(&NO_NOTES, |extras| &extras.notes)
    }

    /// Returns what else a file says, so that it can be changed.
    pub fn notes_mut(&mut self) -> &mut Notes {
        &mut self.extras_mut().notes
    }

    /// Gives the move other notes.
    pub fn set_notes(&mut self, notes: Notes) {
        self.extras.set(|extras| &mut extras.notes, notes);
    }

    /// Returns other moves instead of this one, each with what could have followed; none is empty, and
    /// the first move of each has no variations of its own.
    #[must_use]
    pub fn variations(&self) -> &Variations {
        self.extras.0.as_ref().map_or(&NO_VARIATIONS, |extras| &extras.variations)
    }

    /// Returns the variations, so that they can be changed.
    pub fn variations_mut(&mut self) -> &mut Variations {
        &mut self.extras_mut().variations
    }

    /// Gives the move other variations.
    pub fn set_variations(&mut self, variations: Variations) {
        self.extras.set(|extras| &mut extras.variations, variations);
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
            MoveKind::Pass | MoveKind::SetUp => None,
        }
    }

    /// Returns what the player says of the search.
    #[must_use]
    pub fn search(&self) -> MoverSearch {
        let search = self.extras.0.as_ref().and_then(|extras| extras.search.as_deref());
        search.copied().unwrap_or_default()
    }

    /// Keeps what the player says of the search.
    pub fn set_search(&mut self, search: MoverSearch) {
        let search = (search != MoverSearch::default()).then(|| Box::new(search));
        self.extras.set(|extras| &mut extras.search, search);
    }

    /// Returns the player's thinking time in milliseconds.
    #[must_use]
    pub fn time(&self) -> Option<u64> {
        self.search().time
    }

    /// Returns the player's own score of the position, in the units of its evaluation.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.search().score
    }

    /// Returns the depth of the player's search in plies.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        self.search().depth
    }

    /// Returns the number of nodes that the player visited.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.search().nodes
    }

    /// Does on a board what the move does.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the stone's cell is off the board or not empty; and
    /// those of [`Arrangement::apply`].
    pub fn apply(&self, board: &mut Board) -> Result<(), PlayError> {
        match self.kind {
            MoveKind::Stone(point) => place(board, point, self.color),
            MoveKind::Pass => Ok(()),
            MoveKind::SetUp => self.arrangement().apply(board),
        }
    }

    /// Mirrors the move at the middle row, with its variations and without its notes, which name
    /// cells in ways that only their properties tell.
    pub(super) fn flip_rows(&mut self, size: Size) {
        if let MoveKind::Stone(point) = &mut self.kind {
            *point = Origin::Bottom.turn(*point, size);
        }
        let Some(extras) = &mut self.extras.0 else { return };
        if let Some(arrangement) = &mut extras.arrangement {
            arrangement.flip_rows(size);
        }
        extras.notes.clear();
        let lines = extras.variations.iter_mut();
        lines.flat_map(|line| line.iter_mut()).for_each(|m| m.flip_rows(size));
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
        for line in m.variations() {
            let end = line.iter().position(|m| m.kind == MoveKind::SetUp);
            let line = bare_moves(&line[..end.unwrap_or(line.len())]);
            if !line.is_empty() {
                waiting.push(line);
            }
        }
        if m.kind != MoveKind::Pass {
            let mut m = m.clone();
            m.set_variations(std::mem::take(&mut waiting));
            bare.push(m);
        }
    }
    bare
}

/// Lines beside a game. Most moves have none, and then they take one word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variations(Option<Box<VariationLines>>);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct VariationLines(Vec<VariationLine>);

/// A line beside a game. It takes two words, and memory of its own only if it has more than one move: a
/// library takes two bytes for a line of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariationLine(StoredLine);

#[derive(Clone, PartialEq, Eq, Debug)]
enum StoredLine {
    One(Move),
    /// No move, or several.
    Many(Box<ManyMoves>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct ManyMoves(Box<[Move]>);

impl From<Vec<Move>> for VariationLine {
    fn from(mut moves: Vec<Move>) -> VariationLine {
        let only = if moves.len() == 1 { moves.pop() } else { None };
        let many = || StoredLine::Many(Box::new(ManyMoves(moves.into_boxed_slice())));
        VariationLine(only.map_or_else(many, StoredLine::One))
    }
}

impl Deref for VariationLine {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        match &self.0 {
            StoredLine::One(only) => std::slice::from_ref(only),
            StoredLine::Many(many) => &many.0,
        }
    }
}

impl DerefMut for VariationLine {
    fn deref_mut(&mut self) -> &mut [Move] {
        match &mut self.0 {
            StoredLine::One(only) => std::slice::from_mut(only),
            StoredLine::Many(many) => &mut many.0,
        }
    }
}

impl Variations {
    /// Adds a line.
    pub fn push(&mut self, line: Vec<Move>) {
        self.push_line(line.into());
    }

    fn push_line(&mut self, line: VariationLine) {
        let VariationLines(lines) = &mut **self.0.get_or_insert_default();
        if lines.len() == lines.capacity() {
            // Most moves have one variation, and some files have a million: room for twice as many is
            // too much.
            lines.reserve_exact((lines.len() / 2).max(1));
        }
        lines.push(line);
    }

    /// Adds a line before the others.
    pub(super) fn push_first(&mut self, line: Vec<Move>) {
        self.push(line);
        self.rotate_right(1);
    }

    /// Adds lines.
    pub(super) fn append(&mut self, mut others: Variations) {
        // The shorter list is added to the longer one, which may have a million.
        let are_more = others.len() > self.len();
        if are_more {
            std::mem::swap(self, &mut others);
        }
        let Some(mut others) = others.0 else { return };
        let count = others.0.len();
        others.0.drain(..).for_each(|line| self.push_line(line));
        if are_more {
            self.rotate_right(count);
        }
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        self.0 = None;
    }
}

impl Deref for Variations {
    type Target = [VariationLine];

    fn deref(&self) -> &[VariationLine] {
        self.0.as_ref().map_or(&[], |lines| &lines.0)
    }
}

impl DerefMut for Variations {
    fn deref_mut(&mut self) -> &mut [VariationLine] {
        self.0.as_mut().map_or(&mut [], |lines| &mut lines.0)
    }
}

impl FromIterator<Vec<Move>> for Variations {
    fn from_iter<T: IntoIterator<Item = Vec<Move>>>(lines: T) -> Variations {
        let lines: Vec<VariationLine> = lines.into_iter().map(VariationLine::from).collect();
        Variations((!lines.is_empty()).then(|| Box::new(VariationLines(lines))))
    }
}

impl<'a> IntoIterator for &'a Variations {
    type Item = &'a VariationLine;
    type IntoIter = std::slice::Iter<'a, VariationLine>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_small() {
        // A move takes three bytes of a file and a variation five, and a reader no more than twenty
        // times its input, while its lists grow to twice their length.
        assert!(size_of::<Move>() <= 16, "{}", size_of::<Move>());
        assert!(size_of::<Extras>() <= 64, "{}", size_of::<Extras>());
        assert!(size_of::<VariationLine>() <= 16, "{}", size_of::<VariationLine>());
    }

    #[test]
    fn room_for_words_says_nothing() {
        let mut m = Move::pass(Color::Black);
        assert!(m.comment_mut().is_empty() && m.notes_mut().is_empty());
        assert_eq!(m, Move::pass(Color::Black));
        m.set_comment("x");
        assert_ne!(m, Move::pass(Color::Black));
        m.set_comment("");
        assert_eq!(Move::pass(Color::Black), m);
    }

    #[test]
    fn variations_are_added_in_their_order_whichever_are_more() {
        let lines = |range: std::ops::Range<usize>| -> Variations {
            range.map(|n| vec![Move::pass(Color::Black); n]).collect()
        };
        for (one, two, three) in [(0, 0, 3), (0, 1, 3), (0, 2, 3), (0, 3, 3), (2, 2, 2)] {
            let mut all = lines(one..two);
            all.append(lines(two..three));
            assert_eq!(all, lines(one..three), "{one} {two} {three}");
            all.push_first(vec![]);
            assert_eq!((all.len(), all[0].len()), (three - one + 1, 0));
        }
    }

    #[test]
    fn a_set_up_gives_the_turn_to_whom_it_says() {
        let set_up = |to_move| Arrangement { cells: Vec::new(), to_move };
        assert_eq!(Move::set_up(set_up(None), Color::White).color, Color::Black);
        assert_eq!(Move::set_up(set_up(Some(Color::Black)), Color::White).color, Color::White);
    }
}
