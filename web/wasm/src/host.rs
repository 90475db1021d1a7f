//! The calls of the worker.

use std::time::Duration;

use tengen_engine::protocol::MAX_INPUT_LINE;

/// The room for a line: one byte more than it may have shows that it is too long.
const ROOM: usize = MAX_INPUT_LINE + 1;

#[link(wasm_import_module = "tengen")]
unsafe extern "C" {
    /// Takes the `len` bytes at `text`, which is UTF-8, as a line of the engine.
    fn say(text: *const u8, len: usize);
    /// Writes the next line for the engine to `room`, the first `most` bytes if it is longer; returns how many were
    /// written, or a negative number if no line waits.
    fn take(room: *mut u8, most: usize) -> i32;
    /// Waits for a line, for so many milliseconds at most; not at all where lines cannot come meanwhile.
    safe fn wait(ms: f64);
    /// Returns the milliseconds that the line that was taken last had waited.
    safe fn age() -> f64;
    /// Returns the most threads that a search can have.
    safe fn threads() -> i32;
}

/// Hands a line to the page.
pub(crate) fn say_line(text: &str) {
    // SAFETY: the worker reads only these bytes, and before it returns.
    unsafe { say(text.as_ptr(), text.len()) }
}

/// Returns the next line of the page, if one waits, and the time that it has waited.
pub(crate) fn next_line(room: &mut Vec<u8>) -> Option<(&[u8], Duration)> {
    room.resize(ROOM, 0);
    // SAFETY: the worker writes no more than this many bytes there, and before it returns.
    let written = unsafe { take(room.as_mut_ptr(), room.len()) };
    let written = usize::try_from(written).ok()?;
    let waited = Duration::try_from_secs_f64(age() / 1e3).unwrap_or_default();
    Some((room.get(..written)?, waited))
}

/// Waits for a line of the page, for this time at most; not at all where lines cannot come meanwhile.
pub(crate) fn await_line(most: Duration) {
    wait(most.as_secs_f64() * 1e3);
}

/// Returns the most threads that a search can have.
pub(crate) fn most_threads() -> usize {
    usize::try_from(threads()).unwrap_or(1).max(1)
}
