//! The text interface of both players of a room.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;

use crate::play::table::save_record;
use crate::play::typed::TypedCommand;
use crate::play::voice::{self, Cast, Voice, capital};
use tengen_core::rules::{OpeningChoice, PlayError};
use tengen_core::sys::clock::SystemClock;
use tengen_core::types::{Color, Point};
use tengen_files::records::Move;
use tengen_people::play::{PlayNotice, PlaySession};
use tengen_people::room::{
    NoEngine, OpenProposal, Proposal, RoomAction, RoomAdviser, RoomAid, RoomNotice, RoomPlayer,
    player_of, playing, taking_back,
};

/// The answer to `help`.
pub(super) const HELP: &str = "\
h8: plays this cell. stay, two, ten, swap, 5: choices in an opening; opening: what is asked in it.
undo, undo 3: asks to take back your last move and what followed, or 3 moves.
draw, new: asks for a draw, for another game.
accept, decline: answers what the other player asks.
resign: gives the game up. say TEXT: says it to the other player.
wait: waits until it is your turn, you are asked something, or a hint is there.
board: the board. moves: the moves. clock: the clocks. forbidden: what renju forbids.
threats, hint: what is threatened, the engine's move and why; if the host allows it.
save FILE: writes the game; the end of the name tells the format: psq, rec, sgf, lib, pos, xy, pgn, json.
invite: lets another guest come, with another code; for the host.
quit: leaves.
";

/// A game as one of its players sees it.
pub(super) struct RoomView<'a> {
    pub(super) session: &'a PlaySession<NoEngine, SystemClock>,
    pub(super) voice: Voice,
    /// The one who sees it.
    pub(super) me: RoomPlayer,
    /// The player of the first move.
    pub(super) first: RoomPlayer,
    pub(super) proposal: Option<OpenProposal>,
    /// The name of the other player.
    pub(super) other: &'a str,
    /// The time that the turn has taken.
    pub(super) turn: Duration,
    /// The help that both players have.
    pub(super) aid: RoomAid,
    /// What gives hints.
    pub(super) adviser: &'a RoomAdviser,
}

/// The meaning of a typed line.
#[derive(Debug)]
pub(super) enum RoomRequest {
    /// Only to be shown this text.
    Hear(String),
    /// To do this in the room.
    Act(RoomAction),
    /// To say this to the other player.
    Say(String),
    /// A hint.
    Hint,
    /// Another guest.
    Invite,
    /// To leave.
    Leave,
}

impl RoomView<'_> {
    pub(super) fn player(&self, color: Color) -> RoomPlayer {
        player_of(self.first, self.session, color)
    }

    pub(super) fn name(&self, player: RoomPlayer) -> &str {
        if player == self.me { "you" } else { self.other }
    }

    /// Returns whether this player is to move, or to choose in the opening.
    pub(super) fn is_my_turn(&self) -> bool {
        self.session.game().end().is_none() && self.player(self.session.mover()) == self.me
    }

    /// Returns whether a line can be taken now: all but those that wait.
    pub(super) fn takes(&self, line: &str) -> bool {
        let asked = self.proposal.is_some_and(|open| open.by != self.me);
        let is_over = self.session.game().end().is_some();
        let is_settled = (self.is_my_turn() || asked || is_over) && !self.adviser.is_busy();
        !line.trim().eq_ignore_ascii_case("wait") || is_settled
    }

    /// Returns what the other player asks for, if that is not answered yet.
    pub(super) fn proposed(&self) -> Option<String> {
        let open = self.proposal.filter(|open| open.by != self.me)?;
        Some(format!("{} asks you for {}: accept or decline.", self.other, what(open.proposal)))
    }

    /// Returns what a line means, or why it means nothing here.
    pub(super) fn understand(&self, line: &str) -> Result<RoomRequest, String> {
        let game = self.session.game();
        match line.trim().to_ascii_lowercase().as_str() {
            "accept" | "decline" => {
                let open = self.proposal.filter(|open| open.by != self.me);
                let proposal = open.ok_or("nothing is proposed to be answered")?.number;
                let accept = line.trim().eq_ignore_ascii_case("accept");
                let answers = [RoomAction::Decline { proposal }, RoomAction::Accept { proposal }];
                let [decline, accepted] = answers;
                return Ok(RoomRequest::Act(if accept { accepted } else { decline }));
            }
            "invite" => return Ok(RoomRequest::Invite),
            _ => {}
        }
        if let Some(text) = said(line) {
            return Ok(RoomRequest::Say(text.to_owned()));
        }
        let command = TypedCommand::parse(line, game.size(), self.voice.origin(game))?;
        let hear = |text: String| Ok(RoomRequest::Hear(text));
        match command.unwrap_or(TypedCommand::Wait) {
            TypedCommand::Play(points) => match points[..] {
                [point] => self.choose(OpeningChoice::Cell(point)),
                _ => Err("one move at a time".to_owned()),
            },
            TypedCommand::Choose(choice) => self.choose(choice),
            TypedCommand::Swap => self.choose(OpeningChoice::Swap),
            TypedCommand::Undo(count) => {
                Ok(RoomRequest::Act(taking_back(self.first, self.session, self.me, count)))
            }
            TypedCommand::Draw => Ok(propose(Proposal::Draw)),
            TypedCommand::New => Ok(propose(Proposal::NewGame)),
            TypedCommand::Resign => Ok(RoomRequest::Act(RoomAction::Resign)),
            TypedCommand::Asked => hear(self.asked()),
            TypedCommand::Board => hear(self.voice.board(game)),
            TypedCommand::Moves => hear(self.voice.moves(game)),
            TypedCommand::Forbidden => hear(self.voice.forbidden(game)),
            TypedCommand::Clock => hear(self.clock()),
            TypedCommand::Threats if self.aid.has_threats() => hear(self.voice.threats(game)),
            TypedCommand::Hint if self.aid.has_hints() => match game.end() {
                Some(_) => Err(PlayError::GameOver.to_string()),
                None => Ok(RoomRequest::Hint),
            },
            TypedCommand::Threats => Err("threats are not allowed in this room".to_owned()),
            TypedCommand::Hint => Err("hints are not allowed in this room".to_owned()),
            TypedCommand::Save(path) => hear(match self.save(&path) {
                Ok(text) => text,
                Err(error) => format!("Error: {error:#}.\n"),
            }),
            TypedCommand::Help => hear(HELP.to_owned()),
            TypedCommand::Wait => hear(String::new()),
            TypedCommand::Quit => Ok(RoomRequest::Leave),
            // The others are for those who play with the engine.
            _ => Err("that is not for games with others".to_owned()),
        }
    }

    /// Returns the wish to make a move or a choice, if the rules as they are known here allow it;
    /// the host has the last word.
    fn choose(&self, choice: OpeningChoice) -> Result<RoomRequest, String> {
        let game = self.session.game();
        if game.end().is_none() && !self.is_my_turn() {
            return Err(format!("it is the turn of {}", self.name(self.me.other())));
        }
        let origin = self.voice.origin(game);
        let turn = |point: Point| origin.turn(point, game.size());
        let opening = self.session.opening().filter(|_| self.session.asked().is_some());
        match (opening, choice) {
            (Some(opening), choice) => {
                opening.course().check(choice).map_err(|fault| fault.turned(turn).to_string())?;
            }
            (None, OpeningChoice::Cell(point)) => {
                let m = Move::new(point, game.to_move());
                game.clone().play(m).map_err(|fault| fault.turned(turn).to_string())?;
            }
            (None, _) => return Err("there is nothing to choose".to_owned()),
        }
        Ok(RoomRequest::Act(playing(self.session, choice.to_string())))
    }

    /// Returns the lines that say what is played, and whose turn it is.
    pub(super) fn heading(&self) -> String {
        let game = self.session.game();
        let [black, white] = Color::ALL.map(|color| self.name(self.player(color)));
        let rows = crate::common::words::rows_from(self.voice.origin(game));
        let opening = self.session.opening().map(|opening| opening.course().rule().title());
        let opening = opening.map_or_else(String::new, |title| format!(", opening {title}"));
        let heading = format!(
            "{} {}{opening}, black: {black}, white: {white}{rows}.\n",
            game.rule(),
            game.size()
        );
        heading + &self.turn()
    }

    /// Returns the line that says whose turn it is, or how the game has ended.
    fn turn(&self) -> String {
        let game = self.session.game();
        if let Some(end) = game.end() {
            return self.voice.end(game, end);
        }
        if self.session.asked().is_some() {
            return self.asked();
        }
        match self.is_my_turn() {
            true => format!("Your turn, {}.\n", game.to_move()),
            false => String::new(),
        }
    }

    /// Says what is asked in the opening, and whom.
    fn asked(&self) -> String {
        let (Some(opening), Some(asked)) = (self.session.opening(), self.session.asked()) else {
            return "No opening is being played.\n".to_owned();
        };
        let text = self.voice.question(self.session.game(), opening, &asked);
        match self.is_my_turn() {
            true => format!("Your turn. {text}"),
            false => format!("The turn of {}. {text}", self.other),
        }
    }

    fn clock(&self) -> String {
        let line = |color| {
            let is_running = color == self.session.mover();
            let used = if is_running { self.turn } else { Duration::ZERO };
            voice::clock(color, &self.session.side_clock(color), used)
        };
        Color::ALL.into_iter().map(line).collect()
    }

    fn save(&self, path: &Path) -> anyhow::Result<String> {
        if self.session.is_untouched() {
            bail!("there is nothing to save");
        }
        save_record(self.session, path)
    }

    /// Returns the lines of what has happened.
    pub(super) fn told(&self, notices: &[RoomNotice]) -> String {
        let mut text = String::new();
        for notice in notices {
            text += &self.notice(notice);
        }
        let is_move = |notice: &RoomNotice| {
            !matches!(
                notice,
                RoomNotice::Proposed(_)
                    | RoomNotice::Dropped(_)
                    | RoomNotice::Refused(_)
                    | RoomNotice::Aid(_)
            )
        };
        if self.session.game().end().is_none()
            && notices.iter().any(is_move)
            && self.session.asked().is_none()
        {
            text += &self.turn();
        }
        text
    }

    /// Returns the lines of what was found for a hint.
    pub(super) fn advised(&self, notices: &[PlayNotice]) -> String {
        notices.iter().map(|notice| self.notice(&RoomNotice::Game(notice.clone()))).collect()
    }

    fn notice(&self, notice: &RoomNotice) -> String {
        let game = self.session.game();
        match notice {
            // Whom it is for matters more than that something is asked.
            RoomNotice::Game(PlayNotice::Asked(_)) => self.asked(),
            RoomNotice::Game(PlayNotice::Opened(_)) => {
                let [black, white] = Color::ALL.map(|color| self.name(self.player(color)));
                format!(
                    "The opening is finished, black: {black}, white: {white}. {} to move.\n",
                    capital(game.to_move())
                )
            }
            RoomNotice::Game(notice) => {
                let (cast, opening) = (Cast::of(self.session), self.session.opening());
                let said = self.voice.of_opening(game, cast, opening, notice);
                said.unwrap_or_else(|| self.voice.notice(game, cast, notice))
            }
            RoomNotice::NewGame => format!("Another game. {}", self.heading()),
            RoomNotice::TakenBack(0) => "Taken back to the beginning.\n".to_owned(),
            RoomNotice::TakenBack(_) => {
                format!("Taken back. {}", self.voice.moves(game))
            }
            RoomNotice::Proposed(open) => match open.by == self.me {
                true => format!("You ask {} for {}.\n", self.other, what(open.proposal)),
                false => self.proposed().map_or_else(String::new, |asked| asked + "\n"),
            },
            RoomNotice::Dropped(open) => {
                format!("Nothing has come of {}.\n", what(open.proposal))
            }
            RoomNotice::Refused(why) => {
                format!("Error: the host refuses it: {}.\n", why)
            }
            RoomNotice::Aid(aid) => match aid {
                RoomAid::None => "Neither of you may see threats or hints.\n".to_owned(),
                RoomAid::Threats => "Both of you may see threats, and neither hints.\n".to_owned(),
                RoomAid::Hints => "Both of you may see threats and hints.\n".to_owned(),
            },
        }
    }
}

fn propose(proposal: Proposal) -> RoomRequest {
    RoomRequest::Act(RoomAction::Propose { proposal })
}

/// Returns what a line says to the other player, if it does.
fn said(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (word, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    word.eq_ignore_ascii_case("say").then_some(text)
}

/// Names a proposal.
fn what(proposal: Proposal) -> String {
    match proposal {
        Proposal::Draw => "a draw".to_owned(),
        Proposal::TakeBack { count: 1 } => "taking the last move back".to_owned(),
        Proposal::TakeBack { count } => format!("taking the last {count} moves back"),
        Proposal::NewGame => "another game".to_owned(),
    }
}
