//! The network in the engine against the arithmetic of its trainer.

use std::sync::Arc;

use serde::Deserialize;
use tengen::board::Board;
use tengen::eval::network::Network;
use tengen::position::Position;
use tengen::types::{Color, Size};

/// A position with the integers that the trainer's plain arithmetic finds in it.
#[derive(Deserialize)]
struct Vector {
    /// Rows of `X` for black, `O` for white and `.` for empty cells.
    cells: Vec<String>,
    black_to_move: bool,
    g: Vec<i32>,
    out: i32,
    /// Of the empty cells, row by row.
    policy: Vec<i32>,
}

#[test]
fn the_engine_finds_the_integers_of_the_trainer() {
    let bytes = include_bytes!("../data/network/freestyle.net");
    let network = Arc::new(Network::from_bytes(bytes).expect("a network"));
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../data/network/vectors.json")).expect("vectors");
    assert_eq!(vectors.len(), 20);
    for vector in vectors {
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
        let position = Position::from_board(network.rule(), board, to_move);
        let (pooled, out, policy) = network.integers(&position);
        assert_eq!((pooled.0.as_slice(), out), (vector.g.as_slice(), vector.out));
        assert_eq!(policy, vector.policy);
    }
}
