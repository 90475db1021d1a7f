//! Evaluations of earlier programs, to compare with and to learn from.
//!
//! [`ShapeEvaluator`] and [`TupleEvaluator`] judge positions in a search; [`greedy`] chooses moves
//! without one. What they don't say, the order of moves and the chances that a score promises, is
//! that of the classical evaluation.

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
