//! Evaluations of earlier programs, for comparison.
//!
//! [`ShapeEvaluator`] and [`TupleEvaluator`] evaluate positions in a search; [`greedy`] chooses
//! moves without one. Their move order and win model are those of the classical evaluation.

pub mod greedy;
mod shapes;
mod tuples;

pub use shapes::ShapeEvaluator;
pub use tuples::TupleEvaluator;

use crate::eval::classical::ClassicalTables;

/// Returns the identity of a baseline that orders moves by these tables.
fn identity(name: &str, tables: &ClassicalTables) -> u32 {
    crc32fast::hash(format!("{name} {:08x}", tables.crc()).as_bytes())
}
