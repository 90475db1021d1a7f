//! Forced wins, looked for beside the game.

use crossbeam_channel::{Sender, unbounded};

use super::coach::{CoachAnswer, CoachNews};
use crate::explain::{WinAhead, WinMeans};
use tengen_core::position::Position;
use tengen_core::prover::{Attack, Horizon, Prover, ProverLimits, ProverVerdict, STACK_BYTES};
use tengen_core::sys::panics;
use tengen_core::threats::{Replies, ThreatCheck, full_threat_check};
use tengen_core::types::Point;
use tengen_files::work::Stop;

/// The memory of the prover, in bytes.
const TABLE_BYTES: usize = 32 << 20;
/// The part of the nodes that wins by fours alone get, one of this many.
const FOURS_PART: u64 = 4;

/// A proven win of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProvenWin {
    /// The answer to every defence.
    pub attack: Attack,
    /// The kind and length of the win.
    pub ahead: WinAhead,
}

impl ProvenWin {
    /// Looks for a forced win of the side to move, by fours alone first.
    ///
    /// `nodes` limits the search; building the proof may take as many again. The position is given
    /// back as it was.
    pub fn find(
        prover: &mut Prover,
        position: &mut Position,
        nodes: u64,
        stop: &Stop,
    ) -> Option<ProvenWin> {
        let steps = [(true, nodes / FOURS_PART), (false, nodes)];
        for (fours_only, nodes) in steps {
            let limits = ProverLimits { nodes: nodes.max(1), stop: Some(stop) };
            let verdict = prover.solve(position, Horizon { fours_only }, &limits);
            if let ProverVerdict::Win(certificate) = verdict {
                let plies = u16::try_from(certificate.plies()).unwrap_or(u16::MAX);
                let means = WinMeans::of_line(position, certificate.line());
                let attack = certificate.root().clone();
                return Some(ProvenWin { attack, ahead: WinAhead { means, plies } });
            }
        }
        None
    }
}

/// The findings about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveProof {
    /// It gives nothing away, as far as is known.
    Safe,
    /// The opponent has a forced win after it.
    Loses(WinAhead),
    /// The mover has this forced win before it, and none that is known after it.
    Drops(WinAhead),
}

impl MoveProof {
    /// The most replies to a move that are looked at, to find whether it keeps a win.
    const MOST_REPLIES: usize = 12;

    /// Looks at a move of the side to move, with this number of nodes for each question that arises. The
    /// position is given back as it was.
    fn find(
        prover: &mut Prover,
        position: &mut Position,
        point: Point,
        nodes: u64,
        stop: &Stop,
    ) -> MoveProof {
        if position.play(point).is_err() {
            return MoveProof::Safe;
        }
        let against = ProvenWin::find(prover, position, nodes, stop);
        position.undo();
        if let Some(win) = against {
            return MoveProof::Loses(win.ahead);
        }
        // Earlier questions do not change the answer.
        prover.clear();
        match ProvenWin::find(prover, position, nodes, stop) {
            Some(win) if win.attack.play != point => {
                position.play_unchecked(point);
                let keeps = MoveProof::keeps_win(prover, position, nodes, stop);
                position.undo();
                if keeps { MoveProof::Safe } else { MoveProof::Drops(win.ahead) }
            }
            _ => MoveProof::Safe,
        }
    }

    /// Returns whether the side that has just moved is known to win: against each of the few replies that
    /// its move leaves.
    fn keeps_win(prover: &mut Prover, position: &mut Position, nodes: u64, stop: &Stop) -> bool {
        let replies: Vec<Point> = match full_threat_check(position) {
            ThreatCheck::Loss(_) => return true,
            ThreatCheck::Win(_) | ThreatCheck::Open(Replies::All) => return false,
            ThreatCheck::Open(Replies::Forced(point)) => vec![point],
            ThreatCheck::Open(
                Replies::StopFive(set) | Replies::StopFour(set) | Replies::StopFourThree(set),
            ) => set.iter().collect(),
        };
        replies.len() <= MoveProof::MOST_REPLIES
            && replies.into_iter().all(|reply| {
                // One that is forbidden is none.
                if position.play(reply).is_err() {
                    return true;
                }
                let wins = ProvenWin::find(prover, position, nodes, stop).is_some();
                position.undo();
                wins
            })
    }
}

/// A question to the prover.
#[derive(Debug)]
pub(super) struct ProofQuestion {
    pub(super) id: u64,
    pub(super) position: Position,
    /// The move that is asked about; without one, the win of the side to move.
    pub(super) point: Option<Point>,
    /// The most nodes of the search.
    pub(super) nodes: u64,
}

/// A prover on a thread of its own. Dropping it stops the search and ends the thread.
#[derive(Debug)]
pub(super) struct ProofDesk {
    questions: Sender<(ProofQuestion, Stop)>,
    /// Stops the search for the last question.
    last: Stop,
}

impl ProofDesk {
    /// Starts the thread, which allocates nothing large before the first question. Each question
    /// gets one answer, sent to `outbox`.
    ///
    /// # Panics
    ///
    /// Panics if the operating system refuses a thread.
    pub(super) fn start(outbox: Sender<CoachAnswer>) -> ProofDesk {
        let (questions, inbox) = unbounded::<(ProofQuestion, Stop)>();
        let work = move || {
            let mut prover = None;
            for (ProofQuestion { id, mut position, point, nodes }, stop) in inbox {
                let find = || {
                    let mut prover = prover.take().unwrap_or_else(|| Prover::new(TABLE_BYTES));
                    // Earlier questions do not change the answer.
                    prover.clear();
                    let news = match point {
                        None => {
                            let win = ProvenWin::find(&mut prover, &mut position, nodes, &stop);
                            CoachNews::Proof(win)
                        }
                        Some(point) => {
                            let position = &mut position;
                            let found = MoveProof::find(&mut prover, position, point, nodes, &stop);
                            CoachNews::Move(found)
                        }
                    };
                    (news, prover)
                };
                // After a panic nothing was found, and the next question gets a new prover.
                let found = if stop.is_set() { None } else { panics::catch(find).ok() };
                let news = match (found, point) {
                    (Some((news, used)), _) => {
                        prover = Some(used);
                        news
                    }
                    (None, None) => CoachNews::Proof(None),
                    (None, Some(_)) => CoachNews::Move(MoveProof::Safe),
                };
                if outbox.send(CoachAnswer { id, news }).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new()
            .name("prover".into())
            .stack_size(STACK_BYTES)
            .spawn(work)
            .expect("a thread for the prover");
        ProofDesk { questions, last: Stop::new() }
    }

    /// Asks a question; the search for the one before is stopped.
    pub(super) fn ask(&mut self, question: ProofQuestion) {
        self.stop();
        self.last = Stop::new();
        // The thread lives as long as this handle.
        let _ = self.questions.send((question, self.last.clone()));
    }

    /// Stops the search for the last question.
    pub(super) fn stop(&self) {
        self.last.request();
    }
}

impl Drop for ProofDesk {
    fn drop(&mut self) {
        self.stop();
    }
}
