//! The df-pn search itself.

use super::table::{ProofNumbers, sum};
use super::{Horizon, Prover, ProverLimits};
use crate::position::Position;
use crate::sys::fault::{self, Place};
use crate::sys::stop::Stop;
use crate::types::{Color, Point};

/// The number of nodes between two questions whether to stop.
const POLL: u64 = 256;

/// A child is searched until it is worse than the second best by this part of it.
const EPSILON: u32 = 5;

/// A number with bits everywhere that makes another key of a key.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// Marks the key of the quiet moves of a position.
const QUIET: u64 = 0xd1b5_4a32_d192_ed03;

/// A move, or the quiet moves together, with what is known of what follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofChild {
    /// `None` for the quiet moves together.
    pub(super) point: Option<Point>,
    pub(super) key: u64,
    pub(super) numbers: ProofNumbers,
    /// True if it is a four of the defender that only puts off what the attacker threatens.
    pub(super) delays: bool,
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The attacker to move: a win by any child will do.
    Attack,
    /// The quiet moves of the attacker: a node of its own, so that they wait together until the
    /// threats have become as hard to prove as they are.
    Quiet,
    /// The defender to move: every child must be won.
    Defence,
}

/// Marks the keys of positions within reach of wider moves.
const WIDE: u64 = 0xa076_1d64_78bd_642f;

/// One search: the prover, the position and the limits.
pub(super) struct Search<'a> {
    pub(super) prover: &'a mut Prover,
    pub(super) position: &'a mut Position,
    pub(super) attacker: Color,
    pub(super) horizon: Horizon,
    /// Distinguishes rules, boards, attackers and horizons.
    salt: u64,
    /// The number of plies from the root within which quiet moves need only threaten to win by
    /// threats of any kind. The positions within have a key of their own for each such number.
    pub(super) wide: usize,
    /// The number of moves played before the search.
    root: usize,
    /// The number of nodes at which the search ends.
    pub(super) limit: u64,
    /// The nodes of wins by fours before the search.
    vcf_before: u64,
    next_poll: u64,
    stop: Option<&'a Stop>,
    stopped: bool,
    /// The number of lines played out by the builder.
    played_out: u64,
    /// The number of nodes at which the building of a certificate ends.
    pub(super) build_end: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        prover: &'a mut Prover,
        position: &'a mut Position,
        horizon: Horizon,
        limits: &ProverLimits<'a>,
    ) -> Search<'a> {
        let attacker = position.to_move();
        let size = position.size();
        let board = position.rule() as u64
            | u64::from(size.width()) << 8
            | u64::from(size.height()) << 16
            | (attacker as u64) << 24;
        let salt = (board | u64::from(horizon.fours_only) << 25 | 1 << 26).wrapping_mul(SPREAD);
        let vcf_before = prover.vcf.nodes;
        let root = position.played();
        prover.vcf.set_salt(board.wrapping_add(1).wrapping_mul(QUIET));
        Search {
            prover,
            position,
            attacker,
            horizon,
            salt,
            wide: 0,
            root,
            limit: 0,
            vcf_before,
            next_poll: 0,
            stop: limits.stop,
            stopped: false,
            played_out: 0,
            build_end: 0,
        }
    }

    /// Searches the position until it is decided or `nodes` nodes are spent.
    pub(super) fn run(&mut self, nodes: u64) -> ProofNumbers {
        self.limit = nodes;
        self.node(Kind::Attack, ProofNumbers::new(ProofNumbers::INFINITE, ProofNumbers::INFINITE))
    }

    /// Returns whether a stop was requested.
    pub(super) const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a node, and now and then asks whether to stop.
    pub(super) fn count_node(&mut self) {
        self.prover.nodes += 1;
        fault::pass(Place::Prover);
        if self.prover.nodes >= self.next_poll {
            self.next_poll = self.prover.nodes + POLL;
            self.poll();
        }
    }

    /// Counts a line that the builder plays out, which is not a node, and now and then asks whether
    /// to stop.
    pub(super) fn count_line(&mut self) {
        self.played_out += 1;
        if self.played_out.is_multiple_of(POLL) {
            self.poll();
        }
    }

    fn poll(&mut self) {
        self.stopped = self.stopped || self.stop.is_some_and(Stop::is_set);
    }

    /// Adds the nodes of the search for wins by fours to the others.
    pub(super) fn count_fours(&mut self) {
        self.prover.nodes += self.prover.vcf.nodes - self.vcf_before;
        self.vcf_before = self.prover.vcf.nodes;
    }

    /// Returns whether the limits end the search.
    pub(super) fn is_over(&self) -> bool {
        self.stopped || self.prover.nodes >= self.limit
    }

    /// Returns whether the position is one of those within [`Search::wide`] plies.
    pub(super) fn is_wide(&self) -> bool {
        self.position.played() - self.root < self.wide
    }

    /// Returns what the keys of positions `moves` moves from now are combined with.
    fn salt(&self, moves: usize) -> u64 {
        let depth = self.position.played() + moves - self.root;
        if depth < self.wide { self.salt ^ WIDE.wrapping_mul(self.wide as u64) } else { self.salt }
    }

    /// Returns the key of the position with a kind of node.
    pub(super) fn key(&self, kind: Kind) -> u64 {
        let key = self.position.key().0 ^ self.salt(0);
        if kind == Kind::Quiet { key ^ QUIET } else { key }
    }

    /// Returns the key of the position after a move.
    pub(super) fn key_after(&self, point: Point) -> u64 {
        self.position.key_after(point).0 ^ self.salt(1)
    }

    /// Calls `f` with the position after a pass, where the attacker is to move and only the
    /// narrow horizon counts, with at most `nodes` nodes to search.
    pub(super) fn after_pass<T>(&mut self, nodes: u64, f: impl FnOnce(&mut Self) -> T) -> T {
        let wide = std::mem::take(&mut self.wide);
        let (limit, build_end) = (self.limit, self.build_end);
        self.limit = limit.min(self.prover.nodes.saturating_add(nodes));
        self.position.pass();
        let result = f(self);
        self.position.undo();
        (self.wide, self.limit, self.build_end) = (wide, limit, build_end);
        result
    }

    /// Searches a node until one of its numbers reaches that of `bounds`; returns them.
    pub(super) fn node(&mut self, kind: Kind, bounds: ProofNumbers) -> ProofNumbers {
        self.count_node();
        let begin = self.prover.nodes;
        let base = self.prover.stack.len();
        let key = self.key(kind);

        let numbers = match self.expand(kind) {
            Some(decided) => decided,
            None => loop {
                let choice = self.choose(kind, base);
                let numbers = choice.numbers;
                if numbers.proof >= bounds.proof
                    || numbers.disproof >= bounds.disproof
                    || numbers.is_proven()
                    || numbers.is_disproven()
                    || self.is_over()
                {
                    break numbers;
                }
                let child = self.prover.stack[choice.index];
                let limits = choice.limits(kind, child, bounds);
                let found = match (child.point, kind) {
                    (None, _) => self.node(Kind::Quiet, limits),
                    (Some(point), _) => {
                        self.position.play_unchecked(point);
                        let next = if kind == Kind::Defence { Kind::Attack } else { Kind::Defence };
                        let found = self.node(next, limits);
                        self.position.undo();
                        found
                    }
                };
                self.prover.stack[choice.index].numbers = found;
            },
        };

        self.prover.stack.truncate(base);
        let work = self.prover.nodes - begin + 1;
        self.prover.table.store(key, numbers, work);
        numbers
    }

    /// Adds up the children from `base` on and chooses the one to search.
    ///
    /// Of the defender's delays only the hardest counts for the proof: mostly the same attack goes
    /// on after each of them, and a sum would make every threat look hopeless while the defender
    /// has many fours.
    fn choose(&self, kind: Kind, base: usize) -> ChildChoice {
        let children = &self.prover.stack[base..];
        let mut choice = ChildChoice {
            numbers: ProofNumbers::PROVEN,
            index: base,
            second: ProofNumbers::INFINITE,
            delays: 0,
        };
        let (mut least, mut total) = (ProofNumbers::INFINITE, 0);
        for (i, child) in children.iter().enumerate() {
            let (own, other) = match kind {
                Kind::Defence => (child.numbers.disproof, child.numbers.proof),
                Kind::Attack | Kind::Quiet => (child.numbers.proof, child.numbers.disproof),
            };
            if child.delays {
                choice.delays = choice.delays.max(other);
            } else {
                total = sum(total, other);
            }
            if own < least {
                choice.second = least;
                least = own;
                choice.index = base + i;
            } else if own < choice.second {
                choice.second = own;
            }
        }
        total = sum(total, choice.delays);
        choice.numbers = match kind {
            Kind::Defence => ProofNumbers::new(total, least),
            Kind::Attack | Kind::Quiet => ProofNumbers::new(least, total),
        };
        choice
    }
}

/// The result of [`Search::choose`].
struct ChildChoice {
    /// The numbers of the node.
    numbers: ProofNumbers,
    /// The place of the child to search.
    index: usize,
    /// The number that the second best child has where the best has the least.
    second: u32,
    /// The proof number that the defender's delays have together.
    delays: u32,
}

impl ChildChoice {
    /// Returns how far to search the chosen child of a node that is searched up to `bounds`.
    fn limits(&self, kind: Kind, child: ProofChild, bounds: ProofNumbers) -> ProofNumbers {
        // A little beyond the second best, lest the search go back and forth between the two.
        let least = |bound: u32| {
            let second = self.second;
            bound.min(if second >= ProofNumbers::INFINITE {
                second
            } else {
                second + second / EPSILON + 1
            })
        };
        let rest = |bound: u32, total: u32, own: u32| {
            if bound >= ProofNumbers::INFINITE { bound } else { bound - total.min(bound) + own }
        };
        // The child's share of the sum.
        let proof = if child.delays { self.delays } else { child.numbers.proof };
        match kind {
            Kind::Defence => ProofNumbers::new(
                rest(bounds.proof, self.numbers.proof, proof),
                least(bounds.disproof),
            ),
            Kind::Attack | Kind::Quiet => ProofNumbers::new(
                least(bounds.proof),
                rest(bounds.disproof, self.numbers.disproof, child.numbers.disproof),
            ),
        }
    }
}
