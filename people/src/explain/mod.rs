//! The effects of a move, in the words of players.
//!
//! [`Threat`] is what one stone makes: a four-three, an open four. [`remarks`] says what a
//! move makes, what it stops and what it leaves to the opponent, and [`missed`] what it could have
//! made elsewhere; [`effects_of`] returns the effects of the first move of a line. A [`Remark`] is a value with its points, for whoever draws them on a board, and reads as in `stops
//! the open four at h8`.
//!
//! All of it follows from the stones and the pattern tables; only a proven win that somebody else
//! found ([`WinAhead`]) comes from outside.

mod effect;
mod line;
mod remark;
mod threat;

pub use effect::Effect;
pub use line::effects_of;
pub use remark::{Remark, missed, remarks};
pub use threat::{Threat, WinAhead, WinMeans, threats};
