//! The move of a level below the full one.

use super::attention::overlooked;
use super::noise::NoisyEvaluator;
use super::{Level, LevelTraits, chances};
use crate::engine::advisers::Adviser;
use crate::engine::opening;
use crate::engine::question::{AdviserQuestion, position_of};
use crate::engine::searches::Searches;
use crate::engine::{Answer, EventKind, Setup};
use tengen_core::eval::baselines::greedy;
use tengen_core::eval::{Evaluator, OrderedMove};
use tengen_core::patterns::PointClass;
use tengen_core::position::Position;
use tengen_core::rng::SplitMix64;
use tengen_core::search::{
    Blocks, Options, Report, SearchRequest, SearchResult, TranspositionTable, Variation,
};
use tengen_core::threats::{ThreatCheck, full_threat_check};
use tengen_core::types::{Ply, Point, PointSet, Score};

/// The size of the transposition table, in bytes: a move is searched in a fresh one, since what
/// another move saw must not be known to the next.
const TABLE_BYTES: usize = 1 << 20;

/// Finds the moves of the levels below the full one.
#[derive(Default)]
pub(in crate::engine) struct LevelAdviser;

impl Adviser for LevelAdviser {
    fn advise(
        &mut self,
        question: &AdviserQuestion<'_>,
        searches: &mut Searches,
    ) -> Option<Answer> {
        // Where a database excludes moves it is as where the job does.
        let is_free = question.job.plays_weakly() && question.blocks.is_none();
        let is_asked = question.job.wants_move() && is_free;
        is_asked.then(|| choose_weakly(searches, question))
    }
}

/// Returns the move of the level of the job, which is not the full one.
fn choose_weakly(searches: &mut Searches, question: &AdviserQuestion<'_>) -> Answer {
    let level = question.job.level();
    let seed =
        question.job.skill.seed.unwrap_or_else(|| if question.varied { rand::random() } else { 0 });
    let mut rng = chances(seed, question.job.setup.stones.iter().map(|&(point, _)| point));
    let Some(traits) = level.traits().filter(|_| level > Level::LEAST) else {
        return greedy::choose(&question.position, &mut rng).map_or(Answer::NoMove, one);
    };
    if let Some(point) = opening::book_move(&question.position, Some(&mut rng)) {
        return one(point);
    }
    let view = View::new(&question.position, traits.blindness, &mut rng);
    if let Some(result) = search_view(searches, question, traits, &view, &mut rng)
        && view.open.contains(result.best)
    {
        let report = honest_report(searches, question, &result);
        searches.send(question.job.id, EventKind::Report(report));
        return one(result.best);
    }
    most_natural(searches, &question.position, view.open).map_or(Answer::NoMove, one)
}

/// Searches the position as it is seen.
fn search_view(
    searches: &mut Searches,
    question: &AdviserQuestion<'_>,
    traits: &LevelTraits,
    view: &View,
    rng: &mut SplitMix64,
) -> Option<SearchResult> {
    let setup = &question.job.setup;
    let salt = rng.next_u64();
    let noisy =
        |inner| -> Box<dyn Evaluator> { Box::new(NoisyEvaluator::new(inner, traits.noise, salt)) };
    let unseen: Vec<Point> = view.unseen.iter().collect();
    let imagined =
        position_of(&Setup { walls: [&setup.walls[..], &unseen].concat(), ..setup.clone() });
    let others = *imagined.tracker().empties() & !view.open;
    let others: Vec<Point> = others.iter().collect();
    let blocks = Blocks::new(setup.size, &others, &[]);
    let options = Options {
        answer_at_once: true,
        blocks: Some(&blocks),
        params: question.params,
        ..Options::default()
    };
    searches.with_evaluator(setup.rule, noisy, |pool| {
        let table = TranspositionTable::new(TABLE_BYTES).ok()?;
        let (position, control) = (&imagined, question.control);
        pool.search(&SearchRequest { position, table: &table, control, options }, |_| {})
    })
}

/// Returns a report of the search that claims no more than the board shows: what is proven only
/// as long as something is overlooked is not proven.
fn honest_report(
    searches: &mut Searches,
    question: &AdviserQuestion<'_>,
    result: &SearchResult,
) -> Report {
    let mut position = question.position.clone();
    let mut pv = Vec::new();
    for &point in &result.line {
        if !position.is_legal(point) {
            break;
        }
        position.play_unchecked(point);
        pv.push(point);
    }
    let score = match result.score {
        score if !score.is_decisive() => score,
        score => proven(&question.position, result.best)
            .filter(|proven| proven.is_win() == score.is_win())
            .unwrap_or(Score::eval(score.raw())),
    };
    let depth = result.depth.max(1);
    let line = Variation { depth, seldepth: depth, score, pv };
    let win_model = searches.evaluator().win_model(&question.position);
    let elapsed = question.control.elapsed();
    Report { nodes: result.nodes, elapsed, lines: vec![line], win_model }
}

/// Returns the move of a set that looks best without a search.
fn most_natural(searches: &mut Searches, position: &Position, open: PointSet) -> Option<Point> {
    let mut moves = Vec::new();
    let evaluator = searches.evaluator();
    evaluator.reset(position);
    evaluator.order(position, open, &mut moves);
    moves.iter().max_by_key(|m: &&OrderedMove| m.order).map(|m| m.point)
}

fn one(point: Point) -> Answer {
    Answer::Moves(vec![point])
}

/// Returns the result of a move that the threats on the board prove.
fn proven(position: &Position, best: Point) -> Option<Score> {
    let mut after = position.clone();
    if after.class(best, after.to_move()) == PointClass::Five {
        return Some(Score::win_in(Ply(1)));
    }
    after.play_unchecked(best);
    match full_threat_check(&mut after) {
        ThreatCheck::Win(plies) => Some(Score::loss_in(Ply(plies + 1))),
        ThreatCheck::Loss(plies) => Some(Score::win_in(Ply(plies + 1))),
        ThreatCheck::Open(_) => None,
    }
}

/// A position as a player sees it.
struct View {
    /// The empty cells that are overlooked.
    unseen: PointSet,
    /// The moves that are considered; all are legal unless no legal one is left on the board.
    open: PointSet,
}

impl View {
    fn new(position: &Position, blindness: u32, rng: &mut SplitMix64) -> View {
        let unseen = overlooked(position, blindness, rng);
        let near = position.tracker().near();
        let empties = *position.tracker().empties();
        let mut position = position.clone();
        let us = position.to_move();
        let mut legal = |set: PointSet| -> PointSet {
            set.iter().filter(|&point| !position.is_forbidden(point, us)).collect()
        };
        let seen = legal(near & !unseen);
        if !seen.is_empty() {
            return View { unseen, open: seen };
        }
        // Somebody who sees no move looks again.
        let open = [legal(near), legal(empties)].into_iter().find(|set| !set.is_empty());
        View { unseen: PointSet::EMPTY, open: open.unwrap_or(empties) }
    }
}
