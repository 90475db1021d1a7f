//! The lengths of games.

use serde::Serialize;

/// The numbers of moves of all games, those of the openings included.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Lengths {
    /// The shortest game.
    pub min: Option<usize>,
    /// The average.
    pub mean: Option<f64>,
    /// The number that half of the games do not reach, or do not exceed.
    pub median: Option<f64>,
    /// The longest game.
    pub max: Option<usize>,
    /// The numbers of games by length: bins of equal width without gaps, from the shortest game to
    /// the longest.
    pub histogram: Vec<LengthBin>,
}

/// The games with a number of moves within limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LengthBin {
    /// The least number.
    pub from: usize,
    /// The greatest number.
    pub to: usize,
    /// The number of games.
    pub games: u64,
}

/// The most bins of a histogram.
const BINS: usize = 20;

impl Lengths {
    /// Sums up the lengths of games.
    pub(super) fn of(mut lengths: Vec<usize>) -> Lengths {
        lengths.sort_unstable();
        let (&[min, ..], &[.., max]) = (&lengths[..], &lengths[..]) else {
            let histogram = Vec::new();
            return Lengths { min: None, mean: None, median: None, max: None, histogram };
        };
        let half = lengths.len() / 2;
        let median = match lengths.len() % 2 {
            0 => f64::midpoint(lengths[half - 1] as f64, lengths[half] as f64),
            _ => lengths[half] as f64,
        };
        // A board has less than 500 cells, so one of these widths does.
        let bins = |width: usize| max / width - min / width + 1;
        let width = [5, 10, 20, 50].into_iter().find(|&width| bins(width) <= BINS).unwrap_or(100);
        let mut histogram: Vec<LengthBin> = (min / width..=max / width)
            .map(|bin| LengthBin { from: bin * width, to: bin * width + width - 1, games: 0 })
            .collect();
        for length in &lengths {
            histogram[length / width - min / width].games += 1;
        }
        Lengths {
            min: Some(min),
            mean: Some(lengths.iter().sum::<usize>() as f64 / lengths.len() as f64),
            median: Some(median),
            max: Some(max),
            histogram,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_bin() {
        for lengths in [vec![9], vec![0, 0, 1], (7..180).collect(), vec![4, 484], vec![30, 31, 60]]
        {
            let games = lengths.len() as u64;
            let of = Lengths::of(lengths.clone());
            let bins = &of.histogram;
            assert_eq!(bins.iter().map(|bin| bin.games).sum::<u64>(), games);
            assert!(bins.len() <= BINS, "{lengths:?}");
            assert!(bins[0].games > 0 && bins[bins.len() - 1].games > 0);
            for bin in bins {
                let inside = lengths.iter().filter(|&&n| (bin.from..=bin.to).contains(&n)).count();
                assert_eq!(inside as u64, bin.games);
            }
            assert!(bins.windows(2).all(|two| two[0].to + 1 == two[1].from));
        }
    }

    #[test]
    fn mean_and_median_are_those_of_the_games() {
        let lengths = Lengths::of(vec![40, 10, 13, 25]);
        assert_eq!((lengths.min, lengths.max), (Some(10), Some(40)));
        assert_eq!((lengths.mean, lengths.median), (Some(22.0), Some(19.0)));
        assert_eq!(Lengths::of(vec![3, 1, 2]).median, Some(2.0));
        let none = Lengths::of(Vec::new());
        assert_eq!((none.min, none.mean, none.max), (None, None, None));
        assert!(none.histogram.is_empty());
    }
}
