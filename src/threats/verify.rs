//! Checking a proof by the plain rules alone: no tables, no search, every legal reply.

use std::fmt;

use super::certificate::Attack;
use crate::rules::{Game, Outcome, Rule, winning_run};
use crate::types::{Color, Point};

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The number of positions met.
    pub positions: u64,
}

/// Why an attack is no proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The attacker's move is not on an empty cell of the board, or the game is over before it.
    NotAMove,
    /// The attacker's move is forbidden.
    Forbidden,
    /// The game is drawn.
    Drawn,
    /// The attacker's move should have won and has not.
    NoWin,
    /// The attack goes on after it has won.
    BeyondTheEnd,
    /// The defender has won.
    DefenderWins,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Fault::NotAMove => "the attacker's move can't be played",
            Fault::Forbidden => "the attacker's move is forbidden",
            Fault::Drawn => "the game is drawn",
            Fault::NoWin => "the last move does not win",
            Fault::BeyondTheEnd => "the attack goes on after the win",
            Fault::DefenderWins => "the defender wins",
        })
    }
}

/// Where an attack fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The moves from the start of the game up to and including the one that shows it.
    pub moves: Vec<Point>,
    /// What is wrong with it.
    pub why: Fault,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after", self.why)?;
        self.moves.iter().try_for_each(|point| write!(f, " {point}"))
    }
}

impl std::error::Error for Flaw {}

/// Checks that an attack wins for the side to move of a game, whatever is replied.
///
/// Every reply is tried, with one saving that the rules themselves justify: if the attack's next
/// move wins on the spot after every reply that is not listed, it is enough to see that it would
/// win now and that the defender can't win anywhere. A defender's stone elsewhere does not unmake
/// a row of five; in caro it can, and every reply is tried.
///
/// # Errors
///
/// Returns the first flaw found.
pub fn verify(game: &Game, attack: &Attack) -> Result<Checked, Flaw> {
    let mut checker = Checker { game: game.clone(), attacker: game.to_move(), positions: 0 };
    checker.attack(attack)?;
    Ok(Checked { positions: checker.positions })
}

struct Checker {
    game: Game,
    attacker: Color,
    positions: u64,
}

impl Checker {
    fn flaw(&self, why: Fault, last: Option<Point>) -> Flaw {
        let moves = self.game.moves().iter().copied().chain(last).collect();
        Flaw { moves, why }
    }

    /// Checks an attack with the attacker to move. The game is given back as it was, unless there
    /// is a flaw.
    fn attack(&mut self, attack: &Attack) -> Result<(), Flaw> {
        self.positions += 1;
        let Ok(outcome) = self.game.play(attack.play) else {
            return Err(self.flaw(Fault::NotAMove, Some(attack.play)));
        };
        match (outcome, &attack.otherwise) {
            (Outcome::Won(_), None) if attack.replies.is_empty() => {}
            (Outcome::Won(_), _) => return Err(self.flaw(Fault::BeyondTheEnd, None)),
            (Outcome::Forbidden(..), _) => return Err(self.flaw(Fault::Forbidden, None)),
            (Outcome::Draw, _) => return Err(self.flaw(Fault::Drawn, None)),
            (Outcome::Ongoing, None) => return Err(self.flaw(Fault::NoWin, None)),
            (Outcome::Ongoing, Some(otherwise)) => self.replies(attack, otherwise)?,
        }
        self.game.undo();
        Ok(())
    }

    /// Checks that the attack answers every reply.
    fn replies(&mut self, attack: &Attack, otherwise: &Attack) -> Result<(), Flaw> {
        let wins_anyway = self.wins_anyway(otherwise);
        let empties: Vec<Point> = self.game.board().empties().iter().collect();
        for reply in empties {
            let listed = attack.replies.iter().find(|(point, _)| *point == reply);
            if wins_anyway && listed.is_none() && reply != otherwise.play {
                continue;
            }
            self.positions += 1;
            match self.game.play(reply) {
                Ok(Outcome::Ongoing) => self.attack(listed.map_or(otherwise, |(_, next)| next))?,
                Ok(outcome) if outcome.winner() == Some(self.attacker) => {}
                Ok(Outcome::Draw) => return Err(self.flaw(Fault::Drawn, None)),
                Ok(_) | Err(_) => return Err(self.flaw(Fault::DefenderWins, None)),
            }
            self.game.undo();
        }
        Ok(())
    }

    /// Returns whether `next` wins at once after every reply on another cell.
    fn wins_anyway(&self, next: &Attack) -> bool {
        let (board, rule) = (self.game.board(), self.game.rule());
        let wins = |point, color| winning_run(board, point, color, rule).is_some();
        !matches!(rule, Rule::Caro | Rule::CaroExact)
            && next.otherwise.is_none()
            && next.replies.is_empty()
            && board.size().contains(next.play)
            && board.is_empty(next.play)
            && wins(next.play, self.attacker)
            && !board.empties().iter().any(|point| wins(point, !self.attacker))
    }
}
