//! Files that an interrupted run resumes.
//!
//! [`replace_file`] puts a whole file in the place of another. An [`AppendLog`] grows by
//! whole records: [`LockedFile`] keeps others out, [`WholeLines`] reads what is there, and
//! [`LockedFile::resume`] cuts off what an interrupted run left torn. [`with_sum`] gives a line the
//! checksum that distinguishes damage from that. [`Differences`] names what a
//! file was begun with and a run is not.

mod difference;
mod error;
mod lines;
mod log;
mod sums;
mod sync;

pub use difference::{Difference, Differences};
pub use error::FileError;
pub use lines::WholeLines;
pub use log::{AppendLog, LockedFile};
#[cfg(any(test, feature = "testing"))]
pub use sums::testing;
pub use sums::{BadSum, strip_sum, with_sum, without_sum};

pub use tengen_core::sys::files::{replace_file, replace_private_file, with_suffix};
