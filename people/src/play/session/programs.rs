//! Programs that play a side: what they are asked, and what becomes of their answers.

use std::time::Duration;

use super::{PlayResult, PlaySession};
use crate::play::opening_job::program_choices;
use crate::play::thinking::ThinkingTask;
use crate::play::{
    Controller, PlayFault, PlayNotice, ProgramAsk, ProgramEvent, ProgramName, ProgramNews,
    ProgramQuestion, SeatedProgram,
};
use tengen_core::rules::OpeningRule;
use tengen_core::search::time::TimeControl;
use tengen_core::sys::clock::Clock;
use tengen_core::types::{Color, Point};
use tengen_engine::engine::{Answer, JobEnd, Thinker};
use tengen_files::records::{GameResult, Move, MoverSearch, Reason};

impl<T: Thinker, C: Clock> PlaySession<T, C> {
    /// Returns the session with these programs, which sides can have by their numbers from 0 on.
    #[must_use]
    pub fn with_programs(mut self, programs: Vec<SeatedProgram>) -> PlaySession<T, C> {
        let seated = programs.into_iter().map(|SeatedProgram { name, program }| (name, program));
        let (names, programs) = seated.unzip();
        self.is_saved &= self.program_names.is_empty() || self.program_names == names;
        (self.program_names, self.programs) = (names, programs);
        self
    }

    /// Returns the names of the programs.
    #[must_use]
    pub fn programs(&self) -> &[ProgramName] {
        &self.program_names
    }

    /// Ends the programs, and waits for that; the session is over.
    pub fn dismiss_programs(&mut self) {
        self.programs.clear();
    }

    /// Gives a side to a player, in an opening too.
    pub fn seat(&mut self, color: Color, player: Controller) {
        self.is_saved &= self.terms.sides[color] == player;
        self.terms.sides[color] = player;
        if let Some(opening) = &mut self.opening {
            opening.seat(color, player);
        }
    }

    /// Takes an event of a program.
    pub fn program_event(&mut self, event: ProgramEvent) -> Vec<PlayNotice> {
        if event.news == ProgramNews::Begun {
            if let Some(work) = self.work.worked_at(event.id) {
                work.is_begun = true;
                self.turn.begin(self.clock.now());
            }
            return Vec::new();
        }
        match self.work.finish(event.id) {
            Some(JobEnd::Answered(work)) => match work.by {
                Some(program) => self.program_answered(program, work.task, event.news),
                None => Vec::new(),
            },
            Some(JobEnd::Late(Some(next))) => {
                self.begin(next.task);
                Vec::new()
            }
            Some(JobEnd::Late(None)) | None => Vec::new(),
        }
    }

    /// Returns the program that is being asked.
    #[must_use]
    pub fn asked_program(&self) -> Option<&ProgramName> {
        self.work.work().and_then(|work| self.program_names.get(work.by?))
    }

    /// Returns the program that is to do a task, by its number; nothing if the engine is.
    pub(super) fn program_for(&self, task: ThinkingTask) -> Option<usize> {
        let is_own = matches!(task, ThinkingTask::Move | ThinkingTask::Choice);
        let program = self.terms.sides[self.mover()].program().filter(|_| is_own)?;
        (program < self.programs.len()).then_some(program)
    }

    /// Asks a program for its move or choice.
    pub(super) fn ask_program(&mut self, program: usize, id: u64, task: ThinkingTask) {
        let rule = self.opening.as_ref().map(|opening| opening.course().rule());
        let of_opening = if task == ThinkingTask::Choice { self.job_of_opening() } else { None };
        let (setup, ask) = match of_opening {
            None => (self.game.setup(), ProgramAsk::Move),
            Some((setup, ..)) if rule == Some(OpeningRule::Swap2) => (setup, ProgramAsk::Swap2),
            Some((setup, ..)) => (setup, ProgramAsk::OtherOpening),
        };
        let clock = self.side_clock(self.mover());
        let time = if self.terms.clock.is_limited() {
            clock.for_search()
        } else {
            TimeControl::of_turn(self.terms.thinking.time)
        };
        let (control, limit) = (self.terms.clock, clock.limit());
        let limit = limit.map(|limit| limit.saturating_sub(self.earlier_in_turn()));
        let question = ProgramQuestion { id, setup, ask, control, time, limit };
        self.programs[program].ask(question);
    }

    /// Stops whoever is at work.
    pub(super) fn halt(&mut self, by: Option<usize>) {
        match by.and_then(|program| self.programs.get_mut(program)) {
            Some(program) => program.stop(),
            None => self.thinker.stop(),
        }
    }

    /// Returns the delay beyond its limit with which the player who is to move is not late.
    pub(super) fn margin(&self) -> Duration {
        let program = self.terms.sides[self.mover()].program();
        let program = program.and_then(|program| self.programs.get(program));
        program.map_or(Duration::ZERO, |program| program.margin())
    }

    /// Takes what a program says at the end of a question.
    fn program_answered(
        &mut self,
        program: usize,
        task: ThinkingTask,
        news: ProgramNews,
    ) -> Vec<PlayNotice> {
        let by = u8::try_from(program).map_or(Controller::Engine, Controller::Program);
        let (answer, search, remark) = match news {
            ProgramNews::Answered(answer, search, remark) => (answer, search, remark),
            ProgramNews::Failed(why) => {
                return self.program_waits(program, PlayNotice::ProgramFailed(by, why));
            }
            ProgramNews::Begun => return Vec::new(),
        };
        if self.is_late(task) {
            let loser = self.mover();
            self.game.finish(GameResult::Win(!loser), Reason::Time);
            return self.proceed(Vec::new());
        }
        let mut notices: Vec<PlayNotice> =
            remark.map(|remark| PlayNotice::ProgramRemark(by, remark)).into_iter().collect();
        notices.extend(match (task, &answer) {
            (ThinkingTask::Choice, answer) => self.program_chooses(program, by, answer),
            (_, Answer::Moves(points)) if points.len() == 1 => {
                self.program_moves(program, by, points[0], search)
            }
            _ => {
                let why = "gave an answer that is no move".to_owned();
                self.program_waits(program, PlayNotice::ProgramFailed(by, why))
            }
        });
        notices
    }

    /// Plays the move of a program.
    fn program_moves(
        &mut self,
        program: usize,
        by: Controller,
        point: Point,
        search: MoverSearch,
    ) -> Vec<PlayNotice> {
        let color = self.game.to_move();
        // What the margin gives to an answer is not taken from the clock.
        let limit = self.side_clock(color).limit().and_then(|limit| {
            u64::try_from(limit.as_millis()).ok().map(|limit| limit.saturating_sub(1))
        });
        let used = limit.map_or(self.used(), |limit| self.used().min(limit));
        let search = MoverSearch { time: Some(used), ..search };
        if let Err(fault) = self.game.play(Move::new(point, color).with_search(search)) {
            return self.program_waits(program, PlayNotice::Unplayable(by, point, fault));
        }
        let number = self.game.moves().len();
        self.timed_from = self.timed_from.min(number - 1);
        self.begin_turn();
        self.proceed(vec![PlayNotice::Played { number, point, color, by }])
    }

    /// Makes the choices of a program in an opening.
    fn program_chooses(
        &mut self,
        program: usize,
        by: Controller,
        answer: &Answer,
    ) -> Vec<PlayNotice> {
        let choices = self
            .opening
            .as_ref()
            .map_or_else(Vec::new, |opening| program_choices(opening.course(), answer));
        let made: PlayResult =
            if choices.is_empty() { Err(PlayFault::NoOpening) } else { self.make(&choices, by) };
        made.unwrap_or_else(|_| {
            let why = "made a choice that the opening does not allow".to_owned();
            self.program_waits(program, PlayNotice::ProgramFailed(by, why))
        })
    }

    /// Lets a program wait after something went wrong; it begins anew then.
    fn program_waits(&mut self, program: usize, why: PlayNotice) -> Vec<PlayNotice> {
        if let Some(program) = self.programs.get_mut(program) {
            program.new_game();
        }
        self.is_waiting = true;
        self.is_saved = false;
        vec![why, PlayNotice::EngineWaits]
    }
}
