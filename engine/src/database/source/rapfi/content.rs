//! The bytes of a database, compressed or not.

use std::io::{self, BufReader, Read};

use lz4_flex::frame::FrameDecoder;

/// The first bytes of an LZ4 frame.
pub(super) const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// A source that knows how much was taken from it, and whether its end was met.
#[derive(Debug)]
struct Watched<R> {
    source: BufReader<R>,
    /// Bytes that were looked at, and are not taken yet.
    start: Vec<u8>,
    bytes: u64,
    is_at_end: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.start.as_slice() {
            [] => self.source.read(buffer)?,
            start => {
                let len = start.len().min(buffer.len());
                buffer[..len].copy_from_slice(&start[..len]);
                self.start.drain(..len);
                len
            }
        };
        self.bytes += read as u64;
        self.is_at_end |= read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

/// The bytes of a database.
#[derive(Debug)]
pub(super) struct Content<R: Read> {
    source: ContentForm<R>,
    /// The bytes of the content that were read.
    at: u64,
    /// True if the frame has ended, and what comes is none of it.
    has_ended: bool,
}

#[derive(Debug)]
enum ContentForm<R: Read> {
    Raw(Watched<R>),
    Frame(Box<FrameDecoder<Watched<R>>>),
}

impl<R: Read> Content<R> {
    /// Looks at the first bytes of a source.
    ///
    /// # Errors
    ///
    /// Returns an error if it can't be read.
    pub(super) fn new(source: R) -> io::Result<Content<R>> {
        let mut source = BufReader::new(source);
        let mut start = Vec::new();
        source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start)?;
        let is_frame = start == MAGIC;
        let source = Watched { source, start, bytes: 0, is_at_end: false };
        let source = match is_frame {
            true => ContentForm::Frame(Box::new(FrameDecoder::new(source))),
            false => ContentForm::Raw(source),
        };
        Ok(Content { source, at: 0, has_ended: false })
    }

    /// Returns how many bytes of the content were read.
    pub(super) const fn at(&self) -> u64 {
        self.at
    }

    /// Returns how many bytes of the source were read.
    pub(super) fn source_bytes(&self) -> u64 {
        match &self.source {
            ContentForm::Raw(source) => source.bytes,
            ContentForm::Frame(frame) => frame.get_ref().bytes,
        }
    }

    /// Returns the next bytes; fewer at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the source can't be read or is damaged.
    pub(super) fn take_bytes(&mut self, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.by_ref().take(len as u64).read_to_end(&mut bytes);
        self.at += bytes.len() as u64;
        read.map(|_| bytes)
    }

    /// Returns what is wrong at the end, if anything.
    ///
    /// # Errors
    ///
    /// Returns an error if the source can't be read or is damaged.
    pub(super) fn end(&mut self) -> io::Result<Option<&'static str>> {
        if self.read(&mut [0])? > 0 {
            return Ok(Some("there is more than the records that were announced"));
        }
        let ContentForm::Frame(frame) = &mut self.source else { return Ok(None) };
        let source = frame.get_mut();
        if source.is_at_end {
            return Ok(Some("the end of the compressed data is missing"));
        }
        let follows = source.read(&mut [0])? > 0;
        Ok(follows.then_some("something follows after the compressed data"))
    }
}

impl<R: Read> Read for Content<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.source {
            ContentForm::Raw(source) => source.read(buffer),
            // After the end it would take what follows for another frame.
            ContentForm::Frame(_) if self.has_ended => Ok(0),
            ContentForm::Frame(frame) => {
                let read = frame.read(buffer)?;
                self.has_ended = read == 0 && !buffer.is_empty();
                Ok(read)
            }
        }
    }
}

/// Returns the fault, if an error is about the compressed data and not about reading it.
pub(super) fn damage(error: &io::Error) -> Option<String> {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return Some("the end of the compressed data is missing".to_owned());
    }
    let inner = error.get_ref()?.downcast_ref::<lz4_flex::frame::Error>()?;
    Some(format!("the compressed data is damaged: {inner}"))
}
