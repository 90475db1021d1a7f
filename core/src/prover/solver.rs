//! Proofs of forced wins by depth-first proof-number search.
//!
//! The attacker's moves are threats only: fours, threes, and quiet moves after which it would win
//! by fours if the defender passed. So the defender has few replies: the cells that
//! [`full_threat_check`] leaves, or those on which the threatened win depends. The tree of threats
//! and replies is searched by df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002) with the 1 + ε trick (J. Pawlewicz and Ł. Lew, "Improving depth-first
//! PN-search: 1 + ε trick", 2007); that a quiet move has to threaten a win by fours is Thomsen's
//! λ-search. Stones are only added, so there are no cycles.
//!
//! If all that is searched to the end without a win, the first move of the attack, and then the
//! second, may also be one after which the attacker would win by threats of any kind if the
//! defender passed; that is often a move that parries something and keeps the tempo.
//!
//! The search is not believed: [`ProverVerdict::Win`] comes only with a
//! [`Certificate`] that was built afterwards and has an answer to every legal reply.

use std::collections::HashMap;

use super::certificate::Certificate;
use super::search::{ProofChild, Search};
use super::table::ProofTable;
use crate::position::Position;
use crate::rules::find_winner;
use crate::sys::stop::Stop;
use crate::threats::vcf::Vcf;
use crate::threats::{ThreatCheck, full_threat_check};
use crate::types::PointSet;

/// The moves of the attacker that are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Horizon {
    /// True if only fours are: no threes, no quiet moves.
    pub fours_only: bool,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct ProverLimits<'a> {
    /// The number of positions to look at in the search; building a certificate may take as many
    /// again. The count decides exactly when a search ends, so that the same prover does the same
    /// again.
    pub nodes: u64,
    /// Stops the search; looked at every few hundred nodes.
    pub stop: Option<&'a Stop>,
}

impl ProverLimits<'_> {
    /// Returns the limit of a number of nodes alone.
    #[must_use]
    pub const fn of_nodes(nodes: u64) -> ProverLimits<'static> {
        ProverLimits { nodes, stop: None }
    }
}

/// The verdict of a prover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProverVerdict {
    /// The side to move wins, as the certificate shows.
    Win(Certificate),
    /// There is no win by the moves of the horizon.
    ///
    /// That says nothing of other moves, and it is not itself proven: whether a quiet move
    /// threatens anything is asked under limits of nodes. With [`Horizon::fours_only`] it means
    /// that the fours were searched to the end.
    NoWin,
    /// The limits came first, or no certificate could be built.
    Unknown,
}

/// A solver of forced wins with its memory.
///
/// Its findings stay in its table and speeds up later searches of any game, at the price
/// that their number of nodes depends on it: see [`Prover::clear`].
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::position::Position;
/// use tengen_core::prover::{Horizon, Prover, ProverLimits, ProverVerdict, verify};
/// use tengen_core::rules::{Game, Rule};
/// use tengen_core::types::Size;
///
/// let size = Size::square(15)?;
/// let moves = parse_moves("f8a1g8a3h8a5", size)?;
/// let mut position = Position::new(Rule::Freestyle, size);
/// for &point in &moves {
///     position.play(point)?;
/// }
/// let limits = ProverLimits { nodes: 10_000, stop: None };
/// let verdict = Prover::new(1 << 20).solve(&mut position, Horizon::default(), &limits);
/// let ProverVerdict::Win(proof) = verdict else { panic!("no win") };
/// assert_eq!(proof.plies(), 3);
/// // The proof is checked by the rules alone.
/// let game = Game::from_moves(size, Rule::Freestyle, &moves)?;
/// assert!(verify(&game, proof.root()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Prover {
    pub(super) table: ProofTable,
    pub(super) vcf: Vcf,
    pub(super) zones: Zones,
    /// Replies that turned out to matter though the zone did not hold them, by position.
    pub(super) extra: HashMap<u64, PointSet>,
    pub(super) stack: Vec<ProofChild>,
    pub(super) nodes: u64,
}

/// The number of times that the building of a certificate may fail and the search go on.
const ATTEMPTS: usize = 16;

/// The number of attacking moves, counted from the root, that may at last be moves that only
/// threaten to win by threats of any kind.
const WIDEST: usize = 2;

impl Prover {
    /// Returns a prover with a table of about `bytes` bytes, less if there is too little memory,
    /// and a few fixed megabytes.
    #[must_use]
    pub fn new(bytes: usize) -> Prover {
        Prover {
            table: ProofTable::new(bytes),
            vcf: Vcf::new(),
            zones: Zones::new(),
            extra: HashMap::new(),
            stack: Vec::new(),
            nodes: 0,
        }
    }

    /// Forgets everything, so that the next search runs like the first.
    pub fn clear(&mut self) {
        self.table.clear();
        self.vcf.clear();
        self.zones.clear();
        self.extra.clear();
    }

    /// Returns the number of positions looked at by the last [`Prover::solve`].
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a forced win of the side to move.
    ///
    /// The position is given back as it was. One whose game is over has no win.
    pub fn solve(
        &mut self,
        position: &mut Position,
        horizon: Horizon,
        limits: &ProverLimits<'_>,
    ) -> ProverVerdict {
        self.nodes = 0;
        self.stack.clear();
        if position.empty_cells() == 0
            || find_winner(position.board(), position.rule()).is_some()
            || matches!(full_threat_check(position), ThreatCheck::Loss(_))
        {
            return ProverVerdict::NoWin;
        }
        let mut search = Search::new(self, position, horizon, limits);
        // Only if the narrow horizon has nothing.
        let widest = if horizon.fours_only { 0 } else { WIDEST };
        for moves in 0..=widest {
            search.wide = 2 * moves;
            let verdict = search.solve(limits.nodes);
            if verdict != ProverVerdict::NoWin {
                return verdict;
            }
        }
        ProverVerdict::NoWin
    }
}

impl Search<'_> {
    /// Looks for a win and builds its certificate.
    fn solve(&mut self, nodes: u64) -> ProverVerdict {
        for _ in 0..ATTEMPTS {
            let numbers = self.run(nodes);
            if numbers.is_disproven() {
                return ProverVerdict::NoWin;
            }
            if !numbers.is_proven() {
                break;
            }
            if let Some(attack) = self.build(nodes) {
                return ProverVerdict::Win(Certificate::new(attack, self.position));
            }
            if self.has_to_end() {
                break;
            }
        }
        ProverVerdict::Unknown
    }
}

/// The number of positions whose zone is remembered.
const ZONES: usize = 1 << 13;

/// The replies to quiet moves that were found last, by position.
#[derive(Debug)]
pub(super) struct Zones {
    keys: Box<[u64]>,
    sets: Box<[PointSet]>,
}

impl Zones {
    fn new() -> Zones {
        Zones {
            keys: vec![0; ZONES].into_boxed_slice(),
            sets: vec![PointSet::EMPTY; ZONES].into_boxed_slice(),
        }
    }

    fn clear(&mut self) {
        self.keys.fill(0);
    }

    pub(super) fn get(&self, key: u64) -> Option<PointSet> {
        let slot = key as usize % ZONES;
        (self.keys[slot] == key).then(|| self.sets[slot])
    }

    pub(super) fn put(&mut self, key: u64, set: PointSet) {
        let slot = key as usize % ZONES;
        self.keys[slot] = key;
        self.sets[slot] = set;
    }
}
