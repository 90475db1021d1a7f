//! Reading positions that do not follow each other.

use std::sync::Arc;

use super::accumulator::Accumulator;
use super::{Integers, Network};
use crate::position::Position;

/// Says what a network says of positions, each computed from nothing. One for many positions
/// allocates its memory once.
#[derive(Debug)]
pub struct NetworkReader {
    accumulator: Accumulator,
}

impl NetworkReader {
    /// Returns a reader with a network.
    #[must_use]
    pub fn new(network: Arc<Network>) -> NetworkReader {
        NetworkReader { accumulator: Accumulator::new(network) }
    }

    /// Returns what the network says of a position.
    #[must_use]
    pub fn read(&mut self, position: &Position) -> Integers {
        self.accumulator.reset(position);
        self.accumulator.integers(position)
    }
}
