//! The command that starts an engine.

use std::borrow::Cow;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// A program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineCommand {
    program: PathBuf,
    args: Vec<String>,
}

impl EngineCommand {
    /// Returns a command that starts `program` with `args`.
    ///
    /// A relative path with a separator is meant from the current directory, although engines
    /// are run in a directory of their own.
    #[must_use]
    pub fn new(program: impl AsRef<Path>, args: &[&str]) -> EngineCommand {
        let program = program.as_ref();
        let is_name = program.components().count() == 1;
        let program = match std::path::absolute(program) {
            Ok(path) if !is_name || path.is_file() => path,
            _ => program.to_owned(),
        };
        EngineCommand { program, args: args.iter().map(|&arg| arg.to_owned()).collect() }
    }

    /// Returns the program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Returns its arguments.
    #[must_use]
    pub fn args(&self) -> &[String] {
        &self.args
    }

    /// Returns the command with absolute paths for those arguments that name something in the
    /// current directory, so that they mean the same wherever the engine is started.
    ///
    /// An argument is such a path if it names an existing file, or a directory written with a
    /// separator (`data/`, `./data`, `..`); a bare word may well be a command of the engine, even
    /// if a directory has the same name. Of `key=path` and `--option=path` the part after the sign
    /// counts. What also exists below `dir`, where the engine is to be started, stays as it is.
    #[must_use]
    pub fn with_absolute_paths(mut self, dir: Option<&Path>) -> EngineCommand {
        for arg in &mut self.args {
            let (key, value) = match arg.split_once('=') {
                Some((key, value)) if !Path::new(arg.as_str()).exists() => {
                    (format!("{key}="), value)
                }
                _ => (String::new(), arg.as_str()),
            };
            if let Some(path) = absolute_path(value, dir) {
                *arg = format!("{key}{path}");
            }
        }
        self
    }

    /// Reads a command line: words separated by blanks, with single or double quotes around
    /// words that contain blanks. Returns `None` if there is no word.
    #[must_use]
    pub fn parse(line: &str) -> Option<EngineCommand> {
        let words = split_words(line);
        let (program, args) = words.split_first()?;
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        Some(EngineCommand::new(program, &args))
    }
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", quoted(&self.program.display().to_string()))?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(arg)))
    }
}

/// Returns the words of a line: they have blanks between them, and single or double quotes around what
/// contains blanks.
#[must_use]
pub fn split_words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Returns a word with the quotes that [`split_words`] needs to read it back as one.
#[must_use]
pub fn quoted(word: &str) -> Cow<'_, str> {
    let is_special = |c: char| c.is_whitespace() || c == '"' || c == '\'';
    if !word.is_empty() && !word.contains(is_special) {
        return word.into();
    }
    // A single quote means itself between double ones.
    format!("'{}'", word.replace('\'', "'\"'\"'")).into()
}

/// Returns the absolute form of a relative path to something that exists, if it is meant as one.
fn absolute_path(text: &str, dir: Option<&Path>) -> Option<String> {
    let path = Path::new(text);
    let is_below_dir = dir.is_some_and(|dir| dir.join(path).exists());
    if text.is_empty() || path.is_absolute() || is_below_dir {
        return None;
    }
    let is_bare_word = !text.contains(std::path::is_separator)
        && matches!(path.components().next(), Some(Component::Normal(_)));
    if path.is_file() || (path.is_dir() && !is_bare_word) {
        std::path::absolute(path).ok()?.into_os_string().into_string().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn command_lines_are_split_at_blanks_outside_quotes() {
        let command = EngineCommand::parse(r#" no-such-engine -a "b c"  'd "e"' "" "#).unwrap();
        assert_eq!(command.program, PathBuf::from("no-such-engine"));
        assert_eq!(command.args, ["-a", "b c", "d \"e\"", ""]);
        assert_eq!(EngineCommand::parse("  "), None);
    }

    proptest! {
        #[test]
        fn words_are_read_back_from_their_line(words in vec(".{0,9}|[ '\"a]{0,6}", 0..5)) {
            let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(split_words(&line), words);
        }
    }

    #[test]
    fn relative_paths_are_meant_from_here() {
        let command = EngineCommand::parse("./engine").unwrap();
        assert_eq!(command.program, std::env::current_dir().unwrap().join("engine"));
        assert_eq!(EngineCommand::new("sh", &[]).program, PathBuf::from("sh"));
    }

    #[test]
    fn arguments_that_name_files_are_made_absolute() {
        // Unit tests run in the directory of the package.
        let here = std::env::current_dir().unwrap();
        let absolute = |path: &str| here.join(path).display().to_string();
        let command = EngineCommand::parse(
            "x --weights Cargo.toml --net=src/lib.rs w=./src src nothing.bin -n 5 key=5 .",
        );
        let command = command.unwrap().with_absolute_paths(None);
        let expected = [
            "--weights",
            &absolute("Cargo.toml"),
            &format!("--net={}", absolute("src/lib.rs")),
            &format!("w={}", absolute("src")),
            "src",
            "nothing.bin",
            "-n",
            "5",
            "key=5",
            &here.display().to_string(),
        ];
        assert_eq!(command.args, expected);
    }

    #[test]
    fn what_exists_where_the_engine_is_started_stays_relative() {
        let here = std::env::current_dir().unwrap();
        let command = EngineCommand::parse("x Cargo.toml").unwrap();
        let command = command.with_absolute_paths(Some(&here));
        assert_eq!(command.args, ["Cargo.toml"]);
    }
}
