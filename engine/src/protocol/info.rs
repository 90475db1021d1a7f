//! The keys and values of `INFO`.

use std::fmt;

use super::text::{leading_integer, split_word};
use tengen_core::eval::EvaluatorKind;

/// One `INFO` line; the numbers are as received and not checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Info {
    /// `timeout_turn`: the limit of one move in ms; 0 is "as fast as possible", negative none.
    TimeoutTurn(i64),
    /// `timeout_match`: the limit of a game in ms; not positive is none.
    TimeoutMatch(i64),
    /// `time_left`: what is left of the game in ms.
    TimeLeft(i64),
    /// `time_increment`: what each move adds to the clock, in ms.
    TimeIncrement(i64),
    /// `max_memory`: the memory of the process in bytes; 0 is unlimited.
    MaxMemory(i64),
    /// `game_type`: who the opponent is.
    GameType(i64),
    /// `rule`: the mask of rules.
    Rule(i64),
    /// `max_depth`: the depth limit in plies; not positive is none.
    MaxDepth(i64),
    /// `max_node`: the node limit; not positive is none.
    MaxNode(i64),
    /// `hash_size`: the size of the transposition table in KiB.
    HashSize(i64),
    /// `thread_num`: the number of search threads.
    ThreadNum(i64),
    /// `show_detail`: which real-time lines are wanted.
    ShowDetail(i64),
    /// `swapable`: whether `SWAP` may be answered; a sign of a web manager.
    Swapable(i64),
    /// `strength`: the playing strength in percent; a sign of a web manager.
    Strength(i64),
    /// `pondering`: whether to think on the opponent's time.
    Pondering(i64),
    /// `caution_factor`: how many moves are considered; 5 is every empty cell.
    CautionFactor(i64),
    /// `nbestsym`: whether moves that are equal by symmetry count as one among the best.
    NBestSym(i64),
    /// `start_depth`: the depth of the first iteration, in plies.
    StartDepth(i64),
    /// `usedatabase`: whether the database that was named last is used.
    UseDatabase(i64),
    /// `database_readonly`: whether the database is left as it is.
    DatabaseReadonly(i64),
    /// `coordinates`: what the numbers of a cell are, which matters to labels only.
    Coordinates(Coordinates),
    /// `folder`: where persistent files may be kept.
    Folder(String),
    /// `book`: the file of the opening book; empty for none.
    Book(String),
    /// `evaluator`: what judges positions; for comparing evaluations.
    Evaluator(EvaluatorKind),
    /// A key of the Yixin dialect that has no effect here.
    Dialect(&'static str),
    /// An unknown key, or a value that does not fit its key: without effect.
    Ignored,
}

/// The order of the two numbers of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coordinates {
    /// Column and row, as the protocol has it.
    ColumnRow,
    /// Row and column, as both Yixin Boards have it.
    RowColumn,
}

impl Coordinates {
    /// Returns what a word means: `xy` or `yx`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Coordinates> {
        match word.trim().to_ascii_lowercase().as_str() {
            "xy" => Some(Coordinates::ColumnRow),
            "yx" => Some(Coordinates::RowColumn),
            _ => None,
        }
    }
}

/// The spelling of a numeric key, and its constructor.
type Numeric = (&'static str, fn(i64) -> Info);

const NUMERIC: [Numeric; 20] = [
    ("timeout_turn", Info::TimeoutTurn),
    ("timeout_match", Info::TimeoutMatch),
    ("time_left", Info::TimeLeft),
    ("time_increment", Info::TimeIncrement),
    ("max_memory", Info::MaxMemory),
    ("game_type", Info::GameType),
    ("rule", Info::Rule),
    ("max_depth", Info::MaxDepth),
    ("max_node", Info::MaxNode),
    ("hash_size", Info::HashSize),
    ("thread_num", Info::ThreadNum),
    ("show_detail", Info::ShowDetail),
    ("swapable", Info::Swapable),
    ("strength", Info::Strength),
    ("pondering", Info::Pondering),
    ("caution_factor", Info::CautionFactor),
    ("nbestsym", Info::NBestSym),
    ("start_depth", Info::StartDepth),
    ("usedatabase", Info::UseDatabase),
    ("database_readonly", Info::DatabaseReadonly),
];

/// Keys of the dialect that are accepted and have no effect.
const DIALECT: [&str; 8] = [
    "thread_split_depth",
    "vcthread",
    "checkmate",
    "max_moves",
    "draw_result",
    "evaluator_draw_black_winrate",
    "evaluator_draw_ratio",
    "search_type",
];

impl Info {
    /// Reads what follows the word `INFO`.
    #[must_use]
    pub fn parse(text: &str) -> Info {
        let (key, value) = split_word(text);
        // AlphaGomoku's spelling.
        let key = if key.eq_ignore_ascii_case("nbest_sym") { "nbestsym" } else { key };
        if let Some((_, make)) = NUMERIC.iter().find(|(name, _)| key.eq_ignore_ascii_case(name)) {
            return leading_integer(value).map_or(Info::Ignored, make);
        }
        if key.eq_ignore_ascii_case("folder") && !value.is_empty() {
            return Info::Folder(value.to_owned());
        }
        if key.eq_ignore_ascii_case("book") {
            let path = value.trim();
            let path = if path.eq_ignore_ascii_case("off") { "" } else { path };
            return Info::Book(path.to_owned());
        }
        if key.eq_ignore_ascii_case("evaluator") {
            return value.trim().parse().map_or(Info::Ignored, Info::Evaluator);
        }
        if key.eq_ignore_ascii_case("coordinates") {
            return Coordinates::parse(value).map_or(Info::Ignored, Info::Coordinates);
        }
        let dialect = DIALECT.iter().find(|name| key.eq_ignore_ascii_case(name));
        dialect.map_or(Info::Ignored, |name| Info::Dialect(name))
    }

    /// Returns whether only managers that speak the Yixin dialect send this key.
    #[must_use]
    pub const fn is_dialect(&self) -> bool {
        use Info::{
            CautionFactor, DatabaseReadonly, Dialect, HashSize, MaxDepth, MaxNode, NBestSym,
            Pondering, ShowDetail, StartDepth, Strength, Swapable, ThreadNum, TimeIncrement,
            UseDatabase,
        };
        matches!(
            self,
            Dialect(_)
                | CautionFactor(_)
                | NBestSym(_)
                | Pondering(_)
                | StartDepth(_)
                | HashSize(_)
                | MaxDepth(_)
                | MaxNode(_)
                | ShowDetail(_)
                | Strength(_)
                | Swapable(_)
                | ThreadNum(_)
                | TimeIncrement(_)
                | UseDatabase(_)
                | DatabaseReadonly(_)
        )
    }

    /// Returns whether this key changes the clock.
    #[must_use]
    pub const fn is_clock(&self) -> bool {
        use Info::{TimeIncrement, TimeLeft, TimeoutMatch, TimeoutTurn};
        matches!(self, TimeIncrement(_) | TimeLeft(_) | TimeoutMatch(_) | TimeoutTurn(_))
    }
}

impl fmt::Display for Info {
    /// Writes what follows the word `INFO`, with a leading blank unless that is nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Info::TimeoutTurn(value) => write!(f, " timeout_turn {value}"),
            Info::TimeoutMatch(value) => write!(f, " timeout_match {value}"),
            Info::TimeLeft(value) => write!(f, " time_left {value}"),
            Info::TimeIncrement(value) => write!(f, " time_increment {value}"),
            Info::MaxMemory(value) => write!(f, " max_memory {value}"),
            Info::GameType(value) => write!(f, " game_type {value}"),
            Info::Rule(value) => write!(f, " rule {value}"),
            Info::MaxDepth(value) => write!(f, " max_depth {value}"),
            Info::MaxNode(value) => write!(f, " max_node {value}"),
            Info::HashSize(value) => write!(f, " hash_size {value}"),
            Info::ThreadNum(value) => write!(f, " thread_num {value}"),
            Info::ShowDetail(value) => write!(f, " show_detail {value}"),
            Info::Swapable(value) => write!(f, " swapable {value}"),
            Info::Strength(value) => write!(f, " strength {value}"),
            Info::Pondering(value) => write!(f, " pondering {value}"),
            Info::CautionFactor(value) => write!(f, " caution_factor {value}"),
            Info::NBestSym(value) => write!(f, " nbestsym {value}"),
            Info::UseDatabase(value) => write!(f, " usedatabase {value}"),
            Info::DatabaseReadonly(value) => write!(f, " database_readonly {value}"),
            Info::StartDepth(value) => write!(f, " start_depth {value}"),
            Info::Coordinates(Coordinates::ColumnRow) => f.write_str(" coordinates xy"),
            Info::Coordinates(Coordinates::RowColumn) => f.write_str(" coordinates yx"),
            Info::Folder(path) => write!(f, " folder {path}"),
            Info::Book(path) if path.is_empty() => f.write_str(" book off"),
            Info::Book(path) => write!(f, " book {path}"),
            Info::Evaluator(kind) => write!(f, " evaluator {kind}"),
            Info::Dialect(key) => write!(f, " {key}"),
            Info::Ignored => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_numeric_key_is_found_in_any_case_and_spelled_back() {
        for (name, make) in NUMERIC {
            let info = Info::parse(&format!("{} -12 rest", name.to_uppercase()));
            assert_eq!(info, make(-12), "{name}");
            assert_eq!(info.to_string(), format!(" {name} -12"));
        }
    }

    #[test]
    fn malformed_lines_have_no_effect() {
        for text in ["", "unknown_key 5", "timeout_turn", "timeout_turn abc", "folder", "rule 0x4"]
        {
            assert_eq!(Info::parse(text), Info::Ignored, "{text:?}");
        }
    }

    #[test]
    fn every_evaluator_is_found_by_its_name_and_others_have_no_effect() {
        for kind in EvaluatorKind::ALL {
            let info = Info::parse(&format!("Evaluator {kind} "));
            assert_eq!(info, Info::Evaluator(kind));
            assert_eq!(info.to_string(), format!(" evaluator {kind}"));
        }
        assert_eq!(Info::parse("evaluator nnue"), Info::Ignored);
        assert_eq!(Info::parse("evaluator"), Info::Ignored);
    }

    #[test]
    fn a_book_is_a_path_or_none() {
        for (text, path) in [("book", ""), ("Book OFF ", ""), ("book A b.db ", "A b.db")] {
            assert_eq!(Info::parse(text), Info::Book(path.to_owned()), "{text:?}");
        }
        assert_eq!(Info::Book(String::new()).to_string(), " book off");
        assert_eq!(Info::Book("A b.db".to_owned()).to_string(), " book A b.db");
    }

    #[test]
    fn a_folder_keeps_its_blanks_and_its_case() {
        let info = Info::parse(" FOLDER C:\\My Data\\x y ");
        assert_eq!(info, Info::Folder("C:\\My Data\\x y".to_owned()));
    }
}
