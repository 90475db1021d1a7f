//! Sixteen scored shapes, matched along whole lines by an automaton.
//!
//! A baseline for comparison, after Zhao Jie, Li Yawen and Yang Binfeng, 基于Qt和博弈算法的五子棋游戏设计 (2023):
//! a table of sixteen shapes, mirrored ones included, each with a score; shapes closed at both ends
//! are worth nothing; no number of weaker shapes outweighs a stronger one; and an Aho-Corasick
//! automaton reads each line once instead of trying every shape in turn. The texts and the scores
//! are our own. The evaluator knows five in a row and nothing of overlines, enclosed fives or
//! forbidden moves; those are left to search.

use std::sync::{Arc, OnceLock};

use crate::board::Board;
use crate::board::lines::{LINES, LineRef, PADDING};
use crate::eval::classical::ClassicalTables;
use crate::eval::{Evaluator, OrderedMove, WinModel, Window};
use crate::patterns::automaton::{Automaton, AutomatonState, Symbol};
use crate::position::Position;
use crate::types::{ByColor, Color, Dir, Point, PointSet, Score, Size};

/// The shapes: `o` is an own stone, `_` an empty cell.
const SHAPES: [(&str, ShapeLevel); 16] = [
    ("ooooo", ShapeLevel::Five),
    ("_oooo_", ShapeLevel::OpenFour),
    ("oooo_", ShapeLevel::Four),
    ("_oooo", ShapeLevel::Four),
    ("ooo_o", ShapeLevel::Four),
    ("o_ooo", ShapeLevel::Four),
    ("oo_oo", ShapeLevel::Four),
    ("_ooo__", ShapeLevel::OpenThree),
    ("__ooo_", ShapeLevel::OpenThree),
    ("_oo_o_", ShapeLevel::OpenThree),
    ("_o_oo_", ShapeLevel::OpenThree),
    ("ooo__", ShapeLevel::Three),
    ("__ooo", ShapeLevel::Three),
    ("_ooo_", ShapeLevel::Three),
    ("__oo__", ShapeLevel::OpenTwo),
    ("__o__", ShapeLevel::One),
];

/// The level of a shape, from the weakest up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
enum ShapeLevel {
    One,
    OpenTwo,
    Three,
    OpenThree,
    Four,
    OpenFour,
    Five,
}

impl ShapeLevel {
    const COUNT: usize = 7;

    /// The number of shapes of each level that count; more make no difference.
    ///
    /// Without a limit, either the scores would have to grow by a factor of hundreds from level to
    /// level, or many weak shapes could outweigh a stronger one.
    const MOST: [i32; ShapeLevel::COUNT] = [5, 7, 5, 3, 3, 1, 1];

    /// The score of one shape: one more than all weaker shapes together can reach, so that scores
    /// are numbers in a mixed radix and no number of weaker shapes outweighs a stronger one.
    const SCORES: [i32; ShapeLevel::COUNT] = {
        let mut scores = [1; ShapeLevel::COUNT];
        let mut i = 1;
        while i < ShapeLevel::COUNT {
            scores[i] = scores[i - 1] * (ShapeLevel::MOST[i - 1] + 1);
            i += 1;
        }
        scores
    };
}

const _: () = {
    let strongest = ShapeLevel::Five as usize;
    let all = ShapeLevel::SCORES[strongest] * (ShapeLevel::MOST[strongest] + 1) - 1;
    assert!(all <= Score::MAX_EVAL.raw(), "both sides' shapes fit into an evaluation");
};

/// The number of shapes of each level, 16 bits each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct ShapeCounts(u128);

impl ShapeCounts {
    fn add(&mut self, level: u8) {
        self.0 += 1 << (16 * u32::from(level));
    }

    fn of(self, level: usize) -> i32 {
        (self.0 >> (16 * level)) as i32 & 0xffff
    }

    fn score(self) -> i32 {
        (0..ShapeLevel::COUNT)
            .map(|l| self.of(l).min(ShapeLevel::MOST[l]) * ShapeLevel::SCORES[l])
            .sum()
    }
}

/// The automaton of the shapes, with the strongest shape that ends in each of its states.
#[derive(Debug)]
struct Matcher {
    automaton: Automaton,
    strongest: Vec<Option<ShapeLevel>>,
}

impl Matcher {
    fn get() -> &'static Matcher {
        static MATCHER: OnceLock<Matcher> = OnceLock::new();
        MATCHER.get_or_init(|| {
            let symbol = |c| if c == 'o' { Symbol::Own } else { Symbol::Empty };
            let texts = SHAPES.map(|(text, _)| text.chars().map(symbol).collect::<Vec<_>>());
            let automaton = Automaton::new(&texts);
            let strongest_in = |state| {
                let found = automaton.matches(AutomatonState::from_index(state)).iter();
                found.map(|&shape| SHAPES[shape].1).max()
            };
            let strongest = (0..automaton.states()).map(strongest_in).collect();
            Matcher { automaton, strongest }
        })
    }

    /// Counts the shapes of a line for one colour: the strongest of each stretch of cells between
    /// two opponent stones or ends of the line.
    fn count(&self, line: u64, color: Color) -> ShapeCounts {
        let symbols = match color {
            Color::Black => [Symbol::Edge, Symbol::Opponent, Symbol::Own, Symbol::Empty],
            Color::White => [Symbol::Edge, Symbol::Own, Symbol::Opponent, Symbol::Empty],
        };
        let mut counts = ShapeCounts::default();
        let mut best = None;
        let mut state = AutomatonState::START;
        let mut rest = line >> (2 * PADDING);
        // The padding behind the last cell closes the last stretch; a line without it is empty.
        loop {
            let symbol = symbols[rest as usize & 3];
            state = self.automaton.step(state, symbol);
            if matches!(symbol, Symbol::Opponent | Symbol::Edge) {
                if let Some(level) = best.take() {
                    counts.add(level as u8);
                }
                if rest == 0 {
                    return counts;
                }
            } else {
                best = best.max(self.strongest[state.index()]);
            }
            rest >>= 2;
        }
    }
}

/// The evaluation by sixteen shapes.
///
/// The score of a side is the sum of its shapes over all lines, where each stretch between opponent
/// stones or edges counts its strongest one; the evaluation is the score of the side to move minus
/// that of the other. Only the four lines through a stone are reread when it is placed or removed.
#[derive(Clone, Debug)]
pub struct ShapeEvaluator {
    tables: Arc<ClassicalTables>,
    matcher: &'static Matcher,
    board: Board,
    /// The stones pushed, in order.
    stones: Vec<(Point, Color)>,
    lines: Box<[ByColor<ShapeCounts>; LINES]>,
    sums: ByColor<ShapeCounts>,
}

impl ShapeEvaluator {
    /// Returns an evaluator without a position that orders moves by these tables.
    #[must_use]
    pub fn new(tables: Arc<ClassicalTables>) -> ShapeEvaluator {
        ShapeEvaluator {
            tables,
            matcher: Matcher::get(),
            board: Board::new(Size::LARGEST),
            stones: Vec::new(),
            lines: Box::new([ByColor::default(); LINES]),
            sums: ByColor::default(),
        }
    }

    /// Rereads the lines through a point.
    fn read_lines(&mut self, point: Point) {
        for dir in Dir::ALL {
            let (line, _) = self.board.line(point, dir);
            let known = &mut self.lines[LineRef::of(point, dir).line];
            for color in Color::ALL {
                let counts = self.matcher.count(line, color);
                let sum = &mut self.sums[color].0;
                *sum = *sum + counts.0 - known[color].0;
                known[color] = counts;
            }
        }
    }

    /// Returns whether the state equals a fresh one of `board`.
    fn is_in_step(&self, board: &Board) -> bool {
        let mut fresh = ShapeEvaluator::new(Arc::clone(&self.tables));
        fresh.read_all(board);
        fresh.lines == self.lines && fresh.sums == self.sums
    }

    fn read_all(&mut self, board: &Board) {
        self.board = board.clone();
        *self.lines = [ByColor::default(); LINES];
        self.sums = ByColor::default();
        for point in board.size().points() {
            self.read_lines(point);
        }
    }
}

impl Evaluator for ShapeEvaluator {
    fn reset(&mut self, position: &Position) {
        self.stones.clear();
        self.read_all(position.board());
    }

    fn push(&mut self, point: Point, color: Color) {
        self.stones.push((point, color));
        self.board.place(point, color);
        self.read_lines(point);
    }

    fn pop(&mut self) {
        if let Some((point, color)) = self.stones.pop() {
            self.board.remove(point, color);
            self.read_lines(point);
        }
    }

    fn evaluate(&mut self, position: &Position, _window: Window) -> Score {
        debug_assert!(self.is_in_step(position.board()), "the shapes are out of step");
        let us = position.to_move();
        Score::eval(self.sums[us].score() - self.sums[!us].score())
    }

    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        self.tables.order(position, set, moves);
    }

    fn win_model(&mut self, _: &Position) -> WinModel {
        self.tables.win_model()
    }

    fn identity(&self) -> u32 {
        super::identity("shapes", &self.tables)
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        Box::new(ShapeEvaluator::new(Arc::clone(&self.tables)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing;
    use crate::rules::Rule;

    fn evaluator(rule: Rule) -> ShapeEvaluator {
        ShapeEvaluator::new(ClassicalTables::shipped(rule))
    }

    /// Returns the evaluation for black, to move, of stones in the top row of five rows; the other
    /// lines through them are too short to count or have the stone at an end.
    fn score(row: &str) -> i32 {
        let blank = ".".repeat(row.len());
        let position = testing::position(&[row, &blank, &blank, &blank, &blank], Color::Black);
        let mut evaluator = evaluator(Rule::Freestyle);
        evaluator.reset(&position);
        evaluator.evaluate(&position, Window::FULL).raw()
    }

    #[test]
    fn scores_grow_so_that_no_pile_outweighs_a_stronger_shape() {
        assert_eq!(ShapeLevel::SCORES, [1, 6, 48, 288, 1152, 4608, 9216]);
        let mut pile = ShapeCounts::default();
        for level in 0..ShapeLevel::COUNT {
            let mut stronger = ShapeCounts::default();
            stronger.add(level as u8);
            assert!(pile.score() < stronger.score(), "{level}");
            for _ in 0..300 {
                pile.add(level as u8);
            }
        }
    }

    #[test]
    fn the_table_holds_the_mirror_image_of_each_shape() {
        for (text, level) in SHAPES {
            let mirrored: String = text.chars().rev().collect();
            assert!(SHAPES.contains(&(mirrored.as_str(), level)), "{text}");
        }
    }

    #[test]
    fn each_shape_scores_what_the_table_says() {
        let expected = [
            ("XXXXX", 9216),
            (".XXXX.", 4608),
            ("OXXXX.", 1152),
            ("XXXX.", 1152),
            ("O.XXXXO", 1152),
            ("XXX.X", 1152),
            ("X.XXX", 1152),
            ("XX.XX", 1152),
            (".XXX..", 288),
            ("..XXX.", 288),
            (".XX.X.", 288),
            (".X.XX.", 288),
            ("OXXX..", 48),
            ("..XXX", 48),
            ("O.XXX.O", 48),
            ("..XX..", 6),
            ("..X..", 1),
            ("..O..", -1),
            (".OOO..", -288),
            (".....", 0),
        ];
        for (row, value) in expected {
            assert_eq!(score(row), value, "{row}");
        }
    }

    #[test]
    fn shapes_closed_at_both_ends_are_worth_nothing() {
        let count = |row: &str, color| {
            // Cells beyond the text are edge.
            let line = row.chars().enumerate().fold(0, |line, (i, c)| {
                let bits = match c {
                    'X' => 0b10,
                    'O' => 0b01,
                    _ => 0b11,
                };
                line | bits << (2 * (i + PADDING))
            });
            Matcher::get().count(line, color).score()
        };
        for row in ["OXXXXO", "XXXX", "OXXX.O", "O.XXO", "OX.XXO..", "XXXO.", "OXXXXO.OXXXXO"] {
            assert_eq!(count(row, Color::Black), 0, "{row}");
        }
        assert_eq!(count("OXXXX.", Color::Black), 1152);
        assert_eq!(count("XXXXO.", Color::White), 0);
        assert_eq!(count("XOOOO.", Color::White), 1152);
    }

    #[test]
    fn each_stretch_counts_its_strongest_shape_alone() {
        assert_eq!(score(".XXX..XX..X.."), 288);
        assert_eq!(score("..XX..O..XX.."), 12 - 1);
        assert_eq!(score(".XXXX.O.XXX.."), 4608 + 288);
        assert_eq!(score("..X..O..X..OXXXX."), 1 + 1 + 1152 - 1);
    }

    #[test]
    fn the_lines_kept_equal_those_read_afresh_on_every_walk() {
        testing::walk(evaluator, |evaluator, position| evaluator.is_in_step(position.board()));
    }

    #[test]
    fn the_evaluation_is_the_same_from_all_sides_and_for_either_colour() {
        testing::symmetric(&evaluator(Rule::Freestyle));
    }
}
