//! The memory of the computer, or of the container that the program runs in.

mod cgroup;

use std::fs;

use tengen_core::sys::memory::physical_bytes;

/// Returns the physical memory of the whole computer, or of the container of Linux that this runs in, where that
/// is known.
#[must_use]
pub fn total_bytes() -> Option<u64> {
    physical_bytes().into_iter().chain(cgroup::memory_limit()).min()
}

/// Returns whether a quarter of the memory of [`total_bytes`] is still to be had, or that is not known.
#[must_use]
pub fn has_plenty() -> bool {
    let left = available_bytes().into_iter().chain(cgroup::memory_left()).min();
    left.zip(total_bytes()).is_none_or(|(left, total)| left >= total / 4)
}

/// Returns the memory that programs can have without swapping, in bytes, where Linux says so.
fn available_bytes() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let kib = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(kib.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_available_is_part_of_all() {
        let (available, all) = (available_bytes().unwrap(), physical_bytes().unwrap());
        assert!((1 << 20..=all).contains(&available), "{available} of {all}");
        assert!(total_bytes().unwrap() <= all);
    }
}
