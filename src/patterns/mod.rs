//! What a line is for each colour.
//!
//! Level 3. The shapes are text in [`lexicon`]; an Aho-Corasick [`automaton`] matches them; the
//! automaton is compiled once per rule into direct tables ([`table`]): one that maps the cells
//! around a point on a line to a [`Shape`] for each colour, and one that combines the four
//! directions of a cell into a [`PointClass`] ([`class`]) and a [`PatternSet`] ([`mod@set`]).
//! [`tracker`] keeps all of it in step with the stones, so that search pays only look-ups.
//! [`definition`] is the slow truth: a shape is what one more stone makes of it.
//!
//! Nothing here has a value: what patterns are worth is for evaluations to say.

pub mod automaton;
pub mod class;
pub mod definition;
pub mod info;
pub mod lexicon;
pub mod set;
pub mod shape;
pub mod table;
pub mod tracker;

pub use class::PointClass;
pub use info::CellInfo;
pub use set::PatternSet;
pub use shape::{Family, Shape};
pub use table::PatternTables;
pub use tracker::{ClassCounts, StoneChanges, Tracker};
