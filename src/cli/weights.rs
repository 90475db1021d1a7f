//! `--weights`: numbers of the evaluation and of move ordering instead of those that the program
//! comes with.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::patterns::weights::file::MAX_FILE_BYTES;
use crate::patterns::{PatternTables, Weights};

/// Makes the process use these files, each for its rule. To be called before anything looks at a
/// position.
pub(super) fn install(paths: &[PathBuf]) -> anyhow::Result<()> {
    for path in paths {
        PatternTables::install(&load(path)?)
            .with_context(|| format!("cannot use {}", path.display()))?;
    }
    Ok(())
}

/// Reads a file of weights.
pub(super) fn load(path: &Path) -> anyhow::Result<Weights> {
    let mut bytes = Vec::new();
    // A byte more than any weights have is enough to see that the file holds something else.
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {}", path.display()))?;
    Weights::from_bytes(&bytes).with_context(|| format!("cannot use {}", path.display()))
}
