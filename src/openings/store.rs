//! A file of openings that an interrupted run goes on with.
//!
//! The file itself holds openings and nothing else, for the sake of those who read it. Next to it,
//! with `.state` added to its name, another says which options made it, and has the openings that
//! were finished before it was their turn. Lines are added to both by single writes, so a run that
//! is killed leaves whole lines; if the system goes down and leaves a part of one, that part is
//! dropped.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::canonical::{Canonical, canonical};
use super::error::{Difference, OpeningsError};
use super::generate::{Made, check_opening};
use super::options::OpeningOptions;
use super::run::{Begun, Sink};
use super::text::{Format, format_line, parse_line};
use crate::records::RecordError;
use crate::types::Point;

/// The first line of a state file.
const TITLE: &str = "tengen openings";
/// What begins the line of an opening in a state file.
const AHEAD: &str = "ahead";
/// The largest files that are read, in bytes: far beyond any that is of use.
const MOST_BYTES: u64 = 256 << 20;

/// An output file with its state.
#[derive(Debug)]
pub struct FileStore {
    options: OpeningOptions,
    path: PathBuf,
    file: File,
    /// The length that the file has if nobody else writes to it.
    len: u64,
    state_path: PathBuf,
    state: File,
}

impl FileStore {
    /// Opens an output file, new or begun by an earlier run with the same options, and returns what
    /// that run made.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the file is of other origin, was begun with other
    /// options, or has lines that are no openings.
    pub fn open(
        path: &Path,
        options: &OpeningOptions,
    ) -> Result<(FileStore, Begun), OpeningsError> {
        let state_path = with_suffix(path, ".state");
        let lines = read(path)?.unwrap_or_default();
        let whole = whole_lines(&lines);
        let mut ahead = BTreeMap::new();
        match read(&state_path)? {
            Some(text) => {
                let (fields, kept) = parse_state(&text, options)
                    .map_err(|fault| OpeningsError::BadState { path: state_path.clone(), fault })?;
                let differences = differences(options, &fields);
                if differences.is_empty() {
                    ahead = kept;
                } else if !lines.is_empty() {
                    let path = path.to_owned();
                    return Err(OpeningsError::Different { path, differences });
                }
            }
            None if lines.is_empty() => {}
            None => {
                return Err(OpeningsError::Foreign { path: path.to_owned(), state: state_path });
            }
        }
        let forms = parse_openings(path, whole, options)?;
        ahead.retain(|&index, _| index >= forms.len() as u64);
        let begun = Begun { forms, ahead: ahead.into_values().collect() };

        // From here on files are changed. The state comes first: without it the output is foreign.
        let state = write_state(&state_path, options, &begun.ahead)?;
        let failed = |error| OpeningsError::io(format!("write {}", path.display()), error);
        let len = whole.len() as u64;
        if whole.len() < lines.len() {
            // Windows does not let a file be cut that is open for more lines only.
            let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
            file.set_len(len).map_err(failed)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        let path = path.to_owned();
        let store = FileStore { options: *options, path, file, len, state_path, state };
        Ok((store, begun))
    }
}

impl Sink for FileStore {
    fn write(&mut self, stones: &[Point]) -> Result<(), OpeningsError> {
        let mut line = format_line(stones, self.options.size, self.options.format);
        line.push('\n');
        let failed = |error| OpeningsError::io(format!("write {}", self.path.display()), error);
        if self.file.metadata().map_err(failed)?.len() != self.len {
            return Err(OpeningsError::Changed(self.path.clone()));
        }
        self.file.write_all(line.as_bytes()).map_err(failed)?;
        self.len += line.len() as u64;
        Ok(())
    }

    fn keep(&mut self, made: &Made) -> Result<(), OpeningsError> {
        let line = ahead_line(made, &self.options);
        let failed =
            |error| OpeningsError::io(format!("write {}", self.state_path.display()), error);
        self.state.write_all(line.as_bytes()).map_err(failed)
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns the text of a regular file, or `None` if there is none.
fn read(path: &Path) -> Result<Option<String>, OpeningsError> {
    let failed = |error| OpeningsError::io(format!("read {}", path.display()), error);
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !metadata.is_file() {
        return Err(OpeningsError::NotAFile(path.to_owned()));
    }
    if metadata.len() > MOST_BYTES {
        return Err(failed(io::ErrorKind::FileTooLarge.into()));
    }
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(failed)?;
    Ok(Some(text))
}

/// Returns the part of a text up to its last line end.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// Reads the openings of an output file.
fn parse_openings(
    path: &Path,
    text: &str,
    options: &OpeningOptions,
) -> Result<Vec<Canonical>, OpeningsError> {
    let mut forms = Vec::new();
    let mut lines = HashMap::new();
    for (i, text) in text.lines().enumerate() {
        let line = i + 1;
        let stones = parse_line(text, options.size, options.format)
            .map_err(|error| OpeningsError::BadLine(RecordError { line, ..error.in_file(path) }))?;
        check_opening(options.rule, options.size, &stones)
            .map_err(|fault| OpeningsError::BadOpening { path: path.to_owned(), line, fault })?;
        let form = canonical(options.size, &stones);
        if let Some(first) = lines.insert(form.clone(), line) {
            let path = path.to_owned();
            return Err(OpeningsError::Repeated { path, lines: (first, line) });
        }
        forms.push(form);
    }
    Ok(forms)
}

/// Writes a state file anew, and returns it open for more lines.
fn write_state(
    path: &Path,
    options: &OpeningOptions,
    ahead: &[Made],
) -> Result<File, OpeningsError> {
    let mut text = format!("{TITLE}\n");
    for (name, value) in options.fields() {
        text.push_str(&format!("{name}: {value}\n"));
    }
    for made in ahead {
        text.push_str(&ahead_line(made, options));
    }
    let failed = |error| OpeningsError::io(format!("write {}", path.display()), error);
    // A state file is there as a whole or not at all.
    let new = with_suffix(path, ".new");
    File::create(&new)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&new, path))
        .map_err(failed)?;
    OpenOptions::new().append(true).open(path).map_err(failed)
}

fn ahead_line(made: &Made, options: &OpeningOptions) -> String {
    let Made { index, attempt, stones } = made;
    format!("{AHEAD}: {index} {attempt} {}\n", format_line(stones, options.size, Format::Pos))
}

/// What a state file says of the options.
type Fields = HashMap<&'static str, String>;

/// Reads a state file: the options as text, and openings by their number. Those are read as this
/// run's options have it, and are of no use if the file says that they are other ones.
fn parse_state(
    text: &str,
    options: &OpeningOptions,
) -> Result<(Fields, BTreeMap<u64, Made>), String> {
    let mut lines = whole_lines(text).lines();
    if lines.next() != Some(TITLE) {
        return Err(format!("the first line is not `{TITLE}`"));
    }
    let known = options.fields().map(|(name, _)| name);
    let mut fields = Fields::new();
    let mut ahead = Vec::new();
    for (number, line) in (2..).zip(lines) {
        let Some((name, value)) = line.split_once(": ") else {
            return Err(format!("line {number} is not a name and a value"));
        };
        if name == AHEAD {
            ahead.push((number, value));
        } else if let Some(&name) = known.iter().find(|&&known| known == name) {
            if fields.insert(name, value.to_owned()).is_some() {
                return Err(format!("line {number} gives {name} a second time"));
            }
        } else {
            return Err(format!("line {number} has the unknown name {name:?}"));
        }
    }
    if let Some(name) = known.iter().find(|&name| !fields.contains_key(name)) {
        return Err(format!("there is no line for {name}"));
    }
    if !differences(options, &fields).is_empty() {
        return Ok((fields, BTreeMap::new()));
    }
    let mut all = BTreeMap::new();
    for (number, value) in ahead {
        let made = parse_ahead(value, options)
            .ok_or_else(|| format!("line {number} is not an opening with its number"))?;
        all.insert(made.index, made);
    }
    Ok((fields, all))
}

fn parse_ahead(text: &str, options: &OpeningOptions) -> Option<Made> {
    let mut parts = text.split(' ');
    let (index, attempt) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let stones = parse_line(parts.next()?, options.size, Format::Pos).ok()?;
    let fits = parts.next().is_none() && index < u64::MAX && attempt < u32::MAX;
    let good = fits && check_opening(options.rule, options.size, &stones).is_ok();
    good.then_some(Made { index, attempt, stones })
}

/// Returns the options that are not what the fields of a state file say.
fn differences(options: &OpeningOptions, fields: &Fields) -> Vec<Difference> {
    let differs = |(name, now): (&'static str, String)| {
        let begun = fields.get(name).cloned().unwrap_or_default();
        (begun != now).then_some(Difference { name, begun, now })
    };
    options.fields().into_iter().filter_map(differs).collect()
}

#[cfg(test)]
mod tests;
