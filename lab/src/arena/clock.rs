//! The clock of a seat.

use std::time::Duration;

use super::{Allowance, GameTime, PlayerFault};

/// The clock of one player in one game: it never runs by itself but is charged what was measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    left: Option<Duration>,
    game: Option<GameTime>,
    /// The number of moves made.
    moves: u32,
    turn: Option<Duration>,
    margin: Duration,
}

impl GameClock {
    /// Returns the clock at the beginning of a game.
    #[must_use]
    pub const fn new(allowance: &Allowance) -> GameClock {
        GameClock {
            left: match allowance.game {
                Some(game) => Some(game.time),
                None => None,
            },
            game: allowance.game,
            moves: 0,
            turn: allowance.turn,
            margin: allowance.margin,
        }
    }

    /// Returns the clock of a game that was broken off when this much time was left after some moves. The
    /// allowance says whether the time for the game is limited at all.
    #[must_use]
    pub fn resumed(allowance: &Allowance, left: Option<Duration>, moves: u32) -> GameClock {
        let clock = GameClock::new(allowance);
        GameClock { left: clock.left.map(|all| left.unwrap_or(all)), moves, ..clock }
    }

    /// Returns what is left for the game, if that is limited.
    #[must_use]
    pub const fn left(&self) -> Option<Duration> {
        self.left
    }

    /// Returns how long the next answer may take, the margin not counted; `None` is for ever.
    #[must_use]
    pub fn limit(&self) -> Option<Duration> {
        match (self.left, self.turn) {
            (Some(left), Some(turn)) => Some(left.min(turn)),
            (left, turn) => left.or(turn),
        }
    }

    /// Takes the time of an answer from what is left, and adds the increment if it was in time.
    ///
    /// Time within the margin is taken all the same, but nobody has less than nothing left.
    ///
    /// # Errors
    ///
    /// Returns [`PlayerFault::Late`] if the answer took longer than the limit and the margin.
    pub fn charge(&mut self, used: Duration) -> Result<(), PlayerFault> {
        let limit = self.limit();
        self.left = self.left.map(|left| left.saturating_sub(used));
        if let Some(limit) = limit
            && used > limit.saturating_add(self.margin)
        {
            return Err(PlayerFault::Late { used, limit });
        }
        self.add(self.game.map(|game| game.increment));
        Ok(())
    }

    /// Counts a move. After the last one of a period the time for the next is added.
    pub fn count_move(&mut self) {
        self.moves += 1;
        let over =
            self.game.filter(|game| game.period.is_some_and(|p| self.moves.is_multiple_of(p)));
        self.add(over.map(|game| game.time));
    }

    fn add(&mut self, time: Option<Duration>) {
        self.left = self.left.map(|left| left.saturating_add(time.unwrap_or_default()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn allowance(game: Option<u64>, increment: u64, turn: Option<u64>) -> Allowance {
        Allowance {
            game: game.map(|time| GameTime {
                period: None,
                time: ms(time),
                increment: ms(increment),
            }),
            turn: turn.map(ms),
            margin: ms(100),
            nodes: None,
            depth: None,
            threads: None,
            memory: None,
        }
    }

    fn clock(game: Option<u64>, increment: u64, turn: Option<u64>) -> GameClock {
        GameClock::new(&allowance(game, increment, turn))
    }

    #[test]
    fn the_limit_is_the_least_of_what_there_is() {
        assert_eq!(clock(None, 0, None).limit(), None);
        assert_eq!(clock(None, 0, Some(500)).limit(), Some(ms(500)));
        assert_eq!(clock(Some(900), 0, None).limit(), Some(ms(900)));
        assert_eq!(clock(Some(900), 0, Some(500)).limit(), Some(ms(500)));
        assert_eq!(clock(Some(300), 0, Some(500)).limit(), Some(ms(300)));
    }

    #[test]
    fn answers_are_charged_and_then_the_increment_is_added() {
        let mut clock = clock(Some(1000), 50, Some(800));
        assert_eq!(clock.charge(ms(600)), Ok(()));
        assert_eq!(clock.left(), Some(ms(450)));
        assert_eq!(clock.limit(), Some(ms(450)));
        assert_eq!(clock.charge(ms(450)), Ok(()));
        assert_eq!(clock.left(), Some(ms(50)));
    }

    #[test]
    fn the_margin_forgives_but_the_time_is_gone() {
        let mut turn = clock(Some(1000), 0, Some(200));
        assert_eq!(turn.charge(ms(300)), Ok(()), "exactly the margin");
        assert_eq!(turn.left(), Some(ms(700)));
        let late = Err(PlayerFault::Late { used: ms(301), limit: ms(200) });
        assert_eq!(turn.charge(ms(301)), late);

        let mut game = clock(Some(100), 10, None);
        assert_eq!(game.charge(ms(199)), Ok(()));
        assert_eq!(game.left(), Some(ms(10)), "not less than nothing, and the increment");
        assert_eq!(game.charge(ms(111)), Err(PlayerFault::Late { used: ms(111), limit: ms(10) }));
        assert_eq!(game.left(), Some(ms(0)), "no increment for a late answer");
    }

    #[test]
    fn without_limits_nobody_is_late() {
        let mut clock = clock(None, 50, None);
        assert_eq!(clock.charge(Duration::MAX), Ok(()));
        assert_eq!(clock.left(), None, "an increment to nothing is nothing");
        let mut endless = GameClock { margin: Duration::MAX, ..clock };
        endless.turn = Some(ms(1));
        assert_eq!(endless.charge(Duration::MAX), Ok(()));
    }

    #[test]
    fn a_clock_goes_on_as_it_was_left() {
        let limited = allowance(Some(1000), 0, None);
        assert_eq!(GameClock::resumed(&limited, Some(ms(250)), 0).left(), Some(ms(250)));
        assert_eq!(GameClock::resumed(&limited, None, 0), GameClock::new(&limited));
        let unlimited = allowance(None, 0, Some(5));
        assert_eq!(GameClock::resumed(&unlimited, Some(ms(250)), 0), GameClock::new(&unlimited));
    }

    #[test]
    fn after_each_period_its_time_is_added_to_what_is_left() {
        let mut by_period = allowance(Some(1000), 10, None);
        by_period.game.as_mut().unwrap().period = Some(3);
        let mut clock = GameClock::new(&by_period);
        let move_in = |clock: &mut GameClock, time| {
            clock.charge(ms(time)).unwrap();
            clock.count_move();
            clock.left()
        };
        let left = [300, 300, 300, 1000, 0, 0, 0].map(|time| move_in(&mut clock, time));
        assert_eq!(left, [710, 420, 1130, 140, 150, 1160, 1170].map(|left| Some(ms(left))));
        // One that goes on knows how many moves of the period are made.
        let mut clock = GameClock::resumed(&by_period, Some(ms(420)), 2);
        assert_eq!(move_in(&mut clock, 300), Some(ms(1130)));
        // The time of the next period is no excuse.
        let mut clock = GameClock::resumed(&by_period, Some(ms(5)), 2);
        assert!(clock.charge(ms(500)).is_err());
        let mut endless = GameClock::new(&allowance(None, 0, Some(5)));
        endless.count_move();
        assert_eq!(endless.left(), None);
    }
}
