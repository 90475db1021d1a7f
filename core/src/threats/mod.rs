//! Threats: static wins and losses, the replies that a threat leaves, and wins by continuous fours
//! (VCF).
//!

mod check;
mod defence;
pub(crate) mod vcf;

pub use check::{
    Replies, ThreatCheck, four_three_replies, full_threat_check, threat_check, wins_by_two_threats,
};
pub use defence::{defences, five_defences};
