//! The accuracy of the sides of a game.
//!
//! The way is that of lichess (<https://lichess.org/page/accuracy>), where it was made for games of
//! people. A mean of the moves alone calls a lost game well played, since most moves of a game are easy:
//! so moves count by how much the chances move around them, and the mean with that is taken together
//! with the harmonic mean, to which a single bad move matters.
//!
//! Moves without a choice, and those of a game that was lost already, are left out: they lose
//! nothing, however bad they are.

use super::game::MoveReview;
use tengen_core::types::ByColor;

/// The least and the most positions over which the spread of the chances is taken, about a tenth of
/// the game.
const WINDOW: (usize, usize) = (2, 8);
/// The least and the most weight of a move, as a spread of expected points.
const WEIGHT: (f64, f64) = (0.005, 0.12);
/// The least accuracy of a move for the harmonic mean, which would be 0 by one such move.
const LEAST: f64 = 0.01;

/// Returns the accuracy of a move that lost this many expected points, from 0 to 1.
///
/// The curve is that of lichess: 1 for no loss, 0.80 for 0.05, 0.64 for 0.1, 0.32 for 0.25 and 0 for
/// 0.8 or more.
#[must_use]
pub fn move_accuracy(loss: f64) -> f64 {
    let percent = 103.1668 * libm::exp(-4.354 * loss) - 3.1669;
    (percent / 100.0).clamp(0.0, 1.0)
}

/// Returns the accuracy of both sides; `black` are the expected points of black before the first
/// move and after each.
pub(super) fn game_accuracy(moves: &[MoveReview], black: &[f64]) -> ByColor<Option<f64>> {
    ByColor::from_fn(|color| {
        let weights = weights(black).into_iter();
        let own =
            moves.iter().zip(weights).filter(|(m, _)| m.color == color && m.class.is_choice());
        side_accuracy(own.map(|(m, weight)| (move_accuracy(m.loss), weight)))
    })
}

/// Returns the weight of each move: the spread of the chances up to the position after it.
fn weights(black: &[f64]) -> Vec<f64> {
    let moves = black.len().saturating_sub(1);
    let window = (moves / 10).clamp(WINDOW.0, WINDOW.1);
    let weight = |i: usize| {
        // The first moves share the first window.
        let end = (i + 2).max(window).min(black.len());
        spread(&black[end.saturating_sub(window)..end]).clamp(WEIGHT.0, WEIGHT.1)
    };
    (0..moves).map(weight).collect()
}

/// Returns the standard deviation.
fn spread(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt()
}

/// Returns the accuracy of moves with their weights; `None` if there are none.
fn side_accuracy(moves: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut count, mut weighted, mut weights, mut inverse) = (0.0, 0.0, 0.0, 0.0);
    for (accuracy, weight) in moves {
        count += 1.0;
        weighted += weight * accuracy;
        weights += weight;
        inverse += 1.0 / accuracy.max(LEAST);
    }
    (count > 0.0).then(|| (weighted / weights + count / inverse) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert!((move_accuracy(0.0) - 1.0).abs() < 1e-4);
        assert_eq!(move_accuracy(1.0), 0.0);
        for (loss, accuracy) in [(0.05, 0.80), (0.1, 0.64), (0.25, 0.32), (0.5, 0.085)] {
            assert!((move_accuracy(loss) - accuracy).abs() < 0.01, "{}", move_accuracy(loss));
        }
        for i in 0..100 {
            let loss = f64::from(i) / 100.0;
            assert!(move_accuracy(loss) >= move_accuracy(loss + 0.01));
        }
    }

    #[test]
    fn one_bad_move_matters_more_than_its_share() {
        let equal = |accuracies: &[f64]| side_accuracy(accuracies.iter().map(|&a| (a, 0.1)));
        assert_eq!(equal(&[]), None);
        assert_eq!(equal(&[1.0; 9]), Some(1.0));
        let spoilt = equal(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        assert!(spoilt.is_some_and(|share| share > 0.4 && share < 0.5), "{spoilt:?}");
        // And more where the chances move.
        let quiet = side_accuracy([(1.0, 0.12), (0.5, 0.005)].into_iter());
        let sharp = side_accuracy([(1.0, 0.005), (0.5, 0.12)].into_iter());
        assert!(quiet > sharp);
    }

    #[test]
    fn weights_are_the_spread_before_and_after() {
        assert_eq!(weights(&[]), [0.0; 0]);
        assert_eq!(weights(&[0.5]), [0.0; 0]);
        assert_eq!(weights(&[0.5, 0.5, 1.0]), [0.005, 0.12]);
        assert!((weights(&[0.5, 0.6, 0.6])[0] - 0.05).abs() < 1e-9);
        // Of a long game eight positions, and for its first moves those.
        let mut black = vec![0.5; 101];
        black[7] = 0.6;
        let weights = weights(&black);
        assert_eq!(weights.len(), 100);
        assert!(weights[0] > 0.005 && weights[0] == weights[6]);
        assert!(weights[13] > 0.005 && weights[14] == 0.005);
    }
}
