//! The lexicon: the shapes, written as texts.
//!
//! A text is read along a line, in the alphabet of one colour:
//!
//! | letter | cell |
//! | --- | --- |
//! | `o` | own stone |
//! | `_` | empty |
//! | `+` | empty, and the cell whose filling makes the next stronger thing: of a four the win, of a three the open four, of a two the open three |
//! | `x` | opponent stone |
//! | `#` | beyond the edge, or a neutral stone |
//! | `n` | not own: `_`, `x` or `#` |
//! | `f` | free of both players: `_` or `#` |
//! | `y` | not the opponent's: `o`, `_` or `#` |
//!
//! A shape counts for a point if its text covers the point. Fours, threes and twos are classified
//! by how many different `+` cells the texts give together: two of them on one line make a double
//! four, a free three, and so on. Every text stands for its mirror image too.

use super::shape::Family;

/// The meaning of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A winning row.
    Five,
    /// Six or more in a row, for black in renju.
    Overline,
    /// Four in a row, open at both ends.
    StraightFour,
    /// Any four; its `+` wins.
    Four,
    /// Its `+` makes a straight four.
    Three,
    /// Three stones from which one more makes a four.
    BlockedThree,
    /// Its `+` makes a three.
    Two,
    /// Two stones from which two more make a four.
    BlockedTwo,
    /// One stone with room for a straight four.
    OpenOne,
    /// One stone with room for a five.
    BlockedOne,
}

const FOURS: &[&str] = &["+oooo", "o+ooo", "oo+oo"];
const BLOCKED_THREES: &[&str] = &["__ooo", "_o_oo", "_oo_o", "_ooo_", "o__oo", "o_o_o"];
const BLOCKED_TWOS: &[&str] = &["___oo", "__o_o", "__oo_", "_o__o", "_o_o_", "o___o"];
const BLOCKED_ONES: &[&str] = &["____o", "___o_", "__o__"];

const STRAIGHT_FOUR: &[&str] = &["_oooo_"];
const THREES: &[&str] = &["_+ooo_", "_o+oo_"];
const TWOS: &[&str] = &["_+_oo_", "__+oo_", "_+o_o_", "__o+o_", "_+oo__", "_o+_o_"];
const OPEN_ONES: &[&str] = &["_o____", "__o___"];

/// Six cells in which one more stone makes a row of six, which cannot be enclosed in caro.
const CARO_FOURS: &[&str] = &["o+oooo", "oo+ooo"];
const CARO_BLOCKED_THREES: &[&str] =
    &["__oooo", "_o_ooo", "_oo_oo", "_ooo_o", "_oooo_", "o__ooo", "o_o_oo", "o_oo_o", "oo__oo"];
const CARO_BLOCKED_TWOS: &[&str] = &[
    "___ooo", "__o_oo", "__oo_o", "__ooo_", "_o__oo", "_o_o_o", "_o_oo_", "_oo__o", "o___oo",
    "o__o_o",
];
const CARO_BLOCKED_ONES: &[&str] =
    &["____oo", "___o_o", "___oo_", "__o__o", "__o_o_", "__oo__", "_o___o", "_o__o_", "o____o"];

/// The required cells at either end of a text: left, right.
type Ends = (&'static str, &'static str);

const ANY_ENDS: &[Ends] = &[("", "")];
const NOT_OWN: &[Ends] = &[("n", "n")];
/// Not enclosed by opponent stones at both ends; a longer row is allowed.
const CARO_FIVE: &[Ends] = &[("f", "n"), ("n", "f")];
/// Neither end can be enclosed by the reply to the open four.
const CARO_STRAIGHT: &[Ends] = &[("y", "y")];
const CARO_EXACT_STRAIGHT: &[Ends] = &[("f", "f")];

/// Texts with an entry and the ends that each of them needs.
type Group = (Entry, &'static [&'static str], &'static [Ends]);

const FIVE: &[&str] = &["ooooo"];
const SIX: &[&str] = &["oooooo"];

/// The texts that do not depend on the definition of a straight four.
const fn rows(ends: &'static [Ends]) -> [Group; 5] {
    [
        (Entry::Five, FIVE, ends),
        (Entry::Four, FOURS, ends),
        (Entry::BlockedThree, BLOCKED_THREES, ends),
        (Entry::BlockedTwo, BLOCKED_TWOS, ends),
        (Entry::BlockedOne, BLOCKED_ONES, ends),
    ]
}

/// The texts that lead to a straight four.
const fn straights(ends: &'static [Ends]) -> [Group; 4] {
    [
        (Entry::StraightFour, STRAIGHT_FOUR, ends),
        (Entry::Three, THREES, ends),
        (Entry::Two, TWOS, ends),
        (Entry::OpenOne, OPEN_ONES, ends),
    ]
}

const RENJU_BLACK_EXTRA: [Group; 1] = [(Entry::Overline, SIX, ANY_ENDS)];
const CARO_EXTRA: [Group; 5] = [
    (Entry::Five, SIX, ANY_ENDS),
    (Entry::Four, CARO_FOURS, ANY_ENDS),
    (Entry::BlockedThree, CARO_BLOCKED_THREES, ANY_ENDS),
    (Entry::BlockedTwo, CARO_BLOCKED_TWOS, ANY_ENDS),
    (Entry::BlockedOne, CARO_BLOCKED_ONES, ANY_ENDS),
];

/// Returns the groups of texts of a family.
fn groups(family: Family) -> Vec<Group> {
    let (rows, straights, extra): (_, _, &[Group]) = match family {
        Family::FiveOrMore => (rows(ANY_ENDS), straights(ANY_ENDS), &[]),
        Family::ExactlyFive => (rows(NOT_OWN), straights(NOT_OWN), &[]),
        Family::RenjuBlack => (rows(NOT_OWN), straights(NOT_OWN), &RENJU_BLACK_EXTRA),
        Family::Caro => (rows(CARO_FIVE), straights(CARO_STRAIGHT), &CARO_EXTRA),
        Family::CaroExact => (rows(CARO_FIVE), straights(CARO_EXACT_STRAIGHT), &[]),
    };
    rows.into_iter().chain(straights).chain(extra.iter().copied()).collect()
}

/// Returns the distinct texts of a family with their mirror images, ends included.
#[must_use]
pub fn texts(family: Family) -> Vec<(Entry, String)> {
    let mut all = Vec::new();
    for (entry, cores, ends) in groups(family) {
        for core in cores {
            for (left, right) in ends {
                let text = format!("{left}{core}{right}");
                let mirrored: String = text.chars().rev().collect();
                all.push((entry, text));
                all.push((entry, mirrored));
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|(entry, text)| seen.insert((*entry as u8, text.clone())));
    all
}
