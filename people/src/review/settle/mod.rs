//! Assessments of neighbouring positions brought in line with each other.

use std::sync::Arc;

use super::assess::{AssessedGame, Assessment, Candidate, Proven, ReviewTask, mirrored};
use tengen_core::types::{Color, Point};

/// Makes the assessments of a game agree: a position is worth at least what the move that was
/// played in it led to, and a proof holds as long as the moves force it.
///
/// A proof is stronger than any number: where all moves provably lose, a better opinion of one of
/// them does not count.
///
/// The move that was played is among the candidates, if it is not the best, with what it led to;
/// and no candidate is worth more than the best move.
pub(super) fn settle(task: &ReviewTask, assessed: &AssessedGame) -> AssessedGame {
    let mut game = assessed.clone();
    let first = game.first;
    let positions = &mut game.positions;
    for i in (1..positions.len()).rev() {
        let (before, after) = positions.split_at_mut(i);
        let mover = task.to_move_after(first + i - 1);
        let played = task.moves()[first + i - 1];
        raise(&mut before[i - 1], &after[0], mover, played);
    }
    for i in 1..game.positions.len() {
        carry_proof(task, &mut game, i);
        carry_attack(task, &mut game, i);
    }
    for i in 0..game.positions.len() {
        settle_candidates(task, &mut game, i);
    }
    game
}

/// Lets a proof of the position before `i` hold there, unless the winner has left it.
fn carry_proof(task: &ReviewTask, game: &mut AssessedGame, i: usize) {
    let number = game.first + i - 1;
    let (mover, played) = (task.to_move_after(number), task.moves()[number]);
    let (before, after) = game.positions.split_at_mut(i);
    let (before, after) = (&before[i - 1], &mut after[0]);
    let Some(proven) = before.proven.filter(|_| after.proven.is_none()) else { return };
    let is_followed = before.best() == Some(played) && before.line_chances.is_none();
    if proven.winner == mover && !is_followed {
        return;
    }
    // The continuation after the move of the proof.
    let rest = before.line.split_first().filter(|(first, _)| **first == played);
    let rest = rest.map_or(&[][..], |(_, rest)| rest);
    if !rest.is_empty() {
        after.line = rest.to_vec();
    } else if proven.winner != mover {
        // Where all moves lose one is as good as another, but not all of the winner's moves win.
        after.line_chances = Some(after.chances);
    }
    let plies = proven.plies.saturating_sub(1).max(1);
    (after.chances, after.proven) = (proven.chances(!mover), Some(Proven { plies, ..proven }));
}

/// Lets the attack of the position two moves before `i` go on there, if it was played.
fn carry_attack(task: &ReviewTask, game: &mut AssessedGame, i: usize) {
    let Some(start) = i.checked_sub(2) else { return };
    let [play, reply] = [start, start + 1].map(|i| task.moves()[game.first + i]);
    let before = game.positions[start].attack.as_deref();
    let rest = before.filter(|attack| attack.play == play);
    let Some(rest) = rest.and_then(|attack| attack.after(reply)).cloned() else { return };
    let to_move = task.to_move_after(game.first + i);
    let here = &mut game.positions[i];
    let Some(proven) = here.proven.filter(|proven| proven.winner == to_move) else { return };
    if here.attack.is_some() {
        return;
    }
    let plies = u16::try_from(rest.plies()).unwrap_or(u16::MAX);
    // A win found otherwise may be shorter, if its continuation is known.
    if plies <= proven.plies || here.line_chances.is_some() {
        if here.best() != Some(rest.play) {
            here.line = rest.line(&task.position_after(game.first + i));
        }
        here.proven = Some(Proven { plies, ..proven });
        here.line_chances = None;
    }
    here.attack = Some(Arc::new(rest));
}

/// Makes a position worth at least what the move that was played in it led to, and exactly that if
/// it is the best move.
pub(super) fn raise(before: &mut Assessment, after: &Assessment, mover: Color, played: Point) {
    if let Some(better) = better(before, after, mover, played) {
        let other = before.as_candidate().filter(|candidate| candidate.point() != played);
        before.candidates.extend(other);
        (before.chances, before.proven) = (better.chances, better.proven);
        before.line = [&[played][..], &after.line].concat();
    }
}

/// Brings the candidates of a position in line with its best move and the one that was played.
fn settle_candidates(task: &ReviewTask, settled: &mut AssessedGame, i: usize) {
    let played = settled.first + i;
    let mover = task.to_move_after(played);
    let after = settled.positions.get(i + 1);
    let led_to = after.map(|after| Candidate::leading_to(task.moves()[played], after));
    let here = &mut settled.positions[i];
    let (best, most) = (here.best(), here.line_chances.unwrap_or(here.chances));
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

#[cfg(test)]
mod tests;
