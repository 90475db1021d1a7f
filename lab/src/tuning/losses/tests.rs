use std::fs;

use super::*;
use crate::tuning::corpus::CorpusStore;
use crate::tuning::features::{JudgedPosition, choice, replay, tells_value, undecided};
use crate::tuning::fit::testing::{games, games_of};
use crate::tuning::samples::{HEADER_BYTES, header, sample_bytes, write_samples};
use crate::tuning::{Ending, SelfPlayGame, SelfPlayOptions, TrainingGame};
use tengen_core::board::Board;
use tengen_core::eval::Window;
use tengen_core::eval::classical::Weights;
use tengen_core::position::Position;
use tengen_core::types::{Color, Point};

const RULE: Rule = Rule::Freestyle;

fn size() -> Size {
    Size::square(15).unwrap()
}

/// Makes a file of the samples of games that a seed gives.
fn sample_file(folder: &tempfile::TempDir, name: &str, seed: u64, count: usize) -> PathBuf {
    samples_of(folder, name, games(RULE, size(), seed, count))
}

/// Makes a file of the samples of games.
fn samples_of(folder: &tempfile::TempDir, name: &str, games: Vec<TrainingGame>) -> PathBuf {
    let (corpus, output) = (folder.path().join("games"), folder.path().join(name));
    let _ = fs::remove_file(&corpus);
    let (mut store, _) = CorpusStore::open(&corpus, &SelfPlayOptions::new(RULE, size())).unwrap();
    for game in games {
        store.append(&SelfPlayGame { game, ending: Ending::Rule }).unwrap();
    }
    store.sync().unwrap();
    write_samples(&corpus, &output, false, 1, &mut |_| {}).unwrap();
    output
}

fn measured(paths: &[PathBuf], options: &LossOptions) -> LossReport {
    measure_losses(paths, &Evaluators::shipped(), options, &mut |_| {}).unwrap()
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// A sample of two stones, written by hand.
struct ByHand {
    score: i16,
    tables: i16,
    halves: u8,
    flags: u8,
    /// The cells and orders of the candidates, the best move first.
    candidates: [(usize, u8); 2],
}

/// The cells of the stones: black's in the middle, and white's beside it.
const STONES: [usize; 2] = [7 * 15 + 7, 7 * 15 + 8];

impl ByHand {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; sample_bytes(size())];
        for (color, cell) in (1..).zip(STONES) {
            bytes[cell / 4] |= color << (2 * (cell % 4));
        }
        for (cell, order) in self.candidates {
            bytes[57 + cell] = order;
        }
        let tail = bytes.len() - 8;
        bytes[tail..tail + 2].copy_from_slice(&self.score.to_le_bytes());
        bytes[tail + 2..tail + 4].copy_from_slice(&self.tables.to_le_bytes());
        bytes[tail + 4..tail + 6].copy_from_slice(&(self.candidates[0].0 as u16).to_le_bytes());
        bytes[tail + 6..].copy_from_slice(&[self.halves, self.flags]);
        bytes
    }
}

/// Returns the position with the two stones.
fn two_stones() -> Position {
    let mut board = Board::new(size());
    let points: Vec<Point> = size().points().collect();
    board.place(points[STONES[0]], Color::Black);
    board.place(points[STONES[1]], Color::White);
    Position::from_board(RULE, board, Color::Black)
}

#[test]
fn losses_of_two_samples_are_those_that_a_pencil_finds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.samples");
    // Black to move; a leaf that tells value and choice, and a lost position that tells a value.
    let candidates = [(6 * 15 + 6, 250), (8 * 15 + 8, 255)];
    let leaf = ByHand { score: 300, tables: 120, halves: 3, flags: 1 + 2 + 8 + 16, candidates };
    let game = ByHand { score: -100, tables: -40, halves: 0, flags: 1 + 4 + 8, candidates };
    let bytes = [&header(RULE, size(), 2)[..], &leaf.bytes(), &game.bytes()].concat();
    fs::write(&path, bytes).unwrap();
    let scale = 200.0;
    let options = LossOptions { scale: Some(scale), ..LossOptions::default() };
    let report = measured(std::slice::from_ref(&path), &options);
    let network = Network::shipped(RULE);
    assert_eq!((report.network, report.scale), (network.crc(), scale));
    let SampleLosses { values, choices, network: found, tables, floor } = report.total;
    assert_eq!((values, choices), (2, 1));

    let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
    let loss = |logit: f64, target: f64| {
        -target * chance(logit).ln() - (1.0 - target) * chance(-logit).ln()
    };
    let targets = [chance(300.0 / scale), 0.5 * chance(-100.0 / scale)];
    let expected = (loss(120.0 / scale, targets[0]) + loss(-40.0 / scale, targets[1])) / 2.0;
    assert!(near(tables.value.unwrap(), expected));
    let bound = targets.map(|target| loss((target / (1.0 - target)).ln(), target));
    assert!(near(floor.unwrap(), (bound[0] + bound[1]) / 2.0));
    let position = two_stones();
    let integers = network.integers(&position);
    let logits = [120, -40].map(|tables| {
        let score = network.score(Score::eval(tables), integers.value).raw();
        f64::from(score) / f64::from(network.win_scale())
    });
    let expected = (loss(logits[0], targets[0]) + loss(logits[1], targets[1])) / 2.0;
    assert!(near(found.value.unwrap(), expected));
    // The factor is as good as any beside it.
    let with = |factor: f64| {
        (loss(factor * logits[0], targets[0]) + loss(factor * logits[1], targets[1])) / 2.0
    };
    let factor = found.factor.unwrap();
    assert!(near(found.calibrated.unwrap(), with(factor)));
    assert!(with(factor) < with(1.02 * factor) && with(factor) < with(0.98 * factor));

    // The tables have the best move behind; at large scales that costs least, as much as a guess.
    assert_eq!(tables.first, Some(0.0));
    assert!((tables.policy.unwrap() - 2f64.ln()).abs() < 0.01);
    // Before a cell the two stones come only if it is behind them.
    let index = |cell: usize| cell - STONES.iter().filter(|&&stone| stone < cell).count();
    let [best, other] = candidates.map(|(cell, _)| {
        let point = size().points().nth(cell).unwrap();
        let mut moves = Vec::new();
        let mut evaluator = Evaluators::shipped().make(EvaluatorKind::Patterns, RULE);
        evaluator.reset(&position);
        evaluator.order(&position, std::iter::once(point).collect(), &mut moves);
        moves[0].order + network.order(integers.policies[index(cell)])
    });
    let ahead = f64::from(best - other) / f64::from(network.order_scale());
    assert!(near(found.policy.unwrap(), -chance(ahead).ln()));
    assert_eq!(found.first, Some(f64::from(u8::from(best > other))));

    let held_out = LossOptions { only_held_out: true, ..options };
    let SampleLosses { values, choices, network: found, .. } = measured(&[path], &held_out).total;
    assert_eq!((values, choices, found.policy, found.first), (1, 0, None, None));
    assert!(near(found.value.unwrap(), loss(logits[1], targets[1])));
}

#[test]
fn the_integers_are_those_that_the_evaluator_of_a_search_gives() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample_file(&folder, "some.samples", 5, 60);
    let records = SampleReader::open(&path).unwrap().read(0, u64::MAX, false).unwrap();
    let mut records = records.iter();
    let evaluators = Evaluators::shipped();
    let target = FitTarget { score_share: 0.5, win_scale: 200.0 };
    let mut meter = Meter::new(Network::shipped(RULE), &evaluators, target);
    let mut evaluator = evaluators.make(EvaluatorKind::Network, RULE);
    let mut choices = 0;
    for game in games(RULE, size(), 5, 60) {
        let mut show = |judged: JudgedPosition<'_>| {
            let (position, best) = (judged.position, judged.best);
            let Some(replies) = undecided(position) else { return };
            let set = choice(position, &replies, best);
            if !tells_value(best, judged.result) && set.is_none() {
                return;
            }
            let record = records.next().unwrap();
            let (score, orders) = meter.judge(record);
            evaluator.reset(position);
            assert_eq!(score, evaluator.evaluate(position, Window::FULL));
            assert_eq!(record.choice.is_some(), set.is_some());
            let Some(set) = set else { return };
            let mut moves = Vec::new();
            evaluator.order(position, set, &mut moves);
            assert_eq!(orders, moves.iter().map(|m| m.order).collect::<Vec<_>>());
            assert_eq!(moves[record.choice.unwrap()].point, best.point);
            choices += 1;
        };
        replay(RULE, size(), &game, &mut show).unwrap();
    }
    assert!(records.next().is_none() && choices > 20);
}

#[test]
fn the_total_of_two_files_is_that_of_a_file_of_both_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = [(1, 700), (2, 90)]
        .map(|(seed, count)| sample_file(&folder, &format!("{seed}.samples"), seed, count));
    let parts = [&one, &two].map(|path| fs::read(path).unwrap());
    let count = |bytes: &[u8]| u64::from_le_bytes(bytes[16..24].try_into().unwrap());
    let counts = [count(&parts[0]), count(&parts[1])];
    assert!(counts[0] > CHUNK, "the test needs more than a chunk");
    let header = header(RULE, size(), counts[0] + counts[1]);
    let both = folder.path().join("both.samples");
    fs::write(&both, [&header[..], &parts[0][32..], &parts[1][32..]].concat()).unwrap();

    let usual = LossOptions::default();
    let apart = measured(&[one, two], &usual);
    let threads = LossOptions { threads: 3, ..usual };
    let together = measured(std::slice::from_ref(&both), &threads);
    assert_eq!(measured(&[both], &usual), together);
    assert_eq!(apart.files.len(), 2);
    let values = |losses: &SampleLosses| {
        let SampleLosses { values, choices, network, tables, floor } = *losses;
        let figures = [network, tables]
            .map(|f| [f.value, f.calibrated, f.factor, f.policy, f.first].map(Option::unwrap));
        let floor = [floor.unwrap(), values as f64, choices as f64];
        [figures.concat(), floor.to_vec()].concat()
    };
    let (apart, together) = (values(&apart.total), values(&together.total));
    let pairs = apart.iter().zip(&together);
    assert!(pairs.clone().all(|(&one, &other)| near(one, other)), "{apart:?}\n{together:?}");
}

#[test]
fn the_least_loss_of_the_tables_is_found_between_the_scales() {
    let folder = tempfile::tempdir().unwrap();
    // Moves that the tables choose at a scale that is none of those that are looked at.
    let games = games_of(&Weights::shipped(RULE), size(), 400.0, 8, 300);
    let path = samples_of(&folder, "some.samples", games);
    let report = measured(std::slice::from_ref(&path), &LossOptions::default());
    let records = SampleReader::open(&path).unwrap().read(0, u64::MAX, false).unwrap();
    let loss = |scale: f64| {
        let of_choice = |record: &SampleRecord| {
            let behind = |order: u8| f64::from(i32::from(255 - order) * 16) / scale;
            let total: f64 = record.candidates.iter().map(|c| (-behind(c.1)).exp()).sum();
            Some(total.ln() + behind(record.candidates[record.choice?].1))
        };
        let losses: Vec<f64> = records.iter().filter_map(of_choice).collect();
        losses.iter().sum::<f64>() / losses.len() as f64
    };
    let scale = crate::tuning::calibrate::least(20.0, 10_000.0, loss);
    assert!((300.0..500.0).contains(&scale), "{scale}");
    let best = loss(scale);
    let found = report.total.tables.policy.unwrap();
    assert!((found - best).abs() < 2e-5, "{found} for {best}");
}

#[test]
fn files_that_are_no_samples_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample_file(&folder, "some.samples", 5, 20);
    let whole = fs::read(&path).unwrap();
    let error = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let options = LossOptions::default();
        let paths = std::slice::from_ref(&path);
        measure_losses(paths, &Evaluators::shipped(), &options, &mut |_| {}).unwrap_err()
    };
    let damaged = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        error(&bytes)
    };
    let is_foreign = |error| matches!(error, LossError::Samples(SampleFileError::Foreign(_)));
    assert!(is_foreign(error(&[])) && is_foreign(error(&whole[..31])));
    assert!(
        [(0, 0), (8, 5), (9, 4), (12, 0)].into_iter().all(|(at, n)| is_foreign(damaged(at, n)))
    );
    let is_cut = |error| matches!(error, LossError::Samples(SampleFileError::Length { .. }));
    assert!(
        is_cut(error(&whole[..whole.len() - 1])) && is_cut(error(&[&whole[..], b"?"].concat()))
    );
    assert!(is_cut(damaged(23, 255)));
    // Four cells that are neither empty nor black nor white, a result that there is not.
    for at in [HEADER_BYTES, HEADER_BYTES + sample_bytes(size()) - 2] {
        let error = damaged(at, 255);
        let is_first =
            matches!(error, LossError::Samples(SampleFileError::Damaged { number: 1, .. }));
        assert!(is_first, "{error}");
    }
}

#[test]
fn files_of_other_rules_and_no_network_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = sample_file(&folder, "some.samples", 5, 20);
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = Rule::Renju as u8;
    let other = folder.path().join("other.samples");
    fs::write(&other, bytes).unwrap();
    let mut evaluators = Evaluators::shipped();
    let options = LossOptions::default();
    let paths = [path, other];
    let error = measure_losses(&paths, &evaluators, &options, &mut |_| {}).unwrap_err();
    assert!(error.to_string().ends_with("is of renju, those before of freestyle"), "{error}");
    evaluators.drop_networks();
    let error = measure_losses(&paths[..1], &evaluators, &options, &mut |_| {}).unwrap_err();
    assert!(matches!(error, LossError::NoNetwork), "{error}");
    let error = measure_losses(&[], &evaluators, &options, &mut |_| {}).unwrap_err();
    assert!(matches!(error, LossError::NoFiles), "{error}");
}
