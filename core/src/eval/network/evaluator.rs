//! The evaluator of a search.

use std::sync::Arc;

use super::Network;
use super::accumulator::Accumulator;
use crate::eval::classical::{ClassicalEvaluator, ClassicalTables};
use crate::eval::{Evaluator, OrderedMove, WinModel, Window};
use crate::position::Position;
use crate::sys::fault::{self, Place};
use crate::types::{Color, Point, PointSet, Score};

/// The classical evaluation corrected by a network.
///
/// Where the classical value is outside the window, it is the score: the network is not asked, and
/// nothing is computed for it. The order of moves is the classical one, corrected by the policy.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    tables: Arc<ClassicalTables>,
    classical: ClassicalEvaluator,
    accumulator: Accumulator,
}

impl NetworkEvaluator {
    /// Returns an evaluator with this network and these tables, without a position.
    #[must_use]
    pub fn new(network: Arc<Network>, tables: Arc<ClassicalTables>) -> NetworkEvaluator {
        NetworkEvaluator {
            classical: ClassicalEvaluator::new(Arc::clone(&tables)),
            tables,
            accumulator: Accumulator::new(network),
        }
    }
}

/// Returns whether a classical value is enough.
#[inline]
fn is_outside(classical: Score, window: Window) -> bool {
    classical < window.alpha || classical > window.beta
}

impl Evaluator for NetworkEvaluator {
    fn reset(&mut self, position: &Position) {
        self.classical.reset(position);
        self.accumulator.reset(position);
    }

    #[inline]
    fn push(&mut self, point: Point, color: Color) {
        self.classical.push(point, color);
        self.accumulator.push(point, color);
    }

    #[inline]
    fn pop(&mut self) {
        self.classical.pop();
        self.accumulator.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position, window: Window) -> Score {
        let classical = self.classical.evaluate(position, window);
        if is_outside(classical, window) {
            return classical;
        }
        fault::pass(Place::Network);
        self.accumulator.update();
        let output = self.accumulator.output(position.to_move());
        self.accumulator.network().score(classical, output)
    }

    fn is_exact(&mut self, position: &Position, window: Window) -> bool {
        !is_outside(self.classical.evaluate(position, window), window)
    }

    #[inline]
    fn order(&mut self, position: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        let first = moves.len();
        self.classical.order(position, set, moves);
        self.accumulator.update();
        let mut moves = moves[first..].iter_mut();
        self.accumulator.policies(position, set, |network, policy| {
            if let Some(m) = moves.next() {
                m.order += network.order(policy);
            }
        });
    }

    fn win_model(&mut self, position: &Position) -> WinModel {
        self.accumulator.update();
        self.accumulator.win_model(position.to_move())
    }

    fn identity(&self) -> u32 {
        let network = self.accumulator.network().crc();
        let tables = self.tables.crc();
        crc32fast::hash(format!("network {network:08x} {tables:08x}").as_bytes())
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        let network = Arc::clone(self.accumulator.network());
        Box::new(NetworkEvaluator::new(network, Arc::clone(&self.tables)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Parameters;
    use super::super::scratch;
    use std::cell::Cell;

    use super::*;
    use crate::board::Board;
    use crate::eval::testing;
    use crate::rng::SplitMix64;
    use crate::rules::Rule;
    use crate::types::Size;

    fn evaluator(parameters: &Parameters) -> NetworkEvaluator {
        let network = Arc::new(Network::new(parameters).unwrap());
        let tables = ClassicalTables::shipped(parameters.rule);
        NetworkEvaluator::new(network, tables)
    }

    #[test]
    fn the_integers_kept_equal_those_made_from_the_board_on_every_walk() {
        let of_rule = Rule::ALL.map(|rule| Parameters::random(rule, 7 + rule as u64));
        let step = Cell::new(0);
        testing::walk(
            |rule| evaluator(&of_rule[rule as usize]),
            |evaluator, position| {
                // Computing all from the board takes long.
                step.set(step.get() + 1);
                let parameters = &of_rule[position.rule() as usize];
                step.get() % 8 > 0
                    || evaluator.accumulator.integers(position)
                        == scratch::integers(parameters, position)
            },
        );
    }

    #[test]
    fn a_tied_network_is_the_same_from_all_sides_and_for_either_colour() {
        testing::symmetric(&evaluator(&Parameters::random(Rule::Freestyle, 5).tied()));
    }

    #[test]
    fn the_score_is_the_share_of_the_classical_value_and_the_correction() {
        let rows = [".....", ".XO..", "..X..", ".OX..", "....."];
        let position = testing::position(&rows, Color::White);
        let mut classical = ClassicalEvaluator::new(ClassicalTables::shipped(Rule::Freestyle));
        classical.reset(&position);
        let classical = classical.evaluate(&position, Window::FULL).raw();
        for share in [0, 100, 256] {
            let parameters =
                Parameters { share, win_scale: 300, ..Parameters::random(Rule::Freestyle, 3) };
            let mut evaluator = evaluator(&parameters);
            evaluator.reset(&position);
            let output = evaluator.accumulator.integers(&position).value;
            let expected =
                classical * i32::from(share) / 256 + (i64::from(output) * 300 / 57_600) as i32;
            assert_eq!(evaluator.evaluate(&position, Window::FULL), Score::eval(expected));
        }
    }

    #[test]
    fn a_score_is_exact_where_the_classical_value_is_inside_the_window() {
        let rows = [".....", ".XO..", "..X..", ".OX..", "....."];
        let position = testing::position(&rows, Color::White);
        let mut classical = ClassicalEvaluator::new(ClassicalTables::shipped(Rule::Freestyle));
        classical.reset(&position);
        let classical = classical.evaluate(&position, Window::FULL);
        let mut evaluator = evaluator(&Parameters::random(Rule::Freestyle, 3));
        evaluator.reset(&position);
        let exact = evaluator.evaluate(&position, Window::FULL);
        assert_ne!(exact, classical);
        for (alpha, beta, is_exact) in [(0, 0, true), (-5, 5, true), (1, 9, false), (-9, -1, false)]
        {
            let window = Window { alpha: classical + alpha, beta: classical + beta };
            assert_eq!(evaluator.is_exact(&position, window), is_exact);
            let expected = if is_exact { exact } else { classical };
            assert_eq!(evaluator.evaluate(&position, window), expected);
        }
    }

    #[test]
    fn the_order_is_the_classical_one_and_the_policy() {
        let rows = [".....", ".XO..", "..X..", ".OX..", "....."];
        let position = testing::position(&rows, Color::White);
        let set = position.tracker().near();
        let mut classical = Vec::new();
        ClassicalTables::shipped(Rule::Renju).order(&position, set, &mut classical);
        let parameters = Parameters { order_scale: 333, ..Parameters::random(Rule::Renju, 3) };
        let mut evaluator = evaluator(&parameters);
        evaluator.reset(&position);
        let policies = scratch::integers(&parameters, &position).policies;
        let cells = position.size().points().filter(|&p| position.board().is_empty(p));
        let policies: Vec<(Point, i32)> = cells.zip(policies).collect();
        let mut moves = classical[..1].to_vec();
        evaluator.order(&position, set, &mut moves);
        assert_eq!(moves.remove(0), classical[0], "what was there stays as it was");
        assert_eq!(moves.len(), classical.len());
        for (m, by_tables) in moves.iter().zip(classical) {
            assert_eq!(m.point, by_tables.point);
            let (_, policy) = policies[policies.iter().position(|p| p.0 == m.point).unwrap()];
            assert_eq!(m.order, by_tables.order + (i64::from(policy) * 333 / 450) as i32);
        }
    }

    #[test]
    fn the_draw_margin_is_the_softplus_of_the_draw_head_in_the_position() {
        let rows = [".....", ".XO..", "..X..", ".OX..", "....."];
        let mut position = testing::position(&rows, Color::White);
        let parameters = Parameters { win_scale: 200, ..Parameters::random(Rule::Renju, 3) };
        let mut evaluator = evaluator(&parameters);
        evaluator.reset(&position);
        let mut margins = Vec::new();
        for _ in 0..2 {
            let logit = f64::from(scratch::integers(&parameters, &position).draw) / 57_600.0;
            let margin = (logit.exp() + 1.0).ln() * 200.0;
            assert_eq!(evaluator.win_model(&position), WinModel::new(200, margin.round() as u16));
            margins.push(margin.round());
            let point = position.tracker().near().iter().next().unwrap();
            evaluator.push(point, position.to_move());
            position.play_unchecked(point);
        }
        assert!(margins[0] != margins[1] && margins.iter().any(|&m| m > 0.0), "{margins:?}");
    }

    #[test]
    fn outside_the_window_the_network_is_not_asked() {
        let position =
            testing::position(&[".....", "..X..", "..X..", "..O..", "....."], Color::Black);
        let parameters = Parameters { share: 128, ..Parameters::random(Rule::Freestyle, 4) };
        let mut evaluator = evaluator(&parameters);
        evaluator.reset(&position);
        let full = evaluator.evaluate(&position, Window::FULL);
        let classical = evaluator.classical.evaluate(&position, Window::FULL);
        assert_ne!(full, classical);
        for (distance, expected) in [(0, full), (1, classical)] {
            let above = Window { alpha: classical + distance, beta: classical + distance + 1 };
            let below = Window { alpha: classical - distance - 1, beta: classical - distance };
            for window in [above, below] {
                assert_eq!(evaluator.evaluate(&position, window), expected, "{distance}");
            }
        }
    }

    #[test]
    fn nothing_is_computed_for_stones_that_need_no_score() {
        let size = Size::DEFAULT;
        let mut position = Position::from_board(Rule::Freestyle, Board::new(size), Color::Black);
        let mut evaluator = evaluator(&Parameters::random(Rule::Freestyle, 6));
        evaluator.reset(&position);
        let states = |evaluator: &NetworkEvaluator| evaluator.accumulator.states_in_use();
        let before = states(&evaluator);
        let mut rng = SplitMix64::new(1);
        let points: Vec<Point> = size.points().collect();
        for _ in 0..30 {
            let point = points[rng.below(points.len())];
            if position.board().is_empty(point) {
                evaluator.push(point, position.to_move());
                position.play_unchecked(point);
            }
        }
        assert_eq!(states(&evaluator), before);
        let _ = evaluator.evaluate(&position, Window::FULL);
        assert!(states(&evaluator) > before);
    }

    #[test]
    fn a_position_that_is_set_amid_a_search_of_another_begins_anew() {
        let parameters = Parameters::random(Rule::Freestyle, 9);
        let mut evaluator = evaluator(&parameters);
        let mut rng = SplitMix64::new(2);
        for edge in [15, 9, 22, 15] {
            let size = Size::square(edge).unwrap();
            let mut position = Position::new(Rule::Freestyle, size);
            evaluator.reset(&position);
            let mut points: Vec<Point> = size.points().collect();
            for _ in 0..6 {
                let point = points.swap_remove(rng.below(points.len()));
                evaluator.push(point, position.to_move());
                position.play_unchecked(point);
                let expected = scratch::integers(&parameters, &position);
                assert!(evaluator.accumulator.integers(&position) == expected, "{edge}");
            }
            // A search that is stopped takes nothing back.
        }
    }

    #[test]
    fn evaluators_of_other_numbers_have_other_identities() {
        let parameters = Parameters::random(Rule::Freestyle, 1);
        let first = evaluator(&parameters);
        let second = evaluator(&Parameters { share: 255, ..parameters });
        assert_eq!(first.fresh().identity(), first.identity());
        assert_ne!(first.identity(), second.identity());
        assert_ne!(first.identity(), first.classical.identity());
    }
}
