//! The files of a table: games that are saved and loaded, and reviews.

use std::path::{Path, PathBuf};

use anyhow::bail;

use super::PlayTable;
use crate::common::files::{GameFile, STREAM, check_apart, check_file, write_whole};
use crate::common::losses::Losses;
use crate::common::options::RecordSource;
use crate::common::reviews::{Paint, ReviewWords, made, review_task};
use crate::common::words::printable_path;
use tengen_core::notation::{BoardGlyphs, Origin};
use tengen_core::sys::clock::Clock;
use tengen_engine::engine::Thinker;
use tengen_files::records::{Format, FormatNameError, write, write_file};
use tengen_people::play::{Autosave, CasualGame, PlaySession};
use tengen_people::review::{Effort, GamePart, GameReview, ReviewedGame, annotated, html};

impl<T: Thinker, C: Clock> PlayTable<T, C> {
    /// Has the game reviewed, and a file made of that if one is named.
    pub(super) fn review(&mut self, page: Option<PathBuf>) {
        let done = self.begin_review(page);
        self.done(done);
    }

    fn begin_review(&mut self, page: Option<PathBuf>) -> anyhow::Result<()> {
        let game = self.session.game();
        if self.session.is_thinking() {
            bail!("the engine thinks: stop stops it");
        }
        let record = self.session.record();
        let task = review_task(game, &record, record.opening)?;
        if task.moves().is_empty() {
            bail!("there is no move to review");
        }
        if let Some(path) = &page {
            check_apart([path], self.autosave.as_ref().map(Autosave::path))?;
            check_file(path)?;
            let end = path.extension().unwrap_or_default();
            let page = ["html", "htm"].iter().any(|page| end.eq_ignore_ascii_case(page));
            if !page && Format::of_path(path) != Some(Format::Sgf) {
                bail!("a review is a page, .html, or a record with comments, .sgf");
            }
        }
        self.page = page;
        self.coach.review(game, task);
        Ok(())
    }

    /// Returns the way in which reviews of the game are told.
    pub(in crate::play) fn review_words(&self) -> ReviewWords {
        let (game, voice) = (self.session.game(), self.voice);
        let ascii = voice.glyphs != BoardGlyphs::Stones;
        let (size, origin) = (game.size(), voice.origin(game));
        ReviewWords { size, origin, ascii, paint: Paint::Never }
    }

    /// Writes a review as a page, or as a record with comments if the name of the file says so.
    pub(super) fn write_review(&mut self, path: &Path, review: &GameReview) -> anyhow::Result<()> {
        let record = self.session.record();
        let task = review_task(self.session.game(), &record, record.opening)?;
        let words = self.review_words();
        let (text, made) = (words.findings(review), made(Effort::USUAL));
        let game = ReviewedGame {
            number: 1,
            file: "",
            place: None,
            record: &record,
            task: &task,
            origin: words.origin,
            review,
            text: &text,
        };
        let written = match Format::of_path(path) {
            Some(Format::Sgf) => write(&annotated(&game, &made), Format::Sgf, 1)?,
            _ => html(&[GamePart::new(&game)], &made),
        };
        write_whole(path, written)?;
        self.text += &format!("Review written to {}.\n", printable_path(path));
        Ok(())
    }

    pub(super) fn save(&mut self, path: &Path) -> anyhow::Result<()> {
        check_apart([path], self.autosave.as_ref().map(Autosave::path))?;
        self.text += &save_record(&self.session, path)?;
        Ok(())
    }

    pub(super) fn load(&mut self, path: &Path, number: usize) -> anyhow::Result<()> {
        if path == Path::new(STREAM) {
            bail!("standard input is where moves are typed");
        }
        let rule = self.rule.unwrap_or_else(|| self.session.game().rule());
        let source = RecordSource { rule: Some(rule), ..RecordSource::default() };
        let (record, count) = GameFile::open(path, &source, Origin::Top)?.nth(number)?;
        let game = CasualGame::from_record(record, &[], rule)?;
        let notices = self.session.load(game);
        self.text += &format!("Game {number} of {count}. ");
        self.head();
        self.told(Ok(notices), true);
        Ok(())
    }
}

/// Writes a game to a file, and returns what is to be said of it.
pub(in crate::play) fn save_record<T: Thinker, C: Clock>(
    session: &PlaySession<T, C>,
    path: &Path,
) -> anyhow::Result<String> {
    let Some(format) = Format::of_path(path) else {
        bail!("the end of the name has to tell the format: {FormatNameError}; rif is only read");
    };
    let text = write_file(&session.record(), format, 1, None)?;
    let mut lost = Losses::default();
    lost.add(&session.losses(format)?);
    write_whole(path, text)?;
    let mut said = format!("Saved to {}.\n", printable_path(path));
    if let Some(message) = lost.message(format, 1) {
        said += &(message + ".\n");
    }
    Ok(said)
}
