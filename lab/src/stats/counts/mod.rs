//! Results counted: games by three results, pairs of games by five.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use super::elo::{Estimate, NELO_PER_T, Z95, elo_of_score, nelo_of_score, normal_cdf};

/// The result of a game for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlayerResult {
    /// The player lost.
    Loss,
    /// Neither player won.
    Draw,
    /// The player won.
    Win,
}

impl PlayerResult {
    /// Returns how the same game ended for the other player.
    #[must_use]
    pub const fn reversed(self) -> PlayerResult {
        match self {
            PlayerResult::Loss => PlayerResult::Win,
            PlayerResult::Draw => PlayerResult::Draw,
            PlayerResult::Win => PlayerResult::Loss,
        }
    }

    /// Returns the points of the game in halves: 0, 1 or 2.
    #[must_use]
    pub const fn half_points(self) -> usize {
        match self {
            PlayerResult::Loss => 0,
            PlayerResult::Draw => 1,
            PlayerResult::Win => 2,
        }
    }
}

/// The counts of `N` equally spaced scores, from none of the points to all of them.
///
/// Each count is of *samples*: games for a [`Trinomial`], pairs of games for a [`Pentanomial`].
/// Samples are taken to be independent of one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreCounts<const N: usize>([u64; N]);

/// Single games: losses, draws, wins.
pub type Trinomial = ScoreCounts<3>;

/// Pairs of games with the sides changed, by points of the pair: 0, ½, 1, 1½, 2.
pub type Pentanomial = ScoreCounts<5>;

impl<const N: usize> ScoreCounts<N> {
    /// The number of games in a sample.
    pub(super) const GAMES: usize = (N - 1) / 2;

    /// Returns the counts, the lowest score first.
    #[must_use]
    pub const fn counts(&self) -> [u64; N] {
        self.0
    }

    /// Returns how many samples were counted: games, or pairs.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Returns how many games were counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.samples().saturating_mul(Self::GAMES as u64)
    }

    /// Returns whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples() == 0
    }

    /// Returns the counts as the other side sees them.
    #[must_use]
    pub fn reversed(&self) -> ScoreCounts<N> {
        let mut counts = self.0;
        counts.reverse();
        ScoreCounts(counts)
    }

    /// Returns the mean score of a game, from 0 to 1; `None` if nothing was counted.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.moments().map(|(mean, _)| mean)
    }

    /// Returns the variance of the score of a sample, which lies from 0 to 1; `None` if nothing
    /// was counted.
    ///
    /// The variance of the distribution of what was counted, not corrected for the size of the
    /// sample, as in fishtest and fastchess.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        self.moments().map(|(_, variance)| variance)
    }

    /// Returns the logistic Elo difference with its 95 % interval; `None` if nothing was counted.
    ///
    /// The interval is that of the score, mean ± 1.96·√(variance / samples), turned into Elo;
    /// [`Estimate::error`] of it is the error that fastchess and fishtest print. Where all samples
    /// are alike the variance says nothing, and the interval is that of Clopper and Pearson (1934):
    /// another sample, however much better or worse, is so rare that none of it would be seen in
    /// 2.5 % of such matches.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        let (score, variance) = self.moments()?;
        let samples = self.samples() as f64;
        let are_alike = self.0.iter().filter(|&&count| count > 0).count() == 1;
        let (lower, upper) = if are_alike {
            let others = 1.0 - 0.025_f64.powf(1.0 / samples);
            (score - others * score, score + others * (1.0 - score))
        } else {
            let margin = Z95 * (variance / samples).sqrt();
            (score - margin, score + margin)
        };
        Some(Estimate {
            value: elo_of_score(score),
            lower: elo_of_score(lower),
            upper: elo_of_score(upper),
        })
    }

    /// Returns the normalised Elo difference with its 95 % interval; `None` if nothing was counted
    /// or all samples are alike.
    ///
    /// After "Normalized Elo" by Van den Bergh: the distance of the score from ½ in standard
    /// deviations of a game, times 800 / ln 10. It measures how many games show a difference,
    /// whatever the share of draws.
    #[must_use]
    pub fn nelo(&self) -> Option<Estimate> {
        let (score, variance) = self.moments()?;
        if variance <= 0.0 {
            return None;
        }
        let value = nelo_of_score(score, variance * Self::GAMES as f64);
        Some(Estimate::symmetric(value, Z95 * NELO_PER_T / (self.games() as f64).sqrt()))
    }

    /// Returns the likelihood of superiority: the probability that the player is the stronger one,
    /// given the counts and no prior knowledge; `None` if nothing was counted.
    ///
    /// The normal approximation of fishtest and fastchess, Φ((score - ½) / √(variance / samples)).
    #[must_use]
    pub fn los(&self) -> Option<f64> {
        let (score, variance) = self.moments()?;
        let lead = score - 0.5;
        if lead == 0.0 {
            return Some(0.5);
        }
        // A variance of 0 makes the quotient infinite, which is the limit meant.
        Some(normal_cdf(lead / (variance / self.samples() as f64).sqrt()))
    }

    /// Returns the share of each score, where scores that never occurred count `epsilon` times.
    pub(super) fn distribution(&self, epsilon: f64) -> (f64, [f64; N]) {
        let counts = self.0.map(|count| if count == 0 { epsilon } else { count as f64 });
        let samples: f64 = counts.iter().sum();
        (samples, counts.map(|count| count / samples))
    }

    /// Counts one more sample of the score with this index.
    fn count(&mut self, score: usize) {
        self.0[score] = self.0[score].saturating_add(1);
    }

    fn moments(&self) -> Option<(f64, f64)> {
        if self.is_empty() {
            return None;
        }
        let (_, shares) = self.distribution(0.0);
        Some(moments(&shares))
    }
}

/// Returns the score with index `i` of `n` equally spaced ones from 0 to 1.
pub(super) fn score_at(i: usize, n: usize) -> f64 {
    i as f64 / (n - 1) as f64
}

/// Returns the mean and the variance of a distribution over equally spaced scores from 0 to 1.
pub(super) fn moments<const N: usize>(shares: &[f64; N]) -> (f64, f64) {
    let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
        shares.iter().enumerate().map(|(i, share)| share * value(score_at(i, N))).sum()
    };
    let mean = sum(&|score| score);
    (mean, sum(&|score| (score - mean) * (score - mean)))
}

impl ScoreCounts<3> {
    /// Returns the counts of this many losses, draws and wins.
    #[must_use]
    pub const fn new(losses: u64, draws: u64, wins: u64) -> Trinomial {
        ScoreCounts([losses, draws, wins])
    }

    /// Counts a game.
    pub fn add_game(&mut self, result: PlayerResult) {
        self.count(result.half_points());
    }

    /// Returns the number of games lost.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.0[0]
    }

    /// Returns the number of games drawn.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.0[1]
    }

    /// Returns the number of games won.
    #[must_use]
    pub const fn wins(&self) -> u64 {
        self.0[2]
    }

    /// Returns the points made: a win counts 1, a draw ½.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins() as f64 + self.draws() as f64 / 2.0
    }

    /// Returns the share of games that were drawn; `None` if there were none at all.
    #[must_use]
    pub fn draw_ratio(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.draws() as f64 / self.samples() as f64)
    }
}

impl ScoreCounts<5> {
    /// Returns the counts of this many pairs with 0, ½, 1, 1½ and 2 points.
    #[must_use]
    pub const fn new(pairs: [u64; 5]) -> Pentanomial {
        ScoreCounts(pairs)
    }

    /// Counts a pair by the results of its two games, both for the same player.
    pub fn add_pair(&mut self, one: PlayerResult, other: PlayerResult) {
        self.count(one.half_points() + other.half_points());
    }

    /// Returns the number of pairs won: with more than a point.
    #[must_use]
    pub const fn pairs_won(&self) -> u64 {
        self.0[3].saturating_add(self.0[4])
    }

    /// Returns the number of pairs lost: with less than a point.
    #[must_use]
    pub const fn pairs_lost(&self) -> u64 {
        self.0[0].saturating_add(self.0[1])
    }

    /// Returns the number of pairs that gave one point to each side, by two draws or by a win each.
    #[must_use]
    pub const fn pairs_even(&self) -> u64 {
        self.0[2]
    }

    /// Returns the share of pairs that gave one point to each side, by two draws or by a win each;
    /// `None` if there were no pairs.
    #[must_use]
    pub fn pair_draw_ratio(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.pairs_even() as f64 / self.samples() as f64)
    }

    /// Returns the pairs won divided by the pairs lost; infinite if none was lost, `None` if none
    /// was lost or won.
    #[must_use]
    pub fn pairs_ratio(&self) -> Option<f64> {
        let (won, lost) = (self.pairs_won(), self.pairs_lost());
        (won > 0 || lost > 0).then(|| won as f64 / lost as f64)
    }
}

impl Default for ScoreCounts<3> {
    fn default() -> Trinomial {
        Trinomial::new(0, 0, 0)
    }
}

impl Default for ScoreCounts<5> {
    fn default() -> Pentanomial {
        Pentanomial::new([0; 5])
    }
}

impl<const N: usize> AddAssign for ScoreCounts<N> {
    fn add_assign(&mut self, other: ScoreCounts<N>) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }
}

impl<const N: usize> Add for ScoreCounts<N> {
    type Output = ScoreCounts<N>;

    fn add(mut self, other: ScoreCounts<N>) -> ScoreCounts<N> {
        self += other;
        self
    }
}

impl<const N: usize> Sum for ScoreCounts<N>
where
    ScoreCounts<N>: Default,
{
    fn sum<I: Iterator<Item = ScoreCounts<N>>>(counts: I) -> ScoreCounts<N> {
        counts.fold(ScoreCounts::default(), Add::add)
    }
}

#[cfg(test)]
mod tests;
