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
        }
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
    pub fn flip_rows(&mut self) {
        let size = self.size;
        for m in &mut self.moves {
            m.point = Origin::Bottom.turn(m.point, size);
        }
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
            if !self.size.contains(m.point) {
                return Err(PlayError::OffBoard(m.point));
            }
            if !board.is_empty(m.point) {
                return Err(PlayError::Occupied(m.point));
            }
            board.place(m.point, m.color);
        }
        Ok(board)
    }

    /// Checks that the moves fit the board and the opening fits the moves.
    ///
    /// # Errors
    ///
    /// Returns what does not fit.
    pub fn check(&self) -> Result<(), WriteError> {
        self.board_after(self.moves.len()).map_err(WriteError::Moves)?;
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
