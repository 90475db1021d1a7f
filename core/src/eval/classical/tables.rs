//! Lookup tables of the weights.

use std::sync::{Arc, OnceLock};

use super::weights::{FamilyWeights, Weights};
use crate::eval::{OrderedMove, WinModel};
use crate::patterns::{CellInfo, Family, PatternSet, PointClass};
use crate::position::Position;
use crate::rules::Rule;
use crate::types::{ByColor, Color, PointSet};

/// The number of rows and columns of [`FamilyTables::tempo`].
const CLASS_ROWS: usize = PointClass::COUNT.next_power_of_two();

/// The tables of the classical evaluation for one rule, small enough for the first-level cache.
#[derive(Debug)]
pub struct ClassicalTables {
    /// Colours of the same family share one table.
    families: ByColor<Arc<FamilyTables>>,
    win_model: WinModel,
    crc: u32,
}

/// The tables of one family, by pattern set.
#[derive(Debug)]
struct FamilyTables {
    cells: [i16; CellInfo::SETS],
    order_own: [i16; CellInfo::SETS],
    order_their: [i16; CellInfo::SETS],
    /// By the strongest class of the side to move and that of the opponent.
    tempo: [[i16; CLASS_ROWS]; CLASS_ROWS],
}

impl FamilyTables {
    fn new(weights: &FamilyWeights) -> FamilyTables {
        let mut tables = FamilyTables {
            cells: [0; CellInfo::SETS],
            order_own: [0; CellInfo::SETS],
            order_their: [0; CellInfo::SETS],
            tempo: [[0; CLASS_ROWS]; CLASS_ROWS],
        };
        for set in PatternSet::all() {
            // The bounds of weights fit into the tables.
            tables.cells[set.index()] = weights.cell(set) as i16;
            tables.order_own[set.index()] = weights.order_own(set) as i16;
            tables.order_their[set.index()] = weights.order_their(set) as i16;
        }
        for ours in PointClass::ALL {
            for theirs in PointClass::ALL {
                let value = weights.tempo(ours, theirs) as i16;
                tables.tempo[ours.index()][theirs.index()] = value;
            }
        }
        tables
    }
}

impl ClassicalTables {
    /// Makes tables of weights.
    #[must_use]
    pub fn new(weights: &Weights) -> ClassicalTables {
        let build = |color| Arc::new(FamilyTables::new(weights.of(color)));
        let black = build(Color::Black);
        let is_shared = Family::is_shared(weights.rule());
        let white = if is_shared { Arc::clone(&black) } else { build(Color::White) };
        ClassicalTables {
            families: ByColor([black, white]),
            win_model: WinModel::new(weights.win_scale(), 0),
            crc: weights.crc(),
        }
    }

    /// Returns the tables of the built-in weights, made on first use and cached.
    #[must_use]
    pub fn shipped(rule: Rule) -> Arc<ClassicalTables> {
        static TABLES: [OnceLock<Arc<ClassicalTables>>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        let made = || Arc::new(ClassicalTables::new(&Weights::shipped(rule)));
        Arc::clone(TABLES[rule as usize].get_or_init(made))
    }

    /// Returns the value of an empty cell, black's part minus white's, in parts of a unit
    /// ([`CELL_SCALE`](super::weights::CELL_SCALE)).
    #[inline]
    pub(super) fn cell(&self, [black, white]: [CellInfo; 2]) -> i32 {
        let ByColor([blacks, whites]) = &self.families;
        i32::from(blacks.cells[black.set_index()]) - i32::from(whites.cells[white.set_index()])
    }

    /// Returns the value of the tempo for `color`, in units, if these are the strongest classes
    /// that it and its opponent can play.
    #[inline]
    pub(super) fn tempo(&self, color: Color, ours: PointClass, theirs: PointClass) -> i32 {
        self.families[color].tempo[ours.index()][theirs.index()].into()
    }

    /// Adds a set of empty cells to `moves`, each with the ordering score of its shapes for the
    /// side to move.
    #[inline]
    pub(in crate::eval) fn order(
        &self,
        position: &Position,
        set: PointSet,
        moves: &mut Vec<OrderedMove>,
    ) {
        let us = position.to_move();
        let own = &self.families[us].order_own;
        let their = &self.families[!us].order_their;
        let tracker = position.tracker();
        moves.reserve(set.len());
        set.iter().for_each(|point| {
            let ours = own[tracker.info(point, us).set_index()];
            let theirs = their[tracker.info(point, !us).set_index()];
            moves.push(OrderedMove { point, order: i32::from(ours) + i32::from(theirs) });
        });
    }

    /// Returns the win model of the scores of a search with these tables.
    #[must_use]
    pub const fn win_model(&self) -> WinModel {
        self.win_model
    }

    /// Returns the checksum of the weights, as [`Weights::crc`] does.
    #[must_use]
    pub const fn crc(&self) -> u32 {
        self.crc
    }
}
