//! The options of a search, apart from its limits.

use std::collections::HashMap;

use super::known::Knowledge;
use super::params::Params;
use super::report::Mark;
use crate::board::Board;
use crate::types::{Color, Key, Point, PointSet, Size};

/// The options of a search.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// Answers without a search if the threats on the board force the move.
    pub answer_at_once: bool,
    /// The number of best lines to search, at least 1. With more than one, moves that lose at once
    /// are searched too.
    pub lines: usize,
    /// True if every empty cell is a candidate, everywhere in the tree, instead of only cells near
    /// a stone.
    pub whole_board: bool,
    /// Searches only one of several moves that are equal by symmetry.
    pub merge_symmetric: bool,
    /// The depth of the first iteration, in plies.
    pub start_depth: u32,
    /// Moves that must not be played.
    pub blocks: Option<&'a Blocks>,
    /// The length, in plies, of a win found by an earlier search; a longer one does not end this
    /// search.
    pub promised: Option<u16>,
    /// The parameters of the search.
    pub params: Params,
    /// Knowledge about positions, such as from a database.
    pub known: Option<&'a dyn Knowledge>,
    /// The receiver of marks of the root moves, if any.
    pub marks: Option<&'a (dyn Fn(Mark) + Sync)>,
}

impl Default for Options<'_> {
    /// Searches for the best move, with one thread and without limits.
    fn default() -> Self {
        Options {
            threads: 1,
            answer_at_once: false,
            lines: 1,
            whole_board: false,
            merge_symmetric: false,
            start_depth: 1,
            blocks: None,
            promised: None,
            params: Params::DEFAULT,
            known: None,
            marks: None,
        }
    }
}

/// Moves that the user excludes from an analysis.
///
/// A blocked point is excluded at the root. A blocked path excludes its last move wherever the
/// position before it arises, in whatever order its stones were played. Positions along the path
/// are judged by search alone, without static threats and table entries.
#[derive(Clone, Default, Debug)]
pub struct Blocks {
    points: PointSet,
    /// The positions along the paths, with the moves excluded there.
    paths: HashMap<Key, PointSet>,
    salt: u64,
}

impl Blocks {
    /// Makes blocks from points and from paths, which start from the empty board of a size with
    /// black to move. Paths that cannot be played on this board have no effect.
    #[must_use]
    pub fn new(size: Size, points: &[Point], paths: &[Vec<Point>]) -> Blocks {
        let mut blocks = Blocks {
            points: points.iter().copied().filter(|&p| size.contains(p)).collect(),
            ..Blocks::default()
        };
        for path in paths {
            blocks.add_path(size, path);
        }
        blocks
    }

    fn add_path(&mut self, size: Size, path: &[Point]) {
        let Some((&last, before)) = path.split_last() else { return };
        let playable = |i: usize, p: &Point| size.contains(*p) && !path[..i].contains(p);
        if !path.iter().enumerate().all(|(i, p)| playable(i, p)) {
            return;
        }
        let mut board = Board::new(size);
        let mut color = Color::Black;
        let key = |board: &Board, color| board.key() ^ crate::board::side_key(color);
        for &point in before {
            self.paths.entry(key(&board, color)).or_default();
            board.place(point, color);
            color = !color;
        }
        let here = key(&board, color);
        self.paths.entry(here).or_default().insert(last);
        // Independent of the order of the paths, so that results found under them can be reused.
        let one = (here.0 ^ last.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.salt = self.salt.wrapping_add(one | 1);
    }

    /// Returns the points excluded at the root.
    #[must_use]
    pub fn points(&self) -> PointSet {
        self.points
    }

    /// Returns whether there are any paths.
    #[must_use]
    pub fn has_paths(&self) -> bool {
        !self.paths.is_empty()
    }

    /// Returns the moves excluded in a position, or `None` if no path leads through it.
    #[must_use]
    pub fn at(&self, key: Key) -> Option<PointSet> {
        self.paths.get(&key).copied()
    }

    /// Returns the salt that separates table entries found under these paths from all others.
    #[must_use]
    pub fn salt(&self) -> u64 {
        self.salt
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::Rule;

    fn points(size: Size, cells: &[(i64, i64)]) -> Vec<Point> {
        cells.iter().map(|&(x, y)| size.point(x, y).unwrap()).collect()
    }

    #[test]
    fn a_path_blocks_its_last_move_in_the_position_before_it() {
        let size = Size::square(15).unwrap();
        let path = points(size, &[(7, 7), (8, 8), (6, 6)]);
        let blocks = Blocks::new(size, &[], std::slice::from_ref(&path));
        let mut position = Position::new(Rule::Freestyle, size);
        assert_eq!(blocks.at(position.key()), Some(PointSet::EMPTY));
        position.play_unchecked(path[0]);
        assert_eq!(blocks.at(position.key()), Some(PointSet::EMPTY));
        position.play_unchecked(path[1]);
        assert_eq!(blocks.at(position.key()), Some([path[2]].into_iter().collect()));
        position.play_unchecked(path[2]);
        assert_eq!(blocks.at(position.key()), None);
    }

    #[test]
    fn paths_that_cannot_be_played_have_no_effect() {
        let size = Size::square(15).unwrap();
        let large = Size::square(20).unwrap();
        let twice = points(size, &[(7, 7), (7, 7)]);
        let outside = points(large, &[(7, 7), (19, 19)]);
        let blocks = Blocks::new(size, &points(large, &[(19, 0)]), &[twice, outside, vec![]]);
        assert!(!blocks.has_paths() && blocks.points().is_empty() && blocks.salt() == 0);
    }

    #[test]
    fn the_salt_depends_on_the_paths_and_not_on_their_order() {
        let size = Size::square(15).unwrap();
        let [a, b] = [[(7, 7), (8, 8)], [(7, 7), (6, 8)]].map(|path| points(size, &path));
        let salt = |paths: &[Vec<Point>]| Blocks::new(size, &[], paths).salt();
        assert_eq!(salt(&[a.clone(), b.clone()]), salt(&[b.clone(), a.clone()]));
        assert!(salt(std::slice::from_ref(&a)) != salt(&[b]) && salt(&[a]) != 0);
    }
}
