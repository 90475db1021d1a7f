//! Locks of files, which keep away whoever takes them too, but nobody who only reads.
//!
//! A lock ends when the file is closed.

use std::fs::{File, TryLockError};

/// Takes the lock of a file for oneself.
///
/// # Errors
///
/// Returns [`TryLockError::WouldBlock`] if somebody has it, or else the system's error.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    system::try_lock(file)
}

/// Takes the lock of a file together with others who share it.
///
/// # Errors
///
/// Returns [`TryLockError::WouldBlock`] if somebody has it for himself, or else the system's error.
pub fn try_lock_shared(file: &File) -> Result<(), TryLockError> {
    system::try_lock_shared(file)
}

#[cfg(not(windows))]
mod system {
    use std::fs::{File, TryLockError};

    pub(super) fn try_lock(file: &File) -> Result<(), TryLockError> {
        file.try_lock()
    }

    pub(super) fn try_lock_shared(file: &File) -> Result<(), TryLockError> {
        file.try_lock_shared()
    }
}

/// Windows lets nobody else read or write what is locked, by whichever handle. Therefore this is not the content, as
/// with the locks of the standard library, but a byte far behind it.
#[cfg(windows)]
mod system {
    use std::fs::{File, TryLockError};
    use std::io;
    use std::os::windows::io::AsRawHandle;

    use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_LOCK_VIOLATION};
    use windows_sys::Win32::Storage::FileSystem::{
        LOCK_FILE_FLAGS, LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
    };
    use windows_sys::Win32::System::IO::{OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0};

    pub(super) fn try_lock(file: &File) -> Result<(), TryLockError> {
        take(file, LOCKFILE_FAIL_IMMEDIATELY | LOCKFILE_EXCLUSIVE_LOCK)
    }

    pub(super) fn try_lock_shared(file: &File) -> Result<(), TryLockError> {
        take(file, LOCKFILE_FAIL_IMMEDIATELY)
    }

    fn take(file: &File, flags: LOCK_FILE_FLAGS) -> Result<(), TryLockError> {
        let offset = OVERLAPPED_0_0 { Offset: 0, OffsetHigh: i32::MAX as u32 };
        let place = OVERLAPPED_0 { Anonymous: offset };
        let mut place = OVERLAPPED { Anonymous: place, ..OVERLAPPED::default() };
        // SAFETY: the handle is open, and the structure outlives the call, after which nobody uses it, as the lock is
        // taken at once or not at all.
        if unsafe { LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &raw mut place) } != 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        let is_taken =
            |code: i32| [ERROR_IO_PENDING, ERROR_LOCK_VIOLATION].contains(&(code as u32));
        Err(if error.raw_os_error().is_some_and(is_taken) {
            TryLockError::WouldBlock
        } else {
            TryLockError::Error(error)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn locks_keep_locks_away_and_no_reader() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "content").unwrap();
        let open = || File::options().read(true).write(true).open(&path).unwrap();
        let is_taken = |result| matches!(result, Err(TryLockError::WouldBlock));
        let (one, other, third) = (open(), open(), open());
        try_lock_shared(&one).unwrap();
        try_lock_shared(&other).unwrap();
        assert!(is_taken(try_lock(&third)));
        drop((one, other));
        try_lock(&third).unwrap();
        let fourth = open();
        assert!(is_taken(try_lock(&fourth)) && is_taken(try_lock_shared(&fourth)));
        assert_eq!(fs::read(&path).unwrap(), b"content");
        drop(third);
        try_lock(&fourth).unwrap();
    }
}
