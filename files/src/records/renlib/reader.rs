//! Libraries as a stream of steps.

use std::io::{self, BufReader, Read};

use super::head::MAGIC;
use super::node::{BOARD_TEXT, COMMENT, EXTENDED, LAST_LETTER, LEAF, OLD_COMMENT, SIBLING};
use super::{LibError, LibHead, LibNode};

/// The cell in the middle, with which files without a head begin.
const CENTER: u8 = 0x78;

/// A step on the way through a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LibStep {
    /// To a child of the node where the way is, or to the first node.
    Enter(LibNode<'static>),
    /// Back to the parent.
    Leave,
}

/// A reader that goes through the nodes in the order of the file, and needs no memory but four
/// bytes for each sibling that is still to come.
///
/// The way begins before the first node and ends there: every `Enter` has its `Leave`. Where the
/// file has a root, its children are the first moves; otherwise each node that is entered from the
/// beginning is one. After an error there is nothing more.
///
/// ```
/// use tengen_files::records::{LibReader, LibStep};
///
/// // The oldest form, without a head: h8, then i7.
/// let file = b"\x78\x00\x69\x40";
/// let mut depth = 0;
/// for step in LibReader::new(&file[..])? {
///     match step? {
///         LibStep::Enter(node) => {
///             println!("{depth}: {:?}", node.cell());
///             depth += 1;
///         }
///         LibStep::Leave => depth -= 1,
///     }
/// }
/// # Ok::<(), tengen_files::records::LibError>(())
/// ```
#[derive(Debug)]
pub struct LibReader<R> {
    source: ByteSource<R>,
    head: LibHead,
    /// The number of nodes that are entered and not left.
    depth: u32,
    /// The depths of the nodes whose sibling is still to come.
    awaited: Vec<u32>,
    /// The number of nodes to leave before the next one.
    leaving: u32,
    /// True if the next node is a sibling that was announced.
    is_announced: bool,
    state: ReaderState,
    tail: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReaderState {
    Reading,
    /// All nodes were read; some may have to be left.
    Ended,
    Failed,
}

impl<R: Read> LibReader<R> {
    /// Reads the head.
    ///
    /// # Errors
    ///
    /// Returns an error if this is not a library, or one of a later version.
    pub fn new(source: R) -> Result<LibReader<R>, LibError> {
        let mut source = ByteSource::new(source);
        let head = match source.next()? {
            Some(CENTER) => {
                source.put_back(CENTER);
                LibHead::Absent
            }
            Some(first) if first == MAGIC[0] => {
                for expected in &MAGIC[1..] {
                    if source.next()? != Some(*expected) {
                        return Err(source.expected_before("the name of RenLib"));
                    }
                }
                let mut rest = [0; 12];
                for byte in &mut rest {
                    *byte = source.required("a head of 20 bytes")?;
                }
                let too_new =
                    || LibError::Expected { at: 8, expected: "a version of the format up to 3.4" };
                LibHead::parse(rest).ok_or_else(too_new)?
            }
            _ => {
                return Err(LibError::Expected { at: 0, expected: "the head of a RenLib library" });
            }
        };
        Ok(LibReader {
            source,
            head,
            depth: 0,
            awaited: Vec::new(),
            leaving: 0,
            is_announced: false,
            state: ReaderState::Reading,
            tail: None,
        })
    }

    /// Returns the head.
    #[must_use]
    pub const fn head(&self) -> LibHead {
        self.head
    }

    /// Returns the number of bytes that were read so far.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.source.at
    }

    /// Returns the number of siblings that were announced and have not come. If it is not 0 in the
    /// end, the file was cut off, or RenLib saved a branch.
    #[must_use]
    pub const fn awaited(&self) -> usize {
        self.awaited.len() + self.is_announced as usize
    }

    /// Returns the odd byte at the end, once all steps are done.
    #[must_use]
    pub const fn tail(&self) -> Option<u8> {
        self.tail
    }

    /// Reads the next node; `None` is the end.
    fn node(&mut self) -> Result<Option<LibNode<'static>>, LibError> {
        let Some(position) = self.source.next()? else { return Ok(None) };
        let Some(flags) = self.source.next()? else {
            self.tail = Some(position);
            return Ok(None);
        };
        if !LibNode::is_position(position) {
            let at = self.source.at - 2;
            return Err(LibError::Expected { at, expected: "a cell of the board" });
        }
        let mut extension = [0; 2];
        if flags & EXTENDED != 0 {
            for byte in &mut extension {
                *byte = self.source.required("two bytes of flags")?;
            }
        }
        let mut texts = Vec::new();
        if flags & OLD_COMMENT != 0 {
            self.text(&mut texts, |letter| letter & LAST_LETTER != 0)?;
        } else if flags & COMMENT != 0 {
            self.text(&mut texts, |letter| letter == 0)?;
        }
        if extension[1] & BOARD_TEXT != 0 {
            self.text(&mut texts, |letter| letter == 0)?;
        }
        Ok(Some(LibNode { position, flags, extension, texts: texts.into() }))
    }

    /// Adds the pairs of a text, up to the one with a letter that ends it.
    fn text(&mut self, texts: &mut Vec<u8>, ends: fn(u8) -> bool) -> Result<(), LibError> {
        loop {
            let pair = [self.letter()?, self.letter()?];
            texts.extend(pair);
            if pair.into_iter().any(ends) {
                return Ok(());
            }
        }
    }

    fn letter(&mut self) -> Result<u8, LibError> {
        self.source.required("the end of a text")
    }

    /// Does the next step.
    fn step(&mut self) -> Result<Option<LibStep>, LibError> {
        if self.leaving == 0 && self.state == ReaderState::Reading {
            match self.node()? {
                Some(node) => {
                    self.depth = self.depth.checked_add(1).ok_or(LibError::Expected {
                        at: self.source.at,
                        expected: "a tree of less depth",
                    })?;
                    self.is_announced = false;
                    if node.flags & SIBLING != 0 {
                        self.awaited.push(self.depth);
                    }
                    // Where no sibling was announced, RenLib goes on below the node.
                    if node.flags & LEAF != 0
                        && let Some(depth) = self.awaited.pop()
                    {
                        self.leaving = self.depth - depth + 1;
                        self.is_announced = true;
                    }
                    return Ok(Some(LibStep::Enter(node)));
                }
                None => self.state = ReaderState::Ended,
            }
        }
        if self.state == ReaderState::Ended && self.leaving == 0 {
            self.leaving = self.depth;
        }
        if self.leaving == 0 {
            return Ok(None);
        }
        self.leaving -= 1;
        self.depth -= 1;
        Ok(Some(LibStep::Leave))
    }
}

impl<R: Read> Iterator for LibReader<R> {
    type Item = Result<LibStep, LibError>;

    fn next(&mut self) -> Option<Result<LibStep, LibError>> {
        if self.state == ReaderState::Failed {
            return None;
        }
        let step = self.step();
        if step.is_err() {
            self.state = ReaderState::Failed;
        }
        step.transpose()
    }
}

/// Bytes with their numbers.
#[derive(Debug)]
struct ByteSource<R> {
    source: io::Bytes<BufReader<R>>,
    put_back: Option<u8>,
    /// The number of bytes that were taken.
    at: u64,
}

impl<R: Read> ByteSource<R> {
    fn new(source: R) -> ByteSource<R> {
        ByteSource { source: BufReader::new(source).bytes(), put_back: None, at: 0 }
    }

    fn next(&mut self) -> Result<Option<u8>, LibError> {
        let byte = match self.put_back.take() {
            Some(byte) => Some(byte),
            None => self.source.next().transpose()?,
        };
        self.at += u64::from(byte.is_some());
        Ok(byte)
    }

    fn put_back(&mut self, byte: u8) {
        self.put_back = Some(byte);
        self.at -= 1;
    }

    fn required(&mut self, expected: &'static str) -> Result<u8, LibError> {
        let at = self.at;
        self.next()?.ok_or(LibError::Expected { at, expected })
    }

    /// Returns the error that the byte before was expected to be another one.
    fn expected_before(&self, expected: &'static str) -> LibError {
        LibError::Expected { at: self.at.saturating_sub(1), expected }
    }
}
