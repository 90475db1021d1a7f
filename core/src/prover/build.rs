//! Building a certificate from what the search has left in the table.
//!
//! The search trusts the zones of replies and the table; the builder does not. After each move of
//! the attack it takes the win that is threatened, a line of fours, and asks of the legal replies
//! whether that line still wins after them, by playing it out; where it does not, an answer of its
//! own is looked for. Only replies outside a complete [`Zone`](vcf::Zone) are not tried: they
//! can't change anything, which builds with assertions check all the same.

use super::certificate::Attack;
use super::search::{Kind, Search};
use super::table::ProofNumbers;
use crate::patterns::PointClass;
use crate::rules::Rule;
use crate::threats::vcf::{self, is_caro};
use crate::threats::{Replies, ThreatCheck, full_threat_check};
use crate::types::{Color, Dir, Point, PointSet};

/// The nodes of a search for an answer that the table does not know.
const AGAIN: u64 = 20_000;
/// The nodes of the search for the line of fours that a move threatens.
const LINE_NODES: u64 = 2_000;
/// The greatest distance from the cell of a five at which a stone can unmake it.
const REACH: i32 = 5;

impl Search<'_> {
    /// Builds the attack that wins in the position, which the search has proven, looking at no
    /// more than `nodes` further nodes. If that fails the table is corrected about what is not
    /// proven after all, and the search can go on.
    pub(super) fn build(&mut self, nodes: u64) -> Option<Attack> {
        self.build_end = self.prover.nodes.saturating_add(nodes);
        self.build_attack()
    }

    /// Searches the position, the attacker to move, and builds the attack if it is won.
    pub(super) fn prove(&mut self) -> Option<Attack> {
        let numbers = self
            .node(Kind::Attack, ProofNumbers::new(ProofNumbers::INFINITE, ProofNumbers::INFINITE));
        let nodes = self.limit.saturating_sub(self.prover.nodes);
        if numbers.is_proven() { self.build(nodes) } else { None }
    }

    /// Returns the number of nodes that are left to the builder.
    fn left(&self) -> u64 {
        self.build_end.saturating_sub(self.prover.nodes)
    }

    /// Returns whether the builder has to give up, whatever is proven.
    pub(super) fn has_to_end(&self) -> bool {
        self.left() == 0 || self.is_stopped()
    }

    fn may_build(&mut self) -> bool {
        self.count_node();
        !self.has_to_end()
    }

    /// Builds an attack with the attacker to move.
    fn build_attack(&mut self) -> Option<Attack> {
        if !self.may_build() {
            return None;
        }
        if let Some(point) = self.position.first_of(self.attacker, PointClass::Five) {
            return Some(Attack::winning(point));
        }
        // Fours alone make the smallest certificate.
        if let Some(attack) = self.build_fours() {
            return Some(attack);
        }
        let attack = self.winning_move().and_then(|play| {
            self.position.play_unchecked(play);
            let parts = self.build_answers();
            self.position.undo();
            let (replies, otherwise) = parts?;
            Some(Attack { play, replies, otherwise: Some(Box::new(otherwise)) })
        });
        if attack.is_none() {
            self.doubt(Kind::Attack);
        }
        attack
    }

    /// Builds an attack by fours alone, if a short search finds one.
    fn build_fours(&mut self) -> Option<Attack> {
        if !self.position.counts(self.attacker).has_at_least(PointClass::Four) {
            return None;
        }
        let line = self.prover.vcf.find(self.position, LINE_NODES.min(self.left()));
        self.count_fours();
        self.build_line(&line?)
    }

    /// Takes back that a position is proven, unless the builder only had no time.
    fn doubt(&mut self, kind: Kind) {
        if self.has_to_end() {
            return;
        }
        let key = self.key(kind);
        if self.prover.table.probe(key).is_some_and(|(numbers, _)| numbers.is_proven()) {
            self.prover.table.store(key, ProofNumbers::new(1, 1), 1);
        }
        if kind == Kind::Attack {
            self.doubt(Kind::Quiet);
        }
    }

    /// Returns the attacker's winning move.
    fn winning_move(&mut self) -> Option<Point> {
        match self.at_a_glance() {
            ThreatCheck::Win(3) => {
                return self.position.first_of(self.attacker, PointClass::OpenFour);
            }
            ThreatCheck::Win(_) => return self.two_threats(),
            ThreatCheck::Loss(_) => return None,
            ThreatCheck::Open(_) => {}
        }
        self.proven_move().or_else(|| {
            self.search_again();
            self.proven_move()
        })
    }

    /// Searches the position again: the table has lost it, or nobody has asked before.
    fn search_again(&mut self) {
        let nodes = AGAIN.min(self.left());
        self.run(self.prover.nodes.saturating_add(nodes));
    }

    /// Returns the move after which the table knows the position as proven with the least work.
    fn proven_move(&mut self) -> Option<Point> {
        let ThreatCheck::Open(replies) = self.at_a_glance() else { return None };
        let mut best: Option<(u64, Point)> = None;
        for kind in [Kind::Attack, Kind::Quiet] {
            let set = match kind {
                Kind::Quiet if self.horizon.fours_only => PointSet::EMPTY,
                Kind::Quiet => self.quiets(),
                _ => self.threats(&replies),
            };
            for point in set.iter() {
                if self.position.is_forbidden(point, self.attacker) {
                    continue;
                }
                let known = self.prover.table.probe(self.key_after(point));
                if let Some((numbers, work)) = known
                    && numbers.is_proven()
                    && best.is_none_or(|(least, _)| work < least)
                {
                    best = Some((work, point));
                }
            }
            if best.is_some() {
                break;
            }
        }
        best.map(|(_, point)| point)
    }

    /// Returns the move of a win in five plies by two threats: one after which every reply loses
    /// at a threat_check.
    fn two_threats(&mut self) -> Option<Point> {
        let us = self.attacker;
        let least =
            if self.horizon.fours_only { PointClass::Four } else { PointClass::DoubleThree };
        let cells: Vec<Point> = self
            .position
            .tracker()
            .near()
            .iter()
            .filter(|&p| self.position.class(p, us) >= least)
            .collect();
        cells.into_iter().find(|&point| {
            self.position.play_unchecked(point);
            let wins = match full_threat_check(self.position) {
                ThreatCheck::Loss(_) => true,
                ThreatCheck::Win(_) | ThreatCheck::Open(Replies::All) => false,
                ThreatCheck::Open(replies) => replies.set().is_some_and(|set| {
                    set.iter().all(|reply| {
                        self.position.play_unchecked(reply);
                        let wins = matches!(self.at_a_glance(), ThreatCheck::Win(_));
                        self.position.undo();
                        wins
                    })
                }),
            };
            self.position.undo();
            wins
        })
    }

    /// Builds what answers the defender, who is to move.
    fn build_answers(&mut self) -> Option<(Vec<(Point, Attack)>, Attack)> {
        let answers = self.try_build_answers();
        if answers.is_none() {
            self.doubt(Kind::Defence);
        }
        answers
    }

    fn try_build_answers(&mut self) -> Option<(Vec<(Point, Attack)>, Attack)> {
        let (us, them) = (self.attacker, !self.attacker);
        if self.position.counts(them).has(PointClass::Five) {
            return None;
        }
        let mut replies = Vec::new();
        if let Some(five) = self.position.first_of(us, PointClass::Five) {
            for reply in self.stoppers(five).iter() {
                if self.position.is_forbidden(reply, them) {
                    continue;
                }
                self.position.play_unchecked(reply);
                let attack = if self.wins_at(five) { None } else { Some(self.build_attack()) };
                self.position.undo();
                if let Some(attack) = attack {
                    replies.push((reply, attack?));
                }
            }
            return Some((replies, Attack::winning(five)));
        }

        // The threat, if the defender passes.
        self.position.pass();
        let line = self.prover.vcf.find(self.position, LINE_NODES.min(self.left()));
        self.count_fours();
        let threat = line.map(|line| {
            let zone = vcf::zone(self.position, &line);
            (zone, self.build_line(&line))
        });
        self.position.undo();
        let Some((zone, otherwise)) = threat else { return self.build_wide_answers() };
        let otherwise = otherwise?;

        let to_try = zone.cells | zone.doubtful;
        let empties: PointSet = *self.position.tracker().empties();
        for reply in empties.iter() {
            if zone.is_complete && !to_try.contains(reply) {
                debug_assert!(
                    self.stands(reply, &otherwise),
                    "{reply}: {:?}",
                    self.position.board()
                );
                continue;
            }
            if self.stands(reply, &otherwise) {
                continue;
            }
            self.position.play_unchecked(reply);
            let attack = self.build_attack();
            self.position.undo();
            if attack.is_none() && !self.has_to_end() {
                let key = self.key(Kind::Defence);
                self.prover.extra.entry(key).or_default().insert(reply);
            }
            replies.push((reply, attack?));
        }
        Some((replies, otherwise))
    }

    /// Builds an answer to each legal reply to a move that threatens to win by threats of any
    /// kind; the defender is to move.
    fn build_wide_answers(&mut self) -> Option<(Vec<(Point, Attack)>, Attack)> {
        if !self.is_wide() {
            return None;
        }
        let nodes = self.left();
        let otherwise = self.after_pass(u64::MAX, |search| search.build(nodes))?;
        let mut replies = Vec::new();
        let mut missing = PointSet::EMPTY;
        let empties: PointSet = *self.position.tracker().empties();
        for reply in empties.iter() {
            if self.position.is_forbidden(reply, !self.attacker) {
                continue;
            }
            self.position.play_unchecked(reply);
            let attack = self.build_attack();
            self.position.undo();
            match attack {
                Some(attack) => replies.push((reply, attack)),
                None if self.has_to_end() => return None,
                None => {
                    missing.insert(reply);
                }
            }
        }
        if missing.is_empty() {
            return Some((replies, otherwise));
        }
        let key = self.key(Kind::Defence);
        *self.prover.extra.entry(key).or_default() |= missing;
        None
    }

    /// Returns the cells where the defender may stop the attacker from winning on a cell.
    fn stoppers(&self, five: Point) -> PointSet {
        let mut set = PointSet::EMPTY;
        set.insert(five);
        if is_caro(self.position.rule()) {
            for dir in Dir::ALL {
                for point in (-REACH..=REACH).filter_map(|steps| five.offset(dir, steps)) {
                    set.insert(point);
                }
            }
        }
        set & *self.position.tracker().empties()
    }

    /// Returns whether the attacker wins with a stone on a cell.
    fn wins_at(&self, point: Point) -> bool {
        self.position.board().is_empty(point)
            && self.position.class(point, self.attacker) == PointClass::Five
    }

    /// Builds the attack along a line of fours; the attacker is to move.
    fn build_line(&mut self, line: &[Point]) -> Option<Attack> {
        let (us, them) = (self.attacker, !self.attacker);
        if !self.may_build() {
            return None;
        }
        if let Some(five) = self.position.first_of(us, PointClass::Five) {
            return Some(Attack::winning(five));
        }
        let (&play, rest) = line.split_first()?;
        if !self.position.is_legal(play) {
            return None;
        }
        self.position.play_unchecked(play);
        let parts = self.position.first_of(us, PointClass::Five).and_then(|five| {
            let mut replies = Vec::new();
            for reply in self.stoppers(five).iter() {
                if self.position.is_forbidden(reply, them) {
                    continue;
                }
                self.position.play_unchecked(reply);
                let attack = if self.wins_at(five) { None } else { Some(self.build_line(rest)) };
                self.position.undo();
                if let Some(attack) = attack {
                    replies.push((reply, attack?));
                }
            }
            Some((replies, Attack::winning(five)))
        });
        self.position.undo();
        let (replies, otherwise) = parts?;
        Some(Attack { play, replies, otherwise: Some(Box::new(otherwise)) })
    }

    /// Returns whether a line of fours wins although the defender, to move, plays `reply` first.
    fn stands(&mut self, reply: Point, line: &Attack) -> bool {
        self.count_line();
        let forbidden = self.position.rule() == Rule::Renju
            && self.attacker == Color::White
            && self.position.is_forbidden(reply, Color::Black);
        if forbidden {
            return true;
        }
        self.position.play_unchecked(reply);
        let holds = self.holds(line);
        self.position.undo();
        holds
    }

    /// Returns whether a line of fours wins against every reply; the attacker is to move.
    fn holds(&mut self, attack: &Attack) -> bool {
        if !self.position.is_legal(attack.play) {
            return false;
        }
        let Some(otherwise) = &attack.otherwise else { return self.wins_at(attack.play) };
        self.position.play_unchecked(attack.play);
        let holds = !self.position.counts(!self.attacker).has(PointClass::Five)
            && self.wins_at(otherwise.play)
            && self.holds_after(attack, otherwise);
        self.position.undo();
        holds
    }

    /// Returns whether a four wins against the replies that stop the five; the defender is to
    /// move.
    fn holds_after(&mut self, attack: &Attack, otherwise: &Attack) -> bool {
        let listed: PointSet = attack.replies.iter().map(|(point, _)| *point).collect();
        let empties: PointSet = *self.position.tracker().empties();
        let replies = self.stoppers(otherwise.play) | listed & empties;
        replies.iter().all(|reply| {
            if self.position.is_forbidden(reply, !self.attacker) {
                return true;
            }
            let Some(next) = attack.after(reply) else { return false };
            self.position.play_unchecked(reply);
            let holds = self.holds(next);
            self.position.undo();
            holds
        })
    }
}
