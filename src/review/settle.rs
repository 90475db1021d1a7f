//! Assessments of neighbouring positions brought in line with each other.

use std::sync::Arc;

use super::assess::{AssessedGame, Assessment, Candidate, Proven, ReviewTask, mirrored};
use crate::types::{Color, Point};

/// Makes the assessments of a game agree: a position is worth at least what the move that was
/// played in it led to, and a proof holds as long as the moves force it.
///
/// A proof is stronger than any number: where all moves provably lose, a better opinion of one of
/// them does not count.
///
/// The move that was played is among the candidates, if it is not the best, with what it led to;
/// and no candidate is worth more than the best move.
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
            let line = line();
            let old = &mut before[i - 1];
            let other = old.as_candidate().filter(|candidate| candidate.point() != played);
            old.candidates.extend(other);
            (old.chances, old.proven, old.line) = (better.chances, better.proven, line);
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
            (after.chances, after.proven) = (proven.chances(!mover), Some(proven));
            after.line = line;
        }
    }
    carry_attacks(task, &mut settled);
    for i in 0..settled.positions.len() {
        settle_candidates(task, &mut settled, i);
    }
    settled
}

/// Lets attacks go on as far as their moves and any replies to them were played.
fn carry_attacks(task: &ReviewTask, settled: &mut AssessedGame) {
    let first = settled.first;
    for i in 2..settled.positions.len() {
        let [play, reply] = [i - 2, i - 1].map(|i| task.moves()[first + i]);
        let before = settled.positions[i - 2].attack.as_deref();
        let rest = before.filter(|attack| attack.play == play);
        let Some(rest) = rest.and_then(|attack| attack.after(reply)).cloned() else { continue };
        let here = &mut settled.positions[i];
        let to_move = Color::to_move_after(first + i);
        if here.attack.is_none()
            && let Some(proven) = here.proven.filter(|proven| proven.winner == to_move)
        {
            let plies = u16::try_from(rest.plies()).unwrap_or(u16::MAX);
            // What was found otherwise may be shorter.
            if here.best() != Some(rest.play) && plies <= proven.plies {
                here.proven = Some(Proven { plies, ..proven });
                here.line = rest.line(&task.position_after(first + i));
            }
            here.attack = Some(Arc::new(rest));
        }
    }
}

/// Brings the candidates of a position in line with its best move and the one that was played.
fn settle_candidates(task: &ReviewTask, settled: &mut AssessedGame, i: usize) {
    let played = settled.first + i;
    let mover = Color::to_move_after(played);
    let led_to = settled.positions.get(i + 1).map(|after| Candidate {
        line: [&[task.moves()[played]][..], &after.line].concat(),
        chances: mirrored(after.chances),
        proven: after.proven.map(Proven::one_ply_earlier),
    });
    let here = &mut settled.positions[i];
    let (best, most) = (here.best(), here.chances);
    let mut all = std::mem::take(&mut here.candidates);
    // Where all moves lose, none is worth looking at.
    if here.proven.is_some_and(|proven| proven.winner != mover) {
        return;
    }
    if let Some(led_to) = led_to {
        all.retain(|candidate| candidate.point() != led_to.point());
        all.push(led_to);
    }
    all.retain(|candidate| Some(candidate.point()) != best);
    for candidate in &mut all {
        if candidate.chances.points() > most.points() {
            candidate.chances = most;
        }
    }
    all.sort_by(|a, b| b.chances.points().total_cmp(&a.chances.points()));
    here.candidates = all;
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
    let proven = after.proven.map(Proven::one_ply_earlier);
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
    is_better
        .then(|| Assessment { proven: wins(proven), ..Assessment::of_chances(chances, Vec::new()) })
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
