//! The statistics of matches: results counted in pairs, Elo, sequential tests, ratings of many.
//!
//! Pure arithmetic: nothing here knows of boards, engines or files. What happened is
//! counted in a [`Trinomial`] (games) or a [`Pentanomial`] (pairs of games from one opening with
//! the sides changed); both are [`ScoreCounts`] and give score, variance, Elo, normalised Elo and the
//! likelihood of superiority. An [`Sprt`] tells from the counts whether a match may stop. A
//! [`CrossTable`] holds the results of many players, and [`rate`] finds their ratings.
//!
//! # Why pairs
//!
//! The two games of a pair begin from the same opening, so their results are not independent: an
//! opening that wins for whoever moves first gives one point to each side. The games taken one by
//! one would make the error look larger than it is; the variance of the pairs is the right one.
//!
//! # Sources
//!
//! The notes of Michel Van den Bergh at <https://www.cantate.be/Fishtest/>:
//! "Comparing the approximations for the generalized log likelihood ratio of a multinomial
//! distribution" (`comparing_approximations.pdf`, `support_MLE_multinomial.pdf`),
//! "Normalized Elo" (`normalized_elo.pdf`) and "Comments on normalized Elo"
//! (`normalized_elo_practical.pdf`); for the ratings, Rao and Kupper, "Ties in paired-comparison
//! experiments" (1967), Hunter, "MM algorithms for generalized Bradley-Terry models" (2004), and
//! the model of Rémi Coulom's BayesElo. Each function names what it uses.

mod counts;
mod crosstable;
mod elo;
mod likelihood;
mod matrix;
mod ratings;
mod sprt;

pub use counts::{Pentanomial, PlayerResult, ScoreCounts, Trinomial};
pub use crosstable::CrossTable;
pub use elo::{Estimate, elo_of_score, nelo_of_score, normal_cdf, score_of_elo};
pub use ratings::{
    Anchor, DEFAULT_PRIOR, Parameter, Rating, RatingError, RatingOptions, Ratings, rate,
};
pub use sprt::{
    ELO_LIMIT, EloModel, ExpectedGames, Sprt, SprtError, SprtOptions, SprtStatus, SprtVerdict,
};
