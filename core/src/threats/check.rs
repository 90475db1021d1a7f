//! Static wins, losses and forced replies, from the class counts.

use super::defence::{defences, five_defences};
use crate::patterns::PointClass;
use crate::position::Position;
use crate::rules::Rule;
use crate::types::{Color, Point, PointSet};

/// The result of a static threat analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreatCheck {
    /// The side to move wins in exactly this many plies.
    Win(u16),
    /// The side to move loses in exactly this many plies.
    Loss(u16),
    /// Nothing is decided; only these moves are worth searching.
    Open(Replies),
}

/// The moves worth searching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replies {
    /// Any move.
    All,
    /// The opponent threatens to win with the next stone: every other move loses at once.
    Forced(Point),
    /// The opponent threatens to win with the next stone, and each of these moves stops it; only
    /// caro leaves a choice.
    StopFive(PointSet),
    /// The opponent threatens an open four: all other moves lose. Own fours are included.
    StopFour(PointSet),
    /// The opponent threatens to win by a four that makes an open three: all other moves lose. Own
    /// fours are included.
    StopFourThree(PointSet),
}

impl Replies {
    /// Returns whether the opponent threatens to win with the next stone.
    #[must_use]
    pub const fn must_stop_five(&self) -> bool {
        matches!(self, Replies::Forced(_) | Replies::StopFive(_))
    }

    /// Returns whether the opponent threatens to win, or to make an open four, with the next stone.
    #[must_use]
    pub const fn are_urgent(&self) -> bool {
        !matches!(self, Replies::All | Replies::StopFourThree(_))
    }

    /// Returns the set of moves, or `None` if any move is worth searching.
    #[must_use]
    pub fn set(&self) -> Option<PointSet> {
        match *self {
            Replies::All => None,
            Replies::Forced(point) => Some([point].into_iter().collect()),
            Replies::StopFive(set) | Replies::StopFour(set) | Replies::StopFourThree(set) => {
                Some(set)
            }
        }
    }
}

/// Analyses the position for the side to move with [`threat_check`], and with
/// [`four_three_replies`] if that leaves all moves.
#[must_use]
pub fn full_threat_check(position: &mut Position) -> ThreatCheck {
    match threat_check(position) {
        ThreatCheck::Open(Replies::All) => ThreatCheck::Open(four_three_replies(position)),
        situation => situation,
    }
}

/// Analyses the position for the side to move: immediate wins and losses, and threats that must be
/// answered at once.
///
/// The tests are ordered by the strength of the threats (Rapfi `game/wincheck.h`, AlphaGomoku's
/// static solver). `tests/suite/tactics.rs` confirms every result by trying all moves.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::position::Position;
/// use tengen_core::rules::Rule;
/// use tengen_core::threats::{ThreatCheck, threat_check};
/// use tengen_core::types::Size;
///
/// let size = Size::square(15)?;
/// let mut position = Position::new(Rule::Freestyle, size);
/// for point in parse_moves("f8a1g8a3h8a5", size)? {
///     position.play(point)?;
/// }
/// // An open four now, and five with the next stone.
/// assert_eq!(threat_check(&mut position), ThreatCheck::Win(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn threat_check(position: &mut Position) -> ThreatCheck {
    let us = position.to_move();
    let them = !us;
    let ours = position.counts(us);
    let theirs = position.counts(them);

    if ours.has(PointClass::Five) {
        return ThreatCheck::Win(1);
    }
    if theirs.has(PointClass::Five) {
        return stop_five(position, them);
    }
    if ours.has(PointClass::OpenFour) {
        return ThreatCheck::Win(3);
    }
    if wins_by_two_threats(position, us) || wins_by_four_three(position, us) {
        return ThreatCheck::Win(5);
    }
    if theirs.has(PointClass::OpenFour) {
        let set = defences(position, them) | *position.tracker().fours(us);
        let set = legal_replies(position, set);
        return if set.is_empty() {
            ThreatCheck::Loss(4)
        } else {
            ThreatCheck::Open(Replies::StopFour(set))
        };
    }
    ThreatCheck::Open(Replies::All)
}

/// Returns the moves worth searching if [`threat_check`] leaves all: [`Replies::StopFourThree`] if
/// that is threatened. Separate because it plays three moves, which pruned nodes do not need.
#[must_use]
pub fn four_three_replies(position: &mut Position) -> Replies {
    let them = !position.to_move();
    if !position.counts(them).has(PointClass::FourThree) {
        return Replies::All;
    }
    stop_four_three(position, them).map_or(Replies::All, Replies::StopFourThree)
}

/// Returns whether `us`, to move, wins in five plies by a four with an open three or by two open
/// threes, because the opponent, who threatens nothing now, cannot make a four in between.
///
/// Not claimed where it might be wrong or the win shorter: for black in renju, whose next stones
/// might be forbidden; for white in renju while any point might be forbidden to black, who might
/// then be unable to answer a four; in caro, where two fours on one line can win at once.
#[must_use]
pub fn wins_by_two_threats(position: &Position, us: Color) -> bool {
    let ours = position.counts(us);
    is_plain(position)
        && !(position.rule() == Rule::Renju && us == Color::Black)
        && !position.counts(!us).has_at_least(PointClass::Four)
        && (ours.has(PointClass::FourThree) || ours.has(PointClass::DoubleThree))
}

/// Returns whether `us`, to move, wins in five plies by a four with an open three although the
/// opponent has fours of its own, because the only answer makes none of them.
fn wins_by_four_three(position: &mut Position, us: Color) -> bool {
    if !position.counts(us).has(PointClass::FourThree) || !is_plain(position) {
        return false;
    }
    let fours = *position.tracker().fours(us);
    fours.iter().any(|four| {
        position.class(four, us) == PointClass::FourThree
            && after_four(position, four, us, |position, _| {
                !position.counts(!us).has(PointClass::Five)
                    && position.counts(us).has(PointClass::OpenFour)
            })
    })
}

/// Returns the cells on which a stone may stop `them` from winning by a four with an open three,
/// own fours included, or `None` if the threat is not real.
///
/// The win is played out: the four and its only answer, after which the open four is threatened. A
/// stone helps if it occupies a cell of that sequence, stops the open four, or turns the answer
/// into a four (Rapfi's `DEFEND_B4F3` does the same with line tables).
fn stop_four_three(position: &mut Position, them: Color) -> Option<PointSet> {
    let us = !them;
    // White may play anywhere, and its stones only reduce what black can do.
    let free = position.rule() == Rule::Renju && us == Color::White;
    if !free && !is_plain(position) {
        return None;
    }
    let four = position.first_of(them, PointClass::FourThree)?;
    let mut set = *position.tracker().fours(us);
    position.pass();
    let real = after_four(position, four, them, |position, answer| {
        if position.counts(us).has(PointClass::Five)
            || !position.counts(them).has(PointClass::OpenFour)
            || !free && !is_plain(position)
        {
            return false;
        }
        set |= defences(position, them) | *position.tracker().fours(us);
        set.insert(four);
        set.insert(answer);
        true
    });
    position.undo();
    real.then_some(set)
}

/// Returns whether the tables know all fours and their defences: not in caro, where a four can have
/// two answers, and not in renju where a move might be forbidden to black.
fn is_plain(position: &Position) -> bool {
    match position.rule() {
        Rule::Freestyle | Rule::Standard => true,
        Rule::Renju => !position.counts(Color::Black).has(PointClass::Forbidden),
        Rule::Caro | Rule::CaroExact => false,
    }
}

/// Plays a four of `attacker`, who is to move, and its only answer, calls the test with the answer,
/// and takes both back. Returns false if there is no legal answer.
fn after_four(
    position: &mut Position,
    four: Point,
    attacker: Color,
    is_case: impl FnOnce(&Position, Point) -> bool,
) -> bool {
    position.play_unchecked(four);
    let mut case = false;
    if position.counts(attacker).of(PointClass::Five) == 1
        && let Some(answer) = position.first_of(attacker, PointClass::Five)
        && !position.is_forbidden(answer, !attacker)
    {
        position.play_unchecked(answer);
        case = is_case(position, answer);
        position.undo();
    }
    position.undo();
    case
}

fn stop_five(position: &mut Position, them: Color) -> ThreatCheck {
    let cells = position.counts(them).of(PointClass::Five);
    if matches!(position.rule(), Rule::Caro | Rule::CaroExact) {
        let set = five_defences(position, them);
        return match (set.len(), set.first()) {
            (0, _) | (_, None) => ThreatCheck::Loss(2),
            (1, Some(only)) => ThreatCheck::Open(Replies::Forced(only)),
            _ => ThreatCheck::Open(Replies::StopFive(set)),
        };
    }
    match position.first_of(them, PointClass::Five) {
        Some(only) if cells == 1 && !position.is_forbidden(only, !them) => {
            ThreatCheck::Open(Replies::Forced(only))
        }
        _ => ThreatCheck::Loss(2),
    }
}

/// Removes the points that renju forbids to black, and adds fours that the tables only suspect of
/// being forbidden.
fn legal_replies(position: &mut Position, mut set: PointSet) -> PointSet {
    let us = position.to_move();
    if position.rule() != Rule::Renju || us == Color::White {
        return set;
    }
    for point in set.iter() {
        if position.is_forbidden(point, us) {
            set.remove(point);
        }
    }
    if position.counts(us).has(PointClass::Forbidden) {
        for point in position.tracker().near().iter() {
            if position.class(point, us) == PointClass::Forbidden
                && position.makes_four(point, us)
                && !position.is_forbidden(point, us)
            {
                set.insert(point);
            }
        }
    }
    set
}
