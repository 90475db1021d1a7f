//! The position and the way to it.

use super::PlayFault;
use crate::explain::{Remark, remarks};
use tengen_core::board::Board;
use tengen_core::position::Position;
use tengen_core::rules::{
    Outcome, PlayError, Rule, Run, Violation, forbidden_points, outcome_after, standing_outcome,
    violation,
};
use tengen_core::types::{Cell, Color, Point, Size};
use tengen_engine::engine::Setup;
use tengen_files::records::{
    Arrangement, GameResult, MOST_MOVES, Move, MoveKind, Notes, Reason, Record, Variations,
};

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndOfGame {
    /// The result.
    pub result: GameResult,
    /// The reason; a file may not tell it.
    pub reason: Option<Reason>,
    /// The stones that have won, if any have.
    pub run: Option<Run>,
}

/// A game that people play: moves can be taken back, and positions set up.
///
/// The stones that were set up, and the first moves of its record, the *opening*, which were given,
/// stay when moves are taken back. Every judgement is that of `rules`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CasualGame {
    /// Everything but the rule, the end and the blocked cells. It gives the board and the side to move.
    record: Record,
    rule: Rule,
    walls: Vec<Point>,
    board: Board,
    to_move: Color,
    /// The moves that were taken back, the next one last.
    undone: Vec<Move>,
    end: Option<EndOfGame>,
}

impl CasualGame {
    /// Returns a game without stones; black is to move.
    #[must_use]
    pub fn new(size: Size, rule: Rule) -> CasualGame {
        CasualGame {
            record: Record::new(size),
            rule,
            walls: Vec::new(),
            board: Board::new(size),
            to_move: Color::Black,
            undone: Vec::new(),
            end: None,
        }
    }

    /// Returns the game of a record, with blocked cells. `rule` counts where the record has none.
    ///
    /// The end is that of the rules or, if the rules let the game go on, the one that is recorded.
    ///
    /// # Errors
    ///
    /// Returns an error if the stones do not fit the board, if a blocked cell has a stone, if a move comes after
    /// the end of the game by the rules, or if there are so many moves besides the stones that a game could not be
    /// saved once all cells are filled.
    pub fn from_record(
        mut record: Record,
        walls: &[Point],
        rule: Rule,
    ) -> Result<CasualGame, PlayFault> {
        record.check().map_err(PlayFault::Record)?;
        let mut game = CasualGame::new(record.size, record.rule.take().unwrap_or(rule));
        let (result, reason) = (record.result.take(), record.reason.take());
        let opening = record.opening;
        // Whose move the first one is has to be known when it is taken back.
        game.to_move = record.to_move_after(0);
        if game.to_move == Color::White {
            record.start.to_move = Some(Color::White);
        }
        let mut moves = std::mem::take(&mut record.moves);
        let played = moves.split_off(opening);
        game.record = record;
        for color in Color::ALL {
            for point in game.record.start.stones(color).collect::<Vec<Point>>() {
                game.check_empty(point)?;
                game.board.place(point, color);
            }
        }
        for m in moves {
            game.put_checked(m)?;
        }
        // They came after the opening: a stone of it may have been where one of them is.
        for &point in walls {
            game.check_empty(point)?;
            game.block(point);
        }
        game.end = game.standing_end();
        for (number, m) in (opening + 1..).zip(played) {
            if m.point().is_some() && game.end.is_some() {
                return Err(PlayFault::AfterEnd(number));
            }
            game.put_checked(m)?;
        }
        if let (None, Some(result)) = (&game.end, result) {
            game.end = Some(EndOfGame { result, reason, run: None });
        }
        // A move that is played takes a cell, so it stays true to the end, and a saved game can be read again.
        let most = MOST_MOVES - game.board.empty_cells();
        if game.record.moves.len() > most {
            return Err(PlayFault::TooLong(most));
        }
        Ok(game)
    }

    /// Returns the record of the game, with the rule and the end. Blocked cells are not in it.
    #[must_use]
    pub fn record(&self) -> Record {
        let end = self.end.clone();
        Record {
            rule: Some(self.rule),
            result: end.as_ref().map(|end| end.result),
            reason: end.and_then(|end| end.reason),
            ..self.record.clone()
        }
    }

    /// Drops what is said of the game and its moves, and the moves beside them: comments, notes and variations.
    pub fn drop_remarks(&mut self) {
        self.record.comment.clear();
        self.record.notes.clear();
        for m in self.record.moves.iter_mut().chain(&mut self.undone) {
            m.set_comment("");
            m.set_notes(Notes::EMPTY);
            m.set_variations(Variations::default());
        }
    }

    /// Returns the names of what is not in the record of the game.
    #[must_use]
    pub fn unrecorded(&self) -> Vec<&'static str> {
        let walls = (!self.walls.is_empty()).then_some("the blocked cells");
        walls.into_iter().collect()
    }

    /// Returns what is known of the game besides the position, to be changed. Moves, rule and end
    /// are not to be changed there.
    pub(super) const fn header_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    /// Returns the size of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.record.size
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the moves in playing order, those of the opening first. A game from a file may have
    /// passes among them, and changes of the position.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.record.moves
    }

    /// Returns the moves that were taken back, the next one last.
    #[must_use]
    pub fn undone(&self) -> &[Move] {
        &self.undone
    }

    /// Returns the number of first moves that were given.
    #[must_use]
    pub const fn opening(&self) -> usize {
        self.record.opening
    }

    /// Returns the number of stones on the board.
    #[must_use]
    pub fn stones(&self) -> usize {
        Color::ALL.into_iter().map(|color| self.board.stones(color)).sum()
    }

    /// Returns the number of stones that were set up before the first move.
    #[must_use]
    pub fn set_up_stones(&self) -> usize {
        self.record.start.cells.len()
    }

    /// Returns the blocked cells, in the order in which they were blocked.
    #[must_use]
    pub fn walls(&self) -> &[Point] {
        &self.walls
    }

    /// Returns the side to move, or the one that would be if the game went on.
    #[must_use]
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Returns the end of the game, if it has come.
    #[must_use]
    pub const fn end(&self) -> Option<&EndOfGame> {
        self.end.as_ref()
    }

    /// Returns whether nothing has happened yet: no stone, no blocked cell.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.record.moves.is_empty()
            && self.record.start.is_empty()
            && self.undone.is_empty()
            && self.walls.is_empty()
    }

    /// Returns the position for the engine.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let (start, played) = if self.record.changes_position() {
            (Arrangement::of_board(&self.board, self.to_move), &[][..])
        } else {
            (self.record.start.clone(), self.moves())
        };
        let set_up = start.cells.into_iter().filter_map(|(point, stone)| Some((point, stone?)));
        let played = played.iter().filter_map(|m| Some((m.point()?, m.color)));
        let stones = set_up.chain(played).collect();
        Setup {
            size: self.size(),
            rule: self.rule,
            stones,
            walls: self.walls.clone(),
            to_move: self.to_move,
        }
    }

    /// Returns the position, with its patterns.
    #[must_use]
    pub fn position(&self) -> Position {
        Position::from_board(self.rule, self.board.clone(), self.to_move)
    }

    /// Returns what a move of the side to move on an empty cell does, in players' words.
    #[must_use]
    pub fn remarks(&self, point: Point) -> Vec<Remark> {
        remarks(&mut self.position(), point)
    }

    /// Returns the cells that renju forbids to the side to move, with the reasons, row by row.
    #[must_use]
    pub fn forbidden(&self) -> Vec<(Point, Violation)> {
        if self.forbids() { forbidden_points(&self.board) } else { Vec::new() }
    }

    /// Returns whether the side to move may be forbidden something.
    fn forbids(&self) -> bool {
        self.rule == Rule::Renju && self.to_move == Color::Black && self.end.is_none()
    }

    /// Plays a move of the side to move, with everything that is known about it, and forgets the
    /// moves that were taken back.
    ///
    /// A forbidden cell is refused as long as black has another; if not, the move loses.
    ///
    /// # Errors
    ///
    /// Returns the reason why the move cannot be played.
    pub fn play(&mut self, m: Move) -> Result<(), PlayFault> {
        debug_assert_eq!(m.color, self.to_move, "a move of the side to move");
        if self.end.is_some() {
            return Err(PlayFault::Move(PlayError::GameOver));
        }
        if let Some(point) = m.point() {
            self.check_empty(point)?;
            if self.forbids()
                && let Some(kind) = violation(&self.board, point)
                && self.forbidden().len() < self.board.empty_cells()
            {
                return Err(PlayFault::Forbidden(point, kind));
            }
        }
        self.undone.clear();
        self.put(m);
        Ok(())
    }

    /// Takes back this number of moves, and the end of the game.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer.
    pub fn take_back(&mut self, count: usize) -> Result<(), PlayFault> {
        let most = self.moves().len() - self.opening();
        if count > most || most == 0 {
            return Err(PlayFault::TakeBack(most));
        }
        for _ in 0..count {
            self.undone.extend(self.record.moves.pop());
        }
        if count > 0 {
            self.end = None;
            self.rebuild();
        }
        Ok(())
    }

    /// Plays this number of moves again that were taken back.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer.
    pub fn redo(&mut self, count: usize) -> Result<(), PlayFault> {
        if count > self.undone.len() || self.undone.is_empty() {
            return Err(PlayFault::Redo(self.undone.len()));
        }
        if self.end.is_some() && count > 0 {
            return Err(PlayFault::Move(PlayError::GameOver));
        }
        for _ in 0..count {
            if let Some(m) = self.undone.pop() {
                self.put(m);
            }
        }
        Ok(())
    }

    /// Gives a cell another content. All stones then make a position that was set up: none of them
    /// can be taken back, and what was taken back is forgotten. Black is to move, or white if there
    /// are more black stones than white ones. Where no stone comes or goes, the moves stay moves, and
    /// the turn does not change.
    ///
    /// # Errors
    ///
    /// Returns an error if the cell is off the board.
    pub fn set_cell(&mut self, point: Point, cell: Cell) -> Result<(), PlayFault> {
        if !self.size().contains(point) {
            return Err(PlayFault::Move(PlayError::OffBoard(point)));
        }
        let had_stone = matches!(self.board.cell(point), Cell::Stone(_));
        if !had_stone && !matches!(cell, Cell::Stone(_)) {
            // The moves stay what they are, but none of them is the last word any more.
            self.walls.retain(|&wall| wall != point);
            self.walls.extend((cell == Cell::Wall).then_some(point));
            self.record.opening = self.record.moves.len();
            self.undone.clear();
            self.rebuild();
            self.end = self.standing_end();
            return Ok(());
        }
        let mut stones = Arrangement::of_board(&self.board, self.to_move).cells;
        stones.retain(|(other, _)| *other != point);
        self.walls.retain(|&wall| wall != point);
        match cell {
            Cell::Empty => {}
            Cell::Wall => self.walls.push(point),
            Cell::Stone(color) => stones.push((point, Some(color))),
        }
        self.set_up(Arrangement { cells: stones, to_move: None });
        Ok(())
    }

    /// Gives the move to a side, in a position that is set up thereby.
    pub fn set_to_move(&mut self, color: Color) {
        self.set_up(Arrangement::of_board(&self.board, color));
    }

    /// Makes these stones and the blocked cells the position that the game begins with.
    fn set_up(&mut self, start: Arrangement) {
        self.record.start = start;
        self.record.opening = 0;
        self.record.moves.clear();
        self.undone.clear();
        self.rebuild();
        if !self.record.start.cells.is_empty() || self.to_move == Color::White {
            self.record.start.to_move = Some(self.to_move);
        }
        self.end = self.standing_end();
    }

    /// Brings the board and the side to move in line with the record and the blocked cells.
    fn rebuild(&mut self) {
        let board = self.record.board_after(usize::MAX);
        debug_assert!(board.is_ok(), "the moves were played before");
        self.board = board.unwrap_or_else(|_| Board::new(self.size()));
        self.walls.iter().for_each(|&wall| self.board.place_wall(wall));
        self.to_move = self.record.to_move();
    }

    /// Ends a game that goes on.
    pub(super) fn finish(&mut self, result: GameResult, reason: Reason) {
        debug_assert!(self.end.is_none(), "a game ends once");
        self.end = Some(EndOfGame { result, reason: Some(reason), run: None });
    }

    /// Restores what a record does not hold of a game that was saved: the side to move, and the
    /// moves that were taken back, the next one last, on cells that are empty.
    pub(super) fn restore(&mut self, to_move: Color, undone: Vec<Move>) {
        if to_move != self.to_move {
            // The last stone need not be the opponent's in a position that was set up.
            let end = self.end.take();
            self.set_to_move(to_move);
            self.end = end;
        }
        self.undone = undone;
    }

    /// Makes a move of a record, if its stone is on an empty cell and its change leaves blocked ones alone.
    fn put_checked(&mut self, m: Move) -> Result<(), PlayFault> {
        m.point().map_or(Ok(()), |point| self.check_empty(point))?;
        let mut changed = m.arrangement().cells.iter();
        if let Some(&(point, _)) = changed.find(|(point, _)| self.walls.contains(point)) {
            return Err(PlayFault::Blocked(point));
        }
        self.put(m);
        Ok(())
    }

    fn check_empty(&self, point: Point) -> Result<(), PlayFault> {
        if !self.size().contains(point) {
            return Err(PlayFault::Move(PlayError::OffBoard(point)));
        }
        match self.board.cell(point) {
            Cell::Empty => Ok(()),
            Cell::Wall => Err(PlayFault::Blocked(point)),
            Cell::Stone(_) => Err(PlayFault::Move(PlayError::Occupied(point))),
        }
    }

    fn block(&mut self, point: Point) {
        self.board.place_wall(point);
        self.walls.push(point);
    }

    /// Makes a move that can be made, and looks for the end.
    fn put(&mut self, m: Move) {
        let applied = m.apply(&mut self.board);
        debug_assert!(applied.is_ok(), "the cells were looked at");
        self.to_move = !m.color;
        match m.kind {
            MoveKind::Stone(point) => {
                self.end = end_of(outcome_after(&self.board, point, self.rule));
            }
            MoveKind::Pass => {}
            MoveKind::SetUp => self.end = self.standing_end(),
        }
        self.record.moves.push(m);
    }

    /// Returns the end of a position without a last move.
    fn standing_end(&self) -> Option<EndOfGame> {
        end_of(standing_outcome(&self.board, self.rule))
    }
}

/// Returns the end that an outcome is.
fn end_of(outcome: Outcome) -> Option<EndOfGame> {
    let (result, reason, run) = match outcome {
        Outcome::Ongoing => return None,
        Outcome::Won(run) => (GameResult::Win(run.color), Reason::Five, Some(run)),
        Outcome::Draw => (GameResult::Draw, Reason::FullBoard, None),
        Outcome::Forbidden(_, kind) => {
            (GameResult::Win(Color::White), Reason::Forbidden(kind), None)
        }
    };
    Some(EndOfGame { result, reason: Some(reason), run })
}
