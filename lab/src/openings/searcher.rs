//! The interface that openings need of a search, and the search itself.

use tengen_core::eval::{EvaluatorKind, Evaluators};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::{BalanceStones, BalanceTask, BoundedSearch, Options};
use tengen_core::sys::memory::AllocError;
use tengen_core::types::{Point, Score};
use tengen_engine::engine::Setup;

/// Stones that balance a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balanced {
    /// The cells, alternating in colour, the first for the side to move.
    pub moves: Vec<Point>,
    /// The score of the position after them, for either side.
    pub score: Score,
}

/// Finds stones that balance a position.
///
/// The answer depends on the question alone, not on earlier ones.
pub trait Balancer {
    /// Returns the `stones` moves, 1 or 2, after which the score is nearest to 0, as far as a
    /// search of `nodes` nodes can tell; `None` if it can't.
    fn balance(&mut self, setup: &Setup, stones: usize, nodes: u64) -> Option<Balanced>;
}

/// Judges positions.
///
/// The answer depends on the question alone, not on earlier ones.
pub trait Judge {
    /// Returns the score of a position for the side to move after a search of `nodes` nodes; `None`
    /// if there is no move.
    fn judge(&mut self, setup: &Setup, nodes: u64) -> Option<Score>;
}

/// A search with one thread that forgets everything after each question.
#[derive(Debug)]
pub struct OpeningSearcher {
    evaluators: Evaluators,
    /// The rule whose positions the evaluator of the search judges.
    rule: Rule,
    search: BoundedSearch,
}

impl OpeningSearcher {
    /// Makes a searcher with a transposition table of this many mebibytes.
    ///
    /// # Errors
    ///
    /// Returns [`AllocError`] if the memory cannot be had.
    pub fn new(mebibytes: u32) -> Result<OpeningSearcher, AllocError> {
        let bytes = usize::try_from(u64::from(mebibytes) << 20).unwrap_or(usize::MAX);
        let (evaluators, rule) = (Evaluators::shipped(), Rule::Freestyle);
        let evaluator = evaluators.make(EvaluatorKind::default(), rule);
        let search = BoundedSearch::new(evaluator, bytes)?;
        Ok(OpeningSearcher { evaluators, rule, search })
    }

    /// Returns a search that remembers nothing and judges positions of a rule.
    fn fresh(&mut self, rule: Rule) -> &mut BoundedSearch {
        self.search.forget();
        if rule != self.rule {
            self.rule = rule;
            self.search.set_evaluator(self.evaluators.make(EvaluatorKind::default(), rule));
        }
        &mut self.search
    }
}

impl Balancer for OpeningSearcher {
    fn balance(&mut self, setup: &Setup, stones: usize, nodes: u64) -> Option<Balanced> {
        let stones = match stones {
            1 => BalanceStones::One,
            2 => BalanceStones::Two,
            _ => return None,
        };
        let position = position_of(setup)?;
        let task = BalanceTask { stones, bias: 0 };
        let found = self.fresh(setup.rule).balance(&position, task, nodes, Options::default())?;
        // Before the first iteration is finished nothing is known of any score.
        (found.depth > 0).then_some(Balanced { moves: found.moves, score: found.score })
    }
}

impl Judge for OpeningSearcher {
    fn judge(&mut self, setup: &Setup, nodes: u64) -> Option<Score> {
        let position = position_of(setup)?;
        let found =
            self.fresh(setup.rule).search(&position, None, Some(nodes), Options::default())?;
        (found.depth > 0).then_some(found.score)
    }
}

/// Returns the position of a set-up whose stones can be played in their order.
fn position_of(setup: &Setup) -> Option<Position> {
    let mut position = Position::new(setup.rule, setup.size);
    for &(point, color) in &setup.stones {
        if color != position.to_move() {
            return None;
        }
        position.play(point).ok()?;
    }
    (setup.walls.is_empty() && position.to_move() == setup.to_move).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::notation::parse_moves;
    use tengen_core::types::{Color, Size};

    fn setup(rule: Rule, text: &str) -> Setup {
        let size = Size::square(15).unwrap();
        let stones = parse_moves(text, size).unwrap();
        Setup {
            size,
            rule,
            to_move: Color::to_move_after(stones.len()),
            stones: (0..).zip(stones).map(|(i, p)| (p, Color::to_move_after(i))).collect(),
            walls: Vec::new(),
        }
    }

    #[test]
    fn answers_do_not_depend_on_earlier_questions() {
        let mut searcher = OpeningSearcher::new(1).unwrap();
        let (first, other) = (setup(Rule::Standard, "h8i9j8"), setup(Rule::Renju, "g7h8f8g9"));
        let ask = |searcher: &mut OpeningSearcher, setup: &Setup| {
            (searcher.balance(setup, 1, 5000), searcher.judge(setup, 5000))
        };
        let fresh = ask(&mut searcher, &first);
        assert!(fresh.0.is_some() && fresh.1.is_some());
        assert_ne!(ask(&mut searcher, &other), fresh);
        assert_eq!(ask(&mut searcher, &first), fresh);
        assert_eq!(ask(&mut OpeningSearcher::new(1).unwrap(), &first), fresh);
    }

    #[test]
    fn balancing_brings_the_score_near_to_zero() {
        let mut searcher = OpeningSearcher::new(4).unwrap();
        // Black, to move, is better off and must give that away.
        let before = setup(Rule::Freestyle, "h8i9");
        let worth = searcher.judge(&before, 20_000).unwrap();
        let found = searcher.balance(&before, 1, 20_000).unwrap();
        assert_eq!(found.moves.len(), 1);
        assert!(3 * found.score.raw().abs() < worth.raw(), "{} after {worth}", found.score);
        assert!(worth.raw() > 60, "{worth}");
    }

    #[test]
    fn questions_without_an_answer_get_none() {
        let mut searcher = OpeningSearcher::new(1).unwrap();
        let good = setup(Rule::Freestyle, "h8i9j8");
        assert_eq!(searcher.balance(&good, 0, 1000), None);
        assert_eq!(searcher.balance(&good, 3, 1000), None);
        assert_eq!(searcher.balance(&good, 2, 1), None, "one node tells nothing");
        let wrong_turn = Setup { to_move: Color::Black, ..good.clone() };
        assert_eq!(searcher.judge(&wrong_turn, 1000), None);
        let mut twice = good;
        twice.stones[2].0 = twice.stones[0].0;
        assert_eq!(searcher.judge(&twice, 1000), None);
    }
}
