//! The running games, as far as they are drawn.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tengen_core::types::{Color, Point};
use tengen_lab::arena::player::SearchInfo;
use tengen_lab::arena::{Fixture, MatchEvent, PlayedGame};

/// The time for which a finished game stays on the screen.
const LINGER: Duration = Duration::from_secs(3);

/// A game that is being played, or was until a moment ago.
#[derive(Clone, Debug)]
pub(super) struct LiveGame {
    /// The game.
    pub fixture: Fixture,
    /// The stones, black first.
    pub moves: Vec<Point>,
    /// The seat that has black.
    pub black_seat: usize,
    /// The last thought of each seat, and how long it took.
    pub infos: [Option<(SearchInfo, Duration)>; 2],
    /// The time left for the game.
    pub left: [Option<Duration>; 2],
    /// The seat that thinks, and since when.
    pub thinking: Option<(usize, Instant)>,
    /// The time of its end, and the game as it was then.
    pub ended: Option<(Instant, PlayedGame)>,
    /// The time of its last event, in events of all games.
    touched: u64,
}

impl LiveGame {
    /// Returns the seat that has a colour.
    pub(super) const fn seat_of(&self, color: Color) -> usize {
        match color {
            Color::Black => self.black_seat,
            Color::White => 1 - self.black_seat,
        }
    }

    /// Returns how long a seat has been thinking at `now`, if it does.
    pub(super) fn thinks_since(&self, seat: usize, now: Instant) -> Option<Duration> {
        let (_, since) = self.thinking.filter(|(thinker, _)| *thinker == seat)?;
        Some(now.saturating_duration_since(since))
    }
}

/// All running games, and which of them is looked at.
#[derive(Debug, Default)]
pub(super) struct Live {
    games: BTreeMap<u64, LiveGame>,
    chosen: Option<u64>,
    events: u64,
}

impl Live {
    /// Takes notice of what happened at `now`.
    pub(super) fn notice(&mut self, event: &MatchEvent<'_>, now: Instant) {
        self.events += 1;
        let touched = self.events;
        match *event {
            MatchEvent::Begun { fixture, moves, so_far } => {
                let game = LiveGame {
                    fixture: *fixture,
                    moves: moves.to_vec(),
                    black_seat: so_far.black_seat,
                    infos: [None, None],
                    left: so_far.left,
                    thinking: None,
                    ended: None,
                    touched,
                };
                self.games.insert(fixture.game, game);
            }
            MatchEvent::Asked { fixture, seat, since, left } => {
                let Some(game) = self.games.get_mut(&fixture.game) else { return };
                game.thinking = Some((seat, since));
                (game.left, game.touched) = (left, touched);
            }
            MatchEvent::Moved { fixture, seat, moves, elapsed, info, so_far } => {
                let Some(game) = self.games.get_mut(&fixture.game) else { return };
                game.moves = moves.to_vec();
                game.black_seat = so_far.black_seat;
                game.infos[seat] = Some((info, elapsed));
                (game.thinking, game.left, game.touched) = (None, so_far.left, touched);
            }
            MatchEvent::Transcribed { .. } | MatchEvent::Borne { .. } | MatchEvent::Unable(..) => {}
            MatchEvent::Finished(played) => self.finish(played, now, touched),
            MatchEvent::Abandoned(fixture) => {
                self.games.remove(&fixture.game);
            }
        }
        // Finished games make way, but not while nothing else can be shown.
        let lasts = |game: &LiveGame| {
            game.ended.as_ref().is_none_or(|(end, _)| now.duration_since(*end) < LINGER)
        };
        if self.games.values().any(|game| game.ended.is_none()) {
            let chosen = self.chosen;
            self.games.retain(|number, game| {
                game.ended.is_none() || (Some(*number) == chosen && lasts(game))
            });
        }
    }

    fn finish(&mut self, played: &PlayedGame, now: Instant, touched: u64) {
        let Some(game) = self.games.get_mut(&played.fixture.game) else { return };
        game.moves = played.record.points().collect();
        game.black_seat = played.black_seat;
        game.thinking = None;
        game.ended = Some((now, played.clone()));
        game.touched = touched;
    }

    /// Returns the games that are running, and the one that ended last if it still stays.
    pub(super) fn games(&self) -> impl Iterator<Item = &LiveGame> {
        self.games.values()
    }

    /// Returns how many games are running.
    pub(super) fn running(&self) -> usize {
        self.games().filter(|game| game.ended.is_none()).count()
    }

    /// Returns the game to draw: the chosen one, a while beyond its end too; or else the one in
    /// which something happened last, and that one stays.
    pub(super) fn current(&mut self, now: Instant) -> Option<&LiveGame> {
        let is_over = |game: &LiveGame| {
            game.ended.as_ref().is_some_and(|(end, _)| now.duration_since(*end) >= LINGER)
        };
        let chosen = self.chosen.and_then(|number| self.games.get(&number));
        if chosen.is_none_or(is_over) {
            let running = self.games.values().filter(|game| game.ended.is_none());
            let last = running.max_by_key(|game| game.touched);
            self.chosen = last.map(|game| game.fixture.game).or(self.chosen);
        }
        self.games.get(&self.chosen?)
    }

    /// Chooses the next running game.
    pub(super) fn next(&mut self) {
        let running = || self.games.values().filter(|game| game.ended.is_none());
        let after = running().find(|game| Some(game.fixture.game) > self.chosen);
        let next = after.or_else(|| running().next());
        self.chosen = next.map(|game| game.fixture.game).or(self.chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::board::Symmetry;
    use tengen_core::types::Size;
    use tengen_lab::arena::Unfinished;

    fn fixture(game: u64) -> Fixture {
        Fixture {
            game,
            pair: game / 2,
            round: 0,
            seats: [0, 1],
            opening: None,
            symmetry: Symmetry::ALL[0],
        }
    }

    /// A game that goes on after the colours were exchanged.
    fn begin(live: &mut Live, game: u64, now: Instant) {
        let (fixture, moves) = (&fixture(game), &[Size::DEFAULT.center()]);
        let left = [Some(Duration::from_secs(7)), None];
        let so_far = &Unfinished { game, moves: Vec::new(), opening: 1, black_seat: 1, left };
        live.notice(&MatchEvent::Begun { fixture, moves, so_far }, now);
    }

    fn shown(live: &mut Live, now: Instant) -> Option<u64> {
        live.current(now).map(|game| game.fixture.game)
    }

    #[test]
    fn the_game_that_moved_last_is_shown_and_stays() {
        let (mut live, now) = (Live::default(), Instant::now());
        assert_eq!(shown(&mut live, now), None);
        begin(&mut live, 0, now);
        begin(&mut live, 1, now);
        let fixture_0 = fixture(0);
        let asked =
            MatchEvent::Asked { fixture: &fixture_0, seat: 1, since: now, left: [None, None] };
        live.notice(&asked, now);
        assert_eq!(shown(&mut live, now), Some(0));
        begin(&mut live, 2, now);
        assert_eq!(shown(&mut live, now), Some(0), "the eye is not to be disturbed");
        assert_eq!(live.current(now).unwrap().thinking, Some((1, now)));
        assert_eq!(live.running(), 3);
    }

    #[test]
    fn a_game_that_goes_on_has_its_colors_and_clocks() {
        let (mut live, now) = (Live::default(), Instant::now());
        begin(&mut live, 0, now);
        let game = live.current(now).unwrap();
        assert_eq!((game.seat_of(Color::Black), game.seat_of(Color::White)), (1, 0));
        assert_eq!(game.left, [Some(Duration::from_secs(7)), None]);
    }

    #[test]
    fn the_running_games_are_chosen_in_turn() {
        let (mut live, now) = (Live::default(), Instant::now());
        for game in [3, 5, 9] {
            begin(&mut live, game, now);
        }
        let mut order = Vec::new();
        for _ in 0..4 {
            live.next();
            order.extend(shown(&mut live, now));
        }
        assert_eq!(order, [3, 5, 9, 3]);
    }

    #[test]
    fn a_game_that_is_broken_off_makes_way() {
        let (mut live, now) = (Live::default(), Instant::now());
        begin(&mut live, 0, now);
        begin(&mut live, 1, now);
        assert_eq!(shown(&mut live, now), Some(1));
        live.notice(&MatchEvent::Abandoned(&fixture(1)), now);
        assert_eq!(shown(&mut live, now), Some(0));
        assert_eq!(live.running(), 1);
    }
}
