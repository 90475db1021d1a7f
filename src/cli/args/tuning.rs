//! What can be typed after `tengen tune`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::parse_size;
use crate::openings::StoneCount;
use crate::rules::Rule;
use crate::types::Size;

/// The arguments of `tengen tune`.
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: TuneCommand,
}

/// The steps of tuning.
#[derive(Subcommand, Debug)]
pub enum TuneCommand {
    /// Plays games of the engine against itself, to learn from.
    ///
    /// A game begins with random stones, and a search of a fixed number of nodes chooses every move.
    /// Games are the same for the same options, whatever the number of threads. The same command
    /// again goes on where it was interrupted, or makes the file longer.
    Games(GamesArgs),

    /// Tells what a file of games is: how it was made, results, lengths, its checksum.
    Info(InfoArgs),
}

/// The arguments of `tengen tune games`.
#[derive(Args, Debug)]
pub struct GamesArgs {
    /// The rule: freestyle, standard, renju, caro or caro-exact.
    #[arg(long, value_name = "RULE", default_value = "freestyle")]
    pub rule: Rule,

    /// The size of the board, such as 15 or 20x15.
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    pub size: Size,

    /// Plays so many games.
    #[arg(
        short = 'n',
        long,
        value_name = "NUMBER",
        default_value = "1000",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    pub games: u64,

    /// Writes to this file, or goes on with it.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Plays so many games at the same time [default: one for each core].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Shows no progress.
    #[arg(short, long)]
    pub quiet: bool,

    /// Plays other games.
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub seed: u64,

    /// Searches so many nodes for a move [default: 800].
    #[arg(long, value_name = "NUMBER")]
    pub nodes: Option<u64>,

    /// Plays with the numbers of this file of weights, or with those set by hand if it is called
    /// prior [default: what the program comes with].
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,

    /// The number of random stones, such as 4 or 1-8 [default: 1-8].
    #[arg(long, value_name = "NUMBERS")]
    pub stones: Option<StoneCount>,

    /// How far from the centre the first random stone may be, in cells [default: two lines less than
    /// to the edge].
    #[arg(long, value_name = "CELLS")]
    pub spread: Option<u8>,

    /// How far from one of those before each other random stone is at most, in cells [default: 3].
    #[arg(long, value_name = "CELLS")]
    pub reach: Option<u8>,

    /// How far from 0 the score of an opening may be, in the units of the evaluation
    /// [default: 150].
    #[arg(long, value_name = "UNITS")]
    pub window: Option<i32>,

    /// In so many first moves of a game the second best move has a chance [default: 4].
    #[arg(long, value_name = "NUMBER")]
    pub variety: Option<u8>,

    /// How much lower the score of that move may be, in the units of the evaluation [default: 20].
    #[arg(long, value_name = "UNITS")]
    pub variety_margin: Option<i32>,

    /// A game with so many stones is drawn [default: two thirds of the board].
    #[arg(long, value_name = "NUMBER")]
    pub longest: Option<u16>,
}

/// The arguments of `tengen tune info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// Files of games.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}
