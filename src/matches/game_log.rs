//! Files of what the match and the engines wrote to each other.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

use crate::common::files::check_folder;
use crate::matches::outputs::GameFiles;
use tengen_core::types::{ByColor, Color};
use tengen_files::printable::{columns, padded, printable};
use tengen_files::resume::with_suffix;
use tengen_lab::arena::player::{GameTranscript, Speaker, TranscriptLine};
use tengen_lab::arena::{MatchEvent, Observer, PlayedGame};

/// The suffix of the file beside a journal for games that ended with a fault.
const FAULTS: &str = ".faults.log";

/// Writes the conversations of games: of all of them if a place was named, otherwise of those that
/// ended with a fault, beside the journal.
pub(super) struct GameLog {
    place: LogPlace,
    state: Mutex<LogState>,
}

enum LogPlace {
    /// Every game, one after the other.
    File(PathBuf),
    /// Every game in a file of its own.
    Folder(PathBuf),
    /// The games that ended with a fault.
    Faults(PathBuf),
    /// None.
    Nowhere,
}

#[derive(Default)]
struct LogState {
    /// The first error, after which nothing more is written.
    failed: Option<anyhow::Error>,
    /// The number of games with a fault that were not kept.
    lost: u64,
}

impl GameLog {
    /// Returns the log of a match.
    ///
    /// # Errors
    ///
    /// Returns why the named place can't be written.
    pub(super) fn open(named: Option<&Path>, journal: Option<&Path>) -> anyhow::Result<GameLog> {
        let place = match (named, journal) {
            (Some(path), _) if is_folder(path) => {
                fs::create_dir_all(path)
                    .with_context(|| format!("cannot make {}", path.display()))?;
                check_folder(path, path)?;
                LogPlace::Folder(path.to_owned())
            }
            (Some(path), _) => {
                append(path, "").with_context(|| format!("cannot write {}", path.display()))?;
                LogPlace::File(path.to_owned())
            }
            (None, Some(journal)) => LogPlace::Faults(with_suffix(journal, FAULTS)),
            (None, None) => LogPlace::Nowhere,
        };
        Ok(GameLog { place, state: Mutex::default() })
    }

    /// Writes a game, if it is one of those that are kept.
    fn write(&self, game: &PlayedGame, transcripts: &[GameTranscript; 2]) {
        let number = game.fixture.game + 1;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let path = match &self.place {
            LogPlace::File(path) => path.clone(),
            LogPlace::Folder(path) => path.join(format!("game-{number}.log")),
            LogPlace::Faults(path) if game.end.is_fault() => path.clone(),
            LogPlace::Nowhere if game.end.is_fault() => {
                state.lost += 1;
                return;
            }
            LogPlace::Faults(_) | LogPlace::Nowhere => return,
        };
        if state.failed.is_none()
            && let Err(error) = append(&path, &text(game, transcripts))
        {
            let error = anyhow::Error::new(error);
            state.failed = Some(error.context(format!("cannot write {}", path.display())));
        }
    }

    /// Ends the log and returns how many games that ended with a fault were not kept.
    ///
    /// # Errors
    ///
    /// Returns why something could not be written.
    pub(super) fn end(self) -> anyhow::Result<u64> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.failed.map_or(Ok(state.lost), Err)
    }
}

/// Returns whether a path is meant for a directory.
fn is_folder(path: &Path) -> bool {
    let ends_open = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    ends_open || path.is_dir()
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    let mut file: File = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(text.as_bytes())
}

/// Returns a game as text: a heading, the lines in the order of time, and a blank line. `>` marks
/// the input of an engine, `<` its output; times are seconds from the first line.
fn text(game: &PlayedGame, transcripts: &[GameTranscript; 2]) -> String {
    let record = &game.record;
    let names = ByColor::from_fn(|color| printable(&record.players[color]));
    let (black, white) = (&names[Color::Black], &names[Color::White]);
    let mut text = format!(
        "Game {}: {black} (X) - {white} (O), {}, {}: {}\n",
        game.fixture.game + 1,
        record.date,
        game.end.name(),
        printable(&game.detail)
    );
    let mut lines: Vec<(&str, &TranscriptLine)> = Vec::new();
    for (side, transcript) in transcripts.iter().enumerate() {
        let name = &names[game.color(side)];
        lines.extend(transcript.lines().map(|line| (name.as_ref(), line)));
        if transcript.dropped() > 0 {
            // Writing to a string can't fail, here and below.
            let _ = writeln!(text, "({} lines of {name} before these)", transcript.dropped());
        }
    }
    // The sort is stable: lines of one engine stay as they came.
    lines.sort_by_key(|(_, line)| line.at);
    let first = lines.first().map(|(_, line)| line.at);
    let width = lines.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
    for (name, line) in &lines {
        let seconds = first.map_or(0.0, |first| line.at.duration_since(first).as_secs_f64());
        let mark = match line.speaker {
            Speaker::Match => '>',
            Speaker::Engine => '<',
        };
        let said = printable(&line.text);
        let _ = writeln!(text, "{seconds:9.3} {} {mark} {said}", padded(name, width));
    }
    text.push('\n');
    text
}

/// Passes conversations to the log, games to their files, and everything else on.
pub(super) struct LoggedMatch<'a, O> {
    pub(super) log: &'a GameLog,
    pub(super) files: &'a GameFiles,
    pub(super) observer: &'a O,
}

impl<O: Observer> Observer for LoggedMatch<'_, O> {
    fn notice(&self, event: MatchEvent<'_>) {
        match event {
            MatchEvent::Transcribed { game, transcripts } => self.log.write(game, transcripts),
            event => {
                if let MatchEvent::Finished(game) = event {
                    self.files.add(game);
                }
                self.observer.notice(event);
            }
        }
    }
}
