//! The files of tengen: game records in all formats, certificates of wins, pages, and whatever is resumed; the words
//! for numbers and times; and long work.
//!
//! The modules form levels, and each may use only modules of lower levels; see `DESIGN.md`.

pub mod certificates;
pub mod packed;
pub mod page;
pub mod places;
pub mod printable;
pub mod records;
pub mod resume;
pub mod told;
pub mod words;
pub mod work;
