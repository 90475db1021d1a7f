//! The display of a running match, for people and programs.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::Frame;

use super::broadcast::Broadcast;
use super::lines::{game_json, game_line};
use super::live::Live;
use super::screen::MatchPicture;
use super::standing::Standing;
use crate::common::progress::Bar;
use crate::common::words::note;
use crate::screen::Look;
use crate::screen::terminal::{self, ScreenTerminal};
use tengen_core::notation::Origin;
use tengen_files::printable::printable;
use tengen_lab::arena::{
    MatchControl, MatchEvent, MatchInfo, MatchSpec, Observer, Pairing, PlayedGame, Tally,
};

/// The number of games whose ends pages are told.
const TOLD_ENDS: usize = 12;

/// Tells pages how a match stands, as JSON.
pub(super) type Publisher<'a> = Box<dyn Fn(String) + Send + Sync + 'a>;

/// The kind of display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ShowStyle {
    /// A line for each game and a progress bar.
    Text,
    /// An object for each game.
    Json,
    /// Nothing before the end.
    Quiet,
    /// A board on a screen of its own.
    Watch,
}

/// Shows a match while it is played.
pub(super) struct Show<'a> {
    spec: &'a MatchSpec,
    control: &'a MatchControl,
    style: ShowStyle,
    names: Vec<String>,
    /// The number of games of the whole match.
    total: u64,
    /// The number of games after which the standing is printed; 0 is never.
    status_every: u64,
    look: Look,
    /// The edge from which rows count.
    origin: Origin,
    bar: Bar,
    /// The pages that show it, too.
    publisher: Option<Publisher<'a>>,
    /// Held while something is printed, maybe for ever: a reader may wait. The state is not held meanwhile.
    printing: Mutex<()>,
    state: Mutex<ShowState>,
}

struct ShowState {
    tally: Tally,
    live: Live,
    /// What became of the last games, the newest first, if pages are told.
    ends: VecDeque<String>,
    /// The number of games finished in this run.
    played: u64,
    /// The time played until the last pause, and the beginning of the time since.
    before: Duration,
    since: Option<Instant>,
    /// Notes that are printed at the end, as a screen is drawn until then.
    later: Vec<String>,
    /// The error after which nothing can be printed any more.
    failed: Option<io::Error>,
}

impl<'a> Show<'a> {
    /// Begins to show a match of which some games are finished.
    pub(super) fn new(
        spec: &'a MatchSpec,
        control: &'a MatchControl,
        (style, look, origin): (ShowStyle, Look, Origin),
        total: u64,
        finished: &[PlayedGame],
        status_every: u64,
    ) -> Show<'a> {
        let mut tally = Tally::new(&MatchInfo::of(spec));
        finished.iter().for_each(|game| tally.add(game));
        let is_hidden = matches!(style, ShowStyle::Quiet | ShowStyle::Watch);
        let bar = Bar::new(total, 0, "{bar:8} {pos}/{len}  {wide_msg}", is_hidden);
        let state = ShowState {
            tally,
            live: Live::default(),
            ends: VecDeque::new(),
            played: 0,
            before: Duration::ZERO,
            since: Some(Instant::now()),
            later: Vec::new(),
            failed: None,
        };
        let names =
            spec.contestants.iter().map(|contestant| printable(&contestant.name).into_owned());
        let names = names.collect();
        let state = Mutex::new(state);
        let show = Show {
            spec,
            control,
            style,
            names,
            total,
            status_every,
            look,
            origin,
            bar,
            publisher: None,
            printing: Mutex::default(),
            state,
        };
        show.refresh();
        show
    }

    /// Tells pages, too.
    pub(super) fn publishing(mut self, publisher: Option<Publisher<'a>>) -> Show<'a> {
        self.publisher = publisher;
        self.publish(&self.lock(), false);
        self
    }

    /// Returns how often it has to be drawn although nothing happened: clocks run on a screen.
    pub(super) fn rhythm(&self) -> Duration {
        Duration::from_millis(match self.style {
            ShowStyle::Watch => 100,
            _ if self.publisher.is_some() => 250,
            _ => 1000,
        })
    }

    /// Draws the progress bar anew, or the screen.
    pub(super) fn tick(&self, terminal: &mut ScreenTerminal) -> io::Result<()> {
        self.publish(&self.lock(), false);
        if self.style == ShowStyle::Watch {
            return terminal.draw(|frame| self.draw(frame));
        }
        if let Ok(_printing) = self.printing.try_lock() {
            self.bar.tick();
        }
        Ok(())
    }

    /// Shows another game, if one is shown at all.
    pub(super) fn next_game(&self) {
        self.lock().live.next();
    }

    /// Pauses the match or goes on with it.
    pub(super) fn toggle_pause(&self) {
        let paused = !self.control.is_paused();
        self.control.pause(paused);
        let mut state = self.lock();
        state.before = state.elapsed();
        state.since = (!paused).then(Instant::now);
        drop(state);
        self.tell();
        if !paused && self.style != ShowStyle::Watch {
            self.print_aside("Going on.");
        }
    }

    /// Returns the switches of the match.
    pub(super) const fn control(&self) -> &MatchControl {
        self.control
    }

    /// Ends the match after the running games.
    pub(super) fn finish(&self) {
        self.end_running();
        self.tell();
    }

    /// Lets the running games end, and no other begin.
    fn end_running(&self) {
        self.control.finish();
        if self.control.is_paused() {
            // Otherwise the running games would never end.
            self.control.pause(false);
        }
        self.lock().since.get_or_insert_with(Instant::now);
    }

    /// Breaks off the running games.
    pub(super) fn abandon(&self) {
        self.control.abandon();
        self.tell();
    }

    /// Takes the progress bar away.
    ///
    /// # Errors
    ///
    /// Returns why something could not be printed.
    pub(super) fn end(self) -> io::Result<()> {
        self.bar.end();
        self.publish(&self.lock(), true);
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.later.iter().for_each(note);
        state.failed.map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, ShowState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what the reader is to know of how the match goes on.
    fn notice(&self) -> &'static str {
        match self.control {
            it if it.is_abandoned() => "Breaking off the running games.",
            it if it.is_paused() => "Paused; p or SIGUSR1 goes on.",
            it if it.is_finishing() => "Ending after the running games; once more breaks them off.",
            _ => "",
        }
    }

    /// Says on standard error what the screen shows by itself.
    fn tell(&self) {
        if self.style != ShowStyle::Watch && !self.notice().is_empty() {
            self.print_aside(self.notice());
        }
    }

    /// Warns of something that changes no result.
    fn warn(&self, text: String) {
        match self.style {
            ShowStyle::Quiet => {}
            ShowStyle::Watch => self.lock().later.push(text),
            ShowStyle::Text | ShowStyle::Json => {
                let _printing = self.printing.lock();
                self.bar.suspend(|| note(text));
            }
        }
    }

    fn print_aside(&self, text: impl Display + Send + 'static) {
        match self.printing.try_lock() {
            Ok(_printing) => self.bar.suspend(|| note(text)),
            // There is no bar, and whoever reads nothing may not read this either.
            Err(_) => drop(thread::spawn(|| note(text))),
        }
    }

    fn standing<'s>(&'s self, state: &'s ShowState) -> Standing<'s> {
        Standing {
            names: &self.names,
            tally: &state.tally,
            total: self.total,
            played: state.played,
            elapsed: state.elapsed(),
            paired: !matches!(self.spec.pairing, Pairing::BestOf { .. }),
        }
    }

    fn refresh(&self) {
        if !self.bar.is_hidden() {
            // The bar, the number of games, and blanks between them.
            let taken = 12 + 2 * self.total.to_string().len();
            let columns: usize = terminal::size().map_or(80, |(columns, _)| columns.into());
            let state = self.lock();
            let line = self.standing(&state).line(columns.saturating_sub(taken));
            let games = state.tally.games();
            drop(state);
            self.bar.say(line);
            self.bar.at(games);
        }
    }

    /// Returns the standing in a few lines.
    fn words(&self, state: &ShowState) -> Vec<String> {
        let standing = self.standing(state);
        let running = state.live.running();
        let games = format!("{} of {} games, {running} running", state.tally.games(), self.total);
        let parts = [
            Some(standing.score()),
            standing.results(),
            standing.pairs(),
            standing.elo(),
            standing.llr(),
            Some(games),
            standing.speed(),
            standing.time_left(),
        ];
        parts.into_iter().flatten().collect()
    }

    /// Tells pages how the match stands, if there are any.
    fn publish(&self, state: &ShowState, over: bool) {
        let Some(publisher) = &self.publisher else { return };
        let standing = self.words(state);
        let games = state.live.games();
        let mut broadcast = Broadcast::new(self.spec, self.origin, games, Instant::now());
        broadcast.standing = &standing;
        (broadcast.notice, broadcast.over) = (self.notice(), over);
        broadcast.last = state.ends.iter().map(String::as_str).collect();
        publisher(broadcast.json());
    }

    fn take(&self, game: &PlayedGame) {
        // Games are printed in the order in which they are counted.
        let _printing = self.printing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.lock();
        state.tally.add(game);
        state.played += 1;
        if self.publisher.is_some() {
            state.ends.truncate(TOLD_ENDS - 1);
            state.ends.push_front(game_line(game, None, self.origin));
        }
        let points = (self.names.len() == 2).then(|| state.tally.points());
        let line = match self.style {
            ShowStyle::Text => Some(game_line(game, points.as_deref(), self.origin)),
            ShowStyle::Json => Some(game_json(game, points.as_deref())),
            ShowStyle::Quiet | ShowStyle::Watch => None,
        };
        let lines: Vec<String> = line.into_iter().chain(self.status(&state)).collect();
        let is_printed = state.failed.is_none() && !lines.is_empty();
        drop(state);
        if is_printed {
            let print = || {
                let mut out = io::stdout().lock();
                writeln!(out, "{}", lines.join("\n")).and_then(|()| out.flush())
            };
            if let Err(error) = self.bar.suspend(print) {
                // The output has no reader any more, so no more games are needed.
                self.lock().failed = Some(error);
                self.end_running();
            }
        }
        self.refresh();
    }

    /// Returns the standing in a line if it is time for it. After the last game there is a report.
    fn status(&self, state: &ShowState) -> Option<String> {
        let games = state.tally.games();
        let is_due = self.status_every > 0 && games.is_multiple_of(self.status_every);
        let is_over = games == self.total || state.tally.is_decided();
        let standing = || self.standing(state).line(usize::MAX);
        (is_due && !is_over)
            .then(|| format!("After {games} of {} games: {}", self.total, standing()))
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let now = Instant::now();
        let mut state = self.lock();
        let standing = self.words(&state);
        let pause = if self.control.is_paused() { "go on" } else { "pause" };
        let end = if self.control.is_finishing() { "break off" } else { "end after" };
        let keys = format!("p {pause}   q {end} the running games   Tab next game");
        let picture = MatchPicture {
            spec: self.spec,
            look: &self.look,
            origin: self.origin,
            game: state.live.current(now),
            standing: &standing,
            keys: &keys,
            notice: self.notice(),
            now,
        };
        picture.draw(frame.area(), frame.buffer_mut());
    }
}

impl ShowState {
    /// Returns how long games were played in this run, pauses not counted.
    fn elapsed(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Observer for Show<'_> {
    fn notice(&self, event: MatchEvent<'_>) {
        let is_watched = self.style == ShowStyle::Watch || self.publisher.is_some();
        if let MatchEvent::Borne { contestant, oddity } = event {
            let name = self.names.get(contestant).map_or("?", String::as_str);
            return self.warn(printable(&format!("Note: {name} {oddity}.")).into_owned());
        }
        if !is_watched && !matches!(event, MatchEvent::Finished(_)) {
            return;
        }
        if is_watched {
            self.lock().live.notice(&event, Instant::now());
        }
        if let MatchEvent::Finished(game) = event {
            self.take(game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::theme::{ColorDepth, Theme};
    use tengen_lab::arena::testing;

    #[test]
    fn the_notice_is_that_of_the_match_whatever_was_asked_for_before() {
        let (spec, control) = (testing::spec(2), MatchControl::default());
        let look = Look { theme: Theme::usual(ColorDepth::None), ascii: true };
        let style = (ShowStyle::Watch, look, Origin::Top);
        let show = Show::new(&spec, &control, style, 2, &[], 0);
        let (ending, paused) = ("Ending after the running games", "Paused; p or SIGUSR1 goes on.");
        assert_eq!(show.notice(), "");
        show.toggle_pause();
        assert_eq!(show.notice(), paused);
        // Ending goes on, too.
        show.finish();
        assert!(show.notice().starts_with(ending) && !control.is_paused());
        for _ in 0..2 {
            show.toggle_pause();
            assert_eq!(show.notice(), paused);
            show.toggle_pause();
            assert!(show.notice().starts_with(ending), "{}", show.notice());
        }
        show.abandon();
        assert_eq!(show.notice(), "Breaking off the running games.");
        // That is what a decision does.
        control.decide();
        assert_eq!(show.notice(), "Breaking off the running games.");
    }
}
