//! The session's side of the engine.

use std::mem;
use std::path::PathBuf;

use crate::engine::{FileAction, Settings, TableFile, Thinker};
use tengen_core::rules::Rule;
use tengen_core::types::Size;

/// An engine, and the state of the session that it knows.
pub(super) struct EnginePort<T> {
    /// The engine, for what needs no state of the session.
    pub(super) thinker: T,
    last_id: u64,
    /// The settings, the rule and the size that it knows of.
    sent: Option<(Settings, Rule, Size)>,
    /// True if it forgets earlier games before its next job.
    forgets: bool,
    /// The number of files of the table that it has not finished with.
    files: usize,
}

impl<T: Thinker> EnginePort<T> {
    /// Returns the port of an engine that knows of nothing.
    pub(super) fn new(thinker: T) -> EnginePort<T> {
        EnginePort { thinker, last_id: 0, sent: None, forgets: false, files: 0 }
    }

    /// Returns a number for a job or a file, unlike any earlier one.
    pub(super) fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Returns the last number given.
    pub(super) fn last_id(&self) -> u64 {
        self.last_id
    }

    /// Writes or reads the transposition table of games of this rule and size.
    pub(super) fn table_file(
        &mut self,
        (action, path): (FileAction, PathBuf),
        settings: Settings,
        (rule, size): (Rule, Size),
    ) {
        self.files += 1;
        let id = self.next_id();
        let file = TableFile { id, path, action, rule, size };
        self.informed(settings, rule, size).table_file(file);
    }

    /// Notes that a file of the table is finished.
    pub(super) fn finish_file(&mut self) {
        self.files = self.files.saturating_sub(1);
    }

    /// Returns whether a file of the table is not finished.
    pub(super) fn has_files(&self) -> bool {
        self.files > 0
    }

    /// Tells the engine of other settings and of what was noted of another game, and returns it for a job or a file; it must be
    /// free.
    pub(super) fn informed(&mut self, settings: Settings, rule: Rule, size: Size) -> &mut T {
        let sent = self.sent.replace((settings, rule, size));
        if sent.is_none_or(|sent| sent.0 != settings) {
            self.thinker.set_settings(settings);
        }
        if mem::take(&mut self.forgets) {
            self.thinker.new_game();
        }
        &mut self.thinker
    }

    /// Returns whether it knows these settings, and what it has learnt is still of use.
    pub(super) fn is_up_to_date(&self, settings: Settings) -> bool {
        self.sent.is_some_and(|sent| sent.0 == settings) && !self.forgets
    }

    /// Notes the rule and size of the next game. Where they are others than those of what was learnt, that
    /// is forgotten, whether or not there is the time to get ready before the next command.
    pub(super) fn note_game(&mut self, rule: Rule, size: Size) {
        self.forgets |= self.sent.is_some_and(|sent| (sent.1, sent.2) != (rule, size));
    }

    /// Forgets earlier games before the next job.
    pub(super) fn forget_later(&mut self) {
        self.forgets = true;
    }

    /// Forgets earlier games; the engine must be free.
    pub(super) fn forget(&mut self) {
        self.forgets = false;
        self.thinker.new_game();
    }
}
