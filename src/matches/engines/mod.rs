//! The contestants that `--engine`, `--each` and `--engines` name.

use std::collections::HashSet;
use std::path::PathBuf;

use super::options::OptionError;
use crate::matches::args::EngineArgs;
use tengen_lab::arena::{Contestant, ContestantKind, EngineWords};
use tengen_lab::process::EngineCommand;

/// Returns the contestants: the engines of the words, then the programs found in a folder.
pub(super) fn contestants(
    args: &EngineArgs,
    found: &[PathBuf],
) -> Result<Vec<Contestant>, OptionError> {
    let each = EngineEntry::read("--each", &args.each)?;
    if each.words.name.is_some() {
        return Err(OptionError::new("--each name=: every engine needs a name of its own"));
    }
    let mut entries = Vec::new();
    for words in &args.engines {
        let EngineEntry { title, words } = EngineEntry::read("--engine", words)?;
        words.check().map_err(|message| fault(&title, &message))?;
        entries.push(EngineEntry { title, words: words.over(&each.words) });
    }
    for program in found {
        let kind = Some(ContestantKind::Process(EngineCommand::new(program, &[])));
        let words = EngineWords { kind, ..each.words.clone() };
        entries.push(EngineEntry { title: program.display().to_string(), words });
    }
    let names = names(&entries)?;
    let named = entries.into_iter().zip(names);
    named
        .map(|(EngineEntry { title, words }, name)| {
            words.contestant(name).map_err(|message| fault(&title, &message))
        })
        .collect()
}

/// The words of one engine, or of all.
#[derive(Debug)]
struct EngineEntry {
    /// Its name in error messages.
    title: String,
    words: EngineWords,
}

impl EngineEntry {
    /// Reads the words after an option.
    fn read(option: &str, words: &[String]) -> Result<EngineEntry, OptionError> {
        let title = words.first().map_or(String::new(), |word| format!("{option} {word}"));
        let words = EngineWords::read(words)
            .map_err(|error| OptionError::new(format!("{option} {error}")))?;
        Ok(EngineEntry { title, words })
    }
}

fn fault(title: &str, message: &str) -> OptionError {
    OptionError::new(format!("{title}: {message}"))
}

/// Returns a name for each entry: the given one, or that of the program, made unique.
fn names(entries: &[EngineEntry]) -> Result<Vec<String>, OptionError> {
    let mut taken = HashSet::new();
    for name in entries.iter().filter_map(|entry| entry.words.name.as_deref()) {
        if !taken.insert(name.to_owned()) {
            return Err(OptionError::new(format!(
                "--engine name={name}: two engines are so named"
            )));
        }
    }
    let name = |entry: &EngineEntry| {
        if let Some(name) = &entry.words.name {
            return name.clone();
        }
        let plain = entry.words.plain_name();
        unique_name(plain.as_deref().unwrap_or("?"), &mut taken)
    };
    Ok(entries.iter().map(name).collect())
}

/// Returns a name, with a number if it is taken, and takes it.
pub(super) fn unique_name(plain: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{plain} ({number})"));
    let mut names = std::iter::once(plain.to_owned()).chain(numbered);
    // The numbers have no end, so there is a free one.
    names.find(|name| taken.insert(name.clone())).unwrap_or_default()
}

/// Returns the words about the contestant with this place, its own and those of all.
pub(super) fn words_of(args: &EngineArgs, place: usize) -> EngineWords {
    // Of words with a fault there is no contestant.
    let read = |words: &Vec<String>| EngineWords::read(words).unwrap_or_default();
    args.engines.get(place).map(read).unwrap_or_default().over(&read(&args.each))
}

#[cfg(test)]
mod tests;
