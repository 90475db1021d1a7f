//! The contestants that `--engine`, `--each` and `--engines` name.

mod found;

pub(super) use found::engines_at;

use std::collections::HashSet;

use super::options::OptionError;
use crate::matches::args::EngineArgs;
use tengen_lab::arena::{Contestant, EngineWords};

/// The words of one engine, or of all.
#[derive(Clone, Debug)]
pub(super) struct EngineEntry {
    /// Its name in error messages.
    title: String,
    /// The words, with those of all engines once they are known.
    pub(super) words: EngineWords,
}

/// Returns the engines of the options, and then `more`, each with the words of all.
pub(super) fn entries(
    args: &EngineArgs,
    more: Vec<EngineEntry>,
) -> Result<Vec<EngineEntry>, OptionError> {
    let each = EngineEntry::read("--each", &args.each)?;
    if each.words.name.is_some() {
        return Err(OptionError::new("--each name=: every engine needs a name of its own"));
    }
    let named = args.engines.iter().map(|words| EngineEntry::read("--engine", words));
    let entry = |entry: Result<EngineEntry, OptionError>| {
        let EngineEntry { title, words } = entry?;
        words.check().map_err(|message| fault(&title, &message))?;
        Ok(EngineEntry { title, words: words.over(&each.words) })
    };
    named.chain(more.into_iter().map(Ok)).map(entry).collect()
}

/// Returns the contestants that engines make.
pub(super) fn contestants(entries: &[EngineEntry]) -> Result<Vec<Contestant>, OptionError> {
    let named = entries.iter().zip(names(entries)?);
    named
        .map(|(EngineEntry { title, words }, name)| {
            words.clone().contestant(name).map_err(|message| fault(title, &message))
        })
        .collect()
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

#[cfg(test)]
mod tests;
