//! Patterns: the shapes of lines and the classes of cells, for each colour.
//!
//! The shapes are texts in [`lexicon`], matched by an Aho-Corasick [`automaton`]. The
//! automaton is compiled once per rule into direct tables ([`table`]): one maps the cells around a
//! point on a line to a [`Shape`] for each colour, one combines the four directions of a cell into
//! a [`PointClass`] ([`class`]) and a [`PatternSet`] ([`mod@set`]). [`tracker`] updates all of it
//! with every stone, so that search needs only lookups. [`definition`] is the slow reference
//! definition of shapes.
//!
//! Patterns have no values here; evaluations assign them.

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
