//! Trees of positions that grow by searches: a book builder.
//!
//! The tree is in a [database](tengen_engine::database), which is all the state there is. It grows as
//! in T. R. Lincke, "Strategies for the automatic construction of opening books" (2000), by *drop-out
//! expansion*: the next position to be searched is the one to which the least bad moves lead. Each move
//! on the way costs what it is worse than the best one of its position, in units of the evaluation, and
//! in addition a price of its own, so that good lines are followed deeper and worse ones are not
//! forgotten. Values and proven results are carried back to the root after every search.

mod expand;
mod run;
mod tree;

pub use run::{
    GrowthEnd, GrowthError, GrowthMove, GrowthOptions, GrowthState, GrowthSummary, grow,
};
