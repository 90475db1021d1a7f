//! A session with its voice and its file.

mod files;
mod shown;
#[cfg(test)]
mod tests;

#[cfg(feature = "lan")]
pub(super) use files::save_record;

use std::path::{Path, PathBuf};

use crate::play::typed::{HELP, TypedCommand};
use crate::play::voice::{self, Cast, Voice};
use tengen_core::rules::{OpeningChoice, PlayError, Rule};
use tengen_core::sys::clock::Clock;
use tengen_core::types::{Color, Point, Size};
use tengen_engine::engine::{Event, Thinker};
use tengen_files::records::Record;
use tengen_people::play::{
    Autosave, CasualGame, Coach, CoachAnswer, CoachVerdict, Controller, PlayFault, PlayNotice,
    PlaySession, PlayTerms, ProgramEvent, ShownWin,
};
use tengen_people::review::GameReview;

/// What the coach has said that more is to come of than words.
#[derive(Debug)]
pub(super) enum Advice {
    /// It has warned of a move; the question is whether it is meant.
    Warned(String),
    /// The game was reviewed.
    Reviewed(Box<GameReview>),
}

/// The text front end of a game: typed lines in, output text out.
pub(super) struct PlayTable<T, C> {
    session: PlaySession<T, C>,
    voice: Voice,
    autosave: Option<Autosave>,
    coach: Coach,
    /// The win that is shown instead of the game.
    shown: Option<Box<ShownWin>>,
    /// The file for the review that is being made, if there is to be one.
    page: Option<PathBuf>,
    /// The rule of records that have none, if it was given; otherwise that of the game.
    rule: Option<Rule>,
    /// Output that is not printed yet.
    text: String,
    is_over: bool,
}

impl<T: Thinker, C: Clock> PlayTable<T, C> {
    pub(super) const fn new(
        session: PlaySession<T, C>,
        voice: Voice,
        autosave: Option<Autosave>,
        coach: Coach,
        rule: Option<Rule>,
    ) -> PlayTable<T, C> {
        PlayTable {
            session,
            voice,
            autosave,
            coach,
            shown: None,
            page: None,
            rule,
            text: String::new(),
            is_over: false,
        }
    }

    pub(super) const fn session(&self) -> &PlaySession<T, C> {
        &self.session
    }

    /// Returns the game that is to be seen: the session's, or the win that is shown.
    pub(super) fn game(&self) -> &CasualGame {
        self.shown.as_ref().map_or(self.session.game(), |shown| shown.game())
    }

    /// Returns the side whose turn it is there.
    pub(super) fn mover(&self) -> Color {
        self.shown.as_ref().map_or_else(|| self.session.mover(), |shown| shown.game().to_move())
    }

    /// Returns the win that is shown.
    pub(super) fn shown(&self) -> Option<&ShownWin> {
        self.shown.as_deref()
    }

    pub(super) const fn voice(&self) -> Voice {
        self.voice
    }

    pub(super) const fn coach(&self) -> &Coach {
        &self.coach
    }

    /// Returns the file in which the game is saved as it is now; what could not be saved before is tried once more.
    pub(super) fn kept_in(&mut self) -> Option<&Path> {
        self.save_changes();
        let autosave = self.autosave.as_mut()?;
        if autosave.kept_in().is_none() {
            self.text.extend(autosave.keep(&self.session.saved(), ""));
        }
        autosave.kept_in()
    }

    /// Returns whether the engine or the coach is at work on something that is wanted.
    pub(super) const fn is_thinking(&self) -> bool {
        self.session.is_thinking() || self.coach.is_busy()
    }

    /// Returns whether `quit` was typed.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Appends unsolicited output.
    pub(super) fn say(&mut self, text: &str) {
        self.text += text;
    }

    /// Returns the output that is not printed yet.
    pub(super) const fn told_mut(&mut self) -> &mut String {
        &mut self.text
    }

    /// Begins: says what is played.
    pub(super) fn start(&mut self) {
        self.head();
        if self.session.game().end().is_none() {
            self.turn();
        }
        let notices = self.session.start();
        self.tell(&notices);
    }

    /// Saves what has changed, and returns what is to be said.
    pub(super) fn said(&mut self) -> String {
        self.save_changes();
        std::mem::take(&mut self.text)
    }

    /// Saves what has changed.
    pub(super) fn save_changes(&mut self) {
        if let Some(saved) = self.session.unsaved()
            && let Some(autosave) = &mut self.autosave
        {
            self.text.extend(autosave.keep(&saved, ""));
        }
    }

    /// Returns whether the next line can be taken now: not while the engine thinks, but between two
    /// engines nearly always.
    pub(super) fn takes(&self, line: &str) -> bool {
        let engines = !self.session.terms().sides.0.contains(&Controller::Person);
        !self.is_thinking() || engines && !self.coach.is_busy() && !is(line, "wait")
    }

    /// Returns whether a line is taken before those that wait.
    pub(super) fn overtakes(&self, line: &str) -> bool {
        self.is_thinking() && is(line, "stop")
    }

    /// Takes an event of the engine.
    pub(super) fn event(&mut self, event: Event) {
        let notices = self.session.event(event);
        self.tell(&notices);
    }

    /// Takes an event of a program.
    pub(super) fn program_event(&mut self, event: ProgramEvent) {
        let notices = self.session.program_event(event);
        self.tell(&notices);
    }

    /// Ends the programs that play; nothing else follows.
    pub(super) fn dismiss_programs(&mut self) {
        self.session.dismiss_programs();
    }

    /// Takes an answer of the coach.
    pub(super) fn advice(&mut self, answer: CoachAnswer) -> Option<Advice> {
        match self.coach.answer(answer, self.session.game()) {
            None => {}
            Some(CoachVerdict::Win(shown, ahead)) => {
                self.text += &self.voice.win(&shown, ahead);
                self.shown = Some(shown);
            }
            Some(CoachVerdict::NoWin(color)) => {
                self.text += &format!("No forced win of {color} was found.\n");
            }
            Some(CoachVerdict::Safe(point)) => self.play(&[point]),
            Some(CoachVerdict::Loses(point, winner, ahead)) => {
                let (voice, game) = (self.voice, self.session.game());
                self.text += &voice.warning(game, point, winner, ahead);
                return Some(Advice::Warned(voice.sure(game, point, "lets the opponent win")));
            }
            Some(CoachVerdict::Drops(point, winner, ahead)) => {
                let (voice, game) = (self.voice, self.session.game());
                self.text += &voice.missed_win(game, point, winner, ahead);
                return Some(Advice::Warned(voice.sure(game, point, "throws a win away")));
            }
            Some(CoachVerdict::Reviewed(None)) => {
                self.text += "Error: the game could not be reviewed: memory or a thread lacks, or the review failed.\n";
            }
            Some(CoachVerdict::Reviewed(Some(review))) => {
                if let Some(path) = self.page.take() {
                    let done = self.write_review(&path, &review);
                    self.done(done);
                }
                return Some(Advice::Reviewed(review));
            }
        }
        None
    }

    /// Lets the clocks run.
    pub(super) fn tick(&mut self) {
        let notices = self.session.tick();
        self.tell(&notices);
    }

    /// Does what a line says.
    pub(super) fn obey(&mut self, line: &str) {
        let game = self.session.game();
        match TypedCommand::parse(line, game.size(), self.voice.origin(game)) {
            Ok(None) => {}
            Ok(Some(command)) => self.carry_out(command),
            Err(fault) => self.text += &format!("Error: {fault}.\n"),
        }
    }

    /// Does a command.
    pub(super) fn carry_out(&mut self, command: TypedCommand) {
        if command.changes_game() {
            self.coach.forget();
        }
        let Some(command) = self.carry_out_shown(command) else { return };
        match command {
            TypedCommand::Play(points) => match points[..] {
                [point] if self.session.asked().is_none() && self.is_checked(point) => {}
                _ => self.play(&points),
            },
            TypedCommand::Yes => match self.coach.warned(self.session.game()) {
                Some(point) => self.play(&[point]),
                None => self.text += "Error: there is nothing to say yes to.\n",
            },
            TypedCommand::Teach(is_on) => {
                self.coach.is_teaching = is_on;
                self.text += match is_on {
                    true => "You are warned before a move that allows a forced win.\n",
                    false => "You are not warned.\n",
                };
            }
            TypedCommand::Win => self.look_for_win(),
            TypedCommand::Back => self.text += "Error: no win is shown.\n",
            TypedCommand::Threats => self.text += &self.voice.threats(self.game()),
            TypedCommand::Undo(count) => self.act(true, |session| session.take_back(count)),
            TypedCommand::Redo(count) => self.act(true, |session| session.redo(count)),
            TypedCommand::Set(point, cell) => {
                self.act(true, |session| session.set_cell(point, cell))
            }
            TypedCommand::Turn(color) => self.act(true, |session| Ok(session.set_to_move(color))),
            TypedCommand::Hint => self.act(false, PlaySession::hint),
            TypedCommand::Go => self.act(false, PlaySession::go),
            TypedCommand::Step => self.act(false, PlaySession::step),
            TypedCommand::Stop => self.stop(),
            TypedCommand::Resign => self.act(false, PlaySession::resign),
            TypedCommand::Draw => self.act(false, PlaySession::offer_draw),
            TypedCommand::Choose(choice) => self.choose(choice),
            TypedCommand::Opening(rule) => match self.session.set_opening(rule) {
                Ok(notices) => self.agreed(&notices),
                refused => self.told(refused, false),
            },
            TypedCommand::Asked => self.asked(),
            TypedCommand::Swap => self.swap(),
            TypedCommand::New => self.new_game(),
            TypedCommand::Rematch => self.rematch(),
            TypedCommand::Review(page) => self.review(page),
            TypedCommand::Rule(rule) => {
                let notices = self.session.set_rule(rule);
                self.agreed(&notices);
            }
            TypedCommand::Size(size) => {
                let notices = self.session.set_size(size);
                self.agreed(&notices);
            }
            TypedCommand::Level(color, level) => {
                self.session.set_level(color, level);
                self.text += &voice::levels(self.session.terms());
            }
            TypedCommand::Save(path) => {
                let done = self.save(&path);
                self.done(done);
            }
            TypedCommand::Load(number, path) => {
                let done = self.load(&path, number);
                self.done(done);
            }
            TypedCommand::Board => self.text += &self.voice.board(self.game()),
            TypedCommand::Moves => self.text += &self.voice.moves(self.game()),
            TypedCommand::Forbidden => self.text += &self.voice.forbidden(self.game()),
            TypedCommand::Clock => self.clock(),
            TypedCommand::Help => self.text += HELP,
            TypedCommand::Wait => {}
            TypedCommand::Quit => self.is_over = true,
        }
    }

    /// Changes sides, or chooses to in an opening.
    fn swap(&mut self) {
        if self.session.asked().is_some() {
            return self.choose(OpeningChoice::Swap);
        }
        let notices = self.session.swap_sides();
        self.head();
        self.tell(&notices);
    }

    fn play(&mut self, points: &[Point]) {
        self.act(false, |session| session.play(points));
    }

    /// Returns whether the coach looks at a move before it is played.
    fn is_checked(&mut self, point: Point) -> bool {
        let game = self.session.game();
        self.session.terms().sides[game.to_move()] == Controller::Person
            && !self.session.is_thinking()
            && self.coach.checks_move(game, point)
    }

    fn look_for_win(&mut self) {
        let fault = match self.session.game().end() {
            Some(_) => Some(PlayFault::Move(PlayError::GameOver)),
            None if self.session.is_thinking() => Some(PlayFault::Thinking),
            None => None,
        };
        match fault {
            Some(fault) => self.text += &self.voice.fault(self.session.game(), fault),
            None => self.coach.look_for_win(self.session.game()),
        }
    }

    fn new_game(&mut self) {
        let notices = self.session.new_game();
        self.begun(&notices);
    }

    /// Begins the next game with sides changed.
    fn rematch(&mut self) {
        // Of an opening it is those who began it that change.
        let mut terms = self.session.first_terms();
        terms.exchange();
        let (size, rule) = self.session.next_game();
        self.begin(terms, size, rule);
    }

    /// Begins another game under other terms.
    pub(super) fn begin(&mut self, terms: PlayTerms, size: Size, rule: Rule) {
        self.coach.forget();
        self.shown = None;
        self.session.agree(terms, size, rule);
        self.new_game();
    }

    /// Acts on the game, and says what has come of it.
    fn act(
        &mut self,
        with_turn: bool,
        action: impl FnOnce(&mut PlaySession<T, C>) -> Result<Vec<PlayNotice>, PlayFault>,
    ) {
        let done = action(&mut self.session);
        self.told(done, with_turn);
    }

    /// Says what has come of an action, and if it is asked for, who is to move then.
    fn told(&mut self, done: Result<Vec<PlayNotice>, PlayFault>, with_turn: bool) {
        match done {
            Ok(notices) => {
                if with_turn && self.session.game().end().is_none() {
                    self.turn();
                }
                self.tell(&notices);
            }
            Err(fault) => self.text += &self.voice.fault(self.session.game(), fault),
        }
    }

    fn tell(&mut self, notices: &[PlayNotice]) {
        for notice in notices {
            let (game, opening) = (self.session.game(), self.session.opening());
            let cast = Cast::of(&self.session);
            let said = self.voice.of_opening(game, cast, opening, notice);
            self.text += &said.unwrap_or_else(|| self.voice.notice(game, cast, notice));
        }
    }

    /// Says who is to move. In an opening, who is asked what is told by a notice.
    fn turn(&mut self) {
        if self.session.asked().is_none() {
            self.text += &self.voice.turn(self.session.game());
        }
    }

    fn choose(&mut self, choice: OpeningChoice) {
        self.act(false, |session| session.choose(&[choice]));
    }

    /// Says what is asked in the opening.
    fn asked(&mut self) {
        self.text += &match (self.session.opening(), self.session.asked()) {
            (Some(opening), Some(asked)) => {
                self.voice.question(self.session.game(), opening, &asked)
            }
            (Some(_), None) => "The opening is finished.\n".to_owned(),
            (None, _) => "The game has no opening.\n".to_owned(),
        };
    }

    fn done(&mut self, done: anyhow::Result<()>) {
        if let Err(error) = done {
            self.text += &format!("Error: {error:#}.\n");
        }
    }

    fn head(&mut self) {
        let cast = Cast::of(&self.session);
        self.text += &self.voice.heading(self.session.game(), cast);
        if let Some(opening) = self.session.opening() {
            self.text += &self.voice.opening_heading(cast, opening);
        }
    }

    /// Tells of a game that was begun.
    fn begun(&mut self, notices: &[PlayNotice]) {
        self.session.set_date(&Record::date_now());
        self.head();
        self.told(Ok(notices.to_vec()), true);
    }

    /// Tells of rule and size: of this game if nothing has happened in it, and else of the next.
    fn agreed(&mut self, notices: &[PlayNotice]) {
        if self.session.is_untouched() {
            self.begun(notices);
        } else {
            let (size, rule) = self.session.next_game();
            let opening = self.session.next_opening();
            let opening = opening.map_or_else(String::new, |o| format!(", opening {}", o.title()));
            self.text += &format!("The next game: {rule} {size}{opening}. new begins it.\n");
        }
    }

    fn stop(&mut self) {
        if self.coach.forget() {
            self.text += "Stopped.\n";
            return;
        }
        match self.session.stop() {
            Ok(notices) if notices.is_empty() => self.text += "Stopped.\n",
            done => self.told(done, false),
        }
    }

    fn clock(&mut self) {
        let mover = self.session.mover();
        for color in Color::ALL {
            let used = if color == mover { self.session.turn_time() } else { Default::default() };
            self.text += &voice::clock(color, &self.session.side_clock(color), used);
        }
    }
}

/// Returns whether a line is this word.
fn is(line: &str, word: &str) -> bool {
    line.trim().eq_ignore_ascii_case(word)
}
