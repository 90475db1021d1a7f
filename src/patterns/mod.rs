//! What a line means for each colour.
//!
//! Level 3. The shapes are text in [`lexicon`]; an Aho-Corasick [`automaton`] matches them; the
//! automaton is compiled once per rule into direct tables ([`table`]): one that maps the cells
//! around a point on a line to a [`Shape`] for each colour, and one that combines the four
//! directions of a cell into a [`PointClass`] ([`class`]) with its worth ([`weights`]). [`tracker`]
//! keeps all of it in step with the stones, so that search pays only look-ups. [`definition`] is
//! the slow truth: a shape is what one more stone makes of it.

pub mod automaton;
pub mod class;
pub mod definition;
pub mod info;
pub mod lexicon;
pub mod multiset;
pub mod shape;
pub mod table;
pub mod tracker;
pub mod weights;

pub use class::PointClass;
pub use multiset::Multiset;
pub use shape::{Family, Shape};
pub use table::{InUseError, PatternTables};
pub use tracker::{ClassCounts, Tracker};
pub use weights::{Weights, WeightsError};
