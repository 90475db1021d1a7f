//! A file of openings that an interrupted run resumes.
//!
//! The file itself holds openings and nothing else, for the sake of those who read it. Next to it,
//! with `.state` added to its name, another says which options made it, and has the openings that
//! were finished before it was their turn; its lines have checksums. Both grow by whole lines; the part of one
//! that an interrupted run leaves is dropped.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::canonical::{Canonical, canonical};
use super::error::OpeningsError;
use super::games::Trials;
use super::generate::{MadeOpening, check_opening};
use super::options::{BY_GAMES, NO_GAMES, OpeningOptions};
use super::run::{EarlierOpenings, OpeningSink};
use super::text::{OpeningFormat, format_line, parse_line};
use tengen_core::types::Point;
use tengen_files::resume::{AppendLog, Differences, FileError, LockedFile, WholeLines};
use tengen_files::resume::{replace_file, with_suffix, with_sum};

/// The first line of a state file.
const TITLE: &str = "tengen openings";
/// The first word of the line of an opening in a state file.
const AHEAD: &str = "ahead";

/// An output file with its state.
#[derive(Debug)]
pub struct FileStore {
    options: OpeningOptions,
    output: AppendLog,
    state: AppendLog,
}

impl FileStore {
    /// Opens an output file, new or begun by an earlier run with the same options, and returns what
    /// that run made. Nobody else can write to it in the meantime.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the file is in use, of other origin, was begun
    /// with other options, or has lines that are no openings.
    pub fn open(
        path: &Path,
        options: &OpeningOptions,
    ) -> Result<(FileStore, EarlierOpenings), OpeningsError> {
        let state_path = with_suffix(path, ".state");
        let output = LockedFile::open(path)?;
        let length = output.file().metadata().map_err(|e| FileError::io("read", path, e))?.len();
        let mut ahead = BTreeMap::new();
        match open_state(&state_path)? {
            Some(file) => {
                let state = SavedState::read(&state_path, &file, options)?;
                let differences = Differences::between(state.fields, options.fields());
                if differences.is_empty() {
                    ahead = state.ahead;
                } else if length > 0 {
                    let path = path.to_owned();
                    return Err(OpeningsError::Different { path, differences });
                }
            }
            None if length == 0 => {}
            None => {
                return Err(OpeningsError::Foreign { path: path.to_owned(), state: state_path });
            }
        }
        let (forms, whole) = read_openings(path, output.file(), options)?;
        ahead.retain(|&index, _| index >= forms.len() as u64);
        let begun = EarlierOpenings { forms, ahead: ahead.into_values().collect() };

        // From here on files are changed. The state comes first: without it the output is foreign.
        let text = state_text(options, &begun.ahead);
        replace_file(&state_path, |file| file.write_all(text.as_bytes()))
            .map_err(|error| FileError::io("write", &state_path, error))?;
        let state = LockedFile::open(&state_path)?.resume(text.len() as u64, b"")?;
        let output = output.resume(whole, b"")?;
        Ok((FileStore { options: *options, output, state }, begun))
    }
}

impl OpeningSink for FileStore {
    fn write(&mut self, stones: &[Point]) -> Result<(), OpeningsError> {
        let line = format_line(stones, self.options.size, self.options.format) + "\n";
        Ok(self.output.append(line.as_bytes())?)
    }

    fn keep(&mut self, made: &MadeOpening) -> Result<(), OpeningsError> {
        Ok(self.state.append(ahead_line(made, &self.options).as_bytes())?)
    }
}

/// Opens a state file to be read, if there is one.
fn open_state(path: &Path) -> Result<Option<File>, FileError> {
    let failed = |error| FileError::io("read", path, error);
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => File::open(path).map(Some).map_err(failed),
        Ok(_) => Err(FileError::NotAFile(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// Reads the openings of an output file, and returns them with the length of their lines.
fn read_openings(
    path: &Path,
    file: &File,
    options: &OpeningOptions,
) -> Result<(Vec<Canonical>, u64), OpeningsError> {
    let mut forms = Vec::new();
    let mut numbers = HashMap::new();
    let mut lines = WholeLines::new(path, file)?;
    while let Some(text) = lines.next_line()? {
        let parsed = parse_line(text, options.size, options.format);
        let line = lines.number();
        let stones = parsed
            .map_err(|error| OpeningsError::BadLine(error.in_line(line as usize).in_file(path)))?;
        check_opening(options.rule, options.size, &stones)
            .map_err(|fault| OpeningsError::BadOpening { path: path.to_owned(), line, fault })?;
        let form = canonical(options.size, &stones);
        if let Some(first) = numbers.insert(form.clone(), line) {
            let path = path.to_owned();
            return Err(OpeningsError::Repeated { path, lines: (first, line) });
        }
        forms.push(form);
    }
    Ok((forms, lines.whole()))
}

/// Returns the content of a state file.
fn state_text(options: &OpeningOptions, ahead: &[MadeOpening]) -> String {
    let fields = options.fields().map(|(name, value)| with_sum(&format!("{name}: {value}")) + "\n");
    let ahead = ahead.iter().map(|made| ahead_line(made, options));
    [with_sum(TITLE) + "\n"].into_iter().chain(fields).chain(ahead).collect()
}

fn ahead_line(made: &MadeOpening, options: &OpeningOptions) -> String {
    let MadeOpening { index, attempt, stones, .. } = made;
    let opening = format_line(stones, options.size, OpeningFormat::Pos);
    with_sum(&format!("{AHEAD}: {index} {attempt} {opening}")) + "\n"
}

/// The content of a state file.
struct SavedState {
    /// The options as text, by name.
    fields: Vec<(&'static str, String)>,
    /// The openings by number. They are read as this run's options have it, and left out if the
    /// file was begun with other ones.
    ahead: BTreeMap<u64, MadeOpening>,
}

impl SavedState {
    fn read(
        path: &Path,
        file: &File,
        options: &OpeningOptions,
    ) -> Result<SavedState, OpeningsError> {
        let bad = |fault| OpeningsError::BadState { path: path.to_owned(), fault };
        let mut lines = WholeLines::new(path, file)?;
        if lines.next_summed()?.as_deref() != Some(TITLE) {
            return Err(bad(format!("the first line is not `{TITLE}`")));
        }
        let now = options.fields();
        let mut fields: Vec<(&str, String)> = Vec::new();
        let mut openings = Vec::new();
        let mut number = 1;
        while let Some(line) = lines.next_summed()? {
            number += 1;
            let Some((name, value)) = line.split_once(": ") else {
                return Err(bad(format!("line {number} is not a name and a value")));
            };
            let value = value.to_owned();
            match now.iter().find(|(known, _)| *known == name) {
                _ if name == AHEAD => openings.push((number, value)),
                Some((known, _)) if fields.iter().any(|(other, _)| other == known) => {
                    return Err(bad(format!("line {number} gives {name} a second time")));
                }
                Some(&(known, _)) => fields.push((known, value)),
                None => return Err(bad(format!("line {number} has the unknown name {name:?}"))),
            }
        }
        if fields.iter().all(|&(name, _)| name != BY_GAMES) {
            fields.push((BY_GAMES, NO_GAMES.to_owned()));
        }
        let has = |name: &str| fields.iter().any(|&(other, _)| other == name);
        if let Some((name, _)) = now.iter().find(|(name, _)| !has(name)) {
            return Err(bad(format!("there is no line for {name}")));
        }
        let mut ahead = BTreeMap::new();
        if now.iter().all(|option| fields.contains(option)) {
            for (number, value) in openings {
                let made = parse_ahead(&value, options).ok_or_else(|| {
                    bad(format!("line {number} is not an opening with its number"))
                })?;
                ahead.insert(made.index, made);
            }
        }
        Ok(SavedState { fields, ahead })
    }
}

fn parse_ahead(text: &str, options: &OpeningOptions) -> Option<MadeOpening> {
    let mut parts = text.split(' ');
    let (index, attempt) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let stones = parse_line(parts.next()?, options.size, OpeningFormat::Pos).ok()?;
    let fits = parts.next().is_none() && index < u64::MAX && attempt < u32::MAX;
    let good = fits && check_opening(options.rule, options.size, &stones).is_ok();
    good.then_some(MadeOpening { index, attempt, stones, trials: Trials::default() })
}

#[cfg(test)]
mod tests;
