//! The arguments of `tengen play`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::common::options::{LookArgs, RecordSource, parse_time};
use tengen_core::notation::Origin;
use tengen_core::rules::OpeningRule;
use tengen_engine::engine::{Level, LevelError};
use tengen_people::play::{Byoyomi, Controller};
use tengen_people::room::JoinCode;

/// The explanations after the options of `tengen play`.
pub(crate) const AFTER_PLAY: &str = "\
Examples:
  tengen play                                       you have black, the engine white
  tengen play --white person --rule renju           you have white
  tengen play --black person --white person --game-time 10m --increment 5
  tengen play --teach --theme light
  tengen play --line --moves \"h8 i9 h10\" --think 10
  tengen play --line --opening swap2                three stones, then a choice of colours
  tengen play --line --host --name Ann              a game on the network
  tengen play --line --join                         the other player's side of it
  tengen play --resume                              go on with the last game
  tengen play --line --host --resume                open the room of the last game again

--rule and --size are those of a new game too, freestyle and 15 if they are not given.

On the screen, arrows and Enter or the mouse play, and ? lists the keys. With --line, cells such as
h8 play, several at once too; help lists the commands. A line that is typed while the
engine thinks waits until it has moved, but stop stops it at once, and so does Ctrl-C; a second
Ctrl-C ends the program. In a game between two engines lines don't wait, unless the line wait is
before them. At the end of the input the program ends after the engine's move.

Every change is saved at once to a file in the user's folder for the state of programs, so that a
program that was killed loses nothing: --resume goes on. Another game there is kept in a file with
.old added to the name.

TIME is in seconds unless it has a unit: 0.5, 500ms, 4m, 1h.";

/// The arguments of `tengen play`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_PLAY)]
pub(crate) struct PlayArgs {
    /// Plays by lines of text on standard input and output instead of on the whole screen: for
    /// screen readers and pipes.
    #[arg(long, conflicts_with_all = ["theme", "colors", "color"])]
    pub(crate) line: bool,

    /// The player of black: person or engine [default: the one that white is not, or else a
    /// person].
    #[arg(long, value_name = "PLAYER")]
    pub(crate) black: Option<Controller>,

    /// The player of white: person or engine [default: the one that black is not].
    #[arg(long, value_name = "PLAYER")]
    pub(crate) white: Option<Controller>,

    /// The level of the engine, from 1, a beginner's, to 10, full strength; of two engines black's
    /// and white's, such as 3,7 [default: 10]. Hints are always at full strength.
    #[arg(long, value_name = "LEVEL[,LEVEL]")]
    pub(crate) level: Option<LevelPair>,

    /// Seeds the randomness of levels 1 to 9 [default: from the system].
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,

    /// The way to read FILE and what is loaded, and what a new game is.
    #[command(flatten)]
    pub(crate) source: RecordSource,

    /// Lets the players share the first stones and the choice of colours: swap, swap2, rif,
    /// yamaguchi, soosorv8 or taraguchi10. The last four are openings of renju, which is then the
    /// rule if --rule does not say another. The player of black is the one who begins.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["file", "moves"])]
    pub(crate) opening: Option<OpeningRule>,

    /// Opens a room for a game on the network: you have black, or the first move in
    /// an opening, unless --white person says otherwise. Rule, size, opening and clocks are yours.
    /// With --resume, opens the room again that was saved last, with its game, code and port, for
    /// the guest who was there.
    #[arg(
        long,
        requires = "line",
        conflicts_with_all = ["think", "nodes", "threads", "weights", "networks", "teach"]
    )]
    pub(crate) host: bool,

    /// Opens the room at this port [default: a free one].
    #[arg(long, value_name = "NUMBER", requires = "host")]
    pub(crate) port: Option<u16>,

    /// Hides the room from the list of the local network: a guest needs its address.
    #[arg(long, requires = "host")]
    pub(crate) unlisted: bool,

    /// Joins the room at this address, such as 192.168.1.5:4000, or one of those that are found in
    /// the local network.
    #[arg(
        long,
        value_name = "HOST:PORT",
        num_args = 0..=1,
        requires = "line",
        conflicts_with_all = [
            "host", "resume", "file", "moves", "black", "white", "from", "size", "rule", "opening",
            "time", "game_time", "increment", "byoyomi", "think", "nodes", "threads", "weights",
            "networks", "teach"
        ]
    )]
    pub(crate) join: Option<Option<String>>,

    /// Joins with this code, which the host sees; it is asked for otherwise.
    #[arg(long, requires = "join")]
    pub(crate) code: Option<JoinCode>,

    /// The name that the other player sees [default: host or guest].
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) name: Option<String>,

    /// Allows each side this time for each move.
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) time: Option<Duration>,

    /// Allows each side this time for all moves.
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) game_time: Option<Duration>,

    /// Adds this to the time for all moves after each move.
    #[arg(long, value_name = "TIME", value_parser = parse_limit, requires = "game_time")]
    pub(crate) increment: Option<Duration>,

    /// Allows a period of this length for each move when the time for all moves is over, or several
    /// of them, such as 5x30: a period that is not used up can be used again.
    #[arg(long, value_name = "[NUMBERx]TIME", conflicts_with = "increment")]
    pub(crate) byoyomi: Option<Periods>,

    /// Lets the engine think this time about a move where no clock says it, and about a hint
    /// [default: 2].
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) think: Option<Duration>,

    /// Lets the engine search this number of nodes instead, whatever the clock.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// Begins after these moves, such as h8i9h9, "h8 i9 h9" or "1.h8 2.i9 3.h9".
    #[arg(
        long,
        value_name = "CELLS",
        value_parser = NonEmptyStringValueParser::new(),
        conflicts_with = "file"
    )]
    pub(crate) moves: Option<String>,

    /// The edge from which rows count in what is typed and printed: top or bottom [default: bottom
    /// in renju, otherwise top]. Rows of cells (pos) in files count from the top.
    #[arg(long, value_name = "EDGE")]
    pub(crate) origin: Option<Origin>,

    /// The look of the screen.
    #[command(flatten)]
    pub(crate) look: LookArgs,

    /// Warns before a move that gives the opponent a forced win.
    #[arg(long)]
    pub(crate) teach: bool,

    /// Searches with this number of threads.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub(crate) threads: u16,

    /// Evaluates with the weights of this file, and no network, instead of those that the program
    /// comes with; may be repeated, once for each rule.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Vec<PathBuf>,

    /// Corrects the evaluation by the network of this file instead of the one that the program
    /// comes with, or by none if it is called none; may be repeated, once for each rule.
    #[arg(long = "network", value_name = "FILE")]
    pub(crate) networks: Vec<PathBuf>,

    /// Resumes the last saved game, with its players and clocks; with --host, in its
    /// room.
    #[arg(
        long,
        conflicts_with_all = [
            "file", "moves", "black", "white", "level", "seed", "from", "size", "rule", "opening", "time",
            "game_time",
            "increment", "byoyomi", "think", "nodes", "no_autosave"
        ]
    )]
    pub(crate) resume: bool,

    /// Saves to this file after every change.
    #[arg(long, value_name = "FILE")]
    pub(crate) autosave: Option<PathBuf>,

    /// Saves nothing by itself.
    #[arg(long, conflicts_with = "autosave")]
    pub(crate) no_autosave: bool,

    /// Continues the first game of this file.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

impl PlayArgs {
    /// Returns the levels of black and white, where the engine plays.
    #[must_use]
    pub(crate) fn levels(&self) -> [Level; 2] {
        self.level.map_or([Level::FULL; 2], |pair| pair.0)
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
