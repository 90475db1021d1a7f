//! Files of samples for the trainer of the network: positions, what a search thought of them and
//! how their games ended.
//!
//! All numbers are little endian.
//!
//! | bytes | of the header |
//! | --: | --- |
//! | 8 | [`MAGIC`] |
//! | 1 | rule (0 freestyle, 1 standard, 2 renju, 3 caro, 4 exact caro) |
//! | 1 + 1 + 1 | width, height, 0 |
//! | 4 | bytes of a sample |
//! | 8 | number of samples |
//! | 8 | 0 |
//!
//! | bytes | of a sample |
//! | --: | --- |
//! | ¼ each, rounded up | cells row by row, the first in the low bits (0 empty, 1 black, 2 white) |
//! | 1 each | orders, row by row: 0 for cells that are not candidates, 255 for the candidate that the tables rank first, less for others by [`ORDER_STEP`] of their order, at least 1 |
//! | 2 | score of the search for the side to move, in units; from 29,000 on proven |
//! | 2 | score of the tables for the side to move, in units |
//! | 2 | best move, `y * width + x` |
//! | 1 | result for the side to move in half points, 3 for a leaf |
//! | 1 | flags: 1 black to move, 2 leaf, 4 held out, 8 tells a value, 16 tells a choice: the best move is one of several candidates and does not lose |

mod reader;

pub(super) use reader::SampleRecord;
pub use reader::{SampleFileError, SampleReader};

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use super::corpus::CorpusReader;
use super::error::GamesError;
use super::features::{
    JudgedPosition, SamplePart, choice, in_parallel, replay, tells_value, undecided,
};
use super::game::TrainingGame;
use tengen_core::eval::{Evaluator, EvaluatorKind, Evaluators, OrderedMove, Window};
use tengen_core::rules::Rule;
use tengen_core::types::{Cell, Color, Point, Score, Size};
use tengen_files::resume::{FileError, replace_file};
use tengen_files::work::Progress;

/// The first bytes of a file of samples.
pub const MAGIC: [u8; 8] = *b"tengsam2";
/// The bytes of a header.
pub const HEADER_BYTES: usize = 32;
/// The difference of ordering scores that is one step of a sample's orders.
pub const ORDER_STEP: i32 = 16;
/// The bytes of a sample beside its cells and orders.
const TAIL_BYTES: usize = 8;
/// The number of games that a thread replays at a time.
const BATCH_GAMES: usize = 64;

/// The result of a leaf.
const NO_RESULT: u8 = 3;
const BLACK_TO_MOVE: u8 = 1;
const LEAF: u8 = 2;
const HELD_OUT: u8 = 4;
const TELLS_VALUE: u8 = 8;
const TELLS_CHOICE: u8 = 16;
/// The order of the best candidate.
pub(in crate::tuning) const BEST_ORDER: i32 = 255;

/// Writes the samples of a corpus to a file, as a whole or not at all; returns their number, which
/// like the samples does not depend on the number of threads. With `only_leaves` the positions of the games
/// themselves are left out. `progress` receives the number of games read so far.
///
/// # Errors
///
/// Returns an error if a file can't be read or written, or a game can't be replayed.
pub fn write_samples(
    corpus: &Path,
    output: &Path,
    only_leaves: bool,
    threads: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<u64, GamesError> {
    let mut reader = CorpusReader::open(corpus)?;
    let mut failed = None;
    let written = replace_file(output, |file| {
        let samples = fill(file, &mut reader, only_leaves, threads, progress);
        samples.map_err(|error| match error {
            FillError::Output(error) => error,
            FillError::Games(error) => {
                failed = Some(error);
                io::ErrorKind::InvalidData.into()
            }
        })
    });
    match (written, failed) {
        (Ok(samples), _) => Ok(samples),
        (Err(_), Some(error)) => Err(error),
        (Err(error), None) => Err(FileError::io("write", output, error).into()),
    }
}

/// The reason why a file could not be filled.
enum FillError {
    Output(io::Error),
    Games(GamesError),
}

/// Writes a whole file of samples.
fn fill(
    file: &mut File,
    reader: &mut CorpusReader,
    only_leaves: bool,
    threads: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<u64, FillError> {
    let (rule, size) = (reader.options().rule, reader.options().size);
    let path = reader.path().to_owned();
    let mut out = BufWriter::new(&mut *file);
    out.write_all(&header(rule, size, 0)).map_err(FillError::Output)?;
    let (mut games, mut samples) = (0, 0);
    loop {
        let batch = reader.by_ref().take(BATCH_GAMES * threads.max(1));
        let batch: Vec<TrainingGame> = batch
            .map(|played| Ok(played?.game))
            .collect::<Result<_, _>>()
            .map_err(FillError::Games)?;
        if batch.is_empty() {
            break;
        }
        let work = |first, games: &[TrainingGame]| pack(rule, size, only_leaves, first, games);
        for part in in_parallel(games, &batch, BATCH_GAMES, work) {
            let bytes = part.map_err(|number| {
                FillError::Games(GamesError::Unplayable { path: path.clone(), game: number + 1 })
            })?;
            out.write_all(&bytes).map_err(FillError::Output)?;
            samples += (bytes.len() / sample_bytes(size)) as u64;
        }
        games += batch.len() as u64;
        progress(Progress { done: games, by_this_run: games });
    }
    out.flush().map_err(FillError::Output)?;
    drop(out);
    let finish = |file: &mut File| {
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header(rule, size, samples))
    };
    finish(file).map_err(FillError::Output)?;
    Ok(samples)
}

/// Returns the samples of games, or the index of one that can't be replayed.
fn pack(
    rule: Rule,
    size: Size,
    only_leaves: bool,
    first: u64,
    games: &[TrainingGame],
) -> Result<Vec<u8>, u64> {
    let mut tables = Evaluators::shipped().make(EvaluatorKind::Patterns, rule);
    let mut bytes = Vec::new();
    for (index, game) in (first..).zip(games) {
        let part = SamplePart::of(index);
        let mut show = |judged: JudgedPosition<'_>| {
            if judged.result.is_none() || !only_leaves {
                add(&mut bytes, judged, part, &mut *tables);
            }
        };
        replay(rule, size, game, &mut show).ok_or(index)?;
    }
    Ok(bytes)
}

/// Adds a sample if there is something to learn from the position.
fn add(
    bytes: &mut Vec<u8>,
    judged: JudgedPosition<'_>,
    part: SamplePart,
    tables: &mut dyn Evaluator,
) {
    let JudgedPosition { position, best, result } = judged;
    let Some(replies) = undecided(position) else { return };
    let candidates = choice(position, &replies, best);
    let (us, size) = (position.to_move(), position.size());
    let start = bytes.len();
    let orders = start + cell_bytes(size);
    bytes.resize(orders + size.area(), 0);
    for (i, point) in size.points().enumerate() {
        let cell = match position.board().cell(point) {
            Cell::Stone(Color::Black) => 1,
            Cell::Stone(Color::White) => 2,
            _ => 0,
        };
        bytes[start + i / 4] |= cell << (2 * (i % 4));
    }
    tables.reset(position);
    if let Some(candidates) = candidates {
        let mut moves = Vec::with_capacity(candidates.len());
        tables.order(position, candidates, &mut moves);
        let best = moves.iter().map(|m| m.order).max().unwrap_or_default();
        for OrderedMove { point, order } in moves {
            let order = BEST_ORDER - (best - order) / ORDER_STEP;
            bytes[orders + usize::from(cell_number(size, point))] = order.max(1) as u8;
        }
    }
    // Every score fits; see its documentation.
    let score = |score: Score| (score.raw() as i16).to_le_bytes();
    bytes.extend(score(best.score));
    bytes.extend(score(tables.evaluate(position, Window::FULL)));
    bytes.extend(cell_number(size, best.point).to_le_bytes());
    bytes.push(result.map_or(NO_RESULT, |result| result.half_points(us)));
    let flag = |is_set, flag| if is_set { flag } else { 0 };
    bytes.push(
        flag(us == Color::Black, BLACK_TO_MOVE)
            | flag(result.is_none(), LEAF)
            | flag(part == SamplePart::HeldOut, HELD_OUT)
            | flag(tells_value(best, result), TELLS_VALUE)
            | flag(candidates.is_some(), TELLS_CHOICE),
    );
}

fn cell_number(size: Size, point: Point) -> u16 {
    u16::from(point.y()) * u16::from(size.width()) + u16::from(point.x())
}

fn cell_bytes(size: Size) -> usize {
    size.area().div_ceil(4)
}

pub(super) fn sample_bytes(size: Size) -> usize {
    cell_bytes(size) + size.area() + TAIL_BYTES
}

pub(super) fn header(rule: Rule, size: Size, samples: u64) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = rule as u8;
    header[9] = size.width();
    header[10] = size.height();
    header[12..16].copy_from_slice(&(sample_bytes(size) as u32).to_le_bytes());
    header[16..24].copy_from_slice(&samples.to_le_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::corpus::CorpusStore;
    use crate::tuning::fit::testing::games;
    use crate::tuning::{Ending, SelfPlayGame, SelfPlayOptions};
    use tengen_core::types::PointSet;

    /// Writes games to a corpus and returns its samples as written with this number of threads.
    fn samples(rule: Rule, games: &[TrainingGame], threads: usize) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, output) = (folder.path().join("games"), folder.path().join("samples"));
        let options = SelfPlayOptions::new(rule, Size::square(15).unwrap());
        let (mut store, _) = CorpusStore::open(&corpus, &options).unwrap();
        for game in games {
            let played = SelfPlayGame { game: game.clone(), ending: Ending::Rule };
            store.append(&played).unwrap();
        }
        store.sync().unwrap();
        let mut read = 0;
        let count =
            write_samples(&corpus, &output, false, threads, &mut |now| read = now.done).unwrap();
        let bytes = std::fs::read(&output).unwrap();
        assert_eq!(read, games.len() as u64);
        assert_eq!(bytes[..8], MAGIC);
        assert_eq!(bytes[8..12], [rule as u8, 15, 15, 0]);
        assert_eq!(bytes[16..24], count.to_le_bytes());
        let size = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        assert_eq!(bytes.len(), HEADER_BYTES + count as usize * size);
        bytes
    }

    #[test]
    fn samples_do_not_depend_on_the_number_of_threads() {
        let games = games(Rule::Freestyle, Size::square(15).unwrap(), 150, 3);
        let one = samples(Rule::Freestyle, &games, 1);
        assert_eq!(one, samples(Rule::Freestyle, &games, 3));
        assert!(one.len() > HEADER_BYTES);
    }

    #[test]
    fn a_sample_is_the_position_with_what_was_thought_of_it() {
        let (rule, size) = (Rule::Renju, Size::square(15).unwrap());
        let games = games(rule, size, 20, 4);
        let bytes = samples(rule, &games, 2);
        let mut samples = bytes[HEADER_BYTES..].chunks_exact(sample_bytes(size));
        for (index, game) in (0..).zip(&games) {
            let mut show = |judged: JudgedPosition<'_>| {
                let JudgedPosition { position, best, result } = judged;
                let Some(replies) = undecided(position) else { return };
                let candidates = choice(position, &replies, best);
                let sample = samples.next().expect("a sample of the position");
                let mut stones = [0; 3];
                for (i, point) in size.points().enumerate() {
                    let cell = usize::from(sample[i / 4] >> (2 * (i % 4)) & 3);
                    stones[cell] += 1;
                    let expected = match position.board().cell(point) {
                        Cell::Stone(color) => 1 + color as usize,
                        _ => 0,
                    };
                    assert_eq!(cell, expected);
                }
                let [score_low, score_high, _, _, move_low, move_high, points, flags] =
                    sample[cell_bytes(size) + size.area()..].try_into().unwrap();
                assert_eq!(
                    i32::from(i16::from_le_bytes([score_low, score_high])),
                    best.score.raw()
                );
                let us = position.to_move();
                let number = usize::from(u16::from_le_bytes([move_low, move_high]));
                assert_eq!(size.points().nth(number), Some(best.point));
                assert_eq!(points == NO_RESULT, result.is_none());
                assert_eq!(flags & BLACK_TO_MOVE != 0, us == Color::Black);
                assert_eq!(flags & LEAF != 0, result.is_none());
                assert_eq!(flags & HELD_OUT != 0, index == 0 || index == 16);
                assert_eq!(flags & TELLS_VALUE != 0, tells_value(best, result));
                assert_eq!(flags & TELLS_CHOICE != 0, candidates.is_some());
                assert_eq!(stones[1] + stones[2], position.played());
                let orders = &sample[cell_bytes(size)..][..size.area()];
                let ranked = size.points().zip(orders).filter(|&(_, &order)| order > 0);
                let ranked: PointSet = ranked.map(|(point, _)| point).collect();
                assert_eq!(ranked, candidates.unwrap_or_default());
                let mut tables = Evaluators::shipped().make(EvaluatorKind::Patterns, rule);
                tables.reset(position);
                let mut moves = Vec::new();
                tables.order(position, ranked, &mut moves);
                moves.sort_by_key(|m| -m.order);
                for m in &moves {
                    let behind = (moves[0].order - m.order) / ORDER_STEP;
                    let order = orders[usize::from(cell_number(size, m.point))];
                    assert_eq!(i32::from(order), (BEST_ORDER - behind).max(1));
                }
            };
            replay(rule, size, game, &mut show).unwrap();
        }
        assert!(samples.next().is_none());
    }

    #[test]
    fn a_corpus_that_cannot_be_read_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, output) = (folder.path().join("games"), folder.path().join("samples"));
        std::fs::write(&corpus, b"no games").unwrap();
        let error = write_samples(&corpus, &output, false, 1, &mut |_| {}).unwrap_err();
        assert!(matches!(error, GamesError::Header { .. }), "{error}");
        assert!(!output.exists());
    }
}
