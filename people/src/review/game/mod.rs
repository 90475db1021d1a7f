//! The review of one game.

use super::accuracy::game_accuracy;
use super::assess::{AssessedGame, Assessment, Proven, ReviewTask, mirrored};
use super::class::{INACCURACY_LOSS, MoveClass, MoveFacts};
use super::settle::settle;
use crate::explain::{Effect, Remark, Threat, effects_of, missed, remarks, threats};
use tengen_core::eval::WinDrawLoss;
use tengen_core::position::Position;
use tengen_core::threats::{ThreatCheck, full_threat_check};
use tengen_core::types::{ByColor, Color, Point};

/// The review of a move. Chances are those of the player who made it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// The number of the move in its record, counted from 1.
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
    /// The expected points that it lost, from 0 to 1: the difference of those before and after it,
    /// or less where a proven win was there whose next move is not known.
    pub loss: f64,
    /// The proven win of either side before it.
    pub proven_before: Option<Proven>,
    /// The proven win of either side after it.
    pub proven_after: Option<Proven>,
    /// Its quality.
    pub class: MoveClass,
    /// If it is a fault, what is wrong with it, at least one remark; and then what it makes and
    /// stops. Of other moves what they make, stop and leave, and the shorter win that was there.
    pub remarks: Vec<Remark>,
    /// The effects of the best move, if the move is a fault.
    pub better: Vec<Remark>,
}

impl MoveReview {
    /// Returns the best move.
    ///
    /// # Panics
    ///
    /// Panics if the line is empty, which no review leaves it.
    #[must_use]
    pub fn best(&self) -> Point {
        self.line[0]
    }

    /// Returns whether the best move is worth telling: the move is a fault, or wins where a shorter
    /// win was there.
    #[must_use]
    pub fn has_better(&self) -> bool {
        let is_told = |remark: &Remark| matches!(remark, Remark::HadWin(..));
        self.class.is_fault() || self.remarks.iter().any(is_told)
    }
}

/// The point from which on every position of a game is proven to be lost for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LostForGood {
    /// The side that loses.
    pub loser: Color,
    /// The number of moves of the task after which it is lost: the last of them lost it. 0 if it was
    /// lost from the first position that was assessed.
    pub after: usize,
}

/// The review of a game, or of its last moves if it was interrupted.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReview {
    /// The number of first moves of the task that were not reviewed; 0 if all were.
    pub skipped: usize,
    /// The moves that were reviewed.
    pub moves: Vec<MoveReview>,
    /// Black's expected points in every position, from before the first of the moves to after the
    /// last; from 0 to 1. Empty if nothing was reviewed.
    pub black: Vec<f64>,
    /// The accuracy of each side over its moves that were a choice, from 0 to 1; `None` if there was
    /// none.
    ///
    /// It is made of the [`move_accuracy`](super::move_accuracy) of the moves, as the mean of two
    /// means: one in which moves count by how much the chances moved about them, and the harmonic one.
    pub accuracy: ByColor<Option<f64>>,
    /// The index of the fault with the largest loss, if that is [`INACCURACY_LOSS`] or more: the first
    /// of several.
    pub turning_point: Option<usize>,
    /// Where the game was lost, if the last position is proven.
    pub lost: Option<LostForGood>,
    /// Knowledge about every position, from before the first of the moves to after the last.
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
            match task.to_move_after(played) {
                Color::Black => points,
                Color::White => 1.0 - points,
            }
        });
        let black: Vec<f64> = black.collect();
        GameReview {
            skipped: settled.first.min(task.moves().len()),
            accuracy: game_accuracy(&moves, &black),
            black,
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

    /// Returns the accuracy of a side in words, such as `81.2 %`, or why it has none: `no moves`, or
    /// `no choice` if it moved but never chose.
    #[must_use]
    pub fn accuracy_words(&self, color: Color) -> String {
        match self.accuracy[color] {
            Some(share) => format!("{:.1} %", 100.0 * share),
            None if self.moves.iter().any(|m| m.color == color) => "no choice".to_owned(),
            None => "no moves".to_owned(),
        }
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
    let (color, point) = (task.to_move_after(played), task.moves()[played]);
    let (before, after) = (&settled.positions[i - 1], &settled.positions[i]);
    let won_in = |proven: Option<Proven>, side| {
        proven.filter(|proven| proven.winner == side).map(|proven| proven.plies)
    };
    // A move is compared with the best one that is known, so a win that nobody knows how to play is
    // none to lose.
    let knows_win = before.line_chances.is_none();
    let most = before.line_chances.unwrap_or(before.chances);
    let facts = MoveFacts {
        is_book: played < task.book(),
        is_forced: only_move(position) == Some(point),
        is_best: before.best() == Some(point),
        before: most.points(),
        after: mirrored(after.chances).points(),
        was_won_in: won_in(before.proven, color).filter(|_| knows_win),
        is_won_in: won_in(after.proven, color).map(|plies| plies + 1),
        was_lost: won_in(before.proven, !color).is_some(),
        is_lost: won_in(after.proven, !color).is_some(),
    };
    let mut review = MoveReview {
        ply: task.earlier() + played + 1,
        color,
        point,
        line: before.line.clone(),
        before: before.chances,
        after: mirrored(after.chances),
        loss: facts.loss(),
        proven_before: before.proven,
        proven_after: after.proven,
        class: MoveClass::of(facts),
        remarks: remarks(position, point),
        better: Vec::new(),
    };
    if review.class.is_fault() {
        add_faults(&mut review, knows_win, &after.line, position);
    } else if let Some(proven) = before.proven.filter(|proven| proven.winner == color)
        && (review.class == MoveClass::Good || !knows_win && facts.is_won_in.is_none())
        && review.class.is_choice()
    {
        review.class = MoveClass::Good;
        let start = knows_win.then(|| review.best());
        review.remarks.insert(0, Remark::HadWin(proven.ahead(), start));
    }
    review
}

/// Says what is wrong with a move that is a fault, before what was said of it, and what the best move
/// would have done. `knows_win` says whether a proven win that was there begins with the best move;
/// `refutation` is the best line after the move.
fn add_faults(
    review: &mut MoveReview,
    knows_win: bool,
    refutation: &[Point],
    position: &mut Position,
) {
    let best = review.best();
    let of_best = remarks(position, best);
    // A threat that the best move leaves as well is not the fault.
    let said = std::mem::take(&mut review.remarks).into_iter();
    let (mut wrong, other): (Vec<Remark>, Vec<Remark>) =
        said.filter(|said| !said.is_fault() || !of_best.contains(said)).partition(|r| r.is_fault());
    let own = review.proven_before.filter(|proven| proven.winner == review.color);
    let win = own.map(|proven| match knows_win {
        true => Remark::MissesWin(proven.ahead(), best),
        false => Remark::HadWin(proven.ahead(), None),
    });
    wrong.extend(missed(position, review.point, best).or(win));
    review.better = of_best.into_iter().filter(|remark| !remark.is_fault()).collect();
    review.better.extend(match effects_of(position, &review.line).first() {
        Some(&Effect::HeadsFor(threat, cell)) => Some(Remark::HeadsFor(threat, cell)),
        Some(&Effect::Prepares(threat, cell)) => Some(Remark::Prepares(threat, cell)),
        // Said already.
        Some(Effect::Makes(_) | Effect::Stops(..)) | None => None,
    });
    wrong.extend(if wrong.is_empty() || is_lost(review) {
        consequence(review, &wrong, refutation, position)
    } else {
        None
    });
    if wrong.is_empty() {
        // The game is over, or nobody knows how it goes on.
        wrong.push(Remark::Cedes(!review.color, best));
    }
    wrong.extend(other);
    review.remarks = wrong;
}

/// Returns whether the opponent has a proven win after a move.
fn is_lost(review: &MoveReview) -> bool {
    review.proven_after.is_some_and(|proven| proven.winner != review.color)
}

/// Returns what comes of a fault: the proven win of the opponent, unless what is said to be wrong with
/// the move says that; or what the best line after it leads to. The position is the one before the move.
fn consequence(
    review: &MoveReview,
    wrong: &[Remark],
    refutation: &[Point],
    position: &mut Position,
) -> Option<Remark> {
    let (us, &reply) = (review.color, refutation.first()?);
    if let Some(proven) = review.proven_after.filter(|_| is_lost(review)) {
        // Where a stone that can't be answered was named, the win has been.
        let says_it_all = |remark: &Remark| matches!(remark, Remark::Leaves(threat, _) if *threat >= Threat::DoubleFour);
        let allows = Remark::Allows(proven.winner, proven.ahead(), reply);
        return (!wrong.iter().any(says_it_all)).then_some(allows);
    }
    let made = Threat::of(position, review.point, us);
    let was_there = threats(position, us);
    position.play_unchecked(review.point);
    let effect = effects_of(position, refutation).into_iter().next();
    position.undo();
    let is_new =
        |kind, cell| !was_there.iter().any(|(other, threat)| *other == cell && *threat >= kind);
    Some(match (effect, made) {
        (Some(Effect::Stops(kind, cell)), Some(made)) if is_new(kind, cell) => {
            Remark::Wastes(made, reply)
        }
        (None, _) if reply == review.best() => Remark::Cedes(!us, reply),
        (effect, _) => Remark::Lets(!us, reply, effect),
    })
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

/// Returns the index of the fault that lost most.
fn turning_point(moves: &[MoveReview]) -> Option<usize> {
    let mut worst: Option<(usize, f64)> = None;
    for (i, m) in moves.iter().enumerate().filter(|(_, m)| m.class.is_fault()) {
        if m.loss >= INACCURACY_LOSS && worst.is_none_or(|(_, loss)| m.loss > loss) {
            worst = Some((i, m.loss));
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
