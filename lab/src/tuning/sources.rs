//! Samples of the games of files.

use std::path::{Path, PathBuf};

use super::corpus::CorpusReader;
use super::error::GamesError;
use super::features::SampleSet;
use super::game::TrainingGame;
use tengen_core::eval::classical::Provenance;
use tengen_files::work::Progress;

/// Samples with where they come from.
#[derive(Debug)]
pub struct Sources {
    /// The samples of all games.
    pub samples: SampleSet,
    /// The seed of the first file, and the checksum of the file, or of the checksums of all files
    /// in their order (four bytes each, the low one first) if there are several. The numbers of
    /// games and positions are left to the fit.
    pub provenance: Provenance,
}

impl Sources {
    /// Reads corpora of one rule with several threads, whose number makes no difference. `progress`
    /// receives the number of games read so far.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no file, one can't be read, they are of different rules or a
    /// game can't be replayed.
    pub fn read(
        paths: &[PathBuf],
        threads: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Sources, GamesError> {
        let first = paths.first().ok_or(GamesError::NoFiles)?;
        let options = *CorpusReader::open(first)?.options();
        let mut samples = SampleSet::new(options.rule);
        let mut crcs = Vec::new();
        for path in paths {
            let mut reader = CorpusReader::open(path)?;
            let rule = reader.options().rule;
            if rule != options.rule {
                let wanted = options.rule;
                return Err(GamesError::OtherRule { path: path.clone(), rule, wanted });
            }
            add(&mut samples, path, &mut reader, threads, progress)?;
            crcs.push(reader.crc());
        }
        Ok(Sources { samples, provenance: of_files(options.seed, &crcs) })
    }
}

/// Returns what [`Sources::provenance`] would be, without the work of taking samples.
///
/// # Errors
///
/// Returns an error if there is no file or one can't be read.
pub fn provenance(paths: &[PathBuf]) -> Result<Provenance, GamesError> {
    let first = paths.first().ok_or(GamesError::NoFiles)?;
    let seed = CorpusReader::open(first)?.options().seed;
    let crc = |path: &PathBuf| {
        let mut reader = CorpusReader::open(path)?;
        reader.by_ref().try_for_each(|game| game.map(drop))?;
        Ok(reader.crc())
    };
    let crcs = paths.iter().map(crc).collect::<Result<Vec<u32>, GamesError>>()?;
    Ok(of_files(seed, &crcs))
}

/// Returns where samples come from: from files with these checksums, the first with this seed.
fn of_files(seed: u64, crcs: &[u32]) -> Provenance {
    Provenance { seed, corpus_crc: crc_of_files(crcs), ..Provenance::default() }
}

/// Returns the checksum of files with these checksums: that of a single one is its own.
pub(super) fn crc_of_files(crcs: &[u32]) -> u32 {
    match *crcs {
        [crc] => crc,
        _ => crc32fast::hash(&crcs.iter().flat_map(|crc| crc.to_le_bytes()).collect::<Vec<_>>()),
    }
}

/// Adds the games of a file to samples.
fn add(
    samples: &mut SampleSet,
    path: &Path,
    reader: &mut CorpusReader,
    threads: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), GamesError> {
    let (size, before) = (reader.options().size, samples.games());
    let mut broken = None;
    let games = std::iter::from_fn(|| -> Option<TrainingGame> {
        match reader.next()? {
            Ok(played) => Some(played.game),
            Err(error) => {
                broken = Some(error);
                None
            }
        }
    });
    samples.add(size, games, threads, progress).map_err(|unplayable| {
        let game = unplayable.game - before + 1;
        GamesError::Unplayable { path: path.to_owned(), game }
    })?;
    broken.map_or(Ok(()), Err)
}
