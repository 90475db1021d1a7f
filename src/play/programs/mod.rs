//! The players of a game as they are typed, and programs that speak the protocol among them.
//!
//! Sessions know programs only as [`PlayProgram`](tengen_people::play::PlayProgram)s, since people do without
//! the laboratory; the programs themselves are the [`Player`]s of its matches. Here they meet.

mod thread;

use std::str::FromStr;
use std::time::Duration;

use crossbeam_channel::Sender;

use self::thread::{PlayerMaker, ProgramThread};
use tengen_core::types::Color;
use tengen_engine::engine::Level;
use tengen_files::work::Stop;
use tengen_lab::arena::player::{GameTerms, PlayerAnswer, Question, seat};
use tengen_lab::arena::{Contestant, EngineWords, Player, PlayerError, PlayerFault};
use tengen_lab::process::{quoted, split_words};
use tengen_people::play::{Controller, ProgramEvent, ProgramName, SeatedProgram};

/// A player as it is typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PlayerWords {
    /// A person.
    Person,
    /// The engine, at this level if it is said here.
    Engine(Option<Level>),
    /// Whatever these words describe.
    Program(Box<EngineWords>),
}

impl PlayerWords {
    /// Returns the player if it is no program.
    pub(crate) const fn plain(&self) -> Option<Controller> {
        match self {
            PlayerWords::Person => Some(Controller::Person),
            PlayerWords::Engine(_) => Some(Controller::Engine),
            PlayerWords::Program(_) => None,
        }
    }

    /// Returns the words if it is a program.
    pub(crate) fn program(&self) -> Option<&EngineWords> {
        match self {
            PlayerWords::Program(words) => Some(words),
            PlayerWords::Person | PlayerWords::Engine(_) => None,
        }
    }
}

impl FromStr for PlayerWords {
    type Err = String;

    /// Reads `person`, `tengen` or `engine`, or the words of an engine with blanks between them.
    fn from_str(text: &str) -> Result<PlayerWords, String> {
        match text.trim() {
            "person" => return Ok(PlayerWords::Person),
            "tengen" | "engine" => return Ok(PlayerWords::Engine(None)),
            text if !text.contains('=') => {
                let players = "a player is person, tengen or words such as cmd=./pbrain-foo";
                return Err(players.to_owned());
            }
            _ => {}
        }
        let words = EngineWords::read(&words_of(text)).map_err(|error| error.to_string())?;
        words.check()?;
        if words.clock.is_some() {
            return Err("tc=: both sides have the clock of --game-time".to_owned());
        }
        let level = words.level;
        if level.is_some() && words == (EngineWords { level, ..EngineWords::default() }) {
            return Ok(PlayerWords::Engine(level));
        }
        // Whatever is wrong with the words shows with any limit.
        let turn = words.turn.or(Some(Duration::from_secs(1)));
        EngineWords { turn, ..words.clone() }.contestant(String::new())?;
        Ok(PlayerWords::Program(Box::new(words)))
    }
}

/// Returns the words of a line: each begins with `KEY=`, and has all that follows until the next.
fn words_of(line: &str) -> Vec<String> {
    let begins = |piece: &str| {
        let key = piece.split_once('=').map_or("", |(key, _)| key);
        key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.chars().all(|c| c.is_ascii_alphanumeric() || "_:-".contains(c))
    };
    let mut words: Vec<String> = Vec::new();
    for piece in split_words(line) {
        match words.last_mut() {
            Some(word) if !begins(&piece) => {
                word.push(' ');
                word.push_str(&quoted(&piece));
            }
            _ => words.push(piece),
        }
    }
    words
}

/// Returns a program that can be asked, and starts it for its first question. Its events go to `outbox`.
pub(super) fn seated<E: From<ProgramEvent> + Send + 'static>(
    words: &EngineWords,
    outbox: Sender<E>,
) -> SeatedProgram {
    let name = words.name.clone().or_else(|| words.plain_name()).unwrap_or_default();
    let program = ProgramThread::start(name.clone(), words.clone(), Box::new(seat), outbox);
    let name = ProgramName { name, words: words.to_string() };
    SeatedProgram { name, program: Box::new(program) }
}

/// Returns the place of a program of a saved game: what a file says is not started, before somebody has
/// said the same.
pub(super) fn absent<E: From<ProgramEvent> + Send + 'static>(
    name: ProgramName,
    color: Color,
    outbox: Sender<E>,
) -> SeatedProgram {
    let option = format!("--{color} \"{}\"", name.words);
    let how = format!("a saved game starts no programs: add {option} to --resume");
    let level = Some(Level::FULL);
    let words = EngineWords { level, ..EngineWords::default() };
    let maker: PlayerMaker = Box::new(move |_: &Contestant| Box::new(AbsentPlayer(how.clone())));
    let program = ProgramThread::start(name.name.clone(), words, maker, outbox);
    SeatedProgram { name, program: Box::new(program) }
}

/// Nobody: each game ends before it has begun.
struct AbsentPlayer(String);

impl Player for AbsentPlayer {
    fn begin(&mut self, _terms: &GameTerms, _abandon: &Stop) -> Result<(), PlayerError> {
        Err(PlayerError::Fault(PlayerFault::Start(self.0.clone())))
    }

    fn answer(&mut self, _: &Question<'_>, _: &Stop) -> Result<PlayerAnswer, PlayerError> {
        Err(PlayerError::Fault(PlayerFault::Exited))
    }

    fn memory(&mut self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::rules::Rule;
    use tengen_core::search::time::TimeControl;
    use tengen_core::types::Size;
    use tengen_people::play::{CasualGame, ClockControl, ProgramAsk, ProgramNews, ProgramQuestion};

    fn words(text: &str) -> Result<String, String> {
        match text.parse()? {
            PlayerWords::Program(words) => Ok(words.to_string()),
            other => Ok(format!("{other:?}")),
        }
    }

    #[test]
    fn a_player_is_typed_as_a_name_or_as_the_words_of_an_engine() {
        for (text, read) in [
            ("person", "Person"),
            ("tengen", "Engine(None)"),
            ("engine", "Engine(None)"),
            ("cmd=no-such", "cmd=no-such"),
            ("cmd=no-such turn=5 memory=350", "cmd=no-such turn=5 memory=350"),
            ("cmd=no-such --fast 'a b' turn=5", "cmd='no-such --fast '\"'\"'a b'\"'\"'' turn=5"),
            ("cmd='no-such --x=1' style=wild", "cmd='no-such --x=1' style=wild"),
            ("builtin=shapes level=3 name=Ann", "builtin=shapes name=Ann level=3"),
        ] {
            assert_eq!(words(text).as_deref(), Ok(read), "{text}");
            // What files and messages keep means the same.
            assert_eq!(words(read).as_deref().unwrap_or(read), read);
        }
        let level = words("level=3").unwrap();
        assert!(level.starts_with("Engine(Some("), "{level}");
    }

    #[test]
    fn what_is_no_player_is_refused() {
        let players = "a player is person, tengen or words such as cmd=./pbrain-foo";
        for (text, why) in [
            ("", players),
            ("computer", players),
            ("cmd=", "cmd=: it names no program"),
            ("turn=5", "cmd= or builtin= is missing: who plays?"),
            ("cmd=x tc=60", "tc=: both sides have the clock of --game-time"),
            ("cmd=x trun=5", "trun=5: did you mean turn=? To send it as it is, write info:trun=5"),
            ("builtin=greedy level=3", "greedy has no levels: it is the first of them"),
            ("builtin=greedy fast=1", "fast=1 means nothing to greedy"),
            ("builtin=shapes dir=.", "dir= is for programs, and shapes is none"),
        ] {
            assert_eq!(words(text), Err(why.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_a_saved_game_names_is_not_started() {
        let name = ProgramName { name: "foo".to_owned(), words: "cmd=./foo".to_owned() };
        let (outbox, events) = crossbeam_channel::unbounded();
        let mut absent = absent::<ProgramEvent>(name, Color::White, outbox);
        absent.program.ask(ProgramQuestion {
            id: 1,
            setup: CasualGame::new(Size::DEFAULT, Rule::Freestyle).setup(),
            ask: ProgramAsk::Move,
            control: ClockControl::default(),
            time: TimeControl::of_turn(Duration::from_secs(1)),
            limit: None,
        });
        let why = "could not start: a saved game starts no programs: add --white \"cmd=./foo\" to --resume";
        assert_eq!(events.recv().unwrap().news, ProgramNews::Failed(why.to_owned()));
    }
}
