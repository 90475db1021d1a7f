//! Balanced openings: short positions from which either side has equal chances, for matches.
//!
//! An opening is made of random stones close together and of one or two stones found by
//! search that even the chances out, as a longer search confirms. If wanted, [games](ByGames) of the engine
//! against itself have the last word. Opening number `i` depends on the
//! [`OpeningOptions`] and on `i` alone, not on the number of threads nor on how often the
//! work was interrupted, and no two openings are equal under the symmetries of the board.
//!
//! [`run`] makes openings with as many threads as there are searchers and hands them in order to
//! an [`OpeningSink`]. A [`FileStore`] is one that goes on where it was interrupted. The search is
//! behind the traits [`Balancer`] and [`Judge`], and the games behind [`Contest`]; [`OpeningSearcher`] is the
//! real one of the first two, [`OpeningPlayer`](crate::tuning::selfplay::OpeningPlayer) of all three.

mod canonical;
#[cfg(test)]
mod double;
mod error;
mod games;
mod generate;
mod options;
mod run;
mod searcher;
mod store;
mod text;

pub use canonical::{Canonical, canonical};
pub use error::OpeningsError;
pub use games::{ByGames, Contest, GameNodes, GameVariety, StrengthTrials, Trials};
pub use generate::{MadeOpening, OpeningFlaw, check_opening};
pub use options::{Balancing, OpeningOptions, OpeningOptionsError, OptionNameError, StoneCount};
pub use run::{EarlierOpenings, OpeningSink, run};
pub use searcher::{Balanced, Balancer, Judge, OpeningSearcher};
pub use store::FileStore;
pub use text::{OpeningFormat, format_line, parse_line};
