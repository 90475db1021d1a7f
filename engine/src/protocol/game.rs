//! The position that the session and its manager agree on.

use std::cmp::Reverse;

use thiserror::Error;

use super::text::BlockEntry;
use crate::database::{Placement, PlacementError};
use crate::engine::Setup;
use tengen_core::board::Board;
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, OrderedMove};
use tengen_core::patterns::PointClass;
use tengen_core::position::Position;
use tengen_core::rules::{Rule, forbidden_points, violation};
use tengen_core::sys::panics;
use tengen_core::threats::{ThreatCheck, full_threat_check};
use tengen_core::types::{Color, Point, PointSet, Size};

/// The error of a command that needs a board before there is one.
pub(super) const NO_BOARD: &str = "there is no board: START comes first";

/// The stones in playing order, with a board kept in step.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct SessionGame {
    board: Board,
    stones: Vec<(Point, Color)>,
    walls: Vec<Point>,
    to_move: Color,
}

/// A stone that can't be placed or removed, or a block that can't be a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum GameError {
    /// The cell is not on the board.
    #[error("the cell is off the board")]
    OffBoard,
    /// The cell is not empty.
    #[error("the cell is occupied")]
    Occupied,
    /// The stone is not the last one.
    #[error("only the last stone can be taken back")]
    NotLast,
    /// There is no stone to take back.
    #[error("there is no stone to take back")]
    Empty,
    /// The entry of this number, counted from 1, is off the board.
    #[error("stone {0} of the block is off the board")]
    EntryOffBoard(usize),
    /// The entry of this number has the cell of an earlier one.
    #[error("stone {0} of the block is on an occupied cell")]
    EntryOccupied(usize),
    /// The entry of this number has no owner.
    #[error("stone {0} of the block has no owner: 1 or 2 or 3 is expected")]
    EntryOwner(usize),
    /// A swap2 opening has this many stones.
    #[error("a swap2 opening has 0 or 3 or 5 stones and not {0}")]
    Swap2Stage(usize),
}

impl SessionGame {
    /// Returns an empty board with black to move.
    pub(super) fn new(size: Size) -> SessionGame {
        SessionGame {
            board: Board::new(size),
            stones: Vec::new(),
            walls: Vec::new(),
            to_move: Color::Black,
        }
    }

    /// Returns the position of a `BOARD` block: 1 is a stone of the side to move, 2 of the other,
    /// 3 a neutral one.
    ///
    /// Black follows from the counts, since the order may be arbitrary. Where the counts fit
    /// neither side, the owner of the first stone is black and missing moves count as passes.
    pub(super) fn from_board(size: Size, entries: &[BlockEntry]) -> Result<SessionGame, GameError> {
        let owned_by = |owner| entries.iter().filter(|e| e.field == Some(owner)).count();
        let (own, opponent) = (owned_by(1), owned_by(2));
        let first = entries.iter().find_map(|e| e.field.filter(|owner| [1, 2].contains(owner)));
        let to_move = if own == opponent {
            Color::Black
        } else if opponent == own + 1 || first == Some(2) {
            Color::White
        } else {
            Color::Black
        };
        let mut game = SessionGame { to_move, ..SessionGame::new(size) };
        for (i, entry) in entries.iter().enumerate() {
            let point = game.entry_point(i + 1, entry)?;
            match entry.field {
                Some(1) => game.put(point, to_move),
                Some(2) => game.put(point, !to_move),
                Some(3) => {
                    game.board.place_wall(point);
                    game.walls.push(point);
                }
                _ => return Err(GameError::EntryOwner(i + 1)),
            }
        }
        Ok(game)
    }

    /// Returns the position of a `SWAP2BOARD` block, whose stones alternate from black on.
    pub(super) fn from_swap2(size: Size, entries: &[BlockEntry]) -> Result<SessionGame, GameError> {
        if ![0, 3, 5].contains(&entries.len()) {
            return Err(GameError::Swap2Stage(entries.len()));
        }
        SessionGame::from_moves(size, entries)
    }

    /// Returns the position after moves by black and white in turn.
    pub(super) fn from_moves(size: Size, entries: &[BlockEntry]) -> Result<SessionGame, GameError> {
        let mut game = SessionGame::new(size);
        for (i, entry) in entries.iter().enumerate() {
            let point = game.entry_point(i + 1, entry)?;
            game.play(point);
        }
        Ok(game)
    }

    /// Returns the position before the first stone and after each, for a database.
    pub(super) fn placements(&self, rule: Rule) -> Result<Vec<Placement>, PlacementError> {
        let mut board = Board::new(self.size());
        self.walls.iter().for_each(|&wall| board.place_wall(wall));
        let first = self.stones.first().map_or(self.to_move, |&(_, color)| color);
        let mut line = vec![Placement::new(rule, board.clone(), first)?];
        for (i, &(point, color)) in self.stones.iter().enumerate() {
            board.place(point, color);
            let next = self.stones.get(i + 1).map_or(self.to_move, |&(_, color)| color);
            line.push(Placement::new(rule, board.clone(), next)?);
        }
        Ok(line)
    }

    fn entry_point(&self, number: usize, entry: &BlockEntry) -> Result<Point, GameError> {
        self.empty_point(entry.x, entry.y).map_err(|error| match error {
            GameError::OffBoard => GameError::EntryOffBoard(number),
            _ => GameError::EntryOccupied(number),
        })
    }

    /// Returns the size of the board.
    pub(super) fn size(&self) -> Size {
        self.board.size()
    }

    /// Returns the number of stones, without neutral ones.
    pub(super) fn stones(&self) -> usize {
        self.stones.len()
    }

    /// Returns the last stone.
    pub(super) fn last_move(&self) -> Option<Point> {
        self.stones.last().map(|&(point, _)| point)
    }

    /// Returns the number of empty cells.
    pub(super) fn empty_cells(&self) -> usize {
        self.board.empty_cells()
    }

    /// Returns whether no cell is left to play on.
    pub(super) fn is_full(&self) -> bool {
        self.board.empty_cells() == 0
    }

    /// Returns whether a stone can be placed on a point, which may be of another board.
    pub(super) fn is_empty(&self, point: Point) -> bool {
        self.size().contains(point) && self.board.is_empty(point)
    }

    /// Returns the cell with the given coordinates, on which a stone can be placed.
    pub(super) fn empty_point(&self, x: i64, y: i64) -> Result<Point, GameError> {
        let point = self.size().point(x, y).ok_or(GameError::OffBoard)?;
        if self.board.is_empty(point) { Ok(point) } else { Err(GameError::Occupied) }
    }

    /// Places a stone of the side to move on an empty cell.
    pub(super) fn play(&mut self, point: Point) {
        self.put(point, self.to_move);
        self.to_move = !self.to_move;
    }

    fn put(&mut self, point: Point, color: Color) {
        self.board.place(point, color);
        self.stones.push((point, color));
    }

    /// Removes the last stone, which must have the given coordinates; its owner is to move.
    pub(super) fn take_back(&mut self, x: i64, y: i64) -> Result<(), GameError> {
        let point = self.size().point(x, y).ok_or(GameError::OffBoard)?;
        match self.stones.last() {
            None => Err(GameError::Empty),
            Some(&(last, _)) if last != point => Err(GameError::NotLast),
            Some(&(last, color)) => {
                self.board.remove(last, color);
                self.stones.pop();
                self.to_move = color;
                Ok(())
            }
        }
    }

    /// Returns the position for the engine.
    pub(super) fn setup(&self, rule: Rule) -> Setup {
        Setup {
            size: self.size(),
            rule,
            stones: self.stones.clone(),
            walls: self.walls.clone(),
            to_move: self.to_move,
        }
    }

    /// Returns the empty cells that the rule forbids to the side to move, row by row.
    pub(super) fn forbidden(&self, rule: Rule) -> Vec<Point> {
        if rule != Rule::Renju || self.to_move != Color::Black {
            return Vec::new();
        }
        forbidden_points(&self.board).into_iter().map(|(point, _)| point).collect()
    }

    /// Returns whether the rule forbids the side to move to play on an empty cell.
    fn is_forbidden(&self, rule: Rule, point: Point) -> bool {
        rule == Rule::Renju
            && self.to_move == Color::Black
            && violation(&self.board, point).is_some()
    }

    /// Returns whether the side to move may play `point`: it is empty, and it is not forbidden
    /// unless every empty cell is.
    pub(super) fn is_playable(&self, rule: Rule, point: Point) -> bool {
        self.is_empty(point)
            && (!self.is_forbidden(rule, point)
                || self.size().points().all(|p| !self.is_empty(p) || self.is_forbidden(rule, p)))
    }

    /// Returns a move for when no search has found one: the best at first sight, or the playable cell
    /// nearest to the last stone if even that cannot be had, and none that is to be avoided if there
    /// is another; `None` if the board is full.
    pub(super) fn fallback(&self, rule: Rule, avoid: PointSet) -> Option<Point> {
        let near = self.stones.last().map_or(self.size().center(), |&(point, _)| point);
        let center = self.size().center();
        let forbidden = self.forbidden(rule);
        let all = forbidden.len() == self.board.empty_cells();
        let playable: PointSet = self
            .size()
            .points()
            .filter(|point| self.board.is_empty(*point) && (all || !forbidden.contains(point)))
            .collect();
        let welcome = playable & !avoid;
        let wanted = if welcome.is_empty() { playable } else { welcome };
        // A panic may be the reason why nothing was found.
        let seen = panics::catch(|| self.best_at_sight(rule, wanted)).ok().flatten();
        seen.or_else(|| {
            wanted.iter().min_by_key(|&point| (point.distance(near), point.distance(center)))
        })
    }

    /// Returns the best of some empty cells without a search: one that wins at once, or else one that
    /// stops what the opponent threatens, and the first in the order of the tables among those. `None`
    /// if none of the cells is near a stone.
    fn best_at_sight(&self, rule: Rule, cells: PointSet) -> Option<Point> {
        let mut position = Position::from_board(rule, self.board.clone(), self.to_move);
        let check = full_threat_check(&mut position);
        let (us, them) = (self.to_move, !self.to_move);
        let of = |color, class| position.cells_of(color, class).collect::<PointSet>();
        let urgent = match check {
            ThreatCheck::Win(1) => of(us, PointClass::Five),
            ThreatCheck::Win(3) => of(us, PointClass::OpenFour),
            ThreatCheck::Win(_) => PointSet::EMPTY,
            ThreatCheck::Loss(_) => of(them, PointClass::Five),
            ThreatCheck::Open(replies) => replies.set().unwrap_or(PointSet::EMPTY),
        };
        let mut evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, rule);
        evaluator.reset(&position);
        let mut moves = Vec::new();
        evaluator.order(&position, cells & position.tracker().near(), &mut moves);
        let center = self.size().center();
        let best = moves.iter().max_by_key(|OrderedMove { point, order }| {
            (urgent.contains(*point), *order, Reverse(point.distance(center)))
        });
        best.map(|best| best.point)
    }

    /// Returns the `count` empty cells nearest to the centre, or fewer on a crowded board.
    pub(super) fn central(&self, count: usize) -> Vec<Point> {
        let center = self.size().center();
        let mut empties: Vec<Point> =
            self.size().points().filter(|&point| self.board.is_empty(point)).collect();
        empties.sort_by_key(|point| point.distance(center));
        empties.truncate(count);
        empties
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Column, row and owner.
    type Stone = (i64, i64, i64);

    fn entries(stones: &[Stone]) -> Vec<BlockEntry> {
        stones.iter().map(|&(x, y, owner)| BlockEntry { x, y, field: Some(owner) }).collect()
    }

    fn board(stones: &[Stone]) -> Result<SessionGame, GameError> {
        SessionGame::from_board(Size::square(15).unwrap(), &entries(stones))
    }

    #[test]
    fn the_counts_tell_who_is_black_whatever_the_order() {
        let cases: [(&[Stone], Color); 7] = [
            (&[], Color::Black),
            (&[(7, 7, 2)], Color::White),
            (&[(7, 7, 2), (8, 8, 1)], Color::Black),
            (&[(7, 7, 1), (8, 8, 2), (9, 9, 2)], Color::White),
            (&[(7, 7, 2), (8, 8, 2), (9, 9, 1), (0, 0, 3)], Color::White),
            // Irregular: the owner of the first stone is black.
            (&[(7, 7, 1), (8, 8, 1), (9, 9, 1), (5, 5, 2)], Color::Black),
            (&[(7, 7, 2), (8, 8, 2), (9, 9, 2)], Color::White),
        ];
        for (stones, to_move) in cases {
            let game = board(stones).ok().unwrap();
            assert_eq!(game.to_move, to_move, "{stones:?}");
            for &(x, y, owner) in stones.iter().filter(|stone| stone.2 != 3) {
                let point = game.size().point(x, y).unwrap();
                let color = if owner == 1 { to_move } else { !to_move };
                assert!(game.stones.contains(&(point, color)), "{stones:?}");
            }
        }
    }

    #[test]
    fn impossible_blocks_name_the_stone() {
        let error = |stones: &[Stone]| board(stones).err();
        assert_eq!(error(&[(7, 7, 2), (7, 7, 1)]), Some(GameError::EntryOccupied(2)));
        assert_eq!(error(&[(7, 7, 2), (15, 0, 1)]), Some(GameError::EntryOffBoard(2)));
        assert_eq!(error(&[(7, 7, 0)]), Some(GameError::EntryOwner(1)));
        assert_eq!(error(&[(7, 7, 4)]), Some(GameError::EntryOwner(1)));
        assert_eq!(error(&[(7, 7, 3), (7, 7, 1)]), Some(GameError::EntryOccupied(2)));
    }

    #[test]
    fn taking_back_is_the_inverse_of_playing() {
        let mut game = board(&[(7, 7, 2)]).ok().unwrap();
        let point = game.empty_point(8, 8).unwrap();
        game.play(point);
        assert_eq!(game.take_back(7, 7), Err(GameError::NotLast));
        assert_eq!(game.take_back(8, 8), Ok(()));
        assert_eq!(game.to_move, Color::White);
        assert_eq!(game.take_back(7, 7), Ok(()));
        assert_eq!(game.take_back(7, 7), Err(GameError::Empty));
        assert!(game.board == Board::new(game.size()));
    }

    #[test]
    fn a_forbidden_point_is_playable_only_if_no_other_is_left() {
        let size = Size::square(6).unwrap();
        // A row of five with a gap, whose filling would be an overline, and neutral stones.
        let mut stones: Vec<Stone> = [0, 1, 2, 4, 5].map(|x| (x, 0, 1)).to_vec();
        stones.extend((1..6).flat_map(|y| (0..6).map(move |x| (x, y, 3))));
        let gap = size.point(3, 0).unwrap();
        let crowded = SessionGame::from_board(size, &entries(&stones)).unwrap();
        assert!(crowded.is_playable(Rule::Renju, gap));
        stones.pop();
        let roomier = SessionGame::from_board(size, &entries(&stones)).unwrap();
        assert!(!roomier.is_playable(Rule::Renju, gap));
        assert!(roomier.is_playable(Rule::Freestyle, gap));
    }

    #[test]
    fn the_fallback_is_an_empty_cell_until_the_board_is_full() {
        let mut game = SessionGame::new(Size::square(5).unwrap());
        for _ in 0..25 {
            let point = game.fallback(Rule::Freestyle, PointSet::EMPTY).unwrap();
            assert!(game.is_playable(Rule::Freestyle, point));
            game.play(point);
        }
        assert!(game.is_full());
        assert_eq!(game.fallback(Rule::Freestyle, PointSet::EMPTY), None);
    }

    #[test]
    fn the_fallback_wins_at_once_or_stops_what_threatens() {
        let size = Size::DEFAULT;
        let of = |stones: &[Stone], rule, avoid: &[(i64, i64)]| {
            let game = SessionGame::from_board(size, &entries(stones)).unwrap();
            let avoid = avoid.iter().map(|&(x, y)| size.point(x, y).unwrap()).collect();
            let point = game.fallback(rule, avoid).unwrap();
            (point.x(), point.y())
        };
        // Both have a four with one end; the last stone is elsewhere.
        let four = |y, owner| (3..7).map(move |x| (x, y, owner));
        let stones: Vec<Stone> =
            four(4, 2).chain([(2, 4, 1)]).chain([(12, 12, 1), (13, 2, 1), (12, 1, 1)]).collect();
        assert_eq!(of(&stones, Rule::Freestyle, &[]), (7, 4));
        let stones: Vec<Stone> =
            four(4, 2).chain(four(9, 1)).chain([(2, 4, 1), (2, 9, 2)]).collect();
        assert_eq!(of(&stones, Rule::Freestyle, &[]), (7, 9));
        assert_eq!(of(&stones, Rule::Freestyle, &[(7, 9)]), (7, 4));
        // An open three is stopped at one of its cells, or by a four.
        let three: Vec<Stone> = (6..9).map(|x| (x, 7, 2)).chain([(1, 1, 1), (13, 13, 1)]).collect();
        let (x, y) = of(&three, Rule::Standard, &[]);
        assert!(y == 7 && [4, 5, 9, 10].contains(&x), "{x},{y}");
    }
}
