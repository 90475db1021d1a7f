//! Hints in rooms where the host allows them.

use crossbeam_channel::Receiver;

use super::nobody::NoEngine;
use crate::play::{PlayNotice, PlaySession, SavedGame, ThinkingLimits};
use tengen_core::sys::clock::SystemClock;
use tengen_core::types::Point;
use tengen_engine::engine::{Engine, Event};

/// The engine of one player, as long as it looks for a hint, and the last hint.
#[derive(Debug, Default)]
pub struct RoomAdviser {
    work: Option<AdviserWork>,
    hint: Option<GivenHint>,
}

/// A hint that is looked for.
#[derive(Debug)]
struct AdviserWork {
    /// The game in question.
    about: SavedGame,
    session: PlaySession<Engine, SystemClock>,
    events: Receiver<Event>,
}

/// A hint, as long as the game is the same.
#[derive(Debug)]
struct GivenHint {
    about: SavedGame,
    point: Point,
}

impl RoomAdviser {
    /// Looks for a hint about a game, for two seconds. There is none about a game that is over.
    ///
    /// # Panics
    ///
    /// Panics if the operating system refuses a thread.
    pub fn ask(&mut self, about: SavedGame) {
        let (engine, events) = Engine::new();
        let mut game = about.clone();
        // However long the program of the host says that an engine thinks.
        game.terms.thinking = ThinkingLimits::default();
        let mut session = PlaySession::resume(engine, SystemClock, game);
        if session.hint().is_ok() {
            self.work = Some(AdviserWork { about, session, events });
        }
    }

    /// Returns whether a hint is looked for.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    /// Takes a hint about a game.
    pub fn give(&mut self, about: SavedGame, point: Point) {
        self.hint = Some(GivenHint { about, point });
    }

    /// Returns the cell of the last hint, if the game is the same.
    #[must_use]
    pub fn point(&self) -> Option<Point> {
        self.hint.as_ref().map(|hint| hint.point)
    }

    /// Drops what is not about the game as it is now, and returns what the engine has found.
    pub fn beat(&mut self, now: Option<&PlaySession<NoEngine, SystemClock>>) -> Vec<PlayNotice> {
        if self.work.is_none() && self.hint.is_none() {
            return Vec::new();
        }
        let now = now.map(PlaySession::saved);
        self.hint.take_if(|hint| Some(&hint.about) != now.as_ref());
        self.work.take_if(|work| Some(&work.about) != now.as_ref());
        let Some(work) = &mut self.work else { return Vec::new() };
        let mut notices = Vec::new();
        for event in work.events.try_iter() {
            notices.extend(work.session.event(event));
        }
        if !work.session.is_busy()
            && let Some(work) = self.work.take()
        {
            for notice in &notices {
                if let PlayNotice::Hint(hint) = notice {
                    self.give(work.about.clone(), hint.point);
                }
            }
        }
        notices
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::play::{CasualGame, ClockControl, Controller, PlayTerms};
    use tengen_core::rules::Rule;
    use tengen_core::types::{ByColor, Size};

    #[test]
    fn a_hint_is_about_the_game_as_it_is() {
        let terms = PlayTerms {
            sides: ByColor([Controller::Person; 2]),
            skills: ByColor::default(),
            clock: ClockControl::default(),
            // A program of a host may say anything.
            thinking: ThinkingLimits { time: Duration::MAX, nodes: Some(u64::MAX) },
        };
        let game = CasualGame::new(Size::DEFAULT, Rule::Freestyle);
        let mut session = PlaySession::new(NoEngine, SystemClock, terms, game);
        let play = |session: &mut PlaySession<NoEngine, SystemClock>, x, y| {
            session.play(&[Size::DEFAULT.point(x, y).unwrap()]).unwrap();
        };
        for i in 0..4 {
            play(&mut session, 3 + i, 7);
            play(&mut session, 2 * i, 0);
        }
        let mut adviser = RoomAdviser::default();
        adviser.ask(session.saved());
        let notices = loop {
            let notices = adviser.beat(Some(&session));
            if !adviser.is_busy() {
                break notices;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let wins = [2, 7].map(|x| Size::DEFAULT.point(x, 7));
        assert!(
            matches!(&notices[..], [PlayNotice::Hint(hint)] if wins.contains(&Some(hint.point)))
        );
        assert!(adviser.beat(Some(&session)).is_empty() && wins.contains(&adviser.point()));
        // Neither a hint nor the search for one outlives a move.
        adviser.ask(session.saved());
        assert!(adviser.is_busy());
        play(&mut session, 7, 7);
        assert!(adviser.beat(Some(&session)).is_empty());
        assert_eq!((adviser.is_busy(), adviser.point()), (false, None));
        adviser.ask(session.saved());
        assert!(!adviser.is_busy(), "the game is over");
    }
}
