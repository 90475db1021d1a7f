//! Knowledge about the positions of a game.

use std::sync::Arc;

use crate::explain::{WinAhead, WinMeans};
use tengen_core::board::Board;
use tengen_core::eval::WinDrawLoss;
use tengen_core::position::Position;
use tengen_core::prover::Attack;
use tengen_core::rules::{Game, Outcome, PlayError, RenjuOpening, Rule};
use tengen_core::types::{Color, Point, Size};
use tengen_files::records::{Move, MoveKind, Record, RuleFault};
use tengen_files::work::Stop;

/// A proof that a side wins, whatever the other does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The side that wins.
    pub winner: Color,
    /// The number of plies to the end that is enough against any defence; 0 if the game is over.
    pub plies: u16,
    /// The kind of win.
    pub means: WinMeans,
}

impl Proven {
    /// Returns the win without its winner.
    #[must_use]
    pub const fn ahead(self) -> WinAhead {
        WinAhead { means: self.means, plies: self.plies }
    }

    /// Returns the chances of the side to move, which are certain.
    #[must_use]
    pub fn chances(self, to_move: Color) -> WinDrawLoss {
        let win = f64::from(u8::from(self.winner == to_move));
        WinDrawLoss { win, draw: 0.0, loss: 1.0 - win }
    }

    /// Returns the proof of the position before a move that leads to it.
    #[must_use]
    pub(super) const fn one_ply_earlier(self) -> Proven {
        Proven { plies: self.plies + 1, ..self }
    }
}

/// Another move than the best.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The best line for both sides that begins with the move; never empty.
    pub line: Vec<Point>,
    /// The chances of the side to move with it, to four digits behind the point.
    pub chances: WinDrawLoss,
    /// The proof that one side wins then, if there is one; its plies begin with the move.
    pub proven: Option<Proven>,
}

impl Candidate {
    /// Returns a move as a candidate, from what is known of the position after it.
    pub(super) fn leading_to(point: Point, after: &Assessment) -> Candidate {
        Candidate {
            line: [&[point][..], &after.line].concat(),
            chances: mirrored(after.chances),
            proven: after.proven.map(Proven::one_ply_earlier),
        }
    }

    /// Returns the move.
    #[must_use]
    pub fn point(&self) -> Point {
        self.line[0]
    }
}

/// Knowledge about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Assessment {
    /// The chances of the side to move, to four digits behind the point.
    pub chances: WinDrawLoss,
    /// The proof that one side wins, if there is one.
    pub proven: Option<Proven>,
    /// The best line for both sides, which begins with the best move; empty if the game is over.
    pub line: Vec<Point>,
    /// Other moves that were looked at, best first. Every move that is not among them is worth no
    /// more than the last, as far as the search saw.
    pub candidates: Vec<Candidate>,
    /// The attack with which the side to move wins against any defence, if one was found.
    pub attack: Option<Arc<Attack>>,
    /// The chances with the best line, where the side to move provably wins but nobody knows how it goes
    /// on: the win was proven earlier, and the opponent has left its line.
    pub line_chances: Option<WinDrawLoss>,
}

impl Assessment {
    /// Returns what a search says of a position whose result is open.
    #[must_use]
    pub const fn of_chances(chances: WinDrawLoss, line: Vec<Point>) -> Assessment {
        Assessment {
            chances,
            proven: None,
            line,
            candidates: Vec::new(),
            attack: None,
            line_chances: None,
        }
    }

    /// Returns what is known of a position in which a side provably wins.
    #[must_use]
    pub fn of_proof(proven: Proven, to_move: Color, line: Vec<Point>) -> Assessment {
        let chances = proven.chances(to_move);
        Assessment { proven: Some(proven), ..Assessment::of_chances(chances, line) }
    }

    /// Returns what is known of the position of a game that is over, or `None` if it goes on.
    #[must_use]
    pub fn of_ending(game: &Game) -> Option<Assessment> {
        match (game.outcome(), game.outcome().winner()) {
            (Outcome::Ongoing, _) => None,
            (_, Some(winner)) => {
                let proven = Proven { winner, plies: 0, means: WinMeans::Fours };
                Some(Assessment::of_proof(proven, game.to_move(), Vec::new()))
            }
            (_, None) => {
                let chances = WinDrawLoss { win: 0.0, draw: 1.0, loss: 0.0 };
                Some(Assessment::of_chances(chances, Vec::new()))
            }
        }
    }

    /// Returns the best move as one of several, if the game is not over.
    pub(super) fn as_candidate(&self) -> Option<Candidate> {
        let Assessment { chances, proven, ref line, .. } = *self;
        (!line.is_empty()).then(|| Candidate { line: line.clone(), chances, proven })
    }

    /// Makes the first candidate the best move if it provably wins and the best move does not.
    pub(super) fn prefer_proven_win(&mut self, to_move: Color) {
        let wins = |proven: &Option<Proven>| proven.is_some_and(|proven| proven.winner == to_move);
        if let Some(old) = self.as_candidate().filter(|old| !wins(&old.proven))
            && self.candidates.first().is_some_and(|candidate| wins(&candidate.proven))
        {
            let Candidate { line, chances, proven } = self.candidates.remove(0);
            (self.line, self.chances, self.proven) = (line, chances, proven);
            self.candidates.insert(0, old);
        }
    }

    /// Returns the best move, if the game is not over.
    #[must_use]
    pub fn best(&self) -> Option<Point> {
        self.line.first().copied()
    }
}

/// Returns chances that the opponent sees from the other side.
pub(super) const fn mirrored(chances: WinDrawLoss) -> WinDrawLoss {
    WinDrawLoss { win: chances.loss, draw: chances.draw, loss: chances.win }
}

/// Returns chances to four digits behind the point, which still add up to 1. So they are the same
/// when they come back from a file.
pub(super) fn rounded(chances: WinDrawLoss) -> WinDrawLoss {
    let parts = |chance: f64| (chance * 1e4).round();
    let (win, loss) = (parts(chances.win), parts(chances.loss));
    WinDrawLoss { win: win / 1e4, draw: (1e4 - win - loss) / 1e4, loss: loss / 1e4 }
}

/// A game to be reviewed: the stones that it begins with, and the moves by turns from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewTask {
    rule: Rule,
    start: Board,
    first: Color,
    moves: Vec<Point>,
    earlier: usize,
    book: usize,
}

impl ReviewTask {
    /// Makes a task of a game on an empty board, black first, whose first `book` moves were not the
    /// players' own.
    ///
    /// # Errors
    ///
    /// Returns the error of the first move that can't be played under the rule.
    pub fn new(
        size: Size,
        rule: Rule,
        moves: Vec<Point>,
        book: usize,
    ) -> Result<ReviewTask, PlayError> {
        Ok(ReviewTask::of_game(&Game::from_moves(size, rule, &moves)?, 0, book))
    }

    /// Returns the opening of a game of renju that began with one of the 26 on an empty board.
    #[must_use]
    pub fn opening(&self) -> Option<RenjuOpening> {
        let is_whole = self.rule == Rule::Renju
            && Color::ALL.iter().all(|&color| self.start.stones(color) == 0);
        let stones = self.moves.get(..3).filter(|_| is_whole)?;
        RenjuOpening::of(self.size(), stones)
    }

    /// Makes a task of a game that goes on after `earlier` moves of a record, which are on its first
    /// board; the first `book` moves of the record were not the players' own.
    #[must_use]
    pub fn of_game(game: &Game, earlier: usize, book: usize) -> ReviewTask {
        let moves = game.moves().to_vec();
        let mut start = game.clone();
        while start.undo().is_some() {}
        ReviewTask {
            rule: game.rule(),
            start: start.board().clone(),
            first: start.to_move(),
            moves,
            earlier,
            book: book.saturating_sub(earlier),
        }
    }

    /// Makes a task of a record, whose first `book` moves were not the players' own: of all of it, or of
    /// the longest part in which the players move in turn and no stones are set up. The rule of a record
    /// without one is freestyle.
    ///
    /// # Errors
    ///
    /// Returns the first fault of the record by its rule.
    pub fn of_record(record: &Record, book: usize) -> Result<ReviewTask, RuleFault> {
        // A pass at the end leads to no other position; after the end of the game it is none of its moves.
        let is_played = |m: &Move| m.kind != MoveKind::Pass;
        let count = record.moves.iter().rposition(is_played).map_or(0, |last| last + 1);
        let is_end = |&end: &usize| {
            let follows = |m: &Move| m.point().is_some() && m.color == record.to_move_after(end);
            !record.moves.get(end).is_some_and(follows)
        };
        let mut longest = record.game_after(count, Rule::Freestyle)?;
        let mut end = count;
        for other in (0..count).filter(is_end) {
            let game = record.game_after(other, Rule::Freestyle)?;
            if game.moves().len() > longest.moves().len() {
                (longest, end) = (game, other);
            }
        }
        Ok(ReviewTask::of_game(&longest, end - longest.moves().len(), book))
    }

    /// Returns the size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.start.size()
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the board before the first move.
    #[must_use]
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// Returns the moves, by turns.
    #[must_use]
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// Returns the side to move after the first `count` moves.
    #[must_use]
    pub fn to_move_after(&self, count: usize) -> Color {
        if count.is_multiple_of(2) { self.first } else { !self.first }
    }

    /// Returns the number of moves of the record before the first one.
    #[must_use]
    pub const fn earlier(&self) -> usize {
        self.earlier
    }

    /// Returns the number of first moves that were not the players' own.
    #[must_use]
    pub const fn book(&self) -> usize {
        self.book
    }

    /// Returns the number of positions: one more than moves.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.moves.len() + 1
    }

    /// Returns the game after the first `count` moves.
    pub(super) fn game_after(&self, count: usize) -> Game {
        let mut game = Game::from_board(self.rule, self.start.clone(), self.first);
        for &point in &self.moves[..count] {
            let played = game.play(point);
            debug_assert!(played.is_ok(), "the moves were played before");
        }
        game
    }

    /// Returns the position after the first `count` moves.
    pub(super) fn position_after(&self, count: usize) -> Position {
        let mut position = Position::from_board(self.rule, self.start.clone(), self.first);
        for &point in &self.moves[..count] {
            position.play_unchecked(point);
        }
        position
    }
}

/// Assesses positions.
///
/// The answer follows from the position and those since [`Assessor::begin`], in their order.
pub trait Assessor {
    /// Forgets everything before a game under a rule.
    fn begin(&mut self, rule: Rule);

    /// Returns what is known of a position whose game goes on, or `None` if `stop` was set
    /// before that was known.
    fn assess(&mut self, position: &mut Position, stop: &Stop) -> Option<Assessment>;

    /// Returns what such a position is worth if one of its moves must not be played, or `None` if
    /// it was interrupted. A proven loss means that all other moves lose. Candidates are not asked
    /// for.
    fn assess_without(
        &mut self,
        position: &mut Position,
        excluded: Point,
        stop: &Stop,
    ) -> Option<Assessment>;
}

/// The assessments of the last positions of a game, or of all.
#[derive(Clone, PartialEq, Debug)]
pub struct AssessedGame {
    /// The number of moves before the first position that was assessed; 0 if all were.
    pub first: usize,
    /// The assessments from there to the end of the game.
    pub positions: Vec<Assessment>,
}

impl AssessedGame {
    /// Returns whether all positions were assessed.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.first == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::double::points;
    use tengen_files::records::Arrangement;

    #[test]
    fn passes_at_the_end_shift_no_review() {
        let task = |record: &Record| ReviewTask::of_record(record, 0).unwrap();
        for cells in ["h8a1h7a2h6a3h5a4h4", "h8a1h7"] {
            let mut record = Record::of_points(Size::DEFAULT, &points(cells));
            let whole = task(&record);
            assert_eq!((whole.earlier(), whole.moves()), (0, &points(cells)[..]));
            for _ in 0..2 {
                record.moves.push(Move::pass(record.to_move()));
                assert_eq!(task(&record), whole, "{cells}");
            }
        }
        let mut record = Record::of_points(Size::DEFAULT, &points("h8a1"));
        record.moves.push(Move::set_up(Arrangement::default(), Color::Black));
        let later = points("h7a2h6");
        record.moves.extend((0..).zip(&later).map(|(i, &p)| Move::new(p, Color::to_move_after(i))));
        record.moves.push(Move::pass(Color::White));
        assert_eq!((task(&record).earlier(), task(&record).moves()), (3, &later[..]));
        assert!(task(&Record::new(Size::DEFAULT)).moves().is_empty());
    }
}
