//! The weights of the evaluation and of move ordering.
//!
//! Every set of four shapes that a cell can have has a value of its own, and so has every pair of
//! strongest classes of the two sides (as in Rapfi, `config.h`). The hand-tuned weights
//! ([`Weights::hand_tuned`]) derive these 9,000 values from a few dozen, and a fit to games
//! replaces them. [`file`](mod@super::file) describes the file format.

use super::hand_tuned;
use crate::patterns::{Family, PatternSet, PointClass};
use crate::rules::Rule;
use crate::types::Color;

/// The number of parts of an evaluation unit in which cells are counted, so that sums over hundreds
/// of cells do not suffer from rounding.
pub const CELL_SCALE: i32 = 4;

/// The largest value of a cell, in parts; the smallest is its negative.
pub const MAX_CELL: i32 = 2047;

/// The largest ordering score of a cell; the smallest is its negative.
pub const MAX_ORDER: i32 = i16::MAX as i32;

/// The largest value of the tempo, in units; the smallest is its negative.
pub const MAX_TEMPO: i32 = 10_000;

/// The smallest scale of the odds of winning, in units.
pub const MIN_WIN_SCALE: u16 = 20;
/// The largest scale of the odds of winning, in units.
pub const MAX_WIN_SCALE: u16 = 5_000;

/// The built-in weights, by rule, made by `tengen tune all` in several steps (docs/reference/tuning.md).
const SHIPPED: [&[u8]; Rule::ALL.len()] = [
    include_bytes!("weights/freestyle.weights"),
    include_bytes!("weights/standard.weights"),
    include_bytes!("weights/renju.weights"),
    include_bytes!("weights/caro.weights"),
    include_bytes!("weights/caro-exact.weights"),
];

/// A value for each set of four shapes.
type SetTable = Box<[i16; PatternSet::COUNT]>;

/// A value for each pair of classes: the strongest of the side to move, that of the opponent.
type TempoTable = [[i16; PointClass::COUNT]; PointClass::COUNT];

/// The weights of one colour, or of both where the rule is the same for them.
///
/// Every weight is within its bounds: values are rounded and clamped when set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FamilyWeights {
    pub(super) cells: SetTable,
    pub(super) order_own: SetTable,
    pub(super) order_their: SetTable,
    pub(super) tempo: TempoTable,
}

impl FamilyWeights {
    /// Returns weights that are all 0.
    #[must_use]
    pub fn zero() -> FamilyWeights {
        let table = Box::new([0; PatternSet::COUNT]);
        FamilyWeights {
            cells: table.clone(),
            order_own: table.clone(),
            order_their: table,
            tempo: [[0; PointClass::COUNT]; PointClass::COUNT],
        }
    }

    /// Returns the value of an empty cell with these shapes for its colour, in parts of a unit
    /// ([`CELL_SCALE`]), within ±[`MAX_CELL`].
    #[must_use]
    pub fn cell(&self, set: PatternSet) -> i32 {
        self.cells[set.index()].into()
    }

    /// Sets [`FamilyWeights::cell`].
    pub fn set_cell(&mut self, set: PatternSet, value: f64) {
        self.cells[set.index()] = rounded(value, MAX_CELL);
    }

    /// Returns the ordering score of a cell with these shapes for the side to move, within
    /// ±[`MAX_ORDER`].
    #[must_use]
    pub fn order_own(&self, set: PatternSet) -> i32 {
        self.order_own[set.index()].into()
    }

    /// Sets [`FamilyWeights::order_own`].
    pub fn set_order_own(&mut self, set: PatternSet, value: f64) {
        self.order_own[set.index()] = rounded(value, MAX_ORDER);
    }

    /// Returns the ordering score of a cell with these shapes for the opponent, within
    /// ±[`MAX_ORDER`].
    #[must_use]
    pub fn order_their(&self, set: PatternSet) -> i32 {
        self.order_their[set.index()].into()
    }

    /// Sets [`FamilyWeights::order_their`].
    pub fn set_order_their(&mut self, set: PatternSet, value: f64) {
        self.order_their[set.index()] = rounded(value, MAX_ORDER);
    }

    /// Returns the value of the tempo if these are the strongest classes that the side to move and
    /// its opponent can play, in units, within ±[`MAX_TEMPO`].
    #[must_use]
    pub fn tempo(&self, ours: PointClass, theirs: PointClass) -> i32 {
        self.tempo[ours.index()][theirs.index()].into()
    }

    /// Sets [`FamilyWeights::tempo`].
    pub fn set_tempo(&mut self, ours: PointClass, theirs: PointClass, value: f64) {
        self.tempo[ours.index()][theirs.index()] = rounded(value, MAX_TEMPO);
    }
}

/// Returns a value rounded and clamped for a table. NaN becomes 0.
fn rounded(value: f64, bound: i32) -> i16 {
    let bound = f64::from(bound);
    value.round().clamp(-bound, bound) as i16
}

/// The origin of weights.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Provenance {
    /// The seed of the games.
    pub seed: u64,
    /// The checksum of the games.
    pub corpus_crc: u32,
    /// The number of games used by the fit.
    pub games: u64,
    /// The number of positions used by the fit.
    pub positions: u64,
}

/// The weights of one rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    pub(super) rule: Rule,
    /// The weights of each family of the rule, black's first.
    pub(super) families: Vec<FamilyWeights>,
    pub(super) win_scale: u16,
    /// The origin of the weights; all 0 for hand-tuned ones.
    pub provenance: Provenance,
}

impl Weights {
    /// Returns the hand-tuned weights.
    #[must_use]
    pub fn hand_tuned(rule: Rule) -> Weights {
        Weights {
            rule,
            families: Family::all_of(rule).into_iter().map(hand_tuned::family).collect(),
            win_scale: hand_tuned::WIN_SCALE,
            provenance: Provenance::default(),
        }
    }

    /// Returns the built-in weights.
    ///
    /// # Panics
    ///
    /// Panics if the program was built with an invalid file of weights, which a test rules out.
    #[must_use]
    pub fn shipped(rule: Rule) -> Weights {
        let bytes = SHIPPED[rule as usize];
        let weights = Weights::from_bytes(bytes).expect("weights that a test has read");
        assert_eq!(weights.rule, rule, "the weights are of another rule");
        weights
    }

    /// Returns the rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the weights of a colour.
    #[must_use]
    pub fn of(&self, color: Color) -> &FamilyWeights {
        &self.families[Family::index_of(self.rule, color)]
    }

    /// Returns the weights of a colour, shared with the other one if both have the same family
    /// ([`Family::is_shared`]).
    #[must_use]
    pub fn of_mut(&mut self, color: Color) -> &mut FamilyWeights {
        &mut self.families[Family::index_of(self.rule, color)]
    }

    /// Returns the increase of the score of a search, in units, that multiplies the odds of winning
    /// by e: the chance to win is `1 / (1 + exp(-score / win_scale))`.
    #[must_use]
    pub const fn win_scale(&self) -> u16 {
        self.win_scale
    }

    /// Sets [`Weights::win_scale`], rounded and clamped to [`MIN_WIN_SCALE`] and [`MAX_WIN_SCALE`].
    pub fn set_win_scale(&mut self, scale: f64) {
        self.win_scale = scale.round().clamp(MIN_WIN_SCALE.into(), MAX_WIN_SCALE.into()) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::Shape;

    #[test]
    fn every_rule_has_shipped_weights_of_its_own() {
        for rule in Rule::ALL {
            assert_eq!(Weights::shipped(rule).rule(), rule);
        }
    }

    #[test]
    fn only_renju_tells_the_colours_apart() {
        for rule in Rule::ALL {
            let weights = Weights::hand_tuned(rule);
            assert_eq!(weights.families.len(), if rule == Rule::Renju { 2 } else { 1 });
            assert_eq!(Family::all_of(rule).len(), weights.families.len());
            assert_eq!(
                weights.of(Color::Black) == weights.of(Color::White),
                rule != Rule::Renju,
                "{rule}"
            );
        }
    }

    #[test]
    fn hand_tuned_weights_add_up_lines_and_class() {
        let weights = Weights::hand_tuned(Rule::Renju);
        let of = |shapes| PatternSet::of(shapes);
        let dead = Shape::Dead;
        let three = of([Shape::OpenThree, dead, dead, dead]);
        let two_threes = of([Shape::OpenThree, Shape::OpenThree, dead, dead]);
        let white = weights.of(Color::White);
        assert_eq!(white.cell(three), 4 * (20 - 2));
        assert_eq!(white.cell(two_threes), 4 * (20 + 20 + 20));
        assert_eq!(white.order_own(three), 16 * 62);
        assert_eq!(white.order_their(three), 11 * 62);
        // Forbidden cells count as such, whatever their lines.
        assert_eq!(weights.of(Color::Black).cell(two_threes), 4 * -20);
        let (none, five) = (PointClass::None, PointClass::Five);
        assert_eq!((white.tempo(none, none), white.tempo(five, five)), (20, 300));
    }

    #[test]
    fn what_no_table_can_hold_is_clamped() {
        let mut weights = Weights::hand_tuned(Rule::Caro);
        let family = weights.of_mut(Color::White);
        let some = PatternSet::from_index(7);
        for (value, cell, order) in [
            (1e9, MAX_CELL, MAX_ORDER),
            (-1e9, -MAX_CELL, -MAX_ORDER),
            (2.6, 3, 3),
            (f64::NAN, 0, 0),
        ] {
            family.set_cell(some, value);
            family.set_order_own(some, value);
            assert_eq!((family.cell(some), family.order_own(some)), (cell, order));
        }
        weights.set_win_scale(0.0);
        assert_eq!(weights.win_scale(), MIN_WIN_SCALE);
    }
}
