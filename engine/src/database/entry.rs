//! The knowledge of a database about a position.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use tengen_core::board::Symmetry;
use tengen_core::types::{Bound, Point, Score, Size};

/// The value that a search gave to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The score from the point of view of the side to move, in units of the evaluation. Other programs
    /// write down a forced win that they found as a score as well; [`ProvenResult`] is for what is
    /// certain.
    pub score: Score,
    /// The depth of the search in plies.
    pub depth: i16,
    /// The relation of the score to the true one, if it is known.
    pub bound: Option<Bound>,
}

/// The proven result of a position with best play, for the side to move. Distances are in plies from
/// the position to the end of the game; nobody may know them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProvenResult {
    /// The side to move wins, within this number of plies.
    Win(Option<u16>),
    /// The side to move loses, within this number of plies.
    Loss(Option<u16>),
    /// Neither side can win.
    Draw,
}

impl ProvenResult {
    /// Returns the distance in plies, where it is known.
    #[must_use]
    pub const fn distance(self) -> Option<u16> {
        match self {
            ProvenResult::Win(distance) | ProvenResult::Loss(distance) => distance,
            ProvenResult::Draw => None,
        }
    }

    /// Returns the result for the other side of a position one ply earlier, if this one is reached.
    #[must_use]
    pub fn before(self) -> ProvenResult {
        let longer = |distance: Option<u16>| distance.map(|plies| plies.saturating_add(1));
        match self {
            ProvenResult::Win(distance) => ProvenResult::Loss(longer(distance)),
            ProvenResult::Loss(distance) => ProvenResult::Win(longer(distance)),
            ProvenResult::Draw => ProvenResult::Draw,
        }
    }
}

impl fmt::Display for ProvenResult {
    /// Writes `win`, `win:7`, `loss:8` or `draw`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProvenResult::Win(_) => "win",
            ProvenResult::Loss(_) => "loss",
            ProvenResult::Draw => "draw",
        })?;
        self.distance().map_or(Ok(()), |plies| write!(f, ":{plies}"))
    }
}

/// A text that is no proven result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("results are win, loss and draw, and with a distance in plies win:7 or loss:8")]
pub struct ResultSyntaxError;

impl FromStr for ProvenResult {
    type Err = ResultSyntaxError;

    /// Reads what [`ProvenResult`] displays.
    fn from_str(text: &str) -> Result<ProvenResult, ResultSyntaxError> {
        let (name, plies) = match text.split_once(':') {
            Some((name, digits)) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                (name, Some(digits.parse().map_err(|_| ResultSyntaxError)?))
            }
            Some(_) => return Err(ResultSyntaxError),
            None => (text, None),
        };
        match (name, plies) {
            ("win", plies) => Ok(ProvenResult::Win(plies)),
            ("loss", plies) => Ok(ProvenResult::Loss(plies)),
            ("draw", None) => Ok(ProvenResult::Draw),
            _ => Err(ResultSyntaxError),
        }
    }
}

/// The most bytes of a label.
const MOST_LABEL_BYTES: usize = 32;

/// A short text that is shown for a position on the board, where the move that leads to it would be.
///
/// Yixin and Rapfi give meanings to some: `x` for a move that is not to be searched, `!` for one that is
/// to be played at once. Their `w`, `l` and `d`, which speak of the side that made the move, are results.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntryLabel(String);

/// A text that is not a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a label has 1 to {MOST_LABEL_BYTES} bytes and no control characters")]
pub struct LabelError;

impl EntryLabel {
    /// Returns the label of this text.
    ///
    /// # Errors
    ///
    /// Returns an error if it is empty, longer than 32 bytes, or has control characters.
    pub fn new(text: &str) -> Result<EntryLabel, LabelError> {
        let fits = (1..=MOST_LABEL_BYTES).contains(&text.len());
        if fits && !text.chars().any(char::is_control) {
            Ok(EntryLabel(text.to_owned()))
        } else {
            Err(LabelError)
        }
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EntryLabel {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<EntryLabel, LabelError> {
        EntryLabel::new(text)
    }
}

/// The form that a mark on a whole position has in game records, on the cell of the move that leads there.
pub(super) const POSITION_MARK: CellMark = CellMark::Cross;

/// The form of a mark on a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum CellMark {
    /// A triangle.
    Triangle = 0,
    /// A square.
    Square = 1,
    /// A circle.
    Circle = 2,
    /// A cross.
    Cross = 3,
    /// A cell that is picked out in whatever way.
    Selected = 4,
}

impl CellMark {
    /// All forms.
    pub const ALL: [CellMark; 5] = [
        CellMark::Triangle,
        CellMark::Square,
        CellMark::Circle,
        CellMark::Cross,
        CellMark::Selected,
    ];

    /// Returns the name: `triangle`, `square`, `circle`, `cross` or `selected`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CellMark::Triangle => "triangle",
            CellMark::Square => "square",
            CellMark::Circle => "circle",
            CellMark::Cross => "cross",
            CellMark::Selected => "selected",
        }
    }

    /// Returns the property of the Smart Game Format that makes such marks.
    #[must_use]
    pub const fn sgf_property(self) -> &'static str {
        match self {
            CellMark::Triangle => "TR",
            CellMark::Square => "SQ",
            CellMark::Circle => "CR",
            CellMark::Cross => "MA",
            CellMark::Selected => "SL",
        }
    }
}

/// Results of the games in which a position occurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    /// The games that black won.
    pub black: u64,
    /// The games that white won.
    pub white: u64,
    /// The draws.
    pub draws: u64,
}

impl GameCounts {
    /// Returns the number of games.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.black.saturating_add(self.white).saturating_add(self.draws)
    }
}

/// All that a database knows of a position. What is not known is absent or empty.
///
/// The cells are those of some image of the position: of the board that the entry is for, or of the
/// key once it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionEntry {
    /// The proven result.
    pub result: Option<ProvenResult>,
    /// The value that a search gave it.
    pub evaluation: Option<Evaluation>,
    /// The best move, as far as is known.
    pub best: Option<Point>,
    /// The number of times that it was visited: by games, or by searches.
    pub visits: u64,
    /// The games that it occurred in, as far as their results are known.
    pub games: GameCounts,
    /// The label.
    pub label: Option<EntryLabel>,
    /// True if the position is there only because others hang on it.
    pub is_placeholder: bool,
    /// True if the position as a whole is marked.
    pub is_marked: bool,
    /// A comment; lines end with LF.
    pub text: String,
    /// Short texts on cells; none is empty.
    pub board_texts: BTreeMap<Point, String>,
    /// Marks on cells.
    pub marks: BTreeSet<(Point, CellMark)>,
}

impl PositionEntry {
    /// Returns whether the move to this position should be played at once: the label `!`.
    #[must_use]
    pub fn is_played_at_once(&self) -> bool {
        self.has_label("!")
    }

    /// Returns whether the move to this position should be left out: the label `x`.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        self.has_label("x")
    }

    fn has_label(&self, label: &str) -> bool {
        self.label.as_ref().is_some_and(|own| own.as_str() == label)
    }

    /// Returns whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == PositionEntry::default()
    }

    /// Returns the entry of an image of the position, which had a board of size `size`.
    ///
    /// # Panics
    ///
    /// Panics if a cell of the entry is not on the board.
    #[must_use]
    pub fn mapped(mut self, symmetry: Symmetry, size: Size) -> PositionEntry {
        if symmetry != Symmetry::Identity {
            let map = |point| symmetry.map(size, point);
            self.best = self.best.map(map);
            let texts = std::mem::take(&mut self.board_texts);
            self.board_texts = texts.into_iter().map(|(at, text)| (map(at), text)).collect();
            self.marks = self.marks.iter().map(|&(at, mark)| (map(at), mark)).collect();
        }
        self
    }

    /// Returns a number that is smaller for moves that are better for the side that made one, by the entry
    /// of the position after it. Moves of which nothing is known come before lost ones.
    #[must_use]
    pub fn rank_for_mover(&self) -> (u8, i32) {
        let plies = |distance: Option<u16>| distance.map_or(i32::from(u16::MAX) + 1, i32::from);
        match (self.result, self.evaluation) {
            (Some(ProvenResult::Loss(distance)), _) => (0, plies(distance)),
            (None, Some(evaluation)) => (1, evaluation.score.raw()),
            (Some(ProvenResult::Draw), _) => (1, 0),
            (None, None) => (2, 0),
            (Some(ProvenResult::Win(distance)), _) => (3, -plies(distance)),
        }
    }

    /// Returns all cells that the entry speaks of.
    pub fn cells(&self) -> impl Iterator<Item = Point> {
        let texts = self.board_texts.keys().copied();
        self.best.into_iter().chain(texts).chain(self.marks.iter().map(|&(at, _)| at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_are_written() {
        for text in ["win", "win:7", "loss", "loss:0", "draw", "win:65535"] {
            assert_eq!(text.parse::<ProvenResult>().unwrap().to_string(), text);
        }
        for text in ["", "Win", "win:", "win:-1", "win:65536", "draw:3", "loss: 3", "win:7:7"] {
            assert!(text.parse::<ProvenResult>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_result_is_the_opposite_a_ply_earlier() {
        assert_eq!(ProvenResult::Loss(Some(0)).before(), ProvenResult::Win(Some(1)));
        assert_eq!(ProvenResult::Win(Some(u16::MAX)).before(), ProvenResult::Loss(Some(u16::MAX)));
        assert_eq!(ProvenResult::Win(None).before(), ProvenResult::Loss(None));
        assert_eq!(ProvenResult::Draw.before(), ProvenResult::Draw);
    }

    #[test]
    fn labels_are_short_and_can_be_shown() {
        assert_eq!(EntryLabel::new("白1").unwrap().as_str(), "白1");
        for text in ["", "a\nb", "\u{1b}", "123456789012345678901234567890123"] {
            assert_eq!(EntryLabel::new(text), Err(LabelError), "{text:?}");
        }
    }

    #[test]
    fn every_image_of_an_entry_leads_back() {
        let size = Size::new(9, 9).unwrap();
        let at = |x, y| size.point(x, y).unwrap();
        let entry = PositionEntry {
            best: Some(at(0, 1)),
            board_texts: BTreeMap::from([(at(2, 5), "a".to_owned()), (at(8, 8), "b".to_owned())]),
            marks: BTreeSet::from([(at(2, 5), CellMark::Cross), (at(2, 5), CellMark::Circle)]),
            ..PositionEntry::default()
        };
        for symmetry in Symmetry::ALL {
            let image = entry.clone().mapped(symmetry, size);
            assert_eq!(image.best, Some(symmetry.map(size, at(0, 1))));
            assert_eq!(image.board_texts[&symmetry.map(size, at(8, 8))], "b");
            assert_eq!(image.mapped(symmetry.inverse(), size), entry);
        }
    }
}
