//! The arguments of `tengen play`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

#[cfg(feature = "lan")]
use super::lan::args::LanArgs;
use super::programs::PlayerWords;
use crate::common::options::{
    EvaluationArgs, LookArgs, ReadingArgs, RecordSource, parse_rule, parse_size, parse_time,
};
use tengen_core::notation::Origin;
use tengen_core::rules::{OpeningRule, Rule};
use tengen_core::types::Size;
use tengen_engine::engine::{Level, LevelError};
use tengen_people::play::Byoyomi;

/// Examples of games on the network, if there are any.
#[cfg(feature = "lan")]
macro_rules! lan_examples {
    () => {
        "  tengen play --host --name Ann                     a game on the network
  tengen play --join                                the other player's side of it
  tengen play --host --resume                       open the room of the last game again
"
    };
}
#[cfg(not(feature = "lan"))]
macro_rules! lan_examples {
    () => {
        ""
    };
}

/// The explanations after the options of `tengen play`.
pub(crate) const AFTER_PLAY: &str = concat!(
    "\
Examples:
  tengen play                                       asks who plays what, and begins
  tengen play --white person --rule renju           you have white
  tengen play --black person --white person --game-time 10m --increment 5
  tengen play --white cmd=./pbrain-foo              against any program that speaks the protocol
  tengen play --teach --theme light
  tengen play --line --moves \"h8 i9 h10\" --think 10
  tengen play --line --opening swap2                three stones, then a choice of colours
  tengen play --resume                              go on with the last game
",
    lan_examples!(),
    "
On the screen, arrows and Enter or the mouse play, and ? lists the keys. With --line, cells such as
h8 play, several at once too; help lists the commands. A line that is typed while the
engine thinks waits until it has moved, but stop stops it at once, and so does Ctrl-C; a second
Ctrl-C ends the program. In a game without persons lines don't wait, unless the line wait is
before them. At the end of the input the program ends after the engine's move.

Every change is saved at once to a file in the user's folder for the state of programs, so that a
program that was killed loses nothing: --resume goes on. Another game there is kept in a file with
.old added to the name.

TIME is in seconds unless it has a unit: 0.5, 500ms, 4m, 1h."
);

/// The arguments of `tengen play`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_PLAY)]
pub(crate) struct PlayArgs {
    /// Plays by lines of text: for screen readers and pipes.
    ///
    /// On standard input and output instead of on the whole screen.
    #[arg(long, conflicts_with_all = ["theme", "color"])]
    pub(crate) line: bool,

    /// The player of black: person, tengen, or words such as cmd=./pbrain-foo.
    ///
    /// Words are those of --engine of tengen match, several in quotes: "cmd=./pbrain-foo turn=5". A
    /// program has the clock of the game or, without one, its turn= or else --think. What it does wrong
    /// is said, and the game waits: go starts it again. The default is a person, or the engine where
    /// white is a person. With --resume, it is the player from now on.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) black: Option<PlayerWords>,

    /// The player of white: the same.
    ///
    /// The default is the engine, or a person where black is none.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) white: Option<PlayerWords>,

    /// The level of the engine, from 1 to 10, full strength [default: 10].
    ///
    /// Of two engines black's and white's, such as 3,7. Hints are always at full strength.
    #[arg(long, value_name = "LEVEL[,LEVEL]")]
    pub(crate) level: Option<LevelPair>,

    /// Rule: freestyle, standard, renju, caro or caro-exact.
    ///
    /// Or its number in the protocol: 0, 1, 4, 8 or 9. Of FILE it is the rule if the file does not say
    /// one. The default is freestyle.
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    pub(crate) rule: Option<Rule>,

    /// The size of the board, such as 15 or 20x15 [default: 15].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) size: Option<Size>,

    /// Begins with an opening that the players share, such as swap2.
    ///
    /// swap, swap2, rif, yamaguchi, soosorv8 or taraguchi10: the players share the first stones and the choice of colours. The last four are openings of
    /// renju, which is then the rule if --rule does not say another. The player of black is the one
    /// who begins.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["file", "moves"])]
    pub(crate) opening: Option<OpeningRule>,

    /// Begins after these moves, such as "h8 i9 h9".
    ///
    /// Also h8i9h9 or "1.h8 2.i9 3.h9".
    #[arg(
        long,
        value_name = "CELLS",
        value_parser = NonEmptyStringValueParser::new(),
        conflicts_with = "file"
    )]
    pub(crate) moves: Option<String>,

    /// Allows each side this time for each move.
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) time: Option<Duration>,

    /// Allows each side this time for all moves.
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) game_time: Option<Duration>,

    /// Adds this to the time for all moves after each move.
    #[arg(long, value_name = "TIME", value_parser = parse_limit, requires = "game_time")]
    pub(crate) increment: Option<Duration>,

    /// Allows periods of this length when the time for all moves is over.
    ///
    /// One for each move, or several, such as 5x30: a period that is not used up can be used again.
    #[arg(
        long,
        value_name = "[NUMBERx]TIME",
        conflicts_with = "increment",
        hide_short_help = true
    )]
    pub(crate) byoyomi: Option<Periods>,

    /// Lets the engine think this time where no clock says it [default: 2].
    ///
    /// About a move, and about a hint.
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) think: Option<Duration>,

    /// Lets the engine search this number of nodes, whatever the clock.
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u64).range(1..),
        hide_short_help = true
    )]
    pub(crate) nodes: Option<u64>,

    /// Warns before a move that allows a forced win, or throws yours away.
    #[arg(long)]
    pub(crate) teach: bool,

    /// The look of the screen.
    #[command(flatten)]
    pub(crate) look: LookArgs,

    /// Games on the network.
    #[cfg(feature = "lan")]
    #[command(flatten)]
    pub(crate) lan: LanArgs,

    /// Resumes the last saved game.
    ///
    /// With its players and clocks.
    #[arg(
        long,
        conflicts_with_all = [
            "file", "moves", "level", "seed", "from", "size", "rule", "opening",
            "time", "game_time", "increment", "byoyomi", "think", "nodes", "no_autosave"
        ]
    )]
    pub(crate) resume: bool,

    /// Seeds the randomness of levels 1 to 9 [default: from the system].
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) seed: Option<u64>,

    /// The edge from which rows count: top or bottom.
    ///
    /// In what is typed and printed. The default is bottom in renju, otherwise top. Rows of cells
    /// (pos) in files count from the top.
    #[arg(long, value_name = "EDGE", hide_short_help = true)]
    pub(crate) origin: Option<Origin>,

    /// Searches with this number of threads.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256),
        hide_short_help = true
    )]
    pub(crate) threads: u16,

    /// The evaluation and the parameters.
    #[command(flatten)]
    pub(crate) evaluation: EvaluationArgs,

    /// Saves to this file after every change.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) autosave: Option<PathBuf>,

    /// Saves nothing by itself.
    #[arg(long, conflicts_with = "autosave", hide_short_help = true)]
    pub(crate) no_autosave: bool,

    /// The way to read FILE.
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    /// Continues the first game of this file.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// The level that is proposed to somebody who has not played here yet: most people lose to the full
/// strength in a dozen moves.
pub(crate) const FIRST_LEVEL: Level = match Level::new(3) {
    Some(level) => level,
    None => Level::FULL,
};

impl PlayArgs {
    /// Returns whether nothing is said of the game, so that somebody has to be asked about it.
    pub(crate) const fn leaves_game_open(&self) -> bool {
        let is_about_players = self.black.is_some()
            || self.white.is_some()
            || self.level.is_some()
            || self.seed.is_some();
        let is_about_board = self.rule.is_some()
            || self.size.is_some()
            || self.opening.is_some()
            || self.moves.is_some()
            || self.file.is_some();
        let is_about_time = self.time.is_some()
            || self.game_time.is_some()
            || self.byoyomi.is_some()
            || self.think.is_some()
            || self.nodes.is_some();
        !(is_about_players || is_about_board || is_about_time || self.resume)
    }

    /// Returns the way to read FILE, and what a new game is.
    pub(crate) const fn source(&self) -> RecordSource {
        RecordSource { rule: self.rule, size: self.size, reading: self.reading }
    }

    /// Returns the levels of black and white, where the engine plays.
    #[must_use]
    pub(crate) fn levels(&self) -> [Level; 2] {
        let mut levels = self.level.map_or([Level::FULL; 2], |pair| pair.0);
        for (level, player) in levels.iter_mut().zip([&self.black, &self.white]) {
            if let Some(PlayerWords::Engine(Some(own))) = player {
                *level = *own;
            }
        }
        levels
    }
}

/// The levels of black and white.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LevelPair(pub [Level; 2]);

impl FromStr for LevelPair {
    type Err = LevelError;

    /// Reads one level for both sides, or black's and white's with a comma between them.
    fn from_str(text: &str) -> Result<LevelPair, LevelError> {
        let (black, white) = text.split_once(',').unwrap_or((text, text));
        Ok(LevelPair([black.parse()?, white.parse()?]))
    }
}

/// The periods of `--byoyomi`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Periods(pub Byoyomi);

impl FromStr for Periods {
    type Err = String;

    fn from_str(text: &str) -> Result<Periods, String> {
        let (periods, length) = match text.split_once('x') {
            None => (1, text),
            Some((number, length)) => {
                let digits = number.bytes().all(|b| b.is_ascii_digit());
                let number = number.parse().ok().filter(|n| digits && (1..=1000).contains(n));
                (number.ok_or("the number of periods is from 1 to 1000, as in 5x30")?, length)
            }
        };
        Ok(Periods(Byoyomi { periods, length: parse_limit(length)? }))
    }
}

/// Parses a time limit above 0.
fn parse_limit(text: &str) -> Result<Duration, String> {
    let time = parse_time(text)?;
    if time.is_zero() { Err("the time must be above 0".to_owned()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_for_both_sides_or_there_are_two() {
        let numbers = |text: &str| text.parse().map(|LevelPair(pair)| pair.map(Level::number));
        assert_eq!(numbers("3"), Ok([3, 3]));
        assert_eq!(numbers("10,1"), Ok([10, 1]));
        for text in ["", "0", "11", "3,", ",3", "3,4,5", "+3", "3.5", "3, 4"] {
            assert_eq!(numbers(text), Err(LevelError), "{text:?}");
        }
    }

    #[test]
    fn periods_have_a_number_and_a_length() {
        let seconds = |text: &str| {
            text.parse().map(|Periods(Byoyomi { periods, length })| (periods, length.as_secs()))
        };
        assert_eq!(seconds("30"), Ok((1, 30)));
        assert_eq!(seconds("5x30"), Ok((5, 30)));
        assert_eq!(seconds("3x1m"), Ok((3, 60)));
        for text in ["", "x", "0x30", "-1x30", "+1x3", "1001x3", "5x", "5x0", "0", "5x30x2", "5*30"]
        {
            assert!(seconds(text).is_err(), "{text:?}");
        }
    }
}
