//! The command line as text: what can be typed, no logic. The doc comments are the help.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::bench::DEFAULT_DEPTH;
use crate::rules::Rule;

/// A Gomoku and Renju engine that speaks the Gomocup/Piskvork protocol.
///
/// Without a command, tengen speaks the protocol on standard input and output, as game managers
/// expect it; unknown options are ignored then.
#[derive(Parser, Debug)]
#[command(name = "tengen", version, max_term_width = 100)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What tengen can do besides speaking the protocol.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Checks that an engine keeps to the protocol, with transcripts of conversations.
    ///
    /// Prints a line for each transcript and exits with 1 if one of them failed.
    Conformance(ConformanceArgs),

    /// Measures speed: moves played and taken back, and searches of fixed positions.
    ///
    /// With one thread the sum of the nodes searched is the same on every machine: the signature
    /// of the search. It changes only if the search or the evaluation does.
    Bench(BenchArgs),
}

/// The arguments of `tengen conformance`.
#[derive(clap::Args, Debug)]
pub struct ConformanceArgs {
    /// The engine: a program and its arguments; quotes protect blanks.
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,

    /// Multiplies every deadline; above 1 for slow or busy machines.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = parse_factor)]
    pub slack: f64,

    /// Plays this many transcripts at the same time.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "2",
        value_parser = clap::value_parser!(u16).range(1..=64)
    )]
    pub jobs: u16,

    /// Transcripts, or directories of them.
    #[arg(value_name = "PATH", default_value = "protocol-tests")]
    pub paths: Vec<PathBuf>,
}

/// The arguments of `tengen bench`.
#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// Searches with this many threads; with more than one there is no signature.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub threads: u16,

    /// Uses only this rule: freestyle, standard, renju, caro or caro-exact.
    #[arg(long, value_name = "RULE")]
    pub rule: Option<Rule>,

    /// Searches to this depth, in plies, or to five million nodes a position.
    #[arg(
        long,
        value_name = "PLIES",
        default_value_t = DEFAULT_DEPTH as u8,
        value_parser = clap::value_parser!(u8).range(1..=60)
    )]
    pub depth: u8,

    /// Prints one JSON object instead of tables.
    #[arg(long)]
    pub json: bool,
}

/// Returns whether a first argument asks for the tool and not for the protocol.
///
/// Managers start engines with options of their own, such as `--force-utf8`; only a word without
/// a dash can be a command.
#[must_use]
pub fn asks_for_tool(first: Option<&OsStr>) -> bool {
    let Some(first) = first else { return false };
    let is_option = first.as_encoded_bytes().starts_with(b"-");
    !is_option || ["-h", "--help", "-V", "--version"].iter().any(|option| first == *option)
}

fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if (0.1..=1000.0).contains(&factor) => Ok(factor),
        _ => Err("it is not a number from 0.1 to 1000".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn foreign_options_start_the_protocol() {
        let asks = |first: &str| asks_for_tool(Some(OsStr::new(first)));
        assert!(!asks_for_tool(None) && !asks("--force-utf8") && !asks("-x"));
        assert!(asks("conformance") && asks("--help") && asks("-V") && asks("help"));
    }

    #[test]
    fn slack_is_a_sensible_number() {
        assert_eq!(parse_factor("2.5"), Ok(2.5));
        for text in ["0", "-1", "NaN", "inf", "fast", ""] {
            assert!(parse_factor(text).is_err(), "{text}");
        }
    }
}
