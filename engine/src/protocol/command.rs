//! The commands of a manager.

use std::fmt;

use super::database::{DatabaseBlock, DatabaseFile};
use super::info::Info;
use super::text::{Cursor, leading_integer, split_word};
use crate::engine::FileAction;

/// The longest line that is looked at, in bytes; longer ones are [`Command::Overlong`].
pub const MAX_INPUT_LINE: usize = 64 * 1024;

/// The longest unknown word that is remembered, in characters.
const MAX_WORD: usize = 40;

/// Two numbers as received: a cell, or a width and a height. Not checked against any board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coords {
    /// The first number.
    pub x: i64,
    /// The second number.
    pub y: i64,
}

impl fmt::Display for Coords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The commands that are followed by lines of their own, up to `DONE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockKind {
    /// `BOARD`: sets a position and asks for a move.
    Board,
    /// `YXBOARD`: sets a position.
    YxBoard,
    /// `SWAP2BOARD`: asks for the next step of a swap2 opening.
    Swap2Board,
    /// `REVIEW`: the moves of a game to review.
    Review,
    /// `YXBLOCK`: moves that must not be played.
    YxBlock,
    /// `YXBLOCKUNDO`: moves that may be played again.
    YxBlockUndo,
    /// `YXBLOCKPATH`: a path from the empty board whose last move must not be played.
    YxBlockPath,
    /// `YXBLOCKPATHUNDO`: a path that may be played again.
    YxBlockPathUndo,
    /// `YXSOOSORVSTEP2` to `6`: the stones so far of Soosõrv's opening.
    YxSoosorvStep(u8),
    /// Something about a position of a database.
    Database(DatabaseBlock),
}

/// One line of input, as far as spelling goes.
///
/// Parsing is total: what is not understood is a value. The word is found in any case, blanks and
/// trailing extras do not matter. For every line, `parse(display(parse(line))) == parse(line)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing but blanks.
    Blank,
    /// `START n`, or `START w h` in the Yixin dialect.
    Start {
        /// The first number.
        first: i64,
        /// The second number, if there is one.
        second: Option<i64>,
    },
    /// `RECTSTART w,h`.
    RectStart(Coords),
    /// `RESTART`.
    Restart,
    /// `BEGIN`.
    Begin,
    /// `TURN x,y`.
    Turn(Coords),
    /// `PLAY x,y`.
    Play(Coords),
    /// `TAKEBACK x,y`.
    TakeBack(Coords),
    /// The header of a block and what else its line holds: the first entries.
    Block {
        /// The kind of the block.
        kind: BlockKind,
        /// The rest of the line, trimmed.
        rest: String,
    },
    /// `INFO key value`.
    Info(Info),
    /// `STOP`.
    Stop,
    /// `YXSTOP`, the same in the Yixin dialect.
    YxStop,
    /// `ABOUT`.
    About,
    /// `END`.
    End,
    /// `PROVE`.
    Prove,
    /// `YXSHOWFORBID`.
    YxShowForbid,
    /// `YXSHOWINFO`.
    YxShowInfo,
    /// `YXHASHCLEAR`.
    YxHashClear,
    /// `YXNBEST n`, where a missing or malformed `n` is 1.
    YxNBest(i64),
    /// `YXBALANCEONE b`, where a missing or malformed `b` is 0.
    YxBalanceOne(i64),
    /// `YXBALANCETWO b`, where a missing or malformed `b` is 0.
    YxBalanceTwo(i64),
    /// `YXSEARCHDEFEND`.
    YxSearchDefend,
    /// `YXBLOCKRESET`.
    YxBlockReset,
    /// `YXBLOCKPATHRESET`.
    YxBlockPathReset,
    /// `YXSHOWHASHUSAGE`.
    YxShowHashUsage,
    /// `YXHASHDUMP` or `YXHASHLOAD`, with the path if it is on the same line and not on the next.
    HashFile {
        /// Writing or reading.
        action: FileAction,
        /// The path.
        path: Option<String>,
    },
    /// `YXSWAP2STEP1`, `2` or `3`.
    YxSwap2Step(u8),
    /// `YXSOOSORVSTEP1`; the other steps are blocks.
    YxSoosorvStep1,
    /// A word that is accepted and has no effect.
    Accepted(&'static str),
    /// A word about a database and a file, with the path if it is on the same line and not on the
    /// next.
    DatabaseFile {
        /// The action.
        action: DatabaseFile,
        /// The path.
        path: Option<String>,
    },
    /// `YXSAVEDATABASE`.
    YxSaveDatabase,
    /// `YXDBCHECK`.
    YxDbCheck,
    /// `YXDBFIX`.
    YxDbFix,
    /// A known word whose arguments are not understood.
    Malformed(&'static str),
    /// A line of more than [`MAX_INPUT_LINE`] bytes.
    Overlong,
    /// Any other line, with the beginning of its first word; bytes that are not UTF-8 are
    /// replaced.
    Unknown(String),
}

const ACCEPTED: [&str; 7] = [
    "yxforbid",
    "yxdraw",
    "yxresign",
    "yxprintfeature",
    "reloadconfig",
    "loadmodel",
    "exportmodel",
];

impl BlockKind {
    /// Returns whether the block sets a position.
    #[must_use]
    pub const fn is_position(self) -> bool {
        matches!(self, BlockKind::Board | BlockKind::YxBoard | BlockKind::Swap2Board)
    }
}

fn hash_file(action: FileAction, rest: &str) -> Command {
    Command::HashFile { action, path: (!rest.is_empty()).then(|| rest.to_owned()) }
}

fn named<C: Copy>(all: &[C], word_of: fn(C) -> &'static str, word: &str) -> Option<C> {
    all.iter().copied().find(|&command| word_of(command).eq_ignore_ascii_case(word))
}

fn known(table: &[&'static str], word: &str) -> Option<&'static str> {
    table.iter().find(|&&name| name == word).copied()
}

impl Command {
    /// Reads one line, with or without its line end.
    #[must_use]
    pub fn parse(line: &[u8]) -> Command {
        if line.len() > MAX_INPUT_LINE {
            return Command::Overlong;
        }
        let text = String::from_utf8_lossy(line);
        let (word, rest) = split_word(&text);
        match word.to_ascii_lowercase().as_str() {
            "" => Command::Blank,
            "start" => start(rest),
            "rectstart" => coords("RECTSTART", rest, Command::RectStart),
            "restart" => Command::Restart,
            "begin" => Command::Begin,
            "turn" => coords("TURN", rest, Command::Turn),
            "play" => coords("PLAY", rest, Command::Play),
            "takeback" => coords("TAKEBACK", rest, Command::TakeBack),
            "board" => block(BlockKind::Board, rest),
            "yxboard" => block(BlockKind::YxBoard, rest),
            "swap2board" => block(BlockKind::Swap2Board, rest),
            "review" => block(BlockKind::Review, rest),
            "prove" => Command::Prove,
            "info" => Command::Info(Info::parse(rest)),
            "stop" => Command::Stop,
            "yxstop" => Command::YxStop,
            "about" => Command::About,
            "end" => Command::End,
            "yxshowforbid" => Command::YxShowForbid,
            "yxshowinfo" => Command::YxShowInfo,
            "yxhashclear" => Command::YxHashClear,
            "yxnbest" => Command::YxNBest(leading_integer(rest).unwrap_or(1)),
            "yxbalanceone" => Command::YxBalanceOne(leading_integer(rest).unwrap_or(0)),
            "yxbalancetwo" => Command::YxBalanceTwo(leading_integer(rest).unwrap_or(0)),
            "yxsearchdefend" => Command::YxSearchDefend,
            "yxblock" => block(BlockKind::YxBlock, rest),
            "yxblockundo" => block(BlockKind::YxBlockUndo, rest),
            "yxblockpath" => block(BlockKind::YxBlockPath, rest),
            "yxblockpathundo" => block(BlockKind::YxBlockPathUndo, rest),
            "yxblockreset" => Command::YxBlockReset,
            "yxblockpathreset" => Command::YxBlockPathReset,
            "yxshowhashusage" => Command::YxShowHashUsage,
            "yxhashdump" => hash_file(FileAction::Save, rest),
            "yxhashload" => hash_file(FileAction::Load, rest),
            "yxsavedatabase" => Command::YxSaveDatabase,
            "yxdbcheck" => Command::YxDbCheck,
            "yxdbfix" => Command::YxDbFix,
            "yxsoosorvstep1" => Command::YxSoosorvStep1,
            "yxsoosorvstep2" => block(BlockKind::YxSoosorvStep(2), rest),
            "yxsoosorvstep3" => block(BlockKind::YxSoosorvStep(3), rest),
            "yxsoosorvstep4" => block(BlockKind::YxSoosorvStep(4), rest),
            "yxsoosorvstep5" => block(BlockKind::YxSoosorvStep(5), rest),
            "yxsoosorvstep6" => block(BlockKind::YxSoosorvStep(6), rest),
            "yxswap2step1" => Command::YxSwap2Step(1),
            "yxswap2step2" => Command::YxSwap2Step(2),
            "yxswap2step3" => Command::YxSwap2Step(3),
            lower => other(lower, word, rest),
        }
    }

    /// Returns whether only managers that speak the Yixin dialect send this.
    #[must_use]
    pub fn is_dialect(&self) -> bool {
        match self {
            Command::Start { second, .. } => second.is_some(),
            Command::Block { kind, .. } => {
                !matches!(kind, BlockKind::Board | BlockKind::Swap2Board | BlockKind::Review)
            }
            Command::Info(info) => info.is_dialect(),
            Command::YxStop
            | Command::YxShowForbid
            | Command::YxShowInfo
            | Command::YxHashClear
            | Command::YxNBest(_)
            | Command::YxBalanceOne(_)
            | Command::YxBalanceTwo(_)
            | Command::YxSearchDefend
            | Command::YxBlockReset
            | Command::YxBlockPathReset
            | Command::YxShowHashUsage
            | Command::HashFile { .. }
            | Command::YxSwap2Step(_)
            | Command::YxSoosorvStep1
            | Command::DatabaseFile { .. }
            | Command::YxSaveDatabase
            | Command::YxDbCheck
            | Command::YxDbFix => true,
            Command::Accepted(word) => word.starts_with("yx"),
            Command::Unknown(word) => {
                word.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("yx"))
            }
            _ => false,
        }
    }

    /// Returns whether this is carried out even between the header of a block and its `DONE`.
    #[must_use]
    pub const fn interrupts_blocks(&self) -> bool {
        matches!(self, Command::Info(_) | Command::Stop | Command::YxStop | Command::End)
    }

    /// Returns whether this concerns nothing but a database.
    #[must_use]
    pub const fn is_about_database(&self) -> bool {
        matches!(
            self,
            Command::Block { kind: BlockKind::Database(_), .. }
                | Command::DatabaseFile { .. }
                | Command::YxSaveDatabase
                | Command::YxDbCheck
                | Command::YxDbFix
                | Command::Info(Info::UseDatabase(_) | Info::DatabaseReadonly(_))
        )
    }

    /// Returns whether a running search has to give its move before this can be carried out.
    #[must_use]
    pub const fn ends_thinking(&self) -> bool {
        match self {
            Command::Start { .. }
            | Command::RectStart(_)
            | Command::Restart
            | Command::Begin
            | Command::Turn(_)
            | Command::Play(_)
            | Command::TakeBack(_)
            | Command::Prove
            | Command::YxNBest(_)
            | Command::YxBalanceOne(_)
            | Command::YxBalanceTwo(_)
            | Command::YxSearchDefend
            | Command::YxSwap2Step(_)
            | Command::YxSoosorvStep1
            | Command::Malformed(_) => true,
            Command::Block { kind, .. } => {
                kind.is_position()
                    || matches!(kind, BlockKind::Review | BlockKind::YxSoosorvStep(_))
            }
            _ => false,
        }
    }
}

fn start(rest: &str) -> Command {
    let mut cursor = Cursor::new(rest);
    let first = leading_integer(cursor.word());
    let second = match cursor.word() {
        "" => Some(None),
        word => leading_integer(word).map(Some),
    };
    match (first, second) {
        (Some(first), Some(second)) => Command::Start { first, second },
        _ => Command::Malformed("START"),
    }
}

fn coords(word: &'static str, rest: &str, make: fn(Coords) -> Command) -> Command {
    match Cursor::new(rest).pair() {
        Some((x, y)) => make(Coords { x, y }),
        None => Command::Malformed(word),
    }
}

fn block(kind: BlockKind, rest: &str) -> Command {
    Command::Block { kind, rest: rest.to_owned() }
}

fn other(lower: &str, word: &str, rest: &str) -> Command {
    if let Some(word) = known(&ACCEPTED, lower) {
        Command::Accepted(word)
    } else if let Some(action) = named(&DatabaseFile::ALL, DatabaseFile::word, lower) {
        Command::DatabaseFile { action, path: (!rest.is_empty()).then(|| rest.to_owned()) }
    } else if let Some(kind) = named(&DatabaseBlock::ALL, DatabaseBlock::word, lower) {
        block(BlockKind::Database(kind), rest)
    } else {
        Command::Unknown(word.chars().take(MAX_WORD).collect())
    }
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            BlockKind::Board => "BOARD",
            BlockKind::YxBoard => "YXBOARD",
            BlockKind::Swap2Board => "SWAP2BOARD",
            BlockKind::Review => "REVIEW",
            BlockKind::YxBlock => "YXBLOCK",
            BlockKind::YxBlockUndo => "YXBLOCKUNDO",
            BlockKind::YxBlockPath => "YXBLOCKPATH",
            BlockKind::YxBlockPathUndo => "YXBLOCKPATHUNDO",
            BlockKind::YxSoosorvStep(2) => "YXSOOSORVSTEP2",
            BlockKind::YxSoosorvStep(3) => "YXSOOSORVSTEP3",
            BlockKind::YxSoosorvStep(4) => "YXSOOSORVSTEP4",
            BlockKind::YxSoosorvStep(5) => "YXSOOSORVSTEP5",
            BlockKind::YxSoosorvStep(_) => "YXSOOSORVSTEP6",
            BlockKind::Database(kind) => kind.word(),
        })
    }
}

impl fmt::Display for Command {
    /// Writes a line that parses to the same command; [`Command::Blank`] is an empty one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Blank => Ok(()),
            Command::Start { first, second: None } => write!(f, "START {first}"),
            Command::Start { first, second: Some(second) } => write!(f, "START {first} {second}"),
            Command::RectStart(size) => write!(f, "RECTSTART {size}"),
            Command::Restart => f.write_str("RESTART"),
            Command::Begin => f.write_str("BEGIN"),
            Command::Turn(cell) => write!(f, "TURN {cell}"),
            Command::Play(cell) => write!(f, "PLAY {cell}"),
            Command::TakeBack(cell) => write!(f, "TAKEBACK {cell}"),
            Command::Block { kind, rest } if rest.is_empty() => write!(f, "{kind}"),
            Command::Block { kind, rest } => write!(f, "{kind} {rest}"),
            Command::Info(info) => write!(f, "INFO{info}"),
            Command::Stop => f.write_str("STOP"),
            Command::YxStop => f.write_str("YXSTOP"),
            Command::About => f.write_str("ABOUT"),
            Command::End => f.write_str("END"),
            Command::Prove => f.write_str("PROVE"),
            Command::YxShowForbid => f.write_str("YXSHOWFORBID"),
            Command::YxShowInfo => f.write_str("YXSHOWINFO"),
            Command::YxHashClear => f.write_str("YXHASHCLEAR"),
            Command::YxNBest(lines) => write!(f, "YXNBEST {lines}"),
            Command::YxBalanceOne(bias) => write!(f, "YXBALANCEONE {bias}"),
            Command::YxBalanceTwo(bias) => write!(f, "YXBALANCETWO {bias}"),
            Command::YxSearchDefend => f.write_str("YXSEARCHDEFEND"),
            Command::YxBlockReset => f.write_str("YXBLOCKRESET"),
            Command::YxBlockPathReset => f.write_str("YXBLOCKPATHRESET"),
            Command::YxShowHashUsage => f.write_str("YXSHOWHASHUSAGE"),
            Command::HashFile { action, path } => {
                let word = match action {
                    FileAction::Save => "YXHASHDUMP",
                    FileAction::Load => "YXHASHLOAD",
                };
                match path {
                    None => f.write_str(word),
                    Some(path) => write!(f, "{word} {path}"),
                }
            }
            Command::YxSoosorvStep1 => f.write_str("YXSOOSORVSTEP1"),
            Command::YxSwap2Step(step) => write!(f, "YXSWAP2STEP{step}"),
            Command::YxSaveDatabase => f.write_str("YXSAVEDATABASE"),
            Command::YxDbCheck => f.write_str("YXDBCHECK"),
            Command::YxDbFix => f.write_str("YXDBFIX"),
            Command::DatabaseFile { action, path: None } => f.write_str(action.word()),
            Command::DatabaseFile { action, path: Some(path) } => {
                write!(f, "{} {path}", action.word())
            }
            Command::Accepted(word) => f.write_str(word),
            Command::Malformed(word) => write!(f, "{word} ?"),
            Command::Overlong => f.write_str(&"?".repeat(MAX_INPUT_LINE + 1)),
            Command::Unknown(word) => f.write_str(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Command {
        Command::parse(line.as_bytes())
    }

    #[test]
    fn case_blanks_and_line_ends_do_not_matter() {
        let start = Command::Start { first: 15, second: None };
        for line in ["START 15", "start 15\r\n", "  Start \t 15  \t", "StArT 15\n"] {
            assert_eq!(parse(line), start, "{line:?}");
        }
        for line in ["", "   ", "\r\n", "\t\n"] {
            assert_eq!(parse(line), Command::Blank, "{line:?}");
        }
    }

    #[test]
    fn coordinates_are_read_with_blanks_and_extras() {
        let turn = Command::Turn(Coords { x: 7, y: 8 });
        for line in ["TURN 7,8", "TURN 7, 8", "turn  7 ,8", "TURN 7,8,2", "TURN 7,8 foo"] {
            assert_eq!(parse(line), turn, "{line:?}");
        }
        for line in ["TURN", "TURN 7", "TURN 7;7", "TURN a,b", "TURN 7,8foo"] {
            assert_eq!(parse(line), Command::Malformed("TURN"), "{line:?}");
        }
        assert_eq!(parse("TURN -1,3"), Command::Turn(Coords { x: -1, y: 3 }));
        let size = Command::RectStart(Coords { x: 30, y: 20 });
        assert_eq!(parse("RECTSTART 30 ,20"), size);
    }

    #[test]
    fn sizes_that_are_no_numbers_are_malformed() {
        for line in ["START", "START abc", "START 15x", "START 15 x"] {
            assert_eq!(parse(line), Command::Malformed("START"), "{line:?}");
        }
        assert_eq!(parse("START 15 20"), Command::Start { first: 15, second: Some(20) });
        assert_eq!(parse("START -3"), Command::Start { first: -3, second: None });
    }

    #[test]
    fn long_and_binary_lines_are_values() {
        assert_eq!(Command::parse(&vec![b'x'; MAX_INPUT_LINE + 1]), Command::Overlong);
        let Command::Unknown(word) = Command::parse(&vec![b'x'; MAX_INPUT_LINE]) else {
            unreachable!()
        };
        assert_eq!(word.len(), MAX_WORD);
        assert!(matches!(Command::parse(b"\xff\xfe\0abc"), Command::Unknown(_)));
        assert!(matches!(Command::parse(b"START\0 15"), Command::Unknown(_)));
    }

    #[test]
    fn the_dialect_is_recognised() {
        for line in ["yxshowinfo", "START 15 15", "yxfoo", "INFO hash_size 5", "yxblock", "YXSTOP"]
        {
            assert!(parse(line).is_dialect(), "{line}");
        }
        for line in ["START 15", "STOP", "INFO rule 2", "RELOADCONFIG x", "BOARD", "é"] {
            assert!(!parse(line).is_dialect(), "{line}");
        }
    }

    fn word() -> impl Strategy<Value = String> {
        const KNOWN: [&str; 33] = [
            "start",
            "RECTSTART",
            "restart",
            "Begin",
            "turn",
            "PLAY",
            "takeback",
            "board",
            "yxboard",
            "swap2board",
            "review",
            "PROVE",
            "info",
            "stop",
            "yxstop",
            "about",
            "end",
            "yxshowforbid",
            "yxshowinfo",
            "yxhashclear",
            "yxnbest",
            "yxblock",
            "yxhashdump",
            "yxhashload",
            "yxbalanceone",
            "YXBALANCETWO",
            "yxsearchdefend",
            "yxblockpathundo",
            "yxswap2step2",
            "RELOADCONFIG",
            "yxedittextdatabase",
            "done",
            "foo",
        ];
        prop_oneof![4 => prop::sample::select(&KNOWN[..]).prop_map(str::to_owned), 1 => ".*"]
    }

    fn argument() -> impl Strategy<Value = String> {
        prop_oneof![
            (-30_i64..30, -30_i64..30).prop_map(|(x, y)| format!("{x} ,{y}")),
            any::<i64>().prop_map(|n| n.to_string()),
            any::<i64>().prop_map(|n| format!("timeout_turn {n}")),
            any::<i64>().prop_map(|n| format!("RULE\t{n}")),
            Just("folder C:\\a  b".to_owned()),
            ".*",
        ]
    }

    proptest! {
        #[test]
        fn the_display_of_a_command_parses_to_it(word in word(), args in prop::collection::vec(argument(), 0..4)) {
            let command = parse(&format!("{word} {}", args.join(" ")));
            prop_assert_eq!(parse(&command.to_string()), command);
        }

        #[test]
        fn any_bytes_parse(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let command = Command::parse(&bytes);
            prop_assert_eq!(parse(&command.to_string()), command);
        }
    }
}
