//! An evaluator of somebody else, with lazy work and a policy, in the engine and the search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::asked::{Asked, nodes, setup};
use tengen_core::board::Board;
use tengen_core::eval::network::{Network, Parameters};
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, OrderedMove, WinModel, Window};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::{BoundedSearch, Options, Params};
use tengen_core::types::{Cell, Color, Point, PointSet, Score, Size};
use tengen_engine::engine::{Engine, Settings};

/// Calls to all clones of an evaluator.
#[derive(Default, Debug)]
struct Counts {
    pushed: AtomicU64,
    evaluated: AtomicU64,
    ordered: AtomicU64,
}

/// Likes stones on one line of the board, and looks at stones only when it has to.
#[derive(Debug)]
struct LineLover {
    row: u8,
    counts: Arc<Counts>,
    /// The stones of the position, black's less white's, on the row: after each stone that was added
    /// up.
    sums: Vec<i32>,
    /// The stones that nobody has asked about yet.
    pending: Vec<(Point, Color)>,
}

impl LineLover {
    fn new(row: u8, counts: &Arc<Counts>) -> LineLover {
        LineLover { row, counts: Arc::clone(counts), sums: Vec::new(), pending: Vec::new() }
    }

    fn worth(&self, point: Point, color: Color) -> i32 {
        let sign = if color == Color::Black { 1 } else { -1 };
        if point.y() == self.row { sign } else { 0 }
    }

    fn sum_of(&self, position: &Position) -> i32 {
        let of = |p: Point| match position.board().cell(p) {
            Cell::Stone(color) => self.worth(p, color),
            _ => 0,
        };
        position.size().points().map(of).sum()
    }
}

impl Evaluator for LineLover {
    fn reset(&mut self, position: &Position) {
        self.sums = vec![self.sum_of(position)];
        self.pending.clear();
    }

    fn push(&mut self, point: Point, color: Color) {
        self.counts.pushed.fetch_add(1, Ordering::Relaxed);
        self.pending.push((point, color));
    }

    fn pop(&mut self) {
        if self.pending.pop().is_none() {
            self.sums.pop();
        }
    }

    fn evaluate(&mut self, position: &Position, window: Window) -> Score {
        assert!(window.alpha < window.beta);
        self.counts.evaluated.fetch_add(1, Ordering::Relaxed);
        for (point, color) in std::mem::take(&mut self.pending) {
            let sum = self.sums[self.sums.len() - 1] + self.worth(point, color);
            self.sums.push(sum);
        }
        let sum = self.sums[self.sums.len() - 1];
        assert_eq!(sum, self.sum_of(position), "told of every stone");
        Score::eval(if position.to_move() == Color::Black { 100 * sum } else { -100 * sum })
    }

    fn order(&mut self, _: &Position, set: PointSet, moves: &mut Vec<OrderedMove>) {
        self.counts.ordered.fetch_add(1, Ordering::Relaxed);
        let order = |p: Point| if p.y() == self.row { 1000 } else { 0 };
        moves.extend(set.iter().map(|point| OrderedMove { point, order: order(point) }));
    }

    fn win_model(&mut self, _: &Position) -> WinModel {
        WinModel::new(77, 20)
    }

    fn identity(&self) -> u32 {
        self.row.into()
    }

    fn fresh(&self) -> Box<dyn Evaluator> {
        Box::new(LineLover::new(self.row, &self.counts))
    }
}

fn quiet_board() -> Board {
    let mut board = Board::new(Size::square(15).unwrap());
    for (x, y, color) in [(7, 7, Color::Black), (8, 7, Color::White)] {
        board.place(board.size().point(x, y).unwrap(), color);
    }
    board
}

#[test]
fn an_evaluator_plugs_into_the_engine_with_its_scores_its_order_and_its_chances() {
    for row in [5, 9] {
        for threads in [1, 3] {
            let counts = Arc::new(Counts::default());
            let shared = Arc::clone(&counts);
            let evaluators =
                Evaluators::made_by(move |_, _| Box::new(LineLover::new(row, &shared)));
            let engine = Engine::with(Params::DEFAULT, evaluators);
            let settings = Settings { threads, ..Settings::default() };
            let mut asked = Asked::with(engine, settings);
            let setup = setup(Rule::Freestyle, &quiet_board(), Color::Black);
            let said = asked.ask(setup, nodes(4000, false));
            assert_eq!(said.point.y(), row, "{threads} threads");
            assert_eq!(said.report.unwrap().win_model, WinModel::new(77, 20));
            let [pushed, evaluated, ordered] = [&counts.pushed, &counts.evaluated, &counts.ordered]
                .map(|count| count.load(Ordering::Relaxed));
            assert!(ordered > 0 && evaluated > 0);
            assert!(evaluated < pushed, "some nodes need no score: {evaluated} of {pushed}");
        }
    }
}

#[test]
fn an_evaluator_plugs_into_a_bounded_search() {
    let position = Position::from_board(Rule::Freestyle, quiet_board(), Color::Black);
    let counts = Arc::new(Counts::default());
    let evaluator: Box<dyn Evaluator> = Box::new(LineLover::new(9, &counts));
    let mut search = BoundedSearch::new(evaluator, 1 << 20).unwrap();
    let row = |search: &mut BoundedSearch| {
        search.search(&position, None, Some(4000), Options::default()).unwrap().best.y()
    };
    assert_eq!(row(&mut search), 9);
    search.set_evaluator(Box::new(LineLover::new(5, &counts)));
    assert_eq!(row(&mut search), 5);
}

#[test]
fn evaluators_that_judge_otherwise_have_other_identities() {
    let mut evaluators = Evaluators::shipped();
    for rule in Rule::ALL {
        let parameters = Parameters::random(rule, 1);
        evaluators.set_network(Arc::new(Network::new(&parameters).unwrap()));
    }
    let mut identities: Vec<u32> = Rule::ALL
        .into_iter()
        .flat_map(|rule| EvaluatorKind::ALL.map(|kind| evaluators.make(kind, rule).identity()))
        .collect();
    let number = identities.len();
    identities.sort_unstable();
    identities.dedup();
    assert_eq!(identities.len(), number);
}
