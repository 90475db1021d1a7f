//! Entries in the words and numbers of Yixin-Board and Rapfi.

use super::{EntryLabel, Evaluation, PositionEntry, ProvenResult};
use tengen_core::types::{Bound, Score};

/// The value of a win whose length nobody knows, and the least one of any.
const WIN_WITHOUT_LENGTH: i32 = 29_500;

/// The label of a position that is there and has none.
const NO_LABEL: i32 = -1;
/// The units of the evaluation in a logit of the chance to win that is shown.
const UNITS_OF_LOGIT: f64 = 200.0;
/// The most bytes of a label that fit into a tag.
const TAG_BYTES: usize = 4;

/// An entry in the numbers of Yixin-Board and Rapfi.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardFacts {
    /// The character of the label, -1 for none, or 0 for a position that is there only because
    /// others hang on it.
    pub label: i32,
    /// The value from the point of view of the side to move.
    pub value: i32,
    /// The depth in plies.
    pub depth: i16,
    /// 0 none, 1 upper, 2 lower, 3 exact.
    pub bound: u8,
    /// The text that the board shows on the cell of the move that leads there; may be empty.
    pub shown: String,
}

impl BoardFacts {
    /// The facts of a position that is not there.
    pub const ABSENT: BoardFacts =
        BoardFacts { label: 0, value: 0, depth: 0, bound: 0, shown: String::new() };

    /// Returns the facts of an entry.
    #[must_use]
    pub fn of(entry: &PositionEntry) -> BoardFacts {
        let label = label_of(entry);
        let evaluation = entry.evaluation;
        // A longer way is none that a value can tell.
        let distance = |plies: u16| Score::WIN.raw() - i32::from(plies);
        let is_told = |value: &i32| *value > WIN_WITHOUT_LENGTH;
        let of_result = match entry.result {
            Some(ProvenResult::Win(Some(plies))) => Some(distance(plies)).filter(is_told),
            Some(ProvenResult::Loss(Some(plies))) => {
                Some(distance(plies)).filter(is_told).map(|value| -value)
            }
            _ => None,
        };
        let own = evaluation.map(|evaluation| evaluation.score.raw());
        let bound = evaluation.and_then(|evaluation| evaluation.bound).map_or(0, bound_number);
        BoardFacts {
            label,
            value: of_result.or(own).unwrap_or(0),
            depth: evaluation.map_or(0, |evaluation| evaluation.depth),
            // A proven result is exact, unless somebody has said the same and no more.
            bound: if of_result.is_some() && of_result != own { 3 } else { bound },
            shown: shown(entry),
        }
    }

    /// Returns the entry that these facts tell. What is shown adds nothing to them. A label that is no
    /// character to be shown becomes its number in brackets, as Rapfi writes it down: `(10)`.
    #[must_use]
    pub fn entry(&self) -> PositionEntry {
        let mut entry = PositionEntry::default();
        set_label(&mut entry, self.label);
        set_distance(&mut entry, self.value);
        if (self.value, self.depth, self.bound) != (0, 0, 0) {
            let bound = match self.bound {
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                3 => Some(Bound::Exact),
                _ => None,
            };
            let score = Score::from_raw(self.value);
            entry.evaluation = Some(Evaluation { score, depth: self.depth, bound });
        }
        entry
    }

    /// Returns the first bytes of what is shown as a number, or -1 if nothing is.
    #[must_use]
    pub fn tag(&self) -> i64 {
        let bytes = self.shown.bytes().take(TAG_BYTES);
        let number = bytes.fold(0, |number, byte| number << 8 | i64::from(byte));
        if number == 0 { i64::from(NO_LABEL) } else { number }
    }
}

const fn bound_number(bound: Bound) -> u8 {
    match bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    }
}

fn label_of(entry: &PositionEntry) -> i32 {
    match (entry.result, &entry.label) {
        // The board's labels speak of the side that made the move.
        (Some(ProvenResult::Loss(_)), _) => i32::from(b'w'),
        (Some(ProvenResult::Win(_)), _) => i32::from(b'l'),
        (Some(ProvenResult::Draw), _) => i32::from(b'd'),
        (None, Some(label)) => label_number(label),
        (None, None) if entry.is_placeholder => 0,
        (None, None) => NO_LABEL,
    }
}

/// The letters of labels that say something of the game, in either case.
const RESULT_LETTERS: &[u8] = b"wldWLD";
/// Further labels with a meaning.
const SEARCH_LETTERS: &[u8] = b"xX!";

/// Returns the number of a label: its character, or that of the number in brackets. Of a longer one the
/// first character counts, but none may claim what nobody has said.
fn label_number(label: &EntryLabel) -> i32 {
    let text = label.as_str();
    let bracketed = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    match (bracketed.and_then(|number| number.parse::<i8>().ok()), text.as_bytes()) {
        (Some(number), _) if !is_shown(number.into()) && number != 0 => number.into(),
        (_, [first, ..]) if RESULT_LETTERS.contains(first) => NO_LABEL,
        (_, [first, _, ..]) if SEARCH_LETTERS.contains(first) => NO_LABEL,
        (_, &[first, ..]) if is_shown(first.into()) => first.into(),
        _ => NO_LABEL,
    }
}

/// Returns whether a label is a character that can be seen.
fn is_shown(label: i32) -> bool {
    u8::try_from(label).is_ok_and(|label| label.is_ascii_graphic())
}

/// Gives an entry a label in the place of its result and its label.
fn set_label(entry: &mut PositionEntry, label: i32) {
    (entry.result, entry.label) = (None, None);
    entry.is_placeholder = label == 0;
    let letter = u8::try_from(label).ok().filter(u8::is_ascii_graphic).map(char::from);
    // Yixin-Board sends w, l and d in either case.
    match letter.map(|letter| letter.to_ascii_lowercase()) {
        Some('w') => entry.result = Some(ProvenResult::Loss(None)),
        Some('l') => entry.result = Some(ProvenResult::Win(None)),
        Some('d') => entry.result = Some(ProvenResult::Draw),
        _ => {
            let text = match letter {
                Some('X') => Some("x".to_owned()),
                Some(letter) => Some(letter.to_string()),
                None if matches!(label, 0 | NO_LABEL) => None,
                None => Some(format!("({label})")),
            };
            entry.label = text.and_then(|text| EntryLabel::new(&text).ok());
        }
    }
}

/// Gives an entry a label in the place of its result and its label: one letter as in [`BoardEdit`], or
/// several that are only shown. An empty text takes them away. Returns `false`, and changes nothing, if the
/// text is not a label.
#[must_use]
pub fn set_board_label(entry: &mut PositionEntry, text: &str) -> bool {
    let (letter, label) = match text.as_bytes() {
        [] => (NO_LABEL, None),
        &[letter] => (letter.into(), None),
        _ => match EntryLabel::new(text) {
            Ok(label) => (NO_LABEL, Some(label)),
            Err(_) => return false,
        },
    };
    let is_changed = BoardEdit { label: Some(letter.into()), ..BoardEdit::default() }.apply(entry);
    if label.is_some() {
        entry.label = label;
    }
    is_changed
}

/// Gives a result the distance in a value.
fn set_distance(entry: &mut PositionEntry, value: i32) {
    let plies = |value: i32| {
        let distance = u16::try_from(Score::WIN.raw() - value).ok();
        distance.filter(|_| value > WIN_WITHOUT_LENGTH)
    };
    entry.result = match entry.result {
        Some(ProvenResult::Loss(_)) => Some(ProvenResult::Loss(plies(-value))),
        Some(ProvenResult::Win(_)) => Some(ProvenResult::Win(plies(value))),
        other => other,
    };
}

/// Returns what the board shows of a position on the cell of the move that leads there.
fn shown(entry: &PositionEntry) -> String {
    // The steps count from the position before.
    let steps = |plies: Option<u16>| {
        plies.map_or("*".to_owned(), |plies| (u32::from(plies) + 1).to_string())
    };
    match (entry.result, &entry.label, entry.evaluation) {
        (Some(ProvenResult::Loss(plies)), ..) => format!("w{}", steps(plies)),
        (Some(ProvenResult::Win(plies)), ..) => format!("l{}", steps(plies)),
        (Some(ProvenResult::Draw), ..) => "d".to_owned(),
        (None, Some(label), _) => label.as_str().to_owned(),
        (None, None, _) if entry.is_placeholder => String::new(),
        (None, None, Some(Evaluation { score, bound: Some(Bound::Exact), .. })) => {
            let chance = 100.0 / (1.0 + (f64::from(score.raw()) / UNITS_OF_LOGIT).exp());
            format!("{}%", (chance.floor() as i32).clamp(0, 99))
        }
        _ => String::new(),
    }
}

/// A change of the label and the value of a position, in the numbers of Yixin-Board and Rapfi. What is
/// absent stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardEdit {
    /// The character of the label in either case, -1 for none, or 0 for a position that is there only
    /// because others hang on it.
    pub label: Option<i64>,
    /// The value from the point of view of the side to move; beyond 29,500 a distance from 30,000.
    pub value: Option<i64>,
    /// The depth in plies. What somebody gives a depth to is taken for exact.
    pub depth: Option<i64>,
}

impl BoardEdit {
    /// Changes an entry. Returns `false`, and changes nothing, if the label is not a printable character.
    #[must_use]
    pub fn apply(self, entry: &mut PositionEntry) -> bool {
        let before = BoardFacts::of(entry);
        let label = self.label.map(|label| i32::try_from(label).unwrap_or(i32::MAX));
        if label.is_some_and(|label| label > 0 && !is_shown(label)) {
            return false;
        }
        let value = self.value.map_or(before.value, |value| value.clamp(-30_000, 30_000) as i32);
        if let Some(label) = label {
            set_label(entry, label.max(NO_LABEL));
        }
        set_distance(entry, value);
        if self.value.is_some() || self.depth.is_some() {
            let depth = self.depth.map_or(before.depth, |depth| depth.clamp(-8192, 8191) as i16);
            let bound = if self.depth.is_some() || entry.evaluation.is_none() {
                Some(Bound::Exact)
            } else {
                entry.evaluation.and_then(|evaluation| evaluation.bound)
            };
            entry.evaluation = Some(Evaluation { score: Score::from_raw(value), depth, bound });
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies edits: what changes as a sum of 1 for the label, 2 for the value and 4 for the depth,
    /// and the three.
    fn edited(edits: &[(i64, i64, i64, i64)]) -> BoardFacts {
        let mut entry = PositionEntry::default();
        for &(mask, label, value, depth) in edits {
            let part = |bit: i64, number: i64| (mask & bit != 0).then_some(number);
            let (label, value, depth) = (part(1, label), part(2, value), part(4, depth));
            assert!(BoardEdit { label, value, depth }.apply(&mut entry));
        }
        BoardFacts::of(&entry)
    }

    #[test]
    fn wins_and_losses_speak_of_the_side_that_moved() {
        let won = edited(&[(7, 87, 0, 0)]);
        assert_eq!((won.label, won.shown.as_str(), won.tag()), (119, "w*", 0x772A));
        let won = edited(&[(7, 119, 0, 0), (2, -1, -29_988, 0)]);
        assert_eq!((won.value, won.bound, won.shown.as_str()), (-29_988, 3, "w13"));
        assert_eq!(won.tag(), 0x77_31_33);
        let lost = edited(&[(7, 76, 0, 0), (2, -1, 29_999, 0)]);
        assert_eq!((lost.label, lost.shown.as_str()), (108, "l2"));
        assert_eq!(edited(&[(7, 68, 0, 0)]).shown, "d");
        // The order of the two edits does not matter.
        assert_eq!(edited(&[(7, -1, -29_988, 0), (1, 119, 0, 0)]).shown, "w13");
    }

    #[test]
    fn facts_become_an_entry_and_come_back() {
        for (label, value, depth, bound) in [
            (0, 0, 0, 0),
            (-1, 0, 0, 0),
            (-1, 0, 0, 3),
            (-1, -35, -2, 1),
            (0, 3, 0, 2),
            (i32::from(b'w'), -29_988, 25, 3),
            (i32::from(b'w'), -29_988, 25, 0),
            (i32::from(b'l'), 29_600, 0, 2),
            (i32::from(b'l'), 0, 0, 0),
            (i32::from(b'd'), 17, 4, 1),
            (i32::from(b'!'), 0, 0, 0),
            (i32::from(b'('), 0, 0, 0),
            (10, 5, 5, 3),
            (32, 0, 0, 0),
            (-56, 0, 0, 0),
        ] {
            let facts = BoardFacts { label, value, depth, bound, shown: String::new() };
            let back = BoardFacts::of(&facts.entry());
            assert_eq!(BoardFacts { shown: String::new(), ..back }, facts);
        }
    }

    #[test]
    fn nothing_is_claimed_that_nobody_has_said() {
        let of = |label: &str| {
            let label = EntryLabel::new(label).ok();
            BoardFacts::of(&PositionEntry { label, ..PositionEntry::default() }).label
        };
        for (label, number) in
            [("x", 120), ("xy", -1), ("w", -1), ("Lost", -1), ("ab", 97), ("白", -1), ("(120)", 40)]
        {
            assert_eq!(of(label), number, "{label}");
        }
        // A way that is longer than values can tell, and a result that is better than the value.
        for plies in [700, 59_500, u16::MAX] {
            let result = Some(ProvenResult::Win(Some(plies)));
            let long = BoardFacts::of(&PositionEntry { result, ..PositionEntry::default() });
            assert_eq!((long.label, long.value, long.bound), (108, 0, 0));
        }
        let evaluation =
            Some(Evaluation { score: Score::from_raw(5), depth: 3, bound: Some(Bound::Lower) });
        let result = Some(ProvenResult::Loss(Some(8)));
        let proven =
            BoardFacts::of(&PositionEntry { result, evaluation, ..PositionEntry::default() });
        assert_eq!((proven.value, proven.depth, proven.bound), (-29_992, 3, 3));
    }

    #[test]
    fn a_value_is_shown_as_a_chance_and_a_label_as_itself() {
        let even = edited(&[(7, -1, 0, 0)]);
        assert_eq!((even.label, even.bound, even.shown.as_str()), (-1, 3, "50%"));
        let hidden = edited(&[(7, 0, 0, 0)]);
        assert_eq!((hidden.label, hidden.bound, hidden.shown.as_str()), (0, 3, ""));
        assert_eq!(edited(&[(7, -1, -35, 20)]).shown, "54%");
        assert_eq!(edited(&[(7, -1, -30_000, 20)]).shown, "99%");
        let marked = edited(&[(7, i64::from(b'A'), 12, 3)]);
        assert_eq!((marked.label, marked.tag(), marked.value), (65, 65, 12));
        assert_eq!(edited(&[(7, 88, 0, 0)]).shown, "x");
        let none = edited(&[(7, i64::from(b'A'), 0, 0), (1, -1, 0, 0)]);
        assert_eq!((none.label, none.shown.as_str()), (-1, "50%"));
        let mut entry = PositionEntry::default();
        let edit = BoardEdit { label: Some(300), ..BoardEdit::default() };
        assert!(!edit.apply(&mut entry), "no character");
        assert_eq!(BoardFacts::of(&entry).tag(), -1);
    }
}
