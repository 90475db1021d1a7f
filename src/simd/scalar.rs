//! The kernels in plain Rust, the reference for all other versions.

/// Returns the largest of some numbers, 0 if there are none.
#[inline]
#[must_use]
pub fn largest(values: &[u32]) -> u32 {
    values.iter().copied().fold(0, u32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_found_wherever_it_is() {
        assert_eq!(largest(&[]), 0);
        for at in 0..9 {
            let mut values = [3; 9];
            values[at] = u32::MAX;
            assert_eq!(largest(&values), u32::MAX);
        }
    }
}
