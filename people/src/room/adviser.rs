//! Hints in rooms where the host allows them.

use crossbeam_channel::Receiver;

use super::nobody::NoEngine;
use crate::play::{ClockControl, PlayNotice, PlaySession, SavedGame, ThinkingLimits};
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
    /// The hint where there is no choice.
    notices: Vec<PlayNotice>,
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
        // However long the program of the host says that an engine thinks; the host keeps the clocks.
        game.terms.thinking = ThinkingLimits::default();
        game.terms.clock = ClockControl::default();
        let mut session = PlaySession::resume(engine, SystemClock, game);
        if let Ok(notices) = session.hint() {
            self.work = Some(AdviserWork { about, session, events, notices });
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
        let mut notices = std::mem::take(&mut work.notices);
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
    use crate::play::{CasualGame, Controller, PlayTerms};
    use tengen_core::rules::{OpeningChoice, OpeningRule, Rule};
    use tengen_core::types::{ByColor, Size};

    fn begun(clock: ClockControl) -> PlaySession<NoEngine, SystemClock> {
        let terms = PlayTerms {
            sides: ByColor([Controller::Person; 2]),
            skills: ByColor::default(),
            clock,
            // A program of a host may say anything.
            thinking: ThinkingLimits { time: Duration::MAX, nodes: Some(u64::MAX) },
        };
        let game = CasualGame::new(Size::DEFAULT, Rule::Freestyle);
        PlaySession::new(NoEngine, SystemClock, terms, game)
    }

    /// Asks for a hint, and waits for it.
    fn advice(
        adviser: &mut RoomAdviser,
        session: &PlaySession<NoEngine, SystemClock>,
    ) -> Vec<PlayNotice> {
        adviser.ask(session.saved());
        loop {
            let notices = adviser.beat(Some(session));
            if !adviser.is_busy() {
                return notices;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_hint_comes_without_a_choice_and_without_the_clock() {
        let session = begun(ClockControl::default()).with_opening(OpeningRule::Taraguchi10);
        let told = advice(&mut RoomAdviser::default(), &session.unwrap());
        let center = OpeningChoice::Cell(Size::DEFAULT.center());
        assert_eq!(told, [PlayNotice::Advice(vec![center])]);
        // The time is over, as far as the players' programs do not know better.
        let session = begun(ClockControl { turn: Some(Duration::ZERO), ..Default::default() });
        let told = advice(&mut RoomAdviser::default(), &session);
        assert!(matches!(told[..], [PlayNotice::Hint(_)]), "{told:?}");
    }

    #[test]
    fn a_hint_is_about_the_game_as_it_is() {
        let mut session = begun(ClockControl::default());
        let play = |session: &mut PlaySession<NoEngine, SystemClock>, x, y| {
            session.play(&[Size::DEFAULT.point(x, y).unwrap()]).unwrap();
        };
        for i in 0..4 {
            play(&mut session, 3 + i, 7);
            play(&mut session, 2 * i, 0);
        }
        let mut adviser = RoomAdviser::default();
        let notices = advice(&mut adviser, &session);
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
