//! When the bytes of an input arrived.

use std::io::{self, BufRead, Read};
use std::time::Instant;

/// An input that knows when its bytes had arrived.
///
/// A read that returns at once says little about that: a script of commands comes in pieces as large as
/// the buffer, a terminal gives line after line, and the machine may be busy in between. So with each piece
/// it is looked how much more is there, and all of that has arrived at this moment, however late it is read.
pub(super) struct TimedInput<R, U> {
    input: R,
    /// Returns how many bytes wait outside the buffer of the input.
    unread: U,
    /// The bytes of the buffer that were not consumed.
    buffered: usize,
    /// All bytes that were consumed.
    consumed: u64,
    earlier: ArrivalSample,
    latest: ArrivalSample,
}

/// An observation of the input.
#[derive(Clone, Copy)]
struct ArrivalSample {
    at: Instant,
    /// The number of bytes, of all that ever come, that had arrived.
    arrived: u64,
}

impl<R: BufRead, U: FnMut() -> u64> TimedInput<R, U> {
    /// Returns an input of which nothing was read; `unread` tells without waiting how many bytes have
    /// arrived that `input` does not hold in its buffer.
    pub(super) fn new(input: R, unread: U) -> TimedInput<R, U> {
        let look = ArrivalSample { at: Instant::now(), arrived: 0 };
        TimedInput { input, unread, buffered: 0, consumed: 0, earlier: look, latest: look }
    }

    /// Returns a moment at which all that was consumed had arrived, the earliest that is known.
    pub(super) fn arrival(&self) -> Instant {
        let look = if self.consumed <= self.earlier.arrived { self.earlier } else { self.latest };
        look.at
    }
}

impl<R: BufRead, U: FnMut() -> u64> BufRead for TimedInput<R, U> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.buffered == 0 {
            self.buffered = self.input.fill_buf()?.len();
            let read = self.consumed + self.buffered as u64;
            if read > self.latest.arrived {
                self.earlier = self.latest;
                // In this order: what comes between was not there before the time that is told.
                let arrived = read.saturating_add((self.unread)());
                self.latest = ArrivalSample { at: Instant::now(), arrived };
            }
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.buffered = self.buffered.saturating_sub(bytes);
        self.consumed += bytes as u64;
    }
}

impl<R: BufRead, U: FnMut() -> u64> Read for TimedInput<R, U> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?.read(buffer)?;
        self.consume(bytes);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_while_it_looks_has_come_no_earlier() {
        let last = std::cell::Cell::new(None);
        let mut input = TimedInput::new(&b"START 15\n"[..], || {
            // As if the process had been suspended here.
            last.set(Some(Instant::now()));
            0
        });
        input.fill_buf().unwrap();
        input.consume(1);
        let at = input.arrival();
        assert!(last.get().is_some_and(|looked| looked <= at));
    }

    /// Returns for each byte of an input that comes in pieces the number of its moment: equal numbers are
    /// one moment. The looks at what waits find one number each.
    fn moments(pieces: &[&str], looks: &[u64]) -> Vec<usize> {
        let mut looks = looks.iter().copied();
        let pieces =
            pieces.iter().fold(Box::new(io::empty()) as Box<dyn BufRead + '_>, |before, piece| {
                Box::new(before.chain(piece.as_bytes()))
            });
        let mut input = TimedInput::new(pieces, || looks.next().expect("one look more"));
        let (mut known, mut numbers) = (Vec::<Instant>::new(), Vec::new());
        while !input.fill_buf().unwrap().is_empty() {
            input.consume(1);
            let at = input.arrival();
            if known.last() != Some(&at) {
                known.push(at);
            }
            numbers.push(known.len() - 1);
            // So that moments differ.
            while Instant::now() == at {}
        }
        assert_eq!(looks.next(), None, "every look was made");
        numbers
    }

    #[test]
    fn what_waits_has_arrived_with_the_piece_before_it() {
        assert_eq!(moments(&["abc", "de", "fg", "h"], &[4, 0]), [0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(moments(&["ab", "c"], &[0, 0]), [0, 0, 1]);
    }

    #[test]
    fn a_piece_may_hold_more_than_was_waiting() {
        assert_eq!(moments(&["ab", "cde", "fg", "h"], &[1, 2, 0]), [0, 0, 0, 1, 1, 1, 1, 2]);
    }

    #[test]
    fn all_of_a_file_is_there_from_the_beginning() {
        assert_eq!(moments(&["ab", "cd", "ef"], &[u64::MAX]), [0; 6]);
    }
}
