//! A game as files hold it.

use jiff::Timestamp;

use super::{GameResult, Reason, WriteError};
use crate::board::Board;
use crate::notation::Origin;
use crate::rules::{Game, Outcome, PlayError, Rule};
use crate::types::{ByColor, Color, Point, Size};

/// A move of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The cell of the stone.
    pub point: Point,
    /// The owner of the stone.
    pub color: Color,
    /// The player's thinking time in milliseconds.
    pub time: Option<u64>,
    /// The player's own score of the position, in the units of its evaluation.
    pub score: Option<i32>,
    /// The depth of the player's search in plies.
    pub depth: Option<u32>,
    /// The number of nodes the player visited.
    pub nodes: Option<u64>,
    /// A comment on the move; lines end with LF.
    pub comment: String,
    /// What else a file says of the move, such as marks on cells.
    pub notes: Vec<Note>,
    /// Other moves instead of this one, each with what could have followed; none is empty, and the
    /// first move of each has no variations of its own.
    pub variations: Vec<Vec<Move>>,
}

/// A property of a move in the Smart Game Format that means nothing to a record, and is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The name in capital letters, as in `LB`; none of those that records have fields for.
    pub(super) name: String,
    /// The values as they stand between their brackets.
    pub(super) values: Vec<String>,
}

impl Note {
    /// Makes a note of a property with values as they are meant.
    #[must_use]
    pub fn new(name: &str, values: &[&str]) -> Note {
        let escaped = |value: &&str| value.replace('\\', "\\\\").replace(']', "\\]");
        Note { name: name.to_owned(), values: values.iter().map(escaped).collect() }
    }

    /// Makes a note of a property whose values are cells.
    #[must_use]
    pub fn of_cells(name: &str, cells: &[Point]) -> Note {
        let letters = |cell: &Point| [cell.x(), cell.y()].map(|i| char::from(b'a' + i));
        let values = cells.iter().map(|cell| letters(cell).iter().collect()).collect();
        Note { name: name.to_owned(), values }
    }

    /// Makes a note of texts on cells.
    #[must_use]
    pub(super) fn of_labels(labels: &[(Point, String)]) -> Note {
        let value = |(cell, text): &(Point, String)| {
            let [x, y] = [cell.x(), cell.y()].map(|i| char::from(b'a' + i));
            let text = text.replace('\\', "\\\\").replace(']', "\\]").replace(':', "\\:");
            format!("{x}{y}:{text}")
        };
        Note { name: "LB".to_owned(), values: labels.iter().map(value).collect() }
    }

    /// Returns the values as they are meant.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|value| meant(value))
    }

    /// Returns the texts on cells of the largest board, if these are the values.
    pub(super) fn labels(&self) -> impl Iterator<Item = (Point, String)> {
        self.values.iter().filter_map(|value| {
            let (cell, text) = value.split_once(':')?;
            let &[x, y] = cell.trim().as_bytes() else { return None };
            let [x, y] = [x, y].map(|letter| i64::from(letter) - i64::from(b'a'));
            Some((Size::LARGEST.point(x, y)?, meant(text)))
        })
    }

    /// Returns the name of the property.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Returns a value of the Smart Game Format without its escapes.
fn meant(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            // An escaped line break is none.
            '\\' => text.extend(chars.next().filter(|&next| next != '\n')),
            _ => text.push(c),
        }
    }
    text
}

impl Move {
    /// Returns a move without remarks.
    #[must_use]
    pub const fn new(point: Point, color: Color) -> Move {
        Move {
            point,
            color,
            time: None,
            score: None,
            depth: None,
            nodes: None,
            comment: String::new(),
            notes: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// Mirrors the move at the middle row, with its variations and without its notes, which name
    /// cells in ways that only their properties tell.
    fn flip_rows(&mut self, size: Size) {
        self.point = Origin::Bottom.turn(self.point, size);
        self.notes.clear();
        self.variations.iter_mut().flatten().for_each(|m| m.flip_rows(size));
    }
}

/// A game, finished or not, with what is known about it. Unknown texts are empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The size of the board.
    pub size: Size,
    /// The rule, if it is known.
    pub rule: Option<Rule>,
    /// The names of the players.
    pub players: ByColor<String>,
    /// The match or tournament.
    pub event: String,
    /// The round, as in `3.1`.
    pub round: String,
    /// The beginning, as in `2025-04-30` or `2025-04-30 18:00:00`.
    pub date: String,
    /// A comment on the game; lines end with LF.
    pub comment: String,
    /// What else a file says of the empty board, such as marks on cells.
    pub notes: Vec<Note>,
    /// The number of first moves that were given to the players.
    pub opening: usize,
    /// The moves in playing order. A pass shows only in the colours: the other player moves twice.
    pub moves: Vec<Move>,
    /// The result, if it is known.
    pub result: Option<GameResult>,
    /// The reason of the end, if it is known.
    pub reason: Option<Reason>,
}

impl Record {
    /// Returns the record of a game of which nothing is known.
    #[must_use]
    pub fn new(size: Size) -> Record {
        Record {
            size,
            rule: None,
            players: ByColor::default(),
            event: String::new(),
            round: String::new(),
            date: String::new(),
            comment: String::new(),
            notes: Vec::new(),
            opening: 0,
            moves: Vec::new(),
            result: None,
            reason: None,
        }
    }

    /// Returns the record of the given moves, of alternate colours, black first.
    #[must_use]
    pub fn of_points(size: Size, points: &[Point]) -> Record {
        let colored = |(i, &point)| Move::new(point, Color::to_move_after(i));
        Record { moves: points.iter().enumerate().map(colored).collect(), ..Record::new(size) }
    }

    /// Returns the record of a game, with the result if it is over.
    #[must_use]
    pub fn of_game(game: &Game) -> Record {
        let mut record = Record::of_points(game.board().size(), game.moves());
        record.rule = Some(game.rule());
        record.set_outcome(game.outcome());
        record
    }

    /// Returns the present time as the date of a record, in UTC.
    #[must_use]
    pub fn date_now() -> String {
        Timestamp::now().strftime("%Y-%m-%d %H:%M:%S").to_string()
    }

    /// Mirrors the game at the middle row, as if its rows had been counted from the other edge.
    /// Notes get lost.
    pub fn flip_rows(&mut self) {
        let size = self.size;
        self.notes.clear();
        self.moves.iter_mut().for_each(|m| m.flip_rows(size));
    }

    /// Returns the cells of the moves.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.moves.iter().map(|m| m.point)
    }

    /// Returns whether the colours alternate and black is first.
    #[must_use]
    pub fn alternates(&self) -> bool {
        self.moves.iter().enumerate().all(|(i, m)| m.color == Color::to_move_after(i))
    }

    /// Returns the player who would move next.
    #[must_use]
    pub fn to_move(&self) -> Color {
        self.moves.last().map_or(Color::Black, |last| !last.color)
    }

    /// Returns the board after the first `moves` moves, or after all if there are fewer.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is off the board or on an occupied cell.
    pub fn board_after(&self, moves: usize) -> Result<Board, PlayError> {
        let mut board = Board::new(self.size);
        for m in self.moves.iter().take(moves) {
            place(&mut board, m)?;
        }
        Ok(board)
    }

    /// Checks that the moves and their variations fit the board and the opening fits the moves.
    ///
    /// # Errors
    ///
    /// Returns what does not fit.
    pub fn check(&self) -> Result<(), WriteError> {
        check_moves(&mut Board::new(self.size), &self.moves).map_err(WriteError::Moves)?;
        if self.opening > self.moves.len() { Err(WriteError::Opening) } else { Ok(()) }
    }

    /// Finds out the result by playing the moves under the rule of the record.
    ///
    /// Changes nothing if the rule is unknown, if the game is not over, or if it went on after its
    /// end.
    pub fn judge(&mut self) {
        let Some(rule) = self.rule.filter(|_| self.alternates()) else { return };
        let points: Vec<Point> = self.points().collect();
        if let Ok(game) = Game::from_moves(self.size, rule, &points) {
            self.set_outcome(game.outcome());
        }
    }

    fn set_outcome(&mut self, outcome: Outcome) {
        let (result, reason) = match outcome {
            Outcome::Ongoing => return,
            Outcome::Won(run) => (GameResult::Win(run.color), Reason::Five),
            Outcome::Draw => (GameResult::Draw, Reason::FullBoard),
            Outcome::Forbidden(_, kind) => (GameResult::Win(Color::White), Reason::Forbidden(kind)),
        };
        self.result = Some(result);
        self.reason = Some(reason);
    }
}

/// Places the stone of a move, if its cell is an empty one of the board.
fn place(board: &mut Board, m: &Move) -> Result<(), PlayError> {
    if !board.size().contains(m.point) {
        return Err(PlayError::OffBoard(m.point));
    }
    if !board.is_empty(m.point) {
        return Err(PlayError::Occupied(m.point));
    }
    board.place(m.point, m.color);
    Ok(())
}

/// Checks that moves and all their variations can be played. Variations are no deeper within each
/// other than the board has cells.
fn check_moves(board: &mut Board, moves: &[Move]) -> Result<(), PlayError> {
    let mut played = 0;
    let mut result = Ok(());
    for m in moves {
        let others = m.variations.iter().try_for_each(|line| check_moves(board, line));
        result = others.and_then(|()| place(board, m));
        if result.is_err() {
            break;
        }
        played += 1;
    }
    moves[..played].iter().for_each(|m| board.remove(m.point, m.color));
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(cells: &[(i64, i64)]) -> Record {
        let size = Size::DEFAULT;
        let points: Vec<Point> = cells.iter().map(|&(x, y)| size.point(x, y).unwrap()).collect();
        Record::of_points(size, &points)
    }

    #[test]
    fn the_result_follows_from_moves_and_rule() {
        let cells: Vec<(i64, i64)> = (0..9).map(|i| (3 + i / 2, 3 + 2 * (i % 2))).collect();
        let mut won = record(&cells);
        won.judge();
        assert_eq!(won.result, None, "the rule is not known");
        won.rule = Some(Rule::Standard);
        won.judge();
        assert_eq!(won.result, Some(GameResult::Win(Color::Black)));
        assert_eq!(won.reason, Some(Reason::Five));
    }

    #[test]
    fn records_that_are_no_games_are_refused() {
        assert_eq!(record(&[(7, 7), (8, 8)]).check(), Ok(()));
        let twice = record(&[(7, 7), (7, 7)]);
        assert!(matches!(twice.check(), Err(WriteError::Moves(PlayError::Occupied(_)))));
        let mut small = record(&[(7, 7)]);
        small.size = Size::square(6).unwrap();
        assert!(matches!(small.check(), Err(WriteError::Moves(PlayError::OffBoard(_)))));
        small.size = Size::DEFAULT;
        small.opening = 2;
        assert_eq!(small.check(), Err(WriteError::Opening));
    }
}
