//! The end of a game, and a record that knows whether it has come.

use thiserror::Error;

use super::five::{Run, cell_at, winning_run};
use super::forbidden::{Violation, violation_of_stone};
use super::{Rule, find_winner};
use crate::board::Board;
use crate::types::{Cell, Color, Dir, Point, Size};

/// The state of a game after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The game goes on.
    Ongoing,
    /// The player of this run has won.
    Won(Run),
    /// Nobody can win any more.
    Draw,
    /// Black has lost by a move that renju forbids.
    Forbidden(Point, Violation),
}

impl Outcome {
    /// Returns the player who has won.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Won(run) => Some(run.color),
            Outcome::Forbidden(..) => Some(Color::White),
            Outcome::Ongoing | Outcome::Draw => None,
        }
    }

    /// Returns whether the game has ended.
    #[must_use]
    pub const fn is_over(self) -> bool {
        !matches!(self, Outcome::Ongoing)
    }
}

/// Returns the state of a game whose newest stone is the one on `last`.
///
/// A winning run comes first, then a forbidden move, then a draw. Where there is no stone, only
/// the draw is looked for.
#[must_use]
pub fn outcome_after(board: &Board, last: Point, rule: Rule) -> Outcome {
    if let Cell::Stone(color) = board.cell(last) {
        if let Some(run) = winning_run(board, last, color, rule) {
            return Outcome::Won(run);
        }
        if rule == Rule::Renju
            && color == Color::Black
            && let Some(kind) = violation_of_stone(&mut board.clone(), last)
        {
            return Outcome::Forbidden(last, kind);
        }
    }
    if is_dead(board, rule) { Outcome::Draw } else { Outcome::Ongoing }
}

/// Returns the state of a position without a last move: won by a run that stands, a draw if nobody
/// can win any more, and otherwise a game that goes on.
#[must_use]
pub fn standing_outcome(board: &Board, rule: Rule) -> Outcome {
    match find_winner(board, rule) {
        Some(run) => Outcome::Won(run),
        None if is_dead(board, rule) => Outcome::Draw,
        None => Outcome::Ongoing,
    }
}

/// Returns whether nothing but a draw can come of the position, however both sides play.
///
/// True exactly if no sequence of stones of whatever colours on the empty cells contains a
/// winning one, nor in renju a forbidden one: black has no pass and may be left with nothing but
/// overlines. A full board is dead.
#[must_use]
pub fn is_dead(board: &Board, rule: Rule) -> bool {
    !board.size().points().any(|first| {
        Dir::ALL.into_iter().any(|dir| {
            Color::ALL.into_iter().any(|color| can_decide(board, rule, color, first, dir))
        })
    })
}

/// Returns whether a run of `color` that starts at `first` may yet end the game.
fn can_decide(board: &Board, rule: Rule, color: Color, first: Point, dir: Dir) -> bool {
    let ends = [-1, 5].map(|steps| cell_at(board, first, dir, steps));
    // Only a stone that stands already forces the run to be longer: an empty end may stay empty.
    let exact = !ends.contains(&Cell::Stone(color));
    let enclosed = ends == [Cell::Stone(!color); 2];
    let five = is_open(board, color, first, dir, 5);
    match (rule, color) {
        (Rule::Freestyle, _) | (Rule::Renju, Color::White) => five,
        (Rule::Standard, _) => five && exact,
        // Without an exact five black has neither fours nor threes; the overline is left.
        (Rule::Renju, Color::Black) => five && exact || is_open(board, color, first, dir, 6),
        // A stone of its own at an end makes it six.
        (Rule::Caro, _) => five && !enclosed,
        (Rule::CaroExact, _) => five && exact && !enclosed,
    }
}

/// Returns whether `color` can own all `len` cells from `first` on, the last of them by a stone
/// yet to come.
fn is_open(board: &Board, color: Color, first: Point, dir: Dir, len: i32) -> bool {
    let mut any_empty = false;
    for steps in 0..len {
        match cell_at(board, first, dir, steps) {
            Cell::Empty => any_empty = true,
            Cell::Stone(owner) if owner == color => {}
            Cell::Stone(_) | Cell::Wall => return false,
        }
    }
    any_empty
}

/// A move that can't be recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// The cell is not on the board.
    #[error("{0} is not on the board")]
    OffBoard(Point),
    /// The cell has a stone.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
}

/// A record of a game: the moves by turns, the board they make and what came of them.
///
/// Every judgement is this module's plain scanning, so that a `Game` can judge an engine.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::rules::{Game, Outcome, Rule};
/// use tengen_core::types::{Color, Size};
///
/// let size = Size::square(15)?;
/// let mut game = Game::from_moves(size, Rule::Standard, &parse_moves("a1a2b1b2c1c2d1d2", size)?)?;
/// assert_eq!((game.outcome(), game.to_move()), (Outcome::Ongoing, Color::Black));
/// let outcome = game.play(size.point(4, 0).unwrap())?;
/// assert_eq!(outcome.winner(), Some(Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rule: Rule,
    board: Board,
    first: Color,
    moves: Vec<Point>,
    outcome: Outcome,
}

impl Game {
    /// Returns a game without moves; black is to move.
    #[must_use]
    pub fn new(size: Size, rule: Rule) -> Game {
        let (board, first, outcome) = (Board::new(size), Color::Black, Outcome::Ongoing);
        Game { rule, board, first, moves: Vec::new(), outcome }
    }

    /// Returns a game that begins with the stones of a board and a move of `first`. It is over if
    /// [`standing_outcome`] says so.
    #[must_use]
    pub fn from_board(rule: Rule, board: Board, first: Color) -> Game {
        let outcome = standing_outcome(&board, rule);
        Game { rule, board, first, moves: Vec::new(), outcome }
    }

    /// Returns the game of the given moves.
    ///
    /// # Errors
    ///
    /// Returns the error of the first move that can't be played.
    pub fn from_moves(size: Size, rule: Rule, moves: &[Point]) -> Result<Game, PlayError> {
        let mut game = Game::new(size, rule);
        for &point in moves {
            game.play(point)?;
        }
        Ok(game)
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the board after the last move.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the moves in playing order, a forbidden last one included.
    #[must_use]
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// Returns the player whose turn it is, or would be if the game went on.
    #[must_use]
    pub fn to_move(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.first } else { !self.first }
    }

    /// Returns what came of the last move.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Records a move of the player whose turn it is and returns what came of it.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the move is not one: off the board, occupied, or
    /// after the end. A forbidden move is a move; it loses.
    pub fn play(&mut self, point: Point) -> Result<Outcome, PlayError> {
        if self.outcome.is_over() {
            return Err(PlayError::GameOver);
        }
        if !self.board.size().contains(point) {
            return Err(PlayError::OffBoard(point));
        }
        if !self.board.is_empty(point) {
            return Err(PlayError::Occupied(point));
        }
        self.board.place(point, self.to_move());
        self.moves.push(point);
        self.outcome = outcome_after(&self.board, point, self.rule);
        debug_assert_eq!(
            matches!(self.outcome, Outcome::Won(_)),
            find_winner(&self.board, self.rule).is_some(),
            "a winning run does not go through the last stone {point}: {:?}",
            self.board
        );
        Ok(self.outcome)
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Point> {
        let point = self.moves.pop()?;
        self.board.remove(point, self.to_move());
        // A game goes on before each of its moves.
        self.outcome = Outcome::Ongoing;
        Some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    fn size(edge: i64) -> Size {
        Size::square(edge).unwrap()
    }

    fn play_all(game: &mut Game, cells: &[(i64, i64)]) -> Outcome {
        for &(x, y) in cells {
            let point = game.board().size().point(x, y).unwrap();
            game.play(point).unwrap();
        }
        game.outcome()
    }

    #[test]
    fn five_end_the_game_and_name_their_line() {
        for rule in Rule::ALL {
            let mut game = Game::new(size(15), rule);
            let cells: Vec<(i64, i64)> = (0..9).map(|i| (3 + i / 2, 3 + 2 * (i % 2))).collect();
            let outcome = play_all(&mut game, &cells);
            let Outcome::Won(run) = outcome else { panic!("{rule}: {outcome:?}") };
            assert_eq!(outcome.winner(), Some(Color::Black));
            assert_eq!(run.points().count(), 5);
            assert_eq!(game.play(size(15).center()), Err(PlayError::GameOver));
            assert_eq!(game.moves().len(), 9);
        }
    }

    #[test]
    fn a_forbidden_move_is_recorded_and_loses() {
        let mut game = Game::new(size(15), Rule::Renju);
        let cells = [(7, 5), (0, 0), (7, 6), (0, 14), (8, 7), (14, 0), (9, 7), (14, 14), (7, 7)];
        let outcome = play_all(&mut game, &cells);
        assert_eq!(outcome, Outcome::Forbidden(size(15).center(), Violation::DoubleThree));
        assert_eq!(outcome.winner(), Some(Color::White));
        assert_eq!(game.moves().len(), 9);
        let mut free = Game::new(size(15), Rule::Standard);
        assert_eq!(play_all(&mut free, &cells), Outcome::Ongoing);
    }

    #[test]
    fn moves_that_are_none_are_refused_and_change_nothing() {
        let mut game = Game::new(size(9), Rule::Freestyle);
        let center = size(9).center();
        let outside = size(15).point(9, 0).unwrap();
        assert_eq!(game.play(outside), Err(PlayError::OffBoard(outside)));
        assert_eq!(game.play(center), Ok(Outcome::Ongoing));
        assert_eq!(game.play(center), Err(PlayError::Occupied(center)));
        assert_eq!(game.moves(), [center]);
        assert_eq!(game.to_move(), Color::White);
        assert_eq!(game.undo(), Some(center));
        assert_eq!(game.undo(), None);
        assert!(*game.board() == Board::new(size(9)));
    }

    #[test]
    fn a_game_may_begin_with_stones_and_with_white() {
        let rows = ["OOXXO", ".....", "XXOOX", "OOXXO", "XXOOX"];
        let mut game = Game::from_board(Rule::Freestyle, board_of(&rows), Color::White);
        assert_eq!((game.to_move(), game.outcome()), (Color::White, Outcome::Ongoing));
        // With stones of both colours in the second row there is no room for a five.
        assert_eq!(play_all(&mut game, &[(0, 1), (1, 1)]), Outcome::Draw);
        assert_eq!((game.to_move(), game.moves().len()), (Color::White, 2));
        game.undo();
        assert_eq!((game.to_move(), game.outcome()), (Color::Black, Outcome::Ongoing));
        let won = board_of(&["OOOOO", ".....", "XX.XX", ".....", "....."]);
        let over = Game::from_board(Rule::Freestyle, won, Color::Black);
        assert_eq!(over.outcome().winner(), Some(Color::White));
    }

    #[test]
    fn a_five_on_the_last_empty_cell_wins() {
        // White has one stone in every line but the top row, which black completes last.
        let rows = [".XXXX", "OOXXO", "XXOOX", "OOXXO", "XXOOO"];
        let mut board = board_of(&rows);
        let last = size(5).point(0, 0).unwrap();
        board.place(last, Color::Black);
        assert_eq!(board.empty_cells(), 0);
        for rule in Rule::ALL {
            assert!(is_dead(&board, rule));
            assert_eq!(outcome_after(&board, last, rule).winner(), Some(Color::Black), "{rule}");
        }
        board.remove(last, Color::Black);
        board.place(last, Color::White);
        assert_eq!(outcome_after(&board, last, Rule::Freestyle), Outcome::Draw);
    }

    #[test]
    fn black_left_with_nothing_but_an_overline_is_not_a_draw() {
        let rows = ["OOXXOXX", "XXX.XXX", "OOXXOXO", "XXOOXOO", "OOXXOOX"];
        let board = board_of(&rows);
        assert!(!is_dead(&board, Rule::Renju));
        assert!(is_dead(&board, Rule::Standard));
        let mut after = board.clone();
        let gap = board.size().point(3, 1).unwrap();
        after.place(gap, Color::Black);
        assert_eq!(
            outcome_after(&after, gap, Rule::Renju),
            Outcome::Forbidden(gap, Violation::Overline)
        );
    }

    #[test]
    fn a_dead_board_is_one_from_which_no_filling_wins() {
        let mut rng = SplitMix64::new(5);
        let mut seen = [[0; 2]; 5];
        for _ in 0..20_000 {
            let (rule, board) = nearly_full_board(&mut rng);
            if find_winner(&board, rule).is_some() {
                continue;
            }
            let dead = is_dead(&board, rule);
            assert_eq!(dead, !some_filling_decides(&mut board.clone(), rule), "{rule}{board:?}");
            seen[rule as usize][usize::from(dead)] += 1;
        }
        assert!(seen.as_flattened().iter().all(|&n| n >= 20), "too few of a kind: {seen:?}");
    }

    fn nearly_full_board(rng: &mut SplitMix64) -> (Rule, Board) {
        let rule = Rule::ALL[rng.below(5)];
        let size = Size::new(5 + rng.below(4) as i64, 5).unwrap();
        let mut board = Board::new(size);
        let mut points: Vec<Point> = size.points().collect();
        for _ in 0..=rng.below(3) {
            points.swap_remove(rng.below(points.len()));
        }
        // Mostly one colour in the middle rows, so that long runs happen.
        for point in points {
            match rng.below(20) {
                0 => board.place_wall(point),
                n if n % 2 == usize::from(point.y()) % 2 || n < 5 => {
                    board.place(point, Color::Black);
                }
                _ => board.place(point, Color::White),
            }
        }
        (rule, board)
    }

    /// Tries stones of both colours on the empty cells in every order.
    fn some_filling_decides(board: &mut Board, rule: Rule) -> bool {
        let empties: Vec<Point> = board.empties().iter().collect();
        empties.into_iter().any(|point| {
            Color::ALL.into_iter().any(|color| {
                board.place(point, color);
                let decided = winning_run(board, point, color, rule).is_some()
                    || rule == Rule::Renju
                        && color == Color::Black
                        && violation_of_stone(board, point).is_some()
                    || some_filling_decides(board, rule);
                board.remove(point, color);
                decided
            })
        })
    }

    fn board_of(rows: &[&str]) -> Board {
        let size = Size::new(rows[0].len() as i64, rows.len() as i64).unwrap();
        let mut board = Board::new(size);
        for (point, c) in size.points().zip(rows.concat().chars()) {
            match c {
                'X' => board.place(point, Color::Black),
                'O' => board.place(point, Color::White),
                _ => {}
            }
        }
        board
    }
}
