//! The arguments of `tengen tune search`.

use std::path::PathBuf;
use std::str::FromStr;

use crate::common::options::{BoardArgs, RunArgs};
use tengen_core::search::params::{Assignment, Param};

/// The arguments of `tengen tune search`.
#[derive(clap::Args, Debug)]
pub(crate) struct SearchArgs {
    /// Improves this parameter, or all of them; may be repeated.
    ///
    /// At the end of the run it is moved by C_END each way, by default a twentieth of its range. A
    /// later one takes the place of an earlier one for the same parameter.
    #[arg(long = "param", value_name = "NAME[=C_END]|all", required = true)]
    pub(crate) params: Vec<Wanted>,

    /// Begins with this value of a parameter; may be repeated.
    ///
    /// Whether it is improved or not.
    #[arg(long = "start", value_name = "NAME=VALUE")]
    pub(crate) start: Vec<Assignment>,

    /// Plays this number of games in all, an even one.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "20000",
        value_parser = clap::value_parser!(u64).range(2..=1_000_000_000)
    )]
    pub(crate) games: u64,

    /// Searches this number of nodes for each move.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "2000",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    pub(crate) nodes: u64,

    /// The rule and the board.
    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// Searches with the network of this file, or none.
    ///
    /// The default is what the program comes with.
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,

    /// Begins games with the openings of this file, in random order.
    ///
    /// The default is random stones.
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,

    /// Keeps the state in this file, to resume after an interruption.
    ///
    /// After every batch.
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,

    /// Plays this number of pairs of games from the same values.
    ///
    /// A larger batch keeps more threads busy, a smaller one follows the results sooner.
    #[arg(
        long,
        value_name = "PAIRS",
        default_value = "32",
        value_parser = clap::value_parser!(u64).range(1..=100_000)
    )]
    pub(crate) batch: u64,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Makes other random choices.
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub(crate) seed: u64,

    /// The size of a step at the end, as a part of the square of C_END.
    #[arg(long, value_name = "PART", default_value = "0.002", hide_short_help = true)]
    pub(crate) r_end: f64,

    /// Calls a game with this number of stones a draw.
    ///
    /// The default is three quarters of the cells.
    #[arg(long, value_name = "STONES")]
    pub(crate) draw: Option<usize>,
}

/// A parameter that shall be improved, or all of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Wanted {
    /// All, each with the usual perturbation.
    All,
    /// One, with this perturbation at the end, or the usual one.
    One(&'static Param, Option<f64>),
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        if text == "all" {
            return Ok(Wanted::All);
        }
        let (name, c_end) = match text.split_once('=') {
            None => (text, None),
            Some((name, number)) => {
                let c_end = number.parse().ok().filter(|c: &f64| c.is_finite() && *c > 0.0);
                (name, Some(c_end.ok_or_else(|| format!("{number:?} is not a number above 0"))?))
            }
        };
        let param = Param::find(name).map_err(|error| error.to_string())?;
        Ok(Wanted::One(param, c_end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_wanted_by_name_with_a_perturbation_or_without() {
        let aspiration = Param::find("aspiration").unwrap();
        assert_eq!("all".parse(), Ok(Wanted::All));
        assert_eq!("aspiration".parse(), Ok(Wanted::One(aspiration, None)));
        assert_eq!("aspiration=2.5".parse(), Ok(Wanted::One(aspiration, Some(2.5))));
        for text in ["", "ALL", "x", "x=1", "aspiration=", "aspiration=0", "aspiration=-1"] {
            assert!(text.parse::<Wanted>().is_err(), "{text:?}");
        }
        for text in ["aspiration=NaN", "aspiration=inf", "aspiration=1=2"] {
            assert!(text.parse::<Wanted>().is_err(), "{text:?}");
        }
    }
}
