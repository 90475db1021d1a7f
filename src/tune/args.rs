//! The arguments of `tengen tune`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::searching::SearchArgs;
use crate::common::options::{BoardArgs, RunArgs};
use tengen_lab::openings::StoneCount;

/// The arguments of `tengen tune`.
#[derive(Args, Debug)]
pub(crate) struct TuneArgs {
    /// The step to take.
    #[command(subcommand)]
    pub(crate) command: TuneCommand,
}

/// The steps of tuning.
#[derive(Subcommand, Debug)]
pub(crate) enum TuneCommand {
    /// Plays games of the engine against itself, to learn from.
    ///
    /// A game begins with random stones, and a search of a fixed number of nodes chooses every
    /// move. Games are the same for the same options, whatever the number of threads. The same
    /// command again goes on where it was interrupted, or makes the file longer.
    Games(GamesArgs),

    /// Fits the weights of the evaluation and of the order of moves to games of one rule.
    ///
    /// The same games give the same file of weights, whatever the number of threads and the
    /// machine. Every sixteenth game is held out, and the losses on these are printed.
    Fit(FitArgs),

    /// Judges the leaves of games again, with other nodes, or those of some drawn at random.
    ///
    /// Makes a file of games that have only what was judged as leaves. What is said of a position
    /// depends on nothing but the position, the nodes and the evaluation. The same command again goes
    /// on where it was interrupted.
    Relabel(RelabelArgs),

    /// Writes the positions of games for the trainer of a network.
    ///
    /// With the scores of their searches and their results. The same games give the same samples, whatever the number of threads. Every sixteenth game
    /// is marked as held out.
    Samples(SamplesArgs),

    /// Measures a network on samples: its losses, beside those of the tables.
    ///
    /// What the engine's own integers get, which the loss on samples that a network has learnt from
    /// does not say: positions judged by deep searches that nothing is learnt from are a yardstick.
    /// Figures are means, in nats, and the same for any number of threads.
    #[command(after_long_help = LOSSES_HELP)]
    Losses(LossesArgs),

    /// Makes the weights of a plan: games and fits, rule by rule, generation after generation.
    ///
    /// The first games are played with the hand-tuned weights, or with those of the program if the
    /// plan goes on from them, each later generation with the weights of the one before. What the directory has already is not made again, so the same
    /// command goes on where it was interrupted. The result does not depend on interruptions, the
    /// number of threads or the machine.
    All(AllArgs),

    /// Improves parameters of the search by games between slightly different values of them.
    ///
    /// Prints the values now and then and at the end. The outcome is the same for the same options,
    /// whatever the number of threads. With --state nothing is lost if it is interrupted.
    Search(Box<SearchArgs>),

    /// Lists the parameters of the search: those that `search` improves and --param sets.
    Params,

    /// Describes files of games or of weights.
    ///
    /// How they were made, results, lengths and checksums.
    Info(InfoArgs),
}

/// The arguments of `tengen tune games`.
#[derive(Args, Debug)]
pub(crate) struct GamesArgs {
    /// The rule and the board.
    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// Plays this number of games.
    #[arg(
        short = 'n',
        long,
        value_name = "NUMBER",
        default_value = "1000",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    pub(crate) games: u64,

    /// Writes to this file, or resumes it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Seeds the random stones and moves.
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub(crate) seed: u64,

    /// Searches this number of nodes for a move [default: 800].
    #[arg(long, value_name = "NUMBER")]
    pub(crate) nodes: Option<u64>,

    /// Plays with the weights of this file, or hand-tuned ones.
    ///
    /// The default is what the program comes with, and hand-tuned is a name.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,

    /// Plays with the network of this file, or none.
    ///
    /// The default is what the program comes with for the weights that it comes with.
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,

    /// The number of random stones, such as 4 or 1-8 [default: 2-12].
    #[arg(long, value_name = "NUMBERS")]
    pub(crate) stones: Option<StoneCount>,

    /// The largest distance of the first random stone from the centre.
    ///
    /// In cells; the default is two lines less than to the edge.
    #[arg(long, value_name = "CELLS", hide_short_help = true)]
    pub(crate) spread: Option<u8>,

    /// The largest distance of other random stones from one before [default: 3].
    ///
    /// In cells.
    #[arg(long, value_name = "CELLS", hide_short_help = true)]
    pub(crate) reach: Option<u8>,

    /// The largest distance of the score of an opening from 0 [default: 60].
    ///
    /// In the units of the evaluation.
    #[arg(long, value_name = "UNITS", hide_short_help = true)]
    pub(crate) window: Option<i32>,

    /// Gives second best moves a chance in this number of moves [default: 4].
    ///
    /// The first ones of a game.
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) variety: Option<u8>,

    /// Lets a second best move be worse by this much [default: 20].
    ///
    /// In the units of the evaluation.
    #[arg(long, value_name = "UNITS", hide_short_help = true)]
    pub(crate) variety_margin: Option<i32>,

    /// Draws a game with this number of stones.
    ///
    /// The default is two thirds of the board.
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) longest: Option<u16>,

    /// Draws a game whose moves have had scores up to this one [default: 25].
    ///
    /// In the units of the evaluation, for either side.
    #[arg(long, value_name = "UNITS", hide_short_help = true)]
    pub(crate) draw_score: Option<i32>,

    /// Draws it after this number of such moves in a row; 0 draws none [default: 10].
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) draw_moves: Option<u8>,

    /// Draws it only with this number of stones on the board.
    ///
    /// The default is 60 on 15x15, and as large a part of other boards.
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) draw_stones: Option<u16>,

    /// Keeps this number of positions that a search evaluated [default: 1].
    ///
    /// They are judged by a search of their own; no move depends on it. Those that are too one-sided for
    /// the network to be asked do not count.
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) leaves: Option<u8>,

    /// Searches this number of nodes to judge such a position [default: 2000].
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) leaf_nodes: Option<u64>,
}

/// The part of the weights that is fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FitPart {
    /// The values of cells and of the tempo.
    Evaluation,
    /// The order in which moves are searched.
    Order,
}

/// The arguments of `tengen tune fit`.
#[derive(Args, Debug)]
pub(crate) struct FitArgs {
    /// Files of games, all of the same rule.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Writes the weights to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Fits this part alone; the other stays hand-tuned.
    #[arg(long, value_name = "PART")]
    pub(crate) only: Option<FitPart>,

    /// The share of the score in the worth of a position [default: 0.5].
    ///
    /// From 0 to 1, of the score of the search; the rest is the result of the game.
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(crate) score_share: Option<f64>,

    /// The weight of a position against hand-tuned weights [default: 0.5].
    #[arg(long, value_name = "WEIGHT", value_parser = parse_weight)]
    pub(crate) position_weight: Option<f64>,

    /// The weight of a move against hand-tuned weights [default: 0.5].
    #[arg(long, value_name = "WEIGHT", value_parser = parse_weight)]
    pub(crate) choice_weight: Option<f64>,

    /// The units by which the odds of winning grow by e [default: 180].
    ///
    /// The margins of the search are made for the usual one.
    #[arg(long, value_name = "UNITS", value_parser = parse_scale)]
    pub(crate) eval_scale: Option<f64>,

    /// Ends each of two fits after this number of iterations [default: 150].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) iterations: Option<u32>,
}

/// The arguments of `tengen tune relabel`.
#[derive(Args, Debug)]
pub(crate) struct RelabelArgs {
    /// Files of games, all of the same rule and board.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Writes to this file, or resumes it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Searches this number of nodes to judge a position.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) leaf_nodes: u64,

    /// Judges the positions of the games as well.
    ///
    /// They become leaves, one move from the position before.
    #[arg(long)]
    pub(crate) roots: bool,

    /// Judges this number of positions, drawn at random from all files [default: all].
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,

    /// Seeds the draw.
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    pub(crate) seed: u64,

    /// Judges with the network of this file, or none.
    ///
    /// The default is the one that the program comes with.
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// The arguments of `tengen tune samples`.
#[derive(Args, Debug)]
pub(crate) struct SamplesArgs {
    /// A file of games.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Writes the samples to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Leaves out the positions of the games themselves.
    #[arg(long)]
    pub(crate) only_leaves: bool,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What the figures of `tengen tune losses` mean.
const LOSSES_HELP: &str = "\
value is the cross-entropy of the chance to win against the target: the score of the search as a chance, in \
positions of games mixed with the result. calibrated is the same with all logits times the one factor that suits \
best, so that the spread of the scores does not count. floor is the entropy of the targets, below which nobody gets. \
policy is the cross-entropy of the best move among the candidates, first how often it is the first of them. The \
tables have the scale of their order that suits the samples best.

A yardstick is never learnt from, so all samples count unless --held-out is given, with which the figures are those \
of scripts/train if --scale is the win scale of its report.

With --json there is an object on a line for each file (file, size, values, choices, network, tables, floor; network \
and tables have value, calibrated, factor, policy, first), and one for all, without file, with rule, scale and crc, \
the checksum of the network.";

/// The arguments of `tengen tune losses`.
#[derive(Args, Debug)]
pub(crate) struct LossesArgs {
    /// Files of samples, all of the same rule.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Measures the network of this file.
    ///
    /// The default is the one that the program comes with.
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,

    /// Leaves out the samples that a trainer learns from.
    #[arg(long)]
    pub(crate) held_out: bool,

    /// The score of a search that multiplies the odds of winning by e.
    ///
    /// In units, for the targets and the tables. The default is the win scale of the program's own
    /// network, whichever is measured: figures compare only at one scale.
    #[arg(long, value_name = "UNITS", value_parser = parse_scale)]
    pub(crate) scale: Option<f64>,

    /// The share of the score in targets with a result [default: 0.5].
    ///
    /// From 0 to 1, of the score of the search; the rest is the result of the game.
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(crate) score_share: Option<f64>,

    /// Prints JSON objects instead of a table.
    #[arg(long)]
    pub(crate) json: bool,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

fn parse_share(text: &str) -> Result<f64, String> {
    number_within(text, 0.0, 1.0)
}

fn parse_weight(text: &str) -> Result<f64, String> {
    number_within(text, 1e-6, 1e6)
}

fn parse_scale(text: &str) -> Result<f64, String> {
    number_within(text, 20.0, 5000.0)
}

fn number_within(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it is a number from {least} to {most}"))
}

/// The amount of work of `tengen tune all`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PlanName {
    /// A trial of the procedure that takes seconds; its weights are worth nothing.
    Small,
    /// Weights for every rule, from nothing but the hand-tuned weights.
    Full,
    /// One generation more, played with the weights that the program comes with.
    Next,
}

/// The arguments of `tengen tune all`.
#[derive(Args, Debug)]
pub(crate) struct AllArgs {
    /// The amount of work.
    #[arg(long, value_name = "NAME")]
    pub(crate) config: PlanName,

    /// Writes all files to this directory, or resumes those there.
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// The threads and the progress.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// The arguments of `tengen tune info`.
#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    /// Files of games or of weights.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}
