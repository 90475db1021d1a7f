//! Proofs of forced wins as files, which anybody can check with nothing but the rules.
//!
//! A file is one JSON object:
//!
//! ```text
//! {"tengen_certificate":1,"size":[15,15],"rule":"freestyle","moves":"h8a1i8a3j8a5","attacker":"black","tree":[
//! ["g8",1,"f8",2],
//! ["f8"],
//! ["k8"]
//! ]}
//! ```
//!
//! | field | content |
//! | --- | --- |
//! | `tengen_certificate` | the version of the format, 1 |
//! | `size` | `[width, height]` |
//! | `rule` | a name as in `--rule` |
//! | `setup` | the stones that the game begins with: `black` and `white`, rows of cells, and `to_move`; left out where there are none |
//! | `moves` | the game up to the position, as a row of cells such as `h8i9h9`, black first or as `setup` says |
//! | `attacker` | who wins, `black` or `white`: the player who is to move then; may be left out |
//! | `tree` | the nodes of the proof; the first one is the position |
//!
//! Fields that are not named here are ignored. A node is what the attacker does:
//! `[PLAY, OTHERWISE, REPLY, NODE, REPLY, NODE…]`. `PLAY` is a move of the attacker. If it makes
//! five, there is nothing more. Otherwise there are the nodes with which the attacker goes on:
//! `NODE` after the reply before it, and `OTHERWISE` after any other legal reply. Nodes are named
//! by their numbers, counted from 0. A node has a greater number than the one that refers to it,
//! and only one refers to it: the nodes are a tree.
//!
//! [`read()`] takes bytes of any kind: it uses no more memory than a multiple of them, and no tree
//! that it returns is deeper than a game on the board can be long. It does not say that the proof
//! is right: that is for [`verify`](tengen_core::prover::verify()).

mod read;
mod tree;
mod write;

pub use read::{read, read_attack};
pub use write::{write, write_attack};

use tengen_core::prover::Attack;
use tengen_core::rules::Game;

/// The version of the format.
const VERSION: u64 = 1;

/// A position, and a claimed win of the side to move.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::prover::{Attack, verify};
/// use tengen_core::rules::{Game, Rule};
/// use tengen_core::types::Size;
/// use tengen_files::certificates;
///
/// let size = Size::square(15)?;
/// let game = Game::from_moves(size, Rule::Freestyle, &parse_moves("a1a2b1b2c1c2d1d2", size)?)?;
/// let attack = Attack::winning(size.point(4, 0).unwrap());
/// let proof = certificates::read(certificates::write(&game, &attack).as_bytes())?;
/// assert_eq!(proof.attack, attack);
/// assert!(verify(&proof.game, &proof.attack).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Proof {
    /// The game up to the position; it goes on.
    pub game: Game,
    /// The attack of the side to move.
    pub attack: Attack,
}

#[cfg(test)]
mod tests;
