//! Requests of managers to their databases, and the replies.

use std::path::PathBuf;
use std::sync::Arc;

use crate::database::{Placement, PositionDatabase, Removal};
use crate::engine::{Finding, OpeningBook};
use crate::protocol::Reply;
use tengen_core::rules::Rule;
use tengen_core::types::{Point, Size};

/// The commands about a position of the database, which follows in lines of its own up to `DONE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DatabaseBlock {
    /// `YXQUERYDATABASEALL`: the known moves.
    QueryAll,
    /// `YXQUERYDATABASEALLT`: the known moves and the text.
    QueryAllText,
    /// `YXQUERYDATABASEONE`: the position itself.
    QueryOne,
    /// `YXQUERYDATABASETEXT`: the text.
    QueryText,
    /// `YXEDITTVDDATABASE mask tag value depth`.
    EditValue,
    /// `YXEDITLABELDATABASE y,x text`: the text on a cell. The older board sends no cell, and means the
    /// label of the position.
    EditLabel,
    /// `YXEDITTEXTDATABASE "text"`.
    EditText,
    /// `YXDELETEDATABASEONE`: the position itself.
    DeleteOne,
    /// `YXDELETEDATABASEALL filter`: what follows from the position.
    DeleteAll,
    /// `YXSETBESTMOVEDATABASE`: the last move is the best one.
    SetBestMove,
    /// `YXCLEARBESTMOVEDATABASE`: it is not known to be.
    ClearBestMove,
}

impl DatabaseBlock {
    /// All commands.
    pub const ALL: [DatabaseBlock; 11] = [
        DatabaseBlock::QueryAll,
        DatabaseBlock::QueryAllText,
        DatabaseBlock::QueryOne,
        DatabaseBlock::QueryText,
        DatabaseBlock::EditValue,
        DatabaseBlock::EditLabel,
        DatabaseBlock::EditText,
        DatabaseBlock::DeleteOne,
        DatabaseBlock::DeleteAll,
        DatabaseBlock::SetBestMove,
        DatabaseBlock::ClearBestMove,
    ];

    /// Returns the word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            DatabaseBlock::QueryAll => "YXQUERYDATABASEALL",
            DatabaseBlock::QueryAllText => "YXQUERYDATABASEALLT",
            DatabaseBlock::QueryOne => "YXQUERYDATABASEONE",
            DatabaseBlock::QueryText => "YXQUERYDATABASETEXT",
            DatabaseBlock::EditValue => "YXEDITTVDDATABASE",
            DatabaseBlock::EditLabel => "YXEDITLABELDATABASE",
            DatabaseBlock::EditText => "YXEDITTEXTDATABASE",
            DatabaseBlock::DeleteOne => "YXDELETEDATABASEONE",
            DatabaseBlock::DeleteAll => "YXDELETEDATABASEALL",
            DatabaseBlock::SetBestMove => "YXSETBESTMOVEDATABASE",
            DatabaseBlock::ClearBestMove => "YXCLEARBESTMOVEDATABASE",
        }
    }

    /// Returns whether this tells the manager to be one that understands texts and the progress of
    /// opening and saving. The older board takes such lines for cells.
    pub(in crate::protocol) const fn is_of_new_board(self) -> bool {
        matches!(self, DatabaseBlock::QueryAllText | DatabaseBlock::QueryText)
    }
}

/// The commands about a file, whose path stands on the same line or on the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DatabaseFile {
    /// `YXSETDATABASE`: opens a database or makes it.
    Open,
    /// `YXDBTOPOS`: writes the positions of this rule and size as rows of cells.
    ToPositions,
    /// `YXDBTOTXT`: writes what is known of the positions of this rule and size.
    ToText,
    /// `YXDBTOTXTALL`: writes what is known of all positions.
    ToTextAll,
    /// `YXTXTTODB`: adds what such a text knows.
    FromText,
    /// `YXLIBTODB`: adds what a library of RenLib knows.
    FromLibrary,
    /// `YXDBTOLIB`: writes what follows from the position on the board as a library of RenLib.
    ToLibrary,
    /// `YXDBSPLIT`: copies what follows from the position on the board to another database.
    Split,
    /// `YXDBMERGE`: adds what another database knows.
    Merge,
}

impl DatabaseFile {
    /// All commands.
    pub const ALL: [DatabaseFile; 9] = [
        DatabaseFile::Open,
        DatabaseFile::ToPositions,
        DatabaseFile::ToText,
        DatabaseFile::ToTextAll,
        DatabaseFile::FromText,
        DatabaseFile::FromLibrary,
        DatabaseFile::ToLibrary,
        DatabaseFile::Split,
        DatabaseFile::Merge,
    ];

    /// Returns the word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            DatabaseFile::Open => "YXSETDATABASE",
            DatabaseFile::ToPositions => "YXDBTOPOS",
            DatabaseFile::ToText => "YXDBTOTXT",
            DatabaseFile::ToTextAll => "YXDBTOTXTALL",
            DatabaseFile::FromText => "YXTXTTODB",
            DatabaseFile::FromLibrary => "YXLIBTODB",
            DatabaseFile::ToLibrary => "YXDBTOLIB",
            DatabaseFile::Split => "YXDBSPLIT",
            DatabaseFile::Merge => "YXDBMERGE",
        }
    }
}

/// A change of what a database knows of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DatabaseEdit {
    /// Parts of the value, as numbers of Yixin-Board.
    Value {
        /// The parts that change: 1 the tag, 2 the value, 4 the depth. A position that was not there
        /// takes all.
        mask: i64,
        /// The tag, a character from the point of view of the side that made the last move, or -1.
        tag: i64,
        /// The value, from the point of view of the side to move; beyond 29,500 a distance from
        /// 30,000.
        value: i64,
        /// The depth in plies.
        depth: i64,
    },
    /// The label, of one letter or more; an empty one takes it away.
    Label(String),
    /// The text on a cell; an empty one takes it away.
    BoardText(Point, String),
    /// The text; an empty one takes it away.
    Text(String),
    /// True if the last move, of which this is the cell, is the best one.
    BestMove(Point, bool),
}

/// A request to the thread of the database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DatabaseRequest {
    /// Opens a database or makes it.
    Open(PathBuf),
    /// Goes on with the database that was named last, or puts it away.
    Use(bool),
    /// True if edits and what searches find are left out.
    ReadOnly(bool),
    /// Opens a book, which is only read, or puts it away.
    Book(Option<PathBuf>),
    /// Tells what is known.
    Query(DatabaseBlock, Placement),
    /// Changes what is known of a position.
    Edit(Placement, DatabaseEdit),
    /// Removes a position.
    DeleteOne(Placement),
    /// Removes what follows from a position.
    Delete(Placement, Removal),
    /// Copies the positions on the way to the last of these, and what follows from it, to another
    /// database.
    Split(PathBuf, Vec<Placement>),
    /// Puts a database away, if it is open still: a search could not read it for this reason.
    PutAway(PathBuf, String),
    /// Adds what a search has found that used the database of this path, if that is open still.
    Learn(PathBuf, Box<Finding>),
    /// Adds what another database knows.
    Merge(PathBuf),
    /// Writes the text of all positions, or of those of a rule and size.
    ToText(PathBuf, Option<(Rule, Size)>),
    /// Writes the positions of a rule and size as rows of cells.
    ToPositions(PathBuf, (Rule, Size)),
    /// Writes a line and what follows from its last position as a library of RenLib.
    ToLibrary(PathBuf, Vec<Placement>),
    /// Adds what the text of a database knows.
    FromText(PathBuf),
    /// Adds what a library of RenLib knows of positions of a rule.
    FromLibrary(PathBuf, Rule),
    /// Says when everything is saved.
    Save,
    /// Looks whether everything is in order.
    Check,
    /// Carries proven results to the positions before.
    Propagate,
}

/// A reply to a request.
#[derive(Clone, Debug)]
pub enum DatabaseReply {
    /// A line.
    Line(Reply),
    /// The database that is open from now on, if one is.
    Opened(Option<Arc<PositionDatabase>>),
    /// The database that was open can't be used any more, for this reason, and is put away.
    Lost(String),
    /// The book that games are opened from, if one is.
    Book(Option<OpeningBook>),
    /// The request is done.
    Done,
}
