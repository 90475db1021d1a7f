//! A game that is walked through, fault by fault, once it was reviewed.

use super::CasualGame;
use crate::review::{GameReview, MoveReview};

/// A game with its review, shown before one of the moves to which there was a better one.
#[derive(Clone, PartialEq, Debug)]
pub struct Debrief {
    whole: CasualGame,
    review: GameReview,
    /// The indices of the moves that are shown, in the order of the game.
    told: Vec<usize>,
    /// The one that is shown.
    now: usize,
    /// The game before it.
    shown: CasualGame,
}

impl Debrief {
    /// Begins with the first of the moves; `None` if there was a better one to none.
    #[must_use]
    pub fn new(game: CasualGame, review: GameReview) -> Option<Debrief> {
        let moves = review.moves.iter().enumerate();
        let told: Vec<usize> = moves.filter(|(_, m)| m.has_better()).map(|(i, _)| i).collect();
        let mut debrief = Debrief { shown: game.clone(), whole: game, review, told, now: 0 };
        (!debrief.told.is_empty()).then(|| {
            debrief.show();
            debrief
        })
    }

    /// Returns the whole game.
    #[must_use]
    pub const fn whole(&self) -> &CasualGame {
        &self.whole
    }

    /// Returns the game before the move that is shown.
    #[must_use]
    pub const fn game(&self) -> &CasualGame {
        &self.shown
    }

    /// Returns the review.
    #[must_use]
    pub const fn review(&self) -> &GameReview {
        &self.review
    }

    /// Returns the move that is shown.
    #[must_use]
    pub fn current(&self) -> &MoveReview {
        &self.review.moves[self.told[self.now]]
    }

    /// Returns the number of the move among those that are shown, from 1, and how many there are.
    #[must_use]
    pub const fn place(&self) -> (usize, usize) {
        (self.now + 1, self.told.len())
    }

    /// Goes on to the next move, or back to the one before, if there is one.
    pub fn step(&mut self, forward: bool) {
        let next = if forward { self.now + 1 } else { self.now.wrapping_sub(1) };
        if next < self.told.len() {
            self.now = next;
            self.show();
        }
    }

    fn show(&mut self) {
        self.shown = self.whole.clone();
        let count = self.shown.moves().len().saturating_sub(self.current().ply - 1);
        // A move that was reviewed is none of the opening, which stays.
        let taken = self.shown.take_back(count);
        debug_assert!(taken.is_ok(), "{taken:?}");
    }
}
