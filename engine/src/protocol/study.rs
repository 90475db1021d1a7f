//! Work beyond a search, such as the review of a game: done by others, and asked for by a session.

use std::fmt;
use std::time::Instant;

use super::block::PartialBlock;
use super::clock::is_finite;
use super::game::SessionGame;
use super::reply::Reply;
use super::session::Session;
use crate::engine::{Setup, Thinker};
use tengen_core::search::Limits;
use tengen_core::sys::stop::Stop;

/// The matter of a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StudyTopic {
    /// `REVIEW`: what each move of a game was worth.
    Review,
    /// `PROVE`: a forced win of the side to move.
    Proof,
}

impl StudyTopic {
    /// Returns the command that asks for it.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            StudyTopic::Review => "REVIEW",
            StudyTopic::Proof => "PROVE",
        }
    }

    /// Returns the word with which its answers begin, behind `MESSAGE`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            StudyTopic::Review => "REVIEW",
            StudyTopic::Proof => "PROOF",
        }
    }
}

/// A request for a study.
#[derive(Clone, Debug)]
pub struct StudyRequest {
    /// Its matter.
    pub topic: StudyTopic,
    /// The position, or the last one of the game, with the stones in playing order.
    pub setup: Setup,
    /// The limits of time and nodes.
    pub limits: Limits,
    /// The memory that the whole process may use, in bytes; `None` is unlimited.
    pub max_memory: Option<u64>,
    /// Set if it is to end with what it knows.
    pub stop: Stop,
}

/// A reply to a request for a study.
#[derive(Clone, Debug)]
pub enum StudyReply {
    /// A line to write.
    Line(Reply),
    /// The request is done.
    Done,
}

/// Does studies, one at a time.
pub trait Scholar: Send {
    /// Does a study, and hands on the lines about it. It ends soon after its `stop` is set.
    fn study(&mut self, request: &StudyRequest, tell: &mut dyn FnMut(Reply));
}

/// A receiver of requests, which carries them out in their order.
type StudySink = Box<dyn FnMut(StudyRequest)>;

/// The session's side of studies.
#[derive(Default)]
pub(super) struct StudyPort(Option<StudySink>);

impl StudyPort {
    /// Sends requests there from now on; without that nobody does studies.
    pub(super) fn connect(&mut self, sink: StudySink) {
        self.0 = Some(sink);
    }
}

impl fmt::Debug for StudyPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StudyPort({})", self.0.is_some())
    }
}

/// A study that is not done.
#[derive(Clone)]
pub(super) struct OwedStudy {
    /// The moment at which it was asked for.
    pub(super) asked: Instant,
    /// True if it ends by itself.
    pub(super) is_finite: bool,
    /// Ends it.
    pub(super) stop: Stop,
}

impl<T: Thinker> Session<T> {
    /// Sends requests for studies from now on, each to be answered by [`Session::study_reply`] until it is
    /// done; commands that ask for them are unknown otherwise. The call of `sink` has to return at once.
    pub fn connect_studies(&mut self, sink: Box<dyn FnMut(StudyRequest)>) {
        self.studies.connect(sink);
    }

    /// Takes a reply to a request for a study; returns what to write.
    pub fn study_reply(&mut self, reply: StudyReply, now: Instant) -> Vec<Reply> {
        match reply {
            StudyReply::Line(_) if self.dialogue.has_ended() => {}
            StudyReply::Line(line) => self.reply(line),
            StudyReply::Done => self.dialogue.finish_study(now),
        }
        let replies = self.proceed(now);
        self.await_quiet(now);
        replies
    }

    /// Reviews a game, whose moves are in a block.
    pub(super) fn review(&mut self, block: &PartialBlock, at: Instant) {
        if !self.does(StudyTopic::Review) {
            return;
        }
        let Some(size) = self.playing().map(|game| game.size()) else { return };
        let entries = block.entries().map_err(|flaw| flaw.to_string());
        let game = entries.and_then(|entries| {
            SessionGame::from_moves(size, entries).map_err(|error| error.to_string())
        });
        match game {
            Ok(game) => self.study(StudyTopic::Review, &game, at),
            Err(error) => self.error(&error),
        }
    }

    /// Looks for a forced win in the position on the board.
    pub(super) fn prove(&mut self, at: Instant) {
        if !self.does(StudyTopic::Proof) {
            return;
        }
        let Some(game) = self.playing().map(|game| game.clone()) else { return };
        self.study(StudyTopic::Proof, &game, at);
    }

    /// Returns whether somebody does studies, or replies that this is unknown.
    fn does(&mut self, topic: StudyTopic) -> bool {
        let is_done = self.studies.0.is_some();
        if !is_done {
            self.reply(Reply::Unknown(topic.command().to_owned()));
        }
        is_done
    }

    fn study(&mut self, topic: StudyTopic, game: &SessionGame, at: Instant) {
        let limits = self.options.limits_of_study(at, self.board.used_before(at));
        // A game has a last move.
        let is_finite = topic == StudyTopic::Review || is_finite(&limits);
        let (asked, stop) = (self.now, Stop::new());
        let request = StudyRequest {
            topic,
            setup: game.setup(self.options.rule()),
            limits,
            max_memory: self.options.settings().max_memory,
            stop: stop.clone(),
        };
        if let StudyPort(Some(sink)) = &mut self.studies {
            self.dialogue.begin_study(OwedStudy { asked, is_finite, stop });
            sink(request);
        }
    }
}
