//! A proven win that is played out against any defence.

use super::{CasualGame, EndOfGame, PlayFault};
use tengen_core::prover::Attack;
use tengen_core::rules::PlayError;
use tengen_core::types::{Color, Point};
use tengen_files::records::Move;

/// A win that is shown on a board of its own: somebody plays the defence, and every move is
/// answered by the proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownWin {
    game: CasualGame,
    attack: Attack,
    /// The replies that the defence has played.
    replies: Vec<Point>,
    attacker: Color,
}

impl ShownWin {
    /// Begins with the first move of an attack by the side to move; `None` if that move cannot be
    /// played, which is not so with a proof.
    #[must_use]
    pub fn new(mut game: CasualGame, attack: Attack) -> Option<ShownWin> {
        let attacker = game.to_move();
        game.play(Move::new(attack.play, attacker)).ok()?;
        Some(ShownWin { game, attack, replies: Vec::new(), attacker })
    }

    /// Returns the game with the moves of both sides.
    #[must_use]
    pub const fn game(&self) -> &CasualGame {
        &self.game
    }

    /// Returns the side that wins.
    #[must_use]
    pub const fn attacker(&self) -> Color {
        self.attacker
    }

    /// Returns the end of the game, once it has come.
    #[must_use]
    pub const fn end(&self) -> Option<&EndOfGame> {
        self.game.end()
    }

    /// Returns the replies of which the attack needs to know: any other gets the same answer.
    #[cfg(test)]
    pub(super) fn critical(&self) -> Vec<Point> {
        self.next().replies.iter().map(|(point, _)| *point).collect()
    }

    /// Returns the most plies that the win takes from here on; 0 if it is over.
    #[cfg(test)]
    pub(super) fn plies_left(&self) -> usize {
        // The attack's own move is on the board.
        if self.end().is_some() { 0 } else { self.next().plies() - 1 }
    }

    /// Returns the part of the attack whose move was played last.
    fn next(&self) -> &Attack {
        let mut attack = &self.attack;
        for &reply in &self.replies {
            // Only a move that has won is without a next one, and nobody replies to that.
            attack = attack.after(reply).unwrap_or(attack);
        }
        attack
    }

    /// Plays a defence and the answer to it, and returns the answer; `None` if the defence has
    /// ended the game, as a forbidden move does.
    ///
    /// # Errors
    ///
    /// Returns an error if the defence cannot be played; nothing has changed then.
    pub fn defend(&mut self, reply: Point) -> Result<Option<Point>, PlayFault> {
        let Some(next) = self.next().after(reply).map(|next| next.play) else {
            return Err(PlayFault::Move(PlayError::GameOver));
        };
        let mut game = self.game.clone();
        game.play(Move::new(reply, !self.attacker))?;
        let answer = if game.end().is_some() {
            None
        } else {
            game.play(Move::new(next, self.attacker))?;
            Some(next)
        };
        self.game = game;
        self.replies.push(reply);
        Ok(answer)
    }

    /// Takes back the last defence and the answer to it, so that another one can be tried.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing was defended yet.
    pub fn take_back(&mut self) -> Result<(), PlayFault> {
        if self.replies.pop().is_none() {
            return Err(PlayFault::TakeBack(0));
        }
        let count = if self.game.to_move() == self.attacker { 1 } else { 2 };
        self.game.take_back(count)
    }
}
