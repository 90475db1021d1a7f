//! Cache hints.

/// Asks the processor to bring the cache line at the start of `target` close; has no other effect.
#[inline(always)]
pub fn prefetch<T>(target: &T) {
    let address: *const T = target;
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch neither reads nor writes memory as far as the program can tell and
        // never faults; SSE is part of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    {
        // SAFETY: the instruction is a hint: it changes no register, flag or memory and never
        // faults, as the options state.
        unsafe {
            std::arch::asm!(
                "prfm pldl1keep, [{0}]",
                in(reg) address,
                options(nostack, readonly, preserves_flags)
            );
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_leaves_its_target_alone() {
        let words = [1u64, 2, 3];
        prefetch(&words);
        prefetch(&words[2]);
        assert_eq!(words, [1, 2, 3]);
    }
}
