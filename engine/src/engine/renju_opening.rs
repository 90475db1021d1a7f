//! The openings of renju in which black offers several fifth stones.
//!
//! In Soosõrv's opening the first player places three stones in one of the 26 patterns; the second
//! may swap. White plays the fourth stone and declares the number of fifth stones that black must
//! offer; the other side may swap. Black offers that many, no two equal by symmetry, and white keeps
//! one. In others the number is known before the fourth stone.

use super::opening;
use super::opening_choice::most_even;
use super::question::{AdviserQuestion, Trial, position_of};
use super::searches::Searches;
use super::{Answer, OpeningStep, Setup};
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

/// Answers a step; its stones are already on the board.
pub(super) fn answer(
    searches: &mut Searches,
    question: &AdviserQuestion<'_>,
    step: OpeningStep,
) -> Answer {
    match step {
        OpeningStep::Open => {
            let openings =
                opening::soosorv_stones(question.position.size(), OPENINGS, question.lots());
            Answer::Moves(most_even(searches, question, openings))
        }
        OpeningStep::SwapFirst => swap_or_stay(searches, question, 1),
        OpeningStep::Fourth => play_fourth(searches, question),
        OpeningStep::SwapFourth { fifths } => swap_or_stay(searches, question, fifths),
        OpeningStep::Fifths { fifths } => Answer::Moves(find_fifths(searches, question, fifths)),
        OpeningStep::Choose => choose_fifth(searches, question),
        OpeningStep::SwapOwed { fifths } => match best_fourth(searches, question, fifths) {
            Some((black, _)) if black > Score::ZERO => Answer::Swap,
            _ => Answer::Stay,
        },
        OpeningStep::FourthOwed { fifths } => {
            let best = best_fourth(searches, question, fifths);
            best.map_or(Answer::NoMove, |(_, fourth)| Answer::Moves(vec![fourth]))
        }
        OpeningStep::Number { most } => declare_number(searches, question, most),
    }
}

/// Takes the other colour if the side to move is worse off in the last of its best lines.
fn swap_or_stay(searches: &mut Searches, question: &AdviserQuestion<'_>, lines: usize) -> Answer {
    let lines = best_lines(searches, question, &question.position, lines, None, true);
    let worse = lines.last().is_some_and(|line| line.score < Score::ZERO);
    if worse { Answer::Swap } else { Answer::Stay }
}

/// Finds the fourth move and the number of fifths after which the position is most even: white
/// keeps the worst of black's best.
fn play_fourth(searches: &mut Searches, question: &AdviserQuestion<'_>) -> Answer {
    let fourths =
        best_lines(searches, question, &question.position, FOURTHS, Some(4 * NODES), true);
    let mut best: Option<(i32, Point, usize)> = None;
    for fourth in &fourths {
        let mut position = question.position.clone();
        position.play_unchecked(fourth.pv[0]);
        let even = most_even_number(searches, question, &position, MOST_FIFTHS);
        if let Some((gap, number)) = even
            && best.is_none_or(|(least, ..)| gap < least)
        {
            best = Some((gap, fourth.pv[0], number));
        }
        if question.is_due() {
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
    searches: &mut Searches,
    question: &AdviserQuestion<'_>,
    position: &Position,
    most: usize,
) -> Option<(i32, usize)> {
    let fifths = best_lines(searches, question, position, most, Some(NODES), false);
    let gaps = (1..).zip(&fifths).map(|(number, line)| (line.score.raw().abs(), number));
    gaps.min()
}

/// Declares the number of fifths that makes the position most even, after white's best fourth
/// if that is not on the board yet.
fn declare_number(searches: &mut Searches, question: &AdviserQuestion<'_>, most: usize) -> Answer {
    let mut position = question.position.clone();
    if position.to_move() == Color::White {
        let best = best_lines(searches, question, &position, 1, Some(4 * NODES), true);
        let Some(best) = best.first() else { return Answer::NoMove };
        position.play_unchecked(best.pv[0]);
    }
    let even = most_even_number(searches, question, &position, most);
    Answer::Number(even.map_or(1, |(_, number)| number))
}

/// Finds the fourth stone after which the last of black's best fifths is worth least, and what
/// it is worth to black.
fn best_fourth(
    searches: &mut Searches,
    question: &AdviserQuestion<'_>,
    fifths: usize,
) -> Option<(Score, Point)> {
    let fourths =
        best_lines(searches, question, &question.position, FOURTHS, Some(4 * NODES), true);
    let mut best: Option<(Score, Point)> = None;
    for fourth in &fourths {
        let mut position = question.position.clone();
        position.play_unchecked(fourth.pv[0]);
        let black = best_lines(searches, question, &position, fifths, Some(NODES), false);
        if let Some(last) = black.last()
            && best.is_none_or(|(least, _)| last.score < least)
        {
            best = Some((last.score, fourth.pv[0]));
        }
        if question.is_due() {
            break;
        }
    }
    best.or_else(|| fourths.first().map(|line| (-line.score, line.pv[0])))
}

/// Finds the fifth stones to offer, best first.
fn find_fifths(
    searches: &mut Searches,
    question: &AdviserQuestion<'_>,
    fifths: usize,
) -> Vec<Point> {
    let (setup, size) = (&question.job.setup, question.position.size());
    // The search knows the symmetries of the board; the stones may have others, about an axis
    // that is not the middle of the board, by which up to four cells are equal.
    let stones = stones_of(setup);
    let has_axis = size.points().any(|point| symmetric_cells(size, &stones, point).len() > 1);
    let lines = if has_axis { 2 * fifths } else { fifths };
    let lines = best_lines(searches, question, &question.position, lines, None, true);
    offered_fifths(setup, lines.iter().map(|line| line.pv[0]), fifths)
}

/// Returns the fifth stones that white is owed, the declared number of which no two are equal by symmetry: first
/// those that are known, best first, and if a search was stopped before it found all, cells nearest to the centre.
pub(crate) fn offered_fifths(
    setup: &Setup,
    known: impl IntoIterator<Item = Point>,
    fifths: usize,
) -> Vec<Point> {
    let mut position = position_of(setup);
    let (stones, size, us) = (stones_of(setup), setup.size, position.to_move());
    let empties = *position.tracker().empties();
    let mut others: Vec<Point> = empties.iter().collect();
    others.sort_by_key(|p| p.distance(size.center()));
    let mut points: Vec<Point> = Vec::new();
    for point in known.into_iter().chain(others) {
        if points.len() == fifths {
            break;
        }
        let equal = symmetric_cells(size, &stones, point);
        if empties.contains(point)
            && !position.is_forbidden(point, us)
            && !equal.iter().any(|cell| points.contains(cell))
        {
            points.push(point);
        }
    }
    points
}

fn stones_of(setup: &Setup) -> Vec<Point> {
    setup.stones.iter().map(|&(point, _)| point).collect()
}

/// Keeps the fifth stone that is best for white, of those on the board after the first four.
fn choose_fifth(searches: &mut Searches, question: &AdviserQuestion<'_>) -> Answer {
    let stones = &question.job.setup.stones;
    let mut base = Position::new(question.job.setup.rule, question.job.setup.size);
    for &(point, _) in &stones[..stones.len().min(4)] {
        base.play_unchecked(point);
    }
    let mut best: Option<(Score, Point)> = None;
    let fifths = stones.get(4..).unwrap_or_default();
    for &(fifth, _) in fifths {
        let mut position = base.clone();
        position.play_unchecked(fifth);
        let nodes = if question.is_due() { 1 } else { 4 * NODES };
        let white = best_lines(searches, question, &position, 1, Some(nodes), false);
        let score = white.first().map_or(-Score::INFINITE, |line| line.score);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, fifth));
        }
    }
    best.map_or(Answer::NoMove, |(_, fifth)| Answer::Moves(vec![fifth]))
}

/// Searches for the best lines, without moves that are equal by symmetry.
fn best_lines(
    searches: &mut Searches,
    question: &AdviserQuestion<'_>,
    position: &Position,
    lines: usize,
    nodes: Option<u64>,
    tell: bool,
) -> Vec<Variation> {
    let control = question.control.part(nodes.unwrap_or(u64::MAX));
    let options = Options { lines, merge_symmetric: true, ..question.options() };
    let mut found = Vec::new();
    let keep = |report: &Report| found.clone_from(&report.lines);
    searches.search(question, Trial { position, control: &control, options }, tell, keep);
    found
}
