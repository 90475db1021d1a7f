//! Unread bytes of standard input.

/// Returns how many bytes of standard input have arrived and were not read yet: what is left of a file,
/// the content of a pipe, the finished lines of a terminal. Where the system does not tell, returns 0.
///
/// Never waits. What [`std::io::Stdin`] has read and keeps in its buffer does not count. On Windows nobody
/// else may be reading, since the system would let this wait for them.
#[must_use]
pub fn unread_bytes() -> u64 {
    system_unread_bytes()
}

#[cfg(unix)]
fn system_unread_bytes() -> u64 {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the request writes one integer of this type, which outlives the call.
    let done = unsafe { libc::ioctl(libc::STDIN_FILENO, libc::FIONREAD, &raw mut bytes) };
    if done == 0 { u64::try_from(bytes).unwrap_or(0) } else { 0 }
}

#[cfg(windows)]
fn system_unread_bytes() -> u64 {
    use std::fs::File;
    use std::io;
    use std::os::windows::io::{AsHandle, AsRawHandle};
    use std::ptr::null_mut;

    use windows_sys::Win32::System::Pipes::PeekNamedPipe;

    let input = io::stdin();
    let mut bytes = 0_u32;
    // SAFETY: the handle is open; no buffer is given, and the one number that is written is of the right
    // type and outlives the call. Handles that are no pipes are refused.
    let done = unsafe {
        PeekNamedPipe(input.as_raw_handle(), null_mut(), 0, null_mut(), &raw mut bytes, null_mut())
    };
    if done != 0 {
        return u64::from(bytes);
    }
    // All of a file is there.
    let file = input.as_handle().try_clone_to_owned().map(File::from);
    let is_file = file.and_then(|file| file.metadata()).is_ok_and(|data| data.is_file());
    if is_file { u64::MAX } else { 0 }
}

#[cfg(not(any(unix, windows)))]
fn system_unread_bytes() -> u64 {
    0
}
