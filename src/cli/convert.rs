//! `tengen convert`.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};

use super::args::ConvertArgs;
use super::files::{STREAM, load, numbered, write_whole};
use super::words::note;
use crate::notation::Origin;
use crate::records::{Format, losses, write_file};

/// Reads all games, and writes them in another format.
pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let output = args.output.as_deref().filter(|path| *path != Path::new(STREAM));
    let format = args.to.or_else(|| output.and_then(Format::of_path));
    let format =
        format.context("name the format with --to, or by the extension of a file for --output")?;
    // Everything is read and written in memory first, so that an error leaves no files.
    let mut texts = Vec::new();
    let mut lost = Losses::default();
    for path in &args.inputs {
        let (mut records, _) = load(path, &args.source, args.origin)?;
        for (i, record) in records.iter_mut().enumerate() {
            if format == Format::Pos && args.output_origin == Origin::Bottom {
                record.flip_rows();
            }
            let text = write_file(record, format, texts.len() + 1, args.source.encoding);
            let game = || format!("{}, game {}", path.display(), i + 1);
            texts.push(text.with_context(game)?);
            lost.add(&losses(record, format).with_context(game)?);
        }
    }
    match output {
        Some(path) if format.holds_many() || texts.len() == 1 => {
            write_whole(path, texts.concat())?;
        }
        Some(path) => {
            for (i, text) in texts.iter().enumerate() {
                write_whole(&numbered(path, i + 1, texts.len()), text)?;
            }
        }
        None if format.holds_many() || texts.len() == 1 => {
            io::stdout().write_all(&texts.concat())?;
        }
        None => bail!(
            "{format} holds one game a file, and there are {}: name one with --output, to which \
             numbers are added",
            texts.len()
        ),
    }
    if let Some(message) = lost.message(format, texts.len()) {
        note(message);
    }
    Ok(ExitCode::SUCCESS)
}

/// The names of what was lost, and in how many games.
#[derive(Default)]
pub(super) struct Losses(Vec<(&'static str, usize)>);

impl Losses {
    pub(super) fn add(&mut self, names: &[&'static str]) {
        for &name in names {
            match self.0.iter_mut().find(|(known, _)| *known == name) {
                Some((_, games)) => *games += 1,
                None => self.0.push((name, 1)),
            }
        }
    }

    pub(super) fn message(&self, format: Format, games: usize) -> Option<String> {
        let part = |&(name, count): &(&str, usize)| {
            if count == games { name.to_owned() } else { format!("{name} ({count} of {games})") }
        };
        let parts: Vec<String> = self.0.iter().map(part).collect();
        (!parts.is_empty())
            .then(|| format!("Lost, as {format} cannot hold it: {}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_told_once_with_how_often_they_happened() {
        let mut lost = Losses::default();
        assert_eq!(lost.message(Format::Psq, 0), None);
        lost.add(&["the rule", "scores"]);
        lost.add(&["the rule"]);
        let message = "Lost, as psq cannot hold it: the rule, scores (1 of 2)";
        assert_eq!(lost.message(Format::Psq, 2).as_deref(), Some(message));
    }
}
