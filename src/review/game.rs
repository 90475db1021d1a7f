//! The review of one game.

use super::assess::{AssessedGame, Assessment, Proven, ReviewTask, mirrored};
use super::class::{INACCURACY_LOSS, MoveClass, MoveFacts, move_accuracy};
use super::settle::settle;
use crate::eval::WinDrawLoss;
use crate::explain::{Remark, Threat, missed, remarks};
use crate::position::Position;
use crate::threats::{ThreatCheck, full_threat_check};
use crate::types::{ByColor, Color, Point};

/// What a review says of a move. Chances are those of the player who made it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// The number of the move, counted from 1.
    pub ply: usize,
    /// The player.
    pub color: Color,
    /// The move.
    pub point: Point,
    /// The best line for both sides from before the move; it begins with the best move.
    pub line: Vec<Point>,
    /// The chances before it, with the best play from there.
    pub before: WinDrawLoss,
    /// The chances after it.
    pub after: WinDrawLoss,
    /// The proven win of either side before it.
    pub proven_before: Option<Proven>,
    /// The proven win of either side after it.
    pub proven_after: Option<Proven>,
    /// How good it was.
    pub class: MoveClass,
    /// What it makes, stops, leaves, misses and allows; of the last two something only if it is a
    /// fault.
    pub remarks: Vec<Remark>,
    /// What the best move would have made and stopped, if the move is a fault.
    pub better: Vec<Remark>,
}

impl MoveReview {
    /// Returns the expected points that the move lost, from 0 to 1.
    #[must_use]
    pub fn loss(&self) -> f64 {
        (self.before.points() - self.after.points()).max(0.0)
    }

    /// Returns the best move.
    ///
    /// # Panics
    ///
    /// Panics if the line is empty, which no review leaves it.
    #[must_use]
    pub fn best(&self) -> Point {
        self.line[0]
    }
}

/// The point from which on every position of a game is proven to be lost for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LostForGood {
    /// The side that loses.
    pub loser: Color,
    /// The number of moves after which it is lost: the move with this number lost it. 0 if it was
    /// lost from the first position that was assessed.
    pub after: usize,
}

/// The review of a game, or of its last moves if it was interrupted.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReview {
    /// The number of first moves that were not reviewed; 0 if all were.
    pub skipped: usize,
    /// The moves that were reviewed.
    pub moves: Vec<MoveReview>,
    /// Black's expected points in every position, from before the first of the moves to after the
    /// last; from 0 to 1. Empty if nothing was reviewed.
    pub black: Vec<f64>,
    /// The mean [`move_accuracy`] of the moves of each side that were a choice, from 0 to 1;
    /// `None` if there was none.
    pub accuracy: ByColor<Option<f64>>,
    /// The index of the move with the largest loss, if that is one of [`INACCURACY_LOSS`] or more
    /// and not a move of the opening: the first of several.
    pub turning_point: Option<usize>,
    /// Where the game was lost, if the last position is proven.
    pub lost: Option<LostForGood>,
    /// What is known of every position, from before the first of the moves to after the last.
    pub positions: Vec<Assessment>,
}

impl GameReview {
    /// Reviews a game whose positions were assessed.
    #[must_use]
    pub fn new(task: &ReviewTask, assessed: &AssessedGame) -> GameReview {
        let settled = settle(task, assessed);
        let mut position = task.position_after(settled.first.min(task.moves().len()));
        let mut moves: Vec<MoveReview> = Vec::new();
        for i in 1..settled.positions.len() {
            let review = review_move(task, &settled, i, &mut position);
            position.play_unchecked(review.point);
            moves.push(review);
        }
        let black = (settled.first..).zip(&settled.positions).map(|(played, assessment)| {
            let points = assessment.chances.points();
            match Color::to_move_after(played) {
                Color::Black => points,
                Color::White => 1.0 - points,
            }
        });
        GameReview {
            skipped: settled.first.min(task.moves().len()),
            black: black.collect(),
            accuracy: ByColor::from_fn(|color| accuracy(&moves, color)),
            turning_point: turning_point(&moves),
            lost: lost_for_good(&settled),
            moves,
            positions: settled.positions,
        }
    }

    /// Returns the number of moves of a side that are of a class.
    #[must_use]
    pub fn count(&self, color: Color, class: MoveClass) -> usize {
        self.moves.iter().filter(|m| m.color == color && m.class == class).count()
    }
}

/// Reviews the move between the positions `i - 1` and `i` that were assessed.
fn review_move(
    task: &ReviewTask,
    settled: &AssessedGame,
    i: usize,
    position: &mut Position,
) -> MoveReview {
    let played = settled.first + i - 1;
    let (color, point) = (Color::to_move_after(played), task.moves()[played]);
    let (before, after) = (&settled.positions[i - 1], &settled.positions[i]);
    let wins = |proven: Option<Proven>, side| proven.is_some_and(|proven| proven.winner == side);
    let mut review = MoveReview {
        ply: played + 1,
        color,
        point,
        line: before.line.clone(),
        before: before.chances,
        after: mirrored(after.chances),
        proven_before: before.proven,
        proven_after: after.proven,
        class: MoveClass::Best,
        remarks: remarks(position, point),
        better: Vec::new(),
    };
    review.class = MoveClass::of(MoveFacts {
        is_book: played < task.book(),
        is_forced: only_move(position) == Some(point),
        is_best: before.best() == Some(point),
        loss: review.loss(),
        was_won: wins(before.proven, color),
        is_won: wins(after.proven, color),
        was_lost: wins(before.proven, !color),
        is_lost: wins(after.proven, !color),
    });
    if review.class.is_fault() {
        add_faults(&mut review, position);
    }
    review
}

/// Adds what a move that is a fault misses and allows.
fn add_faults(review: &mut MoveReview, position: &mut Position) {
    let own = review.proven_before.filter(|proven| proven.winner == review.color);
    let lost = review.proven_after.is_some_and(|proven| proven.winner != review.color);
    let kept = review.proven_after.is_some() && !lost;
    let best = review.best();
    review.better = remarks(position, best);
    review.better.retain(|remark| !remark.is_fault());
    let missed = missed(position, review.point, best);
    let win = own.filter(|_| !kept).map(|proven| Remark::MissesWin(proven.ahead(), best));
    review.remarks.extend(missed.or(win));
    // Where a stone that can't be answered was named, or the end itself, the win has been.
    let says_it_all = |remark: &Remark| match remark {
        Remark::Leaves(threat, _) => *threat >= Threat::DoubleFour,
        Remark::Forbidden(_) => true,
        _ => false,
    };
    if let Some(proven) = review.proven_after.filter(|_| lost)
        && proven.plies > 0
        && !review.remarks.iter().any(says_it_all)
    {
        review.remarks.push(Remark::Allows(proven.winner, proven.ahead()));
    }
}

/// Returns the only move that does not lose at once, or that there is.
fn only_move(position: &mut Position) -> Option<Point> {
    let set = match full_threat_check(position) {
        ThreatCheck::Open(replies) => replies.set(),
        ThreatCheck::Win(_) | ThreatCheck::Loss(_) => return None,
    };
    let cells = set.unwrap_or(*position.tracker().empties());
    let mut legal = cells.iter().filter(|&cell| position.is_legal(cell));
    match (legal.next(), legal.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Returns the mean accuracy of a side.
fn accuracy(moves: &[MoveReview], color: Color) -> Option<f64> {
    let own = moves.iter().filter(|m| m.color == color && m.class.is_choice());
    let (mut sum, mut count) = (0.0, 0u32);
    for m in own {
        sum += move_accuracy(m.loss());
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}

/// Returns the index of the move that lost most.
fn turning_point(moves: &[MoveReview]) -> Option<usize> {
    let mut worst: Option<(usize, f64)> = None;
    for (i, m) in moves.iter().enumerate().filter(|(_, m)| m.class != MoveClass::Book) {
        if m.loss() >= INACCURACY_LOSS && worst.is_none_or(|(_, loss)| m.loss() > loss) {
            worst = Some((i, m.loss()));
        }
    }
    worst.map(|(i, _)| i)
}

/// Returns where the proofs that the last position is lost begin.
fn lost_for_good(settled: &AssessedGame) -> Option<LostForGood> {
    let winner = settled.positions.last()?.proven?.winner;
    let is_won = |proven: Option<Proven>| proven.is_some_and(|proven| proven.winner == winner);
    let proven = settled.positions.iter().rev().take_while(|p| is_won(p.proven)).count();
    let after = settled.first + settled.positions.len() - proven;
    Some(LostForGood { loser: !winner, after })
}

#[cfg(test)]
mod tests;
