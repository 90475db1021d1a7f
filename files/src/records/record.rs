//! A game as files hold it.

use std::time::SystemTime;

use humantime::format_rfc3339_seconds;
use thiserror::Error;

use super::{Arrangement, GameResult, MOST_MOVES, Move, MoveKind, Notes, Reason, WriteError};
use tengen_core::board::Board;
use tengen_core::notation::Origin;
use tengen_core::rules::{Game, Outcome, PlayError, Rule, Run, find_winner};
use tengen_core::types::{ByColor, Color, Point, Size};

/// A game, finished or not, with what is known about it. Unknown texts are empty.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::rules::{Game, Rule};
/// use tengen_core::types::{Color, Size};
/// use tengen_files::records::{GameResult, Record};
///
/// let size = Size::square(15)?;
/// let game = Game::from_moves(size, Rule::Freestyle, &parse_moves("a1a2b1b2c1c2d1d2e1", size)?)?;
/// let record = Record::of_game(&game);
/// assert_eq!(record.result, Some(GameResult::Win(Color::Black)));
/// assert_eq!(record.board_after(2)?.stones(Color::White), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Further notes on the game and its first position, such as marks on cells.
    pub notes: Notes,
    /// The stones that the game begins with, each cell once, and the side to move then.
    pub start: Arrangement,
    /// The number of first moves that were given to the players. Whether a change of the position at their
    /// end is one of them means nothing.
    pub opening: usize,
    /// The moves in playing order. Where a player moves twice, the other has passed without a word.
    pub moves: Vec<Move>,
    /// The result, if it is known.
    pub result: Option<GameResult>,
    /// The reason of the end, if it is known.
    pub reason: Option<Reason>,
}

/// A move that can't be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("move {number}: {error}")]
pub struct MoveFault {
    /// The number of the move, counted from 1.
    pub number: usize,
    /// The reason.
    pub error: PlayError,
}

/// A record that is not a game by a rule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("not a game by the rule {rule}: {fault}{}", or_by(others))]
pub struct RuleFault {
    /// The rule.
    pub rule: Rule,
    /// The first move that can't be played.
    pub fault: MoveFault,
    /// The rules by which all moves can be played.
    pub others: Vec<Rule>,
}

/// Returns the end of a sentence about what is not a game by a rule, but is one by others.
fn or_by(others: &[Rule]) -> String {
    let names: Vec<&str> = others.iter().map(|rule| rule.name()).collect();
    if names.is_empty() { String::new() } else { format!("; it is one by {}", names.join(", ")) }
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
            notes: Notes::EMPTY,
            start: Arrangement::default(),
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

    /// Returns the record of a game, with the stones that it began with, and with the result if it is
    /// over.
    #[must_use]
    pub fn of_game(game: &Game) -> Record {
        let mut record = Record::new(game.board().size());
        let mut board = game.board().clone();
        let mut color = game.to_move();
        for &point in game.moves().iter().rev() {
            color = !color;
            board.remove(point, color);
            record.moves.push(Move::new(point, color));
        }
        record.moves.reverse();
        record.start = Arrangement::of_board(&board, color);
        record.rule = Some(game.rule());
        record.set_outcome(game.outcome());
        record
    }

    /// Returns the present time as the date of a record, in UTC.
    #[must_use]
    pub fn date_now() -> String {
        let now = format_rfc3339_seconds(SystemTime::now()).to_string();
        now.trim_end_matches('Z').replace('T', " ")
    }

    /// Mirrors the game at the middle row, as if its rows had been counted from the other edge.
    /// Notes get lost.
    pub fn flip_rows(&mut self) {
        let size = self.size;
        self.notes.clear();
        self.start.flip_rows(size);
        self.moves.iter_mut().for_each(|m| m.flip_rows(size));
    }

    /// Returns the cells of the moves that are stones.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.moves.iter().filter_map(Move::point)
    }

    /// Returns whether this is a game of stones by turns, black first, from an empty board.
    #[must_use]
    pub fn alternates(&self) -> bool {
        let by_turns =
            |(i, m): (usize, &Move)| m.point().is_some() && m.color == Color::to_move_after(i);
        self.start.cells.is_empty()
            && self.start.to_move != Some(Color::White)
            && self.moves.iter().enumerate().all(by_turns)
    }

    /// Returns whether the position is changed in the middle of the game.
    #[must_use]
    pub fn changes_position(&self) -> bool {
        self.moves.iter().any(|m| m.kind == MoveKind::SetUp)
    }

    /// Returns the player who would move next.
    #[must_use]
    pub fn to_move(&self) -> Color {
        self.to_move_after(self.moves.len())
    }

    /// Returns the player whose turn it is after the first `moves` moves, or after all if there are
    /// fewer: before the first one the side that the record says or, if it says none, the player of
    /// that move. Without moves it is black, or white if there are more black stones than white ones.
    #[must_use]
    pub fn to_move_after(&self, moves: usize) -> Color {
        if let Some(last) = self.moves[..moves.min(self.moves.len())].last() {
            return !last.color;
        }
        let first = self.moves.first().filter(|m| m.kind != MoveKind::SetUp);
        self.start.to_move.or(first.map(|m| m.color)).unwrap_or_else(|| self.start.lesser())
    }

    /// Returns the board after the first `moves` moves, or after all if there are fewer.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is off the board or on an occupied cell.
    pub fn board_after(&self, moves: usize) -> Result<Board, PlayError> {
        let mut board = self.start.board(self.size)?;
        self.moves.iter().take(moves).try_for_each(|m| m.apply(&mut board))?;
        Ok(board)
    }

    /// Returns the line that has won under a rule, if there is one at the end.
    #[must_use]
    pub fn winning_run(&self, rule: Rule) -> Option<Run> {
        let board = self.board_after(self.moves.len()).ok()?;
        find_winner(&board, rule)
    }

    /// Returns the line that has won under the rule of the record, as in `five h8 to h12`; rows count from the edge
    /// `origin`.
    #[must_use]
    pub fn winning_words(&self, origin: Origin) -> Option<String> {
        let run = self.winning_run(self.rule?)?;
        let [first, last] = [run.first, run.points().last()?].map(|p| origin.turn(p, self.size));
        Some(format!("five {first} to {last}"))
    }

    /// Returns the game after the first `moves` moves, or after all if there are fewer, under the rule
    /// of the record, or `usual` if that is not known. Its own moves are those since a player last
    /// passed or the position was changed; whatever was before is on its first board.
    ///
    /// # Errors
    ///
    /// Returns the first move that can't be played: off the board, on a stone, or after the end by the
    /// rule; and the rules by which there is none.
    pub fn game_after(&self, moves: usize, usual: Rule) -> Result<Game, RuleFault> {
        let rule = self.rule.unwrap_or(usual);
        self.play(moves, rule).map_err(|fault| {
            let fits = |other: &Rule| *other != rule && self.play(moves, *other).is_ok();
            RuleFault { rule, fault, others: Rule::ALL.into_iter().filter(fits).collect() }
        })
    }

    fn play(&self, moves: usize, rule: Rule) -> Result<Game, MoveFault> {
        let start = self.start.board(self.size).map_err(|error| MoveFault { number: 0, error })?;
        let mut game = Game::from_board(rule, start, self.to_move_after(0));
        for (i, m) in self.moves.iter().take(moves).enumerate() {
            let fault = |error| MoveFault { number: i + 1, error };
            let goes_on = |game: &Game| !game.outcome().is_over();
            let from = |board: Board, first| Game::from_board(rule, board, first);
            match m.kind {
                MoveKind::Stone(point) => {
                    if m.color != game.to_move() && goes_on(&game) {
                        game = from(game.board().clone(), m.color);
                    }
                    game.play(point).map_err(fault)?;
                }
                // After the end no side is to move.
                MoveKind::Pass if goes_on(&game) => game = from(game.board().clone(), !m.color),
                MoveKind::Pass => {}
                MoveKind::SetUp => {
                    let mut board = game.board().clone();
                    m.arrangement().apply(&mut board).map_err(fault)?;
                    game = from(board, !m.color);
                }
            }
        }
        Ok(game)
    }

    /// Makes what is set up before the first move, and has no variations, the beginning of the game.
    pub(super) fn begin_with_first_stones(&mut self) {
        let is_first = |m: &&Move| m.kind == MoveKind::SetUp && m.variations().is_empty();
        let count = self.moves.iter().take_while(is_first).count();
        // Where a stone is taken away again, the order of the others is not that of the file.
        let mut board = self.start.board(self.size).unwrap_or_else(|_| Board::new(self.size));
        let is_plain = count == 1 && self.start.cells.is_empty();
        let mut notes = self.notes.as_properties().to_owned();
        for m in self.moves.drain(..count) {
            let set_up = m.arrangement();
            let applied = set_up.apply(&mut board);
            debug_assert!(applied.is_ok(), "a reader has looked at the cells");
            self.start.to_move = set_up.to_move.or(self.start.to_move);
            if is_plain {
                self.start.cells.clone_from(&set_up.cells);
                self.start.cells.retain(|(_, stone)| stone.is_some());
            }
            if !self.comment.is_empty() && !m.comment().is_empty() {
                self.comment.push('\n');
            }
            self.comment.push_str(m.comment());
            notes.push_str(m.notes().as_properties());
        }
        if count > 0 {
            self.notes = Notes::of_properties(notes);
        }
        if count > 0 && !is_plain {
            self.start.cells = Arrangement::of_board(&board, Color::Black).cells;
        }
        self.opening = self.opening.saturating_sub(count);
    }

    /// Returns the record with the stones that it begins with as moves of the opening, for formats that
    /// know nothing else: by turns as far as there are enough of both colours, and so that the same
    /// side is to move. `None` if the position is changed later on, too.
    #[must_use]
    pub fn with_stones_as_moves(&self) -> Option<Record> {
        if self.changes_position() {
            return None;
        }
        let to_move = self.to_move_after(0);
        let mut stones = ByColor::from_fn(|color| Vec::from_iter(self.start.stones(color)));
        let mut arranged = Vec::new();
        let mut color = !to_move;
        while let Some(point) = stones[color].pop() {
            arranged.push(Move::new(point, color));
            color = !color;
        }
        arranged.extend(stones[!color].drain(..).rev().map(|point| Move::new(point, !color)));
        arranged.reverse();
        let mut record = self.clone();
        record.opening += arranged.len();
        record.start = Arrangement::default();
        if arranged.is_empty() {
            record.start.to_move = self.start.to_move;
        }
        record.moves.splice(0..0, arranged);
        Some(record)
    }

    /// Returns the length of the opening up to its last stone or pass.
    #[must_use]
    pub fn opening_without_changes(&self) -> usize {
        let mut opening = self.moves.iter().take(self.opening);
        opening.rposition(|m| m.kind != MoveKind::SetUp).map_or(0, |last| last + 1)
    }

    /// Checks that the moves and their variations fit the board and the opening fits the moves.
    ///
    /// # Errors
    ///
    /// Returns what does not fit.
    pub fn check(&self) -> Result<(), WriteError> {
        if self.moves.len() > MOST_MOVES {
            return Err(WriteError::TooManyMoves);
        }
        let start = self.start.board(self.size);
        start
            .and_then(|mut board| check_moves(&mut board, &self.moves))
            .map_err(WriteError::Moves)?;
        if self.opening > self.moves.len() { Err(WriteError::Opening) } else { Ok(()) }
    }

    /// Finds out the result by playing the moves under the rule of the record.
    ///
    /// Changes nothing if the rule is unknown, if the game is not over, or if it went on after its
    /// end.
    pub fn judge(&mut self) {
        let Some(rule) = self.rule else { return };
        if let Ok(game) = self.play(self.moves.len(), rule) {
            self.set_outcome(game.outcome());
        }
    }

    /// Takes a rule where none is known, and finds out the result as [`Record::judge`] does, unless it is known:
    /// a game may have been lost on time before its last move.
    pub fn judge_by(&mut self, assumed: Rule) {
        self.rule = self.rule.or(Some(assumed));
        if self.result.is_none() {
            self.judge();
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

/// Checks that moves and all their variations can be played, and leaves the board as it was. Readers
/// limit how deep variations are within each other.
fn check_moves(board: &mut Board, moves: &[Move]) -> Result<(), PlayError> {
    // The stones that were played, and the board before the position was changed for the first time.
    let mut played: Vec<&Move> = Vec::new();
    let mut before: Option<Box<Board>> = None;
    let mut result = Ok(());
    for m in moves {
        result = m.variations().iter().try_for_each(|line| check_moves(board, line));
        if m.kind == MoveKind::SetUp {
            before.get_or_insert_with(|| Box::new(board.clone()));
        }
        result = result.and_then(|()| m.apply(board));
        if result.is_err() {
            break;
        }
        if before.is_none() {
            played.push(m);
        }
    }
    if let Some(before) = before {
        *board = *before;
    }
    for (point, color) in played.iter().filter_map(|m| Some((m.point()?, m.color))) {
        board.remove(point, color);
    }
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
    fn dates_are_written_as_days_and_times() {
        let shape: String =
            Record::date_now().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(shape, "0000-00-00 00:00:00");
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
    fn an_assumed_rule_changes_no_result_that_is_known() {
        // Black makes six, which wins in freestyle only.
        let black = [0, 1, 2, 4, 5, 3].map(|x| (3 + x, 3));
        let cells: Vec<(i64, i64)> = black
            .into_iter()
            .zip([0, 1, 2, 4, 5, 7])
            .flat_map(|(b, x)| [b, (x, 9)])
            .take(11)
            .collect();
        let judged = |result: Option<Color>, rule| {
            let mut six = Record { rule, ..record(&cells) };
            six.result = result.map(GameResult::Win);
            six.judge_by(Rule::Freestyle);
            (six.rule.unwrap(), six.result)
        };
        let [black, white] = [Color::Black, Color::White].map(|color| Some(GameResult::Win(color)));
        assert_eq!(judged(Some(Color::White), None), (Rule::Freestyle, white));
        assert_eq!(judged(None, None), (Rule::Freestyle, black));
        assert_eq!(judged(Some(Color::White), Some(Rule::Freestyle)), (Rule::Freestyle, white));
        assert_eq!(judged(None, Some(Rule::Renju)), (Rule::Renju, white));
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
