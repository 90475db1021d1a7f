use std::fs;

use super::*;
use crate::tuning::selfplay::{EARLIER_PROCEDURE, SearchMind, play};
use tengen_core::eval::{EvaluatorKind, Evaluators};

const RULE: Rule = Rule::Freestyle;
const NODES: u64 = 60;

fn options(seed: u64) -> SelfPlayOptions {
    let usual = SelfPlayOptions::new(RULE, Size::square(9).unwrap());
    SelfPlayOptions { seed, nodes: 80, leaves: 2, leaf_nodes: 40, ..usual }
}

/// A folder with two corpora of a few games.
struct Place(tempfile::TempDir, Vec<PathBuf>);

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, RULE);
        let mut mind = SearchMind::new(&*evaluator).unwrap();
        let paths = [1, 2].map(|seed| {
            let path = folder.path().join(format!("{seed}.games"));
            // The second one is of an earlier version.
            let procedure = if seed == 2 { EARLIER_PROCEDURE } else { PROCEDURE };
            let options = options(seed).in_procedure(procedure);
            let (mut store, _) = CorpusStore::open(&path, &options).unwrap();
            let start = Position::new(RULE, options.size);
            for index in 0..4 {
                let played = play(&options, &start, index, &mut mind, &Stop::new()).unwrap();
                store.append(&played).unwrap();
            }
            store.sync().unwrap();
            path
        });
        Place(folder, paths.into())
    }

    fn games(&self) -> Vec<SelfPlayGame> {
        self.1.iter().flat_map(|path| read(path)).collect()
    }

    fn plan(&self, roots: bool, count: Option<u64>, seed: u64) -> RelabelPlan {
        RelabelPlan::new(&self.1, RelabelChoice { roots, count, seed }, &mut |_| {}).unwrap()
    }

    /// Judges what a plan has chosen and returns the games of the result.
    fn judged(&self, plan: &RelabelPlan, name: &str, threads: usize) -> Vec<SelfPlayGame> {
        let path = self.0.path().join(name);
        run(plan, &path, threads).unwrap();
        read(&path)
    }
}

fn read(path: &Path) -> Vec<SelfPlayGame> {
    CorpusReader::open(path).unwrap().collect::<Result<_, _>>().unwrap()
}

fn judges(count: usize) -> Vec<LeafJudge> {
    let evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, RULE);
    (0..count).map(|_| LeafJudge::new(&*evaluator, NODES).unwrap()).collect()
}

fn run(plan: &RelabelPlan, path: &Path, threads: usize) -> Result<(), GamesError> {
    let (mut store, begun) = CorpusStore::open(path, &plan.options(NODES, 1, 0))?;
    let result = plan.run(NODES, &begun, judges(threads), &mut store, &mut |_| {});
    store.sync()?;
    result
}

fn leaves(games: &[SelfPlayGame]) -> u64 {
    games.iter().map(|played| played.game.leaves.len() as u64).sum()
}

#[test]
fn all_leaves_are_judged_as_a_search_of_their_own_judges_them() {
    let place = Place::new();
    let plan = place.plan(false, None, 0);
    let judged = place.judged(&plan, "out", 1);
    let before: Vec<SelfPlayGame> = place.games();
    let before = before.iter().filter(|played| !played.game.leaves.is_empty());
    assert_eq!(plan.positions(), leaves(&judged));
    assert_eq!(judged.len(), before.clone().count());
    let (mut changed, mut judge) = (0, judges(1).remove(0));
    for (before, after) in before.zip(&judged) {
        assert_eq!(
            (&before.game.opening, &before.game.moves, before.ending),
            (&after.game.opening, &after.game.moves, after.ending)
        );
        for (old, new) in before.game.leaves.iter().zip(&after.game.leaves) {
            assert_eq!((old.after, &old.path), (new.after, &new.path));
            let mut position = Position::new(RULE, options(1).size);
            let moves = before.game.moves[..old.after].iter().map(|scored| scored.point);
            let all = before.game.opening.iter().copied().chain(moves).chain(old.path.clone());
            all.for_each(|point| position.play(point).unwrap());
            judge.forget();
            assert_eq!(Some(new.judged), judge.judge(&position, NODES));
            changed += usize::from(old.judged != new.judged);
        }
    }
    assert!(changed > 5, "{changed}");
}

#[test]
fn positions_of_games_are_judged_where_they_are_open() {
    let place = Place::new();
    let judged = place.judged(&place.plan(true, None, 0), "out", 2);
    let is_root = |game: &TrainingGame, leaf: &Leaf| leaf.path == [game.moves[leaf.after].point];
    let mut roots = 0;
    for SelfPlayGame { game, .. } in &judged {
        assert!(game.leaves.is_sorted_by_key(|leaf| leaf.after));
        for leaf in game.leaves.iter().filter(|leaf| is_root(game, leaf)) {
            assert!(leaf.after + 1 < game.moves.len());
            roots += 1;
        }
    }
    assert!(roots > 20 && leaves(&judged) > roots, "{roots}");
}

#[test]
fn as_many_as_are_wanted_are_drawn_by_the_seed() {
    let place = Place::new();
    let all = place.plan(true, None, 0).positions();
    let [one, again, other] = [(1, "a"), (1, "b"), (2, "c")]
        .map(|(seed, name)| place.judged(&place.plan(true, Some(30), seed), name, 1));
    assert_eq!((leaves(&one), leaves(&other)), (30, 30));
    assert!(one == again && one != other);
    assert!(one.iter().all(|played| !played.game.leaves.is_empty()));
    assert_eq!(leaves(&place.judged(&place.plan(true, Some(all + 9), 0), "d", 1)), all);
    // Each as often as the others: 300 are expected, and these are five standard deviations.
    let mut counts = [0; 10];
    for seed in 0..1000 {
        let mut draw = LeafDraw { left: 10, wanted: 3, rng: SplitMix64::new(seed) };
        counts.iter_mut().for_each(|count| *count += u32::from(draw.takes()));
        assert_eq!((draw.left, draw.wanted, draw.takes()), (0, 0, false));
    }
    assert!(counts.iter().all(|count| (228..372).contains(count)), "{counts:?}");
}

#[test]
fn threads_and_interruptions_make_no_difference() {
    let place = Place::new();
    let plan = place.plan(true, Some(60), 7);
    let whole = place.judged(&plan, "whole", 1);
    assert!(place.judged(&plan, "three", 3) == whole && whole.len() > 3);
    let bytes = fs::read(place.0.path().join("whole")).unwrap();
    let path = place.0.path().join("cut");
    for len in [0, 50, 104, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        fs::write(&path, &bytes[..len]).unwrap();
        run(&plan, &path, 2).unwrap();
        assert!(fs::read(&path).unwrap() == bytes, "{len}");
    }
}

#[test]
fn what_would_be_another_result_is_refused() {
    let place = Place::new();
    let path = place.0.path().join("out");
    run(&place.plan(true, Some(20), 7), &path, 1).unwrap();
    let bytes = fs::read(&path).unwrap();
    for (roots, count, seed) in [(false, Some(20), 7), (true, Some(21), 7), (true, Some(20), 8)] {
        let result = run(&place.plan(roots, count, seed), &path, 1);
        assert!(matches!(result, Err(GamesError::Different { .. })), "{result:?}");
    }
    // An engine that says something else of the last game.
    let plan = place.plan(true, Some(20), 7);
    let (mut store, mut begun) = CorpusStore::open(&path, &plan.options(NODES, 1, 0)).unwrap();
    begun.last.as_mut().unwrap().game.leaves[0].judged.score = tengen_core::types::Score::WIN;
    let result = plan.run(NODES, &begun, judges(1), &mut store, &mut |_| {});
    assert!(matches!(result, Err(GamesError::OtherEngine { .. })), "{result:?}");
    assert!(fs::read(&path).unwrap() == bytes);
    let choice = RelabelChoice { roots: true, count: None, seed: 0 };
    let none = RelabelPlan::new(&[], choice, &mut |_| {});
    assert!(matches!(none, Err(GamesError::NoFiles)));
}
