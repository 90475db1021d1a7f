//! How engines are started.

use std::fmt;
use std::path::{Path, PathBuf};

/// How an engine is started.
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

    /// Reads a command line: words separated by blanks, with single or double quotes around
    /// words that contain blanks. Returns `None` if there is no word.
    #[must_use]
    pub fn parse(line: &str) -> Option<EngineCommand> {
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
        let (program, args) = words.split_first()?;
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        Some(EngineCommand::new(program, &args))
    }
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_at_blanks_outside_quotes() {
        let command = EngineCommand::parse(r#" no-such-engine -a "b c"  'd "e"' "" "#).unwrap();
        assert_eq!(command.program, PathBuf::from("no-such-engine"));
        assert_eq!(command.args, ["-a", "b c", "d \"e\"", ""]);
        assert_eq!(EngineCommand::parse("  "), None);
    }

    #[test]
    fn relative_paths_are_meant_from_here() {
        let command = EngineCommand::parse("./engine").unwrap();
        assert_eq!(command.program, std::env::current_dir().unwrap().join("engine"));
        assert_eq!(EngineCommand::new("sh", &[]).program, PathBuf::from("sh"));
    }
}
