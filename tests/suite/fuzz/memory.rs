//! An allocator that counts what each thread holds.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocator of the system, with counts.
pub(crate) struct Counting;

thread_local! {
    // Without a destructor and with a constant value: reading them allocates nothing. What one
    // thread allocates and another frees makes the count of the other negative.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn grow(bytes: usize) {
    let held = HELD.get().wrapping_add_unsigned(bytes);
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
}

fn shrink(bytes: usize) {
    HELD.set(HELD.get().wrapping_sub_unsigned(bytes));
}

// SAFETY: every call goes to the allocator of the system with the arguments as they came; the
// counts are kept apart and touch no memory that was handed out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller promises what `alloc` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller promises what `alloc_zeroed` asks for.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While it is copied there are both.
        grow(size);
        shrink(layout.size());
        // SAFETY: the caller promises what `realloc` asks for.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        shrink(layout.size());
        // SAFETY: the caller promises what `dealloc` asks for.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The size of a large input: a few kilobytes for whatever a reader needs in any case are little then.
const LARGE: usize = 32 << 10;

thread_local! {
    /// The most bytes that a small input took, and for each byte of it a large one.
    static MOST: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Remembers what an input took.
pub(crate) fn note(peak: usize, length: usize) {
    let (small, large) = MOST.get();
    MOST.set(match length {
        LARGE.. => (small, large.max(peak / length)),
        _ => (small.max(peak), large),
    });
}

/// Returns what was noted, in words.
pub(crate) fn noted() -> String {
    let (small, large) = MOST.get();
    format!("most memory {small} bytes, and of {LARGE} bytes or more {large} times the input")
}

/// Returns the value of a function, and the most bytes that it held while it ran.
pub(crate) fn peak<T>(function: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    PEAK.set(before);
    let value = function();
    (value, PEAK.get().wrapping_sub(before).max(0).unsigned_abs())
}
