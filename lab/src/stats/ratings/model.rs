//! The likelihood of the games, and where it is greatest.
//!
//! Here the unit of strength is 400 / ln 10 Elo, so that L(x) is 1 / (1 + e^-x). The logarithm of
//! the likelihood is concave in ratings, advantage and draw Elo together: a draw has the
//! probability (e^2D - 1)·W·L, with W and L those of the win and the loss. So Newton's method with
//! a line search finds the one maximum.

use super::super::crosstable::CrossTable;
use super::super::elo::{Estimate, Z95};
use super::super::matrix::Matrix;
use super::{Parameter, RatingOptions};

/// The unit of strength used here, in Elo.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The most steps of Newton's method; ten is usual.
const MAX_STEPS: usize = 200;

/// Games of one player against another, with virtual ones, so not whole numbers.
struct Games {
    first: usize,
    second: usize,
    wins: f64,
    draws: f64,
    losses: f64,
}

/// The games, and what is to be found out from them.
///
/// The unknowns are the ratings, the advantage of moving first and the draw Elo, in this order.
pub(super) struct Model {
    players: usize,
    games: Vec<Games>,
    components: Vec<usize>,
    component_sizes: Vec<usize>,
    /// The unknowns to begin with; the fixed ones stay.
    start: Vec<f64>,
    fit_first_move: bool,
    fit_draw_elo: bool,
}

/// The solution in Elo of the model; each component has the mean 0.
pub(super) struct Fit {
    pub(super) ratings: Vec<f64>,
    pub(super) covariance: Matrix,
    pub(super) first_move: Estimate,
    pub(super) draw_elo: Estimate,
}

/// The derivatives of the log likelihood.
struct Derivatives {
    gradient: Vec<f64>,
    /// The second derivatives, negated.
    information: Matrix,
}

impl Model {
    pub(super) fn new(table: &CrossTable, options: &RatingOptions) -> Model {
        let games = with_prior(table, options.prior);
        let sum = |weight: fn(&Games) -> f64| games.iter().map(weight).sum::<f64>();
        let (draws, decided) = (sum(|g| g.draws), sum(|g| g.wins + g.losses));
        let (first_move, fit_first_move) = match options.first_move {
            Parameter::Fixed(elo) => (elo / UNIT, false),
            Parameter::Fitted => (0.0, !games.is_empty()),
        };
        let (draw_elo, fit_draw_elo) = match options.draw_elo {
            Parameter::Fixed(elo) => (elo / UNIT, false),
            Parameter::Fitted if draws > 0.0 => {
                // As if all were equal: the share of draws is (θ - 1) / (θ + 1).
                let share = draws / (draws + decided);
                (((1.0 + share) / (1.0 - share)).ln(), true)
            }
            // The likelihood is greatest where draws don't exist.
            Parameter::Fitted => (0.0, false),
        };
        let components = table.components();
        let mut component_sizes = vec![0; components.iter().max().map_or(0, |most| most + 1)];
        for &component in &components {
            component_sizes[component] += 1;
        }
        let mut start = vec![0.0; table.players()];
        start.extend([first_move, draw_elo]);
        Model {
            players: table.players(),
            games,
            components,
            component_sizes,
            start,
            fit_first_move,
            fit_draw_elo,
        }
    }

    /// Returns the maximum of the likelihood; `None` if there is none within the precision of
    /// numbers.
    pub(super) fn fit(&self) -> Option<Fit> {
        let mut x = self.start.clone();
        let mut value = self.log_likelihood(&x);
        for _ in 0..MAX_STEPS {
            let Derivatives { gradient, information } = self.derivatives(&x);
            let step = information.cholesky()?.solve(&gradient);
            // Twice what the step would gain if the likelihood were a parabola.
            let gain: f64 = step.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            if gain < 1e-18 {
                return self.finish(&x);
            }
            (x, value) = self.search(&x, value, &step, gain)?;
        }
        None
    }

    /// Returns a point in the direction of `step` that is enough of an improvement.
    fn search(&self, x: &[f64], value: f64, step: &[f64], gain: f64) -> Option<(Vec<f64>, f64)> {
        let mut length = 1.0;
        while length > 1e-12 {
            let next: Vec<f64> = x.iter().zip(step).map(|(x, step)| x + length * step).collect();
            if !self.fit_draw_elo || next[self.players + 1] > 0.0 {
                let there = self.log_likelihood(&next);
                // Close to the maximum the gain drowns in rounding, and full steps are right.
                if there >= value + 1e-4 * length * gain || (length == 1.0 && gain < 1e-6) {
                    return Some((next, there));
                }
            }
            length /= 2.0;
        }
        None
    }

    fn log_likelihood(&self, x: &[f64]) -> f64 {
        let (advantage, draw) = (x[self.players], x[self.players + 1]);
        let mut sum = 0.0;
        for games in &self.games {
            let lead = x[games.first] - x[games.second] + advantage;
            sum -= (games.wins + games.draws) * softplus(draw - lead);
            sum -= (games.losses + games.draws) * softplus(draw + lead);
            if self.fit_draw_elo {
                sum += games.draws * (2.0 * draw).exp_m1().ln();
            }
        }
        sum
    }

    fn derivatives(&self, x: &[f64]) -> Derivatives {
        let size = self.players + 2;
        let (a, d) = (self.players, self.players + 1);
        let (advantage, draw) = (x[a], x[d]);
        let mut gradient = vec![0.0; size];
        let mut information = Matrix::zero(size);
        for games in &self.games {
            let (i, j) = (games.first, games.second);
            let lead = x[i] - x[j] + advantage;
            let (win, loss) = (logistic(lead - draw), logistic(-lead - draw));
            let (win_weight, loss_weight) = (games.wins + games.draws, games.losses + games.draws);
            let (up, down) = (win_weight * (1.0 - win), loss_weight * (1.0 - loss));
            let (win_bend, loss_bend) = (up * win, down * loss);
            let bend = win_bend + loss_bend;
            gradient[i] += up - down;
            gradient[j] -= up - down;
            information.add(i, i, bend);
            information.add(j, j, bend);
            information.add_symmetric(i, j, -bend);
            if self.fit_first_move {
                gradient[a] += up - down;
                information.add(a, a, bend);
                information.add_symmetric(i, a, bend);
                information.add_symmetric(j, a, -bend);
            }
            if self.fit_draw_elo {
                let rest = -(-2.0 * draw).exp_m1();
                let tail = (-2.0 * draw).exp();
                gradient[d] += 2.0 * games.draws / rest - up - down;
                information.add(d, d, bend + 4.0 * games.draws * tail / (rest * rest));
                information.add_symmetric(i, d, loss_bend - win_bend);
                information.add_symmetric(j, d, win_bend - loss_bend);
            }
            if self.fit_first_move && self.fit_draw_elo {
                information.add_symmetric(a, d, loss_bend - win_bend);
            }
        }
        for (fitted, unknown) in [(self.fit_first_move, a), (self.fit_draw_elo, d)] {
            if !fitted {
                information.add(unknown, unknown, 1.0);
            }
        }
        // The games don't see a shift of a whole component. This makes the mean stay where it is.
        for (i, j, share) in self.same_component() {
            information.add(i, j, share);
        }
        Derivatives { gradient, information }
    }

    /// Returns all ordered pairs of players of one component, each with 1 / its size.
    fn same_component(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let pairs = (0..self.players).flat_map(|i| (0..self.players).map(move |j| (i, j)));
        pairs
            .filter(|&(i, j)| self.components[i] == self.components[j])
            .map(|(i, j)| (i, j, 1.0 / self.component_sizes[self.components[i]] as f64))
    }

    fn finish(&self, x: &[f64]) -> Option<Fit> {
        let mut covariance = self.derivatives(x).information.cholesky()?.inverse();
        // The term added for the mean comes out of the inverse as it went in.
        for (i, j, share) in self.same_component() {
            covariance.add(i, j, -share);
        }
        covariance.scale(UNIT * UNIT);
        let parameter = |fitted: bool, unknown: usize| {
            let variance = if fitted { covariance.get(unknown, unknown) } else { 0.0 };
            Estimate::symmetric(x[unknown] * UNIT, Z95 * variance.sqrt())
        };
        let first_move = parameter(self.fit_first_move, self.players);
        let draw_elo = parameter(self.fit_draw_elo, self.players + 1);
        let mut ratings: Vec<f64> = x[..self.players].iter().map(|x| x * UNIT).collect();
        let mut means = vec![0.0; self.component_sizes.len()];
        for (rating, &component) in ratings.iter().zip(&self.components) {
            means[component] += rating / self.component_sizes[component] as f64;
        }
        for (rating, &component) in ratings.iter_mut().zip(&self.components) {
            *rating -= means[component];
        }
        Some(Fit { ratings, covariance, first_move, draw_elo })
    }
}

/// Returns the games of the table and the virtual ones.
///
/// A player shares its prior out among its opponents by the number of games against each; a
/// quarter of it goes to each side of each pair, and the opponent's own comes on top, so that two
/// players who only met each other have as much between them as each was given.
fn with_prior(table: &CrossTable, prior: f64) -> Vec<Games> {
    let totals: Vec<f64> =
        (0..table.players()).map(|player| table.total(player).games() as f64).collect();
    let mut games = Vec::new();
    for first in 0..table.players() {
        for second in 0..table.players() {
            let met = table.between(first, second).games() as f64;
            if met == 0.0 {
                continue;
            }
            let real = table.as_first(first, second);
            let virtual_each = prior / 4.0 * met * (1.0 / totals[first] + 1.0 / totals[second]);
            games.push(Games {
                first,
                second,
                wins: real.wins() as f64 + virtual_each,
                draws: real.draws() as f64,
                losses: real.losses() as f64 + virtual_each,
            });
        }
    }
    games
}

/// Returns 1 / (1 + e^-x).
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
