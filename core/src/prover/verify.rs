//! Checking a proof by the plain rules alone: no tables, no search, every legal reply.

use std::fmt;

use thiserror::Error;

use super::certificate::Attack;
use crate::board::Board;
use crate::rules::{Game, Outcome, Rule, Run, winning_run};
use crate::sys::stop::Stop;
use crate::types::{Color, Dir, Point, Size};

/// The number of positions between two questions whether to stop.
const POLL: u64 = 256;

/// A check that found nothing wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The number of positions met.
    pub positions: u64,
}

/// The reason why an attack is no proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum FlawKind {
    /// The attacker's move is not on an empty cell of the board, or the game is over before it.
    #[error("the attacker's move can't be played")]
    NotAMove,
    /// The attacker's move is forbidden.
    #[error("the attacker's move is forbidden")]
    Forbidden,
    /// The game is drawn.
    #[error("the game is drawn")]
    Drawn,
    /// The attacker's move should have won and has not.
    #[error("the last move does not win")]
    NoWin,
    /// The attack goes on after it has won.
    #[error("the attack continues after the win")]
    BeyondTheEnd,
    /// The defender has won.
    #[error("the defender wins")]
    DefenderWins,
}

/// The first gap in a proof.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{why} after{}", Spaced(moves))]
pub struct Flaw {
    /// The moves from the start of the game up to and including the one that shows it.
    pub moves: Vec<Point>,
    /// The fault of the last of them.
    pub why: FlawKind,
}

/// Points with a blank before each.
struct Spaced<'a>(&'a [Point]);

impl fmt::Display for Spaced<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|point| write!(f, " {point}"))
    }
}

/// The end of a check without a proof.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckError {
    /// The attack is no proof.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// The check would take more positions than it was allowed.
    #[error("not decided: the check takes more than {0} positions")]
    TooMany(u64),
    /// The check was stopped.
    #[error("not decided: the check was stopped")]
    Stopped,
}

/// The limits of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckLimits<'a> {
    /// The most positions to look at.
    pub positions: u64,
    /// Stops the check; looked at every few hundred positions.
    pub stop: Option<&'a Stop>,
}

impl CheckLimits<'_> {
    /// No limit at all.
    pub const NONE: CheckLimits<'static> = CheckLimits { positions: u64::MAX, stop: None };
}

/// The positions that any check may take.
const POSITIONS_FOR_ALL: u64 = 1_000_000;
/// The positions that a check may take for each node of the proof and cell of the board.
const POSITIONS_PER_NODE_AND_CELL: u64 = 16;

/// Returns the number of positions that is enough to check any honest proof of this size.
///
/// The node after a move that any reply may follow is looked at once for each cell, and after two
/// such moves once for each pair of cells. A file can be made in which they all follow one another;
/// its check would never end. In the prover's own proofs that is rare: on average they take 50
/// positions a node on boards of 15 by 15 cells, and none of several hundred took more than 140.
#[must_use]
pub fn usual_most_positions(attack: &Attack, size: Size) -> u64 {
    let cells = attack.size() as u64 * size.area() as u64;
    cells.saturating_mul(POSITIONS_PER_NODE_AND_CELL).saturating_add(POSITIONS_FOR_ALL)
}

/// Checks that an attack wins for the side to move of a game, whatever is replied.
///
/// Every reply is tried, with one saving that the rules themselves justify: if the attack's next
/// move wins on the spot after every reply that is not listed, it is enough to see that it would
/// win now and that the defender can't win anywhere. A defender's stone elsewhere does not unmake
/// a row of five; in caro one right behind either end can, and both cells are tried as well.
///
/// # Errors
///
/// Returns the first flaw found.
pub fn verify(game: &Game, attack: &Attack) -> Result<Checked, Flaw> {
    match verify_within(game, attack, &CheckLimits::NONE) {
        Ok(checked) => Ok(checked),
        Err(CheckError::Flaw(flaw)) => Err(flaw),
        Err(CheckError::TooMany(_) | CheckError::Stopped) => {
            unreachable!("a check without limits ends by itself")
        }
    }
}

/// Checks an attack as [`verify`] does, within limits.
///
/// # Errors
///
/// Returns the first flaw found, or which limit ended the check.
pub fn verify_within(
    game: &Game,
    attack: &Attack,
    limits: &CheckLimits<'_>,
) -> Result<Checked, CheckError> {
    let attacker = game.to_move();
    let mut checker = Checker { game: game.clone(), attacker, positions: 0, limits };
    checker.attack(attack)?;
    Ok(Checked { positions: checker.positions })
}

struct Checker<'a> {
    game: Game,
    attacker: Color,
    positions: u64,
    limits: &'a CheckLimits<'a>,
}

impl Checker<'_> {
    fn flaw(&self, why: FlawKind, last: Option<Point>) -> CheckError {
        let moves = self.game.moves().iter().copied().chain(last).collect();
        CheckError::Flaw(Flaw { moves, why })
    }

    /// Counts a position.
    fn count(&mut self) -> Result<(), CheckError> {
        if self.positions >= self.limits.positions {
            return Err(CheckError::TooMany(self.limits.positions));
        }
        self.positions += 1;
        let is_stopped = || self.limits.stop.is_some_and(Stop::is_set);
        if self.positions % POLL == 1 && is_stopped() { Err(CheckError::Stopped) } else { Ok(()) }
    }

    /// Checks an attack with the attacker to move. The game is given back as it was, unless there
    /// is a flaw.
    fn attack(&mut self, attack: &Attack) -> Result<(), CheckError> {
        self.count()?;
        let Ok(outcome) = self.game.play(attack.play) else {
            return Err(self.flaw(FlawKind::NotAMove, Some(attack.play)));
        };
        match (outcome, &attack.otherwise) {
            (Outcome::Won(_), None) if attack.replies.is_empty() => {}
            (Outcome::Won(_), _) => return Err(self.flaw(FlawKind::BeyondTheEnd, None)),
            (Outcome::Forbidden(..), _) => return Err(self.flaw(FlawKind::Forbidden, None)),
            (Outcome::Draw, _) => return Err(self.flaw(FlawKind::Drawn, None)),
            (Outcome::Ongoing, None) => return Err(self.flaw(FlawKind::NoWin, None)),
            (Outcome::Ongoing, Some(otherwise)) => self.replies(attack, otherwise)?,
        }
        self.game.undo();
        Ok(())
    }

    /// Checks that the attack answers every reply.
    fn replies(&mut self, attack: &Attack, otherwise: &Attack) -> Result<(), CheckError> {
        for reply in self.replies_to_try(attack, otherwise) {
            let listed = attack.replies.iter().find(|(point, _)| *point == reply);
            self.count()?;
            match self.game.play(reply) {
                Ok(Outcome::Ongoing) => self.attack(listed.map_or(otherwise, |(_, next)| next))?,
                Ok(outcome) if outcome.winner() == Some(self.attacker) => {}
                Ok(Outcome::Draw) => return Err(self.flaw(FlawKind::Drawn, None)),
                Ok(_) | Err(_) => return Err(self.flaw(FlawKind::DefenderWins, None)),
            }
            self.game.undo();
        }
        Ok(())
    }

    /// Returns the legal replies, without those that need not be played.
    fn replies_to_try(&self, attack: &Attack, otherwise: &Attack) -> Vec<Point> {
        let board = self.game.board();
        let Some(row) = self.row_anyway(otherwise) else {
            return board.empties().iter().collect();
        };
        // In caro a stone there may enclose the row.
        let is_caro = matches!(self.game.rule(), Rule::Caro | Rule::CaroExact);
        let behind = [-1, i32::from(row.len)].map(|steps| row.first.offset(row.dir, steps));
        let behind = behind.into_iter().flatten().filter(|_| is_caro);
        let listed = attack.replies.iter().map(|(point, _)| *point);
        let mut points: Vec<Point> = listed
            .chain([otherwise.play])
            .chain(behind)
            .filter(|&point| board.size().contains(point) && board.is_empty(point))
            .collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Returns the row with which `next` wins at once after every reply that is neither on its cell
    /// nor right behind the row.
    fn row_anyway(&self, next: &Attack) -> Option<Run> {
        let (board, rule) = (self.game.board(), self.game.rule());
        let is_last = next.otherwise.is_none() && next.replies.is_empty();
        if !is_last || !board.size().contains(next.play) || !board.is_empty(next.play) {
            return None;
        }
        let row = winning_run(board, next.play, self.attacker, rule)?;
        let wins = |point| winning_run(board, point, !self.attacker, rule).is_some();
        let is_safe = !lacks_one_stone(board, !self.attacker) || !board.empties().iter().any(wins);
        is_safe.then_some(row)
    }
}

/// Returns whether anywhere five cells in a row hold four stones of a colour and an empty cell.
/// Without that, no stone makes five or more.
fn lacks_one_stone(board: &Board, color: Color) -> bool {
    // The cells of a line are two bits each: 01 white, 10 black, 11 empty.
    const CELLS: u64 = 0x5555_5555_5555_5555;
    let any = |first: Option<Point>, dir| {
        let Some(first) = first else { return false };
        let (line, _) = board.line(first, dir);
        let (low, high) = (line & CELLS, line >> 1 & CELLS);
        let empty = low & high;
        let own = if color == Color::White { low & !high } else { high & !low };
        (0..5).any(|gap| {
            (0..5).fold(CELLS, |all, i| all & (if i == gap { empty } else { own } >> (2 * i))) != 0
        })
    };
    let size = board.size();
    let (width, height) = (i64::from(size.width()), i64::from(size.height()));
    let from_top = (0..width).any(|x| {
        let point = size.point(x, 0);
        any(point, Dir::Vertical) || any(point, Dir::Diagonal) || any(point, Dir::Antidiagonal)
    });
    from_top
        || (0..height).any(|y| {
            let (left, right) = (size.point(0, y), size.point(width - 1, y));
            let ends = [(left, Dir::Horizontal), (left, Dir::Diagonal), (right, Dir::Antidiagonal)];
            ends.into_iter().any(|(point, dir)| any(point, dir))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    #[test]
    fn a_row_that_lacks_one_stone_is_seen_wherever_a_stone_would_make_five() {
        let mut random = SplitMix64::new(3);
        let mut seen = [0; 2];
        for _ in 0..4_000 {
            let edge = |random: &mut SplitMix64| 5 + random.below(18) as i64;
            let size = Size::new(edge(&mut random), edge(&mut random)).unwrap();
            let mut board = Board::new(size);
            let stones = size.area() * (10 + random.below(50)) / 100;
            for point in size.points() {
                if random.below(size.area()) < stones {
                    match random.below(20) {
                        0 => board.place_wall(point),
                        n => board.place(point, Color::ALL[usize::from(n % 3 == 0)]),
                    }
                }
            }
            for color in Color::ALL {
                let five = |p| winning_run(&board, p, color, Rule::Freestyle).is_some();
                let expected = board.empties().iter().any(five);
                assert_eq!(lacks_one_stone(&board, color), expected, "{color}{board:?}");
                seen[usize::from(expected)] += 1;
            }
        }
        assert!(seen.iter().all(|&n| n > 400), "{seen:?}");
    }
}
