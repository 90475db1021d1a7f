//! Options that several commands have, and readers of their values.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Args, ColorChoice};

use tengen_core::rules::{Rule, RuleNameError};
use tengen_core::search::params::Assignment;
use tengen_core::types::Size;
use tengen_files::records;
pub(crate) use tengen_files::words::parse_time;

/// The way to read files of games.
#[derive(Args, Clone, Copy, Default, Debug)]
pub(crate) struct ReadingArgs {
    /// Reads this format [default: by extension, or by content].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<records::Format>,

    /// The encoding of texts, such as gbk [default: as they seem].
    ///
    /// For example utf-8, gbk, big5, shift_jis, euc-kr or windows-1251. RenLib libraries (lib) are
    /// written in it, too. The default is what the file says, or else utf-8 if it is that, or else
    /// the likely one.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) encoding: Option<records::CodePage>,

    /// Refuses games about which there would be a warning.
    #[arg(long, hide_short_help = true)]
    pub(crate) strict: bool,
}

/// The way to read game records, and what is missing in them.
#[derive(Args, Clone, Copy, Default, Debug)]
pub(crate) struct RecordSource {
    /// The rule, where the input does not say it.
    ///
    /// freestyle (0), standard (1), renju (4 or 2), caro (8) or caro-exact (9). With a rule, the
    /// result of a game is found by playing its moves.
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    pub(crate) rule: Option<Rule>,

    /// The board, such as 15 or 20x15, where the input does not say it.
    ///
    /// The default is the smallest of 15, 20 and 22 that holds all moves.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) size: Option<Size>,

    /// The way to read the files.
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// The rule and the board of games that are to be played.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct BoardArgs {
    /// Rule: freestyle, standard, renju, caro or caro-exact.
    ///
    /// Or its number in the protocol: 0, 1, 4, 8 or 9.
    #[arg(long, value_name = "RULE", default_value = "freestyle", value_parser = parse_rule)]
    pub(crate) rule: Rule,

    /// The size of the board, such as 15 or 20x15.
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    pub(crate) size: Size,
}

/// The options of work for many threads.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct RunArgs {
    /// Uses this number of threads [default: one for each core].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Shows no progress.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Returns an option that takes words each time; [`word_lists`] tells which of them belong together.
pub(crate) fn words_option(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("WORD").num_args(1..).action(ArgAction::Append).help(help)
}

/// Returns the words of each time that an option is there.
pub(crate) fn word_lists(matches: &ArgMatches, name: &str) -> Vec<Vec<String>> {
    let all = matches.get_occurrences::<String>(name);
    all.map_or_else(Vec::new, |all| all.map(|words| words.cloned().collect()).collect())
}

/// The evaluation and the parameters of searches.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub(crate) struct EvaluationArgs {
    /// Changes a parameter of the search; may be repeated.
    ///
    /// `tengen tune params` lists them.
    #[arg(long = "param", value_name = "NAME=VALUE", hide_short_help = true)]
    pub(crate) params: Vec<Assignment>,

    /// Evaluates with the weights of this file; may be repeated.
    ///
    /// A file is for one rule, which has no network then.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) weights: Vec<PathBuf>,

    /// Evaluates with the network of this file, or none; may be repeated.
    ///
    /// A file is for one rule. Without networks at all: --network none.
    #[arg(long = "network", value_name = "FILE", hide_short_help = true)]
    pub(crate) networks: Vec<PathBuf>,
}

/// The options of the look of a screen.
#[derive(Args, Debug)]
pub(crate) struct LookArgs {
    /// The colours of the screen: dark, light, plain or a file.
    ///
    /// plain are the terminal's own 16 colours, and the default where there are no 256; otherwise it
    /// is dark. Lines of a file are such as theme = light, wood = #d7af6f or mark = red. Of a name
    /// and a file, the file changes the theme of the name.
    #[arg(long, alias = "colors", value_name = "NAME|FILE", value_parser = parse_theme)]
    pub(crate) theme: Vec<ThemeSource>,

    /// Uses colours: auto, always or never.
    ///
    /// auto is as the terminal and NO_COLOR say.
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub(crate) color: ColorChoice,

    /// Draws with letters, as is done where no terminal is.
    #[arg(long, hide_short_help = true)]
    pub(crate) ascii: bool,
}

/// Where the colours of a screen come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ThemeSource {
    /// A theme of the program.
    Named(ThemeName),
    /// A file of colours.
    File(PathBuf),
}

/// The themes of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThemeName {
    /// For terminals with a dark background.
    Dark,
    /// For terminals with a light background.
    Light,
    /// The terminal's own 16 colours on its own background.
    Plain,
}

impl ThemeName {
    /// Returns the theme with a name.
    pub(crate) fn find(name: &str) -> Option<ThemeName> {
        match name {
            "dark" => Some(ThemeName::Dark),
            "light" => Some(ThemeName::Light),
            "plain" => Some(ThemeName::Plain),
            _ => None,
        }
    }
}

/// Reads the name of a theme, or of a file that is there.
fn parse_theme(text: &str) -> Result<ThemeSource, String> {
    match ThemeName::find(text) {
        Some(name) => Ok(ThemeSource::Named(name)),
        None if Path::new(text).exists() => Ok(ThemeSource::File(text.into())),
        None => Err("it is neither dark, light or plain nor a file".to_owned()),
    }
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
}
