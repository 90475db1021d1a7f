//! Maximum-likelihood ratings of many players.
//!
//! The model is that of Rao and Kupper (1967) with an advantage for the first move, as in
//! BayesElo. With d the rating of the first player above that of the second, a the advantage of
//! moving first, D the "draw Elo" and L(x) = 1 / (1 + 10^(-x/400)):
//!
//! * the first player wins with probability L(d + a - D),
//! * the second player wins with probability L(-d - a - D),
//! * otherwise the game is drawn.
//!
//! The prior is that of BayesElo, virtual draws of every player with its real opponents, half of
//! them with each side. In this model a draw tells of the ratings what a win together with a loss
//! tells; here it is these that are added, so that made-up draws don't raise the draw Elo. The
//! prior keeps everything finite whatever the games: the ratings of who won or lost all of them,
//! the first move that never lost, the draw Elo of those who always drew.

mod model;

use thiserror::Error;

use super::crosstable::CrossTable;
use super::elo::{Estimate, Z95, normal_cdf};
use super::matrix::Matrix;
use model::{Fit, Model};

/// The prior of BayesElo, in virtual draws of each player.
pub const DEFAULT_PRIOR: f64 = 2.0;

/// The way in which a parameter that all games share is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter {
    /// It is given, in Elo.
    Fixed(f64),
    /// It is the most likely one, given the games.
    Fitted,
}

/// The anchor of the ratings, of which the games tell only the differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// The mean of each component is this many Elo.
    Mean(f64),
    /// One player has this rating; components without it have the mean 0.
    Player {
        /// The player.
        player: usize,
        /// Its rating.
        elo: f64,
    },
}

/// Options of the rating model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingOptions {
    /// The weight of the prior in virtual draws of each player, above 0.
    pub prior: f64,
    /// The advantage of moving first, in Elo of the model.
    pub first_move: Parameter,
    /// The draw Elo, not negative: how much stronger a player must be to win as often as not.
    pub draw_elo: Parameter,
    /// The anchor of the ratings.
    pub anchor: Anchor,
}

impl Default for RatingOptions {
    /// Everything from the games, mean 0.
    fn default() -> RatingOptions {
        RatingOptions {
            prior: DEFAULT_PRIOR,
            first_move: Parameter::Fitted,
            draw_elo: Parameter::Fitted,
            anchor: Anchor::Mean(0.0),
        }
    }
}

/// An error instead of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RatingError {
    /// The prior is not a number above 0.
    #[error("ratings: the prior must be a number of draws above 0: {0}")]
    Prior(f64),
    /// A fixed parameter is not a number between the limits that go with it.
    #[error(
        "ratings: the first move and the draw Elo must be within {PARAMETER_LIMIT} of 0, the draw Elo not \
         below 0: {0}"
    )]
    Parameter(f64),
    /// The anchor is not a player of the table, or its rating is not a number.
    #[error("ratings: the anchor must be a player and a number")]
    Anchor,
    /// No maximum was found; does not happen with counts that fit the precision of numbers.
    #[error("ratings: no most likely ratings were found")]
    NotFound,
}

/// The largest fixed parameter in either direction, in Elo.
const PARAMETER_LIMIT: f64 = 5000.0;

/// The rating of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The most likely rating.
    pub elo: f64,
    /// Half the width of the 95 % interval, against the anchor; infinite without games, 0 for the
    /// anchored player.
    pub error: f64,
    /// The number of the component: ratings compare only within one.
    pub component: usize,
}

/// The ratings of many players.
///
/// Ratings are scaled as BayesElo lists them, by 4θ / (1 + θ)² with θ = 10^(D/400), so that near
/// equality a difference means the same score as in logistic Elo, however many games are drawn.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The ratings, in the order of the players.
    pub players: Vec<Rating>,
    /// The advantage of moving first, in Elo of the model (not scaled).
    pub first_move: Estimate,
    /// The draw Elo of the model (not scaled).
    pub draw_elo: Estimate,
    /// The factor by which the ratings were multiplied.
    pub scale: f64,
    /// The covariance of the ratings, as if the mean of each component were known.
    covariance: Matrix,
}

impl Ratings {
    /// Returns how much stronger `player` is than `other`; `None` if they are not in the same
    /// component or not in the table.
    ///
    /// The interval takes into account that the two ratings depend on each other.
    #[must_use]
    pub fn difference(&self, player: usize, other: usize) -> Option<Estimate> {
        let (one, two) = (self.players.get(player)?, self.players.get(other)?);
        (one.component == two.component)
            .then(|| Estimate::symmetric(one.elo - two.elo, Z95 * self.deviation(player, other)))
    }

    /// Returns the probability that `player` is stronger than `other`; `None` if they are not in
    /// the same component or not in the table.
    #[must_use]
    pub fn los(&self, player: usize, other: usize) -> Option<f64> {
        let difference = self.difference(player, other)?.value;
        if difference == 0.0 {
            return Some(0.5);
        }
        Some(normal_cdf(difference / self.deviation(player, other)))
    }

    /// Returns the standard deviation of the difference of two ratings.
    fn deviation(&self, player: usize, other: usize) -> f64 {
        let get = |i, j| self.covariance.get(i, j);
        let variance = get(player, player) + get(other, other) - 2.0 * get(player, other);
        variance.max(0.0).sqrt()
    }
}

/// Returns the most likely ratings of the players of a table.
///
/// The errors come from the curvature of the likelihood at its maximum (the inverse of the
/// observed information), with the fitted parameters free.
///
/// Without games the first move is worth nothing, and without draws the draw Elo is 0; both are
/// then given without an error.
///
/// # Errors
///
/// Returns what makes no sense in the options.
pub fn rate(table: &CrossTable, options: &RatingOptions) -> Result<Ratings, RatingError> {
    check(table, options)?;
    let fit = Model::new(table, options).fit().ok_or(RatingError::NotFound)?;
    let components = table.components();
    let scale = {
        let theta = 10_f64.powf(fit.draw_elo.value / 400.0);
        4.0 * theta / (1.0 + theta).powi(2)
    };
    let Fit { ratings, mut covariance, first_move, draw_elo } = fit;
    covariance.scale(scale * scale);
    let mut players: Vec<Rating> = ratings
        .iter()
        .zip(&components)
        .enumerate()
        .map(|(player, (elo, &component))| Rating {
            elo: elo * scale,
            error: Z95 * covariance.get(player, player).max(0.0).sqrt(),
            component,
        })
        .collect();
    let mut ratings = Ratings { players: Vec::new(), first_move, draw_elo, scale, covariance };
    match options.anchor {
        Anchor::Mean(mean) => players.iter_mut().for_each(|rating| rating.elo += mean),
        Anchor::Player { player: anchor, elo } => {
            let Rating { elo: found, component, .. } = players[anchor];
            for (player, rating) in players.iter_mut().enumerate() {
                if rating.component == component {
                    rating.elo += elo - found;
                    rating.error = Z95 * ratings.deviation(player, anchor);
                }
            }
            players[anchor].elo = elo;
        }
    }
    for (player, rating) in players.iter_mut().enumerate() {
        let anchored = matches!(options.anchor, Anchor::Player { player: p, .. } if p == player);
        if table.total(player).is_empty() && !anchored {
            rating.error = f64::INFINITY;
        }
    }
    ratings.players = players;
    Ok(ratings)
}

fn check(table: &CrossTable, options: &RatingOptions) -> Result<(), RatingError> {
    let RatingOptions { prior, first_move, draw_elo, anchor } = *options;
    if !(prior > 0.0 && prior.is_finite()) {
        return Err(RatingError::Prior(prior));
    }
    for (parameter, least) in [(first_move, -PARAMETER_LIMIT), (draw_elo, 0.0)] {
        if let Parameter::Fixed(elo) = parameter
            && !(least..=PARAMETER_LIMIT).contains(&elo)
        {
            return Err(RatingError::Parameter(elo));
        }
    }
    let sound = match anchor {
        Anchor::Mean(elo) => elo.is_finite(),
        Anchor::Player { player, elo } => player < table.players() && elo.is_finite(),
    };
    if sound { Ok(()) } else { Err(RatingError::Anchor) }
}

#[cfg(test)]
mod tests;
