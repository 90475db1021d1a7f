//! Game records: one plain [`Record`], and a reader and a writer for each format.
//!
//! Readers take bytes of any kind: text that is not UTF-8 is read with marks in place of
//! what cannot be understood, lines end with LF or CR LF, and an error has the place and what
//! was expected there. What they build is no larger than a multiple of the input. A record that
//! was read has all its stones on the board and on different cells.
//!
//! [`read`] is the inverse of [`write_file`] as far as the format goes; [`losses`] names what a
//! format cannot hold of a record. SGF has a parser of its own because the errors have to tell
//! places.

mod code_page;
mod decoder;
mod ending;
mod error;
mod format;
mod json;
mod losses;
mod moves;
mod notes;
mod offset;
mod pgn;
mod pos;
mod psq;
mod rec;
mod record;
mod renlib;
mod rif;
mod sgf;
mod source;
mod stream;
mod svg;
mod typed;
mod warning;
mod xy;

pub use code_page::{BYTE_ORDER_MARK, CodePage, CodePageError};
pub use ending::{GameResult, Reason};
pub use error::brief;
pub use error::{RecordError, RecordPlace, WriteError};
pub use format::{Format, FormatNameError, Known, read, usual_origin, write, write_file};
pub use json::{Edges, RuleName, Setting};
pub use losses::losses;
pub use moves::{Arrangement, MOST_MOVES, Move, MoveKind, MoverSearch, VariationLine, Variations};
pub use notes::{Note, Notes};
pub use offset::{format_offset, parse_offset};
pub use pos::parse_pos;
pub use record::{MoveFault, Record, RuleFault};
pub use renlib::{
    LibBuilder, LibError, LibGame, LibHead, LibLosses, LibNode, LibReader, LibRemark, LibStep,
    LibTree,
};
pub use stream::{GameStream, ReadError, ReadGame, fitting_size};
pub use svg::{SvgOptions, svg};
pub use typed::read_typed;
pub use warning::RecordWarning;
