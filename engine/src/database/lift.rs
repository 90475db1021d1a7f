//! Propagation of what was just learnt to earlier positions.
//!
//! [`PositionDatabase::propagate`](super::PositionDatabase::propagate) walks through everything; this
//! goes only where something has changed, within the transaction that changed it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::lookup::known_moves;
use super::merge::compare_results;
use super::propagate::{ValueOfMoves, judge, stored_cell};
use super::{
    DatabaseError, DatabaseWriter, Evaluation, Placement, PositionEntry, PositionKey, ProvenResult,
    Stored,
};
use tengen_core::types::{Bound, Point};

impl DatabaseWriter<'_> {
    /// Carries results and values from positions that have changed to those before them that have an
    /// entry, as far as anything changes, and returns all that changed and those given, by keys.
    ///
    /// Positions for which `is_judged_by_moves` take the value of their best known move, whatever value
    /// they had: all their moves have been weighed, and the best are known. Others take one as
    /// `propagate` says, but an exact value stays exact.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read or written.
    pub fn lift(
        &mut self,
        changed: BTreeSet<PositionKey>,
        is_judged_by_moves: &dyn Fn(&PositionKey) -> bool,
    ) -> Result<Vec<Stored>, DatabaseError> {
        let in_order = |key: PositionKey| (Reverse(key.group().stones), key);
        let mut waiting: BTreeSet<_> = changed.iter().cloned().map(in_order).collect();
        let mut touched = Vec::new();
        // Moves only add stones, so no position is met again after it was done.
        while let Some((_, key)) = waiting.pop_first() {
            let Some(mut entry) = self.stored(&key)? else { continue };
            let before = entry.clone();
            let placement = key.placement();
            self.learn(&placement, &mut entry, is_judged_by_moves(&key))?;
            let is_new = entry != before;
            if is_new {
                self.put_stored(&key, &entry)?;
            }
            if !is_new && !changed.contains(&key) {
                continue;
            }
            for (_, parent) in placement.parents() {
                let parent = parent.key().key;
                if self.contains(&parent)? {
                    waiting.insert(in_order(parent));
                }
            }
            touched.push(Stored { key, entry });
        }
        Ok(touched)
    }

    /// Adds to an entry what its moves say; the placement is the image that its key is made of.
    fn learn(
        &self,
        placement: &Placement,
        entry: &mut PositionEntry,
        judged_by_moves: bool,
    ) -> Result<(), DatabaseError> {
        let moves = known_moves(self, placement)?;
        let wins = moves.iter().filter(|next| {
            matches!(next.entry.result, Some(ProvenResult::Loss(_)))
                && !placement.forbids(next.point)
        });
        let winning = wins.min_by_key(|next| next.entry.rank_for_mover());
        let proven: Option<(ProvenResult, Option<Point>)> = match winning {
            Some(next) => next.entry.result.map(|result| (result.before(), Some(next.point))),
            None if moves.iter().any(|next| next.entry.result.is_some()) => judge(self, placement)?,
            None => None,
        };
        if let Some((result, best)) = proven
            && entry.result.is_none_or(|known| compare_results(result, known).is_gt())
        {
            entry.result = Some(result);
            entry.best = best.map(|point| stored_cell(placement, point)).or(entry.best);
        }
        if entry.result.is_some() {
            return Ok(());
        }
        let Some(value) = ValueOfMoves::of(placement, &moves) else { return Ok(()) };
        if judged_by_moves || value.is_news_for(placement, entry) {
            let is_exact = |own: Evaluation| own.bound == Some(Bound::Exact);
            let stays = judged_by_moves || entry.evaluation.is_some_and(is_exact);
            entry.evaluation = Some(if stays { value.evaluation } else { value.bounded() });
            entry.best = Some(stored_cell(placement, value.point));
        }
        Ok(())
    }
}
