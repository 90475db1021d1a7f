//! The side that holds a copy of the game.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::host::{millis, player_of};
use super::message::{
    GuestMessage, HostMessage, OpenProposal, Proposal, RoomAction, RoomAid, RoomNotice, RoomPlayer,
    RoomState,
};
use super::nobody::NoEngine;
use crate::play::{Controller, PlayNotice, PlaySession, SavedGame};
use tengen_core::sys::clock::SystemClock;
use tengen_core::types::Color;

/// The reason why the copy of a game does not go on.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GuestFault {
    /// The host has sent a state that is none.
    #[error("the host has sent no game: {0}")]
    State(String),
    /// An action is not answered yet.
    #[error("the host has not answered the last line yet")]
    Waiting,
}

/// The copy of a game that a guest holds.
#[derive(Debug)]
pub struct GuestRoom {
    session: Option<PlaySession<NoEngine, SystemClock>>,
    state: Option<Copy>,
    /// The action that is not answered yet, with its number.
    pending: Option<(u64, RoomAction)>,
    last_id: u64,
    /// The help that the host has told of last. One that was killed does not know at first what the guest's
    /// program knows.
    told_aid: Option<RoomAid>,
}

/// The last state.
#[derive(Debug)]
struct Copy {
    saved: SavedGame,
    first: RoomPlayer,
    proposal: Option<OpenProposal>,
    turn: Duration,
    received: Instant,
    aid: Option<RoomAid>,
}

impl Default for GuestRoom {
    /// Returns the copy of a game of which nothing is known yet.
    fn default() -> GuestRoom {
        GuestRoom { session: None, state: None, pending: None, last_id: 0, told_aid: None }
    }
}

impl GuestRoom {
    /// Returns the session as the host has it, once its state has come.
    #[must_use]
    pub const fn session(&self) -> Option<&PlaySession<NoEngine, SystemClock>> {
        self.session.as_ref()
    }

    /// Returns the game as it is to be saved.
    #[must_use]
    pub fn saved(&self) -> Option<&SavedGame> {
        self.state.as_ref().map(|state| &state.saved)
    }

    /// Returns what is proposed.
    #[must_use]
    pub fn proposal(&self) -> Option<OpenProposal> {
        self.state.as_ref().and_then(|state| state.proposal)
    }

    /// Returns who had the first move in this game.
    #[must_use]
    pub fn first(&self) -> RoomPlayer {
        self.state.as_ref().map_or(RoomPlayer::Host, |state| state.first)
    }

    /// Returns the help that both players have.
    #[must_use]
    pub fn aid(&self) -> RoomAid {
        self.state.as_ref().and_then(|state| state.aid).unwrap_or(RoomAid::None)
    }

    /// Returns whether the host knows that this program knows help.
    #[must_use]
    pub fn is_known_to_know_aid(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.aid.is_some())
    }

    /// Returns who has a colour now.
    #[must_use]
    pub fn player(&self, color: Color) -> Option<RoomPlayer> {
        let (state, session) = (self.state.as_ref()?, self.session.as_ref()?);
        Some(player_of(state.first, session, color))
    }

    /// Returns how long the turn has taken, as far as the host has reported.
    #[must_use]
    pub fn turn_time(&self) -> Duration {
        let Some(state) = &self.state else { return Duration::ZERO };
        let runs = state.saved.terms.clock.is_limited() && state.saved.game.end().is_none();
        let since = if runs { state.received.elapsed() } else { Duration::ZERO };
        state.turn + since
    }

    /// Returns the message for an action.
    ///
    /// # Errors
    ///
    /// Returns an error if the last one is not answered yet.
    pub fn act(&mut self, action: RoomAction) -> Result<GuestMessage, GuestFault> {
        if self.pending.is_some() {
            return Err(GuestFault::Waiting);
        }
        self.last_id += 1;
        self.pending = Some((self.last_id, action.clone()));
        Ok(GuestMessage::Act { id: self.last_id, action })
    }

    /// Returns the message that has to be sent again after the line was broken.
    #[must_use]
    pub fn unanswered(&self) -> Option<GuestMessage> {
        let (id, action) = self.pending.clone()?;
        Some(GuestMessage::Act { id, action })
    }

    /// Returns whether an action is not answered yet.
    #[must_use]
    pub const fn is_waiting(&self) -> bool {
        self.pending.is_some()
    }

    /// Takes a message of the host, and returns what has happened since the last one.
    ///
    /// # Errors
    ///
    /// Returns an error if the message holds a game that is none. Nothing has changed then.
    pub fn take(&mut self, message: HostMessage) -> Result<Vec<RoomNotice>, GuestFault> {
        let is_pending = |id| self.pending.as_ref().is_some_and(|pending| pending.0 == id);
        match message {
            HostMessage::State(state) => self.copy(&state),
            HostMessage::Done { id } if is_pending(id) => {
                self.pending = None;
                Ok(Vec::new())
            }
            HostMessage::Refused { id, why } if is_pending(id) => {
                self.pending = None;
                Ok(vec![RoomNotice::Refused(why)])
            }
            _ => Ok(Vec::new()),
        }
    }

    fn copy(&mut self, state: &RoomState) -> Result<Vec<RoomNotice>, GuestFault> {
        let fault = |error: &dyn ToString| GuestFault::State(error.to_string());
        let saved = SavedGame::from_text(&state.game).map_err(|error| fault(&error))?;
        if saved.terms.sides.0 != [Controller::Person; 2] {
            return Err(fault(&"an engine plays"));
        }
        let before = self.state.take();
        let session = PlaySession::resume(NoEngine, SystemClock, saved.clone());
        let mut notices = match &before {
            Some(before) => differences(&before.saved, &saved, &session),
            None => Vec::new(),
        };
        let old = before.and_then(|before| before.proposal);
        if old != state.proposal {
            let dropped = old.filter(|open| !has_come(open.proposal, &notices));
            notices.extend(dropped.map(RoomNotice::Dropped));
            notices.extend(state.proposal.map(RoomNotice::Proposed));
        }
        if let Some(aid) = state.aid.filter(|aid| self.told_aid.replace(*aid) != Some(*aid)) {
            notices.push(RoomNotice::Aid(aid));
        }
        self.session = Some(session);
        self.state = Some(Copy {
            saved,
            first: state.first,
            proposal: state.proposal,
            turn: millis(state.turn_ms),
            received: Instant::now(),
            aid: state.aid,
        });
        Ok(notices)
    }
}

/// Returns whether what was proposed has happened.
fn has_come(proposal: Proposal, notices: &[RoomNotice]) -> bool {
    notices.iter().any(|notice| match proposal {
        Proposal::Draw => matches!(notice, RoomNotice::Game(PlayNotice::Over(_))),
        Proposal::TakeBack { .. } => matches!(notice, RoomNotice::TakenBack(_)),
        Proposal::NewGame => *notice == RoomNotice::NewGame,
    })
}

/// Returns what has happened between two states, as far as they show it.
fn differences(
    before: &SavedGame,
    after: &SavedGame,
    session: &PlaySession<NoEngine, SystemClock>,
) -> Vec<RoomNotice> {
    let mut notices = Vec::new();
    let is_same = before.number == after.number;
    if !is_same {
        notices.push(RoomNotice::NewGame);
    }
    let choices = |saved: &SavedGame| {
        saved.opening.as_ref().map(|opening| opening.asked_and_chosen()).unwrap_or_default()
    };
    let (old_choices, new_choices) = (choices(before), choices(after));
    let played = |saved: &SavedGame| saved.game.moves()[saved.game.opening()..].to_vec();
    let (old_moves, new_moves) = (played(before), played(after));
    // As long as choices differ, so do all moves.
    let common = |same: usize| if is_same { same } else { 0 };
    let kept = common(
        old_choices.iter().zip(&new_choices).take_while(|(old, new)| old.1 == new.1).count(),
    );
    let of_same = kept == old_choices.len() && kept == new_choices.len();
    let moves = old_moves.iter().zip(&new_moves);
    let kept_moves = common(moves.take_while(|(old, new)| of_same && old == new).count());
    if is_same && (kept < old_choices.len() || kept_moves < old_moves.len()) {
        notices.push(RoomNotice::TakenBack(kept + kept_moves));
    }
    let by = Controller::Person;
    for &(asked, choice) in &new_choices[kept..] {
        let (seat, color, question) = (asked.seat, asked.color, asked.question);
        notices.push(RoomNotice::Game(PlayNotice::Chosen { seat, color, question, choice, by }));
    }
    let was_open = before.opening.as_ref().is_some_and(|o| o.question().is_some()) || !is_same;
    if let Some(opening) = after.opening.as_ref().filter(|o| o.question().is_none() && was_open) {
        notices.push(RoomNotice::Game(PlayNotice::Opened(opening.sides())));
    }
    let opened = after.game.opening();
    for (i, m) in new_moves.iter().enumerate().skip(kept_moves) {
        // Players of a room play stones and nothing else.
        let (Some(point), color) = (m.point(), m.color) else { continue };
        let number = opened + i + 1;
        notices.push(RoomNotice::Game(PlayNotice::Played { number, point, color, by }));
    }
    match (after.game.end(), session.asked()) {
        (Some(end), _) if before.game.end() != Some(end) || !is_same => {
            notices.push(RoomNotice::Game(PlayNotice::Over(end.clone())));
        }
        (None, Some(asked)) if new_choices != old_choices || !is_same => {
            notices.push(RoomNotice::Game(PlayNotice::Asked(asked)));
        }
        _ => {}
    }
    notices
}
