//! Files and work that an interrupted run goes on with.
//!
//! Level 1. [`replace_file`] puts a whole file in the place of another. An [`AppendLog`] grows by
//! whole records: [`LockedFile`] keeps others out, [`WholeLines`] reads what is there, and
//! [`LockedFile::resume`] cuts off what an interrupted run left torn. [`Differences`] names what a
//! file was begun with and a run is not. [`run_in_order`] does numbered work on many threads and
//! delivers the results in the order of their numbers.

mod difference;
mod error;
mod lines;
mod log;
mod sync;
mod workers;

pub use difference::{Difference, Differences};
pub use error::{FileError, ThreadError};
pub use lines::WholeLines;
pub use log::{AppendLog, LockedFile};
pub use workers::{Delivery, InOrder, Numbers, run_in_order};

pub use crate::sys::files::{replace_file, replace_private_file, with_suffix};
