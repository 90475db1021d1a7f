//! The processors of this computer.

/// Returns the number of processors that this process may use, 1 if it is not known.
#[must_use]
pub fn processors() -> usize {
    #[cfg(target_family = "wasm")]
    {
        told::PROCESSORS.load(std::sync::atomic::Ordering::Relaxed).max(1)
    }
    #[cfg(not(target_family = "wasm"))]
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(target_family = "wasm")]
pub use told::set_processors;

#[cfg(target_family = "wasm")]
mod told {
    use std::sync::atomic::{AtomicUsize, Ordering};

    pub(super) static PROCESSORS: AtomicUsize = AtomicUsize::new(1);

    /// Tells the number of processors that whoever runs this program lets it use.
    pub fn set_processors(number: usize) {
        PROCESSORS.store(number, Ordering::Relaxed);
    }
}
