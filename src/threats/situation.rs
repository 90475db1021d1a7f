//! What the counts of classes decide at a glance.

use super::defence::{defences, five_defences};
use crate::patterns::PointClass;
use crate::position::Position;
use crate::rules::Rule;
use crate::types::{Color, Point, PointSet};

/// What is known of a position from the threats of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Situation {
    /// The side to move wins in this many plies, which is exact.
    Win(u16),
    /// The side to move loses in this many plies, which is exact.
    Loss(u16),
    /// Nothing is decided, but only some moves can be good.
    Open(Replies),
}

/// The moves worth searching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replies {
    /// Any.
    All,
    /// The opponent threatens to win with the next stone: everything else loses at once.
    Forced(Point),
    /// The opponent threatens to win and one of these stops it; only caro leaves a choice.
    StopFive(PointSet),
    /// The opponent threatens an open four: one of these, own fours included, or lost.
    StopFour(PointSet),
    /// The opponent threatens to win by a four that makes an open three: one of these, own fours
    /// included, or lost.
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

    /// Returns the set of moves, unless any will do.
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

/// Judges the position for the side to move: [`glance`], and [`four_three_replies`] where that leaves
/// all moves.
#[must_use]
pub fn analyse(position: &mut Position) -> Situation {
    match glance(position) {
        Situation::Open(Replies::All) => Situation::Open(four_three_replies(position)),
        situation => situation,
    }
}

/// Judges the position for the side to move by what decides it or must be answered at once.
///
/// The order of the questions is that of the strength of threats (Rapfi `game/wincheck.h`,
/// AlphaGomoku's static solver). `tests/suite/tactics.rs` confirms every answer by trying all moves.
#[must_use]
pub fn glance(position: &mut Position) -> Situation {
    let us = position.to_move();
    let them = !us;
    let ours = position.counts(us);
    let theirs = position.counts(them);

    if ours.has(PointClass::Five) {
        return Situation::Win(1);
    }
    if theirs.has(PointClass::Five) {
        return stop_five(position, them);
    }
    if ours.has(PointClass::OpenFour) {
        return Situation::Win(3);
    }
    if wins_by_two_threats(position, us) || wins_by_four_three(position, us) {
        return Situation::Win(5);
    }
    if theirs.has(PointClass::OpenFour) {
        let set = defences(position, them) | *position.tracker().fours(us);
        let set = legal_replies(position, set);
        return if set.is_empty() {
            Situation::Loss(4)
        } else {
            Situation::Open(Replies::StopFour(set))
        };
    }
    Situation::Open(Replies::All)
}

/// Returns the moves worth searching where [`glance`] leaves all: [`Replies::StopFourThree`] if that
/// is threatened. Apart because it plays three moves, which a node that is pruned need not.
#[must_use]
pub fn four_three_replies(position: &mut Position) -> Replies {
    let them = !position.to_move();
    if !position.counts(them).has(PointClass::FourThree) {
        return Replies::All;
    }
    stop_four_three(position, them).map_or(Replies::All, Replies::StopFourThree)
}

/// Returns whether `us`, to move, wins in five plies by a four with an open three or by two open
/// threes, because the opponent, who threatens nothing now, can't make a four in between.
///
/// Not claimed where it might be untrue or the win shorter: for black in renju, whose next stones
/// might be forbidden; for white in renju while any point might be forbidden to black, who could
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
/// stone helps if it takes the place of a part of that, stops the open four, or makes a four of
/// the answer (Rapfi's `DEFEND_B4F3` does the same from tables of lines).
fn stop_four_three(position: &mut Position, them: Color) -> Option<PointSet> {
    let us = !them;
    // White may play anywhere, and only takes from what black can do.
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

/// Returns whether the tables know all fours and what stops them: not in caro, where a four can have
/// two answers, and not where renju might forbid something to black.
fn is_plain(position: &Position) -> bool {
    match position.rule() {
        Rule::Freestyle | Rule::Standard => true,
        Rule::Renju => !position.counts(Color::Black).has(PointClass::Forbidden),
        Rule::Caro | Rule::CaroExact => false,
    }
}

/// Plays a four of `attacker`, who is to move, and its only answer, asks what is then the case, and
/// takes both back. The answer is told; without a legal one nothing is asked, and it is not the case.
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

fn stop_five(position: &mut Position, them: Color) -> Situation {
    let cells = position.counts(them).of(PointClass::Five);
    if matches!(position.rule(), Rule::Caro | Rule::CaroExact) {
        let set = five_defences(position, them);
        return match (set.len(), set.first()) {
            (0, _) | (_, None) => Situation::Loss(2),
            (1, Some(only)) => Situation::Open(Replies::Forced(only)),
            _ => Situation::Open(Replies::StopFive(set)),
        };
    }
    match position.first_of(them, PointClass::Five) {
        Some(only) if cells == 1 && !position.is_forbidden(only, !them) => {
            Situation::Open(Replies::Forced(only))
        }
        _ => Situation::Loss(2),
    }
}

/// Leaves out what renju forbids to black, and adds the fours that the tables suspect of being
/// forbidden but that are not.
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
