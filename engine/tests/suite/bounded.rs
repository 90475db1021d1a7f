//! Wins within a number of plies, proven by trying every defence.
//!
//! The attacker tries fours and threes, and whatever else it is told to; so a win that is not found
//! may exist, but one that is found is real. Of the threats only what `tests/suite/tactics.rs` confirms
//! by brute force is believed.

use std::collections::HashMap;

use tengen_core::patterns::PointClass;
use tengen_core::position::Position;
use tengen_core::threats::{Replies, ThreatCheck, full_threat_check};
use tengen_core::types::{Key, Point, PointSet};

/// The outcome of a search for a win within a number of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bounded {
    /// It is forced.
    Proven,
    /// No such win was found.
    NotFound,
    /// The search was given up.
    GivenUp,
}

/// A proof that a win takes at most some number of plies.
pub(crate) struct Bound {
    /// For each position with the attacker to move: the plies within which it was found to win, and
    /// those within which it was not; the move of the win.
    known: HashMap<(Key, u32), (u32, u32, Option<Point>)>,
    left: u64,
    /// The number of the attacker's next moves that may be any near a stone.
    wide: u32,
}

impl Bound {
    /// Returns a search of at most so many positions.
    pub(crate) fn new(limit: u64, wide: u32) -> Bound {
        Bound { known: HashMap::new(), left: limit, wide }
    }

    /// Returns whether the side to move wins within `plies`.
    pub(crate) fn wins(&mut self, position: &mut Position, plies: u32) -> Bounded {
        let won = self.attack(position, plies, self.wide);
        self.result(won)
    }

    /// Returns whether the side to move loses within `plies`, whatever it does.
    pub(crate) fn loses(&mut self, position: &mut Position, plies: u32) -> Bounded {
        let lost = self.defend(position, plies, self.wide);
        self.result(lost)
    }

    fn result(&self, proven: bool) -> Bounded {
        match (proven, self.left) {
            (true, _) => Bounded::Proven,
            (false, 0) => Bounded::GivenUp,
            (false, _) => Bounded::NotFound,
        }
    }

    fn attack(&mut self, position: &mut Position, plies: u32, wide: u32) -> bool {
        let us = position.to_move();
        if self.left == 0 || plies == 0 {
            return false;
        }
        self.left -= 1;
        let replies = match full_threat_check(position) {
            ThreatCheck::Win(n) => return u32::from(n) <= plies,
            ThreatCheck::Loss(_) => return false,
            ThreatCheck::Open(replies) => replies,
        };
        if plies <= 3 {
            return false;
        }
        let key = (position.key(), wide);
        let (won, not, best) = self.known.get(&key).copied().unwrap_or((u32::MAX, 0, None));
        if plies >= won || plies <= not {
            return plies >= won;
        }
        let mut moves: Vec<Point> = match replies {
            Replies::Forced(_) | Replies::StopFive(_) | Replies::StopFour(_) => {
                replies.set().iter().flat_map(PointSet::iter).collect()
            }
            _ => {
                let near = position.tracker().near();
                let any = |p: &Point| wide > 0 || position.class(*p, us) >= PointClass::Three;
                near.iter().filter(any).collect()
            }
        };
        moves.sort_by_key(|&p| (Some(p) != best, std::cmp::Reverse(position.class(p, us))));
        let mut winner = None;
        for point in moves {
            if position.is_forbidden(point, us) {
                continue;
            }
            let threat = position.class(point, us) >= PointClass::Three;
            let less = if threat { wide } else { wide.saturating_sub(1) };
            position.play_unchecked(point);
            let wins = self.defend(position, plies - 1, less);
            position.undo();
            if wins {
                winner = Some(point);
                break;
            }
        }
        if self.left > 0 || winner.is_some() {
            let known = self.known.entry(key).or_insert((u32::MAX, 0, None));
            if winner.is_some() {
                *known = (known.0.min(plies), known.1, winner);
            } else {
                known.1 = known.1.max(plies);
            }
        }
        winner.is_some()
    }

    fn defend(&mut self, position: &mut Position, plies: u32, wide: u32) -> bool {
        let us = position.to_move();
        if plies < 2 || position.empty_cells() == 0 {
            return false;
        }
        let moves = match full_threat_check(position) {
            ThreatCheck::Win(_) => return false,
            ThreatCheck::Loss(n) => return u32::from(n) <= plies,
            // Moves left out of these lose within so many plies.
            ThreatCheck::Open(Replies::Forced(point)) => [point].into_iter().collect(),
            ThreatCheck::Open(Replies::StopFive(set)) => set,
            ThreatCheck::Open(Replies::StopFour(set)) if plies >= 4 => set,
            ThreatCheck::Open(Replies::StopFourThree(set)) if plies >= 6 => set,
            ThreatCheck::Open(_) => {
                // Without a threat there is nothing to prove.
                position.pass();
                let threatens = self.attack(position, plies - 1, 0);
                position.undo();
                if !threatens {
                    return false;
                }
                position.tracker().near()
            }
        };
        for point in moves.iter() {
            if position.is_forbidden(point, us) {
                continue;
            }
            position.play_unchecked(point);
            let wins = self.attack(position, plies - 1, wide);
            position.undo();
            if !wins {
                return false;
            }
        }
        true
    }
}
