//! The databases of managers of the Yixin family.
//!
//! A session parses what concerns a database into an [`Errand`] and hands it to a [`Library`], which
//! may take its time; what the library [replies](LibraryReply) is printed when it comes, while a search
//! goes on or not. [`Librarian`] carries errands out on a [`crate::database::PositionDatabase`].
//!
//! Without an open database nothing is said, and bodies and paths are consumed all the same.

mod desk;
mod errand;
mod exchange;
mod librarian;
mod telling;
mod upkeep;
mod work;

pub(super) use desk::Desk;
pub use errand::{DatabaseBlock, DatabaseEdit, DatabaseFile, Errand, Library, LibraryReply};
pub use librarian::Librarian;
