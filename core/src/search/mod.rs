//! The search for a move within limits.
//!
//! [`Pool`] runs one worker per thread over a shared [`TranspositionTable`]; a worker
//! deepens iteratively with a principal variation search that ends in a quiescence search of fours.

mod balance;
mod bounded;
mod divisor;
mod history;
mod known;
mod limits;
mod node;
mod options;
pub mod params;
mod picker;
mod pool;
mod qsearch;
mod report;
mod root;
mod shortcut;
mod stack;
mod stats;
mod stop;
pub mod time;
mod tt;
mod worker;

pub use balance::{Balance, BalanceStones, BalanceTask};
pub use bounded::BoundedSearch;
pub use known::{Knowledge, KnownPosition, KnownValue, UNKNOWN_LENGTH};
pub use limits::Limits;
pub use options::{Blocks, Options};
pub use params::Params;
pub use pool::{Pool, STACK_BYTES, SearchRequest, SearchResult};
pub use report::{Mark, Report, Variation};
pub use stats::search_counts;
pub use stop::SearchControl;
pub use tt::{TableLoadError, TranspositionTable, TtEntry};
