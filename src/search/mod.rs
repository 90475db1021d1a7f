//! Finding a move within limits.
//!
//! Level 6. [`Pool`] runs one worker per thread over a shared [`Table`]; a worker deepens
//! iteratively with a principal variation search that ends in a search of fours.

mod history;
mod limits;
mod node;
pub mod params;
mod picker;
mod pool;
mod quiet;
mod report;
mod root;
mod stack;
mod stop;
pub mod time;
mod tt;
mod worker;

pub use limits::{ClockSettings, Limits};
pub use pool::{Options, Pool, STACK_BYTES, SearchResult};
pub use report::Report;
pub use stop::{Control, StopFlag};
pub use tt::{Bound, Hit, Table};
