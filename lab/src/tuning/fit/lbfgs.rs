//! Limited-memory BFGS.
//!
//! After Nocedal and Wright, *Numerical Optimization* (2nd edition, 2006), algorithms 7.4 and 7.5,
//! with a line search that halves the step until the loss falls enough (Armijo); for the convex
//! losses that it serves that is all it needs. Only additions, multiplications, divisions and
//! square roots in a fixed order: the result is the same bit for bit on every machine.

use std::collections::VecDeque;

/// The number of steps remembered to estimate the curvature.
const MEMORY: usize = 10;
/// The share of the fall promised by the gradient that a step must bring.
const SUFFICIENT: f64 = 1e-4;
/// The most times that a step is halved before the search ends where it is.
const MOST_HALVINGS: u32 = 30;

/// The conditions for stopping.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LbfgsLimits {
    /// The most iterations.
    pub(super) iterations: u32,
    /// Stops when an iteration lowers the loss by no more than this share of it.
    pub(super) tolerance: f64,
}

/// Returns a point near the minimum of a function that returns its value and its gradient, going
/// down from `start`. `progress` receives each iteration and the value after it.
pub(super) fn minimise(
    start: Vec<f64>,
    limits: LbfgsLimits,
    mut function: impl FnMut(&[f64]) -> (f64, Vec<f64>),
    mut progress: impl FnMut(u32, f64),
) -> Vec<f64> {
    let mut at = start;
    let (mut value, mut gradient) = function(&at);
    let mut memory: VecDeque<Pair> = VecDeque::with_capacity(MEMORY);
    for iteration in 1..=limits.iterations {
        let direction = descent(&gradient, &memory);
        let slope = dot(&direction, &gradient);
        // Zero at the minimum; not a number if the function is none.
        if slope.is_nan() || slope >= 0.0 {
            break;
        }
        // The first direction is the gradient, whose length says nothing of that of the step.
        let mut step = if memory.is_empty() { 1.0 / norm(&direction).max(1.0) } else { 1.0 };
        let mut found = None;
        for _ in 0..MOST_HALVINGS {
            let there: Vec<f64> = at.iter().zip(&direction).map(|(a, d)| a + step * d).collect();
            let (new, new_gradient) = function(&there);
            if new <= value + SUFFICIENT * step * slope {
                found = Some((there, new, new_gradient));
                break;
            }
            step /= 2.0;
        }
        let Some((there, new, new_gradient)) = found else { break };
        remember(&mut memory, difference(&there, &at), difference(&new_gradient, &gradient));
        let fall = value - new;
        (at, value, gradient) = (there, new, new_gradient);
        progress(iteration, value);
        if fall <= limits.tolerance * value.abs() {
            break;
        }
    }
    at
}

/// A step and the change of the gradient along it.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// 1 / (step · change)
    inverse: f64,
}

fn remember(memory: &mut VecDeque<Pair>, step: Vec<f64>, change: Vec<f64>) {
    let curvature = dot(&step, &change);
    // Without curvature the pair would say that the function is flat.
    if curvature > f64::EPSILON * dot(&change, &change) {
        if memory.len() == MEMORY {
            memory.pop_front();
        }
        memory.push_back(Pair { step, change, inverse: 1.0 / curvature });
    }
}

/// Returns the gradient turned by what is remembered, downwards.
fn descent(gradient: &[f64], memory: &VecDeque<Pair>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for pair in memory.iter().rev() {
        let share = pair.inverse * dot(&pair.step, &direction);
        add_scaled(&mut direction, -share, &pair.change);
        shares.push(share);
    }
    if let Some(last) = memory.back() {
        let scale = 1.0 / (last.inverse * dot(&last.change, &last.change));
        direction.iter_mut().for_each(|d| *d *= scale);
    }
    for (pair, share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = pair.inverse * dot(&pair.change, &direction);
        add_scaled(&mut direction, share - back, &pair.step);
    }
    direction
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn add_scaled(a: &mut [f64], scale: f64, b: &[f64]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += scale * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valley_of_rosenbrock_is_followed_to_its_end() {
        let function = |x: &[f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            let gradient = vec![-2.0 * a - 400.0 * x[0] * b, 200.0 * b];
            (a * a + 100.0 * b * b, gradient)
        };
        let limits = LbfgsLimits { iterations: 200, tolerance: 0.0 };
        let found = minimise(vec![-1.2, 1.0], limits, function, |_, _| {});
        assert!((found[0] - 1.0).abs() < 1e-6 && (found[1] - 1.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn a_long_quadratic_bowl_is_solved_within_a_few_dozen_steps() {
        // Minimum at 1, 2, 3 …, curvatures from 1 to 500.
        let function = |x: &[f64]| {
            let off = |i: usize| x[i] - (i + 1) as f64;
            let curve = |i: usize| (i + 1) as f64;
            let value = (0..x.len()).map(|i| curve(i) * off(i) * off(i) / 2.0).sum();
            (value, (0..x.len()).map(|i| curve(i) * off(i)).collect())
        };
        let mut values = Vec::new();
        let limits = LbfgsLimits { iterations: 150, tolerance: 1e-12 };
        let found = minimise(vec![0.0; 500], limits, function, |_, value| values.push(value));
        assert!(values.is_sorted_by(|a, b| a >= b));
        for (i, x) in found.iter().enumerate() {
            assert!((x - (i + 1) as f64).abs() < 1e-2, "{i}: {x}");
        }
    }

    #[test]
    fn a_minimum_is_left_alone() {
        let function = |x: &[f64]| (x[0] * x[0], vec![2.0 * x[0]]);
        let limits = LbfgsLimits { iterations: 9, tolerance: 0.0 };
        assert_eq!(minimise(vec![0.0], limits, function, |_, _| panic!("no step")), [0.0]);
    }
}
