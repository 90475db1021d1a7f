//! Choices in openings: colours, and stones that leave neither side better.

use super::advisers::Adviser;
use super::question::{AdviserQuestion, Trial};
use super::searches::Searches;
use super::{Answer, Task, opening, renju_opening};
use tengen_core::search::{BalanceStones, BalanceTask};
use tengen_core::types::{Point, Score};

/// The number of openings of three stones from which the most even is chosen.
pub(super) const OPENINGS: usize = 16;
/// The nodes searched for each of them.
const OPENING_NODES: u64 = 30_000;

/// Makes the first moves that need no search, and the choices of swap1, swap2 and the openings of renju.
#[derive(Default)]
pub(super) struct OpeningAdviser;

impl Adviser for OpeningAdviser {
    fn advise(
        &mut self,
        question: &AdviserQuestion<'_>,
        searches: &mut Searches,
    ) -> Option<Answer> {
        let stones = question.job.setup.stones.len();
        match question.job.task {
            _ if question.job.wants_move() => first_move(question),
            Task::Move | Task::Defend | Task::Balance(_) => None,
            // The first stone of swap1 is to make an even position.
            Task::Swap1 if stones == 0 => {
                let task = BalanceTask { stones: BalanceStones::One, bias: 0 };
                searches.balance(question, task).map(|balance| Answer::Moves(balance.moves))
            }
            Task::Swap2 if stones == 0 => {
                let size = question.position.size();
                let openings = opening::three_stones(size, OPENINGS, question.lots());
                Some(Answer::Moves(most_even(searches, question, openings)))
            }
            // In swap2 the side to move is white. White's score tells which colour is better; leaving the
            // choice to the opponent with two more stones cannot be worth more than the better colour.
            Task::Swap1 | Task::Swap2 => swap_or_move(searches, question),
            Task::Opening(step) => Some(renju_opening::answer(searches, question, step)),
        }
    }
}

/// Returns a first move that needs no search.
fn first_move(question: &AdviserQuestion<'_>) -> Option<Answer> {
    let is_free = question.job.is_plain() && question.blocks.is_none();
    let mut lots = question.lots();
    let point = opening::book_move(&question.position, lots.as_mut()).filter(|_| is_free)?;
    Some(Answer::Moves(vec![point]))
}

/// Takes the other colour if it is better, and plays the best move otherwise.
fn swap_or_move(searches: &mut Searches, question: &AdviserQuestion<'_>) -> Option<Answer> {
    let options = question.options();
    let result = searches.search(question, question.whole(options), true, |_| {})?;
    let is_worse = result.score < Score::ZERO;
    Some(if is_worse { Answer::Swap } else { Answer::Moves(vec![result.best]) })
}

/// Returns the most even opening, judged by search.
pub(super) fn most_even(
    searches: &mut Searches,
    question: &AdviserQuestion<'_>,
    openings: Vec<Vec<Point>>,
) -> Vec<Point> {
    let mut best: Option<(i32, Vec<Point>)> = None;
    for stones in openings {
        let mut trial = question.position.clone();
        for &stone in &stones {
            trial.play_unchecked(stone);
        }
        let control = question.control.part(OPENING_NODES);
        let request = Trial { position: &trial, control: &control, options: question.options() };
        let result = searches.search(question, request, false, |_| {});
        // A search stopped in its first iteration has no result.
        let judged = result.filter(|result| result.depth > 0);
        let gap = judged.map_or(i32::MAX, |result| result.score.raw().abs());
        if best.as_ref().is_none_or(|(least, _)| gap < *least) {
            best = Some((gap, stones));
        }
        if question.is_due() {
            break;
        }
    }
    best.map(|(_, stones)| stones).unwrap_or_default()
}
