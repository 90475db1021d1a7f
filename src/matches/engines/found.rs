//! The engines of `--engines`: the programs in a directory, or those that a file describes.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;

use super::EngineEntry;
use crate::matches::options::OptionError;
use tengen_lab::arena::{ContestantKind, EngineWords};
use tengen_lab::process::EngineCommand;

/// Returns the engines that are found at a path, in their order.
pub(in crate::matches) fn engines_at(path: &Path) -> anyhow::Result<Vec<EngineEntry>> {
    let is_dir = path.is_dir();
    let engines = if is_dir { programs(path)? } else { described(path)? };
    if engines.is_empty() {
        let what = if is_dir { "program" } else { "engine" };
        let message = format!("--engines {}: there is no {what} in it", path.display());
        return Err(OptionError::new(message).into());
    }
    Ok(engines)
}

/// Returns the programs of a directory in the order of their names.
fn programs(folder: &Path) -> anyhow::Result<Vec<EngineEntry>> {
    let action = || format!("cannot read {}", folder.display());
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).with_context(action)? {
        let path = entry.with_context(action)?.path();
        let is_hidden =
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !is_hidden && is_program(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found.iter().map(|program| EngineEntry::of_program(program)).collect())
}

impl EngineEntry {
    /// Returns a program of which nothing else is said.
    pub(super) fn of_program(program: &Path) -> EngineEntry {
        let kind = Some(ContestantKind::Process(EngineCommand::new(program, &[])));
        let words = EngineWords { kind, ..EngineWords::default() };
        EngineEntry { title: program.display().to_string(), words }
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.map(str::to_ascii_lowercase);
    path.is_file() && matches!(extension.as_deref(), Some("exe" | "bat" | "cmd"))
}

/// Returns the engines of a file.
fn described(path: &Path) -> anyhow::Result<Vec<EngineEntry>> {
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(read(&text, &path.display().to_string())?)
}

/// Reads a list of engines in JSON: of each an object with its words. `name` is that of the file.
fn read(text: &[u8], name: &str) -> Result<Vec<EngineEntry>, OptionError> {
    let lists: Vec<WordList> = serde_json::from_slice(text).map_err(|error| {
        OptionError::new(format!("--engines {name}: it is no list of engines in JSON: {error}"))
    })?;
    let entry = |(number, WordList(words)): (usize, WordList)| {
        let title = format!("{name}: engine {number}");
        let read = EngineWords::read(&words);
        let words = read.map_err(|error| OptionError::new(format!("{title}: {error}")))?;
        Ok(EngineEntry { title, words })
    };
    (1..).zip(lists).map(entry).collect()
}

/// The words of an engine in their order, with those that are there twice.
struct WordList(Vec<String>);

impl<'de> Deserialize<'de> for WordList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WordList, D::Error> {
        deserializer.deserialize_map(WordVisitor)
    }
}

struct WordVisitor;

impl<'de> Visitor<'de> for WordVisitor {
    type Value = WordList;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the words of an engine, such as {\"cmd\": \"./rapfi\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WordList, A::Error> {
        let mut words = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            let value = match value {
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Bool(on) => if on { "on" } else { "off" }.to_owned(),
                Value::Null | Value::Array(_) | Value::Object(_) => {
                    let message = format!("{key} is a text, a number, true or false");
                    return Err(A::Error::custom(message));
                }
            };
            words.push(format!("{key}={value}"));
        }
        Ok(WordList(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<String>, String> {
        let entries = read(text.as_bytes(), "e.json").map_err(|error| error.to_string())?;
        Ok(entries.iter().map(|entry| entry.words.to_string()).collect())
    }

    #[test]
    fn a_file_says_what_words_say() {
        let text = r#"[
            {"cmd": "/e/rapfi --threads '2 3'", "name": "S T", "tc": "40/60+0.5", "threads": 2,
             "restart": true, "hash": 16, "book": false},
            {"builtin": "shapes", "turn": 0.25, "memory": 350}
        ]"#;
        let expected = [
            "cmd='/e/rapfi --threads '\"'\"'2 3'\"'\"'' name='S T' tc=40/60+0.5 threads=2 restart=on \
             hash=16 book=off",
            "builtin=shapes turn=0.25 memory=350",
        ];
        assert_eq!(words(text).unwrap(), expected);
        assert_eq!(words("[]").unwrap(), [""; 0]);
    }

    #[test]
    fn what_is_no_engine_is_refused_with_its_place() {
        let list = "--engines e.json: it is no list of engines in JSON: ";
        for (text, message) in [
            ("{}", format!("{list}invalid type: map, expected a sequence at line 1 column 0")),
            (
                "[{\"cmd\": \"x\"},\n 7]",
                format!(
                    "{list}invalid type: integer `7`, expected an object with the words of an engine, \
                 such as {{\"cmd\": \"./rapfi\"}} at line 2 column 2"
                ),
            ),
            (
                "[{\"turn\": null}]",
                format!("{list}turn is a text, a number, true or false at line 1 column 15"),
            ),
            ("[{\"cmd\": ", format!("{list}EOF while parsing a value at line 1 column 9")),
            (
                "[{}, {\"turn\": \"soon\"}]",
                "e.json: engine 2: turn=soon: it is not a time such as \
                                            60, 0.5, 500ms, 4m or 1h"
                    .to_owned(),
            ),
            (
                "[{\"turn\": 1, \"turn\": 2}]",
                "e.json: engine 1: turn=2: turn= is there twice".to_owned(),
            ),
        ] {
            assert_eq!(words(text), Err(message), "{text}");
        }
    }
}
