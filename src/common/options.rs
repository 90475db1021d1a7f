//! Options that several commands have, and readers of their values.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ColorChoice};

use tengen_core::rules::{Rule, RuleNameError};
use tengen_core::types::Size;
use tengen_files::records;

/// The way to read game records.
#[derive(Args, Debug)]
pub(crate) struct RecordSource {
    /// The format of the input [default: by extension, or else by how it begins].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<records::Format>,

    /// The size of the board, such as 15 or 20x15, where the input does not tell it [default: the
    /// smallest of 15, 20 and 22 that holds all moves].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) size: Option<Size>,

    /// The rule, where the input does not tell it: freestyle (0), standard (1), renju (4 or 2),
    /// caro (8) or caro-exact (9). If given, the result is recomputed from the moves.
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    pub(crate) rule: Option<Rule>,

    /// The encoding of texts, such as utf-8, gbk, big5, shift_jis, euc-kr or windows-1251; RenLib
    /// libraries (lib) are written in it, too [default: as the file says, or else utf-8 if it is that,
    /// or else the likely one].
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<records::CodePage>,

    /// Refuses games about which there would be a warning.
    #[arg(long)]
    pub(crate) strict: bool,
}

/// The options of the look of a screen.
#[derive(Args, Debug)]
pub(crate) struct LookArgs {
    /// Draws with letters; without a terminal that is always so.
    #[arg(long)]
    pub(crate) ascii: bool,

    /// The colours of the screen: dark, light or plain, which are the terminal's own 16 [default:
    /// dark where there are 256 colours].
    #[arg(long, value_name = "NAME", value_parser = ["dark", "light", "plain"])]
    pub(crate) theme: Option<String>,

    /// Takes colours of the screen from this file: lines such as theme = light, wood = #d7af6f,
    /// mark = red.
    #[arg(long, value_name = "FILE")]
    pub(crate) colors: Option<PathBuf>,

    /// True if the screen has colours: auto, which is as the terminal and NO_COLOR say, always or
    /// never.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

/// The options of the analysis of one position.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// Analyses one position until you end it: the best moves with their chances, deeper and
    /// deeper, on the whole screen. Where standard output is not a terminal, or with --json, they are
    /// printed whenever they are known a ply deeper.
    #[arg(long, conflicts_with_all = ["book", "journal", "html", "sgf"])]
    pub(crate) position: bool,

    /// Analyses the position after these moves, such as h8i9h9, "h8 i9 h9" or "1.h8 2.i9 3.h9".
    #[arg(
        long,
        value_name = "CELLS",
        value_parser = NonEmptyStringValueParser::new(),
        requires = "position",
        conflicts_with = "files"
    )]
    pub(crate) moves: Option<String>,

    /// Analyses a position of the game of this number in FILE [default: 1].
    #[arg(long, value_name = "NUMBER", requires = "position", requires = "files")]
    pub(crate) game: Option<usize>,

    /// Begins with the position after this number of moves [default: all].
    #[arg(long, value_name = "MOVES", requires = "position")]
    pub(crate) ply: Option<usize>,

    /// Compares this number of moves [default: 5].
    #[arg(
        short = 'n',
        long,
        value_name = "NUMBER",
        requires = "position",
        value_parser = clap::value_parser!(u8).range(1..=30)
    )]
    pub(crate) lines: Option<u8>,

    /// Ends the analysis of a position at this depth, in plies.
    #[arg(
        long,
        value_name = "PLIES",
        requires = "position",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) depth: Option<u32>,
}

/// The number by which Yixin-Board and Rapfi mean renju.
const YIXIN_RENJU: &str = "2";

/// Reads a rule by its name or by its number in the protocol.
pub(crate) fn parse_rule(text: &str) -> Result<Rule, String> {
    let numbered = |rule: &Rule| rule.mask().to_string() == text;
    if text == YIXIN_RENJU {
        return Ok(Rule::Renju);
    }
    if let Some(rule) = Rule::ALL.into_iter().find(numbered) {
        return Ok(rule);
    }
    text.parse().map_err(|error: RuleNameError| {
        let numbers = Rule::ALL.map(|rule| rule.mask().to_string()).join(", ");
        format!("{error}, or the protocol's {numbers}")
    })
}

/// Reads a size such as `15` or `20x15`.
pub(crate) fn parse_size(text: &str) -> Result<Size, String> {
    let number = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse::<u8>().ok().filter(|_| digits).map(i64::from);
        number.ok_or_else(|| "it is not a size such as 15 or 20x15".to_owned())
    };
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    Size::new(number(width)?, number(height)?).map_err(|error| error.to_string())
}

/// The longest time that can be typed.
const LONGEST: Duration = Duration::from_secs(1000 * 3600);

/// Reads a time such as `60`, `0.5`, `500ms`, `4m` or `1h`, exact to a millisecond.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1.0), ("s", 1e3), ("m", 60e3), ("h", 3600e3)];
    let with_unit = |&(unit, length): &(&str, f64)| Some((text.strip_suffix(unit)?, length));
    let (number, unit) = units.iter().find_map(with_unit).unwrap_or((text, 1e3));
    let is_plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let millis = number.parse::<f64>().ok().filter(|_| is_plain).map(|number| number * unit);
    let Some(millis) = millis else {
        return Err("it is not a time such as 60, 0.5, 500ms, 4m or 1h".to_owned());
    };
    if millis > LONGEST.as_secs_f64() * 1e3 {
        return Err("the longest time is 1000h".to_owned());
    }
    Ok(Duration::from_millis(millis.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_names_and_the_numbers_of_the_protocol() {
        for (text, rule) in [
            ("renju", Rule::Renju),
            ("Standard", Rule::Standard),
            ("0", Rule::Freestyle),
            ("1", Rule::Standard),
            ("2", Rule::Renju),
            ("4", Rule::Renju),
            ("8", Rule::Caro),
            ("9", Rule::CaroExact),
        ] {
            assert_eq!(parse_rule(text), Ok(rule), "{text}");
        }
        for text in ["", "3", "5", "6", "10", "-1", "04", "gomoku"] {
            assert!(parse_rule(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_one_edge_or_two() {
        assert_eq!(parse_size("15"), Ok(Size::square(15).unwrap()));
        assert_eq!(parse_size("20x15"), Ok(Size::new(20, 15).unwrap()));
        for text in ["", "x", "15x", "x15", "4", "23", "15x23", "15x15x15", "-15", "+15", "15 "] {
            assert!(parse_size(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn times_are_seconds_unless_they_have_a_unit() {
        let millis = |text: &str| parse_time(text).map(|time| time.as_millis());
        for (text, expected) in [
            ("60", 60_000),
            ("0.5", 500),
            (".25", 250),
            ("500ms", 500),
            ("2s", 2000),
            ("4m", 240_000),
            ("1.5h", 5_400_000),
            ("0", 0),
            ("0.1", 100),
            ("1000h", 3_600_000_000),
        ] {
            assert_eq!(millis(text), Ok(expected), "{text}");
        }
        for text in ["", "s", "ms", "-1", "+1", "1e3", "1 s", "1d", "inf", "NaN", "1.2.3", "."] {
            let error = "it is not a time such as 60, 0.5, 500ms, 4m or 1h".to_owned();
            assert_eq!(parse_time(text), Err(error), "{text:?}");
        }
        assert_eq!(parse_time("1001h"), Err("the longest time is 1000h".to_owned()));
    }
}
