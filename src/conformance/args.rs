//! The arguments of `tengen conformance`.

use std::path::PathBuf;

use clap::Args;

use tengen_lab::conformance::Manager;

/// The arguments of `tengen conformance`.
#[derive(Args, Debug)]
pub(crate) struct ConformanceArgs {
    /// The engine: a program and its arguments; quotes protect blanks.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) engine: String,

    /// Plays what this manager needs, or all [default: gomocup].
    ///
    /// gomocup, piskvork, yixin-board, qpiskvork, c-gomoku-cli, gomocalc, pygomo, judge-local or cute;
    /// all plays all transcripts, those that no manager needs included. Of transcripts that are named
    /// the default is all.
    #[arg(long, value_name = "PROFILE", value_parser = parse_profile)]
    pub(crate) profile: Option<ProfileArg>,

    /// Counts warnings as failures, and exits with 1 after any failure.
    ///
    /// Otherwise only after that of a must.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Shows what passed, and of failures the whole conversation.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Multiplies every deadline, for slow or busy machines.
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = parse_factor)]
    pub(crate) slack: f64,

    /// Plays this many transcripts at the same time.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "2",
        value_parser = clap::value_parser!(u16).range(1..=64)
    )]
    pub(crate) jobs: u16,

    /// Transcripts, or directories of them [default: those that the program carries].
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// The manager whose needs are played, or everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProfileArg(pub Option<Manager>);

fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if (0.1..=1000.0).contains(&factor) => Ok(factor),
        _ => Err("it is not a number from 0.1 to 1000".to_owned()),
    }
}

fn parse_profile(text: &str) -> Result<ProfileArg, String> {
    if text == "all" {
        return Ok(ProfileArg(None));
    }
    let manager = text.parse::<Manager>();
    manager.map(|manager| ProfileArg(Some(manager))).map_err(|error| format!("{error}, and all"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slack_is_a_sensible_number() {
        assert_eq!(parse_factor("2.5"), Ok(2.5));
        for text in ["0", "-1", "NaN", "inf", "fast", ""] {
            assert!(parse_factor(text).is_err(), "{text}");
        }
    }
}
