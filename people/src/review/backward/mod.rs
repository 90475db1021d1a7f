//! The walk through a game, from its last position to the first.

use super::assess::{AssessedGame, Assessment, Assessor, Candidate, Proven, ReviewTask, mirrored};
use super::class::INACCURACY_LOSS;
use super::settle::raise;
use tengen_core::position::Position;
use tengen_core::types::{Color, Point};
use tengen_files::work::Stop;

/// The most moves of a position that are compared with the one that was played.
const MOST_COMPARED: usize = 6;

/// Assesses the positions of a game, the last one first, until all are done or `stop` is
/// set. `done` hears of every position, and what is known of it so far.
///
/// Where another move than the one that was played seems better by [`INACCURACY_LOSS`] or more, the
/// position after that one is assessed as well, as the one after the played move was: what a search
/// promises of a move before it is made is more than what comes of it, since of many moves the one
/// is chosen that is overrated most.
pub fn assess_game(
    task: &ReviewTask,
    assessor: &mut dyn Assessor,
    stop: &Stop,
    done: &mut dyn FnMut(&Assessment),
) -> AssessedGame {
    assessor.begin(task.rule());
    let count = task.moves().len();
    let mut positions: Vec<Assessment> = Vec::new();
    let mut position = task.position_after(count);
    for played in (0..=count).rev() {
        // Only the last move can have ended the game.
        let over = (played == count).then(|| Assessment::of_ending(&task.game_after(count)));
        let found = match over.flatten() {
            Some(over) => Some(over),
            None if stop.is_set() => None,
            None => assessor.assess(&mut position, stop),
        };
        let compared = match (found, positions.last(), task.moves().get(played)) {
            (Some(found), Some(after), Some(&point)) => {
                let played = PlayedMove { point, after, is_judged: played >= task.book() };
                played.compare(found, assessor, &mut position, stop)
            }
            (found, ..) => found,
        };
        let Some(assessment) = compared else { break };
        done(&assessment);
        positions.push(assessment);
        if played > 0 {
            position.undo();
        }
    }
    positions.reverse();
    AssessedGame { first: count + 1 - positions.len(), positions }
}

/// The move that was played in a position.
#[derive(Clone, Copy)]
struct PlayedMove<'a> {
    point: Point,
    /// Knowledge about the position after it.
    after: &'a Assessment,
    /// True if it is the player's own.
    is_judged: bool,
}

impl PlayedMove<'_> {
    /// Returns what is known of the position before the move by comparing the move with others;
    /// `None` if that was interrupted.
    fn compare(
        self,
        mut before: Assessment,
        assessor: &mut dyn Assessor,
        position: &mut Position,
        stop: &Stop,
    ) -> Option<Assessment> {
        if self.is_disappointing(&before) {
            let other = assessor.assess_without(position, self.point, stop)?;
            let candidates = before.candidates;
            before = self.of_others(other, position.to_move());
            before.candidates = candidates;
        }
        raise(&mut before, self.after, position.to_move(), self.point);
        let mut compared: Vec<Candidate> = Vec::new();
        while compared.len() < MOST_COMPARED
            && let Some(seeming) = self.seems_better(&before, &compared)
            && position.empty_cells() > 1
        {
            position.play_unchecked(seeming);
            let next = assessor.assess(position, stop);
            position.undo();
            compared.push(Candidate::leading_to(seeming, &next?));
            self.choose(&mut before, &compared, position.to_move());
        }
        Some(before)
    }

    /// Returns the best move if that is another one that seems so much better that the move that was
    /// played would be a fault, and neither proven nor compared yet.
    fn seems_better(self, before: &Assessment, compared: &[Candidate]) -> Option<Point> {
        let best = before.best()?;
        let is_known = best == self.point || compared.iter().any(|c| c.point() == best);
        let loss = before.chances.points() - mirrored(self.after.chances).points();
        let is_asked = self.is_judged && before.proven.is_none() && loss >= INACCURACY_LOSS;
        (is_asked && !is_known).then_some(best)
    }

    /// Chooses the best move from those that were compared, the one that was played, and those that
    /// still seem to be better by so much that it would be a fault.
    fn choose(self, before: &mut Assessment, compared: &[Candidate], mover: Color) {
        let led_to = Candidate::leading_to(self.point, self.after);
        let is_known = |c: &Candidate| {
            c.point() == self.point || compared.iter().any(|other| other.point() == c.point())
        };
        let old = before.as_candidate();
        let mut others = std::mem::take(&mut before.candidates);
        others.extend(old);
        others.retain(|candidate| !is_known(candidate));
        others.extend_from_slice(compared);
        let least = led_to.chances.points() + INACCURACY_LOSS;
        let mut best: Option<usize> = None;
        for (i, other) in others.iter().enumerate() {
            let most = best.map_or(led_to.chances.points(), |i| others[i].chances.points());
            let points = other.chances.points();
            if points > most && (is_known(other) || points >= least) {
                best = Some(i);
            }
        }
        let best = best.map_or(led_to, |i| others.remove(i));
        // That the move loses does not say that all do.
        let wins = best.proven.filter(|proven| proven.winner == mover);
        (before.chances, before.proven, before.line) = (best.chances, wins, best.line);
        before.candidates = others;
    }

    /// Returns whether the move is the one that was thought to be best, but led to much less than it
    /// seemed to promise. What the other moves are worth is not known then.
    fn is_disappointing(self, before: &Assessment) -> bool {
        let after = self.after;
        let loss = before.chances.points() - mirrored(after.chances).points();
        let is_lost = after.chances.win == 1.0 && after.proven.is_some();
        before.proven.is_none()
            && before.best() == Some(self.point)
            && (loss >= INACCURACY_LOSS || is_lost)
    }

    /// Returns what the position before the move is worth, from what it is worth without the move,
    /// and what comes after the move.
    fn of_others(self, other: Assessment, to_move: Color) -> Assessment {
        let PlayedMove { point, after, .. } = self;
        let lost = |proven: Option<Proven>| proven.filter(|proven| proven.winner != to_move);
        let line = [&[point][..], &after.line].concat();
        match (lost(other.proven), lost(after.proven)) {
            (None, _) => other,
            (Some(_), None) => Assessment::of_chances(mirrored(after.chances), line),
            // All moves lose.
            (Some(others), Some(one)) => {
                let plies = others.plies.max(one.plies + 1);
                let line = if others.plies > one.plies { other.line } else { line };
                Assessment::of_proof(Proven { plies, ..others }, to_move, line)
            }
        }
    }
}

#[cfg(test)]
mod tests;
