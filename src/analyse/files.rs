//! The files of a review: a page, and annotated games.

use std::path::PathBuf;

use anyhow::Context;

use super::games::LoadedGame;
use crate::analyse::args::AnalyseArgs;
use crate::common::files::{check_apart, check_file, write_whole};
use crate::common::reviews::made;
use crate::common::words::printable_path;
use tengen_files::records::{Format, WriteError, write};
use tengen_files::words::counted;
use tengen_people::review::{Effort, GamePart, GameReview, ReviewedGame, annotated, html};

/// The output to write at the end, as far as it is known.
pub(super) struct ReviewFiles {
    html: Option<PathBuf>,
    sgf: Option<PathBuf>,
    /// The settings of the review.
    made: String,
    parts: Vec<GamePart>,
    /// The games as SGF, or why one of them can't be written.
    games: Result<String, WriteError>,
    /// The number of games.
    count: usize,
}

impl ReviewFiles {
    /// Checks that the files can be written, so that games are not reviewed for nothing.
    pub(super) fn new(args: &AnalyseArgs, effort: Effort) -> anyhow::Result<ReviewFiles> {
        let files = [&args.html, &args.sgf].into_iter().flatten();
        check_apart(files.clone(), args.files.iter().chain(&args.journal))?;
        files.map(PathBuf::as_path).try_for_each(check_file)?;
        let made = made(effort);
        let (html, sgf) = (args.html.clone(), args.sgf.clone());
        Ok(ReviewFiles { html, sgf, made, parts: Vec::new(), games: Ok(String::new()), count: 0 })
    }

    /// Adds a game, which has this number over all files; `text` is its review as text.
    pub(super) fn add(
        &mut self,
        number: usize,
        loaded: &LoadedGame,
        review: &GameReview,
        text: impl FnOnce() -> String,
    ) {
        if self.html.is_none() && self.sgf.is_none() {
            return;
        }
        self.count += 1;
        // The folder is nobody's business who is sent the page.
        let file = loaded.file.file_name().unwrap_or(loaded.file.as_os_str());
        let file = file.to_string_lossy();
        let text = text();
        let game = ReviewedGame {
            number,
            file: &file,
            place: (loaded.count > 1).then_some(loaded.number),
            record: &loaded.record,
            task: &loaded.task,
            origin: loaded.origin,
            review,
            text: &text,
        };
        if self.html.is_some() {
            self.parts.push(GamePart::new(&game));
        }
        if self.sgf.is_some() {
            let record = annotated(&game, &self.made);
            match (&mut self.games, write(&record, Format::Sgf, number)) {
                (Ok(games), Ok(text)) => games.push_str(&text),
                (Ok(_), Err(error)) => self.games = Err(error),
                (Err(_), _) => {}
            }
        }
    }

    /// Writes all files, and returns what is in which; of several errors the first is returned. Without a
    /// game none is touched: it may be of an earlier review.
    pub(super) fn write(&self) -> anyhow::Result<Vec<String>> {
        let page = self.html.as_ref().filter(|_| self.count > 0).map(|path| {
            write_whole(path, html(&self.parts, &self.made))?;
            Ok(format!("The page of the review is {}", printable_path(path)))
        });
        let games = self.sgf.as_ref().filter(|_| self.count > 0).map(|path| match &self.games {
            Ok(games) => {
                write_whole(path, games)?;
                let count = counted(self.count as u64, "annotated game");
                Ok(format!("{count} in {}", printable_path(path)))
            }
            Err(error) => Err(anyhow::Error::new(*error))
                .with_context(|| format!("cannot write {}", path.display())),
        });
        page.into_iter().chain(games).collect()
    }
}
