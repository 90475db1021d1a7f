//! Large zeroed allocations, and the amount of memory.
//!
//! A [`Buffer`] costs nothing until it is touched: the operating system hands out zeroed pages one
//! by one, so a table of many megabytes is ready at once and the resident size grows with use.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::ptr::NonNull;
use std::slice;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread;

use thiserror::Error;

// Miri knows mappings of whole pages only, and no advice.
#[cfg(all(target_os = "linux", not(miri)))]
use mapped::Region;
#[cfg(any(not(target_os = "linux"), miri))]
use portable::Region;

/// The alignment of a [`Buffer`], that of a cache line.
pub const BUFFER_ALIGN: usize = 64;

/// The most address space that a [`Buffer`] takes beyond its size, while it is made.
pub const ALIGNMENT_SLACK: usize = 2 << 20;

/// The stack of a thread that does little.
pub const SMALL_STACK: usize = 256 << 10;

/// A browser has made as many threads as a search is to have before it begins: none is left for less.
const THREADS_ARE_FEW: bool = cfg!(target_family = "wasm");

/// The operating system refused to give memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot allocate {} MiB of memory", .bytes >> 20)]
pub struct AllocError {
    /// The number of bytes asked for, `usize::MAX` if it does not fit.
    pub bytes: usize,
}

/// A type made of atomics only, of which a run of zero bytes is a value.
///
/// # Safety
///
/// All bytes zero must be a valid value of the type, the type must have nothing to drop, and every
/// byte of it must be part of an atomic (or padding), so that it may change behind a shared
/// reference.
pub unsafe trait Zeroable: Sync {
    /// Makes all bytes zero.
    fn set_zero(&self);
}

// SAFETY: an atomic has the layout of its integer, for which zero is a value, and has nothing to
// drop.
unsafe impl Zeroable for AtomicU64 {
    #[inline]
    fn set_zero(&self) {
        // Reading a page that was never written does not make it resident; writing does.
        if self.load(Ordering::Relaxed) != 0 {
            self.store(0, Ordering::Relaxed);
        }
    }
}

// SAFETY: as for `AtomicU64`.
unsafe impl Zeroable for AtomicU32 {
    #[inline]
    fn set_zero(&self) {
        if self.load(Ordering::Relaxed) != 0 {
            self.store(0, Ordering::Relaxed);
        }
    }
}

/// A fixed run of values in zeroed memory, aligned to a cache line or better.
///
/// On Linux a buffer of at least 2 MiB is aligned to that size, as large pages are.
pub struct Buffer<T: Zeroable> {
    /// Owns the memory; absent if the buffer is empty.
    region: Option<Region>,
    len: usize,
    values: PhantomData<T>,
}

impl<T: Zeroable> Buffer<T> {
    /// Returns a buffer without values, which owns no memory.
    #[must_use]
    pub const fn empty() -> Buffer<T> {
        const {
            assert!(size_of::<T>() > 0 && align_of::<T>() <= BUFFER_ALIGN);
            assert!(!std::mem::needs_drop::<T>());
        }
        Buffer { region: None, len: 0, values: PhantomData }
    }

    /// Allocates `len` values whose bytes are all zero, without touching the memory.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn zeroed(len: usize) -> Result<Buffer<T>, AllocError> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(AllocError { bytes: usize::MAX })?;
        let mut buffer = Buffer::empty();
        if let Some(bytes) = NonZeroUsize::new(bytes) {
            buffer.region = Some(Region::zeroed(bytes).ok_or(AllocError { bytes: bytes.get() })?);
            buffer.len = len;
        }
        Ok(buffer)
    }

    /// Asks the operating system for large pages, which make random access faster.
    ///
    /// The first touch of a large page clears all of it, which takes up to a millisecond: worth
    /// it for long use, not for an answer that is due in a tenth of a second.
    pub fn prefer_large_pages(&self) {
        self.region.as_ref().inspect(|it| it.prefer_large_pages(0, self.len * size_of::<T>()));
    }

    /// Makes the memory of 2 MiB from value `first` on resident, as a large page where there are some;
    /// returns the first value behind it, or `None` at the end of the buffer. `touch` has to write to a value
    /// without changing it.
    ///
    /// The first touch of a page interrupts a search: for 300 MiB of small ones 77,000 times. This is for the
    /// time in which nobody waits, and in parts of up to some milliseconds because somebody may begin to.
    pub fn make_resident(&self, first: usize, touch: impl Fn(&T)) -> Option<usize> {
        let values = |bytes: usize| (bytes / size_of::<T>()).max(1);
        let after = first.saturating_add(values(2 << 20)).min(self.len);
        let part = self.get(first..after)?;
        let (from, bytes) = (first * size_of::<T>(), size_of_val(part));
        let region = self.region.as_ref()?;
        region.prefer_large_pages(from, bytes);
        // No operating system has smaller pages.
        part.iter().step_by(values(4096)).for_each(touch);
        region.join_pages(from, bytes);
        (after < self.len).then_some(after)
    }

    /// Makes all values zero.
    ///
    /// Gives the pages of a large buffer back to the operating system where that can be done, and
    /// else writes, on up to `threads` threads. Threads that use the buffer meanwhile see each word
    /// old or zero.
    pub fn clear(&self, threads: usize) {
        /// Anything smaller is written in less time than the first touch of its pages would take.
        const WORTH_GIVING_BACK: usize = 8 << 20;
        let large = self.len * size_of::<T>() >= WORTH_GIVING_BACK;
        if self.region.as_ref().is_some_and(|region| !(large && region.discard())) {
            self.overwrite(threads);
        }
    }

    /// Makes all values zero by writing to them.
    fn overwrite(&self, threads: usize) {
        /// Below this many bytes a further thread costs more than it saves.
        const WORTH_A_THREAD: usize = 4 << 20;
        let useful = self.len * size_of::<T>() / WORTH_A_THREAD;
        for_each_part(self, threads.min(useful), |part| part.iter().for_each(T::set_zero));
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
impl<T: Zeroable> Buffer<T> {
    /// Returns the number of bytes of the buffer that have physical memory of their own: a page that was only
    /// read is one of zeros, which all such pages share.
    pub(crate) fn resident_bytes(&self) -> usize {
        use std::os::unix::fs::FileExt;

        /// The bits of a page that is present, and mapped by nobody else.
        const OWN: u64 = 1 << 63 | 1 << 56;
        let page = page_size() as usize;
        let pages = (self.len * size_of::<T>()).div_ceil(page);
        let mut entries = vec![0u8; pages * 8];
        let map = std::fs::File::open("/proc/self/pagemap").expect("the kernel tells");
        let place = (self.as_ptr().addr() / page * 8) as u64;
        map.read_exact_at(&mut entries, place).expect("an entry for each page");
        let entries =
            entries.chunks_exact(8).map(|entry| u64::from_ne_bytes(entry.try_into().unwrap()));
        entries.filter(|entry| entry & OWN == OWN).count() * page
    }
}

impl<T: Zeroable> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let start = self.region.as_ref().map_or(NonNull::dangling(), |r| r.start().cast::<T>());
        // SAFETY: `zeroed` obtained `len * size_of::<T>()` bytes at `start`, aligned to
        // `BUFFER_ALIGN`, which is enough for `T` as `empty` asserts; they started as zeros, a
        // value of `T` by its `Zeroable`, and live as long as `self`. Only shared references are
        // ever given out. Without a region `len` is 0 and a dangling aligned pointer will do.
        unsafe { slice::from_raw_parts(start.as_ptr(), self.len) }
    }
}

// SAFETY: the buffer owns its values like a `Box<[T]>` and is as mobile as they are.
unsafe impl<T: Zeroable + Send> Send for Buffer<T> {}
// SAFETY: a shared buffer gives out nothing but `&[T]`, and what is `Zeroable` is `Sync`.
unsafe impl<T: Zeroable> Sync for Buffer<T> {}

impl<T: Zeroable> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} x {} bytes)", self.len, size_of::<T>())
    }
}

/// Calls `work` on parts that together are all of `items`, on up to `threads` threads.
///
/// Parts are contiguous and as even as can be. A thread that cannot be started has its part done
/// by the caller.
pub fn for_each_part<T: Sync>(items: &[T], threads: usize, work: impl Fn(&[T]) + Sync) {
    let threads = if THREADS_ARE_FEW { 1 } else { threads.clamp(1, 256) };
    let part = items.len().div_ceil(threads).max(1);
    let mut parts = items.chunks(part);
    let own = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        for part in parts {
            let work = &work;
            let thread = thread::Builder::new().stack_size(SMALL_STACK);
            if thread.spawn_scoped(scope, move || work(part)).is_err() {
                work(part);
            }
        }
        work(own);
    });
}

/// Does two things at the same time, or one after the other if the operating system refuses a thread.
///
/// The second thread has a small stack: the C library keeps the addresses of a stack after its thread has
/// ended.
pub fn both<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    if THREADS_ARE_FEW {
        return (first(), second());
    }
    let (mut second, mut of_second) = (Some(second), None);
    let of_first = thread::scope(|scope| {
        let work = || of_second = second.take().map(|second| second());
        // If there is no thread, it is done below.
        let _ = thread::Builder::new().stack_size(SMALL_STACK).spawn_scoped(scope, work);
        first()
    });
    let of_second = of_second.or_else(|| second.map(|second| second()));
    (of_first, of_second.expect("either the thread or this one has done it"))
}

/// Address space that is kept free while something else is allocated, until it is dropped.
#[derive(Debug)]
pub struct Reserve(#[allow(dead_code, reason = "it is only held")] Vec<Buffer<AtomicU64>>);

impl Reserve {
    /// Reserves this number of bytes.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if there is not so much.
    pub fn new(bytes: usize) -> Result<Reserve, AllocError> {
        /// Nothing is aligned for large pages, which would take more.
        const PIECE: usize = 1 << 20;
        let whole = std::iter::repeat_n(PIECE, bytes / PIECE);
        let pieces = whole.chain([bytes % PIECE]);
        let pieces = pieces.map(|piece| Buffer::zeroed(piece / size_of::<AtomicU64>()));
        pieces.collect::<Result<_, _>>().map(Reserve).map_err(|_| AllocError { bytes })
    }
}

/// Makes all threads of the process share one heap.
///
/// The C library of Linux else reserves 64 MiB of addresses for each of the first threads, which
/// counts where a manager limits address space. For a process whose threads seldom allocate; to be
/// called before a second thread begins.
pub fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call changes one number of the allocator, and may be made at any time.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Returns the size of a normal page.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn page_size() -> u64 {
    // SAFETY: `sysconf` only looks a number up.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(size).ok().filter(|&size| size > 0).unwrap_or(4096)
}

/// Returns the physical memory of the whole computer, where that is known.
#[must_use]
pub fn physical_bytes() -> Option<u64> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        // SAFETY: `sysconf` only looks a number up.
        let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
        u64::try_from(pages).ok().filter(|&pages| pages > 0).map(|pages| pages * page_size())
    }
    #[cfg(windows)]
    {
        windows_physical_bytes()
    }
    #[cfg(not(any(target_os = "linux", target_vendor = "apple", windows)))]
    None
}

#[cfg(windows)]
fn windows_physical_bytes() -> Option<u64> {
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
    let length = size_of::<MEMORYSTATUSEX>() as u32;
    let mut status = MEMORYSTATUSEX { dwLength: length, ..MEMORYSTATUSEX::default() };
    // SAFETY: the pointer is to a live structure whose first field holds its size, as the function demands.
    let done = unsafe { GlobalMemoryStatusEx(&raw mut status) };
    (done != 0).then_some(status.ullTotalPhys)
}

/// Regions mapped straight from the kernel, aligned for large pages.
#[cfg(all(target_os = "linux", not(miri)))]
mod mapped {
    use std::num::NonZeroUsize;
    use std::ptr::{self, NonNull};

    /// The size of a large page on x86-64 and on ARM with normal pages of 4 KiB.
    const LARGE_PAGE: usize = super::ALIGNMENT_SLACK;

    /// Zeroed memory owned by its value.
    pub(super) struct Region {
        start: NonNull<u8>,
        /// A multiple of the page size.
        bytes: usize,
    }

    impl Region {
        pub(super) fn zeroed(bytes: NonZeroUsize) -> Option<Region> {
            let page = super::page_size() as usize;
            let bytes = bytes.get().checked_next_multiple_of(page)?;
            let large = bytes >= LARGE_PAGE;
            // A mapping starts at any page: take one large page more and give back both ends.
            let span = bytes.checked_add(if large { LARGE_PAGE } else { 0 })?;
            if span > isize::MAX as usize {
                return None;
            }
            // SAFETY: an anonymous private mapping at a place of the kernel's choice touches no
            // memory that is in use.
            let base = unsafe {
                libc::mmap(
                    ptr::null_mut(),
                    span,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                    -1,
                    0,
                )
            };
            if base == libc::MAP_FAILED {
                return None;
            }
            let base = NonNull::new(base.cast::<u8>())?;
            if !large {
                return Some(Region { start: base, bytes });
            }
            let head = base.as_ptr().align_offset(LARGE_PAGE);
            debug_assert!(head <= LARGE_PAGE && head.is_multiple_of(page));
            // SAFETY: `head + bytes <= span`, so the three pieces lie within the mapping, do not
            // overlap and begin and end at pages. Nothing refers to the two that are unmapped.
            // The advice concerns only how the middle is backed; its refusal does no harm.
            unsafe {
                let start = base.add(head);
                if head > 0 {
                    libc::munmap(base.as_ptr().cast(), head);
                }
                let tail = span - head - bytes;
                if tail > 0 {
                    libc::munmap(start.add(bytes).as_ptr().cast(), tail);
                }
                Some(Region { start, bytes })
            }
        }

        #[inline]
        pub(super) fn start(&self) -> NonNull<u8> {
            self.start
        }

        /// Asks for large pages in so many bytes from `from` on, where the memory is not touched yet.
        pub(super) fn prefer_large_pages(&self, from: usize, bytes: usize) {
            assert!(from.checked_add(bytes).is_some_and(|end| end <= self.bytes));
            // SAFETY: the bytes lie within the mapping, which is this region's own, and the advice changes
            // none of them. Where `from` is not the beginning of a page, it is refused, which does no harm.
            unsafe {
                libc::madvise(self.start.as_ptr().add(from).cast(), bytes, libc::MADV_HUGEPAGE);
            }
        }

        /// Makes a large page of the small ones in so many bytes from `from` on, where they had been touched
        /// before a large one was asked for: Linux 6.1 can.
        pub(super) fn join_pages(&self, from: usize, bytes: usize) {
            // The same number for every processor; the `libc` crate has it for GNU's library alone.
            const MADV_COLLAPSE: libc::c_int = 25;
            assert!(from.checked_add(bytes).is_some_and(|end| end <= self.bytes));
            // SAFETY: the bytes lie within the mapping, which is this region's own, and keep what is in them.
            // Where it cannot be done, it is refused, which does no harm.
            unsafe {
                libc::madvise(self.start.as_ptr().add(from).cast(), bytes, MADV_COLLAPSE);
            }
        }

        /// Gives all pages back, so that they read as zero; returns whether it was done.
        pub(super) fn discard(&self) -> bool {
            // SAFETY: the region is a private anonymous mapping of whole pages, for which this
            // advice means that every byte becomes zero. What lies there is atomics by the
            // contract of `Zeroable`, so it may change while others look at it.
            unsafe {
                libc::madvise(self.start.as_ptr().cast(), self.bytes, libc::MADV_DONTNEED) == 0
            }
        }
    }

    impl Drop for Region {
        fn drop(&mut self) {
            // SAFETY: exactly these bytes were mapped by `zeroed`, and their owner is going.
            unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
        }
    }
}

/// Regions from the allocator of the standard library.
#[cfg(any(test, not(target_os = "linux"), miri))]
mod portable {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::num::NonZeroUsize;
    use std::ptr::NonNull;

    use super::BUFFER_ALIGN;

    /// Zeroed memory owned by its value.
    pub(super) struct Region {
        base: NonNull<u8>,
        start: NonNull<u8>,
        layout: Layout,
    }

    impl Region {
        pub(super) fn zeroed(bytes: NonZeroUsize) -> Option<Region> {
            // The allocator clears memory of unusual alignment by writing to all of it; that of
            // usual alignment it leaves to the system. So align by hand.
            let span = bytes.get().checked_add(BUFFER_ALIGN)?;
            let layout = Layout::from_size_align(span, align_of::<usize>()).ok()?;
            // SAFETY: the layout is larger than zero bytes.
            let base = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            let head = base.as_ptr().align_offset(BUFFER_ALIGN);
            debug_assert!(head < BUFFER_ALIGN);
            // SAFETY: `head < BUFFER_ALIGN`, so the result and the `bytes` after it lie within the
            // `bytes + BUFFER_ALIGN` allocated.
            let start = unsafe { base.add(head) };
            Some(Region { base, start, layout })
        }

        #[inline]
        pub(super) fn start(&self) -> NonNull<u8> {
            self.start
        }

        /// Has no large pages to ask for.
        #[cfg(any(not(target_os = "linux"), miri))]
        pub(super) fn prefer_large_pages(&self, _from: usize, _bytes: usize) {}

        /// Has no pages to join.
        #[cfg(any(not(target_os = "linux"), miri))]
        pub(super) fn join_pages(&self, _from: usize, _bytes: usize) {}

        /// Cannot give pages back; returns that nothing was done.
        #[cfg(any(not(target_os = "linux"), miri))]
        pub(super) fn discard(&self) -> bool {
            false
        }
    }

    impl Drop for Region {
        fn drop(&mut self) {
            // SAFETY: `base` came from `alloc_zeroed` with this layout, and its owner is going.
            unsafe { dealloc(self.base.as_ptr(), self.layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_zeroed_aligned_and_writable_to_its_end() {
        let most = if cfg!(miri) { 5_000 } else { 300_000 };
        for len in [0, 1, 511, 512, 513, most] {
            let buffer = Buffer::<AtomicU64>::zeroed(len).unwrap();
            assert_eq!(buffer.len(), len);
            assert!(buffer.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            if let Some(last) = buffer.last() {
                last.store(7, Ordering::Relaxed);
                assert_eq!(buffer.as_ptr().align_offset(BUFFER_ALIGN), 0);
            }
        }
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn a_buffer_becomes_resident_in_parts() {
        const BYTES: usize = (9 << 20) + 64;
        let buffer = Buffer::<AtomicU64>::zeroed(BYTES / 8).unwrap();
        let resident_after = |touch: fn(&AtomicU64)| -> Vec<usize> {
            let parts = std::iter::successors(Some(0), |&first| buffer.make_resident(first, touch));
            // One part is touched when the next is asked for.
            parts.skip(1).map(|_| buffer.resident_bytes()).collect()
        };
        let read = |word: &AtomicU64| assert_eq!(word.load(Ordering::Relaxed), 0);
        assert_eq!(resident_after(read), [0; 4]);
        assert_eq!(buffer.resident_bytes(), 0);
        let written = resident_after(|word| word.store(0, Ordering::Relaxed));
        for (parts, resident) in (1..).zip(written) {
            assert!(resident >= parts << 21, "{resident}");
        }
        assert!(buffer.resident_bytes() >= BYTES);
        assert_eq!(buffer.make_resident(BYTES / 8, |_| unreachable!()), None);
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        assert_eq!(
            Buffer::<AtomicU64>::zeroed(usize::MAX).err(),
            Some(AllocError { bytes: usize::MAX })
        );
        for words in [isize::MAX as usize / 8, 1 << (usize::BITS - 4)] {
            let error = AllocError { bytes: words * 8 };
            assert_eq!(Buffer::<AtomicU64>::zeroed(words).err(), Some(error));
        }
    }

    #[test]
    fn the_portable_region_is_zeroed_aligned_and_writable_to_its_end() {
        let most = if cfg!(miri) { 1 << 14 } else { 1 << 22 };
        for bytes in [1, 63, 64, 65, 4096, most] {
            let region = portable::Region::zeroed(NonZeroUsize::new(bytes).unwrap()).unwrap();
            let start = region.start().as_ptr();
            assert_eq!(start.align_offset(BUFFER_ALIGN), 0);
            // SAFETY: the region holds `bytes` zeroed bytes and nothing else refers to them.
            let memory = unsafe { slice::from_raw_parts_mut(start, bytes) };
            assert!(memory.iter().all(|&byte| byte == 0));
            memory[bytes - 1] = 1;
        }
        assert!(portable::Region::zeroed(NonZeroUsize::MAX).is_none());
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn a_large_buffer_begins_at_a_large_page_and_is_not_resident_until_touched() {
        const BYTES: usize = 256 << 20;
        let buffer = Buffer::<AtomicU64>::zeroed(BYTES / 8).unwrap();
        assert_eq!(buffer.as_ptr().align_offset(2 << 20), 0);
        assert_eq!(buffer.resident_bytes(), 0);
        buffer[BYTES / 16].store(1, Ordering::Relaxed);
        let resident = buffer.resident_bytes();
        assert!((4096..=2 << 20).contains(&resident), "{resident}");
        buffer.clear(1);
        assert_eq!(buffer.resident_bytes(), 0);
    }

    #[test]
    fn a_cleared_buffer_is_zero_everywhere_however_it_was_done() {
        let most = if cfg!(miri) { 3 << 10 } else { 3 << 20 };
        for len in [0, 1, 513, most] {
            let buffer = Buffer::<AtomicU64>::zeroed(len).unwrap();
            for clear in [Buffer::clear, Buffer::overwrite] {
                buffer.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
                clear(&buffer, 3);
                assert!(buffer.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            }
        }
    }

    #[test]
    fn parts_cover_everything_once_whatever_the_number_of_threads() {
        for len in [0, 1, 7, 64, 1000] {
            let counts: Vec<AtomicU64> = (0..len).map(|_| AtomicU64::new(0)).collect();
            for threads in [0, 1, 2, 3, 16] {
                for_each_part(&counts, threads, |part| {
                    for count in part {
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 5));
        }
    }

    #[cfg_attr(miri, ignore = "reserves megabytes")]
    #[test]
    fn more_cannot_be_reserved_than_there_is() {
        assert!(Reserve::new(0).is_ok() && Reserve::new((3 << 20) + 5).is_ok());
    }

    #[test]
    fn two_things_are_both_done() {
        let list = [1, 2];
        assert_eq!(both(|| list.len(), || list.iter().sum::<i32>()), (2, 3));
    }

    #[cfg_attr(miri, ignore = "Miri knows no memory of a computer")]
    #[cfg(any(target_os = "linux", target_vendor = "apple", windows))]
    #[test]
    fn the_computer_has_more_memory_than_this_test_uses() {
        let total = physical_bytes().unwrap();
        assert!(total > 64 << 20, "{total}");
        #[cfg(target_os = "linux")]
        {
            let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
            let pages: u64 = statm.split_ascii_whitespace().nth(1).unwrap().parse().unwrap();
            assert!(pages > 0 && pages * page_size() < total, "{pages} {total}");
        }
    }
}
