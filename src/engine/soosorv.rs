//! Soosõrv's opening, in which either side may swap colours twice and the number of fifth stones on
//! offer is declared.
//!
//! The first player places three stones in one of the 26 patterns; the second may swap. White plays
//! the fourth stone and declares the number of fifth stones that black must offer; the other side
//! may swap. Black offers that many, no two equal by symmetry, and white keeps one.

use super::opening;
use super::searcher::{Searcher, Work};
use super::{Answer, SoosorvStep};
use crate::position::Position;
use crate::search::{Options, Report, Variation, merge_symmetric};
use crate::types::{Point, Score};

/// The largest number of fifth stones that can be declared.
pub const MOST_FIFTHS: usize = 8;

/// The number of openings from which the most even is chosen.
const OPENINGS: usize = 12;
/// The number of fourth moves considered.
const FOURTHS: usize = 10;
/// The nodes searched for each of them.
const NODES: u64 = 30_000;

impl Searcher {
    /// Answers a step; its stones are already on the board.
    pub(super) fn answer_soosorv(&mut self, work: &Work<'_>, step: SoosorvStep) -> Answer {
        match step {
            SoosorvStep::Open => {
                let openings = opening::soosorv_stones(work.position.size(), OPENINGS, work.varied);
                Answer::Moves(self.most_even(work, openings))
            }
            SoosorvStep::SwapFirst => self.swap_or_stay(work, 1),
            SoosorvStep::Fourth => self.play_fourth(work),
            SoosorvStep::SwapFourth { fifths } => self.swap_or_stay(work, fifths),
            SoosorvStep::Fifths { fifths } => Answer::Moves(self.find_fifths(work, fifths)),
            SoosorvStep::Choose => self.choose_fifth(work),
        }
    }

    /// Takes the other colour if the side to move is worse off in the last of its best lines.
    fn swap_or_stay(&mut self, work: &Work<'_>, lines: usize) -> Answer {
        let lines = self.lines(work, &work.position, lines, None, true);
        let worse = lines.last().is_some_and(|line| line.score < Score::ZERO);
        if worse { Answer::Swap } else { Answer::Stay }
    }

    /// Finds the fourth move and the number of fifths after which the position is most even: white
    /// keeps the worst of black's best.
    fn play_fourth(&mut self, work: &Work<'_>) -> Answer {
        let fourths = self.lines(work, &work.position, FOURTHS, Some(4 * NODES), true);
        let mut best: Option<(i32, Point, usize)> = None;
        for fourth in &fourths {
            let mut position = work.position.clone();
            position.play_unchecked(fourth.pv[0]);
            let fifths = self.lines(work, &position, MOST_FIFTHS, Some(NODES), false);
            for (i, fifth) in fifths.iter().enumerate() {
                let gap = fifth.score.raw().abs();
                if best.is_none_or(|(least, ..)| gap < least) {
                    best = Some((gap, fourth.pv[0], i + 1));
                }
            }
            if work.is_due() {
                break;
            }
        }
        let first = fourths.first().map(|line| (0, line.pv[0], 1));
        match best.or(first) {
            Some((_, fourth, fifths)) => Answer::Offer(fourth, fifths),
            None => Answer::NoMove,
        }
    }

    /// Finds the fifth stones to offer, best first. White is owed the declared number: if the
    /// search is stopped before it has found all, cells nearest to the centre fill up.
    fn find_fifths(&mut self, work: &Work<'_>, fifths: usize) -> Vec<Point> {
        let lines = self.lines(work, &work.position, fifths, None, true);
        let mut points: Vec<Point> = lines.iter().map(|line| line.pv[0]).collect();
        if points.len() < fifths {
            let mut position = work.position.clone();
            let (us, center) = (position.to_move(), position.size().center());
            let empties = *position.tracker().empties();
            let mut others: Vec<Point> = empties
                .iter()
                .filter(|&p| !points.contains(&p) && !position.is_forbidden(p, us))
                .collect();
            others.sort_by_key(|p| p.distance(center));
            points.extend(others);
            merge_symmetric(&position, &mut points);
            points.truncate(fifths);
        }
        points
    }

    /// Keeps the fifth stone that is best for white, of those on the board after the first four.
    fn choose_fifth(&mut self, work: &Work<'_>) -> Answer {
        let stones = &work.job.setup.stones;
        let mut base = Position::new(work.job.setup.rule, work.job.setup.size);
        for &(point, _) in &stones[..stones.len().min(4)] {
            base.play_unchecked(point);
        }
        let mut best: Option<(Score, Point)> = None;
        let fifths = stones.get(4..).unwrap_or_default();
        for &(fifth, _) in fifths {
            let mut position = base.clone();
            position.play_unchecked(fifth);
            let nodes = if work.is_due() { 1 } else { 4 * NODES };
            let white = self.lines(work, &position, 1, Some(nodes), false);
            let score = white.first().map_or(-Score::INFINITE, |line| line.score);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, fifth));
            }
        }
        best.map_or(Answer::NoMove, |(_, fifth)| Answer::Moves(vec![fifth]))
    }

    /// Searches for the best lines, without moves that are equal by symmetry.
    fn lines(
        &mut self,
        work: &Work<'_>,
        position: &Position,
        lines: usize,
        nodes: Option<u64>,
        tell: bool,
    ) -> Vec<Variation> {
        let usual = work.options(self.settings(), false);
        let max_nodes = nodes.into_iter().chain(usual.max_nodes).min();
        let options = Options { lines, merge_symmetric: true, max_nodes, ..usual };
        let mut found = Vec::new();
        let keep = |report: &Report| found.clone_from(&report.lines);
        self.search_and_keep(work, position, options, tell, keep);
        found
    }
}
