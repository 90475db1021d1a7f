//! Assessments of neighbouring positions brought in line with each other.

use super::assess::{AssessedGame, Assessment, Proven, ReviewTask, mirrored};
use crate::types::{Color, Point};

/// Makes the assessments of a game agree: a position is worth at least what the move that was
/// played in it led to, and a proof holds as long as the moves force it.
///
/// A proof is stronger than any number: where all moves provably lose, a better opinion of one of
/// them does not count.
#[must_use]
pub fn settle(task: &ReviewTask, assessed: &AssessedGame) -> AssessedGame {
    let mut settled = assessed.clone();
    let positions = &mut settled.positions;
    for i in (1..positions.len()).rev() {
        let (before, after) = positions.split_at_mut(i);
        let mover = Color::to_move_after(settled.first + i - 1);
        let played = task.moves()[settled.first + i - 1];
        let line = || [&[played][..], &after[0].line].concat();
        if let Some(better) = better(&before[i - 1], &after[0], mover, played) {
            before[i - 1] = Assessment { line: line(), ..better };
        }
    }
    for i in 1..positions.len() {
        let mover = Color::to_move_after(settled.first + i - 1);
        let played = task.moves()[settled.first + i - 1];
        let (before, after) = positions.split_at_mut(i);
        let (before, after) = (&before[i - 1], &mut after[0]);
        if let Some(proven) = inherited(before, mover, played)
            && after.proven.is_none()
        {
            // What comes after the move of the proof; if that ends here, the own best line is as
            // good as any.
            let rest = before.line.split_first().filter(|(first, _)| **first == played);
            let rest = rest.map_or(&[][..], |(_, rest)| rest);
            let line = if rest.is_empty() { after.line.clone() } else { rest.to_vec() };
            *after = Assessment::of_proof(proven, !mover, line);
        }
    }
    settled
}

/// Returns what a position is worth by the move that was played in it, if that is more than what
/// was found there, or if it is what was found.
fn better(
    before: &Assessment,
    after: &Assessment,
    mover: Color,
    played: Point,
) -> Option<Assessment> {
    let chances = mirrored(after.chances);
    let proven = after.proven.map(|proven| Proven { plies: proven.plies + 1, ..proven });
    let wins = |proven: Option<Proven>| proven.filter(|proven| proven.winner == mover);
    let is_better = match (wins(before.proven), wins(proven)) {
        (Some(own), Some(other)) => other.plies <= own.plies,
        (Some(_), None) => false,
        (None, Some(_)) => true,
        // The same move seen from nearer by, or a move that turned out better than the best.
        (None, None) => {
            before.proven.is_none()
                && (before.best() == Some(played) || chances.points() > before.chances.points())
        }
    };
    is_better.then(|| Assessment { chances, proven: wins(proven), line: Vec::new() })
}

/// Returns what a proof says of the position after a move: nothing only if the winner has left it.
fn inherited(before: &Assessment, mover: Color, played: Point) -> Option<Proven> {
    let proven = before.proven?;
    let holds = proven.winner != mover || before.best() == Some(played);
    let plies = proven.plies.saturating_sub(1).max(1);
    holds.then_some(Proven { plies, ..proven })
}

#[cfg(test)]
mod tests;
