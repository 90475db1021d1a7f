//! What is decided by threats alone: static wins and losses, and the replies that a threat leaves.
//!
//! Level 5.

mod certificate;
mod defence;
mod prover;
mod situation;
mod vcf;
mod verify;

pub use certificate::{Attack, Certificate};
pub use defence::{defences, five_defences};
pub use prover::{Horizon, Prover, ProverLimits, Verdict};
pub use situation::{Replies, Situation, analyse, four_three_replies, glance, wins_by_two_threats};
pub use verify::{Checked, Fault, Flaw, verify};
