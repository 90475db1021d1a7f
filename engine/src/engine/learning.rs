//! Results that searches store in a database.

use std::sync::Arc;

use super::known_positions::KnownPositions;
use crate::database::{
    Access, DatabaseError, Evaluation, Placement, PositionDatabase, PositionEntry, ProvenResult,
};
use tengen_core::board::Board;
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::{SearchResult, UNKNOWN_LENGTH};
use tengen_core::types::{Bound, Color, Ply, Point, Score, ScoreKind};

/// The depth of a search in plies from which a database remembers its value.
const LEAST_DEPTH: u32 = 8;

/// A database that searches use.
#[derive(Clone, Debug)]
pub struct UsedDatabase {
    /// The database.
    pub database: Arc<PositionDatabase>,
    /// True if searches leave it as it is.
    pub is_read_only: bool,
}

impl UsedDatabase {
    /// Returns what is known now, for a search under this rule.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub(super) fn known(&self, rule: Rule) -> Result<KnownPositions, DatabaseError> {
        Ok(KnownPositions::new(self.database.read()?, rule))
    }

    /// Returns whether results are remembered.
    pub(super) fn learns(&self) -> bool {
        !self.is_read_only && self.database.access() != Access::Read
    }
}

/// The result of a search, for a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    rule: Rule,
    board: Board,
    to_move: Color,
    score: Score,
    depth: u32,
    line: Vec<Point>,
}

impl Finding {
    /// Adds what was found to what a database knows; all of it is saved when the call returns.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be written.
    pub fn write_to(&self, database: &PositionDatabase) -> Result<(), DatabaseError> {
        database.write(|writer| {
            for (placement, entry) in self.entries() {
                let mapped = placement.key();
                writer.merge_stored(&mapped.key, &mapped.stored(entry))?;
            }
            Ok(())
        })
    }

    /// Returns what a search of a position has found: a score at a depth in plies, with its line, which
    /// begins with the best move.
    #[must_use]
    pub fn new(position: &Position, score: Score, depth: u32, line: &[Point]) -> Finding {
        Finding {
            rule: position.rule(),
            board: position.board().clone(),
            to_move: position.to_move(),
            score,
            depth,
            line: line.to_vec(),
        }
    }

    /// Returns what is worth remembering of a result, if it is.
    pub(super) fn of(position: &Position, result: &SearchResult) -> Option<Finding> {
        let (score, depth, line) = result.settled();
        let is_worth_it = depth >= LEAST_DEPTH || score.is_decisive();
        is_worth_it.then(|| Finding::new(position, score, depth, line))
    }

    /// Returns the position of the search and the one after its move; of a win or loss, all on the way to
    /// its end, as far as the line goes.
    #[must_use]
    pub fn entries(&self) -> Vec<(Placement, PositionEntry)> {
        let Ok(mut placement) = Placement::new(self.rule, self.board.clone(), self.to_move) else {
            return Vec::new();
        };
        let positions = if self.score.is_decisive() { usize::MAX } else { 2 };
        // A search adds plies to a length that nobody knows, and that stays unknown on the whole line.
        let is_known = match self.score.kind() {
            ScoreKind::Win(plies) | ScoreKind::Loss(plies) => plies < UNKNOWN_LENGTH,
            ScoreKind::Value(_) => false,
        };
        let length = |plies: u16| Some(plies).filter(|_| is_known);
        let mut entries = Vec::new();
        let (mut score, mut depth) = (self.score, self.depth);
        for i in 0..positions {
            let best = self.line.get(i).copied();
            let result = match score.kind() {
                ScoreKind::Win(plies) => Some(ProvenResult::Win(length(plies))),
                ScoreKind::Loss(plies) => Some(ProvenResult::Loss(length(plies))),
                ScoreKind::Value(_) => None,
            };
            let depth_of_entry = i16::try_from(depth).unwrap_or(i16::MAX);
            let evaluation = match result {
                Some(_) => None,
                None => {
                    Some(Evaluation { score, depth: depth_of_entry, bound: Some(Bound::Exact) })
                }
            };
            let entry = PositionEntry { result, evaluation, best, ..PositionEntry::default() };
            entries.push((placement.clone(), entry));
            // A line ends with a forbidden move if black has no other: another order of the same stones is
            // not lost by that.
            let is_possible =
                |at: &Point| placement.board().is_empty(*at) && !placement.forbids(*at);
            if best.filter(is_possible).is_none_or(|point| placement.play(point).is_err()) {
                break;
            }
            // A ply nearer to the end, and from the other side.
            score = match score.kind() {
                ScoreKind::Win(0 | 1) | ScoreKind::Loss(0 | 1) => break,
                ScoreKind::Win(plies) => Score::loss_in(Ply(plies - 1)),
                ScoreKind::Loss(plies) => Score::win_in(Ply(plies - 1)),
                ScoreKind::Value(_) => -score,
            };
            depth = depth.saturating_sub(1);
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::notation::parse_moves;
    use tengen_core::types::Size;

    fn found(score: Score, line: &[(i64, i64)]) -> Vec<(Placement, PositionEntry)> {
        let position = Position::new(Rule::Freestyle, Size::DEFAULT);
        let line: Vec<Point> =
            line.iter().map(|&(x, y)| Size::DEFAULT.point(x, y).unwrap()).collect();
        let (best, finished) = (line[0], None);
        let result = SearchResult { best, score, depth: 12, line, nodes: 1, finished };
        Finding::of(&position, &result).map_or_else(Vec::new, |finding| finding.entries())
    }

    #[test]
    fn a_value_is_that_of_two_positions() {
        let entries = found(Score::eval(35), &[(7, 7), (8, 8), (9, 9)]);
        let values: Vec<_> = entries.iter().filter_map(|(_, entry)| entry.evaluation).collect();
        assert_eq!(values.len(), 2);
        assert_eq!((values[0].score, values[0].depth), (Score::eval(35), 12));
        assert_eq!((values[1].score, values[1].depth), (Score::eval(-35), 11));
        assert_eq!(entries[1].0.stones(), 1);
        assert_eq!(entries[1].1.best, Size::DEFAULT.point(8, 8));
    }

    #[test]
    fn a_win_is_one_in_every_position_of_its_line() {
        let line = [(7, 7), (0, 0), (7, 8), (0, 1), (7, 9)];
        let entries = found(Score::win_in(Ply(5)), &line);
        let results: Vec<_> = entries.iter().filter_map(|(_, entry)| entry.result).collect();
        let expected = [
            ProvenResult::Win(Some(5)),
            ProvenResult::Loss(Some(4)),
            ProvenResult::Win(Some(3)),
            ProvenResult::Loss(Some(2)),
            ProvenResult::Win(Some(1)),
        ];
        assert_eq!(results, expected);
    }

    #[test]
    fn nothing_is_said_of_stones_of_which_the_last_was_forbidden() {
        let stones = parse_moves("i8a1j8a15h9o1h10o15", Size::DEFAULT).unwrap();
        let placement = Placement::of_moves(Rule::Renju, Size::DEFAULT, &stones).unwrap();
        let position =
            Position::from_board(Rule::Renju, placement.board().clone(), placement.to_move());
        let of = |line: &str| {
            let line = parse_moves(line, Size::DEFAULT).unwrap();
            Finding::new(&position, Score::loss_in(Ply(2)), 2, &line).entries().len()
        };
        assert_eq!((of("h8"), of("h7")), (1, 2));
    }

    #[test]
    fn a_length_that_nobody_knows_stays_unknown_on_the_whole_line() {
        let entries = found(Score::win_in(Ply(UNKNOWN_LENGTH)), &[(7, 7)]);
        let results: Vec<_> = entries.iter().filter_map(|(_, entry)| entry.result).collect();
        assert_eq!(results, [ProvenResult::Win(None), ProvenResult::Loss(None)]);
    }
}
