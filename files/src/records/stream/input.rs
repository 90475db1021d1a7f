//! The bytes of a file, of which only what is needed is in memory.

use std::fmt;
use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8};

use crate::records::CodePage;
use crate::records::source::TextStart;

/// The bytes that are read at a time.
const CHUNK: u64 = 16 << 10;

/// The most bytes of a game: no file of games has more, but one that never ends.
const MOST_HELD: usize = 1 << 28;

/// The bytes of a source from the first one that is not done with. A file in UTF-16 becomes UTF-8.
pub(in crate::records) struct TextInput<'a> {
    source: Box<dyn Read + 'a>,
    /// The bytes read; the first `done` of them are consumed.
    buffer: Vec<u8>,
    done: usize,
    is_at_end: bool,
    /// Where the next byte is.
    start: TextStart,
    /// The decoder of the bytes of the source.
    decoder: Option<Decoder>,
    /// The number of places that meant nothing to the decoder.
    meaningless: usize,
    bytes_read: u64,
}

impl fmt::Debug for TextInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextInput").field("start", &self.start).finish_non_exhaustive()
    }
}

impl<'a> TextInput<'a> {
    /// Returns the bytes of a source as they are, for what is no text.
    pub(in crate::records) fn of_bytes(source: impl Read + 'a) -> TextInput<'a> {
        TextInput {
            source: Box::new(source),
            buffer: Vec::new(),
            done: 0,
            is_at_end: false,
            start: TextStart::FILE,
            decoder: None,
            meaningless: 0,
            bytes_read: 0,
        }
    }

    /// Returns the bytes of a source, and whether it begins with a byte order mark, which is none of
    /// them.
    pub(in crate::records) fn new(source: impl Read + 'a) -> io::Result<(TextInput<'a>, bool)> {
        let mut input = TextInput::of_bytes(source);
        while input.buffer.len() < 3 && input.fill()? {}
        let mark = Encoding::for_bom(&input.buffer);
        if let Some((page, length)) = mark {
            input.done = length;
            if page != UTF_8 {
                input.recode(page);
            }
        }
        Ok((input, mark.is_some()))
    }

    /// Makes UTF-8 of all that is not done with and of what comes.
    pub(in crate::records) fn recode(&mut self, page: &'static Encoding) {
        let raw = self.buffer.split_off(self.done);
        self.buffer.clear();
        self.done = 0;
        self.decoder = Some(page.new_decoder_without_bom_handling());
        self.decode(&raw);
    }

    /// Returns where the next byte is.
    pub(in crate::records) const fn start(&self) -> TextStart {
        self.start
    }

    /// Returns the number of bytes that were taken from the source.
    pub(in crate::records) const fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Returns what was read and is not done with.
    pub(in crate::records) fn held(&self) -> &[u8] {
        &self.buffer[self.done..]
    }

    /// Reads more, and returns whether there was more.
    pub(in crate::records) fn fill(&mut self) -> io::Result<bool> {
        if self.is_at_end {
            return Ok(false);
        }
        // Half of the buffer at least is given back at a time, so that bytes are not moved for ever.
        if self.done > self.buffer.len() / 2 {
            self.buffer.drain(..self.done);
            self.done = 0;
        }
        if self.held().len() > MOST_HELD {
            let fault = format!("a game of more than {} MiB", MOST_HELD >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, fault));
        }
        let before = self.buffer.len();
        if self.buffer.capacity() - before < CHUNK as usize {
            // Twice as much would be the largest part of what a reader needs.
            self.buffer.reserve_exact((before / 4).max(CHUNK as usize));
        }
        if self.decoder.is_some() {
            let mut raw = Vec::new();
            let read = self.source.by_ref().take(CHUNK).read_to_end(&mut raw)?;
            self.note(read);
            self.decode(&raw);
        } else {
            let read = self.source.by_ref().take(CHUNK).read_to_end(&mut self.buffer)?;
            self.note(read);
        }
        Ok(self.buffer.len() > before || !self.is_at_end)
    }

    fn note(&mut self, read: usize) {
        self.bytes_read += read as u64;
        self.is_at_end = (read as u64) < CHUNK;
    }

    /// Adds what the decoder makes of bytes. Those that mean nothing to it are taken for letters of
    /// Western Europe, but for halves of characters of UTF-16, which become marks.
    fn decode(&mut self, mut raw: &[u8]) {
        let Some(decoder) = &mut self.decoder else { return };
        let is_wide = !decoder.encoding().is_ascii_compatible();
        loop {
            let room = decoder.max_utf8_buffer_length_without_replacement(raw.len());
            let from = self.buffer.len();
            self.buffer.resize(from + room.unwrap_or(0), 0);
            let (result, read, written) = decoder.decode_to_utf8_without_replacement(
                raw,
                &mut self.buffer[from..],
                self.is_at_end,
            );
            self.buffer.truncate(from + written);
            match result {
                DecoderResult::InputEmpty => return,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    self.meaningless += 1;
                    let end = read.saturating_sub(usize::from(after));
                    let odd = &raw[end.saturating_sub(usize::from(length))..end];
                    let text = if is_wide || odd.is_empty() {
                        "\u{fffd}".to_owned()
                    } else {
                        CodePage::WESTERN.decode(odd)
                    };
                    self.buffer.extend(text.bytes());
                }
            }
            raw = &raw[read..];
        }
    }

    /// Returns how many places meant nothing to the decoder since this was asked.
    pub(in crate::records) const fn take_meaningless(&mut self) -> usize {
        std::mem::replace(&mut self.meaningless, 0)
    }

    /// Returns the byte at a distance from the next one; `None` is the end.
    pub(in crate::records) fn byte(&mut self, distance: usize) -> io::Result<Option<u8>> {
        while self.held().len() <= distance {
            if !self.fill()? {
                return Ok(None);
            }
        }
        Ok(Some(self.held()[distance]))
    }

    /// Reads until the whole next line is held, and returns its length with what ends it; 0 is the end.
    pub(in crate::records) fn line(&mut self, from: usize) -> io::Result<usize> {
        let mut searched = from;
        loop {
            let held = self.held();
            let rest = held.get(searched..).unwrap_or_default();
            if let Some(length) = rest.iter().position(|&byte| byte == b'\n') {
                return Ok(searched + length + 1 - from);
            }
            searched = held.len().max(from);
            if !self.fill()? {
                return Ok(self.held().len().saturating_sub(from));
            }
        }
    }

    /// Reads all that is left.
    pub(in crate::records) fn all(&mut self) -> io::Result<usize> {
        while self.fill()? {}
        Ok(self.held().len())
    }

    /// Is done with so many bytes.
    pub(in crate::records) fn advance(&mut self, bytes: usize) {
        self.start = self.start.after(&self.buffer[self.done..self.done + bytes]);
        self.done += bytes;
    }
}

impl Read for TextInput<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let held = self.fill_buf()?;
        let count = held.len().min(bytes.len());
        bytes[..count].copy_from_slice(&held[..count]);
        self.advance(count);
        Ok(count)
    }
}

impl BufRead for TextInput<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.held().is_empty() && self.fill()? {}
        Ok(self.held())
    }

    fn consume(&mut self, bytes: usize) {
        self.advance(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of bytes, and how many places meant nothing.
    fn text(bytes: &[u8]) -> (String, usize) {
        let (mut input, _) = TextInput::new(bytes).unwrap();
        input.all().unwrap();
        (String::from_utf8(input.held().to_vec()).unwrap(), input.take_meaningless())
    }

    #[test]
    fn utf_16_with_a_mark_is_text() {
        let long = "表x\u{1f600}".repeat(20_000);
        for big in [false, true] {
            let units = "\u{feff}".encode_utf16().chain(long.encode_utf16());
            let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let bytes: Vec<u8> = units.flat_map(bytes).collect();
            assert_eq!(text(&bytes), (long.clone(), 0));
        }
        assert_eq!(text(b"\xff\xfea\0\x00\xd8b\0"), ("a\u{fffd}b".to_owned(), 1));
        assert_eq!(text(b"\xff\xfea\0b"), ("a\u{fffd}".to_owned(), 1));
        assert_eq!(text("\u{feff}é".as_bytes()), ("é".to_owned(), 0));
    }

    #[test]
    fn only_what_is_not_done_with_is_held() {
        let line = "a line of a file with very many lines of the same length\n";
        let source = io::repeat(0).take(0).chain(io::Cursor::new(line.repeat(100_000)));
        let (mut input, _) = TextInput::new(source).unwrap();
        let mut lines = 0;
        loop {
            let length = input.line(0).unwrap();
            if length == 0 {
                break;
            }
            assert_eq!(&input.held()[..length], line.as_bytes());
            input.advance(length);
            lines += 1;
            assert!(input.buffer.capacity() <= 8 * CHUNK as usize, "{}", input.buffer.capacity());
        }
        assert_eq!((lines, input.start()), (100_000, TextStart { line: 100_001, column: 1 }));
        assert_eq!(input.bytes_read(), 100_000 * line.len() as u64);
    }
}
