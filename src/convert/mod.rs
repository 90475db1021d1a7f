//! `tengen convert`.

pub(crate) mod args;

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};

use self::args::ConvertArgs;
use crate::common::files::{GameFile, STREAM, check_apart, check_sources, code, write_whole_from};
use crate::common::losses::Losses;
use crate::common::words::note;
use tengen_core::notation::Origin;
use tengen_files::records::{Format, WriteError, losses, write_file};
use tengen_files::words::numbered;

/// Reads all games, one at a time, and writes them in another format.
pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let output = args.output.as_deref().filter(|path| *path != Path::new(STREAM));
    let format = args.to.or_else(|| output.and_then(Format::of_path));
    let format =
        format.context("name the format with --to, or by the extension of a file for --output")?;
    ensure!(format != Format::Rif, WriteError::OnlyRead(format));
    check_sources(&args.inputs)?;
    let mut written = ConvertOutput::new(format, output)?;
    let mut lost = Losses::default();
    let mut refused = 0;
    for path in &args.inputs {
        let mut file = GameFile::open(path, &args.source, args.origin)?;
        while let Some((number, mut record)) = file.next()? {
            let names = losses(&record, format);
            if format == Format::Pos && args.output_origin == Origin::Bottom {
                record.flip_rows();
            }
            let text =
                write_file(&record, format, written.count() + 1, args.source.reading.encoding);
            let text = text.and_then(|text| Ok((text, names?)));
            match text.with_context(|| file.place(number)) {
                Ok((text, names)) => {
                    written.add(&text)?;
                    lost.add(&names);
                }
                Err(error) => file.refuse(&error),
            }
        }
        refused += file.refused();
    }
    let count = written.count();
    written.end(&args.inputs)?;
    if let Some(message) = lost.message(format, count) {
        note(message);
    }
    Ok(code(refused))
}

/// The games that were written, and where they go in the end: as a whole or not at all, unless that is
/// standard output.
struct ConvertOutput<'a> {
    format: Format,
    output: Option<&'a Path>,
    /// All games one after the other, if they have to wait.
    waiting: Option<BufWriter<File>>,
    /// The lengths of the games that wait.
    lengths: Vec<u64>,
    count: usize,
}

impl<'a> ConvertOutput<'a> {
    fn new(format: Format, output: Option<&'a Path>) -> anyhow::Result<ConvertOutput<'a>> {
        // Their number is not known yet.
        let waits = output.is_some() || !format.holds_many();
        let file = waits.then(tempfile::tempfile).transpose();
        let waiting = file.context("cannot make a temporary file")?.map(BufWriter::new);
        Ok(ConvertOutput { format, output, waiting, lengths: Vec::new(), count: 0 })
    }

    const fn count(&self) -> usize {
        self.count
    }

    fn add(&mut self, text: &[u8]) -> anyhow::Result<()> {
        self.count += 1;
        match &mut self.waiting {
            None => io::stdout().write_all(text)?,
            Some(file) => {
                file.write_all(text).context("cannot write a temporary file")?;
                if !self.format.holds_many() {
                    self.lengths.push(text.len() as u64);
                }
            }
        }
        Ok(())
    }

    /// Brings the games to where they go, which is nowhere where they were read.
    fn end(self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let ConvertOutput { format, output, waiting, lengths, count } = self;
        let Some(waiting) = waiting else { return Ok(()) };
        let mut games = waiting.into_inner().context("cannot write a temporary file")?;
        games.rewind()?;
        match output {
            _ if count == 0 => Ok(()),
            Some(path) => {
                let lengths = if format.holds_many() { vec![u64::MAX] } else { lengths };
                let name = |number| numbered(path, number, lengths.len());
                let paths: Vec<PathBuf> = (1..=lengths.len()).map(name).collect();
                // A game that was refused would be lost with its file.
                check_apart(&paths, inputs)?;
                paths.iter().zip(&lengths).try_for_each(|(path, &length)| {
                    write_whole_from(path, &mut (&mut games).take(length))
                })
            }
            None if count == 1 => Ok(io::copy(&mut games, &mut io::stdout()).map(drop)?),
            None => bail!(
                "{format} holds one game a file, and there are {count}: name one with --output, to \
                 which numbers are added"
            ),
        }
    }
}
