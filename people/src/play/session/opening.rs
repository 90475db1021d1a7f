//! The opening of a session: choices of people and of the engine.

use std::time::Duration;

use super::{PlayResult, PlaySession};
use crate::play::opening_job::{choices_of, opening_job};
use crate::play::thinking::ThinkingTask;
use crate::play::{
    AskedInOpening, CasualGame, Controller, PlayFault, PlayNotice, PlayTerms, PlayedOpening,
};
use tengen_core::rules::{OpeningChoice, OpeningFault, OpeningRule};
use tengen_core::sys::clock::Clock;
use tengen_core::types::Color;
use tengen_engine::engine::{Answer, Scope, Setup, Task, Thinker};
use tengen_files::records::{GameResult, Move, Reason, Record};

impl<T: Thinker, C: Clock> PlaySession<T, C> {
    /// Returns a session that begins its game with an opening, as do the games after it.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is too small.
    pub fn with_opening(mut self, rule: OpeningRule) -> Result<PlaySession<T, C>, OpeningFault> {
        rule.check_size(self.game.size())?;
        self.next_opening = Some(rule);
        let _ = self.open();
        Ok(self)
    }

    /// Goes on with the opening that the comment on the game tells of, if it does and if the stones
    /// are those of the game; the line is then taken out of the comment.
    pub(super) fn recall_opening(&mut self) {
        let (size, sides) = (self.game.size(), self.terms.sides);
        let mut record = self.game.record();
        let mut recalled = None;
        let is_other = |line: &&str| match PlayedOpening::from_remark(line, size, sides) {
            Some(opening) if recalled.is_none() => {
                recalled = Some(opening);
                false
            }
            _ => true,
        };
        record.comment = record.comment.lines().filter(is_other).collect::<Vec<_>>().join("\n");
        let Some(opening) = recalled else { return };
        let stones = opening.course().stones();
        record.opening = stones.len();
        let fits = record.alternates()
            && self.game.walls().is_empty()
            && record.points().take(stones.len()).eq(stones.iter().copied())
            && (opening.question().is_none() || record.moves.len() == stones.len());
        if fits && let Ok(game) = CasualGame::from_record(record, &[], self.game.rule()) {
            self.game = game;
            self.next_opening = Some(opening.course().rule());
            self.opening = Some(opening);
        }
    }

    /// Returns the opening that is being played or was, if the game has one.
    #[must_use]
    pub const fn opening(&self) -> Option<&PlayedOpening> {
        self.opening.as_ref()
    }

    /// Returns the opening of the next game.
    #[must_use]
    pub const fn next_opening(&self) -> Option<OpeningRule> {
        self.next_opening
    }

    /// Returns what is asked of whom in the opening; nothing if none is being played.
    #[must_use]
    pub fn asked(&self) -> Option<AskedInOpening> {
        if self.game.end().is_some() {
            return None;
        }
        self.opening.as_ref().and_then(PlayedOpening::question)
    }

    /// Returns whether nothing has happened yet.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.game.is_untouched() && self.opening.as_ref().is_none_or(PlayedOpening::is_untouched)
    }

    /// Decides the opening of the next game, or that it has none. If nothing has happened in this
    /// game yet, it begins anew.
    ///
    /// # Errors
    ///
    /// Returns an error if the board of the next game is too small.
    pub fn set_opening(&mut self, rule: Option<OpeningRule>) -> PlayResult {
        if let Some(rule) = rule {
            rule.check_size(self.next.0).map_err(PlayFault::Opening)?;
        }
        self.next_opening = rule;
        Ok(if self.is_untouched() { self.new_game() } else { Vec::new() })
    }

    /// Makes choices of the player who is asked, one after the other, whoever that is: all or none.
    ///
    /// # Errors
    ///
    /// Returns an error if no opening is being played, if the engine is about to choose, or if one
    /// of the choices is not allowed.
    pub fn choose(&mut self, choices: &[OpeningChoice]) -> PlayResult {
        let late = self.tick();
        if !late.is_empty() {
            return Ok(late);
        }
        if self.is_moving() {
            return Err(PlayFault::Thinking);
        }
        self.make(choices, Controller::Person)
    }

    /// Makes choices, whoever is asked.
    pub(super) fn make(&mut self, choices: &[OpeningChoice], by: Controller) -> PlayResult {
        self.check_ongoing()?;
        let Some(mut opening) = self.opening.clone() else { return Err(PlayFault::NoOpening) };
        let first = opening.first();
        let mut notices = Vec::new();
        // Choices that are made together take no time but that of the first.
        let mut time = Some(self.charged(by));
        for &choice in choices {
            let asked = opening.question().ok_or(PlayFault::NoOpening)?;
            opening.choose(choice, time.take().unwrap_or(0)).map_err(PlayFault::Opening)?;
            let AskedInOpening { seat, color, question, .. } = asked;
            notices.push(PlayNotice::Chosen { seat, color, question, choice, by });
        }
        self.interrupt();
        if opening.question().is_none() {
            notices.push(PlayNotice::Opened(opening.sides()));
        }
        self.opening = Some(opening);
        self.set_out(first, Vec::new());
        self.timed_from = self.game.moves().len();
        self.begin_turn();
        if by == Controller::Person {
            self.is_waiting = false;
        }
        Ok(self.proceed(notices))
    }

    /// Returns the terms with the first player of the opening on black's side, as at its beginning.
    #[must_use]
    pub fn first_terms(&self) -> PlayTerms {
        let mut terms = self.terms;
        if self.opening.as_ref().is_some_and(|opening| opening.first() == Color::White) {
            terms.exchange();
        }
        terms
    }

    /// Begins the opening that is agreed on; the first player is the one who has black.
    pub(super) fn open(&mut self) -> Vec<PlayNotice> {
        let Some(rule) = self.next_opening else { return Vec::new() };
        match PlayedOpening::new(rule, self.game.size(), self.terms.sides) {
            Ok(opening) => {
                self.opening = Some(opening);
                self.set_out(Color::Black, Vec::new());
                Vec::new()
            }
            Err(fault) => {
                self.next_opening = None;
                vec![PlayNotice::NotOpened(fault)]
            }
        }
    }

    /// Puts the stones of the opening on the board, and the players with their levels on the sides that
    /// they have now; `first` is the side that the first player had before. `undone` are the moves after the
    /// stones that can be played again, the next one last.
    fn set_out(&mut self, first: Color, undone: Vec<Move>) {
        let Some(opening) = &self.opening else { return };
        if opening.first() != first {
            self.terms.exchange();
        }
        let stones = Record::of_points(self.game.size(), opening.course().stones());
        let opened = stones.moves.len();
        let record = Record {
            moves: stones.moves,
            opening: opened,
            result: None,
            reason: None,
            ..self.game.record()
        };
        debug_assert_eq!(self.terms.sides, opening.sides());
        self.timed_from = self.timed_from.max(opened);
        // The stones of an opening are on cells of the board, each on its own.
        if let Ok(mut game) = CasualGame::from_record(record, &[], self.game.rule()) {
            game.restore(Color::to_move_after(opened), undone);
            self.game = game;
        }
    }

    /// Lets the engine begin with the turn, whoever has it.
    pub(super) fn begin_turn_of_engine(&mut self) -> Vec<PlayNotice> {
        if self.asked().is_some() {
            return self.begin_choice();
        }
        self.begin_move();
        Vec::new()
    }

    /// Lets the engine choose in the opening. Where there is no choice, it does at once.
    pub(super) fn begin_choice(&mut self) -> Vec<PlayNotice> {
        if self.terms.sides[self.mover()] != Controller::Person {
            self.turn.begin(self.clock.now());
        }
        if self.job_of_opening().is_some() {
            self.begin(ThinkingTask::Choice);
            return Vec::new();
        }
        self.engine_chooses(&Answer::NoMove)
    }

    /// Lets the engine look for what it would choose in the opening.
    pub(super) fn begin_advice(&mut self) -> Vec<PlayNotice> {
        if self.job_of_opening().is_some() {
            self.begin(ThinkingTask::Advice);
            return Vec::new();
        }
        self.advice_of(&Answer::NoMove)
    }

    /// Returns the job of choosing in the opening, if there is a choice.
    pub(super) fn job_of_opening(&self) -> Option<(Setup, Task, Scope)> {
        let opening = self.opening.as_ref()?;
        opening_job(opening.course(), self.game.rule())
    }

    /// Makes the choices that an answer of the engine amounts to.
    pub(super) fn engine_chooses(&mut self, answer: &Answer) -> Vec<PlayNotice> {
        if self.is_late(ThinkingTask::Choice) {
            let loser = self.mover();
            self.game.finish(GameResult::Win(!loser), Reason::Time);
            return self.proceed(Vec::new());
        }
        let choices = self.choices_of(answer);
        match self.make(&choices, Controller::Engine) {
            Ok(notices) if !choices.is_empty() => notices,
            _ => {
                self.is_waiting = true;
                self.is_saved = false;
                vec![PlayNotice::NoMove]
            }
        }
    }

    /// Tells the choices that an answer of the engine amounts to.
    pub(super) fn advice_of(&self, answer: &Answer) -> Vec<PlayNotice> {
        vec![PlayNotice::Advice(self.choices_of(answer))]
    }

    fn choices_of(&self, answer: &Answer) -> Vec<OpeningChoice> {
        self.opening.as_ref().map_or_else(Vec::new, |opening| choices_of(opening.course(), answer))
    }

    /// Takes choices of the opening back, and all moves before them; nothing is done, and nothing
    /// returned, if moves after the opening are enough.
    pub(super) fn take_back_in_opening(&mut self, count: Option<usize>) -> Option<PlayResult> {
        let opening = self.opening.as_ref()?;
        let first = opening.first();
        let moves = &self.game.moves()[self.game.opening()..];
        let is_over = opening.question().is_none();
        let own = |m: &Move| self.terms.sides[m.color] == Controller::Person;
        let has_person = opening.sides().0.contains(&Controller::Person);
        let is_enough = match count {
            Some(count) => count <= moves.len(),
            None => !has_person || moves.iter().any(own),
        };
        if is_over && is_enough && !moves.is_empty() {
            return None;
        }
        let (moves, choices) = (moves.len(), opening.course().choices().len());
        if count.is_some_and(|count| count > moves + choices) || moves + choices == 0 {
            return Some(Err(PlayFault::TakeBack(moves + choices)));
        }
        if moves > 0 && self.game.take_back(moves).is_err() {
            return None;
        }
        let undone = self.game.undone().to_vec();
        let opening = self.opening.as_mut()?;
        if is_over {
            opening.keep_later(&undone);
        }
        // The game has not begun any more if it had an end.
        let mut left = count.map(|count| count - moves);
        while left != Some(0) {
            let Some(by) = opening.take_back() else { break };
            match &mut left {
                Some(left) => *left -= 1,
                None if by == Controller::Person || !has_person => break,
                None => {}
            }
        }
        self.set_out(first, Vec::new());
        Some(Ok(self.stand()))
    }

    /// Makes choices of the opening again that were taken back, and moves after them; nothing is
    /// done, and nothing returned, if the opening is finished.
    pub(super) fn redo_in_opening(&mut self, count: Option<usize>) -> Option<PlayResult> {
        let opening = self.opening.as_mut().filter(|opening| opening.question().is_some())?;
        let (first, most) = (opening.first(), opening.undone() + opening.later().len());
        if self.game.end().is_some() || most == 0 || count.is_some_and(|count| count > most) {
            return Some(Err(PlayFault::Redo(most)));
        }
        let mut done = 0;
        while count != Some(done) && opening.redo().is_some() {
            done += 1;
            let next = opening.question().map(|asked| asked.player);
            if count.is_none() && next == Some(Controller::Person) {
                break;
            }
        }
        let later =
            if opening.question().is_none() { opening.later().to_vec() } else { Vec::new() };
        self.set_out(first, later);
        let left = count.map(|count| count - done);
        let is_person = self.terms.sides[self.game.to_move()] == Controller::Person;
        let goes_on = self.asked().is_none() && left.map_or(!is_person, |left| left > 0);
        if goes_on && !self.game.undone().is_empty() {
            return Some(self.redo(left));
        }
        Some(Ok(self.stand()))
    }

    /// Ends the game: this side resigns, whoever's turn it is.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over.
    pub fn resign_side(&mut self, loser: Color) -> PlayResult {
        self.check_ongoing()?;
        self.interrupt();
        self.game.finish(GameResult::Win(!loser), Reason::Resignation);
        Ok(self.proceed(Vec::new()))
    }

    /// Ends the game with the draw that both sides have agreed on.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over.
    pub fn end_in_draw(&mut self) -> PlayResult {
        self.check_ongoing()?;
        Ok(self.agree_to_draw())
    }

    /// Returns the side whose turn it is: in an opening that of the player who is asked.
    #[must_use]
    pub fn mover(&self) -> Color {
        self.asked().map_or_else(|| self.game.to_move(), |asked| asked.color)
    }

    /// Returns the time that the player who is asked has used in this turn for earlier choices.
    pub(super) fn earlier_in_turn(&self) -> Duration {
        let time = self.opening.as_ref().map_or(0, PlayedOpening::time_of_turn);
        Duration::from_millis(time)
    }

    /// Returns the times of the turns in the opening of the player who has this side now, in
    /// milliseconds.
    pub(super) fn turns_of_opening(&self, color: Color) -> Vec<u64> {
        let turns = |opening: &PlayedOpening| opening.turns(opening.course().seat(color));
        self.opening.as_ref().map_or_else(Vec::new, turns)
    }
}
