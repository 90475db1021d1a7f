//! Directories that leave no trace.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// An empty directory that is removed when this is dropped.
pub(super) struct ScratchDir {
    pub(super) path: PathBuf,
}

impl ScratchDir {
    pub(super) fn new() -> io::Result<ScratchDir> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("tengen-engine-{}-{count}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(ScratchDir { path }),
                // Left behind by a process that was killed and had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // A leftover directory in the system's temporary directory does no harm.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
