//! What is decided by threats alone: static wins and losses, the replies that a threat leaves, and
//! wins by continuous fours (VCF).
//!
//! Level 5.

mod defence;
mod situation;
pub(crate) mod vcf;

pub use defence::{defences, five_defences};
pub use situation::{Replies, Situation, analyse, four_three_replies, glance, wins_by_two_threats};
