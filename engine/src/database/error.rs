//! Errors in opening, reading and writing a database.

use std::path::PathBuf;

use thiserror::Error;

use super::code::EntryError;
use super::key::{KeyError, PositionKey};
use tengen_files::resume::FileError;

/// An error in opening, reading or writing a database.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// The system refused something, or the path leads to no file.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another program has the file open, and this one would write to it.
    #[error("{}: another program has it open", .0.display())]
    InUse(PathBuf),
    /// Another program writes to the file.
    #[error("{}: another program is writing to it", .0.display())]
    Written(PathBuf),
    /// The file is something else.
    #[error("{} is not a database of positions", .0.display())]
    Foreign(PathBuf),
    /// The file is of another version of the program.
    #[error("{}: this version of tengen does not know version {version} of the format", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of its layout or of its entries.
        version: u32,
    },
    /// The end of the file is missing.
    #[error("{} ends at byte {len}, and should at byte {needed}", .path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        len: u64,
        /// The length that it should have, in bytes.
        needed: u64,
    },
    /// The file was changed by something else than this program.
    #[error("{} is damaged at byte {place}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The place in the file, in bytes from its beginning.
        place: u64,
    },
    /// The checksums of the file fit, and yet it can't be what this program wrote.
    #[error("{} is damaged: its pages contradict each other ({fault})", .path.display())]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// The cause, as the store reports it.
        fault: String,
    },
    /// The bytes of a key in an undamaged file are none of a position.
    #[error("{}: key {}: {error}", .path.display(), hex(.key))]
    BadKey {
        /// The file.
        path: PathBuf,
        /// The bytes of the key.
        key: Vec<u8>,
        /// The fault.
        error: KeyError,
    },
    /// The bytes of an entry in an undamaged file are none.
    #[error("{}: the entry of {}: {error}", .path.display(), hex(.key.as_bytes()))]
    BadEntry {
        /// The file.
        path: PathBuf,
        /// The key of the entry.
        key: PositionKey,
        /// The fault.
        error: EntryError,
    },
    /// The file was opened for reading.
    #[error("{} was opened for reading", .0.display())]
    ReadOnly(PathBuf),
    /// The store can't go on.
    #[error("{}: {message}", .path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// The message of the store.
        message: String,
    },
}

/// Returns the first bytes of a key: a made-up one can be as long as it likes.
fn hex(bytes: &[u8]) -> String {
    let shown = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}"));
    shown.chain((bytes.len() > SHOWN).then(|| "...".to_owned())).collect()
}

/// The number of bytes of a key that an error shows.
const SHOWN: usize = 32;
