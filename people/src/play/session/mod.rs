//! A game with its players, its clocks and the engine.

mod asking;
mod keeping;
mod opening;
mod programs;
mod reached;
mod timing;

pub use reached::ReachedPosition;

use super::saved::MOST_GAMES;
use super::thinking::{EngineWork, ThinkingTask};
use super::turn::TurnWatch;
use super::{
    CasualGame, Controller, EndOfGame, PlayFault, PlayNotice, PlayProgram, PlayTerms,
    PlayedOpening, ProgramName, SavedGame,
};
use tengen_core::rules::{OpeningChoice, OpeningRule, PlayError, Rule};
use tengen_core::sys::clock::Clock;
use tengen_core::types::{Cell, Color, Point, Size};
use tengen_engine::engine::{JobSlot, Level, Thinker};
use tengen_files::records::{GameResult, Move, Reason};

/// A game that is being played, as a state machine.
///
/// Actions return what has happened at once; the rest comes from [`PlaySession::event`] and
/// [`PlaySession::tick`], which is to be called when [`PlaySession::deadline`] is over. After each
/// call, [`PlaySession::unsaved`] is what has to be saved, if anything has.
#[derive(Debug)]
pub struct PlaySession<T, C> {
    thinker: T,
    clock: C,
    terms: PlayTerms,
    game: CasualGame,
    /// The names of the programs that can play, and the programs.
    program_names: Vec<ProgramName>,
    programs: Vec<Box<dyn PlayProgram>>,
    /// The opening that is being played or was, if the game has one.
    opening: Option<PlayedOpening>,
    /// The size and the rule of the next game.
    next: (Size, Rule),
    /// The opening of the next game.
    next_opening: Option<OpeningRule>,
    /// The number of games that were begun.
    games: u64,
    /// The number of changes that were no moves.
    roots: u64,
    /// The number of first moves whose times do not count, of those that were taken back too.
    timed_from: usize,
    /// The time of the turn.
    turn: TurnWatch,
    work: JobSlot<EngineWork>,
    last_id: u64,
    /// True if the engine waits in its turn.
    is_waiting: bool,
    /// The person who has offered a draw to the other person.
    offer: Option<Color>,
    is_saved: bool,
    /// The number of the game that was saved last, or 0.
    saved_games: u64,
}

/// The result of an action: what has happened, or why nothing has.
type PlayResult = Result<Vec<PlayNotice>, PlayFault>;

impl<T: Thinker, C: Clock> PlaySession<T, C> {
    /// Begins a session with a game; [`PlaySession::start`] lets the engine move if it is its turn.
    /// Clocks begin with the next move, whatever the times of the earlier ones. A game whose comment
    /// tells of its opening, as the one of [`PlaySession::record`] does, goes on with it.
    #[must_use]
    pub fn new(thinker: T, clock: C, terms: PlayTerms, game: CasualGame) -> PlaySession<T, C> {
        let turn = TurnWatch::new(clock.now());
        let mut session = PlaySession {
            thinker,
            clock,
            terms,
            program_names: Vec::new(),
            programs: Vec::new(),
            opening: None,
            next: (game.size(), game.rule()),
            next_opening: None,
            games: 1,
            roots: 0,
            timed_from: game.moves().len(),
            game,
            turn,
            work: JobSlot::Idle,
            last_id: 0,
            is_waiting: false,
            offer: None,
            is_saved: true,
            saved_games: 0,
        };
        session.recall_opening();
        session
    }

    /// Goes on with a game that was saved; the programs of its players come from
    /// [`PlaySession::with_programs`].
    #[must_use]
    pub fn resume(thinker: T, clock: C, saved: SavedGame) -> PlaySession<T, C> {
        let SavedGame { terms, programs, opening, game, timed_from, is_waiting, number } = saved;
        let session = PlaySession::new(thinker, clock, terms, game);
        PlaySession {
            next_opening: opening.as_ref().map(|opening| opening.course().rule()),
            opening,
            program_names: programs,
            timed_from,
            is_waiting,
            games: number,
            saved_games: number,
            ..session
        }
    }

    /// Lets the clock run from now on, and the engine move if it is its turn.
    pub fn start(&mut self) -> Vec<PlayNotice> {
        self.turn.run(self.clock.now());
        let is_saved = self.is_saved;
        let notices = self.proceed(Vec::new());
        self.is_saved = is_saved;
        notices
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(&self) -> &CasualGame {
        &self.game
    }

    /// Returns the position of the game.
    #[must_use]
    pub fn reached(&self) -> ReachedPosition {
        let moves = self.game.moves().iter().filter_map(Move::point).collect();
        ReachedPosition { root: self.roots, moves }
    }

    /// Returns who plays which side, and how long.
    #[must_use]
    pub const fn terms(&self) -> &PlayTerms {
        &self.terms
    }

    /// Returns the size and the rule of the next game.
    #[must_use]
    pub const fn next_game(&self) -> (Size, Rule) {
        self.next
    }

    /// Returns whether the engine is at work on something that is wanted, or about to be.
    #[must_use]
    pub const fn is_thinking(&self) -> bool {
        self.work.work().is_some()
    }

    /// Returns whether the engine will send an event.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        !self.work.is_idle()
    }

    /// Plays moves of the side to move and of the other in turn, whoever plays them: all or none. A
    /// hint or an answer that the engine is looking for is not wanted any more then. In an opening
    /// the cells are choices of the player who is asked.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine is about to move, or if one of the moves cannot be played.
    pub fn play(&mut self, points: &[Point]) -> PlayResult {
        if self.asked().is_some() {
            let cells: Vec<OpeningChoice> =
                points.iter().map(|&p| OpeningChoice::Cell(p)).collect();
            return self.choose(&cells);
        }
        let late = self.tick();
        if !late.is_empty() {
            return Ok(late);
        }
        if self.is_moving() {
            return Err(PlayFault::Thinking);
        }
        let mut game = self.game.clone();
        let mut notices = Vec::new();
        // Moves that are typed together take no time but that of the first.
        let mut time = Some(self.charged(Controller::Person));
        for &point in points {
            let color = game.to_move();
            let used = Some(time.take().unwrap_or(0));
            game.play(Move::new(point, color).with_time(used))?;
            let (number, by) = (game.moves().len(), Controller::Person);
            notices.push(PlayNotice::Played { number, point, color, by });
        }
        self.interrupt();
        self.timed_from = self.timed_from.min(self.game.moves().len());
        self.game = game;
        self.begin_turn();
        self.is_waiting = false;
        Ok(self.proceed(notices))
    }

    /// Takes back moves: this number, or as many as it takes until a person moves again. An engine
    /// whose turn it is then waits. Before the first move are the choices of the opening.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer.
    pub fn take_back(&mut self, count: Option<usize>) -> PlayResult {
        if let Some(acted) = self.take_back_in_opening(count) {
            return acted;
        }
        let count = count.unwrap_or_else(|| {
            let moves = self.game.moves();
            let own = |m: &Move| self.terms.sides[m.color] == Controller::Person;
            moves[self.game.opening()..].iter().rev().position(own).map_or(1, |i| i + 1)
        });
        self.game.take_back(count)?;
        Ok(self.stand())
    }

    /// Plays moves again that were taken back: this number, or as many as it takes until a person
    /// moves again. An engine whose turn it is then waits.
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer.
    pub fn redo(&mut self, count: Option<usize>) -> PlayResult {
        if let Some(acted) = self.redo_in_opening(count) {
            return acted;
        }
        let count = count.unwrap_or_else(|| {
            let undone = self.game.undone();
            let own = |m: &Move| self.terms.sides[!m.color] == Controller::Person;
            undone.iter().rev().position(own).map_or(undone.len().max(1), |i| i + 1)
        });
        self.game.redo(count)?;
        Ok(self.stand())
    }

    /// Gives a cell another content; see [`CasualGame::set_cell`]. An engine whose turn it is then
    /// waits.
    ///
    /// # Errors
    ///
    /// Returns an error if the cell is off the board.
    pub fn set_cell(&mut self, point: Point, cell: Cell) -> PlayResult {
        self.game.set_cell(point, cell)?;
        self.roots += 1;
        self.opening = None;
        self.timed_from = self.game.moves().len();
        Ok(self.stand())
    }

    /// Gives the move to a side; see [`CasualGame::set_to_move`]. An engine whose turn it is then
    /// waits.
    pub fn set_to_move(&mut self, color: Color) -> Vec<PlayNotice> {
        self.game.set_to_move(color);
        self.roots += 1;
        self.opening = None;
        self.timed_from = self.game.moves().len();
        self.stand()
    }

    /// Lets each player have the other side.
    pub fn swap_sides(&mut self) -> Vec<PlayNotice> {
        self.terms.exchange();
        if let Some(opening) = &mut self.opening {
            opening.exchange();
        }
        self.interrupt();
        self.begin_turn();
        self.is_waiting = false;
        self.proceed(Vec::new())
    }

    /// Ends the game: the person resigns; of two persons the one whose turn it is.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, or if no person plays.
    pub fn resign(&mut self) -> PlayResult {
        let loser = self.person()?;
        self.interrupt();
        self.game.finish(GameResult::Win(!loser), Reason::Resignation);
        Ok(self.proceed(Vec::new()))
    }

    /// Offers a draw, or accepts the one that the other person has offered. Of two persons, the one
    /// whose turn it is offers. The engine answers after a search; see
    /// [`accepts_draw`](super::accepts_draw).
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, if no person plays, or if the engine is thinking.
    pub fn offer_draw(&mut self) -> PlayResult {
        let person = self.person()?;
        if self.terms.sides[!person].program().is_some() {
            return Err(PlayFault::NoDraw);
        }
        if self.terms.sides[!person] == Controller::Engine {
            if self.is_thinking() {
                return Err(PlayFault::Thinking);
            }
            self.begin(ThinkingTask::Draw(!person));
            return Ok(Vec::new());
        }
        if self.offer.take().is_some() {
            return Ok(self.agree_to_draw());
        }
        self.offer = Some(person);
        Ok(vec![PlayNotice::DrawOffered(person)])
    }

    /// Lets the engine play the next move, whoever plays the side, and end its waiting.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over or the engine is thinking.
    pub fn go(&mut self) -> PlayResult {
        self.check_free()?;
        self.is_waiting = false;
        Ok(self.begin_turn_of_engine())
    }

    /// Lets the engine play the next move, whoever plays the side, and wait after it.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over or the engine is thinking.
    pub fn step(&mut self) -> PlayResult {
        self.check_free()?;
        self.is_waiting = true;
        Ok(self.begin_turn_of_engine())
    }

    /// Asks the engine what it would play.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over or the engine is thinking.
    pub fn hint(&mut self) -> PlayResult {
        self.check_free()?;
        if self.asked().is_some() {
            return Ok(self.begin_advice());
        }
        self.begin(ThinkingTask::Hint);
        Ok(Vec::new())
    }

    /// Decides how strong the engine plays a side, or both, from its next move on.
    pub fn set_level(&mut self, color: Option<Color>, level: Level) {
        for side in Color::ALL.into_iter().filter(|side| color.is_none_or(|c| c == *side)) {
            self.terms.skills[side].level = level;
        }
        self.is_saved = false;
    }

    /// Decides the size of the next game. If nothing has happened in this one yet, it begins anew.
    pub fn set_size(&mut self, size: Size) -> Vec<PlayNotice> {
        self.next.0 = size;
        if self.is_untouched() { self.new_game() } else { Vec::new() }
    }

    /// Decides the rule of the next game. If nothing has happened in this one yet, it begins anew.
    pub fn set_rule(&mut self, rule: Rule) -> Vec<PlayNotice> {
        self.next.1 = rule;
        if self.is_untouched() { self.new_game() } else { Vec::new() }
    }

    /// Decides who plays, how long, and the size and the rule of the game that
    /// [`PlaySession::new_game`] begins; to be called just before it.
    pub fn agree(&mut self, terms: PlayTerms, size: Size, rule: Rule) {
        self.terms = terms;
        self.next = (size, rule);
        // Its players would begin the next one.
        self.opening = None;
    }

    /// Begins another game, with the same players and clocks.
    pub fn new_game(&mut self) -> Vec<PlayNotice> {
        let (size, rule) = self.next;
        if self.next_opening.is_some() {
            // Whoever began an opening begins the next one.
            self.terms = self.first_terms();
        }
        self.replace(CasualGame::new(size, rule));
        self.is_waiting = false;
        self.thinker.new_game();
        self.programs.iter_mut().for_each(|program| program.new_game());
        let notices = self.open();
        self.proceed(notices)
    }

    /// Puts another game in the place of this one. An engine whose turn it is waits.
    pub fn load(&mut self, game: CasualGame) -> Vec<PlayNotice> {
        self.replace(game);
        self.next = (self.game.size(), self.game.rule());
        self.next_opening = None;
        self.recall_opening();
        self.stand()
    }

    fn agree_to_draw(&mut self) -> Vec<PlayNotice> {
        self.interrupt();
        let agreed = Reason::Other("agreement".to_owned());
        self.game.finish(GameResult::Draw, agreed);
        self.proceed(Vec::new())
    }

    /// Returns the side of the person who may end the game.
    fn person(&self) -> Result<Color, PlayFault> {
        self.check_ongoing()?;
        let mover = self.mover();
        let is_person = |color: &Color| self.terms.sides[*color] == Controller::Person;
        [mover, !mover].into_iter().find(is_person).ok_or(PlayFault::NoPerson)
    }

    fn check_ongoing(&self) -> Result<(), PlayFault> {
        match self.game.end() {
            Some(_) => Err(PlayFault::Move(PlayError::GameOver)),
            None => Ok(()),
        }
    }

    fn check_free(&self) -> Result<(), PlayFault> {
        self.check_ongoing()?;
        if self.is_thinking() { Err(PlayFault::Thinking) } else { Ok(()) }
    }

    /// Puts another game in the place of this one.
    fn replace(&mut self, game: CasualGame) {
        self.interrupt();
        self.game = game;
        self.opening = None;
        self.games = MOST_GAMES.min(self.games + 1);
        self.roots += 1;
        self.timed_from = self.game.moves().len();
        self.begin_turn();
    }

    /// Begins a turn in a position that no move led to: the engine waits.
    fn stand(&mut self) -> Vec<PlayNotice> {
        self.interrupt();
        self.is_waiting = true;
        self.begin_turn();
        self.proceed(Vec::new())
    }

    /// Returns whether the engine is looking for a move, or about to.
    fn is_moving(&self) -> bool {
        let is_move = |task| matches!(task, ThinkingTask::Move | ThinkingTask::Choice);
        self.work.work().is_some_and(|work| is_move(work.task))
    }

    /// Lets the engine begin whatever it has to do after a change, and adds what has come of it.
    fn proceed(&mut self, mut notices: Vec<PlayNotice>) -> Vec<PlayNotice> {
        self.is_saved = false;
        if let Some(end) = self.game.end() {
            notices.push(PlayNotice::Over(EndOfGame::clone(end)));
        } else if let Some(asked) = self.asked() {
            match asked.player {
                Controller::Person => notices.push(PlayNotice::Asked(asked)),
                _ if self.is_waiting => notices.push(PlayNotice::EngineWaits),
                _ => notices.extend(self.begin_choice()),
            }
        } else if self.terms.sides[self.game.to_move()] != Controller::Person {
            if self.is_waiting {
                notices.push(PlayNotice::EngineWaits);
            } else {
                self.begin_move();
            }
        }
        notices
    }
}
