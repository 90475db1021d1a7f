//! The openings of renju in which black offers several fifth stones.
//!
//! In Soosõrv's opening the first player places three stones in one of the 26 patterns; the second
//! may swap. White plays the fourth stone and declares the number of fifth stones that black must
//! offer; the other side may swap. Black offers that many, no two equal by symmetry, and white keeps
//! one. In others the number is known before the fourth stone.

use super::opening;
use super::searcher::{Searcher, Trial, Work};
use super::{Answer, OpeningStep};
use tengen_core::position::Position;
use tengen_core::rules::symmetric_cells;
use tengen_core::search::{Options, Report, Variation};
use tengen_core::types::{Color, Point, Score};

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
    pub(super) fn answer_opening(&mut self, work: &Work<'_>, step: OpeningStep) -> Answer {
        match step {
            OpeningStep::Open => {
                let openings = opening::soosorv_stones(work.position.size(), OPENINGS, work.varied);
                Answer::Moves(self.most_even(work, openings))
            }
            OpeningStep::SwapFirst => self.swap_or_stay(work, 1),
            OpeningStep::Fourth => self.play_fourth(work),
            OpeningStep::SwapFourth { fifths } => self.swap_or_stay(work, fifths),
            OpeningStep::Fifths { fifths } => Answer::Moves(self.find_fifths(work, fifths)),
            OpeningStep::Choose => self.choose_fifth(work),
            OpeningStep::SwapOwed { fifths } => match self.best_fourth(work, fifths) {
                Some((black, _)) if black > Score::ZERO => Answer::Swap,
                _ => Answer::Stay,
            },
            OpeningStep::FourthOwed { fifths } => {
                let best = self.best_fourth(work, fifths);
                best.map_or(Answer::NoMove, |(_, fourth)| Answer::Moves(vec![fourth]))
            }
            OpeningStep::Number { most } => self.declare_number(work, most),
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
            let even = self.most_even_number(work, &position, MOST_FIFTHS);
            if let Some((gap, number)) = even
                && best.is_none_or(|(least, ..)| gap < least)
            {
                best = Some((gap, fourth.pv[0], number));
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

    /// Finds the number of fifths after which a position with black to move is most even, and how
    /// far from even it is then.
    fn most_even_number(
        &mut self,
        work: &Work<'_>,
        position: &Position,
        most: usize,
    ) -> Option<(i32, usize)> {
        let fifths = self.lines(work, position, most, Some(NODES), false);
        let gaps = (1..).zip(&fifths).map(|(number, line)| (line.score.raw().abs(), number));
        gaps.min()
    }

    /// Declares the number of fifths that makes the position most even, after white's best fourth
    /// if that is not on the board yet.
    fn declare_number(&mut self, work: &Work<'_>, most: usize) -> Answer {
        let mut position = work.position.clone();
        if position.to_move() == Color::White {
            let best = self.lines(work, &position, 1, Some(4 * NODES), true);
            let Some(best) = best.first() else { return Answer::NoMove };
            position.play_unchecked(best.pv[0]);
        }
        let even = self.most_even_number(work, &position, most);
        Answer::Number(even.map_or(1, |(_, number)| number))
    }

    /// Finds the fourth stone after which the last of black's best fifths is worth least, and what
    /// it is worth to black.
    fn best_fourth(&mut self, work: &Work<'_>, fifths: usize) -> Option<(Score, Point)> {
        let fourths = self.lines(work, &work.position, FOURTHS, Some(4 * NODES), true);
        let mut best: Option<(Score, Point)> = None;
        for fourth in &fourths {
            let mut position = work.position.clone();
            position.play_unchecked(fourth.pv[0]);
            let black = self.lines(work, &position, fifths, Some(NODES), false);
            if let Some(last) = black.last()
                && best.is_none_or(|(least, _)| last.score < least)
            {
                best = Some((last.score, fourth.pv[0]));
            }
            if work.is_due() {
                break;
            }
        }
        best.or_else(|| fourths.first().map(|line| (-line.score, line.pv[0])))
    }

    /// Finds the fifth stones to offer, best first. White is owed the declared number: if the
    /// search is stopped before it has found all, cells nearest to the centre fill up.
    fn find_fifths(&mut self, work: &Work<'_>, fifths: usize) -> Vec<Point> {
        let stones: Vec<Point> = work.job.setup.stones.iter().map(|&(point, _)| point).collect();
        let size = work.position.size();
        // The search knows the symmetries of the board; the stones may have others, about an axis
        // that is not the middle of the board, by which up to four cells are equal.
        let equal = |point: Point| symmetric_cells(size, &stones, point);
        let has_axis = size.points().any(|point| equal(point).len() > 1);
        let lines = if has_axis { 2 * fifths } else { fifths };
        let lines = self.lines(work, &work.position, lines, None, true);
        let mut position = work.position.clone();
        let (us, center) = (position.to_move(), size.center());
        let empties = *position.tracker().empties();
        let mut others: Vec<Point> =
            empties.iter().filter(|&p| !position.is_forbidden(p, us)).collect();
        others.sort_by_key(|p| p.distance(center));
        let mut points: Vec<Point> = Vec::new();
        for point in lines.iter().map(|line| line.pv[0]).chain(others) {
            if points.len() == fifths {
                break;
            }
            if !equal(point).iter().any(|cell| points.contains(cell)) {
                points.push(point);
            }
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
        let control = work.control.part(nodes.unwrap_or(u64::MAX));
        let options = Options { lines, merge_symmetric: true, ..work.options(false) };
        let mut found = Vec::new();
        let keep = |report: &Report| found.clone_from(&report.lines);
        self.search(work, Trial { position, control: &control, options }, tell, keep);
        found
    }
}
