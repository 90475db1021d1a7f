//! The lines of an engine's output.

use std::time::Instant;

/// The longest line that is looked at unless longer ones are wanted, in bytes without its end.
pub const LONGEST_LINE: usize = 64 * 1024;

/// The most output that belongs to one answer, in bytes.
pub const MOST_OUTPUT: usize = 16 << 20;

/// A part of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutputPiece {
    /// A line without its end and as it was written, and when it was read; blank ones only if they are wanted.
    Line(Instant, String),
    /// A line of too many bytes, or as much of it as has come.
    TooLong,
}

/// Cuts output into lines, with bounded memory. Lines end with LF, CR or both.
#[derive(Debug)]
pub struct LineBuffer {
    /// The time at which the last bytes were read.
    at: Instant,
    buffer: Vec<u8>,
    /// The start of the next line.
    start: usize,
    /// Up to where no end of a line was found.
    searched: usize,
    /// The most bytes of a line.
    longest: usize,
    /// True if the next line began too early to count.
    stale: bool,
    /// True if blank lines count.
    keeps_blank: bool,
    /// True if the line before ended with CR, to which an LF belongs.
    ends_with_cr: bool,
}

impl Default for LineBuffer {
    fn default() -> LineBuffer {
        LineBuffer::new()
    }
}

impl LineBuffer {
    /// Returns a buffer without anything in it.
    #[must_use]
    pub fn new() -> LineBuffer {
        LineBuffer {
            at: Instant::now(),
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            longest: LONGEST_LINE,
            stale: false,
            keeps_blank: false,
            ends_with_cr: false,
        }
    }

    /// Returns a buffer for lines of at most `longest` bytes that keeps blank ones: a text of several lines may
    /// have some.
    #[must_use]
    pub fn with_blank_lines(longest: usize) -> LineBuffer {
        LineBuffer { longest, keeps_blank: true, ..LineBuffer::new() }
    }

    /// Takes what was read at some moment.
    pub fn push(&mut self, at: Instant, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.at = at;
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next complete line, if there is one, or notices that it will be too long.
    pub fn next_piece(&mut self) -> Option<OutputPiece> {
        loop {
            let rest = &self.buffer[self.searched..];
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.searched = self.buffer.len();
                return (self.searched - self.start > self.longest).then(|| {
                    self.start = self.searched;
                    self.stale = true;
                    OutputPiece::TooLong
                });
            };
            let end = self.searched + end;
            let line = self.start..end;
            let is_lf = self.buffer[end] == b'\n';
            let is_rest_of_end =
                std::mem::replace(&mut self.ends_with_cr, !is_lf) && is_lf && line.is_empty();
            self.start = end + 1;
            self.searched = self.start;
            if std::mem::take(&mut self.stale) || is_rest_of_end {
                continue;
            }
            if line.len() > self.longest {
                return Some(OutputPiece::TooLong);
            }
            let text = String::from_utf8_lossy(&self.buffer[line]);
            if self.keeps_blank || !text.trim().is_empty() {
                return Some(OutputPiece::Line(self.at, text.into_owned()));
            }
        }
    }

    /// Forgets all lines that have begun.
    pub fn forget(&mut self) {
        let ended = self.buffer.last().is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        self.stale = if self.buffer.is_empty() { self.stale } else { !ended };
        self.buffer.clear();
        self.start = 0;
        self.searched = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes pieces and returns the lines, with `None` for one that is too long.
    fn lines(lines: &mut LineBuffer, pieces: &[&[u8]]) -> Vec<Option<String>> {
        let mut all = Vec::new();
        for piece in pieces {
            lines.push(Instant::now(), piece);
            while let Some(piece) = lines.next_piece() {
                all.push(match piece {
                    OutputPiece::Line(_, text) => Some(text),
                    OutputPiece::TooLong => None,
                });
            }
        }
        all
    }

    fn texts(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|&text| Some(text.to_owned())).collect()
    }

    #[test]
    fn lines_end_in_every_way_and_come_in_any_pieces() {
        let mut output = LineBuffer::new();
        let pieces: [&[u8]; 5] = [b"OK\r", b"\n7,", b"7\n\n \r\r 8,8\nMESS", b"AGE x", b"\n"];
        assert_eq!(lines(&mut output, &pieces), texts(&["OK", "7,7", " 8,8", "MESSAGE x"]));
        let mut whole = LineBuffer::with_blank_lines(LONGEST_LINE);
        let pieces: [&[u8]; 3] = [b"a\r", b"\n\r\n \n\nb\n", b"\n\r\r"];
        assert_eq!(lines(&mut whole, &pieces), texts(&["a", "", " ", "", "b", "", "", ""]));
        assert_eq!(lines(&mut output, &[b"\xff\0\n"]), texts(&["\u{fffd}\0"]));
    }

    #[test]
    fn what_began_before_is_forgotten_to_its_end() {
        let mut output = LineBuffer::new();
        assert_eq!(lines(&mut output, &[b"7,"]), []);
        output.forget();
        output.forget();
        assert_eq!(lines(&mut output, &[b"7\n", b"8,8\n"]), texts(&["8,8"]));
        output.push(Instant::now(), b"1,1\n2,2\n");
        output.forget();
        assert_eq!(lines(&mut output, &[b"3,3\n"]), texts(&["3,3"]));
    }

    #[test]
    fn long_lines_are_noticed_before_their_end_and_not_kept() {
        let mut output = LineBuffer::new();
        let longest = vec![b'x'; LONGEST_LINE];
        assert_eq!(
            lines(&mut output, &[&longest, b"\n"]),
            texts(&["x".repeat(LONGEST_LINE).as_str()])
        );
        assert_eq!(lines(&mut output, &[&longest, b"x"]), [None]);
        for _ in 0..100 {
            lines(&mut output, &[&longest]);
            assert!(output.buffer.len() <= 2 * LONGEST_LINE + 1);
        }
        let whole = [longest.as_slice(), b"xx\n7,7\n"].concat();
        let mut output = LineBuffer::new();
        assert_eq!(lines(&mut output, &[&whole]), [None, Some("7,7".to_owned())]);
        let mut longer = LineBuffer::with_blank_lines(LONGEST_LINE + 1);
        let pieces: [&[u8]; 5] = [&longest, b"x\n", &longest, b"xx", b"\n"];
        assert_eq!(lines(&mut longer, &pieces), [Some("x".repeat(LONGEST_LINE + 1)), None]);
    }
}
