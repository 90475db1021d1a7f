//! Shared parts of the commands: options, files, openings, words, progress.

#[cfg(feature = "web")]
pub(crate) mod browser;
pub(crate) mod files;
pub(crate) mod interrupts;
pub(crate) mod losses;
pub(crate) mod openings;
pub(crate) mod options;
pub(crate) mod panics;
pub(crate) mod progress;
pub(crate) mod reviews;
pub(crate) mod weights;
pub(crate) mod words;
