//! Rooms with guests of every kind.

mod game;
mod hostile;
