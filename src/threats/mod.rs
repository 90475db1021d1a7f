//! What is decided by threats alone: static wins and losses, and the replies that a threat leaves.
//!
//! Level 5.

mod defence;
mod situation;

pub use defence::{defences, five_defences};
pub use situation::{Replies, Situation, analyse, wins_by_two_threats};
