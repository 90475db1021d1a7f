//! The side that keeps the game.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::message::{
    HostMessage, OpenProposal, Proposal, RoomAction, RoomAid, RoomNotice, RoomPlayer, RoomState,
};
use super::nobody::NoEngine;
use super::saved::{RoomPlace, SavedRoom};
use crate::play::{
    CasualGame, Controller, PlayFault, PlayNotice, PlaySession, PlayTerms, parse_choice,
};
use tengen_core::rules::{OpeningChoice, OpeningFault, OpeningRule, Seat};
use tengen_core::sys::clock::Clock;
use tengen_core::types::{ByColor, Color, Point};

/// The reason why an action of a player is refused. Nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RoomFault {
    /// The rules of the game or of its opening forbid it.
    #[error("{0}")]
    Play(PlayFault),
    /// The other player is to move.
    #[error("it is the other player's turn")]
    NotYourTurn,
    /// Something was played, taken back or begun meanwhile.
    #[error("the game has changed meanwhile")]
    Changed,
    /// The text is not a cell and no choice.
    #[error("that is neither a cell of the board nor a choice")]
    NoChoice,
    /// There is no such proposal of the other player.
    #[error("nothing is proposed to be answered")]
    NoProposal,
    /// The same is proposed, and not answered yet.
    #[error("that is proposed already")]
    Proposed,
    /// Too much was proposed since the other player did anything.
    #[error("that is enough for now: the other player has to answer first")]
    TooMuchProposed,
}

impl RoomFault {
    /// Returns the reason with its cells as `turn` gives them.
    #[must_use]
    pub fn turned(self, turn: impl Fn(Point) -> Point) -> RoomFault {
        match self {
            RoomFault::Play(fault) => RoomFault::Play(fault.turned(turn)),
            other => other,
        }
    }
}

/// The most proposals of a player, one instead of the other, until the game changes or the other player
/// does something.
const MOST_IN_A_ROW: u32 = 5;

/// The result of an action: its events, or the reason for its rejection.
type RoomResult = Result<Vec<RoomNotice>, RoomFault>;

/// A game between the host and a guest, as the host keeps it.
#[derive(Debug)]
pub struct HostRoom<C> {
    session: PlaySession<NoEngine, C>,
    /// The player of the first move in this game.
    first: RoomPlayer,
    proposal: Option<OpenProposal>,
    proposals: u32,
    /// The player who has made the last proposals, and how many since anything else was done.
    in_a_row: (RoomPlayer, u32),
    /// The names of the host and the guest; empty as long as they are not known.
    names: [String; 2],
    /// The last action of the guest, and its answer.
    answered: Option<(u64, HostMessage)>,
    /// The number of the last action of the guest that changed the game, or 0.
    done: u64,
    /// The help that the host allows.
    allowed: RoomAid,
    /// Whether the program of the guest knows help, once that is known.
    guest_knows_aid: Option<bool>,
}

impl<C: Clock> HostRoom<C> {
    /// Begins with a game, in which this player has the first move, or black if the game is set up
    /// already.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is too small for the opening.
    pub fn new(
        clock: C,
        terms: PlayTerms,
        game: CasualGame,
        opening: Option<OpeningRule>,
        first: RoomPlayer,
    ) -> Result<HostRoom<C>, OpeningFault> {
        let people = ByColor([Controller::Person; 2]);
        let terms = PlayTerms { sides: people, ..terms };
        let session = PlaySession::new(NoEngine, clock, terms, game);
        let mut session = match opening {
            Some(opening) => session.with_opening(opening)?,
            None => session,
        };
        session.start();
        let (names, in_a_row) = (Default::default(), (RoomPlayer::Host, 0));
        Ok(HostRoom {
            session,
            first,
            proposal: None,
            proposals: 0,
            in_a_row,
            names,
            answered: None,
            done: 0,
            allowed: RoomAid::None,
            guest_knows_aid: None,
        })
    }

    /// Goes on with a room that was saved. The clock stands until [`HostRoom::start_clock`].
    #[must_use]
    pub fn resume(clock: C, saved: SavedRoom) -> HostRoom<C> {
        let SavedRoom { game, names, first, done, proposals, turn, allowed, place: _ } = saved;
        let answered = (done > 0).then_some((done, HostMessage::Done { id: done }));
        let mut session = PlaySession::resume(NoEngine, clock, game);
        session.stand_at(turn);
        HostRoom {
            session,
            first,
            proposal: None,
            proposals,
            in_a_row: (RoomPlayer::Host, 0),
            names,
            answered,
            done,
            allowed,
            guest_knows_aid: None,
        }
    }

    /// Allows this help to both players, whatever was allowed before.
    pub const fn allow(&mut self, aid: RoomAid) {
        self.allowed = aid;
    }

    /// Returns the help that the host allows. The players have it where both programs know it:
    /// [`HostRoom::aid`].
    #[must_use]
    pub const fn allowed(&self) -> RoomAid {
        self.allowed
    }

    /// Returns the help that both players have, as far as the program of the guest is known.
    #[must_use]
    pub const fn aid(&self) -> RoomAid {
        match self.guest_knows_aid {
            Some(true) | None => self.allowed,
            Some(false) => RoomAid::None,
        }
    }

    /// Takes note of whether the program of the guest knows help; the first word of a guest counts.
    pub fn learn_of_guest(&mut self, knows_aid: bool) -> Vec<RoomNotice> {
        if self.guest_knows_aid.is_some() {
            return Vec::new();
        }
        self.guest_knows_aid = Some(knows_aid);
        vec![RoomNotice::Aid(self.aid())]
    }

    /// Returns the room as it has to be saved.
    #[must_use]
    pub fn saved(&self, place: RoomPlace) -> SavedRoom {
        SavedRoom {
            game: self.session.saved(),
            place,
            names: self.names.clone(),
            first: self.first,
            done: self.done,
            proposals: self.proposals,
            turn: self.session.watched(),
            allowed: self.allowed,
        }
    }

    /// Returns the session, in which only the players may act.
    #[must_use]
    pub const fn session(&self) -> &PlaySession<NoEngine, C> {
        &self.session
    }

    /// Returns the session, to be saved and dated.
    pub const fn session_mut(&mut self) -> &mut PlaySession<NoEngine, C> {
        &mut self.session
    }

    /// Returns who had the first move in this game.
    #[must_use]
    pub const fn first(&self) -> RoomPlayer {
        self.first
    }

    /// Returns what is proposed.
    #[must_use]
    pub const fn proposal(&self) -> Option<OpenProposal> {
        self.proposal
    }

    /// Returns who has a colour now.
    #[must_use]
    pub fn player(&self, color: Color) -> RoomPlayer {
        player_of(self.first, &self.session, color)
    }

    /// Stops the clock, as long as no guest has come.
    pub fn stop_clock(&mut self) {
        self.session.stand_at(self.session.watched());
    }

    /// Lets the clock run on from now, as when the guest has come.
    pub fn start_clock(&mut self) {
        self.session.start();
    }

    /// Ends the game if the side to move has run out of time.
    pub fn tick(&mut self) -> Vec<RoomNotice> {
        let notices = self.session.tick();
        self.settle(notices)
    }

    /// Returns the moment at which the side to move runs out of time.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.session.deadline()
    }

    /// Returns the name of a player; empty if it is not known.
    #[must_use]
    pub fn name(&self, player: RoomPlayer) -> &str {
        &self.names[player as usize]
    }

    /// Names a player in the record of the game.
    pub fn set_name(&mut self, player: RoomPlayer, name: &str) {
        self.names[player as usize] = name.to_owned();
        self.name_sides();
    }

    /// Gives the sides the names of those who have them now.
    fn name_sides(&mut self) {
        let name = |color| self.names[self.player(color) as usize].clone();
        let names = ByColor::from_fn(name);
        self.session.set_names(names);
    }

    /// Forgets the answers to the guest: another one comes.
    pub fn forget_guest(&mut self) {
        self.answered = None;
        self.done = 0;
        self.proposal = None;
        self.guest_knows_aid = None;
    }

    /// Returns the state for the guest, without the remarks of a file, which may be too long for a line.
    #[must_use]
    pub fn state(&self) -> HostMessage {
        let turn = self.session.turn_time().as_millis();
        let mut saved = self.session.saved();
        saved.game.drop_remarks();
        HostMessage::State(RoomState {
            game: saved.to_text(),
            first: self.first,
            turn_ms: u64::try_from(turn).unwrap_or(u64::MAX),
            proposal: self.proposal,
            aid: self.guest_knows_aid.filter(|knows| *knows).map(|_| self.allowed),
        })
    }

    /// Takes an action of the guest; returns the answer to the guest, and what has
    /// happened. A repeated action gets the same answer, and is not done again.
    pub fn guest_acts(&mut self, id: u64, action: &RoomAction) -> (HostMessage, Vec<RoomNotice>) {
        if let Some((last, told)) = &self.answered
            && id <= *last
        {
            let told = if id == *last { told.clone() } else { HostMessage::Done { id } };
            return (told, Vec::new());
        }
        let (told, notices) = match self.act(RoomPlayer::Guest, action) {
            Ok(notices) => (HostMessage::Done { id }, notices),
            Err(fault) => (HostMessage::Refused { id, why: fault.to_string() }, Vec::new()),
        };
        let is_of_game =
            |n: &RoomNotice| !matches!(n, RoomNotice::Proposed(_) | RoomNotice::Dropped(_));
        if notices.iter().any(is_of_game) {
            self.done = id;
        }
        self.answered = Some((id, told.clone()));
        (told, notices)
    }

    /// Takes an action of a player.
    ///
    /// # Errors
    ///
    /// Returns the reason if it is refused.
    pub fn act(&mut self, player: RoomPlayer, action: &RoomAction) -> RoomResult {
        let late = self.tick();
        if !late.is_empty() {
            return Ok(late);
        }
        match action {
            RoomAction::Play { after, choice } => self.play(player, *after, choice),
            RoomAction::Resign => {
                let black = self.player(Color::Black) == player;
                let loser = if black { Color::Black } else { Color::White };
                let done = self.session.resign_side(loser).map_err(RoomFault::Play)?;
                Ok(self.settle(done))
            }
            RoomAction::Propose { proposal } => self.propose(player, *proposal),
            RoomAction::Accept { proposal } => {
                let open = self.answerable(player, *proposal)?;
                self.agree(open)
            }
            RoomAction::Decline { proposal } => {
                let open = self.answerable(player, *proposal)?;
                self.proposal = None;
                self.in_a_row.1 = 0;
                Ok(vec![RoomNotice::Dropped(open)])
            }
        }
    }

    fn play(&mut self, player: RoomPlayer, after: usize, choice: &str) -> RoomResult {
        if after != made(&self.session) {
            return Err(RoomFault::Changed);
        }
        if self.session.game().end().is_none() && self.player(self.session.mover()) != player {
            return Err(RoomFault::NotYourTurn);
        }
        let size = self.session.game().size();
        let choice = parse_choice(choice, size).ok_or(RoomFault::NoChoice)?;
        let done = match choice {
            OpeningChoice::Cell(point) => self.session.play(&[point]),
            choice => self.session.choose(&[choice]),
        };
        let notices = done.map_err(RoomFault::Play)?;
        Ok(self.settle(notices))
    }

    fn propose(&mut self, player: RoomPlayer, proposal: Proposal) -> RoomResult {
        match proposal {
            Proposal::NewGame => {}
            Proposal::Draw if self.session.game().end().is_none() => {}
            Proposal::Draw => {
                return Err(RoomFault::Play(PlayFault::Move(
                    tengen_core::rules::PlayError::GameOver,
                )));
            }
            Proposal::TakeBack { count } => {
                let most = made(&self.session);
                if count == 0 || count > most {
                    return Err(RoomFault::Play(PlayFault::TakeBack(most)));
                }
            }
        }
        if let Some(open) = self.proposal.filter(|open| open.proposal == proposal) {
            // Two players who want the same agree.
            return if open.by == player { Err(RoomFault::Proposed) } else { self.agree(open) };
        }
        if self.in_a_row.0 != player {
            self.in_a_row = (player, 0);
        }
        if self.in_a_row.1 >= MOST_IN_A_ROW {
            return Err(RoomFault::TooMuchProposed);
        }
        self.in_a_row.1 += 1;
        // At the pace of people and the bounds of lines it never gets there.
        self.proposals = self.proposals.saturating_add(1);
        let open = OpenProposal { number: self.proposals.into(), by: player, proposal };
        let before = self.proposal.replace(open);
        let dropped = before.map(RoomNotice::Dropped);
        Ok(dropped.into_iter().chain([RoomNotice::Proposed(open)]).collect())
    }

    fn answerable(&self, player: RoomPlayer, number: u64) -> Result<OpenProposal, RoomFault> {
        let open = self.proposal.filter(|open| open.number == number && open.by != player);
        open.ok_or(RoomFault::NoProposal)
    }

    fn agree(&mut self, open: OpenProposal) -> RoomResult {
        let notices = match open.proposal {
            Proposal::Draw => {
                let notices = self.session.end_in_draw().map_err(RoomFault::Play)?;
                notices.into_iter().map(RoomNotice::Game).collect()
            }
            Proposal::TakeBack { count } => {
                let notices = self.session.take_back(Some(count)).map_err(RoomFault::Play)?;
                let left = made(&self.session);
                let notices = notices.into_iter().map(RoomNotice::Game);
                [RoomNotice::TakenBack(left)].into_iter().chain(notices).collect()
            }
            Proposal::NewGame => {
                self.first = self.first.other();
                let notices = self.session.new_game().into_iter().map(RoomNotice::Game);
                [RoomNotice::NewGame].into_iter().chain(notices).collect()
            }
        };
        self.proposal = None;
        self.in_a_row.1 = 0;
        self.name_sides();
        Ok(notices)
    }

    /// Adds to what has happened in the game that a proposal was overtaken by it.
    fn settle(&mut self, notices: Vec<PlayNotice>) -> Vec<RoomNotice> {
        let changed = !notices.is_empty();
        self.name_sides();
        if changed {
            self.in_a_row.1 = 0;
        }
        let dropped = if changed { self.proposal.take() } else { None };
        let notices = notices.into_iter().map(RoomNotice::Game);
        dropped.map(RoomNotice::Dropped).into_iter().chain(notices).collect()
    }
}

/// Returns who has a colour, if this player had the first move.
pub fn player_of<C: Clock>(
    first: RoomPlayer,
    session: &PlaySession<NoEngine, C>,
    color: Color,
) -> RoomPlayer {
    let seat = match (session.opening(), color) {
        (Some(opening), color) => opening.course().seat(color),
        (None, Color::Black) => Seat::A,
        (None, Color::White) => Seat::B,
    };
    match seat {
        Seat::A => first,
        Seat::B => first.other(),
    }
}

/// Returns the number of moves and choices that were made.
pub(super) fn made<C: Clock>(session: &PlaySession<NoEngine, C>) -> usize {
    let moves = session.game().moves().len() - session.game().opening();
    moves + session.opening().map_or(0, |opening| opening.course().choices().len())
}

/// Returns the action of playing a cell or of a choice of the opening, as they are displayed.
pub fn playing<C: Clock>(session: &PlaySession<NoEngine, C>, choice: String) -> RoomAction {
    RoomAction::Play { after: made(session), choice }
}

/// Returns the action of asking to take back: this number, or up to the last one of a player.
pub fn taking_back<C: Clock>(
    first: RoomPlayer,
    session: &PlaySession<NoEngine, C>,
    player: RoomPlayer,
    count: Option<usize>,
) -> RoomAction {
    let count = count.unwrap_or_else(|| since_own(first, session, player));
    RoomAction::Propose { proposal: Proposal::TakeBack { count } }
}

/// Returns how many moves and choices have to be taken back so that a player's last one is.
fn since_own<C: Clock>(
    first: RoomPlayer,
    session: &PlaySession<NoEngine, C>,
    player: RoomPlayer,
) -> usize {
    let moves = &session.game().moves()[session.game().opening()..];
    let of_moves = moves.iter().map(|m| player_of(first, session, m.color));
    let choices = session.opening().map(|opening| opening.asked_and_chosen()).unwrap_or_default();
    let seat = |seat| if seat == Seat::A { first } else { first.other() };
    let of_choices = choices.iter().map(|(asked, _)| seat(asked.seat));
    let all: Vec<RoomPlayer> = of_choices.chain(of_moves).collect();
    all.iter().rev().position(|&by| by == player).map_or(1, |i| i + 1)
}

/// Returns a time in milliseconds as a duration.
pub(super) const fn millis(time: u64) -> Duration {
    Duration::from_millis(time)
}
