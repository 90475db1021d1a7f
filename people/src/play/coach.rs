//! Help beside the game: a win that is there, a move that gives one away, and a review.

use crossbeam_channel::{Receiver, unbounded};

use super::proofs::{MoveProof, ProofDesk, ProofQuestion};
use super::reviews::ReviewDesk;
use super::{CasualGame, ProvenWin, ShownWin};
use crate::explain::WinAhead;
use crate::review::{Effort, GameReview, ReviewTask};
use tengen_core::threats::{ThreatCheck, full_threat_check};
use tengen_core::types::{Color, Point};
use tengen_files::records::Move;

/// The nodes of the prover for a win that somebody wants to see.
const NODES_TO_SHOW: u64 = 600_000;
/// The nodes of the prover for the answer to a move, which is waited for.
const NODES_TO_WARN: u64 = 20_000;

/// What a thread of the coach has to say, for [`Coach::answer`].
#[derive(Clone, PartialEq, Debug)]
pub struct CoachAnswer {
    /// The question.
    pub(super) id: u64,
    pub(super) news: CoachNews,
}

/// The news about a question.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CoachNews {
    /// The forced win, if one was found.
    Proof(Option<ProvenWin>),
    /// What was found about a move.
    Move(MoveProof),
    /// Another position of the game was looked at.
    Position,
    /// The review, if there is one.
    Review(Option<Box<GameReview>>),
}

/// The findings of the coach.
#[derive(Clone, PartialEq, Debug)]
pub enum CoachVerdict {
    /// The side to move wins; the first move of the attack is played on a board of its own.
    Win(Box<ShownWin>, WinAhead),
    /// No forced win of this side was found.
    NoWin(Color),
    /// The move can be played: no forced win against it was found.
    Safe(Point),
    /// After the move, this side wins. Nothing is played.
    Loses(Point, Color, WinAhead),
    /// This side, whose move it is, wins before it, and is not known to after it. Nothing is played.
    Drops(Point, Color, WinAhead),
    /// The review of the game; `None` if there was no memory or thread for it, or if it panicked.
    Reviewed(Option<Box<GameReview>>),
}

/// The request that a question comes from.
#[derive(Clone, Debug)]
enum CoachRequest {
    /// To see the win.
    Show,
    /// To play a move.
    Play(Point),
    /// To review the game, of whose positions this many were looked at, of all.
    Review(usize, usize),
}

/// Someone who looks for forced wins beside a game and reviews it, for people: without a terminal, and
/// without changing the game. One question is asked at a time.
#[derive(Debug)]
pub struct Coach {
    proofs: ProofDesk,
    reviews: ReviewDesk,
    /// True if moves are looked at before they are played.
    pub is_teaching: bool,
    last_id: u64,
    asked: Option<(CoachRequest, CasualGame)>,
    /// The position in which the coach has warned of a move.
    warned: Option<(Point, CasualGame)>,
}

impl Coach {
    /// Starts a coach with threads of its own; what arrives on the channel goes to [`Coach::answer`].
    /// `effort` is that of its reviews for each position.
    ///
    /// # Panics
    ///
    /// Panics if the operating system refuses a thread.
    #[must_use]
    pub fn start(is_teaching: bool, effort: Effort) -> (Coach, Receiver<CoachAnswer>) {
        let (outbox, answers) = unbounded();
        let reviews = ReviewDesk::new(outbox.clone(), effort);
        let proofs = ProofDesk::start(outbox);
        let coach = Coach { proofs, reviews, is_teaching, last_id: 0, asked: None, warned: None };
        (coach, answers)
    }

    /// Returns whether an answer is awaited.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.asked.is_some()
    }

    /// Returns the move that is looked at before it is played.
    #[must_use]
    pub const fn checks(&self) -> Option<Point> {
        match self.asked {
            Some((CoachRequest::Play(point), _)) => Some(point),
            _ => None,
        }
    }

    /// Returns how many positions of a game that is being reviewed were looked at, of how many.
    #[must_use]
    pub const fn reviewed(&self) -> Option<(usize, usize)> {
        match self.asked {
            Some((CoachRequest::Review(done, positions), _)) => Some((done, positions)),
            _ => None,
        }
    }

    /// Returns the move of which the coach has warned in the position of this game.
    #[must_use]
    pub fn warned(&self, game: &CasualGame) -> Option<Point> {
        self.warned.as_ref().filter(|(_, then)| then == game).map(|&(point, _)| point)
    }

    /// Drops the question that is asked. Returns whether there was one.
    pub fn forget(&mut self) -> bool {
        self.proofs.stop();
        self.reviews.stop();
        self.asked.take().is_some()
    }

    /// Looks for a forced win of the side to move; the game has to go on.
    pub fn look_for_win(&mut self, game: &CasualGame) {
        self.ask(CoachRequest::Show, game, None, NODES_TO_SHOW);
    }

    /// Looks at a move before it is played: whether it gives the opponent a forced win, or throws one of the
    /// mover away. Returns whether an answer follows: it does not if
    /// nobody wants it, if the move cannot be played or ends the game, if the coach has just warned
    /// of it, or if the opponent wins at once whatever is played.
    pub fn checks_move(&mut self, game: &CasualGame, point: Point) -> bool {
        if !self.is_teaching || self.warned(game) == Some(point) {
            return false;
        }
        let mut after = game.clone();
        let played = after.play(Move::new(point, game.to_move()));
        if played.is_err()
            || after.end().is_some()
            || matches!(full_threat_check(&mut game.position()), ThreatCheck::Loss(_))
        {
            return false;
        }
        self.ask(CoachRequest::Play(point), game, Some(point), NODES_TO_WARN);
        true
    }

    /// Reviews the moves of the game so far, as the task says them.
    pub fn review(&mut self, game: &CasualGame, task: ReviewTask) {
        self.forget();
        self.last_id += 1;
        self.asked = Some((CoachRequest::Review(0, task.positions()), game.clone()));
        self.reviews.ask(self.last_id, task);
    }

    fn ask(&mut self, request: CoachRequest, game: &CasualGame, point: Option<Point>, nodes: u64) {
        self.forget();
        self.last_id += 1;
        let question = ProofQuestion { id: self.last_id, position: game.position(), point, nodes };
        self.proofs.ask(question);
        self.asked = Some((request, game.clone()));
    }

    /// Takes an answer. It counts if it is the last one asked for and `game` is what it was then.
    pub fn answer(&mut self, answer: CoachAnswer, game: &CasualGame) -> Option<CoachVerdict> {
        if answer.id != self.last_id {
            return None;
        }
        let found = match (answer.news, &mut self.asked) {
            (found @ (CoachNews::Proof(_) | CoachNews::Move(_)), _) => found,
            (CoachNews::Position, Some((CoachRequest::Review(done, _), _))) => {
                *done += 1;
                return None;
            }
            (CoachNews::Position, _) => return None,
            (CoachNews::Review(review), _) => {
                let (_, then) = self.asked.take()?;
                return (then == *game).then_some(CoachVerdict::Reviewed(review));
            }
        };
        let (request, then) = self.asked.take()?;
        if then != *game || game.end().is_some() {
            return None;
        }
        let color = game.to_move();
        Some(match (request, found) {
            (CoachRequest::Show, CoachNews::Proof(Some(ProvenWin { attack, ahead }))) => {
                match ShownWin::new(then, attack) {
                    Some(shown) => CoachVerdict::Win(Box::new(shown), ahead),
                    None => CoachVerdict::NoWin(color),
                }
            }
            (CoachRequest::Show, CoachNews::Proof(None)) => CoachVerdict::NoWin(color),
            (CoachRequest::Play(point), CoachNews::Move(MoveProof::Safe)) => {
                CoachVerdict::Safe(point)
            }
            (CoachRequest::Play(point), CoachNews::Move(MoveProof::Loses(ahead))) => {
                self.warned = Some((point, then));
                CoachVerdict::Loses(point, !color, ahead)
            }
            (CoachRequest::Play(point), CoachNews::Move(MoveProof::Drops(ahead))) => {
                self.warned = Some((point, then));
                CoachVerdict::Drops(point, color, ahead)
            }
            // Each request is answered in its own way.
            _ => return None,
        })
    }
}
