//! The networks in the engine against the arithmetic of their trainer.

use serde::Deserialize;
use tengen_core::board::Board;
use tengen_core::eval::network::{Integers, Network};
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::simd::layers::Pooled;
use tengen_core::types::{Color, Size};

/// The vectors of a network.
#[derive(Deserialize)]
struct Vectors {
    rule: String,
    positions: Vec<Vector>,
}

/// A position with the integers that the trainer's plain arithmetic finds in it.
#[derive(Deserialize)]
struct Vector {
    /// Rows of `X` for black, `O` for white and `.` for empty cells.
    cells: Vec<String>,
    black_to_move: bool,
    g: [i32; 32],
    out: i32,
    /// Of the empty cells, row by row.
    policy: Vec<i32>,
    draw: i32,
}

fn check(rule: Rule, vectors: &str) {
    let network = Network::shipped(rule);
    let vectors: Vectors = serde_json::from_str(vectors).expect("vectors");
    assert_eq!(vectors.rule, rule.name());
    assert_eq!(vectors.positions.len(), 20);
    for vector in vectors.positions {
        let size = Size::new(vector.cells[0].len() as i64, vector.cells.len() as i64).unwrap();
        let mut board = Board::new(size);
        for (point, cell) in size.points().zip(vector.cells.concat().chars()) {
            match cell {
                'X' => board.place(point, Color::Black),
                'O' => board.place(point, Color::White),
                _ => {}
            }
        }
        let to_move = if vector.black_to_move { Color::Black } else { Color::White };
        let found = network.integers(&Position::from_board(rule, board, to_move));
        let Vector { g, out, policy, draw, .. } = vector;
        assert_eq!(found, Integers { pooled: Pooled(g), value: out, policies: policy, draw });
    }
}

#[test]
fn the_engine_finds_the_integers_of_the_trainer() {
    check(Rule::Freestyle, include_str!("../../../tests/data/network/freestyle.json"));
    check(Rule::Standard, include_str!("../../../tests/data/network/standard.json"));
    check(Rule::Renju, include_str!("../../../tests/data/network/renju.json"));
    check(Rule::Caro, include_str!("../../../tests/data/network/caro.json"));
    check(Rule::CaroExact, include_str!("../../../tests/data/network/caro-exact.json"));
}
