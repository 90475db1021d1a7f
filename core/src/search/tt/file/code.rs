//! The codes of buckets, which omit empty slots; see the parent module.

use super::super::entry::Packed;
use super::super::table::{Bucket, SLOTS};

/// The size of an entry, in bytes: data word and check word.
const ENTRY_BYTES: usize = 8 + 4;

/// The size of the longest code of a bucket, in bytes.
pub(super) const MOST_BUCKET_BYTES: usize = 1 + SLOTS * ENTRY_BYTES;

/// The first value beyond the first bytes of codes of used buckets.
const END_OF_MASKS: u8 = 1 << SLOTS;

/// The code of one empty bucket; each further one adds 1.
const ONE_EMPTY: u8 = 128;

/// The largest number of empty buckets in one code.
const MOST_EMPTY: usize = (u8::MAX - ONE_EMPTY) as usize + 1;

const _: () = assert!(END_OF_MASKS <= ONE_EMPTY);

/// An error in the codes of buckets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CodeError {
    /// The index of the first byte of the code.
    pub(super) at: usize,
    /// The value expected there.
    pub(super) expected: &'static str,
    /// The value found.
    pub(super) found: u64,
}

/// Appends the codes of the buckets.
pub(super) fn encode(buckets: &[Bucket], out: &mut Vec<u8>) {
    let mut empty = 0;
    for bucket in buckets {
        let mut code = [0; MOST_BUCKET_BYTES];
        let mut len = 1;
        for slot in 0..SLOTS {
            let data = bucket.load(slot);
            if !data.is_empty() {
                code[0] |= 1 << slot;
                code[len..len + 8].copy_from_slice(&data.0.to_le_bytes());
                code[len + 8..len + 12].copy_from_slice(&bucket.check(slot).to_le_bytes());
                len += ENTRY_BYTES;
            }
        }
        if len == 1 {
            empty += 1;
        } else {
            encode_empty(empty, out);
            empty = 0;
            out.extend_from_slice(&code[..len]);
        }
    }
    encode_empty(empty, out);
}

fn encode_empty(mut count: usize, out: &mut Vec<u8>) {
    while count > 0 {
        let part = count.min(MOST_EMPTY);
        out.push(ONE_EMPTY + (part - 1) as u8);
        count -= part;
    }
}

/// Decodes exactly `count` buckets and calls `put` with the bucket, the slot, the data word and the
/// check word of every entry.
pub(super) fn decode(
    bytes: &[u8],
    count: usize,
    mut put: impl FnMut(usize, usize, Packed, u32),
) -> Result<(), CodeError> {
    let mut bucket = 0;
    let mut rest = bytes;
    while bucket < count {
        let at = bytes.len() - rest.len();
        let fault = |expected, found| Err(CodeError { at, expected, found });
        let Some((&first, entries)) = rest.split_first() else {
            return fault("the code of a further bucket, not the end of the block", 0);
        };
        rest = entries;
        if first >= ONE_EMPTY {
            let empty = usize::from(first - ONE_EMPTY) + 1;
            if empty > count - bucket {
                return fault("no more empty buckets than belong to the block", empty as u64);
            }
            bucket += empty;
            continue;
        }
        if first == 0 || first >= END_OF_MASKS {
            return fault("the code of a bucket", first.into());
        }
        for slot in (0..SLOTS).filter(|slot| first >> slot & 1 != 0) {
            let Some((data, check, others)) = split_entry(rest) else {
                return fault("a bucket whose entries are in the block", first.into());
            };
            if !data.is_valid() {
                return fault("a bucket of entries that can be stored", data.0);
            }
            put(bucket, slot, data, check);
            rest = others;
        }
        bucket += 1;
    }
    if !rest.is_empty() {
        let (at, found) = (bytes.len() - rest.len(), rest.len() as u64);
        return Err(CodeError { at, expected: "the end of the block, not more bytes", found });
    }
    Ok(())
}

/// Splits off the words of one entry.
#[inline]
fn split_entry(bytes: &[u8]) -> Option<(Packed, u32, &[u8])> {
    let (data, rest) = bytes.split_first_chunk()?;
    let (check, rest) = rest.split_first_chunk()?;
    Some((Packed(u64::from_le_bytes(*data)), u32::from_le_bytes(*check), rest))
}
