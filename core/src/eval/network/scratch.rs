//! The network computed from the board by its definition, to compare with.

use super::{HeadParameters, Integers, Parameters};
use crate::board::Board;
use crate::position::Position;
use crate::simd::layers::{CHANNELS, FEATURES, Pooled};
use crate::types::{Cell, Color, Dir, Point};

/// Returns the code of the side of a cell in a direction, forward or backward.
fn side(board: &Board, cell: Point, dir: Dir, sign: i32) -> usize {
    let digits: Vec<usize> = (1..=4)
        .map_while(|steps| match cell.offset(dir, sign * steps).map(|p| board.cell(p)) {
            None | Some(Cell::Wall) => None,
            Some(Cell::Empty) => Some(0),
            Some(Cell::Stone(Color::Black)) => Some(1),
            Some(Cell::Stone(Color::White)) => Some(2),
        })
        .collect();
    let n = digits.len();
    let sum: usize =
        digits.iter().enumerate().map(|(i, digit)| digit * 3_usize.pow((n - 1 - i) as u32)).sum();
    (3_usize.pow(n as u32) - 1) / 2 + sum
}

/// Returns the kind of a cell for another one, if it is one around it.
fn kind_around(cell: Point, other: Point) -> Option<usize> {
    match (cell.x().abs_diff(other.x()), cell.y().abs_diff(other.y())) {
        (0, 0) => Some(0),
        (1, 0) | (0, 1) => Some(1),
        (1, 1) => Some(2),
        _ => None,
    }
}

/// Returns what the network with these parameters says of a position.
pub(super) fn integers(parameters: &Parameters, position: &Position) -> Integers {
    let board = position.board();
    let mut own: Vec<(Point, [i32; FEATURES])> = Vec::new();
    for cell in board.size().points().filter(|&p| board.is_empty(p)) {
        let mut sums = [0_i32; CHANNELS];
        for dir in Dir::ALL {
            let (one, other) = (side(board, cell, dir, 1), side(board, cell, dir, -1));
            let (low, high) = (one.min(other), one.max(other));
            let row = &parameters.rows[high * (high + 1) / 2 + low];
            for (sum, &number) in sums.iter_mut().zip(row) {
                *sum += i32::from(number);
            }
        }
        let mut features = [0; FEATURES];
        for (k, feature) in features.iter_mut().enumerate() {
            let mut z = parameters.bias[k];
            for (&weight, sum) in parameters.weights[k].iter().zip(sums) {
                z += i32::from(weight) * sum.clamp(0, 127);
            }
            *feature = (z >> 6).clamp(0, 255);
        }
        own.push((cell, features));
    }
    let mut pooled = Pooled::ZERO;
    let mut cells: Vec<(Point, [i32; FEATURES])> = Vec::new();
    for &(cell, _) in &own {
        let mut mixed = [0; FEATURES];
        for (k, mixed) in mixed.iter_mut().enumerate() {
            let mut sums = [0_i32; 3];
            for (other, features) in &own {
                if let Some(kind) = kind_around(cell, *other) {
                    sums[kind] += features[k];
                }
            }
            let product = |kind: usize| sums[kind] * i32::from(parameters.mix[kind][k]);
            let word = |sum: i32| sum.clamp(-32_768, 32_767);
            let sum = word(word((product(0) >> 10) + (product(1) >> 11)) + (product(2) >> 11));
            *mixed = (word(sum + i32::from(parameters.mix_bias[k])) >> 4).clamp(0, 255);
            pooled.0[k] += *mixed * *mixed;
        }
        cells.push((cell, mixed));
    }
    let sums = |weights: &[[i16; 32]; 32], bias: &[i32; 32], inputs: [i32; 32]| {
        std::array::from_fn::<i64, 32, _>(|i| {
            let mut sum = i64::from(bias[i]);
            for (&weight, input) in weights[i].iter().zip(inputs) {
                sum += i64::from(weight) * i64::from(input);
            }
            sum
        })
    };
    let layer = |weights: &[[i16; 32]; 32], bias: &[i32; 32], inputs: [i32; 32], shift: u32| {
        sums(weights, bias, inputs).map(|sum| (sum >> shift).clamp(0, 32_767) as i32)
    };
    let inputs = pooled.0.map(|sum| (sum >> 6).min(32_767));
    let output = |head: &HeadParameters| {
        let first = layer(&head.weights1, &head.bias1, inputs, 12);
        let second = layer(&head.weights2, &head.bias2, first, 8);
        let products = head.weights3.iter().zip(second).map(|(&w, input)| i32::from(w) * input);
        head.bias3 + products.sum::<i32>()
    };
    let head = &parameters.policies[position.to_move()];
    let hidden = layer(&head.weights1, &head.bias1, inputs, 12);
    let of_kind = |kind: usize| {
        let sums = sums(&head.weights2[kind], &head.bias2[kind], hidden);
        sums.map(|sum| (sum >> 12).clamp(-63, 63))
    };
    let weights = [0, 1, 2].map(of_kind);
    let policy = |(cell, _): &(Point, _)| {
        let mut policy = 0;
        for (other, features) in &cells {
            let Some(kind) = kind_around(*cell, *other) else { continue };
            let products = weights[kind].iter().zip(features);
            policy += products.map(|(&weight, &f)| weight as i32 * f).sum::<i32>();
        }
        policy
    };
    Integers {
        policies: cells.iter().map(policy).collect(),
        pooled,
        value: output(&parameters.heads[position.to_move()]),
        draw: output(&parameters.draws[position.to_move()]),
    }
}
