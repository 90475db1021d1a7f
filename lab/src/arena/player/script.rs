//! Players whose answers are written down beforehand.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{GameTerms, Player, PlayerAnswer, PlayerChoice, PlayerError, Question};
use crate::arena::PlayerFault;
use tengen_core::types::{Point, Size};
use tengen_files::work::Stop;

/// The reaction of a player to a question.
type Reaction = Box<dyn FnMut(&Question<'_>, Size) -> Result<PlayerAnswer, PlayerError> + Send>;

/// A double of a contestant, for tests of those who ask: its answers come from a list or from a
/// function, take the time that they say without taking any, and may be any trouble.
///
/// After the end of a list it has ended by itself ([`PlayerFault::Exited`]).
pub struct Scripted {
    reaction: Reaction,
    /// Called at the beginning of each game.
    rewind: Box<dyn FnMut() + Send>,
    begins: Vec<Result<(), PlayerError>>,
    delay: Duration,
    memory: Option<u64>,
    size: Size,
    log: Log,
}

/// The calls of a [`Scripted`] player, shared with every clone of the log.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Vec<Call>>>);

/// A call of a [`Scripted`] player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// [`Player::begin`].
    Begin(GameTerms),
    /// [`Player::answer`]; see [`Question`].
    PlayerAnswer {
        /// The stones on the board.
        moves: Vec<Point>,
        /// True if it was a part of a swap2 opening.
        swap2: bool,
        /// The time left for the game.
        time_left: Option<Duration>,
        /// The time that the answer may take.
        limit: Option<Duration>,
    },
}

impl Log {
    /// Returns all calls so far.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, call: Call) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    }
}

impl Scripted {
    fn with(reaction: Reaction, rewind: Box<dyn FnMut() + Send>) -> Scripted {
        Scripted {
            reaction,
            rewind,
            begins: Vec::new(),
            delay: Duration::ZERO,
            memory: None,
            size: Size::DEFAULT,
            log: Log::default(),
        }
    }

    /// Returns a player that answers every question as a function does.
    #[must_use]
    pub fn from_fn(
        mut react: impl FnMut(&Question<'_>) -> Result<PlayerAnswer, PlayerError> + Send + 'static,
    ) -> Scripted {
        Scripted::with(Box::new(move |question, _| react(question)), Box::new(|| {}))
    }

    /// Returns a player that gives these answers in every game, one after the other.
    #[must_use]
    pub fn from_answers(answers: Vec<Result<PlayerAnswer, PlayerError>>) -> Scripted {
        let next = Arc::new(Mutex::new(0_usize));
        let place = Arc::clone(&next);
        let react = move |_: &Question<'_>, _| {
            let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
            let answer = answers.get(*next).cloned();
            *next += 1;
            answer.unwrap_or(Err(PlayerError::Fault(PlayerFault::Exited)))
        };
        let rewind = move || *place.lock().unwrap_or_else(PoisonError::into_inner) = 0;
        Scripted::with(Box::new(react), Box::new(rewind))
    }

    /// Returns a player that makes these moves in every game, each without taking time.
    #[must_use]
    pub fn from_moves(moves: &[Point]) -> Scripted {
        let answers =
            moves.iter().map(|&point| Ok(PlayerAnswer::at_once(PlayerChoice::Move(point))));
        Scripted::from_answers(answers.collect())
    }

    /// Returns a player that always takes the first empty cell, row by row.
    ///
    /// Two of them fill the first row in turn, then the next: on a board of an even width columns
    /// of one colour arise, and the first player wins with its fifth stone of the first column.
    #[must_use]
    pub fn first_empty() -> Scripted {
        let react = |question: &Question<'_>, size: Size| {
            let empty = size.points().find(|point| !question.moves.contains(point));
            empty
                .map(|point| PlayerAnswer::at_once(PlayerChoice::Move(point)))
                .ok_or(PlayerError::Fault(PlayerFault::Exited))
        };
        Scripted::with(Box::new(react), Box::new(|| {}))
    }

    /// Makes the first games begin with these results, and all others well.
    #[must_use]
    pub fn beginning_with(mut self, mut results: Vec<Result<(), PlayerError>>) -> Scripted {
        results.reverse();
        self.begins = results;
        self
    }

    /// Makes every answer really take some time, unless the game is abandoned meanwhile.
    #[must_use]
    pub fn delayed(mut self, delay: Duration) -> Scripted {
        self.delay = delay;
        self
    }

    /// Makes the player say that it used this much memory, in bytes.
    #[must_use]
    pub fn using_memory(mut self, bytes: u64) -> Scripted {
        self.memory = Some(bytes);
        self
    }

    /// Returns a handle on the questions to the player, also later ones.
    #[must_use]
    pub fn log(&self) -> Log {
        self.log.clone()
    }
}

impl Player for Scripted {
    fn begin(&mut self, terms: &GameTerms, _abandon: &Stop) -> Result<(), PlayerError> {
        self.size = terms.size;
        self.log.add(Call::Begin(*terms));
        (self.rewind)();
        self.begins.pop().unwrap_or(Ok(()))
    }

    fn answer(
        &mut self,
        question: &Question<'_>,
        abandon: &Stop,
    ) -> Result<PlayerAnswer, PlayerError> {
        self.log.add(Call::PlayerAnswer {
            moves: question.moves.to_vec(),
            swap2: question.swap2,
            time_left: question.time_left,
            limit: question.limit,
        });
        let end = Instant::now() + self.delay;
        loop {
            if abandon.is_set() {
                return Err(PlayerError::Abandoned);
            }
            let rest = end.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return (self.reaction)(question, self.size);
            }
            thread::sleep(rest.min(Duration::from_millis(10)));
        }
    }

    fn memory(&mut self) -> Option<u64> {
        self.memory
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("size", &self.size).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::rules::Rule;

    const TERMS: GameTerms = GameTerms { size: Size::DEFAULT, rule: Rule::Freestyle };

    fn question(moves: &[Point]) -> Question<'_> {
        Question { moves, swap2: false, time_left: None, limit: None, silence: None }
    }

    #[test]
    fn a_list_begins_again_in_every_game_and_ends_with_the_player() {
        let center = Size::DEFAULT.center();
        let mut player = Scripted::from_moves(&[center]);
        let log = player.log();
        let abandon = Stop::new();
        for _ in 0..2 {
            assert_eq!(player.begin(&TERMS, &abandon), Ok(()));
            let answer = player.answer(&question(&[]), &abandon).unwrap();
            assert_eq!(answer.choice, PlayerChoice::Move(center));
            let end = player.answer(&question(&[center]), &abandon);
            assert_eq!(end, Err(PlayerError::Fault(PlayerFault::Exited)));
        }
        assert_eq!(log.calls().len(), 6);
        assert_eq!(log.calls()[0], Call::Begin(TERMS));
    }

    #[test]
    fn beginnings_and_delays_are_as_told() {
        let trouble = Err(PlayerError::Fault(PlayerFault::Start("no".to_owned())));
        let delay = Duration::from_millis(30);
        let mut player =
            Scripted::first_empty().beginning_with(vec![Ok(()), trouble.clone()]).delayed(delay);
        let abandon = Stop::new();
        assert_eq!(player.begin(&TERMS, &abandon), Ok(()));
        assert_eq!(player.begin(&TERMS, &abandon), trouble);
        assert_eq!(player.begin(&TERMS, &abandon), Ok(()));
        let before = Instant::now();
        let corner = TERMS.size.point(0, 0).unwrap();
        let answer = player.answer(&question(&[corner]), &abandon).unwrap();
        assert_eq!(answer.choice, PlayerChoice::Move(TERMS.size.point(1, 0).unwrap()));
        assert!(before.elapsed() >= delay);
        abandon.request();
        assert_eq!(player.answer(&question(&[]), &abandon), Err(PlayerError::Abandoned));
    }
}
