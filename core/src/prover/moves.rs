//! The moves of a node, and the first estimates of them before they are searched.

use std::cmp::Reverse;

use super::order::promise;
use super::search::{Kind, ProofChild, Search};
use super::table::ProofNumbers;
use crate::patterns::PointClass;
use crate::rules::Rule;
use crate::threats::{Replies, ThreatCheck, full_threat_check, vcf};
use crate::types::{Color, Point, PointSet};

/// The nodes that the search for the win by fours that a quiet move threatens may take.
const THREAT_NODES: u64 = 100;

/// The nodes that the search for a win by threats of any kind that a quiet move threatens may
/// take, and the building of its certificate.
const WIDE_NODES: u64 = 3_000;

/// The proof number that the quiet moves of a position begin with.
const QUIET_PROOF: u32 = 15;
/// The proof number of a position in which the defender threatens an open four and the attacker
/// can't put it off by a four.
const PARRY_PROOF: u32 = 6;
/// The disproof number that each four or three of a position counts for.
const THREAT_DISPROOF: u32 = 2;

/// The first numbers of a four of the defender that does not stop the threat. Other replies come
/// first, since they refute more often.
const DELAY: ProofNumbers = ProofNumbers::new(2, 4);

/// The defender's choice.
enum DefenderAnswers {
    /// Nothing: the attacker has won.
    None,
    /// Anything: the attacker threatens nothing.
    All,
    /// Nobody knows: the search ended while it was looking for a threat.
    Unknown,
    /// One of these.
    Some(PointSet),
}

impl Search<'_> {
    /// Puts the children of the position on the stack, or returns what decides the node at once.
    pub(super) fn expand(&mut self, kind: Kind) -> Option<ProofNumbers> {
        match kind {
            Kind::Attack => self.expand_attack(),
            Kind::Quiet => self.expand_quiet(),
            Kind::Defence => self.expand_defence(),
        }
    }

    fn expand_attack(&mut self) -> Option<ProofNumbers> {
        let replies = match self.at_a_glance() {
            ThreatCheck::Win(_) => return Some(ProofNumbers::PROVEN),
            ThreatCheck::Loss(_) => return Some(ProofNumbers::DISPROVEN),
            ThreatCheck::Open(replies) => replies,
        };
        let base = self.prover.stack.len();
        for point in self.threats(&replies).iter() {
            if !self.position.is_forbidden(point, self.attacker) {
                let proof = threat_proof(self.position.class(point, self.attacker));
                self.push(point, ProofNumbers::new(proof, 1));
            }
        }
        self.sort(base);
        self.look_up(base);
        if !self.horizon.fours_only && !replies.must_stop_five() {
            let key = self.key(Kind::Quiet);
            let known = self.prover.table.probe(key).map(|(numbers, _)| numbers);
            let numbers = known.unwrap_or(ProofNumbers::new(QUIET_PROOF, 1));
            self.prover.stack.push(ProofChild { point: None, key, numbers, delays: false });
        }
        None
    }

    fn expand_quiet(&mut self) -> Option<ProofNumbers> {
        let base = self.prover.stack.len();
        for point in self.quiets().iter() {
            if !self.position.is_forbidden(point, self.attacker) {
                let proof = match self.position.class(point, self.attacker) {
                    PointClass::ThreeTwo => 0,
                    PointClass::BlockedThree => 1,
                    PointClass::DoubleTwo => 1,
                    _ => 3,
                };
                self.push(point, ProofNumbers::new(QUIET_PROOF + proof, 1));
            }
        }
        self.look_up(base);
        None
    }

    fn expand_defence(&mut self) -> Option<ProofNumbers> {
        let set = match self.answers() {
            DefenderAnswers::None => return Some(ProofNumbers::PROVEN),
            DefenderAnswers::All => return Some(ProofNumbers::DISPROVEN),
            DefenderAnswers::Unknown => return Some(ProofNumbers::new(1, 1)),
            DefenderAnswers::Some(set) => set,
        };
        let base = self.prover.stack.len();
        for point in set.iter() {
            // A forbidden move loses at once.
            if !self.position.is_forbidden(point, !self.attacker) {
                self.push(point, ProofNumbers::new(1, 1));
            }
        }
        self.sort(base);
        let stops_five = self.position.counts(self.attacker).has(PointClass::Five);
        for i in base..self.prover.stack.len() {
            let child = self.prover.stack[i];
            let Some(point) = child.point else { continue };
            let class = self.position.class(point, !self.attacker);
            let is_four = (PointClass::Four..=PointClass::FourThree).contains(&class);
            let delays = is_four && !stops_five;
            let numbers = match self.prover.table.probe(child.key) {
                Some((numbers, _)) => numbers,
                // It will have to be answered at once: nothing to be seen.
                None if delays => DELAY,
                None => {
                    self.position.play_unchecked(point);
                    let numbers = self.judge();
                    self.position.undo();
                    numbers
                }
            };
            self.prover.stack[i].numbers = numbers;
            self.prover.stack[i].delays = delays;
            if numbers.is_disproven() {
                return Some(ProofNumbers::DISPROVEN);
            }
        }
        None
    }

    fn push(&mut self, point: Point, numbers: ProofNumbers) {
        let key = self.key_after(point);
        self.prover.table.prefetch(key);
        self.prover.stack.push(ProofChild { point: Some(point), key, numbers, delays: false });
    }

    /// Puts the children from `base` on in the order in which they are searched while their numbers
    /// are equal: the cells first that promise the attacker most.
    fn sort(&mut self, base: usize) {
        let (position, us) = (&*self.position, self.attacker);
        let order = |child: &ProofChild| child.point.map(|point| promise(position, point, us));
        self.prover.stack[base..].sort_by_key(|child| Reverse(order(child)));
    }

    /// Replaces the guesses of the children from `base` on by what is known.
    fn look_up(&mut self, base: usize) {
        let prover = &mut *self.prover;
        for child in &mut prover.stack[base..] {
            if let Some((numbers, _)) = prover.table.probe(child.key) {
                child.numbers = numbers;
            }
        }
    }

    /// Returns what the tables say of the position, the attacker to move. With fours only, two open
    /// threes win nothing.
    pub(super) fn at_a_glance(&mut self) -> ThreatCheck {
        match full_threat_check(self.position) {
            ThreatCheck::Win(5)
                if self.horizon.fours_only
                    && !self.position.counts(self.attacker).has(PointClass::FourThree) =>
            {
                ThreatCheck::Open(Replies::All)
            }
            check => check,
        }
    }

    /// Returns the attacker's fours and threes, or what it has to play at once.
    pub(super) fn threats(&mut self, replies: &Replies) -> PointSet {
        let us = self.attacker;
        let position = &*self.position;
        let counts = position.counts(us);
        let allowed = replies.set();
        if let Some(set) = allowed
            && replies.must_stop_five()
        {
            return set;
        }
        let mut set: PointSet = *position.tracker().fours(us);
        let wanted = |class: PointClass| match class {
            PointClass::Forbidden => position.rule() == Rule::Renju && us == Color::Black,
            PointClass::Three | PointClass::ThreePlus | PointClass::DoubleThree => {
                !self.horizon.fours_only
            }
            _ => false,
        };
        let classes = [
            PointClass::Forbidden,
            PointClass::Three,
            PointClass::ThreePlus,
            PointClass::DoubleThree,
        ];
        if classes.into_iter().any(|class| wanted(class) && counts.has(class)) {
            for point in position.tracker().near().iter() {
                if wanted(position.class(point, us)) {
                    set.insert(point);
                }
            }
        }
        allowed.map_or(set, |allowed| set & allowed)
    }

    /// Returns the attacker's moves that may prepare fours and threes: those that make a two or a
    /// blocked three, and where an open four is threatened every move that prevents it, for that
    /// alone can leave the attacker with a win by fours.
    pub(super) fn quiets(&mut self) -> PointSet {
        let us = self.attacker;
        let mut set = PointSet::EMPTY;
        let ThreatCheck::Open(replies) = full_threat_check(self.position) else { return set };
        if replies.must_stop_five() {
            return set;
        }
        let position = &*self.position;
        let is_threat = |point: Point| position.class(point, us) >= PointClass::Three;
        if let Some(allowed) = replies.set() {
            return allowed.iter().filter(|&point| !is_threat(point)).collect();
        }
        for point in position.tracker().near().iter() {
            let class = position.class(point, us);
            if (PointClass::Two..=PointClass::ThreeTwo).contains(&class) {
                set.insert(point);
            }
        }
        set
    }

    /// Returns what the defender, to move, can do against what the attacker threatens.
    fn answers(&mut self) -> DefenderAnswers {
        let replies = match full_threat_check(self.position) {
            ThreatCheck::Win(_) => return DefenderAnswers::All,
            // An open four is threatened, but this move was no four.
            ThreatCheck::Loss(4) if self.horizon.fours_only => return DefenderAnswers::All,
            ThreatCheck::Loss(_) => return DefenderAnswers::None,
            ThreatCheck::Open(replies) => replies,
        };
        let set = match replies.set() {
            Some(_) if self.horizon.fours_only && !replies.must_stop_five() => None,
            Some(set) => Some(set),
            None if self.horizon.fours_only => None,
            None => match self.threat_zone() {
                None if self.is_wide() => match self.wide_zone() {
                    // Cut off before its own nodes were spent.
                    None if self.is_over() => return DefenderAnswers::Unknown,
                    zone => zone,
                },
                zone => zone,
            },
        };
        let Some(mut set) = set else { return DefenderAnswers::All };
        if let Some(extra) = self.prover.extra.get(&self.key(Kind::Defence)) {
            set |= *extra;
        }
        DefenderAnswers::Some(set)
    }

    /// Returns the cells that the win by fours depends on that the attacker would have if the
    /// defender, to move, passed; `None` if there is no such win.
    fn threat_zone(&mut self) -> Option<PointSet> {
        let key = self.key(Kind::Defence);
        if let Some(set) = self.prover.zones.get(key) {
            return Some(set);
        }
        let counts = self.position.counts(self.attacker);
        if !counts.has_at_least(PointClass::Four) {
            return None;
        }
        self.position.pass();
        let line = self.prover.vcf.find(self.position, THREAT_NODES);
        self.count_fours();
        let zone = line.map(|line| vcf::zone(self.position, &line).cells);
        self.position.undo();
        let set = zone?;
        self.prover.zones.put(key, set);
        Some(set)
    }

    /// Returns the cells that the win by threats of any kind uses that the attacker would have if
    /// the defender, to move, passed, and those where the defender makes fours; `None` if no such
    /// win is found.
    fn wide_zone(&mut self) -> Option<PointSet> {
        let key = self.key(Kind::Defence);
        if let Some(set) = self.prover.zones.get(key) {
            return Some(set);
        }
        let attack = self.after_pass(WIDE_NODES, Search::prove)?;
        let mut set = *self.position.tracker().fours(!self.attacker);
        attack.insert_points(&mut set);
        set &= *self.position.tracker().empties();
        self.prover.zones.put(key, set);
        Some(set)
    }

    /// Returns what is thought of the position, the attacker to move, before it is searched.
    fn judge(&mut self) -> ProofNumbers {
        let replies = match self.at_a_glance() {
            ThreatCheck::Win(_) => return ProofNumbers::PROVEN,
            ThreatCheck::Loss(_) => return ProofNumbers::DISPROVEN,
            ThreatCheck::Open(replies) => replies,
        };
        if replies.must_stop_five() {
            return ProofNumbers::new(1, 1);
        }
        let us = self.attacker;
        if let Replies::StopFour(set) = replies {
            let fours = (set & *self.position.tracker().fours(us)).len();
            return match fours {
                0 => ProofNumbers::new(PARRY_PROOF, 1),
                _ => ProofNumbers::new(1, fours as u32),
            };
        }
        let counts = self.position.counts(us);
        let count = |classes: &[PointClass]| -> usize {
            classes.iter().map(|&class| counts.of(class)).sum()
        };
        let fours = [PointClass::Four, PointClass::FourPlus, PointClass::FourThree];
        let mut moves = count(&fours);
        if us == Color::Black && self.position.rule() == Rule::Renju {
            moves += count(&[PointClass::Forbidden]);
        }
        if !self.horizon.fours_only {
            let threes = [PointClass::Three, PointClass::ThreePlus, PointClass::DoubleThree];
            moves += count(&threes);
        }
        match moves {
            0 if self.horizon.fours_only => ProofNumbers::DISPROVEN,
            0 => ProofNumbers::new(QUIET_PROOF, 1),
            _ => ProofNumbers::new(1, THREAT_DISPROOF * moves as u32),
        }
    }
}

/// Returns the proof number that a four or three begins with. A four that makes nothing else
/// leads nowhere most of the time; it begins like a three.
const fn threat_proof(class: PointClass) -> u32 {
    match class {
        PointClass::Four | PointClass::Three => 3,
        PointClass::FourPlus | PointClass::ThreePlus => 2,
        _ => 1,
    }
}
